//! What one student or group handed in.

use std::path::PathBuf;

use crate::record::Identity;

/// What one student or group handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandIn {
    /// Whose it is, as the tables say it.
    pub name: String,
    /// The files and folders that belong to it, in the folder of hand-ins.
    pub entries: Vec<PathBuf>,
}

/// A hand-in, unpacked: files and folders only, without what editors and tools leave behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The folder of the sources.
    pub folder: PathBuf,
    /// The hash of all that is in it.
    pub identity: Identity,
    /// What there is to say about it: what was left behind, or what is odd.
    pub remarks: Vec<String>,
}
