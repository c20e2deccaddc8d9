//! Every starter plays: written by `arbitro new`, built and started as its own page says.

mod common;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{arbitro, journal, stderr, stdout};

const GAMES: [&str; 4] = ["hex", "rhex", "okupacio", "xinez"];

/// The commands of a starter's page: lines that are set off, without their comments.
fn commands(folder: &Path) -> Vec<String> {
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let lines = page.lines().filter_map(|line| line.strip_prefix("    "));
    lines.map(|line| line.split(" #").next().unwrap().trim().to_owned()).collect()
}

/// Writes the starter of a game into a new folder and builds it; nothing, and a line that says so, where its language is not here.
fn built(language: &str, game: &str, folder: &Path) -> Option<Vec<String>> {
    let written = arbitro(folder, &["new", language, game, "--game", game]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    if stderr(&written).contains("on this machine") {
        println!("not tried: {}", stderr(&written).trim());
        return None;
    }
    let place = folder.join(game);
    let commands = commands(&place);
    for command in commands.iter().filter(|command| !command.starts_with("arbitro ")) {
        let built = Command::new("sh").args(["-c", command]).current_dir(&place).output().unwrap();
        assert!(built.status.success(), "{language} {game}: {}", stderr(&built));
        assert!(!stderr(&built).contains("warning"), "{language} {game}: {}", stderr(&built));
    }
    Some(commands)
}

/// The words of the page's command that plays against `@random`.
fn duel(commands: &[String]) -> Vec<String> {
    let duel = commands.iter().find(|command| command.starts_with("arbitro duel ")).unwrap();
    shell_words::split(duel).unwrap().split_off(1)
}

/// Plays games with more options, and asserts that nobody loses by a fault. Returns how many times sides were exchanged.
fn plays(folder: &Path, words: &[String], options: &[&str]) -> usize {
    let out = tempfile::tempdir().unwrap();
    let place = out.path().join("out");
    let more =
        ["--quiet", "--strict", "--pipes", "--debug-bots", "--seed", "5", "--out", place.to_str().unwrap()];
    let words: Vec<&str> =
        words.iter().map(String::as_str).chain(more).chain(options.iter().copied()).collect();
    let played = arbitro(folder, &words);
    assert_eq!(played.status.code(), Some(0), "{words:?}: {}", stderr(&played));
    let games = journal(&place);
    for game in &games {
        let verdict = &game["verdict"];
        assert!(verdict["losses"].is_null(), "{words:?}: {verdict}");
    }
    games.iter().filter(|game| game["swapped"] == true).count()
}

/// A starter that reads nonsense asks for another move, answers the first possible one, which is in the middle, and leaves when there
/// is no more. Returns its answer.
fn copes_with_nonsense(folder: &Path, words: &[String]) -> String {
    let bot = words[1].strip_prefix("bot=").unwrap_or(&words[1]);
    let mut started = Command::new("sh")
        .args(["-c", &format!("{bot} p")])
        .current_dir(folder)
        .env("ARBITRO_SIZE", "5")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let long = "7".repeat(300);
    let nonsense = format!("x\n\n-1 2\n5 0\n1 2 3\n{long} {long}\n2 2\n");
    started.stdin.take().unwrap().write_all(nonsense.as_bytes()).unwrap();
    let ended = started.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{bot}: {}", stderr(&ended));
    assert_eq!(stdout(&ended).lines().count(), 1, "{bot}: {}", stdout(&ended));
    assert_eq!(stderr(&ended).matches("invalid move").count(), 6, "{bot}: {}", stderr(&ended));
    stdout(&ended)
}

fn every_game(language: &str) {
    let folder = tempfile::tempdir().unwrap();
    for game in GAMES {
        let Some(commands) = built(language, game, folder.path()) else { return };
        let (place, words) = (folder.path().join(game), duel(&commands));
        match game {
            "hex" => {
                plays(&place, &words, &["--games", "10", "--size", "7"]);
                // This one swaps half the time.
                let swapper = concat!("swapper=python3 ", env!("CARGO_MANIFEST_DIR"), "/bots/hex/random.py");
                let words = [words[0].clone(), words[1].clone(), swapper.to_owned()];
                let swaps = plays(&place, &words, &["--games", "6", "--size", "5"]);
                assert!(swaps > 0, "{language}: no swap");
                // The move that it is sent is in the middle: it swaps.
                assert_eq!(copes_with_nonsense(&place, &words), "2 2\n", "{language}");
            }
            "rhex" => {
                plays(&place, &words, &["--games", "4", "--size", "5"]);
                assert_ne!(copes_with_nonsense(&place, &words), "2 2\n", "{language}");
            }
            // Several at a table, some of whom leave.
            _ => {
                let table = [&words[..3], &["@random".to_owned()], &words[3..]].concat();
                plays(&place, &words, &["--games", "2", "--size", if game == "xinez" { "1" } else { "5" }]);
                plays(&place, &table, &["--games", "3", "--size", if game == "xinez" { "2" } else { "6" }]);
            }
        }
    }
}

#[test]
fn c_starters_play_every_game() {
    every_game("c");
}

#[test]
fn cpp_starters_play_every_game() {
    every_game("cpp");
}

#[test]
fn python_starters_play_every_game() {
    every_game("python");
}

#[test]
fn java_starters_play_every_game() {
    every_game("java");
}

#[test]
fn javascript_starters_play_every_game() {
    every_game("javascript");
}

#[test]
fn rust_starters_play_every_game() {
    every_game("rust");
}

#[test]
fn what_to_do_next_can_be_pasted() {
    let folder = tempfile::tempdir().unwrap();
    let written = arbitro(folder.path(), &["new", "python", "my bot", "--game", "rhex"]);
    let expected = "a player of RHEX in Python is in 'my bot': bot.py, README.md\nnext:\n  cd 'my bot'\n  \
                    arbitro duel ./bot.py @random --game rhex\n  arbitro check ./bot.py --game rhex\n";
    assert_eq!(stdout(&written), expected);
}

#[test]
fn a_language_that_is_not_here_is_named_with_its_package_and_the_files_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(common::program());
    let written =
        command.args(["new", "java", "x"]).env("PATH", "").current_dir(folder.path()).output().unwrap();
    assert_eq!(written.status.code(), Some(0));
    let errors = stderr(&written);
    assert!(
        errors.contains("no 'javac'") && errors.contains("apt-get install default-jdk-headless"),
        "{errors}"
    );
    assert!(folder.path().join("x/Bot.java").exists());
}

#[test]
fn what_cannot_be_begun_is_refused_with_what_to_write_instead() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("full")).unwrap();
    std::fs::write(folder.path().join("full/x"), "x").unwrap();
    for (words, said) in [
        (&["new", "pyton", "x"][..], "did you mean python?"),
        (&["new", "cobol", "x"], "there are starters in: c, cpp, python, java, javascript, rust"),
        (&["new", "mybot", "c"], "the language comes first: arbitro new c mybot"),
        (&["new", "c", "full"], "the folder 'full' is not empty; name a new one"),
        (&["new", "c", "full/x"], "'full/x' is a file; name a new folder"),
        (&["new", "c", "x", "--game", "hxe"], "hex"),
        (&["new", "c"], "DIR"),
    ] {
        let refused = arbitro(folder.path(), words);
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
        assert!(stderr(&refused).contains(said), "{words:?}: {}", stderr(&refused));
        assert!(!folder.path().join("x").exists(), "{words:?}");
    }
    let listed = arbitro(folder.path(), &["new", "--list"]);
    assert_eq!(stdout(&listed).lines().count(), 6);
}
