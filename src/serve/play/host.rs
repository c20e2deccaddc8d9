//! Shows the table to people while the referee plays, and hands on what they answer.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};

use super::room::Room;
use crate::game::{Refusal, Seat};
use crate::record::{Loss, Ply, Warning};
use crate::referee::{Answer, Answers, Host};

/// The host of a game in a room.
pub struct RoomHost<'a>(pub &'a Room);

impl Host for RoomHost<'_> {
    fn played(&mut self, seat: Seat, ply: &Ply) -> io::Result<()> {
        self.0.change(|table| table.played(seat, ply));
        Ok(())
    }

    fn warned(&mut self, warning: &Warning) -> io::Result<()> {
        self.0.change(|table| table.warned(warning));
        Ok(())
    }

    fn lost(&mut self, loss: &Loss) -> io::Result<()> {
        self.0.change(|table| table.lost(loss));
        Ok(())
    }

    fn answers(&mut self) -> Option<&mut dyn Answers> {
        Some(self)
    }

    fn refused(&mut self, line: &str, refusal: &Refusal) -> io::Result<()> {
        self.0.change(|table| table.refused(line, &refusal.to_string()));
        Ok(())
    }
}

impl Answers for RoomHost<'_> {
    fn input(&self) -> BorrowedFd<'_> {
        self.0.woken.as_fd()
    }

    fn read(&mut self) -> io::Result<()> {
        // What it says is in the room.
        let mut bytes = [0; 64];
        match (&self.0.woken).read(&mut bytes) {
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
            _ => Ok(()),
        }
    }

    fn answer(&mut self) -> Option<Answer> {
        self.0.see(|table| table.answer())
    }
}
