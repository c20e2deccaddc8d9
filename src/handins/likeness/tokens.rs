//! Sources as tokens, in which names, literals, comments and layout are gone.

use super::syntax::Syntax;

/// A token and the line that it is on, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is: equal tokens have equal numbers.
    pub kind: u32,
    /// Its line.
    pub line: u32,
}

const NAME: u32 = 1;
const LITERAL: u32 = 2;
const NEW_LINE: u32 = 3;
const INDENT: u32 = 4;
const DEDENT: u32 = 5;
const COMMA: u32 = 6;
/// Words and signs have numbers from here on.
const FIRST_WORD: u32 = 16;

/// The signs of two letters that are one token.
const PAIRS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<",
    ">>", "->", "=>", "::", "**", "//", "..", ":=", "<-",
];

/// The tokens of a source.
pub fn tokens(source: &str, syntax: &'static Syntax) -> Vec<Token> {
    let mut lexer = Lexer { syntax, rest: source, line: 1, tokens: Vec::new(), indents: vec![0], depth: 0 };
    lexer.read();
    lexer.tokens
}

struct Lexer<'a> {
    syntax: &'static Syntax,
    rest: &'a str,
    line: u32,
    tokens: Vec<Token>,
    /// The indentations of the blocks that are open.
    indents: Vec<usize>,
    /// How many brackets are open.
    depth: usize,
}

impl Lexer<'_> {
    fn read(&mut self) {
        self.begin_line();
        while let Some(letter) = self.rest.chars().next() {
            if letter == '\n' {
                self.skip(1);
                self.begin_line();
            } else if letter.is_whitespace() || letter == '\\' {
                self.skip(letter.len_utf8());
            } else if !(self.comment() || self.text() || self.number() || self.word()) {
                self.sign(letter);
            }
        }
        self.end_line();
    }

    /// Goes on by so many bytes.
    fn skip(&mut self, bytes: usize) {
        let (gone, rest) = self.rest.split_at(bytes);
        self.line += gone.bytes().filter(|&byte| byte == b'\n').count() as u32;
        self.rest = rest;
    }

    fn push(&mut self, kind: u32) {
        self.tokens.push(Token { kind, line: self.line });
    }

    fn last(&self, back: usize) -> Option<u32> {
        self.tokens.len().checked_sub(back).map(|at| self.tokens[at].kind)
    }

    /// At the beginning of a line: passes over it if it only asks for a library, and takes its indentation.
    fn begin_line(&mut self) {
        loop {
            let line = self.rest.split('\n').next().unwrap_or_default();
            let text = line.trim_start();
            let is_import = self.syntax.imports.iter().any(|import| text.starts_with(import));
            if !is_import || self.depth > 0 {
                break;
            }
            let ends = line.len() < self.rest.len();
            self.skip(line.len() + usize::from(ends));
            if !ends {
                break;
            }
        }
        let line = self.rest.split('\n').next().unwrap_or_default();
        let text = line.trim();
        let is_comment = self.syntax.line_comments.iter().any(|comment| text.starts_with(comment));
        if self.syntax.is_indented && self.depth == 0 && !text.is_empty() && !is_comment {
            self.end_line();
            self.indent(width(line));
        }
    }

    /// The end of a line that has a meaning.
    fn end_line(&mut self) {
        if !self.syntax.is_indented {
            return;
        }
        // A text that stands alone is a comment.
        let is_start = |kind: Option<u32>| matches!(kind, None | Some(NEW_LINE | INDENT | DEDENT));
        if self.last(1) == Some(LITERAL) && is_start(self.last(2)) {
            self.tokens.pop();
        }
        if !is_start(self.last(1)) {
            let line = self.tokens.last().map_or(self.line, |token| token.line);
            self.tokens.push(Token { kind: NEW_LINE, line });
        }
    }

    fn indent(&mut self, width: usize) {
        while self.indents.last().is_some_and(|&open| open > width) {
            self.indents.pop();
            self.push(DEDENT);
        }
        if self.indents.last().is_none_or(|&open| open < width) {
            self.indents.push(width);
            self.push(INDENT);
        }
    }

    fn comment(&mut self) -> bool {
        if let Some((begin, end)) = self.syntax.block_comment
            && self.rest.starts_with(begin)
        {
            let (mut depth, mut at) = (1, begin.len());
            while depth > 0 && at < self.rest.len() {
                let rest = &self.rest.as_bytes()[at..];
                if rest.starts_with(end.as_bytes()) {
                    depth -= 1;
                    at += end.len();
                } else if self.syntax.is_nested && rest.starts_with(begin.as_bytes()) {
                    depth += 1;
                    at += begin.len();
                } else {
                    at += 1;
                }
            }
            self.skip(at);
            return true;
        }
        let is_comment = self.syntax.line_comments.iter().any(|comment| self.rest.starts_with(comment));
        if is_comment {
            self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
        is_comment
    }

    fn text(&mut self) -> bool {
        let Some(quote) = self.syntax.quotes.iter().find(|quote| self.rest.starts_with(**quote)) else {
            return false;
        };
        let bytes = self.rest.as_bytes();
        // A letter in quotes, and not a lifetime.
        let closes_soon = bytes.iter().skip(1).take(LONGEST_LETTER).any(|&byte| byte == b'\'');
        if *quote == "'" && self.syntax.has_lone_quotes && !closes_soon {
            self.skip(1);
            return true;
        }
        let many_lines = quote.len() > 1 || *quote == "`";
        let mut at = quote.len();
        while at < bytes.len() && !bytes[at..].starts_with(quote.as_bytes()) {
            match bytes[at] {
                b'\n' if !many_lines => break,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        let ends = bytes.len() > at && bytes[at] != b'\n';
        let mut end = if ends || many_lines { at + quote.len() } else { at }.min(bytes.len());
        while !self.rest.is_char_boundary(end) {
            end += 1;
        }
        self.literal();
        self.skip(end);
        true
    }

    fn number(&mut self) -> bool {
        if !self.rest.starts_with(|letter: char| letter.is_ascii_digit()) {
            return false;
        }
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        self.literal();
        self.skip(self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len()));
        true
    }

    /// A literal. A list of literals is as good as one: it is data, and tables of neighbours are alike in honest programs.
    fn literal(&mut self) {
        let is_listed = self.last(1) == Some(COMMA) && self.last(2) == Some(LITERAL);
        match is_listed {
            true => {
                self.tokens.pop();
            }
            false => self.push(LITERAL),
        }
    }

    fn word(&mut self) -> bool {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let length = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        if length == 0 {
            return false;
        }
        let word = &self.rest[..length];
        if self.syntax.keywords.contains(&word) {
            self.push(number_of(word));
        } else if !self.syntax.modifiers.contains(&word) {
            self.push(NAME);
        }
        self.skip(length);
        true
    }

    fn sign(&mut self, letter: char) {
        match letter {
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let pair = PAIRS.iter().find(|pair| self.rest.starts_with(**pair));
        let sign = pair.map_or(letter.len_utf8(), |pair| pair.len());
        let next = self.rest[sign..].chars().next();
        // The sign of a number belongs to it.
        let is_negative = letter == '-'
            && next.is_some_and(|next| next.is_ascii_digit())
            && self.last(1).is_none_or(|last| last != NAME && last != LITERAL && last != number_of(")"));
        if letter == ',' {
            self.push(COMMA);
        } else if !is_negative && !self.syntax.layout.contains(letter) {
            self.push(number_of(&self.rest[..sign]));
        }
        self.skip(sign);
    }
}

/// A letter in quotes ends within so many bytes: `'\u{10ffff}'` and shorter.
const LONGEST_LETTER: usize = 12;

/// How far a line is indented.
fn width(line: &str) -> usize {
    const TAB: usize = 8;
    let blanks = line.chars().take_while(|letter| letter.is_whitespace());
    blanks.map(|letter| if letter == '\t' { TAB } else { 1 }).sum()
}

/// The number of a word or sign (FNV-1a).
fn number_of(word: &str) -> u32 {
    let hash =
        word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash.max(FIRST_WORD)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn kinds(name: &str, source: &str) -> Vec<u32> {
        let syntax = Syntax::of(Path::new(name)).unwrap();
        tokens(source, syntax).iter().map(|token| token.kind).collect()
    }

    #[test]
    fn names_comments_and_layout_do_not_matter() {
        let one = kinds(
            "a.c",
            "#include <stdio.h>\nint best(int n) { /* x */ if (n > 3) return n * 2; return 0; }",
        );
        let other = kinds(
            "b.c",
            "static long worst (const long count)\n{\n  if (count > 17)\n  {\n    return count * 9; // why\n  }\n  return 1;\n}",
        );
        assert_eq!(one, other);
        assert_ne!(one, kinds("c.c", "int best(int n) { while (n > 3) return n * 2; return 0; }"));
    }

    #[test]
    fn pythons_blocks_are_tokens_and_their_width_is_not() {
        let one = "import sys\n\ndef best(n):\n    \"\"\"Says why.\"\"\"\n    if n > 3:\n        return (n +\n  1)\n    return 0\n";
        let other = "def w(k): # so\n\tif k > 8:\n\t\treturn (k + 2)\n\n\treturn 5";
        assert_eq!(kinds("a.py", one), kinds("b.py", other));
        let unlike = "def w(k):\n\tif k > 8:\n\t\treturn (k + 2)\n\t\treturn 5";
        assert_ne!(kinds("a.py", one), kinds("b.py", unlike));
    }

    #[test]
    fn lists_of_literals_are_one() {
        let one = kinds("a.c", "int dx[6] = {-1, -1, 0, 0, 1, 1};");
        assert_eq!(one, kinds("a.c", "int dy[4] = {0, 1};"));
        assert_ne!(one, kinds("a.c", "int dy[4] = {x - 1};"));
    }

    #[test]
    fn what_is_torn_ends_somewhere() {
        for source in ["\"", "'", "/*", "/* é", "\"é\\", "'''", "`", "'é", "a\\", "\u{0}", "{-{-"] {
            for name in ["a.c", "a.py", "a.hs", "a.rb", "a.lua", "a.ml", "a.lisp"] {
                kinds(name, source);
            }
        }
    }

    #[test]
    fn lines_are_counted() {
        let syntax = Syntax::of(Path::new("a.js")).unwrap();
        let lines: Vec<u32> = tokens("a /*\n*/ b\n`\n` c", syntax).iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 3, 4]);
    }
}
