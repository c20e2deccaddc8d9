//! The hand-out's robot: it makes the move that gains most at once.

use crate::game::Game;
use crate::game::xinez::{Move, Player, Position, Xinez};

/// The robot's move for the player whose turn it is: the move that adds most to the sum of w; of several, the one with the
/// smallest origin, and then with the smallest destination.
///
/// # Panics
/// If the game is over.
pub fn greedy(game: &Xinez) -> Move {
    let mv = greedy_move(game.position(), game.player(game.turn()));
    mv.expect("the player whose turn it is has a move: one that cannot move has passed already")
}

/// The robot's move for a player in some position, if it can move.
pub fn greedy_move(position: &Position, player: Player) -> Option<Move> {
    let w = &position.star().view(player).w;
    // Of equal ones the first is taken, and moves come in that order.
    position.moves(player).min_by_key(|mv| w[mv.from.index()] - w[mv.to.index()])
}
