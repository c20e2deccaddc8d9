//! What a program did that was let pass.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::cause::FormFlaw;
use crate::game::Seat;

/// Something a program did that was let pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The program's seat.
    pub seat: Seat,
    /// The ply that was being played, from 1.
    pub ply: usize,
    /// What it did.
    pub kind: WarningKind,
    /// What it wrote, if it is about that, made printable and shortened.
    pub text: String,
    /// What is wrong with a line that is not a move, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaw: Option<FormFlaw>,
}

impl Warning {
    /// That a program wrote something; what is wrong with it is not known.
    pub fn new(seat: Seat, ply: usize, kind: WarningKind, text: String) -> Warning {
        Warning { seat, ply, kind, text, flaw: None }
    }
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningKind {
    /// A line that does not have the form of a move.
    NotAMove,
    /// A line before it was the program's turn.
    OutOfTurn,
    /// An illegal move that the program was allowed to take back.
    Illegal,
    /// Processes that went on when the program had ended; they were killed.
    LeftRunning,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match (self.kind, &self.flaw) {
            (WarningKind::NotAMove, Some(flaw)) => f.write_str(&flaw.text(text, "")),
            (WarningKind::NotAMove, None) => write!(f, "it wrote '{text}', which is not a move"),
            (WarningKind::OutOfTurn, _) => {
                write!(f, "it wrote '{text}' before it was its turn, which does not count")
            }
            (WarningKind::Illegal, _) => write!(f, "it had to take back '{text}', which is not allowed"),
            (WarningKind::LeftRunning, _) => f.write_str("it left processes running, which were killed"),
        }
    }
}
