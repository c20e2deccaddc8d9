//! The account that a program of tier A runs under.
//!
//! Where root runs arbitro, every keeper has a user and a group of its own for its programs, so that two bots share nothing that
//! the kernel counts by account, and own no file of root's. Their number is [`FIRST`] plus the number of the keeper's process:
//! 1879048192 to 1883242495, which no system gives to anybody, and no two keepers at the same time. Anybody else has one account
//! only, which its programs share.

use rustix::thread::CapabilitySet;

/// The number of the first account. Those below it may be given to containers (systemd's table of user numbers).
const FIRST: u32 = 0x7000_0000;

/// The account of a keeper's programs where they have one of their own: both the user's number and the group's.
pub fn of_keeper(pid: u32) -> Option<u32> {
    let account = FIRST.checked_add(pid)?;
    let exists = |map| std::fs::read_to_string(map).is_ok_and(|map| is_mapped(&map, account));
    (may_give_accounts() && exists("/proc/self/uid_map") && exists("/proc/self/gid_map")).then_some(account)
}

/// Whether this process is root, and has what a root inside of a container may lack.
fn may_give_accounts() -> bool {
    let needed = CapabilitySet::SETUID | CapabilitySet::SETGID | CapabilitySet::CHOWN;
    rustix::process::geteuid().is_root()
        && rustix::thread::capabilities(None).is_ok_and(|sets| sets.effective.contains(needed))
}

/// Whether an account exists for the processes of a user namespace with this map. In a container they may have few.
fn is_mapped(map: &str, account: u32) -> bool {
    map.lines().any(|line| {
        let mut numbers = line.split_whitespace().map(|number| number.parse::<u32>().unwrap_or(0));
        let (first, _, length) = (numbers.next(), numbers.next(), numbers.next());
        first.zip(length).is_some_and(|(first, length)| first <= account && account - first < length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_used_only_where_it_exists() {
        assert!(is_mapped("         0          0 4294967295\n", FIRST + 4_194_303));
        assert!(!is_mapped("         0     100000      65536\n", FIRST));
        assert!(is_mapped("0 1000 1\n1879048192 5000 10\n", FIRST + 9));
        assert!(!is_mapped("0 1000 1\n1879048192 5000 10\n", FIRST + 10));
        assert!(!is_mapped("", FIRST));
    }
}
