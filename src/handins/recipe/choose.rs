//! Which of the sources of a hand-in is its program.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::listing::{Listing, depth, is_test, name, stem};
use super::mains::{Main, main_of};
use super::plan::taken;
use crate::contain::language::{Compiled, Language, of_ending};

/// A source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path in the hand-in.
    pub path: PathBuf,
    /// Its language.
    pub language: Language,
    /// Where its program begins, if it is one.
    pub main: Option<Main>,
}

/// The most sources that are looked at.
const MOST_SOURCES: usize = 1000;

/// All sources of a hand-in, as far as they are looked at.
pub fn sources(listing: &Listing) -> Vec<Source> {
    let source = |path: &Path| {
        let language = of_ending(path)?;
        // Declarations are for the compiler only.
        let is_source = !name(path).ends_with(".d.ts") && !name(path).ends_with(".pyz");
        is_source.then(|| Source {
            path: path.to_owned(),
            language,
            main: main_of(language, &listing.text(path)),
        })
    };
    listing.files().filter_map(source).take(MOST_SOURCES).collect()
}

/// The source with the program, and what there is to say about that; nothing if there is none. It is the one with a `main`, or one
/// that can be run as it is.
pub fn program<'a>(listing: &Listing, sources: &'a [Source]) -> Option<(&'a Source, Vec<String>)> {
    let mut candidates: Vec<&Source> = sources.iter().filter(|source| source.main.is_some()).collect();
    if candidates.is_empty() {
        candidates = sources.iter().filter(|source| runs_as_it_is(source)).collect();
        // Each is looked for in what all others ask for.
        candidates.sort_by_cached_key(|source| rank(listing, source));
        candidates.truncate(MOST_CANDIDATES);
        let imports = Imports::of(listing, sources);
        let is_module = |source: &Source| imports.is_asked_for(sources, source);
        let others: Vec<&Source> = candidates.iter().copied().filter(|source| !is_module(source)).collect();
        // Two that import one another are as good as any.
        candidates = if others.is_empty() { candidates } else { others };
    }
    candidates.sort_by_cached_key(|source| rank(listing, source));
    let (first, others) = candidates.split_first()?;
    let others: Vec<&Path> =
        others.iter().map(|other| other.path.as_path()).filter(|path| !is_test(path)).collect();
    let remarks = if others.is_empty() { Vec::new() } else { vec![taken(&first.path, &others)] };
    Some((first, remarks))
}

/// The most sources without a `main` of which one can be the program.
const MOST_CANDIDATES: usize = 100;

/// What files are called that hold a program, in the order of how surely they do.
const NAMES: [&str; 8] = ["main", "__main__", "index", "bot", "player", "jogador", "program", "app"];

/// The likeliest program comes first: no test, in no folder, called `main`, built rather than a script beside it, and the newest.
fn rank(listing: &Listing, source: &Source) -> (bool, usize, usize, bool, Reverse<u64>, PathBuf) {
    let stem = stem(&source.path).to_lowercase();
    let by_name = NAMES.iter().position(|name| *name == stem).unwrap_or(NAMES.len());
    let is_script = matches!(source.language, Language::Interpreted(_));
    let newest = Reverse(listing.changed(&source.path));
    (is_test(&source.path), depth(&source.path), by_name, is_script, newest, source.path.clone())
}

fn runs_as_it_is(source: &Source) -> bool {
    match source.language {
        Language::Compiled(language) => language == Compiled::TypeScript,
        Language::Interpreted(_) => name(&source.path) != "__init__.py" && name(&source.path) != "setup.py",
    }
}

/// What the sources of a hand-in ask for. Each text is gone through once, however many sources there are: whoever handed it in may have
/// written many and long ones.
pub struct Imports<'a> {
    /// By the path of a source: the names, without ending, of sources that it asks for.
    by_path: HashMap<&'a Path, HashSet<&'a str>>,
}

impl<'a> Imports<'a> {
    /// Those of all sources. What looks like it counts.
    pub fn of(listing: &Listing, sources: &'a [Source]) -> Imports<'a> {
        let stems: HashSet<&str> =
            sources.iter().map(|source| stem(&source.path)).filter(|stem| !stem.is_empty()).collect();
        let asked = |source: &'a Source| {
            let text = listing.text(&source.path);
            let mut asked = HashSet::new();
            let mut ask = |word: &str| asked.extend(stems.get(word).copied());
            match source.language {
                Language::Interpreted("python3") => python_imports(&text, &mut ask),
                _ => quoted_paths(&text, &mut ask),
            }
            (source.path.as_path(), asked)
        };
        Imports { by_path: sources.iter().map(asked).collect() }
    }

    /// Whether a source asks for another one.
    pub fn has(&self, source: &Source, other: &Source) -> bool {
        let is_pythons = source.language == Language::Interpreted("python3");
        let may_ask = source.language == other.language || !is_pythons;
        may_ask
            && self.by_path.get(source.path.as_path()).is_some_and(|asked| asked.contains(stem(&other.path)))
    }

    /// Whether any other of these sources asks for this one.
    fn is_asked_for(&self, sources: &[Source], source: &Source) -> bool {
        sources.iter().any(|other| other.path != source.path && self.has(other, source))
    }
}

/// The words in Python's lines of imports.
fn python_imports(text: &str, ask: &mut dyn FnMut(&str)) {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let asks = |line: &&str| line.starts_with("import ") || line.starts_with("from ");
    for line in text.lines().map(str::trim_start).filter(asks) {
        line.split(|letter| !is_part(letter)).for_each(&mut *ask);
    }
}

/// The last names of paths in quotes, as in `require('./lib/a')`, with and without an ending.
fn quoted_paths(text: &str, ask: &mut dyn FnMut(&str)) {
    const MOST_ENDINGS: usize = 4;
    for piece in text.split('/').skip(1) {
        let end = piece.find(['\'', '"', '`']);
        let name = &piece[..end.unwrap_or(piece.len())];
        if end.is_some() {
            ask(name);
        }
        name.match_indices('.').take(MOST_ENDINGS).for_each(|(dot, _)| ask(&name[..dot]));
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    fn chosen(files: &[(&str, &str)]) -> (String, usize) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let listing = Listing::read(folder.path());
        let sources = sources(&listing);
        let (source, remarks) = program(&listing, &sources).expect("there is a program");
        (source.path.display().to_string(), remarks.len())
    }

    #[test]
    fn the_program_is_the_one_with_main_the_one_called_main_or_the_only_one() {
        let main = "if __name__ == '__main__':\n    pass\n";
        assert_eq!(chosen(&[("a.py", ""), ("z.py", main)]), ("z.py".into(), 0));
        assert_eq!(chosen(&[("a.py", main), ("main.py", main)]), ("main.py".into(), 1));
        assert_eq!(chosen(&[("a.py", "print(1)"), ("main.py", "print(2)")]), ("main.py".into(), 1));
        assert_eq!(chosen(&[("x/hex.py", "")]), ("x/hex.py".into(), 0));
        assert_eq!(chosen(&[("a.py", main), ("old/main.py", main)]), ("a.py".into(), 1));
        assert_eq!(chosen(&[("test_hex.py", main), ("src/hex.py", main)]), ("src/hex.py".into(), 0));
    }

    #[test]
    fn of_two_programs_the_newest_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let years = |years: u64| UNIX_EPOCH + Duration::from_secs(years * 31_557_600);
        for (name, age) in [("hex1.c", 50), ("hex2.c", 52), ("hex3.c", 51)] {
            let path = folder.path().join(name);
            std::fs::write(&path, "int main(void) { return 0; }\n").unwrap();
            std::fs::File::options().write(true).open(path).unwrap().set_modified(years(age)).unwrap();
        }
        let listing = Listing::read(folder.path());
        let sources = sources(&listing);
        assert_eq!(program(&listing, &sources).unwrap().0.path, Path::new("hex2.c"));
    }

    #[test]
    fn a_module_that_another_asks_for_is_no_program() {
        assert_eq!(chosen(&[("board.py", ""), ("play.py", "from board import *\n")]), ("play.py".into(), 0));
        assert_eq!(chosen(&[("lib/a.js", ""), ("z.js", "require('./lib/a')")]), ("z.js".into(), 0));
        assert_eq!(chosen(&[("a.js", "import './lib/a.mjs'"), ("lib/b.mjs", "")]).0, "a.js");
    }
}
