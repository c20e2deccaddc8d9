//! What a file is, by its beginning and its name: a program of this machine, or one of the many things that people take for one.

use std::path::Path;

use super::elf::{self, Elf};
use super::language::{self, Language};

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Nothing is in it.
    Empty,
    /// A Linux program, or a part of one.
    Elf(Elf),
    /// A script that says what runs it.
    Script,
    /// A script whose `#!` does not come first, because an editor has put a byte order mark before it.
    MarkedScript,
    /// Text in the encoding that has two bytes for every letter.
    Utf16,
    /// A script with a `#!` in a later line, where it means nothing.
    LateScript,
    /// Text that does not say what runs it, in this language if that is known.
    Text(Option<Language>),
    /// A Windows program.
    Windows,
    /// A macOS program.
    Mac,
    /// A Java class that was built.
    JavaClass,
    /// A Java archive.
    JavaArchive,
    /// Python's own form of a module.
    PythonBytecode,
    /// An archive, and the command that unpacks it.
    Archive(&'static str),
    /// None of these.
    Unknown,
}

/// How much of the beginning of a file has to be read.
pub const BEGINNING: usize = 64 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const MAC: [&[u8]; 4] = [b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe"];
const ARCHIVES: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "unzip"),
    (b"\x1f\x8b", "tar xf"),
    (b"BZh", "tar xf"),
    (b"\xfd7zXZ\0", "tar xf"),
    (b"\x28\xb5\x2f\xfd", "tar xf"),
    (b"7z\xbc\xaf\x27\x1c", "7z x"),
    (b"Rar!\x1a\x07", "unrar x"),
];
/// How many lines are searched for a `#!` that should be in the first.
const FIRST_LINES: usize = 5;

/// What a file of this name and length is, by its beginning.
pub fn kind(path: &Path, start: &[u8], length: u64) -> FileKind {
    if start.is_empty() {
        return if length == 0 { FileKind::Empty } else { FileKind::Unknown };
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    // Rust's attributes for a whole file begin like scripts.
    if start.starts_with(b"#!") && !(ending == "rs" && start.starts_with(b"#![")) {
        return FileKind::Script;
    }
    binary(path, ending, start, length).unwrap_or_else(|| text(path, start))
}

fn binary(path: &Path, ending: &str, start: &[u8], length: u64) -> Option<FileKind> {
    let is_binary = start.contains(&0);
    if start.starts_with(elf::MAGIC) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_called_library = name.ends_with(".so") || name.contains(".so.");
        return Some(FileKind::Elf(elf::judge(start, length, is_called_library)));
    }
    if start.starts_with(b"MZ") && is_binary {
        return Some(FileKind::Windows);
    }
    if MAC.iter().any(|magic| start.starts_with(magic)) {
        return Some(FileKind::Mac);
    }
    if start.starts_with(b"\xca\xfe\xba\xbe") {
        // Programs for several Macs in one file begin alike, but with a small number where classes have their version.
        let version =
            start.get(4..8).map_or(0, |bytes| bytes.iter().fold(0, |sum, &byte| sum << 8 | u32::from(byte)));
        return Some(if (1..45).contains(&version) { FileKind::Mac } else { FileKind::JavaClass });
    }
    if start.starts_with(b"PK\x03\x04") {
        let holds = |name: &[u8]| start.windows(name.len()).any(|piece| piece == name);
        if ending == "jar" || holds(b"META-INF/") {
            return Some(FileKind::JavaArchive);
        }
        // Python runs what is zipped with a first module.
        if ending == "pyz" || holds(b"__main__.py") {
            return Some(FileKind::Text(Some(Language::Interpreted("python3"))));
        }
    }
    if start.get(2..4) == Some(b"\r\n") && is_binary && (ending == "pyc" || matches!(start[1], 0x0c..=0x0f)) {
        return Some(FileKind::PythonBytecode);
    }
    let archive = ARCHIVES.iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, unpack)| *unpack);
    let archive = archive.or_else(|| (start.get(257..262) == Some(b"ustar")).then_some("tar xf"));
    archive.map(FileKind::Archive)
}

fn text(path: &Path, start: &[u8]) -> FileKind {
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return FileKind::Utf16;
    }
    let text = start.strip_prefix(BYTE_ORDER_MARK);
    if text.is_some_and(|text| text.starts_with(b"#!")) {
        return FileKind::MarkedScript;
    }
    let text = text.unwrap_or(start);
    let is_odd =
        |&byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x1b);
    if text.iter().any(is_odd) {
        return FileKind::Unknown;
    }
    let language = language::of_text(path, text);
    let is_late = |line: &[u8]| line.trim_ascii_start().starts_with(b"#!/");
    let mut first = text.split(|&byte| byte == b'\n').take(FIRST_LINES);
    match language {
        Some(Language::Compiled(_)) => FileKind::Text(language),
        _ if first.any(is_late) => FileKind::LateScript,
        _ => FileKind::Text(language),
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::Compiled;
    use super::*;

    fn of(name: &str, start: &[u8]) -> FileKind {
        kind(Path::new(name), start, start.len() as u64)
    }

    #[test]
    fn files_are_known_by_how_they_begin() {
        let tar = [&[b'x'; 257][..], b"ustar\0"].concat();
        for (name, start, expected) in [
            ("bot", &b""[..], FileKind::Empty),
            ("bot", b"#!/bin/sh\n", FileKind::Script),
            ("bot.c", b"#!/usr/bin/tcc -run\n", FileKind::Script),
            ("bot.py", b"\xef\xbb\xbf#!/bin/sh\n", FileKind::MarkedScript),
            ("bot.py", b"\xff\xfe#\0!\0", FileKind::Utf16),
            ("bot.py", b"\n#!/usr/bin/env python3\n", FileKind::LateScript),
            ("bot.exe", b"MZ\x90\0\x03", FileKind::Windows),
            ("bot", b"\xcf\xfa\xed\xfe\x07", FileKind::Mac),
            ("bot", b"\xca\xfe\xba\xbe\0\0\0\x02", FileKind::Mac),
            ("Bot", b"\xca\xfe\xba\xbe\0\0\0\x3d", FileKind::JavaClass),
            ("Bot", b"\xca\xfe\xba\xbe", FileKind::JavaClass),
            ("bot", b"PK\x03\x04\x14\0META-INF/MANIFEST.MF", FileKind::JavaArchive),
            ("bot.jar", b"PK\x03\x04", FileKind::JavaArchive),
            ("bot.zip", b"PK\x03\x04", FileKind::Archive("unzip")),
            ("bot.pyz", b"PK\x03\x04", FileKind::Text(Some(Language::Interpreted("python3")))),
            ("bot.tgz", b"\x1f\x8b\x08", FileKind::Archive("tar xf")),
            ("bot.tar", &tar, FileKind::Archive("tar xf")),
            ("bot.pyc", b"\xa7\r\r\n\0\0\0\0", FileKind::PythonBytecode),
            ("bot", b"\x7fEL", FileKind::Unknown),
            ("bot", b"\x7fELF", FileKind::Elf(Elf::CutShort)),
            ("bot", b"\x01\x02\x03", FileKind::Unknown),
        ] {
            assert_eq!(of(name, start), expected, "{name} {start:?}");
        }
        assert_eq!(kind(Path::new("x"), b"", 10), FileKind::Unknown, "what cannot be read is not empty");
    }

    #[test]
    fn text_is_source_code_or_a_script_that_does_not_say_what_runs_it() {
        let source = |language| FileKind::Text(Some(Language::Compiled(language)));
        let script = |command| FileKind::Text(Some(Language::Interpreted(command)));
        for (name, start, expected) in [
            ("bot.c", &b"int main() {}\n"[..], source(Compiled::C)),
            ("bot.rs", b"#![allow(unused)]\n", source(Compiled::Rust)),
            ("bot.JAVA", b"class Bot {}", source(Compiled::Java)),
            ("bot.py", b"print(1)\r\n", script("python3")),
            ("bot.py", b"\xef\xbb\xbfprint(1)\n", script("python3")),
            ("bot.sh", b"echo 1\n", script("sh")),
            ("bot", b"jogada inv\xe1lida\n", FileKind::Text(None)),
        ] {
            assert_eq!(of(name, start), expected, "{name} {start:?}");
        }
    }
}
