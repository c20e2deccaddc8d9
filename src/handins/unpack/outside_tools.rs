//! What opens the archives that arbitro does not open itself: tools of the system, which run contained.

use std::path::Path;
use std::time::Duration;

use thiserror::Error;

/// Archives that only tools of the system open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideKind {
    /// One file, packed by `xz`.
    Xz,
    /// One file, packed by `bzip2`.
    Bzip2,
    /// One file, packed by `zstd`.
    Zstd,
    /// An archive of 7-Zip.
    SevenZip,
    /// An archive of RAR.
    Rar,
}

/// What a tool calls the file that it gets out of a packed one ([`OutsideKind::Xz`], [`OutsideKind::Bzip2`], [`OutsideKind::Zstd`]).
pub const CONTENT: &str = "content";

/// The tools of the system.
pub trait OutsideTools {
    /// Opens an archive into an empty folder, which nobody else uses, with at most so many bytes in all. What it holds then, whether
    /// or not it went well, is checked by the caller: links, devices, names and sizes.
    fn open(&self, archive: &Path, kind: OutsideKind, into: &Path, limit: u64) -> Result<(), ToolProblem>;
}

/// Why a tool has not opened an archive.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ToolProblem {
    /// There is no such tool on this machine.
    #[error("needs a tool that is not installed: apt install {package}")]
    Missing {
        /// The Debian package that has it.
        package: &'static str,
    },
    /// The archive is no good: the tool's words, on one line.
    #[error("is damaged: {0}")]
    Damaged(String),
    /// It has a password.
    #[error("is protected by a password")]
    Password,
    /// It holds more than the limit.
    #[error("holds more than the limit")]
    TooLarge,
    /// It took too long.
    #[error("was not opened within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The machine was in the way, and not the archive: why.
    #[error("cannot be opened here: {0}")]
    Machine(String),
}
