//! Honest programs in several languages play whole games inside, with the limits that everybody has.

use std::os::unix::fs::PermissionsExt;

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

/// A terminal is outside of the file system that programs see, and pipes and terminals once belonged to an account that is not theirs.
#[test]
fn shells_can_open_their_stdin_stdout_and_stderr_again() {
    if !has_tier("A") {
        return say("this machine has no tier A: no shell is tried in it");
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("again.sh");
    let text = "#!/bin/sh\necho words > /dev/stderr\necho 7 7 > /dev/stdout\nread move < /dev/stdin\n";
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    for channel in [&[][..], &["--pipes"]] {
        let bot = format!("again={}", script.display());
        let played =
            play(Duel::between(&bot, "@random").contained("A").with(&["--size", "14"]).with(channel));
        // It leaves after the first of its moves.
        assert_eq!(played.moves().len(), 2, "{channel:?}: {}", played.sentence());
        assert!(played.sentence().ends_with("The last it wrote to stderr: words"), "{}", played.sentence());
    }
}
