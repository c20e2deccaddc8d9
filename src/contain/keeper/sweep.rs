//! Finding, killing and reaping all that a program has started.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::contain::proc::{Stat, children_of, processes};
use crate::contain::usage::Usage;

/// How long we try to kill what will not die.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A process of this one's own that is not the program's; 0 if there is none. There is at most one.
pub static HELPER: AtomicI32 = AtomicI32::new(0);

/// Whether any child is left once all that have ended are reaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaped {
    /// There is no child at all.
    Nobody,
    /// Some child goes on.
    Somebody,
}

/// Reaps all children that have ended, and adds up what they used.
pub fn reap(usage: &mut Usage) -> Reaped {
    loop {
        let mut spent = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is to a structure of ours, for which zeros are a valid value.
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

/// The processes that a keeper is responsible for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All processes in the namespace whose init this process is.
    Namespace,
    /// All processes below this one, whose signals reach no other process.
    Enclosed,
    /// All processes below this one.
    Descendants,
}

impl Domain {
    /// Sends a signal to all of them.
    pub fn signal(self, signal: Signal) {
        match self {
            // The kernel does it for all of them at once: none can slip away by forking.
            Domain::Namespace | Domain::Enclosed => {
                // SAFETY: a plain system call. -1 is every other process that we can reach: those, and no more.
                unsafe { libc::kill(-1, signal.as_raw()) };
                if signal == Signal::STOP
                    && let Some(helper) = Pid::from_raw(HELPER.load(Ordering::Relaxed))
                {
                    // It may have ended by now.
                    let _ = rustix::process::kill_process(helper, Signal::CONT);
                }
            }
            Domain::Descendants => {
                let group = |pid| Stat::of(pid).and_then(|stat| Pid::from_raw(stat.group));
                signal_groups(&self.members().into_iter().filter_map(group).collect(), signal);
            }
        }
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
                Domain::Namespace | Domain::Enclosed => self.signal(Signal::KILL),
                Domain::Descendants => stop_or_kill(&mut stopped),
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// All of them, by number.
    pub fn members(self) -> Vec<i32> {
        let helper = HELPER.load(Ordering::Relaxed);
        match self {
            Domain::Namespace => {
                let own = rustix::process::getpid().as_raw_nonzero().get();
                processes().filter(|&pid| pid != own && pid != helper).collect()
            }
            Domain::Enclosed | Domain::Descendants => {
                let mut found = Vec::new();
                let mut open = vec![rustix::process::getpid().as_raw_nonzero().get()];
                while let Some(parent) = open.pop() {
                    let mut children = children_of(parent);
                    children.retain(|&pid| pid != helper);
                    open.extend(&children);
                    found.extend(children);
                }
                found
            }
        }
    }
}

/// Kills all processes below this one if all of them have been stopped, and stops them otherwise. Processes that fork without end
/// would replace the killed ones; they cannot replace stopped ones.
fn stop_or_kill(stopped: &mut HashSet<Pid>) {
    let groups = groups();
    signal_groups(&groups, if groups.is_subset(stopped) { Signal::KILL } else { Signal::STOP });
    stopped.extend(groups);
}

/// The process groups below this process. Programs begin in one of their own, and can enter none that was there before.
fn groups() -> HashSet<Pid> {
    descendants(|_| false).into_iter().map(|process| process.group).collect()
}

fn signal_groups(groups: &HashSet<Pid>, signal: Signal) {
    groups.iter().for_each(|&group| signal_group(group, signal));
}

/// Sends a signal to a process group, unless it is our own. The kernel does it at once: no process in it can slip away by forking.
pub fn signal_group(group: Pid, signal: Signal) {
    if group != rustix::process::getpgrp() {
        // It may have ended by itself since it was listed.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

/// A process somewhere below this one.
pub struct Descendant {
    /// Its number.
    pub pid: Pid,
    /// Its group.
    pub group: Pid,
}

/// Every process below this one, but for children that are exempt and what is below those.
pub fn descendants(exempt: impl Fn(i32) -> bool) -> Vec<Descendant> {
    let mut children: HashMap<i32, Vec<(i32, Descendant)>> = HashMap::new();
    for number in processes() {
        // A process that is gone by now needs no killing.
        let (Some(stat), Some(pid)) = (Stat::of(number), Pid::from_raw(number)) else { continue };
        // A process without a group is about to be gone.
        let group = Pid::from_raw(stat.group).unwrap_or(pid);
        children.entry(stat.parent).or_default().push((number, Descendant { pid, group }));
    }
    let mut found = Vec::new();
    let own = rustix::process::getpid().as_raw_nonzero().get();
    if let Some(children) = children.get_mut(&own) {
        children.retain(|(child, _)| !exempt(*child));
    }
    let mut open = vec![own];
    while let Some(parent) = open.pop() {
        for (number, process) in children.remove(&parent).unwrap_or_default() {
            open.push(number);
            found.push(process);
        }
    }
    found
}
