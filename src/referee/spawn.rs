//! Starting a program without copying the process that starts it.
//!
//! The standard library's way is general: it resets every signal and gathers the environment anew each time, which takes
//! longer than starting the program itself. A keeper starts one program for each game, so here is the least that is
//! needed.

use std::ffi::{CString, c_char, c_int, c_void};
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;

use super::bot::Launch;

/// Starts programs one after the other.
pub struct Spawner {
    environment: Vec<(Vec<u8>, CString)>,
    stack: Box<[u8]>,
}

/// What a new process does before it becomes the program: no more than a few system calls.
struct Plan {
    program: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    stdio: [c_int; 3],
    error: c_int,
}

impl Spawner {
    /// A spawner whose programs inherit the environment of this process.
    pub fn new() -> Spawner {
        let variable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            let name = name.into_vec();
            let text = CString::new([&name, &b"="[..], &value.into_vec()].concat()).ok()?;
            Some((name, text))
        };
        let environment = std::env::vars_os().filter_map(variable).collect();
        Spawner { environment, stack: vec![0; 64 * 1024].into() }
    }

    /// Starts a program on the given stdin, stdout and stderr, in a process group of its own, and returns a descriptor of its
    /// process.
    pub fn start(&mut self, launch: &Launch, stdio: &[OwnedFd; 3]) -> io::Result<OwnedFd> {
        let words = std::iter::once(&launch.program).chain(&launch.arguments);
        let words = words.map(|word| CString::new(word.as_str())).collect::<Result<Vec<_>, _>>()?;
        match self.execute(&words[0], &words, launch, stdio) {
            // A script without `#!` is the shell's, as everywhere.
            Err(error) if error.raw_os_error() == Some(libc::ENOEXEC) => {
                let words: Vec<CString> = std::iter::once(c"/bin/sh".to_owned()).chain(words).collect();
                self.execute(&words[0], &words, launch, stdio)
            }
            other => other,
        }
    }

    fn execute(
        &mut self,
        program: &CString,
        words: &[CString],
        launch: &Launch,
        stdio: &[OwnedFd; 3],
    ) -> io::Result<OwnedFd> {
        let own = launch.environment.iter().map(|(name, value)| CString::new(format!("{name}={value}")));
        let own = own.collect::<Result<Vec<_>, _>>()?;
        let replaced = |name: &[u8]| launch.environment.iter().any(|(own, _)| own.as_bytes() == name);
        let inherited = self.environment.iter().filter(|(name, _)| !replaced(name)).map(|(_, text)| text);
        let pointers = |texts: &mut dyn Iterator<Item = &CString>| -> Vec<*const c_char> {
            texts.map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
        };
        let arguments = pointers(&mut words.iter());
        let environment = pointers(&mut own.iter().chain(inherited));
        let mut plan = Plan {
            program: program.as_ptr(),
            arguments: arguments.as_ptr(),
            environment: environment.as_ptr(),
            stdio: stdio.each_ref().map(AsRawFd::as_raw_fd),
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
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel has just opened it for us.
        let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor) };
        if plan.error != 0 {
            rustix::process::waitid(
                rustix::process::WaitId::PidFd(descriptor.as_fd()),
                rustix::process::WaitIdOptions::EXITED,
            )?;
            return Err(io::Error::from_raw_os_error(plan.error));
        }
        Ok(descriptor)
    }
}

/// The new process's share.
extern "C" fn become_program(plan: *mut c_void) -> c_int {
    // SAFETY: `plan` is the caller's, who stands still; only system calls are made, and none returns to anything of ours.
    // Descriptors are above 2, since this process has its own 0, 1 and 2, so that none is overwritten before it is copied.
    unsafe {
        let plan = plan.cast::<Plan>();
        let ready = libc::setpgid(0, 0) == 0
            && (0..3).all(|at| libc::dup2((*plan).stdio[at as usize], at) == at)
            // Rust's programs ignore it, and that would be inherited.
            && libc::signal(libc::SIGPIPE, libc::SIG_DFL) != libc::SIG_ERR;
        if ready {
            libc::execve((*plan).program, (*plan).arguments, (*plan).environment);
        }
        (*plan).error = *libc::__errno_location();
        libc::_exit(127)
    }
}
