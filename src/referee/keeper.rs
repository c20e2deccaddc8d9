//! The keeper: a small process that stands between the referee and one program at a time.
//!
//! It is this executable, started with the hidden subcommand `keeper`, and serves one seat of one worker for as many
//! games as there are. It starts the program, reports how it ended, and after each game kills everything the program
//! left behind. All the program's descendants are the keeper's, because orphans are given to the nearest subreaper; and
//! when the referee dies, however suddenly, the socket between them closes and the keeper cleans up by itself.

use std::collections::HashMap;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, waitid};
use serde::{Deserialize, Serialize};
use wait_timeout::ChildExt;

use super::bot::{Exit, Launch};
use super::spawn::Spawner;

/// The name of the hidden subcommand.
pub const SUBCOMMAND: &str = "keeper";

/// What the referee asks of a keeper.
#[derive(Serialize, Deserialize)]
enum Request {
    /// Start this program on the three descriptors that come along: stdin, stdout, stderr.
    Start(Launch),
    /// Kill and reap all that is left of it.
    Sweep,
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
    },
    /// Nothing is left.
    Swept,
}

/// How long it is tried to kill what will not die.
const SWEEP_PATIENCE: Duration = Duration::from_secs(10);

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
    let give_up = Instant::now() + SWEEP_PATIENCE;
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

/// The keeper's whole life, as the hidden subcommand: its socket is its standard input.
pub fn run() -> ExitCode {
    if rustix::net::sockopt::socket_type(rustix::stdio::stdin()).is_err() {
        eprintln!("this subcommand is for arbitro's own use; see arbitro --help");
        return ExitCode::from(2);
    }
    // Nothing useful can be said to anybody if this fails: the referee notices the closed socket.
    let served = serve(rustix::stdio::stdin());
    let swept = sweep();
    if served.is_ok() && swept.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn serve(socket: BorrowedFd<'_>) -> io::Result<()> {
    // Out of the terminal's reach: an interrupt from the keyboard is the referee's business.
    rustix::process::setsid()?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let mut spawner = Spawner::new();
    let mut running: Option<OwnedFd> = None;
    let mut buffer = vec![0; MESSAGE_LIMIT];
    loop {
        let mut waiting = vec![PollFd::new(&socket, PollFlags::IN)];
        waiting.extend(running.as_ref().map(|process| PollFd::new(process, PollFlags::IN)));
        rustix::io::retry_on_intr(|| poll(&mut waiting, None))?;
        let asked = !waiting[0].revents().is_empty();
        let ended = waiting.get(1).is_some_and(|fd| !fd.revents().is_empty());
        if ended && let Some(process) = running.take() {
            let exit = how_it_ended(&process)?;
            let alone = matches!(reap(), Reaped::Nobody);
            send(socket, &Report::Exited { exit, alone })?;
        }
        if !asked {
            continue;
        }
        match receive(socket, &mut buffer)? {
            None => return Ok(()),
            Some((Request::Start(launch), stdio)) => match start(&mut spawner, &launch, stdio) {
                Ok(process) => running = Some(process),
                Err(error) => {
                    send(socket, &Report::NotStarted(error.raw_os_error().unwrap_or(libc::EINVAL)))?
                }
            },
            Some((Request::Sweep, _)) => {
                running = None;
                sweep()?;
                send(socket, &Report::Swept)?;
            }
        }
    }
}

fn how_it_ended(process: &OwnedFd) -> io::Result<Exit> {
    let status = waitid(WaitId::PidFd(process.as_fd()), WaitIdOptions::EXITED)?;
    Ok(match status.and_then(|status| status.exit_status()) {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(status.and_then(|status| status.terminating_signal()).unwrap_or_default()),
    })
}

fn start(spawner: &mut Spawner, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<OwnedFd> {
    let stdio: [OwnedFd; 3] = stdio.try_into().map_err(|_| io::ErrorKind::InvalidInput)?;
    spawner.start(launch, &stdio)
}

fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> io::Result<Option<(Request, Vec<OwnedFd>)>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    Ok(Some((serde_json::from_slice(&buffer[..received.bytes])?, descriptors)))
}

/// Who is left once all that have ended are reaped.
enum Reaped {
    Nobody,
    Somebody,
}

fn reap() -> Reaped {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) => return Reaped::Somebody,
            // There is no child at all.
            Err(_) => return Reaped::Nobody,
        }
    }
}

/// Kills and reaps until nothing is left. Whatever a program has started, its orphans are this process's children, so
/// that having no child at all means that everything is gone.
fn sweep() -> io::Result<()> {
    let give_up = Instant::now() + SWEEP_PATIENCE;
    loop {
        if matches!(reap(), Reaped::Nobody) {
            return Ok(());
        }
        if Instant::now() > give_up {
            return Err(io::Error::other("some process will not die"));
        }
        for pid in descendants(|_| false)? {
            // It may have ended by itself since it was listed.
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Every process below this one, but for children that are exempt and what is below those.
fn descendants(exempt: impl Fn(i32) -> bool) -> io::Result<Vec<Pid>> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in std::fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
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
