//! Cells by their index, and sets of them.

use std::fmt;

/// A cell of a board, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

impl Cell {
    /// The cell as an index into a list of cells.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A set of cells of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells([u64; 4]);

impl Cells {
    /// No cell at all.
    pub const EMPTY: Cells = Cells([0; 4]);

    fn bit(cell: Cell) -> (usize, u64) {
        (cell.index() / 64, 1 << (cell.0 % 64))
    }

    /// Whether a cell is among them.
    pub fn contains(&self, cell: Cell) -> bool {
        let (word, bit) = Cells::bit(cell);
        self.0[word] & bit != 0
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: Cell) {
        let (word, bit) = Cells::bit(cell);
        self.0[word] |= bit;
    }

    /// Takes a cell out.
    pub fn remove(&mut self, cell: Cell) {
        let (word, bit) = Cells::bit(cell);
        self.0[word] &= !bit;
    }

    /// The cells that are in both sets.
    pub fn and(self, other: Cells) -> Cells {
        Cells(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The cells that are in either set.
    pub fn or(self, other: Cells) -> Cells {
        Cells(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The cells that are in this set and not in the other.
    pub fn without(self, other: Cells) -> Cells {
        Cells(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self == Cells::EMPTY
    }

    /// The cells by index.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let words = [0, 64, 128, 192].into_iter().zip(self.0);
        words.flat_map(|(first, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as u8)?;
                word &= word - 1;
                Some(Cell(first + bit))
            })
        })
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Cells {
        let mut set = Cells::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}
