//! A conversation with one contained program, byte by byte.
//!
//! It waits for events, and tells a program that will say nothing more from one that is slow by what the program does: one that has
//! read everything and waits for input is done; one that computes, or is kept from computing by others, is not.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::transcript::{Line, Transcript, Voice};
use crate::contain::keeper::Keeper;
use crate::contain::launch::Launch;
use crate::contain::process::{Process, Stream};
use crate::contain::spec::{Exit, Output, Wait, Work};
use crate::contain::usage::Usage;
use crate::referee::interrupt::Interrupt;

/// For how long a program has to be seen waiting for input before it is believed that nothing more will come. Its threads may take turns.
const IDLE: Duration = Duration::from_millis(400);
/// How long the news of a program's end may take to follow the end of its output: the system clears up a large one for a while, the more
/// so where it is busy.
const EXIT_NEWS: Duration = Duration::from_secs(3);
/// A program that is to leave, and is seen neither waiting nor computing, gets so many times as long as one that is.
const MOST_PATIENCE: u32 = 5;
/// How soon, and how often at the least, it is looked at what a program does.
const LOOKS: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(100));

/// The longest that a line may become.
pub const LONGEST_LINE: usize = 64 << 10;
/// How many reads are spent on what is left in its pipes, so that no program can keep us reading.
const MOST_READS: usize = 64;

/// What came of listening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line, without its newline.
    Line(Vec<u8>),
    /// The beginning of a line that is too long.
    TooLong,
    /// It runs no more, or has closed its stdout.
    End,
    /// It has read all that it was sent, and waits for more.
    Idle,
    /// It has had as much time as it was given, not counting what other programs took.
    Late(Wait),
}

/// What is known once it is over.
pub struct Ended {
    /// What it has used.
    pub usage: Usage,
    /// Files that it left in its working folder.
    pub wrote: Vec<String>,
    /// Whether it has ended, and something that it had started had not.
    pub left_running: bool,
}

/// A conversation with a program that has been started.
pub struct Conversation<'a> {
    process: Process,
    interrupt: &'a Interrupt,
    transcript: Transcript,
    /// When it was last listened to.
    listened: Instant,
    /// What it writes when its stdin has been closed, once somebody wants to know.
    late: Option<Vec<u8>>,
}

impl<'a> Conversation<'a> {
    /// Starts the program.
    pub fn begin(
        keeper: Keeper,
        launch: Launch,
        output: Output,
        interrupt: &'a Interrupt,
    ) -> io::Result<Conversation<'a>> {
        let process = Process::launch(keeper, launch, output, Duration::ZERO)?;
        Ok(Conversation {
            process,
            interrupt,
            transcript: Transcript::new(),
            listened: Instant::now(),
            late: None,
        })
    }

    /// Takes down something that happened.
    pub fn note(&mut self, text: &str) {
        self.transcript.note(text);
    }

    /// Sends these bytes.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.transcript.add(Voice::Arbitro, bytes);
        self.process.send(bytes)
    }

    /// Sends nothing more.
    pub fn close_stdin(&mut self) {
        if self.process.stdin_fd().is_some() {
            self.transcript.note("arbitro closes stdin");
        }
        self.process.close_stdin();
    }

    /// Listens for a line, for so long of the program's own time.
    pub fn listen(&mut self, patience: Duration) -> io::Result<Heard> {
        self.process.mark();
        let (began, mut pause) = (Instant::now(), LOOKS.0);
        self.listened = began;
        let (mut idle, mut waited_for): (Option<Instant>, Wait) = (None, Wait::Unknown);
        loop {
            if let Some(line) = self.line() {
                return Ok(Heard::Line(line));
            }
            if self.has_ended()? {
                match self.line() {
                    Some(line) => return Ok(Heard::Line(line)),
                    None => return Ok(Heard::End),
                }
            }
            if self.wait(Instant::now() + pause)? {
                (pause, idle) = (LOOKS.0, None);
            } else {
                pause = (2 * pause).min(LOOKS.1);
            }
            if self.process.lines().rest().len() > LONGEST_LINE {
                return Ok(Heard::TooLong);
            }
            let wait = self.process.waits_for();
            // It may be just awake when its time is over.
            waited_for = if wait == Wait::Unknown { waited_for } else { wait };
            if wait == Wait::Input && self.process.unread() == 0 {
                if idle.get_or_insert_with(Instant::now).elapsed() >= IDLE {
                    return Ok(Heard::Idle);
                }
            } else {
                idle = None;
            }
            let waited = self.work()?.waiting();
            let is_late = began.elapsed().saturating_sub(waited) >= patience;
            // What it has written meanwhile counts, and one that waits for input is found out above.
            if is_late && idle.is_none() && !self.wait(Instant::now())? {
                return Ok(Heard::Late(waited_for));
            }
        }
    }

    /// Waits until it is seen waiting for input twice in a row, for so long of its own time at the most. Returns whether it was.
    pub fn settle(&mut self, patience: Duration) -> io::Result<bool> {
        self.process.mark();
        let (began, mut pause) = (Instant::now(), Duration::from_millis(1));
        let mut waited = false;
        loop {
            let waits = self.process.waits_for() == Wait::Input && self.process.unread() == 0;
            // What it wrote before that has arrived.
            let news = self.wait(Instant::now())?;
            if waits && waited && !news || self.process.has_ended() {
                return Ok(waits);
            }
            // Threads that take turns may all be seen waiting, each at another moment.
            waited = waits && !news;
            let kept_waiting = self.work()?.waiting();
            if began.elapsed().saturating_sub(kept_waiting) >= patience {
                return Ok(false);
            }
            self.wait(Instant::now() + pause)?;
            pause = (2 * pause).min(LOOKS.1);
        }
    }

    /// Waits for it to end by itself. Returns whether it did before it had computed, or had been seen waiting for something, for so long.
    /// One that wants to run and cannot, or reads the disk, gets more time, but not without end.
    pub fn leaves(&mut self, patience: Duration) -> io::Result<bool> {
        self.process.mark();
        let began = Instant::now();
        let mut stood = Duration::ZERO;
        while !self.process.has_ended() {
            let looked = Instant::now();
            self.wait(looked + LOOKS.1)?;
            if self.process.waits_for() != Wait::Unknown {
                // We may have been kept from looking ourselves.
                stood += looked.elapsed().min(2 * LOOKS.1);
            }
            let work = self.work()?;
            let since = began.elapsed().saturating_sub(work.waiting());
            if stood + work.cpu() >= patience || since >= MOST_PATIENCE * patience {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lets so much time pass, unless it ends before.
    pub fn watch(&mut self, time: Duration) -> io::Result<()> {
        let deadline = Instant::now() + time;
        while Instant::now() < deadline && !self.process.has_ended() {
            self.wait(deadline)?;
        }
        Ok(())
    }

    /// Waits for anything to happen. Returns whether it did before that time.
    fn wait(&mut self, until: Instant) -> io::Result<bool> {
        let process = &mut self.process;
        let timeout =
            Timespec::try_from(until.saturating_duration_since(Instant::now())).map_err(io::Error::other)?;
        let [interrupted, stdout, stderr, keeper, stdin] = {
            let (open, ended) = (process.stream() == Stream::Open, process.has_ended());
            let asked = [
                Some((self.interrupt.as_fd(), PollFlags::IN)),
                open.then(|| (process.stdout_fd(), PollFlags::IN)),
                process.stderr_fd().map(|fd| (fd, PollFlags::IN)),
                (!ended).then(|| (process.keeper_fd(), PollFlags::IN)),
                process.stdin_fd().filter(|_| process.has_unsent()).map(|fd| (fd, PollFlags::OUT)),
            ];
            let waited = asked.into_iter().flatten().map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags));
            let mut fds: Vec<PollFd<'_>> = waited.collect();
            rustix::io::retry_on_intr(|| poll(&mut fds, Some(&timeout)))?;
            let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
            asked.map(|asked| asked.is_some() && ready.next().unwrap_or_default())
        };
        if interrupted {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
        }
        if keeper {
            process.hear_keeper()?;
        }
        if stdin {
            process.send_rest()?;
        }
        if stderr {
            process.read_stderr()?;
        }
        if stdout {
            self.read_stdout()?;
        }
        Ok(stdout || stderr || keeper || stdin)
    }

    /// Reads once from stdout. Returns how many bytes came.
    fn read_stdout(&mut self) -> io::Result<usize> {
        let count = self.process.read_stdout()?;
        if count > 0 {
            let unread = self.process.lines().unread();
            let new = &unread[unread.len() - count..];
            self.transcript.add(Voice::Bot, new);
            self.late.iter_mut().for_each(|late| late.extend_from_slice(new));
        }
        Ok(count)
    }

    /// Reads what is left in its pipes.
    fn read_rest(&mut self) -> io::Result<()> {
        for _ in 0..MOST_READS {
            if self.process.stream() == Stream::Closed || self.read_stdout()? == 0 {
                break;
            }
        }
        for _ in 0..MOST_READS {
            if self.process.read_stderr()? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// The next whole line that has come.
    pub fn line(&mut self) -> Option<Vec<u8>> {
        self.process.lines().next_line().map(<[u8]>::to_vec)
    }

    /// Whether it runs no more, or has closed its stdout; all that it left is then read, and how it ended is known if it did.
    fn has_ended(&mut self) -> io::Result<bool> {
        if self.process.stream() == Stream::Open && !self.process.has_ended() {
            return Ok(false);
        }
        let deadline = Instant::now() + EXIT_NEWS;
        while !self.process.has_ended() && Instant::now() < deadline {
            self.wait(deadline)?;
        }
        self.read_rest()?;
        Ok(true)
    }

    /// How much of its own time has passed since it was last listened to.
    pub fn spent(&mut self) -> io::Result<Duration> {
        Ok(self.listened.elapsed().saturating_sub(self.work()?.waiting()))
    }

    /// What it has done since it was last listened to.
    pub fn work(&mut self) -> io::Result<Work> {
        if self.process.has_ended() {
            return Ok(Work::default());
        }
        Ok(self.process.measure()?.work)
    }

    /// What it has written of a line without a newline.
    pub fn unfinished(&mut self) -> Vec<u8> {
        self.process.lines().rest().to_vec()
    }

    /// How many bytes it was sent and has not read.
    pub fn unread(&self) -> usize {
        self.process.unread()
    }

    /// Closes its stdin, and returns what it writes then.
    pub fn last_words(&mut self, patience: Duration) -> io::Result<Vec<u8>> {
        self.process.lines().clear();
        self.late = Some(Vec::new());
        self.close_stdin();
        self.leaves(patience)?;
        self.read_rest()?;
        Ok(self.late.take().unwrap_or_default())
    }

    /// What it has written to stderr up to now.
    pub fn stderr(&mut self) -> io::Result<Vec<u8>> {
        self.read_rest()?;
        Ok(self.process.stderr())
    }

    /// How it ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        self.process.exit()
    }

    /// The error for which it was not started, if it was not.
    pub fn start_error(&self) -> Option<io::Error> {
        self.process.start_error()
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.process.has_ended()
    }

    /// What it has used, once it has ended.
    pub fn usage(&self) -> Usage {
        self.process.usage()
    }

    /// Whether it has ended, and something that it had started had not.
    pub fn left_running(&self) -> bool {
        self.process.left_running()
    }

    /// Whether it sees its own files only.
    pub fn is_inside(&self) -> bool {
        self.process.is_inside()
    }

    /// The conversation for people.
    pub fn transcript(&self) -> Vec<Line> {
        self.transcript.lines()
    }

    /// Kills what is left of it: then it is known what it has used.
    pub fn sweep(&mut self) -> io::Result<()> {
        self.process.begin_sweep();
        self.process.await_sweep()
    }

    /// Kills what is left of it, and gives back the keeper if it can be used again.
    pub fn end(mut self) -> io::Result<(Ended, Option<Keeper>)> {
        self.sweep()?;
        let ended = Ended {
            usage: self.process.usage(),
            wrote: self.process.written().names.clone(),
            left_running: self.process.left_running(),
        };
        let (keeper, _) = self.process.dismiss()?;
        Ok((ended, keeper))
    }
}
