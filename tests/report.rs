//! The report: one page that holds every game as it was played, and nothing that is not to be published.

mod common;

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use arbitro::record::journal::{self, Journal};
use arbitro::record::{GameRecord, Ply};
use arbitro::score::Standings;
use arbitro::view::page::blocks::Times;
use arbitro::view::page::board_data::Stepper;
use arbitro::view::page::facts::Facts;
use arbitro::view::page::game_data::GameData;
use arbitro::view::page::pack::{Packing, Recorded};
use arbitro::view::page::publication::Publication;
use arbitro::view::page::report::Report;
use common::{all_texts, eventually, interruptible, program};
use serde_json::{Value, json};
use tempfile::TempDir;

const BLOCKS_JS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/view/page/blocks.js");
const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pages/read_report.mjs");

fn arbitro(arguments: &[&str]) -> Output {
    let output = interruptible(program()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A championship of quick bots, in a folder of its own.
fn championship(bots: &[&str], options: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let fixed = [
        "--quiet",
        "--no-sandbox",
        "--seed",
        "7",
        "--time",
        "20",
        "--keep-failing",
        "--out",
        out.to_str().unwrap(),
    ];
    arbitro(&[&["championship"], bots, options, &fixed[..]].concat());
    (folder, out)
}

fn records(out: &Path) -> Vec<GameRecord> {
    journal::read(&out.join(journal::FILE_NAME), |damage| panic!("{damage}")).unwrap()
}

fn page(out: &Path) -> String {
    fs::read_to_string(out.join("report.html")).unwrap()
}

/// What the page's own script finds in a report. The tests need Node.js.
fn opened(path: &Path) -> Value {
    let output = Command::new("node").args([READER, BLOCKS_JS]).arg(path).output();
    let output = output.expect("the tests need Node.js: apt-get install nodejs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The same, with whole numbers as JavaScript writes them.
fn plain(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(plain).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, plain(value))).collect(),
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 => json!(whole as i64),
            _ => Value::Number(number),
        },
        other => other,
    }
}

fn bots_of(data: &Value) -> HashMap<String, usize> {
    let names = data["bots"].as_array().unwrap().iter();
    names.enumerate().map(|(index, name)| (name.as_str().unwrap().to_owned(), index)).collect()
}

fn told(record: GameRecord, bots: &HashMap<String, usize>) -> Value {
    let names = Stepper::new(record.start().unwrap()).board().names;
    plain(json!(GameData::of(record, &names, bots, &Publication::default(), &[]).unwrap()))
}

#[test]
fn the_page_holds_every_game_as_it_was_played() {
    for (game, options) in [
        ("hex", &["--size", "9", "--openings", "3", "--rounds", "2"][..]),
        ("rhex", &["--size", "6"]),
        ("okupacio", &["--seats", "3", "--size", "17"]),
        ("xinez", &["--seats", "3", "--size", "2"]),
    ] {
        let (_folder, out) =
            championship(&["@random", "again=@random", "@greedy"], &[&["--game", game], options].concat());
        let opened = opened(&out.join("report.html"));
        let bots = bots_of(&opened["data"]);
        let records = records(&out);
        assert_eq!(opened["games"].as_array().unwrap().len(), records.len(), "{game}");
        for (row, record) in records.into_iter().enumerate() {
            let number = record.number;
            assert_eq!(opened["index"]["number"][row], number);
            assert_eq!(opened["games"][row], told(record, &bots), "{game}, game {number}");
        }
        assert_eq!(opened["data"]["complete"], true);
    }
}

/// A game with everything in it: a swap, a board of more than 256 cells, a fault, and very long moves.
fn odd_records() -> Vec<GameRecord> {
    let (_folder, out) = championship(&["@random", "@greedy"], &["--size", "17"]);
    let mut records = records(&out);
    let first = records[0].plies[0].clone();
    records[0].plies.truncate(1);
    records[0].plies.push(first);
    records[0].swapped = true;
    if let Ply::Move { taken, .. } = &mut records[0].plies[1] {
        *taken = std::time::Duration::from_secs(3000);
    }
    records[1].plies.truncate(3);
    records[1].verdict = serde_json::from_value(json!({
        "winner": 0, "places": [1, 2], "reason": "illegal-move", "sentence": "x",
        "losses": [{ "seat": 1, "ply": 4, "reason": "illegal-move", "fault": { "illegal-move": { "said": "3 4", "why": "it is taken" } } }],
    }))
    .unwrap();
    records
}

#[test]
fn coarse_times_change_nothing_else() {
    let records = odd_records();
    let names: Vec<String> = ["greedy", "random"].map(str::to_owned).into();
    let bots: HashMap<String, usize> = names.iter().cloned().zip(0..).collect();
    for times in [Times::Exact, Times::Coarse] {
        let packing = Packing {
            bots: bots.clone(),
            names: names.clone(),
            publication: Publication::default(),
            times: Some(times),
        };
        let standings = Standings::default();
        let mut report = Report::new(Facts { seats: 2, ..Facts::default() }, &standings, &names);
        let recorded =
            |record: GameRecord| Recorded { record, stderr: vec![Some(b"</script>".to_vec()), None] };
        report.add(packing.pack(records.iter().cloned().map(recorded).collect()));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.html");
        fs::write(&path, report.html()).unwrap();
        let opened = opened(&path);
        for (row, record) in records.iter().enumerate() {
            let (mut found, mut expected) = (opened["games"][row].clone(), told(record.clone(), &bots));
            assert_eq!(found["seats"][0]["stderr"], "</script>");
            for (ply, exact) in
                found["plies"].as_array().unwrap().iter().zip(expected["plies"].as_array().unwrap())
            {
                let (ply, exact) = (ply["ms"].as_f64().unwrap(), exact["ms"].as_f64().unwrap());
                let error = if times == Times::Exact { 0.0 } else { 5f64.max(0.04 * exact) };
                assert!((ply - exact).abs() <= error, "{ply} is not {exact}");
            }
            for game in [&mut found, &mut expected] {
                game["seats"].take();
                for ply in game["plies"].as_array_mut().unwrap() {
                    ply["ms"].take();
                    ply["cpu_ms"].take();
                }
            }
            assert_eq!(found, expected);
        }
        assert_eq!(opened["games"][0]["plies"][1]["swap"], true);
        assert_eq!(opened["games"][1]["refused"]["cell"], 3 * 17 + 4);
    }
}

#[test]
fn games_of_hex_are_exported_as_the_command_does_it() {
    let (_folder, out) = championship(&["@random", "@greedy"], &["--size", "6", "--rounds", "4"]);
    let opened = opened(&out.join("report.html"));
    let links = arbitro(&["export", out.to_str().unwrap(), "--format", "hexworld"]).stdout;
    let links = String::from_utf8(links).unwrap();
    // The page has times less exactly.
    let without_times = |text: &str| -> String {
        let nodes = text.split(';').map(|node| {
            node.split("BL[").next().unwrap().split("WL[").next().unwrap().trim_end_matches([')', '\n'])
        });
        nodes.collect::<Vec<_>>().join(";")
    };
    for (row, (record, link)) in records(&out).iter().zip(links.lines()).enumerate() {
        assert_eq!(opened["exports"][row][0], link);
        let file = arbitro(&["export", out.to_str().unwrap(), &record.number.to_string()]).stdout;
        let file = String::from_utf8(file).unwrap();
        assert_eq!(without_times(opened["exports"][row][1].as_str().unwrap()), without_times(&file));
    }
}

/// A bot in a folder of its own that writes an error which names its path, and dies.
fn dying_bot(folder: &Path, words: &str) -> String {
    let bot = folder.join("secret-folder").join("dies.sh");
    fs::create_dir_all(bot.parent().unwrap()).unwrap();
    fs::write(
        &bot,
        format!(
            "#!/bin/sh\n[ $3 = b ] || read line\necho '{words}' >&2\necho \"fatal error: cannot open $0\" >&2\nexit 3\n"
        ),
    )
    .unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    format!("dies={} --mode fast", bot.display())
}

#[test]
fn paths_commands_and_stderr_are_told_only_if_they_are_to_be() {
    let place = tempfile::tempdir().unwrap();
    let bot = dying_bot(place.path(), "</script><script>alert(1)</script> my own words");
    let (_folder, out) = championship(&[&bot, "@random"], &["--size", "5", "--title", "Our <b>cup</b>"]);
    let folder = out.to_str().unwrap();
    let html = page(&out);
    let read = all_texts(&html);
    for secret in [
        "secret-folder",
        place.path().to_str().unwrap(),
        folder,
        "--mode fast",
        "my own words",
        "cannot open",
    ] {
        assert!(!read.contains(secret), "{secret}");
    }
    assert!(html.contains("Our &#60;b&#62;cup&#60;/b&#62;"));
    // The words of a bot do not end the script that holds them.
    let scripts = |html: &str| html.matches("<script").count();
    let expected = scripts(&html);
    arbitro(&["report", folder, "--with-stderr"]);
    assert!(all_texts(&page(&out)).contains("my own words"));
    assert!(page(&out).contains("cannot open dies.sh"), "the fault is told, without its path");
    assert_eq!(scripts(&page(&out)), expected);
    assert_eq!(expected, 4, "data, index, a block, and the script");
    arbitro(&["report", folder, "--with-commands"]);
    assert!(page(&out).contains("secret-folder/dies.sh --mode fast"));
}

/// Once the counts of a row stood under the reasons of the columns before them, and those of the last column nowhere.
#[test]
fn losses_stand_under_their_reasons() {
    let (_folder, out) = championship(&["dies=false", "@random"], &["--size", "5"]);
    let html = page(&out);
    let losses = html.split("<section id=\"losses\">").nth(1).unwrap().split("</section>").next().unwrap();
    let cells = |before: &str| -> Vec<&str> {
        losses.split(before).skip(1).map(|cell| cell.split('<').next().unwrap()).collect()
    };
    assert_eq!(cells("<th scope=\"col\" class=\"num\">"), ["on the board", "crashed"]);
    assert_eq!(cells("<td class=\"num\" data-of="), ["\"on the board\">", "\"crashed\">2"]);
}

#[test]
fn names_can_be_invented_and_stay_the_same() {
    let place = tempfile::tempdir().unwrap();
    let bot = dying_bot(place.path(), "I am Dies");
    let (_folder, out) = championship(&[&bot, "mariana=@random", "@greedy"], &["--size", "5"]);
    let published = tempfile::tempdir().unwrap();
    let file = published.path().join("index.html");
    let publish = || {
        arbitro(&[
            "report",
            out.to_str().unwrap(),
            "--pseudonyms",
            "--with-stderr",
            "--out",
            file.to_str().unwrap(),
        ]);
        fs::read_to_string(&file).unwrap()
    };
    let html = publish();
    let read = all_texts(&html).to_lowercase();
    for name in ["mariana", "dies"] {
        let is_word = |at: usize| !read[at + name.len()..].starts_with(char::is_alphanumeric);
        assert!(!read.match_indices(name).any(|(at, _)| is_word(at)), "{name}");
    }
    assert!(read.contains("bot-") && read.contains("greedy"), "levels of the reference keep their names");
    assert_eq!(publish(), html, "the names are the same again");
    let key = out.join("pseudonyms.csv");
    assert!(fs::read_to_string(&key).unwrap().contains("mariana,bot-"));
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(page(&out).contains("mariana"), "the report in the folder is another one");
}

#[test]
fn hostile_names_do_nothing() {
    let (_folder, out) = championship(&["evil=@random", "@greedy"], &["--size", "5"]);
    let evil = "<img src=x onerror=alert(1)>\"'</script>\u{202e}&amp;";
    let changed = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open(&changed.path().join(journal::FILE_NAME)).unwrap();
    for mut record in records(&out) {
        record.seats.iter_mut().filter(|seat| seat.bot == "evil").for_each(|seat| seat.bot = evil.to_owned());
        journal.append(&record).unwrap();
    }
    drop(journal);
    let settings = fs::read_to_string(out.join("championship.toml")).unwrap();
    let name = toml::Value::String(evil.to_owned()).to_string();
    fs::write(
        changed.path().join("championship.toml"),
        settings.replace("name = \"evil\"", &format!("name = {name}")),
    )
    .unwrap();
    arbitro(&["report", changed.path().to_str().unwrap()]);
    let html = page(changed.path());
    assert!(
        !html.contains("<img") && !html.contains('\u{202e}'),
        "nothing of the name is markup, or turns text around"
    );
    assert!(html.contains("&#60;img src=x onerror=alert(1)&#62;"));
    assert_eq!(html.matches("</script").count(), 4);
    let opened = opened(&changed.path().join("report.html"));
    assert!(
        bots_of(&opened["data"]).keys().any(|name| name.starts_with("<img") && name.contains("\\u{202e}"))
    );
}

#[test]
fn what_is_missing_is_told_with_the_command_that_goes_on() {
    let (_folder, out) = championship(&["@random", "b=@random", "@greedy"], &["--size", "4"]);
    let html = page(&out);
    assert!(
        html.contains(">complete</strong> · 6 games · 3 bots · 4×4 · 20 s a game · round robin"),
        "{html:.2000}"
    );
    assert_eq!(
        html.matches("<a class=\"w\" href=\"#game=").count(),
        6,
        "each game is won once in the cross table"
    );
    assert_eq!(html.matches("<a class=\"l\" href=\"#game=").count(), 6);
    let path = out.join(journal::FILE_NAME);
    let lines = fs::read_to_string(&path).unwrap();
    fs::write(&path, lines.lines().take(4).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    arbitro(&["report", out.to_str().unwrap()]);
    let html = page(&out);
    assert!(html.contains("2 games missing</strong> · 4 games of 6"));
    assert!(html.contains("<code>arbitro championship --resume .</code>"));
    // That command does go on.
    let resumed = interruptible(program())
        .args(["championship", "--resume", ".", "--quiet", "--no-sandbox"])
        .current_dir(&out)
        .output();
    assert!(resumed.unwrap().status.success());
    assert!(page(&out).contains(">complete</strong>"));
}

#[test]
fn a_page_can_hold_one_game() {
    let (_folder, out) = championship(&["@random", "@greedy"], &["--game", "rhex", "--size", "4"]);
    let record = records(&out).remove(1);
    let path = out.join("game.html");
    arbitro(&["replay", out.to_str().unwrap(), &record.number.to_string(), "--html", path.to_str().unwrap()]);
    let opened = opened(&path);
    let bots = bots_of(&opened["data"]);
    assert_eq!(opened["data"]["opens"], record.number);
    assert_eq!(opened["games"], json!([told(record, &bots)]));
}

#[test]
fn an_interrupted_championship_has_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut command = interruptible(program());
    command.args([
        "championship",
        "@random",
        "b=@random",
        "--rounds",
        "10000",
        "--size",
        "4",
        "--quiet",
        "--no-sandbox",
        "--out",
    ]);
    let mut child = command.arg(&out).stdout(Stdio::null()).spawn().unwrap();
    eventually("a game is played", || {
        fs::metadata(out.join(journal::FILE_NAME)).is_ok_and(|data| data.len() > 0)
    });
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let games = records(&out).len();
    let html = page(&out);
    assert!(html.contains(&format!("{} games missing</strong> · {games} game", 20_000 - games)), "{games}");
}
