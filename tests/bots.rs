//! The shipped example bots keep to the protocol, and the stronger ones win.

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::Once;

use common::Duel;

/// A shipped bot, as a command.
fn shipped(name: &str) -> String {
    static BUILT: Once = Once::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    BUILT.call_once(|| {
        let built = Command::new(root.join("scripts/build-bots")).status().unwrap();
        assert!(built.success(), "scripts/build-bots says what is missing");
    });
    root.join("bots/bin").join(name).display().to_string()
}

#[test]
fn path_beats_random_in_every_language() {
    for (path, random) in [("path-c", "random-py"), ("path-py", "random-rust"), ("path-rust", "random-c")] {
        // Strict, and over pipes: examples set a good one.
        let options = ["--games", "4", "--size", "11", "--strict", "--pipes"];
        let played = Duel::between(&shipped(path), &shipped(random)).with(&options).play();
        for game in &played.games {
            assert_eq!(game["verdict"]["reason"], "connected", "{}", game["verdict"]);
        }
        assert!(played.text.starts_with(&format!("{path} 4 – 0 {random}")), "{}", played.text);
    }
}

#[test]
fn they_play_on_every_size_and_against_the_reference() {
    for size in ["2", "3", "14", "26"] {
        for bot in ["random-c", "path-py", "path-rust"] {
            let options = ["--games", "2", "--size", size, "--strict", "--debug-bots"];
            let played = Duel::between(&shipped(bot), "@greedy").with(&options).play();
            for game in &played.games {
                assert_eq!(game["verdict"]["reason"], "connected", "{bot} on {size}: {}", game["verdict"]);
            }
        }
    }
}
