//! How a game ends by its rules.

use strum::{Display, EnumString};

use super::seat::Seat;

/// How the rules of a game bring it to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
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

impl Ending {
    /// What a table says of it, in a word or two.
    pub fn in_words(self) -> &'static str {
        match self {
            Ending::Connected => "sides joined",
            Ending::Majority => "majority",
            Ending::Occupied => "board full",
            Ending::LastPlayer => "last one left",
            Ending::Home => "all pieces home",
            Ending::RoundLimit => "round limit",
            Ending::Repetition => "repetition",
            Ending::Draw => "draw",
        }
    }
}

/// A finished game: who won, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winning seat, or nobody in a draw.
    pub winner: Option<Seat>,
    /// The place of each seat, from 1; seats that share a place have the same number.
    pub places: Vec<u8>,
    /// How the rules ended it.
    pub ending: Ending,
    /// The end in one sentence, without names of programs.
    pub sentence: String,
}

impl Outcome {
    /// The end of a game of two seats: one of them has won, or neither.
    pub fn of_two(winner: Option<Seat>, ending: Ending, sentence: String) -> Outcome {
        let places =
            [Seat(0), Seat(1)].map(|seat| if winner.is_none_or(|winner| winner == seat) { 1 } else { 2 });
        Outcome { winner, places: places.into(), ending, sentence }
    }
}
