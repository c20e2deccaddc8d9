//! How well a reference player plays.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;

/// How well a reference player plays. What a level does depends on the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Any legal move
    Random,
    /// The best move at first sight, without looking ahead
    Greedy,
    /// A little search
    Easy,
    /// Some search
    Medium,
    /// Much search
    Hard,
    /// As much search as the clock allows
    Max,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 6] =
        [Level::Random, Level::Greedy, Level::Easy, Level::Medium, Level::Hard, Level::Max];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().expect("no level is hidden").get_name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(word: &str) -> Result<Level, String> {
        <Level as ValueEnum>::from_str(word, false).map_err(|_| {
            let all = Level::ALL.map(|level| level.to_string()).join(", ");
            format!("there is no level '{word}'; the levels are: {all}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_read_and_the_list_is_complete() {
        assert_eq!(Level::ALL, Level::value_variants());
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!("max".parse(), Ok(Level::Max));
        let error = "best".parse::<Level>().unwrap_err();
        assert_eq!(
            error,
            "there is no level 'best'; the levels are: random, greedy, easy, medium, hard, max"
        );
    }
}
