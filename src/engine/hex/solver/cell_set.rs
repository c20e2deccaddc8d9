//! Sets of cells.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign};

/// A set of cells, numbered row by row: a bit for each, in as few words as the board needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellSet<const W: usize>([u64; W]);

impl<const W: usize> Default for CellSet<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> CellSet<W> {
    /// No cell.
    pub const EMPTY: Self = Self([0; W]);

    /// The cells up to this number.
    pub fn first_cells(cells: usize) -> Self {
        (0..cells).collect()
    }

    /// The set of one cell.
    #[inline]
    pub fn of(cell: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    #[inline]
    pub fn contains(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    #[inline]
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    #[inline]
    pub fn is_subset_of(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// The cells that are not in the other set.
    #[inline]
    pub fn without(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }

    /// The lowest cell.
    #[inline]
    pub fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// Takes out the lowest cell.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        let cell = self.first()?;
        self.0[cell / 64] &= self.0[cell / 64] - 1;
        Some(cell)
    }

    /// The set on a board of so many cells, turned by half a circle.
    pub fn turned(self, cells: usize) -> Self {
        let mut turned = Self::EMPTY;
        let shift = 64 * W - cells;
        let (words, bits) = (shift / 64, shift % 64);
        let reversed = |word: usize| if word < W { self.0[W - 1 - word].reverse_bits() } else { 0 };
        for word in 0..W - words {
            let upper = if bits == 0 { 0 } else { reversed(word + words + 1) << (64 - bits) };
            turned.0[word] = reversed(word + words) >> bits | upper;
        }
        turned
    }
}

impl<const W: usize> BitAnd for CellSet<W> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for CellSet<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
    }
}

impl<const W: usize> BitOr for CellSet<W> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for CellSet<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }
}

impl<const W: usize> FromIterator<usize> for CellSet<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl<const W: usize> IntoIterator for CellSet<W> {
    type Item = usize;
    type IntoIter = Cells<W>;

    #[inline]
    fn into_iter(self) -> Cells<W> {
        Cells(self)
    }
}

/// The cells of a set, the lowest first.
pub struct Cells<const W: usize>(CellSet<W>);

impl<const W: usize> Iterator for Cells<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.0.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::CellSet;

    #[test]
    fn turning_numbers_the_cells_from_the_other_end() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for cells in 1..=256 {
            let set: CellSet<4> = (0..cells).filter(|_| rng.bool()).collect();
            let turned = set.into_iter().map(|cell| cells - 1 - cell).collect();
            assert_eq!(set.turned(cells), turned);
            assert_eq!(turned.turned(cells), set);
        }
    }
}
