//! What one student or group handed in.

use std::path::PathBuf;

use super::layout::Layout;

/// What one student or group handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandIn {
    /// Whose it is, as the tables say it.
    pub name: String,
    /// The name that it claims: that of another hand-in, perhaps, from which a number tells it.
    pub claims: String,
    /// The files and folders that belong to it, in the folder of hand-ins.
    pub entries: Vec<PathBuf>,
    /// How the files in that folder are called, if a web site has called them.
    pub layout: Option<Layout>,
    /// What there is to say about its name.
    pub remarks: Vec<String>,
}
