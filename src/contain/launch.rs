//! How a program is to be started, as the referee tells its keeper.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::spec::{Limits, Tier};
use super::visible_files::VisibleFiles;

/// What the operating system needs to know to start a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The executable.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables on top of the inherited environment.
    pub environment: Vec<(String, String)>,
    /// The core that it is bound to, with all that it starts; nothing if it may use those of its keeper.
    pub core: Option<usize>,
    /// Whether a debugger is to be attached: any process of the user may, and the program is stopped as soon as it has begun. It must
    /// not be contained.
    pub is_held: bool,
    /// How it is contained, if it is.
    pub confinement: Option<Confinement>,
}

impl Launch {
    /// How well the program is to be contained, if it is at all.
    pub fn tier(&self) -> Option<Tier> {
        self.confinement.as_ref().map(|confinement| confinement.tier)
    }
}

/// What a contained program is for, where that matters to what it may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// It plays: it sees its own files, and they stay as they are.
    #[default]
    Play,
    /// It works, as compilers do, on a copy of the files that it is given. That copy is below its working directory
    /// ([`WORK`](super::visible_files::WORK)), and is all that is kept, if it ends well.
    Build {
        /// Whether it has the network of the machine.
        network: bool,
        /// The most bytes that are kept, which may be less than what is written on the way.
        most_kept: u64,
    },
}

impl Purpose {
    /// Whether it works on files.
    pub fn is_build(self) -> bool {
        matches!(self, Purpose::Build { .. })
    }

    /// Whether it has the network of the machine.
    pub fn has_network(self) -> bool {
        matches!(self, Purpose::Build { network: true, .. })
    }
}

/// How a program is to be contained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// How well.
    pub tier: Tier,
    /// What for.
    pub purpose: Purpose,
    /// What it may use.
    pub limits: Limits,
    /// Seconds of processor time after which the kernel ends a process of it, whatever the clocks say.
    pub cpu_seconds: u64,
    /// What it may see of the file system.
    pub visible_files: VisibleFiles,
    /// The folder that what it has written into its working directory is copied to in the end, if that is to be kept. Of a build it is
    /// all of its copy of the files.
    pub keep_scratch: Option<PathBuf>,
}
