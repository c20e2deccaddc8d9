//! What is the same for all positions of a board: which cells touch which, and which patterns of stones leave a cell dead.

use super::cell_set::CellSet;
use crate::game::hex::Side;

/// The steps from a cell to its neighbours as (rows, columns), in the order of a walk around it: each is opposite to the third after it.
const STEPS: [(isize, isize); 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];

/// The stones around a cell, two bits for each step: 0 where there is none, 1 for white and 2 for black. The edges are stones.
pub type Ring = u16;

/// A stone in a ring.
#[inline]
pub fn in_ring(side: Side, step: usize) -> Ring {
    (side as Ring + 1) << (2 * step)
}

/// Two cells that touch both of two others, which do not touch: stones there form a bridge.
#[derive(Clone, Copy)]
pub struct Bridge<const W: usize> {
    pub to: usize,
    pub between: CellSet<W>,
}

/// A board without its stones.
pub struct Topology<const W: usize> {
    pub size: usize,
    pub all: CellSet<W>,
    /// The neighbours of each cell by step, with that step.
    pub around: Vec<Vec<(usize, usize)>>,
    pub neighbours: Vec<CellSet<W>>,
    pub bridges: Vec<Vec<Bridge<W>>>,
    /// By side, the cells along its two edges.
    pub edges: [[CellSet<W>; 2]; 2],
    /// The ring of each cell of the empty board.
    pub rings: Vec<Ring>,
    dead: Vec<bool>,
}

impl<const W: usize> Topology<W> {
    pub fn new(size: u8) -> Self {
        let size = usize::from(size);
        let number = |row: isize, column: isize| {
            let inside = |at: isize| (0..size as isize).contains(&at);
            (inside(row) && inside(column)).then(|| row as usize * size + column as usize)
        };
        let cells = || (0..size * size).map(|cell| ((cell / size) as isize, (cell % size) as isize));
        let around: Vec<Vec<(usize, usize)>> = cells()
            .map(|(row, column)| {
                let neighbour = |(step, (down, right)): (usize, &(isize, isize))| {
                    Some((step, number(row + down, column + right)?))
                };
                STEPS.iter().enumerate().filter_map(neighbour).collect()
            })
            .collect();
        let bridges = cells().map(|(row, column)| {
            let bridge = |step: usize| {
                let (one, other) = (STEPS[step], STEPS[(step + 1) % 6]);
                let to = number(row + one.0 + other.0, column + one.1 + other.1)?;
                let between = [one, other].map(|(down, right)| number(row + down, column + right));
                let [Some(one), Some(other)] = between else { return None };
                Some(Bridge { to, between: CellSet::of(one) | CellSet::of(other) })
            };
            (0..6).filter_map(bridge).collect()
        });
        let rings = cells().map(|(row, column)| {
            let stone =
                |(step, &(down, right)): (usize, &(isize, isize))| match number(row + down, column + right) {
                    Some(_) => 0,
                    // Beyond a corner lie both edges; what touches it touches white's anyway.
                    None if (0..size as isize).contains(&(row + down)) => in_ring(Side::Black, step),
                    None => in_ring(Side::White, step),
                };
            STEPS.iter().enumerate().map(stone).sum()
        });
        let line = |of: &dyn Fn(usize) -> usize| (0..size).map(of).collect();
        Topology {
            size,
            all: CellSet::first_cells(size * size),
            neighbours: around.iter().map(|around| around.iter().map(|&(_, cell)| cell).collect()).collect(),
            bridges: bridges.collect(),
            edges: [
                [line(&|along| along), line(&|along| (size - 1) * size + along)],
                [line(&|along| along * size), line(&|along| along * size + size - 1)],
            ],
            rings: rings.collect(),
            dead: (0..1 << 12).map(is_dead).collect(),
            around,
        }
    }

    pub fn cells(&self) -> usize {
        self.size * self.size
    }

    /// Whether a cell with these stones around it is dead: no shortest way of either side leads through it, whatever is yet played.
    #[inline]
    pub fn is_dead(&self, ring: Ring) -> bool {
        self.dead[usize::from(ring)]
    }

    /// The cells that touch some of a set, and maybe cells of the set.
    pub fn around_all(&self, cells: CellSet<W>) -> CellSet<W> {
        cells.into_iter().fold(CellSet::EMPTY, |set, cell| set | self.neighbours[cell])
    }

    /// All cells of a set that are connected to some of its cells.
    pub fn flood(&self, some: CellSet<W>, within: CellSet<W>) -> CellSet<W> {
        let (mut found, mut new) = (some, some);
        while let Some(cell) = new.pop() {
            let next = (self.neighbours[cell] & within).without(found);
            found |= next;
            new |= next;
        }
        found
    }
}

/// A way through a cell is of use only if it joins two stones that are not joined around the cell, which takes two stretches of
/// each colour around it.
fn is_dead(ring: Ring) -> bool {
    let stone = |step: usize| ring >> (2 * (step % 6)) & 3;
    if let Some(step) = (0..6).find(|&step| stone(step) == 0) {
        return [Side::White, Side::Black].into_iter().all(|side| is_dead(ring | in_ring(side, step)));
    }
    (0..6).filter(|&step| stone(step) != stone(step + 1)).count() <= 2
}
