//! In which order moves are tried: first those that lie on short ways of both sides.
//!
//! How far a cell is from an edge is counted as if the other side always blocked the best way on: a cell is one further away
//! than the second nearest of its neighbours. Stones of the same side that touch count as one, and so have the neighbours of
//! all.

use super::cell_set::{self, CellSet, bit};
use crate::engine::hex::board::{Board, Spot, Stone};
use crate::game::grid::Grid;
use crate::game::hex::Side;

/// No way leads here.
const FAR: u8 = 20;

/// What is the same for all positions of a board.
pub struct MoveOrder {
    size: u8,
    neighbours: Vec<CellSet>,
}

impl MoveOrder {
    /// For boards of a size.
    pub fn new(size: u8) -> MoveOrder {
        let grid = Grid::new(size);
        let around = |cell| grid.neighbours(cell).fold(0, |set, next| set | 1 << grid.index(next));
        MoveOrder { size, neighbours: grid.all().map(around).collect() }
    }

    /// The size of the boards.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The empty cells of a set, best first.
    pub fn sort(&self, board: &Board, cells: CellSet) -> Vec<Spot> {
        let distances = [Side::White, Side::Black].map(|side| self.distances(board, side));
        let far = |spot: Spot| -> u8 {
            let index = board.grid().index(board.cell(spot));
            distances.iter().flatten().map(|distances| distances[index]).sum()
        };
        let mut spots: Vec<(u8, Spot)> = board
            .empty()
            .filter(|&spot| cells & bit(board, spot) != 0)
            .map(|spot| (far(spot), spot))
            .collect();
        spots.sort();
        spots.into_iter().map(|(_, spot)| spot).collect()
    }

    /// How far each empty cell is from either edge of a side.
    fn distances(&self, board: &Board, side: Side) -> [[u8; 64]; 2] {
        let of = |stone| cell_set::cells(board, board.spots().filter(|&spot| board.stone(spot) == stone));
        let (own, empty) = (of(side.into()), of(Stone::Empty));
        let reach = self.reach(own, empty);
        let line = |index: u8| -> CellSet {
            let size = self.size;
            let number = |along: u8| match side {
                Side::White => index * size + along,
                Side::Black => along * size + index,
            };
            (0..size).fold(0, |set, along| set | 1 << number(along))
        };
        [0, self.size - 1].map(|index| {
            let edge = line(index);
            // What touches a stone that touches the edge touches it too.
            let mut touching = edge & empty;
            let mut joined = self.flood(edge & own, own);
            while joined != 0 {
                touching |= self.neighbours[joined.trailing_zeros() as usize] & empty;
                joined &= joined - 1;
            }
            distances(&reach, empty, touching)
        })
    }

    /// For each empty cell the empty cells that it touches, directly or by stones.
    fn reach(&self, own: CellSet, empty: CellSet) -> [CellSet; 64] {
        let mut reach = [0; 64];
        for cell in each(empty) {
            reach[cell] = self.neighbours[cell] & empty;
        }
        let mut left = own;
        while left != 0 {
            let group = self.flood(left & left.wrapping_neg(), own);
            left &= !group;
            let around = each(group).fold(0, |set, stone| set | self.neighbours[stone]) & empty;
            for cell in each(around) {
                reach[cell] |= around & !(1 << cell);
            }
        }
        reach
    }

    /// All cells of a set that are connected to some of its cells.
    fn flood(&self, some: CellSet, within: CellSet) -> CellSet {
        let (mut found, mut new) = (some, some);
        while new != 0 {
            let around = each(new).fold(0, |set, cell| set | self.neighbours[cell]);
            new = around & within & !found;
            found |= new;
        }
        found
    }
}

fn distances(reach: &[CellSet; 64], empty: CellSet, touching: CellSet) -> [u8; 64] {
    let mut distances = [FAR; 64];
    let (mut known, mut new, mut distance) = (0, touching, 1);
    while new != 0 {
        each(new).for_each(|cell| distances[cell] = distance);
        known |= new;
        distance += 1;
        let near = |&cell: &usize| (reach[cell] & known).count_ones() >= 2;
        new = each(empty & !known).filter(near).fold(0, |set, cell| set | 1 << cell);
    }
    distances
}

/// The numbers of the cells of a set.
fn each(mut cells: CellSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (cells != 0).then_some(cells.trailing_zeros() as usize)?;
        cells &= cells - 1;
        Some(next)
    })
}
