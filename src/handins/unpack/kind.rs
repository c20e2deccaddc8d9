//! Which archives there are, and how they are known.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::outside_tools::OutsideKind;

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Zip.
    Zip,
    /// Tar.
    Tar,
    /// One file, packed by gzip.
    Gzip,
    /// What only tools of the system open.
    Outside(OutsideKind),
}

/// The endings of archives, the longer ones first. Those of programs and documents that are archives too are none of them.
const ENDINGS: [(&str, Kind); 17] = [
    (".tar.gz", Kind::Gzip),
    (".tar.xz", Kind::Outside(OutsideKind::Xz)),
    (".tar.bz2", Kind::Outside(OutsideKind::Bzip2)),
    (".tar.zst", Kind::Outside(OutsideKind::Zstd)),
    (".zip", Kind::Zip),
    (".tar", Kind::Tar),
    (".tgz", Kind::Gzip),
    (".txz", Kind::Outside(OutsideKind::Xz)),
    (".tbz2", Kind::Outside(OutsideKind::Bzip2)),
    (".tbz", Kind::Outside(OutsideKind::Bzip2)),
    (".tzst", Kind::Outside(OutsideKind::Zstd)),
    (".7z", Kind::Outside(OutsideKind::SevenZip)),
    (".rar", Kind::Outside(OutsideKind::Rar)),
    (".gz", Kind::Gzip),
    (".xz", Kind::Outside(OutsideKind::Xz)),
    (".bz2", Kind::Outside(OutsideKind::Bzip2)),
    (".zst", Kind::Outside(OutsideKind::Zstd)),
];

/// How archives begin.
const BEGINNINGS: [(&[u8], Kind); 8] = [
    (b"PK\x03\x04", Kind::Zip),
    (b"PK\x05\x06", Kind::Zip),
    (b"\x1f\x8b", Kind::Gzip),
    (b"7z\xbc\xaf\x27\x1c", Kind::Outside(OutsideKind::SevenZip)),
    (b"Rar!\x1a\x07", Kind::Outside(OutsideKind::Rar)),
    (b"\xfd7zXZ\0", Kind::Outside(OutsideKind::Xz)),
    (b"BZh", Kind::Outside(OutsideKind::Bzip2)),
    (b"\x28\xb5\x2f\xfd", Kind::Outside(OutsideKind::Zstd)),
];

/// How much of a file shows what it is.
pub const HEAD: usize = 512;

impl Kind {
    /// The kind of archive that a file of this name is. What it holds counts more than its ending: some people rename archives, and
    /// some have no ending at all.
    pub fn of(name: &str, head: &[u8]) -> Option<Kind> {
        let by_ending = ending(name).map(|(_, kind)| kind);
        if by_ending.is_none() && Path::new(name).extension().is_some() {
            return None;
        }
        Kind::of_content(head).or(by_ending)
    }

    /// The kind of archive that begins so.
    pub fn of_content(head: &[u8]) -> Option<Kind> {
        let tar = is_tar(head).then_some(Kind::Tar);
        tar.or_else(|| {
            BEGINNINGS.iter().find(|(beginning, _)| head.starts_with(beginning)).map(|(_, kind)| *kind)
        })
    }
}

/// Whether a file begins as an archive of tar.
pub fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

/// The beginning of what is read.
pub fn head(content: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    content.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// The beginning of a file; nothing of one that cannot be read.
pub fn head_of(path: &Path) -> Vec<u8> {
    File::open(path).and_then(|mut file| head(&mut file)).unwrap_or_default()
}

/// A file's name without the ending of an archive.
pub fn stem(name: &str) -> &str {
    match ending(name) {
        Some((ending, _)) if name.len() > ending.len() => &name[..name.len() - ending.len()],
        _ => name,
    }
}

fn ending(name: &str) -> Option<(&'static str, Kind)> {
    let has = |ending: &str| {
        let tail = name.len().checked_sub(ending.len()).and_then(|at| name.get(at..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(ending))
    };
    ENDINGS.iter().find(|(ending, _)| has(ending)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_known_by_its_content_and_its_ending() {
        let (zip, text) = (b"PK\x03\x04".as_slice(), b"#include <stdio.h>".as_slice());
        for (name, head, kind) in [
            ("a.zip", zip, Some(Kind::Zip)),
            ("A.ZIP", b"", Some(Kind::Zip)),
            ("a.zip", b"Rar!\x1a\x07\0", Some(Kind::Outside(OutsideKind::Rar))),
            ("a.rar", zip, Some(Kind::Zip)),
            ("a.tar.gz", b"\x1f\x8b", Some(Kind::Gzip)),
            ("ep5", zip, Some(Kind::Zip)),
            ("ep5", text, None),
            ("bot.jar", zip, None),
            ("report.docx", zip, None),
            ("main.c", text, None),
        ] {
            assert_eq!(Kind::of(name, head), kind, "{name}");
        }
        assert_eq!(
            (stem("a.tar.GZ"), stem("a.b.zip"), stem("main.c"), stem(".zip")),
            ("a", "a.b", "main.c", ".zip")
        );
    }
}
