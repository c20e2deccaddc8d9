//! Results go to stdout, everything else to stderr.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use anyhow::{Result, anyhow};

use super::exit::usage;
use crate::record::text::visible;

/// Whoever reads our output has seen enough, as in `arbitro replay … | head`.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the output any more")]
pub struct ReaderGone;

/// Prints to stdout.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(ReaderGone.into()),
        other => Ok(other?),
    }
}

/// Prints a line.
pub fn print_line(line: &str) -> Result<()> {
    print(&format!("{line}\n"))
}

/// A path as it stands in a command that people may paste into a shell.
pub fn quoted(path: &Path) -> String {
    visible(shell_words::quote(&path.to_string_lossy()).as_bytes())
}

/// How a line begins that is a command to be pasted.
pub const COMMAND: &str = "    ";

/// How every page begins.
pub const PAGE_BEGINS: &str = "<!doctype html>";

/// Refuses to write over a file that begins otherwise than what is to be written: it may be a student's program, or a journal.
pub fn check_replaceable(path: &Path, begins_with: &str) -> Result<()> {
    // Before it is opened: a pipe or a terminal would keep us waiting for somebody to write.
    if !path.metadata().is_ok_and(|data| data.is_file()) {
        return Ok(());
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(begins_with.len() as u64).read_to_end(&mut head));
    // Whether a file that cannot be read can be written is found out when that is tried.
    if read.is_err() || head.is_empty() || head == begins_with.as_bytes() {
        return Ok(());
    }
    Err(usage(anyhow!("'{}' holds something else that would be lost; give another name", path.display())))
}

/// Says something on stderr. If that is closed or full, there is nobody to tell and no reason to stop.
///
/// Names of files and commands can be in it, which may hold anything: nothing of it drives the terminal.
pub fn say(text: &str) {
    let text = visible(without_error_numbers(text).as_bytes());
    let is_terminal = io::stderr().is_terminal();
    let width = is_terminal.then(|| usize::from(console::Term::stderr().size().1));
    let _ = writeln!(io::stderr(), "{}", wrapped(&text, width));
}

/// A text in lines that are broken between words, where they are longer than a terminal is wide. Commands are not: they stand on lines
/// of their own that begin with [`COMMAND`], and can be pasted as they are.
pub fn wrapped(text: &str, width: Option<usize>) -> String {
    /// On narrower ones there is no room to indent.
    const NARROWEST: usize = 20;
    let Some(width) = width.filter(|&width| width >= NARROWEST) else { return text.to_owned() };
    let lines = text.split('\n').map(|line| {
        if line.starts_with(COMMAND) {
            return line.to_owned();
        }
        let indent = line.len() - line.trim_start().len();
        let mut wrapped = " ".repeat(indent);
        let mut column = indent;
        for (index, word) in line.trim_start().split(' ').enumerate() {
            let length = console::measure_text_width(word);
            if index > 0 && column + 1 + length > width {
                wrapped += &format!("\n{}", " ".repeat(indent + 2));
                column = indent + 2;
            } else if index > 0 {
                wrapped.push(' ');
                column += 1;
            }
            wrapped += word;
            column += length;
        }
        wrapped
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text without the numbers that stand behind the words of the operating system, `(os error 2)`, and without the capital that those
/// words begin with, which stand in the middle of a sentence.
fn without_error_numbers(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                let begin = kept.rfind(": ").map(|at| at + 2);
                if let Some(first) = begin.and_then(|at| kept.get_mut(at..=at)) {
                    first.make_ascii_lowercase();
                }
                kept += rest;
            }
            _ => kept += &format!(" (os error {part}"),
        }
    }
    kept
}

/// Warns on stderr.
pub fn warn(text: String) {
    say(&format!("warning: {text}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two", None), "one two");
        assert_eq!(
            wrapped("  a sentence of some words that is too long\nshort  line", Some(24)),
            "  a sentence of some\n    words that is too\n    long\nshort  line"
        );
        assert_eq!(
            wrapped("a/path/that/is/far/too/long/to/break here", Some(20)),
            "a/path/that/is/far/too/long/to/break\n  here"
        );
    }

    #[test]
    fn commands_stay_on_one_line() {
        let text = "to go on:\n    arbitro championship --resume out --play-again ana";
        assert_eq!(wrapped(text, Some(24)), text);
    }

    #[test]
    fn numbers_of_errors_are_left_out() {
        let told = without_error_numbers("a: Not a directory (os error 20); b: No such file (os error 2)");
        assert_eq!(told, "a: not a directory; b: no such file");
        assert_eq!(without_error_numbers("Not a directory (os error 20)"), "Not a directory");
        assert_eq!(without_error_numbers("x (os error y)"), "x (os error y)");
    }
}
