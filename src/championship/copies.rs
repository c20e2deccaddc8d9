//! Copies of the bots' files: what plays, whatever becomes of the files that were handed in.
//!
//! Each copy is a folder that is named by the hash of all that is in it, the bot's identity. It is shown to its bot alone.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::file_tree::{CopyProblem, FileTree, Kind, feed, open_file, shown};
use crate::contain::spec::Size;
use crate::contain::system_words::system_words;
use crate::record::Identity;
use crate::record::replace_file::UNFINISHED;

/// The folder of the copies in the folder of a championship.
pub const FOLDER: &str = "bots";

/// The most that a bot's files may hold, unless the user says otherwise.
pub const USUAL_LIMIT: Size = Size(1 << 30);

/// The copies of a championship.
pub struct Copies {
    folder: PathBuf,
    limit: Size,
}

/// A bot's files in their copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The hash of all of it.
    pub identity: Identity,
    /// Its folder.
    pub folder: PathBuf,
}

/// The files that tell a version of a bot from an older one, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChanges {
    /// Those that hold something else, or may be run now and might not before, or the other way round.
    pub changed: Vec<PathBuf>,
    /// Those that the older one did not have.
    pub added: Vec<PathBuf>,
    /// Those that the older one had.
    pub removed: Vec<PathBuf>,
}

impl fmt::Display for FileChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 5;
        let kinds = [("changed", &self.changed), ("added", &self.added), ("removed", &self.removed)];
        let told = kinds.into_iter().filter(|(_, files)| !files.is_empty()).map(|(what, files)| {
            let named: Vec<String> =
                files.iter().take(NAMED).map(|path| format!("'{}'", shown(path))).collect();
            let more = files.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{what} {}{more}", named.join(", "))
        });
        f.write_str(&told.collect::<Vec<_>>().join("; "))
    }
}

/// Whether this is the folder of the copies of a championship, also of one that never began: it has no settings by which it could be told.
pub fn is_folder(path: &Path) -> bool {
    let is_copy = |name: &str| name.starts_with(UNFINISHED) || name.parse::<Identity>().is_ok();
    path.file_name().is_some_and(|name| name == FOLDER)
        && path.read_dir().is_ok_and(|mut entries| {
            entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(is_copy)))
        })
}

impl Copies {
    /// The copies in the folder of a championship, each of at most so many bytes.
    pub fn of(championship: &Path, limit: Size) -> Copies {
        Copies { folder: championship.join(FOLDER), limit }
    }

    /// Copies these files, unless they have been copied before.
    pub fn take(&self, tree: &FileTree) -> Result<Copy, CopyProblem> {
        tree.check(self.limit)?;
        let identity = tree.identity(Some(self.limit))?;
        if let Some(copy) = self.find(identity) {
            return Ok(copy);
        }
        let failed = |error: io::Error| {
            CopyProblem::Unwritable(self.folder.display().to_string(), system_words(&error))
        };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let fresh = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.folder).map_err(failed)?;
        let identity = self.write(tree, fresh.path())?;
        open_to_all(fresh.path()).map_err(failed)?;
        let place = self.place(identity);
        if fs::rename(fresh.path(), &place).is_err() {
            // Somebody else may have made the same copy meanwhile, and play from it.
            if let Some(copy) = self.find(identity) {
                return Ok(copy);
            }
            // One that was damaged is in the way.
            let _ = fs::remove_dir_all(&place);
            fs::rename(fresh.path(), &place).map_err(failed)?;
        }
        // It has been renamed, and there is nothing to remove.
        let _ = fresh.keep();
        Ok(Copy { identity, folder: canonical(&place) })
    }

    /// The copy with this identity, if it is there and whole.
    pub fn find(&self, identity: Identity) -> Option<Copy> {
        let place = self.place(identity);
        let tree = FileTree::of_copy(&canonical(&place));
        let is_whole = place.is_dir() && tree.identity(Some(self.limit)).is_ok_and(|found| found == identity);
        is_whole.then(|| Copy { identity, folder: canonical(&place) })
    }

    /// The files that differ in the copy of a newer version, if both copies are there.
    pub fn compare(&self, old: Identity, new: Identity) -> Option<FileChanges> {
        let trees = [old, new]
            .map(|identity| self.place(identity).canonicalize().map(|place| FileTree::of_copy(&place)));
        let [Ok(old), Ok(new)] = &trees else { return None };
        let (old, new) = (old.fingerprints().ok()?, new.fingerprints().ok()?);
        let owned = |place: &&Path| place.to_path_buf();
        Some(FileChanges {
            changed: old
                .keys()
                .filter(|at| new.get(*at).is_some_and(|now| *now != old[*at]))
                .map(owned)
                .collect(),
            added: new.keys().filter(|at| !old.contains_key(*at)).map(owned).collect(),
            removed: old.keys().filter(|at| !new.contains_key(*at)).map(owned).collect(),
        })
    }

    /// Where the copy with this identity is, or would be.
    pub fn place(&self, identity: Identity) -> PathBuf {
        self.folder.join(identity.to_string())
    }

    /// Writes the files into a new folder, and returns the hash of what was written.
    fn write(&self, tree: &FileTree, folder: &Path) -> Result<Identity, CopyProblem> {
        let failed =
            |error: io::Error| CopyProblem::Unwritable(folder.display().to_string(), system_words(&error));
        let mut hasher = Sha256::new();
        let mut left = self.limit.0;
        for entry in tree.entries() {
            let place = folder.join(&entry.place);
            let problem = |error: io::Error| match error.kind() {
                io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::ReadOnlyFilesystem => failed(error),
                // Whatever else is wrong, such as names that are too long, is wrong with this bot.
                _ => CopyProblem::of_file(&entry.place, &error, self.limit),
            };
            make_parents(&place).map_err(problem)?;
            entry.hash_name(&mut hasher);
            match &entry.kind {
                Kind::Link { target, .. } => symlink(target, &place).map_err(problem)?,
                Kind::File { source, executable, .. } => {
                    let mode = if *executable { 0o755 } else { 0o644 };
                    let copied = copy_file(source, &place, mode, left, &mut hasher);
                    left -= copied.map_err(problem)?;
                }
            }
        }
        Ok(Identity::from_hasher(hasher))
    }
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Bots may run as another user, who is to read them.
fn open_to_all(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Makes the folders that a file is in, open to all whatever the user's mask says.
fn make_parents(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) if !parent.exists() => {
            make_parents(parent)?;
            fs::create_dir(parent)?;
            open_to_all(parent)
        }
        _ => Ok(()),
    }
}

/// Copies a file of at most `limit` bytes, feeds the hasher with what was copied, and returns how much that was. File systems that can
/// share the blocks of two files do.
fn copy_file(from: &Path, to: &Path, mode: u32, limit: u64, hasher: &mut Sha256) -> io::Result<u64> {
    let mut source = open_file(from)?;
    let mut copy = File::options().read(true).write(true).create_new(true).mode(mode).open(to)?;
    copy.set_permissions(fs::Permissions::from_mode(mode))?;
    if rustix::fs::ioctl_ficlone(&copy, &source).is_ok() {
        return feed(&mut copy, limit, hasher, |_| Ok(()));
    }
    feed(&mut source, limit, hasher, |piece| copy.write_all(piece))
}
