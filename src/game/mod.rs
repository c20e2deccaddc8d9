//! The rules of the games, and nothing else: no input or output, no clock, no threads.
//!
//! The referee and the views know a game only as a [`Game`]. A new game is one file here and one entry in [`GAMES`].

pub mod grid;
pub mod hex;
pub mod picture;
pub mod rhex;
pub mod union_find;

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use picture::Picture;

/// A place at the board, counted from 0 in order of play. A program keeps its seat for the whole game, even where
/// the rules let it change colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into a list of seats.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How the rules of a game bring it to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Hex: a side has joined its two edges.
    Connected,
    /// RHEX: a side has more than half of all tokens.
    Majority,
    /// Nobody has won.
    Draw,
}

/// A finished game: who won, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winning seat, or nobody in a draw.
    pub winner: Option<Seat>,
    /// How the rules ended it.
    pub ending: Ending,
    /// The end in one sentence, without names of programs.
    pub sentence: String,
}

/// Why a line was not played as a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The line does not have the form of a move of this game at all.
    #[error("not a move: a move is {0}")]
    NotAMove(&'static str),
    /// The line is a move, and the rules forbid it.
    #[error("{0}")]
    Illegal(String),
}

/// One game in progress, over any number of seats.
pub trait Game: Send {
    /// How many seats are at the board.
    fn seats(&self) -> usize;

    /// Whose turn it is. After the end it says nothing.
    fn turn(&self) -> Seat;

    /// Plays one line of a program for the seat whose turn it is, or says exactly why it cannot be played, in which
    /// case nothing has changed.
    fn play(&mut self, line: &str) -> Result<(), Refusal>;

    /// Appends the last move in its canonical spelling.
    fn write_move(&self, out: &mut String);

    /// Appends the lines that every seat but the mover is sent after the last move.
    fn write_news(&self, out: &mut String) {
        self.write_move(out);
        out.push('\n');
    }

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether the seats have exchanged colours.
    fn swapped(&self) -> bool {
        false
    }

    /// The side that a seat plays at this moment, in a word.
    fn side(&self, seat: Seat) -> &'static str;

    /// The arguments a program at this seat is started with.
    fn arguments(&self, seat: Seat) -> Vec<String>;

    /// The board, for whoever draws it.
    fn picture(&self) -> Picture;

    /// The board as the hand-outs have it for debugging: the letters of a line of cells with blanks between them.
    fn debug_board(&self) -> String {
        let picture = self.picture();
        let mut text = String::with_capacity(2 * picture.spots.len());
        for (index, spot) in picture.spots.iter().enumerate() {
            let row_ends = picture.spots.get(index + 1).is_none_or(|next| next.y != spot.y);
            text.push(spot.glyph);
            text.push(if row_ends { '\n' } else { ' ' });
        }
        text
    }
}

/// What has to be known of a game before one is begun.
pub struct Rules {
    /// The name on the command line and in the journal.
    pub name: &'static str,
    /// The board sizes it can be played on.
    pub sizes: RangeInclusive<u8>,
    /// The board size where none is given.
    pub default_size: u8,
    /// Sets up a new game on a board of a size among `sizes`.
    pub start: fn(u8) -> Box<dyn Game>,
    /// First moves that give neither side much of an advantage.
    pub fair_openings: fn(u8) -> Vec<String>,
}

/// Every game that can be played.
pub static GAMES: &[Rules] = &[hex::RULES, rhex::RULES];

/// Which game, on which board.
#[derive(Clone, Copy)]
pub struct Setup {
    rules: &'static Rules,
    size: u8,
}

/// Why there is no such game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The name is not in [`GAMES`].
    #[error("there is no game called '{0}'; the games are: {list}", list = names())]
    UnknownGame(String),
    /// The board is too small or too large.
    #[error("{game} is played on boards of size {min} to {max}, not {size}")]
    Size {
        /// The game.
        game: &'static str,
        /// The size that was asked for.
        size: u32,
        /// The smallest size.
        min: u8,
        /// The largest size.
        max: u8,
    },
}

fn names() -> String {
    GAMES.iter().map(|rules| rules.name).collect::<Vec<_>>().join(", ")
}

impl Setup {
    /// The game of this name on a board of this size, or of its usual size.
    pub fn new(name: &str, size: Option<u32>) -> Result<Setup, SetupError> {
        let rules = GAMES
            .iter()
            .find(|rules| rules.name == name)
            .ok_or_else(|| SetupError::UnknownGame(name.to_owned()))?;
        let size = size.unwrap_or(rules.default_size.into());
        match u8::try_from(size) {
            Ok(size) if rules.sizes.contains(&size) => Ok(Setup { rules, size }),
            _ => {
                let (min, max) = (*rules.sizes.start(), *rules.sizes.end());
                Err(SetupError::Size { game: rules.name, size, min, max })
            }
        }
    }

    /// The game's name.
    pub fn name(&self) -> &'static str {
        self.rules.name
    }

    /// The size of the board.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// First moves that give neither side much of an advantage.
    pub fn fair_openings(&self) -> Vec<String> {
        (self.rules.fair_openings)(self.size)
    }

    /// A new game.
    pub fn start(&self) -> Box<dyn Game> {
        (self.rules.start)(self.size)
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of size {}", self.name(), self.size)
    }
}
