//! One tool at work, contained: on a copy of some files, within limits, and with nothing of it left when this returns.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::pipe::{PipeFlags, pipe_with};

use crate::contain::head_and_tail::HeadAndTail;
use crate::contain::keeper::{Keeper, Report};
use crate::contain::launch::{Confinement, Launch, Purpose};
use crate::contain::spec::{Exit, Limits, Size, Tier};
use crate::contain::usage::Usage;
use crate::contain::visible_files::{VisibleFiles, WORK};

/// How tools are run.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// How well they are contained.
    pub tier: Tier,
    /// Whether builds have the network.
    pub network: bool,
    /// How long building one hand-in may take, with the tools that unpack it.
    pub time: Duration,
    /// How much memory one may use.
    pub memory: Size,
}

/// What is kept of a tool's output: the beginning, where the first error is, and the end.
const OUTPUT_HEAD: usize = 4 << 20;
const OUTPUT_TAIL: usize = 256 << 10;
/// How often it is asked whether all should stop.
const ATTENTION: Duration = Duration::from_millis(100);
/// How long the keeper may take to answer, which may have many files to copy and to remove.
const PATIENCE: Duration = Duration::from_secs(120);
/// More than any compiler needs.
const PROCESSES: u32 = 1024;
const OPEN_FILES: u32 = 4096;
/// So many cores can be busy all the time that a tool may take: the backstop of that.
const MOST_CORES: u64 = 256;

/// What programs find beside the system when they have the network.
const OF_NETWORK: [&str; 9] = [
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/ssl",
    "/etc/ca-certificates",
    "/etc/pki",
];
/// Variables that say how the network is reached.
const PROXIES: [&str; 8] = [
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
];

/// What is to be done.
pub struct Work<'a> {
    /// One or more lines for the shell, which begins in the copy of the files.
    pub script: &'a str,
    /// The files to work on.
    pub files: &'a Path,
    /// What may be read beside the system.
    pub readable: Vec<PathBuf>,
    /// Variables of the environment.
    pub environment: Vec<(String, String)>,
    /// How much may be written, with the copy of the files.
    pub disk: Size,
    /// How much of that may be kept in the end.
    pub most_kept: Size,
    /// The folder that the copy is taken to in the end, if it is wanted and the script ended well.
    pub keep: Option<&'a Path>,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Exited(Exit),
    /// It was ended after its time.
    TimedOut,
    /// It was ended since all should stop.
    Stopped,
}

/// What came of it.
pub struct Run {
    /// How it ended.
    pub end: End,
    /// What it wrote to stdout and stderr.
    pub output: Vec<u8>,
    /// What it has used, and whether that was too much.
    pub usage: Usage,
}

/// Has the shell do some work, until a deadline: all work for one hand-in has the same, so that many tools take no longer than one.
///
/// # Errors
/// If something failed for which the work cannot be blamed.
pub fn run(
    work: &Work,
    conditions: &Conditions,
    deadline: Instant,
    stop: &dyn Fn() -> bool,
) -> io::Result<Run> {
    let keeper = Keeper::spawn()?;
    let (output, theirs) = pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&output, rustix::fs::fcntl_getfl(&output)? | OFlags::NONBLOCK)?;
    if conditions.tier == Tier::A {
        keeper.give(&theirs)?;
    }
    let nothing = File::open("/dev/null")?;
    let launch = launch(work, conditions)?;
    keeper.start(launch, Duration::MAX, [nothing.as_fd(), theirs.as_fd(), theirs.as_fd()])?;
    drop(theirs);
    let run = Running {
        keeper,
        tier: conditions.tier,
        output: Some(output),
        kept: HeadAndTail::new(OUTPUT_HEAD, OUTPUT_TAIL),
        buffer: vec![0; 64 * 1024],
        deadline,
    };
    run.supervise(stop)
}

fn launch(work: &Work, conditions: &Conditions) -> io::Result<Launch> {
    let Conditions { tier, network, time, memory } = *conditions;
    let mut readable = work.readable.clone();
    let mut environment = work.environment.clone();
    if network {
        readable.extend(OF_NETWORK.map(PathBuf::from).into_iter().filter(|path| path.exists()));
        environment
            .extend(PROXIES.iter().filter_map(|name| Some((name.to_string(), std::env::var(name).ok()?))));
    }
    let limits = Limits {
        memory,
        processes: PROCESSES,
        open_files: OPEN_FILES,
        file_size: work.disk,
        scratch: work.disk,
    };
    let visible_files =
        VisibleFiles { own: Some(fs::canonicalize(work.files)?), readable, files: Vec::new() };
    let keep_scratch = work.keep.map(fs::canonicalize).transpose()?;
    let confinement = Confinement {
        tier,
        purpose: Purpose::Build { network, most_kept: work.most_kept.0 },
        limits,
        cpu_seconds: time.as_secs().saturating_add(1).saturating_mul(MOST_CORES),
        visible_files,
        keep_scratch,
    };
    Ok(Launch {
        program: "/bin/sh".to_owned(),
        arguments: vec!["-c".to_owned(), format!("cd {WORK} || exit\n{}", work.script)],
        environment,
        core: None,
        is_held: false,
        confinement: Some(confinement),
    })
}

/// A tool at work.
struct Running {
    keeper: Keeper,
    tier: Tier,
    output: Option<OwnedFd>,
    kept: HeadAndTail,
    buffer: Vec<u8>,
    deadline: Instant,
}

/// What the keeper has told.
enum Told {
    /// Nothing that matters.
    Nothing,
    Ended {
        exit: Exit,
        usage: Usage,
        is_swept: bool,
    },
    Swept(Usage),
}

impl Running {
    fn supervise(mut self, stop: &dyn Fn() -> bool) -> io::Result<Run> {
        let (end, exited) = loop {
            if stop() {
                break (End::Stopped, None);
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break (End::TimedOut, None);
            }
            if self.wait(left.min(ATTENTION))?
                && let Told::Ended { exit, usage, is_swept } = self.hear()?
            {
                break (End::Exited(exit), is_swept.then_some(usage));
            }
        };
        let usage = match exited {
            Some(usage) => usage,
            None => self.sweep()?,
        };
        // Nobody is left who could write.
        while self.read()? > 0 {}
        Ok(Run { end, output: self.kept.to_bytes(), usage })
    }

    /// Waits for the output, which it reads, or for the keeper, and says whether that has something to tell.
    fn wait(&mut self, pause: Duration) -> io::Result<bool> {
        let pause = Timespec::try_from(pause).map_err(io::Error::other)?;
        let mut waiting = vec![PollFd::new(&self.keeper, PollFlags::IN)];
        waiting.extend(self.output.as_ref().map(|output| PollFd::new(output, PollFlags::IN)));
        rustix::io::retry_on_intr(|| poll(&mut waiting, Some(&pause)))?;
        let is_told = !waiting[0].revents().is_empty();
        let is_written = waiting.get(1).is_some_and(|output| !output.revents().is_empty());
        if is_written {
            self.read()?;
        }
        Ok(is_told)
    }

    /// Reads once what is there, and returns how much that was.
    fn read(&mut self) -> io::Result<usize> {
        let Some(output) = &self.output else { return Ok(0) };
        match rustix::io::read(output, &mut self.buffer[..]) {
            Ok(0) => {
                self.output = None;
                Ok(0)
            }
            Ok(length) => {
                self.kept.push(&self.buffer[..length]);
                Ok(length)
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    fn hear(&mut self) -> io::Result<Told> {
        match self.keeper.report(PATIENCE) {
            Ok(Report::Exited { exit, clean, usage, .. }) => Ok(Told::Ended { exit, usage, is_swept: clean }),
            Ok(Report::Swept { usage, .. }) => Ok(Told::Swept(usage)),
            Ok(Report::NotStarted(number)) => Err(io::Error::from_raw_os_error(number)),
            Ok(Report::Trouble { what, .. }) => Err(io::Error::other(what)),
            Ok(_) => Ok(Told::Nothing),
            // Without containment it may have killed its keeper. What is left of it goes with the keeper.
            Err(_) if self.tier == Tier::C => {
                Ok(Told::Ended { exit: Exit::Unwatched, usage: Usage::default(), is_swept: true })
            }
            Err(error) => Err(error),
        }
    }

    /// Ends all that is left of it.
    fn sweep(&mut self) -> io::Result<Usage> {
        // A keeper that cannot be asked is found out below.
        let _ = self.keeper.sweep();
        let give_up = Instant::now() + PATIENCE;
        loop {
            if self.wait(ATTENTION)? {
                match self.hear()? {
                    Told::Swept(usage) => return Ok(usage),
                    Told::Ended { usage, is_swept: true, .. } => return Ok(usage),
                    // It had just ended by itself.
                    Told::Ended { .. } | Told::Nothing => {}
                }
            } else if Instant::now() > give_up {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "what a build has left cannot be removed",
                ));
            }
        }
    }
}
