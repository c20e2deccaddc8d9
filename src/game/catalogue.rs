//! The games that can be played, and choosing one of them with its board.

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

use super::nearest::nearest;
use super::rules::{Board, Game, Rules};
use super::{hex, okupacio, rhex, xinez};

/// Every game that can be played.
pub static GAMES: &[Rules] = &[hex::RULES, rhex::RULES, okupacio::RULES, xinez::RULES];

/// What people call the game of this name.
pub fn title(name: &str) -> &str {
    GAMES.iter().find(|rules| rules.name == name).map_or(name, |rules| rules.title)
}

/// What was said of a [`Board`]; the rest is as usual.
#[derive(Clone, Debug, Default)]
pub struct BoardOptions {
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
    #[error("there is no game called '{0}'; {advice}", advice = other_than(.0))]
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
    #[error("{game} is for {range} players, not {seats}{others}", range = range(.min, .max), others = for_so_many(*.seats))]
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
    #[error("{0} has no board to be read from a file, only sizes")]
    NoBoards(&'static str),
    /// The text of the board is not one.
    #[error("the board cannot be used: {0}")]
    Board(String),
}

/// The game that may have been meant, or all there are.
fn other_than(name: &str) -> String {
    let names = || GAMES.iter().map(|rules| rules.name);
    match nearest(name, names()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("the games are: {}", names().collect::<Vec<_>>().join(", ")),
    }
}

/// The games that so many can play, to be told to those who asked for another.
fn for_so_many(seats: u32) -> String {
    let fitting = GAMES.iter().filter(|rules| within(seats, &rules.seats).is_some());
    let names: Vec<&str> = fitting.map(|rules| rules.name).collect();
    if names.is_empty() { String::new() } else { format!("; games for {seats} are: {}", names.join(", ")) }
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
    pub fn new(name: &str, options: BoardOptions) -> Result<Setup, SetupError> {
        let rules = GAMES
            .iter()
            .find(|rules| rules.name == name)
            .ok_or_else(|| SetupError::UnknownGame(name.to_owned()))?;
        let (game, bounds) = (rules.name, |range: &RangeInclusive<u8>| (*range.start(), *range.end()));
        let size = options.size.unwrap_or(rules.default_size.into());
        let size = within(size, &rules.sizes).ok_or_else(|| {
            let (min, max) = bounds(&rules.sizes);
            SetupError::Size { game, size, min, max }
        })?;
        let seats = options.seats.unwrap_or(rules.default_seats.into());
        let seats = within(seats, &rules.seats).ok_or_else(|| {
            let (min, max) = bounds(&rules.seats);
            SetupError::Seats { game, seats, min, max }
        })?;
        let text = options.text.unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_the_names_that_people_call_them() {
        let titles: Vec<&str> = GAMES.iter().map(|rules| title(rules.name)).collect();
        assert_eq!(titles, ["Hex", "RHEX", "Okupació", "Xadrez Xinez"]);
        assert_eq!(title("go"), "go");
    }

    #[test]
    fn choices_are_all_the_moves_there_are() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for rules in GAMES {
            let size = (*rules.sizes.start()).max(3);
            let options = BoardOptions { size: Some(size.into()), ..BoardOptions::default() };
            let mut game = Setup::new(rules.name, options).unwrap().start();
            let names: Vec<String> = game.layout().spots.into_iter().map(|spot| spot.name).collect();
            for _ in 0..60 {
                let choices = game.choices();
                assert_eq!(choices.is_empty(), game.outcome().is_some(), "{}", rules.name);
                let Some(choice) = rng.choice(&choices) else { break };
                let pairs = names.iter().flat_map(|one| names.iter().map(move |two| format!("{one} {two}")));
                let legal =
                    names.iter().cloned().chain(pairs).filter(|line| game.check(line).is_ok()).count();
                let by_cells = choices.iter().filter(|choice| !choice.spots.is_empty()).count();
                assert_eq!(legal, by_cells, "{}", rules.name);
                assert!(choices.iter().all(|choice| game.check(&choice.text).is_ok()), "{}", rules.name);
                game.play(&choice.text).unwrap();
                assert_eq!(game.picture().marks.len(), names.len());
            }
        }
    }

    #[test]
    fn a_line_is_checked_as_it_is_played() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for rules in GAMES {
            let mut game = Setup::new(rules.name, BoardOptions::default()).unwrap().start();
            for _ in 0..2_000 {
                let letter = |rng: &mut fastrand::Rng| char::from(b'a' + rng.u8(..12));
                let line = match rng.u8(..4) {
                    0 => format!("{}{}", letter(&mut rng), letter(&mut rng)),
                    1 => format!("{},{}", rng.u8(..15), rng.u8(..15)),
                    2 => format!("{} {}", rng.u8(..15), rng.u8(..15)),
                    _ => format!("{} {}", rng.u8(..130), rng.u8(..130)),
                };
                let (turn, board) = (game.turn(), game.debug_board());
                let checked = game.check(&line);
                assert_eq!(
                    (game.turn(), game.debug_board()),
                    (turn, board),
                    "{line} has changed {}",
                    rules.name
                );
                assert_eq!(checked, game.play(&line), "{line} in {}", rules.name);
            }
        }
    }
}
