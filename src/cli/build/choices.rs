//! The file of `--choices`, and what is said of mistakes in it.

use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use crate::championship::text_file;
use crate::cli::exit::usage;
use crate::game::nearest::nearest;
use crate::handins::choice::Choice;
use crate::handins::handin::HandIn;
use crate::record::text::printable;

/// What may stand below `[[handins]]`, each with a line that shows how it is written.
const KEYS: [(&str, &str); 5] = [
    ("name", "name = \"Ana Silva\""),
    ("main", "main = \"src/hex.c\""),
    ("build", "build = \"make hex\""),
    ("command", "command = \"./hex\""),
    ("skip", "skip = true"),
];

/// The file of choices.
#[derive(Deserialize)]
struct Choices {
    #[serde(default)]
    handins: Vec<Choice>,
}

/// Reads the file.
pub fn read(path: &Path) -> Result<Vec<Choice>> {
    let text = text_file::read(path)
        .map_err(|problem| usage(anyhow!("cannot read '{}': {problem}", path.display())))?;
    let wrong = |at: usize, what: &str| {
        let line = 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count();
        usage(anyhow!("'{}' line {line}: {what}", path.display()))
    };
    if let Some((at, what)) = fault(&text) {
        return Err(wrong(at, &what));
    }
    let choices: Choices = toml::from_str(&text)
        .map_err(|error| wrong(error.span().map_or(0, |span| span.start), error.message()))?;
    Ok(choices.handins)
}

/// Refuses a choice that is about nobody: it would be passed over in silence.
pub fn check(choices: &[Choice], handins: &[HandIn]) -> Result<()> {
    for choice in choices {
        ensure!(
            handins.iter().any(|handin| choice.is_about(handin)),
            usage(anyhow!("the file of choices names '{}', and there is no such hand-in", choice.name))
        );
    }
    Ok(())
}

/// What is wrong with the text, and where: the first thing, if there is any.
fn fault(text: &str) -> Option<(usize, String)> {
    const BEGIN: &str = "write [[handins]] for each hand-in, and its settings on lines of their own below it";
    let table = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let line = text[..at].matches('\n').count();
            let shown = printable(text.lines().nth(line).unwrap_or_default().as_bytes(), 60);
            let why = format!("this cannot be read: {shown}; write KEY = VALUE, as in {}", KEYS[1].1);
            return Some((at, why));
        }
    };
    let mut found = Vec::new();
    for (name, value) in table.iter() {
        let entries = value.get_ref().as_array().filter(|_| name.get_ref() == "handins");
        let Some(entries) = entries.filter(|all| all.iter().all(|one| one.get_ref().is_table())) else {
            found.push((name.span().start, format!("'{}' cannot stand here; {BEGIN}", name.get_ref())));
            continue;
        };
        for entry in entries.iter() {
            let Some(table) = entry.get_ref().as_table() else { continue };
            let wrong = table.iter().filter_map(|(key, value)| {
                Some((key.span().start, wrong_line(key.get_ref(), value.get_ref())?))
            });
            let before = found.len();
            found.extend(wrong);
            let has_name = table.iter().any(|(key, _)| key.get_ref() == KEYS[0].0);
            // A mistyped key may be the one that is missing.
            if !has_name && found.len() == before {
                found.push((entry.span().start, format!("here is no name; write for example {}", KEYS[0].1)));
            }
        }
    }
    found.into_iter().min_by_key(|(at, _)| *at)
}

/// What is wrong with a line below `[[handins]]`, if anything is.
fn wrong_line(key: &str, value: &DeValue<'_>) -> Option<String> {
    let names = || KEYS.iter().map(|(name, _)| *name);
    let Some((_, example)) = KEYS.iter().find(|(name, _)| *name == key) else {
        return Some(match nearest(key, names()) {
            Some(near) => format!("there is no '{key}' in a choice; did you mean {near}?"),
            None => {
                format!(
                    "there is no '{key}' in a choice; there are: {}",
                    names().collect::<Vec<_>>().join(", ")
                )
            }
        });
    };
    let (fits, what) = match key {
        "skip" => (value.is_bool(), "true or false"),
        _ => (value.is_str(), "a text in quotation marks"),
    };
    (!fits).then(|| format!("{key} is {what}: write for example {example}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_said_in_words_with_their_place() {
        let begin = "[[handins]]\nname = \"Ana\"\n";
        assert_eq!(fault(begin), None);
        assert_eq!(fault(&format!("{begin}main = \"b.py\"\nskip = false\n")), None);
        for (line, words) in [
            ("man = \"b.py\"", "there is no 'man' in a choice; did you mean main?"),
            ("colour = 1", "there is no 'colour' in a choice; there are: name, main, build, command, skip"),
            ("main = 3", "main is a text in quotation marks: write for example main = \"src/hex.c\""),
            ("skip = \"yes\"", "skip is true or false: write for example skip = true"),
            ("main b.py", "this cannot be read: main b.py; write KEY = VALUE"),
        ] {
            let (at, found) = fault(&format!("{begin}{line}\n")).unwrap();
            assert!(found.starts_with(words), "{found}");
            assert!((begin.len()..begin.len() + line.len()).contains(&at), "{line}: {at}");
        }
        for (text, words) in [
            ("[[handins]]\nmain = \"b.py\"\n", "here is no name; write for example name = \"Ana Silva\""),
            (
                "[handins]\nname = \"Ana\"\n",
                "'handins' cannot stand here; write [[handins]] for each hand-in",
            ),
            ("[[bots]]\nname = \"Ana\"\n", "'bots' cannot stand here; write [[handins]] for each hand-in"),
        ] {
            let (at, found) = fault(text).unwrap();
            assert!(found.starts_with(words) && at < 12, "{at} {found}");
        }
    }
}
