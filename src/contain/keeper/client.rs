//! The referee's end: starting a keeper, asking it, and clearing up behind one that was killed.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, socketpair};
use rustix::process::{Gid, Pid, Signal, Uid, WaitOptions};
use wait_timeout::ChildExt;

use super::messages::{MESSAGE_LIMIT, Report, Request, SUBCOMMAND, send, send_with};
use super::sweep::{self, Descendant, descendants};
use crate::contain::account;
use crate::contain::launch::Launch;

/// A keeper process. Dropping it ends all that it keeps.
pub struct Keeper {
    process: Child,
    socket: OwnedFd,
    buffer: Vec<u8>,
    /// The account of its programs of tier A, where they have one of their own.
    account: Option<u32>,
}

/// The keepers of this process. Any other child that it has is an orphan, left by a keeper that was killed.
static KEEPERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn keepers() -> MutexGuard<'static, Vec<u32>> {
    KEEPERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Keeper {
    /// Starts a keeper, which inherits the core that this thread is pinned to.
    pub fn spawn() -> io::Result<Keeper> {
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        // Held until the keeper is in the list: it must not be taken for an orphan meanwhile.
        let mut keepers = keepers();
        // What a killed keeper leaves behind comes to this process, and not to the machine's first.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let process = Command::new(std::env::current_exe()?)
            .arg(SUBCOMMAND)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .spawn()?;
        keepers.push(process.id());
        let account = account::of_keeper(process.id());
        Ok(Keeper { process, socket: ours, buffer: vec![0; MESSAGE_LIMIT], account })
    }

    /// Gives its programs of tier A what has been made for them, a pipe or a terminal, so that they can open it again by its name,
    /// as `/dev/stdout`.
    pub fn give(&self, file: impl AsFd) -> io::Result<()> {
        let Some(account) = self.account else { return Ok(()) };
        rustix::fs::fchown(file, Some(Uid::from_raw(account)), Some(Gid::from_raw(account)))?;
        Ok(())
    }

    /// Asks for a program to be started. There is no answer but a report when it has ended, or could not begin.
    /// `startup_cpu` is the processor time after which the program counts as having come up.
    pub fn start(&self, launch: Launch, startup_cpu: Duration, stdio: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        send_with(self.socket.as_fd(), &Request::Start { launch, startup_cpu }, stdio)
    }

    /// Asks for everything that is left to be killed; the answer is the report [`Report::Swept`].
    pub fn sweep(&self) -> io::Result<()> {
        send(self.socket.as_fd(), &Request::Sweep)
    }

    /// Asks for all of the program to stand still. There is no answer.
    pub fn stop(&self) -> io::Result<()> {
        send(self.socket.as_fd(), &Request::Stop)
    }

    /// Asks for all of the program to go on; the answer is the report [`Report::Continued`].
    pub fn go_on(&self) -> io::Result<()> {
        send(self.socket.as_fd(), &Request::Continue)
    }

    /// Asks for the program to be measured from now on. There is no answer.
    pub fn mark(&self) -> io::Result<()> {
        send(self.socket.as_fd(), &Request::Mark)
    }

    /// Asks what the program has done; the answer is the report [`Report::Measured`].
    pub fn measure(&self) -> io::Result<()> {
        send(self.socket.as_fd(), &Request::Measure)
    }

    /// Asks what the program waits for; the answer is the report [`Report::Seen`].
    pub fn look(&self) -> io::Result<()> {
        send(self.socket.as_fd(), &Request::Look)
    }

    /// The next report; waits for it, though not for ever: a keeper may have been stopped.
    pub fn report(&mut self, patience: Duration) -> io::Result<Report> {
        let mut waiting = [PollFd::new(&self.socket, PollFlags::IN)];
        let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
        let ready = rustix::io::retry_on_intr(|| poll(&mut waiting, Some(&timeout)))?;
        if ready == 0 {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the process that watches a bot does not answer",
            ));
        }
        match rustix::net::recv(&self.socket, &mut self.buffer[..], RecvFlags::empty())? {
            (0, _) => Err(io::Error::other("the process that watches a bot was killed")),
            (length, _) => Ok(serde_json::from_slice(&self.buffer[..length])?),
        }
    }
}

impl AsFd for Keeper {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The end of its input tells the keeper to clean up and leave. It may have to be woken for that; one that does not
        // leave is beyond asking.
        let _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
        let _ = rustix::process::kill_process(Pid::from_child(&self.process), Signal::CONT);
        let left = matches!(self.process.wait_timeout(Duration::from_secs(15)), Ok(Some(status)) if status.success());
        if !left {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
        let mut keepers = keepers();
        keepers.retain(|&pid| pid != self.process.id());
        if !left {
            sweep_orphans(&keepers);
        }
    }
}

/// Kills and reaps children of this process that are not its keepers, and all that is below them.
fn sweep_orphans(keepers: &[u32]) {
    let give_up = Instant::now() + sweep::PATIENCE;
    loop {
        let orphans = descendants(|child| keepers.contains(&(child as u32)));
        if orphans.is_empty() || Instant::now() > give_up {
            return;
        }
        for Descendant { pid, group } in orphans {
            sweep::signal_group(group, Signal::KILL);
            let _ = rustix::process::kill_process(pid, Signal::KILL);
            // If it is further below, it is no child of ours yet: it becomes one when its parent is gone.
            let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
