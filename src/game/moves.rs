//! Moves as values, for players that choose among them without writing and reading text.

use super::rules::Game;

/// A game whose moves are values of a type of its own.
pub trait Moves: Game {
    /// A move.
    type Move;

    /// Makes a legal move for the seat whose turn it is.
    fn make_move(&mut self, mv: Self::Move);

    /// How many moves have been made.
    fn plies(&self) -> usize;
}
