//! What one student or group handed in.

use std::path::PathBuf;

/// What one student or group handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandIn {
    /// Whose it is, as the tables say it.
    pub name: String,
    /// The files and folders that belong to it, in the folder of hand-ins.
    pub entries: Vec<PathBuf>,
    /// What there is to say about its name.
    pub remarks: Vec<String>,
}
