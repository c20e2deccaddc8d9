//! What became of a hand-in.

use serde::{Deserialize, Serialize};

use crate::record::text::one_line;

/// What became of a hand-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was built without a complaint, or needs no building.
    Built,
    /// It was built, with so many warnings.
    Warnings(usize),
    /// It could not be built: the first error, with its file and line.
    Failed(String),
    /// There is nothing in it that can be built or run: what there is instead.
    NothingFound(String),
    /// It cannot be unpacked, or not safely: why.
    Refused(String),
}

impl Outcome {
    /// The same with its words on one line that is safe to print: names of files are in them, and what compilers have said.
    pub fn on_one_line(self) -> Outcome {
        match self {
            Outcome::Built | Outcome::Warnings(_) => self,
            Outcome::Failed(error) => Outcome::Failed(one_line(&error)),
            Outcome::NothingFound(what) => Outcome::NothingFound(one_line(&what)),
            Outcome::Refused(why) => Outcome::Refused(one_line(&why)),
        }
    }

    /// Whether there is a program that can play.
    pub fn is_built(&self) -> bool {
        matches!(self, Outcome::Built | Outcome::Warnings(_))
    }

    /// Why there is no program that can play, unless there is one.
    pub fn problem(&self) -> Option<String> {
        match self {
            Outcome::Built | Outcome::Warnings(_) => None,
            Outcome::Failed(error) => Some(format!("was not built: {error}")),
            Outcome::NothingFound(what) | Outcome::Refused(what) => Some(what.clone()),
        }
    }
}
