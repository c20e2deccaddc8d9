//! Which test it is that a bot fails, when it stumbles in an experiment: one flaw is one finding, wherever it shows.

use super::stumble::Before;
use crate::contain::spec::Wait;
use crate::game::Hint;
use crate::game::okupacio::CAPITALS;
use crate::record::cause::{FormFlaw, Obstacle};
use crate::record::{Cause, Fault, Loss, Reason};

/// The test that a loss is about. `about` is the test that the experiment is made for, if something special happens in it.
pub fn of(loss: &Loss, before: Before, about: Option<&'static str>) -> &'static str {
    let about = if before.has_swapped { Some("may-swap") } else { about.filter(|_| before.event) };
    let cause = loss.causes.first();
    match &loss.fault {
        Fault::NotStarted { .. } => "starts",
        Fault::TooMuchMemory { .. } => "memory",
        _ if loss.causes.iter().any(is_missed) => "files",
        _ if cause.is_some_and(is_out_of_memory) => "memory",
        Fault::Crashed { .. } if about.is_none() && !before.told && !before.moved => "starts",
        Fault::Crashed { .. } => about.unwrap_or("runs-on"),
        Fault::IllegalMove { why, .. } => match cause {
            Some(Cause::Unread { .. }) => "reads",
            Some(Cause::TwoMoves { .. }) => "one-move",
            Some(Cause::MovedFirst { .. }) => "waits",
            Some(Cause::SwappedStone { by_opponent: true }) => "swapped",
            Some(Cause::SwappedStone { by_opponent: false }) => "may-swap",
            _ if why.starts_with(CAPITALS) => "format",
            _ => about.unwrap_or("legal-moves"),
        },
        Fault::TooMuchOutput { .. } => match cause {
            Some(Cause::NeverWaits { .. }) => "waits",
            Some(Cause::Rejects { .. }) => about.unwrap_or("reads"),
            _ => "only-moves",
        },
        Fault::Told { reason: Reason::Crashed, .. } => about.unwrap_or("runs-on"),
        Fault::Resigned | Fault::Told { reason: Reason::Resigned, .. } => "runs-on",
        _ if before.prompted && cause.is_some_and(is_behind_words) => "only-moves",
        Fault::RanWhileStopped { .. } => "waits",
        Fault::Protocol { .. } | Fault::EndlessAnswer { .. } => "games",
        _ => cause.map_or("in-time", |cause| of_cause(cause, about)),
    }
}

fn of_cause(cause: &Cause, about: Option<&'static str>) -> &'static str {
    match cause {
        Cause::Form { flaw: FormFlaw::Empty, .. } => "only-moves",
        Cause::Form { .. } => "format",
        Cause::NoNewline { is_move: true, .. } | Cause::LiteralNewline { .. } => "newline",
        Cause::NoNewline { is_move: false, .. } => "only-moves",
        Cause::HeldBack { has_newline: false, .. } => "newline",
        Cause::HeldBack { has_newline: true, .. } | Cause::NoFlush => "flushes",
        Cause::OnStderr { .. } => "on-stdout",
        Cause::TwoMoves { .. } | Cause::OutOfTurn { .. } => about.unwrap_or("one-move"),
        Cause::MovedFirst { .. } | Cause::NeverWaits { .. } => "waits",
        Cause::AtMemoryLimit { .. } => "memory",
        Cause::Waiting { wait: Wait::Input, begins: Some(_), .. } => "begins",
        Cause::AtEndOfInput { begins: Some(_), .. } => "begins",
        Cause::AtEndOfInput { .. } | Cause::Rejects { .. } | Cause::Waiting { wait: Wait::Input, .. } => {
            about.unwrap_or("reads")
        }
        Cause::Unread { .. } => "reads",
        Cause::Error { .. } | Cause::LastWords { .. } | Cause::Signal { .. } | Cause::LeftByItself { .. } => {
            about.unwrap_or("runs-on")
        }
        Cause::Obstacle(_) | Cause::CommandNotFound => "files",
        Cause::Asks { .. } => "begins",
        Cause::Taken { .. } | Cause::SwappedStone { .. } | Cause::TookBack { .. } => "legal-moves",
        Cause::Computing { .. }
        | Cause::PartlyComputing { .. }
        | Cause::Waiting { .. }
        | Cause::MachineBusy { .. }
        | Cause::OutOfTurnTime { .. }
        | Cause::Owes { .. } => "in-time",
    }
}

/// What languages say of memory that there is not.
const OUT_OF_MEMORY: [&str; 5] =
    ["MemoryError", "OutOfMemoryError", "std::bad_alloc", "out of memory", "memory allocation of"];

/// Whether a program ended because it got no more memory.
fn is_out_of_memory(cause: &Cause) -> bool {
    matches!(cause, Cause::Error { what, .. } if OUT_OF_MEMORY.iter().any(|words| what.contains(words)))
}

/// Whether a move stands behind something else on its line.
fn is_behind_words(cause: &Cause) -> bool {
    matches!(cause, Cause::Form { flaw: FormFlaw::Before { .. }, .. })
}

/// Whether something of the bot's is not where it plays.
fn is_missed(cause: &Cause) -> bool {
    let is_a_thing = |obstacle: &Obstacle| !matches!(obstacle, Obstacle::SanitizerMemory | Obstacle::Session);
    matches!(cause, Cause::Obstacle(obstacle) if is_a_thing(obstacle))
}

/// Whether a program that lost like this may have believed that the game was over.
pub fn has_stopped(loss: &Loss) -> bool {
    let cause = loss.causes.first();
    matches!(cause, Some(Cause::LeftByItself { .. } | Cause::Waiting { wait: Wait::Input, begins: None, .. }))
}

/// The test that a misunderstanding of the rules is about.
pub fn of_hint(hint: &Hint) -> &'static str {
    match hint {
        Hint::OtherEdges { .. } | Hint::WrongWay { .. } => "goal",
        Hint::KeptColour { swapped_itself: false, .. } => "swapped",
        Hint::KeptColour { swapped_itself: true, .. } => "may-swap",
        Hint::WrongNeighbours { .. } => "neighbours",
    }
}
