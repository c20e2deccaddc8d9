//! Which part of a schedule it is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// The folder of all that shards write, in that of the championship.
pub const FOLDER: &str = "shards";

/// More shards than anybody has machines for.
pub const MOST: u32 = 100_000;

/// One of several parts of a schedule: `3/8` is the third of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard {
    /// How many there are.
    pub of: u32,
    /// Which one it is, from 1.
    pub number: u32,
}

/// A text that is no [`Shard`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAShard {
    /// It has another form.
    #[error("'{0}' is not a shard; write which one of how many, such as 3/8")]
    Form(String),
    /// There is no such one.
    #[error("there is no shard {0}: of {1}, they are 1/{1} to {1}/{1}")]
    Range(u64, u64),
    /// There cannot be so many.
    #[error("there can be 1 to {MOST} shards, not {0}")]
    Count(u64),
}

impl FromStr for Shard {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Shard, NotAShard> {
        let number =
            |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let parts = text.split_once('/').and_then(|(which, of)| Some((number(which)?, number(of)?)));
        let (which, of) = parts.ok_or_else(|| NotAShard::Form(text.to_owned()))?;
        if !(1..=u64::from(MOST)).contains(&of) {
            return Err(NotAShard::Count(of));
        }
        if !(1..=of).contains(&which) {
            return Err(NotAShard::Range(which, of));
        }
        Ok(Shard { number: which as u32, of: of as u32 })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shard, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_written_as_people_count() {
        assert_eq!("3/8".parse(), Ok(Shard { number: 3, of: 8 }));
        assert_eq!(Shard { number: 3, of: 8 }.to_string(), "3/8");
        let refused = |text: &str| text.parse::<Shard>().unwrap_err().to_string();
        assert_eq!(refused("0/8"), "there is no shard 0: of 8, they are 1/8 to 8/8");
        assert_eq!(refused("9/8"), "there is no shard 9: of 8, they are 1/8 to 8/8");
        assert_eq!(refused("1/0"), "there can be 1 to 100000 shards, not 0");
        for text in ["", "3", "3/", "/8", "-1/8", "+1/8", "1/8/9", "a/b", "1 / 8"] {
            assert!(refused(text).ends_with("such as 3/8"), "{text}");
        }
    }
}
