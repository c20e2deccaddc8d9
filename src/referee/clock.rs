//! Chess clocks: what a program may use, and what it has used.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A budget for the whole game, with an increment for each move made.
///
/// ```
/// use arbitro::referee::clock::TimeControl;
/// let blitz: TimeControl = "60+0.5".parse().unwrap();
/// assert_eq!(blitz.base.as_secs(), 60);
/// assert_eq!(blitz.increment.as_millis(), 500);
/// assert_eq!(blitz.to_string(), "60+0.5");
/// assert_eq!("90".parse::<TimeControl>().unwrap().to_string(), "90");
/// assert!("1:30".parse::<TimeControl>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// The time a program has for all its moves.
    pub base: Duration,
    /// What it gains with each move.
    pub increment: Duration,
}

/// A text that is no amount of time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeError {
    /// Not a number of seconds.
    #[error(
        "'{0}' is not a number of seconds; write for example 60, 2.5 or 60+0.5 (seconds + seconds per move)"
    )]
    NotSeconds(String),
    /// A number, but of no use.
    #[error("'{0}' is out of range: between 0.001 and 1000000 seconds are possible")]
    OutOfRange(String),
}

/// Reads a number of seconds that is at least a millisecond.
pub fn parse_seconds(text: &str) -> Result<Duration, TimeError> {
    match parse_seconds_or_zero(text)? {
        time if time < Duration::from_millis(1) => Err(TimeError::OutOfRange(text.to_owned())),
        time => Ok(time),
    }
}

/// Reads a number of seconds that may be nothing at all.
pub fn parse_seconds_or_zero(text: &str) -> Result<Duration, TimeError> {
    // Only digits and a point: the number parser would also take "inf", "nan" and "1e99".
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 =
        text.parse().ok().filter(|_| plain).ok_or_else(|| TimeError::NotSeconds(text.to_owned()))?;
    if seconds > 1e6 {
        return Err(TimeError::OutOfRange(text.to_owned()));
    }
    Ok(Duration::from_secs_f64(seconds))
}

impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<TimeControl, TimeError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let whole = |error| match error {
            TimeError::NotSeconds(_) => TimeError::NotSeconds(text.to_owned()),
            TimeError::OutOfRange(_) => TimeError::OutOfRange(text.to_owned()),
        };
        Ok(TimeControl {
            base: parse_seconds(base).map_err(whole)?,
            increment: parse_seconds_or_zero(increment).map_err(whole)?,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeError;

    fn try_from(text: String) -> Result<TimeControl, TimeError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

/// What clocks measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    /// The time that passes.
    #[default]
    Wall,
    /// The processor time of a program and all that it starts: for machines that are shared.
    Cpu,
}

impl FromStr for ClockKind {
    type Err = String;

    fn from_str(word: &str) -> Result<ClockKind, String> {
        match word {
            "wall" => Ok(ClockKind::Wall),
            "cpu" => Ok(ClockKind::Cpu),
            _ => Err("clocks measure 'wall' time or 'cpu' time".to_owned()),
        }
    }
}

/// The clock of one program in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    left: Duration,
    increment: Duration,
    move_cap: Option<Duration>,
    used: Duration,
}

impl Clock {
    /// A full clock; `move_cap` bounds every single move.
    pub fn new(control: TimeControl, move_cap: Option<Duration>) -> Clock {
        Clock { left: control.base, increment: control.increment, move_cap, used: Duration::ZERO }
    }

    /// What the program has left for all its moves.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// What the program may use for its next move.
    pub fn allowance(&self) -> Duration {
        self.move_cap.map_or(self.left, |cap| cap.min(self.left))
    }

    /// The moment at which a turn that began at `start` is lost.
    pub fn deadline(&self, start: Instant) -> Instant {
        start + self.allowance()
    }

    /// Charges one completed move.
    pub fn charge(&mut self, taken: Duration) {
        self.used += taken;
        self.left = self.left.saturating_sub(taken) + self.increment;
    }

    /// Charges time that did not lead to a move.
    pub fn run_down(&mut self, taken: Duration) {
        self.used += taken;
        self.left = self.left.saturating_sub(taken);
    }

    /// The time used so far.
    pub fn used(&self) -> Duration {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_times_are_refused() {
        for text in
            ["", "x", "-1", "1e9", "inf", "nan", "60+", "+1", "60+x", "60+-1", "1:30", "60 + 1", "1+2+3"]
        {
            assert!(matches!(text.parse::<TimeControl>(), Err(TimeError::NotSeconds(_))), "{text}");
        }
        for text in ["0", "0.0001", "1000001", "10+9999999"] {
            assert!(matches!(text.parse::<TimeControl>(), Err(TimeError::OutOfRange(_))), "{text}");
        }
    }

    #[test]
    fn the_budget_shrinks_by_the_move_and_grows_by_the_increment() {
        let mut clock = Clock::new("10+2".parse().unwrap(), Some(Duration::from_secs(5)));
        assert_eq!(clock.allowance(), Duration::from_secs(5), "the cap on one move");
        clock.charge(Duration::from_secs(4));
        assert_eq!(clock.left, Duration::from_secs(8));
        clock.charge(Duration::from_secs(5));
        clock.charge(Duration::from_secs(4));
        assert_eq!(clock.allowance(), Duration::from_secs(3), "the budget binds before the cap");
        assert_eq!(clock.used(), Duration::from_secs(13));
    }
}
