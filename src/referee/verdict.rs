//! How a game ended, apart from who won it.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::{Ending, Outcome, Seat};

/// Why a game ended: by its rules, by a program's fault, or by nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Reason {
    /// The rules ended it.
    Rules(Ending),
    /// A program gave up.
    Resigned,
    /// A program's clock ran out.
    Timeout,
    /// A program made a move that the rules forbid.
    IllegalMove,
    /// With `--strict`: a program wrote something that is no move, or wrote out of turn.
    Malformed,
    /// A program did not do what its protocol asks for, such as an engine that answers an error instead of a move.
    ProtocolError,
    /// A program ended, or closed its output, when it had to move.
    Crashed,
    /// A program could not be started at all.
    FailedToStart,
    /// A program wrote far more than moves.
    OutputLimit,
    /// A program used more memory than it may.
    MemoryLimit,
    /// The referee's own fault or an interruption: the game does not count and is played again.
    Aborted,
}

/// Every reason with its name in the journal and the tables.
const NAMES: [(Reason, &str); 18] = [
    (Reason::Rules(Ending::Connected), "connected"),
    (Reason::Rules(Ending::Majority), "majority"),
    (Reason::Rules(Ending::Occupied), "occupied"),
    (Reason::Rules(Ending::LastPlayer), "last-player"),
    (Reason::Rules(Ending::Home), "home"),
    (Reason::Rules(Ending::RoundLimit), "round-limit"),
    (Reason::Rules(Ending::Repetition), "repetition"),
    (Reason::Rules(Ending::Draw), "draw"),
    (Reason::Resigned, "resigned"),
    (Reason::Timeout, "timeout"),
    (Reason::IllegalMove, "illegal-move"),
    (Reason::Malformed, "malformed"),
    (Reason::ProtocolError, "protocol-error"),
    (Reason::Crashed, "crashed"),
    (Reason::FailedToStart, "failed-to-start"),
    (Reason::OutputLimit, "output-limit"),
    (Reason::MemoryLimit, "memory-limit"),
    (Reason::Aborted, "aborted"),
];

impl Reason {
    /// Whether a program lost by its own fault, not on the board.
    pub fn is_forfeit(self) -> bool {
        !matches!(self, Reason::Rules(_) | Reason::Resigned | Reason::Aborted)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = NAMES.iter().find(|(reason, _)| reason == self).expect("every reason has a name");
        f.pad(name)
    }
}

/// A word that is no [`Reason`].
#[derive(Clone, Debug, Error)]
#[error("'{0}' is not a reason for the end of a game")]
pub struct UnknownReason(String);

impl FromStr for Reason {
    type Err = UnknownReason;

    fn from_str(word: &str) -> Result<Reason, UnknownReason> {
        let found = NAMES.iter().find(|(_, name)| *name == word);
        found.map(|&(reason, _)| reason).ok_or_else(|| UnknownReason(word.to_owned()))
    }
}

impl TryFrom<String> for Reason {
    type Error = UnknownReason;

    fn try_from(word: String) -> Result<Reason, UnknownReason> {
        word.parse()
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> String {
        reason.to_string()
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The winning seat; nobody in a draw, or if nobody could play.
    pub winner: Option<Seat>,
    /// Where more than two play: the place of each seat, from 1; those who share one have the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u8>,
    /// Why it ended.
    pub reason: Reason,
    /// The same for people: one sentence that says what happened and, after a fault, what to look at.
    pub sentence: String,
    /// Where more than two play: the faults for which programs had to leave a game that went on without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// What a game was for one who played in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// It came first, alone.
    Won,
    /// It shared the first place.
    Drawn,
    /// Neither.
    Lost,
}

/// Why a program had to leave a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Its seat.
    pub seat: Seat,
    /// The ply on which it had to leave, from 1.
    pub ply: usize,
    /// Its fault.
    pub reason: Reason,
    /// The same for people.
    pub sentence: String,
}

impl Verdict {
    /// The end that the rules brought.
    pub fn by_rules(outcome: Outcome) -> Verdict {
        let Outcome { winner, places, ending, sentence } = outcome;
        Verdict { winner, places, ..Verdict::new(Reason::Rules(ending), sentence) }
    }

    /// An end without a winner.
    pub fn new(reason: Reason, sentence: String) -> Verdict {
        Verdict { winner: None, places: Vec::new(), reason, sentence, faults: Vec::new() }
    }

    /// The fault for which a seat lost, if it did not lose on the board.
    pub fn forfeit(&self, seat: Seat) -> Option<Reason> {
        let fault = self.faults.iter().find(|fault| fault.seat == seat).map(|fault| fault.reason);
        fault.or((self.reason.is_forfeit() && self.winner != Some(seat)).then_some(self.reason))
    }

    /// Whether the game is part of the score.
    pub fn counts(&self) -> bool {
        self.reason != Reason::Aborted
    }

    /// Whether anybody lost by a fault.
    pub fn has_forfeit(&self) -> bool {
        self.reason.is_forfeit() || !self.faults.is_empty()
    }

    /// The sentence for a seat: its own fault, or else the end of the game.
    pub fn sentence_of(&self, seat: Seat) -> &str {
        let fault = self.faults.iter().find(|fault| fault.seat == seat);
        fault.map_or(&self.sentence, |fault| &fault.sentence)
    }

    /// What the game was for a seat.
    pub fn result(&self, seat: Seat) -> GameResult {
        match self.winner {
            Some(winner) if winner == seat => GameResult::Won,
            None if self.places.get(seat.index()).is_none_or(|&place| place == 1)
                && self.half_points(seat) > 0 =>
            {
                GameResult::Drawn
            }
            _ => GameResult::Lost,
        }
    }

    /// The half points of a seat: 2 for each seat that it has beaten, 1 for each that it shares its place with. Where two
    /// play, that is 2 for a win and 1 for a draw.
    pub fn half_points(&self, seat: Seat) -> u32 {
        let seats = (0..self.places.len().max(2) as u8).map(Seat);
        seats.filter(|&other| other != seat).map(|other| self.against(seat, other)).sum()
    }

    /// The half points of a seat against one other.
    pub fn against(&self, seat: Seat, other: Seat) -> u32 {
        let place = |seat: Seat| self.places.get(seat.index()).copied();
        if let (Some(own), Some(others)) = (place(seat), place(other)) {
            return match own.cmp(&others) {
                Ordering::Less => 2,
                // Those who had to leave have earned nothing by leaving together.
                Ordering::Equal => u32::from(self.forfeit(seat).is_none()),
                Ordering::Greater => 0,
            };
        }
        match self.winner {
            Some(winner) => 2 * u32::from(winner == seat),
            // Nobody won, and not because the board said so: nobody has earned anything.
            None if self.reason.is_forfeit() || !self.counts() => 0,
            None => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_give_points_and_leaving_together_gives_none() {
        let fault =
            |seat| Fault { seat: Seat(seat), ply: 1, reason: Reason::Timeout, sentence: String::new() };
        let ended = |places: &[u8]| Verdict {
            places: places.into(),
            ..Verdict::new(Reason::Rules(Ending::RoundLimit), String::new())
        };
        let points =
            |verdict: &Verdict| (0..4).map(|seat| verdict.half_points(Seat(seat))).collect::<Vec<_>>();
        let verdict = Verdict { winner: Some(Seat(2)), ..ended(&[2, 4, 1, 3]) };
        assert_eq!(points(&verdict), [4, 0, 6, 2]);
        assert_eq!(verdict.result(Seat(2)), GameResult::Won);
        assert_eq!(verdict.result(Seat(0)), GameResult::Lost);
        let verdict = ended(&[1, 1, 3, 4]);
        assert_eq!(points(&verdict), [5, 5, 2, 0]);
        assert_eq!([0, 1, 2].map(|seat| verdict.result(Seat(seat))), {
            [GameResult::Drawn, GameResult::Drawn, GameResult::Lost]
        });
        let verdict = Verdict { faults: (0..4).map(fault).collect(), ..ended(&[1; 4]) };
        assert_eq!(points(&verdict), [0; 4]);
        assert_eq!(
            (verdict.result(Seat(0)), verdict.forfeit(Seat(0))),
            (GameResult::Lost, Some(Reason::Timeout))
        );
    }

    #[test]
    fn names_and_reasons_are_paired() {
        for (reason, name) in NAMES {
            assert_eq!(reason.to_string(), name);
            assert_eq!(name.parse::<Reason>().unwrap(), reason);
        }
        assert!("win".parse::<Reason>().is_err());
    }
}
