//! The transposition table: what the search knows of positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::cell_set::CellSet;
use super::position::Position;
use super::topology::Topology;
use crate::game::hex::Side;

/// How hard it is to find out who wins a position, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// For the side to move to be proven to win; 0 if it is.
    pub proof: u32,
    /// For it to be proven to lose; 0 if it is.
    pub disproof: u32,
}

impl Numbers {
    /// More than any effort.
    pub const INFINITE: u32 = u32::MAX / 4;
    /// Of a position of which nothing is known.
    pub const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1 };

    /// Of a position that is decided.
    pub fn decided(wins: bool) -> Numbers {
        match wins {
            true => Numbers { proof: 0, disproof: Numbers::INFINITE },
            false => Numbers { proof: Numbers::INFINITE, disproof: 0 },
        }
    }

    /// Whether the side to move wins, if that is known.
    pub fn wins(self) -> Option<bool> {
        match self {
            Numbers { proof: 0, .. } => Some(true),
            Numbers { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// What is known of a position.
#[derive(Clone)]
pub struct Entry<const W: usize> {
    pub numbers: Numbers,
    /// Positions that were expanded to find that out.
    pub work: u32,
    /// The empty cells that the winner needs; as long as there is none, those that the other side needs against the moves that
    /// are not left.
    pub needs: CellSet<W>,
    /// The moves that are left, best first.
    pub moves: Box<[u8]>,
}

impl<const W: usize> Entry<W> {
    fn turned(self, cells: usize) -> Self {
        let moves = self.moves.iter().map(|&cell| (cells - 1) as u8 - cell).collect();
        Entry { needs: self.needs.turned(cells), moves, ..self }
    }
}

/// Under what a position is kept: itself or, which is the same game, turned by half a circle.
#[derive(Clone, Copy)]
pub struct Key<const W: usize> {
    stones: [CellSet<W>; 2],
    to_move: Side,
    /// Whether it is turned.
    turned: bool,
    cells: usize,
}

impl<const W: usize> Key<W> {
    /// The key of a position.
    pub fn of(topology: &Topology<W>, position: &Position<W>) -> Self {
        let cells = topology.cells();
        let other = position.stones.map(|stones| stones.turned(cells));
        let turned = other < position.stones;
        let stones = if turned { other } else { position.stones };
        Key { stones, to_move: position.to_move, turned, cells }
    }
}

/// When there are more entries than this to a word, those of the least work are forgotten. It fills a hash table of four million.
const MOST_ENTRIES: usize = 3_600_000;

/// The table.
pub struct TranspositionTable<const W: usize> {
    entries: HashMap<([CellSet<W>; 2], Side), Entry<W>, BuildHasherDefault<Mixer>>,
}

impl<const W: usize> TranspositionTable<W> {
    /// An empty table.
    pub fn new() -> Self {
        TranspositionTable { entries: HashMap::default() }
    }

    /// What is known of a position.
    pub fn find(&self, key: &Key<W>) -> Option<Entry<W>> {
        let entry = self.entries.get(&(key.stones, key.to_move))?.clone();
        Some(if key.turned { entry.turned(key.cells) } else { entry })
    }

    /// Who wins a position, as far as is known, and the cells that are needed for that.
    pub fn numbers(&self, key: &Key<W>) -> Option<(Numbers, CellSet<W>)> {
        let Entry { numbers, needs, .. } = self.entries.get(&(key.stones, key.to_move))?;
        Some((*numbers, if key.turned { needs.turned(key.cells) } else { *needs }))
    }

    /// Keeps what was found out about a position.
    pub fn store(&mut self, key: &Key<W>, entry: Entry<W>) {
        let entry = if key.turned { entry.turned(key.cells) } else { entry };
        self.entries.insert((key.stones, key.to_move), entry);
        let mut least = 1;
        while self.entries.len() > MOST_ENTRIES / W {
            least *= 2;
            self.entries.retain(|_, entry| entry.work >= least);
        }
    }
}

/// A quick hash, for keys that no enemy chooses.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.write_u64(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        // The factor is odd and otherwise arbitrary; the upper bits of a product depend on all lower ones.
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
