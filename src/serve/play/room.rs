//! Where the thread that referees a game meets those who show it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;

use super::hint;
use super::table::{Kind, Objection, Player, Table};
use crate::game::{Seat, Setup};
use crate::record::{GameRecord, Terms};
use crate::referee::interrupt::Interrupt;
use crate::serve::events::{Channel, Snapshot};

/// What people want that ends the game which runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The same game again, beginning with these plies.
    Undo(Vec<(Seat, String)>),
    /// Another game, with sides exchanged.
    New,
    /// No more games.
    Quit,
}

/// A room with a table in it.
pub struct Room {
    pub(super) channel: Arc<Channel<Table>>,
    /// Ends a game early.
    pub interrupt: Interrupt,
    /// Readable when people have answered.
    pub(super) woken: UnixStream,
    waker: UnixStream,
    wish: Mutex<Option<Wish>>,
    setup: Setup,
    board_file: String,
}

impl Room {
    /// A room for games on these terms. Signals are caught from now on.
    pub fn new(setup: &Setup, terms: &Terms, board_file: &str) -> io::Result<Room> {
        let (woken, waker) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        waker.set_nonblocking(true)?;
        let table = Table::new(setup, terms.clone(), hint::has_engine(setup));
        Ok(Room {
            channel: Arc::new(Channel::new(table)),
            interrupt: Interrupt::catch()?,
            woken,
            waker,
            wish: Mutex::default(),
            setup: setup.clone(),
            board_file: board_file.to_owned(),
        })
    }

    /// Looks at the table.
    pub fn see<T>(&self, look: impl FnOnce(&mut Table) -> T) -> T {
        self.channel.update(|table, _| look(table))
    }

    /// Changes something on the table, and shows it.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Table) -> T) -> T {
        self.channel.update(|table, events| {
            let result = change(table);
            events.push(table.snapshot());
            result
        })
    }

    /// Puts a new game on the table, which begins with these plies.
    pub fn begin(&self, players: Vec<Player>, beginning: &[(Seat, String)]) {
        let is_person =
            |seat: &Seat| players.get(seat.index()).is_some_and(|player| player.kind == Kind::Person);
        let of_people = beginning.iter().filter(|(seat, _)| is_person(seat));
        let script: VecDeque<String> = of_people.map(|(_, text)| text.clone()).collect();
        self.change(|table| table.begin(&self.setup, players, script));
    }

    /// The game has ended, and is kept.
    pub fn end(&self, record: &GameRecord) {
        self.change(|table| table.end(record));
    }

    /// Tells people something.
    pub fn tell(&self, text: &str) {
        self.change(|table| table.say(text));
    }

    /// What people want, if they want another game than the one they had.
    pub fn take_wish(&self) -> Option<Wish> {
        self.interrupt.forget_breaks();
        self.wish.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Waits until people want something, or a signal comes.
    pub fn wait(&self) {
        let mut fds = [PollFd::new(&self.interrupt, PollFlags::IN)];
        // A wait that fails is over too.
        let _ = retry_on_intr(|| poll(&mut fds, None));
    }

    fn wish(&self, wish: Wish) {
        *self.wish.lock().unwrap_or_else(PoisonError::into_inner) = Some(wish);
        self.interrupt.break_off();
    }

    fn wake(&self) {
        // If it is full, it wakes too.
        let _ = (&self.waker).write(&[0]);
    }

    /// A person plays a move.
    ///
    /// # Errors
    /// If it cannot be played now.
    pub fn play(&self, text: &str) -> Result<(), Objection> {
        self.change(|table| table.play(text))?;
        self.wake();
        Ok(())
    }

    /// A person gives up.
    ///
    /// # Errors
    /// If there is nothing to give up.
    pub fn resign(&self) -> Result<(), Objection> {
        self.change(Table::resign)?;
        self.wake();
        Ok(())
    }

    /// The last move of a person is taken back.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn undo(&self) -> Result<(), Objection> {
        let beginning = self.see(|table| Some(table.beginning(table.undo_to()?)));
        let why = "nothing can be taken back here";
        self.wish(Wish::Undo(beginning.ok_or(Objection::NotNow(why))?));
        Ok(())
    }

    /// Another game is wanted, with sides exchanged.
    ///
    /// # Errors
    /// None by now.
    pub fn new_game(&self) -> Result<(), Objection> {
        self.wish(Wish::New);
        Ok(())
    }

    /// No more games are wanted.
    pub fn quit(&self) {
        self.wish(Wish::Quit);
    }

    /// The reference is asked what it would play. It is told once it knows.
    ///
    /// # Errors
    /// If nobody needs a hint.
    pub fn hint(self: &Arc<Self>) -> Result<(), Objection> {
        let plies = self.change(|table| {
            let can = table.can_hint();
            table.think_of_hint(can);
            can.then(|| table.beginning(usize::MAX))
        });
        let plies = plies.ok_or(Objection::NotNow("there is no hint to be had now"))?;
        let room = self.clone();
        // A thread of its own: nobody waits for it.
        thread::spawn(move || {
            let text = hint::hint(&room.setup, &room.board_file, &plies);
            room.change(|table| {
                table.think_of_hint(false);
                table.take_hint(plies.len(), text.as_deref());
            });
        });
        Ok(())
    }
}
