//! Where an entry of an archive is to stand, if that is safe.

use std::path::{Path, PathBuf};

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::handins::{encoding, leftovers};
use crate::record::text::printable;

/// The longest name that file systems take.
const LONGEST_NAME: usize = 255;
/// The longest path: with the folder that it stands in, it stays below what the system takes.
const LONGEST_PATH: usize = 1000;

/// Why something in an archive could do harm.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsafe {
    /// It wants to stand elsewhere.
    #[error("leads out of its folder with '..'")]
    Parent,
    /// It wants to stand elsewhere.
    #[error("is a path from the root of a disk")]
    Absolute,
    /// Its name would drive terminals, or end early.
    #[error("has a control character in its name")]
    ControlCharacter,
    /// Its name is too long.
    #[error("has too long a name")]
    TooLong,
    /// It has no name.
    #[error("has no name")]
    NoName,
    /// It is a link to elsewhere.
    #[error("is a link that leads out, to '{0}'")]
    Link(String),
    /// It is no file.
    #[error("is a device, a pipe or a socket")]
    Device,
    /// Another entry has its name.
    #[error("has the same place as something else in it")]
    Clash,
}

/// Where something stands in its folder: names joined by `/`, none of which leads anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    path: String,
    raw: Vec<u8>,
}

impl Place {
    /// The place of an entry that is called so in an archive; nothing for the folder itself, and for what tools and systems leave.
    /// Backslashes separate names too: some tools of Windows write them.
    pub fn read(raw: &[u8]) -> Result<Option<Place>, (String, Unsafe)> {
        let name = encoding::name(raw).replace('\\', "/");
        let fail = |what| Err((printable(raw, 200), what));
        if is_absolute(&name) {
            return fail(Unsafe::Absolute);
        }
        let names: Vec<String> = name
            .split('/')
            .filter(|name| !matches!(*name, "" | "."))
            .map(|name| name.nfc().collect())
            .collect();
        if names.iter().any(|name| name == "..") {
            return fail(Unsafe::Parent);
        }
        if names.iter().any(|name| leftovers::is_leftover(name)) {
            return Ok(None);
        }
        let path = names.join("/");
        match () {
            () if path.contains(char::is_control) => fail(Unsafe::ControlCharacter),
            () if path.len() > LONGEST_PATH || names.iter().any(|name| name.len() > LONGEST_NAME) => {
                fail(Unsafe::TooLong)
            }
            () if path.is_empty() && !name.contains('.') => fail(Unsafe::NoName),
            () if path.is_empty() => Ok(None),
            () => Ok(Some(Place { path, raw: raw.to_vec() })),
        }
    }

    /// The names joined by `/`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// As the archive calls it.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The paths of the folders that it stands in, the outermost first.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.path.match_indices('/').map(|(end, _)| &self.path[..end])
    }

    /// The path of it in a folder.
    pub fn below(&self, folder: &Path) -> PathBuf {
        folder.join(&self.path)
    }

    /// As people may read it.
    pub fn shown(&self) -> String {
        printable(self.path.as_bytes(), 200)
    }

    /// Where a link at this place leads to; nothing if it leads out. `from_root`: whether its text is counted from the folder of all.
    pub fn link_target(&self, text: &[u8], from_root: bool) -> Option<String> {
        let text: String = encoding::name(text).replace('\\', "/").nfc().collect();
        if is_absolute(&text) {
            return None;
        }
        let mut names: Vec<&str> = self.path.split('/').collect();
        names.pop();
        if from_root {
            names.clear();
        }
        for name in text.split('/') {
            match name {
                "" | "." => {}
                ".." => drop(names.pop()?),
                name => names.push(name),
            }
        }
        Some(names.join("/"))
    }
}

/// Whether a path begins at the root of a disk, of Windows too.
fn is_absolute(path: &str) -> bool {
    matches!(path.as_bytes(), [b'/', ..] | [b'a'..=b'z' | b'A'..=b'Z', b':', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_always_inside() {
        for (raw, path) in [
            (&b"main.c"[..], Some("main.c")),
            (b"./ep5//src/main.c", Some("ep5/src/main.c")),
            (b"src\\main.c", Some("src/main.c")),
            (b"a\x87\xc6o/", Some("ação")),
            ("ac\u{327}a\u{303}o.py".as_bytes(), Some("ação.py")),
            (b"..x/x..", Some("..x/x..")),
            (b"./", None),
            (b"__MACOSX/._main.c", None),
            (b"Icon\r", None),
        ] {
            assert_eq!(Place::read(raw).unwrap().map(|place| place.path), path.map(str::to_owned), "{raw:?}");
        }
        let long = ["x".repeat(300), "x/".repeat(600)];
        for (raw, what) in [
            (&b"../x"[..], Unsafe::Parent),
            (b"a/../../x", Unsafe::Parent),
            (b"a/..", Unsafe::Parent),
            (b"..\\..\\x", Unsafe::Parent),
            (b"__MACOSX/../../x", Unsafe::Parent),
            (b"/etc/passwd", Unsafe::Absolute),
            (b"C:\\x", Unsafe::Absolute),
            (b"c:x", Unsafe::Absolute),
            (b"\\\\server\\share\\x", Unsafe::Absolute),
            (b"a\0b", Unsafe::ControlCharacter),
            (b"a\x1b[2Jb", Unsafe::ControlCharacter),
            (b"a\nb", Unsafe::ControlCharacter),
            (b"", Unsafe::NoName),
            (long[0].as_bytes(), Unsafe::TooLong),
            (long[1].as_bytes(), Unsafe::TooLong),
        ] {
            assert_eq!(Place::read(raw).unwrap_err().1, what, "{raw:?}");
        }
    }

    #[test]
    fn a_link_leads_to_a_place_or_out() {
        let link = Place::read(b"lib/src/x").unwrap().unwrap();
        for (text, target) in [
            (&b"y"[..], Some("lib/src/y")),
            (b"../y", Some("lib/y")),
            (b"../../y", Some("y")),
            (b"./../.././", Some("")),
            (b"../../../y", None),
            (b"../../../lib/src/y", None),
            (b"/y", None),
            (b"C:\\y", None),
        ] {
            assert_eq!(link.link_target(text, false).as_deref(), target, "{text:?}");
        }
        assert_eq!(link.link_target(b"y", true).as_deref(), Some("y"));
        assert_eq!(link.link_target(b"../y", true), None);
    }
}
