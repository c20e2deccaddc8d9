//! The clock of programs, as pages are told of it.

use std::time::Duration;

use serde::Serialize;

use crate::record::Terms;
use crate::record::terms::ClockKind;

/// A clock that every program has.
#[derive(Clone, Copy, Serialize)]
pub struct ClockData {
    base_ms: u64,
    increment_ms: u64,
    kind: ClockKind,
}

impl ClockData {
    /// The clock of these terms.
    pub fn new(terms: &Terms) -> ClockData {
        let milliseconds = |time: Duration| time.as_millis() as u64;
        ClockData {
            base_ms: milliseconds(terms.time.base),
            increment_ms: milliseconds(terms.time.increment),
            kind: terms.clock,
        }
    }
}
