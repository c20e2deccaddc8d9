//! What the games of a bot tell about it: its use of time, and its faults in words.

use std::collections::BTreeMap;

use super::game_data::GameData;
use super::row::Row;
use crate::record::Reason;

/// Of each kind of fault, so many are told in full.
const EXAMPLES: usize = 3;

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
    pub faults: BTreeMap<String, Faults>,
}

/// Faults of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Faults {
    /// The reason.
    pub reason: Reason,
    /// How many there are.
    pub count: u32,
    /// The first of them.
    pub examples: Vec<Example>,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The number of the game.
    pub game: u32,
    /// The ply to look at: the last before the fault.
    pub ply: usize,
    /// What the bot did, in words that follow its name.
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
            let example = Example { game: game.number, ply, text: told.text.clone() };
            self.add_faults(Faults { reason, count: 1, examples: vec![example] });
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
        later.faults.into_values().for_each(|faults| self.add_faults(faults));
    }

    fn add_faults(&mut self, faults: Faults) {
        let none = Faults { reason: faults.reason, count: 0, examples: Vec::new() };
        let all = self.faults.entry(faults.reason.to_string()).or_insert(none);
        all.count += faults.count;
        let room = EXAMPLES.saturating_sub(all.examples.len());
        all.examples.extend(faults.examples.into_iter().take(room));
    }
}
