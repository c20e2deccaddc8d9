//! A file of settings for people to change: all there are, each with what it is good for.

use super::config::{BotConfig, Config};
use super::settings_keys::{BOTS, Key, SETTINGS, Takes};
use super::toml_text::toml_text;

/// The longest line of a comment.
const WIDTH: usize = 100;

/// The text of a file with these settings. What is not set stands there as a comment.
pub fn commented(config: &Config) -> String {
    let mut text = String::from(
        "# A championship, for 'arbitro championship --config FILE'. What is given on the command line counts more.\n\
         # What begins with # does not count; where it is a setting, take away the # to use it.\n",
    );
    let values = toml::Table::try_from(config).expect("settings are plain values and tables");
    write_keys(SETTINGS, &values, "", &mut text);
    text += "\n# The bots, each below a line [[bots]]:\n";
    for key in BOTS.iter().filter(|key| key.is_offered()) {
        text += &format!("#   {:<10}{}\n", key.name, key.about);
    }
    if config.bots.is_empty() {
        text += "\n# [[bots]]\n";
        BOTS.iter().filter(|key| key.is_offered()).for_each(|key| text += &format!("# {}\n", key.example));
    }
    config.bots.iter().for_each(|bot| text += &bot_lines(bot));
    for left_out in &config.left_out {
        text += &format!("\n[[left_out]]\n{}", toml_text(left_out));
    }
    text
}

/// The keys that take a value, and below them those with keys of their own.
fn write_keys(keys: &[Key], values: &toml::Table, path: &str, text: &mut String) {
    let is_heading = |key: &&Key| matches!(key.takes, Takes::Heading(_) | Takes::Headings(_));
    for key in keys.iter().filter(|key| key.is_offered() && !is_heading(key)) {
        *text += &format!("\n{}", comment(key.about));
        *text += &match values.get(key.name) {
            Some(value) => line(key.name, value),
            None => format!("# {}\n", key.example),
        };
    }
    for key in keys {
        let Takes::Heading(below) = key.takes else { continue };
        let none = toml::Table::new();
        let inner = values.get(key.name).and_then(toml::Value::as_table).unwrap_or(&none);
        let path = format!("{path}{}", key.name);
        *text += &format!("\n{}[{path}]\n", comment(key.about));
        write_keys(below, inner, &format!("{path}."), text);
    }
}

fn bot_lines(bot: &BotConfig) -> String {
    format!("\n[[bots]]\n{}", toml_text(bot))
}

fn line(name: &str, value: &toml::Value) -> String {
    let table = toml::Table::from_iter([(name.to_owned(), value.clone())]);
    toml_text(&table)
}

/// A sentence or two in lines of a comment.
fn comment(about: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in about.split(' ') {
        if lines.last().is_some_and(|line| line.len() + 1 + word.len() > WIDTH) {
            lines.push(String::from("#"));
        }
        lines.iter_mut().last().into_iter().for_each(|line| *line += &format!(" {word}"));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::settings_faults::fault;
    use super::*;

    #[test]
    fn what_is_written_reads_back_to_the_same() {
        let few = Config::default();
        let many = "title = 'Hex \"2026\"'\nrounds = 3\nopenings = 4\nboard = \"2 2\\n. #\\n\"\njobs = 2\nlive = true\nno_sandbox = true\n\
                    [terms]\ntime = \"60+0.5\"\nmove_time = 2\n[[bots]]\ncommand = \"@greedy\"\n[[bots]]\nname = \"o'x\"\ncommand = \"@easy\"\n";
        let many: Config = toml::from_str(many).unwrap();
        for config in [few, many] {
            let text = commented(&config);
            assert_eq!(fault(&text), None, "{text}");
            let read: Config = toml::from_str(&text).unwrap();
            assert_eq!(toml::Table::try_from(&read).unwrap(), toml::Table::try_from(&config).unwrap());
            assert_eq!(commented(&read), text);
        }
    }

    /// Taking a # away must not break a file.
    #[test]
    fn every_example_can_be_taken() {
        let text = commented(&Config::default());
        let is_example =
            |line: &&str| SETTINGS.iter().any(|key| line.strip_prefix("# ") == Some(key.example));
        for line in text.lines().filter(is_example).filter(|line| line.contains('=')) {
            let taken = text.replace(&format!("{line}\n"), &format!("{}\n", line.trim_start_matches("# ")));
            assert_eq!(fault(&taken), None, "{line}");
        }
    }
}
