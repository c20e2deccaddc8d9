//! Running the tests of this process once more as an ordinary user, in a place that is open to all.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{READY, program};

const NOBODY: u32 = 65534;

/// A command that runs these tests as somebody else than root, but for some. It needs the folder as long as it runs.
pub fn tests_as_nobody(programs: &[PathBuf], skipped: &[&str]) -> (Command, tempfile::TempDir) {
    let folder = tempfile::Builder::new().permissions(Permissions::from_mode(0o755)).tempdir().unwrap();
    let ready = |name: &str| folder.path().join(name);
    for path in programs {
        fs::copy(path, ready(path.file_name().unwrap().to_str().unwrap())).unwrap();
    }
    fs::copy(program(), ready("arbitro")).unwrap();
    fs::copy(std::env::current_exe().unwrap(), ready("tests")).unwrap();
    fs::create_dir(ready("tmp")).unwrap();
    chown(ready("tmp"), Some(NOBODY), Some(NOBODY)).unwrap();
    // Not what root has for itself in its home directory.
    let path = std::env::var("PATH").unwrap_or_default();
    let path: Vec<&str> = path.split(':').filter(|folder| is_open_to_all(Path::new(folder))).collect();
    let mut tests = Command::new(ready("tests"));
    tests
        .args(skipped.iter().flat_map(|name| ["--skip", name]))
        // One after the other: what is counted for an account is counted for all of them.
        .args(["--test-threads", "1"])
        .env(READY, folder.path())
        .env("TMPDIR", ready("tmp"))
        // With arbitro in it, as it is for whoever installs it with cargo.
        .env("HOME", folder.path())
        .env("PATH", path.join(":"))
        .current_dir(ready("tmp"))
        .uid(NOBODY)
        .gid(NOBODY)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    (tests, folder)
}

/// Whether everybody can reach a folder.
fn is_open_to_all(folder: &Path) -> bool {
    let open = |folder: &Path| folder.metadata().is_ok_and(|data| data.permissions().mode() & 0o005 == 0o005);
    folder.ancestors().all(open)
}
