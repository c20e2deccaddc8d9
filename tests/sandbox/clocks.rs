//! What hostile programs cost the clocks of honest ones, against what an idle opponent costs them in the same run.

use std::time::Duration;

use crate::common::{Duel, Played};
use crate::enclosure::{play, resident};
use crate::{has_tier, say};

/// Other tests may run on the same cores: so the best of some attempts counts.
const ATTEMPTS: usize = 5;

/// Games of a hog against one that needs the same time for every move.
fn games(tier: &str, kind: &str, options: &[&str]) -> Played {
    let hog = format!("hog={} {kind}", resident("hog").display());
    let worker = format!("worker={}", resident("worker").display());
    play(Duel::between(&hog, &worker).contained(tier).with(options))
}

/// The clock time that the worker has used in a game.
fn used(played: &Played, game: usize) -> Duration {
    let seats = played.games[game]["seats"].as_array().unwrap();
    let worker = seats.iter().find(|seat| seat["bot"] == "worker").unwrap();
    Duration::from_nanos(worker["used_ns"].as_u64().unwrap())
}

/// Whether anything held in any attempt.
fn once(mut attempt: impl FnMut() -> bool) -> bool {
    (0..ATTEMPTS).any(|_| attempt())
}

/// Two hundred processes that shared memory were once counted page by page, twenty times a second, on their opponent's core.
#[test]
fn counting_memory_is_on_nobodys_clock() {
    for tier in ["A", "B"].into_iter().filter(|tier| has_tier(tier)) {
        let costs_little = || {
            let idle = used(&games(tier, "files", &[]), 0);
            let against_sleepers = used(&games(tier, "sleepers", &["--memory", "4G"]), 0);
            say(&format!(
                "tier {tier}: {idle:?} against one that idles, {against_sleepers:?} against sleepers"
            ));
            // Half as much again; counting all the time, as it once was, took twice as much.
            2 * against_sleepers < 3 * idle
        };
        assert!(once(costs_little), "tier {tier}");
    }
}

/// The folders of one game were once cleared away while the clock of the next one ran.
#[test]
fn clearing_up_is_on_nobodys_clock() {
    for tier in ["B", "C"].into_iter().filter(|tier| has_tier(tier)) {
        let costs_little = || {
            let played = games(tier, "folders", &["--games", "2"]);
            let [first, second] = [0, 1].map(|game| used(&played, game));
            say(&format!("tier {tier}: {first:?}, and after folders were cleared away {second:?}"));
            second < 2 * first
        };
        assert!(once(costs_little), "tier {tier}");
    }
}
