//! Programs that are there already: what was handed in built, or what a build has made.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::class_file;
use super::listing::{Listing, folder_of, is_test, name, stem};
use super::plan::run;
use crate::contain::elf::Elf;
use crate::contain::executable::kind_of;
use crate::contain::file_kind::FileKind;
use crate::contain::language::word;

/// A program that is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ready {
    /// Its file.
    pub path: PathBuf,
    /// How it is started.
    pub command: String,
    kind: Kind,
}

/// What it is; what is likelier to be meant comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Binary,
    Archive,
    Class,
    Script,
}

/// All programs in a folder, the likeliest first: by kind, and then as these names have it.
pub fn programs(listing: &Listing, names: &[String]) -> Vec<Ready> {
    let mut found: Vec<Ready> = listing.files().filter_map(|path| ready(listing, path)).collect();
    let by_name = |ready: &Ready| {
        let is_called = |wanted: &String| {
            ready.path == Path::new(wanted) || name(&ready.path) == wanted || stem(&ready.path) == wanted
        };
        names.iter().position(is_called).unwrap_or(names.len())
    };
    // The list is in the order of depth and name, which stays.
    found.sort_by_cached_key(|ready| (is_test(&ready.path), ready.kind, by_name(ready)));
    found
}

fn ready(listing: &Listing, path: &Path) -> Option<Ready> {
    let place = listing.place(path);
    let (kind, command) = match kind_of(&place)? {
        FileKind::Elf(Elf::Program { .. }) => (Kind::Binary, run(path)),
        FileKind::JavaArchive => (Kind::Archive, format!("java -jar {}", word(path))),
        FileKind::JavaClass => (Kind::Class, class_command(path, &listing.bytes(path))?),
        FileKind::Script => (Kind::Script, run(path)),
        _ => return None,
    };
    Some(Ready { path: path.to_owned(), command, kind })
}

/// How the program in a class file is started, if one begins there and it lies where its package says.
fn class_command(path: &Path, bytes: &[u8]) -> Option<String> {
    let (class, has_main) = class_file::read(bytes)?;
    let parts: PathBuf = class.split('.').collect();
    let is_there = has_main && path.with_extension("").ends_with(&parts);
    let root = folder_of(path).ancestors().nth(parts.components().count().saturating_sub(1));
    let root = root.filter(|root| !root.as_os_str().is_empty()).unwrap_or(Path::new("."));
    is_there.then(|| format!("java -cp {} {}", word(root), shell_words::quote(&class)))
}

impl Ready {
    /// Whether another program is of the same kind.
    pub fn is_like(&self, other: &Ready) -> bool {
        self.kind == other.kind
    }
}

/// Gives run bits to all that runs by itself: archives may lose them.
pub fn give_run_bits(folder: &Path) -> io::Result<()> {
    let listing = Listing::read(folder);
    let programs = programs(&listing, &[]);
    for ready in programs.iter().filter(|ready| matches!(ready.kind, Kind::Binary | Kind::Script)) {
        fs::set_permissions(listing.place(&ready.path), fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// What there is in a hand-in without a program, in words.
pub fn instead(listing: &Listing) -> String {
    let strange = listing.files().find_map(|path| {
        let what = match kind_of(&listing.place(path))? {
            FileKind::Windows => "a Windows program",
            FileKind::Mac => "a macOS program",
            FileKind::Elf(Elf::OtherMachine(_)) => "a program for another processor",
            FileKind::Elf(Elf::Object) => "an object file, which was not linked",
            FileKind::JavaClass => "a Java class without a main",
            FileKind::PythonBytecode => "compiled Python without its source",
            _ => return None,
        };
        Some(format!("there is '{}', {what}, and no source", crate::contain::language::shown(path)))
    });
    let names = || {
        let names: Vec<String> = listing.files().take(3).map(crate::contain::language::shown).collect();
        let more = if listing.files().nth(3).is_some() { " …" } else { "" };
        match names.is_empty() {
            true => "it is empty".to_owned(),
            false => format!("there is no program in it: {}{more}", names.join(", ")),
        }
    };
    strange.unwrap_or_else(names)
}
