//! One row of the zoo: a flaw, how the bot plays, and what the sentence must say.

use super::bots::Language;
use Language::*;

/// Against whom a flawed bot plays.
#[derive(Clone, Copy)]
pub enum Opponent {
    /// Plays the first free cell, and never swaps.
    Honest,
    /// The same, and always swaps.
    Swapper,
    /// Needs longer than others to start.
    Python,
    BuiltIn(&'static str),
}

/// One flaw, and what is expected of the sentence about it.
pub struct Flaw {
    pub flaw: &'static str,
    pub language: Language,
    /// 0 moves first.
    pub seat: usize,
    pub opponent: Opponent,
    more: &'static str,
    /// Why it loses; alternatives have `|` between them.
    pub reason: &'static str,
    /// What must be in the sentence, in small letters; alternatives have `|` between them.
    pub says: &'static [&'static str],
    /// What would mislead.
    pub never: &'static [&'static str],
}

impl Flaw {
    /// Its name: the language and the flaw.
    pub fn name(&self) -> String {
        let language = match self.language {
            C => "c",
            Sanitized => "sanitized",
            Cpp => "c++",
            Python => "python",
            Java => "java",
            JavaScript => "javascript",
            Bash => "bash",
            Okupacio => "okupacio",
            Xinez => "xinez",
            Made(_) => "program",
        };
        let game = if self.more.contains("rhex") { "rhex " } else { "" };
        format!("{game}{language} {}", self.flaw)
    }

    /// The options of its duel. A short clock and a small board, unless it needs others.
    pub fn options(&self) -> Vec<&'static str> {
        let mut options: Vec<&str> = self.more.split_whitespace().collect();
        for (name, value) in [("--size", "7"), ("--time", "1")] {
            let has_board = name == "--size" && self.more.contains("--board");
            if !options.contains(&name) && !has_board {
                options.extend([name, value]);
            }
        }
        options
    }

    /// The same, but it moves second.
    pub fn black(mut self) -> Flaw {
        self.seat = 1;
        self
    }

    /// Against another opponent.
    pub fn against(mut self, opponent: Opponent) -> Flaw {
        self.opponent = opponent;
        self
    }

    /// With these options.
    pub fn with(mut self, options: &'static str) -> Flaw {
        self.more = options;
        self
    }

    /// What must not be said.
    pub fn never(mut self, words: &'static [&'static str]) -> Flaw {
        self.never = words;
        self
    }
}

/// A flaw of a bot that moves first against an honest opponent.
pub fn flaw(
    language: Language,
    flaw: &'static str,
    reason: &'static str,
    says: &'static [&'static str],
) -> Flaw {
    Flaw { flaw, language, seat: 0, opponent: Opponent::Honest, more: "", reason, says, never: &[] }
}
