//! Everything a game waits for that seldom happens, behind one descriptor: the wait for each move has to look at one
//! place instead of one for every program's stderr and end, which is a fifth of what a ply costs.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};

use super::bot::Bot;
use super::interrupt::Interrupt;
use crate::game::Seat;

/// What seldom happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rare {
    /// There is something on a program's stderr, or its end.
    Stderr(Seat),
    /// A program's keeper has something to say.
    Exit(Seat),
    /// Somebody wants it all to end.
    Interrupt,
}

impl Rare {
    fn number(self) -> u64 {
        match self {
            Rare::Interrupt => 0,
            Rare::Stderr(seat) => 1 + 2 * u64::from(seat.0),
            Rare::Exit(seat) => 2 + 2 * u64::from(seat.0),
        }
    }

    fn from_number(number: u64) -> Rare {
        let seat = || Seat(((number - 1) / 2) as u8);
        match number {
            0 => Rare::Interrupt,
            number if number % 2 == 1 => Rare::Stderr(seat()),
            _ => Rare::Exit(seat()),
        }
    }
}

/// A set of things to wait for; itself to be waited for.
pub struct Watch {
    epoll: OwnedFd,
    events: Vec<epoll::Event>,
}

impl Watch {
    /// Watches the programs of one game, in order of their seats.
    pub fn new<'a>(interrupt: &Interrupt, bots: impl Iterator<Item = &'a Bot>) -> io::Result<Watch> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let add = |fd: BorrowedFd<'_>, event: Rare| {
            epoll::add(&epoll, fd, epoll::EventData::new_u64(event.number()), epoll::EventFlags::IN)
        };
        add(interrupt.as_fd(), Rare::Interrupt)?;
        for (seat, bot) in (0..).map(Seat).zip(bots) {
            if let Some(stderr) = bot.stderr_fd() {
                add(stderr, Rare::Stderr(seat))?;
            }
            add(bot.keeper_fd(), Rare::Exit(seat))?;
        }
        Ok(Watch { epoll, events: Vec::with_capacity(32) })
    }

    /// From now on an interruption wakes nobody.
    pub fn ignore_interrupt(&self, interrupt: &Interrupt) -> io::Result<()> {
        Ok(epoll::delete(&self.epoll, interrupt)?)
    }

    /// What has happened.
    pub fn events(&mut self) -> io::Result<impl Iterator<Item = Rare>> {
        self.events.clear();
        epoll::wait(&self.epoll, spare_capacity(&mut self.events), Some(&Timespec::default()))?;
        Ok(self.events.drain(..).map(|event| Rare::from_number(event.data.u64())))
    }
}

impl AsFd for Watch {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.epoll.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_keep_their_numbers() {
        for seat in (0..10).map(Seat) {
            for event in [Rare::Stderr(seat), Rare::Exit(seat), Rare::Interrupt] {
                assert_eq!(Rare::from_number(event.number()), event);
            }
        }
    }
}
