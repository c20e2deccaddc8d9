//! Text files that people hand in, and why they cannot be read, in words.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use thiserror::Error;

use crate::contain::system_words::system_words;

/// More than any file of settings, openings or boards needs.
const LONGEST: u64 = 16 << 20;

/// Why a file cannot be read.
#[derive(Debug, Error)]
pub enum FileProblem {
    /// It is not there.
    #[error("there is no such file")]
    Missing,
    /// It is a folder.
    #[error("it is a folder, not a file")]
    Folder,
    /// Others do not want it to be read.
    #[error("you may not read it")]
    Forbidden,
    /// It holds something else.
    #[error("it is not a text file (UTF-8)")]
    NotText,
    /// It has no end.
    #[error("it is too long")]
    TooLong,
    /// The operating system's own words.
    #[error("{}", system_words(.0))]
    Other(io::Error),
}

impl From<io::Error> for FileProblem {
    fn from(error: io::Error) -> FileProblem {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => FileProblem::Missing,
            ErrorKind::IsADirectory => FileProblem::Folder,
            ErrorKind::PermissionDenied => FileProblem::Forbidden,
            ErrorKind::InvalidData => FileProblem::NotText,
            _ => FileProblem::Other(error),
        }
    }
}

/// What stands in a text file.
pub fn read(path: &Path) -> Result<String, FileProblem> {
    let mut text = String::new();
    if File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)? as u64 > LONGEST {
        return Err(FileProblem::TooLong);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_obstacle_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let problem = |path: &Path| read(path).unwrap_err().to_string();
        assert_eq!(problem(&folder.path().join("none")), "there is no such file");
        assert_eq!(problem(folder.path()), "it is a folder, not a file");
        let binary = folder.path().join("binary");
        std::fs::write(&binary, [0xff; 4]).unwrap();
        assert_eq!(problem(&binary), "it is not a text file (UTF-8)");
        assert_eq!(problem(&binary.join("below")), "there is no such file");
        assert_eq!(problem(Path::new("/dev/zero")), "it is too long");
    }
}
