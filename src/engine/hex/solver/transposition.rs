//! The transposition table: what the search knows of positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::cell_set::CellSet;
use super::position::Position;
use super::topology::Topology;
use crate::game::hex::Side;

/// A proof number that stands for infinity.
pub const INFINITE: u32 = u32::MAX / 2;
/// When there are more entries than this, those that took the least work are forgotten.
const MOST_ENTRIES: usize = 4_000_000;

/// What is known of a position.
#[derive(Clone)]
pub struct Entry<const W: usize> {
    /// How hard it is at least to prove that the side to move wins: 0 if it does.
    pub proof: u32,
    /// How hard it is at least to prove that it loses: 0 if it does.
    pub disproof: u32,
    /// Positions that were expanded for it.
    pub work: u32,
    /// The empty cells that the winner needs, or, as long as there is none, what the other side needs against the moves that are not
    /// left.
    pub needs: CellSet<W>,
    /// The moves that are left, best first.
    pub moves: Box<[u8]>,
}

/// Under what a position is kept: itself or, which is the same game, turned by half a circle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key<const W: usize> {
    stones: [CellSet<W>; 2],
    to_move: Side,
}

impl<const W: usize> std::hash::Hash for Key<W> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stones.iter().for_each(|stones| stones.hash(state));
        state.write_u8(self.to_move as u8);
    }
}

impl<const W: usize> Key<W> {
    /// The key of a position, and whether that is turned.
    pub fn of(topology: &Topology<W>, position: &Position<W>) -> (Self, bool) {
        let turned = position.stones.map(|stones| stones.turned(topology.cells()));
        let is_turned = turned < position.stones;
        let stones = if is_turned { turned } else { position.stones };
        (Key { stones, to_move: position.to_move }, is_turned)
    }
}

/// Multiplies and rotates: keys are not chosen by an enemy.
#[derive(Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.write_u64(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// The table.
pub struct TranspositionTable<const W: usize> {
    entries: HashMap<Key<W>, Entry<W>, BuildHasherDefault<Mixer>>,
}

impl<const W: usize> TranspositionTable<W> {
    pub fn new() -> Self {
        TranspositionTable { entries: HashMap::default() }
    }

    pub fn find(&self, key: &Key<W>) -> Option<&Entry<W>> {
        self.entries.get(key)
    }

    pub fn store(&mut self, key: Key<W>, entry: Entry<W>) {
        self.entries.insert(key, entry);
        let mut least = 1;
        while self.entries.len() > MOST_ENTRIES {
            least *= 2;
            self.entries.retain(|_, entry| entry.work >= least);
        }
    }
}
