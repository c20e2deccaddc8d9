//! Moves as values, for players that choose among them without writing and reading text.

use super::Game;
use super::grid::Cell;
use super::hex::{self, Hex};
use super::okupacio::{Action, Okupacio};
use super::rhex::Rhex;
use super::xinez::{self, Xinez};

/// A game whose moves are values of a type of its own.
pub trait Moves: Game {
    /// A move.
    type Move;

    /// Makes a legal move for the seat whose turn it is.
    fn make_move(&mut self, mv: Self::Move);

    /// How many moves have been made.
    fn plies(&self) -> usize;
}

impl Moves for Hex {
    type Move = hex::Move;

    fn make_move(&mut self, mv: hex::Move) {
        self.make(mv);
    }

    fn plies(&self) -> usize {
        self.plies().into()
    }
}

impl Moves for Rhex {
    type Move = Cell;

    fn make_move(&mut self, cell: Cell) {
        self.place(cell);
    }

    fn plies(&self) -> usize {
        self.plies().into()
    }
}

impl Moves for Okupacio {
    type Move = Action;

    fn make_move(&mut self, action: Action) {
        self.act_and_exclude(action);
    }

    fn plies(&self) -> usize {
        self.plies().into()
    }
}

impl Moves for Xinez {
    type Move = xinez::Move;

    fn make_move(&mut self, mv: xinez::Move) {
        self.make(mv);
    }

    fn plies(&self) -> usize {
        self.actions()
    }
}
