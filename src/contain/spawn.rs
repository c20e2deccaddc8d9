//! Starting a program without copying the process that starts it.
//!
//! The standard library's way is general: it resets every signal and gathers the environment anew each time, which takes
//! longer than starting the program itself. A keeper starts one program for each game, so here is the least that is
//! needed.

use std::ffi::{CString, c_char, c_int, c_void};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::rc::Rc;

use rustix::process::{WaitId, WaitIdOptions, waitid};
use seccompiler::BpfProgram;

use super::hold;
use super::launch::{Confinement, Launch, Purpose};
use super::proc::tasks_of_this_user;
use super::sandbox::user_namespace::Identity;
use super::sandbox::{capabilities, landlock, seccomp};
use super::spec::Tier;

/// Variables that contained programs inherit; all others stay outside.
const INHERITED: &[&str] = &[
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "JAVA_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "CONDA_PREFIX",
    "SDKMAN_DIR",
    "NVM_DIR",
    // Where libraries are, which --allow-read shows.
    "LD_LIBRARY_PATH",
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "CLASSPATH",
    "NODE_PATH",
];

fn is_inherited(name: &[u8]) -> bool {
    name.starts_with(b"LC_") || INHERITED.iter().any(|inherited| inherited.as_bytes() == name)
}

/// Why a program was not started.
pub enum StartError {
    /// The system does not take it for a program that it can run: the number of the error.
    Program(i32),
    /// Something else failed, for which the program cannot be blamed.
    Ours(io::Error),
}

impl<E: Into<io::Error>> From<E> for StartError {
    fn from(error: E) -> StartError {
        StartError::Ours(error.into())
    }
}

/// A program that has begun.
pub struct Started {
    /// A descriptor of its process.
    pub process: OwnedFd,
    /// The number of its process.
    pub pid: u32,
}

/// What is there before the program is, and matters to what it may do.
#[derive(Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// Its working directory.
    pub scratch: Option<&'a Path>,
    /// Where a process enters the control group.
    pub group: Option<BorrowedFd<'a>>,
    /// Who it is in a user namespace.
    pub identity: Option<Identity>,
}

/// What is taken from a program before it begins, as the kernel wants to hear it.
#[derive(Default)]
pub struct Restrictions<'a> {
    group: Option<BorrowedFd<'a>>,
    /// The account that it has to change to.
    identity: Option<Identity>,
    folder: Option<CString>,
    limits: Vec<(libc::__rlimit_resource_t, libc::rlimit)>,
    rules: Option<OwnedFd>,
    filter: Option<Rc<BpfProgram>>,
    has_capabilities: bool,
    /// Variables of its own, in place of what it would inherit.
    environment: Option<Vec<CString>>,
}

fn limits(confinement: &Confinement) -> Vec<(libc::__rlimit_resource_t, libc::rlimit)> {
    let limits = confinement.limits;
    let both = |resource, most: u64| (resource, libc::rlimit { rlim_cur: most, rlim_max: most });
    // Outside of a user namespace, all that the user runs is counted.
    let others = if confinement.tier == Tier::A { 0 } else { tasks_of_this_user() };
    vec![
        // Not the address space: some virtual machines reserve far more of it than they ever use.
        both(libc::RLIMIT_DATA, limits.memory.0),
        both(libc::RLIMIT_NPROC, others + u64::from(limits.processes)),
        both(libc::RLIMIT_NOFILE, limits.open_files.into()),
        both(libc::RLIMIT_FSIZE, limits.file_size.0),
        // Not 0: with 0 the kernel would still start a handler of core dumps, where the system has one.
        both(libc::RLIMIT_CORE, 1),
        both(libc::RLIMIT_MEMLOCK, 64 * 1024),
        both(libc::RLIMIT_MSGQUEUE, 0),
        // Counted for the whole account, and timers among them.
        both(libc::RLIMIT_SIGPENDING, 1024),
        both(libc::RLIMIT_RTPRIO, 0),
        both(libc::RLIMIT_NICE, 0),
        both(libc::RLIMIT_CPU, confinement.cpu_seconds),
    ]
}

/// Starts programs one after the other.
pub struct Spawner {
    environment: Vec<(Vec<u8>, CString)>,
    stack: Box<[u8]>,
    /// That of the tier and purpose that was asked for last.
    filter: Option<((Tier, Purpose), Rc<BpfProgram>)>,
}

/// What a new process does before it becomes the program: no more than a few system calls.
struct Plan {
    program: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    stdio: [c_int; 3],
    /// The core that it is bound to, if it is to one.
    core: *const libc::cpu_set_t,
    group: c_int,
    identity: Option<Identity>,
    folder: *const c_char,
    limits: *const [(libc::__rlimit_resource_t, libc::rlimit)],
    rules: c_int,
    filter: *const libc::sock_fprog,
    has_capabilities: bool,
    restricted: bool,
    /// Whether a debugger is to be attached to it.
    is_held: bool,
    /// How far the new process has come, and what stopped it.
    stage: Stage,
    error: c_int,
}

/// What a new process is about to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// To prepare itself. Whatever fails is our trouble.
    Prepare,
    /// To become the program.
    Execute,
}

/// Errors that say more about the state of the machine than about the program.
const PASSING: [c_int; 4] = [libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE];

impl Spawner {
    /// A spawner whose programs inherit the environment of this process.
    pub fn new() -> Spawner {
        let variable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            let name = name.into_vec();
            let text = CString::new([&name, &b"="[..], &value.into_vec()].concat()).ok()?;
            Some((name, text))
        };
        let environment = std::env::vars_os().filter_map(variable).collect();
        Spawner { environment, stack: vec![0; 64 * 1024].into(), filter: None }
    }

    /// The restrictions of this confinement, or none at all.
    pub fn restrictions<'a>(
        &mut self,
        confinement: Option<&Confinement>,
        stdio: &[OwnedFd; 3],
        surroundings: Surroundings<'a>,
    ) -> io::Result<Restrictions<'a>> {
        let (Some(confinement), Some(scratch)) = (confinement, surroundings.scratch) else {
            return Ok(Restrictions { group: surroundings.group, ..Restrictions::default() });
        };
        let tier = confinement.tier;
        let rules = match tier {
            Tier::A => landlock::inside(scratch, &stdio[1])?,
            Tier::B => landlock::among_others(&confinement.visible_files, scratch)?,
            Tier::C => None,
        };
        let home = scratch.display();
        let environment = [format!("HOME={home}"), format!("TMPDIR={home}"), format!("PWD={home}")];
        Ok(Restrictions {
            group: surroundings.group,
            identity: surroundings.identity.filter(|identity| identity.is_of_its_own),
            folder: Some(CString::new(scratch.as_os_str().as_bytes())?),
            limits: limits(confinement),
            rules,
            filter: self.filter(tier, confinement.purpose)?,
            // At tier A its keeper has dropped them for all of its programs.
            has_capabilities: tier != Tier::A,
            environment: Some(environment.map(CString::new).into_iter().collect::<Result<_, _>>()?),
        })
    }

    /// The filter of a tier and purpose: it is the same for every program, and takes a while to make.
    fn filter(&mut self, tier: Tier, purpose: Purpose) -> io::Result<Option<Rc<BpfProgram>>> {
        if self.filter.as_ref().is_none_or(|(known, _)| *known != (tier, purpose)) {
            let filter = seccomp::filter(tier, purpose, landlock::scopes())?;
            self.filter = filter.map(|filter| ((tier, purpose), Rc::new(filter)));
        }
        Ok(self.filter.as_ref().map(|(_, filter)| filter.clone()))
    }

    /// Starts a program on the given stdin, stdout and stderr, in a session of its own.
    pub fn start(
        &mut self,
        launch: &Launch,
        stdio: &[OwnedFd; 3],
        restrictions: &Restrictions<'_>,
    ) -> Result<Started, StartError> {
        let words = std::iter::once(&launch.program).chain(&launch.arguments);
        let words = words.map(|word| CString::new(word.as_str())).collect::<Result<Vec<_>, _>>()?;
        self.execute(&words, launch, stdio, restrictions)
    }

    fn execute(
        &mut self,
        words: &[CString],
        launch: &Launch,
        stdio: &[OwnedFd; 3],
        restrictions: &Restrictions<'_>,
    ) -> Result<Started, StartError> {
        let own = launch.environment.iter().map(|(name, value)| CString::new(format!("{name}={value}")));
        let own = own.collect::<Result<Vec<_>, _>>()?;
        let replaced = |name: &[u8]| launch.environment.iter().any(|(own, _)| own.as_bytes() == name);
        let passes =
            |name: &[u8]| !replaced(name) && (restrictions.environment.is_none() || is_inherited(name));
        let inherited = self.environment.iter().filter(|(name, _)| passes(name)).map(|(_, text)| text);
        let inherited = inherited.chain(restrictions.environment.iter().flatten());
        let pointers = |texts: &mut dyn Iterator<Item = &CString>| -> Vec<*const c_char> {
            texts.map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
        };
        let arguments = pointers(&mut words.iter());
        let environment = pointers(&mut own.iter().chain(inherited));
        let filter = restrictions.filter.as_ref().map(|program| libc::sock_fprog {
            len: program.len() as u16,
            // The two types are the same in all but name.
            filter: program.as_ptr().cast_mut().cast(),
        });
        let core = launch.core.map(only);
        let mut plan = Plan {
            program: words[0].as_ptr(),
            arguments: arguments.as_ptr(),
            environment: environment.as_ptr(),
            stdio: stdio.each_ref().map(AsRawFd::as_raw_fd),
            core: core.as_ref().map_or(std::ptr::null(), |core| core),
            group: restrictions.group.map_or(-1, |group| group.as_raw_fd()),
            identity: restrictions.identity,
            folder: restrictions.folder.as_ref().map_or(std::ptr::null(), |folder| folder.as_ptr()),
            limits: &raw const *restrictions.limits,
            rules: restrictions.rules.as_ref().map_or(-1, AsRawFd::as_raw_fd),
            filter: filter.as_ref().map_or(std::ptr::null(), |filter| filter),
            has_capabilities: restrictions.has_capabilities,
            restricted: restrictions.environment.is_some(),
            is_held: launch.is_held,
            stage: Stage::Prepare,
            error: 0,
        };
        let mut descriptor: c_int = -1;
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        // SAFETY: the new process shares our memory, but we stand still until it has become the program or has ended, and it
        // runs on a stack of its own, whose end is aligned here. All that `plan` points to lives until then.
        let pid = unsafe {
            let top = self.stack.as_mut_ptr().add(self.stack.len());
            let top = top.sub(top as usize % 16);
            let plan: *mut Plan = &mut plan;
            libc::clone(become_program, top.cast(), flags, plan.cast(), &mut descriptor as *mut c_int)
        };
        if pid == -1 {
            return Err(io::Error::last_os_error().into());
        }
        // SAFETY: the kernel has just opened it for us.
        let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor) };
        // Without an error at its first stage, it was killed there.
        if plan.error != 0 || plan.stage == Stage::Prepare {
            waitid(WaitId::PidFd(descriptor.as_fd()), WaitIdOptions::EXITED)?;
            return Err(match plan.stage {
                Stage::Execute if !PASSING.contains(&plan.error) => StartError::Program(plan.error),
                _ if plan.error == 0 => io::Error::from(io::ErrorKind::Interrupted).into(),
                _ => io::Error::from_raw_os_error(plan.error).into(),
            });
        }
        if launch.is_held {
            hold::let_others_trace(pid, descriptor.as_fd())?;
        }
        Ok(Started { process: descriptor, pid: pid.unsigned_abs() })
    }
}

/// The set of cores that has this one alone.
fn only(core: usize) -> libc::cpu_set_t {
    // SAFETY: for this structure zeros are a valid value, the empty set. A core that is too great for it is refused by a panic.
    unsafe {
        let mut cores: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut cores);
        cores
    }
}

/// The new process's share.
extern "C" fn become_program(plan: *mut c_void) -> c_int {
    // SAFETY: `plan` belongs to the caller, which stands still. Only system calls are made, and none returns to code of ours.
    // Descriptors are above 2, since this process has its own 0, 1 and 2, so that none is overwritten before it is copied.
    unsafe {
        let plan = plan.cast::<Plan>();
        let ready = libc::setsid() != -1
            && (0..3).all(|at| libc::dup2((*plan).stdio[at as usize], at) == at)
            // arbitro may have inherited more descriptors. A kernel without this call is older than Landlock.
            && (libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) == 0
                || *libc::__errno_location() == libc::ENOSYS)
            // Rust's programs ignore it, and that would be inherited.
            && libc::signal(libc::SIGPIPE, libc::SIG_DFL) != libc::SIG_ERR
            && ((*plan).group == -1 || libc::write((*plan).group, c"0".as_ptr().cast(), 1) == 1)
            && ((*plan).core.is_null()
                || libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), (*plan).core) == 0)
            && (!(*plan).restricted || take_place(&*plan))
            // Whatever happens to its keeper, it does not go on alone. A change of the account would undo this.
            && libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0
            && (!(*plan).restricted || restrict(&*plan));
        if ready && (!(*plan).is_held || hold::be_held()) {
            (*plan).stage = Stage::Execute;
            libc::execve((*plan).program, (*plan).arguments, (*plan).environment);
        }
        (*plan).error = *libc::__errno_location();
        libc::_exit(127)
    }
}

/// Takes its place: its folder, its limits and its account.
///
/// # Safety
/// Only system calls are made; all that `plan` points to must be alive.
unsafe fn take_place(plan: &Plan) -> bool {
    unsafe {
        let limits = &*plan.limits;
        if plan.has_capabilities {
            capabilities::drop_bounding_set();
        }
        (plan.folder.is_null() || libc::chdir(plan.folder) == 0)
            && limits.iter().all(|(resource, limit)| set_limit(*resource, *limit))
            && plan.identity.is_none_or(|identity| change_account(identity))
    }
}

/// Gives up what a contained program may not do. Nothing here can be undone by the program.
///
/// # Safety
/// As [`take_place`].
unsafe fn restrict(plan: &Plan) -> bool {
    unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && (plan.rules == -1 || libc::syscall(libc::SYS_landlock_restrict_self, plan.rules, 0) == 0)
            && (plan.filter.is_null()
                || libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, plan.filter) == 0)
    }
}

/// Changes to another account, and so gives up all capabilities.
///
/// # Safety
/// As [`take_place`].
unsafe fn change_account(identity: Identity) -> bool {
    let Identity { user, group, .. } = identity;
    // Not the functions of the C library, which would have all threads change: this process shares the memory of another.
    unsafe {
        libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<libc::gid_t>()) == 0
            && libc::syscall(libc::SYS_setresgid, group, group, group) == 0
            && libc::syscall(libc::SYS_setresuid, user, user, user) == 0
    }
}

/// Sets a limit, or leaves one that is stricter already.
///
/// # Safety
/// As [`take_place`].
unsafe fn set_limit(resource: libc::__rlimit_resource_t, mut limit: libc::rlimit) -> bool {
    unsafe {
        let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        if libc::getrlimit(resource, &mut now) != 0 {
            return false;
        }
        limit.rlim_cur = limit.rlim_cur.min(now.rlim_max);
        limit.rlim_max = limit.rlim_max.min(now.rlim_max);
        libc::setrlimit(resource, &limit) == 0
    }
}
