//! What systems, editors and compilers leave behind, and no hand-in needs.

use std::ffi::OsStr;

use crate::championship::file_tree;

/// Names of files and folders, in small letters.
const NAMES: [&str; 10] = [
    "__macosx",
    ".ds_store",
    "thumbs.db",
    "desktop.ini",
    "icon\r",
    ".venv",
    "venv",
    "cmakecache.txt",
    ".localized",
    ".ipynb_checkpoints",
];

/// Endings of files that are made from others, or that editors keep for themselves.
const ENDINGS: [&str; 8] = ["~", ".o", ".obj", ".pyc", ".swp", ".swo", ".gch", ".crdownload"];

/// Beginnings of files: of the Mac, of Emacs, of office programs, of LibreOffice, of network file systems.
const BEGINNINGS: [&str; 5] = ["._", ".#", "~$", ".~lock.", ".nfs"];

/// Whether a file or folder of this name is left behind.
pub fn is_leftover(name: &str) -> bool {
    let small = name.to_lowercase();
    file_tree::is_leftover(OsStr::new(name), true)
        || NAMES.contains(&&*small)
        || ENDINGS.iter().any(|ending| small.ends_with(ending))
        || BEGINNINGS.iter().any(|beginning| small.starts_with(beginning))
        || name.len() > 1 && name.starts_with('#') && name.ends_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_stay_and_leftovers_go() {
        for name in [
            "main.c",
            "Bot.class",
            "hex",
            "Makefile",
            "node_modules",
            "libx.a",
            ".gitignore",
            "#1",
            "#",
            "foo.so",
        ] {
            assert!(!is_leftover(name), "{name}");
        }
        for name in [
            ".git",
            "__MACOSX",
            ".DS_Store",
            "._main.c",
            "main.o",
            "main.c~",
            "#main.c#",
            ".main.c.swp",
            "__pycache__",
            "target",
        ] {
            assert!(is_leftover(name), "{name}");
        }
    }
}
