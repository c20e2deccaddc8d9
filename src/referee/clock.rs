//! Chess clocks: what a program may use, and what it has used.

use std::time::{Duration, Instant};

use crate::record::time_control::TimeControl;

/// The clock of one program in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    left: Duration,
    increment: Duration,
    move_cap: Option<Duration>,
    used: Duration,
}

impl Clock {
    /// A full clock; `move_cap` bounds every single move.
    pub fn new(control: TimeControl, move_cap: Option<Duration>) -> Clock {
        Clock { left: control.base, increment: control.increment, move_cap, used: Duration::ZERO }
    }

    /// What the program has left for all its moves.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// What the program may use for its next move.
    pub fn allowance(&self) -> Duration {
        self.move_cap.map_or(self.left, |cap| cap.min(self.left))
    }

    /// The moment at which a turn that began at `start` is lost.
    pub fn deadline(&self, start: Instant) -> Instant {
        start + self.allowance()
    }

    /// Charges one completed move.
    pub fn charge(&mut self, taken: Duration) {
        self.used += taken;
        self.left = self.left.saturating_sub(taken) + self.increment;
    }

    /// Charges time that did not lead to a move.
    pub fn run_down(&mut self, taken: Duration) {
        self.used += taken;
        self.left = self.left.saturating_sub(taken);
    }

    /// Gives back time that others took.
    pub fn give_back(&mut self, time: Duration) {
        let time = time.min(self.used);
        self.used -= time;
        self.left += time;
    }

    /// The time used so far.
    pub fn used(&self) -> Duration {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_shrinks_by_the_move_and_grows_by_the_increment() {
        let mut clock = Clock::new("10+2".parse().unwrap(), Some(Duration::from_secs(5)));
        assert_eq!(clock.allowance(), Duration::from_secs(5), "the cap on one move");
        clock.charge(Duration::from_secs(4));
        assert_eq!(clock.left, Duration::from_secs(8));
        clock.charge(Duration::from_secs(5));
        clock.charge(Duration::from_secs(4));
        assert_eq!(clock.allowance(), Duration::from_secs(3), "the budget binds before the cap");
        assert_eq!(clock.used(), Duration::from_secs(13));
        clock.give_back(Duration::from_secs(1));
        assert_eq!((clock.used(), clock.left), (Duration::from_secs(12), Duration::from_secs(4)));
    }
}
