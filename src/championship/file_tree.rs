//! The files that a bot consists of, as they are found: what is taken, what is not, and what is odd about them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::contain::installation;
use crate::contain::spec::Size;
use crate::contain::system_words::system_words;
use crate::contain::visible_files::is_system;
use crate::record::Identity;
use crate::record::text::printable;

/// The most files of a bot that are looked at: somebody may have named a whole home directory.
const MOST_FILES: usize = 100_000;

/// What people and their tools leave beside a program, and no program needs to play.
const LEFTOVERS: [&str; 14] = [
    ".git",
    ".hg",
    ".svn",
    ".bzr",
    ".idea",
    ".vscode",
    ".vs",
    ".gradle",
    ".mypy_cache",
    ".pytest_cache",
    ".tox",
    "__pycache__",
    "target",
    "CMakeFiles",
];

/// Where JavaScript keeps libraries, which are of use to nobody else.
const NODE_MODULES: &str = "node_modules";

/// Whether an entry of this name is left behind, unless the command names it. `is_javascript`: whether the bot is run by Node or
/// its like.
pub fn is_leftover(name: &OsStr, is_javascript: bool) -> bool {
    LEFTOVERS.iter().any(|known| name == *known) || name == NODE_MODULES && !is_javascript
}

/// Why the files of a bot cannot be copied.
#[derive(Clone, Debug, Error)]
pub enum CopyProblem {
    /// A link leads to what is not the bot's.
    #[error("'{link}' is a link that leaves the bot's folder, to '{target}'; put the file itself there")]
    LeavesFolder {
        /// The link, as seen from the folder.
        link: String,
        /// Where it leads.
        target: String,
    },
    /// There is too much of it.
    #[error("its files hold more than {0}; --copy-limit allows more")]
    TooLarge(Size),
    /// There are too many of them.
    #[error("it has {0} files or more; leave behind what it does not need to play")]
    TooMany(usize),
    /// The folder holds much more than a bot.
    #[error("'{0}' holds much more than a bot; give the bot a folder of its own")]
    NoBotsFolder(String),
    /// Something cannot be read.
    #[error("'{0}' cannot be read: {1}")]
    Unreadable(String, String),
    /// The copy cannot be written.
    #[error("cannot copy the bots to '{0}': {1}")]
    Unwritable(String, String),
}

impl CopyProblem {
    /// What it means that a file could not be read.
    pub fn of_file(place: &Path, error: &io::Error, limit: Size) -> CopyProblem {
        match error.kind() {
            io::ErrorKind::FileTooLarge => CopyProblem::TooLarge(limit),
            _ => CopyProblem::Unreadable(shown(place), system_words(error)),
        }
    }
}

/// Something that a bot consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands in the bot's folder.
    pub place: PathBuf,
    /// What it is.
    pub kind: Kind,
}

/// What an [`Entry`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File {
        /// Where it is.
        source: PathBuf,
        /// Whether it may be run.
        executable: bool,
        /// How long it is.
        length: u64,
    },
    /// A link to something else in the folder, or in the system.
    Link {
        /// Its text.
        target: PathBuf,
        /// The place that it leads to, if that is in the folder.
        inside: Option<PathBuf>,
    },
}

impl Entry {
    /// Feeds a hasher with all but what is in a file.
    pub fn hash_name(&self, hasher: &mut Sha256) {
        let (kind, more) = match &self.kind {
            Kind::File { executable: true, .. } => (b'x', &b""[..]),
            Kind::File { executable: false, .. } => (b'f', &b""[..]),
            Kind::Link { target, .. } => (b'l', target.as_os_str().as_bytes()),
        };
        for part in [self.place.as_os_str().as_bytes(), &[kind], more] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
}

/// The files that a bot consists of, in the order of their places.
#[derive(Debug, Default)]
pub struct FileTree {
    entries: Vec<Entry>,
    problems: Vec<CopyProblem>,
    /// Whether links that leave the folder are known to be harmless.
    is_copy: bool,
}

impl FileTree {
    /// The files below these roots, whose places are counted from `base`. `leave` says whether an entry of a folder is left
    /// behind.
    pub fn read(base: &Path, roots: &[PathBuf], leave: &dyn Fn(&Path) -> bool) -> FileTree {
        FileTree::default().with(base, roots, leave)
    }

    /// The files of a copy: what was judged when it was made is taken as it is.
    pub fn of_copy(folder: &Path) -> FileTree {
        let tree = FileTree { is_copy: true, ..FileTree::default() };
        tree.with(folder, &[folder.to_owned()], &|_| false)
    }

    fn with(self, base: &Path, roots: &[PathBuf], leave: &dyn Fn(&Path) -> bool) -> FileTree {
        let mut tree = self;
        for root in roots {
            if root.is_dir() && (installation::is_home(root) || root.parent().is_none()) {
                tree.problems.push(CopyProblem::NoBotsFolder(shown(root)));
                continue;
            }
            tree.add_root(root, base, leave);
        }
        tree.entries.sort_by(|one, other| one.place.cmp(&other.place));
        tree.entries.dedup_by(|one, other| one.place == other.place);
        tree.drop_dangling_links();
        tree
    }

    /// What was found.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The first thing that keeps it from being copied.
    pub fn check(&self, limit: Size) -> Result<(), CopyProblem> {
        let length = |entry: &Entry| match entry.kind {
            Kind::File { length, .. } => length,
            _ => 0,
        };
        let total = self.entries.iter().map(length).fold(0, u64::saturating_add);
        if total > limit.0 {
            return Err(CopyProblem::TooLarge(limit));
        }
        match self.problems.first() {
            Some(problem) => Err(problem.clone()),
            None => Ok(()),
        }
    }

    /// The hash of all of it. Where there is a limit, a file that cannot be read or is too large is a problem; elsewhere it counts by
    /// its size and the time of its last change.
    pub fn identity(&self, limit: Option<Size>) -> Result<Identity, CopyProblem> {
        const BEARABLE: u64 = 1 << 30;
        let mut hasher = Sha256::new();
        let mut left = limit.map_or(BEARABLE, |limit| limit.0);
        for entry in &self.entries {
            entry.hash_name(&mut hasher);
            let Kind::File { source, length, .. } = &entry.kind else { continue };
            // What says of itself that it is too large is not even read: there may be many.
            let read = match *length > left {
                true => Err(io::ErrorKind::FileTooLarge.into()),
                false => {
                    open_file(source).and_then(|mut file| feed(&mut file, left, &mut hasher, |_| Ok(())))
                }
            };
            match (read, limit) {
                (Ok(length), _) => left -= length,
                (Err(error), Some(limit)) => return Err(CopyProblem::of_file(&entry.place, &error, limit)),
                (Err(_), None) => hasher.update(from_outside(source)),
            }
        }
        Ok(Identity::from_hasher(hasher))
    }

    /// A hash of each entry, by its place.
    pub fn fingerprints(&self) -> io::Result<BTreeMap<&Path, Identity>> {
        let fingerprint = |entry: &Entry| -> io::Result<Identity> {
            let mut hasher = Sha256::new();
            entry.hash_name(&mut hasher);
            if let Kind::File { source, .. } = &entry.kind {
                feed(&mut open_file(source)?, u64::MAX, &mut hasher, |_| Ok(()))?;
            }
            Ok(Identity::from_hasher(hasher))
        };
        self.entries.iter().map(|entry| Ok((entry.place.as_path(), fingerprint(entry)?))).collect()
    }

    /// A root is a file or folder that is named: what a link of that name leads to is taken, if it is in the same folder.
    fn add_root(&mut self, root: &Path, base: &Path, leave: &dyn Fn(&Path) -> bool) {
        let place = root.strip_prefix(base).unwrap_or(root).to_owned();
        let source = if root.is_symlink() && root != base {
            match root.canonicalize() {
                Ok(target) if target.starts_with(base) && target.is_file() => target,
                _ => return self.add_link(root, place, base),
            }
        } else {
            root.to_owned()
        };
        self.add(&source, place, base, leave);
    }

    fn add(&mut self, source: &Path, place: PathBuf, base: &Path, leave: &dyn Fn(&Path) -> bool) {
        if self.entries.len() >= MOST_FILES {
            // Once is enough.
            if !self.problems.iter().any(|problem| matches!(problem, CopyProblem::TooMany(_))) {
                self.problems.insert(0, CopyProblem::TooMany(MOST_FILES));
            }
            return;
        }
        let data = match source.symlink_metadata() {
            Ok(data) => data,
            Err(error) => return self.unreadable(&place, error),
        };
        if data.is_symlink() {
            return self.add_link(source, place, base);
        }
        if data.is_file() {
            let executable = data.permissions().mode() & 0o111 != 0;
            let kind = Kind::File { source: source.to_owned(), executable, length: data.len() };
            return self.entries.push(Entry { place, kind });
        }
        // Pipes, sockets and devices are no part of a bot.
        if !data.is_dir() {
            return;
        }
        let entries = match fs::read_dir(source) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(&place, error),
        };
        // In order, so that what is beyond the limit does not depend on chance.
        let mut names: Vec<_> =
            entries.flatten().map(|entry| entry.file_name()).take(2 * MOST_FILES).collect();
        names.sort();
        for name in names {
            let path = source.join(&name);
            if !leave(&path) {
                self.add(&path, place.join(&name), base, leave);
            }
        }
    }

    fn add_link(&mut self, source: &Path, place: PathBuf, base: &Path) {
        // One that leads nowhere shows nothing.
        let Ok(target) = source.canonicalize() else { return };
        let kind = if let Ok(inside) = target.strip_prefix(base) {
            Kind::Link { target: relative(&place, inside), inside: Some(inside.to_owned()) }
        } else if self.is_copy || is_system(&target) || installation::is_on_path(&target) {
            // Where it ends, and not where it leads through.
            Kind::Link { target, inside: None }
        } else {
            let (link, target) =
                (shown(if place.as_os_str().is_empty() { source } else { &place }), shown(&target));
            return self.problems.push(CopyProblem::LeavesFolder { link, target });
        };
        self.entries.push(Entry { place, kind });
    }

    /// What a link leads to may have been left behind.
    fn drop_dangling_links(&mut self) {
        let places: Vec<PathBuf> = self.entries.iter().map(|entry| entry.place.clone()).collect();
        let holds = |wanted: &Path| {
            // Sorted, what is in a folder comes right behind where the folder itself would be.
            let at = places.partition_point(|place| place.as_path() < wanted);
            places.get(at).is_some_and(|place| place.starts_with(wanted))
        };
        self.entries.retain(|entry| match &entry.kind {
            Kind::Link { inside: Some(inside), .. } => holds(inside),
            _ => true,
        });
    }

    fn unreadable(&mut self, place: &Path, error: io::Error) {
        self.problems.push(CopyProblem::Unreadable(shown(place), system_words(&error)));
    }
}

/// The way from a link to a place in the same folder.
fn relative(link: &Path, target: &Path) -> PathBuf {
    let up = link.components().skip(1).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(target.components()).collect();
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}

/// A path that is safe to print: who handed it in may have called it anything.
pub fn shown(path: &Path) -> String {
    const LONGEST: usize = 200;
    printable(path.as_os_str().as_bytes(), LONGEST)
}

/// What is known of a file without reading it.
fn from_outside(path: &Path) -> Vec<u8> {
    let data = path.metadata().map(|data| (data.len(), data.mtime(), data.mtime_nsec()));
    format!("{data:?}").into_bytes()
}

/// Whether a file can be executed. The run bit alone says little: some file systems set it on everything.
pub fn is_program(path: &Path) -> bool {
    let may_be_run = |path: &Path| {
        path.symlink_metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    let mut start = [0; 4];
    may_be_run(path)
        && open_file(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && (start == *b"\x7fELF" || start.starts_with(b"#!"))
}

/// Opens a file to read it; neither a link nor a pipe that was put in its place meanwhile can keep us waiting or lead us away.
pub fn open_file(path: &Path) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// Reads a file of at most `limit` bytes to its end, and feeds the hasher with what it holds.
pub fn feed(
    file: &mut File,
    limit: u64,
    hasher: &mut Sha256,
    mut also: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let mut length = 0;
    let mut content = Sha256::new();
    let mut piece = vec![0; 64 * 1024];
    loop {
        let read = match file.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        length += read as u64;
        if length > limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        content.update(&piece[..read]);
        also(&piece[..read])?;
    }
    hasher.update(content.finalize());
    Ok(length)
}
