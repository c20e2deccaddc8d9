//! Replacing a file so that it is whole at any moment.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What must survive a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// It is on the disk before this returns, and so is its name.
    Synced,
    /// It can be made again from what is.
    Rebuildable,
}

/// How the names of files begin that are being written. A run that is killed may leave one.
pub const UNFINISHED: &str = ".arbitro-new-";

/// Writes a file beside its place and then renames it: readers see the old one or the new one, never half of it.
pub fn replace_file(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // With the permissions of any new file, and with errors that do not name it.
    let fresh = tempfile::Builder::new().prefix(UNFINISHED).make_in(folder, |path| File::create_new(path))?;
    let mut writer = BufWriter::new(fresh.as_file());
    write(&mut writer)?;
    writer.flush()?;
    drop(writer);
    if durability == Durability::Synced {
        fresh.as_file().sync_all()?;
    }
    fresh.persist(path).map_err(|error| error.error)?;
    if durability == Durability::Synced {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        for durability in [Durability::Synced, Durability::Rebuildable] {
            replace_file(&path, durability, |file| file.write_all(b"old")).unwrap();
            let failed = replace_file(&path, durability, |file| {
                file.write_all(b"new")?;
                Err(io::ErrorKind::StorageFull.into())
            });
            assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }
}
