//! The keys of a file of settings: what each takes, and what is wrong with a file, in words for people who write one by hand.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::contain::spec::Size;
use crate::game::GAMES;
use crate::game::nearest::nearest;
use crate::record::time_control::TimeControl;

/// More rounds than anybody waits for.
pub const MOST_ROUNDS: u32 = 10_000;

/// What may stand behind a key.
enum Takes {
    Whole(i64, i64),
    Seconds,
    YesNo,
    Text,
    Texts,
    OneOf(&'static [&'static str]),
    Game,
    Format,
    Time,
    Size,
    /// A heading with keys of its own.
    Heading(&'static [Key]),
    /// A heading that may stand there several times.
    Headings(&'static [Key]),
    /// What only arbitro writes: people are not offered it, and it may be anything.
    Written,
}

/// A key, and a line with it to show how it is written.
struct Key {
    name: &'static str,
    takes: Takes,
    example: &'static str,
    /// Whether its heading is of no use without it.
    is_needed: bool,
}

const fn key(name: &'static str, takes: Takes, example: &'static str) -> Key {
    Key { name, takes, example, is_needed: false }
}

const fn needed(name: &'static str, takes: Takes, example: &'static str) -> Key {
    Key { is_needed: true, ..key(name, takes, example) }
}

const fn written(name: &'static str) -> Key {
    Key { name, takes: Takes::Written, example: "", is_needed: false }
}

const SETTINGS: &[Key] = &[
    key("title", Takes::Text, "title = \"Hex 2026\""),
    key("game", Takes::Game, "game = \"hex\""),
    key("size", Takes::Whole(1, 26), "size = 11"),
    key("seats", Takes::Whole(2, 10), "seats = 3"),
    key("format", Takes::Format, "format = \"swiss\""),
    key("rounds", Takes::Whole(1, MOST_ROUNDS as i64), "rounds = 2"),
    key("seed", Takes::Whole(0, i64::MAX), "seed = 1"),
    key("openings", Takes::Texts, "openings = [\"2 3\", \"7 7, 3 9\"]"),
    key("board", Takes::Text, "board = \"4 4\""),
    key("allow_read", Takes::Texts, "allow_read = [\"/opt/library\"]"),
    key("copy_limit", Takes::Size, "copy_limit = \"1G\""),
    key("terms", Takes::Heading(TERMS), "[terms]"),
    key("bots", Takes::Headings(BOTS), "[[bots]]"),
    key("left_out", Takes::Headings(LEFT_OUT), "[[left_out]]"),
    written("arbitro"),
    written("machine"),
    written("started"),
    written("sandbox"),
    written("games"),
];

const TERMS: &[Key] = &[
    key("time", Takes::Time, "time = \"60+0.5\""),
    key("move_time", Takes::Seconds, "move_time = 10"),
    key("clock", Takes::OneOf(&["wall", "cpu"]), "clock = \"cpu\""),
    key("startup", Takes::Seconds, "startup = 5"),
    key("startup_cpu", Takes::Seconds, "startup_cpu = 1"),
    key("output", Takes::OneOf(&["terminal", "pipe"]), "output = \"pipe\""),
    key("strict", Takes::YesNo, "strict = true"),
    key("retries", Takes::Whole(0, 1_000_000), "retries = 1"),
    key("debug_bots", Takes::YesNo, "debug_bots = true"),
    key("ponder", Takes::YesNo, "ponder = true"),
    key("limits", Takes::Heading(LIMITS), "[terms.limits]"),
];

const LIMITS: &[Key] = &[
    key("memory", Takes::Size, "memory = \"1G\""),
    key("processes", Takes::Whole(1, 100_000), "processes = 256"),
    key("open_files", Takes::Whole(8, 100_000), "open_files = 256"),
    key("file_size", Takes::Size, "file_size = \"64M\""),
    key("scratch", Takes::Size, "scratch = \"64M\""),
];

const BOTS: &[Key] = &[
    key("name", Takes::Text, "name = \"ana\""),
    needed("command", Takes::Text, "command = \"python3 ana.py\""),
    key("folder", Takes::Text, "folder = \"bots/ana\""),
    key("protocol", Takes::OneOf(&["plain", "htp"]), "protocol = \"htp\""),
    key("setup", Takes::Texts, "setup = [\"param_mohex max_time 1\"]"),
    key("files", Takes::Texts, "files = [\"book.txt\"]"),
    written("from"),
    written("home"),
    written("plays"),
    written("identity"),
    written("sha256"),
    written("accepted"),
    written("generation"),
    written("from_round"),
    written("left_in_round"),
    written("left_out"),
];

const LEFT_OUT: &[Key] =
    &[key("name", Takes::Text, "name = \"ana\""), key("reason", Takes::Text, "reason = \"was not built\"")];

/// The headings, with the keys that belong below each.
const HEADINGS: [(&str, &[Key]); 3] = [("[terms]", TERMS), ("[terms.limits]", LIMITS), ("[[bots]]", BOTS)];

/// What is given on the command line only.
const OPTIONS: [&str; 12] = [
    "jobs",
    "out",
    "resume",
    "config",
    "quiet",
    "json",
    "keep_failing",
    "no_pin",
    "raw_logs",
    "accept_changes",
    "tier",
    "require_sandbox",
];

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
        return format!("this is said a second time: {line}");
    }
    let hint =
        if text.contains(['“', '”', '‘', '’']) { "; quotation marks are straight: \"" } else { "" };
    format!(
        "this cannot be read: {line}; write KEY = VALUE, with text in quotation marks, as in game = \"hex\"{hint}"
    )
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
            (Takes::Headings(_), _) => {
                let what = format!(
                    "write {example} for each bot, and a line such as command = \"python3 ana.py\" below it"
                );
                self.add(value.span(), what);
            }
            (takes, value_found) => {
                if let Some(what) = what_it_takes(takes, value_found) {
                    let found = shown(self.text.get(value.span()).unwrap_or_default());
                    let note = if name == "openings" {
                        "; --openings 10 on the command line draws some by lot"
                    } else {
                        ""
                    };
                    self.add(
                        value.span(),
                        format!("{name} is {what}, not {found}: write for example {example}{note}"),
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
            let number = value
                .as_integer()
                .and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok());
            let fits = number.is_some_and(|number| (*least..=*most).contains(&number));
            unless(fits, &format!("a whole number from {least} to {most}"))
        }
        Takes::Seconds => {
            let text =
                value.as_integer().map(|one| one.as_str()).or(value.as_float().map(|one| one.as_str()));
            let seconds = text.and_then(|text| text.parse::<f64>().ok());
            unless(seconds.is_some_and(|seconds| (0.0..=1e6).contains(&seconds)), "a number of seconds")
        }
        Takes::YesNo => unless(value.is_bool(), "true or false"),
        Takes::Text => unless(value.is_str(), "a text in quotation marks"),
        Takes::Texts => {
            let fits =
                value.as_array().is_some_and(|entries| entries.iter().all(|one| one.get_ref().is_str()));
            unless(fits, "a list of texts")
        }
        Takes::OneOf(names) => one_of(names),
        // The files of duels have it, and nobody chooses it.
        Takes::Format if value.as_str() == Some("duel") => None,
        Takes::Format => one_of(&["round-robin", "gauntlet", "swiss"]),
        Takes::Game => one_of(&GAMES.iter().map(|rules| rules.name).collect::<Vec<_>>()),
        Takes::Time => unless(
            is_text(|text| text.parse::<TimeControl>().is_ok()),
            "a number of seconds in quotation marks, with an increment if you like",
        ),
        Takes::Size => unless(is_text(|text| text.parse::<Size>().is_ok()), "a size in quotation marks"),
        Takes::Heading(_) | Takes::Headings(_) | Takes::Written => None,
    }
}

/// What to say of a key that is not one of these.
fn unknown(name: &str, keys: &'static [Key]) -> String {
    let offered = || keys.iter().filter(|key| !matches!(key.takes, Takes::Written)).map(|key| key.name);
    let elsewhere = HEADINGS
        .iter()
        .find(|(_, below)| below.iter().any(|key| key.name == name && !key.example.is_empty()));
    let plain = name.replace('-', "_");
    if let Some(near) = nearest(&plain, offered()) {
        return format!("there is no setting '{name}'; did you mean {near}?");
    }
    if let Some((heading, _)) = elsewhere {
        return format!("'{name}' does not belong here, but below the heading {heading}");
    }
    if SETTINGS.iter().any(|key| key.name == name && !key.example.is_empty()) {
        return format!("'{name}' does not belong here, but at the top of the file, above all headings");
    }
    if OPTIONS.contains(&plain.as_str()) {
        let option = plain.replace('_', "-");
        return format!("'{name}' is no setting of the file; give it on the command line, as --{option}");
    }
    format!("there is no setting '{name}' here; there are: {}", offered().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
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
            ("time = \"60\"\n", "'time' does not belong here, but below the heading [terms]"),
            ("[terms]\nmemory = \"1G\"\n", "below the heading [terms.limits]"),
            ("[terms]\nrounds = 3\n", "at the top of the file"),
            (
                "[terms]\ntime = 60\n",
                "quotation marks, with an increment if you like, not 60: write for example time = \"60+0.5\"",
            ),
            ("[terms]\nmove_time = -1\n", "move_time is a number of seconds, not -1"),
            ("jobs = 4\n", "give it on the command line, as --jobs"),
            ("keep-failing = true\n", "as --keep-failing"),
            ("openings = 3\n", "--openings 10 on the command line"),
            ("bots = [\"./x\"]\n", "write [[bots]] for each bot"),
            ("[bots]\nname = \"ana\"\n", "write [[bots]] for each bot"),
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
