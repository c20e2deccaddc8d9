//! Which hand-ins there are in a folder, and whose they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rawzip::{RECOMMENDED_BUFFER_SIZE, ZipArchive};
use thiserror::Error;

use super::encoding;
use super::handin::HandIn;
use super::layout::{self, Layout, Part, Submission};
use super::leftovers::is_leftover;
use super::names::Names;
use super::unpack::{is_archive, stem};
use crate::championship::bot_name::{self, safe_name};
use crate::championship::file_tree::open_file;
use crate::championship::roster::unique_names;
use crate::contain::executable;
use crate::contain::file_kind::FileKind;
use crate::contain::language;
use crate::contain::system_words::system_words;
use crate::record::text::printable;

/// What Gradescope calls the file with the names.
const GRADESCOPE: &str = "submission_metadata.yml";
/// The most that is read of what web sites write beside hand-ins.
const LONGEST_METADATA: u64 = 64 << 20;

/// What there is in a folder of hand-ins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The hand-ins, by name.
    pub handins: Vec<HandIn>,
    /// What is no hand-in, with the reason in words that follow its name.
    pub passed_over: Vec<(PathBuf, String)>,
    /// The lines of the table of names that are about no hand-in, with what stands in their first column.
    pub unused_lines: Vec<(u64, String)>,
}

/// Why a folder of hand-ins cannot be used.
#[derive(Debug, Error)]
pub enum FindProblem {
    /// The folder cannot be read.
    #[error("cannot read the folder '{}': {}", .0.display(), system_words(.1))]
    Folder(PathBuf, io::Error),
    /// The table of names is about other hand-ins.
    #[error(
        "no line of the table of names is about a hand-in in '{}'; its first column has to be the file, the folder or the number of \
         a hand-in, as for example '{example}'", folder.display()
    )]
    ForeignNames {
        /// The folder.
        folder: PathBuf,
        /// What could stand in the table.
        example: String,
    },
}

/// Finds the hand-ins in a folder.
pub fn find(folder: &Path, names: &Names) -> Result<Found, FindProblem> {
    let unreadable = |error| FindProblem::Folder(folder.to_owned(), error);
    let inner = look_through(folder).map_err(unreadable)?;
    let mut paths = entries(&inner).map_err(unreadable)?;
    paths.retain(|path| !names.is_table(path));
    let called: Vec<String> = paths.iter().map(|path| layout::file_name(path)).collect();
    let layout = Layout::of_most(called.iter().map(String::as_str));
    let mut search = Search { layout, ..Search::default() };
    paths.iter().for_each(|path| search.add(path));
    search.add_dashed();
    search.leave_out_texts();
    let Search { groups, passed_over, people, .. } = search;
    let groups = groups.into_values().flat_map(Group::apart);
    let named: Vec<Named> = groups.map(|group| group.named(names, &people)).collect();
    if !names.is_empty() && !named.is_empty() && !named.iter().any(|named| named.is_in_table) {
        let example = layout::file_name(&named[0].entries[0]);
        return Err(FindProblem::ForeignNames { folder: folder.to_owned(), example });
    }
    let unused_lines = names.about_none_of(named.iter().flat_map(|named| &named.keys).map(String::as_str));
    Ok(Found { handins: handins(named, layout), passed_over, unused_lines })
}

/// The entries of a folder, in order, without those that systems and editors make.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.retain(|path| {
        let name = layout::file_name(path);
        !name.starts_with('.') && !is_leftover(&name)
    });
    paths.sort();
    Ok(paths)
}

/// The folder with the hand-ins: what a web site gave may have been unpacked into a folder of its own.
fn look_through(folder: &Path) -> io::Result<PathBuf> {
    let mut folder = folder.to_owned();
    while let [only] = &entries(&folder)?[..]
        && only.is_dir()
        && !only.is_symlink()
        && Submission::of_any(&layout::file_name(only)).is_none()
        && entries(only).is_ok_and(|inner| {
            inner.iter().any(|path| Submission::of_any(&layout::file_name(path)).is_some())
        })
    {
        folder = only.clone();
    }
    Ok(folder)
}

/// What has been found so far.
#[derive(Default)]
struct Search {
    /// How the web site calls what it gives, if it was one. Whatever is called otherwise has a plain name.
    layout: Option<Layout>,
    groups: BTreeMap<Key, Group>,
    passed_over: Vec<(PathBuf, String)>,
    /// The names that a web site gives, by what it calls people itself; they are for its own groups only.
    people: BTreeMap<String, String>,
    /// Files that are called `one - other`, until it is known which of both is the student.
    dashed: Vec<PathBuf>,
}

/// Whose files are: who says so, a name, and the number that tells it from the same name.
type Key = (Source, String, String);

/// Where the name of an owner is from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// From the web site.
    #[default]
    Site,
    /// From how a file is called.
    File,
    /// From how a folder is called.
    Folder,
}

/// The parts of one hand-in.
#[derive(Default)]
struct Group {
    source: Source,
    owner: String,
    number: String,
    entries: Vec<PathBuf>,
    /// What was typed into a field of the web site, or says something about the hand-in.
    texts: Vec<PathBuf>,
    attempt: Option<String>,
}

impl Search {
    fn add(&mut self, path: &Path) {
        let name = layout::file_name(path);
        let kind = match path.symlink_metadata() {
            Ok(data) => data.file_type(),
            Err(error) => return self.pass_over(path, format!("cannot be read: {}", system_words(&error))),
        };
        if kind.is_symlink() {
            return self.pass_over(path, "is a link; put there what it leads to");
        }
        if !kind.is_file() && !kind.is_dir() {
            return self.pass_over(path, "is a device, a pipe or a socket");
        }
        let is_of = |layout| self.layout == Some(layout);
        if kind.is_file() && name == GRADESCOPE && is_of(Layout::Gradescope) {
            return self.people.extend(layout::gradescope_names(&beginning(path, LONGEST_METADATA)));
        }
        let is_dashed = is_of(Layout::Classroom) && kind.is_file() && layout::dashed(&name).is_some();
        let known = self.layout.and_then(|layout| layout.read(&name));
        match known {
            Some(submission) => self.add_submission(path, &submission),
            None if kind.is_file() && holds_many(path, &name) => self.pass_over(
                path,
                "holds the hand-ins of several students; unpack it into a folder, and give that folder",
            ),
            None if is_dashed => self.dashed.push(path.to_owned()),
            None => {
                // What is called alike but for the ending may belong together, as a report and its program.
                let (source, owner) = match kind.is_dir() {
                    true => (Source::Folder, name.as_str()),
                    false => (Source::File, bare(&name)),
                };
                self.group(source, owner, "").entries.push(path.to_owned());
            }
        }
    }

    /// The group of these files, which may be new.
    fn group(&mut self, source: Source, owner: &str, number: &str) -> &mut Group {
        let (owner, number) = (owner.to_owned(), number.to_owned());
        let new = Group { source, owner: owner.clone(), number: number.clone(), ..Group::default() };
        self.groups.entry((source, owner, number)).or_insert(new)
    }

    fn add_submission(&mut self, path: &Path, submission: &Submission) {
        let Submission { owner, number, part, attempt, .. } = *submission;
        match part {
            Part::Feedback => return self.pass_over(path, "is what you have answered"),
            Part::Receipt => {
                // Students write comments, and Blackboard itself its receipts.
                if self.layout == Some(Layout::Blackboard) {
                    let named = receipt_name(&beginning(path, 4096), owner);
                    self.people.extend(named.map(|name| (owner.to_owned(), name)));
                }
                return self.group(Source::Site, owner, number).texts.push(path.to_owned());
            }
            Part::OnlineText => return self.group(Source::Site, owner, number).texts.push(path.to_owned()),
            Part::Files => {}
        }
        let group = self.group(Source::Site, owner, number);
        let attempt = attempt.map(str::to_owned);
        // Names are in order, and so are the times in them.
        let earlier = if group.attempt == attempt { Vec::new() } else { std::mem::take(&mut group.entries) };
        group.attempt = attempt;
        group.entries.push(path.to_owned());
        for path in earlier {
            self.pass_over(&path, format!("is an earlier attempt of {owner}"));
        }
    }

    /// Files that are called `one - other` belong to the student in front, as Classroom writes them, unless one exercise stands
    /// in front of all.
    fn add_dashed(&mut self) {
        let files = std::mem::take(&mut self.dashed);
        let names: Vec<String> = files.iter().map(|path| layout::file_name(path)).collect();
        let parts: Vec<(&str, &str)> = names.iter().filter_map(|name| layout::dashed(name)).collect();
        let fronts: BTreeSet<&str> = parts.iter().map(|(front, _)| front.trim()).collect();
        let backs: BTreeSet<&str> = parts.iter().map(|(_, back)| bare(back).trim()).collect();
        // Students choose what stands at the back: only where all fronts are one exercise, nobody can change whose hand-ins are.
        let is_by_exercise = fronts.len() == 1 && backs.len() > 1;
        for (path, (front, back)) in files.iter().zip(&parts) {
            let (source, owner) =
                if is_by_exercise { (Source::File, bare(back)) } else { (Source::Site, *front) };
            self.group(source, owner.trim(), "").entries.push(path.clone());
        }
    }

    /// What was typed into the web site counts where nothing else was handed in.
    fn leave_out_texts(&mut self) {
        for group in self.groups.values_mut() {
            let texts = std::mem::take(&mut group.texts);
            if group.entries.is_empty() {
                group.entries = texts;
            }
        }
    }

    /// A name that is not text would be a trap for whoever reads the list.
    fn pass_over(&mut self, path: &Path, why: impl Into<String>) {
        let folder = path.parent().unwrap_or(Path::new(""));
        self.passed_over.push((folder.join(printable(layout::file_name(path).as_bytes(), 200)), why.into()));
    }
}

/// A hand-in before it is told from others of its name.
struct Named {
    name: String,
    entries: Vec<PathBuf>,
    number: String,
    /// What the professor's table may call it.
    keys: Vec<String>,
    is_in_table: bool,
    remarks: Vec<String>,
}

impl Group {
    /// Each file as a hand-in of its own, where they are called alike by people and several of them may be programs: whoever calls a file
    /// like that of another student would take its place.
    fn apart(self) -> Vec<Group> {
        let programs = self.entries.iter().filter(|path| may_be_program(path)).count();
        if self.source != Source::File || programs < 2 {
            return vec![self];
        }
        let of_one = |path: PathBuf| {
            let (owner, number) = (self.owner.clone(), self.number.clone());
            Group { source: self.source, owner, number, entries: vec![path], ..Group::default() }
        };
        self.entries.iter().cloned().map(of_one).collect()
    }

    /// Whose it is: as the professor's table says it, or the web site, or as the files are called.
    fn named(self, names: &Names, people: &BTreeMap<String, String>) -> Named {
        let Group { source, owner, number, entries, .. } = self;
        let files: Vec<String> = entries.iter().map(|path| layout::file_name(path)).collect();
        let keys = files.iter().flat_map(|file| [file.as_str(), bare(file)]);
        let keys: Vec<String> = keys.chain([number.as_str(), owner.as_str()]).map(str::to_owned).collect();
        let in_table = names.find(keys.iter().map(String::as_str));
        // Where the web site keeps names to itself, the number is the name.
        let is_anonymous = owner.to_lowercase().starts_with("participant") && !number.is_empty();
        let wanted = match (in_table, people.get(&owner).filter(|_| source == Source::Site)) {
            (Some(name), _) => name.to_owned(),
            (None, Some(name)) => name.clone(),
            (None, None) if is_anonymous => format!("{owner} {number}"),
            (None, None) => owner,
        };
        let name = safe_name(&wanted);
        let mut remarks = Vec::new();
        if bot_name::read(&wanted).as_ref() != Ok(&name) {
            remarks.push(format!(
                "'{}' cannot be a name, and became '{name}'",
                printable(wanted.as_bytes(), 200)
            ));
        }
        for (path, file) in entries.iter().zip(&files).filter(|(path, _)| path.to_str().is_none()) {
            let bytes = path.file_name().unwrap_or_default().as_bytes().escape_ascii();
            remarks.push(format!(
                "the file name '{bytes}' is not UTF-8, and was read as '{}'",
                printable(file.as_bytes(), 200)
            ));
        }
        Named { name, entries, number, keys, is_in_table: in_table.is_some(), remarks }
    }
}

/// The hand-ins, each with a name of its own.
fn handins(mut named: Vec<Named>, layout: Option<Layout>) -> Vec<HandIn> {
    // Among equal names the one with the smaller number comes first, whatever else comes later.
    named.sort_by_cached_key(|one| (one.name.clone(), one.number.len(), one.number.clone()));
    let unique = unique_names(named.iter().map(|one| one.name.as_str()));
    let with_name = |(one, name): (Named, String)| {
        let Named { name: wanted, entries, mut remarks, .. } = one;
        if name != wanted {
            remarks.push(format!("there are several hand-ins of '{wanted}'; this one is called '{name}'"));
        }
        HandIn { name, claims: wanted, entries, layout, remarks }
    };
    let mut handins: Vec<HandIn> = named.into_iter().zip(unique).map(with_name).collect();
    handins.sort_by(|one, other| one.name.cmp(&other.name));
    handins
}

/// Whether a file may be all of a hand-in: source code, an archive or a program that is built already.
fn may_be_program(path: &Path) -> bool {
    let is_built = || {
        matches!(executable::kind_of(path), Some(FileKind::Elf(_) | FileKind::Script | FileKind::JavaArchive))
    };
    language::of_ending(path).is_some() || is_archive(path) || is_built()
}

/// A file's name without its ending.
fn bare(name: &str) -> &str {
    let stem = stem(name);
    let without = |(bare, ending): (&'_ str, &str)| !bare.is_empty() && !ending.contains(' ');
    if stem.len() < name.len() {
        return stem;
    }
    stem.rsplit_once('.').filter(|parts| without(*parts)).map_or(stem, |(bare, _)| bare)
}

/// The beginning of a text that a web site wrote.
fn beginning(path: &Path, limit: u64) -> String {
    let mut bytes = Vec::new();
    let read = open_file(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    if read.is_ok() { encoding::table(&bytes) } else { String::new() }
}

/// The name in the first line of what Blackboard writes about a hand-in: `Name: Ana Silva (asilva)`.
fn receipt_name(text: &str, owner: &str) -> Option<String> {
    let (_, name) = text.lines().next()?.split_once(':')?;
    Some(name.trim().strip_suffix(&format!("({owner})"))?.trim().to_owned())
}

/// Whether a file is the archive of all hand-ins, as a web site gives it.
fn holds_many(path: &Path, name: &str) -> bool {
    const MOST_ENTRIES: usize = 10_000;
    if !name.to_lowercase().ends_with(".zip") {
        return false;
    }
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let Ok(Ok(archive)) = open_file(path).map(|file| ZipArchive::from_file(file, &mut buffer)) else {
        return false;
    };
    let mut owners = BTreeSet::new();
    let mut entries = archive.entries(&mut buffer);
    for _ in 0..MOST_ENTRIES {
        let Ok(Some(entry)) = entries.next_entry() else { break };
        let path = encoding::name(entry.file_path().as_bytes());
        // All may stand in one folder, with a file that says whose they are.
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).take(2).collect();
        match names.iter().find_map(|name| Submission::of_any(name)) {
            Some(submission) => {
                owners.insert((submission.owner.to_owned(), submission.number.to_owned()));
            }
            None if entry.is_dir() || names.iter().any(|name| *name == GRADESCOPE || is_leftover(name)) => {}
            None => return false,
        }
    }
    owners.len() > 1
}
