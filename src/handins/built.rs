//! What was built, as it is kept beside the bots: one line for each time that a hand-in was built.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::slice;

use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use super::outcome::Outcome;
use crate::championship::file_tree::{FileTree, is_leftover};
use crate::record::Identity;

/// The name of the file that keeps what was built.
const FILE_NAME: &str = "hand-ins.jsonl";

/// What came of a hand-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// Whose it is.
    pub name: String,
    /// The files and folders that were handed in, by their names.
    pub entries: Vec<String>,
    /// The hash of all that it was made from; nothing if that could not be read.
    pub made_from: Option<Identity>,
    /// What became of it.
    pub outcome: Outcome,
    /// How it was built, in a few words.
    pub how: String,
    /// How the bot is started, counted from its folder.
    pub command: Option<String>,
    /// The hash of the bot's files as they were built; nothing where there is no bot, and in lines of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<Identity>,
    /// What there is to say about it.
    pub remarks: Vec<String>,
    /// Whether it should be tried again though nothing has changed: the machine was in the way, and not the hand-in.
    #[serde(default)]
    pub is_passing: bool,
    /// The tools that the machine had when it lacked one: with others it should be tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacked: Option<Vec<String>>,
    /// What came of its test, once it was tested.
    #[serde(default)]
    pub test: Option<Test>,
}

/// What came of the test of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// The game and board that it was tested on.
    pub game: String,
    /// How it failed, unless it passed.
    pub failure: Option<String>,
    /// Whether it made no move in time, which may only be slow.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_slow: bool,
    /// What its examination found, in a line, if it was examined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

impl Test {
    /// Whether nothing is left to be found out on this board.
    pub fn is_enough(&self, game: &str, check: bool) -> bool {
        self.game == game && (self.check.is_some() || !check)
    }
}

/// The folder that hand-ins are built into.
#[derive(Clone, Debug)]
pub struct Workshop {
    folder: PathBuf,
}

impl Workshop {
    /// The one in this folder.
    pub fn in_folder(folder: &Path) -> Workshop {
        Workshop { folder: folder.to_owned() }
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the sources of all are.
    pub fn all_sources(&self) -> PathBuf {
        self.folder.join("sources")
    }

    /// Where the bots of all are.
    pub fn all_bots(&self) -> PathBuf {
        self.folder.join("bots")
    }

    /// Where the sources of a hand-in are.
    pub fn sources(&self, name: &str) -> PathBuf {
        self.all_sources().join(name)
    }

    /// Where its bot is.
    pub fn bot(&self, name: &str) -> PathBuf {
        self.all_bots().join(name)
    }

    /// The hash of the files of its bot, as they are now; nothing if they cannot be read. What a bot leaves behind when somebody tries
    /// it by hand is passed over.
    pub fn bot_identity(&self, name: &str) -> Option<Identity> {
        let folder = self.bot(name);
        let leave = |path: &Path| is_leftover(path.file_name().unwrap_or_default(), true);
        FileTree::read(&folder, slice::from_ref(&folder), &leave).identity(None).ok()
    }

    /// Whether its bot is there as it was built, if there is to be one.
    pub fn has_bot_of(&self, built: &Built) -> bool {
        match (&built.command, &built.bot) {
            (None, _) => true,
            (Some(_), None) => self.bot(&built.name).is_dir(),
            (Some(_), bot) => self.bot_identity(&built.name) == *bot,
        }
    }

    /// Where all that its compilers wrote is kept.
    pub fn log(&self, name: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{name}.txt"))
    }

    /// Whether something was built here before.
    pub fn has_begun(&self) -> bool {
        self.folder.join(FILE_NAME).exists()
    }

    /// What was built last of each hand-in, by name. A line that cannot be read, as a killed run may leave it, counts for nothing.
    pub fn earlier(&self) -> io::Result<HashMap<String, Built>> {
        let text = match fs::read(self.folder.join(FILE_NAME)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashMap::new()),
            Err(error) => return Err(error),
        };
        let lines = text.split(|&byte| byte == b'\n');
        let built = lines.filter_map(|line| serde_json::from_slice::<Built>(line).ok());
        Ok(built.map(|built| (built.name.clone(), built)).collect())
    }

    /// Opens the file that keeps what is built from now on. Only one process builds in a folder at a time.
    pub fn keep(&self) -> io::Result<Keep> {
        let file = File::options().append(true).create(true).open(self.folder.join(FILE_NAME))?;
        rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| io::Error::other("another 'arbitro build' is at work there"))?;
        Ok(Keep { file })
    }
}

/// The open file of what was built.
#[derive(Debug)]
pub struct Keep {
    file: File,
}

impl Keep {
    /// Writes down what came of a hand-in.
    pub fn add(&mut self, built: &Built) -> io::Result<()> {
        // With a line end before it: a killed run may have left a torn line.
        let line = format!("\n{}\n", serde_json::to_string(built)?);
        self.file.write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_whole_line_of_a_hand_in_counts() {
        let folder = tempfile::tempdir().unwrap();
        let workshop = Workshop::in_folder(folder.path());
        assert!(workshop.earlier().unwrap().is_empty());
        let built = |name: &str, how: &str| Built {
            name: name.into(),
            entries: vec!["ana.zip".into()],
            made_from: Some(Identity::of(how.as_bytes())),
            outcome: Outcome::Warnings(2),
            how: how.into(),
            command: Some("./ep5".into()),
            bot: None,
            remarks: Vec::new(),
            is_passing: false,
            lacked: None,
            test: Some(Test { game: "hex 14".into(), failure: None, is_slow: false, check: None }),
        };
        let mut keep = workshop.keep().unwrap();
        keep.add(&built("Ana", "make")).unwrap();
        keep.file.write_all(b"{\"name\":\"Ana\",\"ent").unwrap();
        keep.add(&built("Beto", "gcc ep5.c")).unwrap();
        keep.add(&built("Ana", "gcc ep5.c")).unwrap();
        let earlier = workshop.earlier().unwrap();
        assert_eq!(earlier["Ana"], built("Ana", "gcc ep5.c"));
        assert_eq!(earlier.len(), 2);
    }
}
