//! A program at a seat: what the game knows of it beside its process.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::chatter::Chatter;
use super::clock::Clock;
use super::conduct::Conduct;
use super::explain::OddLines;
use super::protocol::Dialogue;
use super::seats::ProgramSeat;
use crate::contain::keeper::Keeper;
use crate::contain::process::Process;
use crate::contain::spec::Exit;
use crate::record::terms::ClockKind;
use crate::record::time_control::TimeControl;
use crate::record::{Fault, Terms};

/// A program and what the game knows of it.
pub struct Program {
    pub process: Process,
    /// The file that is executed, as it is seen outside.
    pub executable: PathBuf,
    pub dialogue: Box<dyn Dialogue>,
    pub clock: Clock,
    pub chatter: Chatter,
    /// What it has written beside its moves, as far as it may explain a loss.
    pub odd_lines: OddLines,
    /// How it ended while the game was played, if it did.
    pub exit_in_game: Option<Exit>,
    /// What it has written to stdout since the game was over: the beginning of it.
    pub late: Vec<u8>,
    pub retries: u32,
    /// When it had come up.
    pub up: Option<Instant>,
    /// What it has done in its turns and out of them.
    pub conduct: Conduct,
    /// Whether it has written something that nobody has looked at.
    pub has_news: bool,
    /// Where clocks measure processor time: the time that may pass, since one that only sleeps must come to an end too.
    pub backstop: Option<Clock>,
    /// A fault committed out of turn, to be judged when its turn comes: only the seat to move can lose.
    pub pending: Option<Fault>,
}

/// The time that may pass on a clock that measures processor time.
fn backstop(terms: &Terms) -> Clock {
    let longer = |time: Duration| 3 * time + Duration::from_secs(1);
    let increment = 3 * terms.time.increment;
    Clock::new(TimeControl { base: longer(terms.time.base), increment }, terms.move_time.map(longer))
}

impl Program {
    /// Starts a program.
    pub fn start(seat: ProgramSeat, keeper: Keeper, terms: &Terms) -> io::Result<Program> {
        Ok(Program {
            executable: seat.executable,
            process: Process::launch(keeper, seat.launch, terms.output, terms.startup_cpu)?,
            dialogue: seat.dialogue,
            clock: Clock::new(terms.time, terms.move_time),
            chatter: Chatter::default(),
            odd_lines: OddLines::default(),
            exit_in_game: None,
            late: Vec::new(),
            retries: terms.retries,
            up: None,
            conduct: Conduct::default(),
            has_news: false,
            backstop: (terms.clock == ClockKind::Cpu).then(|| backstop(terms)),
            pending: None,
        })
    }

    /// Sees whether it has come up: by its first byte, because it slept or has used what it has for that, because that time is over
    /// at `latest`, or because it has ended.
    pub fn see_whether_up(&mut self, latest: Instant) -> bool {
        if self.up.is_none() {
            let now = Instant::now();
            let over = (self.process.has_ended() || now >= latest).then_some(now);
            self.up = self.dialogue.came_up(self.process.heard()).or(self.process.seen_up()).or(over);
            if self.up.is_some() {
                // What it has done to come up is not charged to its clock.
                self.process.mark();
            }
        }
        self.up.is_some()
    }

    /// Stops all of it, unless it stands still already or nothing of it is left. Returns whether it was stopped now.
    pub fn stop(&mut self) -> bool {
        let is_there = !self.process.has_ended() || self.process.left_running();
        let stops = is_there && !self.process.is_stopped();
        if stops {
            self.process.stop();
        }
        stops
    }

    /// Takes in what it has written since the game was over, of which only the beginning matters.
    pub fn hear_late(&mut self) {
        const KEPT: usize = 240;
        let lines = self.process.lines();
        let room = KEPT.saturating_sub(self.late.len());
        self.late.extend(lines.unread().iter().take(room));
        lines.clear();
    }

    /// The fault of one that has written more than moves can explain.
    pub fn too_noisy(&mut self) -> Option<Fault> {
        self.chatter.too_much(self.process.lines().rest())
    }
}
