//! What a professor says about a single hand-in: `[[handins]]` in a file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::handin::HandIn;

/// What a professor says about a single hand-in. What is not said is found out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The hand-in: its name in the table, or that of its file or folder.
    pub name: String,
    /// The file with the program, in the hand-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<PathBuf>,
    /// How it is built, as one line for the shell, in the folder of the hand-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// How it is started, in the folder of the hand-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Whether it is left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skip: bool,
}

impl Choice {
    /// Whether it is about this hand-in.
    pub fn is_about(&self, handin: &HandIn) -> bool {
        let is_name = |path: &PathBuf| path.file_name().is_some_and(|name| name == self.name.as_str());
        handin.name == self.name || handin.entries.iter().any(is_name)
    }
}
