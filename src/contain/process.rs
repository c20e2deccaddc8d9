//! A started program: sending to it, hearing from it, stopping it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use super::head_and_tail::HeadAndTail;
use super::keeper::{Keeper, Report};
use super::launch::Launch;
use super::line_buffer::LineBuffer;
use super::spec::{Exit, Output, Tier, Wait, Work};
use super::terminal;
use super::usage::Usage;
use super::written::Written;

/// What is kept of the beginning of a program's stderr.
const STDERR_HEAD: usize = 64 * 1024;
/// What is kept of its end, where the last words are.
const STDERR_TAIL: usize = 4 * 1024;
/// How many reads are spent on what a program left behind, so that no program can keep us reading.
const LAST_READS: usize = 64;
/// How long a keeper may take to answer: longer than it tries to kill what will not die.
const PATIENCE: Duration = Duration::from_secs(15);
/// The same where a program may have stopped it: the opponent should not have to wait for long.
const SHORT_PATIENCE: Duration = Duration::from_secs(2);
/// How long a keeper may take to sweep where a program's files have to be copied, or removed one by one, and it cannot stop its
/// keeper.
const PATIENCE_WITH_FILES: Duration = Duration::from_secs(120);

/// Where a program's stdout stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// It may still write.
    Open,
    /// Nothing will come any more.
    Closed,
}

/// How it ended with a program.
#[derive(Clone, Copy, Debug)]
enum End {
    Exited(Exit),
    /// It never began: the number of the error.
    NotStarted(i32),
}

/// What has been measured of a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measurement {
    /// What it has done since it was last marked.
    pub work: Work,
    /// Processor time that it has used while it was stopped, if it was.
    pub ran: Duration,
    /// Whether some of its processor time is known to a hundredth of a second only.
    pub coarse: bool,
}

/// How far the clearing up behind a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sweep {
    Due,
    Begun,
    Done,
}

/// A started program.
pub struct Process {
    keeper: Keeper,
    tier: Option<Tier>,
    stdin: Option<OwnedFd>,
    unsent: Vec<u8>,
    stdout: OwnedFd,
    stream: Stream,
    lines: LineBuffer,
    heard: Option<Instant>,
    /// When its keeper has seen that it had come up.
    seen_up: Option<Instant>,
    stopped: bool,
    /// Whether it will be reported that it is held for a debugger.
    is_held: bool,
    /// How many answers of the keeper are still to come.
    unanswered: u32,
    /// Whether the question that comes next has been asked already.
    is_asked: bool,
    /// Whether the keeper has stopped answering.
    is_deaf: bool,
    read_at: Instant,
    stderr: Option<OwnedFd>,
    stderr_kept: HeadAndTail,
    end: Option<End>,
    left_running: bool,
    sweep: Sweep,
    usage: Usage,
    written: Written,
    /// Whether what it writes is copied in the end.
    is_kept: bool,
    buffer: Box<[u8]>,
}

impl Process {
    /// Has a keeper start a program. Whether it could is heard of later, so that all programs of a game start side by
    /// side.
    /// `startup_cpu` is the processor time after which it counts as having come up.
    pub fn launch(
        keeper: Keeper,
        launch: Launch,
        output: Output,
        startup_cpu: Duration,
    ) -> io::Result<Process> {
        let (stdin_theirs, stdin) = pipe_with(PipeFlags::CLOEXEC)?;
        let (stdout, stdout_theirs) = match output {
            Output::Terminal => terminal::open_raw()?,
            Output::Pipe => pipe_with(PipeFlags::CLOEXEC)?,
        };
        let (stderr, stderr_theirs) = pipe_with(PipeFlags::CLOEXEC)?;
        for ours in [&stdin, &stdout, &stderr] {
            rustix::fs::fcntl_setfl(ours, rustix::fs::fcntl_getfl(ours)? | OFlags::NONBLOCK)?;
        }
        let (tier, is_held) = (launch.tier(), launch.is_held);
        let is_kept =
            launch.confinement.as_ref().is_some_and(|confinement| confinement.keep_scratch.is_some());
        if tier == Some(Tier::A) {
            [&stdin_theirs, &stdout_theirs, &stderr_theirs]
                .into_iter()
                .try_for_each(|theirs| keeper.give(theirs))?;
        }
        keeper.start(
            launch,
            startup_cpu,
            [stdin_theirs.as_fd(), stdout_theirs.as_fd(), stderr_theirs.as_fd()],
        )?;
        Ok(Process {
            keeper,
            tier,
            stdin: Some(stdin),
            unsent: Vec::new(),
            stdout,
            stream: Stream::Open,
            lines: LineBuffer::default(),
            heard: None,
            seen_up: None,
            stopped: false,
            is_held,
            unanswered: 0,
            is_asked: false,
            is_deaf: false,
            read_at: Instant::now(),
            stderr: Some(stderr),
            stderr_kept: HeadAndTail::new(STDERR_HEAD, STDERR_TAIL),
            end: None,
            left_running: false,
            sweep: Sweep::Due,
            usage: Usage::default(),
            written: Written::default(),
            is_kept,
            buffer: vec![0; 16 * 1024].into(),
        })
    }

    /// Sends text; what the program's pipe does not take now is sent when it does.
    pub fn send(&mut self, text: &[u8]) -> io::Result<()> {
        if self.unsent.is_empty() {
            let written = self.write(text)?;
            self.unsent.extend_from_slice(&text[written..]);
        } else {
            self.unsent.extend_from_slice(text);
        }
        Ok(())
    }

    /// Sends what an earlier [`Process::send`] could not.
    pub fn send_rest(&mut self) -> io::Result<()> {
        let unsent = std::mem::take(&mut self.unsent);
        let written = self.write(&unsent)?;
        self.unsent.extend_from_slice(&unsent[written..]);
        Ok(())
    }

    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let Some(stdin) = &self.stdin else { return Ok(text.len()) };
        match rustix::io::write(stdin, text) {
            Ok(written) => Ok(written),
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            // It has closed its stdin or is gone. Whether that costs it the game shows when it has to move.
            Err(Errno::PIPE) => {
                self.stdin = None;
                Ok(text.len())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// No more will be sent.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
        self.unsent.clear();
    }

    /// Reads once from stdout what is there. Returns how many bytes came.
    pub fn read_stdout(&mut self) -> io::Result<usize> {
        let result = rustix::io::read(&self.stdout, &mut self.buffer[..]);
        self.read_at = Instant::now();
        match result {
            // A terminal without a program at its other end reports an error where a pipe reports its end.
            Ok(0) | Err(Errno::IO) => {
                self.stream = Stream::Closed;
                // The end of its output ends its last line too.
                self.lines.end_line();
                Ok(0)
            }
            Ok(length) => {
                self.heard.get_or_insert(self.read_at);
                self.lines.push(&self.buffer[..length]);
                Ok(length)
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads what a program that has ended left in its stdout, and says whether there was anything new, be it the end.
    pub fn read_last_words(&mut self) -> io::Result<bool> {
        let mut anything = false;
        for _ in 0..LAST_READS {
            if self.stream == Stream::Closed {
                break;
            }
            anything |= self.read_stdout()? > 0 || self.stream == Stream::Closed;
        }
        for _ in 0..LAST_READS {
            if self.read_stderr()? == 0 {
                break;
            }
        }
        Ok(anything)
    }

    /// Reads once from stderr, keeping its beginning and its end.
    pub fn read_stderr(&mut self) -> io::Result<usize> {
        let Some(stderr) = &self.stderr else { return Ok(0) };
        match rustix::io::read(stderr, &mut self.buffer[..]) {
            Ok(0) => {
                self.stderr = None;
                Ok(0)
            }
            Ok(length) => {
                self.heard.get_or_insert_with(Instant::now);
                self.stderr_kept.push(&self.buffer[..length]);
                Ok(length)
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes in what the keeper has to say.
    ///
    /// # Errors
    /// If something failed for which the program cannot be blamed.
    pub fn hear_keeper(&mut self) -> io::Result<()> {
        match self.keeper.report(PATIENCE) {
            Ok(report) => self.note(report).map(drop),
            Err(error) if self.cannot_reach_keeper() => Err(error),
            // By killing the keeper, a program or its opponent can make it silent.
            Err(_) => {
                self.end = Some(End::Exited(Exit::Unwatched));
                Ok(())
            }
        }
    }

    /// Whether no program can be the reason why a keeper is silent.
    fn cannot_reach_keeper(&self) -> bool {
        matches!(self.tier, Some(Tier::A | Tier::B))
    }

    /// Takes note of a report, and returns what it says of the program's work, if it was asked for.
    fn note(&mut self, report: Report) -> io::Result<Option<Measurement>> {
        let (end, clean) = match report {
            Report::Exited { exit, alone, clean, usage, written } => {
                (self.usage, self.written) = (usage, written);
                self.left_running = !alone;
                (End::Exited(exit), clean)
            }
            Report::NotStarted(number) => (End::NotStarted(number), true),
            Report::Trouble { what, .. } => return Err(io::Error::other(what)),
            Report::Up => {
                self.seen_up = Some(Instant::now());
                return Ok(None);
            }
            Report::Continued { work, ran_ns, coarse } => {
                self.unanswered = self.unanswered.saturating_sub(1);
                return Ok(Some(Measurement { work, ran: Duration::from_nanos(ran_ns), coarse }));
            }
            Report::Measured { work, coarse } => {
                self.unanswered = self.unanswered.saturating_sub(1);
                return Ok(Some(Measurement { work, ran: Duration::ZERO, coarse }));
            }
            // Nobody waits for it any more.
            Report::Seen(_) | Report::Held(_) => return Ok(None),
            Report::Swept { usage, written } => {
                self.usage = usage;
                // A keeper whose program had ended by itself has told it before.
                if written.count > 0 {
                    self.written = written;
                }
                self.end.get_or_insert(End::Exited(Exit::Signal(libc::SIGKILL)));
                self.sweep = Sweep::Done;
                return Ok(None);
            }
        };
        self.end = Some(end);
        // If it ended while a sweep was being asked for, the end is reported first and the sweep after it.
        if clean && self.sweep == Sweep::Due {
            self.sweep = Sweep::Done;
        }
        Ok(None)
    }

    /// Whether the program runs no more, or never did.
    pub fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// How the program ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        match self.end {
            Some(End::Exited(exit)) => Some(exit),
            _ => None,
        }
    }

    /// The error for which the program was not started, if it was not.
    pub fn start_error(&self) -> Option<io::Error> {
        match self.end {
            Some(End::NotStarted(number)) => Some(io::Error::from_raw_os_error(number)),
            _ => None,
        }
    }

    /// Whether it has ended, and something that it had started had not.
    pub fn left_running(&self) -> bool {
        self.left_running
    }

    /// What it has used, once it has ended.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// What it has left in its working directory, which is gone with it: known once nothing of it is left.
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// Whether it sees its own files only.
    pub fn is_inside(&self) -> bool {
        self.tier == Some(Tier::A)
    }

    /// Stops all of the program.
    pub fn stop(&mut self) {
        // A keeper that cannot be asked is found out when the program is swept away.
        let _ = self.keeper.stop();
        self.stopped = true;
    }

    /// Whether it is stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Asks for what [`Process::go_on`] waits for, if it is stopped: several can then be waited for at once.
    pub fn prepare_to_go_on(&mut self) {
        if self.stopped {
            self.prepare(Keeper::go_on);
        }
    }

    /// Asks for what [`Process::measure`] waits for.
    pub fn prepare_to_measure(&mut self) {
        self.prepare(Keeper::measure);
    }

    fn prepare(&mut self, request: impl FnOnce(&Keeper) -> io::Result<()>) {
        // If the request cannot be sent now, `ask` sends it again, and reports the error.
        self.is_asked = !self.is_deaf && request(&self.keeper).is_ok();
        self.unanswered += u32::from(self.is_asked);
    }

    /// Lets all of a stopped program go on, and waits until it does.
    ///
    /// # Errors
    /// If something failed for which the program cannot be blamed.
    pub fn go_on(&mut self) -> io::Result<Measurement> {
        self.stopped = false;
        self.ask(Keeper::go_on)
    }

    /// Lets all of a stopped program go on, some time soon.
    pub fn go_on_soon(&mut self) {
        if std::mem::take(&mut self.stopped) {
            self.unanswered += u32::from(self.keeper.go_on().is_ok());
        }
    }

    /// What the program has done since it was last marked.
    ///
    /// # Errors
    /// If something failed for which the program cannot be blamed.
    pub fn measure(&mut self) -> io::Result<Measurement> {
        self.ask(Keeper::measure)
    }

    /// Has it measured from now on.
    pub fn mark(&self) {
        // As with `stop`.
        let _ = self.keeper.mark();
    }

    /// Asks the keeper for what it answers with the program's work.
    fn ask(&mut self, request: impl FnOnce(&Keeper) -> io::Result<()>) -> io::Result<Measurement> {
        if self.is_deaf {
            return Ok(Measurement::default());
        }
        let patience = if self.cannot_reach_keeper() { PATIENCE } else { SHORT_PATIENCE };
        let mut answer = Ok(None);
        if !std::mem::take(&mut self.is_asked) {
            answer = request(&self.keeper).map(|()| None);
            self.unanswered += 1;
        }
        while let Ok(None) = answer {
            answer = match self.keeper.report(patience) {
                Ok(report) => Ok(self.note(report)?.filter(|_| self.unanswered == 0)),
                Err(error) => Err(error),
            };
        }
        match answer {
            Ok(answer) => Ok(answer.unwrap_or_default()),
            Err(error) if self.cannot_reach_keeper() => Err(error),
            // By stopping the keeper, a program or its opponent can make it silent. What the program does is not known any more.
            Err(_) => {
                (self.is_deaf, self.unanswered) = (true, 0);
                Ok(Measurement::default())
            }
        }
    }

    /// The number of its process, if it is held for a debugger. It goes on with [`Process::go_on`].
    ///
    /// # Errors
    /// If something failed for which the program cannot be blamed.
    pub fn held(&mut self) -> io::Result<Option<u32>> {
        while self.is_held && self.end.is_none() {
            let report = self.keeper.report(PATIENCE)?;
            if let Report::Held(pid) = report {
                self.is_held = false;
                return Ok(Some(pid));
            }
            self.note(report)?;
        }
        Ok(None)
    }

    /// Whether its stdout is still open.
    pub fn stream(&self) -> Stream {
        self.stream
    }

    /// When its keeper has seen that it had come up: it slept, or had used what it has for coming up.
    pub fn seen_up(&self) -> Option<Instant> {
        self.seen_up
    }

    /// When its first byte was seen, on stdout or stderr.
    pub fn heard(&self) -> Option<Instant> {
        self.heard
    }

    /// When its stdout was last read.
    pub fn read_at(&self) -> Instant {
        self.read_at
    }

    /// The lines it has written.
    pub fn lines(&mut self) -> &mut LineBuffer {
        &mut self.lines
    }

    /// The beginning and the end of what it has written to stderr up to now.
    pub fn stderr(&self) -> Vec<u8> {
        self.stderr_kept.to_bytes()
    }

    /// How many bytes it was sent and has not read.
    pub fn unread(&self) -> usize {
        let in_pipe = self.stdin.as_ref().and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok());
        in_pipe.unwrap_or_default() as usize + self.unsent.len()
    }

    /// What it waits for, if nothing of it runs and its keeper can tell.
    pub fn waits_for(&mut self) -> Wait {
        if self.is_deaf || self.keeper.look().is_err() {
            return Wait::Unknown;
        }
        loop {
            match self.keeper.report(SHORT_PATIENCE) {
                Ok(Report::Seen(wait)) => return wait,
                // It is only about the words: whatever went wrong shows elsewhere.
                Ok(report) if self.note(report.clone()).is_err() || self.has_ended() => return Wait::Unknown,
                Ok(_) => {}
                Err(_) => return Wait::Unknown,
            }
        }
    }

    /// Its stdout, to wait on.
    pub fn stdout_fd(&self) -> BorrowedFd<'_> {
        self.stdout.as_fd()
    }

    /// Its stderr, to wait on.
    pub fn stderr_fd(&self) -> Option<BorrowedFd<'_>> {
        self.stderr.as_ref().map(AsFd::as_fd)
    }

    /// Its stdin, to wait on while something is unsent.
    pub fn stdin_fd(&self) -> Option<BorrowedFd<'_>> {
        self.stdin.as_ref().map(AsFd::as_fd)
    }

    /// Whether it has not been sent everything yet.
    pub fn has_unsent(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// The keeper, to wait on for the program's end.
    pub fn keeper_fd(&self) -> BorrowedFd<'_> {
        self.keeper.as_fd()
    }

    /// Begins to kill everything that is left of the program, if that has not been begun or done already.
    pub fn begin_sweep(&mut self) {
        self.close_stdin();
        if self.sweep == Sweep::Due {
            // A keeper that cannot be asked is found out by `await_sweep`.
            let _ = self.keeper.sweep();
            self.sweep = Sweep::Begun;
        }
    }

    /// Waits until nothing of the program is left, if that is not known already.
    ///
    /// # Errors
    /// If something failed for which the program cannot be blamed.
    pub fn await_sweep(&mut self) -> io::Result<()> {
        let has_files = self.tier == Some(Tier::B) || self.tier == Some(Tier::A) && self.is_kept;
        let patience = if has_files { PATIENCE_WITH_FILES } else { PATIENCE };
        while self.sweep != Sweep::Done || self.unanswered > 0 {
            match self.keeper.report(patience) {
                Ok(report) => drop(self.note(report)?),
                Err(error) if self.cannot_reach_keeper() => return Err(error),
                // It was killed or stopped; dropping it clears up behind it.
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Gives back the keeper, if it can be used again, and what is kept of the program's stderr.
    pub fn dismiss(mut self) -> io::Result<(Option<Keeper>, Vec<u8>)> {
        for _ in 0..LAST_READS {
            if self.read_stderr()? == 0 {
                break;
            }
        }
        Ok(((self.sweep == Sweep::Done).then_some(self.keeper), self.stderr_kept.to_bytes()))
    }
}
