//! A program in a game that people play at the terminal: it is told what the others do, and asked when it is its turn.
//!
//! The thread that asks it waits for it alone, since a person has no deadline. What is written meanwhile waits in its
//! pipes.

use std::io;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::Terms;
use super::clock::Clock;
use super::noise::Noise;
use super::player::{SHOWN, last_line};
use super::table::{EXIT_NEWS, FAREWELL};
use crate::contain::executable;
use crate::contain::keeper::Keeper;
use crate::contain::launch::Launch;
use crate::contain::process::{Process, Stream};
use crate::game::Refusal;
use crate::record::text::printable;

/// A program among people.
pub struct Guest {
    bot: Process,
    program: String,
    terms: Terms,
    clock: Clock,
    spawned: Instant,
    moved: bool,
    noise: Noise,
    retries: u32,
}

/// Why a program cannot play on, in words that follow its name.
pub type Fault = String;

impl Guest {
    /// Starts a program.
    pub fn invite(launch: Launch, terms: &Terms) -> io::Result<Guest> {
        Ok(Guest {
            program: launch.program.clone(),
            bot: Process::launch(Keeper::spawn()?, launch, terms.output)?,
            terms: terms.clone(),
            clock: Clock::new(terms.time, terms.move_time),
            spawned: Instant::now(),
            moved: false,
            noise: Noise::default(),
            retries: terms.retries,
        })
    }

    /// Tells it what others have done. Whatever it has written before that is out of turn.
    pub fn tell(&mut self, news: &str) -> io::Result<()> {
        self.bot.read_stdout()?;
        while self.bot.lines().next_line().is_some() {}
        self.bot.send(news.as_bytes())
    }

    /// Waits for its move, which `play` plays or refuses. On a fault it is as good as gone.
    pub fn ask(
        &mut self,
        mut play: impl FnMut(&str) -> Result<(), Refusal>,
    ) -> io::Result<Result<(), Fault>> {
        let began = Instant::now();
        loop {
            if let Some(answer) = self.judge_lines(began, &mut play) {
                return Ok(answer);
            }
            if let Some(error) = self.bot.start_error() {
                return Ok(Err(format!("was not started: {}", executable::explain(&self.program, error))));
            }
            if self.bot.has_ended() || self.bot.stream() == Stream::Closed {
                // Whatever it wrote before that still counts.
                if self.bot.read_last_words()? {
                    continue;
                }
                return self.crash().map(Err);
            }
            let deadline = self.clock.deadline(self.clock_began(began));
            if Instant::now() >= deadline {
                return Ok(Err(self.timeout(began)));
            }
            self.wait(deadline)?;
        }
    }

    /// Before its first move it has a while to come up: until its first byte, or until the allowance is used.
    fn clock_began(&self, began: Instant) -> Instant {
        let allowed = self.spawned + self.terms.startup;
        if self.moved { began } else { began.max(self.bot.heard().unwrap_or(allowed).min(allowed)) }
    }

    fn judge_lines(
        &mut self,
        began: Instant,
        play: &mut impl FnMut(&str) -> Result<(), Refusal>,
    ) -> Option<Result<(), Fault>> {
        let taken = self.bot.read_at().saturating_duration_since(self.clock_began(began));
        while let Some(line) = self.bot.lines().next_line() {
            let played = match std::str::from_utf8(line) {
                Ok(text) => play(text),
                Err(_) => Err(Refusal::NotAMove("plain text, which this is not")),
            };
            let (shown, length) = (printable(line, SHOWN), line.len());
            match played {
                Ok(()) => {
                    self.clock.charge(taken);
                    self.moved = true;
                    return Some(Ok(()));
                }
                Err(refusal @ Refusal::NotAMove(_)) if self.terms.strict => {
                    return Some(Err(format!("wrote '{shown}', which is {refusal}")));
                }
                Err(Refusal::NotAMove(_)) => self.noise.add(length),
                Err(Refusal::Illegal(why)) if self.retries == 0 => {
                    return Some(Err(format!("played '{shown}', but {why}")));
                }
                Err(Refusal::Illegal(_)) => self.retries -= 1,
            }
            if let Some(fault) = self.noise.too_much(&[]) {
                return Some(Err(fault));
            }
        }
        self.noise.too_much(self.bot.lines().rest()).map(Err)
    }

    /// Waits for anything to happen with it, at most until the deadline, and takes in what it has written.
    fn wait(&mut self, deadline: Instant) -> io::Result<()> {
        self.bot.send_rest()?;
        // An end that has been noted would wake us for ever.
        let sources = [
            (self.bot.stream() == Stream::Open).then(|| self.bot.stdout_fd()),
            (!self.bot.has_ended()).then(|| self.bot.keeper_fd()),
            self.bot.stderr_fd(),
        ];
        let watched = sources.iter().flatten().map(|&fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let mut watched: Vec<PollFd> = watched.collect();
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut watched, Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut ready = watched.iter().map(|fd| !fd.revents().is_empty());
        let [stdout, keeper, stderr] = sources.map(|fd| fd.is_some() && ready.next() == Some(true));
        if stdout {
            self.bot.read_stdout()?;
        }
        if keeper {
            self.bot.hear_of_end()?;
        }
        if stderr {
            self.bot.read_stderr()?;
        }
        Ok(())
    }

    /// It has no voice any more. Usually its process has ended, and the news of how is here or on its way.
    fn crash(&mut self) -> io::Result<Fault> {
        let deadline = Instant::now() + EXIT_NEWS;
        while !self.bot.has_ended() && Instant::now() < deadline {
            self.wait(deadline)?;
        }
        self.bot.read_last_words()?;
        if self.bot.usage().over_memory {
            return Ok(format!("uses more memory than the {} it may have", self.terms.limits.memory));
        }
        let what = match self.bot.exit() {
            Some(exit) => exit.to_string(),
            None => "closed its stdout".to_owned(),
        };
        let words = last_line(self.bot.stderr_end());
        Ok(if words.is_empty() { what } else { format!("{what}; the last it wrote to stderr: {words}") })
    }

    fn timeout(&mut self, began: Instant) -> Fault {
        let allowed = self.clock.allowance().as_secs_f64();
        let rest = printable(self.bot.lines().rest(), SHOWN);
        self.clock.run_down(Instant::now() - began);
        let hint = if rest.is_empty() {
            String::new()
        } else {
            format!("; it wrote '{rest}' without a newline at the end")
        };
        format!("made no move within {allowed:.1} s{hint}")
    }

    /// Lets it leave by itself for a short while, then clears up behind it.
    pub fn dismiss(mut self) -> io::Result<()> {
        self.bot.close_stdin();
        let deadline = Instant::now() + FAREWELL;
        while !self.bot.has_ended() && Instant::now() < deadline {
            self.wait(deadline)?;
            self.bot.lines().clear();
        }
        self.bot.begin_sweep();
        self.bot.await_sweep();
        Ok(())
    }
}
