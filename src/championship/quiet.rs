//! Waiting until the machine is quieter, before games are played again that other work has disturbed.

use std::thread;
use std::time::{Duration, Instant};

use super::cores;
use crate::referee::interrupt::Interrupt;

/// The longest that anybody waits.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How long the machine is looked at to tell whether it is quiet.
const LOOK: Duration = Duration::from_millis(200);

/// The share of the time that the cores of a quiet machine are idle, in percent.
const QUIET: u64 = 75;

/// Waits until the cores that this thread may use are mostly idle, or for as long as [`PATIENCE`] says, or until an interrupt.
/// If there is anything to wait for, `tell` is called, once.
pub fn wait(interrupt: &Interrupt, tell: impl FnOnce()) {
    let end = Instant::now() + PATIENCE;
    let cores = cores::allowed();
    let mut tell = Some(tell);
    while !interrupt.requested() && Instant::now() < end && !is_quiet_now(&cores) {
        if let Some(tell) = tell.take() {
            tell();
        }
    }
}

/// Looks at these cores for a moment. Where the kernel does not tell, there is nothing to wait for.
fn is_quiet_now(cores: &[usize]) -> bool {
    let read = || std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let before = CoreTime::parse(&read(), cores);
    thread::sleep(LOOK);
    CoreTime::parse(&read(), cores).is_quiet_since(before)
}

/// What some cores have done since the machine was started, in ticks of the kernel's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CoreTime {
    idle: u64,
    total: u64,
}

impl CoreTime {
    /// The sum over these cores of what `/proc/stat` says.
    fn parse(stat: &str, cores: &[usize]) -> CoreTime {
        let mut sum = CoreTime::default();
        for line in stat.lines() {
            let mut words = line.split_ascii_whitespace();
            let core = words.next().and_then(|name| name.strip_prefix("cpu")?.parse().ok());
            if core.is_some_and(|core| cores.contains(&core)) {
                // user, nice, system, idle, iowait, irq, softirq, steal. What guests used comes behind and is in the first two.
                let times: Vec<u64> = words.take(8).map(|word| word.parse().unwrap_or_default()).collect();
                sum.idle += times.iter().skip(3).take(2).sum::<u64>();
                sum.total += times.iter().sum::<u64>();
            }
        }
        sum
    }

    fn is_quiet_since(self, before: CoreTime) -> bool {
        // Some kernels let the idle time of a core go back by a tick.
        let since = |now: u64, before: u64| now.saturating_sub(before);
        100 * since(self.idle, before.idle) >= QUIET * since(self.total, before.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  300 0 30 3000 30 0 3 6 0 0\n\
                        cpu0 100 0 10 1000 10 0 1 2 50 0\n\
                        cpu1 100 0 10 1000 10 0 1 2 0 0\n\
                        cpu10 100 0 10 1000 10 0 1 2 0 0\n\
                        intr 12345 0 0\n";

    #[test]
    fn only_the_named_cores_are_added_up() {
        assert_eq!(CoreTime::parse(STAT, &[1]), CoreTime { idle: 1010, total: 1123 });
        assert_eq!(CoreTime::parse(STAT, &[0, 10]), CoreTime { idle: 2020, total: 2246 });
        assert_eq!(CoreTime::parse(STAT, &[7]), CoreTime::default());
        assert_eq!(CoreTime::parse("cpu0 what\ncpu0\n\n", &[0]), CoreTime::default());
    }

    #[test]
    fn cores_are_quiet_when_they_are_mostly_idle() {
        let before = CoreTime { idle: 1000, total: 5000 };
        let after = |idle: u64| CoreTime { idle: 1000 + idle, total: 5040 };
        assert!(after(40).is_quiet_since(before) && after(30).is_quiet_since(before));
        assert!(!after(29).is_quiet_since(before) && !after(0).is_quiet_since(before));
        assert!(before.is_quiet_since(before), "where nothing is told, nobody waits");
    }
}
