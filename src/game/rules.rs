//! What a game is to everybody else: one object-safe trait over seats, and what has to be known before a game begins.

use std::ops::RangeInclusive;

use thiserror::Error;

use super::hint::Hint;
use super::outcome::Outcome;
use super::picture::{Choice, Layout, Mark, Picture};
use super::seat::Seat;

/// Why a move onto a cell that is not free is refused.
pub const TAKEN: &str = "the cell is already taken";

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

/// A line that means something in another notation than that of the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherNotation {
    /// What the line is, such as `a cell by letter and number`.
    pub what: &'static str,
    /// The same as the wire writes it, if the game has such a move now; whether it is legal is another question.
    pub on_the_wire: Option<String>,
}

/// One game in progress, over any number of seats.
pub trait Game: Send {
    /// The same game once more, to go on with otherwise.
    fn copy(&self) -> Box<dyn Game>;

    /// How many seats are at the board.
    fn seats(&self) -> usize;

    /// Whose turn it is. After the end it says nothing.
    fn turn(&self) -> Seat;

    /// Plays one line of a program for the seat whose turn it is, or says exactly why it cannot be played, in which
    /// case nothing has changed.
    fn play(&mut self, line: &str) -> Result<(), Refusal>;

    /// Whether [`Game::play`] would play this line now, and if not, why not.
    fn check(&self, line: &str) -> Result<(), Refusal>;

    /// What a line that is not a move means to people who write the moves of this game differently.
    fn other_notation(&self, _line: &str) -> Option<OtherNotation> {
        None
    }

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

    /// What the moves of a seat that lost show about how it misunderstood the rules, if they do. `moves` is all that was
    /// played, in canonical spelling; the game need not be over, for a program may have lost by a fault.
    fn hint(&self, _seat: Seat, _moves: &[(Seat, &str)]) -> Option<Hint> {
        None
    }

    /// Whether the seats have exchanged colours.
    fn swapped(&self) -> bool {
        false
    }

    /// The side that a seat plays at this moment, in a word.
    fn side(&self, seat: Seat) -> &'static str;

    /// What a seat wants to do by the side that it plays at this moment, in words that follow its name; nothing where that is the
    /// same for everybody.
    fn goal(&self, _seat: Seat) -> &'static str {
        ""
    }

    /// What stands in the file of the board, for games whose programs are given one.
    fn board_file(&self) -> Option<String> {
        None
    }

    /// The arguments a program at this seat is started with; `board_file` is the path of [`Game::board_file`], if there
    /// is one.
    fn arguments(&self, seat: Seat, board_file: &str) -> Vec<String>;

    /// The board in a word or two, such as `14×14`.
    fn board_name(&self) -> String;

    /// The number of the side that a seat plays at this moment: see [`Mark::side`].
    fn side_number(&self, seat: Seat) -> u8 {
        seat.0
    }

    /// The board without anything on it, for whoever draws it.
    fn layout(&self) -> Layout;

    /// Replaces `marks` by what stands on each cell of the layout.
    fn write_marks(&self, marks: &mut Vec<Mark>);

    /// The moves that can be made now; none after the end.
    fn choices(&self) -> Vec<Choice>;

    /// The board, for whoever draws it.
    fn picture(&self) -> Picture {
        let mut marks = Vec::new();
        self.write_marks(&mut marks);
        Picture { layout: self.layout(), marks }
    }

    /// The board as the hand-outs have it for debugging: the letters of a line of cells with blanks between them.
    fn debug_board(&self) -> String {
        let picture = self.picture();
        let mut text = String::with_capacity(2 * picture.marks.len());
        let mut cells = picture.cells().peekable();
        while let Some((spot, _, glyph)) = cells.next() {
            text.push(glyph);
            text.push(if cells.peek().is_none_or(|(next, ..)| next.y != spot.y) { '\n' } else { ' ' });
        }
        text
    }
}

/// What has to be known of a game before one is begun.
pub struct Rules {
    /// The name on the command line and in the journal.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// The board sizes it can be played on.
    pub sizes: RangeInclusive<u8>,
    /// The board size where none is given.
    pub default_size: u8,
    /// How many can play.
    pub seats: RangeInclusive<u8>,
    /// How many play where nobody says so.
    pub default_seats: u8,
    /// Sets up a new game, or says what is wrong with the board.
    pub start: fn(&Board) -> Result<Box<dyn Game>, String>,
    /// Whether boards can be given by a text of their own.
    pub board_texts: bool,
    /// First moves that give neither side much of an advantage.
    pub fair_openings: fn(&Board) -> Vec<String>,
}

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
