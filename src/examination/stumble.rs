//! What is taken down when a bot stumbles.

use std::io;

use super::transcript::{Line, shown};
use crate::record::Loss;

/// Why an experiment does not go on.
pub enum Trouble {
    /// The bot did something that loses games.
    Stumble(Box<Stumble>),
    /// Something failed that is not the bot's fault.
    Own(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Own(error)
    }
}

/// What comes of a step of an experiment.
pub type Step<T = ()> = Result<T, Trouble>;

/// The bot did something that loses games.
pub struct Stumble {
    /// What, and why as far as that is known.
    pub loss: Loss,
    /// What had gone before.
    pub before: Before,
    /// What there is to show.
    pub exhibit: Exhibit,
}

/// What had gone before a bot stumbled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    /// Something special had just happened, such as a swap.
    pub event: bool,
    /// It had just swapped, whatever the experiment was made for.
    pub has_swapped: bool,
    /// Something had been sent to it.
    pub told: bool,
    /// It had moved.
    pub moved: bool,
    /// It had written something without a newline when it was not its turn, as prompts are.
    pub prompted: bool,
}

/// What there is to show of a conversation.
#[derive(Clone, Debug, Default)]
pub struct Exhibit {
    /// The command that the bot was started with.
    pub command: String,
    /// What was said.
    pub transcript: Vec<Line>,
    /// The last lines of its stderr.
    pub stderr: Vec<String>,
}

/// The last lines of what was written to stderr, ready to be shown.
pub fn last_lines(stderr: &[u8]) -> Vec<String> {
    const LINES: usize = 5;
    let lines: Vec<&[u8]> =
        stderr.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect();
    let first = lines.len().saturating_sub(LINES);
    lines[first..].iter().map(|line| shown(line).replace('␠', " ")).collect()
}
