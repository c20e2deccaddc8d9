//! The words and signs of a source, without its comments, its texts, and what is for the preprocessor.

/// What comments and texts look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `//`, `/* */`, and lines of the preprocessor.
    C,
    /// `//` and `/* */`.
    Slashes,
    /// `#`, and texts of many lines in three quotation marks.
    Python,
}

/// The words and signs of a source, in order. A text is one sign, its first quotation mark.
pub fn words(source: &str, style: Style) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = source;
    let mut begins_line = true;
    while let Some(letter) = rest.chars().next() {
        let length = if letter == '\n' || letter.is_whitespace() {
            begins_line |= letter == '\n';
            letter.len_utf8()
        } else if let Some(length) = passed_over(rest, style, begins_line) {
            length
        } else if let Some(length) = text(rest, style) {
            words.push(&rest[..1]);
            begins_line = false;
            length
        } else {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
            let length = if length == 0 { letter.len_utf8() } else { length };
            words.push(&rest[..length]);
            begins_line = false;
            length
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    words
}

/// How long a comment is, or a line of the preprocessor, if one begins here.
fn passed_over(rest: &str, style: Style, begins_line: bool) -> Option<usize> {
    let to_line_end = || rest.find('\n').unwrap_or(rest.len());
    match style {
        Style::Python => rest.starts_with('#').then(to_line_end),
        Style::C if begins_line && rest.starts_with('#') => Some(preprocessor(rest)),
        Style::C | Style::Slashes if rest.starts_with("//") => Some(to_line_end()),
        Style::C | Style::Slashes => {
            let inside = rest.strip_prefix("/*")?;
            Some(inside.find("*/").map_or(rest.len(), |end| end + 4))
        }
    }
}

/// How long a line for the preprocessor is, with those that continue it, or with all that `#if 0` leaves out.
fn preprocessor(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end_matches(['\r', '\n']).ends_with('\\') {
            break;
        }
    }
    let directive: String = rest[..length].chars().filter(|letter| !letter.is_whitespace()).collect();
    if directive != "#if0" {
        return length;
    }
    let mut open = 0;
    for line in rest[length..].split_inclusive('\n') {
        length += line.len();
        let line: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
        match &line {
            line if line.starts_with("#if") => open += 1,
            line if line.starts_with("#endif") && open > 0 => open -= 1,
            line if line.starts_with("#endif") || open == 0 && line.starts_with("#el") => break,
            _ => {}
        }
    }
    length
}

/// How long a text is, if one begins here.
fn text(rest: &str, style: Style) -> Option<usize> {
    let quotes: &[&str] = match style {
        Style::Python => &["\"\"\"", "'''", "\"", "'"],
        _ => &["\"\"\"", "\"", "'", "`"],
    };
    let quote = *quotes.iter().find(|quote| rest.starts_with(**quote))?;
    // A letter in quotes, and not a lifetime of Rust's.
    let mut letters = rest.chars().skip(1);
    let is_letter = letters.next() == Some('\\') || letters.next() == Some('\'');
    if style == Style::Slashes && quote == "'" && !is_letter {
        return None;
    }
    let bytes = rest.as_bytes();
    let many_lines = quote.len() == 3 || quote == "`";
    let mut at = quote.len();
    while at < bytes.len() && !bytes[at..].starts_with(quote.as_bytes()) {
        match bytes[at] {
            b'\n' if !many_lines => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    let mut end = (at + quote.len()).min(bytes.len());
    while !rest.is_char_boundary(end) {
        end += 1;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_texts_and_what_is_left_out_are_no_words() {
        let source = "#include <x>\n#define main \\\n  other\n#if 0\nint main() {}\n#endif\n/* main( */ int a = \"main(\"; // main\n'\"'";
        assert_eq!(words(source, Style::C), ["int", "a", "=", "\"", ";", "'"]);
        assert_eq!(words("x = '''if\n__name__''' # main\ny", Style::Python), ["x", "=", "'", "y"]);
        assert_eq!(words("fn f<'a>(x: &'a str) { '{' }", Style::Slashes).len(), 17);
    }

    #[test]
    fn what_is_torn_ends_somewhere() {
        for source in ["\"", "'", "/*", "/* é", "\"é\\", "'''", "`", "#if 0", "#", "\\", "\"\\é"] {
            for style in [Style::C, Style::Slashes, Style::Python] {
                words(source, style);
            }
        }
    }
}
