//! How much a hand-in may hold, counted over all archives in it.

use super::problem::Fault;
use crate::contain::spec::Size;

/// How much a hand-in may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpackLimits {
    /// The bytes of all files, with those of archives in it.
    pub bytes: u64,
    /// The files and folders.
    pub entries: usize,
    /// How deep archives may stand in archives.
    pub nesting: usize,
}

impl Default for UnpackLimits {
    fn default() -> UnpackLimits {
        UnpackLimits { bytes: 512 << 20, entries: 10_000, nesting: 3 }
    }
}

/// What is left of the limits.
#[derive(Debug)]
pub struct Budget {
    limits: UnpackLimits,
    bytes: u64,
    entries: usize,
}

impl Budget {
    /// All of it.
    pub fn new(limits: UnpackLimits) -> Budget {
        Budget { limits, bytes: limits.bytes, entries: limits.entries }
    }

    /// The bytes that are left.
    pub fn bytes_left(&self) -> u64 {
        self.bytes
    }

    /// Refuses what says of itself that it is too large, before anything of it is read.
    pub fn check_bytes(&self, bytes: u64) -> Result<(), Fault> {
        if bytes > self.bytes { Err(self.too_large()) } else { Ok(()) }
    }

    /// Refuses what says of itself that it holds too many files.
    pub fn check_entries(&self, entries: usize) -> Result<(), Fault> {
        if entries > self.entries { Err(Fault::TooMany(self.limits.entries)) } else { Ok(()) }
    }

    /// Counts bytes that are there.
    pub fn take_bytes(&mut self, bytes: u64) -> Result<(), Fault> {
        self.check_bytes(bytes)?;
        self.bytes -= bytes;
        Ok(())
    }

    /// Counts a file or folder.
    pub fn take_entry(&mut self) -> Result<(), Fault> {
        self.check_entries(1)?;
        self.entries -= 1;
        Ok(())
    }

    /// That there is more than the limit.
    pub fn too_large(&self) -> Fault {
        Fault::TooLarge(Size(self.limits.bytes))
    }
}
