//! What a program may see of the file system: the system, its own files, and nothing of the other programs or the results.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::spec::Tier;

/// Where a system keeps its programs and libraries. What else is installed, as in /opt, is found where it is needed.
pub const SYSTEM: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// What programs need of the system's settings to start at all, or to know the time.
pub const SETTINGS: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/nsswitch.conf",
    "/etc/java",
    "/etc/java-8-openjdk",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
    "/etc/python3",
    "/etc/ssl/openssl.cnf",
];

/// Devices that are harmless.
pub const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Where a program finds its own files in a file system of its own (tier A).
pub const OWN: &str = "/bot";

/// Where a program that builds finds its copy of the files that it is given, below its working directory.
pub const WORK: &str = "work";

/// What a program may see beyond the system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisibleFiles {
    /// The folder of its own files, which nobody else sees. At tier A it is shown at [`OWN`], elsewhere at its own place.
    pub own: Option<PathBuf>,
    /// Files and folders that it may read, at their own places.
    pub readable: Vec<PathBuf>,
    /// Files that are put into its working directory: name and text.
    pub files: Vec<(String, String)>,
}

impl VisibleFiles {
    /// What its own folder holds, which it also finds in its working directory under the same names.
    pub fn own_names(&self) -> Vec<OsString> {
        const MOST: usize = 1024;
        let entries = self.own.iter().flat_map(|own| std::fs::read_dir(own).into_iter().flatten().flatten());
        entries.take(MOST).map(|entry| entry.file_name()).collect()
    }

    /// Where its own folder is for a program of this tier.
    pub fn own_place(&self, tier: Tier) -> Option<&Path> {
        self.own.as_deref().map(|own| if tier == Tier::A { Path::new(OWN) } else { own })
    }
}

/// Whether this is part of the system, which everybody sees.
pub fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}
