//! Amounts of memory, as people write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
        let problem = || format!("'{text}' is not an amount of memory; write for example 512M or 1G");
        let last = text.chars().last().ok_or_else(problem)?.to_ascii_uppercase();
        let (number, unit) = match UNITS.iter().find(|(letter, _)| *letter == last) {
            Some((_, unit)) => (&text[..text.len() - 1], *unit),
            None => (text, 1),
        };
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
    fn sizes_are_read_as_they_are_written() {
        for (text, bytes) in [("1G", 1 << 30), ("512M", 512 << 20), ("64K", 64 << 10), ("1000", 1000)] {
            assert_eq!(text.parse::<Size>(), Ok(Size(bytes)));
            assert_eq!(Size(bytes).to_string(), text);
        }
        assert_eq!("2g".parse::<Size>(), Ok(Size(2 << 30)));
        for wrong in ["", "G", "-1G", "1.5G", "1T", "0", "99999999999G", "é"] {
            assert!(wrong.parse::<Size>().unwrap_err().contains("512M"), "{wrong}");
        }
    }
}
