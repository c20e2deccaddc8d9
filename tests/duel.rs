//! Matches from the command line: results, interruptions, bad input.

mod common;

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;

use common::{ARBITRO_REF, Duel, arbitro, eventually, journal, misfit, pids_in, runs};
use serde_json::Value;

fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid as i32).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

#[test]
fn greedy_beats_random_and_every_game_replays_to_its_recorded_end() {
    let played = Duel::between("@random", "@greedy").with(&["--games", "20", "--size", "14"]).play();
    assert_eq!(played.games.len(), 20);
    assert!(played.text.starts_with("random 0 – 20 greedy   (20 games)"), "{}", played.text);
    for (index, game) in played.games.iter().enumerate() {
        let shown = arbitro(&played.duel.out(), &["replay", ".", &(index + 1).to_string()]);
        let text = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.status.success(), "{text}");
        let sentence = game["verdict"]["sentence"].as_str().unwrap();
        let (shown, link) = text.trim_end().rsplit_once('\n').unwrap();
        assert!(shown.ends_with(&format!("greedy wins (connected): {sentence}")), "{text}");
        assert!(link.starts_with("HexWorld: https://hexworld.org/board/#14,"), "{text}");
    }
}

#[test]
fn json_says_all_that_the_text_says() {
    let played = Duel::of("honest", "exit3").with(&["--games", "4"]).with(&["--json"]).play();
    let result: Value = serde_json::from_str(&played.text).unwrap();
    assert_eq!(result["games"], 4);
    assert_eq!(result["bots"][0]["name"], "honest");
    assert_eq!(result["bots"][0]["points"], 4.0);
    assert_eq!(result["bots"][0]["won"]["crashed"], 4);
    assert_eq!(result["bots"][1]["points"], 0.0);
    let elo = &result["elo"];
    let number = |key: &str| elo[key].as_f64().unwrap();
    assert!(number("low") < number("elo") && number("elo") <= number("high"), "{elo}");
    assert!(result["sprt"].is_null());
}

#[test]
fn several_games_at_a_time_are_the_same_games() {
    let run = |jobs: &str| {
        let options = ["--games", "8", "--seed", "5", "--jobs", jobs];
        let mut games = Duel::between("@random", "@greedy").with(&options).play().games;
        games.sort_by_key(|game| (game["round"].as_u64(), game["leg"].as_u64()));
        let moves = |game: &Value| {
            game["moves"].as_array().unwrap().iter().map(|mv| mv[0].clone()).collect::<Vec<_>>()
        };
        games.iter().map(|game| (game["seed"].clone(), moves(game))).collect::<Vec<_>>()
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn a_sequential_test_ends_the_match_when_it_is_decided() {
    let options = ["--games", "200", "--size", "7", "--sprt", "-20,50"];
    let played = Duel::between("@greedy", "@random").with(&options).play();
    assert!(played.games.len() < 100 && played.games.len().is_multiple_of(2), "{} games", played.games.len());
    assert!(played.text.contains("SPRT accepted: +50 Elo"), "{}", played.text);
}

#[test]
fn debug_bots_are_asked_for_their_board() {
    let played =
        Duel::between(&format!("ref={ARBITRO_REF} --level random"), "@greedy").with(&["--debug-bots"]).play();
    let board = std::fs::read_to_string(played.duel.out().join("logs/0001-ref.stderr")).unwrap();
    assert!(board.starts_with("- ") || board.starts_with("b "), "{board}");
    assert!(board.lines().filter(|line| !line.is_empty()).all(|line| line.len() == 9));
}

#[test]
fn an_interrupt_keeps_the_finished_games_and_ends_the_programs() {
    for number in [rustix::process::Signal::INT, rustix::process::Signal::TERM] {
        let duel = Duel::of("slow", "children").with(&["--games", "1000"]);
        let file = duel.folder().join("pids");
        let duel = duel.env("MISFIT_PIDFILE", file.display().to_string());
        let child = duel.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        eventually("two games are over and another is running", || {
            journal(&duel.out()).len() >= 2 && pids_in(&file).len().is_multiple_of(10)
        });
        signal(child.id(), number);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert!(String::from_utf8_lossy(&output.stderr).contains("go on with the same command with --out "));
        let games = journal(&duel.out());
        let counted = games.iter().filter(|game| game["verdict"]["reason"] != "aborted").count();
        assert!(
            counted >= 2 && games.len() <= counted + 1,
            "at most the running game is recorded as aborted"
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains(&format!("({counted} games)")));
        assert!(!pids_in(&file).into_iter().any(runs), "something is left");
    }
}

#[test]
fn when_arbitro_is_killed_its_programs_die() {
    let duel = Duel::of("children", "silent").with(&["--time", "600"]);
    let file = duel.folder().join("pids");
    let duel = duel.env("MISFIT_PIDFILE", file.display().to_string());
    let mut child = duel.command().stdout(Stdio::null()).spawn().unwrap();
    eventually("the program has started its children", || pids_in(&file).len() == 10);
    signal(child.id(), rustix::process::Signal::KILL);
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let took = eventually("its children are gone", || !pids_in(&file).into_iter().any(runs));
    assert!(took.as_secs() < 5, "they lived on for {took:?}");
    let own = duel.out().display().to_string();
    eventually("the programs and keepers are gone", || common::processes_with(&own).is_empty());
}

/// Runs a match that cannot begin and returns what it says.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = arbitro(folder.path(), arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty());
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "{arguments:?} wrote something");
    errors
}

#[test]
fn bad_input_is_refused_with_a_remedy_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str, mode: u32| -> String {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let (empty, long) = (file("empty.txt", "\n", 0o644), file("long.txt", "4 4 17", 0o644));
    let cases = [
        (vec!["duel", "./nothing", "@greedy"], "does not exist"),
        (vec!["duel", "nothing-at-all", "@greedy"], "no command 'nothing-at-all' on the PATH"),
        (vec!["duel", "/", "@greedy"], "'/' is a folder"),
        (vec!["duel", "@greedy", "@gready"], "did you mean @greedy?"),
        (
            vec!["reference", "b", "--level", "best"],
            "there is no level 'best'; the levels are: random, greedy, easy",
        ),
        (vec!["duel", "@greedy", ""], "a bot is empty"),
        (vec!["duel", "@greedy"], "a duel needs two bots, and there is only '@greedy'"),
        (
            vec!["duel", "@greedy", "@random", "@random"],
            "3 bots are named, and hex is for 2 players, not 3; games for 3 are: okupacio, xinez",
        ),
        (
            vec!["duel", "@greedy", "@random", "--game", "okupacio", "--board", "/dev/zero"],
            "cannot use the board in '/dev/zero': it is not a regular file",
        ),
        (
            vec!["duel", "@greedy", "@random", "--game", "okupacio", "--board", &empty],
            "empty.txt': it is empty",
        ),
        (
            vec!["duel", "@greedy", "@random", "--game", "okupacio", "--board", &long],
            "long.txt': the stretch of 17 cells in place 3",
        ),
        (vec!["duel", "@greedy", "@random", "--game", "xinez", "--board", &long], "does not name players"),
        (
            vec!["championship", "@greedy", "@random", "--game", "okupacio", "--seats", "3"],
            "a game needs 3 bots, and there are only 2; name more bots or choose fewer seats",
        ),
        (
            vec![
                "championship",
                "@greedy",
                "@random",
                "@easy",
                "--game",
                "xinez",
                "--seats",
                "3",
                "--format",
                "swiss",
            ],
            "swiss is for games of 2 bots",
        ),
        (
            vec!["okupacio", "--clock", "cpu"],
            "okupacio does not take --clock; championship, check and duel take --clock",
        ),
        (vec!["duel", "@greedy", "@random", "--size", "1"], "size 2 to 26, not 1"),
        (vec!["duel", "@greedy", "@random", "--size", "27"], "size 2 to 26, not 27"),
        (vec!["duel", "@greedy", "@random", "--size", "1000"], "size 2 to 26, not 1000"),
        (vec!["duel", "@greedy", "@random", "--size", "x"], "--size: 'x' is not a whole number"),
        (
            vec!["duel", "@greedy", "@random", "--game", "go"],
            "--game takes hex, rhex, okupacio or xinez, not 'go'",
        ),
        (vec!["duel", "@greedy", "@random", "--time", "1:30"], "'1:30' is not a number of seconds"),
        (vec!["duel", "@greedy", "@random", "--time", "60+"], "60+0.5"),
        (vec!["duel", "@greedy", "@random", "--time", "0"], "out of range"),
        (vec!["duel", "@greedy", "@random", "--move-time", "-1"], "--move-time"),
        (vec!["duel", "@greedy", "@random", "--games", "0"], "--games: 0 is too small"),
        (vec!["duel", "@greedy", "@random", "--jobs", "0"], "--jobs: 0 is too small"),
        (vec!["duel", "@greedy", "@random", "--sprt", "30,0"], "the smaller first"),
        (vec!["duel", "@greedy", "@random", "--sprt", "x"], "for example 0,30"),
        (vec!["duel", "@greedy", "@random", "--out", "/proc/nothing"], "/proc/nothing"),
        (vec!["replay", "nothing.jsonl"], "cannot read 'nothing.jsonl'"),
        (vec![], "Usage: arbitro"),
    ];
    for (arguments, words) in cases {
        let errors = refused(&arguments);
        assert!(errors.contains(words), "{arguments:?}: '{words}' is missing in: {errors}");
    }
    let plain = file("plain.py", "#!/usr/bin/env python3\nprint(1)", 0o644);
    assert!(refused(&["duel", &plain, "@greedy"]).contains("chmod +x"));
    let script = file("script", "#!/no/such/interpreter\n", 0o755);
    assert!(refused(&["duel", "@greedy", &script]).contains("'/no/such/interpreter', which does not exist"));
}

#[test]
fn a_match_goes_on_in_its_folder_but_not_with_other_settings() {
    let duel = Duel::of("honest", "slow").with(&["--games", "6"]);
    let mut child = duel.command().stdout(Stdio::null()).spawn().unwrap();
    eventually("a game is over", || !journal(&duel.out()).is_empty());
    signal(child.id(), rustix::process::Signal::KILL);
    child.wait().unwrap();
    let begun = journal(&duel.out());
    assert!(!begun.is_empty() && begun.len() < 6);
    let other = duel.command().args(["--strict"]).output().unwrap();
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("strict: false → true"));
    let played = duel.play();
    assert_eq!(played.games[..begun.len()], begun);
    assert_eq!(
        played.games.iter().map(|game| game["number"].as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6]
    );
    assert!(played.text.contains("(6 games)"), "{}", played.text);
}

/// Examined when the match begins, replaced while it runs.
#[test]
fn a_program_that_can_no_longer_be_started_loses_with_the_reason() {
    let (_folder, script) = runs_once();
    let played = Duel::between(&script, &misfit("honest")).with(&["--games", "2"]).play();
    assert_eq!(played.games[0]["verdict"]["reason"], "connected");
    let verdict = &played.games[1]["verdict"];
    assert_eq!(
        (verdict["reason"].as_str(), verdict["winner"].as_u64()),
        (Some("failed-to-start"), Some(0)),
        "{verdict}"
    );
    assert!(verdict["sentence"].as_str().unwrap().contains("chmod +x"), "{verdict}");
}

#[test]
fn when_neither_program_starts_nobody_has_a_point() {
    let (_folder, script) = runs_once();
    // Both seats are the same file, so that after the first game neither can be started.
    let played = Duel::between(&format!("a={script}"), &format!("b={script}"))
        .with(&["--games", "3", "--json"])
        .play();
    let last = &played.games[2]["verdict"];
    assert_eq!((last["reason"].as_str(), last["winner"].as_u64()), (Some("failed-to-start"), None), "{last}");
    let result: Value = serde_json::from_str(&played.text).unwrap();
    let points = |index: usize| result["bots"][index]["points"].as_f64().unwrap();
    assert!(points(0) + points(1) < 3.0, "{result}");
}

/// A program that can be started just once: it takes its own run bit away.
fn runs_once() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("bot.sh");
    let misfit = misfit("honest");
    let (_, honest) = misfit.split_once('=').unwrap();
    std::fs::write(&script, format!("#!/bin/sh\nchmod -x \"$0\"\nexec {honest} \"$@\"\n")).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = script.display().to_string();
    (folder, path)
}

#[test]
fn progress_goes_to_stderr_and_the_result_to_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let output = arbitro(folder.path(), &["duel", "@random", "@random", "--size", "3", "--games", "2"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors.lines().filter(|line| line.starts_with("game ")).count(), 2, "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("journal: results/duel-2"), "{text}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let played = Duel::of("honest", "honest").with(&["--size", "14"]).play();
    let mut child = std::process::Command::new(common::ARBITRO)
        .args(["replay", "games.jsonl", "--all"])
        .current_dir(played.duel.out())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut byte = [0];
    child.stdout.take().unwrap().read_exact(&mut byte).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}

#[test]
fn resident_memory_stays_small() {
    let duel = Duel::of("slow", "honest").with(&["--games", "20"]);
    let mut child = duel.command().stdout(Stdio::null()).spawn().unwrap();
    eventually("a game is over", || !journal(&duel.out()).is_empty());
    let status =
        std::fs::read_to_string(Path::new("/proc").join(child.id().to_string()).join("status")).unwrap();
    signal(child.id(), rustix::process::Signal::INT);
    child.wait().unwrap();
    let kilobytes = |name: &str| -> u32 {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    // The rest is the program itself, with the reference engine, the server of the pages and the C library.
    let (own, peak) = (kilobytes("RssAnon:"), kilobytes("VmHWM:"));
    assert!(own < 2 * 1024, "{own} kB");
    assert!(peak < 11 * 1024, "{peak} kB");
}
