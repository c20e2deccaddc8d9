//! A program at the table: what the game knows of it beside its process.

use std::io;
use std::time::{Duration, Instant};

use super::clock::Clock;
use super::noise::Noise;
use super::protocol::Dialogue;
use super::verdict::Reason;
use super::{Invitation, Terms};
use crate::contain::keeper::Keeper;
use crate::contain::process::Process;
use crate::record::text::printable;

/// Characters of a program's output that are shown to people.
pub const SHOWN: usize = 60;

/// A program and what the game knows of it.
pub struct Player {
    pub bot: Process,
    pub program: String,
    pub dialogue: Box<dyn Dialogue>,
    pub clock: Clock,
    pub moved: bool,
    pub noise: Noise,
    pub retries: u32,
    /// Whether all of it stands still.
    pub frozen: bool,
    /// Where clocks measure it: the processor time it had used when its turn began.
    pub cpu_began: Duration,
    /// A fault committed out of turn, to be judged when its turn comes: only the seat to move can lose.
    pub pending: Option<Loss>,
}

/// Why a program loses.
pub struct Loss {
    pub reason: Reason,
    pub sentence: String,
}

/// The loss for this reason.
pub fn loss(reason: Reason, sentence: String) -> Loss {
    Loss { reason, sentence }
}

impl Player {
    /// Starts a program.
    pub fn seat(invited: Invitation, keeper: Keeper, terms: &Terms) -> io::Result<Player> {
        Ok(Player {
            program: invited.launch.program.clone(),
            bot: Process::launch(keeper, invited.launch, terms.output)?,
            dialogue: invited.protocol.dialogue(invited.setup, &invited.opening),
            clock: Clock::new(terms.time, terms.move_time),
            moved: false,
            noise: Noise::default(),
            retries: terms.retries,
            frozen: false,
            cpu_began: Duration::ZERO,
            pending: None,
        })
    }

    /// When it had come up, if it has.
    pub fn came_up(&self) -> Option<Instant> {
        self.dialogue.came_up(self.bot.heard())
    }

    /// The fault of one that has written more than moves can explain.
    pub fn too_noisy(&mut self) -> Option<Loss> {
        let sentence = self.noise.too_much(self.bot.lines().rest())?;
        Some(loss(Reason::OutputLimit, sentence))
    }
}

/// The last line with anything on it, made printable.
pub fn last_line(text: &[u8]) -> String {
    let lines = text.split(|&byte| byte == b'\n').rev();
    lines.map(|line| printable(line, 2 * SHOWN)).find(|line| !line.is_empty()).unwrap_or_default()
}
