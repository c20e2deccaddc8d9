//! Showing a program's bytes to people, and numbers and times.

use std::time::Duration;

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

/// All that a program wrote, line by line, with everything made visible that could drive the terminal of the person who reads it.
pub fn visible(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                // The line ends of Windows.
                '\r' if characters.peek() == Some(&'\n') => {}
                '\n' | '\t' | '\\' | '"' | '\'' => shown.push(character),
                character => shown.extend(character.escape_debug()),
            }
        }
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    shown
}

/// A number of things in words: `1 game`, `2 games`, `3 plies`.
pub fn counted(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// A time for people: milliseconds matter only where there are few of them.
pub fn seconds(time: Duration) -> String {
    let digits = if time < Duration::from_secs(1) { 3 } else { 1 };
    format!("{:.digits$} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let all =
            [(1, "game"), (0, "game"), (1, "ply"), (12, "ply")].map(|(number, noun)| counted(number, noun));
        assert_eq!(all, ["1 game", "0 games", "1 ply", "12 plies"]);
    }

    #[test]
    fn nothing_printable_drives_a_terminal() {
        assert_eq!(
            printable(b"\x1b[2Jjogada inv\xc3\xa1lida \xff\r", 40),
            "\\u{1b}[2Jjogada inválida \u{fffd}"
        );
        assert_eq!(printable(&[b'x'; 1000], 5), "xxxxx…");
        assert_eq!(
            visible(b"a\\n \"b\"\r\n\tinv\xc3\xa1lida\x1b]0;x\x07\xff\xe2\x80\xae\r"),
            "a\\n \"b\"\n\tinválida\\u{1b}]0;x\\u{7}\\xff\\u{202e}\\r"
        );
    }
}
