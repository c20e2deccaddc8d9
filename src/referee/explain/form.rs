//! What is wrong with a line that is not a move, and which move it seems to stand for.

use super::words::SHOWN;
use crate::game::{Game, Refusal};
use crate::record::cause::FormFlaw;
use crate::record::text::printable;

/// The longest line that is looked at closely, in bytes.
const LONGEST: usize = 240;

/// What programs print that never computed a move.
const NO_VALUES: [&str; 8] = ["none", "null", "nan", "undefined", "nil", "inf", "(null)", "infinity"];

/// Says what is wrong with a line that does not have the form of a move.
pub fn flaw(line: &str, game: &dyn Game) -> FormFlaw {
    // No move is that long, and every rule reads the line several times.
    if line.len() > LONGEST {
        return FormFlaw::Other;
    }
    let rules = [
        empty,
        escapes,
        no_value,
        zero_bytes,
        not_ascii,
        other_notation,
        decimals,
        one_number,
        between_words,
        punctuation,
        not_a_number,
        attempt,
    ];
    rules.iter().find_map(|rule| rule(line, game)).unwrap_or(FormFlaw::Other)
}

fn empty(line: &str, _: &dyn Game) -> Option<FormFlaw> {
    line.trim().is_empty().then_some(FormFlaw::Empty)
}

/// `ESC [2J`, by which a program clears the screen.
fn escapes(line: &str, game: &dyn Game) -> Option<FormFlaw> {
    if !line.contains('\u{1b}') {
        return None;
    }
    let meant = meant_by(&without_escapes(line), game)?;
    Some(FormFlaw::Escapes { meant })
}

fn no_value(line: &str, _: &dyn Game) -> Option<FormFlaw> {
    let is_none = |word: &str| {
        NO_VALUES.contains(&word.trim_matches(['(', ')', ',', '[', ']']).to_lowercase().as_str())
    };
    // Words of a sentence may be such words too.
    (words(line).count() <= 2 && words(line).any(is_none)).then_some(FormFlaw::NoValue)
}

/// `write(1, line, sizeof line)`, which writes what is behind the text, too: it stands behind this move, or before the next.
fn zero_bytes(line: &str, game: &dyn Game) -> Option<FormFlaw> {
    let text = line.trim_matches('\0');
    (text.len() < line.len() && is_form(text, game)).then(|| FormFlaw::ZeroBytes { meant: shown(text) })
}

/// A non-breaking space, or digits of another script.
fn not_ascii(line: &str, _: &dyn Game) -> Option<FormFlaw> {
    let looks_like_one = |letter: char| !letter.is_ascii() && (letter.is_numeric() || letter.is_whitespace());
    // Text in UTF-16 has a zero byte beside each letter.
    (line.contains(looks_like_one) || line.contains('\0')).then_some(FormFlaw::NotAscii)
}

fn other_notation(line: &str, game: &dyn Game) -> Option<FormFlaw> {
    let other = game.other_notation(line.trim())?;
    Some(FormFlaw::OtherNotation { notation: other.what.to_owned(), meant: other.on_the_wire })
}

/// `7.0 7.0`.
fn decimals(line: &str, game: &dyn Game) -> Option<FormFlaw> {
    let whole = |word: &str| {
        let (whole, fraction) = word.split_once('.')?;
        let is_whole = fraction.bytes().all(|byte| byte == b'0') && !whole.is_empty();
        is_whole.then(|| whole.to_owned())
    };
    let words: Option<Vec<String>> = words(line).map(|word| whole(word.trim_end_matches(','))).collect();
    let meant = words?.join(" ");
    is_move(&meant, game).then_some(FormFlaw::Decimals { meant })
}

fn one_number(line: &str, game: &dyn Game) -> Option<FormFlaw> {
    let number = line.trim();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // Of a game whose moves are two numbers.
    (is_number && is_form(&format!("{number} {number}"), game)).then_some(FormFlaw::OneNumber)
}

/// `d 7`, where a program writes hexadecimal numbers or characters.
fn not_a_number(line: &str, game: &dyn Game) -> Option<FormFlaw> {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let (one, other) = line.trim().split_once(' ')?;
    let word = match (is_number(one), is_number(other)) {
        (true, false) => other,
        (false, true) => one,
        _ => return None,
    };
    let is_word = word.len() <= 2 || word.chars().all(char::is_alphanumeric);
    (is_word && is_form("0 0", game)).then(|| FormFlaw::NotANumber { word: shown(word) })
}

/// Something so short that it was meant for a move.
fn attempt(line: &str, _: &dyn Game) -> Option<FormFlaw> {
    (line.trim().chars().count() <= SHORT && words(line).count() <= 2).then_some(FormFlaw::Attempt)
}

/// As long as moves are, at most.
const SHORT: usize = 7;

/// Whether a text has the form of a move, allowed or not.
fn is_form(text: &str, game: &dyn Game) -> bool {
    !matches!(game.check(text), Err(Refusal::NotAMove(_)))
}

/// The move, with words before or behind it.
fn between_words(line: &str, game: &dyn Game) -> Option<FormFlaw> {
    let line = line.trim();
    let starts = starts_of_words(line);
    for &start in &starts {
        // Of a text in quotation marks or brackets, the first of them belongs to what stands around it.
        if start > 0 && is_move(&line[start..], game) && !line[..start].ends_with(['\'', '"', '(', '[', '{'])
        {
            let (text, meant) = (shown(&line[..start]), shown(&line[start..]));
            return Some(FormFlaw::Before { text, meant });
        }
    }
    for &end in starts.iter().rev() {
        if end > 0 && is_move(&line[..end], game) {
            let (text, meant) = (shown(&line[end..]), shown(&line[..end]));
            return Some(FormFlaw::Behind { text, meant });
        }
    }
    None
}

/// `3,4`, `(3, 4)`, `[3 4]`; behind words too, as in `Jogada: (3,4)`.
fn punctuation(line: &str, game: &dyn Game) -> Option<FormFlaw> {
    let meant = meant_by(line, game)?;
    let words: String =
        line.chars().take_while(|letter| !letter.is_ascii_digit() && *letter != '-').collect();
    let words = words.trim_end_matches(|letter: char| !letter.is_alphanumeric()).trim();
    let is_enclosed = line.trim_end().ends_with(|letter: char| !letter.is_alphanumeric());
    let is_value =
        is_enclosed && !words.contains(' ') && !line.contains(':') || line.starts_with(['{', '[', '(']);
    Some(match words.is_empty() || is_value {
        true => FormFlaw::Punctuation { meant },
        false => FormFlaw::Before { text: shown(words), meant },
    })
}

/// The move that a text seems to stand for, if all signs but its digits and letters are left out.
fn meant_by(text: &str, game: &dyn Game) -> Option<String> {
    // The parts of a decimal number are no numbers.
    let is_fraction = |part: &str| part.starts_with(|letter: char| letter.is_ascii_digit());
    if text.split('.').skip(1).any(is_fraction) {
        return None;
    }
    let signs_as_blanks: String =
        text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { ' ' }).collect();
    let words: Vec<&str> = signs_as_blanks.split_whitespace().collect();
    let ends = (1..=words.len().min(3)).map(|count| words[words.len() - count..].join(" "));
    let mut candidates = std::iter::once(words.join(" ")).chain(ends);
    candidates.find(|candidate| is_move(candidate, game)).or_else(|| numbers(text, game))
}

/// The last two numbers of a text, as a move: `row=3 column=4`.
fn numbers(text: &str, game: &dyn Game) -> Option<String> {
    let digits_only: String =
        text.chars().map(|letter| if letter.is_ascii_digit() { letter } else { ' ' }).collect();
    let numbers: Vec<&str> = digits_only.split_whitespace().collect();
    let [.., one, other] = numbers[..] else { return None };
    Some(format!("{one} {other}")).filter(|candidate| is_move(candidate, game))
}

/// Whether a text is a move that could be made now. Less would make moves out of any two words.
fn is_move(text: &str, game: &dyn Game) -> bool {
    !text.trim().is_empty() && game.check(text).is_ok()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

fn shown(text: &str) -> String {
    printable(text.trim().as_bytes(), SHOWN)
}

/// Where words begin, also behind a colon, an equals sign or a letter that is followed by a digit.
fn starts_of_words(line: &str) -> Vec<usize> {
    let mut before = ' ';
    let mut starts = Vec::new();
    for (index, letter) in line.char_indices() {
        let is_number_after_word = letter.is_ascii_digit() && !before.is_ascii_digit() && before != '.';
        let is_word = !letter.is_whitespace() && (before.is_whitespace() || is_number_after_word);
        if is_word || before.is_ascii_digit() && !letter.is_ascii_digit() {
            starts.push(index);
        }
        before = letter;
    }
    starts
}

/// A text without the escapes that drive terminals, and without other control characters.
fn without_escapes(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' if letters.peek() == Some(&'[') => {
                // Up to the letter that says what is to be done.
                letters.by_ref().skip(1).find(|letter| ('@'..='~').contains(letter));
            }
            '\u{1b}' => {
                letters.next();
            }
            letter if letter.is_control() && letter != '\t' && letter != '\r' => {}
            letter => plain.push(letter),
        }
    }
    plain
}
