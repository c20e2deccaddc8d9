//! The syntax of SGF: game trees of nodes with properties.

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

    /// All values of a property.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let found = self.properties.iter().filter(move |(own, _)| own == name);
        found.flat_map(|(_, values)| values.iter().map(String::as_str))
    }

    /// Adds a property.
    pub fn add(&mut self, name: &str, value: impl Into<String>) {
        self.add_all(name, vec![value.into()]);
    }

    /// Adds a property with several values.
    pub fn add_all(&mut self, name: &str, values: Vec<String>) {
        self.properties.push((name.to_owned(), values));
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

/// A game with all its variations.
#[derive(Debug, Default)]
pub struct Tree {
    /// The nodes in the order of the file, each with the one that it follows.
    nodes: Vec<(Node, Option<usize>)>,
}

impl Tree {
    /// The last nodes of all lines of play, in the order of the file: the main line is the first.
    pub fn leaves(&self) -> Vec<usize> {
        let mut is_leaf = vec![true; self.nodes.len()];
        for parent in self.nodes.iter().filter_map(|&(_, parent)| parent) {
            is_leaf[parent] = false;
        }
        (0..self.nodes.len()).filter(|&node| is_leaf[node]).collect()
    }

    /// The nodes of the line of play that ends with this one, from the first.
    pub fn line(&self, leaf: usize) -> Vec<&Node> {
        let parent = |&node: &usize| self.nodes.get(node).and_then(|&(_, parent)| parent);
        let path = std::iter::successors(Some(leaf), parent);
        let mut line: Vec<&Node> = path.filter_map(|node| Some(&self.nodes.get(node)?.0)).collect();
        line.reverse();
        line
    }
}

/// All games in a file.
pub fn games(text: &str) -> Result<Vec<Tree>, SgfError> {
    let mut reader = Reader { letters: text.chars().peekable(), line: 1 };
    let mut games: Vec<Tree> = Vec::new();
    // The trees that are open, from the outermost; of each, the node that the next one follows.
    let mut open: Vec<Option<usize>> = Vec::new();
    while let Some(letter) = reader.next() {
        match letter {
            '(' => {
                if open.is_empty() {
                    games.push(Tree::default());
                }
                open.push(open.last().copied().flatten());
            }
            ')' if open.pop().is_none() => return Err(reader.error("there is a ')' too many")),
            ')' => {}
            ';' => {
                let (Some(last), Some(game)) = (open.last_mut(), games.last_mut()) else {
                    return Err(reader.error("a node stands outside of a game"));
                };
                let parent = last.replace(game.nodes.len());
                game.nodes.push((reader.node()?, parent));
            }
            // Around games there may be anything.
            _ if open.is_empty() || letter.is_whitespace() => {}
            other => return Err(reader.error(&format!("'{}' is not expected here", other.escape_debug()))),
        }
    }
    if open.is_empty() { Ok(games) } else { Err(reader.error("a ')' is missing at the end")) }
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
                    // A line that was broken for its length only.
                    Some('\r') if self.letters.peek() == Some(&'\n') => drop(self.next()),
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
