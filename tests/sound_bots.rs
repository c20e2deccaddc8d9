//! Sound bots are told nothing: no hint, no warning and no fault, in any game.

mod common;

use common::{arbitro, journal, stderr};

/// Championships of the shipped bots and levels of the reference.
const CHAMPIONSHIPS: [&[&str]; 8] = [
    &["--size", "5"],
    &["--size", "7"],
    &["--size", "9", "--openings", "6"],
    &["--size", "11", "--openings", "6"],
    &["--game", "rhex", "--size", "6"],
    &["--game", "okupacio", "--size", "6"],
    &["--game", "okupacio", "--seats", "3", "--size", "7"],
    &["--game", "xinez", "--size", "2"],
];

/// Plays all of them with so many rounds, and returns how many games that were.
fn play_all(rounds: &str) -> usize {
    let mut games = 0;
    for options in CHAMPIONSHIPS {
        let folder = tempfile::tempdir().unwrap();
        let own =
            ["championship", "--quiet", "--seed", "18", "--time", "20", "--rounds", rounds, "--out", "out"];
        let output = arbitro(folder.path(), &[&own[..], options].concat());
        assert!(output.status.success(), "{options:?}: {}", stderr(&output));
        for game in journal(&folder.path().join("out")) {
            let verdict = &game["verdict"];
            // A busy machine is nobody's fault.
            if verdict["reason"] == "disturbed" {
                continue;
            }
            assert!(verdict["hints"].is_null(), "{options:?}: {verdict}");
            assert!(verdict["losses"].is_null(), "{options:?}: {verdict}");
            assert!(game["warnings"].is_null(), "{options:?}: {}", game["warnings"]);
            games += 1;
        }
    }
    games
}

#[test]
fn sound_bots_are_told_nothing() {
    assert!(play_all("1") > 150);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_games_of_sound_bots_bring_no_hint_and_no_warning() {
    let games = play_all("3");
    println!("{games} games of sound bots, no hint, no warning");
    assert!(games >= 500, "{games}");
}
