//! A folder that an archive is unpacked into. Nothing in it is a link, so that nothing can be written through one.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::limits::Budget;
use super::place::{Place, Unsafe};
use super::problem::Fault;
use crate::record::text::printable;

/// How many links may lead to one another.
const MOST_HOPS: usize = 8;

/// What is known of a file beside its content.
#[derive(Clone, Copy, Debug, Default)]
pub struct About {
    /// How long it is, as far as that is known before it is read.
    pub length: Option<u64>,
    /// Whether it may be run.
    pub executable: bool,
    /// When it was changed last.
    pub modified: Option<SystemTime>,
}

/// The folder that an archive is unpacked into.
pub struct Tree<'a> {
    root: PathBuf,
    budget: &'a mut Budget,
    there: HashMap<String, There>,
    links: Vec<(Place, String)>,
}

/// What stands at a place.
enum There {
    Folder,
    /// A file, with its name as the archive has it.
    File(Vec<u8>),
    Link,
}

impl<'a> Tree<'a> {
    /// The tree below this folder, which is made if it is not there, and which nobody else writes to.
    pub fn new(root: &Path, budget: &'a mut Budget) -> Result<Tree<'a>, Fault> {
        fs::create_dir_all(root)?;
        Ok(Tree { root: root.to_owned(), budget, there: HashMap::new(), links: Vec::new() })
    }

    /// The folder of all.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is left of the limits.
    pub fn budget(&mut self) -> &mut Budget {
        self.budget
    }

    /// Makes a folder, unless it is there.
    pub fn folder(&mut self, place: &Place) -> Result<(), Fault> {
        self.folders(place, place.folders().chain([place.path()]))
    }

    /// Makes the folders that something is to stand in, and the thing itself if it is one of them.
    fn folders<'p>(&mut self, place: &Place, paths: impl Iterator<Item = &'p str>) -> Result<(), Fault> {
        for path in paths {
            match self.there.get(path) {
                Some(There::Folder) => continue,
                Some(_) => return Err(Fault::of(place, Unsafe::Clash)),
                None => {}
            }
            self.budget.take_entry()?;
            fs::create_dir(self.root.join(path)).map_err(|error| clash_or(place, error))?;
            self.there.insert(path.to_owned(), There::Folder);
        }
        Ok(())
    }

    /// Writes a file. One of the same name takes the place of an earlier one, as when an archive was added to.
    pub fn file(&mut self, place: &Place, about: About, content: &mut dyn Read) -> Result<(), Fault> {
        self.budget.take_entry()?;
        self.budget.check_bytes(about.length.unwrap_or(0))?;
        self.folders(place, place.folders())?;
        let path = place.below(&self.root);
        match self.there.get(place.path()) {
            None => {}
            Some(There::File(raw)) if raw == place.raw() => fs::remove_file(&path)?,
            Some(_) => return Err(Fault::of(place, Unsafe::Clash)),
        }
        let mode = if about.executable { 0o777 } else { 0o666 };
        let file = File::options().write(true).create_new(true).mode(mode).open(&path);
        let mut file = file.map_err(|error| clash_or(place, error))?;
        self.there.insert(place.path().to_owned(), There::File(place.raw().to_vec()));
        write(content, &mut file, self.budget)?;
        if let Some(modified) = about.modified {
            file.set_modified(modified.min(SystemTime::now()))?;
        }
        Ok(())
    }

    /// Reads over the content of something that is left behind.
    pub fn pass_over(&mut self, length: u64, content: &mut dyn Read) -> Result<(), Fault> {
        self.budget.take_entry()?;
        self.budget.check_bytes(length)?;
        read_all(content, self.budget, |_| Ok(()))
    }

    /// Notes a link, which becomes a copy of what it leads to. `from_root`: whether its text is counted from the folder of all.
    pub fn link(&mut self, place: &Place, text: &[u8], from_root: bool) -> Result<(), Fault> {
        let out = || Fault::of(place, Unsafe::Link(printable(text, 200)));
        let target = place.link_target(text, from_root).ok_or_else(out)?;
        // What is stored twice is a link to itself.
        if target == place.path() {
            return Ok(());
        }
        self.budget.take_entry()?;
        self.folders(place, place.folders())?;
        if self.there.insert(place.path().to_owned(), There::Link).is_some() {
            return Err(Fault::of(place, Unsafe::Clash));
        }
        self.links.push((place.clone(), target));
        Ok(())
    }

    /// Puts copies in the place of links. What there is to say of those that lead to no file is returned.
    pub fn finish(mut self) -> Result<Vec<String>, Fault> {
        let links = std::mem::take(&mut self.links);
        let targets: HashMap<&str, &str> =
            links.iter().map(|(place, target)| (place.path(), target.as_str())).collect();
        let mut remarks = Vec::new();
        for (place, target) in &links {
            let mut end = target.as_str();
            for _ in 0..MOST_HOPS {
                end = targets.get(end).copied().unwrap_or(end);
            }
            let path = match self.there.get(end) {
                Some(There::File(_)) => self.root.join(end),
                Some(There::Folder) => {
                    remarks.push(format!("'{}' is a link to a folder, and was left out", place.shown()));
                    continue;
                }
                Some(There::Link) | None => {
                    remarks.push(format!("'{}' is a link to a file that is not there", place.shown()));
                    continue;
                }
            };
            let mut source = File::open(path)?;
            let data = source.metadata()?;
            let mut copied = File::options()
                .write(true)
                .create_new(true)
                .mode(data.mode() & 0o777)
                .open(place.below(&self.root))
                .map_err(|error| clash_or(place, error))?;
            write(&mut source, &mut copied, self.budget)?;
        }
        Ok(remarks)
    }
}

/// What it means that something could not be made: some file systems take names for the same that we do not.
fn clash_or(place: &Place, error: io::Error) -> Fault {
    match error.kind() {
        ErrorKind::AlreadyExists => Fault::of(place, Unsafe::Clash),
        _ => error.into(),
    }
}

/// Writes a file. Zeros become holes: bombs are made of them, and disks are slow.
fn write(content: &mut dyn Read, file: &mut File, budget: &mut Budget) -> Result<(), Fault> {
    let mut length = 0;
    read_all(content, budget, |piece| {
        length += piece.len() as u64;
        match piece.iter().all(|&byte| byte == 0) {
            true => file.seek_relative(piece.len() as i64),
            false => file.write_all(piece),
        }
    })?;
    Ok(file.set_len(length)?)
}

/// Reads all of it, and counts what is really there.
fn read_all(
    content: &mut dyn Read,
    budget: &mut Budget,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), Fault> {
    let mut piece = vec![0; 64 * 1024];
    loop {
        match content.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(read) => {
                budget.take_bytes(read as u64)?;
                each(&piece[..read])?;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}
