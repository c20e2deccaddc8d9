//! The board of Okupació without anybody on it: rows, columns and walls, and the text that the hand-out has for them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The most rows, and the most columns.
pub const MAX_SIDE: u8 = 25;
/// Cells of the largest board.
pub const MAX_CELLS: usize = MAX_SIDE as usize * MAX_SIDE as usize;

/// A cell of a [`Map`]: its number, row by row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub u16);

impl Cell {
    /// The cell as an index into a list of cells.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The walls of a board, and who is whose neighbour between them.
///
/// As text it is the hand-out's file: rows and columns, then the lengths of free and of wall stretches in turn, row by row
/// and across the ends of rows. Cells that no stretch covers are free.
///
/// ```
/// use arbitro::game::okupacio::map::Map;
/// let map: Map = "4 4\n2 1 1 1 3 2 5 1\n".parse().unwrap();
/// assert_eq!((map.rows(), map.columns(), map.free()), (4, 4, 11));
/// assert_eq!(map.to_string(), "4 4\n2 1 1 1 3 2 5 1\n");
/// assert_eq!("2 3".parse::<Map>().unwrap().to_string(), "2 3\n6\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    rows: u8,
    columns: u8,
    walls: Vec<bool>,
    around: Vec<Around>,
}

/// The cells beside a cell that are no walls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Around {
    cells: [u16; 4],
    count: u8,
}

/// What is wrong with the text of a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MapError {
    /// There is nothing in it.
    #[error("it is empty; a board file begins with the numbers of rows and of columns, such as '4 4'")]
    Empty,
    /// There are rows, but no columns.
    #[error("it ends after the number of rows; the number of columns comes next")]
    NoColumns,
    /// A word is no number.
    #[error(
        "'{word}' in place {place} is not a whole number from 0; there are only such in a board file: rows, columns, then \
         the lengths of free and of wall stretches in turn"
    )]
    NotANumber {
        /// The word, made printable.
        word: String,
        /// Which word it is, from 1.
        place: usize,
    },
    /// The board is too small or too large.
    #[error("it has {number} {what}; from 1 to {MAX_SIDE} are possible")]
    Side {
        /// Rows or columns.
        what: &'static str,
        /// How many.
        number: String,
    },
    /// The stretches do not fit.
    #[error(
        "the stretch of {length} cells in place {place} goes past the end of the board, which has {left} left \
         of {cells}; shorten it, or give the board more rows or columns"
    )]
    TooLong {
        /// The length of the stretch.
        length: String,
        /// Which word it is, from 1.
        place: usize,
        /// Cells of the board.
        cells: usize,
        /// Cells that the stretches before have left.
        left: usize,
    },
    /// There are only walls.
    #[error("all its cells are walls, so that nobody could move; leave at least one of them free")]
    OnlyWalls,
}

impl Map {
    /// A square board without walls.
    ///
    /// # Panics
    /// If the size is not one of a board.
    pub fn open(size: u8) -> Map {
        assert!((1..=MAX_SIDE).contains(&size), "a board of size {size}");
        Map::new(size, size, vec![false; usize::from(size) * usize::from(size)])
    }

    fn new(rows: u8, columns: u8, walls: Vec<bool>) -> Map {
        let mut map = Map { rows, columns, around: vec![Around::default(); walls.len()], walls };
        for cell in map.all().filter(|&cell| !map.is_wall(cell)).collect::<Vec<_>>() {
            let (row, column) = map.place(cell);
            let mut around = Around::default();
            for (rows, columns) in [(-1, 0), (0, -1), (0, 1), (1, 0)] {
                // A step off the low edge wraps round to a large number, which is off the high edge.
                let (row, column) = (row.wrapping_add_signed(rows), column.wrapping_add_signed(columns));
                if let Some(next) = map.cell(row, column).filter(|&next| !map.is_wall(next)) {
                    around.cells[usize::from(around.count)] = next.0;
                    around.count += 1;
                }
            }
            map.around[cell.index()] = around;
        }
        map
    }

    /// How many rows there are.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// How many columns there are.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// The board in a word, such as `4×4`.
    pub fn name(&self) -> String {
        format!("{}×{}", self.rows, self.columns)
    }

    /// All cells, row by row.
    pub fn all(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.walls.len() as u16).map(Cell)
    }

    /// The cells of a row.
    pub fn row(&self, row: u8) -> impl Iterator<Item = Cell> {
        (0..self.columns).filter_map(move |column| self.cell(row, column))
    }

    /// The cells of a column.
    pub fn column(&self, column: u8) -> impl Iterator<Item = Cell> {
        (0..self.rows).filter_map(move |row| self.cell(row, column))
    }

    /// The cell in this row and column, if there is one.
    pub fn cell(&self, row: u8, column: u8) -> Option<Cell> {
        let number = u16::from(row) * u16::from(self.columns) + u16::from(column);
        (row < self.rows && column < self.columns).then_some(Cell(number))
    }

    /// The row and column of a cell.
    pub fn place(&self, cell: Cell) -> (u8, u8) {
        let columns = u16::from(self.columns);
        ((cell.0 / columns) as u8, (cell.0 % columns) as u8)
    }

    /// Whether a cell is a wall.
    pub fn is_wall(&self, cell: Cell) -> bool {
        self.walls[cell.index()]
    }

    /// How many cells are no walls.
    pub fn free(&self) -> u16 {
        self.walls.iter().filter(|&&wall| !wall).count() as u16
    }

    /// The cells beside a cell that are no walls.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let Around { cells, count } = self.around[cell.index()];
        cells.into_iter().take(count.into()).map(Cell)
    }
}

impl FromStr for Map {
    type Err = MapError;

    fn from_str(text: &str) -> Result<Map, MapError> {
        let mut numbers = (1..).zip(text.split_whitespace());
        let rows = side(numbers.next().ok_or(MapError::Empty)?, "rows")?;
        let columns = side(numbers.next().ok_or(MapError::NoColumns)?, "columns")?;
        let cells = usize::from(rows) * usize::from(columns);
        let mut walls = Vec::with_capacity(cells);
        for (stretch, (place, word)) in numbers.enumerate() {
            let left = cells - walls.len();
            let length = number(place, word)?.filter(|&length| length <= left);
            let too_long = || MapError::TooLong { length: shown(word), place, cells, left };
            let length = length.ok_or_else(too_long)?;
            walls.resize(walls.len() + length, stretch % 2 == 1);
        }
        walls.resize(cells, false);
        if walls.iter().all(|&wall| wall) {
            return Err(MapError::OnlyWalls);
        }
        Ok(Map::new(rows, columns, walls))
    }
}

/// A number, or nothing if it is larger than any that could be of use.
fn number(place: usize, word: &str) -> Result<Option<usize>, MapError> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(word.parse().ok());
    }
    Err(MapError::NotANumber { word: shown(word), place })
}

fn side((place, word): (usize, &str), what: &'static str) -> Result<u8, MapError> {
    let number = number(place, word)?.and_then(|number| u8::try_from(number).ok());
    let possible = number.filter(|number| (1..=MAX_SIDE).contains(number));
    possible.ok_or_else(|| MapError::Side { what, number: shown(word) })
}

/// The beginning of a word, safe to print.
fn shown(word: &str) -> String {
    word.chars().take(20).flat_map(char::escape_debug).collect()
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stretches = vec![0];
        let mut wall = false;
        for &next in &self.walls {
            if next != wall {
                stretches.push(0);
                wall = next;
            }
            *stretches.last_mut().expect("there is one from the beginning") += 1;
        }
        let stretches: Vec<String> = stretches.iter().map(u16::to_string).collect();
        writeln!(f, "{} {}\n{}", self.rows, self.columns, stretches.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_texts_are_refused_with_what_and_where() {
        for (text, words) in [
            ("", "it is empty"),
            (" \n\t ", "it is empty"),
            ("4", "ends after the number of rows"),
            ("x 4", "'x' in place 1 is not a whole number"),
            ("4 4\n2 1 uno", "'uno' in place 5 is not a whole number"),
            ("4 4 2 -1", "'-1' in place 4 is not a whole number from 0"),
            ("4 4 +2", "'+2' in place 3"),
            ("4 4 1.5", "'1.5' in place 3"),
            ("0 4", "it has 0 rows; from 1 to 25 are possible"),
            ("26 4", "it has 26 rows"),
            ("4 99999999999999999999999", "columns; from 1 to 25"),
            ("4 4 2 1 14", "14 cells in place 5 goes past the end of the board, which has 13 left of 16"),
            ("4 4 99999999999999999999999", "in place 3 goes past the end"),
            ("2 2 0 4", "all its cells are walls"),
            ("\u{1b}[2J", "'\\u{1b}[2J' in place 1"),
        ] {
            let error = text.parse::<Map>().unwrap_err().to_string();
            assert!(error.contains(words), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_text_covers_rows_as_they_come_and_may_end_early() {
        let map: Map = "2 3 0 1 3 1".parse().unwrap();
        let walls: Vec<bool> = map.all().map(|cell| map.is_wall(cell)).collect();
        assert_eq!(walls, [true, false, false, false, true, false]);
        assert_eq!(map.to_string(), "2 3\n0 1 3 1 1\n");
        assert_eq!("2 3 0 1 3 0 0 1 1".parse::<Map>().unwrap(), map);
    }

    #[test]
    fn every_board_is_read_back_from_its_text() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for _ in 0..200 {
            let (rows, columns) = (rng.u8(1..=MAX_SIDE), rng.u8(1..=MAX_SIDE));
            let mut walls: Vec<bool> =
                (0..usize::from(rows) * usize::from(columns)).map(|_| rng.u8(..3) == 0).collect();
            walls[0] &= walls.len() > 1 && !walls[1..].iter().all(|&wall| wall);
            let map = Map::new(rows, columns, walls);
            assert_eq!(map.to_string().parse::<Map>().unwrap(), map);
        }
    }

    #[test]
    fn neighbours_are_beside_and_never_walls() {
        let map: Map = "4 4 2 1 1 1 3 2 5 1".parse().unwrap();
        let around = |row, column| -> Vec<(u8, u8)> {
            map.neighbours(map.cell(row, column).unwrap()).map(|cell| map.place(cell)).collect()
        };
        assert_eq!(around(0, 0), [(0, 1)]);
        assert_eq!(around(1, 2), [(1, 1), (1, 3), (2, 2)]);
        assert_eq!(around(3, 0), [(3, 1)]);
        assert_eq!(around(2, 3), [(1, 3), (2, 2)]);
    }
}
