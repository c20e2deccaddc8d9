//! The direction of the house: which room may know which, and no two files of a room know each other in a circle.
//!
//! Production code is read as text: every `use` line, and every path that begins with `crate`, `super`, `self` or a module of
//! the file. What `mod.rs` passes on with `pub use` is followed to the file that has it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Each room, and what it may know: rooms, or single files of a room.
const MAP: &[(&str, &[&str])] = &[
    ("contain", &[]),
    ("game", &[]),
    ("record", &["game", "contain/spec.rs"]),
    ("score", &["game", "record"]),
    ("view", &["game", "record", "score"]),
    ("referee", &["game", "record", "contain"]),
    ("engine", &["game"]),
    (
        "championship",
        &["game", "record", "score", "contain", "referee", "engine/catalogue.rs", "engine/level.rs"],
    ),
    ("handins", &["record", "contain", "championship"]),
    ("examination", &["game", "record", "contain", "referee", "championship"]),
    (
        "serve",
        &[
            "game",
            "record",
            "score",
            "contain",
            "referee",
            "championship",
            "view",
            "engine/catalogue.rs",
            "engine/level.rs",
            "engine/seating.rs",
        ],
    ),
    (
        "cli",
        &[
            "game",
            "record",
            "score",
            "contain",
            "referee",
            "engine",
            "championship",
            "handins",
            "examination",
            "view",
            "serve",
        ],
    ),
];

/// A file of the crate, by its path below `src`.
type Sources = BTreeMap<String, String>;

fn sources() -> Sources {
    fn add(folder: &Path, root: &Path, files: &mut Sources) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(&path, root, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                // Tests may know whom they like; the programs' own files only call the crate.
                let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
                if !is_test && name != "main.rs" && !name.starts_with("bin/") {
                    files.insert(name, std::fs::read_to_string(&path).unwrap());
                }
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Sources::new();
    add(&root, &root, &mut files);
    files
}

/// The words of a source, without comments, texts and what is for tests only.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let letters: Vec<char> = source.chars().collect();
    let mut at = 0;
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    while at < letters.len() {
        let rest = |length: usize| letters[at..letters.len().min(at + length)].iter().collect::<String>();
        match letters[at] {
            '/' if rest(2) == "//" => {
                at += letters[at..].iter().take_while(|&&letter| letter != '\n').count()
            }
            '/' if rest(2) == "/*" => {
                at += 2;
                while at < letters.len() && !(letters[at] == '*' && letters.get(at + 1) == Some(&'/')) {
                    at += 1;
                }
                at += 2;
            }
            'r' if matches!(letters.get(at + 1), Some('"' | '#')) && is_raw_text(&letters[at + 1..]) => {
                let hashes = letters[at + 1..].iter().take_while(|&&letter| letter == '#').count();
                at += hashes + 2;
                let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                while at < letters.len() && !letters[at..].starts_with(&end) {
                    at += 1;
                }
                at += end.len();
            }
            '"' => {
                at += 1;
                while at < letters.len() && letters[at] != '"' {
                    at += if letters[at] == '\\' { 2 } else { 1 };
                }
                at += 1;
            }
            // A letter in quotes, and not a lifetime.
            '\'' if letters.get(at + 1) == Some(&'\\') => {
                at += 3;
                while at < letters.len() && letters[at] != '\'' {
                    at += 1;
                }
                at += 1;
            }
            '\'' if letters.get(at + 2) == Some(&'\'') => at += 3,
            letter if is_word(letter) => {
                let length = letters[at..].iter().take_while(|&&letter| is_word(letter)).count();
                tokens.push(rest(length));
                at += length;
            }
            ':' if rest(2) == "::" => {
                tokens.push("::".to_owned());
                at += 2;
            }
            letter if letter.is_whitespace() => at += 1,
            letter => {
                tokens.push(letter.to_string());
                at += 1;
            }
        }
    }
    without_tests(tokens)
}

fn is_raw_text(letters: &[char]) -> bool {
    letters.iter().find(|&&letter| letter != '#') == Some(&'"')
}

/// Leaves out every item behind `#[cfg(test)]`, and behind conditions that test is a part of.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let attribute =
            tokens[at..].iter().position(|token| token == "]").map_or(&[][..], |end| &tokens[at..at + end]);
        let begins = attribute.iter().take(4).map(String::as_str).eq(["#", "[", "cfg", "("]);
        if !begins
            || !attribute.iter().any(|token| token == "test")
            || attribute.iter().any(|token| token == "not")
        {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += attribute.len() + 1;
        let mut depth = 0;
        while at < tokens.len() {
            let token = tokens[at].as_str();
            depth += i32::from(token == "{") - i32::from(token == "}");
            at += 1;
            if depth == 0 && matches!(token, ";" | "}") {
                break;
            }
        }
    }
    kept
}

/// A path that a file names.
#[derive(Debug, PartialEq)]
struct Named {
    path: Vec<String>,
    /// The name by which others find it here, if it is passed on.
    passed_on_as: Option<String>,
    /// The name by which it is called in this file, if it was imported.
    name: Option<String>,
}

/// Every path that a file names, and the modules that it declares.
fn read(source: &str) -> (Vec<Named>, BTreeSet<String>) {
    let tokens = tokens(source);
    let word = |at: usize| tokens.get(at).map_or("", String::as_str);
    let modules: BTreeSet<String> = (0..tokens.len())
        .filter(|&at| word(at) == "mod" && word(at + 2) == ";")
        .map(|at| word(at + 1).to_owned())
        .collect();
    let mut named: Vec<Named> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if word(at) == "use" && word(at + 1) != "<" {
            let public = at > 0 && (word(at - 1) == "pub" || word(at - 1) == ")");
            at = read_tree(&tokens, at + 1, &[], public, &mut named);
            continue;
        }
        // A path may begin with a module that was imported, by its own name or another.
        let imported =
            named.iter().find(|one| one.name.as_deref() == Some(word(at))).map(|one| one.path.clone());
        let own = matches!(word(at), "crate" | "super" | "self") || modules.contains(word(at));
        let begins = imported.or(own.then(|| vec![word(at).to_owned()]));
        if let Some(mut path) = begins.filter(|_| word(at + 1) == "::" && (at == 0 || word(at - 1) != "::")) {
            while word(at + 1) == "::"
                && word(at + 2).chars().all(|letter| letter.is_alphanumeric() || letter == '_')
            {
                path.push(word(at + 2).to_owned());
                at += 2;
            }
            named.push(Named { path, passed_on_as: None, name: None });
        }
        at += 1;
    }
    (named, modules)
}

/// Reads the tree of a `use` line, and returns where it ends.
fn read_tree(
    tokens: &[String],
    mut at: usize,
    before: &[String],
    public: bool,
    named: &mut Vec<Named>,
) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens[at].as_str() {
            "{" => {
                at += 1;
                while tokens[at] != "}" {
                    at = read_tree(tokens, at, &path, public, named);
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            "::" => at += 1,
            "," | ";" | "}" => break,
            "as" => {
                let name = tokens[at + 1].clone();
                named.push(Named { path, passed_on_as: public.then(|| name.clone()), name: Some(name) });
                return at + 2;
            }
            word => {
                path.push(word.to_owned());
                at += 1;
            }
        }
    }
    // `self` at the end of a list is what stands before it.
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let name = path.last().cloned();
    named.push(Named { path, passed_on_as: name.clone().filter(|_| public), name });
    at
}

/// What is wrong with the house.
fn violations(files: &Sources) -> Vec<String> {
    let house = House::new(files);
    let mut found = Vec::new();
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (file, (named, _)) in &house.files {
        for one in named {
            let Some(target) = house.resolve(file, &one.path) else { continue };
            if target == *file {
                continue;
            }
            let (from, to) = (room(file), room(target));
            let allowed = MAP.iter().find(|(room, _)| *room == from).map_or(&[][..], |(_, allowed)| allowed);
            if from != to && from != "lib.rs" && !allowed.iter().any(|&one| one == to || one == target) {
                found.push(format!("{file} may not know {target} ({})", one.path.join("::")));
            }
            // What a `mod.rs` only passes on is nothing that it needs.
            if one.passed_on_as.is_none() || !file.ends_with("mod.rs") {
                edges.entry(file).or_default().insert(target);
            }
            // What everything stands for cannot be followed.
            if one.path.last().is_some_and(|last| last == "*") {
                found.push(format!("{file} takes everything of another file ({})", one.path.join("::")));
            }
        }
    }
    found.extend(
        circles(&edges)
            .into_iter()
            .map(|files| format!("these know each other in a circle: {}", files.join(", "))),
    );
    found.extend(
        house
            .files
            .keys()
            .map(|file| room(file))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .filter(|room| !room.ends_with(".rs") && !MAP.iter().any(|(known, _)| known == room))
            .map(|room| format!("the room {room} is not on the map")),
    );
    found
}

fn room(file: &str) -> &str {
    file.split('/').next().unwrap()
}

struct House<'a> {
    files: BTreeMap<&'a str, (Vec<Named>, BTreeSet<String>)>,
    /// The file of each module.
    modules: BTreeMap<Vec<String>, &'a str>,
}

impl<'a> House<'a> {
    fn new(files: &'a Sources) -> House<'a> {
        let module = |file: &str| -> Vec<String> {
            let name = file.trim_end_matches(".rs");
            let name = name.strip_suffix("/mod").unwrap_or(name);
            if name == "lib" { Vec::new() } else { name.split('/').map(str::to_owned).collect() }
        };
        House {
            modules: files.keys().map(|file| (module(file), file.as_str())).collect(),
            files: files.iter().map(|(file, source)| (file.as_str(), read(source))).collect(),
        }
    }

    fn module_of(&self, file: &str) -> &Vec<String> {
        self.modules.iter().find(|(_, other)| **other == file).map(|(module, _)| module).unwrap()
    }

    /// The file that has what a path means in a file; nothing for what is of other crates.
    fn resolve(&self, file: &str, path: &[String]) -> Option<&'a str> {
        let own = self.module_of(file);
        let mut rest = path;
        let mut module = match path[0].as_str() {
            "crate" => Vec::new(),
            "self" => own.clone(),
            "super" => own[..own.len() - 1].to_vec(),
            name if self.files[file].1.contains(name) => [&own[..], &[name.to_owned()]].concat(),
            _ => return None,
        };
        rest = &rest[1..];
        while rest.first().is_some_and(|word| word == "super") {
            module.pop();
            rest = &rest[1..];
        }
        self.descend(module, rest)
    }

    fn descend(&self, mut module: Vec<String>, mut rest: &[String]) -> Option<&'a str> {
        while let Some(word) = rest.first() {
            module.push(word.clone());
            if self.modules.contains_key(&module) {
                rest = &rest[1..];
                continue;
            }
            module.pop();
            let file = self.modules.get(&module)?;
            let passed_on = self.files[file].0.iter().find(|named| named.passed_on_as.as_ref() == Some(word));
            return match passed_on {
                Some(named) => self.resolve(file, &named.path),
                None => Some(file),
            };
        }
        self.modules.get(&module).copied()
    }
}

/// Groups of files of which each reaches each other.
fn circles<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<Vec<&'a str>> {
    let reached = |from: &'a str| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for &next in edges.get(file).into_iter().flatten() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let all: BTreeMap<&str, BTreeSet<&str>> = edges.keys().map(|&file| (file, reached(file))).collect();
    let mut found: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (file, seen) in &all {
        if seen.contains(file) {
            found.insert(
                all.iter()
                    .filter(|(other, back)| seen.contains(*other) && back.contains(file))
                    .map(|(other, _)| *other)
                    .collect(),
            );
        }
    }
    found.into_iter().collect()
}

#[test]
fn every_file_keeps_to_the_map() {
    let found = violations(&sources());
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
}

/// A house with one more line in one of its files.
fn with_line(file: &str, line: &str) -> Vec<String> {
    let mut files = sources();
    let source = files.get_mut(file).unwrap_or_else(|| panic!("there is no {file}"));
    source.insert_str(source.find("\nuse ").unwrap() + 1, &format!("{line}\n"));
    let before = violations(&sources());
    violations(&files).into_iter().filter(|one| !before.contains(one)).collect()
}

#[test]
fn a_forbidden_line_is_found() {
    for (file, line) in [
        ("game/hex/rules.rs", "use crate::record::journal::Journal;"),
        ("score/standings.rs", "use crate::championship::roster::Entrant;"),
        ("record/journal.rs", "use crate::contain::process::Process;"),
        ("championship/roster.rs", "use crate::engine::hex::HexEngine;"),
        ("contain/spawn.rs", "use crate::game::{Game, Seat};"),
        ("view/terminal.rs", "use crate::cli::output;"),
    ] {
        let found = with_line(file, line);
        assert!(
            found.iter().any(|one| one.starts_with(&format!("{file} may not know "))),
            "{file}: {found:?}"
        );
    }
    for line in ["use super::hex::Hex;", "pub use super::hex::Hex;", "use super::rhex; fn f() { rhex::g(); }"]
    {
        let circle = with_line("game/grid.rs", line);
        assert!(
            circle.iter().any(|one| one.contains("circle") && one.contains("game/grid.rs")),
            "{circle:?}"
        );
    }
    let hidden = with_line(
        "championship/entrant.rs",
        "use crate::championship; fn f() { championship::contest::g(); }",
    );
    assert!(hidden.iter().any(|one| one.contains("circle")), "{hidden:?}");
    for (file, line) in
        [("game/grid.rs", "use super::*;"), ("record/mod.rs", "pub use crate::contain::spec::*;")]
    {
        let mut files = sources();
        files.get_mut(file).unwrap().push_str(line);
        assert!(violations(&files).iter().any(|one| one.contains("takes everything")), "{file}");
    }
}

#[test]
fn tests_comments_and_texts_are_passed_over() {
    let source = "// use crate::cli;\nuse crate::game::{Seat, hex::{self, Hex as H}};\npub use own::Thing;\nmod own;\n\
                  fn f() { let x = \"crate::cli::x\"; super::other::g(); own::h(); let c = '\"'; }\n\
                  #[cfg(test)]\nmod tests { use crate::cli; }\n";
    let (named, modules) = read(source);
    let paths: Vec<String> = named.iter().map(|one| one.path.join("::")).collect();
    assert_eq!(
        paths,
        [
            "crate::game::Seat",
            "crate::game::hex",
            "crate::game::hex::Hex",
            "own::Thing",
            "super::other::g",
            "own::h"
        ]
    );
    assert_eq!(named[3].passed_on_as.as_deref(), Some("Thing"));
    assert_eq!(modules, BTreeSet::from(["own".to_owned()]));
}
