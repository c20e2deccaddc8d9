//! The rules of the games, and nothing else: no input or output, no clock, no threads.
//!
//! The referee and the views know a game only as a [`Game`]. A new game is one file here and one entry in [`GAMES`].

pub mod grid;
pub mod hex;
pub mod moves;
pub mod notation;
pub mod okupacio;
pub mod picture;
pub mod rhex;
pub mod union_find;
pub mod xinez;

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
    /// Okupació: no free cell is left.
    Occupied,
    /// Only one player is left.
    LastPlayer,
    /// Xadrez Xinez: a player has all its pieces in its goal.
    Home,
    /// The game has lasted as long as its rules allow.
    RoundLimit,
    /// The same position has come up as often as the rules allow.
    Repetition,
    /// Nobody has won.
    Draw,
}

/// A finished game: who won, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winning seat, or nobody in a draw.
    pub winner: Option<Seat>,
    /// Where more than two play: the place of each seat, from 1; those who share one have the same. Where two play, the
    /// winner says it all.
    pub places: Vec<u8>,
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

    /// Takes in one line of news as another seat's program gets it: see [`Game::write_news`].
    fn hear(&mut self, line: &str) -> Result<(), Refusal> {
        self.play(line)
    }

    /// The seat whose turn it is leaves the game, which goes on without it. A game of two ends instead, and is never
    /// asked.
    fn withdraw(&mut self) {}

    /// Whether a seat takes no more part in a game that goes on.
    fn is_out(&self, _seat: Seat) -> bool {
        false
    }

    /// Appends the last move in its canonical spelling.
    fn write_move(&self, out: &mut String);

    /// Appends the lines that the seat `to` is sent after the last move, which was made by `mover`: nothing if there is
    /// nothing that it does not know.
    fn write_news(&self, mover: Seat, to: Seat, out: &mut String) {
        if to != mover {
            self.write_move(out);
            out.push('\n');
        }
    }

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether the seats have exchanged colours.
    fn swapped(&self) -> bool {
        false
    }

    /// The side that a seat plays at this moment, in a word.
    fn side(&self, seat: Seat) -> &'static str;

    /// What stands in the file of the board, for games whose programs are given one.
    fn board_file(&self) -> Option<String> {
        None
    }

    /// The arguments a program at this seat is started with; `board_file` is the path of [`Game::board_file`], if there
    /// is one.
    fn arguments(&self, seat: Seat, board_file: &str) -> Vec<String>;

    /// The game as Hex, for what only Hex has: engines, files and links of the Hex world.
    fn as_hex(&self) -> Option<&hex::Hex> {
        None
    }

    /// The board in a word or two, such as `14×14`.
    fn board_name(&self) -> String;

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
    /// How many can play.
    pub seats: RangeInclusive<u8>,
    /// Sets up a new game, or says what is wrong with the board.
    pub start: fn(&Board) -> Result<Box<dyn Game>, String>,
    /// Whether boards can be given by a text of their own.
    pub board_texts: bool,
    /// First moves that give neither side much of an advantage.
    pub fair_openings: fn(&Board) -> Vec<String>,
}

/// Every game that can be played.
pub static GAMES: &[Rules] = &[hex::RULES, rhex::RULES, okupacio::RULES, xinez::RULES];

/// What a game is played on, and by how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The size of the board.
    pub size: u8,
    /// How many play.
    pub seats: u8,
    /// The board's own text, for games that have such; otherwise empty.
    pub text: String,
}

/// What was said of a [`Board`]; the rest is as usual.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The size.
    pub size: Option<u32>,
    /// How many play.
    pub seats: Option<u32>,
    /// The board's own text.
    pub text: Option<String>,
}

/// Which game, on which board.
#[derive(Clone)]
pub struct Setup {
    rules: &'static Rules,
    board: Board,
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
    /// Too few or too many are to play.
    #[error("{game} is played by {range}, not {seats}{others}", range = range(.min, .max), others = for_so_many(*.seats))]
    Seats {
        /// The game.
        game: &'static str,
        /// How many were asked for.
        seats: u32,
        /// The fewest.
        min: u8,
        /// The most.
        max: u8,
    },
    /// The game knows no boards but its own.
    #[error("{0} has no board files; give the size of the board with --size")]
    NoBoards(&'static str),
    /// The text of the board is not one.
    #[error("the board cannot be used: {0}")]
    Board(String),
}

fn names() -> String {
    GAMES.iter().map(|rules| rules.name).collect::<Vec<_>>().join(", ")
}

/// The games that so many can play, to be told to those who asked for another.
fn for_so_many(seats: u32) -> String {
    let fitting = GAMES.iter().filter(|rules| within(seats, &rules.seats).is_some());
    let names: Vec<&str> = fitting.map(|rules| rules.name).collect();
    if names.is_empty() { String::new() } else { format!("; so many can play: {}", names.join(", ")) }
}

fn range(min: &u8, max: &u8) -> String {
    if min == max { min.to_string() } else { format!("{min} to {max}") }
}

/// The number, if it is in the range.
fn within(number: u32, range: &RangeInclusive<u8>) -> Option<u8> {
    u8::try_from(number).ok().filter(|number| range.contains(number))
}

impl Setup {
    /// The game of this name on a board as wished.
    pub fn new(name: &str, wishes: Wishes) -> Result<Setup, SetupError> {
        let rules = GAMES
            .iter()
            .find(|rules| rules.name == name)
            .ok_or_else(|| SetupError::UnknownGame(name.to_owned()))?;
        let (game, bounds) = (rules.name, |range: &RangeInclusive<u8>| (*range.start(), *range.end()));
        let size = wishes.size.unwrap_or(rules.default_size.into());
        let size = within(size, &rules.sizes).ok_or_else(|| {
            let (min, max) = bounds(&rules.sizes);
            SetupError::Size { game, size, min, max }
        })?;
        let seats = wishes.seats.unwrap_or((*rules.seats.start()).into());
        let seats = within(seats, &rules.seats).ok_or_else(|| {
            let (min, max) = bounds(&rules.seats);
            SetupError::Seats { game, seats, min, max }
        })?;
        let text = wishes.text.unwrap_or_default();
        if !text.is_empty() && !rules.board_texts {
            return Err(SetupError::NoBoards(game));
        }
        let board = Board { size, seats, text };
        (rules.start)(&board).map_err(SetupError::Board)?;
        Ok(Setup { rules, board })
    }

    /// The game's name.
    pub fn name(&self) -> &'static str {
        self.rules.name
    }

    /// What it is played on, and by how many.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// First moves that give neither side much of an advantage.
    pub fn fair_openings(&self) -> Vec<String> {
        (self.rules.fair_openings)(&self.board)
    }

    /// A new game.
    pub fn start(&self) -> Box<dyn Game> {
        (self.rules.start)(&self.board).expect("the board was tried when it was set up")
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {:?}", self.name(), self.board)
    }
}
