//! The transposition table: positions that were solved.

use super::cell_set::{CellSet, cells};
use crate::engine::hex::board::{Board, Stone};
use crate::game::hex::Side;

/// Who wins a position.
#[derive(Clone, Copy)]
pub struct Verdict {
    /// Whether the side to move does.
    pub wins: bool,
    /// The empty cells that the winner needs.
    pub needs: CellSet,
}

/// Under what a position is kept: itself or, which is the same game, turned by half a circle.
#[derive(Clone, Copy)]
pub struct Key {
    white: CellSet,
    black: CellSet,
    to_move: Side,
    size: u8,
    /// Whether it is turned.
    turned: bool,
}

impl Key {
    /// The key of a position.
    pub fn of(board: &Board) -> Key {
        let of = |stone| cells(board, board.spots().filter(|&spot| board.stone(spot) == stone));
        let (white, black) = (of(Stone::White), of(Stone::Black));
        let size = board.size();
        let other = (turn(white, size), turn(black, size));
        let turned = other < (white, black);
        let (white, black) = if turned { other } else { (white, black) };
        Key { white, black, to_move: board.to_move(), size, turned }
    }

    /// Where in the table it belongs.
    fn index(&self) -> usize {
        // The factors are odd and otherwise arbitrary; the upper bits of products depend on all lower ones.
        let mixed = self.white.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ self.black.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(32)
            ^ self.to_move as u64;
        (mixed.wrapping_mul(0x94d0_49bb_1331_11eb) >> (64 - BITS)) as usize
    }

    /// A verdict as it is kept, or one that was kept as it is: turning twice changes nothing.
    fn orient(&self, verdict: Verdict) -> Verdict {
        let needs = if self.turned { turn(verdict.needs, self.size) } else { verdict.needs };
        Verdict { needs, ..verdict }
    }

    /// What marks an entry of this position, by whether the side to move wins. It is never 0.
    fn mark(&self, wins: bool) -> u64 {
        1 + self.to_move as u64 + 2 * u64::from(wins)
    }
}

/// A set of cells of the board turned by half a circle.
fn turn(cells: CellSet, size: u8) -> CellSet {
    cells.reverse_bits() >> (64 - u32::from(size) * u32::from(size))
}

/// The table has two to the power of this many entries.
const BITS: u32 = 20;

/// White's stones, black's, the cells that the winner needs, and a mark. All are plain numbers, because a large list of
/// zeros costs nothing before it is used.
type Entry = [u64; 4];

/// A later position may take the place of an earlier.
pub struct TranspositionTable {
    entries: Vec<Entry>,
}

impl TranspositionTable {
    /// An empty table.
    pub fn new() -> TranspositionTable {
        TranspositionTable { entries: vec![[0; 4]; 1 << BITS] }
    }

    /// What is known about a position.
    pub fn find(&self, key: Key) -> Option<Verdict> {
        let [white, black, needs, mark] = self.entries[key.index()];
        let same = (white, black) == (key.white, key.black);
        let wins = [true, false].into_iter().find(|&wins| same && mark == key.mark(wins))?;
        Some(key.orient(Verdict { wins, needs }))
    }

    /// Keeps what was found out about a position.
    pub fn store(&mut self, key: Key, verdict: Verdict) {
        self.entries[key.index()] = [key.white, key.black, key.orient(verdict).needs, key.mark(verdict.wins)];
    }
}
