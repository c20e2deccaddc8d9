//! What is said of a championship before it is played: how long it will take, and all its settings in a file.

mod common;

use std::path::Path;

use common::{arbitro, stderr, stdout};
use serde_json::Value;

const BOTS: [&str; 5] = ["championship", "a=@random", "b=@random", "c=@greedy", "d=@random"];
const SMALL: [&str; 8] = ["--size", "4", "--seed", "7", "--jobs", "1", "--time", "20"];

/// Runs a command that has to succeed.
#[track_caller]
fn run(folder: &Path, arguments: &[&[&str]]) -> String {
    let output = arbitro(folder, &arguments.concat());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

fn forecast(folder: &Path, arguments: &[&[&str]]) -> Value {
    let text = run(folder, &[&arguments.concat(), &["--dry-run", "--json"]]);
    serde_json::from_str(&text).unwrap()
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_dry_run_tells_how_long_it_takes_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let told = forecast(folder.path(), &[&BOTS, &SMALL]);
    assert_eq!((told["games"].as_u64(), told["jobs"].as_u64()), (Some(12), Some(1)));
    // Twelve games of two clocks of 20 s, two starts of 5 s and a second.
    assert_eq!(told["at_worst_s"].as_f64(), Some(12.0 * 51.0));
    assert!(told["about_s"].as_f64().unwrap() > 0.0 && told["is_at_least"] == false, "{told}");
    assert!(told["measured"]["samples"].as_u64().unwrap() > 0, "{told}");
    let games = told["schedule"][0]["games"].as_array().unwrap();
    assert_eq!(games.len(), 12);
    assert_eq!(entries(folder.path()), [""; 0]);
    let text = run(
        folder.path(),
        &[&BOTS, &SMALL, &["--dry-run", "--format", "swiss", "--rounds", "3", "--out", "o"]],
    );
    for words in [
        "12 games: swiss, 3 rounds; 1 at a time",
        "about ",
        "at worst 10 min 12 s",
        "round 1\n",
        "later rounds, 8 games",
    ] {
        assert!(text.contains(words), "'{words}' is missing: {text}");
    }
    assert_eq!(entries(folder.path()), [""; 0]);
}

#[test]
fn a_dry_run_of_what_was_begun_tells_what_is_left_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &[&BOTS, &SMALL, &["--quiet", "--out", "out"]]);
    let out = folder.path().join("out");
    let journal = std::fs::read(out.join("games.jsonl")).unwrap();
    // As if it had been broken off after five games.
    let lines = journal.split_inclusive(|&byte| byte == b'\n').take(5).collect::<Vec<_>>().concat();
    std::fs::write(out.join("games.jsonl"), &lines).unwrap();
    let before = entries(&out);
    let told = forecast(folder.path(), &[&["championship", "--resume", "out"]]);
    assert_eq!((told["games"].as_u64(), told["played"].as_u64()), (Some(7), Some(5)), "{told}");
    assert_eq!(told["measured"]["samples"], 0);
    assert!(told["about_s"].as_f64().unwrap() > 0.0, "{told}");
    assert_eq!((entries(&out), std::fs::read(out.join("games.jsonl")).unwrap()), (before, lines));
    // Gone on with, it says at once how long the rest takes.
    let output = arbitro(folder.path(), &["championship", "--resume", "out"]);
    assert!(
        stderr(&output).contains(" left, as the games show that were played; at worst "),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("12 of 12 games"));
}

#[test]
fn a_file_of_settings_is_written_with_everything_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let typed =
        ["--rounds", "2", "--openings", "3", "--strict", "--memory", "512M", "--title", "Hex 'o' \"x\""];
    run(folder.path(), &[&BOTS, &SMALL, &typed, &["--write-config", "c.toml"]]);
    let read = || std::fs::read_to_string(folder.path().join("c.toml")).unwrap();
    let text = read();
    for line in [
        "time = \"20\"",
        "jobs = 1",
        "openings = 3",
        "strict = true",
        "memory = \"512M\"",
        "command = \"@greedy\"",
        "# move_time = 10",
    ] {
        assert!(text.lines().any(|written| written == line), "'{line}' is missing: {text}");
    }
    let again = run(folder.path(), &[&["championship", "--config", "c.toml", "--write-config", "-"]]);
    assert_eq!(again, text);
    let refused = arbitro(folder.path(), &["championship", "@random", "--write-config", "c.toml"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("'c.toml' is there already; give another name, or add --overwrite"));
    assert_eq!(read(), text);
    run(folder.path(), &[&["championship", "@random", "--write-config", "c.toml", "--overwrite"]]);
    assert_ne!(read(), text);
    assert_eq!(entries(folder.path()), ["c.toml"], "nothing is played");
    // It plays as it says.
    std::fs::write(folder.path().join("d.toml"), text).unwrap();
    run(folder.path(), &[&["championship", "--config", "d.toml", "--quiet", "--out", "out"]]);
    let settings = std::fs::read_to_string(folder.path().join("out/championship.toml")).unwrap();
    for line in ["rounds = 2", "size = 4", "seed = 7", "time = \"20\"", "strict = true"] {
        assert!(settings.lines().any(|written| written == line), "'{line}' is missing: {settings}");
    }
}

#[test]
fn the_table_of_games_has_sentences_processor_times_and_links() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &[&BOTS, &SMALL, &["--quiet", "--out", "out"]]);
    // Links have commas in them.
    let reader = csv::ReaderBuilder::new().has_headers(false).from_path(folder.path().join("out/games.csv"));
    let table: Vec<csv::StringRecord> = reader.unwrap().records().map(Result::unwrap).collect();
    let column = |name: &str| table[0].iter().position(|header| header == name).unwrap();
    let (sentence, link, cpu) = (column("sentence"), column("hexworld"), column("white_cpu_ms"));
    for row in &table[1..] {
        let names = [&row[column("white")], &row[column("black")]];
        assert!(names.iter().any(|name| row[sentence].starts_with(*name)), "{}", &row[sentence]);
        assert!(row[link].starts_with("https://hexworld.org/board/#4,"), "{}", &row[link]);
        row[cpu].parse::<u64>().unwrap();
    }
    let exported = run(folder.path(), &[&["export", "out", "--format", "hexworld"]]);
    let links: Vec<&str> = table[1..].iter().map(|row| &row[link]).collect();
    assert!(links.iter().all(|link| exported.contains(link)), "{exported}");
    // Built anew from the journal, it is the same.
    let before = std::fs::read(folder.path().join("out/games.csv")).unwrap();
    run(folder.path(), &[&["report", "out"]]);
    assert_eq!(std::fs::read(folder.path().join("out/games.csv")).unwrap(), before);
}
