//! The syntax of SGF: game trees of nodes with properties. Of each game only the main line is kept.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

use thiserror::Error;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct SgfError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// A node of a game.
#[derive(Debug, Default)]
pub struct Node {
    /// The line of the file that it begins on, from 1.
    pub line: usize,
    properties: Vec<(String, Vec<String>)>,
}

impl Node {
    /// The first value of a property.
    pub fn value(&self, name: &str) -> Option<&str> {
        let (_, values) = self.properties.iter().find(|(own, _)| own == name)?;
        values.first().map(String::as_str)
    }

    /// Adds a property.
    pub fn add(&mut self, name: &str, value: impl Into<String>) {
        self.properties.push((name.to_owned(), vec![value.into()]));
    }

    /// Appends the node to a file.
    pub fn write(&self, out: &mut String) {
        out.push(';');
        for (name, values) in &self.properties {
            out.push_str(name);
            for value in values {
                let _ = write!(out, "[{}]", escaped(value));
            }
        }
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}

/// The main lines of all games in a file.
pub fn main_lines(text: &str) -> Result<Vec<Vec<Node>>, SgfError> {
    let mut reader = Reader { letters: text.chars().peekable(), line: 1 };
    let mut games: Vec<Vec<Node>> = Vec::new();
    // The trees that are open, from the outermost.
    let mut open: Vec<Branch> = Vec::new();
    while let Some(letter) = reader.next() {
        match letter {
            '(' => {
                let on_main_line = open.last_mut().is_none_or(Branch::fork);
                if open.is_empty() {
                    games.push(Vec::new());
                }
                open.push(Branch { on_main_line, forked: false });
            }
            ')' if open.pop().is_none() => return Err(reader.error("there is a ')' too many")),
            ')' => {}
            ';' => {
                let branch = open.last().ok_or_else(|| reader.error("a node stands outside of a game"))?;
                let node = reader.node()?;
                if let Some(game) = games.last_mut().filter(|_| branch.on_main_line && !branch.forked) {
                    game.push(node);
                }
            }
            // Around games there may be anything.
            _ if open.is_empty() || letter.is_whitespace() => {}
            other => return Err(reader.error(&format!("'{}' is not expected here", other.escape_debug()))),
        }
    }
    if open.is_empty() { Ok(games) } else { Err(reader.error("a ')' is missing at the end")) }
}

struct Branch {
    on_main_line: bool,
    forked: bool,
}

impl Branch {
    /// Begins a branch of this one, and says whether that is on the main line: only the first is.
    fn fork(&mut self) -> bool {
        let first = !self.forked;
        self.forked = true;
        self.on_main_line && first
    }
}

struct Reader<'a> {
    letters: Peekable<Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.next()?;
        self.line += usize::from(letter == '\n');
        Some(letter)
    }

    fn error(&self, what: &str) -> SgfError {
        SgfError { line: self.line, what: what.to_owned() }
    }

    fn skip_blanks(&mut self) {
        while self.letters.peek().is_some_and(|letter| letter.is_whitespace()) {
            self.next();
        }
    }

    /// The properties that follow.
    fn node(&mut self) -> Result<Node, SgfError> {
        let mut node = Node { line: self.line, properties: Vec::new() };
        loop {
            self.skip_blanks();
            let mut name = String::new();
            while let Some(&letter) = self.letters.peek().filter(|letter| letter.is_ascii_alphabetic()) {
                // Older files have small letters in names, which mean nothing.
                name.extend(Some(letter).filter(char::is_ascii_uppercase));
                self.next();
            }
            if name.is_empty() {
                return Ok(node);
            }
            let mut values = Vec::new();
            self.skip_blanks();
            while self.letters.next_if_eq(&'[').is_some() {
                values.push(self.value(&name)?);
                self.skip_blanks();
            }
            if values.is_empty() {
                return Err(self.error(&format!("the property {name} has no value: '[' is missing")));
            }
            node.properties.push((name, values));
        }
    }

    /// The text up to the closing bracket.
    fn value(&mut self, name: &str) -> Result<String, SgfError> {
        let mut text = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(text),
                Some('\\') => match self.next() {
                    Some('\n') => {}
                    Some(letter) => text.push(letter),
                    None => {}
                },
                Some(letter) => text.push(letter),
                None => return Err(self.error(&format!("the value of {name} has no end: ']' is missing"))),
            }
        }
    }
}
