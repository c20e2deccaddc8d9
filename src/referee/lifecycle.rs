//! The programs of one game: starting them, sending to them, waiting for them, and clearing up behind them.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::interrupt::Interrupt;
use super::poller::{Poller, Source};
use super::program::Program;
use super::protocol::Dialogue;
use super::seats::ProgramSeat;
use crate::contain::keeper::Keeper;
use crate::contain::process::Stream;
use crate::game::Seat;
use crate::record::Terms;

/// How long a program may take to leave when the game is over.
const FAREWELL: Duration = Duration::from_millis(200);

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// Something happened, or the deadline has passed.
    Usual,
    /// A person has answered.
    Person,
    /// Somebody wants it all to end.
    Interrupted,
}

/// The programs by seat; at other seats are people and scripts.
pub struct Programs {
    seats: Vec<Option<Program>>,
    poller: Poller,
    /// What is about to be sent.
    out: String,
    /// How long the last wait took for what programs wrote that are not to move, or took in.
    for_others: Duration,
}

impl Programs {
    /// Starts all programs, side by side. Keepers that are not used are dropped.
    pub fn start(
        seats: Vec<Option<ProgramSeat>>,
        keepers: Vec<Keeper>,
        terms: &Terms,
        interrupt: &Interrupt,
    ) -> io::Result<Programs> {
        let mut keepers = keepers.into_iter();
        let mut start = |seat: Option<ProgramSeat>| {
            let Some(program) = seat else { return Ok(None) };
            let keeper = keepers.next().map_or_else(Keeper::spawn, Ok)?;
            Program::start(program, keeper, terms).map(Some)
        };
        let seats = seats.into_iter().map(&mut start).collect::<io::Result<Vec<_>>>()?;
        let poller = Poller::new(interrupt)?;
        let mut programs =
            Programs { seats, poller, out: String::with_capacity(32), for_others: Duration::ZERO };
        for seat in programs.all() {
            if let Some(program) = programs.get(seat) {
                programs.poller.add_process(&program.process, seat)?;
            }
            programs.converse(seat, |dialogue, out| dialogue.begin(terms, out))?;
        }
        Ok(programs)
    }

    /// All seats, in order, whoever sits there.
    pub fn all(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.seats.len() as u8).map(Seat)
    }

    /// The program at a seat.
    pub fn get(&self, seat: Seat) -> Option<&Program> {
        self.seats[seat.index()].as_ref()
    }

    /// The program at a seat, to change it.
    pub fn get_mut(&mut self, seat: Seat) -> Option<&mut Program> {
        self.seats[seat.index()].as_mut()
    }

    /// The program at a seat that is known to have one.
    pub fn at(&mut self, seat: Seat) -> &mut Program {
        self.seats[seat.index()].as_mut().expect("a program sits there")
    }

    /// Every program with its seat.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Program)> {
        (0..).map(Seat).zip(&self.seats).filter_map(|(seat, program)| Some((seat, program.as_ref()?)))
    }

    /// Every program with its seat, to change it.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut Program)> {
        (0..).map(Seat).zip(&mut self.seats).filter_map(|(seat, program)| Some((seat, program.as_mut()?)))
    }

    /// Waits for people too, who answer on this. Files cannot be waited for: what is in them is there already.
    pub fn wait_for_people(&self, input: impl AsFd) -> io::Result<Woken> {
        match self.poller.add(input.as_fd(), Source::Person) {
            Err(error) if error.raw_os_error() == Some(libc::EPERM) => Ok(Woken::Person),
            other => other.map(|()| Woken::Usual),
        }
    }

    /// Waits for people no more.
    pub fn forget_people(&self, input: impl AsFd) -> io::Result<()> {
        match self.poller.remove(input.as_fd()) {
            Err(error) if error.raw_os_error() == Some(libc::EPERM) => Ok(()),
            other => other,
        }
    }

    /// Has the conversation with the program at a seat go on, and sends what comes of it.
    pub fn converse<T: Default>(
        &mut self,
        seat: Seat,
        speak: impl FnOnce(&mut dyn Dialogue, &mut String) -> T,
    ) -> io::Result<T> {
        let Some(program) = &mut self.seats[seat.index()] else { return Ok(T::default()) };
        let result = speak(program.dialogue.as_mut(), &mut self.out);
        self.send(seat)?;
        Ok(result)
    }

    /// The program at a seat and what is about to be sent to it with [`Programs::send`].
    pub fn with_out(&mut self, seat: Seat) -> (&mut Program, &mut String) {
        (self.seats[seat.index()].as_mut().expect("a program sits there"), &mut self.out)
    }

    /// Sends a program what there is to send.
    pub fn send(&mut self, seat: Seat) -> io::Result<()> {
        if self.out.is_empty() {
            return Ok(());
        }
        let Some(program) = &mut self.seats[seat.index()] else { return Ok(()) };
        let process = &mut program.process;
        let waiting = process.has_unsent();
        process.send(self.out.as_bytes())?;
        self.out.clear();
        match process.stdin_fd() {
            Some(stdin) if process.has_unsent() && !waiting => self.poller.add(stdin, Source::Stdin(seat)),
            _ => Ok(()),
        }
    }

    /// Hears no more of a program that has lost already by what it wrote: it waits on its full pipe.
    pub fn stop_hearing(&mut self, seat: Seat) -> io::Result<()> {
        self.out.clear();
        self.get(seat).map_or(Ok(()), |program| self.poller.remove(program.process.stdout_fd()))
    }

    /// Waits for anything to happen, at most until the deadline, and takes in what programs have written. What the mover has
    /// written is read first: its clock runs.
    pub fn wait(&mut self, mover: Option<Seat>, deadline: Instant) -> io::Result<Woken> {
        let seats = &self.seats;
        let process = |seat: Seat| seats[seat.index()].as_ref().map(|program| &program.process);
        self.poller.forget_closed(|source| match source {
            Source::Stdin(seat) => process(seat).is_some_and(|process| process.stdin_fd().is_some()),
            Source::Stderr(seat) => process(seat).is_some_and(|process| process.stderr_fd().is_some()),
            _ => true,
        });
        self.poller.wait(deadline)?;
        if let Some(mover) = mover.filter(|&mover| self.poller.has(Source::Stdout(mover))) {
            self.read_stdout(mover)?;
        }
        let mut woken = Woken::Usual;
        self.for_others = Duration::ZERO;
        // What the mover has written was read before all else.
        let is_on_clock = !mover.is_some_and(|mover| self.poller.has(Source::Stdout(mover)));
        for index in 0..self.poller.count() {
            let event = self.poller.event(index);
            let of_another = is_on_clock && event.seat().is_some_and(|seat| Some(seat) != mover);
            let of_another = of_another.then(Instant::now);
            match event {
                Source::Stdout(seat) if Some(seat) == mover => {}
                Source::Stdout(seat) => self.read_stdout(seat)?,
                Source::Stdin(seat) => self.send_rest(seat)?,
                Source::Stderr(seat) => drop(self.at(seat).process.read_stderr()?),
                Source::Keeper(seat) => {
                    let program = self.seats[seat.index()].as_mut().expect("a program sits there");
                    program.process.hear_keeper()?;
                    if program.process.has_ended() {
                        self.poller.remove(program.process.keeper_fd())?;
                    }
                }
                Source::Alarm => {}
                Source::Person if woken == Woken::Usual => woken = Woken::Person,
                Source::Person => {}
                Source::Interrupt => woken = Woken::Interrupted,
            }
            self.for_others += of_another.map_or(Duration::ZERO, |begun| begun.elapsed());
        }
        Ok(woken)
    }

    /// How long the last wait took for programs that are not to move: they can make that long, and it is not the mover's time.
    pub fn time_for_others(&self) -> Duration {
        self.for_others
    }

    fn read_stdout(&mut self, seat: Seat) -> io::Result<()> {
        let program = self.seats[seat.index()].as_mut().expect("a program sits there");
        program.process.read_stdout()?;
        program.has_news = true;
        // An end that nobody takes note of would wake us for ever.
        match program.process.stream() {
            Stream::Closed => self.poller.remove(program.process.stdout_fd()),
            Stream::Open => Ok(()),
        }
    }

    fn send_rest(&mut self, seat: Seat) -> io::Result<()> {
        let program = self.seats[seat.index()].as_mut().expect("a program sits there");
        program.process.send_rest()?;
        match program.process.stdin_fd() {
            Some(stdin) if !program.process.has_unsent() => self.poller.remove(stdin),
            _ => Ok(()),
        }
    }

    /// Lets programs leave by themselves, for a short while.
    pub fn farewell(&mut self, interrupt: &Interrupt) -> io::Result<()> {
        // A stopped program cannot leave.
        self.iter_mut().for_each(|(_, program)| program.process.go_on_soon());
        for seat in self.all() {
            self.converse(seat, |dialogue, out| dialogue.end(out))?;
            if let Some(program) = &mut self.seats[seat.index()] {
                program.process.close_stdin();
            }
        }
        self.poller.remove(interrupt.as_fd())?;
        let deadline = Instant::now() + FAREWELL;
        while self.iter().any(|(_, program)| !program.process.has_ended()) && Instant::now() < deadline {
            self.wait(None, deadline)?;
            self.iter_mut().for_each(|(_, program)| program.hear_late());
        }
        Ok(())
    }

    /// Kills all that is left of them, and waits until it is gone.
    pub fn sweep(&mut self) -> io::Result<()> {
        self.iter_mut().for_each(|(_, program)| program.process.begin_sweep());
        // All of them, even if one is in trouble.
        let swept: Vec<_> = self.iter_mut().map(|(_, program)| program.process.await_sweep()).collect();
        swept.into_iter().collect()
    }

    /// Gives back what is at each seat.
    pub fn into_seats(self) -> Vec<Option<Program>> {
        self.seats
    }
}
