//! seccomp: which system calls a program is refused. These are the calls that reach other processes or the machine, and calls that
//! have had the kernel's gravest bugs and that no player of a game needs.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::{BpfProgram, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

use super::dispatch::{self, Refusal};
use crate::contain::spec::Tier;

/// The newest calls have the same number on every processor; the C library's list lacks this one for some.
const FCHMODAT2: libc::c_long = 452;

/// Refused with "operation not permitted".
const FORBIDDEN: &[c_long] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
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
];

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
];

/// Refused where the file system is shared (tier B): Landlock does not cover what changes files without opening them.
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
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
];
// Numbers that are younger than the tables of the C library's crate.
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_FILE_SETATTR: c_long = 469;

/// Refused where the kernel cannot keep signals inside. A program that calls `abort` still dies: of the failing call.
const SIGNALS: &[c_long] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
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

/// The filter of a tier, if it has one.
pub fn filter(tier: Tier, signals_are_scoped: bool) -> io::Result<Option<BpfProgram>> {
    if tier == Tier::C {
        return Ok(None);
    }
    let mut forbidden: BTreeMap<i64, Vec<SeccompRule>> =
        FORBIDDEN.iter().map(|&call| (call, Vec::new())).collect();
    forbidden.insert(libc::SYS_clone, where_any(NEW_NAMESPACES.map(|flag| has(0, flag as u64)))?);
    // Typing into a terminal in the name of its user.
    forbidden.insert(
        libc::SYS_ioctl,
        where_any([libc::TIOCSTI, TIOCLINUX, libc::TIOCSCTTY].map(|request| is(1, request)))?,
    );
    // Limits and priorities of others; the own ones can only be lowered.
    forbidden.insert(libc::SYS_prlimit64, where_any([is_not(0, 0)])?);
    forbidden
        .insert(libc::SYS_setpriority, where_any([is_not(0, u64::from(libc::PRIO_PROCESS)), is_not(1, 0)])?);
    // A lease on a file makes other processes wait when they open it.
    let mut files = vec![is(1, libc::F_SETLEASE as u64), is(1, F_SETDELEG)];
    if tier == Tier::B {
        forbidden.extend(ATTRIBUTES.iter().map(|&call| (call, Vec::new())));
        forbidden.insert(libc::SYS_socket, Vec::new());
        if !signals_are_scoped {
            forbidden.extend(SIGNALS.iter().map(|&call| (call, Vec::new())));
            // Descriptors can be made to send signals, too.
            files.extend([is(1, libc::F_SETOWN as u64), is(1, F_SETOWN_EX)]);
        }
    } else {
        // Its network is empty; no other family of sockets is of use in it.
        let own = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];
        forbidden.insert(libc::SYS_socket, vec![where_all(own.map(|family| is_not(0, family as u64)))?]);
    }
    forbidden.insert(libc::SYS_fcntl, where_any(files)?);
    let refused =
        |error| move |(call, rules): (i64, Vec<SeccompRule>)| (call as u32, Refusal { rules, error });
    let absent = ABSENT.iter().map(|&call| (call, Vec::new())).map(refused(libc::ENOSYS));
    let refusals = forbidden.into_iter().map(refused(libc::EPERM)).chain(absent);
    Ok(Some(dispatch::filter(refusals.collect())))
}

const TIOCLINUX: u64 = 0x541c;
const F_SETOWN_EX: u64 = 15;
const F_SETDELEG: u64 = 1040;

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

fn has(argument: u8, flag: u64) -> Condition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(flag), flag)
}

fn is(argument: u8, value: u64) -> Condition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn is_not(argument: u8, value: u64) -> Condition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
}
