//! Watching a program from another core than its own.
//!
//! A program may have so many busy processes that nothing else gets a turn on their core, and a game's clock runs on for whatever
//! else is done there. So who watches a program does it from elsewhere, and comes back before the next program is started, which
//! inherits the core.

use rustix::process::{Pid, getppid};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The turns that a watcher asks for, in nanoseconds: the shortest that the kernel gives (0.1 ms). What asks for short turns gets them
/// soon.
const SHORT_SLICE: u64 = 100_000;
/// As long as everybody's.
const USUAL_SLICE: u64 = 0;

/// Cores to watch a program from.
pub struct Elsewhere {
    cores: CpuSet,
    /// Whether no game is played on them.
    pub is_free: bool,
}

impl Elsewhere {
    /// The cores that the referee's bookkeeping uses, without the one that this process shares with a program; nothing if that leaves
    /// none.
    pub fn find() -> Option<Elsewhere> {
        let mut cores = affinity(getppid())?;
        let all = cores.count();
        let own = affinity(None)?;
        (0..CpuSet::MAX_CPU).filter(|&core| own.is_set(core)).for_each(|core| cores.unset(core));
        // As long as there are cores without a game, bookkeeping keeps to these.
        (cores.count() > 0).then(|| Elsewhere { is_free: cores.count() == all, cores })
    }
}

fn affinity(process: Option<Pid>) -> Option<CpuSet> {
    sched_getaffinity(process).ok()
}

/// Keeps this process off its core. Dropping it brings the process back.
pub struct OffCore(Option<CpuSet>);

impl OffCore {
    /// Goes to these cores, if there are any.
    pub fn go(elsewhere: Option<&Elsewhere>) -> OffCore {
        ask_for_slice(SHORT_SLICE);
        let own = affinity(None);
        // Ignore failure: we then share the core.
        let _ = elsewhere.map(|elsewhere| sched_setaffinity(None, &elsewhere.cores));
        OffCore(own)
    }
}

impl Drop for OffCore {
    fn drop(&mut self) {
        let _ = self.0.as_ref().map(|own| sched_setaffinity(None, own));
        // The next program would inherit it.
        ask_for_slice(USUAL_SLICE);
    }
}

/// Asks for turns of this length. Ignore failure: only Linux 6.12 and later know of this.
fn ask_for_slice(nanoseconds: u64) {
    // SAFETY: plain system calls, with a pointer to a structure of the size that it says.
    unsafe {
        let wish = libc::sched_attr {
            size: size_of::<libc::sched_attr>() as u32,
            sched_policy: libc::SCHED_OTHER as u32,
            sched_flags: 0,
            sched_nice: libc::getpriority(libc::PRIO_PROCESS, 0),
            sched_priority: 0,
            sched_runtime: nanoseconds,
            sched_deadline: 0,
            sched_period: 0,
        };
        libc::syscall(libc::SYS_sched_setattr, 0, &wish, 0);
    }
}
