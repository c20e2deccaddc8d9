//! The two colours of Hex.

use crate::game::grid::Cell;

/// A colour, and with it a pair of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// `b` (brancas): joins the top row to the bottom row and begins.
    White,
    /// `p` (pretas): joins the left column to the right column.
    Black,
}

impl Side {
    /// The other colour.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The letter of the hand-out.
    pub fn letter(self) -> char {
        match self {
            Side::White => 'b',
            Side::Black => 'p',
        }
    }

    /// The colour in English.
    pub fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// How far a cell is along this side's way from edge to edge.
    pub(super) fn progress(self, cell: Cell) -> u8 {
        match self {
            Side::White => cell.row,
            Side::Black => cell.column,
        }
    }
}
