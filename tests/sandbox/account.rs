//! What is counted for a whole account: one bot that takes all of it changes nothing for the others.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{journal, program};
use crate::enclosure::{orphans, resident, start};
use crate::{has_tier, say};

/// The moves and the verdict of each game, by its players.
type Games = BTreeMap<(String, String), (Value, Value)>;

/// A championship of eleven honest bots that always play alike, and of those who come along.
fn championship(tier: &str, others: &[String]) -> Games {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let honest = |number: usize| match number % 3 {
        0 => format!("honest{number}={} honest", resident("misfit").display()),
        1 => format!("path{number}={}", resident("path").display()),
        _ => format!("dice{number}={}", resident("random").display()),
    };
    let mut command = Command::new(program());
    command.arg("championship").args((0..11).map(honest)).args(others).arg("--out").arg(&out);
    command.args([
        "--size",
        "5",
        "--time",
        "20",
        "--seed",
        "5",
        "--jobs",
        "2",
        "--keep-failing",
        "--tier",
        tier,
    ]);
    let output = start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()));
    let output = output.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tier {tier}: {errors}");
    assert_eq!(orphans(), Vec::<String>::new(), "processes are left");
    let players = |game: &Value| {
        let name = |seat: usize| game["seats"][seat]["bot"].as_str().unwrap().to_owned();
        (name(0), name(1))
    };
    let moves = |game: &Value| -> Vec<Value> {
        game["moves"].as_array().unwrap().iter().map(|mv| mv[0].clone()).collect()
    };
    let games = journal(&out);
    games.iter().map(|game| (players(game), (moves(game).into(), game["verdict"].clone()))).collect()
}

#[test]
#[ignore = "takes half a minute"]
fn one_that_takes_all_that_an_account_has_changes_nothing_for_the_others() {
    for tier in ["A", "B"].into_iter().filter(|tier| has_tier(tier)) {
        let glutton = format!("glutton={} glutton", resident("hog").display());
        let with = championship(tier, &[glutton]);
        let without = championship(tier, &[]);
        assert_eq!((with.len(), without.len()), (12 * 11, 11 * 10), "tier {tier}");
        for (players, game) in &without {
            assert_eq!(with.get(players), Some(game), "tier {tier}: {players:?}");
        }
        let lost = |(players, (_, verdict)): &(&(String, String), &(Value, Value))| {
            let honest = if players.0 == "glutton" { 1 } else { 0 };
            let is_in_it = players.0 == "glutton" || players.1 == "glutton";
            is_in_it && verdict["winner"] != honest && verdict["reason"] != "connected"
        };
        let unfair: Vec<_> = with.iter().filter(lost).collect();
        assert!(unfair.is_empty(), "tier {tier}: {unfair:?}");
        say(&format!("tier {tier}: {} games, as without the one who takes everything", with.len()));
    }
}
