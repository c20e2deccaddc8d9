//! Everything that a game waits for, in one place: what programs write, their ends, people, and an interruption.
//!
//! An `epoll` set and not `poll` with a list: what is waited for hardly changes from ply to ply, and telling the kernel all
//! of it anew for each would cost a tenth of a ply.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};

use super::interrupt::Interrupt;
use crate::contain::process::Process;
use crate::game::Seat;

/// What can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Somebody wants it all to end.
    Interrupt,
    /// There is something on a program's stdout, or its end.
    Stdout(Seat),
    /// There is something on a program's stderr, or its end.
    Stderr(Seat),
    /// A program's keeper has something to say.
    Keeper(Seat),
    /// A program's stdin takes more.
    Stdin(Seat),
    /// A person has answered.
    Person,
    /// The alarm has gone off.
    Alarm,
}

impl Source {
    /// As the kernel keeps it: the kind in the lowest bits, above them the seat.
    fn number(self) -> u64 {
        let (kind, seat) = match self {
            Source::Interrupt => (0, Seat(0)),
            Source::Stdout(seat) => (1, seat),
            Source::Stderr(seat) => (2, seat),
            Source::Keeper(seat) => (3, seat),
            Source::Stdin(seat) => (4, seat),
            Source::Alarm => (5, Seat(0)),
            Source::Person => (6, Seat(0)),
        };
        u64::from(seat.0) << 3 | kind
    }

    fn from_number(number: u64) -> Source {
        let seat = Seat((number >> 3) as u8);
        match number & 7 {
            1 => Source::Stdout(seat),
            2 => Source::Stderr(seat),
            3 => Source::Keeper(seat),
            4 => Source::Stdin(seat),
            5 => Source::Alarm,
            6 => Source::Person,
            _ => Source::Interrupt,
        }
    }
}

/// A set of things to wait for.
pub struct Poller {
    epoll: OwnedFd,
    events: Vec<epoll::Event>,
    alarm: OwnedFd,
    /// When the alarm goes off. Deadlines move on with every ply, and setting it anew each time would cost more than
    /// being woken once too early.
    alarm_at: Option<Instant>,
}

impl Poller {
    /// Waits for an interruption, and for nothing else yet.
    pub fn new(interrupt: &Interrupt) -> io::Result<Poller> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let alarm = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        let poller = Poller { epoll, events: Vec::with_capacity(32), alarm, alarm_at: None };
        poller.add(poller.alarm.as_fd(), Source::Alarm)?;
        poller.add(interrupt.as_fd(), Source::Interrupt)?;
        Ok(poller)
    }

    /// Waits for the program at a seat too.
    pub fn add_process(&self, process: &Process, seat: Seat) -> io::Result<()> {
        self.add(process.stdout_fd(), Source::Stdout(seat))?;
        self.add(process.keeper_fd(), Source::Keeper(seat))?;
        process.stderr_fd().map_or(Ok(()), |stderr| self.add(stderr, Source::Stderr(seat)))
    }

    /// Waits for this too.
    pub fn add(&self, fd: BorrowedFd<'_>, source: Source) -> io::Result<()> {
        let flag = match source {
            Source::Stdin(_) => epoll::EventFlags::OUT,
            _ => epoll::EventFlags::IN,
        };
        Ok(epoll::add(&self.epoll, fd, epoll::EventData::new_u64(source.number()), flag)?)
    }

    /// Waits for this no more; what is not waited for anyway is no error.
    pub fn remove(&self, fd: BorrowedFd<'_>) -> io::Result<()> {
        match epoll::delete(&self.epoll, fd) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until something happens, at most until the deadline. It may end early with nothing.
    pub fn wait(&mut self, deadline: Instant) -> io::Result<()> {
        self.events.clear();
        if self.alarm_at.is_none_or(|at| at > deadline) {
            // Nothing at all would turn it off, so that a deadline that has passed is set to the next moment.
            let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_nanos(1));
            let once = Timespec { tv_sec: 0, tv_nsec: 0 };
            let value = Timespec::try_from(left).map_err(io::Error::other)?;
            timerfd_settime(
                &self.alarm,
                TimerfdTimerFlags::empty(),
                &Itimerspec { it_interval: once, it_value: value },
            )?;
            self.alarm_at = Some(deadline);
        }
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if self.has(Source::Alarm) {
            // Set anew by the next wait, which also silences it.
            self.alarm_at = None;
        }
        Ok(())
    }

    /// How much the last wait has brought.
    pub fn count(&self) -> usize {
        self.events.len()
    }

    /// One of the things that it has brought.
    pub fn event(&self, index: usize) -> Source {
        Source::from_number(self.events[index].data.u64())
    }

    /// Whether it has brought this.
    pub fn has(&self, source: Source) -> bool {
        let number = source.number();
        self.events.iter().any(|event| event.data.u64() == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_keep_their_numbers() {
        for seat in (0..10).map(Seat) {
            let sources =
                [Source::Stdout(seat), Source::Stderr(seat), Source::Keeper(seat), Source::Stdin(seat)];
            for source in sources.into_iter().chain([Source::Interrupt, Source::Alarm, Source::Person]) {
                assert_eq!(Source::from_number(source.number()), source);
            }
        }
    }
}
