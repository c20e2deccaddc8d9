//! What the games of a bot tell about it: its use of time, and its faults in words.

use std::collections::BTreeMap;

use super::game_data::GameData;
use super::row::Row;
use crate::record::Reason;

/// Of each kind of fault, so many are told in full.
const EXAMPLES: usize = 3;
/// Of faults of which the same is to be said, so many games are named.
const LINKS: usize = 6;

/// The figures of a bot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Games it took part in, those included that were disturbed.
    pub games: u32,
    /// Moves it made.
    pub moves: u64,
    /// What they took, in milliseconds.
    pub used_ms: f64,
    /// The longest move, and the game it was made in.
    pub longest_ms: f64,
    /// See `longest_ms`.
    pub longest_in: u32,
    /// The largest part of its clock that it used in a game.
    pub share: f64,
    /// The sum of these parts over all games.
    pub shares: f64,
    /// Processor time, and the games of which it is known.
    pub cpu_ms: f64,
    /// See `cpu_ms`.
    pub cpu_games: u32,
    /// Its faults, by reason.
    pub faults: BTreeMap<Reason, Faults>,
    /// What its moves show about how it misunderstood the rules.
    pub hints: Faults,
}

/// Faults of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// How many there are.
    pub count: u32,
    /// The first of them.
    pub examples: Vec<Example>,
}

/// A fault, or several of which the same is to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The numbers of the first games, each with the ply to look at: the last before the fault.
    pub games: Vec<(u32, usize)>,
    /// What is to be said of it.
    pub text: String,
}

impl Figures {
    /// Counts a game that the bot played at this seat.
    pub fn add(&mut self, game: &GameData, row: &Row, seat: usize) {
        self.games += 1;
        let own = game.plies.iter().filter(|ply| ply.seat.index() == seat && ply.text.is_some());
        let mut moves = 0;
        for ply in own {
            moves += 1;
            self.used_ms += ply.ms;
            if ply.ms > self.longest_ms {
                (self.longest_ms, self.longest_in) = (ply.ms, game.number);
            }
        }
        self.moves += moves;
        if let (Some(clock), Some(data)) = (&game.clock, game.seats.get(seat)) {
            let allowed = clock.base_ms + clock.increment_ms * moves as f64;
            let share = if allowed > 0.0 { (data.used_ms / allowed).min(1.0) } else { 0.0 };
            self.share = self.share.max(share);
            self.shares += share;
        }
        if let Some(cpu) = game.seats.get(seat).and_then(|data| data.cpu_ms) {
            self.cpu_ms += cpu;
            self.cpu_games += 1;
        }
        let losses = row
            .losses
            .iter()
            .zip(&game.losses)
            .filter(|((lost, reason), _)| lost.index() == seat && reason.is_forfeit() && !row.disturbed);
        for (&(_, reason), told) in losses {
            let ply = told.ply.map_or(game.plies.len(), |ply| ply.saturating_sub(1));
            let example = Example { games: vec![(game.number, ply)], text: format!("it {}", told.text) };
            self.faults.entry(reason).or_default().add(Faults { count: 1, examples: vec![example] });
        }
        for hint in game.hints.iter().filter(|hint| hint.seat.index() == seat) {
            let example = Example { games: vec![(game.number, game.plies.len())], text: hint.text.clone() };
            self.hints.add(Faults { count: 1, examples: vec![example] });
        }
    }

    /// Adds what other games tell, which come later.
    pub fn merge(&mut self, later: Figures) {
        self.games += later.games;
        self.moves += later.moves;
        self.used_ms += later.used_ms;
        if later.longest_ms > self.longest_ms {
            (self.longest_ms, self.longest_in) = (later.longest_ms, later.longest_in);
        }
        self.share = self.share.max(later.share);
        self.shares += later.shares;
        self.cpu_ms += later.cpu_ms;
        self.cpu_games += later.cpu_games;
        for (reason, faults) in later.faults {
            self.faults.entry(reason).or_default().add(faults);
        }
        self.hints.add(later.hints);
    }
}

impl Faults {
    fn add(&mut self, later: Faults) {
        self.count += later.count;
        for example in later.examples {
            if let Some(known) = self.examples.iter_mut().find(|known| known.text == example.text) {
                known.games.extend(example.games);
            } else if self.examples.len() < EXAMPLES {
                self.examples.push(example);
            }
        }
        self.examples.iter_mut().for_each(|example| example.games.truncate(LINKS));
    }

    /// How many are not among the examples.
    pub fn untold(&self) -> usize {
        let told: usize = self.examples.iter().map(|example| example.games.len()).sum();
        (self.count as usize).saturating_sub(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_that_are_alike_are_told_once() {
        let fault = |game: u32, text: &str| Faults {
            count: 1,
            examples: vec![Example { games: vec![(game, 3)], text: text.to_owned() }],
        };
        let mut all = Faults::default();
        for game in 1..=10 {
            all.add(fault(game, "it resigned"));
        }
        ["a", "b", "c"].iter().for_each(|text| all.add(fault(11, text)));
        let told: Vec<(usize, &str)> =
            all.examples.iter().map(|one| (one.games.len(), one.text.as_str())).collect();
        assert_eq!(told, [(LINKS, "it resigned"), (1, "a"), (1, "b")]);
        assert_eq!((all.count, all.untold()), (13, 5));
    }
}
