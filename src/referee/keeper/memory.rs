//! How much memory a program uses, all of its processes together.

/// What the processes hold that is nobody else's, in bytes, and the tables that the kernel keeps of it. Pages that several of
/// them share count for each of them in the quick answer; so if that is too much, they are counted again, page by page.
pub fn in_use(processes: &[i32], limit: u64) -> u64 {
    let quick = processes.iter().map(|&pid| quickly(pid)).sum();
    if quick <= limit || processes.len() < 2 {
        return quick;
    }
    // One that lets nobody look that closely has the quick answer against it.
    processes.iter().map(|&pid| closely(pid).unwrap_or_else(|| quickly(pid))).sum()
}

/// One that has ended holds nothing.
fn quickly(pid: i32) -> u64 {
    fields(pid, "status", &["RssAnon:", "RssShmem:", "VmPTE:"]).unwrap_or_default()
}

fn closely(pid: i32) -> Option<u64> {
    Some(fields(pid, "smaps_rollup", &["Pss_Anon:", "Pss_Shmem:"])? + fields(pid, "status", &["VmPTE:"])?)
}

fn fields(pid: i32, file: &str, names: &[&str]) -> Option<u64> {
    std::fs::read_to_string(format!("/proc/{pid}/{file}")).ok().map(|text| sum_of(&text, names))
}

/// The sum of the fields in a text of the form `Name:   123 kB`.
fn sum_of(text: &str, fields: &[&str]) -> u64 {
    let kilobytes = |line: &str| -> Option<u64> {
        let (name, rest) = line.split_once(char::is_whitespace)?;
        fields.contains(&name).then(|| rest.split_ascii_whitespace().next()?.parse().ok()).flatten()
    };
    1024 * text.lines().filter_map(kilobytes).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_memory_is_counted_and_what_is_mapped_from_files_is_not() {
        let text = "Name:\tx\nVmRSS:\t 900 kB\nRssAnon:\t 100 kB\nRssFile:\t 700 kB\nRssShmem:\t 50 kB\n";
        assert_eq!(sum_of(text, &["RssAnon:", "RssShmem:"]), 150 * 1024);
        let block = vec![1u8; 20 << 20];
        let own = [std::process::id() as i32];
        assert!(in_use(&own, u64::MAX) > std::hint::black_box(&block).len() as u64);
    }
}
