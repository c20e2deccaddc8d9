//! Holding a program at its first instruction, so that a debugger can be attached to it.
//!
//! Its keeper traces it until then: no signal could stop it as soon as that. Then it is stopped as if by a signal, and traced by nobody.

use std::ffi::c_int;
use std::io;
use std::os::fd::BorrowedFd;

use rustix::process::{WaitId, WaitIdOptions, waitid};

/// Has the program stand still at its first instruction, until [`let_others_trace`].
///
/// # Safety
/// Only system calls are made.
pub unsafe fn be_held() -> bool {
    unsafe {
        // Where only parents may trace, it has to allow others to. Ignore failure: elsewhere they may anyway.
        libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY);
        libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) == 0
    }
}

/// Leaves a child that is held to other debuggers, once it stands still as if by a signal.
pub fn let_others_trace(pid: c_int, process: BorrowedFd<'_>) -> io::Result<()> {
    let mut status = 0;
    // SAFETY: the kernel writes no more than the status, and a process that is traced by nobody is an error and no more.
    let left = unsafe {
        libc::waitpid(pid, &mut status, libc::__WALL) == pid
            && libc::ptrace(libc::PTRACE_DETACH, pid, 0, libc::SIGSTOP) == 0
    };
    if !left {
        return Err(io::Error::last_os_error());
    }
    let stopped = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    rustix::io::retry_on_intr(|| waitid(WaitId::PidFd(process), stopped))?;
    Ok(())
}
