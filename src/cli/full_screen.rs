//! The whole terminal for one program, and everything as it was before when that ends, in whatever way.

use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{self, Event};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpid, kill_process};
use rustix::stdio::stdin;

/// Whether the terminal is ours at this moment.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal without its own echo and scrolling; keys come one by one.
pub struct FullScreen(());

impl FullScreen {
    /// Takes the terminal. If the program panics, it is given back before that is told.
    pub fn enter() -> io::Result<FullScreen> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let tell = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                give_back();
                tell(panic);
            }));
        });
        let screen = FullScreen(());
        take()?;
        Ok(screen)
    }

    /// Gives the terminal back while the program is stopped, as Ctrl-Z asks for, and takes it again.
    pub fn suspend(&self) -> io::Result<()> {
        give_back();
        kill_process(getpid(), Signal::TSTP)?;
        take()
    }

    /// The next event of the terminal; nothing if none comes in this time.
    ///
    /// # Errors
    /// If the terminal is gone, as when its window was closed. `crossterm` would look for keys there for ever.
    pub fn next_event(&self, patience: Duration) -> io::Result<Option<Event>> {
        // Looked at again after the wait: on a machine that does other work, much may have happened since that ended.
        for patience in [patience, Duration::ZERO] {
            let mut input = [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)];
            // A signal may have ended the wait: the window has changed its size.
            match poll(&mut input, Timespec::try_from(patience).ok().as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            if input[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal is gone"));
            }
        }
        if event::poll(Duration::ZERO)? { event::read().map(Some) } else { Ok(None) }
    }

    /// Replaces all that is on the screen by these lines.
    pub fn draw(&self, lines: &[String]) -> io::Result<()> {
        // In raw mode a line feed does not return to the first column. Lines are cleared before they are written: a full one ends in
        // the last column, where clearing the rest would take its last letter.
        let lines: Vec<String> = lines.iter().map(|line| format!("\x1b[2K{line}")).collect();
        let mut out = io::stdout().lock();
        write!(out, "\x1b[H{}", lines.join("\r\n"))?;
        out.flush()
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, Hide)
}

fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // The terminal may be gone; then there is nothing to restore.
        let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}
