//! A position as the solver sees it, with its inferior cells filled in.
//!
//! A cell is dead if no stone on it can matter. Two cells are captured by a side if its answer to a stone on one, on the other, leaves
//! that stone dead; giving them both to that side changes nothing. See Björnsson, Hayward, Johanson and van Rijswijck, "Dead cell
//! analysis in Hex and the Shannon game", 2007.

use super::cell_set::CellSet;
use super::topology::{Ring, Topology, in_ring};
use crate::game::hex::Side;

/// Stones, and whose turn it is.
#[derive(Clone)]
pub struct Position<const W: usize> {
    pub stones: [CellSet<W>; 2],
    pub to_move: Side,
    rings: [[Ring; 64]; W],
}

impl<const W: usize> Position<W> {
    pub fn new(topology: &Topology<W>, stones: [CellSet<W>; 2], to_move: Side) -> Self {
        let mut position = Position { stones: [CellSet::EMPTY; 2], to_move, rings: [[0; 64]; W] };
        for (cell, &ring) in topology.rings.iter().enumerate() {
            position.rings[cell / 64][cell % 64] = ring;
        }
        for side in [Side::White, Side::Black] {
            stones[side as usize].into_iter().for_each(|cell| position.put(topology, cell, side));
        }
        position
    }

    pub fn empty(&self, topology: &Topology<W>) -> CellSet<W> {
        topology.all.without(self.stones[0] | self.stones[1])
    }

    #[inline]
    pub fn ring(&self, cell: usize) -> Ring {
        self.rings[cell / 64][cell % 64]
    }

    fn put(&mut self, topology: &Topology<W>, cell: usize, side: Side) {
        self.stones[side as usize].insert(cell);
        for &(step, next) in &topology.around[cell] {
            self.rings[next / 64][next % 64] |= in_ring(side, (step + 3) % 6);
        }
    }

    /// The position after a move, filled in, with the cells that each side has captured by that.
    pub fn after(&self, topology: &Topology<W>, cell: usize) -> (Self, [CellSet<W>; 2]) {
        let mut after = self.clone();
        after.put(topology, cell, self.to_move);
        after.to_move = self.to_move.other();
        let captured = after.fill_in(topology, topology.neighbours[cell]);
        (after, captured)
    }

    /// Fills in dead cells, with stones of white, and captured ones, as long as there are any; only some cells and what touches
    /// them have changed. Returns what was captured by each side.
    pub fn fill_in(&mut self, topology: &Topology<W>, changed: CellSet<W>) -> [CellSet<W>; 2] {
        let mut captured = [CellSet::EMPTY; 2];
        let mut empty = self.empty(topology);
        let mut changed = changed & empty;
        while let Some(cell) = changed.pop() {
            if topology.is_dead(self.ring(cell)) {
                self.put(topology, cell, Side::White);
                empty.remove(cell);
                changed |= topology.neighbours[cell] & empty;
            } else if let Some((side, other)) = self.capture(topology, cell, empty) {
                for cell in [cell, other] {
                    self.put(topology, cell, side);
                    empty.remove(cell);
                    captured[side as usize].insert(cell);
                }
                changed |= topology.neighbours[cell] | topology.neighbours[other];
                changed &= empty;
            }
        }
        captured
    }

    /// A side that has captured a cell, and the other cell of the pair.
    fn capture(&self, topology: &Topology<W>, cell: usize, empty: CellSet<W>) -> Option<(Side, usize)> {
        let ring = self.ring(cell);
        topology.around[cell].iter().filter(|&&(_, other)| empty.contains(other)).find_map(
            |&(step, other)| {
                let sides = [Side::White, Side::Black].into_iter();
                let dead = |&side: &Side| {
                    topology.is_dead(ring | in_ring(side, step))
                        && topology.is_dead(self.ring(other) | in_ring(side, (step + 3) % 6))
                };
                sides.filter(|side| dead(side)).map(|side| (side, other)).next()
            },
        )
    }

    /// The cell on which the other side, in answer to a stone on this one, leaves that dead. It is never worth a move then, as long
    /// as there is another.
    pub fn killer(&self, topology: &Topology<W>, cell: usize, empty: CellSet<W>) -> Option<usize> {
        let (ring, other) = (self.ring(cell), self.to_move.other());
        let kills = |&&(step, killer): &&(usize, usize)| {
            empty.contains(killer) && topology.is_dead(ring | in_ring(other, step))
        };
        topology.around[cell].iter().find(kills).map(|&(_, killer)| killer)
    }
}
