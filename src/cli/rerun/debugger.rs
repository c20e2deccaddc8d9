//! Waiting until a debugger has been attached.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::stdio::stdin;

use crate::cli::output::print;
use crate::game::Seat;
use crate::referee::Host;
use crate::referee::interrupt::Interrupt;

/// How often it is looked whether the debugger has continued the program.
const TICK: Duration = Duration::from_millis(100);

/// Tells people of a program that waits for a debugger.
pub struct Debugger<'a> {
    /// The program's name.
    pub bot: &'a str,
    /// Ends the wait.
    pub interrupt: &'a Interrupt,
}

impl Host for Debugger<'_> {
    fn attach(&mut self, _seat: Seat, pid: u32) -> io::Result<()> {
        let bot = self.bot;
        let text = format!(
            "{bot} is process {pid}, and stands still. Attach a debugger to it in another terminal:\n  \
             gdb -p {pid} -ex 'handle SIGSTOP SIGCONT nostop noprint nopass'\n\
             The game begins when you press Enter here, or continue it there.\n"
        );
        print(&text).map_err(io::Error::other)?;
        self.wait(pid)
    }
}

impl Debugger<'_> {
    /// Waits for Enter, for a signal, or until the process runs.
    fn wait(&self, pid: u32) -> io::Result<()> {
        let timeout = Timespec::try_from(TICK).map_err(io::Error::other)?;
        let mut has_keyboard = true;
        let mut ran = false;
        loop {
            let mut fds = vec![PollFd::new(self.interrupt, PollFlags::IN)];
            if has_keyboard {
                fds.push(PollFd::from_borrowed_fd(stdin(), PollFlags::IN));
            }
            retry_on_intr(|| poll(&mut fds, Some(&timeout)))?;
            if self.interrupt.requested() {
                return Ok(());
            }
            let is_typed = fds.get(1).is_some_and(|keyboard| !keyboard.revents().is_empty());
            if is_typed {
                // A keyboard that is closed says nothing: then only the debugger can go on.
                has_keyboard = retry_on_intr(|| rustix::io::read(stdin(), &mut [0; 256][..]))? > 0;
                if has_keyboard {
                    return Ok(());
                }
            }
            // While a debugger attaches, the process runs for a moment.
            let runs = !stands_still(pid);
            if runs && ran {
                return Ok(());
            }
            ran = runs;
        }
    }
}

/// Whether a process is stopped, by a signal or by a debugger. One that has ended does not stand still.
fn stands_still(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let state = status.lines().find_map(|line| line.strip_prefix("State:"));
    state.is_some_and(|state| state.trim_start().starts_with(['T', 't']))
}
