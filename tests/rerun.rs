//! `arbitro rerun`: a bot gets once more what it got in a recorded game, and what it answers is compared.

mod common;

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{arbitro, journal, stderr, stdout};
use serde_json::Value;

/// Where the starter in Python thinks.
const CHOICE: &str = "return random.choice(empty) if empty else None";

/// A match between a bot, `bot`, and built-ins.
struct Match {
    folder: tempfile::TempDir,
    games: Vec<Value>,
}

impl Match {
    /// Plays on a small board; the bot is the starter of Hex, which thinks like this.
    fn of(thought: &str, options: &[&str]) -> Match {
        let source = include_str!("../starters/hex/bot.py").replace(CHOICE, thought);
        Match::between(&source, &["@random"], &[&["--size", "5"], options].concat())
    }

    fn between(source: &str, others: &[&str], options: &[&str]) -> Match {
        let folder = tempfile::tempdir().unwrap();
        write_bot(&folder.path().join("bot.py"), source);
        let common = ["--quiet", "--keep-failing", "--seed", "7", "--out", "out"];
        let words = [&["duel", "./bot.py"], others, &common, options].concat();
        let played = arbitro(folder.path(), &words);
        assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
        let games = journal(&folder.path().join("out"));
        Match { folder, games }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn rerun(&self, game: &Value, options: &[&str]) -> Output {
        let number = game["number"].as_u64().unwrap().to_string();
        arbitro(self.path(), &[&["rerun", "out", &number, "--bot", "bot"], options].concat())
    }

    /// Asserts that the bot does in each game what it did.
    #[track_caller]
    fn is_the_same(&self) {
        for game in &self.games {
            let again = self.rerun(game, &[]);
            let (text, errors) = (stdout(&again), stderr(&again));
            assert!(text.starts_with("the same: "), "{text}{errors}\n{game}");
            assert_eq!(again.status.code(), Some(0), "{text}{errors}");
            assert_eq!(text.contains("\nagain "), !game["verdict"]["losses"].is_null(), "{text}");
        }
    }

    /// Asserts that the bot, started by hand on what it was sent, prints what it played.
    #[track_caller]
    fn can_be_fed_by_a_shell(&self) {
        for game in &self.games {
            let written = self.rerun(game, &["--stdin", "in.txt"]);
            assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
            let text = stdout(&written);
            let command = text.lines().find_map(|line| line.strip_prefix("start it with:")).unwrap();
            let started = Command::new("sh").args(["-c", command]).current_dir(self.path()).output().unwrap();
            let printed: Vec<&str> = std::str::from_utf8(&started.stdout).unwrap().lines().collect();
            let own = own_moves(game);
            // After the last move of an opponent that has won, it thinks on.
            assert_eq!(printed[..own.len()], own[..], "{command}: {}", stderr(&started));
            assert!(printed.len() <= own.len() + 1, "{printed:?} {own:?}");
            let on_stdout = self.rerun(game, &["--stdin", "-"]);
            assert_eq!(stdout(&on_stdout), std::fs::read_to_string(self.path().join("in.txt")).unwrap());
        }
    }
}

fn write_bot(path: &Path, source: &str) {
    std::fs::write(path, source).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The moves of `bot` in a recorded game: who moves is found by playing it with the record's own reader.
fn own_moves(game: &Value) -> Vec<String> {
    let record: arbitro::record::GameRecord = serde_json::from_str(&game.to_string()).unwrap();
    let mut movers = Vec::new();
    record.walk(record.plies.len(), |position| movers.push(position.turn())).unwrap();
    let own = record.plies.iter().zip(movers).filter(|(_, mover)| record.bot(*mover) == "bot");
    own.filter_map(|(ply, _)| Some(ply.text()?.to_owned())).collect()
}

#[test]
fn a_bot_that_always_plays_alike_does_so_again_also_after_swaps() {
    // It swaps half the time.
    let swapper = concat!("swapper=python3 ", env!("CARGO_MANIFEST_DIR"), "/bots/hex/random.py");
    let source = include_str!("../starters/hex/bot.py");
    let played = Match::between(source, &[swapper], &["--size", "9", "--games", "14"]);
    let swapped = played.games.iter().filter(|game| game["swapped"] == true);
    let by: HashSet<&str> = swapped.map(|game| game["seats"][1]["bot"].as_str().unwrap()).collect();
    assert_eq!(by, HashSet::from(["bot", "swapper"]), "both are to have swapped");
    played.is_the_same();
    played.can_be_fed_by_a_shell();
}

#[test]
fn a_crash_in_the_middle_of_a_game_can_be_had_again() {
    let played =
        Match::of("return os.abort() if len(empty) < 18 else random.choice(empty)", &["--games", "2"]);
    for game in &played.games {
        assert_eq!(game["verdict"]["reason"], "crashed");
        let again = played.rerun(game, &[]);
        let sentence = game["verdict"]["sentence"].as_str().unwrap();
        assert!(sentence.contains("SIGABRT"), "{sentence}");
        assert!(stdout(&again).ends_with(&format!("again {sentence}\n")), "{}", stdout(&again));
        assert_eq!(again.status.code(), Some(0));
        // Before it comes to that, it lives.
        let before = played.rerun(game, &["--until", "3"]);
        assert!(!stdout(&before).contains("again"), "{}", stdout(&before));
    }
    // A version that does not crash any more.
    write_bot(&played.path().join("fixed.py"), include_str!("../starters/hex/bot.py"));
    let fixed = played.rerun(&played.games[0], &["--with", "./fixed.py"]);
    let text = stdout(&fixed);
    assert!(text.contains("recorded that it was killed by SIGABRT") && text.contains("; now '"), "{text}");
    assert!(text.ends_with("otherwise: 1 of 5 answers\n"), "{text}");
    assert_eq!(fixed.status.code(), Some(1));
}

#[test]
fn an_exception_is_the_same_with_its_line() {
    let played = Match::of("return random.choice(empty) if len(empty) > 20 else 1 // 0", &["--games", "1"]);
    played.is_the_same();
    let again = played.rerun(&played.games[0], &[]);
    assert!(stdout(&again).contains("ZeroDivisionError"), "{}", stdout(&again));
    assert!(stderr(&again).contains("1 // 0"), "the traceback is shown: {}", stderr(&again));
}

#[test]
fn a_refused_move_is_refused_again() {
    let taken =
        "return next(at for at in board if board[at] != '-') if len(empty) < 20 else random.choice(empty)";
    let played = Match::of(taken, &["--games", "2"]);
    assert_eq!(played.games[0]["verdict"]["reason"], "illegal-move");
    played.is_the_same();
    let again = played.rerun(&played.games[0], &[]);
    assert!(stdout(&again).contains("the cell is already taken"), "{}", stdout(&again));
}

#[test]
fn a_bot_that_draws_lots_anew_answers_otherwise_and_that_is_shown() {
    let played = Match::of("random.seed(); return random.choice(empty)", &["--games", "1"]);
    let again = played.rerun(&played.games[0], &[]);
    let text = stdout(&again);
    assert_eq!(again.status.code(), Some(1), "{text}");
    assert!(
        text.contains(": recorded '") && text.contains("; now '") && text.contains("otherwise: "),
        "{text}"
    );
}

#[test]
fn a_game_that_takes_another_course_is_followed_as_long_as_that_is_possible() {
    // On its second move it takes the cell on which the recorded opponent is to move next.
    let played = Match::of(CHOICE, &["--games", "1"]);
    let game = &played.games[0];
    let next: Vec<i64> =
        game["moves"][3][0].as_str().unwrap().split(' ').map(|word| word.parse().unwrap()).collect();
    let thief = format!("return ({}, {}) if len(empty) == 23 else random.choice(empty)", next[0], next[1]);
    write_bot(
        &played.path().join("thief.py"),
        &include_str!("../starters/hex/bot.py").replace(CHOICE, &thief),
    );
    assert_eq!(game["swapped"], false, "choose another seed: with a swap there are fewer stones");
    let again = played.rerun(game, &["--with", "./thief.py"]);
    let text = stdout(&again);
    assert!(text.contains("since ply 3 the record cannot be followed beyond ply 3"), "{text}");
    assert_eq!(again.status.code(), Some(1));
}

#[test]
fn gdb_is_started_with_the_arguments_that_the_bot_had() {
    let folder = tempfile::tempdir().unwrap();
    // Without an argument it would crash elsewhere.
    let source = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n    int row, col;\n    \
                  if (argc != 2) exit(3);\n    if (argv[1][0] == 'b') { puts(\"0 0\"); fflush(stdout); }\n    \
                  scanf(\"%d %d\", &row, &col);\n    abort();\n}\n";
    std::fs::write(folder.path().join("bot.c"), source).unwrap();
    let built = Command::new("cc").args(["-g", "-o", "bot", "bot.c"]).current_dir(folder.path()).status();
    assert!(built.unwrap().success());
    let options = ["--size", "5", "--games", "1", "--quiet", "--keep-failing", "--out", "out"];
    arbitro(folder.path(), &[&["duel", "./bot", "@random"], &options[..]].concat());
    let written = arbitro(folder.path(), &["rerun", "out", "1", "--bot", "bot", "--stdin", "in.txt"]);
    let text = stdout(&written);
    let command = text.lines().find_map(|line| line.strip_prefix("under gdb:")).expect("it is a program");
    assert!(command.contains("gdb -ex 'run b < in.txt' /"), "{text}");
    if !Path::new("/usr/bin/gdb").exists() {
        println!("not tried: there is no gdb here (apt-get install gdb)");
        return;
    }
    let command = command.replace("gdb -ex", "gdb --batch -ex");
    let seen = Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output().unwrap();
    assert!(stdout(&seen).contains("received signal SIGABRT"), "{}{}", stdout(&seen), stderr(&seen));
}

#[test]
fn at_a_table_of_three_all_news_are_sent_again() {
    let source = include_str!("../starters/okupacio/bot.py");
    let options = ["--game", "okupacio", "--size", "5", "--games", "3"];
    let played = Match::between(source, &["@random", "@greedy"], &options);
    played.is_the_same();
    played.can_be_fed_by_a_shell();
    // One that fails leaves, and the others play on.
    let failing = source.replace(
        "return random.choice(free)",
        "return random.choice(free) if len(free) > 16 else sys.exit(3)",
    );
    let played = Match::between(&failing, &["@random", "@greedy"], &options);
    assert!(played.games.iter().any(|game| !game["verdict"]["losses"].is_null()));
    played.is_the_same();
}

#[test]
fn the_version_that_played_plays_again_whatever_has_become_of_its_files() {
    let played = Match::of(CHOICE, &["--games", "2"]);
    write_bot(&played.path().join("bot.py"), "#!/bin/sh\nexit 1\n");
    played.is_the_same();
    std::fs::remove_file(played.path().join("bot.py")).unwrap();
    played.is_the_same();
    let gone = played.path().join("out/bots");
    std::fs::rename(&gone, played.path().join("elsewhere")).unwrap();
    let refused = played.rerun(&played.games[0], &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("give its present command with --with"), "{}", stderr(&refused));
}

#[test]
fn engines_that_speak_htp_are_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--size", "5", "--games", "2", "--seed", "4", "--quiet", "--out", "out"];
    let played = arbitro(folder.path(), &[&["duel", "engine=htp:@greedy", "@random"], &options[..]].concat());
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    for game in ["1", "2"] {
        let again = arbitro(folder.path(), &["rerun", "out", game, "--bot", "engine"]);
        assert_eq!(again.status.code(), Some(0), "{}{}", stdout(&again), stderr(&again));
    }
    let refused = arbitro(folder.path(), &["rerun", "out", "1", "--bot", "engine", "--stdin", "x"]);
    assert!(stderr(&refused).contains("depends on its answers"), "{}", stderr(&refused));
}

#[test]
fn what_cannot_be_rerun_is_said_with_what_to_write_instead() {
    let played = Match::of(CHOICE, &["--games", "1"]);
    for (words, said) in [
        (&["out", "2", "--bot", "bot"][..], "there is no game 2 in 'out/games.jsonl', which has game 1"),
        (&["out", "1", "--bot", "bto"], "not by 'bto'; did you mean 'bot'?"),
        (&["nowhere", "1", "--bot", "bot"], "cannot read 'nowhere': there is no such file"),
        (&[".", "1", "--bot", "bot"], "the newest is: arbitro rerun ./out"),
        (&["out", "1", "--bot", "bot", "--with", "./nothing"], "'./nothing' does not exist"),
        (&["out", "1", "--bot", "bot", "--until", "0"], "--until"),
        (&["out", "1", "--bot", "bot", "--stdin", "no/such/x"], "cannot write 'no/such/x'"),
        (&["out", "1"], "--bot bot or --bot random"),
        (
            &["out", "1", "--bot", "bot", "--stdin", "bot.py"],
            "'bot.py' holds something else that would be lost",
        ),
        (
            &["out", "1", "--bot", "bot", "--stdin", "out/games.jsonl"],
            "holds something else that would be lost",
        ),
    ] {
        let refused = arbitro(played.path(), &[&["rerun"], words].concat());
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {}", stderr(&refused));
        assert!(stderr(&refused).contains(said), "{words:?}: {}", stderr(&refused));
    }
}

/// A rerun that waits for a debugger, and the process that it says it is about.
fn waiting(played: &Match) -> (std::process::Child, BufReader<std::process::ChildStdout>, String) {
    let mut child = Command::new(common::program())
        .args(["rerun", "out", "1", "--bot", "bot", "--attach"])
        .current_dir(played.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let pid = line.split("process ").nth(1).and_then(|rest| rest.split(',').next()).unwrap().to_owned();
    (child, lines, pid)
}

fn rest(mut lines: impl BufRead) -> String {
    let mut text = String::new();
    lines.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_bot_waits_at_its_first_instruction_until_enter_is_pressed() {
    let played =
        Match::of("return os.abort() if len(empty) < 20 else random.choice(empty)", &["--games", "1"]);
    let (mut child, lines, pid) = waiting(&played);
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    assert!(status.contains("State:\tT"), "{status}");
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    let text = rest(lines);
    assert!(text.contains("\nthe same: ") && text.contains("SIGABRT"), "{text}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_debugger_can_be_attached_and_sees_the_crash() {
    let gdb = PathBuf::from("/usr/bin/gdb");
    if !gdb.exists() {
        println!("not tried: there is no gdb here (apt-get install gdb)");
        return;
    }
    let played =
        Match::of("return os.abort() if len(empty) < 20 else random.choice(empty)", &["--games", "1"]);
    let (mut child, lines, pid) = waiting(&played);
    // Nobody presses Enter: the debugger continues it.
    let _keyboard = child.stdin.take();
    let handle = "handle SIGSTOP SIGCONT nostop noprint nopass";
    let seen = Command::new(gdb)
        .args(["--batch", "-p", &pid, "-ex", handle, "-ex", "bt", "-ex", "continue", "-ex", "bt"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let (words, errors) = (String::from_utf8_lossy(&seen.stdout), String::from_utf8_lossy(&seen.stderr));
    assert!(words.contains("received signal SIGABRT"), "{words}{errors}");
    let text = rest(lines);
    assert!(text.contains("\nthe same: ") && text.contains("SIGABRT"), "{text}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
