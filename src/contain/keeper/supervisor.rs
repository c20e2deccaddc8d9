//! The keeper process itself, which supervises one program after the other.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::ExitCode;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use rustix::thread::CpuSet;

use super::cgroup::{self, Cgroup};
use super::memory::MemoryWatch;
use super::messages::{self, MESSAGE_LIMIT, Report, Request};
use super::off_core::{OffCore, cores_elsewhere};
use super::sweep::{Domain, Reaped, reap};
use crate::contain::exit::{Exit, Usage};
use crate::contain::launch::{Confinement, Launch};
use crate::contain::sandbox::{landlock, mounts};
use crate::contain::scratch::{self, Scratch};
use crate::contain::spawn::{Restrictions, Spawner};
use crate::contain::spec::Tier;

/// The keeper's whole life, as the hidden subcommand: its socket is its standard input.
pub fn run() -> ExitCode {
    if rustix::net::sockopt::socket_type(rustix::stdio::stdin()).is_err() {
        eprintln!("this subcommand is for arbitro's own use; see arbitro --help");
        return ExitCode::from(2);
    }
    let mut supervisor = Supervisor {
        socket: rustix::stdio::stdin(),
        spawner: Spawner::new(),
        buffer: vec![0; MESSAGE_LIMIT],
        domain: Domain::Descendants,
        unshared: false,
        group: None,
        elsewhere: None,
    };
    // Nothing useful can be said to anybody if this fails: the referee notices the closed socket.
    let served = supervisor.serve();
    let _away = OffCore::go(supervisor.elsewhere.as_ref());
    let swept = supervisor.domain.sweep(&mut Usage::default());
    // Now, since no clock waits for this keeper any more. The first to leave is the one that has tried out what is possible here,
    // before there is any game.
    scratch::remove_stale();
    cgroup::remove_stale();
    if served.is_ok() && swept.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether anybody is left to serve.
enum Referee {
    Here,
    Gone,
}

struct Supervisor<'a> {
    socket: BorrowedFd<'a>,
    spawner: Spawner,
    buffer: Vec<u8>,
    domain: Domain,
    /// Whether this process has the namespaces that programs of tier A need around them.
    unshared: bool,
    /// Of the program that is running, where groups can be made.
    group: Option<Cgroup>,
    /// Where it is watched from, if there are cores without a game.
    elsewhere: Option<CpuSet>,
}

impl Supervisor<'_> {
    fn serve(&mut self) -> io::Result<()> {
        // Out of the terminal's reach: an interrupt from the keyboard is the referee's business.
        rustix::process::setsid()?;
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        while let Some((request, stdio)) = self.receive()? {
            match request {
                Request::Start(launch) => {
                    self.elsewhere = cores_elsewhere();
                    if let Referee::Gone = self.start(&launch, stdio)? {
                        break;
                    }
                }
                // There is nothing left to sweep, or nothing to stop.
                Request::Sweep => self.report(&Report::Swept(Usage::default()))?,
                Request::Freeze | Request::Thaw => {}
            }
        }
        Ok(())
    }

    /// Gives up what this process has to give up before it can contain the program, and runs the program.
    fn start(&mut self, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<Referee> {
        let tier = launch.tier();
        if tier == Some(Tier::B) && self.domain == Domain::Descendants && landlock::enclose_signals().is_ok()
        {
            self.domain = Domain::Enclosed;
        }
        if tier == Some(Tier::A) && !self.unshared {
            if let Err(error) = mounts::unshare_namespaces() {
                self.report(&Report::Trouble(format!("no namespaces: {error}")))?;
                return Ok(Referee::Here);
            }
            self.unshared = true;
        }
        self.group = launch.confinement.as_ref().and_then(|confinement| Cgroup::new(&confinement.limits));
        let referee = match tier {
            Some(Tier::A) => self.run_inside(launch, stdio)?,
            _ => self.run(launch, stdio)?,
        };
        self.group = None;
        Ok(referee)
    }

    /// Runs the program below the init process of a new namespace: when init ends, everything in the namespace has ended.
    fn run_inside(&mut self, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<Referee> {
        let flags = libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC | libc::SIGCHLD;
        // SAFETY: as fork: this process has one thread, so that the copy may go on with everything.
        let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
        if pid == 0 {
            let code = match self.init(launch, stdio) {
                Ok(_) => 0,
                Err(_) => 1,
            };
            // SAFETY: ends the copy without running what the original has yet to run.
            unsafe { libc::_exit(code) }
        }
        drop(stdio);
        let Some(init) = Pid::from_raw(pid as i32) else { return Err(io::Error::last_os_error()) };
        let status = waitid(WaitId::Pid(init), WaitIdOptions::EXITED)?;
        if status.and_then(|status| status.exit_status()) != Some(0) {
            let (exit, usage) = (Exit::Unwatched, Usage::default());
            self.report(&Report::Exited { exit, alone: true, clean: true, usage })?;
        }
        // If the referee has gone meanwhile, its socket says so next.
        Ok(Referee::Here)
    }

    /// The init process (pid 1) of a namespace: builds its file system, and supervises the program in it.
    fn init(&mut self, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<Referee> {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        self.domain = Domain::Namespace;
        let Some(confinement) = &launch.confinement else { return Ok(Referee::Here) };
        if let Err(error) = mounts::enter(&confinement.visible_files, &confinement.limits) {
            self.report(&Report::Trouble(format!("no file system of its own: {error}")))?;
            return Ok(Referee::Here);
        }
        self.run(launch, stdio)
    }

    /// Starts the program and supervises it until nothing of it is left.
    fn run(&mut self, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<Referee> {
        let stdio: [OwnedFd; 3] = stdio.try_into().map_err(|_| io::ErrorKind::InvalidInput)?;
        let scratch = match &launch.confinement {
            Some(confinement) => Some(Scratch::new(confinement)?),
            None => None,
        };
        let group = self.group.as_ref().map(Cgroup::entrance);
        let restrictions =
            Restrictions::new(launch.confinement.as_ref(), scratch.as_ref().map(Scratch::path), group)?;
        let started = self.spawner.start(launch, &stdio, &restrictions);
        drop(stdio);
        let process = match started {
            Ok(process) => process,
            Err(error) => {
                self.report(&Report::NotStarted(error.raw_os_error().unwrap_or(libc::EINVAL)))?;
                return Ok(Referee::Here);
            }
        };
        self.supervise(process, launch.confinement.as_ref(), scratch)
    }

    /// Supervises a program until nothing of it is left, from another core if there is one.
    fn supervise(
        &mut self,
        process: OwnedFd,
        confinement: Option<&Confinement>,
        scratch: Option<Scratch>,
    ) -> io::Result<Referee> {
        let _away = OffCore::go(self.elsewhere.as_ref());
        let mut running = Some(process);
        let mut usage = Usage::default();
        let mut memory = confinement
            .map(|confinement| MemoryWatch::new(confinement.limits.memory.0, confinement.tier == Tier::A));
        loop {
            let pause = memory.as_ref().map(|memory| Timespec::try_from(memory.pause()));
            let pause = pause.transpose().map_err(io::Error::other)?;
            let mut waiting = vec![PollFd::new(&self.socket, PollFlags::IN)];
            waiting.extend(running.as_ref().map(|process| PollFd::new(process, PollFlags::IN)));
            rustix::io::retry_on_intr(|| poll(&mut waiting, pause.as_ref()))?;
            let asked = !waiting[0].revents().is_empty();
            let ended = waiting.get(1).is_some_and(|fd| !fd.revents().is_empty());
            if ended && let Some(process) = running.take() {
                let exit = how_it_ended(&process)?;
                let alone = reap(&mut usage) == Reaped::Nobody;
                if let Some(confinement) = confinement {
                    usage.over_memory |= self.group.as_ref().is_some_and(Cgroup::ran_out_of_memory);
                    usage.blame_memory(exit, confinement.limits.memory.0);
                }
                let clean = alone && is_removed(scratch.as_ref(), confinement);
                self.report(&Report::Exited { exit, alone, clean, usage })?;
                if clean {
                    return Ok(Referee::Here);
                }
            }
            if asked {
                match self.receive()? {
                    Some((Request::Sweep, _)) => {
                        self.sweep(&mut usage)?;
                        // Before the report: the next program's clock must not run while this goes on.
                        drop(scratch);
                        self.report(&Report::Swept(usage))?;
                        return Ok(Referee::Here);
                    }
                    Some((Request::Freeze, _)) => self.domain.signal(Signal::STOP),
                    Some((Request::Thaw, _)) => self.domain.signal(Signal::CONT),
                    Some((Request::Start(_), _)) => return Err(io::ErrorKind::InvalidInput.into()),
                    None => {
                        self.sweep(&mut usage)?;
                        return Ok(Referee::Gone);
                    }
                }
            }
            // Last: with very many processes it takes a while, and their end should not have to wait for it.
            if let (Some(confinement), Some(memory)) = (confinement, &mut memory) {
                self.watch_memory(memory, confinement.limits.memory.0, &mut usage);
            }
        }
    }

    /// Ends all of the program.
    fn sweep(&self, usage: &mut Usage) -> io::Result<()> {
        self.group.as_ref().inspect(|group| group.kill());
        self.domain.sweep(usage)
    }

    /// Ends a program that uses more memory than it may.
    fn watch_memory(&self, memory: &mut MemoryWatch, limit: u64, usage: &mut Usage) {
        let Some(used) = memory.measure(|| self.domain.members()) else { return };
        usage.peak = usage.peak.max(used);
        if used > limit {
            usage.over_memory = true;
            self.group.as_ref().inspect(|group| group.kill());
            self.domain.signal(Signal::KILL);
        }
    }

    fn report(&self, report: &Report) -> io::Result<()> {
        messages::send(self.socket, report)
    }

    fn receive(&mut self) -> io::Result<Option<(Request, Vec<OwnedFd>)>> {
        messages::receive(self.socket, &mut self.buffer)
    }
}

/// Whether the working directory of a program that has ended is gone, or need not be removed. What the program has put there itself is
/// left until a sweep is asked for, since it may be much, and the opponent's clock may run.
fn is_removed(scratch: Option<&Scratch>, confinement: Option<&Confinement>) -> bool {
    let (Some(scratch), Some(confinement)) = (scratch, confinement) else { return true };
    scratch.remove_if_unchanged(&confinement.visible_files)
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
