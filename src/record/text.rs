//! Showing a program's bytes to people, and numbers and times.

use std::time::Duration;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

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
        show(character, &mut shown);
    }
    shown
}

/// Whether people can see a character: it drives no terminal, turns no text around, and is not of no width or empty.
pub fn is_visible(character: char) -> bool {
    match character {
        ' '..='~' => true,
        // Letters and symbols that leave an empty place, and marks that say only how another character is to be drawn.
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' | '\u{34f}' | '\u{17b4}'
        | '\u{17b5}' => false,
        '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => false,
        // The standard library would escape it, since by itself it is nothing.
        mark if is_combining_mark(mark) => true,
        character => character.escape_debug().len() == 1,
    }
}

/// Whether spreadsheets take a cell for a formula that begins so.
pub fn is_formula(first: char) -> bool {
    // Wide letters count as the usual ones.
    std::iter::once(first).nfkc().next().is_some_and(|first| matches!(first, '=' | '+' | '-' | '@'))
}

/// Adds a character as people can see it. Accents stay on their letters, up to as many as some script needs.
fn show(character: char, shown: &mut String) {
    const MOST_MARKS: usize = 4;
    let is_piled_up = || {
        is_combining_mark(character)
            && (shown.is_empty() || shown.chars().rev().take(MOST_MARKS).all(is_combining_mark))
    };
    if is_visible(character) && (character.is_ascii() || !is_piled_up()) {
        shown.push(character);
    } else if character.escape_debug().len() > 1 {
        shown.extend(character.escape_debug());
    } else {
        shown.extend(character.escape_unicode());
    }
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
                '\n' | '\t' => shown.push(character),
                character => show(character, &mut shown),
            }
        }
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    shown
}

/// What somebody else has written, on one line that is safe to print: blanks and line ends become one blank, and what nobody can see
/// is escaped.
pub fn one_line(text: &str) -> String {
    visible(text.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes())
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

/// How long something takes that nobody knows exactly: `40 s`, `3 min 20 s`, `18 h 5 min`, `2 days 6 h`.
pub fn duration(time: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let seconds = time.as_secs_f64().round() as u64;
    let both = |whole: String, rest: u64, unit: &str| match rest {
        0 => whole,
        rest => format!("{whole} {rest} {unit}"),
    };
    let days = |days: u64| format!("{days} {}", if days == 1 { "day" } else { "days" });
    match seconds {
        0 if !time.is_zero() => "less than 1 s".to_owned(),
        0..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => both(format!("{} min", seconds / MINUTE), seconds % MINUTE, "s"),
        HOUR..DAY => both(format!("{} h", seconds / HOUR), seconds % HOUR / MINUTE, "min"),
        _ => both(days(seconds / DAY), seconds % DAY / HOUR, "h"),
    }
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
    fn durations_are_told_as_exactly_as_anybody_wants_to_know() {
        let told = [0.0, 0.2, 40.4, 60.0, 200.0, 3600.0, 65_100.0, 194_400.0]
            .map(|seconds| duration(Duration::from_secs_f64(seconds)));
        let expected =
            ["0 s", "less than 1 s", "40 s", "1 min", "3 min 20 s", "1 h", "18 h 5 min", "2 days 6 h"];
        assert_eq!(told, expected);
    }

    #[test]
    fn nothing_printable_drives_a_terminal() {
        assert_eq!(
            printable(b"\x1b[2Jjogada inv\xc3\xa1lida \xff\r", 40),
            "\\u{1b}[2Jjogada inválida \u{fffd}"
        );
        assert_eq!(printable(&[b'x'; 1000], 5), "xxxxx…");
        assert_eq!(printable("नमस्ते สวัสดี\u{3164}\u{200b}".as_bytes(), 40), "नमस्ते สวัสดี\\u{3164}\\u{200b}");
        assert_eq!(printable("x\u{301}\u{301}\u{301}\u{301}\u{301}".as_bytes(), 40).len(), 1 + 4 * 2 + 7);
        assert_eq!(
            visible(b"a\\n \"b\"\r\n\tinv\xc3\xa1lida\x1b]0;x\x07\xff\xe2\x80\xae\r"),
            "a\\n \"b\"\n\tinválida\\u{1b}]0;x\\u{7}\\xff\\u{202e}\\r"
        );
        assert_eq!(
            one_line(" a.c:1:\n\terror\u{2028}  abc\u{202e}gnp.java\r\n"),
            "a.c:1: error abc\\u{202e}gnp.java"
        );
    }
}
