//! The conditions under which a game is played.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize, Serializer};

use super::time_control::TimeControl;
use crate::contain::spec::{Limits, Output};

/// What clocks measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
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

/// The clock of a game: what tables tell apart where games were played with different ones. Written as its options are, `60+0.5 cpu
/// move-time=1 ponder`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(from = "WrittenClock")]
pub struct Clock {
    /// The budget of each program.
    time: TimeControl,
    /// What is measured.
    kind: ClockKind,
    /// The most that one move may take.
    move_time: Option<Duration>,
    /// Whether programs may think while it is not their turn.
    ponder: bool,
}

/// A clock among the terms of a game, of any version.
#[derive(Deserialize)]
#[serde(default)]
struct WrittenClock {
    time: TimeControl,
    clock: ClockKind,
    #[serde(with = "seconds::optional")]
    move_time: Option<Duration>,
    ponder: bool,
    startup_cpu: Option<f64>,
}

impl Default for WrittenClock {
    fn default() -> WrittenClock {
        let Terms { time, clock, move_time, ponder, .. } = Terms::default();
        WrittenClock { time, clock, move_time, ponder, startup_cpu: None }
    }
}

impl From<WrittenClock> for Clock {
    fn from(written: WrittenClock) -> Clock {
        let WrittenClock { time, clock: kind, move_time, .. } = written;
        // Before there was `startup_cpu`, nobody had asked for it.
        let ponder = written.ponder && written.startup_cpu.is_some();
        Clock { time, kind, move_time, ponder }
    }
}

impl Terms {
    /// Their clock.
    pub fn game_clock(&self) -> Clock {
        Clock { time: self.time, kind: self.clock, move_time: self.move_time, ponder: self.ponder }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.time)?;
        if self.kind == ClockKind::Cpu {
            f.write_str(" cpu")?;
        }
        if let Some(most) = self.move_time {
            write!(f, " move-time={}", most.as_secs_f64())?;
        }
        if self.ponder { f.write_str(" ponder") } else { Ok(()) }
    }
}

impl Serialize for Clock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A game that is to show whether programs play at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// After how many plies it is broken off, as aborted.
    pub plies: usize,
    /// Whether `move_time` is the trial's own, and games allow more.
    pub is_impatient: bool,
    /// Whether a program loses at once that has read all it was sent and waits for more: it will not answer any more.
    pub ends_idle: bool,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_read_from_the_terms_of_a_game_of_any_version() {
        let clock = |terms: &str| serde_json::from_str::<Clock>(terms).unwrap().to_string();
        let terms = Terms {
            time: "9+0.5".parse().unwrap(),
            clock: ClockKind::Cpu,
            move_time: Some(Duration::from_millis(1500)),
            ponder: true,
            ..Terms::default()
        };
        assert_eq!(clock(&serde_json::to_string(&terms).unwrap()), "9+0.5 cpu move-time=1.5 ponder");
        assert_eq!(terms.game_clock().to_string(), "9+0.5 cpu move-time=1.5 ponder");
        assert_eq!(clock(r#"{"time":"30","ponder":true}"#), "30");
        assert_eq!(clock("{}"), Terms::default().game_clock().to_string());
    }
}
