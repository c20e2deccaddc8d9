//! What a program speaks, and the conversation that the referee has with it.
//!
//! The table knows a program only by its [`Dialogue`]: what to tell it, how to ask it for a move, and what the lines mean
//! that it writes. A further protocol is one file here and one entry in [`Protocol`].

mod htp;
mod plain;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Terms;
use super::verdict::Reason;
use crate::game::{Game, Refusal, Seat, hex};

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Moves on lines of their own, as the hand-outs have it.
    Plain,
    /// HTP, in which Hex engines and their front ends talk: commands, and an answer to each.
    Htp,
}

impl Protocol {
    /// Whether a game can be played in it.
    pub fn plays(self, game: &str) -> bool {
        match self {
            Protocol::Plain => true,
            Protocol::Htp => game == hex::RULES.name,
        }
    }

    /// What a program at this seat is started with, on top of its own arguments.
    pub fn arguments(self, game: &dyn Game, seat: Seat, board_file: &str, debug: bool) -> Vec<String> {
        match self {
            Protocol::Plain => {
                let mut arguments = game.arguments(seat, board_file);
                arguments.extend(debug.then(|| "d".to_owned()));
                arguments
            }
            Protocol::Htp => Vec::new(),
        }
    }

    /// A new conversation, with commands to begin with and first moves of the game, if the protocol has a place for them.
    pub(super) fn dialogue(self, setup: Vec<String>, opening: &str) -> Box<dyn Dialogue> {
        match self {
            Protocol::Plain => Box::new(plain::Plain),
            Protocol::Htp => Box::new(htp::Htp::new(setup, opening)),
        }
    }
}

/// What a line of a program means.
pub(super) enum Heard<'a> {
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
    /// The program does not do what its protocol asks for, and cannot play: why it loses, in words that follow its name.
    Fault(Reason, String),
}

/// The conversation with one program. What is to be sent is appended to `out`.
pub(super) trait Dialogue: Send {
    /// The program has been started.
    fn begin(&mut self, _game: &dyn Game, _terms: &Terms, _out: &mut String) {}

    /// The program at `seat` hears of the last move, which was made by `mover`.
    fn tell(&mut self, game: &dyn Game, mover: Seat, seat: Seat, out: &mut String);

    /// A move that is made on the program's behalf, if it cannot be asked to make it itself.
    fn prepared(&self, _ply: usize) -> Option<&str> {
        None
    }

    /// It is the turn of the program at `seat`, which has this much left on its clock.
    fn ask(&mut self, _game: &dyn Game, _seat: Seat, _left: Duration, _out: &mut String) {}

    /// Its move was not allowed, and it may make another.
    fn ask_again(&mut self, _game: &dyn Game, _seat: Seat, _out: &mut String) {}

    /// The program has written a line.
    fn hear<'a>(&mut self, line: &'a str, game: &dyn Game, out: &mut String) -> Heard<'a>;

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
