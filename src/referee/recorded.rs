//! A seat that does what is recorded of it, as long as that is possible.

use super::seats::{Answer, Script};
use crate::game::{Game, Seat};
use crate::record::{GameRecord, Ply, ReplayError};

/// What was done in a recorded game, for one of its seats.
pub struct Recorded {
    /// The game as it is now, which may have taken another course.
    game: Box<dyn Game>,
    /// Whose turn it was, and what it did.
    plies: Vec<(Seat, Ply)>,
    /// How many plies there have been.
    played: usize,
}

impl Recorded {
    /// Begins with the first ply of a game.
    pub fn new(record: &GameRecord) -> Result<Recorded, ReplayError> {
        let mut movers = Vec::new();
        record.walk(record.plies.len(), |game| movers.push(game.turn()))?;
        let plies = movers.into_iter().zip(record.plies.iter().cloned()).collect();
        Ok(Recorded { game: record.start()?, plies, played: 0 })
    }
}

impl Script for Recorded {
    fn tell(&mut self, _seat: Seat, ply: &Ply) {
        match ply.text() {
            Some(text) => drop(self.game.play(text)),
            None => self.game.withdraw(),
        }
        self.played += 1;
    }

    fn ask(&mut self) -> Option<Answer> {
        match self.plies.get(self.played)? {
            (seat, _) if *seat != self.game.turn() => None,
            (_, Ply::Leave) => Some(Answer::Resign),
            (_, Ply::Move { text, .. }) if self.game.check(text).is_ok() => Some(Answer::Line(text.clone())),
            (_, Ply::Move { .. }) => None,
        }
    }
}
