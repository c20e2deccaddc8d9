//! Games that have to be played again within one run: those that were broken off, and those that were disturbed.

use std::collections::HashMap;

use super::formats::Pairing;
use crate::record::FixtureKey;

/// How often a game is played again in one run.
const MOST: u32 = 3;

/// The games of one run that came to nothing.
#[derive(Default)]
pub struct Replays {
    failed: HashMap<FixtureKey, u32>,
    /// Why games were given up, if any were: what happened to the last of them.
    pub given_up: Option<String>,
}

impl Replays {
    /// Takes down that an attempt at a game came to nothing, and why.
    pub fn failed(&mut self, key: &FixtureKey, why: &str) {
        let times = self.failed.entry(key.clone()).or_default();
        *times += 1;
        if *times > MOST {
            self.given_up = Some(why.to_owned());
        }
    }

    /// The pairings without the games that were given up.
    pub fn without_given_up(&self, mut pairings: Vec<Pairing>) -> Vec<Pairing> {
        for pairing in &mut pairings {
            pairing.retain(|fixture| self.failed.get(&fixture.key).is_none_or(|&times| times <= MOST));
        }
        pairings.retain(|pairing| !pairing.is_empty());
        pairings
    }

    /// How many of these games were tried before in this run.
    pub fn among(&self, pairings: &[Pairing]) -> usize {
        pairings.iter().flatten().filter(|fixture| self.failed.contains_key(&fixture.key)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::championship::formats::Fixture;

    fn fixture(round: u32) -> Fixture {
        let key = FixtureKey { round, leg: 1, bots: vec!["ana".into(), "beto".into()] };
        Fixture { key, seats: vec![0, 1], opening: None }
    }

    #[test]
    fn a_game_is_played_again_three_times_and_then_given_up_while_others_go_on() {
        let mut replays = Replays::default();
        let open = || vec![vec![fixture(1)], vec![fixture(2), fixture(3)]];
        assert_eq!((replays.among(&open()), replays.without_given_up(open())), (0, open()));
        for _ in 0..=MOST {
            assert_eq!((replays.without_given_up(open()), &replays.given_up), (open(), &None));
            replays.failed(&fixture(1).key, "the machine was busy");
        }
        replays.failed(&fixture(2).key, "no more processes");
        assert_eq!(replays.without_given_up(open()), [[fixture(2), fixture(3)]]);
        assert_eq!(replays.among(&[vec![fixture(2), fixture(3)]]), 1);
        assert_eq!(replays.given_up.as_deref(), Some("the machine was busy"));
    }
}
