//! What became of the games that other work on the machine disturbed.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::record::{FixtureKey, Summary};

/// The games of a contest that were disturbed, as `--json` prints them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Disturbances {
    /// The numbers of all games that were disturbed.
    pub disturbed: Vec<u32>,
    /// The games that have no result, since every attempt at them was disturbed.
    pub unscored: Vec<Unscored>,
}

/// A game that was disturbed each time it was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unscored {
    /// Its round.
    pub round: u32,
    /// Which of the games of those who meet in this round it is.
    pub leg: u32,
    /// The bots by seat.
    pub bots: Vec<String>,
    /// The numbers of the attempts at it.
    pub attempts: Vec<u32>,
}

impl Disturbances {
    /// What became of the `disturbed` games; `games` are those that count.
    pub fn of(games: &[Summary], disturbed: &[Summary]) -> Disturbances {
        let mut attempts: BTreeMap<FixtureKey, Vec<u32>> = BTreeMap::new();
        for (key, game) in disturbed.iter().filter_map(|game| Some((game.key()?, game))) {
            attempts.entry(key).or_default().push(game.number);
        }
        // There may be very many games, and hardly ever disturbed ones.
        let scored: HashSet<FixtureKey> = match attempts.is_empty() {
            true => HashSet::new(),
            false => games.iter().filter_map(Summary::key).collect(),
        };
        let mut numbers: Vec<u32> = attempts.values().flatten().copied().collect();
        numbers.sort_unstable();
        let unscored = attempts.into_iter().filter(|(key, _)| !scored.contains(key));
        let unscored = unscored.map(|(key, mut attempts)| {
            attempts.sort_unstable();
            let bots = key.bots.iter().map(|bot| bot.to_string()).collect();
            Unscored { round: key.round, leg: key.leg, bots, attempts }
        });
        Disturbances { disturbed: numbers, unscored: unscored.collect() }
    }

    /// The numbers of the disturbed games whose replay has a result.
    pub fn replayed(&self) -> Vec<u32> {
        let is_replayed = |number: &&u32| !self.unscored.iter().any(|game| game.attempts.contains(number));
        self.disturbed.iter().filter(is_replayed).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::summary::{KnownGame, Moment, MoveDigest, SeatSummary};
    use crate::record::{Reason, Terms, Verdict};

    fn game(number: u32, round: u32) -> Summary {
        let seat = |bot: &str| SeatSummary { bot: bot.into(), ..SeatSummary::default() };
        Summary {
            format: 3,
            game: KnownGame::named("hex"),
            number,
            round,
            leg: Some(1),
            generation: 1,
            attempt: 1,
            seats: [seat("ana"), seat("beto")].into(),
            clock: Terms::default().game_clock().into(),
            swapped: false,
            verdict: Verdict::without_winner(2, Reason::Disturbed, String::new(), Vec::new()).into(),
            moves: MoveDigest { plies: 0, hash: 0 },
            warnings: Box::default(),
            started: Moment::UNKNOWN,
            took: None,
            linked: None,
        }
    }

    #[test]
    fn a_game_is_unscored_until_one_attempt_at_it_counts() {
        assert_eq!(Disturbances::of(&[game(1, 1)], &[]), Disturbances::default());
        let disturbed = [game(7, 2), game(2, 1), game(5, 2)];
        let found = Disturbances::of(&[game(6, 1), game(1, 3)], &disturbed);
        assert_eq!(found.disturbed, [2, 5, 7]);
        let bots = vec!["ana".to_owned(), "beto".to_owned()];
        assert_eq!(found.unscored, [Unscored { round: 2, leg: 1, bots, attempts: vec![5, 7] }]);
        assert_eq!(found.replayed(), [2]);
        assert!(Disturbances::of(&[game(6, 1), game(8, 2)], &disturbed).unscored.is_empty());
    }
}
