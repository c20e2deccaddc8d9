//! What there is to learn from: positions, with what a search and the end of the game said about them.

use crate::engine::hex::net::encoding::{InputPlanes, Whose};

/// A position of a game that has been played to its end. Cells are in rows, as the side to move sees them.
#[derive(Clone)]
pub struct Sample {
    /// Cells along an edge of the board.
    pub size: u8,
    /// Whose stone lies on each cell.
    pub stones: Box<[Whose]>,
    /// How good each move was found to be by a search: probabilities, in units of 1/65535.
    pub policy: Box<[u16]>,
    /// What came of it for the side to move, from -1 to 1: partly the game's result, partly the search's opinion.
    pub value: f32,
    /// Whose winning chain each cell belonged to in the end.
    pub chain: Box<[Whose]>,
}

impl Sample {
    /// What the network sees.
    pub fn input(&self) -> InputPlanes {
        InputPlanes::new(self.size, self.stones.iter().copied())
    }

    /// The same position turned by half a turn, which for Hex is the same position.
    pub fn turned(&self) -> Sample {
        Sample {
            size: self.size,
            stones: self.stones.iter().rev().copied().collect(),
            policy: self.policy.iter().rev().copied().collect(),
            value: self.value,
            chain: self.chain.iter().rev().copied().collect(),
        }
    }
}
