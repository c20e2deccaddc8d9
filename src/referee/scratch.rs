//! The folder that a program works in.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::sandbox::{Confinement, Tier, root};

/// A program's working directory. In a file system of its own it is there already; otherwise it is a folder that is gone with
/// this value.
pub struct Scratch {
    path: PathBuf,
    ours: bool,
}

impl Scratch {
    /// Makes it, with what is to be found in it.
    pub fn new(cage: &Confinement) -> io::Result<Scratch> {
        if cage.tier == Tier::A {
            return Ok(Scratch { path: root::SCRATCH.into(), ours: false });
        }
        let name = format!("arbitro-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let scratch = Scratch { path: std::env::temp_dir().join(name), ours: true };
        fs::DirBuilder::new().mode(0o700).create(&scratch.path)?;
        root::furnish(&scratch.path, &cage.view, cage.view.links())?;
        Ok(scratch)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.ours {
            // A folder that cannot be removed is no reason to end anything.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}
