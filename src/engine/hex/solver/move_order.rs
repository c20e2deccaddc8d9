//! In which order moves are tried: first those that lie on short ways of both sides.
//!
//! How far a cell is from an edge is counted as if the other side always blocked the best way on: a cell is one further away
//! than the second nearest of its neighbours (the two-distance of Queenbee; van Rijswijck, 2002). Stones of the same side that touch
//! count as one, and so have the neighbours of all.

use super::cell_set::CellSet;
use super::position::Position;
use super::topology::Topology;
use crate::game::hex::Side;

/// No way leads here.
const FAR: u8 = 20;

/// A number for each cell.
type Distances<const W: usize> = [[u8; 64]; W];

/// The empty cells of a set, best first.
pub fn sort<const W: usize>(topology: &Topology<W>, position: &Position<W>, cells: CellSet<W>) -> Vec<u8> {
    let distances = [Side::White, Side::Black].map(|side| both_ways(topology, position, side));
    let far = |cell: usize| -> u8 {
        distances.iter().flatten().map(|distances| distances[cell / 64][cell % 64]).sum()
    };
    let mut sorted: Vec<(u8, u8)> = cells.into_iter().map(|cell| (far(cell), cell as u8)).collect();
    sorted.sort_unstable();
    sorted.into_iter().map(|(_, cell)| cell).collect()
}

/// How far each empty cell is from either edge of a side.
fn both_ways<const W: usize>(
    topology: &Topology<W>,
    position: &Position<W>,
    side: Side,
) -> [Distances<W>; 2] {
    let (own, empty) = (position.stones[side as usize], position.empty(topology));
    let reach = reach(topology, own, empty);
    topology.edges[side as usize].map(|edge| {
        // What touches a stone that touches the edge touches it too.
        let joined = topology.flood(edge & own, own);
        let touching = (edge | topology.around_all(joined)) & empty;
        distances(&reach, empty, touching)
    })
}

/// For each empty cell the empty cells that it touches, directly or by stones.
fn reach<const W: usize>(
    topology: &Topology<W>,
    own: CellSet<W>,
    empty: CellSet<W>,
) -> [[CellSet<W>; 64]; W] {
    let mut reach = [[CellSet::EMPTY; 64]; W];
    for cell in empty {
        reach[cell / 64][cell % 64] = topology.neighbours[cell] & empty;
    }
    let mut left = own;
    while let Some(stone) = left.first() {
        let group = topology.flood(CellSet::of(stone), left);
        left = left.without(group);
        let around = topology.around_all(group) & empty;
        for cell in around {
            reach[cell / 64][cell % 64] |= around.without(CellSet::of(cell));
        }
    }
    reach
}

fn distances<const W: usize>(
    reach: &[[CellSet<W>; 64]; W],
    empty: CellSet<W>,
    touching: CellSet<W>,
) -> Distances<W> {
    let mut distances = [[FAR; 64]; W];
    let (mut known, mut new, mut distance) = (CellSet::EMPTY, touching, 1);
    while !new.is_empty() && distance < FAR {
        new.into_iter().for_each(|cell| distances[cell / 64][cell % 64] = distance);
        known |= new;
        distance += 1;
        let near = |&cell: &usize| (reach[cell / 64][cell % 64] & known).len() >= 2;
        new = empty.without(known).into_iter().filter(near).collect();
    }
    distances
}
