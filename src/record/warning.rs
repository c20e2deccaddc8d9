//! What a program did that was let pass.

use std::fmt;

use serde::{Deserialize, Serialize};

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
        let kind = match self.kind {
            WarningKind::NotAMove => "not a move",
            WarningKind::OutOfTurn => "before it was its turn",
            WarningKind::Illegal => "not allowed, and taken back",
            WarningKind::LeftRunning => return f.write_str("left processes running, which were killed"),
        };
        write!(f, "wrote '{}': {kind}", self.text)
    }
}
