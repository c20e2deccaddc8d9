//! Why a game ended, apart from who won it.

use serde::{Deserialize, Serialize};
use strum::Display;
use thiserror::Error;

use crate::game::Ending;

/// Why a game ended: by its rules, by a program's fault, or by nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, Serialize, Deserialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(try_from = "String", into = "String")]
pub enum Reason {
    /// The rules ended it.
    #[strum(transparent)]
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
    /// A program computed although it had been stopped, because it was not its turn.
    RanWhileStopped,
    /// Other work on the machine kept a program from moving in time, by as long as its whole clock: nobody's fault. The game does
    /// not count and is played again.
    Disturbed,
    /// The referee's own fault or an interruption: the game does not count and is played again.
    Aborted,
}

/// Every reason but those of the rules.
const BEYOND_THE_RULES: [Reason; 12] = [
    Reason::Resigned,
    Reason::Timeout,
    Reason::IllegalMove,
    Reason::Malformed,
    Reason::ProtocolError,
    Reason::Crashed,
    Reason::FailedToStart,
    Reason::OutputLimit,
    Reason::MemoryLimit,
    Reason::RanWhileStopped,
    Reason::Disturbed,
    Reason::Aborted,
];

impl Reason {
    /// Whether a program lost by its own fault, not on the board.
    pub fn is_forfeit(self) -> bool {
        !matches!(self, Reason::Rules(_) | Reason::Resigned) && self.counts()
    }

    /// Whether a game that ended for this reason is part of the score.
    pub fn counts(self) -> bool {
        !matches!(self, Reason::Disturbed | Reason::Aborted)
    }

    /// The reason with this name in the journal and the tables.
    pub fn named(word: &str) -> Result<Reason, UnknownReason> {
        let ending = word.parse().ok().map(Reason::Rules);
        let other = || BEYOND_THE_RULES.into_iter().find(|reason| reason.to_string() == word);
        ending.or_else(other).ok_or_else(|| UnknownReason(word.to_owned()))
    }
}

/// A word that is no [`Reason`].
#[derive(Clone, Debug, Error)]
#[error("'{0}' is not a reason for the end of a game")]
pub struct UnknownReason(String);

impl TryFrom<String> for Reason {
    type Error = UnknownReason;

    fn try_from(word: String) -> Result<Reason, UnknownReason> {
        Reason::named(&word)
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> String {
        reason.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_name_that_means_it() {
        for name in [
            "connected",
            "majority",
            "occupied",
            "last-player",
            "home",
            "round-limit",
            "repetition",
            "draw",
            "resigned",
            "timeout",
            "illegal-move",
            "malformed",
            "protocol-error",
            "crashed",
            "failed-to-start",
            "output-limit",
            "memory-limit",
            "ran-while-stopped",
            "disturbed",
            "aborted",
        ] {
            assert_eq!(Reason::named(name).unwrap().to_string(), name);
        }
        assert!(Reason::named("win").is_err());
        assert!(Reason::named("rules").is_err());
    }
}
