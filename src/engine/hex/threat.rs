//! What the next move can decide: a side threatens to win if a single move makes its chain unbreakable.

use super::board::{Board, Spot};
use super::connection::Connections;
use crate::game::hex::Side;

/// The moves that would win for a side at once, were it its turn, each with the empty cells that it needs to: its own, and
/// those that the chain counts on which it completes.
pub fn threats<'a>(
    board: &'a Board,
    side: Side,
    connections: &'a mut Connections,
) -> impl Iterator<Item = (Spot, Vec<Spot>)> + 'a {
    board.empty().filter_map(move |spot| {
        let mut after = board.clone();
        after.put(spot, side);
        let mut needed = connections.chain(&after, side)?;
        needed.retain(|&cell| board.is_empty(cell));
        Some((spot, needed))
    })
}

/// The moves of the side to move that meet every threat of the other side. All others lose, and if there are none, the
/// game is lost.
pub fn must_play(board: &Board, connections: &mut Connections) -> Vec<Spot> {
    let mut moves: Vec<Spot> = board.empty().collect();
    for (_, needed) in threats(board, board.to_move().other(), connections) {
        moves.retain(|spot| needed.contains(spot));
    }
    moves
}
