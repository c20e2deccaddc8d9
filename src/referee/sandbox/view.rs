//! What a program may see of the file system.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

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

/// What a program may see beyond the system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Files and folders that it may read, at their own places.
    pub readable: Vec<PathBuf>,
    /// What is hidden all the same, though it is inside of those.
    pub hidden: Vec<PathBuf>,
    /// The folder whose files it also finds in its working directory.
    pub folder: Option<PathBuf>,
    /// Files that are put into its working directory: name and text.
    pub files: Vec<(String, String)>,
}

impl View {
    /// The largest parts of what is readable that hold nothing hidden, for rules that can only allow.
    pub fn open_paths(&self) -> Vec<PathBuf> {
        let mut open = Vec::new();
        let mut left: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).chain(self.readable.clone()).collect();
        while let Some(path) = left.pop() {
            if self.hidden.contains(&path) {
                continue;
            }
            if !self.hidden.iter().any(|hidden| hidden.starts_with(&path)) {
                open.push(path);
                continue;
            }
            // A folder that cannot be read has nothing in it to allow.
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            left.extend(entries.map(|entry| entry.path()));
        }
        open
    }

    /// What is there and hidden inside of something readable; the rest cannot be seen anyway.
    pub fn masked(&self) -> impl Iterator<Item = &PathBuf> {
        let covered = |hidden: &&PathBuf| {
            (is_system(hidden) || self.readable.iter().any(|readable| hidden.starts_with(readable)))
                && !self.readable.contains(*hidden)
                && hidden.exists()
        };
        self.hidden.iter().filter(covered)
    }

    /// What is to be found in the working directory under which name.
    pub fn links(&self) -> Vec<(PathBuf, std::ffi::OsString)> {
        const MOST: usize = 512;
        let entries =
            self.folder.iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        let entries = entries.filter(|entry| !self.hidden.contains(&entry.path())).take(MOST);
        entries.map(|entry| (entry.path(), entry.file_name())).collect()
    }
}

/// Whether this is part of the system, which everybody sees.
pub fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_something_hidden_is_opened_piece_by_piece() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["results/old", "data/deep"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        for name in ["ana", "beto", "data/book", "data/deep/secret"] {
            std::fs::write(path(name), "").unwrap();
        }
        let view = View {
            readable: vec![folder.path().into()],
            hidden: vec![path("beto"), path("results"), path("data/deep/secret"), "/elsewhere".into()],
            folder: Some(folder.path().into()),
            files: Vec::new(),
        };
        let mut open = view.open_paths();
        open.retain(|path| !is_system(path));
        open.sort();
        assert_eq!(open, [path("ana"), path("data/book")]);
        assert_eq!(view.masked().count(), 3);
        let mut links: Vec<_> = view.links().into_iter().map(|(_, name)| name).collect();
        links.sort();
        assert_eq!(links, ["ana", "data"]);
    }
}
