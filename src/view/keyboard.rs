//! Keys of a person at the terminal, one by one and without waiting for a line.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use rustix::stdio::stdin;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// What a person wants when stepping through something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// One step on.
    Forward,
    /// One step back.
    Back,
    /// To the beginning.
    First,
    /// To the end.
    Last,
    /// Leave.
    Quit,
    /// Any other key.
    Other,
}

/// The terminal in a mode that gives keys one by one; it is as it was before when this is dropped.
pub struct Keyboard {
    before: Termios,
}

impl Keyboard {
    /// Takes over the terminal that is our stdin.
    pub fn open() -> io::Result<Keyboard> {
        let keyboard = Keyboard { before: tcgetattr(stdin())? };
        keyboard.take_over()?;
        Ok(keyboard)
    }

    fn take_over(&self) -> io::Result<()> {
        let mut modes = self.before.clone();
        // Without signals from the keyboard: an interrupt that ended us here would leave the terminal as it is.
        modes.local_modes &= !(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        Ok(tcsetattr(stdin(), OptionalActions::Now, &modes)?)
    }

    fn give_back(&self) -> io::Result<()> {
        Ok(tcsetattr(stdin(), OptionalActions::Now, &self.before)?)
    }

    /// The next key, or `None` if there was none in time.
    pub fn key(&self, patience: Option<Duration>) -> io::Result<Option<Key>> {
        let input = stdin();
        let mut waiting = [PollFd::new(&input, PollFlags::IN)];
        let timeout = patience.map(|time| Timespec::try_from(time).unwrap_or_default());
        if rustix::io::retry_on_intr(|| poll(&mut waiting, timeout.as_ref()))? == 0 {
            return Ok(None);
        }
        // A key that sends several bytes sends them at once.
        let mut bytes = [0; 16];
        let length = rustix::io::retry_on_intr(|| rustix::io::read(input, &mut bytes))?;
        if bytes[..length] == *b"\x1a" {
            self.give_back()?;
            rustix::process::kill_process(rustix::process::getpid(), Signal::TSTP)?;
            self.take_over()?;
        }
        Ok(Some(meaning(&bytes[..length])))
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        // The terminal may be gone; then there is nothing to restore.
        let _ = self.give_back();
    }
}

/// What the bytes of a key mean. No byte at all is the end of the terminal.
fn meaning(bytes: &[u8]) -> Key {
    match bytes {
        b"\x1b[C" | b"\x1bOC" | b"\x1b[B" | b"\x1bOB" | b" " | b"\r" | b"\n" | b"n" | b"l" | b"j" => {
            Key::Forward
        }
        b"\x1b[D" | b"\x1bOD" | b"\x1b[A" | b"\x1bOA" | b"\x7f" | b"\x08" | b"p" | b"h" | b"k" => Key::Back,
        b"\x1b[H" | b"\x1bOH" | b"\x1b[1~" | b"g" | b"0" => Key::First,
        b"\x1b[F" | b"\x1bOF" | b"\x1b[4~" | b"G" | b"$" => Key::Last,
        b"" | b"q" | b"Q" | b"\x1b" | b"\x03" | b"\x04" => Key::Quit,
        _ => Key::Other,
    }
}
