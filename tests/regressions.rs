//! What once went wrong.

mod common;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use common::{arbitro, csv, edit_line, journal, stderr, stdout};

/// Bots that start once, fail, and can never be started again.
fn vanishing_bots(folder: &Path, names: &[&str]) {
    for name in names {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\nrm -f '{}'\nexit 1\n", path.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Once, a command that was refused because another was running had written its own board over that one's.
#[test]
fn a_refused_command_leaves_the_board_of_a_running_championship_alone() {
    let folder = tempfile::tempdir().unwrap();
    let play = |size: &str| {
        let bots =
            ["championship", "a=@random", "b=@random", "--game", "okupacio", "--no-sandbox", "--quiet"];
        arbitro(folder.path(), &[&bots[..], &["--out", "out", "--size", size]].concat())
    };
    assert!(play("3").status.success());
    let boards = || -> Vec<(String, String)> {
        let entries =
            std::fs::read_dir(folder.path().join("out")).unwrap().map(|entry| entry.unwrap().path());
        let boards = entries.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("board-"));
        boards.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
    };
    let before = boards();
    assert_eq!(before.len(), 1);
    assert_eq!(play("4").status.code(), Some(2));
    assert!(boards().contains(&before[0]));
}

/// Once, games at the keyboard could be kept in the folder of a championship, and counted there.
#[test]
fn games_of_another_kind_do_not_count_in_a_championship() {
    let folder = tempfile::tempdir().unwrap();
    let championship = ["championship", "a=@random", "b=@greedy", "--size", "3", "--quiet", "--out", "out"];
    assert!(arbitro(folder.path(), &championship).status.success());
    let console = ["xinez", "--size", "1", "--seats", "a=@random,-,-,b=@greedy", "--out", "out"];
    let output = arbitro(folder.path(), &console);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("holds a championship"), "{}", stderr(&output));
    edit_line(&folder.path().join("out"), 0, |record| record["game"] = "rhex".into());
    let output = arbitro(folder.path(), &["report", "out"]);
    assert!(stdout(&output).contains("1 of 2 games"), "{}", stdout(&output));
}

/// Once, of three that could not be started the last had points, and that it could not was called a crash.
#[test]
fn bots_that_cannot_be_started_earn_nothing_at_a_table_of_three() {
    let folder = tempfile::tempdir().unwrap();
    vanishing_bots(folder.path(), &["x", "y", "z"]);
    let bots = ["championship", "./x", "./y", "./z", "--game", "okupacio", "--seats", "3", "--size", "4"];
    let options = ["--keep-failing", "--no-sandbox", "--quiet", "--out", "out"];
    let output = arbitro(folder.path(), &[&bots[..], &options].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let standings = csv(&folder.path().join("out/standings.csv"));
    assert!(standings[1..].iter().all(|row| row[2] == "0"), "{standings:?}");
    for game in journal(&folder.path().join("out")) {
        let losses = game["verdict"]["losses"].as_array().unwrap();
        assert!(
            losses.len() == 3 && losses.iter().all(|loss| loss["reason"] == "failed-to-start"),
            "{losses:?}"
        );
    }
}

/// Once, a game that neither could play took the other game of its pair out of the match's Elo.
#[test]
fn a_decided_game_counts_though_the_other_of_its_pair_could_not_be_played() {
    let folder = tempfile::tempdir().unwrap();
    vanishing_bots(folder.path(), &["x", "y"]);
    let duel = ["duel", "./x", "./y", "--size", "3", "--no-sandbox", "--games", "4", "--keep-failing"];
    let output = arbitro(folder.path(), &duel);
    assert!(stdout(&output).contains("Elo difference"), "{}{}", stdout(&output), stderr(&output));
}

/// Once, a match that the sequential test had decided was played further each time that it was repeated.
#[test]
fn a_decided_match_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let duel =
        ["duel", "@greedy", "@random", "--size", "4", "--games", "400", "--sprt", "0,300", "--seed", "4"];
    let games = || {
        let output =
            arbitro(folder.path(), &[&duel[..], &["--jobs", "2", "--quiet", "--out", "out"]].concat());
        assert!(stdout(&output).contains("SPRT accepted"), "{}", stdout(&output));
        journal(&folder.path().join("out")).len()
    };
    let first = games();
    assert_eq!(games(), first);
}

/// Once, a line with more places than players, and a number of rounds that nobody can play, ended the program.
#[test]
fn impossible_journals_and_settings_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let duel = [
        "duel", "@greedy", "@random", "--size", "3", "--games", "2", "--seed", "4", "--quiet", "--out", "out",
    ];
    assert!(arbitro(folder.path(), &duel).status.success());
    let out = folder.path().join("out");
    edit_line(&out, 0, |record| record["verdict"]["places"] = vec![1, 2, 2, 2].into());
    let output = arbitro(folder.path(), &duel);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(journal(&out).len(), 3, "it is played again");
    let settings = std::fs::read_to_string(out.join("championship.toml")).unwrap();
    let settings =
        settings.replace("rounds = 1", "rounds = 4294967295").replace("\"duel\"", "\"round-robin\"");
    std::fs::write(out.join("championship.toml"), settings).unwrap();
    for command in [&["report", "out"][..], &["championship", "--resume", "out"]] {
        let output = arbitro(folder.path(), command);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("there can be 1 to 10000 rounds"), "{}", stderr(&output));
    }
}
