//! The rhombic board of hexagonal cells on which Hex and its relatives are played.

use std::fmt;

use super::Refusal;
use super::picture::{CellShape, Choice, Edge, Label, Layout, Spot};

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

impl Cell {
    /// Appends the cell as [`fmt::Display`] writes it, without its machinery: the referee does this for every ply.
    pub fn push_to(self, out: &mut String) {
        push_number(self.row, out);
        out.push(' ');
        push_number(self.column, out);
    }
}

/// Appends a number below 100.
fn push_number(number: u8, out: &mut String) {
    if number >= 10 {
        out.push(char::from(b'0' + number / 10));
    }
    out.push(char::from(b'0' + number % 10));
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

    /// The board in a word, such as `14×14`.
    pub fn name(self) -> String {
        format!("{0}×{0}", self.size)
    }

    /// Cells along an edge.
    pub fn size(self) -> u8 {
        self.size
    }

    /// How many cells there are.
    pub fn cells(self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    /// Whether a cell is on the board.
    pub fn has(self, cell: Cell) -> bool {
        cell.row < self.size && cell.column < self.size
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

impl Grid {
    /// The coordinates around the board: column numbers above the top row and below the bottom row, digits one above the
    /// other so that they stay over their column; row numbers on both sides.
    pub fn labels(self) -> Vec<Label> {
        let size = i16::from(self.size);
        let mut labels = Vec::new();
        for number in 0..size {
            let (tens, units) = (number / 10, (number % 10).to_string());
            let x = 2 * number;
            if tens > 0 {
                labels.push(Label { x: x - 2, y: -2, text: tens.to_string() });
                labels.push(Label { x: x + size, y: size, text: tens.to_string() });
                labels.push(Label { x: x + size + 1, y: size + 1, text: units.clone() });
            } else {
                labels.push(Label { x: x + size, y: size, text: units.clone() });
            }
            labels.push(Label { x: x - 1, y: -1, text: units });
            labels.push(Label { x: number - 4, y: number, text: format!("{number:>2}") });
            labels.push(Label { x: 2 * size + number + 1, y: number, text: number.to_string() });
        }
        labels
    }
}

impl Grid {
    /// The board as it is drawn, for two sides with these letters.
    pub fn layout(self, letters: [char; 2], edges: Vec<Edge>, legend: &'static str) -> Layout {
        let spot = |cell: Cell| Spot {
            x: 2 * i16::from(cell.column) + i16::from(cell.row),
            y: cell.row.into(),
            name: cell.to_string(),
            is_wall: false,
            home: None,
        };
        Layout {
            shape: CellShape::Hexagon,
            spots: self.all().map(spot).collect(),
            letters: letters.into(),
            empty: '-',
            labels: self.labels(),
            axes: self.axes(),
            edges,
            legend,
        }
    }

    /// The coordinates around a drawing: column numbers above and below along the slant, row numbers on both sides.
    fn axes(self) -> Vec<Label> {
        let size = i16::from(self.size);
        let around = |number: i16| {
            let places = [
                (2 * number - 1, -1),
                (2 * number + size, size),
                (number - 2, number),
                (2 * size + number, number),
            ];
            places.map(|(x, y)| Label { x, y, text: number.to_string() })
        };
        (0..size).flat_map(around).collect()
    }

    /// The four edges as lines along the corners of their cells: those of the first side at the top and the bottom, those of
    /// the second at the left and the right.
    pub fn edges(self) -> Vec<Edge> {
        let (size, last) = (self.size, self.size - 1);
        let cell = |row, column| self.index(Cell::new(row, column));
        let line = |side, cells: Vec<usize>, corners: [u8; 3]| {
            let corners = cells.into_iter().flat_map(|cell| corners.map(|corner| (cell, corner)));
            Edge { side, corners: corners.collect() }
        };
        let mut edges = vec![
            line(0, (0..size).map(|column| cell(0, column)).collect(), [5, 0, 1]),
            line(0, (0..size).map(|column| cell(last, column)).collect(), [4, 3, 2]),
            line(1, (0..size).map(|row| cell(row, 0)).collect(), [5, 4, 3]),
            line(1, (0..size).map(|row| cell(row, last)).collect(), [0, 1, 2]),
        ];
        // At the two acute corners of the board the edges end where the outermost sides of the hexagon do.
        edges[0].corners.pop();
        for edge in &mut edges[1..] {
            edge.corners.remove(0);
        }
        edges
    }

    /// A move on each of these cells.
    pub fn choices(self, cells: impl Iterator<Item = Cell>) -> Vec<Choice> {
        let choice =
            |cell: Cell| Choice { text: cell.to_string(), spots: vec![self.index(cell)], word: None };
        cells.map(choice).collect()
    }
}

/// What a line must look like to be a move.
const FORM: &str = "a row and a column: two whole numbers and a blank between them";

/// The cell of the board that a line names: two decimal integers, of any length.
pub fn read_cell(line: &str, grid: Grid) -> Result<Cell, Refusal> {
    let (row, column) = two_integers(line).ok_or(Refusal::NotAMove(FORM))?;
    let coordinate = |text: &str| text.parse::<u8>().ok().filter(|&number| number < grid.size());
    match (coordinate(row), coordinate(column)) {
        (Some(row), Some(column)) => Ok(Cell::new(row, column)),
        _ => {
            let last = grid.size() - 1;
            Err(Refusal::Illegal(format!("it is off the board: rows and columns go from 0 to {last}")))
        }
    }
}

pub(super) fn two_integers(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_ascii_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    let integer = |word: &str| {
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    (words.next().is_none() && integer(first) && integer(second)).then_some((first, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_a_cell_are_the_same() {
        for cell in Grid::new(MAX_SIZE).all() {
            let mut text = String::new();
            cell.push_to(&mut text);
            assert_eq!(text, cell.to_string());
        }
    }

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
