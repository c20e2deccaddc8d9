//! The wish of the person at the keyboard that it should end.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Becomes readable, for good, with the first SIGINT, SIGTERM or SIGHUP, and so ends every wait that includes it.
pub struct Interrupt {
    requested: UnixStream,
}

impl Interrupt {
    /// Catches the signals from now on.
    pub fn catch() -> io::Result<Interrupt> {
        let (requested, sender) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)) {
            signal_hook::low_level::pipe::register(signal, sender.try_clone()?)?;
        }
        Ok(Interrupt { requested })
    }

    /// Whether a signal has come.
    pub fn requested(&self) -> bool {
        let mut fds = [PollFd::new(&self.requested, PollFlags::IN)];
        // A failing poll is as good as none: the wait of the running game notices the signal.
        poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
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
