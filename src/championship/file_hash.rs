//! The identity of a bot: a hash of all the files it consists of, so that versions never mix unseen.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::roster::Entrant;
use crate::engine::catalogue as engines;
use crate::record::Identity;

/// The most files of a bot that are looked at: somebody may have named a whole home directory.
const MOST_FILES: usize = 20_000;
/// The most bytes of a bot that are read: a file may be as long as it likes without having anything in it.
const MOST_BYTES: u64 = 1 << 30;

/// Hashes of bots; each file is read once, since several bots may share one.
#[derive(Default)]
pub struct Identities {
    files: HashMap<PathBuf, Identity>,
    built_in: Option<Identity>,
}

impl Identities {
    /// The SHA-256 over every file that a bot consists of: the folder that is its own, and the files and folders that its
    /// command names, those of the system aside. Of a built-in, the version of the engine and its weights.
    ///
    /// A file that cannot be read, or is too large, counts by its size and the time of its last change: nothing odd in a
    /// bot's folder keeps it, or anybody else, from playing.
    pub fn of(&mut self, entrant: &Entrant) -> Identity {
        if entrant.is_built_in() {
            return *self.built_in.get_or_insert_with(|| Identity::of(&engines::version()));
        }
        let mut hasher = Sha256::new();
        let mut roots = entrant.own_files();
        roots.extend(entrant.folder.clone());
        if roots.is_empty() {
            // A command of the system, which its words tell apart.
            hasher.update(&entrant.command);
        }
        let mut budget = MOST_BYTES;
        for root in &roots {
            for file in files_below(root) {
                // Where the bot is does not matter, but what its files are called does.
                let name = file.strip_prefix(root.parent().unwrap_or(root)).unwrap_or(&file);
                hasher.update(name.as_os_str().as_bytes());
                hasher.update([0]);
                hasher.update(self.of_file(&file, &mut budget).bytes());
            }
        }
        Identity::from_hasher(hasher)
    }

    fn of_file(&mut self, path: &Path, budget: &mut u64) -> Identity {
        if let Some(hash) = self.files.get(path) {
            return *hash;
        }
        let hash = read(path, budget).unwrap_or_else(|_| from_outside(path));
        self.files.insert(path.to_owned(), hash);
        hash
    }
}

/// The hash of what is in a file, unless that is more than the budget, which is used up by it.
fn read(path: &Path, budget: &mut u64) -> io::Result<Identity> {
    let mut file = fs::File::open(path)?;
    *budget = budget.checked_sub(file.metadata()?.len()).ok_or(io::ErrorKind::FileTooLarge)?;
    let mut hasher = Sha256::new();
    let mut piece = [0; 16 * 1024];
    while let length @ 1.. = file.read(&mut piece)? {
        hasher.update(&piece[..length]);
    }
    Ok(Identity::from_hasher(hasher))
}

/// What is known of a file without reading it.
fn from_outside(path: &Path) -> Identity {
    let data = path.metadata().map(|data| (data.len(), data.mtime(), data.mtime_nsec()));
    Identity::of(format!("{data:?}").as_bytes())
}

/// A file, or the regular files below a folder, in order.
fn files_below(root: &Path) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![root.to_owned()]);
    while let Some(path) = open.pop() {
        // A link in a folder is not followed, so that there is no circle; the bot's own file may be one.
        let data = if path == root { path.metadata() } else { path.symlink_metadata() };
        match data {
            Ok(data) if data.is_dir() => {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                open.extend(entries.map(|entry| entry.path()).take(MOST_FILES));
            }
            Ok(data) if !data.is_file() => {}
            _ => files.push(path),
        }
        if files.len() + open.len() > MOST_FILES {
            break;
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(command: &str) -> Identity {
        Identities::default().of(&Entrant::parse(command).unwrap())
    }

    #[test]
    fn a_changed_file_is_another_bot() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("bot.sh");
        let command = format!("sh {}", script.display());
        fs::write(&script, "one").unwrap();
        let before = identity(&command);
        assert_eq!(before, identity(&command));
        fs::write(&script, "two").unwrap();
        assert_ne!(before, identity(&command));
    }

    #[test]
    fn a_changed_file_in_a_folder_that_the_command_names_is_another_bot() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("classes/deep");
        fs::create_dir_all(&deep).unwrap();
        std::os::unix::fs::symlink(folder.path(), deep.join("round")).unwrap();
        fs::write(deep.join("Bot.class"), "one").unwrap();
        let command = format!("true -cp {}", folder.path().join("classes").display());
        let before = identity(&command);
        fs::write(deep.join("Bot.class"), "two").unwrap();
        let changed = identity(&command);
        assert_ne!(before, changed);
        fs::rename(deep.join("Bot.class"), deep.join("Other.class")).unwrap();
        assert_ne!(changed, identity(&command));
    }

    #[test]
    fn nothing_odd_in_a_folder_is_an_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("bot.sh"), "one").unwrap();
        fs::File::create(path("sparse")).unwrap().set_len(1 << 40).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RWXU,
            0,
        )
        .unwrap();
        std::os::unix::fs::symlink("/nowhere", path("dangling")).unwrap();
        let command = format!("true {}", folder.path().display());
        let before = identity(&command);
        assert_eq!(before, identity(&command));
        fs::File::options().write(true).open(path("sparse")).unwrap().set_len(1 << 39).unwrap();
        assert_ne!(before, identity(&command));
    }

    #[test]
    fn where_a_bot_is_does_not_matter() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let command = |folder: &Path| format!("sh {}", folder.join("bot.sh").display());
        for folder in [&one, &other] {
            fs::write(folder.path().join("bot.sh"), "same").unwrap();
        }
        assert_eq!(identity(&command(one.path())), identity(&command(other.path())));
        assert_ne!(identity("sh -c 'echo 1'"), identity("sh -c 'echo 2'"));
        assert_eq!(identity("@greedy"), identity("@greedy"));
    }
}
