//! Showing a program's bytes to people.

/// A program's bytes as text that is safe to print: at most `limit` characters, and control characters are escaped, so that no
/// program can drive the terminal of the person who reads about it.
pub fn printable(bytes: &[u8], limit: usize) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * limit)]);
    let mut shown = String::new();
    for (count, character) in text.trim().chars().enumerate() {
        if count == limit {
            shown.push('…');
            break;
        }
        match character {
            '\\' | '"' | '\'' => shown.push(character),
            character => shown.extend(character.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_printable_drives_a_terminal() {
        assert_eq!(
            printable(b"\x1b[2Jjogada inv\xc3\xa1lida \xff\r", 40),
            "\\u{1b}[2Jjogada inválida \u{fffd}"
        );
        assert_eq!(printable(&[b'x'; 1000], 5), "xxxxx…");
    }
}
