//! A control group (cgroup, version 2) for a program, where the system lets this user make one: the kernel itself then stops all of
//! its processes, measures them and ends them at once, and may limit their memory and their number.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

use crate::contain::spec::Limits;

/// How many times, a millisecond apart, we try to remove a group whose processes are only just gone.
const ATTEMPTS: u32 = 200;
/// What the names of all groups of ours begin with, before the number of the process that has made them.
const PREFIX: &str = "arbitro-";

/// A group. It is gone with this value, and must be empty by then.
///
/// Its files are opened when it is made: they cannot be seen from a program's own file system (tier A).
pub struct Cgroup {
    path: PathBuf,
    /// Its folder, locked: by that everybody else knows that it is in use, also who cannot see this process.
    _lock: File,
    entrance: File,
    /// What has happened to its memory, if the kernel counts that.
    memory_events: Option<File>,
    /// Where it is ended, from Linux 5.14 on.
    ending: Option<File>,
    /// Where it is stopped and continued.
    freezer: File,
    /// Whether it stands still, among others.
    events: File,
    /// Its processor time, among others.
    times: File,
    /// How long it waited for a processor, if the kernel counts that.
    pressure: Option<File>,
}

/// What the kernel counts for the groups at some place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Controllers {
    memory: bool,
    processes: bool,
}

impl Controllers {
    /// Those that are named in the text of a `cgroup.subtree_control`.
    fn named_in(text: &str) -> Controllers {
        let has = |name: &str| text.split_whitespace().any(|word| word == name);
        Controllers { memory: has("memory"), processes: has("pids") }
    }

    fn count(self) -> usize {
        usize::from(self.memory) + usize::from(self.processes)
    }
}

impl Cgroup {
    /// A new group, with these limits as far as the kernel counts what they limit; nothing where this user may make none.
    pub fn new(limits: Option<&Limits>) -> Option<Cgroup> {
        let mut found: Vec<(PathBuf, Controllers)> =
            places().into_iter().filter_map(with_controllers).collect();
        // Where more is counted comes first.
        found.sort_by_key(|(_, controllers)| std::cmp::Reverse(controllers.count()));
        found.iter().find_map(|(place, controllers)| Cgroup::at(place, *controllers, limits).ok())
    }

    fn at(place: &Path, controllers: Controllers, limits: Option<&Limits>) -> io::Result<Cgroup> {
        let path = place.join(format!("{PREFIX}{}-{:08x}", std::process::id(), fastrand::u32(..)));
        fs::create_dir(&path)?;
        Cgroup::furnish(&path, controllers, limits).inspect_err(|_| drop(fs::remove_dir(&path)))
    }

    fn furnish(path: &Path, controllers: Controllers, limits: Option<&Limits>) -> io::Result<Cgroup> {
        let lock = File::open(path)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        let mut memory_events = None;
        if let Some(limits) = limits.filter(|_| controllers.memory) {
            fs::write(path.join("memory.max"), limits.memory.0.to_string())?;
            // Not on every kernel.
            let _ = fs::write(path.join("memory.swap.max"), "0");
            fs::write(path.join("memory.oom.group"), "1")?;
            memory_events = Some(File::open(path.join("memory.events"))?);
        }
        if let Some(limits) = limits.filter(|_| controllers.processes) {
            fs::write(path.join("pids.max"), limits.processes.to_string())?;
        }
        let to_write = |name| File::options().write(true).open(path.join(name));
        let to_read = |name| File::open(path.join(name));
        Ok(Cgroup {
            path: path.to_owned(),
            _lock: lock,
            entrance: to_write("cgroup.procs")?,
            memory_events,
            ending: to_write("cgroup.kill").ok(),
            freezer: to_write("cgroup.freeze")?,
            events: to_read("cgroup.events")?,
            times: to_read("cpu.stat")?,
            // What the kernel does not count, it refuses to tell.
            pressure: to_read("cpu.pressure").ok().filter(|file| number_after(file, FULL).is_some()),
        })
    }

    /// The file by which a process enters, when it writes a zero to it.
    pub fn entrance(&self) -> BorrowedFd<'_> {
        self.entrance.as_fd()
    }

    /// Whether the kernel has ended something in it because memory ran out.
    pub fn ran_out_of_memory(&self) -> bool {
        let killed = |events| number_after(events, "\noom_kill ");
        self.memory_events.as_ref().and_then(killed).is_some_and(|count| count > 0)
    }

    /// Stops everything in it, or lets it go on.
    pub fn freeze(&self, frozen: bool) -> io::Result<()> {
        (&self.freezer).write_all(if frozen { b"1" } else { b"0" })
    }

    /// Whether everything in it stands still.
    pub fn is_frozen(&self) -> bool {
        number_after(&self.events, "frozen ") == Some(1)
    }

    /// The processor time of all that is or was in it.
    pub fn cpu_time(&self) -> Option<Duration> {
        number_after(&self.times, "usage_usec ").map(Duration::from_micros)
    }

    /// Whether the kernel counts how long it waits.
    pub fn counts_waiting(&self) -> bool {
        self.pressure.is_some()
    }

    /// The time in which something in it was ready to run and nothing ran, if the kernel counts that.
    pub fn waiting(&self) -> Option<Duration> {
        number_after(self.pressure.as_ref()?, FULL).map(Duration::from_micros)
    }

    /// Kills everything in it, at once.
    pub fn kill(&self) {
        // Ignore failure: what is left is killed one by one, as where there is no group.
        let _ = self.ending.as_ref().map(|mut ending| ending.write_all(b"1"));
    }
}

/// Where `cpu.pressure` has the time in which nothing of a group ran: at the end of its second line.
const FULL: &str = "full avg10=";

/// The number behind some words in a file of a group: directly, or as the line's `total=`.
fn number_after(file: &File, words: &str) -> Option<u64> {
    let mut text = [0; 1024];
    let length = file.read_at(&mut text, 0).ok()?;
    number_in(&String::from_utf8_lossy(&text[..length]), words)
}

fn number_in(text: &str, words: &str) -> Option<u64> {
    let line = text[text.find(words)? + words.len()..].lines().next()?;
    line.rsplit_once("total=").map_or(line, |(_, total)| total).trim().parse().ok()
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

/// Removes groups that keepers left behind because they were killed; what is still in use cannot be removed.
pub fn remove_stale() {
    for place in places() {
        for entry in fs::read_dir(place).into_iter().flatten().flatten() {
            let maker = entry.file_name().to_str().and_then(maker_of);
            let is_gone = |pid: u32| !Path::new("/proc").join(pid.to_string()).exists();
            // Its maker may be in another container, where processes have numbers of their own.
            if maker.is_some_and(is_gone) && !is_locked(&entry.path()) {
                let _ = fs::remove_dir(entry.path());
            }
        }
    }
}

/// Whether somebody uses the group in this folder.
fn is_locked(folder: &Path) -> bool {
    File::open(folder).is_ok_and(|folder| flock(&folder, FlockOperation::NonBlockingLockExclusive).is_err())
}

/// The number of the process that has made a group of ours, by the group's name.
fn maker_of(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok()
}

/// A place together with what is counted there.
fn with_controllers(place: PathBuf) -> Option<(PathBuf, Controllers)> {
    let text = fs::read_to_string(place.join("cgroup.subtree_control")).ok()?;
    Some((place, Controllers::named_in(&text)))
}

/// Where groups might be made.
fn places() -> Vec<PathBuf> {
    let text = |path: &str| fs::read(path).unwrap_or_default();
    places_in(&text("/proc/self/mountinfo"), &text("/proc/self/cgroup"))
}

/// Where groups might be made: beside the one that this process is in, or in it, wherever the hierarchy is mounted. The texts are those
/// of `/proc/self/mountinfo` and `/proc/self/cgroup`.
fn places_in(mounts: &[u8], own: &[u8]) -> Vec<PathBuf> {
    let Some(own) = lines(own).find_map(|line| line.strip_prefix(b"0::")) else { return Vec::new() };
    let own = PathBuf::from(OsString::from_vec(own.to_vec()));
    let places = |(mount, root): (PathBuf, PathBuf)| {
        // In a container a part of the hierarchy may be mounted, and this process may be in another one.
        let own = mount.join(own.strip_prefix(&root).ok()?);
        let beside = own.parent().filter(|parent| parent.starts_with(&mount)).map(Path::to_owned);
        Some(beside.into_iter().chain([own]))
    };
    lines(mounts).filter_map(version_2).filter_map(places).flatten().collect()
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n')
}

/// Where a hierarchy of version 2 is mounted, and which part of it, if a line of `mountinfo` is about one.
fn version_2(line: &[u8]) -> Option<(PathBuf, PathBuf)> {
    let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    let kind = words.iter().skip_while(|&&word| word != b"-").nth(1)?;
    let path = |at: usize| words.get(at).map(|word| unescaped(word));
    if *kind == b"cgroup2" { Some((path(4)?, path(3)?)) } else { None }
}

/// A path as it is, from how `mountinfo` writes it: blanks and the like as a backslash and three octal digits.
fn unescaped(word: &[u8]) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = word;
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|_| byte == b'\\') {
            Some(escaped) => {
                bytes.push(escaped);
                rest = &after[3..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `/proc/self/mountinfo` has of a hierarchy of version 2.
    fn mounted(root: &str, place: &str) -> String {
        format!(
            "24 1 0:5 / /proc rw shared:9 - proc proc rw\n30 24 0:26 {root} {place} rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
        )
    }

    fn found(mounts: &str, own: &str) -> Vec<String> {
        let places = places_in(mounts.as_bytes(), own.as_bytes());
        places.iter().map(|place| place.display().to_string().trim_end_matches('/').to_owned()).collect()
    }

    #[test]
    fn groups_are_made_beside_the_own_one_or_in_it_and_nowhere_above() {
        let usual = mounted("/", "/sys/fs/cgroup");
        let own = "1:cpu:/x\n0::/user.slice/term.scope\n";
        assert_eq!(found(&usual, own), ["/sys/fs/cgroup/user.slice", "/sys/fs/cgroup/user.slice/term.scope"]);
        assert_eq!(found(&usual, "0::/\n"), ["/sys/fs/cgroup"]);
        assert_eq!(found(&usual, "4:memory:/x\n"), [] as [&str; 0]);
        assert_eq!(
            found("24 1 0:5 / /sys/fs/cgroup rw - cgroup cgroup rw,memory\n", "0::/\n"),
            [] as [&str; 0]
        );
    }

    #[test]
    fn the_hierarchy_is_found_wherever_it_is_mounted() {
        let hybrid = mounted("/", "/sys/fs/cgroup/unified");
        assert_eq!(found(&hybrid, "0::/a\n"), ["/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified/a"]);
        assert_eq!(found(&mounted("/", "/my\\040groups"), "0::/\n"), ["/my groups"]);
        // Of a container: the part that it sees, and one that it is not in.
        let part = mounted("/docker/77", "/sys/fs/cgroup");
        assert_eq!(found(&part, "0::/docker/77/x\n"), ["/sys/fs/cgroup", "/sys/fs/cgroup/x"]);
        assert_eq!(found(&part, "0::/docker/78\n"), [] as [&str; 0]);
        assert_eq!(found(&mounted("/../..", "/sys/fs/cgroup"), "0::/\n"), [] as [&str; 0]);
    }

    fn as_the_kernel_fills_it(folder: &Path) {
        for name in ["cgroup.procs", "cgroup.freeze", "cgroup.events", "cpu.stat"] {
            fs::write(folder.join(name), "").unwrap();
        }
    }

    #[test]
    fn only_what_the_kernel_counts_is_limited() {
        let folder = tempfile::tempdir().unwrap();
        as_the_kernel_fills_it(folder.path());
        let controllers = Controllers { memory: false, processes: true };
        let group = Cgroup::furnish(folder.path(), controllers, Some(&Limits::default())).unwrap();
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        assert_eq!((text("pids.max").as_deref(), text("memory.max")), (Some("256"), None));
        assert!(!group.ran_out_of_memory());
        assert_eq!((group.waiting(), group.is_frozen()), (None, false));
    }

    /// Once, jobs in containers of one machine took each other's groups for left behind: processes had numbers of their own in each.
    #[test]
    fn a_group_that_is_in_use_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        as_the_kernel_fills_it(folder.path());
        let controllers = Controllers { memory: false, processes: false };
        let group = Cgroup::furnish(folder.path(), controllers, None).unwrap();
        assert!(is_locked(folder.path()));
        drop(group);
        assert!(!is_locked(folder.path()));
    }

    #[test]
    fn numbers_are_found_by_the_words_before_them() {
        assert_eq!(number_in("populated 1\nfrozen 1\n", "frozen "), Some(1));
        assert_eq!(number_in("usage_usec 1151\nuser_usec 7\n", "usage_usec "), Some(1151));
        assert_eq!(number_in("low 0\noom 2\noom_kill 3\noom_group_kill 1\n", "\noom_kill "), Some(3));
        let pressure = "some avg10=0.00 avg60=0.00 avg300=0.00 total=7\nfull avg10=1.50 avg60=0.00 avg300=0.00 total=42\n";
        assert_eq!(number_in(pressure, FULL), Some(42));
        assert_eq!(number_in("", FULL), None);
    }

    #[test]
    fn each_controller_counts_by_itself_and_names_tell_who_made_a_group() {
        let named = |text: &str| (Controllers::named_in(text).memory, Controllers::named_in(text).processes);
        assert_eq!(named("cpu memory pids\n"), (true, true));
        assert_eq!(named("pids\n"), (false, true));
        assert_eq!(named("cpu hugetlb memory\n"), (true, false));
        assert_eq!(named("\n"), (false, false));
        assert_eq!(maker_of("arbitro-77-0123abcd"), Some(77));
        assert_eq!((maker_of("arbitro.scope"), maker_of("arbitro-x-1")), (None, None));
    }
}
