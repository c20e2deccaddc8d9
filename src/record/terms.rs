//! The conditions under which a game is played.

use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::time_control::TimeControl;
use crate::contain::spec::{Limits, Output};

/// What clocks measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    /// The time that passes.
    #[default]
    Wall,
    /// The processor time of a program and all that it starts: for machines that are shared.
    Cpu,
}

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
    /// How much processor time of that a program has for nothing.
    #[serde(with = "seconds")]
    pub startup_cpu: Duration,
    /// What its stdout is.
    pub output: Output,
    /// Whether the first line that is no move loses the game.
    pub strict: bool,
    /// How many illegal moves a program may take back in a game.
    pub retries: u32,
    /// Whether programs are asked for their debug output.
    pub debug_bots: bool,
    /// Whether programs may think while it is not their turn, each on cores of its own.
    pub ponder: bool,
    /// What a program may use.
    pub limits: Limits,
    /// Whether the game is only to show if programs play at all.
    #[serde(skip)]
    pub trial: Option<Trial>,
}

/// A game that is to show whether programs play at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// After how many plies it is broken off, as aborted.
    pub plies: usize,
    /// Whether `move_time` is the trial's own, and games allow more.
    pub is_impatient: bool,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            time: TimeControl { base: Duration::from_secs(60), increment: Duration::ZERO },
            clock: ClockKind::Wall,
            move_time: None,
            startup: Duration::from_secs(5),
            startup_cpu: Duration::from_secs(1),
            output: Output::Terminal,
            strict: false,
            retries: 0,
            debug_bots: false,
            ponder: false,
            limits: Limits::default(),
            trial: None,
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
        use std::time::Duration;

        use serde::{Deserializer, Serializer};

        pub fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
            super::serialize(&time.unwrap_or_default(), serializer)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
            super::deserialize(deserializer).map(Some)
        }
    }
}
