//! Which of the sources of a hand-in is its program.

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
        // Each is looked for in all others.
        candidates.sort_by_cached_key(|source| rank(source));
        candidates.truncate(MOST_CANDIDATES);
        let imported = |source: &Source| is_imported(listing, sources, source);
        let others: Vec<&Source> = candidates.iter().copied().filter(|source| !imported(source)).collect();
        // Two that import one another are as good as any.
        candidates = if others.is_empty() { candidates } else { others };
    }
    candidates.sort_by_cached_key(|source| rank(source));
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

/// The likeliest program comes first: no test, in no folder, called `main`, and built rather than a script beside it.
fn rank(source: &Source) -> (bool, usize, usize, bool, PathBuf) {
    let stem = stem(&source.path).to_lowercase();
    let by_name = NAMES.iter().position(|name| *name == stem).unwrap_or(NAMES.len());
    let is_script = matches!(source.language, Language::Interpreted(_));
    (is_test(&source.path), depth(&source.path), by_name, is_script, source.path.clone())
}

fn runs_as_it_is(source: &Source) -> bool {
    match source.language {
        Language::Compiled(language) => language == Compiled::TypeScript,
        Language::Interpreted(_) => name(&source.path) != "__init__.py" && name(&source.path) != "setup.py",
    }
}

/// Whether another source asks for this one.
fn is_imported(listing: &Listing, sources: &[Source], source: &Source) -> bool {
    sources.iter().any(|other| other.path != source.path && imports(listing, other, source))
}

/// Whether a source asks for another one. What looks like it counts.
pub fn imports(listing: &Listing, source: &Source, other: &Source) -> bool {
    let (text, stem) = (listing.text(&source.path), stem(&other.path));
    if stem.is_empty()
        || source.language != other.language && source.language == Language::Interpreted("python3")
    {
        return false;
    }
    match source.language {
        Language::Interpreted("python3") => {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let mut lines = text.lines().map(str::trim_start);
            lines.any(|line| {
                let asks = line.starts_with("import ") || line.starts_with("from ");
                asks && line.split(|letter| !is_part(letter)).any(|word| word == stem)
            })
        }
        _ => {
            let ends = ["'", "\"", "`", "."];
            ends.iter().any(|end| text.contains(&format!("/{stem}{end}")))
        }
    }
}

#[cfg(test)]
mod tests {
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
    fn a_module_that_another_asks_for_is_no_program() {
        assert_eq!(chosen(&[("board.py", ""), ("play.py", "from board import *\n")]), ("play.py".into(), 0));
        assert_eq!(chosen(&[("lib/a.js", ""), ("z.js", "require('./lib/a')")]), ("z.js".into(), 0));
        assert_eq!(chosen(&[("a.js", "import './lib/a.mjs'"), ("lib/b.mjs", "")]).0, "a.js");
    }
}
