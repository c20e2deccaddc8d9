//! Everything that a game waits for, in one place: what programs write, their ends, people, and an interruption.
//!
//! An `epoll` set and not `poll` with a list: what is waited for hardly changes from ply to ply, and telling the kernel all
//! of it anew for each would cost a tenth of a ply. But the kernel limits what all `epoll` sets of an account hold together, and programs
//! run under the same account. What does not go into the set any more is waited for with `poll`, after all.

use std::cell::RefCell;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
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

    /// The seat that it is about, if it is about one.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Source::Stdout(seat) | Source::Stderr(seat) | Source::Keeper(seat) | Source::Stdin(seat) => {
                Some(seat)
            }
            Source::Interrupt | Source::Alarm | Source::Person => None,
        }
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
    /// What the kernel has refused to take into the `epoll` set.
    refused: RefCell<Vec<Refused>>,
    /// What of that the last wait has brought.
    more: Vec<Source>,
    alarm: OwnedFd,
    /// When the alarm goes off. Deadlines move on with every ply, and setting it anew each time would cost more than
    /// being woken once too early.
    alarm_at: Option<Instant>,
}

/// A descriptor that is waited for with `poll`.
struct Refused {
    fd: RawFd,
    source: Source,
}

impl Poller {
    /// Waits for an interruption, and for nothing else yet.
    pub fn new(interrupt: &Interrupt) -> io::Result<Poller> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let alarm = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        let (events, refused) = (Vec::with_capacity(32), RefCell::default());
        let poller = Poller { epoll, events, refused, more: Vec::new(), alarm, alarm_at: None };
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
        match epoll::add(&self.epoll, fd, epoll::EventData::new_u64(source.number()), flag) {
            Err(Errno::NOSPC | Errno::NOMEM) => {
                self.add_to_poll(fd, source);
                Ok(())
            }
            other => Ok(other?),
        }
    }

    fn add_to_poll(&self, fd: BorrowedFd<'_>, source: Source) {
        self.refused.borrow_mut().push(Refused { fd: fd.as_raw_fd(), source });
    }

    /// Waits no more for what has been closed. An `epoll` set notices that by itself.
    pub fn forget_closed(&mut self, is_open: impl Fn(Source) -> bool) {
        self.refused.get_mut().retain(|refused| is_open(refused.source));
    }

    /// Waits for this no more; what is not waited for anyway is no error.
    pub fn remove(&self, fd: BorrowedFd<'_>) -> io::Result<()> {
        self.refused.borrow_mut().retain(|refused| refused.fd != fd.as_raw_fd());
        match epoll::delete(&self.epoll, fd) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until something happens, at most until the deadline. It may end early with nothing.
    pub fn wait(&mut self, deadline: Instant) -> io::Result<()> {
        self.events.clear();
        self.more.clear();
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
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let refused_any = !self.refused.borrow().is_empty();
        if refused_any {
            self.poll()?;
        }
        // What there is to wait for has been waited for then.
        let timeout = refused_any.then_some(&at_once);
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), timeout) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if self.has(Source::Alarm) {
            // Set anew by the next wait, which also silences it.
            self.alarm_at = None;
        }
        Ok(())
    }

    /// Waits for the set or any descriptor that is not in it, and takes note of the latter.
    fn poll(&mut self) -> io::Result<()> {
        let waiting = |fd: RawFd, events: i16| libc::pollfd { fd, events, revents: 0 };
        let mut all = vec![waiting(self.epoll.as_raw_fd(), libc::POLLIN)];
        let refused = self.refused.borrow();
        all.extend(refused.iter().map(|refused| match refused.source {
            Source::Stdin(_) => waiting(refused.fd, libc::POLLOUT),
            _ => waiting(refused.fd, libc::POLLIN),
        }));
        // SAFETY: the pointer is to as many structures as are said to be there. The kernel copes with any number of a descriptor.
        let result = unsafe { libc::poll(all.as_mut_ptr(), all.len() as libc::nfds_t, -1) };
        if result == -1 {
            let error = io::Error::last_os_error();
            return if error.kind() == io::ErrorKind::Interrupted { Ok(()) } else { Err(error) };
        }
        let ready = refused.iter().zip(&all[1..]).filter(|(_, polled)| polled.revents != 0);
        self.more.extend(ready.map(|(refused, _)| refused.source));
        Ok(())
    }

    /// How much the last wait has brought.
    pub fn count(&self) -> usize {
        self.events.len() + self.more.len()
    }

    /// One of the things that it has brought.
    pub fn event(&self, index: usize) -> Source {
        match self.events.get(index) {
            Some(event) => Source::from_number(event.data.u64()),
            None => self.more[index - self.events.len()],
        }
    }

    /// Whether it has brought this.
    pub fn has(&self, source: Source) -> bool {
        let number = source.number();
        self.events.iter().any(|event| event.data.u64() == number) || self.more.contains(&source)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

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

    /// A program that used up what the account may have in `epoll` sets once ended the whole championship.
    #[test]
    fn what_is_not_taken_into_the_set_is_waited_for_as_well() {
        let interrupt = Interrupt::catch().unwrap();
        let mut poller = Poller::new(&interrupt).unwrap();
        let pipe = || std::io::pipe().unwrap();
        let ((inside, mut to_inside), (beside, mut to_beside), (_reader, writer)) = (pipe(), pipe(), pipe());
        let [first, second] = [0, 1].map(|seat| Source::Stdout(Seat(seat)));
        poller.add(inside.as_fd(), first).unwrap();
        poller.add_to_poll(beside.as_fd(), second);
        let soon = || Instant::now() + Duration::from_millis(10);
        let late = || Instant::now() + Duration::from_secs(60);
        let brought = |poller: &Poller| (0..poller.count()).map(|at| poller.event(at)).collect::<Vec<_>>();

        poller.wait(soon()).unwrap();
        assert_eq!(brought(&poller), [Source::Alarm]);
        to_beside.write_all(b"x").unwrap();
        poller.wait(late()).unwrap();
        assert_eq!(brought(&poller), [second]);
        assert!(poller.has(second) && !poller.has(first));
        to_inside.write_all(b"x").unwrap();
        poller.wait(late()).unwrap();
        assert_eq!(brought(&poller), [first, second]);

        poller.remove(beside.as_fd()).unwrap();
        poller.wait(late()).unwrap();
        assert_eq!(brought(&poller), [first]);
        poller.remove(inside.as_fd()).unwrap();
        // It takes more at once.
        poller.add_to_poll(writer.as_fd(), Source::Stdin(Seat(0)));
        poller.wait(late()).unwrap();
        assert_eq!(brought(&poller), [Source::Stdin(Seat(0))]);
        drop(writer);
        poller.forget_closed(|source| source != Source::Stdin(Seat(0)));
        poller.wait(soon()).unwrap();
        assert_eq!(brought(&poller), [Source::Alarm]);
    }
}
