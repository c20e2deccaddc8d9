//! A board as something to look at: marks and words at places, for the terminal and for pages alike.
//!
//! Places are in half cells: two cells side by side in a row are two apart, and the rows of a hexagonal board are one
//! row apart and shifted by one, which is both its true geometry and how text shows it best.

/// A cell and what stands on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Half cells from the left.
    pub x: i16,
    /// Rows from the top.
    pub y: i16,
    /// One letter for what is there.
    pub glyph: char,
    /// The side it belongs to, counted from 0, or none for an empty cell.
    pub side: Option<u8>,
    /// Whether the last move was made here.
    pub last: bool,
    /// Whether it is part of what won the game.
    pub winning: bool,
}

/// A coordinate at the rim of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Half cells from the left.
    pub x: i16,
    /// Rows from the top.
    pub y: i16,
    /// What it says.
    pub text: String,
}

/// A board to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The cells.
    pub spots: Vec<Spot>,
    /// The coordinates around them.
    pub labels: Vec<Label>,
    /// What the letters mean, in one line.
    pub legend: &'static str,
}
