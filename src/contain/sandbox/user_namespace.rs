//! Tier A's user namespace: who a program is, inside and outside.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, WaitOptions, waitpid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

use crate::contain::account;

/// The user that a program is inside if root runs it: nobody, so that it has none of root's privileges.
const NOBODY: u32 = 65534;

/// Who a program is, by the numbers that hold inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its user.
    pub user: u32,
    /// Its group.
    pub group: u32,
    /// Whether its account is not that of the processes that keep it, so that it has to change to it.
    pub is_of_its_own: bool,
    /// Whether its account is root's outside, for which the kernel makes exceptions.
    pub is_root_outside: bool,
}

impl Identity {
    /// Does something as this user, as far as files are concerned: what is made belongs to it.
    pub fn act_as<T>(self, act: impl FnOnce() -> T) -> T {
        if !self.is_of_its_own {
            return act();
        }
        set_file_owner(self.user, self.group);
        let done = act();
        set_file_owner(0, 0);
        done
    }
}

fn set_file_owner(user: u32, group: u32) {
    // SAFETY: plain system calls, which cannot fail for numbers that the namespace has.
    unsafe {
        libc::setfsgid(group);
        libc::setfsuid(user);
    }
}

/// Gives this process, and all that it starts, a user namespace, a mount namespace, and a namespace for System V IPC and message
/// queues. The last may be the same for all programs, since the filter of system calls lets none of them make anything in it.
pub fn unshare_with_mounts() -> io::Result<Identity> {
    let outside = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    match account::of_keeper(std::process::id()) {
        Some(account) => unshare_with_account(account),
        None => unshare_with_own(outside),
    }
}

fn unshare() -> io::Result<()> {
    // SAFETY: this process has one thread and shares nothing with another.
    unsafe { unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNS | UnshareFlags::NEWIPC)? };
    Ok(())
}

/// Programs have the account of this process.
fn unshare_with_own((user, group): (u32, u32)) -> io::Result<Identity> {
    unshare()?;
    let inside = |id: u32| if id == 0 { NOBODY } else { id };
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{} {user} 1", inside(user)))?;
    fs::write("/proc/self/gid_map", format!("{} {group} 1", inside(group)))?;
    Ok(Identity {
        user: inside(user),
        group: inside(group),
        is_of_its_own: false,
        is_root_outside: user == 0,
    })
}

/// Programs have another account than this process, which stays root and can still reach all of root's files.
fn unshare_with_account(account: u32) -> io::Result<Identity> {
    let writer = MapWriter::fork(&format!("0 0 1\n{NOBODY} {account} 1\n"))?;
    let unshared = unshare();
    // Even if there is nothing to write: it is waited for.
    let written = writer.write();
    unshared.and(written)?;
    Ok(Identity { user: NOBODY, group: NOBODY, is_of_its_own: true, is_root_outside: false })
}

/// A process that stays outside: only from there more than one account can be brought into a namespace.
struct MapWriter {
    process: Pid,
    /// Closing it lets the process begin.
    begin: OwnedFd,
}

impl MapWriter {
    /// Starts it. It writes the same map for users and for groups.
    fn fork(map: &str) -> io::Result<MapWriter> {
        let (waiting, begin) = pipe_with(PipeFlags::CLOEXEC)?;
        let parent = rustix::process::getpid().as_raw_nonzero();
        // SAFETY: this process has one thread, so that the copy may go on with everything.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            drop(begin);
            // Nothing comes but the end.
            let _ = rustix::io::read(&waiting, &mut [0]);
            let written = ["uid_map", "gid_map"]
                .iter()
                .try_for_each(|name| fs::write(format!("/proc/{parent}/{name}"), map));
            let code = written.map_or_else(|error| error.raw_os_error().unwrap_or(libc::EIO), |()| 0);
            // SAFETY: ends the copy without running what the original has yet to run.
            unsafe { libc::_exit(code) }
        }
        match Pid::from_raw(pid.max(0)) {
            Some(process) => Ok(MapWriter { process, begin }),
            None => Err(io::Error::last_os_error()),
        }
    }

    /// Has it write, and waits for it.
    fn write(self) -> io::Result<()> {
        drop(self.begin);
        let status = rustix::io::retry_on_intr(|| waitpid(Some(self.process), WaitOptions::empty()))?;
        match status.and_then(|(_, status)| status.exit_status()) {
            Some(0) => Ok(()),
            Some(code) => Err(io::Error::from_raw_os_error(code)),
            None => Err(io::Error::other("the process that gives out accounts was killed")),
        }
    }
}
