//! Files of settings in which everything can be seen that is in them.

use serde::Serialize;
use toml::Value;

use crate::record::text::is_visible;

/// Settings as TOML. What nobody can see is escaped: a student may have called a file so that the line with the command would show
/// another one than is run.
pub fn toml_text(settings: &impl Serialize) -> String {
    let text = toml::to_string(settings).expect("settings are plain values and tables");
    text.split_inclusive('\n').map(visible_line).collect()
}

/// A line that may be the setting of a text, or of a list of them.
fn visible_line(line: &str) -> String {
    if line.trim_end_matches('\n').chars().all(is_visible) {
        return line.to_owned();
    }
    match line.parse::<toml::Table>() {
        Ok(table) => table
            .iter()
            .map(|(key, value)| format!("{} = {}\n", visible_key(key), visible_value(value)))
            .collect(),
        // It is a part of a longer text.
        Err(_) => line.to_owned(),
    }
}

fn visible_key(key: &str) -> String {
    let is_bare = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if is_bare && !key.is_empty() { key.to_owned() } else { quoted(key) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

fn visible_value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(values) => {
            format!("[{}]", values.iter().map(visible_value).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A character of a text in quotation marks.
fn escaped(character: char) -> String {
    match character {
        '"' | '\\' => format!("\\{character}"),
        character if is_visible(character) => character.to_string(),
        character => format!("\\U{:08X}", u32::from(character)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped_and_means_the_same() {
        for text in ["abc\u{202e}gnp", "a'b\"c\\\u{202e}", "\u{200b}\"", "\u{e0001}"] {
            let table = toml::Table::from_iter([
                ("command".to_owned(), Value::from(text)),
                ("plays".to_owned(), Value::from(vec!["x", text])),
                ("size".to_owned(), Value::from(4)),
                (text.to_owned(), Value::from(text)),
            ]);
            let written = toml_text(&table);
            assert!(written.lines().all(|line| line.chars().all(is_visible)), "{written}");
            assert_eq!(written.parse::<toml::Table>().unwrap(), table, "{written}");
        }
        let usual = toml::Table::from_iter([("name".to_owned(), Value::from("João \"x\""))]);
        assert_eq!(toml_text(&usual), toml::to_string(&usual).unwrap());
    }
}
