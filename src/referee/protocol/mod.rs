//! What a program speaks.
//!
//! The game loop knows a program only by its [`Dialogue`]: what to tell it, how to ask it for a move, and what the lines mean
//! that it writes. A further protocol is one file here and one entry in [`Protocol`].

mod dialogue;
mod htp;
mod plain;

use serde::{Deserialize, Serialize};

pub use dialogue::{Dialogue, Heard};

use crate::game::{Board, Game, Seat, hex};

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

    /// A new conversation about a game on this board, with commands to begin with and first moves of the game, if the
    /// protocol has a place for them.
    pub fn dialogue(self, board: &Board, commands: Vec<String>, opening: Option<&str>) -> Box<dyn Dialogue> {
        match self {
            Protocol::Plain => Box::new(plain::Plain),
            Protocol::Htp => Box::new(htp::Htp::new(board.size, commands, opening.unwrap_or_default())),
        }
    }
}
