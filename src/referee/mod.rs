//! One game between processes: carries the moves, judges them, keeps the clocks.
//!
//! The calling thread does it all, waiting on every program at once; no other thread stands between a
//! program's newline and its opponent's stdin.

pub mod clock;
pub mod guest;
pub mod interrupt;
mod noise;
mod player;
pub mod protocol;
mod table;
pub mod verdict;
mod watch;

use std::fmt;
use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::contain::exit::Usage;
use crate::contain::keeper::Keeper;
use crate::contain::launch::Launch;
use crate::contain::spec::{Limits, Output};
use crate::game::{Game, Seat};
use clock::{ClockKind, TimeControl};
use interrupt::Interrupt;
use protocol::Protocol;
use verdict::Verdict;

/// The conditions under which a game is played, the same for all programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// The budget of each program.
    pub time: TimeControl,
    /// What clocks measure.
    pub clock: ClockKind,
    /// The most that one move may take.
    #[serde(with = "seconds::optional", skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Duration>,
    /// How long a program may take to come up before its clock starts to run.
    #[serde(with = "seconds")]
    pub startup: Duration,
    /// What its stdout is.
    pub output: Output,
    /// Whether the first line that is no move loses the game.
    pub strict: bool,
    /// How many illegal moves a program may take back in a game.
    pub retries: u32,
    /// Whether programs are asked for their debug output.
    pub debug_bots: bool,
    /// Whether programs may think while it is not their turn.
    pub ponder: bool,
    /// What a program may use.
    pub limits: Limits,
    /// After how many plies the game is broken off, as aborted: to see whether programs play at all.
    #[serde(skip)]
    pub ply_limit: Option<usize>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            time: TimeControl { base: Duration::from_secs(60), increment: Duration::ZERO },
            clock: ClockKind::Wall,
            move_time: None,
            startup: Duration::from_secs(5),
            output: Output::Terminal,
            strict: false,
            retries: 0,
            debug_bots: false,
            ponder: true,
            limits: Limits::default(),
            ply_limit: None,
        }
    }
}

/// Durations as seconds, as people write them.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }

    pub mod optional {
        use super::*;

        pub fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
            super::serialize(&time.unwrap_or_default(), serializer)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
            super::deserialize(deserializer).map(Some)
        }
    }
}

/// A move as it was played: its canonical text, and how long it took in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedMove(pub String, pub u64);

/// What stands in the place of a move where a program had to leave a game that goes on without it.
pub const LEAVES: &str = "leaves";

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

/// All that is known of a game once it is over.
pub struct Played {
    /// The moves in order.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub verdict: Verdict,
    /// What was let pass.
    pub warnings: Vec<Warning>,
    /// Clock time that each seat has used.
    pub used: Vec<Duration>,
    /// What each seat's program has used of the machine.
    pub usage: Vec<Usage>,
    /// The beginning of each program's stderr.
    pub stderr: Vec<Vec<u8>>,
}

/// A program that is to play.
pub struct Invitation {
    /// How it is started.
    pub launch: Launch,
    /// What it speaks.
    pub protocol: Protocol,
    /// Commands that it is sent before the game, if it speaks a protocol of commands.
    pub setup: Vec<String>,
    /// First moves of the game, with commas between them: what is made of them depends on the protocol.
    pub opening: String,
}

/// Plays one game from the position of `game` to its end and leaves nothing running. `invited` are the programs in order of
/// their seats; `keepers` serve them and are used again for the next game.
///
/// # Errors
/// Only for the referee's own troubles: whatever a program does is a verdict.
pub fn play(
    game: &mut dyn Game,
    invited: Vec<Invitation>,
    keepers: &mut Vec<Keeper>,
    terms: &Terms,
    interrupt: &Interrupt,
) -> io::Result<Played> {
    while keepers.len() < invited.len() {
        keepers.push(Keeper::spawn()?);
    }
    // Keepers of a game that fails half-way are not used again: dropping them ends all that they keep.
    let seated = keepers.drain(..invited.len()).collect();
    let (played, kept) = table::Table::seat(game, invited, seated, terms, interrupt)?.play()?;
    keepers.extend(kept);
    Ok(played)
}
