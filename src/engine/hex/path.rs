//! Playing by the shortest path: how many stones each side still needs.

use std::collections::VecDeque;

use crate::game::grid::{Cell, Grid, MAX_CELLS};
use crate::game::hex::{Hex, Move, Side};

/// No way leads here.
const FAR: u16 = u16::MAX / 4;

/// The cell that does most for the own path and against the other's; dice decide among equals.
pub fn choose(game: &Hex, rng: &mut fastrand::Rng) -> Move {
    let own = game.side_to_move();
    let (ours, theirs) = (PathLengths::new(game, own), PathLengths::new(game, own.other()));
    let grid = game.grid();
    let centre = i32::from(grid.size()) - 1;
    let value = |cell: Cell| {
        let (attack, defence) = (ours.through(grid, cell), theirs.through(grid, cell));
        let off_centre =
            (2 * i32::from(cell.row) - centre).abs() + (2 * i32::from(cell.column) - centre).abs();
        (attack + defence, off_centre)
    };
    let best = grid.all().filter(|&cell| game.stone(cell).is_none()).map(value).min();
    let equal = |&cell: &Cell| game.stone(cell).is_none() && Some(value(cell)) == best;
    let equals: Vec<Cell> = grid.all().filter(equal).collect();
    Move::Stone(rng.choice(equals).expect("Hex has an empty cell until it is won"))
}

/// How many stones each cell's best path still needs, counted from either edge.
struct PathLengths {
    from_near: [u16; MAX_CELLS],
    from_far: [u16; MAX_CELLS],
}

impl PathLengths {
    fn new(game: &Hex, side: Side) -> PathLengths {
        let last = game.grid().size() - 1;
        PathLengths { from_near: distances(game, side, 0), from_far: distances(game, side, last) }
    }

    /// The stones that the best path through an empty cell needs, this one included.
    fn through(&self, grid: Grid, cell: Cell) -> u16 {
        let index = grid.index(cell);
        // Both ways count the cell itself.
        (self.from_near[index] + self.from_far[index] - 1).min(FAR)
    }
}

/// Stones needed from an edge up to each cell, which counts too unless a stone is there: breadth first, own stones being
/// free.
fn distances(game: &Hex, side: Side, edge: u8) -> [u16; MAX_CELLS] {
    let grid = game.grid();
    let mut found = [FAR; MAX_CELLS];
    let mut queue = VecDeque::with_capacity(2 * grid.cells());
    let reach = |found: &mut [u16; MAX_CELLS], queue: &mut VecDeque<Cell>, cell: Cell, before: u16| {
        let cost = match game.stone(cell) {
            None => 1,
            Some(owner) if owner == side => 0,
            Some(_) => return,
        };
        let entry = &mut found[grid.index(cell)];
        if before + cost < *entry {
            *entry = before + cost;
            if cost == 0 { queue.push_front(cell) } else { queue.push_back(cell) }
        }
    };
    for along in 0..grid.size() {
        let cell = match side {
            Side::White => Cell::new(edge, along),
            Side::Black => Cell::new(along, edge),
        };
        reach(&mut found, &mut queue, cell, 0);
    }
    while let Some(cell) = queue.pop_front() {
        let here = found[grid.index(cell)];
        for next in grid.neighbours(cell) {
            reach(&mut found, &mut queue, next, here);
        }
    }
    found
}
