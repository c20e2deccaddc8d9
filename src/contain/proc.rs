//! What the kernel tells about processes in `/proc`.
//!
//! Programs choose the names of their processes, and the kernel puts those names into `/proc/PID/stat` and `/proc/PID/status` as
//! they are. They may hold blanks and brackets, and bytes that are not UTF-8. So all of it is read as bytes here. The crate
//! `procfs` reads `status` as text: a program with a name that is not UTF-8 would hide how much memory it uses.

use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt};

use super::spec::Wait;

/// All processes that can be seen, by number.
pub fn processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()))
}

/// The children of a process, as the kernel lists them for each of its threads.
pub fn children_of(pid: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read(thread.path().join("children")).ok());
    lists.flat_map(|list| words(&list).filter_map(number).collect::<Vec<_>>()).collect()
}

/// Whether all threads of a process sleep, or have ended: none runs, is about to, or waits for a disk.
pub fn is_asleep(pid: i32) -> bool {
    states_of(pid).all(|state| matches!(state, b'S' | b'T' | b't' | b'Z' | b'X'))
}

/// Whether any thread of a process runs, or is ready to.
pub fn is_runnable(pid: i32) -> bool {
    states_of(pid).any(|state| state == b'R')
}

/// Whether all threads of a process are stopped, or have ended, or are in the kernel, where they cannot be stopped.
pub fn is_stopped(pid: i32) -> bool {
    states_of(pid).all(|state| matches!(state, b'T' | b't' | b'Z' | b'X' | b'D'))
}

/// The states of the threads of a process, as letters.
fn states_of(pid: i32) -> impl Iterator<Item = u8> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let stats = threads.filter_map(|thread| fs::read(thread.path().join("stat")).ok());
    stats.filter_map(|stat| Stat::parse(&stat).map(|stat| stat.state))
}

/// What these processes wait for, by the system calls that their threads are in.
pub fn waits_for(pids: &[i32]) -> Wait {
    let threads = pids.iter().flat_map(|pid| fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten());
    let calls = threads.flatten().filter_map(|thread| fs::read(thread.path().join("syscall")).ok());
    wait_in_all(&calls.collect::<Vec<_>>())
}

/// What a program waits for whose threads are in these calls. A thread that reads its stdin says most: others often only wait for it;
/// and one that waits for a child says least. While any other thread runs, or is ready to, the program does not wait: runtimes that
/// come up have threads of their own which wait for events before the program has begun.
fn wait_in_all(calls: &[Vec<u8>]) -> Wait {
    if calls.iter().any(|call| reads_stdin(call)) {
        return Wait::Input;
    }
    // `-1`: it is in no call, and waits for a page of its own, say.
    if calls.iter().any(|call| call.starts_with(b"running") || call.starts_with(b"-1")) {
        return Wait::Unknown;
    }
    let waits: Vec<Wait> = calls.iter().map(|call| wait_in(call)).collect();
    let order = [Wait::Input, Wait::Sleep, Wait::Lock, Wait::Child];
    order.into_iter().find(|wait| waits.contains(wait)).unwrap_or_default()
}

/// Whether a thread is in a call that reads stdin, and nothing else.
fn reads_stdin(call: &[u8]) -> bool {
    let mut words = words(call);
    let is_read = matches!(words.next().and_then(number), Some(libc::SYS_read | libc::SYS_readv));
    is_read && words.next() == Some(b"0x0")
}

/// What a thread waits for whose `/proc/PID/syscall` is this: the number of the call, and its arguments in hexadecimal.
fn wait_in(call: &[u8]) -> Wait {
    if reads_stdin(call) {
        return Wait::Input;
    }
    let Some(number) = words(call).next().and_then(number::<libc::c_long>) else { return Wait::Unknown };
    match number {
        // Runtimes that wait for several things at once hardly wait for anything but their input.
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait | libc::SYS_ppoll | libc::SYS_pselect6 => Wait::Input,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll | libc::SYS_select => Wait::Input,
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => Wait::Sleep,
        libc::SYS_futex => Wait::Lock,
        libc::SYS_wait4 | libc::SYS_waitid => Wait::Child,
        _ => Wait::Unknown,
    }
}

/// How many processes and threads the user of this process has.
pub fn tasks_of_this_user() -> u64 {
    let user = rustix::process::geteuid().as_raw();
    let own = processes()
        .filter(|pid| fs::metadata(format!("/proc/{pid}")).is_ok_and(|folder| folder.uid() == user));
    own.filter_map(|pid| fs::read_dir(format!("/proc/{pid}/task")).ok())
        .map(|tasks| tasks.count() as u64)
        .sum()
}

/// Some of what `/proc/PID/stat` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Its state, as a letter.
    pub state: u8,
    /// The parent's number.
    pub parent: i32,
    /// The number of the process group.
    pub group: i32,
    /// Whether it has ended, or is about to and has given back its memory.
    pub is_ending: bool,
    /// The processor time of the children that it has waited for, in ticks of the clock.
    pub reaped_ticks: u64,
}

impl Stat {
    /// What is known of a process; nothing if it is gone.
    pub fn of(pid: i32) -> Option<Stat> {
        Stat::parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The name comes first. No field behind it holds a closing bracket.
    fn parse(stat: &[u8]) -> Option<Stat> {
        let after_name = stat.iter().rposition(|&byte| byte == b')')? + 1;
        let mut fields = words(&stat[after_name..]);
        let &[state] = fields.next()? else { return None };
        let (parent, group) = (number(fields.next()?)?, number(fields.next()?)?);
        let flags: u64 = fields.nth(3).and_then(number).unwrap_or_default();
        let is_ending = matches!(state, b'Z' | b'X') || flags & PF_EXITING != 0;
        let times = fields.skip(6).take(2).filter_map(number);
        Some(Stat { state, parent, group, is_ending, reaped_ticks: times.fold(0, u64::saturating_add) })
    }
}

/// The kernel's mark of a task that is ending.
const PF_EXITING: u64 = 4;

/// What a process holds of memory, as its page tables have it, and these themselves.
const HELD: [&str; 3] = ["RssAnon:", "RssShmem:", "VmPTE:"];

/// The memory of a process, in bytes, with its page tables; a page that it shares counts in full. Nothing is known of a process that
/// lives and cannot be measured; one that has ended holds nothing.
pub fn memory_of(pid: i32) -> Option<u64> {
    /// A process may end, or become another program, while it is looked at. It does so once, or few times.
    const ATTEMPTS: usize = 3;
    (0..ATTEMPTS).find_map(|_| match fs::read(format!("/proc/{pid}/status")) {
        Ok(status) if has_memory(&status) => Some(sum_of(&status, &HELD)),
        // Its first thread has ended. The others may go on, and have the memory.
        Ok(_) => memory_by_threads(pid),
        Err(_) => is_gone(pid).then_some(0),
    })
}

fn has_memory(status: &[u8]) -> bool {
    status.split(|&byte| byte == b'\n').any(|line| line.starts_with(HELD[0].as_bytes()))
}

/// The memory of a process as any of its threads has it; nothing is known if one goes on that tells nothing.
fn memory_by_threads(pid: i32) -> Option<u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let mut all_end = true;
    for thread in threads.map(|thread| thread.path()) {
        match fs::read(thread.join("status")) {
            Ok(status) if has_memory(&status) => return Some(sum_of(&status, &HELD)),
            Ok(_) => {
                let stat = fs::read(thread.join("stat")).ok().and_then(|stat| Stat::parse(&stat));
                all_end &= stat.is_none_or(|stat| stat.is_ending);
            }
            // It has ended since it was listed.
            Err(_) => {}
        }
    }
    all_end.then_some(0)
}

fn is_gone(pid: i32) -> bool {
    // SAFETY: a plain system call; signal 0 does nothing but ask.
    unsafe { libc::kill(pid, 0) == -1 && *libc::__errno_location() == libc::ESRCH }
}

/// Whether two processes have one memory, as far as the kernel tells.
pub fn same_memory(one: i32, other: i32) -> bool {
    const KCMP_VM: i32 = 1;
    // SAFETY: a plain question.
    unsafe { libc::syscall(libc::SYS_kcmp, one, other, KCMP_VM, 0, 0) == 0 }
}

/// The sockets of a network, which need not be this process's own any more.
pub struct Sockets(fs::File);

impl Sockets {
    /// Those of the network that this process is in now.
    pub fn of_this_network() -> Option<Sockets> {
        fs::File::open("/proc/self/net/sockstat").ok().map(Sockets)
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        let mut text = [0; 512];
        let length = self.0.read_at(&mut text, 0).unwrap_or_default();
        let used = text[..length].strip_prefix(b"sockets: used ");
        used.and_then(|rest| number(words(rest).next()?)).unwrap_or_default()
    }
}

/// The sum of some fields of a process's `status`, in bytes; nothing if it is gone.
pub fn status_sum(pid: i32, names: &[&str]) -> Option<u64> {
    Some(sum_of(&fs::read(format!("/proc/{pid}/status")).ok()?, names))
}

/// The sum of some fields of a process's `smaps_rollup`, in bytes; nothing if it is gone or does not let us look.
pub fn smaps_sum(pid: i32, names: &[&str]) -> Option<u64> {
    Some(sum_of(&fs::read(format!("/proc/{pid}/smaps_rollup")).ok()?, names))
}

/// The sum of the fields in a text of the form `Name:   123 kB`. In a process's name, line ends are escaped.
fn sum_of(text: &[u8], names: &[&str]) -> u64 {
    let kilobytes = |line: &[u8]| -> Option<u64> {
        let mut words = words(line);
        let name = words.next()?;
        names.iter().any(|wanted| wanted.as_bytes() == name).then(|| number(words.next()?)).flatten()
    };
    1024 * text.split(|&byte| byte == b'\n').filter_map(kilobytes).sum::<u64>()
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_name_with_brackets_blanks_and_strange_bytes_hides_nothing() {
        let expected = Some(Stat { state: b'S', parent: 77, group: 12, is_ending: false, reaped_ticks: 9 });
        assert_eq!(Stat::parse(b"12 (a) R 1 (b) S 77 12 3 4 5 0 7 8 9 10 11 12 4 5 20"), expected);
        assert_eq!(Stat::parse(b"12 (\xff\n) S 77 12 3 4 5 64 7 8 9 10 11 12 4 5 20"), expected);
        let ended = Stat { state: b'Z', parent: 5, group: 12, is_ending: true, reaped_ticks: 0 };
        assert_eq!(Stat::parse(b"12 (sh) Z 5 12"), Some(ended));
        let ending = Stat { state: b'R', parent: 5, group: 12, is_ending: true, reaped_ticks: 3 };
        assert_eq!(Stat::parse(b"12 (sh) R 5 12 3 4 5 4 7 8 9 10 11 12 1 2"), Some(ending));
        assert_eq!(Stat::parse(b""), None);
    }

    #[test]
    fn a_call_tells_what_a_thread_waits_for() {
        let call =
            |number: libc::c_long, first: &str| wait_in(format!("{number} {first} 0x7f 0x1").as_bytes());
        assert_eq!(call(libc::SYS_read, "0x0"), Wait::Input);
        assert_eq!(call(libc::SYS_read, "0x5"), Wait::Unknown);
        assert_eq!(call(libc::SYS_clock_nanosleep, "0x0"), Wait::Sleep);
        assert_eq!(call(libc::SYS_futex, "0x7f00"), Wait::Lock);
        assert_eq!([wait_in(b"running\n"), wait_in(b""), wait_in(b"-1 0x0")], [Wait::Unknown; 3]);
    }

    #[test]
    fn a_runtimes_own_thread_that_waits_for_events_hides_no_other_that_runs() {
        let call = |number: libc::c_long, first: &str| format!("{number} {first} 0x7f").into_bytes();
        let (running, events) = (b"running\n".to_vec(), call(libc::SYS_epoll_wait, "0x9"));
        let (reads, lock) = (call(libc::SYS_read, "0x0"), call(libc::SYS_futex, "0x7f00"));
        for (calls, wait) in [
            (vec![running.clone(), events.clone(), lock.clone()], Wait::Unknown),
            (vec![events, lock.clone()], Wait::Input),
            (vec![running.clone(), lock], Wait::Unknown),
            (vec![running, reads], Wait::Input),
        ] {
            assert_eq!(wait_in_all(&calls), wait);
        }
    }

    #[test]
    fn fields_are_added_up_by_their_names() {
        let text =
            b"Name:\t\xff x\nVmRSS:\t 900 kB\nRssAnon:\t 100 kB\nRssFile:\t 700 kB\nRssShmem:\t 50 kB\n";
        assert_eq!(sum_of(text, &["RssAnon:", "RssShmem:"]), 150 * 1024);
        assert_eq!(sum_of(b"Name:\tRssAnon: 7\n", &["RssAnon:"]), 0);
    }

    /// Such a process was once taken for one that uses no memory.
    #[test]
    fn a_process_whose_name_is_not_utf_8_is_seen_like_any_other() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(OsStr::from_bytes(b"\xff) \xfe"));
        std::os::unix::fs::symlink("/bin/sh", &program).unwrap();
        let mut command = Command::new(&program);
        let mut child = command.arg0("sh").args(["-c", "read line"]).stdin(Stdio::piped()).spawn().unwrap();
        let pid = child.id() as i32;
        let (stat, memory) = (Stat::of(pid), memory_of(pid));
        let listed = children_of(std::process::id() as i32).contains(&pid);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(stat.map(|stat| stat.parent), Some(std::process::id() as i32));
        assert!(memory.is_some_and(|bytes| bytes > 0) && listed);
    }
}
