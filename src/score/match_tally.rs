//! What the games of a match between two programs amount to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::elo::{EloEstimate, MatchScore};
use super::sprt::{Sprt, SprtState};
use crate::game::Seat;
use crate::record::Summary;

/// A match as far as it was played.
pub struct MatchTally {
    names: [String; 2],
    sprt: Option<Sprt>,
    games: u32,
    score: MatchScore,
    half_points: [u32; 2],
    /// Half points of the first program in games whose pair is not complete, by round.
    open_pairs: BTreeMap<u32, u32>,
    /// How often each program won for each reason.
    won: [BTreeMap<String, u32>; 2],
    without_winner: BTreeMap<String, u32>,
    warnings: [u32; 2],
    /// The state of the sequential test when it was decided. Games that ended later change nothing about it.
    decision: Option<SprtState>,
}

/// The result of a match, as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct MatchResult {
    /// The two programs.
    pub bots: [BotResult; 2],
    /// Games that counted.
    pub games: u32,
    /// Games that nobody won, by reason.
    pub without_winner: BTreeMap<String, u32>,
    /// The first program's strength above the second's.
    pub elo: Option<EloEstimate>,
    /// Where the sequential test stands, if there is one.
    pub sprt: Option<SprtState>,
}

/// What one program made of a match.
#[derive(Clone, Debug, Serialize)]
pub struct BotResult {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: f64,
    /// Games won, by reason.
    pub won: BTreeMap<String, u32>,
    /// Lines that were let pass.
    pub warnings: u32,
}

impl MatchTally {
    /// A match in which no game has been played.
    pub fn new(names: [String; 2], sprt: Option<Sprt>) -> MatchTally {
        MatchTally {
            names,
            sprt,
            games: 0,
            score: MatchScore::default(),
            half_points: [0; 2],
            open_pairs: BTreeMap::new(),
            won: Default::default(),
            without_winner: BTreeMap::new(),
            warnings: [0; 2],
            decision: None,
        }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Summary) {
        let first_seat = Seat(u8::from(game.seats.first().is_none_or(|seat| seat.bot != self.names[0])));
        let half_points = game.verdict.half_points(first_seat);
        self.half_points[0] += half_points;
        self.half_points[1] += game.verdict.half_points(Seat(1 - first_seat.0));
        // A game that neither could play says nothing of strength, and nothing of the other game of its pair.
        if game.verdict.is_contest() {
            match self.open_pairs.remove(&game.round) {
                Some(other) => self.score.add(&[other, half_points]),
                None => drop(self.open_pairs.insert(game.round, half_points)),
            }
        }
        self.games += 1;
        if self.decision.is_none() {
            let state = self.sprt.map(|sprt| sprt.state(&self.score));
            self.decision = state.filter(|state| state.accepted.is_some());
        }
        for warning in &game.warnings {
            self.warnings[usize::from(warning.seat != first_seat)] += 1;
        }
        let reason = game.verdict.reason.to_string();
        let wins = match game.verdict.winner {
            Some(winner) => &mut self.won[usize::from(winner != first_seat)],
            None => &mut self.without_winner,
        };
        *wins.entry(reason).or_default() += 1;
    }

    /// Whether the sequential test has decided the match.
    pub fn is_decided(&self) -> bool {
        self.decision.is_some()
    }

    /// The result up to now.
    pub fn result(&self) -> MatchResult {
        let mut score = self.score.clone();
        self.open_pairs.values().for_each(|&half_points| score.add(&[half_points]));
        let bot = |index: usize| BotResult {
            name: self.names[index].clone(),
            points: f64::from(self.half_points[index]) / 2.0,
            won: self.won[index].clone(),
            warnings: self.warnings[index],
        };
        MatchResult {
            bots: [bot(0), bot(1)],
            games: self.games,
            without_winner: self.without_winner.clone(),
            elo: score.elo(),
            sprt: self.decision.or(self.sprt.map(|sprt| sprt.state(&self.score))),
        }
    }
}
