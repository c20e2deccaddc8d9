//! The pseudo-terminal that a program's stdout can be.

use std::io;
use std::os::fd::OwnedFd;

use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

/// Opens a raw pseudo-terminal, which passes bytes on unchanged: our end, and the end for the program.
pub fn open_raw() -> io::Result<(OwnedFd, OwnedFd)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags)?;
    unlockpt(&master)?;
    let slave = ioctl_tiocgptpeer(&master, flags)?;
    let mut modes = tcgetattr(&slave)?;
    modes.make_raw();
    tcsetattr(&slave, OptionalActions::Now, &modes)?;
    Ok((master, slave))
}
