//! What is known of a program that has lost other than on the board.

use std::time::Duration;

use super::odd_lines::OddLines;
use crate::contain::spec::{Output, Wait, Work};
use crate::game::{Game, Refusal, Seat};
use crate::record::{Fault, Ply};

/// What was seen when a program lost: the program may be gone when it is looked at more closely.
#[derive(Clone, Debug)]
pub struct Testimony {
    /// The program's seat.
    pub seat: Seat,
    /// By which fault it lost.
    pub fault: Fault,
    /// The time that had passed in its turn.
    pub took: Duration,
    /// What it had done in its turn, where that was measured.
    pub work: Option<Work>,
    /// What it had written of a line without a newline.
    pub unfinished: Vec<u8>,
    /// How many bytes it had been sent and not read.
    pub unread: usize,
    /// What it was waiting for, if nothing of it ran.
    pub wait: Wait,
    /// What it owes by its protocol, in words that follow "it".
    pub owes: Option<String>,
    /// What it had written to stderr by then: what it says when it is sent away is no cause.
    pub stderr: Vec<u8>,
}

/// All that is known of a program that has lost.
pub struct Evidence<'a> {
    /// What was seen when it lost.
    pub testimony: &'a Testimony,
    /// The game when it was its turn.
    pub game: &'a dyn Game,
    /// What was played.
    pub plies: &'a [Ply],
    /// Whose plies these were.
    pub movers: &'a [Seat],
    /// What it wrote beside its moves.
    pub odd_lines: &'a OddLines,
    /// What it has written to stdout since it lost.
    pub late: &'a [u8],
    /// The most memory that it was seen with, in bytes.
    pub peak: u64,
    /// The memory that it may use, in bytes.
    pub memory: u64,
    /// What its stdout was.
    pub output: Output,
    /// Whether it had to make the first move, and had: one that it was sent to find that out was answered by a second.
    pub had_moved: bool,
    /// Processor time out of its turns, for which its clock was charged.
    pub out_of_turn: Duration,
    /// Whether it saw its own files only.
    pub is_inside: bool,
    /// Whether it has ended, and something that it had started had not.
    pub left_running: bool,
}

impl Evidence<'_> {
    /// Whether a text has the form of a move of this game, allowed or not.
    pub fn is_form(&self, text: &str) -> bool {
        !matches!(self.game.check(text), Err(Refusal::NotAMove(_)))
    }

    /// What a move of this game looks like.
    pub fn expected(&self) -> String {
        match self.game.check("") {
            Err(Refusal::NotAMove(form)) => form.to_owned(),
            _ => "what the rules of the game say".to_owned(),
        }
    }

    /// The moves that it has made, with their numbers from 1.
    pub fn own_moves(&self) -> impl Iterator<Item = (usize, &Ply)> {
        let own = self.movers.iter().zip(self.plies).zip(1..);
        own.filter(|((mover, _), _)| **mover == self.testimony.seat).map(|((_, ply), number)| (number, ply))
    }

    /// The last line that it was sent.
    pub fn last_sent(&self) -> Option<String> {
        let mover = *self.movers.last()?;
        let mut news = String::new();
        self.game.write_news(mover, self.testimony.seat, &mut news);
        news.lines().last().map(str::to_owned)
    }

    /// The argument that told it to begin, if it had to make the first move.
    pub fn begins(&self) -> Option<String> {
        self.plies.is_empty().then(|| self.argument()).filter(|word| !word.is_empty())
    }

    /// The argument by which it knows its side.
    pub fn argument(&self) -> String {
        self.game.arguments(self.testimony.seat, "").into_iter().next().unwrap_or_default()
    }
}
