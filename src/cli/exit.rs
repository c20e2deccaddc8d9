//! How the programs end: errors of the person who typed the command, and exit codes.

use anyhow::Error;

/// Bad usage: wrong options, or programs that cannot be started.
pub const USAGE: u8 = 2;
/// Incomplete: some games could not be finished.
pub const INCOMPLETE: u8 = 3;
/// Stopped by a scheduler, to be gone on with later; all that was finished is in the journal.
pub const STOPPED: u8 = 75;
/// Interrupted, with all that was finished in the journal.
pub const INTERRUPTED: u8 = 130;

/// An error of the person who typed the command.
#[derive(Debug, thiserror::Error)]
#[error("{0:#}")]
pub struct Usage(Error);

/// Marks an error as bad usage.
pub fn usage(error: impl Into<Error>) -> Error {
    Usage(error.into()).into()
}
