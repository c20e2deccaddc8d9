//! How much memory a program uses, all of its processes together, found out at a bounded cost.
//!
//! The quick answer adds up what each process has in its page tables. It counts a shared page once for every process that shares it,
//! so it is never too low. Only if it is above the limit, pages are counted exactly. That takes a walk through all page tables, which a
//! program can make as long as it likes: so it is done within a budget of time.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::sweep::HELPER;
use crate::contain::proc::{Sockets, memory_of, same_memory, smaps_sum, status_sum};

/// How often memory is measured. A program that fills memory in less time meets the limit that the kernel sets each process.
const INTERVAL: Duration = Duration::from_millis(50);
/// Of the time, the quick answer takes at most a tenth.
const QUICK_SHARE: u32 = 10;
/// Of the time, exact counts take at most a twentieth …
const EXACT_SHARE: u32 = 20;
/// … or a fifth, while a program grows that may be above the limit by now.
const URGENT_SHARE: u32 = 5;
/// An exact count is not put off for longer than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How long an exact count may take. A program can make the kernel wait for its memory for as long as it likes.
const LONGEST_COUNT: Duration = Duration::from_secs(2);
/// A quick answer so many times above the limit counts as too much: its exact count would take too long.
const ABSURD: u64 = 8;
/// Sockets that are not counted: every program may have a few.
const FEW_SOCKETS: u64 = 64;
/// What may wait in a socket, where nobody has set its buffer: that is memory of no process.
const SOCKET_BUFFER: u64 = 208 << 10;

/// The watch over the memory of one program.
pub struct MemoryWatch {
    limit: u64,
    /// The sockets of the program's network, if it is alone in it.
    sockets: Option<Sockets>,
    next: Instant,
    counted: Option<Count>,
    /// An exact count that is under way.
    counting: Option<Counting>,
}

/// An exact count that is under way, in a process of its own: a program can make the kernel wait for its memory for as long as it
/// likes, and whoever watches the program has more to do meanwhile.
struct Counting {
    process: Pid,
    answer: OwnedFd,
    quick: HashMap<i32, u64>,
    begun: Instant,
}

/// An exact count.
struct Count {
    total: u64,
    /// The quick answer for each process at that time.
    quick: HashMap<i32, u64>,
    ended: Instant,
    took: Duration,
}

impl MemoryWatch {
    /// Begins to watch. `own_network`: whether this process is in the program's network, and nobody else is.
    pub fn new(limit: u64, own_network: bool) -> MemoryWatch {
        let sockets = if own_network { Sockets::of_this_network() } else { None };
        MemoryWatch { limit, sockets, next: Instant::now() + INTERVAL, counted: None, counting: None }
    }

    /// Gives up a count that is under way.
    pub fn give_up(&mut self) {
        self.counting = None;
    }

    /// What tells that something can be measured before the pause is over, if anything does.
    pub fn answer(&self) -> Option<BorrowedFd<'_>> {
        self.counting.as_ref().map(|counting| counting.answer.as_fd())
    }

    /// How long nothing need be measured.
    pub fn pause(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Measures, if it is time for that, and says how much is in use: more than the limit if that cannot be found out.
    pub fn measure(&mut self, processes: impl FnOnce() -> Vec<i32>) -> Option<u64> {
        let buffers = self.buffers();
        if let Some(counting) = &self.counting {
            let total = counting.result(self.limit)?;
            let (begun, ended) = (counting.begun, Instant::now());
            let quick = self.counting.take().map(|counting| counting.quick.clone()).unwrap_or_default();
            self.counted = Some(Count { total, quick, ended, took: ended - begun });
            return Some(buffers + total);
        }
        let begun = Instant::now();
        if begun < self.next {
            return None;
        }
        let quick: Option<HashMap<i32, u64>> =
            processes().into_iter().map(|pid| memory_of(pid).map(|bytes| (pid, bytes))).collect();
        self.next = begun + INTERVAL.max(begun.elapsed() * QUICK_SHARE);
        // A limit that cannot be read is a limit that is broken.
        let Some(quick) = quick else { return Some(self.limit + 1) };
        let sum = quick.values().sum::<u64>() + buffers;
        if sum <= self.limit || sum / ABSURD > self.limit || quick.len() < 2 {
            return Some(sum);
        }
        self.exactly(quick).map(|total| buffers + total)
    }

    /// What may wait in the program's sockets.
    fn buffers(&self) -> u64 {
        self.sockets.as_ref().map_or(0, Sockets::count).saturating_sub(FEW_SOCKETS) * SOCKET_BUFFER
    }

    /// An earlier count, if it is too early for another. Otherwise one is begun.
    fn exactly(&mut self, quick: HashMap<i32, u64>) -> Option<u64> {
        if let Some(count) = &self.counted {
            // Pages that were private then may be shared now, but there cannot be more than this.
            let most = count.total + quick.iter().map(|(pid, now)| count.growth_of(*pid, *now)).sum::<u64>();
            let share = if most > self.limit { URGENT_SHARE } else { EXACT_SHARE };
            if count.ended.elapsed() < (count.took * (share - 1)).min(LONGEST_PAUSE) {
                return Some(count.total);
            }
        }
        self.counting = Counting::begin(quick, count_exactly);
        match self.counting {
            Some(_) => {
                self.next = Instant::now() + LONGEST_COUNT;
                None
            }
            // What cannot be counted counts as too much.
            None => Some(self.limit + 1),
        }
    }
}

impl Counting {
    fn begin(quick: HashMap<i32, u64>, count: impl FnOnce(&HashMap<i32, u64>) -> u64) -> Option<Counting> {
        let (answer, theirs) = pipe_with(PipeFlags::CLOEXEC).ok()?;
        // SAFETY: this process has one thread, so that the copy may go on with everything.
        match unsafe { libc::fork() } {
            0 => {
                // Nobody is told if this fails, and so it counts as no answer.
                let _ = rustix::io::write(&theirs, &count(&quick).to_ne_bytes());
                // SAFETY: ends the copy without running what the original has yet to run.
                unsafe { libc::_exit(0) }
            }
            child => {
                let process = Pid::from_raw(child).filter(|_| child > 0)?;
                HELPER.store(child, Ordering::Relaxed);
                Some(Counting { process, answer, quick, begun: Instant::now() })
            }
        }
    }

    /// The count, once it is there: more than the limit if it takes too long.
    fn result(&self, limit: u64) -> Option<u64> {
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut waiting = [PollFd::new(&self.answer, PollFlags::IN)];
        if retry_on_intr(|| poll(&mut waiting, Some(&at_once))) == Ok(0) {
            return (self.begun.elapsed() >= LONGEST_COUNT).then_some(limit + 1);
        }
        let mut number = [0; 8];
        let length = rustix::io::read(&self.answer, &mut number[..]).unwrap_or_default();
        Some(if length == number.len() { u64::from_ne_bytes(number) } else { limit + 1 })
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        // It has ended already, or has to.
        let _ = kill_process(self.process, Signal::KILL);
        let _ = retry_on_intr(|| waitpid(Some(self.process), WaitOptions::empty()));
        HELPER.store(0, Ordering::Relaxed);
    }
}

impl Count {
    fn growth_of(&self, pid: i32, now: u64) -> u64 {
        now.saturating_sub(self.quick.get(&pid).copied().unwrap_or_default())
    }
}

/// The memory that belongs to these processes alone, with the kernel's page tables: each page once.
fn count_exactly(quick: &HashMap<i32, u64>) -> u64 {
    let mut seen: HashMap<u64, Vec<i32>> = HashMap::new();
    let mut total = 0;
    for (&pid, &bytes) in quick {
        // A process may borrow another's memory for a moment, as `vfork` does. The kernel counts it for both, and alike.
        let alike = seen.entry(bytes).or_default();
        if alike.iter().any(|&other| same_memory(pid, other)) {
            continue;
        }
        alike.push(pid);
        // If smaps_rollup is unreadable, use the quick answer.
        total += closely(pid).unwrap_or(bytes);
    }
    total
}

fn closely(pid: i32) -> Option<u64> {
    Some(smaps_sum(pid, &["Pss_Anon:", "Pss_Shmem:"])? + status_sum(pid, &["VmPTE:"])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A watch that measures whenever it is asked.
    fn watch(limit: u64) -> MemoryWatch {
        MemoryWatch { next: Instant::now(), ..MemoryWatch::new(limit, false) }
    }

    #[test]
    fn memory_of_a_process_is_counted() {
        let block = vec![1u8; 20 << 20];
        let used = watch(u64::MAX).measure(|| vec![std::process::id() as i32]);
        assert!(used > Some(std::hint::black_box(&block).len() as u64), "{used:?}");
    }

    #[test]
    fn a_process_that_has_ended_holds_nothing_and_nobody_is_measured_too_early() {
        assert_eq!(watch(1).measure(|| vec![1 << 23]), Some(0));
        assert_eq!(MemoryWatch::new(1, false).measure(|| panic!("it is too early")), None);
    }

    #[test]
    fn a_count_that_takes_too_long_is_too_much() {
        let begun = |ago: Duration, count: fn(&HashMap<i32, u64>) -> u64| {
            let mut counting = Counting::begin(HashMap::new(), count).unwrap();
            counting.begun -= ago;
            counting
        };
        let slow = |_: &HashMap<i32, u64>| {
            std::thread::sleep(Duration::from_secs(3600));
            7
        };
        assert_eq!(begun(Duration::ZERO, slow).result(5), None);
        assert_eq!(begun(LONGEST_COUNT, slow).result(5), Some(6));
        let quick = begun(Duration::ZERO, |_| 3);
        let mut waiting = [PollFd::new(&quick.answer, PollFlags::IN)];
        poll(&mut waiting, None).unwrap();
        assert_eq!(quick.result(5), Some(3));
    }

    #[test]
    fn exact_counts_stay_within_their_budget() {
        let own = std::process::id() as i32;
        let quick = HashMap::from([(own, 1000)]);
        let counted = |total| {
            let (ended, took) = (Instant::now(), Duration::from_secs(1000));
            Some(Count { total, quick: quick.clone(), ended, took })
        };
        let mut watch = MemoryWatch { counted: counted(7), ..watch(500) };
        // However much it has grown, a count that took so long is not repeated soon.
        assert_eq!(watch.exactly(HashMap::from([(own, 5000)])), Some(7));
        // One that took no time is.
        watch.counted.as_mut().unwrap().took = Duration::ZERO;
        assert_eq!(watch.exactly(quick.clone()), None);
        let answer = watch.answer().expect("a count is under way");
        poll(&mut [PollFd::new(&answer, PollFlags::IN)], None).unwrap();
        assert!(watch.measure(|| panic!("the answer is there")) > Some(7));
    }
}
