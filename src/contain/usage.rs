//! What a program had used when it ended, and whether that was too much.

use serde::{Deserialize, Serialize};

use super::spec::Exit;

/// What a program has used, with everything that it started.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time, in nanoseconds.
    pub cpu_ns: u64,
    /// The most memory that was seen, in bytes.
    pub peak: u64,
    /// Whether it was ended because that was too much.
    pub over_memory: bool,
    /// Whether it wrote more than it may, as far as that is known: it is of builds.
    pub over_disk: bool,
}

impl Usage {
    /// Adds what a process that has ended used.
    pub fn add(&mut self, spent: &libc::rusage) {
        let nanoseconds =
            |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000;
        self.cpu_ns += nanoseconds(spent.ru_utime) + nanoseconds(spent.ru_stime);
        self.peak = self.peak.max(spent.ru_maxrss as u64 * 1024);
    }

    /// Blames the end of a program on memory if it failed while it had nearly all that it may have: a process that is refused
    /// more memory hardly ever says so.
    pub fn blame_memory(&mut self, exit: Exit, limit: u64) {
        self.over_memory |= exit != Exit::Code(0) && self.peak > limit / 8 * 7;
    }
}
