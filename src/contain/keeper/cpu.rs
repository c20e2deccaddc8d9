//! Processor time of a program and all that it has started.

use std::time::Duration;

use crate::contain::proc::{Stat, children_of};

/// The processor time of everything below a keeper up to now. If programs are `inside` a namespace, its init is ours: of init only
/// what it has reaped counts.
pub fn time_below(keeper: u32, inside: bool) -> Duration {
    let mut total = Duration::ZERO;
    let mut open: Vec<(i32, bool)> =
        children_of(keeper as i32).into_iter().map(|child| (child, !inside)).collect();
    while let Some((pid, counts)) = open.pop() {
        if counts {
            total += time_of(pid);
        }
        total += time_of_reaped(pid);
        open.extend(children_of(pid).into_iter().map(|child| (child, true)));
    }
    total
}

/// The time of a process, all of its threads together; nothing if it has ended.
fn time_of(pid: i32) -> Duration {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both pointers are to variables of ours.
    let known = unsafe {
        libc::clock_getcpuclockid(pid, &mut clock) == 0 && libc::clock_gettime(clock, &mut time) == 0
    };
    if known { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) } else { Duration::ZERO }
}

/// The time of the children that a process has waited for, to a hundredth of a second.
fn time_of_reaped(pid: i32) -> Duration {
    let ticks = Stat::of(pid).map_or(0, |stat| stat.reaped_ticks);
    // SAFETY: a plain question.
    let ticks_a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1);
    Duration::from_secs_f64(ticks as f64 / ticks_a_second as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_and_waiting_is_not() {
        let own = std::process::id() as i32;
        let before = time_of(own);
        let begun = std::time::Instant::now();
        while time_of(own) - before < Duration::from_millis(20) {
            assert!(begun.elapsed() < Duration::from_secs(60), "no time is counted");
        }
        assert_eq!(time_of(1 << 23), Duration::ZERO);
    }
}
