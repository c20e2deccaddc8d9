//! The keeper process itself, which supervises one program after the other.

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space, unshare_unsafe};

use super::cgroup::{self, Cgroup};
use super::disk::DiskWatch;
use super::memory::MemoryWatch;
use super::messages::{self, MESSAGE_LIMIT, Report, Request};
use super::meter::{Measured, Meter};
use super::off_core::{Elsewhere, OffCore};
use super::standing::Standing;
use super::startup::Startup;
use super::sweep::{Domain, Reaped, reap};
use crate::contain::launch::{Confinement, Launch, Purpose};
use crate::contain::proc::waits_for;
use crate::contain::sandbox::landlock;
use crate::contain::sandbox::mounts::{Roots, Template};
use crate::contain::scratch::{self, Scratch};
use crate::contain::spawn::{Spawner, StartError, Started, Surroundings};
use crate::contain::spec::{Exit, Limits, Tier, Wait, Work};
use crate::contain::tree_copy::open_folder;
use crate::contain::usage::Usage;
use crate::contain::written::{self, Furnished, Written};

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
        roots: None,
        group: None,
        elsewhere: None,
        network: None,
        stack: Vec::new(),
        startup_cpu: Duration::ZERO,
        kept: None,
    };
    let served = supervisor.serve();
    let _away = OffCore::go(supervisor.elsewhere.as_ref());
    let swept = supervisor.domain.sweep(&mut Usage::default());
    supervisor.group = None;
    // Now, since no clock waits for this keeper any more. The first to leave is the one that has tried out what is possible here,
    // before there is any game.
    scratch::remove_stale();
    cgroup::remove_stale();
    if served.is_ok() && swept.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// When the program is looked at.
struct Looks {
    next: Instant,
}

impl Looks {
    const INTERVAL: Duration = Duration::from_millis(5);
    /// Of the time, looking takes at most a twentieth.
    const SHARE: u32 = 20;

    fn begin() -> Looks {
        Looks { next: Instant::now() + Looks::INTERVAL }
    }

    fn pause(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    fn are_due(&self) -> bool {
        self.pause().is_zero()
    }

    /// The one that was due began then, and is over now.
    fn took_place(&mut self, begun: Instant) {
        self.next = Instant::now() + Looks::INTERVAL.max(begun.elapsed() * Looks::SHARE);
    }
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
    /// The file systems of programs of tier A, once this process has the namespaces that these need around them.
    roots: Option<Roots>,
    /// The group of the programs, and the limits that it was made for: one that runs after another has the same one.
    group: Option<(Option<Limits>, Option<Cgroup>)>,
    /// Where it is watched from, if there are cores without a game.
    elsewhere: Option<Elsewhere>,
    /// A network that nobody has been in, for the next program of tier A.
    network: Option<OwnedFd>,
    /// The stack of init processes.
    stack: Vec<u8>,
    /// The processor time that the program has for coming up.
    startup_cpu: Duration,
    /// The folder that its working directory is copied to in the end: opened early, since init cannot see it.
    kept: Option<OwnedFd>,
}

/// The size of the stack of an init process.
const STACK: usize = 1 << 20;

/// What an init process is to do, and what comes of it. It is in memory that the keeper shares with it.
struct Task<'a, 'b> {
    supervisor: &'a mut Supervisor<'b>,
    launch: &'a Launch,
    template: &'a Template,
    stdio: Option<Vec<OwnedFd>>,
    outcome: Option<io::Result<Referee>>,
}

impl Supervisor<'_> {
    fn serve(&mut self) -> io::Result<()> {
        // Out of the terminal's reach: an interrupt from the keyboard is the referee's business.
        rustix::process::setsid()?;
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        while let Some((request, stdio)) = self.receive()? {
            match request {
                Request::Start { launch, startup_cpu } => match self.start(&launch, stdio, startup_cpu) {
                    Ok(Referee::Here) => {}
                    Ok(Referee::Gone) => break,
                    Err(error) => {
                        self.report(&Report::trouble("the process that watches a program failed", &error))?;
                        return Err(error);
                    }
                },
                // The program has ended, or was not started: nothing is left to sweep, to stop or to measure.
                Request::Sweep => {
                    self.report(&Report::Swept { usage: Usage::default(), written: Written::default() })?;
                }
                Request::Continue => {
                    self.report(&Report::Continued { work: Work::default(), ran_ns: 0, coarse: false })?;
                }
                Request::Measure => {
                    self.report(&Report::Measured { work: Work::default(), coarse: false })?
                }
                Request::Look => self.report(&Report::Seen(Wait::Unknown))?,
                Request::Stop | Request::Mark => {}
            }
        }
        Ok(())
    }

    /// Gives up what this process has to give up before it can contain the program, and runs the program.
    fn start(&mut self, launch: &Launch, stdio: Vec<OwnedFd>, startup_cpu: Duration) -> io::Result<Referee> {
        self.startup_cpu = startup_cpu;
        self.elsewhere = Elsewhere::find();
        let tier = launch.tier();
        if tier == Some(Tier::B) && self.domain == Domain::Descendants && landlock::enclose_signals().is_ok()
        {
            self.domain = Domain::Enclosed;
        }
        let limits = launch.confinement.as_ref().map(|confinement| confinement.limits);
        // What happened to the memory of one program must not be blamed on the next.
        let is_used_up = self.group().is_some_and(Cgroup::ran_out_of_memory);
        if is_used_up || self.group.as_ref().is_none_or(|(made_for, _)| *made_for != limits) {
            self.group = Some((limits, Cgroup::new(limits.as_ref())));
        }
        // The program before may have been stopped when it ended.
        self.group().map_or(Ok(()), |group| group.freeze(false))?;
        let kept = launch.confinement.as_ref().and_then(|confinement| confinement.keep_scratch.as_deref());
        self.kept = match kept.map(open_folder).transpose() {
            Ok(kept) => kept,
            Err(error) => return self.give_up("no folder to keep a working directory in", &error),
        };
        match (tier, &launch.confinement) {
            (Some(Tier::A), Some(confinement)) => match self.template(confinement) {
                Ok(template) => self.run_inside(launch, &template, stdio),
                Err(error) => self.give_up("no namespaces", &error),
            },
            _ => self.run(launch, stdio),
        }
    }

    fn group(&self) -> Option<&Cgroup> {
        self.group.as_ref().and_then(|(_, group)| group.as_ref())
    }

    /// The file system to copy for a program, in the namespaces that this process makes for its programs the first time.
    fn template(&mut self, confinement: &Confinement) -> io::Result<Rc<Template>> {
        let roots = match &mut self.roots {
            Some(roots) => roots,
            none => none.insert(Roots::unshare()?),
        };
        roots.template(&confinement.visible_files)
    }

    /// Reports that a program cannot be run, for which it is not to blame.
    fn give_up(&self, what: &str, error: &io::Error) -> io::Result<Referee> {
        self.report(&Report::trouble(what, error))?;
        Ok(Referee::Here)
    }

    /// Runs the program below the init process of new namespaces: when init ends, everything in them has ended.
    ///
    /// Init shares the memory and the descriptors of this process, which stands still until init has ended: a call of a function in
    /// other namespaces, so to speak. To copy it all would take longer than all else that starts a program.
    fn run_inside(
        &mut self,
        launch: &Launch,
        template: &Template,
        stdio: Vec<OwnedFd>,
    ) -> io::Result<Referee> {
        let shared = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_FILES;
        // Its mounts it takes from the template; in the keeper's IPC namespace no program can make anything.
        let has_machines = purpose(launch).has_network();
        let network = if self.network.is_none() && !has_machines { libc::CLONE_NEWNET } else { 0 };
        let own = libc::CLONE_NEWPID | network;
        self.stack.resize(STACK, 0);
        let stack = self.stack.as_mut_ptr_range().end;
        let domain = std::mem::replace(&mut self.domain, Domain::Namespace);
        let mut task = Task { supervisor: self, launch, template, stdio: Some(stdio), outcome: None };
        // SAFETY: this process stands still until init has ended. Init runs on a stack of its own, whose end is aligned here, and
        // all that `task` points to lives until then.
        let pid = unsafe {
            let stack = stack.sub(stack as usize % 16);
            let task: *mut Task<'_, '_> = &mut task;
            libc::clone(init, stack.cast(), shared | own | libc::SIGCHLD, task.cast())
        };
        let error = io::Error::last_os_error();
        let outcome = task.outcome.take();
        self.domain = domain;
        let Some(init) = Pid::from_raw(pid.max(0)) else { return self.give_up("no namespaces", &error) };
        rustix::io::retry_on_intr(|| waitid(WaitId::Pid(init), WaitIdOptions::EXITED))?;
        // A killed init may have left the memory that it shares with us in any state: this process should not go on.
        outcome.unwrap_or_else(|| Err(io::Error::other("the first process in a namespace was killed")))
    }

    /// What the init process (pid 1) of new namespaces does: changes to its file system, and supervises the program in it.
    fn supervise_inside(
        &mut self,
        launch: &Launch,
        template: &Template,
        stdio: Vec<OwnedFd>,
    ) -> io::Result<Referee> {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        if let Some(network) = self.network.take_if(|_| !purpose(launch).has_network()) {
            move_into_link_name_space(network.as_fd(), Some(LinkNameSpaceType::Network))?;
        }
        if let Some(confinement) = &launch.confinement
            && let Err(error) = template.enter(confinement)
        {
            return self.give_up("no file system of its own", &error);
        }
        // Once more: the kernel forgets it when a process acts as another user, as was just done.
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        self.run(launch, stdio)
    }

    /// Starts the program and supervises it until nothing of it is left.
    fn run(&mut self, launch: &Launch, stdio: Vec<OwnedFd>) -> io::Result<Referee> {
        let stdio: [OwnedFd; 3] = stdio.try_into().map_err(|_| io::ErrorKind::InvalidInput)?;
        let scratch = match launch.confinement.as_ref().map(Scratch::new).transpose() {
            Ok(scratch) => scratch,
            Err(error) => return self.give_up("no working directory", &error),
        };
        let surroundings = Surroundings {
            scratch: scratch.as_ref().map(Scratch::path),
            group: self.group.as_ref().and_then(|(_, group)| group.as_ref()).map(Cgroup::entrance),
            identity: self.roots.as_ref().map(Roots::identity),
        };
        // Before the program is there: what it does counts from the start.
        let meter = Meter::new(self.group());
        let restrictions = self.spawner.restrictions(launch.confinement.as_ref(), &stdio, surroundings);
        let started = restrictions
            .map_err(StartError::from)
            .and_then(|restrictions| self.spawner.start(launch, &stdio, &restrictions));
        drop(stdio);
        match started {
            Ok(Started { process, pid }) => {
                if launch.is_held {
                    self.report(&Report::Held(pid))?;
                }
                self.supervise(process, launch.confinement.as_ref(), scratch, meter)
            }
            Err(StartError::Program(number)) => {
                self.report(&Report::NotStarted(number))?;
                Ok(Referee::Here)
            }
            Err(StartError::Ours(error)) => self.give_up("a program cannot be started", &error),
        }
    }

    /// Supervises a program until nothing of it is left, from another core if there is one.
    fn supervise(
        &mut self,
        process: OwnedFd,
        confinement: Option<&Confinement>,
        scratch: Option<Scratch>,
        mut meter: Meter,
    ) -> io::Result<Referee> {
        let _away = OffCore::go(self.elsewhere.as_ref());
        let mut running = Some(process);
        let mut usage = Usage::default();
        let is_alone =
            |confinement: &Confinement| confinement.tier == Tier::A && !confinement.purpose.has_network();
        let mut memory = confinement
            .map(|confinement| MemoryWatch::new(confinement.limits.memory.0, is_alone(confinement)));
        let mut disk = confinement.zip(scratch.as_ref()).and_then(DiskWatch::of);
        let mut has_failed = false;
        let mut standing = Standing::default();
        let mut startup = Some(Startup::new(self.startup_cpu));
        let mut looks = Looks::begin();
        if self.domain == Domain::Namespace && self.elsewhere.as_ref().is_some_and(|cores| cores.is_free) {
            self.network = new_network();
        }
        loop {
            let looks_on = self.has_to_look(startup.as_ref(), &standing, &meter);
            let pauses = [
                memory.as_ref().map(MemoryWatch::pause),
                disk.as_ref().map(DiskWatch::pause),
                looks_on.then(|| looks.pause()),
            ];
            let pause = pauses.into_iter().flatten().min().map(Timespec::try_from);
            let pause = pause.transpose().map_err(io::Error::other)?;
            let mut waiting = vec![PollFd::new(&self.socket, PollFlags::IN)];
            waiting.extend(running.as_ref().map(|process| PollFd::new(process, PollFlags::IN)));
            let answer = memory.as_ref().and_then(MemoryWatch::answer);
            waiting.extend(answer.as_ref().map(|answer| PollFd::new(answer, PollFlags::IN)));
            rustix::io::retry_on_intr(|| poll(&mut waiting, pause.as_ref()))?;
            let asked = !waiting[0].revents().is_empty();
            let ended = running.is_some() && !waiting[1].revents().is_empty();
            if ended && let Some(process) = running.take() {
                let exit = how_it_ended(&process)?;
                has_failed = exit != Exit::Code(0);
                // It is a child of ours too, and none of the program's.
                memory.iter_mut().for_each(MemoryWatch::give_up);
                let alone = reap(&mut usage) == Reaped::Nobody;
                if let Some(confinement) = confinement {
                    usage.over_memory |= self.group().is_some_and(Cgroup::ran_out_of_memory);
                    usage.blame_memory(exit, confinement.limits.memory.0);
                }
                let written = look_at(scratch.as_ref(), confinement);
                let clean = alone && self.kept.is_none() && is_removed(scratch.as_ref(), confinement);
                let usage = self.with_all_time(usage, &mut meter);
                self.report(&Report::Exited { exit, alone, clean, usage, written })?;
                if clean {
                    return Ok(Referee::Here);
                }
            }
            if asked {
                match self.receive()? {
                    Some((Request::Sweep, _)) => {
                        memory.iter_mut().for_each(MemoryWatch::give_up);
                        self.sweep(&mut usage)?;
                        // Before the report: the next program's clock must not run while this goes on.
                        let written = look_at(scratch.as_ref(), confinement);
                        let is_kept = running.is_none() && !has_failed;
                        self.keep(scratch.as_ref(), confinement, is_kept, &mut usage);
                        drop(scratch);
                        let usage = self.with_all_time(usage, &mut meter);
                        self.report(&Report::Swept { usage, written })?;
                        return Ok(Referee::Here);
                    }
                    Some((Request::Stop, _)) => standing.stop(self.measured(&usage)),
                    Some((Request::Continue, _)) => {
                        let (work, ran) = standing.go_on(self.measured(&usage), &mut meter);
                        let (ran_ns, coarse) = (ran.as_nanos() as u64, self.group().is_none());
                        self.report(&Report::Continued { work, ran_ns, coarse })?;
                    }
                    Some((Request::Measure, _)) => {
                        let (work, coarse) = (meter.measure(self.measured(&usage)), self.group().is_none());
                        self.report(&Report::Measured { work, coarse })?;
                    }
                    Some((Request::Look, _)) => {
                        self.report(&Report::Seen(waits_for(&self.domain.members())))?;
                    }
                    // The referee has seen that it has come up.
                    Some((Request::Mark, _)) => {
                        startup = None;
                        meter.mark(self.measured(&usage));
                    }
                    Some((Request::Start { .. }, _)) => return Err(io::ErrorKind::InvalidInput.into()),
                    None => {
                        self.sweep(&mut usage)?;
                        return Ok(Referee::Gone);
                    }
                }
            }
            if looks_on && looks.are_due() {
                let begun = Instant::now();
                let program = self.measured(&usage);
                if startup.as_mut().is_some_and(|startup| startup.look(program, &mut meter)) {
                    startup = None;
                    self.report(&Report::Up)?;
                }
                standing.look(program, &mut meter);
                meter.look(program);
                looks.took_place(begun);
            }
            // Last: with very many processes it takes a while, and their end should not have to wait for it.
            if let (Some(confinement), Some(memory)) = (confinement, &mut memory) {
                self.watch_memory(memory, confinement.limits.memory.0, &mut usage);
            }
            if disk.as_mut().is_some_and(DiskWatch::is_over) {
                usage.over_disk = true;
                disk = None;
                self.kill();
            }
        }
    }

    /// The program, as it is measured and stopped.
    fn measured<'a>(&'a self, reaped: &'a Usage) -> Measured<'a> {
        Measured { domain: self.domain, group: self.group(), reaped }
    }

    /// What a program has used, with the processor time of those of its processes that nobody waited for.
    fn with_all_time(&self, usage: Usage, meter: &mut Meter) -> Usage {
        let cpu_ns = usage.cpu_ns.max(meter.in_all(self.measured(&usage)).cpu_ns);
        Usage { cpu_ns, ..usage }
    }

    /// Whether the program has to be looked at from time to time.
    fn has_to_look(&self, startup: Option<&Startup>, standing: &Standing, meter: &Meter) -> bool {
        startup.is_some() || standing.has_to_look(self.group()) || meter.has_to_look(self.group())
    }

    /// Ends all of the program.
    fn sweep(&self, usage: &mut Usage) -> io::Result<()> {
        self.group().inspect(|group| group.kill());
        self.domain.sweep(usage)
    }

    /// Copies what a program has left in its working directory, if that is to be kept. Of a build, that depends on whether it ended
    /// well.
    fn keep(
        &mut self,
        scratch: Option<&Scratch>,
        confinement: Option<&Confinement>,
        ended_well: bool,
        usage: &mut Usage,
    ) {
        if let (Some(into), Some(scratch), Some(confinement)) = (self.kept.take(), scratch, confinement) {
            match confinement.purpose {
                Purpose::Play => {
                    let furnished = Furnished::with(&confinement.visible_files);
                    written::copy(&scratch.place(), &furnished, &into, confinement.limits.scratch.0);
                }
                Purpose::Build { most_kept, .. } if ended_well => {
                    // A folder that is not there any more holds nothing.
                    let is_whole = scratch::take_work(&scratch.place(), &into, most_kept);
                    usage.over_disk |= is_whole.is_ok_and(|is_whole| !is_whole);
                }
                Purpose::Build { .. } => {}
            }
        }
    }

    /// Ends a program that uses more memory than it may.
    fn watch_memory(&self, memory: &mut MemoryWatch, limit: u64, usage: &mut Usage) {
        let Some(used) = memory.measure(|| self.domain.members()) else { return };
        usage.peak = usage.peak.max(used);
        if used > limit {
            usage.over_memory = true;
            self.kill();
        }
    }

    fn kill(&self) {
        self.group().inspect(|group| group.kill());
        self.domain.signal(Signal::KILL);
    }

    fn report(&self, report: &Report) -> io::Result<()> {
        messages::send(self.socket, report)
    }

    fn receive(&mut self) -> io::Result<Option<(Request, Vec<OwnedFd>)>> {
        messages::receive(self.socket, &mut self.buffer)
    }
}

/// Makes a new network, which this process then is in. It takes as long as all else that starts a program, so it is done ahead where
/// there is a core to spare. Ignore failure: the next program then gets one when it starts.
fn new_network() -> Option<OwnedFd> {
    // SAFETY: no memory and no descriptors are concerned.
    unsafe { unshare_unsafe(UnshareFlags::NEWNET).ok()? };
    Some(std::fs::File::open("/proc/self/ns/net").ok()?.into())
}

/// What a program is for.
fn purpose(launch: &Launch) -> Purpose {
    launch.confinement.as_ref().map(|confinement| confinement.purpose).unwrap_or_default()
}

/// Whether the working directory of a program that has ended is gone, or need not be removed. What the program has put there itself is
/// left until a sweep is asked for, since it may be much, and the opponent's clock may run.
fn is_removed(scratch: Option<&Scratch>, confinement: Option<&Confinement>) -> bool {
    let (Some(scratch), Some(confinement)) = (scratch, confinement) else { return true };
    scratch.remove_if_unchanged(&confinement.visible_files)
}

/// What a program has left in its working directory.
fn look_at(scratch: Option<&Scratch>, confinement: Option<&Confinement>) -> Written {
    let (Some(scratch), Some(confinement)) = (scratch, confinement) else { return Written::default() };
    written::look(&scratch.place(), &Furnished::with(&confinement.visible_files))
}

/// The whole life of an init process, which begins here with a [`Task`].
extern "C" fn init(task: *mut c_void) -> c_int {
    // SAFETY: the keeper stands still, and its task with it.
    let task = unsafe { &mut *task.cast::<Task<'_, '_>>() };
    let stdio = task.stdio.take().unwrap_or_default();
    task.outcome = Some(task.supervisor.supervise_inside(task.launch, task.template, stdio));
    // SAFETY: ends this process without running what the keeper has yet to run.
    unsafe { libc::_exit(0) }
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
