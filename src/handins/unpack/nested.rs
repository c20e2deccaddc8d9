//! Archives in what was unpacked, and folders that hold nothing but another folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::kind::{self, Kind, head_of};
use super::limits::Budget;
use super::open;
use super::outside_tools::OutsideTools;
use super::problem::Fault;
use super::tree::Tree;
use crate::contain::language;

/// Endings of what people write beside a program, and no program needs.
const DOCUMENTS: [&str; 13] =
    ["pdf", "doc", "docx", "odt", "rtf", "md", "tex", "ppt", "pptx", "odp", "png", "jpg", "jpeg"];
/// Files that say how a program is built.
const BUILD_FILES: [&str; 7] =
    ["makefile", "gnumakefile", "cmakelists.txt", "cargo.toml", "go.mod", "package.json", "pom.xml"];

/// What was unpacked so far, with archives in it.
pub struct Nested<'a> {
    /// Where it is.
    pub folder: &'a Path,
    /// What is left of the limits.
    pub budget: Budget,
    /// What opens some of the archives.
    pub tools: &'a dyn OutsideTools,
    /// What there is to say.
    pub remarks: Vec<String>,
}

impl Nested<'_> {
    /// Opens the archives that are there, and those that are in them, up to so many levels. Where there is a program, archives are its
    /// data, or old versions. A problem comes with the path of the archive that has it.
    pub fn open_all(&mut self, levels: usize) -> Result<(), (Option<String>, Fault)> {
        for level in 0.. {
            let files = files(self.folder).map_err(|error| (None, error.into()))?;
            let (mut archives, mut is_program) = (Vec::new(), false);
            for path in files {
                let name = file_name(&path);
                is_program |= is_source(&path);
                if let Some(kind) = Kind::of(&name, &head_of(&path)) {
                    archives.push((path, name, kind));
                }
            }
            if archives.is_empty() {
                break;
            }
            if is_program {
                let shown = archives.iter().map(|(path, ..)| {
                    format!("'{}' was not opened: there is a program beside it", self.shown(path))
                });
                self.remarks.extend(shown.collect::<Vec<_>>());
                break;
            }
            if level == levels {
                return Err((None, Fault::TooDeep(levels)));
            }
            for (path, name, kind) in archives {
                self.open(&path, &name, kind).map_err(|fault| (Some(self.shown(&path)), fault))?;
            }
        }
        Ok(())
    }

    /// Puts a folder in the place of an archive.
    fn open(&mut self, path: &Path, name: &str, kind: Kind) -> Result<(), Fault> {
        let into = free_folder(path.parent().unwrap_or(self.folder), kind::stem(name));
        let mut tree = Tree::new(&into, &mut self.budget)?;
        open::open(path, name, kind, &mut tree, self.tools)?;
        self.remarks.extend(tree.finish()?);
        Ok(fs::remove_file(path)?)
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(self.folder).unwrap_or(path).display().to_string()
    }
}

/// A folder that is not there yet, called like this or with a number.
pub fn free_folder(parent: &Path, name: &str) -> PathBuf {
    // The system takes 255 bytes, and the number has to fit too.
    const LONGEST: usize = 240;
    let beginning: String =
        name.char_indices().take_while(|(at, _)| *at < LONGEST).map(|(_, letter)| letter).collect();
    let numbered = (2..).map(|number| format!("{beginning}-{number}"));
    let mut paths = std::iter::once(name.to_owned()).chain(numbered).map(|name| parent.join(name));
    paths.find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| parent.join(name))
}

/// All files in a folder that was unpacked, in order.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() { open.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file is a part of a program's sources.
fn is_source(path: &Path) -> bool {
    let name = file_name(path).to_lowercase();
    language::of_ending(path).is_some() || BUILD_FILES.contains(&&*name)
}

/// The folder that the hand-in is really in: one that holds nothing but another folder, and documents, is looked through. Folders by
/// which programs find their parts stay.
pub fn look_through(folder: &Path) -> PathBuf {
    let mut folder = folder.to_owned();
    while let Some(inner) = only_folder(&folder).filter(|inner| !is_part_of_program(inner)) {
        folder = inner;
    }
    folder
}

fn only_folder(folder: &Path) -> Option<PathBuf> {
    let paths: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    let only = <[PathBuf; 1]>::try_from(folders).ok()?;
    files.iter().all(|file| is_document(file)).then_some(only.into_iter().next()?)
}

fn is_document(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| DOCUMENTS.contains(&&*ending))
}

fn is_part_of_program(folder: &Path) -> bool {
    file_name(folder) == "src" || folder.join("__init__.py").exists()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
