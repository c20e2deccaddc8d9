//! How a turn is charged to the mover's clock, part by part.
//!
//! Coming up is free. Then, as long as others still come up and take time from the same core, the mover is charged the processor time
//! that it uses, and after that the time that passes.

use std::time::{Duration, Instant};

/// What a part of a turn costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Nothing: the mover comes up.
    Free,
    /// The processor time of the mover, which had used this much when the part began.
    Cpu(Duration),
    /// The time that passes.
    Wall,
}

/// The clock of one turn.
#[derive(Clone, Copy, Debug)]
pub struct TurnClock {
    /// When the present part began.
    began: Instant,
    pace: Pace,
    /// What the parts before it cost.
    before: Duration,
}

impl TurnClock {
    /// A turn that begins at some moment, at this pace.
    pub fn start(began: Instant, pace: Pace) -> TurnClock {
        TurnClock { began, pace, before: Duration::ZERO }
    }

    /// What the present part costs.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// What the turn has cost until some moment; `cpu` is what the mover has used by then, if that is charged.
    pub fn spent(&self, until: Instant, cpu: Duration) -> Duration {
        self.before
            + match self.pace {
                Pace::Free => Duration::ZERO,
                Pace::Cpu(began) => cpu.saturating_sub(began),
                Pace::Wall => until.saturating_duration_since(self.began),
            }
    }

    /// Another part begins at some moment, when the mover has used so much.
    pub fn change(&mut self, pace: Pace, at: Instant, cpu: Duration) {
        *self = TurnClock { before: self.spent(at, cpu), began: at, pace };
    }

    /// When the present part began, if time that passes is charged.
    pub fn wall_began(&self) -> Option<Instant> {
        (self.pace == Pace::Wall).then_some(self.began)
    }

    /// The moment at which this much is spent, where time that passes is charged.
    pub fn deadline(&self, allowance: Duration) -> Option<Instant> {
        (self.pace == Pace::Wall).then(|| self.began + allowance.saturating_sub(self.before))
    }

    /// Leaves out what the referee itself has done for so long.
    pub fn leave_out(&mut self, time: Duration) {
        self.began += time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn coming_up_is_free_then_processor_time_counts_and_then_time() {
        let start = Instant::now();
        let mut clock = TurnClock::start(start, Pace::Free);
        assert_eq!(clock.spent(start + ms(900), ms(700)), Duration::ZERO);
        assert_eq!(clock.deadline(ms(1)), None);
        clock.change(Pace::Cpu(ms(700)), start + ms(900), ms(700));
        assert_eq!(clock.spent(start + ms(1900), ms(750)), ms(50));
        assert_eq!(clock.deadline(ms(1)), None);
        clock.change(Pace::Wall, start + ms(1900), ms(750));
        assert_eq!(clock.spent(start + ms(2000), ms(5000)), ms(150));
        assert_eq!(clock.deadline(ms(200)), Some(start + ms(2050)));
        assert_eq!(clock.deadline(ms(20)), Some(start + ms(1900)));
    }

    #[test]
    fn what_the_referee_does_is_left_out() {
        let start = Instant::now();
        let mut clock = TurnClock::start(start, Pace::Wall);
        clock.leave_out(ms(3));
        assert_eq!(clock.spent(start + ms(10), ms(0)), ms(7));
        assert_eq!(clock.deadline(ms(20)), Some(start + ms(23)));
    }
}
