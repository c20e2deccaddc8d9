//! A table that says whose each hand-in is: `--names FILE.csv`.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use csv::{Position, ReaderBuilder, StringRecord};
use thiserror::Error;

use super::encoding;
use crate::championship::bot_name::{self, NameProblem};
use crate::championship::text_file::FileProblem;

/// More than any class list has.
const LONGEST: u64 = 16 << 20;

/// Whose each hand-in is: from its file, folder or number to a name.
#[derive(Clone, Debug, Default)]
pub struct Names {
    file: Option<PathBuf>,
    names: HashMap<String, Row>,
}

/// A line of the table.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    line: u64,
    /// Whether it may be the line of headings.
    is_heading: bool,
}

/// Why a table of names cannot be used.
#[derive(Debug, Error)]
pub enum NamesProblem {
    /// It cannot be read.
    #[error("cannot read '{}': {why}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        why: FileProblem,
    },
    /// A line of it cannot be used.
    #[error("'{}' line {line}: {why}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Why.
        why: LineProblem,
    },
}

/// Why a line of a table of names cannot be used.
#[derive(Debug, Error)]
pub enum LineProblem {
    /// It has one column only.
    #[error(
        "there is no name behind '{0}'; write two columns: the file, folder or number of the hand-in, and the name"
    )]
    NoName(String),
    /// It has a name that is none.
    #[error("{0}")]
    Name(#[from] NameProblem),
    /// Another line says something else.
    #[error("'{0}' has another name in an earlier line")]
    Twice(String),
    /// It is no line of a table.
    #[error("it cannot be read as a line of a table: {0}")]
    NoTable(csv::Error),
}

impl Names {
    /// Reads a table: columns are separated by commas, semicolons or tabs, whichever its first line has the most of. Other columns than
    /// the first two count for nothing, and so does a line of headings, since no hand-in is called so.
    pub fn read(file: &Path) -> Result<Names, NamesProblem> {
        let text = text_of(file).map_err(|why| NamesProblem::Unreadable { file: file.to_owned(), why })?;
        // Some spreadsheets say in a line of its own what separates columns.
        let said = match text.as_bytes() {
            [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator @ (b',' | b';' | b'\t'), ..] => {
                Some(*separator)
            }
            _ => None,
        };
        let table = said.and_then(|_| text.split_once('\n')).map_or(text.as_str(), |(_, rest)| rest);
        let skipped = u64::from(said.is_some());
        let first = table.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let count = |separator: &u8| first.bytes().filter(|byte| byte == separator).count();
        let separator = said.or_else(|| b",;\t".iter().copied().max_by_key(count)).unwrap_or(b',');
        let mut reader = ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(table.as_bytes());
        let mut names = Names { file: Some(file.to_owned()), names: HashMap::new() };
        for record in reader.records() {
            let line = |at: Option<&Position>| at.map_or(0, |at| line_of(table, at)) + skipped;
            let fail = |line, why| Err(NamesProblem::Line { file: file.to_owned(), line, why });
            match record {
                Ok(record) => {
                    let line = line(record.position());
                    names.add(&record, line).or_else(|why| fail(line, why))?
                }
                Err(error) => fail(line(error.position()), LineProblem::NoTable(error))?,
            }
        }
        Ok(names)
    }

    fn add(&mut self, record: &StringRecord, line: u64) -> Result<(), LineProblem> {
        let cell = |index: usize| record.get(index).unwrap_or_default().trim();
        let (key, name) = (cell(0), cell(1));
        match (key.is_empty(), name.is_empty()) {
            (true, _) => return Ok(()),
            (false, true) => return Err(LineProblem::NoName(key.to_owned())),
            (false, false) => {}
        }
        let name = bot_name::read(name)?;
        // Numbers and names of files are no headings.
        let is_heading =
            self.names.is_empty() && !key.contains(|letter: char| letter.is_ascii_digit() || letter == '.');
        let row = Row { name: name.clone(), line, is_heading };
        match self.names.insert(composed(key), row) {
            Some(earlier) if earlier.name != name => Err(LineProblem::Twice(key.to_owned())),
            _ => Ok(()),
        }
    }

    /// The name of the hand-in that one of these stands for.
    pub fn find<'a>(&self, keys: impl IntoIterator<Item = &'a str>) -> Option<&str> {
        keys.into_iter().find_map(|key| self.names.get(&composed(key))).map(|row| row.name.as_str())
    }

    /// The lines with what stands in their first column, in order, that are about none of these; without the line of headings.
    pub fn about_none_of<'a>(&self, keys: impl IntoIterator<Item = &'a str>) -> Vec<(u64, String)> {
        let known: HashSet<String> = keys.into_iter().map(composed).collect();
        let rows = self.names.iter().filter(|(key, row)| !row.is_heading && !known.contains(*key));
        let mut lines: Vec<_> = rows.map(|(key, row)| (row.line, key.clone())).collect();
        lines.sort();
        lines
    }

    /// Whether nothing stands in it.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether this is the table itself, which may lie among the hand-ins.
    pub fn is_table(&self, path: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        self.file.as_deref().is_some_and(|file| real(file).is_some_and(|file| real(path) == Some(file)))
    }
}

/// The line that a record begins in: empty lines in front of it are counted to it.
fn line_of(table: &str, at: &Position) -> u64 {
    let rest = usize::try_from(at.byte()).ok().and_then(|byte| table.get(byte..)).unwrap_or_default();
    let empty = rest.bytes().take_while(|byte| b"\r\n".contains(byte)).filter(|&byte| byte == b'\n').count();
    at.line() + empty as u64
}

/// What looks the same is the same.
fn composed(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.trim().trim_end_matches('/').nfc().collect()
}

fn text_of(file: &Path) -> Result<String, FileProblem> {
    let mut bytes = Vec::new();
    if File::open(file)?.take(LONGEST + 1).read_to_end(&mut bytes)? as u64 > LONGEST {
        return Err(FileProblem::TooLong);
    }
    let text = encoding::table(&bytes);
    if text.contains('\0') { Err(FileProblem::NotText) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Names, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.csv");
        std::fs::write(&path, bytes).unwrap();
        let shown = format!("'{}' ", path.display());
        Names::read(&path).map_err(|problem| problem.to_string().replace(&shown, ""))
    }

    #[test]
    fn tables_are_read_as_spreadsheets_write_them() {
        for table in [
            "file,name\nana.zip,João Silva\n12345,\"Reis, Beto\"\n".as_bytes(),
            "\u{feff}arquivo;nome;turma\r\nana.zip;João Silva;1\r\n\r\n12345;Reis, Beto;2\r\n".as_bytes(),
            b"ana.zip;Jo\xe3o Silva\n12345;Reis, Beto",
            "sep=;\nana.zip;João Silva\n12345;Reis, Beto\n".as_bytes(),
            "ana.zip\tJoa\u{303}o  Silva\n12345\tReis, Beto\n\t\t\n".as_bytes(),
        ] {
            let names = read(table).unwrap();
            assert_eq!(
                names.find(["x", "ana.zip"]),
                Some("João Silva"),
                "{}",
                String::from_utf8_lossy(table)
            );
            assert_eq!(names.find(["12345"]), Some("Reis, Beto"));
            assert_eq!(names.find(["1234"]), None);
            assert_eq!(names.about_none_of(["12345", "ana.zip"]), []);
            let [(_, key)] = &names.about_none_of(["ana.zip"])[..] else { panic!("{names:?}") };
            assert_eq!(key, "12345");
        }
    }

    #[test]
    fn what_is_wrong_with_a_table_is_said_with_its_line() {
        for (table, words) in [
            ("a;Ana\nb\n", "line 2: there is no name behind 'b'"),
            ("a,Ana\n\nb,=1+1\n", "line 3: '=1+1' cannot be a bot's name"),
            ("sep=;\na;Ana\na;Beto\n", "line 3: 'a' has another name in an earlier line"),
        ] {
            let problem = read(table.as_bytes()).unwrap_err();
            assert!(problem.starts_with(words), "{problem}");
        }
        assert!(read(&[0; 100]).unwrap_err().ends_with("not a text file (UTF-8)"));
        let none = Names::read(Path::new("/no/names.csv")).unwrap_err().to_string();
        assert_eq!(none, "cannot read '/no/names.csv': there is no such file");
    }
}
