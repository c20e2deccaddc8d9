//! How the shards of a championship were launched, so that those with missing games can be launched again.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::shard::FOLDER;
use crate::record::replace_file::{Durability, replace_file};

/// What runs the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Engine {
    /// Slurm, of a cluster.
    Slurm,
    /// GNU parallel, over ssh.
    Parallel,
}

/// How the shards of a championship were launched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launched {
    /// What runs the jobs; nothing if somebody starts them by hand.
    pub engine: Option<Engine>,
    /// How many shards there are.
    pub shards: u32,
    /// How many games each plays at a time.
    pub jobs: u16,
    /// Lines for the scheduler, as they were given.
    #[serde(default)]
    pub options: Vec<String>,
    /// The machines, where we choose them.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// The command that reaches them, if it is another than ssh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ssh: Option<String>,
    /// Whether each machine is sent a copy of the folder, since they share none.
    #[serde(default)]
    pub copy: bool,
}

impl Launched {
    /// So many shards that somebody starts by hand.
    pub fn by_hand(shards: u32) -> Launched {
        Launched {
            engine: None,
            shards,
            jobs: 1,
            options: Vec::new(),
            hosts: Vec::new(),
            ssh: None,
            copy: false,
        }
    }

    fn path(championship: &Path) -> PathBuf {
        championship.join(FOLDER).join("launch.json")
    }

    /// How it was done last, if it was.
    pub fn read(championship: &Path) -> io::Result<Option<Launched>> {
        match fs::read(Launched::path(championship)) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps it.
    pub fn write(&self, championship: &Path) -> io::Result<()> {
        fs::create_dir_all(championship.join(FOLDER))?;
        let text = serde_json::to_string_pretty(self)? + "\n";
        replace_file(&Launched::path(championship), Durability::Synced, |file| {
            file.write_all(text.as_bytes())
        })
    }
}
