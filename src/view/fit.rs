//! Text that fits: cut, shortened, wrapped and padded to columns of a terminal. Letters may be two columns wide, or none.

use console::measure_text_width;
use unicode_normalization::char::is_combining_mark;

/// Columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

/// The text up to so many columns; what is cut off at the end shows as `…`.
pub fn cut(text: &str, width: usize) -> String {
    if measure_text_width(text) <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(1) else { return String::new() };
    head(text, room) + "…"
}

/// A name in at most so many columns: its beginning and its end, with `…` between them, since names that differ often differ there.
pub fn shorten(name: &str, width: usize) -> String {
    if measure_text_width(name) <= width {
        return name.to_owned();
    }
    let Some(room) = width.checked_sub(1) else { return String::new() };
    let backwards: String = name.chars().rev().collect();
    let tail: String = head(&backwards, room / 2).chars().rev().collect();
    // Accents whose letter is cut off would stand on the dots.
    let tail = tail.trim_start_matches(is_combining_mark);
    head(name, room - measure_text_width(tail)) + "…" + tail
}

/// The letters that fit into so many columns.
fn head(text: &str, width: usize) -> String {
    let mut columns = 0;
    let fits = |letter: &char| {
        columns += measure_text_width(letter.encode_utf8(&mut [0; 4]));
        columns <= width
    };
    text.chars().take_while(fits).collect()
}

/// The text with blanks behind it up to so many columns, cut if it is longer.
pub fn left(text: &str, width: usize) -> String {
    let text = cut(text, width);
    let blanks = width - measure_text_width(&text);
    text + &" ".repeat(blanks)
}

/// The text with blanks before it up to so many columns, cut if it is longer.
pub fn right(text: &str, width: usize) -> String {
    let text = cut(text, width);
    " ".repeat(width - measure_text_width(&text)) + &text
}

/// The text in lines of at most so many columns, broken between words; a word that is longer is broken too.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(2);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let mut word = word.to_owned();
            let blank = usize::from(!line.is_empty());
            if measure_text_width(&line) + blank + measure_text_width(&word) > width && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            while measure_text_width(&word) > width {
                let part = head(&word, width);
                word.drain(..part.len());
                lines.push(part);
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += &word;
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wider_than_its_room() {
        let names = [
            "ana",
            "",
            "a-bot-with-a-name-of-more-than-32-letters",
            "学生たちのボット・その一",
            "e\u{301}\u{301}té",
            "🤖🤖🤖",
        ];
        for name in names {
            for width in 0..40 {
                for text in [cut(name, width), shorten(name, width)] {
                    assert!(measure_text_width(&text) <= width, "'{text}' in {width}");
                }
                for text in [left(name, width), right(name, width)] {
                    assert_eq!(measure_text_width(&text), width, "'{text}' in {width}");
                }
                for line in wrap(&names.join(" "), width) {
                    assert!(measure_text_width(&line) <= width.max(2), "'{line}' in {width}");
                }
            }
        }
    }

    #[test]
    fn both_ends_of_a_name_are_kept() {
        assert_eq!(shorten("group-a-beatriz-final-v2", 11), "group…al-v2");
        assert_eq!(shorten("学生たちのボット", 8), "学生…ト");
        assert_eq!(shorten("xxxxx-e\u{301}\u{301}\u{301}yyy", 7), "xxx…yyy");
        assert_eq!(cut("the end is cut", 8), "the end…");
        assert_eq!(
            wrap("some words\n\nand averylongword", 8),
            ["some", "words", "", "and", "averylon", "gword"]
        );
    }
}
