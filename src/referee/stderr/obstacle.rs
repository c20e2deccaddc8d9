//! What a program needed and did not get, as its error says it.

use super::pieces::{quoted, shown};
use crate::record::cause::Obstacle;

type OfFile = fn(Option<String>) -> Obstacle;

/// How systems and languages say that a file cannot be opened.
const FILE_ERRORS: &[(&str, OfFile)] = &[
    ("no such file", Obstacle::MissingFile),
    ("enoent", Obstacle::MissingFile),
    ("directory nonexistent", Obstacle::MissingFile),
    ("unable to access jarfile", Obstacle::MissingFile),
    ("read-only file system", Obstacle::ReadOnlyFile),
    ("erofs", Obstacle::ReadOnlyFile),
    ("permission denied", Obstacle::ForbiddenFile),
    ("permissiondenied", Obstacle::ForbiddenFile),
    ("eacces", Obstacle::ForbiddenFile),
    ("accessdeniedexception", Obstacle::ForbiddenFile),
    // Java's words for whatever went wrong: the system's come first.
    ("nosuchfileexception", Obstacle::MissingFile),
    ("filenotfoundexception", Obstacle::MissingFile),
];

/// How they say that there is no network.
const NETWORK_ERRORS: &[&str] = &[
    "network is unreachable",
    "enetunreach",
    "temporary failure in name resolution",
    "eai_again",
    "unknownhostexception",
    "name or service not known",
    "address family not supported",
    "socket: operation not permitted",
];

/// What stands before the name of a module that is not there. The name follows in quotation marks, or up to a blank.
const MODULE_ERRORS: &[&str] = &[
    "No module named ",
    "Cannot find module ",
    "Cannot find package ",
    "cannot load such file -- ",
    "Can't locate ",
    "module ",
];

/// The obstacle that an error tells of.
pub(super) fn named_in(error: &str) -> Option<Obstacle> {
    module_in(error)
        .or_else(|| class_in(error))
        .or_else(|| library_in(error))
        .or_else(|| network_in(error))
        .or_else(|| file_in(error))
}

fn module_in(error: &str) -> Option<Obstacle> {
    let (words, rest) = MODULE_ERRORS.iter().find_map(|&words| Some((words, error.split_once(words)?.1)))?;
    let name = match rest.chars().next()? {
        mark @ ('\'' | '"') => quoted(rest, mark)?,
        _ => rest.split(' ').next()?,
    };
    match words {
        "module " if !error.contains(" not found") => None,
        "Can't locate " if !error.contains("@INC") => None,
        "Can't locate " => {
            let module = name.trim_end_matches(".pm").replace('/', "::");
            Some(Obstacle::MissingModule(shown(&module)))
        }
        // Node calls the program itself a module.
        "Cannot find module " if name.starts_with('/') => Some(Obstacle::MissingFile(Some(shown(name)))),
        _ => Some(Obstacle::MissingModule(shown(name))),
    }
}

fn class_in(error: &str) -> Option<Obstacle> {
    let words = ["find or load main class ", "ClassNotFoundException: ", "NoClassDefFoundError: "];
    let (_, name) = words.iter().find_map(|words| error.split_once(words))?;
    name.split_whitespace().next().map(|name| Obstacle::MissingClass(shown(name)))
}

fn library_in(error: &str) -> Option<Obstacle> {
    let words = ["error while loading shared libraries: ", "Error loading shared library "];
    if let Some((_, name)) = words.iter().find_map(|words| error.split_once(words)) {
        return name.split(':').next().map(|name| Obstacle::MissingLibrary(shown(name)));
    }
    let (_, version) = error.split_once(": version `")?;
    let (version, _) = version.split_once("' not found (required by")?;
    Some(Obstacle::MissingLibrary(shown(version)))
}

fn network_in(error: &str) -> Option<Obstacle> {
    let lower = error.to_ascii_lowercase();
    NETWORK_ERRORS.iter().any(|words| lower.contains(words)).then_some(Obstacle::Network)
}

/// The file that an error of the system tells of.
pub(super) fn file_in(error: &str) -> Option<Obstacle> {
    let lower = error.to_ascii_lowercase();
    let (at, words, kind) =
        FILE_ERRORS.iter().find_map(|&(words, kind)| lower.find(words).map(|at| (at, words, kind)))?;
    let (before, after) = (&error[..at], &error[at + words.len()..]);
    let name = quoted(after, '\'')
        .or_else(|| quoted(after, '"').filter(|name| is_file_name(name)))
        .or_else(|| last_quoted(before))
        .or_else(|| name_before(before))
        .or_else(|| name_after(after));
    Some(kind(name.map(shown)))
}

/// The last text in quotation marks: an apostrophe may come before it.
fn last_quoted(text: &str) -> Option<&str> {
    let mut parts = text.rsplit('\'').skip(1);
    let inside = parts.next()?;
    parts.next().map(|_| inside)
}

/// A name right before the system's words: `fopen: book.txt: No such file`, `open book.txt: no such file`, `book.txt (No such file`.
fn name_before(text: &str) -> Option<&str> {
    let text = text.trim_end_matches([' ', '(', ':']);
    // What Haskell and dash put between the two.
    let text = text.trim_end_matches(": openFile: does not exist");
    let word = text.rsplit([' ', '\'', '`']).next()?;
    is_file_name(word).then_some(word)
}

/// A name after the system's words: `NoSuchFileException: book.txt`, `jarfile bot.jar`, `@ rb_sysopen - book.txt (Errno…`.
fn name_after(text: &str) -> Option<&str> {
    let mut words = text.trim_start_matches([':', ' ']).split(' ');
    words.find(|word| is_file_name(word))
}

/// Whether a word looks like the name of a file, and not like that of a function or an exception.
fn is_file_name(word: &str) -> bool {
    let exception = word.starts_with("java.") || word.ends_with("Exception") || word.contains("::");
    !exception && !word.ends_with(['.', ')']) && word.contains(['.', '/'])
}
