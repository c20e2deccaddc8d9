//! The whole terminal for one program, and everything as it was before when that ends, in whatever way.

use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use rustix::process::{Signal, getpid, kill_process};

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
