//! Copying a folder: what was handed in as one, or what a tool has unpacked.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::place::{Place, Unsafe};
use super::problem::Fault;
use super::tree::{About, Tree};
use crate::championship::file_tree::open_file;

/// What systems and editors leave behind is not copied. Does it count for the limits?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftovers {
    /// No: nothing is done with it.
    AreFree,
    /// Yes: a tool has had to unpack it.
    Count,
}

/// Copies all that is in a folder. No link is followed.
pub fn copy(folder: &Path, leftovers: Leftovers, tree: &mut Tree) -> Result<(), Fault> {
    copy_below(folder, Path::new(""), leftovers, tree)
}

/// Copies what is in the folder at this path below it.
fn copy_below(folder: &Path, below: &Path, leftovers: Leftovers, tree: &mut Tree) -> Result<(), Fault> {
    let entries = fs::read_dir(folder.join(below)).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut names: Vec<OsString> = entries
        .map_err(|error| Fault::unreadable(below, &error))?
        .into_iter()
        .map(|entry| entry.file_name())
        .collect();
    names.sort();
    for name in names {
        let path = below.join(name);
        match Place::read(path.as_os_str().as_bytes()).map_err(|(name, what)| Fault::Unsafe(name, what))? {
            Some(place) => copy_one(folder, &path, &place, leftovers, tree)?,
            None if leftovers == Leftovers::Count => count(&folder.join(path), tree)?,
            None => {}
        }
    }
    Ok(())
}

/// Counts a file, or a folder with all that is in it, for the limits.
fn count(path: &Path, tree: &mut Tree) -> Result<(), Fault> {
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let data = path.symlink_metadata()?;
        tree.budget().take_entry()?;
        if data.is_dir() {
            for entry in fs::read_dir(path)? {
                open.push(entry?.path());
            }
        } else {
            tree.budget().take_bytes(data.len())?;
        }
    }
    Ok(())
}

fn copy_one(
    folder: &Path,
    path: &Path,
    place: &Place,
    leftovers: Leftovers,
    tree: &mut Tree,
) -> Result<(), Fault> {
    let source = folder.join(path);
    let unreadable = |error: io::Error| Fault::unreadable(path, &error);
    let data = source.symlink_metadata().map_err(unreadable)?;
    if data.is_symlink() {
        let text = fs::read_link(&source).map_err(unreadable)?;
        tree.link(place, text.as_os_str().as_bytes(), false)
    } else if data.is_dir() {
        tree.folder(place)?;
        copy_below(folder, path, leftovers, tree)
    } else if data.is_file() {
        copy_file(&source, path, place, tree)
    } else {
        Err(Fault::of(place, Unsafe::Device))
    }
}

/// Copies a file, which stands at the path `inside` of what was handed in; that is empty for the file that was handed in itself.
pub fn copy_file(source: &Path, inside: &Path, place: &Place, tree: &mut Tree) -> Result<(), Fault> {
    let unreadable = |error: io::Error| Fault::unreadable(inside, &error);
    let mut file = open_file(source).map_err(unreadable)?;
    let data = file.metadata().map_err(unreadable)?;
    let executable = data.permissions().mode() & 0o111 != 0;
    let about = About { length: Some(data.len()), executable, modified: data.modified().ok() };
    tree.file(place, about, &mut file)
}

/// Lets what a tool has written be read and removed, whatever rights it has set.
pub fn make_readable(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            make_readable(&entry.path())?;
        } else if kind.is_file() {
            let mode = entry.metadata()?.permissions().mode();
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(mode & 0o777 | 0o600))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contain::spec::Size;
    use crate::handins::unpack::limits::{Budget, UnpackLimits};

    #[test]
    fn what_a_tool_has_unpacked_for_nothing_counts_too() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join("from/__MACOSX/deep");
        fs::create_dir_all(&left).unwrap();
        fs::write(left.join("big"), "x".repeat(2000)).unwrap();
        let from = folder.path().join("from");
        let copied = |leftovers, bytes, entries| {
            let mut budget = Budget::new(UnpackLimits { bytes, entries, nesting: 1 });
            let into = tempfile::tempdir().unwrap();
            let mut tree = Tree::new(into.path(), &mut budget)?;
            copy(&from, leftovers, &mut tree)
        };
        assert_eq!(copied(Leftovers::Count, 1000, 9), Err(Fault::TooLarge(Size(1000))));
        assert_eq!(copied(Leftovers::Count, 9000, 2), Err(Fault::TooMany(2)));
        assert_eq!(copied(Leftovers::Count, 9000, 3), Ok(()));
        assert_eq!(copied(Leftovers::AreFree, 0, 0), Ok(()));
    }
}
