//! The files of a hand-in, within limits: nobody knows what is in it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// What is longer was not written by a person.
const LONGEST_FILE: u64 = 1 << 20;
/// The most that is read of all texts of a hand-in.
const MOST_TEXT: usize = 8 << 20;
/// The most entries of folders that are looked at.
const MOST_ENTRIES: usize = 20_000;
/// How deep folders may be.
const DEEPEST: usize = 16;

/// Folders of what students have not written themselves.
const FOREIGN: [&str; 6] = ["node_modules", "target", "venv", "site-packages", "__pycache__", "__MACOSX"];

/// The files of a hand-in, those in upper folders first, and then by name.
pub struct Listing {
    root: PathBuf,
    files: Vec<PathBuf>,
    texts: RefCell<Texts>,
}

/// The texts that were read so far, and how much was.
#[derive(Default)]
struct Texts {
    by_path: HashMap<PathBuf, String>,
    bytes: usize,
}

impl Listing {
    /// Lists a folder. What cannot be read is passed over, and links are.
    pub fn read(root: &Path) -> Listing {
        let mut files = Vec::new();
        let mut entries = 0;
        let mut open = vec![(root.to_owned(), 0)];
        while let Some((folder, depth)) = open.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                entries += 1;
                let name = entry.file_name();
                let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
                let Ok(kind) = entry.file_type() else { continue };
                if entries > MOST_ENTRIES {
                    break;
                }
                if kind.is_dir() && depth < DEEPEST && !FOREIGN.contains(&name) {
                    open.push((entry.path(), depth + 1));
                } else if kind.is_file()
                    && let Ok(path) = entry.path().strip_prefix(root)
                {
                    files.push(path.to_owned());
                }
            }
        }
        files.sort_by_cached_key(|path| (depth(path), path.clone()));
        Listing { root: root.to_owned(), files, texts: RefCell::default() }
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Where a file is.
    pub fn place(&self, path: &Path) -> PathBuf {
        self.root.join(path)
    }

    /// When a file was changed last, to the second: what is copied together gets times that are close together.
    pub fn changed(&self, path: &Path) -> u64 {
        let modified = self.place(path).metadata().and_then(|data| data.modified());
        let since = modified.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        since.map_or(0, |since| since.as_secs())
    }

    /// The content of a file, as far as it is read.
    pub fn bytes(&self, path: &Path) -> Vec<u8> {
        let mut content = Vec::new();
        // What cannot be read says nothing.
        let _ =
            File::open(self.place(path)).and_then(|file| file.take(LONGEST_FILE).read_to_end(&mut content));
        content
    }

    /// The text of a file, without the mark that some editors put before it. Other encodings than UTF-8 are read with some letters
    /// replaced. It is read only once; when too much was read of a hand-in, nothing more is.
    pub fn text(&self, path: &Path) -> String {
        let mut texts = self.texts.borrow_mut();
        if let Some(text) = texts.by_path.get(path) {
            return text.clone();
        }
        let mut bytes = if texts.bytes < MOST_TEXT { self.bytes(path) } else { Vec::new() };
        bytes.truncate(MOST_TEXT - texts.bytes);
        texts.bytes += bytes.len();
        let text = String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned();
        texts.by_path.insert(path.to_owned(), text.clone());
        text
    }
}

/// How many folders a file is in.
pub fn depth(path: &Path) -> usize {
    path.components().count().saturating_sub(1)
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The name of a file without its ending.
pub fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}

/// The name of a file.
pub fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Whether a file only tries others out.
pub fn is_test(path: &Path) -> bool {
    let is_test = |name: &str| {
        let name = name.to_lowercase();
        name == "test" || name == "tests" || name.starts_with("test_") || name.ends_with("_test")
    };
    let stem = stem(path);
    let of_java = stem.ends_with("Test") || stem.ends_with("Tests");
    of_java
        || is_test(stem)
        || folder_of(path).components().any(|part| part.as_os_str().to_str().is_some_and(is_test))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_much_is_read_of_a_hand_in() {
        let folder = tempfile::tempdir().unwrap();
        let name = |index: usize| PathBuf::from(format!("{index}.c"));
        (0..12)
            .for_each(|index| std::fs::write(folder.path().join(name(index)), "x".repeat(1 << 20)).unwrap());
        let listing = Listing::read(folder.path());
        let read = |_| (0..12).map(|index| listing.text(&name(index)).len()).sum::<usize>();
        assert_eq!([0, 1].map(read), [MOST_TEXT; 2], "what was read is there again");
    }
}
