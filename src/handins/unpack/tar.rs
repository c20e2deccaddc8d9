//! Archives of tar, as they come out of whatever they were packed with.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};

use tar::{Archive, EntryType};

use super::place::{Place, Unsafe};
use super::problem::Fault;
use super::tree::{About, Tree};

/// The most that may stand between the contents of two files: long names, and lists of holes.
const LONGEST_HEADER: u64 = 1 << 20;

/// Unpacks an archive.
pub fn open(archive: impl Read, tree: &mut Tree) -> Result<(), Fault> {
    let fuel = Rc::new(Cell::new(LONGEST_HEADER));
    let mut archive = Archive::new(Fuelled { archive, fuel: fuel.clone() });
    let mut entries = archive.entries()?;
    loop {
        // What describes a file is kept in memory.
        fuel.set(LONGEST_HEADER);
        let Some(entry) = entries.next() else { return Ok(()) };
        let mut entry = entry.map_err(of_archive)?;
        fuel.set(u64::MAX);
        let raw = entry.path_bytes().into_owned();
        let place = Place::read(&raw).map_err(|(name, what)| Fault::Unsafe(name, what))?;
        let (kind, length) = (entry.header().entry_type(), entry.size());
        let Some(place) = place else {
            tree.pass_over(length, &mut entry)?;
            continue;
        };
        match kind {
            EntryType::Directory => tree.folder(&place)?,
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse if raw.ends_with(b"/") => {
                tree.folder(&place)?
            }
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                let modified =
                    entry.header().mtime().ok().map(|time| UNIX_EPOCH.checked_add(Duration::from_secs(time)));
                let executable = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
                let about = About { length: Some(length), executable, modified: modified.flatten() };
                let mut whole = Whole { content: &mut entry, left: length };
                tree.file(&place, about, &mut whole)?;
            }
            EntryType::Symlink | EntryType::Link => {
                let text = entry.link_name_bytes().unwrap_or_default().into_owned();
                tree.link(&place, &text, kind == EntryType::Link)?;
            }
            EntryType::Char | EntryType::Block | EntryType::Fifo => {
                return Err(Fault::of(&place, Unsafe::Device));
            }
            // What only some tools write, and no file needs: labels, lists of folders.
            _ => tree.pass_over(length, &mut entry)?,
        }
    }
}

/// What is wrong with an archive whose headers cannot be read.
fn of_archive(error: io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::Other => Fault::Damaged("it is no tar archive, or only a part of one".to_owned()),
        _ => error.into(),
    }
}

/// An archive of which only so much may be read.
struct Fuelled<R> {
    archive: R,
    fuel: Rc<Cell<u64>>,
}

impl<R: Read> Read for Fuelled<R> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.fuel.get()).unwrap_or(usize::MAX).min(piece.len());
        if most == 0 && !piece.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "there is no end of what describes its files",
            ));
        }
        let read = self.archive.read(&mut piece[..most])?;
        self.fuel.set(self.fuel.get() - read as u64);
        Ok(read)
    }
}

/// The content of a file, which has to be as long as was said.
struct Whole<R> {
    content: R,
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(piece)?;
        self.left = self.left.saturating_sub(read as u64);
        if read == 0 && self.left > 0 && !piece.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(read)
    }
}
