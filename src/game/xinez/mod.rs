//! Xadrez Xinez, Chinese checkers: up to six players on a star-shaped board bring their pieces into the opposite point by
//! steps and by chains of jumps. The first who has all its pieces there wins.
//!
//! Who cannot move passes, without being asked. Who withdraws passes for ever, and its pieces stay where they are.

pub mod cells;
mod drawing;
mod hints;
mod players;
mod position;
mod rules;
pub mod star;

pub use cells::Cell;
pub use players::Players;
pub use position::{Fault, Move, Position};
pub use rules::{ROUNDS, RULES, Xinez};
pub use star::{Player, Star};
