//! seccomp: which system calls a program is refused. These are the calls that reach other processes or the machine, and calls that
//! have had the kernel's gravest bugs and that no player of a game needs.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::{BpfProgram, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

use super::dispatch::{self, Refusal};
use crate::contain::launch::Purpose;
use crate::contain::spec::Tier;

// The newest calls have the same number on every processor; the C library's list lacks these, or has them for some only.
const CACHESTAT: c_long = 451;
const FCHMODAT2: c_long = 452;
const STATMOUNT: c_long = 457;
const LISTMOUNT: c_long = 458;
const LSM_SET_SELF_ATTR: c_long = 460;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;
/// The first number that nothing is known of here: it and all above are refused as if the kernel did not have them.
const UNKNOWN: u32 = 470;

/// Refused with "operation not permitted".
const FORBIDDEN: &[c_long] = &[
    // Filters of its own, which are memory of no process.
    libc::SYS_seccomp,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_ioprio_set,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    // Namespaces and mounts: a program that could make its own would have the run of them.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    OPEN_TREE_ATTR,
    STATMOUNT,
    LISTMOUNT,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // Keys are shared by all processes of a user, whatever namespace they are in.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The machine.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_clock_settime,
    libc::SYS_settimeofday,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    LSM_SET_SELF_ATTR,
    // They make everybody wait for the disk.
    libc::SYS_sync,
    libc::SYS_syncfs,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    // Message queues are files outside its file system; memory of System V belongs to no process, and is counted nowhere.
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    // Pages of a program that it has let go of, as large as pages can be, would wait in a pipe and be counted nowhere.
    libc::SYS_vmsplice,
    // Who opens which file is word for an accomplice.
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    // For the scheduler, each session is a party of its own, with a share of its own.
    libc::SYS_setsid,
    // Timers that send any signal, also one that lets a stopped program go on, or ends a part of it. No language's runtime needs them;
    // `setitimer` and `alarm` are left.
    libc::SYS_timer_create,
];

/// Refused unless a program has the network, whose names are asked for by these: they can pass descriptors, and the descriptors that are
/// on their way are counted for the whole account, so that the referee would have none left for its own.
const MESSAGES: &[c_long] = &[libc::SYS_sendmsg, libc::SYS_sendmmsg];

/// Refused as if the kernel did not have them: libraries then do without.
const ABSENT: &[c_long] = &[
    // Its flags are in memory, where no filter can see them; the C library falls back to `clone`.
    libc::SYS_clone3,
    // Its operations pass no filter at all.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Memory that belongs to no process, and is counted nowhere.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // Rules of a program's own would be kernel memory without a limit.
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // Timers and signals that are waited for by very many wake them all in an interrupt, which is then on the clock of whoever has the core.
    libc::SYS_timerfd_create,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_signalfd,
    libc::SYS_signalfd4,
    // What is watched is counted for the whole account, and who opens which file is word for an accomplice.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_inotify_init1,
    // The machine has a number of these for everybody.
    libc::SYS_io_setup,
    // Which parts of a file others have read.
    CACHESTAT,
];

/// Commands of `fcntl` that are refused: a lease makes others wait when they open the file, and so on.
const FILE_COMMANDS: &[u64] = &[
    libc::F_SETLEASE as u64,
    F_SETDELEG,
    // As inotify.
    libc::F_NOTIFY as u64,
    // It stays with the file, where others can read it.
    F_SET_RW_HINT,
    F_SET_FILE_RW_HINT,
    // What waits in pipes is memory of no process. The kernel keeps pipes small once an account has many; larger ones would be
    // taken from all others of the account.
    libc::F_SETPIPE_SZ as u64,
];

/// Commands of `fcntl` that set a lock. Locks on the system's files are word for an accomplice.
const LOCK_COMMANDS: [i32; 4] = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

/// Requests of `ioctl` that are refused although they are about terminals: typing in the name of its user, and other parts of the
/// kernel behind the terminal.
const TERMINAL_REQUESTS: [u64; 4] = [libc::TIOCSTI, TIOCLINUX, libc::TIOCSCTTY, libc::TIOCSETD];

/// Requests of `ioctl` about terminals, descriptors and what waits in them: all that programs need. Others change the flags of files,
/// whole file systems and devices.
const PLAIN_REQUESTS: std::ops::RangeInclusive<u64> = 0x5400..=0x54ff;
/// The same about terminals, as newer C libraries ask: `TCGETS2` and what sets it.
const NEWER_REQUESTS: [u64; 4] = [0x802c_542a, 0x402c_542b, 0x402c_542c, 0x402c_542d];

/// Refused where the file system is shared (tier B): Landlock does not cover what changes files without opening them. Builds are told that
/// it was done, since compilers and their like fail otherwise; the copy of their work is given its run bits by what its files are.
const ATTRIBUTES: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
];

/// Refused where sockets of others can be found (tier B).
const NAMES_OF_SOCKETS: &[c_long] =
    &[libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];

/// Refused where the kernel cannot keep signals inside. A program that calls `abort` still dies: of the failing call.
const SIGNALS: &[c_long] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
];

/// Calls that send a signal, and which of their arguments it is. None may let a program go on that was stopped because it is not its
/// turn.
const SIGNAL_ARGUMENTS: [(c_long, u8); 6] = [
    (libc::SYS_kill, 1),
    (libc::SYS_tkill, 1),
    (libc::SYS_tgkill, 2),
    (libc::SYS_rt_sigqueueinfo, 1),
    (libc::SYS_rt_tgsigqueueinfo, 2),
    (libc::SYS_pidfd_send_signal, 1),
];

const NEW_NAMESPACES: [i32; 8] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
    0x80, // CLONE_NEWTIME
];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The filter of a tier, if it has one.
pub fn filter(tier: Tier, purpose: Purpose, signals_are_scoped: bool) -> io::Result<Option<BpfProgram>> {
    if tier == Tier::C {
        return Ok(None);
    }
    // Of several refusals of one call, the first that holds counts.
    let mut filters = vec![
        (forbidden(tier, purpose, signals_are_scoped)?, libc::EPERM),
        (always(ABSENT), libc::ENOSYS),
        (requests()?, libc::ENOTTY),
        (sockets(purpose)?, libc::EAFNOSUPPORT),
    ];
    if tier == Tier::B {
        filters.push((always(ATTRIBUTES), if purpose.is_build() { 0 } else { libc::EPERM }));
    }
    if !purpose.is_build() {
        // The processes of a build wait for one another by locks.
        filters.extend([(locks()?, libc::ENOLCK), (trial_locks()?, 0)]);
    }
    let mut refusals: BTreeMap<u32, Vec<Refusal>> = BTreeMap::new();
    for (rules, error) in filters {
        for (call, rules) in rules {
            refusals.entry(call as u32).or_default().push(Refusal { rules, error });
        }
    }
    Ok(Some(dispatch::filter(refusals, UNKNOWN)))
}

fn forbidden(tier: Tier, purpose: Purpose, signals_are_scoped: bool) -> io::Result<Rules> {
    let mut rules = always(FORBIDDEN);
    if !purpose.has_network() {
        rules.extend(always(MESSAGES));
    }
    let namespaces = NEW_NAMESPACES.map(|flag| has(0, flag as u64));
    rules.insert(libc::SYS_clone, where_any(namespaces.into_iter().chain([exit_signal(libc::SIGCONT)]))?);
    for (call, argument) in SIGNAL_ARGUMENTS {
        rules.insert(call, where_any([is(argument, libc::SIGCONT as u64)])?);
    }
    rules.insert(libc::SYS_ioctl, where_any(TERMINAL_REQUESTS.map(|request| is(1, request)))?);
    // Limits and priorities of others; the own ones can only be lowered.
    rules.insert(libc::SYS_prlimit64, where_any([is_not(0, 0)])?);
    rules.insert(libc::SYS_setpriority, where_any([is_not(0, u64::from(libc::PRIO_PROCESS)), is_not(1, 0)])?);
    let mut files: Vec<Condition> = FILE_COMMANDS.iter().map(|&command| is(1, command)).collect();
    if tier == Tier::B {
        if !purpose.has_network() {
            rules.insert(libc::SYS_socket, Vec::new());
            // The ends of a pair can be given names, and send to those of others.
            rules.extend(always(NAMES_OF_SOCKETS));
            let address = SeccompCondition::new(4, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0);
            rules.insert(libc::SYS_sendto, where_any([address])?);
        }
        if !signals_are_scoped {
            rules.extend(always(SIGNALS));
            // Descriptors can be made to send signals, too.
            files.extend([is(1, libc::F_SETOWN as u64), is(1, F_SETOWN_EX)]);
        }
    }
    let mut files = where_any(files)?;
    files.push(where_all([is(1, F_SETSIG), is(2, libc::SIGCONT as u64)])?);
    rules.insert(libc::SYS_fcntl, files);
    let mut options = where_any(PROCESS_OPTIONS.map(|option| is(0, option)))?;
    options.push(where_all([is(0, libc::PR_SET_PDEATHSIG as u64), is(1, libc::SIGCONT as u64)])?);
    rules.insert(libc::SYS_prctl, options);
    Ok(rules)
}

/// Options of a process that take memory which is counted nowhere, or reach others: filters, sizes of tables, places in memory, and
/// who shares a core.
const PROCESS_OPTIONS: [u64; 4] =
    [libc::PR_SET_SECCOMP as u64, libc::PR_SET_MM as u64, PR_SCHED_CORE, PR_FUTEX_HASH];
const PR_SCHED_CORE: u64 = 62;
const PR_FUTEX_HASH: u64 = 78;

/// What asks for a lock only if nobody else has it: Java's virtual machine, at every start, to know that a file is not in use. It would
/// complain on stdout.
const TRIAL_LOCK: u64 = (libc::LOCK_EX | libc::LOCK_NB) as u64;

/// Locks that are said to be set, and are not: in its scratch a program is alone.
fn trial_locks() -> io::Result<Rules> {
    Ok(Rules::from([(libc::SYS_flock, where_any([is(1, TRIAL_LOCK)])?)]))
}

fn locks() -> io::Result<Rules> {
    let mut rules = Rules::from([(libc::SYS_flock, where_any([is_not(1, TRIAL_LOCK)])?)]);
    rules.insert(libc::SYS_fcntl, where_any(LOCK_COMMANDS.map(|command| is(1, command as u64)))?);
    Ok(rules)
}

fn requests() -> io::Result<Rules> {
    let above = [SeccompCondition::new(1, DWORD, SeccompCmpOp::Gt, *PLAIN_REQUESTS.end())];
    let above = where_all(above.into_iter().chain(NEWER_REQUESTS.map(|request| is_not(1, request))))?;
    let below = where_all([SeccompCondition::new(1, DWORD, SeccompCmpOp::Lt, *PLAIN_REQUESTS.start())])?;
    Ok(Rules::from([(libc::SYS_ioctl, vec![above, below])]))
}

/// Sockets are for talking among its own processes, unless it has the machine's network. Its own, where it has one (tier A), is empty.
fn sockets(purpose: Purpose) -> io::Result<Rules> {
    let others = |allowed: &[i32]| where_all(allowed.iter().map(|&family| is_not(0, family as u64)));
    let families: &[i32] = match purpose.has_network() {
        // The C library asks the kernel for the machine's addresses.
        true => &[libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK],
        false => &[libc::AF_UNIX],
    };
    let pairs = others(&[libc::AF_UNIX])?;
    Ok(Rules::from([(libc::SYS_socket, vec![others(families)?]), (libc::SYS_socketpair, vec![pairs])]))
}

/// Rules that refuse these calls whatever their arguments are.
fn always(calls: &[c_long]) -> Rules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

const TIOCLINUX: u64 = 0x541c;
const F_SETSIG: u64 = 10;
const F_SETOWN_EX: u64 = 15;
const F_SET_RW_HINT: u64 = 1036;
const F_SET_FILE_RW_HINT: u64 = 1038;
const F_SETDELEG: u64 = 1040;
const DWORD: SeccompCmpArgLen = SeccompCmpArgLen::Dword;

type Condition = Result<SeccompCondition, seccompiler::BackendError>;

/// Rules that hold if any of these conditions does.
fn where_any(conditions: impl IntoIterator<Item = Condition>) -> io::Result<Vec<SeccompRule>> {
    conditions.into_iter().map(|condition| where_all([condition])).collect()
}

/// A rule of conditions that must all hold.
fn where_all(conditions: impl IntoIterator<Item = Condition>) -> io::Result<SeccompRule> {
    let conditions = conditions.into_iter().collect::<Result<Vec<_>, _>>();
    conditions.and_then(SeccompRule::new).map_err(io::Error::other)
}

/// The signal that a new process sends its parent when it ends.
fn exit_signal(signal: i32) -> Condition {
    const CSIGNAL: u64 = 0xff;
    SeccompCondition::new(0, DWORD, SeccompCmpOp::MaskedEq(CSIGNAL), signal as u64)
}

fn has(argument: u8, flag: u64) -> Condition {
    SeccompCondition::new(argument, DWORD, SeccompCmpOp::MaskedEq(flag), flag)
}

fn is(argument: u8, value: u64) -> Condition {
    SeccompCondition::new(argument, DWORD, SeccompCmpOp::Eq, value)
}

fn is_not(argument: u8, value: u64) -> Condition {
    SeccompCondition::new(argument, DWORD, SeccompCmpOp::Ne, value)
}
