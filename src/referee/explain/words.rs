//! Words for what is no program's fault, and for what engines answer.

use std::time::Duration;

use crate::record::text::printable;

/// Characters of a program's output that are shown to people.
pub const SHOWN: usize = 60;
/// Characters of an answer of an engine that are shown.
const SHOWN_ANSWER: usize = 100;

/// Somebody wants it all to end.
pub const INTERRUPTED: &str = "interrupted";

/// A script has nothing more to say.
pub const SCRIPT_ENDED: &str = "the game cannot be followed any further";

/// A program is tested, and takes longer than the test may: that is no fault.
pub const STILL_AT_IT: &str = "it was still at it when its test ended";

/// An engine refuses a command.
pub fn answered_with_error(command: &str, answer: &str) -> String {
    format!("answered '{command}' with an error: ?{}", printable(answer.as_bytes(), SHOWN_ANSWER))
}

/// An engine answers with something that is not what the command asks for.
pub fn useless_answer(command: &str, answer: &str, expected: &str) -> String {
    let shown = printable(answer.as_bytes(), SHOWN_ANSWER);
    format!("answered '{command}' with '{shown}', which is not {expected}")
}

/// What an engine owes that has not answered at all, in words that follow "it".
pub fn no_answer(command: &str) -> String {
    format!("has not answered '{command}'")
}

/// What an engine owes that has begun its answer, in words that follow "it".
pub fn unfinished_answer(command: &str) -> String {
    format!("has not ended its answer to '{command}' with an empty line")
}

/// A program was late, and it was the machine that kept it from moving in time.
pub fn disturbed(ply: usize, late: Duration, waited: Duration) -> String {
    format!(
        "was late by {:.3} s on ply {ply}, but had to wait {:.3} s for the processor, which other work on this machine had",
        late.as_secs_f64(),
        waited.as_secs_f64()
    )
}

/// The referee itself was stopped, and no program is to blame.
pub fn referee_was_stopped(overslept: Duration) -> String {
    format!("the referee itself was stopped for {:.1} s", overslept.as_secs_f64())
}

/// The game was to show only whether the programs play at all.
pub fn broken_off(plies: usize) -> String {
    format!("broken off after {plies} plies")
}
