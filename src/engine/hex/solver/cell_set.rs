//! Sets of cells of a small board.

use crate::engine::hex::board::{Board, Spot};

/// A set of cells, numbered row by row: a bit for each.
pub type CellSet = u64;

/// The set of one cell.
pub fn bit(board: &Board, spot: Spot) -> CellSet {
    1 << board.grid().index(board.cell(spot))
}

/// The set of some cells.
pub fn cells(board: &Board, spots: impl IntoIterator<Item = Spot>) -> CellSet {
    spots.into_iter().fold(0, |set, spot| set | bit(board, spot))
}
