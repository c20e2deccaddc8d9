//! Other work on the machine: nobody loses by it.

use std::process::{Child, Command, Stdio};

use crate::common::{Duel, eventually, journal};
use crate::programs::{built, honest};
use crate::{Ended, alone, duel, play, say, tiers};

/// Processes that compute as long as this value lives, on any core, each in a session of its own: the scheduler gives each a share.
pub struct Load(Vec<Child>);

impl Load {
    pub fn of(count: usize) -> Load {
        let start = |_| {
            let mut command = Command::new("setsid");
            let command = command.arg(built("thief")).args(["load", "0"]);
            command.stdin(Stdio::null()).spawn().expect("the tests need setsid: apt-get install util-linux")
        };
        Load((0..count).map(start).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that is gone already needs no end.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Two bots whose work fits on the clock, though not if they have half a core.
fn tight(tier: &str, options: &[&str]) -> Duel {
    let other = honest("100").replacen("honest=", "other=", 1);
    duel(tier, &honest("100"), &other, &[&["--time", "1"], options].concat())
}

fn reasons(ended: &Ended) -> Vec<&str> {
    ended.games.iter().map(|game| game.reason()).collect()
}

#[test]
#[ignore = "takes ten seconds"]
fn a_game_that_other_work_decided_is_played_again_when_that_is_over() {
    let _alone = alone();
    for tier in tiers() {
        let load = Load::of(6);
        let duel = tight(tier, &[]);
        let out = duel.out();
        let quiet_again = std::thread::spawn(move || {
            eventually("a game is disturbed", || !journal(&out).is_empty());
            drop(load);
        });
        let ended = play(duel);
        quiet_again.join().unwrap();
        let reasons = reasons(&ended);
        say(&format!("tier {tier}: {reasons:?}, exit code {:?}", ended.code));
        let (last, before) = reasons.split_last().expect("a game is in the journal");
        assert_eq!((*last, ended.code), ("connected", Some(0)), "{}", ended.errors);
        assert!(!before.is_empty() && before.iter().all(|&reason| reason == "disturbed"), "{reasons:?}");
    }
}

#[test]
#[ignore = "waits for a quieter machine, in vain, for a minute"]
fn a_game_that_is_disturbed_each_time_is_unscored() {
    let _alone = alone();
    for tier in tiers() {
        let _load = Load::of(6);
        let ended = play(tight(tier, &[]));
        assert_eq!((reasons(&ended), ended.code), (vec!["disturbed"; 4], Some(3)), "{}", ended.errors);
    }
}

#[test]
fn other_work_on_the_machine_does_not_disturb_processor_clocks() {
    let _alone = alone();
    for tier in tiers() {
        let _load = Load::of(4);
        let ended = play(tight(tier, &["--clock", "cpu"]));
        assert_eq!(ended.code, Some(0), "tier {tier}: {}", ended.errors);
        assert!(ended.game().ended_on_the_board(), "tier {tier}: {}", ended.game().sentence());
    }
}
