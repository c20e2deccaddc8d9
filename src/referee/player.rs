//! A program at the table: what the game knows of it beside its process.

use std::io;
use std::time::{Duration, Instant};

use super::bot::Bot;
use super::clock::Clock;
use super::keeper::Keeper;
use super::protocol::Dialogue;
use super::verdict::Reason;
use super::wire::printable;
use super::{Invitation, Terms};

/// Lines that are no moves which a program may write in a game.
pub const NOISE_LINES: usize = 100;
/// Bytes that are no moves which a program may write in a game.
const NOISE_BYTES: usize = 64 * 1024;
/// Characters of a program's output that are shown to people.
pub const SHOWN: usize = 60;

/// A program and what the game knows of it.
pub struct Player {
    pub bot: Bot,
    pub program: String,
    pub dialogue: Box<dyn Dialogue>,
    pub clock: Clock,
    pub moved: bool,
    noise_lines: usize,
    noise_bytes: usize,
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
            bot: Bot::launch(keeper, invited.launch, terms.output)?,
            dialogue: invited.protocol.dialogue(invited.setup, &invited.opening),
            clock: Clock::new(terms.time, terms.move_time),
            moved: false,
            noise_lines: 0,
            noise_bytes: 0,
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

    /// Counts a line of so many bytes that is no move.
    pub fn count_noise(&mut self, bytes: usize) {
        self.noise_lines += 1;
        self.noise_bytes += bytes;
    }

    /// Counts a line of so many bytes that is let pass, but for its length.
    pub fn count_filler(&mut self, bytes: usize) {
        self.noise_bytes += bytes + 1;
    }

    /// The fault of one that has written more than moves can explain.
    pub fn too_noisy(&mut self) -> Option<Loss> {
        let bytes = self.noise_bytes + self.bot.lines().rest().len();
        if self.noise_lines <= NOISE_LINES && bytes <= NOISE_BYTES {
            return None;
        }
        let sentence = format!(
            "wrote too much that is not a move: {} lines, {bytes} bytes; {NOISE_LINES} lines and {NOISE_BYTES} bytes \
             are let pass in a game: write moves only to stdout, and anything else to stderr",
            self.noise_lines
        );
        Some(loss(Reason::OutputLimit, sentence))
    }
}

/// The last line with anything on it, made printable.
pub fn last_line(text: &[u8]) -> String {
    let lines = text.split(|&byte| byte == b'\n').rev();
    lines.map(|line| printable(line, 2 * SHOWN)).find(|line| !line.is_empty()).unwrap_or_default()
}
