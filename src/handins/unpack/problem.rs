//! Why a hand-in cannot be unpacked.

use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use thiserror::Error;

use super::outside_tools::ToolProblem;
use super::place::{Place, Unsafe};
use crate::contain::spec::Size;
use crate::contain::system_words::system_words;
use crate::record::text::printable;

/// The longest name that is shown as a whole.
const LONGEST_NAME: usize = 100;

/// Why a hand-in cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{subject}' {fault}")]
pub struct Problem {
    /// The file or folder, by its name.
    pub subject: String,
    /// What is wrong with it.
    pub fault: Fault,
}

impl Problem {
    /// Whether the machine was in the way, and not the hand-in: another time it may go well.
    pub fn is_passing(&self) -> bool {
        match &self.fault {
            Fault::Machine(_) | Fault::Unreadable(_) => true,
            Fault::Tool(problem) => match problem {
                ToolProblem::Missing { .. } | ToolProblem::Machine(_) => true,
                ToolProblem::Damaged(_)
                | ToolProblem::Password
                | ToolProblem::TooLarge
                | ToolProblem::TimedOut(_) => false,
            },
            _ => false,
        }
    }

    /// Whether it may go well once other tools are installed.
    pub fn lacks_tool(&self) -> bool {
        matches!(self.fault, Fault::Tool(ToolProblem::Missing { .. }))
    }
}

/// What is wrong with an archive, file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// Something in it could do harm.
    #[error("is not safe: '{0}' {1}")]
    Unsafe(String, Unsafe),
    /// It holds too much.
    #[error("holds more than {0}; --unpack-limit allows more")]
    TooLarge(Size),
    /// It holds too many files.
    #[error("holds more than {0} files and folders; leave out what others wrote, such as libraries")]
    TooMany(usize),
    /// There is no end of archives in it.
    #[error("holds archives inside archives, more than {0} deep")]
    TooDeep(usize),
    /// It has a password.
    #[error("is protected by a password")]
    Password,
    /// It is not what it should be.
    #[error("is damaged: {0}")]
    Damaged(String),
    /// It is packed in an unusual way.
    #[error("is packed in an unusual way ({0}); pack it as a usual .zip or .tar.gz")]
    Unusual(String),
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// Its paths are longer than the system takes.
    #[error("holds too long a path; use shorter names, and fewer folders and archives inside one another")]
    LongPath,
    /// What a tool of the system says of it.
    #[error(transparent)]
    Tool(ToolProblem),
    /// The machine was in the way.
    #[error("cannot be unpacked here: {0}")]
    Machine(String),
}

impl Fault {
    /// Something in it could do harm.
    pub fn of(place: &Place, what: Unsafe) -> Fault {
        Fault::Unsafe(place.shown(), what)
    }

    /// That it cannot be read, or what stands at this path in it.
    pub fn unreadable(inside: &Path, error: &io::Error) -> Fault {
        let inside = match printable(inside.as_os_str().as_bytes(), LONGEST_NAME) {
            path if path.is_empty() => path,
            path => format!("'{path}': "),
        };
        let cure = match error.kind() {
            ErrorKind::InvalidFilename => return Fault::LongPath,
            ErrorKind::PermissionDenied => " (chmod -R u+rX lets you read it)",
            _ => "",
        };
        Fault::Unreadable(inside + &system_words(error) + cure)
    }

    /// With the name of what is wrong.
    pub fn in_file(self, subject: &str) -> Problem {
        Problem { subject: printable(subject.as_bytes(), LONGEST_NAME), fault: self }
    }
}

/// What the operating system says is the machine's fault, unless a name is too long for it; all else comes from the content.
impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        match error.kind() {
            ErrorKind::InvalidFilename => Fault::LongPath,
            _ if error.raw_os_error().is_some() => Fault::Machine(system_words(&error)),
            ErrorKind::UnexpectedEof => {
                Fault::Damaged("it ends too early, as after an incomplete upload".to_owned())
            }
            _ => Fault::Damaged(error.to_string()),
        }
    }
}

impl From<ToolProblem> for Fault {
    fn from(problem: ToolProblem) -> Fault {
        match problem {
            ToolProblem::Password => Fault::Password,
            ToolProblem::Damaged(words) => Fault::Damaged(words),
            problem => Fault::Tool(problem),
        }
    }
}
