//! Landlock: which files a program may open, and for what.

use std::ffi::c_void;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};

use crate::contain::visible_files::{DEVICES, SETTINGS, SYSTEM, VisibleFiles};

/// The newest rules that are known here. Older kernels do what they can.
const KNOWN: ABI = ABI::V6;

/// Whether the kernel has such rules at all. Asks for nothing that a kernel could be short of.
pub fn available() -> bool {
    const VERSION: libc::c_uint = 1;
    // SAFETY: a plain system call, which makes nothing: it is asked for a number only.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<c_void>(), 0, VERSION) > 0 }
}

/// Whether the kernel can keep signals and abstract sockets inside.
pub fn scopes() -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.scope(Scope::Signal | Scope::AbstractUnixSocket).and_then(Ruleset::create).is_ok()
}

/// Keeps the signals of this process among itself and those that it starts from now on.
///
/// # Errors
/// If the kernel cannot, or does not do what it says.
pub fn enclose_signals() -> io::Result<()> {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    // Every set of rules forbids to move files from folder to folder, unless it allows that. Where it is allowed is for the
    // program's own rules to say.
    let ruleset = ruleset.handle_access(AccessFs::Refer).map_err(io::Error::other)?;
    let ruleset = ruleset.scope(Scope::Signal).and_then(Ruleset::create).map_err(io::Error::other)?;
    let ruleset = allow(ruleset, Path::new("/"), AccessFs::Refer.into())?;
    ruleset.restrict_self().map_err(io::Error::other)?;
    // The keeper relies on this when it signals all processes that it can reach. Signal 0 does nothing but tell whether a
    // signal would arrive.
    // SAFETY: plain system calls.
    let reached = unsafe { libc::kill(libc::getppid(), 0) == 0 };
    if reached { Err(io::Error::other("signals still reach other processes")) } else { Ok(()) }
}

/// The rules of a program that has a file system to itself (tier A): it may change its scratch only. Its stdout may be a terminal
/// outside of that file system, which it may open again, as `/dev/stdout`.
pub fn inside(scratch: &Path, stdout: &OwnedFd) -> io::Result<Option<OwnedFd>> {
    // It may read all that it finds, so that reading needs no rule.
    let rules = created(AccessFs::from_write(KNOWN))?;
    let rules = allow(rules, scratch, AccessFs::from_write(KNOWN))?;
    let rules = if rustix::termios::isatty(stdout) {
        rules.add_rule(PathBeneath::new(stdout, AccessFs::WriteFile)).map_err(io::Error::other)?
    } else {
        rules
    };
    Ok(allow(rules, Path::new("/dev"), AccessFs::WriteFile.into())?.into())
}

/// The rules of a program that shares the file system with all other processes (tier B).
pub fn among_others(visible: &VisibleFiles, scratch: &Path) -> io::Result<Option<OwnedFd>> {
    let mut rules = created(AccessFs::from_all(KNOWN))?;
    let read = AccessFs::from_read(KNOWN);
    let system = SYSTEM.iter().chain(SETTINGS).chain(&["/proc"]).map(Path::new);
    for path in system.chain(visible.readable.iter().chain(&visible.own).map(PathBuf::as_path)) {
        rules = allow(rules, path, read)?;
    }
    for device in DEVICES {
        rules = allow(rules, Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    Ok(allow(rules, scratch, AccessFs::from_all(KNOWN))?.into())
}

/// Rules that refuse these kinds of access, until some are allowed.
fn created(refused: BitFlags<AccessFs>) -> io::Result<RulesetCreated> {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
    let ruleset = ruleset.handle_access(refused).map_err(io::Error::other)?;
    let ruleset = ruleset.scope(Scope::Signal | Scope::AbstractUnixSocket).map_err(io::Error::other)?;
    ruleset.create().map_err(io::Error::other)
}

/// Allows some access to a file or to all below a folder; what does not exist needs no rule.
fn allow(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> io::Result<RulesetCreated> {
    let Ok(descriptor) = PathFd::new(path) else { return Ok(rules) };
    // Of a file, only what can be done to files: the rest would be refused as nonsense.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(KNOWN) };
    rules.add_rule(PathBeneath::new(descriptor, access)).map_err(io::Error::other)
}
