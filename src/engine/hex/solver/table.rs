//! Positions that were solved.

use super::{Cells, Verdict, cells};
use crate::engine::hex::board::{Board, Stone};
use crate::game::hex::Side;

/// A position or, which is the same game, that position turned by half a circle: the stones of either side. Whoever has
/// fewer of them, or else white, is to move.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Stones {
    white: Cells,
    black: Cells,
    black_to_move: bool,
}

/// Where a position is found.
#[derive(Clone, Copy)]
pub struct Key {
    stones: Stones,
    /// Whether it is kept turned.
    turned: bool,
    size: u8,
}

impl Key {
    /// The key of a position.
    pub fn of(board: &Board) -> Key {
        let of = |stone| cells(board, board.spots().filter(|&spot| board.stone(spot) == stone));
        let (white, black) = (of(Stone::White), of(Stone::Black));
        let size = board.size();
        let (white_turned, black_turned) = (turn(white, size), turn(black, size));
        let turned = (white_turned, black_turned) < (white, black);
        let (white, black) = if turned { (white_turned, black_turned) } else { (white, black) };
        Key { stones: Stones { white, black, black_to_move: board.to_move() == Side::Black }, turned, size }
    }

    /// Where in the table it belongs.
    fn index(&self) -> usize {
        // The factors are odd and else arbitrary; the upper bits of products depend on all lower ones.
        let Stones { white, black, black_to_move } = self.stones;
        let mixed = white.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (black ^ u64::from(black_to_move)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(32);
        (mixed.wrapping_mul(0x94d0_49bb_1331_11eb) >> (64 - BITS)) as usize
    }
}

/// Cells of a board turned by half a circle.
fn turn(cells: Cells, size: u8) -> Cells {
    cells.reverse_bits() >> (64 - u32::from(size) * u32::from(size))
}

/// The table has two to the power of this many entries.
const BITS: u32 = 20;

/// A later position may take the place of an earlier.
pub struct Table {
    entries: Vec<(Stones, Verdict)>,
}

impl Table {
    /// An empty table, which takes no memory yet.
    pub fn new() -> Table {
        Table { entries: Vec::new() }
    }

    /// What is known about a position.
    pub fn find(&self, key: Key) -> Option<Verdict> {
        let &(stones, verdict) = self.entries.get(key.index())?;
        (stones == key.stones && stones != Stones::default()).then(|| key.orient(verdict))
    }

    /// Keeps what was found out about a position.
    pub fn store(&mut self, key: Key, verdict: Verdict) {
        if self.entries.is_empty() {
            self.entries.resize(1 << BITS, Default::default());
        }
        self.entries[key.index()] = (key.stones, key.orient(verdict));
    }
}

impl Key {
    /// A verdict as it is kept, or one that was kept as it is: turning twice changes nothing.
    fn orient(&self, verdict: Verdict) -> Verdict {
        let needs = if self.turned { turn(verdict.needs, self.size) } else { verdict.needs };
        Verdict { needs, ..verdict }
    }
}
