//! The folder that a program works in.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;

use super::launch::Confinement;
use super::spec::{Limits, Tier};
use super::tree_copy::{TreeCopy, open_below, open_folder};
use super::visible_files::{VisibleFiles, WORK};

/// Where it is in a file system of the program's own (tier A).
pub const INSIDE: &str = "/tmp";

/// How many times we try to make a folder that another process takes for one that was left behind.
const ATTEMPTS: usize = 100;

/// A program's working directory. In a file system of its own it is there already; otherwise it is a folder that is gone with
/// this value.
pub struct Scratch {
    path: PathBuf,
    /// Open and locked as long as the folder is in use: whoever finds it unlocked may remove it. Nothing of that is needed for
    /// a folder that is in a file system of the program's own.
    lock: Option<File>,
}

impl Scratch {
    /// Makes it, with what is to be found in it.
    pub fn new(confinement: &Confinement) -> io::Result<Scratch> {
        if confinement.tier == Tier::A {
            return Ok(Scratch { path: INSIDE.into(), lock: None });
        }
        let scratch = Scratch::locked(&std::env::temp_dir())?;
        let visible = &confinement.visible_files;
        let own = visible.own_place(confinement.tier);
        match own.filter(|_| confinement.purpose.is_build()) {
            Some(own) => give_work(&scratch.path, own, &confinement.limits, None)?,
            None => furnish(&scratch.path, visible, own.unwrap_or(Path::new("/")), visible.own_names())?,
        }
        Ok(scratch)
    }

    /// A new folder of our own. Between its making and its locking, another process may have taken it for one that was left
    /// behind; then there is another one.
    fn locked(temporary: &Path) -> io::Result<Scratch> {
        for _ in 0..ATTEMPTS {
            let name = format!("{PREFIX}{}-{:016x}", std::process::id(), fastrand::u64(..));
            let path = temporary.join(name);
            fs::DirBuilder::new().mode(0o700).create(&path)?;
            if let Some(lock) = lock(&path) {
                return Ok(Scratch { path, lock: Some(lock) });
            }
        }
        Err(io::Error::other("working directories are removed as soon as they are made"))
    }

    /// Where the program finds it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is, whatever the program has put in its place.
    pub fn place(&self) -> PathBuf {
        self.lock.as_ref().map_or_else(|| self.path.clone(), place_of)
    }

    /// Removes it, unless it has more in it than what we have put there ourselves; whether nothing is left to remove. It never takes
    /// long.
    pub fn remove_if_unchanged(&self, visible: &VisibleFiles) -> bool {
        if self.lock.is_none() {
            return true;
        }
        let ours = visible.files.iter().map(|(name, _)| name.into()).chain(visible.own_names());
        // Ignore failure: the folder shows whether something is left.
        let place = self.place();
        ours.for_each(|name: OsString| drop(fs::remove_file(place.join(name))));
        fs::remove_dir(&self.path).is_ok()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(lock) = &self.lock {
            // A folder that cannot be removed is no reason to end anything.
            let _ = remove(lock);
            // What was put in its place: a link is removed, and not what it leads to.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// What the names of all working directories begin with, before a process number and sixteen digits.
const PREFIX: &str = "arbitro-";

/// Locks a folder, unless somebody else has or it is no longer there.
fn lock(folder: &Path) -> Option<File> {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    let file = File::options().read(true).custom_flags(flags).open(folder).ok()?;
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
    let (locked, there) = (file.metadata().ok()?, fs::symlink_metadata(folder).ok()?);
    (locked.ino() == there.ino() && locked.dev() == there.dev()).then_some(file)
}

/// An open folder by its descriptor. A program may have put a link to other people's files where the folder was, so that its name
/// means nothing any more.
fn place_of(folder: &File) -> PathBuf {
    format!("/proc/self/fd/{}", folder.as_raw_fd()).into()
}

/// Removes working directories of this user that were left behind because all of arbitro was killed at once.
pub fn remove_stale() {
    remove_stale_in(&std::env::temp_dir());
}

fn remove_stale_in(temporary: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let ours = || entry.metadata().is_ok_and(|data| data.is_dir() && data.uid() == user);
        if !entry.file_name().to_str().is_some_and(is_scratch_name) || !ours() {
            continue;
        }
        // Held until it is removed.
        if let Some(lock) = lock(&entry.path()) {
            // Ignore failure: the next one tries again.
            let _ = remove(&lock);
        }
    }
}

fn is_scratch_name(name: &str) -> bool {
    let Some((process, digits)) = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-')) else {
        return false;
    };
    !process.is_empty()
        && process.bytes().all(|byte| byte.is_ascii_digit())
        && digits.len() == 16
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Puts into a working directory what the program finds there: files of ours, and links to what is called so in its `own` folder.
pub fn furnish(
    scratch: &Path,
    visible: &VisibleFiles,
    own: &Path,
    own_names: Vec<OsString>,
) -> io::Result<()> {
    for (name, text) in &visible.files {
        fs::write(scratch.join(name), text)?;
    }
    for name in own_names {
        match symlink(own.join(&name), scratch.join(&name)) {
            // The name may be taken: by one of our own files, or by a part of the path to the program's own folder.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // A scratch that is too small for links to all of its files has some of them.
            Err(error) if error.kind() == io::ErrorKind::StorageFull => break,
            other => other?,
        }
    }
    Ok(())
}

/// How deep the folders of a build can be, and how many bytes are reckoned for a file on the average.
const DEEPEST: usize = 64;
const PER_FILE: u64 = 4096;

/// How many files and folders a build may have in so many bytes.
pub fn most_entries(bytes: u64) -> usize {
    usize::try_from(1024 + bytes / PER_FILE).unwrap_or(usize::MAX)
}

/// Puts a copy of the files that a build works on into its working directory, for this owner.
pub fn give_work(scratch: &Path, own: &Path, limits: &Limits, owner: Option<(u32, u32)>) -> io::Result<()> {
    fs::create_dir(scratch.join(WORK))?;
    let work = open_folder(&scratch.join(WORK))?;
    let mut copy = TreeCopy::within(limits.scratch.0, most_entries(limits.scratch.0));
    (copy.keeps_run_bits, copy.owner) = (true, owner);
    copy.give(&work)?;
    copy.copy_folder(open_folder(own)?, &work, DEEPEST, &|_| false)?;
    if copy.is_whole { Ok(()) } else { Err(io::Error::other("there are too many files to work on")) }
}

/// Copies what a build has made of its files, at most so many bytes; whether that was all of it.
pub fn take_work(scratch: &Path, into: &OwnedFd, most: u64) -> io::Result<bool> {
    let work = open_below(open_folder(scratch)?, OsStr::new(WORK))?;
    let mut copy = TreeCopy::within(most, most_entries(most));
    copy.keeps_run_bits = true;
    copy.copy_folder(&work, into, DEEPEST, &|_| false)?;
    Ok(copy.is_whole)
}

/// Removes a folder, whatever a program has made of it. Folders in it may be closed, or so deep that no path and no stack reaches
/// them. So they are moved up one by one.
fn remove(locked: &File) -> io::Result<()> {
    let folder = place_of(locked);
    let mut open = vec![folder.clone()];
    while let Some(path) = open.pop() {
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
            } else if path == folder {
                open.push(entry.path());
            } else {
                let higher = folder.join(format!("{:032x}", fastrand::u128(..)));
                // Moving a folder needs permission to write to it.
                fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o700))?;
                fs::rename(entry.path(), &higher)?;
                open.push(higher);
            }
        }
        // The first is the last to be empty.
        if path != folder {
            fs::remove_dir(path)?;
        }
    }
    fs::remove_dir(fs::read_link(folder)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_is_too_deep_or_too_closed_to_be_removed() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("scratch");
        fs::create_dir(&folder).unwrap();
        // Each is put around the one before, since no path leads down to the last.
        for (deeper, around) in
            (0..1200).map(|depth| (folder.join(depth.to_string()), folder.join((depth + 1).to_string())))
        {
            fs::create_dir_all(&deeper).unwrap();
            fs::write(deeper.join("file"), "").unwrap();
            fs::create_dir(&around).unwrap();
            fs::rename(&deeper, around.join("d")).unwrap();
        }
        fs::create_dir(folder.join("closed")).unwrap();
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
        std::os::unix::fs::symlink("/", folder.join("link")).unwrap();
        remove(&lock(&folder).unwrap()).unwrap();
        assert!(!folder.exists() && Path::new("/usr").exists());
    }

    /// Everything in somebody's home was once removed in this way.
    #[test]
    fn what_is_put_in_the_place_of_a_folder_is_not_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let victim = temporary.path().join("victim");
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("note"), "precious").unwrap();
        let visible = VisibleFiles { files: vec![("note".into(), "text".into())], ..VisibleFiles::default() };
        for is_unchanged in [false, true] {
            let scratch = Scratch::locked(temporary.path()).unwrap();
            furnish(scratch.path(), &visible, Path::new("/"), Vec::new()).unwrap();
            let link = scratch.path().to_owned();
            fs::rename(&link, temporary.path().join("moved")).unwrap();
            symlink(&victim, &link).unwrap();
            assert!(!is_unchanged || !scratch.remove_if_unchanged(&visible));
            drop(scratch);
            assert_eq!(fs::read_to_string(victim.join("note")).unwrap(), "precious");
            assert!(!temporary.path().join("moved").exists(), "the folder itself is removed");
            assert!(!link.is_symlink());
        }
    }

    #[test]
    fn folders_that_were_left_behind_are_removed_and_no_others() {
        let temporary = tempfile::tempdir().unwrap();
        let make = |name: &str| fs::create_dir_all(temporary.path().join(name).join("deeper")).unwrap();
        make("arbitro-77-0123456789abcdef");
        let strange =
            ["arbitro-77-results", "arbitro-x-0123456789abcdef", "arbitro-77-0123456789abcdef0", "a"];
        strange.into_iter().for_each(make);
        fs::write(temporary.path().join("arbitro-78-0123456789abcdef"), "a file").unwrap();
        let in_use = Scratch::locked(temporary.path()).unwrap();
        remove_stale_in(temporary.path());
        assert!(in_use.path().is_dir() && !temporary.path().join("arbitro-77-0123456789abcdef").exists());
        let count = || fs::read_dir(temporary.path()).unwrap().count();
        assert_eq!(count(), strange.len() + 2);
        assert!(lock(in_use.path()).is_none());
        drop(in_use);
        assert_eq!(count(), strange.len() + 1);
    }

    #[test]
    fn only_so_much_is_kept_of_a_build() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(WORK)).unwrap();
        fs::write(folder.path().join(WORK).join("hex"), "x".repeat(100_000)).unwrap();
        let is_kept = |most| {
            let into = tempfile::tempdir().unwrap();
            take_work(folder.path(), &open_folder(into.path()).unwrap(), most).unwrap()
        };
        assert!(!is_kept(50_000) && is_kept(200_000));
    }

    #[test]
    fn only_a_folder_that_a_program_has_left_alone_is_removed_at_once() {
        let temporary = tempfile::tempdir().unwrap();
        let visible = VisibleFiles { files: vec![("note".into(), "text".into())], ..VisibleFiles::default() };
        let furnished = || {
            let scratch = Scratch::locked(temporary.path()).unwrap();
            furnish(scratch.path(), &visible, Path::new("/"), Vec::new()).unwrap();
            scratch
        };
        assert!(furnished().remove_if_unchanged(&visible));
        let scratch = furnished();
        fs::create_dir(scratch.path().join("more")).unwrap();
        assert!(!scratch.remove_if_unchanged(&visible) && scratch.path().exists());
        drop(scratch);
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
    }
}
