//! What a program does: how much processor time it uses, and how long it has to wait for a processor.
//!
//! A control group tells both. Where there is none, all of the program's processes are looked at from time to time.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity};

use super::cgroup::Cgroup;
use super::sweep::Domain;
use crate::contain::proc::{Stat, is_runnable};
use crate::contain::spec::Work;
use crate::contain::usage::Usage;

/// Measures one program from its start on.
pub struct Meter {
    /// What the group of the program had measured before.
    before: Work,
    /// The last [`Meter::mark`].
    marked: Work,
    /// Without a group: the processor time of every process that was ever seen, as it was last seen.
    seen: HashMap<i32, Duration>,
    stolen: Stolen,
    /// Without pressure: for how long something of the program was ready to run, and when that was last looked at.
    runnable: Duration,
    looked: Instant,
    /// The processes that were there at the last look.
    there: HashSet<i32>,
}

/// What a program consists of.
#[derive(Clone, Copy)]
pub struct Measured<'a> {
    /// Its processes.
    pub domain: Domain,
    /// Its group, if it has one.
    pub group: Option<&'a Cgroup>,
    /// What those of its processes have used that were reaped here.
    pub reaped: &'a Usage,
}

impl Meter {
    /// Begins to measure a program that is about to start.
    pub fn new(group: Option<&Cgroup>) -> Meter {
        let time = |time: Option<Duration>| time.unwrap_or_default().as_nanos() as u64;
        let before = Work {
            cpu_ns: time(group.and_then(Cgroup::cpu_time)),
            waiting_ns: time(group.and_then(Cgroup::waiting)),
        };
        Meter {
            before,
            marked: Work::default(),
            seen: HashMap::new(),
            stolen: Stolen::of_these_cores(),
            runnable: Duration::ZERO,
            looked: Instant::now(),
            there: HashSet::new(),
        }
    }

    /// Whether [`Meter::look`] has to be called from time to time.
    pub fn has_to_look(&self, group: Option<&Cgroup>) -> bool {
        group.is_none_or(|group| !group.counts_waiting())
    }

    /// Takes note of whether the program is ready to run now, and so was since the last look.
    pub fn look(&mut self, program: Measured<'_>) {
        let since = self.looked.elapsed();
        self.looked = Instant::now();
        let members: HashSet<i32> = program.domain.members().into_iter().collect();
        // What very short processes use may never be seen, so that it must not seem as if they had waited for it.
        if members.intersection(&self.there).any(|&pid| is_runnable(pid)) {
            self.runnable += since;
        }
        self.there = members;
        if program.group.is_none() {
            self.processor_time(program);
        }
    }

    /// The program was stopped, and goes on.
    pub fn go_on(&mut self) {
        self.looked = Instant::now();
    }

    /// What the program has done since the last [`Meter::mark`].
    pub fn measure(&mut self, program: Measured<'_>) -> Work {
        self.in_all(program).since(self.marked)
    }

    /// Measures from now on.
    pub fn mark(&mut self, program: Measured<'_>) {
        self.stolen.begin();
        self.marked = self.in_all(program);
    }

    /// What the program has done since its start.
    pub fn in_all(&mut self, program: Measured<'_>) -> Work {
        let cpu = program.group.and_then(Cgroup::cpu_time);
        let cpu_ns = match cpu {
            Some(cpu) => (cpu.as_nanos() as u64).saturating_sub(self.before.cpu_ns),
            None => self.processor_time(program).as_nanos() as u64,
        };
        let waiting_ns = match program.group.and_then(Cgroup::waiting) {
            Some(waiting) => {
                let stolen = self.stolen.up_to_now().as_nanos() as u64;
                (waiting.as_nanos() as u64).saturating_sub(self.before.waiting_ns) + stolen
            }
            // It was ready to run, and has not used this much of that time.
            None => (self.runnable.as_nanos() as u64).saturating_sub(cpu_ns),
        };
        Work { cpu_ns, waiting_ns }
    }

    /// The processor time of a program without a group. The kernel adds the time of a process that has ended to its parent's, unless
    /// the parent does not want to know: so what was seen of each process counts too.
    fn processor_time(&mut self, program: Measured<'_>) -> Duration {
        let mut known = Duration::from_nanos(program.reaped.cpu_ns);
        for pid in program.domain.members() {
            let own = time_of(pid);
            let seen = self.seen.entry(pid).or_default();
            *seen = own.max(*seen);
            known += own + time_of_reaped(pid);
        }
        known.max(self.seen.values().sum())
    }
}

/// Time in which the machine that runs this virtual one, if it is one, gave the program's core to others. No group tells that.
struct Stolen {
    cores: Vec<usize>,
    /// What had been stolen when it was first asked for.
    before: Option<Duration>,
    since: Duration,
    asked: Instant,
}

/// How old an answer about stolen time may be: it takes the kernel a while to give one.
const STOLEN_AGE: Duration = Duration::from_millis(200);

impl Stolen {
    /// From the cores that this process may use now. It is not asked for before a program has come up, since that would take time.
    fn of_these_cores() -> Stolen {
        let cores = sched_getaffinity(None).map_or_else(
            |_| Vec::new(),
            |allowed| (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect(),
        );
        Stolen { cores, before: None, since: Duration::ZERO, asked: Instant::now() }
    }

    fn begin(&mut self) {
        self.before = Some(stolen_from(&self.cores));
    }

    fn up_to_now(&mut self) -> Duration {
        if let Some(before) = self.before.filter(|_| self.asked.elapsed() > STOLEN_AGE) {
            self.since = stolen_from(&self.cores).saturating_sub(before);
            self.asked = Instant::now();
        }
        self.since
    }
}

/// What was stolen from each of these cores, on average.
fn stolen_from(cores: &[usize]) -> Duration {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let ticks: u64 = cores.iter().filter_map(|&core| stolen_ticks(&text, core)).sum();
    of_ticks(ticks) / cores.len().max(1) as u32
}

/// The column of stolen time of a core in the text of `/proc/stat`.
fn stolen_ticks(text: &str, core: usize) -> Option<u64> {
    let name = format!("cpu{core}");
    let mut lines = text.lines().map(str::split_whitespace);
    let mut columns = lines.find_map(|mut words| (words.next() == Some(&name)).then_some(words))?;
    columns.nth(7)?.parse().ok()
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
    of_ticks(Stat::of(pid).map_or(0, |stat| stat.reaped_ticks))
}

/// As long as so many ticks of the kernel's clock.
fn of_ticks(ticks: u64) -> Duration {
    // SAFETY: a plain question.
    let ticks_a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1);
    Duration::from_secs_f64(ticks as f64 / ticks_a_second as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_is_found_by_the_number_of_the_core() {
        let text =
            "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 80 9 10\ncpu10 1 2 3 4 5 6 7 81 9 10\nintr 3\n";
        assert_eq!([0, 1, 10].map(|core| stolen_ticks(text, core)), [Some(80), None, Some(81)]);
    }

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
