//! What a program may not do. Programs run under the user's own account, where file permissions protect nothing.
//!
//! There are three tiers, and which one this machine can give is found out by doing it. [`root`] builds what a program sees of
//! the file system, [`rules`] and [`filter`] make the kernel refuse what it must not do, and the keeper's [`warden`] minds it
//! while it runs.
//!
//! [`warden`]: super::keeper

pub mod filter;
pub mod probe;
pub mod root;
pub mod rules;
pub mod size;
pub mod view;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use size::Size;
use view::View;

/// How well a program is contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tier {
    /// Limits and a session of its own, and nothing else.
    C,
    /// No namespaces: rules for files, signals and sockets, and a filter of system calls.
    B,
    /// Namespaces of its own on top of all that: it sees no other process, no network and few files.
    A,
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tier::A => "A",
            Tier::B => "B",
            Tier::C => "C",
        })
    }
}

impl FromStr for Tier {
    type Err = String;

    fn from_str(word: &str) -> Result<Tier, String> {
        [Tier::A, Tier::B, Tier::C]
            .into_iter()
            .find(|tier| tier.to_string() == word)
            .ok_or_else(|| "the tiers are A, B and C".to_owned())
    }
}

/// What a program may use, all of its processes together unless the kernel counts each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Memory.
    pub memory: Size,
    /// Processes and threads.
    pub processes: u32,
    /// Open files of a process.
    pub open_files: u32,
    /// The size of a file that it writes.
    pub file_size: Size,
    /// All that it writes into its working directory.
    pub scratch: Size,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: Size(1 << 30),
            processes: 256,
            open_files: 256,
            file_size: Size(64 << 20),
            scratch: Size(64 << 20),
        }
    }
}

/// How a program is to be contained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// How well.
    pub tier: Tier,
    /// What it may use.
    pub limits: Limits,
    /// Seconds of processor time after which a process of it is ended, whatever the clocks say.
    pub cpu_seconds: u64,
    /// What it may see.
    pub view: View,
}
