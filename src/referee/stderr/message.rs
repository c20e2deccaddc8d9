//! The error that ended a program, and the pieces of text that readers of all languages need.

use std::borrow::Cow;

use super::obstacle;
use crate::record::cause::Obstacle;
use crate::record::text::printable;

/// Characters of an error that are shown to people.
const SHOWN: usize = 120;

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

/// A line of a source file, by the file's path.
pub(super) type Place<'a> = (&'a str, u32);

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

/// A piece of the text, printable and short. Escapes make a text longer, so that its length is looked at twice.
pub(super) fn shown(text: &str) -> String {
    let shown = printable(text.as_bytes(), SHOWN);
    match shown.char_indices().nth(SHOWN) {
        Some((end, _)) if !shown[end..].eq("…") => format!("{}…", &shown[..end]),
        _ => shown,
    }
}

/// Where files are that no student has written: standard libraries, packages, and the insides of runtimes.
const LIBRARIES: &[&str] = &[
    "/lib/python",
    "site-packages",
    "dist-packages",
    "node_modules",
    "/usr/lib/",
    "/usr/include/",
    "/usr/local/go/",
    "/usr/share/",
    "/pkg/mod/",
    "/rustc/",
    "/.cargo/registry/",
    "libsanitizer",
    "sysdeps/",
    "../csu/",
];

/// Whether a path is that of a library. Names in angle brackets, such as `<frozen runpy>`, are not even files.
pub(super) fn is_library(path: &str) -> bool {
    path.starts_with('<') || path.starts_with("node:") || LIBRARIES.iter().any(|part| path.contains(part))
}

/// The last part of a path: folders such as that of a copy mean nothing to a student.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// How many colons of a text are looked at, so that a text of colons takes no longer than another.
const MOST_COLONS: usize = 16;

/// The place that a text has as `path.ext:12`, of its own or among other words and brackets.
pub(super) fn place_in(text: &str) -> Option<Place<'_>> {
    text.match_indices(':').take(MOST_COLONS).find_map(|(colon, _)| {
        let line = leading_number(&text[colon + 1..])?;
        let before = &text[..colon];
        let path = &before[before.rfind([' ', '\t', '(']).map_or(0, |blank| blank + 1)..];
        // A dot tells a file from a time of day.
        file_name(path).contains('.').then_some((path, line))
    })
}

/// The number that a text begins with.
pub(super) fn leading_number(text: &str) -> Option<u32> {
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    text[..digits].parse().ok()
}

/// The text between the first two of these quotation marks.
pub(super) fn quoted(text: &str, mark: char) -> Option<&str> {
    let (_, rest) = text.split_once(mark)?;
    rest.split_once(mark).map(|(inside, _)| inside)
}
