//! How much a build writes where no file system of its own bounds it (tiers B and C).

use std::fs::{self, DirEntry};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::contain::launch::Confinement;
use crate::contain::scratch::{Scratch, most_entries};
use crate::contain::spec::Tier;

/// How often a working directory is looked through …
const INTERVAL: Duration = Duration::from_millis(200);
/// … and of the time, that takes at most a tenth.
const SHARE: u32 = 10;

/// The watch over what one build writes.
pub struct DiskWatch {
    place: PathBuf,
    bytes: u64,
    entries: usize,
    next: Instant,
}

impl DiskWatch {
    /// The watch over a build; nothing for other programs, and where a file system of its own bounds it.
    pub fn of((confinement, scratch): (&Confinement, &Scratch)) -> Option<DiskWatch> {
        let is_watched = confinement.purpose.is_build() && confinement.tier != Tier::A;
        is_watched.then(|| DiskWatch {
            place: scratch.place(),
            bytes: confinement.limits.scratch.0,
            entries: most_entries(confinement.limits.scratch.0),
            next: Instant::now() + INTERVAL,
        })
    }

    /// How long nothing need be measured.
    pub fn pause(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Measures, if it is time for that, and says whether there is more than may be.
    pub fn is_over(&mut self) -> bool {
        let begun = Instant::now();
        if begun < self.next {
            return false;
        }
        let is_over = self.holds_too_much();
        self.next = begun + INTERVAL.max(begun.elapsed() * SHARE);
        is_over
    }

    fn holds_too_much(&self) -> bool {
        let (mut bytes, mut entries) = (0, 0);
        let mut open = vec![self.place.clone()];
        while let Some(folder) = open.pop() {
            let content = match fs::read_dir(folder) {
                Ok(content) => content,
                // No path leads there: whatever is hidden so deep is too much.
                Err(error) if error.raw_os_error() == Some(libc::ENAMETOOLONG) => return true,
                // It is gone by now, or closed.
                Err(_) => continue,
            };
            for entry in content.flatten() {
                entries += 1;
                bytes += size_of(&entry);
                if bytes > self.bytes || entries > self.entries {
                    return true;
                }
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(entry.path());
                }
            }
        }
        false
    }
}

/// What a file takes on the disk.
fn size_of(entry: &DirEntry) -> u64 {
    const BLOCK: u64 = 512;
    entry.metadata().map_or(0, |data| data.blocks() * BLOCK)
}
