//! Tier A's file system: a root of its own, with the system and the program's own files in it, read-only, and a small scratch.
//!
//! Everything here runs in a fresh process that has just been given namespaces of its own.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_change,
    move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};
use rustix::thread::{UnshareFlags, unshare_unsafe};

use crate::contain::scratch::{self, furnish};
use crate::contain::spec::Limits;
use crate::contain::visible_files::{DEVICES, OWN, SETTINGS, SYSTEM, VisibleFiles};

/// Where the new root is put together. Whatever was there is reached through descriptors that were opened before.
const STAGE: &str = "/tmp";
/// The working directory, and the only place where anything can be written.
const SCRATCH: &str = scratch::INSIDE;
/// The user that the program is inside if outside it is root: nobody, so that it has none of root's privileges.
const NOBODY: u32 = 65534;

/// Gives this process, and all that it starts, a user namespace, a network without interfaces, and mounts of its own.
pub fn unshare_namespaces() -> io::Result<()> {
    let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    // SAFETY: this process has one thread and shares nothing with another.
    unsafe {
        unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNET | UnshareFlags::NEWNS)?;
    }
    let inside = |id: u32| if id == 0 { NOBODY } else { id };
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{} {user} 1", inside(user)))?;
    fs::write("/proc/self/gid_map", format!("{} {group} 1", inside(group)))?;
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
    Ok(())
}

/// Something of the old root that is to be in the new one.
struct Piece {
    place: PathBuf,
    tree: OwnedFd,
    is_folder: bool,
}

impl Piece {
    /// Takes something that is to be at the same place.
    fn take(path: &Path) -> io::Result<Piece> {
        Piece::take_to(path, path)
    }

    /// Takes something that is to be at another place.
    fn take_to(path: &Path, place: &Path) -> io::Result<Piece> {
        let flags =
            OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
        let tree = open_tree(CWD, path, flags)?;
        Ok(Piece { place: place.to_owned(), is_folder: path.is_dir(), tree })
    }

    /// Puts it at its place in the new root, read-only. Devices can still be written to, but their permissions cannot be
    /// changed.
    fn put(self, attributes: u64) -> io::Result<()> {
        let place = staged(&self.place);
        make_place(&place, self.is_folder)?;
        set_attributes(&self.tree, attributes | libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID)?;
        move_mount(&self.tree, "", CWD, &place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
        Ok(())
    }
}

fn staged(path: &Path) -> PathBuf {
    Path::new(STAGE).join(path.strip_prefix("/").unwrap_or(path))
}

/// Something to mount on, where there is nothing yet.
fn make_place(place: &Path, is_folder: bool) -> io::Result<()> {
    if place.symlink_metadata().is_ok() {
        return Ok(());
    }
    if is_folder {
        return fs::create_dir_all(place);
    }
    fs::create_dir_all(place.parent().unwrap_or(place))?;
    fs::File::create(place).map(drop)
}

/// Sets attributes on a tree that is mounted nowhere yet.
fn set_attributes(tree: impl AsFd, attributes: u64) -> io::Result<()> {
    let attributes = libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    // SAFETY: the pointers are to a C string and to a structure of the size that is given.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_fd().as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | libc::AT_RECURSIVE,
            &attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Changes to a root with nothing in it but what the program may see, and to its scratch as the working directory.
pub fn enter(visible: &VisibleFiles, limits: &Limits) -> io::Result<()> {
    let own_names = visible.own_names();
    let mut pieces = Vec::new();
    let mut symlinks = Vec::new();
    for path in SYSTEM.iter().chain(SETTINGS).map(Path::new) {
        match fs::read_link(path) {
            // Such as /bin, which is a part of /usr these days.
            Ok(target) => symlinks.push((path, target)),
            Err(_) if path.exists() => pieces.push(Piece::take(path)?),
            Err(_) => {}
        }
    }
    let devices = DEVICES.iter().map(|path| Piece::take(Path::new(path))).collect::<io::Result<Vec<_>>>()?;
    let readable = visible.readable.iter().map(|path| Piece::take(path));
    let own = visible.own.iter().map(|own| Piece::take_to(own, Path::new(OWN)));
    let shown = readable.chain(own).collect::<io::Result<Vec<_>>>()?;

    tmpfs(Path::new(STAGE), "mode=755,size=1m,nr_inodes=4k")?;
    for piece in pieces {
        piece.put(libc::MOUNT_ATTR_NODEV)?;
    }
    for device in devices {
        device.put(libc::MOUNT_ATTR_NOEXEC)?;
    }
    for (path, target) in symlinks {
        make_place(staged(path).parent().unwrap_or(Path::new(STAGE)), true)?;
        symlink(target, staged(path))?;
    }
    let inodes = 1024 + limits.scratch.0 / 4096;
    let scratch = staged(Path::new(SCRATCH));
    make_place(&scratch, true)?;
    tmpfs(&scratch, &format!("mode=700,size={},nr_inodes={inodes}", limits.scratch.0))?;
    fill_in_the_rest(limits)?;
    for piece in shown {
        piece.put(libc::MOUNT_ATTR_NODEV)?;
    }
    // Unless something is shown there.
    if !staged(Path::new("/var/tmp")).exists() {
        make_place(&staged(Path::new("/var")), true)?;
        symlink(SCRATCH, staged(Path::new("/var/tmp")))?;
    }
    furnish(&scratch, visible, Path::new(OWN), own_names)?;
    set_read_only(Path::new(STAGE), MountFlags::NOSUID | MountFlags::NODEV)?;

    chdir(STAGE)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir(SCRATCH)?;
    Ok(())
}

/// The parts that are not taken from outside.
fn fill_in_the_rest(limits: &Limits) -> io::Result<()> {
    let place = |path: &str| staged(Path::new(path));
    fs::create_dir_all(place("/etc"))?;
    let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    fs::write(place("/etc/passwd"), format!("bot:x:{user}:{group}:bot:{SCRATCH}:/bin/sh\n"))?;
    fs::write(place("/etc/group"), format!("bot:x:{group}:\n"))?;
    fs::create_dir_all(place("/tmp/.shm"))?;
    let links = [
        ("/dev/shm", "/tmp/.shm"),
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
    ];
    for (link, target) in links {
        symlink(target, place(link))?;
    }
    fs::create_dir_all(place("/proc"))?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", place("/proc"), "proc", flags, None)?;
    // Root is exempt from the usual limit of processes; newer kernels have this one for each namespace. Once the numbers have been
    // used up, the kernel does not give the first 300 again. Ignore failure: older kernels refuse.
    let _ = fs::write(place("/proc/sys/kernel/pid_max"), (300 + limits.processes).to_string());
    // Root may write to some files in it, in every namespace.
    set_read_only(&place("/proc"), flags)
}

fn tmpfs(place: &Path, options: &str) -> io::Result<()> {
    let options = CString::new(options)?;
    mount("tmpfs", place, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, Some(options.as_c_str()))?;
    Ok(())
}

/// Makes the mount at this place itself read-only, but nothing that is mounted below; its other flags are to be repeated.
fn set_read_only(place: &Path, flags: MountFlags) -> io::Result<()> {
    let place = CString::new(place.as_os_str().as_bytes())?;
    rustix::mount::mount_remount(place.as_c_str(), flags | MountFlags::RDONLY | MountFlags::BIND, "")?;
    Ok(())
}
