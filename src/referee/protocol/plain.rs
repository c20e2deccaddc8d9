//! The protocol of the hand-outs: a program prints its moves and is sent those of the others, one on a line.

use super::dialogue::{Dialogue, Heard};
use crate::game::{Game, Seat};

/// The conversation needs no memory: every line stands for itself.
pub struct Plain;

impl Dialogue for Plain {
    fn tell(&mut self, game: &dyn Game, mover: Seat, seat: Seat, out: &mut String) {
        game.write_news(mover, seat, out);
    }

    fn hear<'a>(&mut self, line: &'a str, _: &mut String) -> Heard<'a> {
        Heard::Move { text: line.into(), said: line.into() }
    }
}
