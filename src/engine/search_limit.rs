//! Where a search must stop.

use std::time::Instant;

/// Where a search stops: after a number of steps or at a time, whichever comes first.
#[derive(Clone, Debug)]
pub struct SearchLimit {
    steps: u64,
    until: Option<Instant>,
}

/// Steps between two checks of the time.
const CHECK_EVERY: u64 = 64;

impl SearchLimit {
    /// This many steps, and no later than `until` if there is such a time.
    pub fn new(steps: u64, until: impl Into<Option<Instant>>) -> SearchLimit {
        SearchLimit { steps, until: until.into() }
    }

    /// Steps that are left.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes a step, unless the limit is reached.
    pub fn step(&mut self) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        if self.steps.is_multiple_of(CHECK_EVERY) && self.until.is_some_and(|until| Instant::now() >= until) {
            self.steps = 0;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_limit_ends_by_steps_or_by_time() {
        let count = |mut limit: SearchLimit| std::iter::from_fn(|| limit.step().then_some(())).count();
        let now = Instant::now();
        assert_eq!(count(SearchLimit::new(1000, now + Duration::from_secs(3600))), 1000);
        assert!(count(SearchLimit::new(u64::MAX, now)) <= CHECK_EVERY as usize);
    }
}
