//! The seats at a board.

use serde::{Deserialize, Serialize};

/// A place at the board, counted from 0 in order of play. A program keeps its seat for the whole game, even where
/// the rules let it change colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into a list of seats.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}
