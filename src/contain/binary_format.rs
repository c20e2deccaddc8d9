//! Formats that the kernel has been told how to run (binfmt_misc), such as Windows programs by Wine: what is none of Linux's own formats
//! may still run on this machine.

use std::path::Path;

/// Where the kernel lists them.
const LIST: &str = "/proc/sys/fs/binfmt_misc";

/// Whether this machine knows how to run such a file.
pub fn is_registered(path: &Path, start: &[u8]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let entries = Path::new(LIST).read_dir().into_iter().flatten().flatten();
    let formats = entries.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    formats.into_iter().any(|format| covers(&format, ending, start))
}

/// Whether a format, as the kernel describes it, is that of a file with this ending that begins like this.
fn covers(format: &str, ending: &str, start: &[u8]) -> bool {
    let field = |name: &str| format.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    if format.lines().next() != Some("enabled") {
        return false;
    }
    if let Some(extension) = field("extension ") {
        return extension.trim_start_matches('.') == ending;
    }
    let Some(magic) = field("magic ").and_then(bytes) else { return false };
    let mask = field("mask ").and_then(bytes).unwrap_or_else(|| vec![0xff; magic.len()]);
    let offset = field("offset ").and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let piece = start.get(offset..).and_then(|rest| rest.get(..magic.len()));
    piece.is_some_and(|piece| {
        piece.iter().zip(&magic).zip(&mask).all(|((byte, magic), mask)| byte & mask == magic & mask)
    })
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_by_magic_and_by_ending() {
        let wine = "enabled\ninterpreter /usr/bin/wine\nflags: \noffset 0\nmagic 4d5a\n";
        assert!(
            covers(wine, "exe", b"MZ\x90\0") && !covers(wine, "exe", b"M") && !covers(wine, "exe", b"XX")
        );
        assert!(!covers(&wine.replace("enabled", "disabled"), "exe", b"MZ"));
        let masked = "enabled\ninterpreter /x\nflags: F\noffset 1\nmagic 4500\nmask ff00\n";
        assert!(covers(masked, "", b"xE\x77") && !covers(masked, "", b"xF\x77"));
        let ending = "enabled\ninterpreter /x\nflags: \nextension .jar\n";
        assert!(covers(ending, "jar", b"") && !covers(ending, "zip", b""));
        assert!(
            !covers("", "", b"")
                && !covers("enabled\nmagic 4\n", "", b"x")
                && !covers("enabled\nmagic é\n", "", b"x")
        );
    }
}
