//! How far the building is, on stderr.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::table::result_words;
use crate::cli::output::{say, warn};
use crate::handins::build::Step;

/// Progress on stderr: a bar on a terminal, a line for each hand-in otherwise.
pub struct Progress {
    bar: ProgressBar,
    lines: bool,
    total: usize,
    done: AtomicUsize,
    fresh: AtomicUsize,
    running: Mutex<Vec<String>>,
}

impl Progress {
    /// The progress of so many hand-ins.
    pub fn new(total: usize, quiet: bool) -> Progress {
        let terminal = io::stderr().is_terminal();
        let target =
            if terminal && !quiet { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total as u64), target);
        let style = ProgressStyle::with_template("building {pos}/{len} {bar:20} {elapsed} {wide_msg}");
        bar.set_style(style.expect("the template is well formed"));
        bar.enable_steady_tick(Duration::from_millis(200));
        let (done, fresh, running) = Default::default();
        Progress { bar, lines: !terminal && !quiet, total, done, fresh, running }
    }

    /// Shows what has happened.
    pub fn show(&self, step: Step) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        match step {
            Step::Begun(name) => running.push(name.to_owned()),
            Step::BotAltered(name) => self.bar.suspend(|| {
                warn(format!("the bot of {name} is not what was built: it is built again from the hand-in"));
            }),
            Step::Unchanged(_) => drop(self.done.fetch_add(1, Ordering::Relaxed)),
            Step::Done(built) => {
                running.retain(|name| *name != built.name);
                let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                self.fresh.fetch_add(1, Ordering::Relaxed);
                if self.lines {
                    say(&format!("[{done}/{}] {}: {}", self.total, built.name, result_words(built)));
                }
            }
        }
        self.bar.set_position(self.done.load(Ordering::Relaxed) as u64);
        self.bar.set_message(running.join(", "));
    }

    /// Ends it; how many hand-ins were built now.
    pub fn finish(self) -> usize {
        self.bar.finish_and_clear();
        self.fresh.into_inner()
    }
}
