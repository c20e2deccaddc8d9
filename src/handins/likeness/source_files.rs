//! The source files of a hand-in, within limits: nobody knows what is in it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::syntax::Syntax;

/// What is longer was not written by a person.
const LONGEST_FILE: u64 = 1 << 20;
/// The most that is read of a hand-in.
const MOST_BYTES: u64 = 8 << 20;
/// The most entries of folders that are looked at.
const MOST_ENTRIES: usize = 20_000;
/// How deep folders may be.
const DEEPEST: usize = 16;

/// Folders of what students have not written themselves.
const FOREIGN: &[&str] =
    &["node_modules", "target", "build", "dist", "vendor", "venv", "__pycache__", "__MACOSX"];

/// A source file.
pub struct SourceFile {
    /// Its path in the hand-in.
    pub name: PathBuf,
    /// Its language.
    pub syntax: &'static Syntax,
    /// Its content.
    pub text: String,
}

/// The source files in a folder, in the order of their names. What cannot be read is passed over: nothing is said of it.
pub fn source_files(folder: &Path) -> Vec<SourceFile> {
    let mut found = Vec::new();
    let (mut bytes, mut entries) = (0, 0);
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((path, depth)) = open.pop() {
        let Ok(content) = path.read_dir() else { continue };
        let mut paths: Vec<PathBuf> =
            content.flatten().take(MOST_ENTRIES - entries).map(|entry| entry.path()).collect();
        entries += paths.len();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Ok(kind) = path.symlink_metadata() else { continue };
            if name.starts_with('.') || FOREIGN.contains(&&*name) {
                continue;
            }
            if kind.is_dir() && depth < DEEPEST {
                open.push((path, depth + 1));
            } else if kind.is_file()
                && kind.len() <= LONGEST_FILE.min(MOST_BYTES - bytes)
                && let Some(syntax) = Syntax::of(&path)
                && let Some(text) = read(&path)
            {
                bytes += text.len() as u64;
                let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                found.push(SourceFile { name, syntax, text });
            }
            bytes = bytes.min(MOST_BYTES);
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// The text of a file, unless it is none. Other encodings than UTF-8 are read with some letters replaced.
fn read(path: &Path) -> Option<String> {
    let mut content = Vec::new();
    File::open(path).ok()?.take(LONGEST_FILE).read_to_end(&mut content).ok()?;
    let is_text = !content.contains(&0);
    is_text.then(|| String::from_utf8_lossy(&content).into_owned())
}
