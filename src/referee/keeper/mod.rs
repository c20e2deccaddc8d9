//! The keeper: a small process that stands between the referee and one program at a time.
//!
//! It is this executable, started with the hidden subcommand `keeper`, and serves one seat of one worker for as many
//! games as there are. It starts the program, reports how it ended, and after each game kills everything the program
//! left behind. All the program's descendants are the keeper's, because orphans are given to the nearest subreaper; and
//! when the referee dies, however suddenly, the socket between them closes and the keeper cleans up by itself.

mod cpu;
mod group;
mod memory;
pub mod sweep;
mod warden;

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
    sendmsg, socketpair,
};
use rustix::process::{Pid, Signal, WaitOptions};
use serde::{Deserialize, Serialize};
use wait_timeout::ChildExt;

use super::bot::{Exit, Launch};
use sweep::descendants;
pub use warden::run;

/// The name of the hidden subcommand.
pub const SUBCOMMAND: &str = "keeper";

/// What the referee asks of a keeper.
// One at a time, and never kept: nothing is gained by making the largest smaller.
#[allow(clippy::large_enum_variant)]
#[derive(Serialize, Deserialize)]
enum Request {
    /// Start this program on the three descriptors that come along: stdin, stdout, stderr.
    Start(Launch),
    /// Kill and reap all that is left of it.
    Sweep,
    /// Stop all of it.
    Freeze,
    /// Let all of it go on.
    Thaw,
}

/// What a program has used, with everything that it started.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time, in nanoseconds.
    pub cpu_ns: u64,
    /// The most memory that was seen, in bytes.
    pub peak: u64,
    /// Whether it was ended because that was too much.
    pub over_memory: bool,
}

impl Usage {
    /// Adds what a process that has ended used.
    fn add(&mut self, spent: &libc::rusage) {
        let nanoseconds =
            |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000;
        self.cpu_ns += nanoseconds(spent.ru_utime) + nanoseconds(spent.ru_stime);
        self.peak = self.peak.max(spent.ru_maxrss as u64 * 1024);
    }

    /// A process that is refused more memory hardly ever says so before it ends; that it had nearly all it may have does.
    fn blame_memory(&mut self, exit: Exit, limit: u64) {
        self.over_memory |= exit != Exit::Code(0) && self.peak > limit / 8 * 7;
    }
}

/// What a keeper tells the referee.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Report {
    /// The operating system would not start the program: the error number.
    NotStarted(i32),
    /// The program has ended.
    Exited {
        /// How.
        exit: Exit,
        /// Whether nothing is left that it started, so that there is nothing to sweep.
        alone: bool,
        /// What it has used.
        usage: Usage,
    },
    /// Nothing is left of what used this.
    Swept(Usage),
    /// The program could not be contained, and so was not started: why.
    Trouble(String),
}

/// Larger than any message: a command line and an environment of a few variables.
const MESSAGE_LIMIT: usize = 128 * 1024;

/// The referee's end.
pub struct Keeper {
    process: Child,
    socket: OwnedFd,
    buffer: Vec<u8>,
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
        // Held until it is in the list: it must not be taken for an orphan meanwhile.
        let mut keepers = keepers();
        // What a killed keeper leaves behind comes to this process, and not to the machine's first.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let process = Command::new(std::env::current_exe()?)
            .arg(SUBCOMMAND)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .spawn()?;
        keepers.push(process.id());
        Ok(Keeper { process, socket: ours, buffer: vec![0; MESSAGE_LIMIT] })
    }

    /// Asks for a program to be started. There is no answer but a report when it has ended, or could not begin.
    pub fn start(&self, launch: Launch, stdio: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        let message = serde_json::to_vec(&Request::Start(launch))?;
        if message.len() > MESSAGE_LIMIT {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command line is too long"));
        }
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&stdio));
        sendmsg(&self.socket, &[IoSlice::new(&message)], &mut control, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Asks for everything that is left to be killed; the answer is the report [`Report::Swept`].
    pub fn sweep(&self) -> io::Result<()> {
        send(self.socket.as_fd(), &Request::Sweep)
    }

    /// Asks for all of the program to stand still, or to go on. There is no answer.
    pub fn freeze(&self, frozen: bool) -> io::Result<()> {
        send(self.socket.as_fd(), if frozen { &Request::Freeze } else { &Request::Thaw })
    }

    /// The processor time of all that it keeps. `inside`: whether programs have a namespace of their own.
    pub fn cpu_time(&self, inside: bool) -> Duration {
        cpu::time_below(self.process.id(), inside)
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
            // As good as can be done; there is nobody to tell.
            let _ = sweep_orphans(&keepers);
        }
    }
}

/// Kills and reaps children of this process that are not its keepers, and all that is below them.
fn sweep_orphans(keepers: &[u32]) -> io::Result<()> {
    let give_up = Instant::now() + sweep::PATIENCE;
    loop {
        let orphans = descendants(|child| keepers.contains(&(child as u32)))?;
        if orphans.is_empty() || Instant::now() > give_up {
            return Ok(());
        }
        for pid in orphans {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
            // Not a child of ours, if it is further below; then it comes to us when its parent is gone.
            let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(socket: BorrowedFd<'_>, message: &impl Serialize) -> io::Result<()> {
    rustix::net::send(socket, &serde_json::to_vec(message)?, SendFlags::NOSIGNAL)?;
    Ok(())
}
