//! The error that ended a program, as it is found and as people are told of it.

use std::borrow::Cow;

use super::obstacle;
use super::pieces::{Place, file_name, is_library, shown};
use crate::record::cause::Obstacle;

/// The first real error in what a program wrote to stderr.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorMessage {
    /// The error in the program's own words, such as `IndexError: list index out of range`. Never empty.
    pub what: String,
    /// The student's own source file in which it happened, without its folder.
    pub file: Option<String>,
    /// The line in that file.
    pub line: Option<u32>,
    /// What the program needed and did not get, where that is the error.
    pub obstacle: Option<Obstacle>,
}

/// An error as it stands in the text, and the line on which it was found.
pub(super) struct Found<'a> {
    pub at: usize,
    pub what: Cow<'a, str>,
    pub place: Option<Place<'a>>,
    pub obstacle: Option<Obstacle>,
}

impl<'a> Found<'a> {
    /// An error of these words; what they say of a missing file or module is understood.
    pub fn new(at: usize, what: impl Into<Cow<'a, str>>, place: Option<Place<'a>>) -> Found<'a> {
        let what = what.into();
        let obstacle = obstacle::named_in(&what);
        Found { at, what, place, obstacle }
    }

    /// The error for people, unless nothing is left of it.
    pub fn message(self) -> Option<ErrorMessage> {
        let own = self.place.filter(|(path, _)| !is_library(path));
        let file = own.map(|(path, _)| shown(file_name(path))).filter(|name| !name.is_empty());
        let line = own.map(|(_, line)| line).filter(|_| file.is_some());
        let what = shown(self.what.trim_end_matches(['.', ':', ' ']));
        (!what.is_empty()).then_some(ErrorMessage { what, file, line, obstacle: self.obstacle })
    }
}
