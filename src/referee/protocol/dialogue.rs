//! The conversation that the referee has with a program.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use crate::game::{Game, Refusal, Seat};
use crate::record::{Fault, Terms};

/// What a line of a program means.
pub enum Heard<'a> {
    /// A move.
    Move {
        /// As the game reads it.
        text: Cow<'a, str>,
        /// As the program said it.
        said: Cow<'a, str>,
    },
    /// Something in the place of a move, which is none.
    Refused {
        /// Why not.
        refusal: Refusal,
        /// As the program said it.
        said: Cow<'a, str>,
    },
    /// The program gives up.
    Resigned,
    /// Part of the conversation.
    Talk,
    /// Nothing, which does no harm as long as it is not too much.
    Filler,
    /// The program does not do what its protocol asks for, and cannot play.
    Fault(Fault),
}

/// The conversation with one program. What is to be sent is appended to `out`.
pub trait Dialogue: Send {
    /// The program has been started.
    fn begin(&mut self, _terms: &Terms, _out: &mut String) {}

    /// The program at `seat` hears of the last move, which was made by `mover`.
    fn tell(&mut self, game: &dyn Game, mover: Seat, seat: Seat, out: &mut String);

    /// A move that is made on the program's behalf, if it cannot be asked to make it itself.
    fn prepared(&self, _ply: usize) -> Option<&str> {
        None
    }

    /// It is the turn of the program at `seat`, which has this much left on its clock.
    fn ask(&mut self, _seat: Seat, _left: Duration, _out: &mut String) {}

    /// Its move was not allowed, and it may make another.
    fn ask_again(&mut self, _seat: Seat, _out: &mut String) {}

    /// The program has written a line.
    fn hear<'a>(&mut self, line: &'a str, out: &mut String) -> Heard<'a>;

    /// When the program had come up, if it has; `heard` is when its first byte was seen.
    fn came_up(&self, heard: Option<Instant>) -> Option<Instant> {
        heard
    }

    /// What the program owes, in words that follow "it".
    fn owes(&self) -> Option<String> {
        None
    }

    /// The game is over.
    fn end(&self, _out: &mut String) {}
}
