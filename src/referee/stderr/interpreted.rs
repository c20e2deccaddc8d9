//! Errors of Python, JavaScript, Ruby, Lua and Perl.

use super::message::Found;
use super::pieces::{Place, is_library, leading_number, place_in};
use super::shells::first;

/// A traceback of Python, or a syntax error, which has none.
///
/// In a chain of errors, one that another "was the direct cause" of is the true one. One that was being handled was expected; the
/// error in its handler was not.
pub(super) fn python<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    let is_ignored = |at: usize| at > 0 && lines[at - 1].starts_with("Exception ignored ");
    let begins =
        |at: usize| (lines[at].starts_with("Traceback (most") && !is_ignored(at)) || is_frame(lines[at]);
    let at = (0..lines.len()).find(|&at| begins(at))?;
    let (mut found, mut end) = python_error(lines, at)?;
    while let Some(link) = next_with_text(lines, end + 1) {
        let next = next_with_text(lines, link + 1).unwrap_or(link);
        if !lines[link].starts_with("During handling of the above exception")
            || !lines[next].starts_with("Traceback (most")
        {
            break;
        }
        let Some((handler, later)) = python_error(lines, next) else { break };
        (found, end) = (Found { at, ..handler }, later);
    }
    Some(found)
}

fn is_frame(line: &str) -> bool {
    line.starts_with("  File \"") && line.contains("\", line ")
}

/// The error whose frames begin here, and the line on which it ends.
fn python_error<'a>(lines: &[&'a str], at: usize) -> Option<(Found<'a>, usize)> {
    let is_inside = |line: &&&str| line.starts_with(' ') || line.is_empty();
    let end = at + 1 + lines[at + 1..].iter().take_while(is_inside).count();
    let &what = lines.get(end)?;
    let mut frames =
        lines[at..end].iter().filter(|line| is_frame(line)).filter_map(|line| python_place(line));
    let place = frames.rfind(|(path, _)| !is_library(path));
    Some((Found::new(at, what, place), end))
}

fn python_place(frame: &str) -> Option<Place<'_>> {
    let (path, rest) = frame.strip_prefix("  File \"")?.split_once("\", line ")?;
    Some((path, leading_number(rest)?))
}

fn next_with_text(lines: &[&str], from: usize) -> Option<usize> {
    (from..lines.len()).find(|&at| !lines[at].is_empty())
}

/// `python3: can't open file '/x/bot.py': [Errno 2] No such file or directory`
pub(super) fn python_without_program<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let error = line.find("can't open file '").filter(|_| line.contains("[Errno "))?;
        Some(Found::new(at, &line[error..], None))
    })
}

/// What Node writes: the place and its source line, then the error, then the calls that led there, each as `    at f (file.js:1:2)`.
pub(super) fn javascript<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    let header = lines.iter().position(|line| is_javascript_header(line));
    let calls = lines.iter().position(|line| line.starts_with("    at "));
    let error = match (header, calls) {
        (_, Some(calls)) => (0..calls).rev().find(|&at| is_error_text(lines[at]))?,
        // A text that was thrown has no calls.
        (Some(header), None) => {
            let caret = (header..lines.len()).find(|&at| lines[at].trim_start().starts_with('^'))?;
            next_with_text(lines, caret + 1)?
        }
        (None, None) => return None,
    };
    let is_own = |place: &Place| !is_library(place.0);
    let own_call = || {
        let calls = lines[calls?..].iter().take_while(|line| line.starts_with("    at "));
        calls.filter_map(|line| place_in(line)).find(is_own)
    };
    let own_header = || lines[header?..error].first().and_then(|line| place_in(line)).filter(is_own);
    // A syntax error happens before anything is called: only the header has its place.
    let place = own_call().or_else(own_header);
    Some(Found::new(header.map_or(error, |header| header.min(error)), lines[error], place))
}

/// A line that is a place and nothing else, such as `/x/bot.js:12` or `node:fs:573`.
fn is_javascript_header(line: &str) -> bool {
    let Some((path, number)) = line.rsplit_once(':') else { return false };
    let is_source = [".js", ".mjs", ".cjs", ".ts"].iter().any(|ending| path.ends_with(ending));
    !line.starts_with(' ')
        && number.parse::<u32>().is_ok()
        && (is_source || path.starts_with("node:") || path == "<anonymous_script>")
}

/// Whether a line before the calls is the error itself, and not what follows it or comes before.
fn is_error_text(line: &str) -> bool {
    !line.is_empty() && !line.starts_with([' ', '-', '\t']) && line != "Require stack:"
}

/// `x.rb:3:in 'f': undefined local variable (NameError)`, with further calls after `from`.
pub(super) fn ruby<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (place, rest) = line.split_once(":in ")?;
        let (_, what) = rest.split_once("': ")?;
        let own = place_in(place).filter(|(path, _)| !is_library(path));
        let from = || {
            let calls = lines[at + 1..].iter().map_while(|line| line.strip_prefix("\tfrom "));
            calls.filter_map(place_in).find(|(path, _)| !is_library(path))
        };
        place.contains(".rb").then(|| Found::new(at, what, own.or_else(from)))
    })
}

/// `lua: x.lua:3: attempt to index a nil value`
pub(super) fn lua<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (_, error) = line.split_once(": ").filter(|(program, _)| program.starts_with("lua"))?;
        let place = place_in(error).filter(|(path, _)| path.ends_with(".lua"));
        let what = if place.is_some() { error.split_once(": ")?.1 } else { error };
        Some(Found::new(at, what, place))
    })
}

/// `bad move at x.pl line 3.`
pub(super) fn perl<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (rest, number) = line.rsplit_once(" line ")?;
        let (what, path) = rest.rsplit_once(" at ")?;
        let digits = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let ends = digits.starts_with(['.', ',']) && !path.contains(' ');
        let what = what.split(" (you may need").next().unwrap_or(what);
        ends.then(|| Found::new(at, what, leading_number(number).map(|number| (path, number))))
    })
}
