//! Why games end, in a few words for tables.

use crate::record::Reason;

/// What a table says of a reason.
pub fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Rules(ending) => ending.in_words(),
        Reason::Resigned => "resigned",
        Reason::Timeout => "out of time",
        Reason::IllegalMove => "illegal move",
        Reason::Malformed => "not a move",
        Reason::ProtocolError => "protocol error",
        Reason::Crashed => "crashed",
        Reason::FailedToStart => "failed to start",
        Reason::OutputLimit => "too much output",
        Reason::MemoryLimit => "too much memory",
        Reason::RanWhileStopped => "ran while stopped",
        Reason::Disturbed => "disturbed",
        Reason::Aborted => "aborted",
    }
}
