//! How an engine gets its seat: from the arguments that a program of its game is started with, and from options.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use thiserror::Error as ThisError;

use super::base::Engine;
use super::clock::OwnClock;
use super::hex::options::HexOptions;
use super::level::Level;
use super::wire::WirePlayer;
use crate::game::moves::Moves;
use crate::game::{BoardOptions, Seat, Setup, SetupError};

/// A line of the table of engines.
pub struct EngineEntry {
    /// The name of the game that it plays.
    pub game: &'static str,
    /// Seats it at a new game, or says what is wrong with the arguments.
    pub seat: fn(Arguments<'_>, &EngineOptions) -> SeatResult,
}

/// An engine at its seat, or why it cannot be seated.
pub type SeatResult = Result<Box<dyn WirePlayer>, SeatError>;

/// How an engine is to play, beside what the arguments say.
pub struct EngineOptions {
    /// How well it plays.
    pub level: Level,
    /// The seed of its dice.
    pub seed: u64,
    /// The size of the board, if the arguments do not have it; without, the game's usual one.
    pub size: Option<u32>,
    /// First moves, those of all players in turn, with commas between them.
    pub opening: String,
    /// What it has for the whole game; without, there is no clock.
    pub time: Option<Duration>,
    /// What it gains with each move.
    pub increment: Duration,
    /// What only the engine of Hex has.
    pub hex: HexOptions,
}

impl EngineOptions {
    /// An engine of this level with these dice; all else is as usual.
    pub fn new(level: Level, seed: u64) -> EngineOptions {
        let hex = HexOptions { nodes: None, threads: 1, swaps: true, kernel: None, network: None };
        let (opening, increment) = (String::new(), Duration::ZERO);
        EngineOptions { level, seed, size: None, opening, time: None, increment, hex }
    }

    /// Gives an engine its opening and its clock.
    pub fn apply<G: Moves, E: Engine<G>>(&self, engine: E) -> E {
        engine.with_opening(&self.opening).with_clock(OwnClock::new(self.time, self.increment))
    }
}

/// The arguments that a program was started with, as they were typed.
#[derive(Clone, Copy)]
pub struct Arguments<'a>(pub &'a [String]);

impl<'a> Arguments<'a> {
    /// Whether the board is to be shown on stderr after every move: a last argument `d` says so.
    pub fn debug(self) -> bool {
        self.0.last().is_some_and(|last| last == "d")
    }

    /// All but that `d`.
    pub fn words(self) -> &'a [String] {
        &self.0[..self.0.len() - usize::from(self.debug())]
    }
}

impl fmt::Display for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Why an engine cannot be seated.
#[derive(Debug, ThisError)]
pub enum SeatError {
    /// There is no such board.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The arguments are not those of a program of this game; says what they should be.
    #[error("{0}")]
    Arguments(String),
    /// The file of the board cannot be read.
    #[error("cannot read the board in '{file}'")]
    BoardFile {
        /// The file.
        file: String,
        /// Why not.
        source: io::Error,
    },
    /// What stands in it is not a board.
    #[error("the board in '{file}' cannot be used")]
    Board {
        /// The file.
        file: String,
        /// Why not.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// The seat and the size of the board, for games of two sides that begin with the argument `b` or `p`.
pub fn side_and_size(
    game: &str,
    arguments: Arguments<'_>,
    options: &EngineOptions,
) -> Result<(Seat, u8), SeatError> {
    let setup = Setup::new(game, BoardOptions { size: options.size, ..BoardOptions::default() })?;
    let seat = match arguments.words() {
        [side] if side == "b" => Seat(0),
        [side] if side == "p" => Seat(1),
        _ => {
            return Err(SeatError::Arguments(format!(
                "the side to play is b (white, begins) or p (black), and d may follow; not '{arguments}'"
            )));
        }
    };
    Ok((seat, setup.board().size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_d_asks_for_the_board() {
        for (given, words, debug) in
            [("b", "b", false), ("b d", "b", true), ("d b", "d b", false), ("", "", false)]
        {
            let given: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
            let arguments = Arguments(&given);
            assert_eq!((arguments.words().join(" "), arguments.debug()), (words.to_owned(), debug));
        }
    }
}
