//! The reference player: choosing moves, and speaking the protocol of the hand-out.

pub mod console;
pub mod hex;
pub mod rhex;
pub mod xinez;

use std::fmt;
use std::str::FromStr;

/// How well the reference player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Any legal move.
    Random,
    /// The shortest path, with no thought of what comes after.
    Greedy,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 2] = [Level::Random, Level::Greedy];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Random => "random",
            Level::Greedy => "greedy",
        })
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(word: &str) -> Result<Level, String> {
        let known = || Level::ALL.map(|level| level.to_string()).join(", ");
        let found = Level::ALL.into_iter().find(|level| level.to_string() == word);
        found.ok_or_else(|| format!("there is no level '{word}'; the levels are: {}", known()))
    }
}

/// Somebody who plays a game.
pub trait Player<G> {
    /// Makes one legal move in a game that is not over.
    fn make_move(&mut self, game: &mut G);
}
