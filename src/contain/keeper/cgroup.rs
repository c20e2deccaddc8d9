//! A control group (cgroup, version 2) for a program, where the system lets this user make one: the kernel itself then counts its
//! memory and its processes, all of them together, and ends them at once.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::contain::spec::Limits;

/// Where control groups of the second version are, and all of them in one place.
const ALL: &str = "/sys/fs/cgroup";
/// How many times, a millisecond apart, we try to remove a group whose processes are only just gone.
const ATTEMPTS: u32 = 200;

/// A group. It is gone with this value, and must be empty by then.
///
/// Its files are opened when it is made: they cannot be seen from a program's own file system (tier A).
pub struct Cgroup {
    path: PathBuf,
    entrance: File,
    events: File,
    ending: File,
}

/// Whether there are groups of the second version at all.
pub fn exist() -> bool {
    Path::new(ALL).join("cgroup.controllers").exists()
}

impl Cgroup {
    /// A new group with these limits; nothing where this user may make none that the kernel counts memory for.
    pub fn new(limits: &Limits) -> Option<Cgroup> {
        places(&fs::read_to_string("/proc/self/cgroup").ok()?)
            .iter()
            .find_map(|place| Cgroup::at(place, limits).ok())
    }

    fn at(place: &Path, limits: &Limits) -> io::Result<Cgroup> {
        let counted = fs::read_to_string(place.join("cgroup.subtree_control"))?;
        if !["memory", "pids"].iter().all(|wanted| counted.split_whitespace().any(|found| found == *wanted)) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let path = place.join(format!("arbitro-{}-{:08x}", std::process::id(), fastrand::u32(..)));
        fs::create_dir(&path)?;
        Cgroup::furnish(&path, limits).inspect_err(|_| drop(fs::remove_dir(&path)))
    }

    fn furnish(path: &Path, limits: &Limits) -> io::Result<Cgroup> {
        fs::write(path.join("memory.max"), limits.memory.0.to_string())?;
        // Not on every kernel.
        let _ = fs::write(path.join("memory.swap.max"), "0");
        fs::write(path.join("memory.oom.group"), "1")?;
        fs::write(path.join("pids.max"), limits.processes.to_string())?;
        let to_write = |name| File::options().write(true).open(path.join(name));
        Ok(Cgroup {
            path: path.to_owned(),
            entrance: to_write("cgroup.procs")?,
            events: File::open(path.join("memory.events"))?,
            ending: to_write("cgroup.kill")?,
        })
    }

    /// The file by which a process enters, when it writes a zero to it.
    pub fn entrance(&self) -> BorrowedFd<'_> {
        self.entrance.as_fd()
    }

    /// Whether the kernel has ended something in it because memory ran out.
    pub fn ran_out_of_memory(&self) -> bool {
        let mut text = [0; 512];
        let length = self.events.read_at(&mut text, 0).unwrap_or_default();
        let text = String::from_utf8_lossy(&text[..length]);
        text.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count != "0"))
    }

    /// Kills everything in it, at once.
    pub fn kill(&self) {
        // Ignore failure: what is left is killed one by one, as where there is no group.
        let _ = (&self.ending).write_all(b"1");
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // The kernel takes a moment to see that reaped processes have left.
        for _ in 0..ATTEMPTS {
            match fs::remove_dir(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => return,
            }
        }
    }
}

/// Where groups might be made: beside the one that this process is in, or in it. `own` is the text of `/proc/self/cgroup`.
fn places(own: &str) -> Vec<PathBuf> {
    let Some(own) = own.lines().find_map(|line| line.strip_prefix("0::/")) else { return Vec::new() };
    let own = Path::new(ALL).join(own);
    let beside = own.parent().filter(|parent| parent.starts_with(ALL)).map(Path::to_owned);
    beside.into_iter().chain([own]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_made_beside_the_own_one_or_in_it_and_nowhere_above() {
        let all = Path::new(ALL);
        assert_eq!(
            places("1:cpu:/x\n0::/user.slice/term.scope\n"),
            [all.join("user.slice"), all.join("user.slice/term.scope")]
        );
        assert_eq!(places("0::/\n"), [all]);
        assert_eq!(places("4:memory:/x\n"), [] as [&Path; 0]);
    }
}
