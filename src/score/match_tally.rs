//! What the games of a match between two programs amount to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::elo::{EloEstimate, MatchScore};
use super::sprt::{Sprt, SprtState};
use crate::game::Seat;
use crate::record::Summary;
use crate::record::summary::Warned;

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
    let_pass: [Option<LetPass>; 2],
    faults: [Vec<FaultExample>; 2],
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
    /// What was let pass, and did not lose the game.
    pub warnings: u32,
    /// The first of that.
    pub let_pass: Option<LetPass>,
    /// The games that it lost by a fault, one for each reason.
    pub faults: Vec<FaultExample>,
}

/// Something that was let pass.
#[derive(Clone, Debug, Serialize)]
pub struct LetPass {
    /// The number of the game.
    pub game: u32,
    /// The ply.
    pub ply: usize,
    /// What the program did, if somebody has looked it up: a summary does not say it.
    pub what: Option<String>,
}

/// A game that was lost by a fault.
#[derive(Clone, Debug, Serialize)]
pub struct FaultExample {
    /// The number of the game.
    pub game: u32,
    /// Why it was lost.
    pub reason: String,
    /// The same for people.
    pub sentence: String,
    /// How many games were lost for this reason.
    pub games: u32,
}

/// Whether a warning is of the turn in which its program lost: then the sentence about that says it.
fn led_to_loss(game: &Summary, warning: &Warned) -> bool {
    let loss = game.verdict.loss(warning.seat);
    loss.and_then(|loss| loss.ply).is_some_and(|ply| warning.ply + 1 >= ply)
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
            let_pass: [None, None],
            faults: Default::default(),
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
        for warning in game.warnings.iter().filter(|warning| !led_to_loss(game, warning)) {
            let bot = usize::from(warning.seat != first_seat);
            self.warnings[bot] += 1;
            self.let_pass[bot].get_or_insert(LetPass { game: game.number, ply: warning.ply, what: None });
        }
        let reason = game.verdict.reason.to_string();
        for loss in game.verdict.losses.iter().filter(|loss| loss.reason.is_forfeit()) {
            let faults = &mut self.faults[usize::from(loss.seat != first_seat)];
            match faults.iter_mut().find(|fault| fault.reason == reason) {
                Some(fault) => fault.games += 1,
                None => {
                    let sentence = game.verdict.sentence.clone();
                    faults.push(FaultExample {
                        game: game.number,
                        reason: reason.clone(),
                        sentence,
                        games: 1,
                    });
                }
            }
        }
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
            let_pass: self.let_pass[index].clone(),
            faults: self.faults[index].clone(),
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
