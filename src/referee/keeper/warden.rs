//! The keeper's own life: minding one program after the other.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::ExitCode;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};

use super::group::Group;
use super::memory;
use super::sweep::{Domain, Reaped, reap};
use super::{MESSAGE_LIMIT, Report, Request, Usage, send};
use crate::referee::bot::{Exit, Launch};
use crate::referee::sandbox::{Confinement, Tier, root, rules};
use crate::referee::scratch::Scratch;
use crate::referee::spawn::{Cage, Spawner};

/// How often it is looked how much memory a program uses. A program that fills memory in less time meets the limit of each
/// process.
const MEMORY_INTERVAL: Duration = Duration::from_millis(50);

/// The keeper's whole life, as the hidden subcommand: its socket is its standard input.
pub fn run() -> ExitCode {
    if rustix::net::sockopt::socket_type(rustix::stdio::stdin()).is_err() {
        eprintln!("this subcommand is for arbitro's own use; see arbitro --help");
        return ExitCode::from(2);
    }
    let mut warden = Warden {
        socket: rustix::stdio::stdin(),
        spawner: Spawner::new(),
        buffer: vec![0; MESSAGE_LIMIT],
        domain: Domain::Descendants,
        group: None,
    };
    // Nothing useful can be said to anybody if this fails: the referee notices the closed socket.
    let served = warden.serve();
    let swept = warden.domain.sweep(&mut Usage::default());
    if served.is_ok() && swept.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether anybody is left to serve.
enum Referee {
    Here,
    Gone,
}

struct Warden<'a> {
    socket: BorrowedFd<'a>,
    spawner: Spawner,
    buffer: Vec<u8>,
    domain: Domain,
    /// Of the program that is being minded, where groups can be made.
    group: Option<Group>,
}

impl Warden<'_> {
    fn serve(&mut self) -> io::Result<()> {
        // Out of the terminal's reach: an interrupt from the keyboard is the referee's business.
        rustix::process::setsid()?;
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let mut apart = false;
        loop {
            let referee = match self.receive()? {
                None => Referee::Gone,
                Some((Request::Start(launch), stdio)) => {
                    let tier = launch.confinement.as_ref().map(|cage| cage.tier);
                    if tier == Some(Tier::B)
                        && self.domain == Domain::Descendants
                        && rules::enclose_signals().is_ok()
                    {
                        self.domain = Domain::Enclosed;
                    }
                    let inside = tier == Some(Tier::A);
                    if inside && !apart {
                        let left = root::leave_the_world();
                        apart = left.is_ok();
                        if let Err(error) = left {
                            self.report(&Report::Trouble(format!("no namespaces: {error}")))?;
                            continue;
                        }
                    }
                    self.group = launch.confinement.as_ref().and_then(|cage| Group::new(&cage.limits));
                    let referee =
                        if inside { self.play_inside(&launch, stdio)? } else { self.play(&launch, stdio)? };
                    self.group = None;
                    referee
                }
                // There was nothing left to sweep, or nothing to stop.
                Some((Request::Sweep, _)) => {
                    self.report(&Report::Swept(Usage::default()))?;
                    Referee::Here
                }
                Some((Request::Freeze | Request::Thaw, _)) => Referee::Here,
            };
            if matches!(referee, Referee::Gone) {
                return Ok(());
            }
        }
    }

    /// Has a process of a new namespace play: when that one ends, so has everything in it.
    fn play_inside(&mut self, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<Referee> {
        let flags = libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC | libc::SIGCHLD;
        // SAFETY: as fork: this process has one thread, so that the copy may go on with everything.
        let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
        if pid == 0 {
            let code = match self.be_first(launch, stdio) {
                Ok(_) => 0,
                Err(_) => 1,
            };
            // SAFETY: ends the copy without running what the original has yet to run.
            unsafe { libc::_exit(code) }
        }
        drop(stdio);
        let Some(first) = Pid::from_raw(pid as i32) else { return Err(io::Error::last_os_error()) };
        let status = waitid(WaitId::Pid(first), WaitIdOptions::EXITED)?;
        if status.and_then(|status| status.exit_status()) != Some(0) {
            let (exit, usage) = (Exit::Unwatched, Usage::default());
            self.report(&Report::Exited { exit, alone: true, usage })?;
        }
        // If the referee has gone meanwhile, its socket says so next.
        Ok(Referee::Here)
    }

    /// The first process of a namespace: furnishes it, and minds the program in it.
    fn be_first(&mut self, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<Referee> {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        self.domain = Domain::Namespace;
        let Some(cage) = &launch.confinement else { return Ok(Referee::Here) };
        if let Err(error) = root::enter(&cage.view, &cage.limits) {
            self.report(&Report::Trouble(format!("no file system of its own: {error}")))?;
            return Ok(Referee::Here);
        }
        self.play(launch, stdio)
    }

    /// Starts the program and minds it until nothing of it is left.
    fn play(&mut self, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<Referee> {
        let stdio: [OwnedFd; 3] = stdio.try_into().map_err(|_| io::ErrorKind::InvalidInput)?;
        let scratch = match &launch.confinement {
            Some(cage) => Some(Scratch::new(cage)?),
            None => None,
        };
        let group = self.group.as_ref().map(Group::entrance);
        let cage = Cage::new(launch.confinement.as_ref(), scratch.as_ref().map(Scratch::path), group)?;
        let started = self.spawner.start(launch, &stdio, &cage);
        drop(stdio);
        let process = match started {
            Ok(process) => process,
            Err(error) => {
                self.report(&Report::NotStarted(error.raw_os_error().unwrap_or(libc::EINVAL)))?;
                return Ok(Referee::Here);
            }
        };
        self.mind(process, launch.confinement.as_ref())
    }

    fn mind(&mut self, process: OwnedFd, cage: Option<&Confinement>) -> io::Result<Referee> {
        let mut running = Some(process);
        let mut usage = Usage::default();
        let interval = Timespec::try_from(MEMORY_INTERVAL).map_err(io::Error::other)?;
        loop {
            let mut waiting = vec![PollFd::new(&self.socket, PollFlags::IN)];
            waiting.extend(running.as_ref().map(|process| PollFd::new(process, PollFlags::IN)));
            rustix::io::retry_on_intr(|| poll(&mut waiting, cage.map(|_| &interval)))?;
            let asked = !waiting[0].revents().is_empty();
            let ended = waiting.get(1).is_some_and(|fd| !fd.revents().is_empty());
            if let Some(cage) = cage {
                self.watch_memory(cage.limits.memory.0, &mut usage)?;
            }
            if ended && let Some(process) = running.take() {
                let exit = how_it_ended(&process)?;
                let alone = reap(&mut usage) == Reaped::Nobody;
                if let Some(cage) = cage {
                    usage.over_memory |= self.group.as_ref().is_some_and(Group::ran_out_of_memory);
                    usage.blame_memory(exit, cage.limits.memory.0);
                }
                self.report(&Report::Exited { exit, alone, usage })?;
                if alone {
                    return Ok(Referee::Here);
                }
            }
            if !asked {
                continue;
            }
            match self.receive()? {
                Some((Request::Sweep, _)) => {
                    self.sweep(&mut usage)?;
                    self.report(&Report::Swept(usage))?;
                    return Ok(Referee::Here);
                }
                Some((Request::Freeze, _)) => self.domain.signal(Signal::STOP)?,
                Some((Request::Thaw, _)) => self.domain.signal(Signal::CONT)?,
                Some((Request::Start(_), _)) => return Err(io::ErrorKind::InvalidInput.into()),
                None => {
                    self.sweep(&mut usage)?;
                    return Ok(Referee::Gone);
                }
            }
        }
    }

    /// Ends all of the program.
    fn sweep(&self, usage: &mut Usage) -> io::Result<()> {
        self.group.as_ref().inspect(|group| group.kill());
        self.domain.sweep(usage)
    }

    /// Ends a program that uses more memory than it may.
    fn watch_memory(&self, limit: u64, usage: &mut Usage) -> io::Result<()> {
        let used = memory::in_use(&self.domain.members(), limit);
        usage.peak = usage.peak.max(used);
        if used > limit {
            usage.over_memory = true;
            self.domain.signal(Signal::KILL)?;
        }
        Ok(())
    }

    fn report(&self, report: &Report) -> io::Result<()> {
        send(self.socket, report)
    }

    fn receive(&mut self) -> io::Result<Option<(Request, Vec<OwnedFd>)>> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut buffer = [IoSliceMut::new(&mut self.buffer)];
        let received = recvmsg(self.socket, &mut buffer, &mut control, RecvFlags::CMSG_CLOEXEC)?;
        if received.bytes == 0 {
            return Ok(None);
        }
        let mut descriptors = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                descriptors.extend(rights);
            }
        }
        Ok(Some((serde_json::from_slice(&self.buffer[..received.bytes])?, descriptors)))
    }
}

/// How a process that has ended did so. It is not reaped by this.
fn how_it_ended(process: &OwnedFd) -> io::Result<Exit> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::PidFd(process.as_fd()), options)?;
    Ok(match status.as_ref().and_then(|status| status.exit_status()) {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(status.and_then(|status| status.terminating_signal()).unwrap_or_default()),
    })
}
