//! Why an entry of a folder of bots is none, and how that is said: together for all that have the same reason.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::contain::elf::Elf;
use crate::contain::executable;
use crate::contain::file_kind::FileKind;
use crate::contain::language::{self, Language, word};
use crate::record::text::{counted, printable};

/// An entry that is no bot.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Where it is.
    pub path: PathBuf,
    /// Why it is no bot.
    pub why: NoBot,
}

/// Why an entry is no bot, in the order in which that is told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NoBot {
    /// It cannot be started: the whole sentence.
    Unfit(String),
    /// It is a folder with these programs.
    Several(Vec<String>),
    /// It is a folder of another game's bots.
    OtherGame,
    /// It is an archive.
    Archive,
    /// It is a folder with source code, and no program.
    SourceFolder,
    /// It is source code that has to be built.
    Source,
    /// It is a script that does not say what runs it; this command does.
    Script(&'static str),
    /// It is a Java archive.
    JavaArchive,
    /// It is a program that may not be run; or a folder with one, at this place in it.
    NoRunBit(PathBuf),
    /// It is a folder with nothing in it.
    EmptyFolder,
    /// It is a folder in which there is nothing but links.
    OnlyLinks,
    /// It is a folder without a program.
    NoProgram,
    /// It is a link that leaves the folder.
    LinkOutside,
    /// It is a link that leads nowhere.
    LinkToNowhere,
    /// Its name is not UTF-8.
    NotUtf8,
    /// It is a folder that cannot be read.
    Unreadable(io::ErrorKind),
    /// It is a file that is no program, or hidden.
    Data,
}

impl NoBot {
    /// Whether `arbitro build` may make a bot of it.
    pub fn needs_building(&self) -> bool {
        matches!(self, NoBot::Archive | NoBot::SourceFolder | NoBot::Source | NoBot::Script(_))
    }
}

/// What is in a folder, in order.
pub(super) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Why a file that may not be run is no bot.
pub(super) fn of_file(path: &Path) -> NoBot {
    match executable::kind_of(path) {
        Some(FileKind::Archive(_)) => NoBot::Archive,
        Some(FileKind::JavaArchive) => NoBot::JavaArchive,
        Some(FileKind::Script | FileKind::Elf(Elf::Program { .. })) => NoBot::NoRunBit(PathBuf::new()),
        // Text of any kind may look like a language; a bot has its ending.
        _ => match language::of_ending(path) {
            Some(Language::Compiled(_)) => NoBot::Source,
            Some(Language::Interpreted(command)) => NoBot::Script(command),
            None => NoBot::Data,
        },
    }
}

/// What says how sources are built.
const RECIPES: [&str; 7] =
    ["makefile", "cmakelists.txt", "cargo.toml", "go.mod", "package.json", "pom.xml", "build.gradle"];
/// How deep a folder without a program is searched for sources, and how many entries at most.
const DEPTH: usize = 4;
const MOST_ENTRIES: usize = 2000;

/// Why a folder without a program that may be run is no bot.
pub(super) fn of_folder(folder: &Path) -> NoBot {
    let mut files = Vec::new();
    let has_links = add_files(folder, DEPTH, &mut files);
    if files.is_empty() {
        return if has_links { NoBot::OnlyLinks } else { NoBot::EmptyFolder };
    }
    let is_recipe = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        RECIPES.contains(&name.as_str())
    };
    let kinds: Vec<NoBot> = files.iter().map(|path| of_file(path)).collect();
    let programs = files.iter().zip(&kinds).filter(|(_, kind)| matches!(kind, NoBot::NoRunBit(_)));
    let programs: Vec<&Path> = programs.filter_map(|(path, _)| path.strip_prefix(folder).ok()).collect();
    let is_source = kinds.iter().any(NoBot::needs_building) || files.iter().any(is_recipe);
    match programs[..] {
        [only] if !is_source => NoBot::NoRunBit(only.to_owned()),
        [] if !is_source => NoBot::NoProgram,
        _ => NoBot::SourceFolder,
    }
}

/// Adds the files in a folder and below it, without hidden ones and links, and says whether there are links.
fn add_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> bool {
    let mut has_links = false;
    // One that cannot be read has nothing for us.
    for path in entries(folder).unwrap_or_default() {
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if files.len() >= MOST_ENTRIES {
            break;
        } else if is_hidden {
            continue;
        } else if path.is_symlink() {
            has_links = true;
        } else if path.is_file() {
            files.push(path);
        } else if depth > 1 {
            has_links |= add_files(&path, depth - 1, files);
        }
    }
    has_links
}

/// What is to be said of these entries of a folder, one sentence for each reason.
pub(super) fn sentences(entries: &[Entry], folder: &Path) -> Vec<String> {
    let mut in_order: Vec<&Entry> = entries.iter().collect();
    in_order.sort_by(|one, other| one.why.cmp(&other.why));
    let is_told_together = |one: &&Entry, other: &&Entry| {
        one.why == other.why || matches!((&one.why, &other.why), (NoBot::NoRunBit(_), NoBot::NoRunBit(_)))
    };
    in_order.chunk_by(is_told_together).map(|entries| sentence(entries, folder)).collect()
}

fn sentence(entries: &[&Entry], folder: &Path) -> String {
    let Some(first) = entries.first() else { return String::new() };
    let (build, path) = (format!("arbitro build {}", word(folder)), word(&first.path));
    let many = |noun: &str| counted(entries.len(), noun);
    let some = |one: &'static str, more: &'static str| if entries.len() == 1 { one } else { more };
    let them = some("it", "them");
    let text = match &first.why {
        NoBot::Unfit(sentence) => return sentence.clone(),
        NoBot::Several(programs) => {
            let shown: Vec<String> =
                programs.iter().take(MOST_NAMES).map(|name| shown(name.as_ref())).collect();
            let example = word(&first.path.join(&programs[0]));
            return format!(
                "'{}' holds {} that may be run ({}{}); name the one that is the bot, as in NAME={example}, or play them all: arbitro \
                 championship {path}",
                shown_path(&first.path),
                counted(programs.len(), "program"),
                shown.join(", "),
                if programs.len() > MOST_NAMES { ", …" } else { "" },
            );
        }
        NoBot::OtherGame => format!("{} of another game (--game plays {them})", many("folder")),
        NoBot::Archive => format!("{} (to unpack and build {them}: {build})", many("archive")),
        NoBot::SourceFolder => {
            format!("{} with source code and no program (to build {them}: {build})", many("folder"))
        }
        NoBot::Source => format!("{} with source code (to build {them}: {build})", many("file")),
        NoBot::Script(command) => format!(
            "{} that {} not executable (write NAME=\"{command} FILE\", or: {build})",
            many("script"),
            some("is", "are")
        ),
        NoBot::JavaArchive => format!("{} (write NAME=\"java -jar FILE\")", many("Java archive")),
        NoBot::NoRunBit(_) => {
            let files = entries.iter().map(|entry| match &entry.why {
                NoBot::NoRunBit(place) if !place.as_os_str().is_empty() => word(&entry.path.join(place)),
                _ => word(&entry.path),
            });
            let files = files.collect::<Vec<_>>().join(" ");
            format!("{} that {} not executable (chmod +x {files})", many("program"), some("is", "are"))
        }
        NoBot::EmptyFolder => many("empty folder"),
        NoBot::OnlyLinks => {
            format!("{} with nothing but links (put there what they lead to)", many("folder"))
        }
        NoBot::NoProgram => format!("{} without a program", many("folder")),
        NoBot::LinkOutside => format!(
            "{} out of the folder (put there what {} to)",
            many("link"),
            some("it leads", "they lead")
        ),
        NoBot::LinkToNowhere => format!("{} to nowhere", many("link")),
        NoBot::NotUtf8 => format!("{} whose name is not UTF-8 (rename {them})", many("program")),
        NoBot::Unreadable(kind) => format!("{} that cannot be read ({kind})", many("folder")),
        NoBot::Data => {
            let names: Vec<String> =
                entries.iter().take(MOST_NAMES).map(|entry| place(&entry.path, folder)).collect();
            let more = entries.len().saturating_sub(MOST_NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            return format!(
                "{} that {}: {}{more}",
                many("file"),
                some("is no program", "are no programs"),
                names.join(", ")
            );
        }
    };
    let names: Vec<String> = entries.iter().map(|entry| place(&entry.path, folder)).collect();
    format!("{text}: {}", names.join(", "))
}

/// The most names of what nobody misses.
const MOST_NAMES: usize = 8;

/// Where an entry is in the folder.
fn place(path: &Path, folder: &Path) -> String {
    shown_path(path.strip_prefix(folder).unwrap_or(path))
}

fn shown_path(path: &Path) -> String {
    shown(path.as_os_str())
}

fn shown(name: &std::ffi::OsStr) -> String {
    printable(std::os::unix::ffi::OsStrExt::as_bytes(name), 300)
}
