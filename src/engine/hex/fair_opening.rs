//! Opening a game with the pie rule: a first move that is equally good to swap and to leave.

use std::time::Instant;

use super::board::{Board, Spot};
use super::evaluator::Evaluator;
use crate::game::grid::Cell;

/// A first move that gives neither side more than the other, as far as the network can tell by then.
pub fn fair_opening(
    evaluator: &mut Evaluator,
    empty: &Board,
    deadline: Option<Instant>,
    rng: &mut fastrand::Rng,
) -> Spot {
    let mut spots = openings(empty);
    rng.shuffle(&mut spots);
    let mut evaluated = Vec::new();
    for spot in spots {
        let mut board = empty.clone();
        board.play(spot);
        evaluated.push((evaluator.evaluate(&board).value.abs(), spot));
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
    }
    evaluated.sort_by(|one, other| one.0.total_cmp(&other.0));
    // One of the fairest few, so that games differ.
    let fairest = evaluated[0].0;
    evaluated.retain(|(unfairness, _)| *unfairness <= fairest + 0.05);
    evaluated[rng.usize(..evaluated.len())].1
}

/// First moves worth evaluating: those near an edge, since all others are too strong, and of each two that are the same but for
/// half a turn, one.
fn openings(empty: &Board) -> Vec<Spot> {
    let last = empty.size() - 1;
    let near = |spot: &Spot| {
        let Cell { row, column } = empty.cell(*spot);
        let depth = row.min(column).min(last - row).min(last - column);
        depth < 2 && (row, column) <= (last - row, last - column)
    };
    empty.spots().filter(near).collect()
}
