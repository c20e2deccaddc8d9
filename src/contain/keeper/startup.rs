//! When a program has come up: all of it sleeps, since it waits for its turn; or it has used what it has for coming up.

use std::time::{Duration, Instant};

use super::meter::{Measured, Meter};
use crate::contain::proc::is_asleep;

/// A program that sleeps at two looks so far apart has come up. While it loads, it may well sleep at one.
const APART: Duration = Duration::from_millis(5);

/// A program that comes up.
pub struct Startup {
    /// The processor time that it has for that.
    cpu: Duration,
    /// Since when it has been seen asleep at every look.
    asleep: Option<Instant>,
}

impl Startup {
    /// Begins, with so much processor time.
    pub fn new(cpu: Duration) -> Startup {
        Startup { cpu, asleep: None }
    }

    /// Looks at the program, and says whether it has come up.
    pub fn look(&mut self, program: Measured<'_>, meter: &mut Meter) -> bool {
        let is_asleep = program.domain.members().into_iter().all(is_asleep);
        self.asleep = is_asleep.then(|| self.asleep.unwrap_or_else(Instant::now));
        let sleeps = self.asleep.is_some_and(|since| since.elapsed() >= APART);
        sleeps || meter.measure(program).cpu() >= self.cpu
    }
}
