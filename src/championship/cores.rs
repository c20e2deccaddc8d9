//! The cores that games are played on.

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// How many cores this process can keep busy: what it is allowed to use, or less where it is rationed.
pub fn count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The cores this thread may use, beginning with the one it runs on, which the scheduler found idle: so two matches
/// started by hand do not both crowd the first core.
pub fn allowed() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let here = cores.iter().position(|&core| core == sched_getcpu()).unwrap_or_default();
    cores.rotate_left(here);
    cores
}

/// The cores of one of several workers, each of which has so many to itself. Where there are too few, they share.
pub fn share(cores: &[usize], worker: usize, each: usize) -> &[usize] {
    let mut shares = cores.chunks(each.max(1));
    let count = shares.len().max(1);
    shares.nth(worker % count).unwrap_or_default()
}

/// Binds the calling thread to these cores, if there are any. Where that is forbidden, games are as fair as the scheduler is.
pub fn pin_to(cores: &[usize]) {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    if !cores.is_empty() {
        let _ = sched_setaffinity(None, &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_have_cores_of_their_own_as_long_as_there_are_enough() {
        let cores = [2, 3, 0, 1];
        let shares = |each: usize| (0..3).map(|worker| share(&cores, worker, each)).collect::<Vec<_>>();
        assert_eq!(shares(1), [[2], [3], [0]]);
        assert_eq!(shares(2), [[2, 3], [0, 1], [2, 3]]);
        assert_eq!(share(&[], 1, 2), [0usize; 0]);
    }
}
