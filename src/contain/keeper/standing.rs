//! Stopping a program, all of it, and letting it go on.
//!
//! A control group does it at once and for good. Where there is none, signals do: those who could undo that are refused by the filter
//! of system calls, and whatever goes on all the same is stopped again.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::cgroup::Cgroup;
use super::meter::{Measured, Meter};
use crate::contain::proc::is_stopped;
use crate::contain::spec::Work;

/// After this long a program counts as stopped, even if it has never been seen to stand still. To give back much memory takes the
/// kernel a while, and it does not stop in that.
const LONGEST_STOP: Duration = Duration::from_millis(100);

/// Whether a program runs or stands still.
#[derive(Default)]
pub struct Standing(Option<Stopped>);

struct Stopped {
    since: Instant,
    /// What it had done when it was first seen to stand still.
    still: Option<Work>,
    /// Whether signals were needed.
    by_signal: bool,
}

impl Standing {
    /// Stops all of a program.
    pub fn stop(&mut self, program: Measured<'_>) {
        let by_signal = stop(program);
        self.0 = Some(Stopped { since: Instant::now(), still: None, by_signal });
    }

    /// Lets all of it go on. Returns what it has done, and the processor time that it has used while it was stopped.
    pub fn go_on(&mut self, program: Measured<'_>, meter: &mut Meter) -> (Work, Duration) {
        let work = meter.measure(program);
        let stopped = self.0.take();
        go_on(program, stopped.as_ref().is_none_or(|stopped| stopped.by_signal));
        let still = stopped.and_then(|stopped| stopped.still);
        meter.go_on();
        (work, still.map_or(Duration::ZERO, |still| work.since(still).cpu()))
    }

    /// Whether [`Standing::look`] has to be called from time to time.
    pub fn has_to_look(&self, group: Option<&Cgroup>) -> bool {
        self.0.as_ref().is_some_and(|stopped| group.is_none() || stopped.still.is_none())
    }

    /// Sees whether a stopped program stands still, and stops it again if it does not.
    pub fn look(&mut self, program: Measured<'_>, meter: &mut Meter) {
        let Some(stopped) = &mut self.0 else { return };
        let stands = match program.group {
            Some(group) => group.is_frozen(),
            None => program.domain.members().into_iter().all(is_stopped),
        };
        if stopped.still.is_none() && (stands || stopped.since.elapsed() > LONGEST_STOP) {
            stopped.still = Some(meter.measure(program));
        }
        if !stands {
            stopped.by_signal |= stop(program);
        }
    }
}

/// Stops a program, and says whether that took signals: a group that cannot be stopped is no reason to let it run.
fn stop(program: Measured<'_>) -> bool {
    let by_signal = program.group.is_none_or(|group| group.freeze(true).is_err());
    if by_signal {
        program.domain.signal(Signal::STOP);
    }
    by_signal
}

fn go_on(program: Measured<'_>, by_signal: bool) {
    // What cannot be undone is found out by the clock.
    let _ = program.group.map(|group| group.freeze(false));
    if by_signal {
        program.domain.signal(Signal::CONT);
    }
}
