//! The pieces of text that readers of all languages need: places in sources, names in quotation marks.

use crate::record::text::printable;

/// Characters of an error that are shown to people.
const SHOWN: usize = 120;

/// A line of a source file, by the file's path.
pub(super) type Place<'a> = (&'a str, u32);

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
pub(super) fn file_name(path: &str) -> &str {
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
