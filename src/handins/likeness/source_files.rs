//! The source files of a hand-in, within limits: nobody knows what is in it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::syntax::Syntax;

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

/// The source files in a folder, in the order of their names. What cannot be read is passed over: nothing is said of it. If there is too
/// much, the shortest files count, and the last of them is cut: nobody hides a copy behind a long comment.
pub fn source_files(folder: &Path) -> Vec<SourceFile> {
    let mut found = Vec::new();
    let mut entries = 0;
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
                && let Some(syntax) = Syntax::of(&path)
            {
                found.push((kind.len(), path, syntax));
            }
        }
    }
    found.sort_by(|(one, one_path, _), (other, other_path, _)| (one, one_path).cmp(&(other, other_path)));
    let mut left = MOST_BYTES;
    let read = |(_, path, syntax): (u64, PathBuf, &'static Syntax)| {
        let content = read(&path, left)?;
        left -= content.len() as u64;
        let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
        Some(SourceFile { name, syntax, text: text(content) })
    };
    let mut files: Vec<SourceFile> = found.into_iter().filter_map(read).collect();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
}

/// So many bytes of a file.
fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path).ok()?.take(most).read_to_end(&mut content).ok()?;
    Some(content)
}

/// What was read as a text. Other encodings than UTF-8 are read with some letters replaced, and what no text has is a blank.
fn text(mut content: Vec<u8>) -> String {
    content.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    String::from_utf8_lossy(&content).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_comment_hides_a_source() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let long = format!("/*{}*/ int copied;", "x".repeat(1_100_000));
        write("a.c", &"x".repeat(9_000_000));
        write("b.c", &long);
        write("c.c", "/* \0 */ int copied;");
        let files = source_files(folder.path());
        let names: Vec<&str> = files.iter().filter_map(|file| file.name.to_str()).collect();
        assert_eq!(names, ["a.c", "b.c", "c.c"]);
        assert_eq!(files[1].text, long);
        assert_eq!(files[2].text, "/*   */ int copied;");
        assert_eq!(files.iter().map(|file| file.text.len() as u64).sum::<u64>(), MOST_BYTES);
    }
}
