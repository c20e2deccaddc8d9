//! A program at a seat: what the game knows of it beside its process.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::chatter::Chatter;
use super::clock::Clock;
use super::protocol::Dialogue;
use super::seats::ProgramSeat;
use crate::contain::keeper::Keeper;
use crate::contain::process::Process;
use crate::record::{Reason, Terms};

/// A program and what the game knows of it.
pub struct Program {
    pub process: Process,
    /// The file that is executed, as it is seen outside.
    pub executable: PathBuf,
    pub dialogue: Box<dyn Dialogue>,
    pub clock: Clock,
    pub moved: bool,
    pub chatter: Chatter,
    pub retries: u32,
    /// Whether all of it stands still.
    pub frozen: bool,
    /// Whether it has written something that nobody has looked at.
    pub has_news: bool,
    /// Where clocks measure it: the processor time it had used when its turn began.
    pub cpu_began: Duration,
    /// A fault committed out of turn, to be judged when its turn comes: only the seat to move can lose.
    pub pending: Option<Fault>,
}

/// Why a program loses.
pub struct Fault {
    pub reason: Reason,
    /// In words that follow its name.
    pub what: String,
}

impl Program {
    /// Starts a program.
    pub fn start(seat: ProgramSeat, keeper: Keeper, terms: &Terms) -> io::Result<Program> {
        Ok(Program {
            executable: seat.executable,
            process: Process::launch(keeper, seat.launch, terms.output)?,
            dialogue: seat.dialogue,
            clock: Clock::new(terms.time, terms.move_time),
            moved: false,
            chatter: Chatter::default(),
            retries: terms.retries,
            frozen: false,
            has_news: false,
            cpu_began: Duration::ZERO,
            pending: None,
        })
    }

    /// When it had come up, if it has.
    pub fn came_up(&self) -> Option<Instant> {
        self.dialogue.came_up(self.process.heard())
    }

    /// The fault of one that has written more than moves can explain.
    pub fn too_noisy(&mut self) -> Option<Fault> {
        let what = self.chatter.too_much(self.process.lines().rest())?;
        Some(Fault { reason: Reason::OutputLimit, what })
    }
}
