//! The folder that a program works in.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::launch::Confinement;
use super::spec::Tier;
use super::visible_files::VisibleFiles;

/// Where it is in a file system of the program's own (tier A).
pub const INSIDE: &str = "/tmp";

/// A program's working directory. In a file system of its own it is there already; otherwise it is a folder that is gone with
/// this value.
pub struct Scratch {
    path: PathBuf,
    ours: bool,
}

impl Scratch {
    /// Makes it, with what is to be found in it.
    pub fn new(confinement: &Confinement) -> io::Result<Scratch> {
        if confinement.tier == Tier::A {
            return Ok(Scratch { path: INSIDE.into(), ours: false });
        }
        let name = format!("arbitro-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let scratch = Scratch { path: std::env::temp_dir().join(name), ours: true };
        fs::DirBuilder::new().mode(0o700).create(&scratch.path)?;
        let visible = &confinement.visible_files;
        let own = visible.own_place(confinement.tier).unwrap_or(Path::new("/"));
        furnish(&scratch.path, visible, own, visible.own_names())?;
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
            let _ = remove(&self.path);
        }
    }
}

/// Puts into a working directory what the program finds there: files of ours, and links to what is called so in its `own` folder.
pub fn furnish(
    scratch: &Path,
    visible: &VisibleFiles,
    own: &Path,
    own_names: Vec<OsString>,
) -> io::Result<()> {
    for (name, text) in &visible.files {
        fs::write(scratch.join(name), text)?;
    }
    for name in own_names {
        match symlink(own.join(&name), scratch.join(&name)) {
            // The name may be taken: by one of our own files, or by a part of the path to the program's own folder.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other?,
        }
    }
    Ok(())
}

/// Removes a folder, whatever a program has made of it. Folders in it may be closed, or so deep that no path and no stack reaches
/// them. So they are moved up one by one.
fn remove(folder: &Path) -> io::Result<()> {
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
            } else if path == folder {
                open.push(entry.path());
            } else {
                let higher = folder.join(format!("{:032x}", fastrand::u128(..)));
                // Moving a folder needs permission to write to it.
                fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o700))?;
                fs::rename(entry.path(), &higher)?;
                open.push(higher);
            }
        }
        // The first is the last to be empty.
        if path != folder {
            fs::remove_dir(path)?;
        }
    }
    fs::remove_dir(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_is_too_deep_or_too_closed_to_be_removed() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("scratch");
        fs::create_dir(&folder).unwrap();
        // Each is put around the one before, since no path leads down to the last.
        for (deeper, around) in
            (0..1200).map(|depth| (folder.join(depth.to_string()), folder.join((depth + 1).to_string())))
        {
            fs::create_dir_all(&deeper).unwrap();
            fs::write(deeper.join("file"), "").unwrap();
            fs::create_dir(&around).unwrap();
            fs::rename(&deeper, around.join("d")).unwrap();
        }
        fs::create_dir(folder.join("closed")).unwrap();
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
        std::os::unix::fs::symlink("/", folder.join("link")).unwrap();
        remove(&folder).unwrap();
        assert!(!folder.exists() && Path::new("/usr").exists());
    }
}
