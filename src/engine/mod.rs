//! The reference player: choosing moves, and speaking the protocol of the hand-out.

pub mod console;
pub mod hex;
pub mod limit;
pub mod monte_carlo;
pub mod okupacio;
pub mod rhex;
pub mod xinez;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How well the reference player plays. What a level does depends on the game, and not every game has all of them.
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

    /// Makes sure that a game has this level.
    pub fn check(self, game: &'static str) -> Result<(), NoSuchLevel> {
        if levels(game).contains(&self) { Ok(()) } else { Err(NoSuchLevel { game, level: self }) }
    }
}

/// A level that a game does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{game} has no level '{level}' yet; its levels are: {}", list(levels(.game)))]
pub struct NoSuchLevel {
    game: &'static str,
    level: Level,
}

/// The levels at which the reference player plays a game, weakest first.
pub fn levels(game: &str) -> &'static [Level] {
    match game {
        "hex" => hex::LEVELS,
        "rhex" => rhex::LEVELS,
        "okupacio" => okupacio::LEVELS,
        "xinez" => xinez::LEVELS,
        _ => &[],
    }
}

fn list(levels: &[Level]) -> String {
    levels.iter().map(Level::to_string).collect::<Vec<_>>().join(", ")
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
        found.ok_or_else(|| format!("there is no level '{word}'; the levels are: {}", list(&Level::ALL)))
    }
}

/// Somebody who plays a game.
pub trait Player<G> {
    /// Makes one legal move in a game that is not over.
    fn make_move(&mut self, game: &mut G);
}
