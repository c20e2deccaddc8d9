//! The reference player: choosing moves, and speaking the protocols of the hand-out and of the Hex world.

pub mod console;
pub mod hex;
pub mod htp;
pub mod limit;
pub mod monte_carlo;
pub mod okupacio;
pub mod rhex;
pub mod xinez;

use std::fmt;
use std::str::FromStr;

use limit::OwnClock;

/// How well the reference player plays. What a level does depends on the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Any legal move.
    Random,
    /// The move that is best at first sight, with no thought of what comes after.
    Greedy,
    /// A little search.
    Easy,
    /// Some search.
    Medium,
    /// Much search.
    Hard,
    /// As much search as the clock allows.
    Max,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 6] =
        [Level::Random, Level::Greedy, Level::Easy, Level::Medium, Level::Hard, Level::Max];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Random => "random",
            Level::Greedy => "greedy",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Max => "max",
        })
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(word: &str) -> Result<Level, String> {
        let found = Level::ALL.into_iter().find(|level| level.to_string() == word);
        found.ok_or_else(|| {
            let all = Level::ALL.map(|level| level.to_string()).join(", ");
            format!("there is no level '{word}'; the levels are: {all}")
        })
    }
}

/// Somebody who plays a game.
pub trait Player<G> {
    /// Makes one legal move in a game that is not over.
    fn make_move(&mut self, game: &mut G);

    /// Has this much time from now on. Who does not look at the clock need not know.
    fn set_clock(&mut self, _clock: OwnClock) {}
}
