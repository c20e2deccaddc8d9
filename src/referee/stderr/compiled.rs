//! Errors of Java, C#, Rust, Go, C, C++ and Haskell, and of what loads and compiles them.

use super::message::Found;
use super::pieces::{Place, is_library, leading_number, place_in, quoted};
use super::shells::first;
use crate::record::cause::Obstacle;

/// An exception of Java with its calls, each as `\tat Bot.play(Bot.java:12)`. The last "Caused by" is the true error.
pub(super) fn java<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    let is_call = |line: &&str| line.starts_with("\tat ") || line.starts_with("\t... ");
    let begins = |at: usize| {
        lines[at].starts_with("Exception in thread \"")
            || (!lines[at].starts_with('\t') && lines.get(at + 1).is_some_and(is_call))
    };
    let at = (0..lines.len()).find(|&at| begins(at))?;
    let after_thread =
        lines[at].strip_prefix("Exception in thread \"").and_then(|rest| rest.split_once("\" "));
    let mut what = after_thread.map_or(lines[at], |(_, what)| what);
    let (mut place, mut of_cause) = (None, None);
    for line in &lines[at + 1..] {
        if let Some(cause) = line.strip_prefix("Caused by: ") {
            (what, of_cause) = (cause, None);
        } else if is_call(line) {
            of_cause = of_cause.or_else(|| java_place(line));
            place = of_cause.or(place);
        } else {
            break;
        }
    }
    Some(Found::new(at, what, place))
}

/// The place of a call in the student's own classes.
fn java_place(call: &str) -> Option<Place<'_>> {
    let called = call.strip_prefix("\tat ")?;
    let class = called.rsplit_once('/').map_or(called, |(_, class)| class);
    let of_java = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
    if of_java.iter().any(|prefix| class.starts_with(prefix)) { None } else { place_in(called) }
}

/// What `java` says that cannot even start the program.
pub(super) fn java_launcher<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    const ERRORS: &[&str] =
        &["Could not find or load main class", "Unable to access jarfile", "Main method not found"];
    first(lines, |at, line| {
        let error = line.strip_prefix("Error: ")?;
        if error.starts_with("LinkageError occurred") {
            return lines.get(at + 1).map(|cause| Found::new(at, cause.trim(), None));
        }
        let known = ERRORS.iter().any(|words| error.starts_with(words));
        known.then(|| Found::new(at, error.split(", please").next().unwrap_or(error), None))
    })
}

/// `Unhandled exception. System.X: text`, with calls as `   at Bot.Play() in /x/Bot.cs:line 12`.
pub(super) fn csharp<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (_, same_line) =
            line.split_once("nhandled exception").or_else(|| line.split_once("nhandled Exception"))?;
        let same_line = same_line.trim_start_matches([':', '.', ' ']);
        let what = if same_line.is_empty() { lines.get(at + 1)? } else { same_line };
        let after = lines[at + 1..].iter().take(MOST_CALLS);
        let calls = after.filter(|line| line.trim_start().starts_with("at "));
        let place = calls.filter_map(|call| csharp_place(call)).find(|(path, _)| !is_library(path));
        (what.starts_with("System.") || place.is_some()).then(|| Found::new(at, what, place))
    })
}

/// Lines after an error of C# in which its place is looked for.
const MOST_CALLS: usize = 200;

fn csharp_place(call: &str) -> Option<Place<'_>> {
    let (path, line) = call.rsplit_once(" in ")?.1.rsplit_once(":line ")?;
    Some((path, leading_number(line)?))
}

/// `thread 'main' panicked at src/main.rs:5:10:` with the text on the next line; before 2023 `panicked at 'text', src/main.rs:5:10`.
pub(super) fn rust<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (_, rest) =
            line.split_once("panicked at ").filter(|(thread, _)| thread.starts_with("thread "))?;
        if let Some((what, place)) = rest.strip_prefix('\'').and_then(|rest| rest.rsplit_once("', ")) {
            return Some(Found::new(at, what, place_in(place)));
        }
        let what = lines[at + 1..].iter().find(|line| !line.is_empty())?;
        Some(Found::new(at, *what, place_in(rest)))
    })
}

/// `panic: text` or `fatal error: text`, then a trace with the place of each call on a line of its own.
pub(super) fn go<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    let words = ["panic: ", "fatal error: "];
    let at = lines.iter().position(|line| words.iter().any(|word| line.starts_with(word)))?;
    let trace = at + lines[at..].iter().position(|line| line.starts_with("goroutine "))?;
    let calls = lines[trace..].iter().filter_map(|line| place_in(line.strip_prefix('\t')?));
    let place = calls.into_iter().find(|(path, _)| !is_library(path));
    Some(Found::new(at, lines[at], place))
}

/// `bot: bot.c:3: main: Assertion 'x' failed.` of glibc, `Assertion failed: x (bot.c: main: 3)` of musl, and that of the BSDs.
pub(super) fn assertion<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        if let Some(rest) = line.strip_prefix("Assertion failed: ") {
            let (what, place) = rest.rsplit_once(" (").or_else(|| rest.split_once(", function"))?;
            let place = bsd_place(place).or_else(|| {
                let (file, _) = place.split_once(": ")?;
                Some((file, leading_number(place.rsplit_once(": ")?.1)?))
            });
            let end = line.len() - rest.len() + what.len();
            return Some(Found::new(at, &line[..end], place));
        }
        let start = line.find(": Assertion ").filter(|_| line.trim_end_matches('.').ends_with(" failed"))?;
        Some(Found::new(at, &line[start + 2..], place_in(&line[..start])))
    })
}

fn bsd_place(text: &str) -> Option<Place<'_>> {
    let (file, line) = text.split_once(", file ")?.1.split_once(", line ")?;
    Some((file, leading_number(line)?))
}

/// `terminate called after throwing an instance of 'X'`, and on the next line `  what():  text`.
pub(super) fn cpp_exception<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    let at = lines.iter().position(|line| line.starts_with("terminate called "))?;
    let text = lines.get(at + 1).and_then(|line| line.trim_start().strip_prefix("what():")).map(str::trim);
    let Some(exception) = quoted(lines[at], '\'') else { return Some(Found::new(at, lines[at], None)) };
    // Nobody wrote that name, but the compiler.
    let exception = if exception.contains("basic_string<") { "std::string" } else { exception };
    let what = match text.filter(|text| !text.is_empty()) {
        Some(text) => format!("{exception}: {text}"),
        None => format!("an exception that nobody caught: {exception}"),
    };
    Some(Found::new(at, what, None))
}

/// `==1==ERROR: AddressSanitizer: heap-buffer-overflow on address …`, then calls as `    #1 0x… in f bot.c:12`.
pub(super) fn sanitizer<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (_, what) = line.split_once("ERROR: ").or_else(|| line.split_once("WARNING: "))?;
        if what.contains("Sanitizer failed to allocate ") {
            let what = what.split(" 0x").next().unwrap_or(what);
            return Some(Found { obstacle: Some(Obstacle::SanitizerMemory), ..Found::new(at, what, None) });
        }
        what.split_once("Sanitizer: ")?;
        let ends = [" on address", " on unknown", " on 0x", " (pc ", " (pid="];
        let end = ends.iter().filter_map(|end| what.find(end)).min().unwrap_or(what.len());
        let calls = lines[at + 1..].iter().filter(|line| line.trim_start().starts_with('#'));
        let place = calls.filter_map(|call| place_in(call)).find(|(path, _)| !is_library(path));
        Some(Found::new(at, &what[..end], place))
    })
}

/// `bot.c:7:3: runtime error: signed integer overflow`
pub(super) fn undefined_behaviour<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (place, what) = line.split_once(": runtime error: ")?;
        Some(Found::new(at, what, place_in(place)))
    })
}

/// What glibc says when it finds its heap or stack destroyed.
pub(super) fn heap<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    const WORDS: &[&str] = &[
        "free(): ",
        "malloc(): ",
        "realloc(): ",
        "malloc_consolidate(): ",
        "munmap_chunk(): ",
        "double free or corruption",
        "corrupted size vs. prev_size",
        "corrupted double-linked list",
        "*** stack smashing detected ***",
        "*** buffer overflow detected ***",
    ];
    first(lines, |at, line| {
        WORDS.iter().any(|words| line.starts_with(words)).then(|| Found::new(at, line, None))
    })
}

/// `./bot: error while loading shared libraries: libfoo.so: cannot open shared object file`
pub(super) fn loader<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let known = line.contains("error while loading shared libraries: ")
            || line.starts_with("Error loading shared library ")
            || (line.contains(": version `") && line.contains("' not found (required by"));
        let what = line.find("error while").map_or(line, |start| &line[start..]);
        known.then(|| Found::new(at, what, None))
    })
}

/// A compiler that was asked to run a source: `Bot.java:1: error: illegal start of expression`.
pub(super) fn compiler<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (place, what) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
        Some(Found::new(at, what, Some(place_in(&line[..place.len() + 1])?)))
    })
}

/// `bot: Prelude.read: no parse`, with the place on a line `  error, called at src/Main.hs:12:5 in main:Main`, if at all.
pub(super) fn haskell<'a>(lines: &[&'a str]) -> Option<Found<'a>> {
    first(lines, |at, line| {
        let (program, what) = line.split_once(": ").filter(|(program, _)| !program.contains(' '))?;
        let has_calls = lines.get(at + 1).is_some_and(|next| next.starts_with("CallStack (from "));
        let known = has_calls || what.starts_with("Prelude.") || what.contains("Non-exhaustive patterns");
        let called = || lines[at + 1..].iter().find_map(|line| place_in(line.split_once("called at ")?.1));
        (known && !program.is_empty()).then(|| Found::new(at, what, called()))
    })
}
