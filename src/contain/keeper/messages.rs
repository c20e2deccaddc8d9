//! What the referee and a keeper say to each other: one JSON text for each message, over a socket that keeps messages apart.

use std::error::Error;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};

use crate::contain::launch::Launch;
use crate::contain::spec::{Exit, Wait, Work};
use crate::contain::usage::Usage;
use crate::contain::written::Written;

/// The hidden subcommand that makes this executable a keeper.
pub const SUBCOMMAND: &str = "keeper";

/// Larger than any message: a command line and an environment of a few variables.
pub const MESSAGE_LIMIT: usize = 128 * 1024;

/// What the referee asks of a keeper.
// One at a time, and never kept: nothing is gained by making the largest smaller.
#[allow(clippy::large_enum_variant)]
#[derive(Serialize, Deserialize)]
pub enum Request {
    /// Start a program on the three descriptors that come along: stdin, stdout, stderr.
    Start {
        /// How.
        launch: Launch,
        /// The processor time after which it counts as having come up.
        startup_cpu: Duration,
    },
    /// Kill and reap all that is left of it.
    Sweep,
    /// Stop all of it. There is no answer.
    Stop,
    /// Let all of it go on: answered by [`Report::Continued`].
    Continue,
    /// Measure from now on. There is no answer.
    Mark,
    /// Answered by [`Report::Measured`].
    Measure,
    /// See what the program waits for: answered by [`Report::Seen`].
    Look,
}

/// What a keeper tells the referee. What a program has done is told since the last [`Request::Mark`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Report {
    /// The operating system does not take it for a program that it can run: the number of the error.
    NotStarted(i32),
    /// The program has ended.
    Exited {
        /// How.
        exit: Exit,
        /// Whether nothing that it started goes on.
        alone: bool,
        /// Whether there is nothing to sweep: no process, and no file.
        clean: bool,
        /// What it has used.
        usage: Usage,
        /// What it has left in its working directory.
        written: Written,
    },
    /// The program has begun, and is held for a debugger: the number of its process.
    Held(u32),
    /// The program has come up: all of it sleeps, or it has used the processor time that it has for that.
    Up,
    /// The program goes on, if it has not ended.
    Continued {
        /// What it has done up to now.
        work: Work,
        /// Processor time that it has used while it was stopped this time, in nanoseconds.
        ran_ns: u64,
        /// Whether some of its processor time is known to a hundredth of a second only.
        coarse: bool,
    },
    /// The program has been measured.
    Measured {
        /// What it has done up to now.
        work: Work,
        /// As in `Continued`.
        coarse: bool,
    },
    /// What the program waits for.
    Seen(Wait),
    /// Nothing is left of the program.
    Swept {
        /// What it has used.
        usage: Usage,
        /// What was in its working directory.
        written: Written,
    },
    /// Something failed that the program cannot be blamed for.
    Trouble {
        /// What, and why.
        what: String,
        /// The number of the error, if the operating system reported it.
        error: Option<i32>,
    },
}

impl Report {
    /// Reports that something failed with this error.
    pub fn trouble(what: &str, error: &io::Error) -> Report {
        Report::Trouble { what: format!("{what}: {error}"), error: number_of(error) }
    }
}

/// The number of an error, or of the one behind it.
fn number_of(error: &io::Error) -> Option<i32> {
    let inner = error.get_ref().map(|inner| inner as &(dyn Error + 'static));
    let behind = std::iter::successors(inner, |&error| error.source());
    let mut numbers = behind.filter_map(|error| error.downcast_ref::<io::Error>()?.raw_os_error());
    error.raw_os_error().or_else(|| numbers.next())
}

/// Sends a message without descriptors.
pub fn send(socket: BorrowedFd<'_>, message: &impl Serialize) -> io::Result<()> {
    rustix::net::send(socket, &serde_json::to_vec(message)?, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Sends a message together with the three descriptors of a program.
pub fn send_with(socket: BorrowedFd<'_>, request: &Request, stdio: [BorrowedFd<'_>; 3]) -> io::Result<()> {
    let message = serde_json::to_vec(request)?;
    if message.len() > MESSAGE_LIMIT {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command line is too long"));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&stdio));
    sendmsg(socket, &[IoSlice::new(&message)], &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Receives a request and the descriptors that come along; nothing if the referee is gone.
pub fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> io::Result<Option<(Request, Vec<OwnedFd>)>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    Ok(Some((serde_json::from_slice(&buffer[..received.bytes])?, descriptors)))
}
