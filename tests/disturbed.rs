//! Games that other work on the machine disturbed: they do not count, are played again, and are told of.

mod common;

use std::path::Path;

use common::{arbitro, csv, edit_line, journal, stderr, stdout};
use serde_json::{Value, json};

/// Makes a disturbed game of a line of a journal.
fn disturb(folder: &Path, line: usize) {
    edit_line(folder, line, |record| {
        record["verdict"] = json!({
            "winner": null,
            "places": [1, 1],
            "reason": "disturbed",
            "sentence": "white waited 2.1 s for a core and overran its clock by 0.3 s",
        });
    });
}

/// Runs arbitro, which must succeed, and returns what it prints.
#[track_caller]
fn run(folder: &Path, arguments: &[&str]) -> String {
    let output = arbitro(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// The cells of some columns of `games.csv`.
fn columns(folder: &Path, names: &[&str]) -> Vec<Vec<String>> {
    let table = csv(&folder.join("games.csv"));
    let at: Vec<usize> =
        names.iter().map(|name| table[0].iter().position(|column| column == name).unwrap()).collect();
    table[1..].iter().map(|row| at.iter().map(|&column| row[column].clone()).collect()).collect()
}

const CHAMPIONSHIP: [&str; 12] = [
    "championship",
    "ana=@random",
    "beto=@greedy",
    "--no-sandbox",
    "--quiet",
    "--size",
    "4",
    "--rounds",
    "2",
    "--out",
    "out",
    "--json",
];

#[test]
fn a_disturbed_game_is_unscored_until_it_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(folder.path(), &CHAMPIONSHIP);
    let table = std::fs::read_to_string(out.join("standings.csv")).unwrap();
    let bots: Vec<String> = common::recount::bots(&journal(&out)[1]);
    disturb(&out, 1);

    let text = run(folder.path(), &["report", "out"]);
    let unscored = format!(
        "3 of 4 games\n1 game is unscored, since it was disturbed each time: {} (round 1; game 2)\n",
        bots.join(" – ")
    );
    assert!(text.contains(&unscored), "{text}");
    let report: Value = serde_json::from_str(&run(folder.path(), &["report", "out", "--json"])).unwrap();
    assert_eq!(report["disturbed"], json!([2]));
    assert_eq!(report["unscored"], json!([{ "round": 1, "leg": 2, "bots": bots, "attempts": [2] }]));
    let played: u64 =
        report["standings"].as_array().unwrap().iter().map(|row| row["played"].as_u64().unwrap()).sum();
    assert_eq!(played, 6, "it is in nobody's row");
    let rows = columns(&out, &["game", "winner", "reason", "duplicate_of"]);
    assert_eq!(rows[1], ["2", "", "disturbed", ""]);

    let result: Value = serde_json::from_str(&run(folder.path(), &CHAMPIONSHIP)).unwrap();
    assert_eq!((&result["disturbed"], &result["unscored"]), (&json!([2]), &json!([])));
    let games = journal(&out);
    let again = games.last().unwrap();
    assert_eq!((&again["number"], &again["attempt"], games.len()), (&json!(5), &json!(2), 5));
    assert_eq!((&again["seats"][0]["bot"], &again["leg"]), (&json!(bots[0]), &json!(2)));
    let numbers: Vec<String> = columns(&out, &["game"]).concat();
    assert_eq!(numbers, ["1", "2", "3", "4", "5"]);
    let text = run(folder.path(), &["report", "out"]);
    assert!(
        text.contains("1 game was disturbed by other work on this machine and was played again: 2\n"),
        "{text}"
    );
    // Both bots draw the same lots again, so the same games are won.
    assert_eq!(points(&std::fs::read_to_string(out.join("standings.csv")).unwrap()), points(&table));
}

/// The first columns of `standings.csv`: rank, bot and points.
fn points(table: &str) -> Vec<String> {
    table.lines().map(|line| line.split(',').take(3).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_disturbed_game_can_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &CHAMPIONSHIP);
    disturb(&folder.path().join("out"), 0);
    // A position from which the game goes on: that is how such a game breaks off.
    edit_line(&folder.path().join("out"), 0, |record| {
        record["moves"].as_array_mut().unwrap().truncate(1);
        record["swapped"] = json!(false);
    });
    let list = run(folder.path(), &["replay", "out"]);
    assert!(list.lines().next().unwrap().ends_with("does not count: disturbed, 1 ply"), "{list}");
    let game = run(folder.path(), &["replay", "out", "1"]);
    assert!(game.contains("does not count (disturbed): white waited 2.1 s for a core"), "{game}");
}

#[test]
fn a_disturbed_game_of_a_match_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let duel = [
        "duel",
        "ana=@random",
        "beto=@greedy",
        "--no-sandbox",
        "--quiet",
        "--size",
        "4",
        "--games",
        "4",
        "--out",
        "out",
    ];
    run(folder.path(), &duel);
    let out = folder.path().join("out");
    disturb(&out, 3);
    disturb(&out, 0);
    let text = run(folder.path(), &duel);
    assert!(text.contains("(4 games)"), "{text}");
    assert!(
        text.contains("2 games were disturbed by other work on this machine and were played again: 1, 4\n"),
        "{text}"
    );
    let games = journal(&out);
    let attempts: Vec<u64> = games.iter().map(|game| game["attempt"].as_u64().unwrap()).collect();
    assert_eq!(attempts, [1, 1, 1, 1, 2, 2]);
    let json: Value = serde_json::from_str(&run(folder.path(), &[&duel[..], &["--json"]].concat())).unwrap();
    assert_eq!((&json["disturbed"], &json["unscored"]), (&json!([1, 4]), &json!([])));
}
