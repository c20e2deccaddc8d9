//! What a program does in its turns and out of them, as far as it is measured.
//!
//! Quick turns are not measured one by one. What was done since the last measurement is then told apart by a bound: in its turns a
//! program cannot have used more processor time than these took, on each of its cores.

use std::time::Duration;

use crate::contain::machine::OwnTime;
use crate::contain::process::Measurement;
use crate::record::Work;

/// So little out of turn does not count as computing: a program has to go to sleep, and its collectors may run.
const NEGLIGIBLE: Duration = Duration::from_millis(1);

/// How far a coarse measurement may lag behind.
const TICK: Duration = Duration::from_millis(10);

/// More than this while it is stopped is a fault.
pub const MOST_WHILE_STOPPED: Duration = Duration::from_millis(50);

/// The measurements of one program, told apart by turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conduct {
    /// What it had done at the last measurement.
    measured: Work,
    /// How long its turns took since then.
    turns: Duration,
    /// Where measurements are coarse: what is left of turns before, which may be measured yet.
    slack: Duration,
    /// How long it waited in its turns for a processor that others had.
    pub waited: Duration,
    /// By how much it was late without losing.
    pub credited: Duration,
    /// Processor time that it used while it was not its turn.
    pub out_of_turn: Duration,
    /// Processor time that it used although it was stopped.
    pub while_stopped: Duration,
}

impl Conduct {
    /// Whether it has been seen computing while it was not its turn.
    pub fn is_restless(&self) -> bool {
        !self.out_of_turn.is_zero()
    }

    /// A quick turn is over, and nobody has measured it.
    pub fn quick_turn(&mut self, took: Duration) {
        self.turns += took;
    }

    /// What it has done in a turn that has taken so long up to now, when `work` was measured. The referee itself may have waited: that is waiting as well. What the referee ran is taken off: it ran because of what the program wrote.
    pub fn in_turn(&self, work: Work, took: Duration, referee: OwnTime, cores: u32) -> Work {
        let done = work.since(self.measured);
        let cpu = done.cpu().saturating_sub(self.turns).min(took * cores);
        let waiting = (done.waiting() + referee.waited).saturating_sub(referee.ran);
        let waiting = waiting.min(took.saturating_sub(cpu));
        Work { cpu_ns: cpu.as_nanos() as u64, waiting_ns: waiting.as_nanos() as u64 }
    }

    /// A turn that took so long is over, and `work` was measured. Returns what was used out of turn since the measurement before.
    pub fn turn_over(&mut self, measured: Measurement, took: Duration, cores: u32) -> Duration {
        self.turns += took;
        self.settle(measured, cores)
    }

    /// It goes on after a stop. Returns what it used out of turn since the measurement before.
    pub fn continued(&mut self, continued: Measurement, cores: u32) -> Duration {
        self.while_stopped += continued.ran;
        self.settle(continued, cores)
    }

    fn settle(&mut self, Measurement { work, coarse, .. }: Measurement, cores: u32) -> Duration {
        let (used, turns) = (work.since(self.measured).cpu(), self.turns * cores + self.slack);
        let excess = used.saturating_sub(turns);
        self.slack = if coarse { turns.saturating_sub(used).min(TICK) } else { Duration::ZERO };
        (self.measured, self.turns) = (work, Duration::ZERO);
        if excess <= NEGLIGIBLE {
            return Duration::ZERO;
        }
        self.out_of_turn += excess;
        excess
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn work(cpu: u64, waiting: u64) -> Work {
        Work { cpu_ns: cpu * 1_000_000, waiting_ns: waiting * 1_000_000 }
    }

    fn measured(cpu: u64, waiting: u64) -> Measurement {
        Measurement { work: work(cpu, waiting), ..Measurement::default() }
    }

    /// The kernel tells the time of children that were waited for in hundredths of a second.
    #[test]
    fn a_measurement_that_lags_behind_is_no_computing_out_of_turn() {
        let mut conduct = Conduct::default();
        for turn in 1..100 {
            let known = turn * 3 / 10 * 10;
            let coarse = Measurement { coarse: true, ..measured(known, 0) };
            assert_eq!(conduct.turn_over(coarse, ms(3), 1), ms(0), "turn {turn}");
        }
        let coarse = Measurement { coarse: true, ..measured(290 + 40, 0) };
        assert!(conduct.continued(coarse, 1) >= ms(30));
    }

    #[test]
    fn what_no_turn_can_explain_was_used_out_of_turn() {
        let mut conduct = Conduct::default();
        conduct.quick_turn(ms(1));
        let goes_on = |cpu| measured(cpu, 0);
        assert_eq!(conduct.continued(goes_on(2), 1), ms(0), "a millisecond is negligible");
        assert!(!conduct.is_restless());
        assert_eq!(conduct.continued(goes_on(32), 1), ms(30));
        assert!(conduct.is_restless());
        // On two cores, two seconds of processor time fit into a turn of one second.
        assert_eq!(conduct.turn_over(measured(2032, 0), ms(1000), 2), ms(0));
        assert_eq!(conduct.turn_over(measured(4032, 0), ms(1000), 1), ms(1000));
        assert_eq!(conduct.out_of_turn, ms(1030));
    }

    #[test]
    fn waiting_is_what_is_left_of_a_turn() {
        let conduct = Conduct::default();
        let late = |waited| OwnTime { waited: ms(waited), ran: ms(0) };
        assert_eq!(conduct.in_turn(work(40, 30), ms(100), late(10), 1), work(40, 40));
        // What others did before the turn is no excuse.
        assert_eq!(conduct.in_turn(work(40, 90), ms(100), late(10), 1), work(40, 60));
        // Nor is it that its own threads took the time from each other, or the referee to read what it wrote.
        assert_eq!(conduct.in_turn(work(100, 0), ms(100), late(50), 1), work(100, 0));
        let reading = OwnTime { waited: ms(0), ran: ms(30) };
        assert_eq!(conduct.in_turn(work(40, 40), ms(100), reading, 1), work(40, 10));
    }

    #[test]
    fn what_ran_while_it_was_stopped_adds_up() {
        let mut conduct = Conduct::default();
        conduct.turn_over(measured(20, 12), ms(32), 1);
        assert_eq!(conduct.continued(Measurement { ran: ms(51), ..measured(20, 12) }, 1), ms(0));
        assert!(conduct.while_stopped > MOST_WHILE_STOPPED);
    }
}
