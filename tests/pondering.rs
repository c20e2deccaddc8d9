//! Bots that may ponder have a core each, or are refused.

mod common;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use common::{arbitro, stderr};

/// Writes a bot that says on stderr which cores it may use, and leaves.
fn write_bot(folder: &Path) {
    let path = folder.join("bot.py");
    let text =
        "#!/usr/bin/env python3\nimport os, sys\nprint(*sorted(os.sched_getaffinity(0)), file=sys.stderr)\n";
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The cores of each bot in the games of a match between two such bots.
fn cores_in_a_match(options: &[&str]) -> Vec<[String; 2]> {
    let folder = tempfile::tempdir().unwrap();
    write_bot(folder.path());
    let match_of_two = [
        "duel",
        "a=./bot.py",
        "b=./bot.py",
        "--quiet",
        "--size",
        "3",
        "--games",
        "2",
        "--out",
        "out",
        "--keep-failing",
    ];
    let output = arbitro(folder.path(), &[&match_of_two[..], options].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let said = |game: u32, bot: &str| {
        let path = folder.path().join(format!("out/logs/{game:04}-{bot}.stderr"));
        std::fs::read_to_string(path).unwrap().trim().to_owned()
    };
    (1..=2).map(|game| [said(game, "a"), said(game, "b")]).collect()
}

fn cores() -> usize {
    std::thread::available_parallelism().unwrap().get()
}

#[test]
fn bots_that_ponder_have_a_core_each_and_others_take_turns_on_one() {
    for containment in [&["--no-sandbox"][..], &[]] {
        for game in cores_in_a_match(containment) {
            assert!(game[0].parse::<usize>().is_ok() && game[0] == game[1], "{game:?}");
        }
        if cores() >= 2 {
            for game in cores_in_a_match(&[containment, &["--ponder", "--jobs", "1"]].concat()) {
                assert!(game.iter().all(|cores| cores.parse::<usize>().is_ok()), "one core each: {game:?}");
                assert_ne!(game[0], game[1]);
            }
        }
    }
}

/// Games that run side by side keep off each other's cores.
#[test]
fn games_that_run_at_the_same_time_share_no_core() {
    let jobs = cores() / 2;
    if jobs < 2 {
        println!("this needs four cores");
        return;
    }
    let games = cores_in_a_match(&["--ponder", "--jobs", "2"]);
    let all: BTreeSet<&String> = games.iter().flatten().collect();
    assert!(all.len() == 4 || all.len() == 2, "both games, or one after the other: {games:?}");
}

#[test]
fn pondering_is_refused_where_there_are_too_few_cores() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str]| {
        let output = arbitro(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        stderr(&output)
    };
    let duel = ["duel", "@random", "@random", "--size", "3", "--out", "out", "--ponder"];
    let jobs = (cores() / 2 + 1).to_string();
    let error = refused(&[&duel[..], &["--jobs", &jobs]].concat());
    let (needed, there_are) = (2 * (cores() / 2 + 1), cores());
    assert!(error.contains(&format!(" {needed} cores, and there ")), "{error}");
    assert!(error.contains(&there_are.to_string()) && error.contains("leave --ponder out"), "{error}");
    let error = refused(&[&duel[..], &["--no-pin"]].concat());
    assert!(error.contains("leave --no-pin out, or leave --ponder out"), "{error}");
    assert!(!folder.path().join("out").exists(), "nothing is written");

    std::fs::write(folder.path().join("class.toml"), "size = 3\n[terms]\nponder = true\n").unwrap();
    let championship =
        ["championship", "@random", "b=@random", "--config", "class.toml", "--out", "out", "--jobs", &jobs];
    assert!(refused(&championship).contains("add --no-ponder, and --accept-changes"));
    let output = arbitro(folder.path(), &[&championship[..], &["--no-ponder"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Also the test before the first game has a core for each bot.
#[test]
fn a_championship_with_pondering_is_played_and_gone_on_with() {
    if cores() < 2 {
        println!("this needs two cores");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let championship =
        ["championship", "@random", "b=@random", "--size", "3", "--quiet", "--ponder", "--out", "out"];
    let output = arbitro(folder.path(), &championship);
    assert!(output.status.success(), "{}", stderr(&output));
    let jobs = (cores() / 2 + 1).to_string();
    let resume = ["championship", "--resume", "out", "--quiet", "--jobs", &jobs];
    let output = arbitro(folder.path(), &resume);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("add --no-ponder, and --accept-changes"), "{}", stderr(&output));
    let output = arbitro(folder.path(), &[&resume[..], &["--no-ponder", "--accept-changes"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
}
