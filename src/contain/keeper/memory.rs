//! How much memory a program uses, all of its processes together.

use crate::contain::proc::{smaps_sum, status_sum};

/// The memory that belongs to these processes alone, in bytes, with the kernel's page tables. The quick answer counts a shared page
/// for every process that shares it; so if it is above the limit, pages are counted exactly.
pub fn in_use(processes: &[i32], limit: u64) -> u64 {
    let quick = processes.iter().map(|&pid| quickly(pid)).sum();
    if quick <= limit || processes.len() < 2 {
        return quick;
    }
    // If smaps_rollup is unreadable, use the quick answer.
    processes.iter().map(|&pid| closely(pid).unwrap_or_else(|| quickly(pid))).sum()
}

/// A process that has ended holds nothing.
fn quickly(pid: i32) -> u64 {
    status_sum(pid, &["RssAnon:", "RssShmem:", "VmPTE:"]).unwrap_or_default()
}

fn closely(pid: i32) -> Option<u64> {
    Some(smaps_sum(pid, &["Pss_Anon:", "Pss_Shmem:"])? + status_sum(pid, &["VmPTE:"])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_a_process_is_counted() {
        let block = vec![1u8; 20 << 20];
        let own = [std::process::id() as i32];
        assert!(in_use(&own, u64::MAX) > std::hint::black_box(&block).len() as u64);
    }
}
