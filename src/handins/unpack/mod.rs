//! Unpacking a hand-in: whoever packed it is not trusted.
//!
//! Archives are opened within limits that hold for all of them together, into a folder in which there are no links, and which is thrown
//! away if something is wrong with any of them.

mod folder;
mod kind;
mod limits;
mod nested;
mod open;
pub mod outside_tools;
mod place;
mod problem;
mod tar;
mod tree;
mod zip;

use std::path::{Path, PathBuf};

use self::folder::Leftovers;
pub use self::kind::stem;
use self::kind::{Kind, head_of};
use self::limits::Budget;
pub use self::limits::UnpackLimits;
use self::nested::Nested;
use self::outside_tools::OutsideTools;
use self::place::Place;
pub use self::problem::{Fault, Problem};
use self::tree::Tree;
use super::handin::HandIn;
use super::layout;

/// A hand-in, unpacked: files and folders only, without what editors and tools leave behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// The folder of the sources, which may be below the one that was given.
    pub folder: PathBuf,
    /// What there is to say about it: what was left out, or what is odd.
    pub remarks: Vec<String>,
}

/// Unpacks a hand-in into a folder, which is made.
pub fn unpack(
    handin: &HandIn,
    sources: &Path,
    limits: &UnpackLimits,
    tools: &dyn OutsideTools,
) -> Result<Unpacked, Problem> {
    let mut budget = Budget::new(*limits);
    let mut remarks = handin.remarks.clone();
    let mut archives = Vec::new();
    // All that was handed in loose stands in one folder, and archives get their own, unless one is all that there is.
    let mut tree = Tree::new(sources, &mut budget).map_err(|fault| fault.in_file(&handin.name))?;
    for entry in &handin.entries {
        let name = layout::file_name(entry);
        let own_name = layout::own_name(&name, handin.layout);
        let taken = if entry.is_dir() {
            folder::copy(entry, Leftovers::AreFree, &mut tree)
        } else if let Some(kind) = Kind::of(&own_name, &head_of(entry)) {
            archives.push((entry, name.clone(), own_name, kind));
            Ok(())
        } else {
            loose(entry, &own_name, &mut tree)
        };
        taken.map_err(|fault| fault.in_file(&name))?;
    }
    remarks.extend(tree.finish().map_err(|fault| fault.in_file(&handin.name))?);
    let is_all = handin.entries.len() == 1;
    for (path, name, own_name, kind) in archives {
        let fail = |fault: Fault| fault.in_file(&name);
        let into = if is_all { sources.to_owned() } else { nested::free_folder(sources, stem(&own_name)) };
        let mut tree = Tree::new(&into, &mut budget).map_err(fail)?;
        open::open(path, &own_name, kind, &mut tree, tools).map_err(fail)?;
        remarks.extend(tree.finish().map_err(fail)?);
    }
    let mut nested = Nested { folder: sources, budget, tools, remarks };
    nested
        .open_all(limits.nesting)
        .map_err(|(name, fault)| fault.in_file(name.as_deref().unwrap_or(&handin.name)))?;
    Ok(Unpacked { folder: nested::look_through(sources), remarks: few(nested.remarks) })
}

/// Whether a file that was handed in is an archive to be unpacked.
pub fn is_archive(path: &Path) -> bool {
    Kind::of(&layout::file_name(path), &head_of(path)).is_some()
}

/// Copies a file that is handed in as it is.
fn loose(path: &Path, own_name: &str, tree: &mut Tree) -> Result<(), Fault> {
    match Place::read(own_name.as_bytes()).map_err(|(name, what)| Fault::Unsafe(name, what))? {
        Some(place) => folder::copy_file(path, Path::new(""), &place, tree),
        None => Ok(()),
    }
}

/// So many remarks that somebody reads them.
fn few(mut remarks: Vec<String>) -> Vec<String> {
    const MOST: usize = 8;
    let more = remarks.len().saturating_sub(MOST);
    remarks.truncate(MOST);
    remarks.extend((more > 0).then(|| format!("and {more} more remarks")));
    remarks
}
