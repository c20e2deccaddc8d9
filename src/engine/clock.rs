//! An engine's own chess clock: how long it may think.

use std::time::{Duration, Instant};

/// The most that a move takes when there is no clock.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);
/// The part of the budget that is never planned with, as one in so many: for a machine that is busy.
const RESERVE: u32 = 10;
/// What a move costs on the referee's clock beyond what is measured here.
const OVERHEAD: Duration = Duration::from_millis(2);

/// An engine's own clock: a budget for the whole game and an increment with each move, or none at all.
#[derive(Clone, Debug, Default)]
pub struct OwnClock {
    left: Option<Duration>,
    reserve: Duration,
    increment: Duration,
}

impl OwnClock {
    /// A clock with this much on it; without a budget there is no clock.
    pub fn new(budget: Option<Duration>, increment: Duration) -> OwnClock {
        OwnClock { left: budget, reserve: budget.unwrap_or_default() / RESERVE, increment }
    }

    /// Whether there is a clock.
    pub fn is_running(&self) -> bool {
        self.left.is_some()
    }

    /// What the next move may take if `moves`, this one included, are still to be made on the clock.
    pub fn allowance(&self, moves: u32) -> Duration {
        let Some(left) = self.left else { return WITHOUT_CLOCK };
        let spendable = left.saturating_sub(self.reserve);
        let moves = moves.max(1);
        // The increment of the last move comes too late.
        let fair = (spendable + self.increment * (moves - 1)) / moves;
        // With an increment, what is fair may be all there is, move after move: then whatever delays one of them loses.
        let most = if self.increment.is_zero() { spendable } else { spendable / 2 };
        fair.min(most).saturating_sub(OVERHEAD)
    }

    /// When the next move must be made if `moves`, this one included, are still to be made on the clock.
    pub fn deadline(&self, moves: u32) -> Instant {
        Instant::now() + self.allowance(moves)
    }

    /// Whether the clock leaves no time for one evaluation that takes this long, if `moves` are still to be made. An evaluation
    /// may take up to twice its move's share, since the next moves then have less.
    pub fn is_pressed(&self, moves: u32, evaluation: Duration) -> bool {
        let allowance = self.allowance(moves);
        self.is_running() && (allowance.is_zero() || 2 * allowance < evaluation)
    }

    /// What is left on it; without a clock, what a move may take.
    pub fn whole(&self) -> Duration {
        self.left.unwrap_or(WITHOUT_CLOCK)
    }

    /// Notes a move that took this long.
    pub fn charge(&mut self, used: Duration) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(used + OVERHEAD) + self.increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses every allowance to the full, and returns what is left in the end.
    fn use_up(budget: Duration, increment: Duration, moves: u32) -> Duration {
        let mut left = budget;
        let mut clock = OwnClock::new(Some(budget), increment);
        for number in 0..moves {
            let allowance = clock.allowance(moves - number);
            assert!(allowance.is_zero() || allowance + OVERHEAD < left, "move {number} of {moves}");
            left = left.saturating_sub(allowance + OVERHEAD) + increment;
            clock.charge(allowance);
        }
        left
    }

    #[test]
    fn a_clock_is_used_up_but_for_its_reserve() {
        let milliseconds = Duration::from_millis;
        for (budget, increment, moves) in
            [(60_000, 0, 14), (1_000, 0, 98), (100, 10, 26), (50, 0, 8), (1, 0, 3)]
        {
            let left = use_up(milliseconds(budget), milliseconds(increment), moves);
            let least = milliseconds(budget / u64::from(RESERVE));
            let fits = milliseconds(budget) > 2 * OVERHEAD * moves;
            assert!(!fits || (least <= left && left <= least + milliseconds(1 + 2 * increment)), "{left:?}");
        }
        assert_eq!(OwnClock::default().allowance(14), WITHOUT_CLOCK);
    }
}
