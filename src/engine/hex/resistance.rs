//! Playing at first sight by the resistance heuristic: the board is a circuit of resistors between a side's edges, and the best cell is
//! the one with most current.
//!
//! Own stones conduct well, empty cells somewhat, the other side's stones not at all; bridges conduct as well as what touches
//! between two stones, half as well where one of them is yet to come, and hardly where both are.
//! Unlike the shortest path, the current tells a side with many ways from one with a single thread. The idea is Claude
//! Shannon's; see Anshelevich, "A hierarchical approach to computer Hex", 2002.

use super::board::{Board, MAX_SPOTS, Spot, Stone};
use crate::game::hex::Side;

/// What half of the way through an empty cell resists, and through a stone.
const EMPTY: f32 = 1.0;
const STONE: f32 = 0.05;
/// What a bridge conducts, beside what touches, by how many of its two ends are empty.
const BRIDGE: [f32; 3] = [1.0, 0.5, 0.1];
/// What the other side's current counts, beside one's own.
const OTHER: f32 = 0.35;
/// Sweeps over the board until the potentials have settled well enough.
const SWEEPS: usize = 60;
/// Successive over-relaxation: how far each sweep goes, measured by what it finds.
const OVER_RELAXATION: f32 = 1.7;

/// The one of these empty cells that wins, or keeps the other side from winning, or that most current flows through;
/// dice decide among equals.
///
/// # Panics
/// If there is none.
pub fn choose(board: &Board, spots: &[Spot], rng: &mut fastrand::Rng) -> Spot {
    let sides = [board.to_move(), board.to_move().other()];
    let by_side = sides.map(|side| currents(board, side));
    let merit = |spot: Spot| {
        let [wins, saves] = sides.map(|side| {
            let mut after = board.clone();
            after.put(spot, side);
            after.winner().is_some()
        });
        let [own, other] = by_side.each_ref().map(|currents| currents[usize::from(spot)]);
        (wins, saves, own + OTHER * other)
    };
    let mut cells: Vec<((bool, bool, f32), Spot)> = spots.iter().map(|&spot| (merit(spot), spot)).collect();
    rng.shuffle(&mut cells);
    let best = cells.into_iter().max_by(|(one, _), (other, _)| {
        (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2))
    });
    best.expect("there is a cell to choose").1
}

/// A connection, and how well it conducts.
struct Wire {
    to: Spot,
    conductance: f32,
}

/// The share of a side's current that flows through each cell.
fn currents(board: &Board, side: Side) -> [f32; MAX_SPOTS] {
    let nodes: Vec<(Spot, Vec<Wire>)> = board
        .spots()
        .filter_map(|spot| Some((spot, wires(board, side, spot, resistance(board, side, spot)?))))
        .collect();
    let depth = |spot: Spot| match side {
        Side::White => spot / board.stride(),
        Side::Black => spot % board.stride(),
    };
    // The near edge is at the highest potential, and the far edge at none; nothing conducts to the other side's edges.
    let mut potential: [f32; MAX_SPOTS] = std::array::from_fn(|spot| f32::from(depth(spot as Spot) == 0));
    for _ in 0..SWEEPS {
        for (spot, wires) in &nodes {
            let conductance: f32 = wires.iter().map(|wire| wire.conductance).sum();
            let inward: f32 =
                wires.iter().map(|wire| wire.conductance * potential[usize::from(wire.to)]).sum();
            let here = &mut potential[usize::from(*spot)];
            *here += OVER_RELAXATION * (inward / conductance.max(f32::MIN_POSITIVE) - *here);
        }
    }
    let mut currents = [0.0; MAX_SPOTS];
    let mut whole = 0.0;
    for (spot, wires) in &nodes {
        for wire in wires {
            let current =
                wire.conductance * (potential[usize::from(*spot)] - potential[usize::from(wire.to)]);
            currents[usize::from(*spot)] += current.max(0.0);
            if depth(wire.to) == board.stride() - 1 {
                whole += current;
            }
        }
    }
    currents.iter_mut().for_each(|share| *share /= whole.max(f32::MIN_POSITIVE));
    currents
}

fn resistance(board: &Board, side: Side, spot: Spot) -> Option<f32> {
    match board.stone(spot) {
        Stone::Empty => Some(EMPTY),
        stone if stone == Stone::from(side) => Some(STONE),
        _ => None,
    }
}

/// What a cell of a given resistance is connected with, by touching or by a bridge.
fn wires(board: &Board, side: Side, spot: Spot, own: f32) -> Vec<Wire> {
    let around = board.around(spot);
    let mut ends = around.map(|end| (end, 1.0)).to_vec();
    for (index, &one) in around.iter().enumerate() {
        let other = around[(index + 1) % around.len()];
        // Where both cells between are on the board, the one beyond is on it or painted.
        if board.is_empty(one) && board.is_empty(other) {
            let end = one + other - spot;
            let empty = [spot, end].into_iter().filter(|&cell| board.is_empty(cell)).count();
            ends.push((end, BRIDGE[empty]));
        }
    }
    let wire = |(to, share): (Spot, f32)| {
        Some(Wire { to, conductance: share / (own + resistance(board, side, to)?) })
    };
    ends.into_iter().filter_map(wire).collect()
}
