//! Errors that shells and the system report.

use super::message::Found;
use super::pieces::{leading_number, shown};
use crate::record::cause::Obstacle;

/// The first line that a reader of single lines accepts.
pub(super) fn first<'a>(
    lines: &[&'a str],
    reader: impl Fn(usize, &'a str) -> Option<Found<'a>>,
) -> Option<Found<'a>> {
    lines.iter().enumerate().find_map(|(at, line)| reader(at, line))
}

/// How the errors of shells begin or end, which tells them from any other `name: number: text`.
const SHELL_WORDS: &[&str] = &[
    "not found",
    "No such file",
    "yntax error",
    "cannot ",
    "Permission denied",
    "unbound variable",
    "parameter not set",
    "unexpected",
    "bad substitution",
    "Bad substitution",
    "division by 0",
    "Illegal number",
    "integer expression expected",
    "value too great for base",
    "Segmentation fault",
    "Aborted",
    "Killed",
    "arithmetic",
    "not a valid identifier",
    "Read-only file system",
    "Cannot fork",
    "Resource temporarily unavailable",
];

/// `x.sh: line 7: foo: command not found`, `x.sh: 7: foo: not found`, `bash: foo: command not found`.
pub(super) fn shell<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (script, rest) = line.split_once(": ")?;
        let (number, what) = match rest.split_once(": ") {
            Some((number, what)) => match number.strip_prefix("line ").unwrap_or(number).parse().ok() {
                Some(number) => (Some(number), what),
                None => (None, rest),
            },
            None => (None, rest),
        };
        let is_shell = matches!(script, "sh" | "bash" | "dash" | "/bin/sh" | "/bin/bash");
        if !(is_shell || number.is_some()) || !SHELL_WORDS.iter().any(|words| what.contains(words)) {
            return None;
        }
        let what = without_process_number(what);
        let place = number.filter(|_| !is_shell).map(|number| (script, number));
        let found = Found::new(at, what, place);
        Some(Found { obstacle: missing_command(what).or(found.obstacle), ..found })
    })
}

/// `2603 Segmentation fault  ./bot`: what a shell says of a program that it has started, without the number of its process.
fn without_process_number(what: &str) -> &str {
    let rest = what.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ' ');
    let is_signal = ["Segmentation fault", "Aborted", "Killed"].iter().any(|words| rest.starts_with(words));
    if is_signal { rest } else { what }
}

fn missing_command(what: &str) -> Option<Obstacle> {
    let name = what.strip_suffix(": command not found").or_else(|| what.strip_suffix(": not found"))?;
    let name = name.strip_prefix("exec: ").unwrap_or(name);
    Some(Obstacle::MissingCommand(shown(name)))
}

/// What `perror` and its like write: `book.txt: No such file or directory`.
pub(super) fn system<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let found = Found::new(at, without_date(line), None);
        matches!(
            found.obstacle,
            Some(
                Obstacle::MissingFile(_)
                    | Obstacle::ForbiddenFile(_)
                    | Obstacle::ReadOnlyFile(_)
                    | Obstacle::Network
            )
        )
        .then_some(found)
    })
}

/// A line without the date and time that Go's `log` puts before it.
fn without_date(line: &str) -> &str {
    let mut words = line.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some(date), Some(time), Some(rest))
            if leading_number(date).is_some() && date.contains('/') && time.contains(':') =>
        {
            rest
        }
        _ => line,
    }
}
