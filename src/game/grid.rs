//! The rhombic board of hexagonal cells on which Hex and its relatives are played.

use std::fmt;

/// The largest board there is.
pub const MAX_SIZE: u8 = 26;
/// Cells of the largest board.
pub const MAX_CELLS: usize = MAX_SIZE as usize * MAX_SIZE as usize;

/// A cell of the board: its row and column, both from 0. It is written as the wire has it, `row column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The row, from 0 at the top.
    pub row: u8,
    /// The column, from 0 at the left.
    pub column: u8,
}

impl Cell {
    /// The cell in this row and column.
    pub const fn new(row: u8, column: u8) -> Cell {
        Cell { row, column }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.row, self.column)
    }
}

/// A board of `size × size` hexagonal cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    size: u8,
}

/// The steps from a cell to its six neighbours, as (rows, columns), in the order of a walk around it.
const STEPS: [(i8, i8); 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];

impl Grid {
    /// A board of this size.
    ///
    /// # Panics
    /// If the size is not from 1 to [`MAX_SIZE`].
    pub fn new(size: u8) -> Grid {
        assert!((1..=MAX_SIZE).contains(&size), "a board of size {size}");
        Grid { size }
    }

    /// Cells along an edge.
    pub fn size(self) -> u8 {
        self.size
    }

    /// How many cells there are.
    pub fn cells(self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    /// The number of a cell, row by row from 0.
    pub fn index(self, cell: Cell) -> usize {
        usize::from(cell.row) * usize::from(self.size) + usize::from(cell.column)
    }

    /// The cell with this number.
    pub fn cell(self, index: usize) -> Cell {
        let size = usize::from(self.size);
        Cell::new((index / size) as u8, (index % size) as u8)
    }

    /// All cells, row by row.
    pub fn all(self) -> impl Iterator<Item = Cell> {
        (0..self.cells()).map(move |index| self.cell(index))
    }

    /// The neighbours of a cell that are on the board.
    pub fn neighbours(self, cell: Cell) -> impl Iterator<Item = Cell> {
        STEPS.into_iter().filter_map(move |(rows, columns)| {
            // A step off the low edge wraps round to a large number, so that one comparison checks both edges.
            let row = cell.row.wrapping_add_signed(rows);
            let column = cell.column.wrapping_add_signed(columns);
            (row < self.size && column < self.size).then_some(Cell { row, column })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_the_six_of_the_hand_out() {
        let mut around: Vec<Cell> = Grid::new(14).neighbours(Cell::new(5, 5)).collect();
        around.sort();
        let expected = [(4, 5), (4, 6), (5, 4), (5, 6), (6, 4), (6, 5)].map(|(r, c)| Cell::new(r, c));
        assert_eq!(around, expected);
    }

    #[test]
    fn neighbourhood_is_mutual_and_corners_have_two_or_three() {
        for size in 2..=MAX_SIZE {
            let grid = Grid::new(size);
            for cell in grid.all() {
                for next in grid.neighbours(cell) {
                    assert!(grid.neighbours(next).any(|back| back == cell), "{cell} and {next} on {size}");
                }
            }
            let last = size - 1;
            let around = |row, column| grid.neighbours(Cell::new(row, column)).count();
            assert_eq!([around(0, 0), around(0, last), around(last, 0), around(last, last)], [2, 3, 3, 2]);
        }
    }
}
