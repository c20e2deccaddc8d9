//! Plain data about how a program is run: what its stdout is, what it may use, and how well it is contained.
//!
//! The records keep these too, so this file needs nothing else of the room.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What a program's stdout is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Output {
    /// A pseudo-terminal: the C library and others write out every line at once, so that programs that never flush can
    /// play.
    Terminal,
    /// A pipe.
    Pipe,
}

/// How well a program is contained. A better tier is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[value(rename_all = "verbatim")]
pub enum Tier {
    /// Limits and a session of its own, and nothing else.
    C,
    /// No namespaces: rules for files, signals and sockets, and a filter of system calls.
    B,
    /// Namespaces of its own on top of all that: it sees no other process, no network and few files.
    A,
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Nobody knows: the process that watches it was killed.
    Unwatched,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Exit::Code(code) => write!(f, "exited with code {code}"),
            Exit::Signal(signal) => match signal_hook::low_level::signal_name(signal) {
                Some(name) => write!(f, "was killed by {name} (signal {signal})"),
                None => write!(f, "was killed by signal {signal}"),
            },
            Exit::Unwatched => f.write_str("was ended by somebody who killed the process that watches it"),
        }
    }
}

/// What a program has done, all of its processes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Processor time, in nanoseconds.
    pub cpu_ns: u64,
    /// Time in which something of it was ready to run and nothing of it ran, because others had the processor; in nanoseconds.
    pub waiting_ns: u64,
}

impl Work {
    /// Its processor time.
    pub fn cpu(self) -> Duration {
        Duration::from_nanos(self.cpu_ns)
    }

    /// The time in which it waited for the processor.
    pub fn waiting(self) -> Duration {
        Duration::from_nanos(self.waiting_ns)
    }

    /// What was done since another measurement of the same program.
    pub fn since(self, earlier: Work) -> Work {
        Work {
            cpu_ns: self.cpu_ns.saturating_sub(earlier.cpu_ns),
            waiting_ns: self.waiting_ns.saturating_sub(earlier.waiting_ns),
        }
    }
}

/// What a program waits for, if nothing of it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wait {
    /// A line on its stdin.
    Input,
    /// Time to pass.
    Sleep,
    /// A lock, or another of its threads.
    Lock,
    /// A child of its own.
    Child,
    /// Something else, or nothing: it is not known.
    #[default]
    Unknown,
}

/// What a program may use, all of its processes together unless the kernel counts each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Memory.
    pub memory: Size,
    /// Processes and threads.
    pub processes: u32,
    /// Open files of a process.
    pub open_files: u32,
    /// The size of a file that it writes.
    pub file_size: Size,
    /// All that it writes into its working directory.
    pub scratch: Size,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: Size(1 << 30),
            processes: 256,
            open_files: 256,
            file_size: Size(64 << 20),
            scratch: Size(64 << 20),
        }
    }
}

/// A number of bytes: `512M`, `1G`, `64K` or plain bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Size(pub u64);

const UNITS: [(char, u64); 3] = [('G', 1 << 30), ('M', 1 << 20), ('K', 1 << 10)];

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(_, unit)| self.0 >= *unit && self.0.is_multiple_of(*unit)) {
            Some((letter, unit)) => write!(f, "{}{letter}", self.0 / unit),
            None => write!(f, "{}", self.0),
        }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let problem = || format!("'{text}' is not a size; write for example 512M or 1G");
        // 512MB and 1 GiB are meant as 512M and 1G.
        let upper = text.to_ascii_uppercase();
        let short = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
        let unit = UNITS.iter().find_map(|(letter, unit)| Some((short.strip_suffix(*letter)?, *unit)));
        let (number, unit) = unit.unwrap_or((short, 1));
        let number = number.trim_end();
        if number.is_empty() {
            return Err(problem());
        }
        // Only digits: no sign.
        let number = Some(number).filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        let number: u64 = number.and_then(|number| number.parse().ok()).ok_or_else(problem)?;
        match number.checked_mul(unit) {
            Some(bytes) if bytes > 0 => Ok(Size(bytes)),
            _ => Err(problem()),
        }
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Size, String> {
        text.parse()
    }
}

impl From<Size> for String {
    fn from(size: Size) -> String {
        size.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_on_the_command_line_in_messages_and_on_disk() {
        for tier in Tier::value_variants() {
            assert_eq!(Tier::from_str(&tier.to_string(), false), Ok(*tier));
            assert_eq!(serde_json::to_string(tier).unwrap(), format!("\"{tier}\""));
        }
        assert!(Tier::A > Tier::B && Tier::B > Tier::C);
        assert_eq!(
            serde_json::to_string(&[Output::Terminal, Output::Pipe]).unwrap(),
            r#"["terminal","pipe"]"#
        );
    }

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (text, bytes) in [("1G", 1 << 30), ("512M", 512 << 20), ("64K", 64 << 10), ("1000", 1000)] {
            assert_eq!(text.parse::<Size>(), Ok(Size(bytes)));
            assert_eq!(Size(bytes).to_string(), text);
        }
        for text in ["2g", "2GB", "2 G", "2 GiB", "2gb"] {
            assert_eq!(text.parse::<Size>(), Ok(Size(2 << 30)), "{text}");
        }
        for wrong in ["", "G", "B", "iB", " ", "-1G", "1.5G", "1T", "0", "99999999999G", "é"] {
            assert!(wrong.parse::<Size>().unwrap_err().contains("512M"), "{wrong}");
        }
    }
}
