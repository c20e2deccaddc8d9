//! A board as something to look at: cells at places and what stands on them, for the terminal, for drawings and for pages.
//!
//! Places are in half cells: two cells side by side in a row are two apart, and the rows of a hexagonal board are one
//! row apart and shifted by one, which is both its true geometry and how text shows it best.

/// What the cells of a board look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// Hexagons that stand on a corner, without gaps.
    Hexagon,
    /// Holes for pieces, each in the middle of six others.
    Hole,
    /// Squares without gaps.
    Square,
}

/// A cell of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Half cells from the left.
    pub x: i16,
    /// Rows from the top.
    pub y: i16,
    /// The cell as moves name it.
    pub name: String,
    /// Whether nothing can ever stand here.
    pub is_wall: bool,
    /// The side that this cell is coloured for, as where it wants to get to.
    pub home: Option<u8>,
}

/// What stands on a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The side whose stone is there, counted from 0.
    pub side: Option<u8>,
    /// Whether the last move was made here.
    pub is_last: bool,
    /// Whether it is part of what won the game.
    pub is_winning: bool,
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

/// An edge of the board that a side wants to reach: a line along corners of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The side, counted from 0.
    pub side: u8,
    /// The corners, each by the index of its cell and its number: clockwise from the top or, on squares, from the top left.
    pub corners: Vec<(usize, u8)>,
}

/// All of a board that never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// What its cells look like.
    pub shape: CellShape,
    /// The cells.
    pub spots: Vec<Spot>,
    /// The letter of each side.
    pub letters: Vec<char>,
    /// The letter of an empty cell.
    pub empty: char,
    /// The coordinates as text has them, one letter for a place.
    pub labels: Vec<Label>,
    /// The coordinates as drawings have them.
    pub axes: Vec<Label>,
    /// The edges that sides want to reach.
    pub edges: Vec<Edge>,
    /// What the letters mean and what wins, in one line.
    pub legend: &'static str,
}

/// A board to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What never changes.
    pub layout: Layout,
    /// What stands on each cell, in order of [`Layout::spots`].
    pub marks: Vec<Mark>,
}

impl Layout {
    /// One letter for what is on a cell.
    pub fn glyph(&self, spot: usize, mark: Mark) -> char {
        match mark.side {
            Some(side) => self.letters.get(usize::from(side)).copied().unwrap_or('?'),
            None if self.spots[spot].is_wall => '#',
            None => self.empty,
        }
    }
}

impl Picture {
    /// The cells with what stands on them, and its letter.
    pub fn cells(&self) -> impl Iterator<Item = (&Spot, Mark, char)> {
        let cells = self.layout.spots.iter().zip(&self.marks).enumerate();
        cells.map(|(index, (spot, &mark))| (spot, mark, self.layout.glyph(index, mark)))
    }
}

/// A move that can be made now, for people who point at cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move as it is written.
    pub text: String,
    /// The cells to point at, one after the other, by their index.
    pub spots: Vec<usize>,
    /// What the move is called, if it is more than pointing at cells: it has a button of its own.
    pub word: Option<&'static str>,
}
