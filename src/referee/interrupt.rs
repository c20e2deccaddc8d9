//! The wish of the person at the keyboard that it should end.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Becomes readable, for good, with the first SIGINT, SIGTERM or SIGHUP, and so ends every wait that includes it.
pub struct Interrupt {
    requested: UnixStream,
    sender: UnixStream,
    terminated: Arc<AtomicBool>,
}

/// What stands for a wish to break off a game; signals stand for themselves by another byte.
const BREAK: u8 = b'B';

impl Interrupt {
    /// Catches the signals from now on.
    pub fn catch() -> io::Result<Interrupt> {
        let (requested, sender) = UnixStream::pair()?;
        let terminated = Arc::new(AtomicBool::new(false));
        if !is_ignored(SIGTERM) {
            // Before the signal ends a wait: whoever wakes then finds it here.
            signal_hook::flag::register(SIGTERM, terminated.clone())?;
        }
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)) {
            signal_hook::low_level::pipe::register(signal, sender.try_clone()?)?;
        }
        requested.set_nonblocking(true)?;
        sender.set_nonblocking(true)?;
        Ok(Interrupt { requested, sender, terminated })
    }

    /// Breaks off the game that runs, as a signal would, but others can follow: see [`Interrupt::forget_breaks`].
    pub fn break_off(&self) {
        // If it is full, there are more than enough of them.
        let _ = (&self.sender).write(&[BREAK]);
    }

    /// Forgets the wishes to break off a game. Signals are not forgotten.
    pub fn forget_breaks(&self) {
        let mut wishes = [0; 64];
        let mut signals = 0;
        while let Ok(count @ 1..) = (&self.requested).read(&mut wishes) {
            signals += wishes[..count].iter().filter(|&&wish| wish != BREAK).count();
        }
        if signals > 0 {
            let _ = (&self.sender).write(&[0]);
        }
    }

    /// Whether SIGTERM has come: a scheduler wants the machine, and will start us again.
    pub fn is_terminated(&self) -> bool {
        self.terminated.load(Ordering::Relaxed)
    }

    /// Whether a signal has come.
    pub fn requested(&self) -> bool {
        self.comes_within(Duration::ZERO)
    }

    /// Whether a signal has come, or does in the time to come.
    pub fn comes_within(&self, time: Duration) -> bool {
        let mut fds = [PollFd::new(&self.requested, PollFlags::IN)];
        let timeout = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
        // A failing poll is as good as none: the wait of the running game notices the signal.
        poll(&mut fds, Some(&timeout)).is_ok_and(|ready| ready > 0)
    }
}

/// Whether we were started with a signal ignored, as by `nohup`: then it stays ignored.
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the pointer is to a structure of ours, for which zeros are a valid value; nothing is changed.
    let action = unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.requested.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_can_be_broken_off_and_another_follow() {
        let interrupt = Interrupt::catch().unwrap();
        for _ in 0..2 {
            assert!(!interrupt.requested());
            interrupt.break_off();
            interrupt.break_off();
            assert!(interrupt.requested());
            interrupt.forget_breaks();
        }
        interrupt.break_off();
        (&interrupt.sender).write_all(&[0]).unwrap();
        interrupt.forget_breaks();
        assert!(interrupt.requested(), "a signal stays");
    }
}
