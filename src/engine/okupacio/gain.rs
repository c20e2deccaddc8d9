//! What a move of Okupació brings at once.

use crate::game::Seat;
use crate::game::okupacio::Okupacio;
use crate::game::okupacio::map::Cell;

/// What a move brings at once.
pub struct Gain {
    /// Cells that it brings, the occupied one included.
    pub gained: i32,
    /// Those who lose a cell by it.
    losers: [Option<Seat>; 4],
}

impl Gain {
    /// What it brings a player to occupy a cell.
    pub fn of(game: &Okupacio, mover: Seat, cell: Cell) -> Gain {
        let mut gain = Gain { gained: 1, losers: [None; 4] };
        for (next, loser) in game.map().neighbours(cell).zip(&mut gain.losers) {
            if game.takes(mover, cell, next) {
                gain.gained += 1;
                *loser = game.owner(next);
            }
        }
        gain
    }

    /// Cells that others lose by it.
    pub fn taken(&self) -> i32 {
        self.losers.iter().flatten().count() as i32
    }

    /// Cells that one player loses by it.
    pub fn taken_from(&self, seat: Seat) -> i32 {
        self.losers.iter().filter(|&&loser| loser == Some(seat)).count() as i32
    }
}
