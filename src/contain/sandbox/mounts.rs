//! Tier A's file system: a root of its own, with the system and the program's own files in it, read-only, and a small scratch.
//!
//! Most of a root is the same for every program. So a keeper builds that part once, as a template: a mount namespace that no
//! process stays in. The init process of each game copies it, and mounts what differs: the scratch, `/proc`, and the files that this
//! program may see. A template is read-only, and the copies of its mounts end with the game.

use std::ffi::CString;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountFlags, MountPropagationFlags, MoveMountFlags,
    OpenTreeFlags, UnmountFlags, fsconfig_create, fsmount, fsopen, mount, mount_change, move_mount,
    open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space, unshare_unsafe};

use super::capabilities;
use super::user_namespace::{self, Identity};
use crate::contain::launch::Confinement;
use crate::contain::scratch::{self, furnish, give_work, most_entries};
use crate::contain::spec::Limits;
use crate::contain::visible_files::{DEVICES, OWN, SETTINGS, SYSTEM, VisibleFiles};

/// Where a template is put together. Whatever was there is reached through descriptors that were opened before.
const STAGE: &str = "/tmp";
/// The working directory, and the only place where anything can be written.
const SCRATCH: &str = scratch::INSIDE;
/// How many templates a keeper has at most: programs need different ones only if they may read files beyond their own.
const TEMPLATES: usize = 8;

/// The file systems that a keeper makes for its programs.
pub struct Roots {
    /// The mount namespace in which the keeper sees the machine's files.
    outside: OwnedFd,
    identity: Identity,
    /// The one that was used last comes last.
    templates: Vec<Rc<Template>>,
}

impl Roots {
    /// Gives this process, and all that it starts, a user namespace and mounts of its own.
    pub fn unshare() -> io::Result<Roots> {
        let identity = user_namespace::unshare_with_mounts()?;
        capabilities::drop_bounding_set();
        mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
        Ok(Roots { outside: this_namespace()?, identity, templates: Vec::new() })
    }

    /// Who programs are in these namespaces.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// The template for a program that may see these files.
    pub fn template(&mut self, visible: &VisibleFiles) -> io::Result<Rc<Template>> {
        let places = Place::all(visible);
        let known = self.templates.iter().position(|template| template.places == places);
        let template = match known {
            Some(index) => self.templates.remove(index),
            None => Rc::new(self.build(places)?),
        };
        if self.templates.len() == TEMPLATES {
            self.templates.remove(0);
        }
        self.templates.push(template.clone());
        Ok(template)
    }

    fn build(&self, places: Vec<Place>) -> io::Result<Template> {
        // SAFETY: this process has one thread and shares nothing with another.
        unsafe { unshare_unsafe(UnshareFlags::NEWNS)? };
        let built = Template::build(places, self.identity);
        // Whatever became of it, this process has to see the machine's files again.
        move_into_link_name_space(self.outside.as_fd(), Some(LinkNameSpaceType::Mount))?;
        built
    }
}

/// The mount namespace that this process is in.
fn this_namespace() -> io::Result<OwnedFd> {
    Ok(File::open("/proc/self/ns/mnt")?.into())
}

/// Where something is to be mounted for a program.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    path: PathBuf,
    is_folder: bool,
}

impl Place {
    /// The places that a template must have for these files.
    fn all(visible: &VisibleFiles) -> Vec<Place> {
        let readable = distinct(&visible.readable);
        readable.map(|path| Place { path: path.clone(), is_folder: path.is_dir() }).collect()
    }

    /// Makes something to mount on, where there is nothing yet.
    fn make(&self, root: &Path) -> io::Result<()> {
        let place = below(root, &self.path);
        if place.symlink_metadata().is_ok() {
            return Ok(());
        }
        if self.is_folder {
            return fs::create_dir_all(place);
        }
        fs::create_dir_all(place.parent().unwrap_or(root))?;
        File::create(place).map(drop)
    }
}

/// All that a program may read, once each.
fn distinct(readable: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    readable.iter().enumerate().filter(|(at, path)| !readable[..*at].contains(path)).map(|(_, path)| path)
}

fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

/// A part of the machine's files that is to be mounted elsewhere.
struct Piece {
    place: Place,
    tree: OwnedFd,
}

impl Piece {
    /// Takes something that is to be at the same place, read-only. Devices can still be written to, but their permissions cannot
    /// be changed.
    fn take(path: &Path, attributes: u64) -> io::Result<Piece> {
        Piece::take_to(path, path, attributes)
    }

    /// Takes something that is to be at another place.
    fn take_to(path: &Path, place: &Path, attributes: u64) -> io::Result<Piece> {
        let flags =
            OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
        let tree = open_tree(CWD, path, flags)?;
        set_attributes(&tree, attributes | libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID)?;
        Ok(Piece { place: Place { path: place.to_owned(), is_folder: path.is_dir() }, tree })
    }

    /// Puts it at its place, where there is something to mount on.
    fn put(&self, root: &Path) -> io::Result<()> {
        attach(&self.tree, &below(root, &self.place.path))
    }
}

/// Mounts a tree that was mounted nowhere.
fn attach(tree: &OwnedFd, place: &Path) -> io::Result<()> {
    move_mount(tree, "", CWD, place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    Ok(())
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

/// A root with all that does not differ from game to game, and with places for what does.
pub struct Template {
    namespace: OwnedFd,
    places: Vec<Place>,
    identity: Identity,
}

impl Template {
    /// Builds it in the namespace that this process has just made.
    fn build(places: Vec<Place>, identity: Identity) -> io::Result<Template> {
        let namespace = this_namespace()?;
        let (pieces, symlinks) = system()?;
        let stage = Path::new(STAGE);
        tmpfs(stage, "mode=755,size=1m,nr_inodes=4k")?;
        for piece in pieces {
            piece.place.make(stage)?;
            piece.put(stage)?;
        }
        for Symlink { path, target } in symlinks {
            make_folder(stage, path.parent().unwrap_or(Path::new("/")))?;
            symlink(target, below(stage, path))?;
        }
        fill_in_the_rest(stage, identity)?;
        for place in places.iter().filter(|place| !place.is_in_scratch()) {
            place.make(stage)?;
        }
        // Unless something is shown there.
        if !below(stage, Path::new("/var/tmp")).exists() {
            make_folder(stage, Path::new("/var"))?;
            symlink(SCRATCH, below(stage, Path::new("/var/tmp")))?;
        }
        set_read_only(stage, MountFlags::NOSUID | MountFlags::NODEV)?;

        chdir(STAGE)?;
        pivot_root(".", ".")?;
        unmount(".", UnmountFlags::DETACH)?;
        Ok(Template { namespace, places, identity })
    }

    /// Changes to a copy of this root with nothing in it but what the program may see, and to its scratch as the working directory.
    pub fn enter(&self, confinement: &Confinement) -> io::Result<()> {
        let Confinement { visible_files: visible, limits, purpose, .. } = confinement;
        let is_build = purpose.is_build() && visible.own.is_some();
        // A build has a copy of its own.
        let own_names = if is_build { Vec::new() } else { visible.own_names() };
        let readable = distinct(&visible.readable).map(|path| Piece::take(path, libc::MOUNT_ATTR_NODEV));
        let own = visible.own.iter();
        let own = own.map(|own| Piece::take_to(own, Path::new(OWN), libc::MOUNT_ATTR_NODEV));
        let shown = readable.chain(own).collect::<io::Result<Vec<_>>>()?;
        // Before the change: the kernel gives a view of processes only to those who have one already.
        let processes = processes(self.identity, limits)?;

        move_into_link_name_space(self.namespace.as_fd(), Some(LinkNameSpaceType::Mount))?;
        // SAFETY: the kernel copies mounts; no memory is concerned.
        unsafe { unshare_unsafe(UnshareFlags::NEWNS)? };

        attach(&processes, Path::new("/proc"))?;
        let inodes = most_entries(limits.scratch.0);
        let Identity { user, group, .. } = self.identity;
        let size = limits.scratch.0;
        let options = format!("mode=700,size={size},nr_inodes={inodes},uid={user},gid={group}");
        tmpfs(Path::new(SCRATCH), &options)?;
        let mut in_scratch = shown.iter().filter(|piece| piece.place.is_in_scratch());
        let root = Path::new("/");
        self.identity.act_as(|| {
            in_scratch.try_for_each(|piece| piece.place.make(root))?;
            fs::create_dir(Path::new(SCRATCH).join(".shm"))?;
            furnish(Path::new(SCRATCH), visible, Path::new(OWN), own_names)
        })?;
        shown.iter().try_for_each(|piece| piece.put(root))?;
        if is_build {
            let owner = self.identity.is_of_its_own.then_some((user, group));
            give_work(Path::new(SCRATCH), Path::new(OWN), limits, owner)?;
        }
        chdir(SCRATCH)?;
        Ok(())
    }
}

impl Place {
    fn is_in_scratch(&self) -> bool {
        self.path.starts_with(SCRATCH)
    }
}

/// A symbolic link, and what stands in it.
struct Symlink {
    path: &'static Path,
    target: PathBuf,
}

/// What every program sees of the machine's files, and what are symbolic links there, such as /bin, a part of /usr these days.
fn system() -> io::Result<(Vec<Piece>, Vec<Symlink>)> {
    let mut pieces = Vec::new();
    let mut symlinks = Vec::new();
    for path in SYSTEM.iter().chain(SETTINGS).map(Path::new) {
        match fs::read_link(path) {
            Ok(target) => symlinks.push(Symlink { path, target }),
            Err(_) if path.exists() => pieces.push(Piece::take(path, libc::MOUNT_ATTR_NODEV)?),
            Err(_) => {}
        }
    }
    for device in DEVICES {
        pieces.push(Piece::take(Path::new(device), libc::MOUNT_ATTR_NOEXEC)?);
    }
    Ok((pieces, symlinks))
}

/// The parts that are not taken from outside.
fn fill_in_the_rest(root: &Path, identity: Identity) -> io::Result<()> {
    let Identity { user, group, .. } = identity;
    for folder in ["/etc", "/proc", SCRATCH, OWN] {
        make_folder(root, Path::new(folder))?;
    }
    fs::write(root.join("etc/passwd"), format!("bot:x:{user}:{group}:bot:{SCRATCH}:/bin/sh\n"))?;
    fs::write(root.join("etc/group"), format!("bot:x:{group}:\n"))?;
    let links = [
        ("dev/shm", "/tmp/.shm"),
        ("dev/fd", "/proc/self/fd"),
        ("dev/stdin", "/proc/self/fd/0"),
        ("dev/stdout", "/proc/self/fd/1"),
        ("dev/stderr", "/proc/self/fd/2"),
    ];
    links.iter().try_for_each(|(link, target)| symlink(target, root.join(link)))
}

fn make_folder(root: &Path, path: &Path) -> io::Result<()> {
    Place { path: path.to_owned(), is_folder: true }.make(root)
}

/// A view of the processes of this process's namespace, read-only: root may write to some files in it, in every namespace.
fn processes(identity: Identity, limits: &Limits) -> io::Result<OwnedFd> {
    let context = fsopen("proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_create(&context)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let view = fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, attributes)?;
    if identity.is_root_outside {
        limit_processes(&view, limits);
    }
    set_attributes(&view, libc::MOUNT_ATTR_RDONLY)?;
    Ok(view)
}

/// Root is exempt from the usual limit of processes; newer kernels have this one for each namespace. Once the numbers have been
/// used up, the kernel does not give the first 300 again.
fn limit_processes(view: &OwnedFd, limits: &Limits) {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    // Ignore failure: older kernels refuse.
    if let Ok(file) = rustix::fs::openat(view, "sys/kernel/pid_max", flags, Mode::empty()) {
        let _ = rustix::io::write(file, (300 + limits.processes).to_string().as_bytes());
    }
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
