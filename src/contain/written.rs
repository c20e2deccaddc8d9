//! What a program has written into its working directory: a few names, so that nobody wonders where it is, or a copy of all of it.
//!
//! Both are made when nothing of the program runs any more, and trust nothing that it has left there.

use std::ffi::OsStr;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::scratch::INSIDE;
use super::tree_copy::{TreeCopy, open_folder};
use super::visible_files::VisibleFiles;

/// What a program has left in its working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The first names, in order, with a slash behind those of folders. They are safe to print.
    pub names: Vec<String>,
    /// How many files and folders there are, up to [`MOST_COUNTED`].
    pub count: usize,
}

/// Beyond this, files are not counted.
pub const MOST_COUNTED: usize = 1000;
/// How many of them are named.
const NAMED: usize = 3;
/// The longest name that is told, in letters.
const LONGEST_NAME: usize = 60;
/// What interpreters leave there of their own accord.
const BY_TOOLS: [&str; 3] = ["hsperfdata_", "__pycache__", "node-compile-cache"];

/// How many entries of a folder are looked at: a program may have made any number.
const MOST_LOOKED_AT: usize = 20_000;

/// How deep folders are copied, and how many files and folders in all.
const DEEPEST: usize = 16;
const MOST_COPIED: usize = 10_000;

/// What was in a working directory before the program began.
pub struct Furnished<'a> {
    visible: &'a VisibleFiles,
}

impl<'a> Furnished<'a> {
    /// What a program with these files finds.
    pub fn with(visible: &'a VisibleFiles) -> Furnished<'a> {
        Furnished { visible }
    }

    /// Whether an entry with this name is none of the program's making. Links are not looked at here: those to its own files are ours.
    fn has(&self, name: &OsStr) -> bool {
        let is_file = self.visible.files.iter().any(|(file, _)| name == file.as_str());
        // Something that it may read can be shown below its working directory.
        let shown = self.visible.readable.iter().filter_map(|path| path.strip_prefix(INSIDE).ok());
        let is_shown = shown.into_iter().any(|place| place.iter().next() == Some(name));
        let by_tools = BY_TOOLS.iter().any(|tool| name.as_bytes().starts_with(tool.as_bytes()));
        is_file || is_shown || by_tools || name == ".shm"
    }
}

/// What a program has left in this folder, without hidden files, links and the like.
pub fn look(folder: &Path, furnished: &Furnished) -> Written {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_LOOKED_AT);
    let told = entries.filter_map(|entry| {
        let (name, kind) = (entry.file_name(), entry.file_type().ok()?);
        let counts =
            (kind.is_file() || kind.is_dir()) && !name.as_bytes().starts_with(b".") && !furnished.has(&name);
        counts.then(|| shown(&name) + if kind.is_dir() { "/" } else { "" })
    });
    let mut names: Vec<String> = told.take(MOST_COUNTED).collect();
    let count = names.len();
    names.sort();
    names.truncate(NAMED);
    Written { names, count }
}

fn shown(name: &OsStr) -> String {
    let text = name.to_string_lossy();
    text.chars().take(LONGEST_NAME).flat_map(char::escape_debug).collect()
}

/// Copies what a program has left in a folder: files and folders only, and at most so many bytes. What cannot be copied is left out.
pub fn copy(folder: &Path, furnished: &Furnished, into: &OwnedFd, limit: u64) {
    let mut copier = TreeCopy::within(limit, MOST_COPIED);
    // Ignore failure: a copy is a help for the program's author, and no game should fail for lack of it.
    if let Ok(source) = open_folder(folder) {
        let _ = copier.copy_folder(&source, into, DEEPEST, &|name| furnished.has(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use rustix::fs::{FileType, Mode};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn visible() -> VisibleFiles {
        let files = vec![("board.txt".to_owned(), String::new())];
        VisibleFiles { files, readable: vec!["/tmp/lib/python".into()], own: None }
    }

    #[test]
    fn only_what_the_program_wrote_is_told() {
        let (folder, visible) = (folder(), visible());
        let path = |name: &str| folder.path().join(name);
        for name in ["board.txt", ".hidden", "hsperfdata_bot", "lib"] {
            fs::write(path(name), "").unwrap();
        }
        for name in [".shm", "__pycache__"] {
            fs::create_dir(path(name)).unwrap();
        }
        symlink("/bot/bot.py", path("bot.py")).unwrap();
        let furnished = Furnished::with(&visible);
        assert_eq!(look(folder.path(), &furnished), Written::default());
        for name in ["log.txt", "a\u{1b}[2J", "z1", "z2"] {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path("data")).unwrap();
        let written = look(folder.path(), &furnished);
        assert_eq!(
            (written.names, written.count),
            (vec!["a\\u{1b}[2J".into(), "data/".into(), "log.txt".into()], 5)
        );
        assert_eq!(look(Path::new("/no/such/folder"), &furnished), Written::default());
    }

    #[test]
    fn many_files_and_long_names_are_cut() {
        let (folder, visible) = (folder(), visible());
        (0..1100).for_each(|number| {
            fs::write(folder.path().join(format!("{}{number}", "x".repeat(100))), "").unwrap()
        });
        let written = look(folder.path(), &Furnished::with(&visible));
        assert_eq!((written.count, written.names[0].len()), (MOST_COUNTED, LONGEST_NAME));
    }

    #[test]
    fn a_copy_has_files_and_folders_and_nothing_that_could_harm() {
        let (folder, target, visible) = (folder(), self::folder(), visible());
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("deep/er")).unwrap();
        fs::write(path("deep/er/log"), "deep").unwrap();
        fs::write(path("board.txt"), "ours").unwrap();
        fs::write(path("log.txt"), "mine").unwrap();
        fs::set_permissions(path("log.txt"), fs::Permissions::from_mode(0o6777)).unwrap();
        symlink("/etc/passwd", path("link")).unwrap();
        symlink("/etc", path("deep/link")).unwrap();
        let (fifo, mode) = (FileType::Fifo, Mode::RWXU);
        rustix::fs::mknodat(rustix::fs::CWD, path("pipe"), fifo, mode, 0).unwrap();
        fs::write(folder.path().join(OsStr::from_bytes(b"\xff\x1b[2J")), "odd").unwrap();
        copy(folder.path(), &Furnished::with(&visible), &open_folder(target.path()).unwrap(), 1 << 20);
        let copied = |name: &str| fs::read_to_string(target.path().join(name)).unwrap();
        assert_eq!((copied("log.txt"), copied("deep/er/log")), ("mine".into(), "deep".into()));
        assert_eq!(copied("\u{fffd}_[2J"), "odd");
        assert_eq!(target.path().join("log.txt").metadata().unwrap().permissions().mode() & 0o7000, 0);
        let count = |place: &str| fs::read_dir(target.path().join(place)).unwrap().count();
        assert_eq!((count(""), count("deep")), (3, 1));
    }

    #[test]
    fn a_copy_is_bounded_in_size_depth_and_number() {
        let (folder, target, visible) = (folder(), self::folder(), visible());
        fs::create_dir_all(folder.path().join("d/".repeat(40))).unwrap();
        // It takes no room where it is.
        File::create(folder.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
        copy(folder.path(), &Furnished::with(&visible), &open_folder(target.path()).unwrap(), 100_000);
        assert_eq!(target.path().join("sparse").metadata().unwrap().len(), 100_000);
        assert!(
            target.path().join("d/".repeat(DEEPEST)).exists()
                && !target.path().join("d/".repeat(DEEPEST + 1)).exists()
        );
        let mut copier = TreeCopy::within(10, 1);
        let small = self::folder();
        let (source, into) = (open_folder(folder.path()).unwrap(), open_folder(small.path()).unwrap());
        copier.copy_folder(&source, &into, 1, &|_| false).unwrap();
        assert_eq!(fs::read_dir(small.path()).unwrap().count(), 1);
        assert!(!copier.is_whole);
    }
}
