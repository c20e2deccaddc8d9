//! What happens in one turn: a move, or somebody leaves.

use std::fmt;
use std::time::Duration;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::contain::spec::Work;

/// What the seat whose turn it was did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ply {
    /// It made a move.
    Move {
        /// The move in its canonical spelling.
        text: String,
        /// How long it took.
        taken: Duration,
        /// What was done in that time, where it was measured: quick moves are not.
        work: Option<Work>,
    },
    /// It left a game that goes on without it.
    Leave,
}

/// A leave in the journal, where a move is a list of its text, its nanoseconds and, if they are known, those of its [`Work`].
const LEAVE: &str = "leave";
/// How version 1 of the journal's format wrote it: as a move. No game has such a move.
const LEAVE_V1: &str = "leaves";

impl Ply {
    /// The move, if it was one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Ply::Move { text, .. } => Some(text),
            Ply::Leave => None,
        }
    }

    /// How long it took.
    pub fn taken(&self) -> Duration {
        match self {
            Ply::Move { taken, .. } => *taken,
            Ply::Leave => Duration::ZERO,
        }
    }
}

impl Serialize for Ply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Ply::Move { text, taken, work: None } => (text, taken.as_nanos() as u64).serialize(serializer),
            Ply::Move { text, taken, work: Some(work) } => {
                (text, taken.as_nanos() as u64, work.cpu_ns, work.waiting_ns).serialize(serializer)
            }
            Ply::Leave => LEAVE.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Ply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ply, D::Error> {
        Ok(match BorrowedPly::deserialize(deserializer)? {
            BorrowedPly::Move { text, ns, work } => {
                Ply::Move { text: text.to_owned(), taken: Duration::from_nanos(ns), work }
            }
            BorrowedPly::Leave => Ply::Leave,
        })
    }
}

/// A ply whose text is still that of the journal: reading very many games copies none of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BorrowedPly<'a> {
    /// As [`Ply::Move`].
    Move {
        /// Its text.
        text: &'a str,
        /// Its nanoseconds.
        ns: u64,
        /// What was done.
        work: Option<Work>,
    },
    /// As [`Ply::Leave`].
    Leave,
}

impl<'de> Deserialize<'de> for BorrowedPly<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BorrowedPly<'de>, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = BorrowedPly<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a move with its nanoseconds, or \"{LEAVE}\"")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<BorrowedPly<'de>, A::Error> {
                let missing = |at| serde::de::Error::invalid_length(at, &self);
                let text: &str = fields.next_element()?.ok_or_else(|| missing(0))?;
                let ns = fields.next_element()?.ok_or_else(|| missing(1))?;
                if text == LEAVE_V1 {
                    return Ok(BorrowedPly::Leave);
                }
                let work = match fields.next_element()? {
                    Some(cpu_ns) => {
                        let waiting_ns = fields.next_element()?.ok_or_else(|| missing(3))?;
                        Some(Work { cpu_ns, waiting_ns })
                    }
                    None => None,
                };
                Ok(BorrowedPly::Move { text, ns, work })
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<BorrowedPly<'de>, E> {
                let unknown = || E::invalid_value(serde::de::Unexpected::Str(word), &self);
                (word == LEAVE).then_some(BorrowedPly::Leave).ok_or_else(unknown)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_read_as_they_are_written_and_as_version_1_wrote_them() {
        let ply = |ns, work| Ply::Move { text: "3 4".into(), taken: Duration::from_nanos(ns), work };
        let work = Work { cpu_ns: 6_000_000, waiting_ns: 1000 };
        let plies = vec![ply(1_500_000_007, None), ply(7_000_000, Some(work)), Ply::Leave];
        let text = serde_json::to_string(&plies).unwrap();
        assert_eq!(text, r#"[["3 4",1500000007],["3 4",7000000,6000000,1000],"leave"]"#);
        assert_eq!(serde_json::from_str::<Vec<Ply>>(&text).unwrap(), plies);
        assert_eq!(serde_json::from_str::<Ply>(r#"["leaves",0]"#).unwrap(), Ply::Leave);
        for wrong in [r#""left""#, r#"["3 4"]"#, r#"["3 4",7,1]"#, "[3,4]", "null", "7"] {
            assert!(serde_json::from_str::<Ply>(wrong).is_err(), "{wrong}");
        }
    }
}
