//! By which fault a program lost, as data with its figures. The sentence about it is made when somebody reads it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::reason::Reason;
use super::terms::ClockKind;
use super::text::{counted, seconds};
use crate::contain::spec::{Exit, Size};

/// What limits a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// What is left on the clock.
    Clock,
    /// The most that one move may take.
    Move,
    /// The time that may pass on a clock that measures processor time.
    Backstop,
    /// What the test before the first game waits for a move.
    Test,
    /// Its own patience: it had read everything and waited for more, where such a program is not waited for.
    Idle,
}

/// What a program did, or did not do, by which it lost other than on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// It gave up.
    Resigned,
    /// It made no move in time.
    Timeout {
        /// The time that it had.
        allowed_ns: u64,
        /// What that was.
        limit: Limit,
        /// What its clock measures.
        clock: ClockKind,
    },
    /// It had made no move when the game was broken off.
    Unfinished {
        /// The time that it had taken by then.
        took_ns: u64,
    },
    /// It made a move that the rules forbid.
    IllegalMove {
        /// The move as it wrote it.
        said: String,
        /// Why that is forbidden, in words that follow "but".
        why: String,
    },
    /// With `--strict`: it wrote a line that is no move.
    NotAMove {
        /// The line.
        said: String,
        /// What a move looks like.
        expected: String,
    },
    /// With `--strict`: it wrote when it was not its turn.
    OutOfTurn {
        /// The line.
        said: String,
    },
    /// It did not do what its protocol asks for.
    Protocol {
        /// What it did, in words that follow its name.
        what: String,
    },
    /// It is an engine, and its answer does not come to an end.
    EndlessAnswer {
        /// The command that it answers.
        command: String,
    },
    /// It ended, or closed its stdout, when it had to move.
    Crashed {
        /// How it ended, if it did.
        exit: Option<Exit>,
    },
    /// It could not be started.
    NotStarted {
        /// Why not.
        problem: String,
    },
    /// It wrote far more than moves.
    TooMuchOutput {
        /// The lines that were no moves, or came out of turn.
        lines: usize,
        /// Their bytes.
        bytes: usize,
        /// How many lines are let pass in a game.
        most_lines: usize,
        /// How many bytes are let pass in a game.
        most_bytes: usize,
    },
    /// It used more memory than it may.
    TooMuchMemory {
        /// With how much it was seen, in bytes.
        peak: u64,
        /// What it may use, in bytes.
        limit: u64,
    },
    /// It computed although it had been stopped, because it was not its turn.
    RanWhileStopped {
        /// The processor time that it used.
        cpu_ns: u64,
    },
    /// What a line of an earlier version of the journal says, in words that follow the name of the program.
    Told {
        /// The words.
        what: String,
        /// Why it lost.
        reason: Reason,
    },
}

impl Fault {
    /// In which class of verdicts it is.
    pub fn reason(&self) -> Reason {
        match self {
            Fault::Resigned => Reason::Resigned,
            Fault::Timeout { .. } => Reason::Timeout,
            Fault::Unfinished { .. } => Reason::Aborted,
            Fault::IllegalMove { .. } => Reason::IllegalMove,
            Fault::NotAMove { .. } | Fault::OutOfTurn { .. } => Reason::Malformed,
            Fault::Protocol { .. } => Reason::ProtocolError,
            Fault::Crashed { .. } => Reason::Crashed,
            Fault::NotStarted { .. } => Reason::FailedToStart,
            Fault::TooMuchOutput { .. } | Fault::EndlessAnswer { .. } => Reason::OutputLimit,
            Fault::TooMuchMemory { .. } => Reason::MemoryLimit,
            Fault::RanWhileStopped { .. } => Reason::RanWhileStopped,
            Fault::Told { reason, .. } => *reason,
        }
    }

    /// What happened on a ply, in words that follow the name of the program.
    pub fn what(&self, ply: Option<usize>) -> String {
        let on_ply = ply.map_or(String::new(), |ply| format!(" on ply {ply}"));
        match self {
            Fault::Resigned => format!("resigned{on_ply}"),
            Fault::Timeout { allowed_ns, limit, clock } => {
                let (allowed, budget) = (seconds(Duration::from_nanos(*allowed_ns)), budget(*clock, *limit));
                format!("made no move{on_ply} within the {allowed} {budget}")
            }
            Fault::Unfinished { took_ns } => {
                format!("had made no move{on_ply} after {}", seconds(Duration::from_nanos(*took_ns)))
            }
            Fault::IllegalMove { said, why } => format!("played '{said}'{on_ply}, but {why}"),
            Fault::NotAMove { said, expected } if said.is_empty() => {
                format!("wrote an empty line{on_ply}, which is {expected}; --strict allows nothing else")
            }
            Fault::NotAMove { said, expected } => {
                format!("wrote '{said}'{on_ply}, which is {expected}; --strict allows nothing else")
            }
            Fault::OutOfTurn { said } => {
                format!("wrote '{said}' when it was not its turn; --strict forbids that")
            }
            Fault::Protocol { what } => match ply {
                Some(ply) => format!("{what} (ply {ply})"),
                None => what.clone(),
            },
            Fault::EndlessAnswer { command } => format!("answered '{command}' without an end{on_ply}"),
            Fault::Crashed { exit: Some(exit) } => format!("{exit} when it had to move{on_ply}"),
            Fault::Crashed { exit: None } => {
                format!("closed its stdout, and so can make no move, when it had to move{on_ply}")
            }
            Fault::NotStarted { problem } => format!("was not started: {problem}"),
            Fault::TooMuchOutput { lines, bytes, most_lines, most_bytes } => format!(
                "wrote too much besides its moves: {}, {bytes} bytes; {most_lines} lines and {most_bytes} bytes are allowed in a \
                 game",
                counted(*lines, "line")
            ),
            Fault::TooMuchMemory { peak, limit } => format!(
                "was ended{on_ply} because it uses too much memory: it was seen with {}M, and {} is allowed; look for what it \
                 keeps from move to move and never frees (--memory allows more)",
                peak >> 20,
                Size(*limit)
            ),
            Fault::RanWhileStopped { cpu_ns } => format!(
                "used {} of processor time although it had been stopped because it was not its turn: it must not undo \
                 that",
                seconds(Duration::from_nanos(*cpu_ns))
            ),
            Fault::Told { what, .. } => what.clone(),
        }
    }
}

/// What a timeout was about.
fn budget(clock: ClockKind, limit: Limit) -> &'static str {
    match (clock, limit) {
        (_, Limit::Test) => "that the test before the first game waits for a move",
        (_, Limit::Idle) => "until it was seen to wait for more input",
        (ClockKind::Wall, Limit::Move) => "allowed for a move",
        (ClockKind::Wall, _) => "left on its clock",
        (ClockKind::Cpu, Limit::Move) => "of processor time allowed for a move",
        (ClockKind::Cpu, Limit::Clock) => "of processor time left on its clock",
        (ClockKind::Cpu, Limit::Backstop) => {
            "that may pass: three times its processor time and a second in a game"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_that_was_broken_is_named() {
        let timeout = |clock, limit| Fault::Timeout { allowed_ns: 250_000_000, limit, clock }.what(Some(3));
        assert_eq!(
            timeout(ClockKind::Wall, Limit::Move),
            "made no move on ply 3 within the 0.250 s allowed for a move"
        );
        assert!(timeout(ClockKind::Cpu, Limit::Clock).contains("of processor time left on its clock"));
        assert!(timeout(ClockKind::Cpu, Limit::Backstop).contains("three times"));
    }

    #[test]
    fn every_fault_is_read_as_it_is_written() {
        let faults = [
            Fault::Resigned,
            Fault::Timeout { allowed_ns: 1, limit: Limit::Clock, clock: ClockKind::Wall },
            Fault::IllegalMove { said: "3 4".into(), why: "it is taken".into() },
            Fault::Crashed { exit: Some(Exit::Signal(11)) },
            Fault::Crashed { exit: None },
            Fault::TooMuchMemory { peak: 300 << 20, limit: 256 << 20 },
            Fault::Told { what: "made no move".into(), reason: Reason::Timeout },
        ];
        for fault in faults {
            let text = serde_json::to_string(&fault).unwrap();
            assert_eq!(serde_json::from_str::<Fault>(&text).unwrap(), fault, "{text}");
        }
    }
}
