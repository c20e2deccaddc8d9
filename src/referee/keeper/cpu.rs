//! Processor time of a program and all that it has started.

use std::time::Duration;

use super::sweep::children_of;

/// The processor time of everything below a keeper up to now. If programs are `inside` a namespace, its first process is the
/// keeper's own and is not counted, but for what it has reaped.
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
    let Ok(stat) = std::fs::read(format!("/proc/{pid}/stat")) else { return Duration::ZERO };
    let ticks = reaped_ticks(&stat).unwrap_or_default();
    // SAFETY: a plain question.
    let ticks_a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1);
    Duration::from_secs_f64(ticks as f64 / ticks_a_second as f64)
}

/// The times of children in the text of `/proc/PID/stat`, of which only the name in front holds closing brackets.
fn reaped_ticks(stat: &[u8]) -> Option<u64> {
    let after_name = stat.iter().rposition(|&byte| byte == b')')? + 1;
    let mut fields = std::str::from_utf8(&stat[after_name..]).ok()?.split_ascii_whitespace().skip(13);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
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
        assert_eq!(reaped_ticks(b"1 (a) b) S 2 3 4 5 6 7 8 9 10 11 12 13 70 7 20"), Some(77));
        assert_eq!(time_of(1 << 23), Duration::ZERO);
    }
}
