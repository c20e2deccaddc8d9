//! The identity of a bot: a hash of all the files it consists of, so that versions never mix unseen.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::roster::Entrant;
use crate::engine::catalogue as engines;
use crate::record::Identity;

/// The most files of a bot that are looked at: somebody may have named a whole home directory.
const MOST_FILES: usize = 20_000;

/// Hashes of bots; each file is read once, since several bots may share one.
#[derive(Default)]
pub struct Identities {
    files: HashMap<PathBuf, Identity>,
    built_in: Option<Identity>,
}

impl Identities {
    /// The SHA-256 over every file that a bot consists of: the folder that is its own, and the files and folders that its
    /// command names, those of the system aside. Of a built-in, the version of the engine and its weights.
    pub fn of(&mut self, entrant: &Entrant) -> io::Result<Identity> {
        if entrant.is_built_in() {
            return Ok(*self.built_in.get_or_insert_with(|| Identity::of(&engines::version())));
        }
        let mut hasher = Sha256::new();
        let mut roots = entrant.own_files();
        roots.extend(entrant.folder.clone());
        if roots.is_empty() {
            // A command of the system, which its words tell apart.
            hasher.update(&entrant.command);
        }
        for root in &roots {
            for file in files_below(root)? {
                // Where the bot is does not matter, but what its files are called does.
                let name = file.strip_prefix(root.parent().unwrap_or(root)).unwrap_or(&file);
                hasher.update(name.as_os_str().as_bytes());
                hasher.update([0]);
                hasher.update(self.of_file(&file)?.bytes());
            }
        }
        Ok(Identity::from_hasher(hasher))
    }

    fn of_file(&mut self, path: &Path) -> io::Result<Identity> {
        if let Some(hash) = self.files.get(path) {
            return Ok(*hash);
        }
        let mut hasher = Sha256::new();
        let mut file = fs::File::open(path)?;
        let mut piece = [0; 16 * 1024];
        while let length @ 1.. = file.read(&mut piece)? {
            hasher.update(&piece[..length]);
        }
        let hash = Identity::from_hasher(hasher);
        self.files.insert(path.to_owned(), hash);
        Ok(hash)
    }
}

/// A file, or the regular files below a folder, in order.
fn files_below(root: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut open) = (Vec::new(), vec![root.to_owned()]);
    while let Some(path) = open.pop() {
        // A link in a folder is not followed, so that there is no circle; the bot's own file may be one.
        let data = if path == root { path.metadata()? } else { path.symlink_metadata()? };
        if data.is_file() {
            files.push(path);
        } else if data.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        }
        if files.len() + open.len() > MOST_FILES {
            break;
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(command: &str) -> Identity {
        Identities::default().of(&Entrant::parse(command).unwrap()).unwrap()
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
