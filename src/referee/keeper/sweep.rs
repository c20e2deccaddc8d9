//! Finding, killing and reaping all that a program has started.

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::Usage;

/// How long it is tried to kill what will not die.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Who is left once all that have ended are reaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaped {
    /// There is no child at all.
    Nobody,
    /// Somebody goes on.
    Somebody,
}

/// Reaps all children that have ended, and adds up what they used.
pub fn reap(usage: &mut Usage) -> Reaped {
    loop {
        let mut spent = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is to a structure of ours, of which zeros are a value too.
        let (pid, spent) = unsafe {
            let pid = libc::wait4(-1, std::ptr::null_mut(), libc::WNOHANG, spent.as_mut_ptr());
            (pid, spent.assume_init())
        };
        match pid {
            0 => return Reaped::Somebody,
            1.. => usage.add(&spent),
            _ if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            _ => return Reaped::Nobody,
        }
    }
}

/// Whom a keeper is responsible for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Everybody in the namespace whose first process this is.
    Namespace,
    /// Everybody below this process, whose signals reach nobody else.
    Enclosed,
    /// Everybody below this process.
    Descendants,
}

impl Domain {
    /// Sends a signal to everybody.
    pub fn signal(self, signal: Signal) -> io::Result<()> {
        match self {
            // The kernel does it for all of them at once: nobody can slip away by forking.
            Domain::Namespace | Domain::Enclosed => {
                // SAFETY: a plain system call. -1 is everybody else who can be reached, and that is nobody but them.
                unsafe { libc::kill(-1, signal.as_raw()) };
            }
            Domain::Descendants => {
                for pid in descendants(|_| false)? {
                    // It may have ended by itself since it was listed.
                    let _ = rustix::process::kill_process(pid, signal);
                }
            }
        }
        Ok(())
    }

    /// Kills and reaps until nothing is left. Whatever a program has started, its orphans are this process's children, so that
    /// having no child at all means that everything is gone.
    pub fn sweep(self, usage: &mut Usage) -> io::Result<()> {
        let give_up = Instant::now() + PATIENCE;
        let mut stopped = HashSet::new();
        loop {
            if reap(usage) == Reaped::Nobody {
                return Ok(());
            }
            if Instant::now() > give_up {
                return Err(io::Error::other("some process will not die"));
            }
            match self {
                Domain::Namespace | Domain::Enclosed => self.signal(Signal::KILL)?,
                Domain::Descendants => stop_or_kill(&mut stopped)?,
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Everybody, by number.
    pub fn members(self) -> Vec<i32> {
        match self {
            Domain::Namespace => {
                let own = rustix::process::getpid().as_raw_nonzero().get();
                processes().filter(|&pid| pid != own).collect()
            }
            Domain::Enclosed | Domain::Descendants => {
                let mut found = Vec::new();
                let mut open = vec![rustix::process::getpid().as_raw_nonzero().get()];
                while let Some(parent) = open.pop() {
                    let children = children_of(parent);
                    open.extend(&children);
                    found.extend(children);
                }
                found
            }
        }
    }
}

/// Kills everybody below this process, if all of them have been stopped; stops them otherwise. Those who fork without end would
/// take the places of the killed, and cannot take those of the stopped.
fn stop_or_kill(stopped: &mut HashSet<Pid>) -> io::Result<()> {
    let everybody = descendants(|_| false)?;
    let all_stopped = everybody.iter().all(|pid| stopped.contains(pid));
    for &pid in &everybody {
        // It may have ended by itself since it was listed.
        let _ = rustix::process::kill_process(pid, if all_stopped { Signal::KILL } else { Signal::STOP });
    }
    stopped.extend(everybody);
    Ok(())
}

/// The children of a process, as the kernel lists them for each of its threads.
pub fn children_of(pid: i32) -> Vec<i32> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

fn processes() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()))
}

/// How many processes and threads the user of this process has.
pub fn tasks_of_this_user() -> u64 {
    let user = rustix::process::geteuid().as_raw();
    let own = processes()
        .filter(|pid| std::fs::metadata(format!("/proc/{pid}")).is_ok_and(|folder| folder.uid() == user));
    own.filter_map(|pid| std::fs::read_dir(format!("/proc/{pid}/task")).ok())
        .map(|tasks| tasks.count() as u64)
        .sum()
}

/// Every process below this one, but for children that are exempt and what is below those.
pub fn descendants(exempt: impl Fn(i32) -> bool) -> io::Result<Vec<Pid>> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for pid in processes() {
        // A process that is gone by now needs no killing.
        let Ok(stat) = std::fs::read(format!("/proc/{pid}/stat")) else { continue };
        if let Some(parent) = parent_in(&stat) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let own = rustix::process::getpid().as_raw_nonzero().get();
    if let Some(children) = children.get_mut(&own) {
        children.retain(|&child| !exempt(child));
    }
    let mut open = vec![own];
    while let Some(parent) = open.pop() {
        for pid in children.remove(&parent).unwrap_or_default() {
            open.push(pid);
            found.extend(Pid::from_raw(pid));
        }
    }
    Ok(found)
}

/// The parent in the text of `/proc/PID/stat`. The name in front of it may hold anything, blanks and brackets included,
/// but only the name holds closing brackets.
fn parent_in(stat: &[u8]) -> Option<i32> {
    let after_name = stat.iter().rposition(|&byte| byte == b')')? + 1;
    std::str::from_utf8(&stat[after_name..]).ok()?.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_does_not_hide_the_parent() {
        assert_eq!(parent_in(b"12 (a) R 1 (b) S 77 12 12 0"), Some(77));
        assert_eq!(parent_in(b"12 (sh) Z 5 12"), Some(5));
        assert_eq!(parent_in(b""), None);
    }
}
