//! What is wrong with a file of settings, in words for people who write one by hand.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::settings_keys::{HEADINGS, Key, MOST_OPENINGS, SETTINGS, Takes, games, is_only_typed};
use crate::contain::spec::Size;
use crate::game::nearest::nearest;
use crate::game::{GAMES, Rules};
use crate::record::time_control::TimeControl;

/// What is wrong with the text of a file of settings, with its line: the first thing, if there is any.
pub(super) fn fault(text: &str) -> Option<String> {
    let mut faults = Faults { text, found: Vec::new() };
    match DeTable::parse(text) {
        Err(error) => faults.add(error.span().unwrap_or(0..0), unreadable(text, &error)),
        Ok(table) => faults.in_table(table.get_ref(), SETTINGS),
    }
    let first = faults.found.into_iter().min_by_key(|(at, _)| *at);
    first.map(|(at, what)| format!("line {}: {what}", line_number(text, at)))
}

/// What to say of a file that can be read and still is not what it should be.
pub(super) fn other_fault(text: &str, error: &toml::de::Error) -> String {
    if let Some(missing) =
        error.message().strip_prefix("missing field `").and_then(|rest| rest.split('`').next())
    {
        return format!("has no setting '{missing}', which every championship has");
    }
    let line = line_number(text, error.span().map_or(0, |span| span.start));
    format!("line {line}: this cannot be used: {}", shown(text.lines().nth(line - 1).unwrap_or_default()))
}

fn line_number(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

/// The beginning of what stands in the file, on one line.
fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// What to say of a line that is not TOML.
fn unreadable(text: &str, error: &toml::de::Error) -> String {
    let at = line_number(text, error.span().map_or(0, |span| span.start));
    let line = shown(text.lines().nth(at - 1).unwrap_or_default());
    let why = error.message().lines().next().unwrap_or_default();
    if why.contains("duplicate key") {
        let heading = line.strip_prefix('[').and_then(|rest| rest.split(']').next()).map(str::trim);
        let is_heading = |key: &&Key| matches!(key.takes, Takes::Headings(_)) && heading == Some(key.name);
        return match SETTINGS.iter().find(is_heading) {
            Some(key) if key.is_offered() => for_each_bot(key),
            _ => format!("this is said a second time: {line}"),
        };
    }
    let hint =
        if text.contains(['“', '”', '‘', '’']) { "; quotation marks are straight: \"" } else { "" };
    format!(
        "this cannot be read: {line}; write KEY = VALUE, with text in quotation marks, as in game = \"hex\"{hint}"
    )
}

/// How a heading is written that stands there for each bot.
fn for_each_bot(key: &Key) -> String {
    format!("write {} for each bot, and a line such as command = \"python3 ana.py\" below it", key.example)
}

struct Faults<'a> {
    text: &'a str,
    /// Where, and what.
    found: Vec<(usize, String)>,
}

impl Faults<'_> {
    fn add(&mut self, span: Range<usize>, what: String) {
        self.found.push((span.start, what));
    }

    fn in_table(&mut self, table: &DeTable<'_>, keys: &'static [Key]) {
        for (name, value) in table.iter() {
            match keys.iter().find(|key| key.name == name.get_ref()) {
                Some(key) => self.in_value(key, value),
                None => self.add(name.span(), unknown(name.get_ref(), keys)),
            }
        }
    }

    fn in_value(&mut self, key: &Key, value: &Spanned<DeValue<'_>>) {
        let (name, example) = (key.name, key.example);
        match (&key.takes, value.get_ref()) {
            (Takes::Heading(keys), DeValue::Table(table)) => self.in_table(table, keys),
            (Takes::Headings(keys), DeValue::Array(entries))
                if entries.iter().all(|one| one.get_ref().is_table()) =>
            {
                for entry in entries.iter() {
                    let Some(table) = entry.get_ref().as_table() else { continue };
                    let faults = self.found.len();
                    self.in_table(table, keys);
                    // A mistyped key may be the one that is missing.
                    let missing = keys.iter().find(|key| {
                        key.is_needed && !table.iter().any(|(name, _)| name.get_ref() == key.name)
                    });
                    if let Some(missing) = missing.filter(|_| self.found.len() == faults) {
                        let Key { name, example, .. } = missing;
                        self.add(entry.span(), format!("here is no {name}; write for example {example}"));
                    }
                }
            }
            (Takes::Heading(_), _) => {
                let what = format!(
                    "{name} is a heading: write {example}, and its settings on lines of their own below it"
                );
                self.add(value.span(), what);
            }
            (Takes::Headings(_), _) if !key.is_offered() => {
                self.add(value.span(), format!("'{name}' is for 'arbitro build' to write; leave it out"));
            }
            (Takes::Headings(_), _) => {
                self.add(value.span(), for_each_bot(key));
            }
            (takes, value_found) => {
                if let Some(what) = what_it_takes(takes, value_found) {
                    let found = shown(self.text.get(value.span()).unwrap_or_default());
                    self.add(
                        value.span(),
                        format!("{name} is {what}, not {found}: write for example {example}"),
                    );
                }
            }
        }
    }
}

/// What a key takes, where that is not what it has.
fn what_it_takes(takes: &Takes, value: &DeValue<'_>) -> Option<String> {
    let one_of = |names: &[&str]| {
        let listed: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        (!value.as_str().is_some_and(|text| names.contains(&text))).then(|| match listed.split_last() {
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => String::new(),
        })
    };
    let is_text = |fits: fn(&str) -> bool| value.as_str().is_some_and(fits);
    let unless = |fits: bool, what: &str| (!fits).then(|| what.to_owned());
    match takes {
        Takes::Whole(least, most) => {
            let fits = whole(value).is_some_and(|number| (*least..=*most).contains(&number));
            unless(fits, &format!("a whole number from {least} to {most}"))
        }
        Takes::BoardSize => {
            let size = whole(value).and_then(|size| u8::try_from(size).ok());
            let fits = size.is_some_and(|size| GAMES.iter().any(|rules| rules.sizes.contains(&size)));
            let sizes =
                |rules: &Rules| format!("{}: {} to {}", rules.name, rules.sizes.start(), rules.sizes.end());
            let sizes: Vec<String> = GAMES.iter().map(sizes).collect();
            unless(fits, &format!("a whole number ({})", sizes.join(", ")))
        }
        Takes::Seconds => {
            unless(number(value).is_some_and(|seconds| (0.0..=1e6).contains(&seconds)), "a number of seconds")
        }
        Takes::YesNo => unless(value.is_bool(), "true or false"),
        Takes::Title => {
            unless(value.is_str() || value.is_integer() || value.is_float(), "a text in quotation marks")
        }
        Takes::Text => unless(value.is_str(), "a text in quotation marks"),
        Takes::Texts => unless(is_list_of_texts(value), "a list of texts"),
        Takes::OneOf(names) => one_of(names),
        // The files of duels have it, and nobody chooses it.
        Takes::Format if value.as_str() == Some("duel") => None,
        Takes::Format => one_of(&["round-robin", "gauntlet", "swiss"]),
        Takes::Game => one_of(&games()),
        Takes::Time => {
            let text = value.as_str().map(str::to_owned).or(number(value).map(|number| number.to_string()));
            let fits = text.is_some_and(|text| text.parse::<TimeControl>().is_ok());
            unless(fits, "a number of seconds, or in quotation marks one with an increment")
        }
        Takes::Openings => {
            let is_count = whole(value).is_some_and(|count| (1..=MOST_OPENINGS as i64).contains(&count));
            let fits = value.is_str() || is_count || is_list_of_texts(value);
            let what =
                "a whole number from 1 to 1000, the name of a file, or a list of texts such as [\"2 3\"]";
            unless(fits, what)
        }
        Takes::Address => {
            let is_port = whole(value).is_some_and(|port| (0..=u16::MAX.into()).contains(&port));
            unless(
                value.is_str() || value.is_bool() || is_port,
                "true, a port, or an address in quotation marks",
            )
        }
        Takes::Size => unless(is_text(|text| text.parse::<Size>().is_ok()), "a size in quotation marks"),
        Takes::Heading(_) | Takes::Headings(_) | Takes::Written => None,
    }
}

/// A whole number, however it is written.
fn whole(value: &DeValue<'_>) -> Option<i64> {
    value.as_integer().and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok())
}

/// A number, whole or not.
fn number(value: &DeValue<'_>) -> Option<f64> {
    let float = || value.as_float().and_then(|number| number.as_str().parse().ok());
    whole(value).map(|number| number as f64).or_else(float)
}

fn is_list_of_texts(value: &DeValue<'_>) -> bool {
    value.as_array().is_some_and(|entries| entries.iter().all(|one| one.get_ref().is_str()))
}

/// What to say of a key that is not one of these.
fn unknown(name: &str, keys: &'static [Key]) -> String {
    let offered = || keys.iter().filter(|key| key.is_offered()).map(|key| key.name);
    let elsewhere =
        HEADINGS.iter().find(|(_, below)| below.iter().any(|key| key.name == name && key.is_offered()));
    let plain = name.replace('-', "_");
    if let Some(near) = nearest(&plain, offered()) {
        return format!("there is no setting '{name}'; did you mean {near}?");
    }
    if let Some((heading, _)) = elsewhere {
        return format!(
            "'{name}' does not belong here, but below the heading {heading}: write {heading} on a line of its own, and this line below it"
        );
    }
    if SETTINGS.iter().any(|key| key.name == name && key.is_offered()) {
        return format!("'{name}' does not belong here, but at the top of the file, above all headings");
    }
    if is_only_typed(&plain) {
        let option = plain.replace('_', "-");
        return format!("'{name}' is no setting of the file; give it on the command line, as --{option}");
    }
    if plain == "pipes" {
        return format!("there is no setting '{name}'; write output = \"pipe\" below the heading [terms]");
    }
    format!("there is no setting '{name}' here; there are: {}", offered().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::settings_keys::BOTS;
    use super::*;

    #[test]
    fn every_example_is_right_and_its_opposite_is_explained_with_it() {
        for (heading, keys) in [("", SETTINGS)].into_iter().chain(HEADINGS) {
            // A bot needs a command, whatever else it has.
            let command = |key: &Key| {
                if heading == "[[bots]]" && key.name != "command" { "command = \"x\"\n" } else { "" }
            };
            for key in keys.iter().filter(|key| key.example.contains('=')) {
                let file = |line: &str| format!("{heading}\n{}{line}\n", command(key));
                assert_eq!(fault(&file(key.example)), None, "{}", key.example);
                let wrong = format!("{} = {{ x = 1 }}", key.name);
                let words = fault(&file(&wrong)).unwrap();
                assert!(words.contains(&format!("write for example {}", key.example)), "{words}");
            }
        }
    }

    #[test]
    fn numbers_do_where_they_are_plainly_meant() {
        for text in [
            "[terms]\ntime = 60\n",
            "[terms]\ntime = 60.5\n",
            "openings = 3\n",
            "title = 2026\n",
            "live = 8760\n",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn nobody_is_offered_what_only_arbitro_writes() {
        for text in [
            "machines = 1\n",
            "startd = 1\n",
            "leftout = 1\n",
            "sandboks = 1\n",
            "xyz = 1\n",
            "[[bots]]\ncommand = \"x\"\nidentty = 1\n",
        ] {
            let words = fault(text).unwrap();
            for written in
                SETTINGS.iter().chain(BOTS).filter(|key| !key.is_offered() && key.name != "left_out")
            {
                let offered = words.split(['?', ' ', ',']).any(|word| word == written.name);
                assert!(!offered, "{words}");
            }
            assert!(!words.contains("left_out"), "{words}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line_and_the_cure() {
        for (text, words) in [
            ("rounds = 2\nsize = [", "line 2: this cannot be read: size = ["),
            ("rounds 2\n", "line 1: this cannot be read: rounds 2; write KEY = VALUE"),
            ("game = hex\n", "with text in quotation marks"),
            ("game = “hex”\n", "quotation marks are straight"),
            ("size = 3\nsize = 4\n", "line 2: this is said a second time: size = 4"),
            ("size = 3\nruonds = 3\n", "line 2: there is no setting 'ruonds'; did you mean rounds?"),
            (
                "rounds = \"two\"\n",
                "rounds is a whole number from 1 to 10000, not \"two\": write for example rounds = 2",
            ),
            ("rounds = 0\n", "rounds is a whole number from 1 to 10000, not 0"),
            (
                "time = \"60\"\n",
                "below the heading [terms]: write [terms] on a line of its own, and this line below it",
            ),
            ("[terms]\nmemory = \"1G\"\n", "below the heading [terms.limits]"),
            ("[terms]\nrounds = 3\n", "at the top of the file"),
            (
                "[terms]\ntime = true\n",
                "quotation marks one with an increment, not true: write for example time = \"60+0.5\"",
            ),
            ("[terms]\nmove_time = -1\n", "move_time is a number of seconds, not -1"),
            ("resume = \"x\"\n", "give it on the command line, as --resume"),
            ("keep-failing = true\n", "did you mean keep_failing?"),
            ("openings = 3000\n", "openings is a whole number from 1 to 1000"),
            (
                "openings = [3]\n",
                "a list of texts such as [\"2 3\"], not [3]: write for example openings = 10",
            ),
            ("pipes = true\n", "write output = \"pipe\" below the heading [terms]"),
            ("left_out = 3\n", "'left_out' is for 'arbitro build' to write"),
            ("bots = [\"./x\"]\n", "write [[bots]] for each bot"),
            ("[bots]\nname = \"ana\"\n", "write [[bots]] for each bot"),
            ("[bots]\nname = \"ana\"\n[bots]\nname = \"beto\"\n", "line 3: write [[bots]] for each bot"),
            ("size = 27\n", "size is a whole number (hex: 2 to 26, rhex: 2 to 26, okupacio: 1 to "),
            ("size = 0\n", "not 0: write for example size = 11"),
            ("terms = 3\n", "terms is a heading: write [terms]"),
            ("size = 3\n[[bots]]\nname = \"ana\"\n", "line 2: here is no command"),
            ("game = \"chess\"\n", "game is \"hex\", \"rhex\", \"okupacio\" or \"xinez\", not \"chess\""),
        ] {
            let found = fault(text).unwrap_or_default();
            assert!(found.contains(words), "{text:?}: {found}");
        }
        let other = fault("[[bots]]\ncommand = \"x\"\ncolour = 1\n").unwrap();
        assert!(other.ends_with("there are: name, command, folder, protocol, setup, files"), "{other}");
    }
}
