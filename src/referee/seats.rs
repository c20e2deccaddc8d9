//! A seat is a program, a person or a script.

use std::io;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;

use super::protocol::Dialogue;
use crate::contain::launch::Launch;
use crate::game::{Refusal, Seat};
use crate::record::{Loss, Ply, Warning};

/// Who sits at a seat.
pub enum Sitter {
    /// A process behind pipes.
    Program(Box<ProgramSeat>),
    /// Somebody who answers through the [`Host`] of the game, and has no clock.
    Person,
    /// Moves that are made in this process.
    Script(Box<dyn Script>),
}

/// A program that is to play.
pub struct ProgramSeat {
    /// How it is started.
    pub launch: Launch,
    /// The file that is executed, as it is seen outside: what people are told about.
    pub executable: PathBuf,
    /// The conversation with it.
    pub dialogue: Box<dyn Dialogue>,
}

/// Moves from elsewhere than a process: a list, or an engine of our own.
pub trait Script {
    /// A seat has made this ply; its own are told too.
    fn tell(&mut self, seat: Seat, ply: &Ply);

    /// What to do now; nothing if there is no more to say, and the game is broken off.
    fn ask(&mut self) -> Option<Answer>;
}

/// What people answer on.
pub trait Answers {
    /// To wait for.
    fn input(&self) -> BorrowedFd<'_>;

    /// Takes in what is there. It is called when the input is ready.
    ///
    /// # Errors
    /// If the input has ended.
    fn read(&mut self) -> io::Result<()>;

    /// The next whole answer.
    fn answer(&mut self) -> Option<Answer>;
}

/// What a person or a script answers whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A line, which may be a move.
    Line(String),
    /// It gives up.
    Resign,
}

/// Shows a game to people as it goes on, and takes in what they answer.
///
/// What a host shows, it knows from the plies it is told: it keeps a game of its own.
pub trait Host {
    /// The programs have been started, and the first turn begins.
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The program at a seat, the process of this number, stands still so that a debugger can be attached to it. It goes on when this
    /// returns.
    fn attach(&mut self, _seat: Seat, _pid: u32) -> io::Result<()> {
        Ok(())
    }

    /// A seat has made this ply.
    fn played(&mut self, _seat: Seat, _ply: &Ply) -> io::Result<()> {
        Ok(())
    }

    /// A program has done something that is let pass.
    fn warned(&mut self, _warning: &Warning) -> io::Result<()> {
        Ok(())
    }

    /// A program has lost; [`Ply::Leave`] follows.
    fn lost(&mut self, _loss: &Loss) -> io::Result<()> {
        Ok(())
    }

    /// What people answer on, where people play.
    fn answers(&mut self) -> Option<&mut dyn Answers> {
        None
    }

    /// The line cannot be played, and the person is to be asked again.
    fn refused(&mut self, _line: &str, _refusal: &Refusal) -> io::Result<()> {
        Ok(())
    }
}
