//! The zoo of flawed bots: each has one flaw that students' programs really have, loses a real game by it, and the sentence about
//! that must name the flaw and tell the cure.
//!
//! `cargo test --release --test flaws -- --nocapture` prints a table of all sentences; `ARBITRO_FLAWS_TABLE=FILE` writes it to a file,
//! `ARBITRO_FLAWS_ONLY=c++,swap` plays only the rows that have one of these texts in their names. README.md lists the flaws as a teacher would name them.

mod bots;
#[path = "../common/mod.rs"]
mod common;
mod flaw;
mod table;

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{journal, misfit, program};
use flaw::{Flaw, Opponent};
use serde_json::Value;
use table::table;

/// Games that are played at a time: most of the bots only let their time pass.
const AT_A_TIME: usize = 4;

/// How a flawed bot fared.
struct Outcome {
    reason: String,
    sentence: String,
    /// What is not as it should be.
    problems: Vec<String>,
}

#[test]
fn every_flaw_is_named_by_its_sentence() {
    let only = std::env::var("ARBITRO_FLAWS_ONLY").unwrap_or_default();
    let is_wanted = |flaw: &Flaw| only.split(',').any(|text| flaw.name().contains(text));
    let rows: Vec<Flaw> = table().into_iter().filter(is_wanted).collect();
    let outcomes = play_all(&rows);
    bots::sweep();
    let text = as_table(&rows, &outcomes);
    println!("{text}");
    if let Some(file) = std::env::var_os("ARBITRO_FLAWS_TABLE") {
        std::fs::write(file, &text).unwrap();
    }
    let mut failed = String::new();
    for (flaw, outcome) in rows.iter().zip(&outcomes) {
        for problem in outcome.iter().flat_map(|outcome| &outcome.problems) {
            writeln!(failed, "{}: {problem}", flaw.name()).unwrap();
        }
    }
    assert!(failed.is_empty(), "\n{failed}{} rows were played", outcomes.iter().flatten().count());
}

#[test]
fn the_list_for_people_is_complete() {
    let list =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/flaws/README.md")).unwrap();
    let listed: Vec<&str> =
        list.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next()).collect();
    let rows: Vec<String> = table().iter().map(Flaw::name).collect();
    assert_eq!(listed, rows, "README.md lists the rows in their order");
}

/// Plays all rows, several at a time; none for a row whose language is missing here.
fn play_all(rows: &[Flaw]) -> Vec<Option<Outcome>> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(rows.iter().map(|_| None).collect::<Vec<_>>());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some((index, flaw)) = at(rows, next.fetch_add(1, Ordering::Relaxed)) {
                    match flaw.language.missing() {
                        Some(program) => {
                            println!("{} is left out: there is no {program} here", flaw.name())
                        }
                        None => {
                            let outcome = outcome(flaw);
                            outcomes.lock().unwrap()[index] = Some(outcome);
                        }
                    }
                }
            });
        }
    });
    outcomes.into_inner().unwrap()
}

fn at(rows: &[Flaw], index: usize) -> Option<(usize, &Flaw)> {
    rows.get(index).map(|flaw| (index, flaw))
}

fn outcome(flaw: &Flaw) -> Outcome {
    let (reason, sentence, winner) = play(flaw);
    let mut problems = Vec::new();
    if reason == "disturbed" {
        // It was played three times, and other work on the machine had the processor each time.
        println!("{} was disturbed, and nothing is judged: {sentence}", flaw.name());
        return Outcome { reason, sentence, problems };
    }
    if !flaw.reason.split('|').any(|expected| expected == reason) {
        problems.push(format!("it ended by {reason}, not by {}: {sentence}", flaw.reason));
    }
    if winner == Some(flaw.seat as u64) {
        problems.push(format!("it won: {sentence}"));
    }
    let text = sentence.to_lowercase();
    for words in flaw.says.iter().filter(|words| !words.split('|').any(|word| text.contains(word))) {
        problems.push(format!("'{words}' is missing in: {sentence}"));
    }
    for words in flaw.never.iter().filter(|&&words| text.contains(words)) {
        problems.push(format!("'{words}' misleads in: {sentence}"));
    }
    Outcome { reason, sentence, problems }
}

/// Plays the game of a flaw in a folder of its own: why it ended, the sentence, and the winner's seat. A bot that is refused at once
/// has what arbitro says as its sentence.
fn play(flaw: &Flaw) -> (String, String, Option<u64>) {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bot");
    std::fs::create_dir(&folder).unwrap();
    let command = flaw.language.make(flaw.flaw, &folder);
    let opponent = match flaw.opponent {
        Opponent::Honest => misfit("honest"),
        Opponent::Swapper => misfit("swapper"),
        Opponent::Python => format!("python3 {} sound", bots::source("flawed.py").display()),
        Opponent::BuiltIn(name) => name.to_owned(),
    };
    let mut seats = [format!("flawed={command}"), opponent];
    if flaw.seat == 1 {
        seats.swap(0, 1);
    }
    for board in ["wide.txt", "walls.txt"].iter().filter(|&board| flaw.options().contains(board)) {
        std::fs::copy(bots::source(board), folder.join(board)).unwrap();
    }
    let out = place.path().join("out");
    let output = Command::new(program())
        .args(["duel", "--quiet", "--games", "1", "--seed", "1", "--no-pin", "--keep-failing"])
        .args(flaw.options())
        .arg("--out")
        .args([&out, Path::new(&seats[0]), Path::new(&seats[1])])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let games = journal(&out);
    let game = games.iter().rev().find(|game| game["verdict"]["reason"] != "disturbed").or(games.last());
    game.map_or_else(|| refused(&output), |game| verdict(&game["verdict"]))
}

fn verdict(verdict: &Value) -> (String, String, Option<u64>) {
    let text = |field: &str| verdict[field].as_str().unwrap_or_default().to_owned();
    (text("reason"), text("sentence"), verdict["winner"].as_u64())
}

fn refused(output: &Output) -> (String, String, Option<u64>) {
    let words = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    ("refused".to_owned(), words, None)
}

/// All rows for people, in Markdown.
fn as_table(rows: &[Flaw], outcomes: &[Option<Outcome>]) -> String {
    let mut text = String::from("| flaw | reason | sentence | as it should be |\n|---|---|---|---|\n");
    for (flaw, outcome) in rows.iter().zip(outcomes) {
        let Some(Outcome { reason, sentence, problems }) = outcome else { continue };
        let sentence = sentence.replace('|', "\\|");
        let fine = match problems.is_empty() {
            _ if reason == "disturbed" => "not judged",
            true => "yes",
            false => "no",
        };
        writeln!(text, "| {} | {reason} | {sentence} | {fine} |", flaw.name()).unwrap();
    }
    text
}
