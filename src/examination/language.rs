//! In which language a bot is written, as far as its files and what runs it tell.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::championship::entrant::Entrant;
use crate::contain::executable;

/// A language whose remedies are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Python.
    Python,
    /// Java.
    Java,
    /// JavaScript, or what becomes it.
    JavaScript,
    /// Rust.
    Rust,
    /// Go.
    Go,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::C => "C",
            Language::Cpp => "C++",
            Language::Python => "Python",
            Language::Java => "Java",
            Language::JavaScript => "JavaScript",
            Language::Rust => "Rust",
            Language::Go => "Go",
        })
    }
}

/// Of the names of programs, what they begin with; and of files, how they end.
const SIGNS: [(Language, &[&str], &[&str]); 7] = [
    (Language::Python, &["python", "pypy"], &["py", "pyz"]),
    (Language::Java, &["java"], &["java", "class", "jar"]),
    (Language::JavaScript, &["node", "deno", "bun"], &["js", "mjs", "cjs", "ts"]),
    (Language::Cpp, &[], &["cpp", "cc", "cxx", "hpp"]),
    (Language::C, &[], &["c"]),
    (Language::Rust, &[], &["rs"]),
    (Language::Go, &[], &["go"]),
];

/// What gives away the language of a compiled program, among its bytes.
const IN_PROGRAMS: [(Language, &[u8]); 3] =
    [(Language::Go, b"Go build ID:"), (Language::Rust, b"/rustc/"), (Language::Cpp, b"GLIBCXX_")];

/// The most of a program that is searched.
const SEARCHED: u64 = 16 << 20;

/// The language of a bot, if it can be told.
pub fn of(bot: &Entrant) -> Option<Language> {
    if bot.is_built_in() {
        return None;
    }
    let program = bot.line.program();
    if let Some(built) = in_program(&program).filter(|_| !bot.line.is_installed) {
        return beside(&program, &COMPILED).or(Some(built));
    }
    by_name(&program)
        .or_else(|| bot.line.named.iter().find_map(|file| by_ending(file)))
        .or_else(|| by_name(&executable::interpreter_of(&program)?))
}

/// The language of a program that is started as it is: by its name, or by what is in it.
pub fn of_program(program: &Path) -> Option<Language> {
    by_name(program)
        .or_else(|| in_program(program))
        .or_else(|| by_name(&executable::interpreter_of(program)?))
}

/// What becomes a program of the processor's.
const COMPILED: [Language; 4] = [Language::C, Language::Cpp, Language::Rust, Language::Go];

fn by_name(program: &Path) -> Option<Language> {
    let name = program.file_name()?.to_str()?.to_ascii_lowercase();
    let runs = |names: &[&str]| names.iter().any(|known| name.starts_with(known) && !name.contains('-'));
    SIGNS.iter().find(|(_, names, _)| runs(names)).map(|(language, ..)| *language)
}

fn by_ending(file: &Path) -> Option<Language> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    SIGNS.iter().find(|(.., endings)| endings.contains(&ending.as_str())).map(|(language, ..)| *language)
}

/// By a source file in one of these languages that is called like the program; otherwise by those in its folder, if they are all in
/// one language.
fn beside(program: &Path, languages: &[Language]) -> Option<Language> {
    let entries = program.parent()?.read_dir().ok()?.flatten().map(|entry| entry.path());
    let sources = entries.filter_map(|file| Some((by_ending(&file)?, file)));
    let sources: Vec<(Language, PathBuf)> =
        sources.filter(|(language, _)| languages.contains(language)).collect();
    let own = sources.iter().find(|(_, file)| file.file_stem() == program.file_stem());
    let only = sources.first().filter(|first| sources.iter().all(|(language, _)| *language == first.0));
    own.or(only).map(|(language, _)| *language)
}

fn in_program(program: &Path) -> Option<Language> {
    let is_small = program.metadata().is_ok_and(|file| file.is_file() && file.len() <= SEARCHED);
    let bytes = std::fs::read(program).ok().filter(|bytes| is_small && bytes.starts_with(b"\x7fELF"))?;
    let has = |sign: &[u8]| bytes.windows(sign.len()).any(|window| window == sign);
    Some(IN_PROGRAMS.iter().find(|(_, sign)| has(sign)).map_or(Language::C, |(language, _)| *language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_endings_and_sources_tell_the_language() {
        for (program, language) in [
            ("/usr/bin/python3.11", Some(Language::Python)),
            ("/usr/bin/java", Some(Language::Java)),
            ("/usr/bin/node", Some(Language::JavaScript)),
            ("/home/ana/bot", None),
            ("/home/ana/python-bot", None),
        ] {
            assert_eq!(by_name(Path::new(program)), language, "{program}");
        }
        assert_eq!(by_ending(Path::new("bots/bot.cc")), Some(Language::Cpp));
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("bot");
        std::fs::write(&program, b"\x7fELF GLIBCXX_3.4").unwrap();
        let beside = || beside(&program, &COMPILED);
        assert_eq!((beside(), in_program(&program)), (None, Some(Language::Cpp)));
        std::fs::write(folder.path().join("bot.py"), "").unwrap();
        std::fs::write(folder.path().join("eval.rs"), "").unwrap();
        assert_eq!(beside(), Some(Language::Rust));
        std::fs::write(folder.path().join("bot.c"), "").unwrap();
        assert_eq!(beside(), Some(Language::C), "its own source tells more than others");
    }
}
