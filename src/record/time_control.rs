//! Time controls, as people write them: `60` or `60+0.5`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A budget for the whole game, with an increment for each move made.
///
/// ```
/// use arbitro::record::time_control::TimeControl;
/// let blitz: TimeControl = "60+0.5".parse().unwrap();
/// assert_eq!(blitz.base.as_secs(), 60);
/// assert_eq!(blitz.increment.as_millis(), 500);
/// assert_eq!(blitz.to_string(), "60+0.5");
/// assert_eq!("90".parse::<TimeControl>().unwrap().to_string(), "90");
/// assert!("1:30".parse::<TimeControl>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "String")]
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
    #[error("'{0}' is not a number of seconds; write {example}", example = meant(.0).unwrap_or("for example 60 or 2.5".to_owned()))]
    NotSeconds(String),
    /// Not a number of seconds, with an increment or without.
    #[error(
        "'{0}' is not a number of seconds; write {example}",
        example = meant(.0).unwrap_or("for example 60, or 60+0.5 for 60 seconds and half a second more with each move".to_owned())
    )]
    NotControl(String),
    /// A number, but of no use.
    #[error("'{0}' is out of range: between 0.001 and 1000000 seconds are possible")]
    OutOfRange(String),
}

/// How somebody would have to write an amount of time that is plainly meant: `1m`, `60s`, `1:30`, `0,5` or `60 + 1`.
fn meant(text: &str) -> Option<String> {
    const UNITS: [(&str, f64); 12] = [
        ("ms", 0.001),
        ("seconds", 1.0),
        ("second", 1.0),
        ("secs", 1.0),
        ("sec", 1.0),
        ("s", 1.0),
        ("minutes", 60.0),
        ("minute", 60.0),
        ("mins", 60.0),
        ("min", 60.0),
        ("m", 60.0),
        ("h", 3600.0),
    ];
    let seconds = |text: &str| {
        let text = text.trim().to_lowercase().replace(',', ".");
        if let Some((minutes, seconds)) = text.split_once(':') {
            let [minutes, seconds]: [u32; 2] = [minutes.parse().ok()?, seconds.parse().ok()?];
            return Some(f64::from(minutes) * 60.0 + f64::from(seconds));
        }
        let unit = UNITS.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
        let (number, factor) = unit.unwrap_or((&text, &1.0));
        let time = parse_seconds_or_zero(number.trim()).ok()?.as_secs_f64() * factor;
        Some((time * 1000.0).round() / 1000.0)
    };
    match text.split_once('+') {
        None => seconds(text).map(|seconds| seconds.to_string()),
        Some((base, increment)) => Some(format!("{}+{}", seconds(base)?, seconds(increment)?)),
    }
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
            TimeError::NotSeconds(_) | TimeError::NotControl(_) => TimeError::NotControl(text.to_owned()),
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

/// How it stands in a file: what is only a number needs no quotation marks.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Seconds(f64),
}

impl TryFrom<Written> for TimeControl {
    type Error = TimeError;

    fn try_from(written: Written) -> Result<TimeControl, TimeError> {
        match written {
            Written::Text(text) => text.parse(),
            Written::Seconds(seconds) => seconds.to_string().parse(),
        }
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
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
            assert!(matches!(text.parse::<TimeControl>(), Err(TimeError::NotControl(_))), "{text}");
        }
        for text in ["0", "0.0001", "1000001", "10+9999999"] {
            assert!(matches!(text.parse::<TimeControl>(), Err(TimeError::OutOfRange(_))), "{text}");
        }
    }

    #[test]
    fn files_may_have_plain_numbers() {
        for (json, written) in [("60", "60"), ("60.5", "60.5"), ("\"60+1\"", "60+1")] {
            assert_eq!(serde_json::from_str::<TimeControl>(json).unwrap().to_string(), written);
        }
        for json in ["-1", "0", "1e9", "true", "\"x\""] {
            assert!(serde_json::from_str::<TimeControl>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn what_was_plainly_meant_is_said() {
        for (text, words) in [
            ("1m", "write 60"),
            ("60s", "write 60"),
            ("2 min", "write 120"),
            ("1:30", "write 90"),
            ("0,5", "write 0.5"),
            ("500ms", "write 0.5"),
            ("60 + 1", "write 60+1"),
            ("1m+1s", "write 60+1"),
            ("long", "write for example 60, or 60+0.5"),
        ] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert_eq!(error.split("; ").nth(1).map(|rest| rest.starts_with(words)), Some(true), "{error}");
        }
        let error = parse_seconds("x").unwrap_err().to_string();
        assert_eq!(error, "'x' is not a number of seconds; write for example 60 or 2.5");
    }
}
