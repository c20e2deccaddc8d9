//! Copies of folders that programs have written to, or are given to work on: files and folders only, within limits.
//!
//! Nothing in such a folder is trusted: every step goes by an open folder, no link is followed, and what is no file is left out.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, FileType, Gid, Mode, OFlags, Uid};

/// Opens a folder.
pub fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, FOLDER, Mode::empty())?)
}

/// Opens a folder in another one, unless a link is in its place.
pub fn open_below(folder: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?)
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A copy that is being made. Its fields are what is left of the limits.
pub struct TreeCopy {
    /// How many bytes.
    pub bytes: u64,
    /// How many files and folders.
    pub entries: usize,
    /// Whether what can be run stays so.
    pub keeps_run_bits: bool,
    /// The user and group that the copy is to belong to, if not to those who make it.
    pub owner: Option<(u32, u32)>,
    /// Whether nothing had to be left out because of the limits.
    pub is_whole: bool,
    buffer: Vec<u8>,
}

impl TreeCopy {
    /// A copy of at most so many bytes, files and folders.
    pub fn within(bytes: u64, entries: usize) -> TreeCopy {
        let buffer = vec![0; 64 * 1024];
        TreeCopy { bytes, entries, keeps_run_bits: false, owner: None, is_whole: true, buffer }
    }

    /// Copies what is in a folder, but for the names that are to be left out. What cannot be copied is left out too.
    pub fn copy_folder(
        &mut self,
        source: impl AsFd,
        into: impl AsFd,
        depth: usize,
        leave: &dyn Fn(&OsStr) -> bool,
    ) -> io::Result<()> {
        let into = into.as_fd();
        for entry in Dir::read_from(&source)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." || leave(name) {
                continue;
            }
            if self.entries == 0 {
                self.is_whole = false;
                break;
            }
            self.entries -= 1;
            // What fails for one need not fail for the next.
            let copied = match entry.file_type() {
                FileType::RegularFile => self.copy_file(source.as_fd(), name, into),
                FileType::Directory if depth > 0 => self.copy_below(source.as_fd(), name, into, depth - 1),
                FileType::Directory => Err(io::ErrorKind::QuotaExceeded.into()),
                _ => Ok(()),
            };
            let lacks_room = |error: io::Error| {
                matches!(error.kind(), io::ErrorKind::QuotaExceeded | io::ErrorKind::StorageFull)
            };
            self.is_whole &= !copied.is_err_and(lacks_room);
        }
        Ok(())
    }

    fn copy_below(
        &mut self,
        source: BorrowedFd<'_>,
        name: &OsStr,
        into: BorrowedFd<'_>,
        depth: usize,
    ) -> io::Result<()> {
        let below = open_below(source, name)?;
        let safe = safe_name(name);
        rustix::fs::mkdirat(into, &safe, Mode::from_raw_mode(0o755))?;
        let into = open_below(into, safe.as_os_str())?;
        self.give(&into)?;
        self.copy_folder(&below, &into, depth, &|_| false)
    }

    fn copy_file(&mut self, source: BorrowedFd<'_>, name: &OsStr, into: BorrowedFd<'_>) -> io::Result<()> {
        if self.bytes == 0 {
            // An empty file would look as if it were all that there was.
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(source, name, flags, Mode::empty())?;
        let mode = rustix::fs::fstat(file.as_fd())?.st_mode;
        if FileType::from_raw_mode(mode) != FileType::RegularFile {
            return Ok(());
        }
        let runs = self.keeps_run_bits && mode & 0o111 != 0;
        let mode = Mode::from_raw_mode(if runs { 0o755 } else { 0o644 });
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let copy = rustix::fs::openat(into, safe_name(name), flags, mode)?;
        self.give(&copy)?;
        let (mut file, mut copy) = (File::from(file), File::from(copy));
        loop {
            let most = self.buffer.len().min(usize::try_from(self.bytes).unwrap_or(usize::MAX));
            let length = file.read(&mut self.buffer[..most.max(1)])?;
            if length == 0 {
                return Ok(());
            }
            if self.bytes == 0 {
                return Err(io::ErrorKind::QuotaExceeded.into());
            }
            copy.write_all(&self.buffer[..length])?;
            self.bytes -= length as u64;
        }
    }

    /// Gives something new to its owner.
    pub fn give(&self, new: impl AsFd) -> io::Result<()> {
        let Some((user, group)) = self.owner else { return Ok(()) };
        Ok(rustix::fs::fchown(new, Some(Uid::from_raw(user)), Some(Gid::from_raw(group)))?)
    }
}

/// A name that is text, and drives no terminal.
fn safe_name(name: &OsStr) -> PathBuf {
    let safe = |letter: char| if letter.is_control() { '_' } else { letter };
    PathBuf::from(name.to_string_lossy().chars().map(safe).collect::<String>())
}
