//! What a bot may be called: the one rule for the command line, for files of settings, for folders and for tables.
//!
//! A name may have blanks, accents, apostrophes and letters of any script. It may have nothing that cannot be seen, that makes two
//! names look the same, that spreadsheets take for a formula, or that cannot be part of a file's name.

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

use crate::record::text::{is_formula, is_visible};

/// The most letters of a name. Accents that are characters of their own do not count.
pub const MOST_LETTERS: usize = 60;
/// The most bytes: the name of a log, with its number and its ending, has room for as many.
pub const MOST_BYTES: usize = 240;
/// The most accents on one letter. Scripts need three or four; more run into the lines above and below.
const MOST_MARKS: usize = 4;

/// Why a text cannot be a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameProblem {
    /// There is nothing in it.
    #[error("a bot's name cannot be empty")]
    Empty,
    /// It begins like a formula, or like a hidden file.
    #[error("'{name}' cannot be a bot's name, since it begins with '{first}'; write for example '{safe}'", safe = safe_name(.name))]
    Beginning {
        /// The text.
        name: String,
        /// Its first character.
        first: char,
    },
    /// It has a character that no name can have.
    #[error(
        "'{}' cannot be a bot's name, since it has {what} in it; write for example '{safe}'", shown(.name), safe = safe_name(.name)
    )]
    Character {
        /// The text.
        name: String,
        /// What kind of character.
        what: &'static str,
    },
    /// It is too long.
    #[error(
        "'{}' cannot be a bot's name, since it is too long: {MOST_LETTERS} letters and {MOST_BYTES} bytes are the most; write for \
         example '{safe}'", shown(.name), safe = safe_name(.name)
    )]
    TooLong {
        /// The text.
        name: String,
    },
}

/// The text on one line, whatever is in it.
fn shown(text: &str) -> String {
    crate::record::text::printable(text.as_bytes(), 2 * MOST_LETTERS)
}

/// The name that a text is: composed (NFC) and with single blanks, so that what looks the same is the same.
pub fn read(text: &str) -> Result<String, NameProblem> {
    let name = composed(text);
    let problem = |what| NameProblem::Character { name: name.clone(), what };
    let Some(first) = name.chars().next() else { return Err(NameProblem::Empty) };
    if is_formula(first) || first == '.' {
        return Err(NameProblem::Beginning { name, first });
    }
    let mut previous = None;
    let mut marks = 0;
    for character in name.chars() {
        marks = if is_combining_mark(character) { marks + 1 } else { 0 };
        if let Some(what) = unsuitable(character, previous, marks) {
            return Err(problem(what));
        }
        previous = Some(character);
    }
    if is_too_long(&name) { Err(NameProblem::TooLong { name }) } else { Ok(name) }
}

/// A name for any text: what a name cannot have is left out or replaced.
pub fn safe_name(text: &str) -> String {
    let mut name = String::new();
    let mut marks = 0;
    for character in composed(text).chars() {
        marks = if is_combining_mark(character) { marks + 1 } else { 0 };
        match unsuitable(character, name.chars().next_back(), marks) {
            None => name.push(character),
            // What cannot be seen is not missed.
            Some(_) if !is_visible(character) && !character.is_control() || marks > 0 => {}
            Some(_) => name.push('_'),
        }
    }
    // What was left out may have stood between two blanks.
    let mut name = composed(&name);
    if !name.starts_with(|first: char| !is_formula(first) && first != '.') {
        name.insert_str(0, "bot");
    }
    while is_too_long(&name) {
        name.pop();
    }
    name.trim_end().to_owned()
}

/// A name with something behind it that tells it from another: the name is shortened where there is no room for both.
pub fn with_ending(name: &str, ending: &str) -> String {
    let mut stem = name.to_owned();
    while is_too_long(&format!("{stem}{ending}")) && stem.pop().is_some() {}
    format!("{}{ending}", stem.trim_end())
}

/// The text with composed letters, and a single blank wherever there are some.
fn composed(text: &str) -> String {
    let is_blank = |character: char| character.is_whitespace() && !character.is_control();
    let words: Vec<&str> = text.split(is_blank).filter(|word| !word.is_empty()).collect();
    words.join(" ").nfc().collect()
}

fn is_too_long(name: &str) -> bool {
    let letters = name.chars().filter(|&character| !is_combining_mark(character)).count();
    letters > MOST_LETTERS || name.len() > MOST_BYTES
}

/// Why a character cannot stand behind that one in a name; it may be the last of several accents.
fn unsuitable(character: char, previous: Option<char>, marks: usize) -> Option<&'static str> {
    Some(match character {
        '/' => "a '/'",
        '=' => "a '='",
        character if character.is_control() => "a line break or another control character",
        // Indian scripts join letters by such a character behind a virama.
        '\u{200c}' | '\u{200d}' if previous.is_some_and(|sign| canonical_combining_class(sign) == 9) => {
            return None;
        }
        character if !is_visible(character) => "a character that cannot be seen",
        _ if marks > MOST_MARKS || marks > 0 && previous.is_none_or(|letter| letter == ' ') => {
            "accents that belong to no letter, or too many on one"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_may_be_called_as_they_are() {
        let names = [
            "ana",
            "Ana Silva",
            "D'Ávila, João",
            "O’Brien (grup 2) & Cia.",
            "Núria Puig i Vilà",
            "Łukasz Żółć",
            "王小明",
            "김민준",
            "Анна Каренина",
            "محمد علي",
            "अनुष्का शर्मा",
            "ශ්\u{200d}රී ලංකා",
            "สมชาย ใจดี",
            "Nguyễn Thị Ánh",
            "שָׁלוֹם",
            "🤖 2000",
            "_x",
            "100%",
            "a \"b\" c",
            "#1",
        ];
        for name in names {
            assert_eq!(read(name).as_deref(), Ok(name));
            assert_eq!(safe_name(name), name);
        }
    }

    #[test]
    fn one_name_is_one_name() {
        assert_eq!(read("  Joa\u{303}o \u{a0} Silva ").unwrap(), "João Silva");
        assert_eq!(read("\u{1100}\u{1161}").unwrap(), "가");
    }

    #[test]
    fn what_cannot_be_a_name_is_refused_with_a_name_that_can() {
        for (text, words, safe) in [
            ("=1+1", "begins with '='", "_1+1"),
            ("-x", "begins with '-'", "bot-x"),
            ("＋x", "begins with '＋'", "bot＋x"),
            ("@x", "begins with '@'", "bot@x"),
            ("..", "begins with '.'", "bot.."),
            ("a/b", "has a '/' in it", "a_b"),
            ("a=b", "has a '=' in it", "a_b"),
            ("a\nb", "control character in it", "a_b"),
            ("a\tb", "control character in it", "a_b"),
            ("a\0b", "control character in it", "a_b"),
            ("a\u{202e}b", "cannot be seen", "ab"),
            ("a\u{200b}b", "cannot be seen", "ab"),
            ("a\u{200d}b", "cannot be seen", "ab"),
            ("a\u{2028}b", "", "a b"),
            ("a\u{3164}b", "cannot be seen", "ab"),
            ("a\u{fe0f}b", "cannot be seen", "ab"),
            ("a\u{e000}b", "cannot be seen", "ab"),
            ("x\u{301}\u{301}\u{301}\u{301}\u{301}", "accents", "x\u{301}\u{301}\u{301}\u{301}"),
            ("\u{301}x", "accents", "x"),
        ] {
            assert_eq!(safe_name(text), safe, "{text:?}");
            assert_eq!(read(safe).as_deref(), Ok(safe));
            match read(text) {
                Err(problem) => assert!(problem.to_string().contains(words), "{problem}"),
                Ok(name) => assert!(words.is_empty(), "{name:?}"),
            }
        }
        assert_eq!(read(" \u{a0} "), Err(NameProblem::Empty));
        assert_eq!(safe_name(""), "bot");
    }

    #[test]
    fn letters_count_and_not_bytes() {
        for letter in ["x", "é", "名", "𠮷"] {
            let longest = letter.repeat(MOST_LETTERS);
            assert_eq!(read(&longest).as_deref(), Ok(&*longest));
            let longer = longest.clone() + letter;
            assert!(matches!(read(&longer), Err(NameProblem::TooLong { .. })));
            assert_eq!(safe_name(&longer), longest);
            assert_eq!(with_ending(&longest, "-2"), letter.repeat(58) + "-2");
            assert!(format!("1000000-{longest}.stderr").len() <= 255);
        }
    }
}
