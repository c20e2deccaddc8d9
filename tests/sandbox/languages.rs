//! Honest programs in several languages play whole games inside, with the limits that everybody has.

use crate::common::Duel;
use crate::enclosure::{play, resident};
use crate::{has_tier, say};

const HEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/hex");

/// The same player in every language that is here: C, Python, Java and JavaScript.
fn players() -> Vec<String> {
    let runs = |language: &str, test: &str, command: String| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if std::env::split_paths(&path).any(|folder| folder.join(test).exists()) {
            return Some(command);
        }
        say(&format!("there is no {test} here: no program in {language} is played"));
        None
    };
    let all = [
        Some(format!("c={}", resident("random").display())),
        runs("Python", "python3", format!("python={HEX}/random.py")),
        runs("Java", "java", format!("java=java {HEX}/Random.java")),
        runs("JavaScript", "node", format!("javascript=node {HEX}/random.js")),
    ];
    all.into_iter().flatten().collect()
}

#[test]
fn languages_of_all_kinds_play_inside() {
    if !has_tier("A") {
        return say("this machine has no tier A: no language is tried in it");
    }
    let players = players();
    let mut games = Vec::new();
    for player in &players {
        // The whole board, the usual limits, and an opponent that plays the same whatever the language.
        let options = ["--size", "14", "--strict", "--startup", "20", "--seed", "7"];
        // Dice depend on names, so all of them have the same.
        let (_, command) = player.split_once('=').unwrap();
        let bot = format!("bot={command}");
        let played = play(Duel::between(&bot, "@greedy").contained("A").with(&options));
        played.went_to_the_end();
        games.push((player, played.moves()));
    }
    // They are the same program, but for the language.
    for (player, moves) in &games {
        assert_eq!(moves, &games[0].1, "{player} plays otherwise than {}", games[0].0);
    }
}
