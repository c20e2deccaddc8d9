//! What of a championship others may read than the people who ran it.

use std::collections::BTreeMap;

use crate::game::Seat;
use crate::record::text::printable;
use crate::record::{Fault, GameRecord};

/// The longest name that a page shows.
const LONGEST_NAME: usize = 200;
/// Shorter names are too often parts of a sentence.
const SHORTEST: usize = 3;
/// What is said instead of a reason that would tell who it is.
const WITHHELD: &str = "the reason is not told here, since it has a name in it";

/// What may be read.
#[derive(Clone, Debug, Default)]
pub struct Publication {
    /// Whether paths and commands may.
    pub with_commands: bool,
    /// Folders that are not to be named, whatever stands in their paths.
    pub folders: Vec<String>,
    /// The folder of whoever is logged in, whose name is in it.
    pub home: Option<String>,
    /// Names to be shown instead of the bots' own, if any.
    pub pseudonyms: BTreeMap<String, String>,
}

impl Publication {
    /// The name of a bot as it is shown, harmless wherever it stands.
    pub fn name(&self, bot: &str) -> String {
        let name = self.pseudonyms.get(bot).map_or(bot, String::as_str);
        printable(name.as_bytes(), LONGEST_NAME)
    }

    /// A text about bots that were started by these commands.
    pub fn text(&self, text: &str, commands: &[String]) -> String {
        let mut text = text.to_owned();
        if !self.with_commands {
            for command in commands.iter().filter(|command| command.contains(['/', ' '])) {
                if command.contains(' ') && text.contains(command.as_str()) {
                    text = text.replace(command, "its command");
                }
                // Paths that are not absolute, too.
                for path in command.split_whitespace().filter(|word| word.contains('/')) {
                    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                    if text.contains(path) {
                        text = text.replace(path, last);
                    }
                }
            }
            for folder in &self.folders {
                let is_home = self.home.as_ref() == Some(folder);
                let last = if is_home { "~" } else { folder.rsplit('/').next().unwrap_or_default() };
                text = text.replace(&format!("{folder}/"), "").replace(folder, last);
            }
            if text.contains('/') {
                text = without_paths(&text);
            }
        }
        let is_long = |(name, _): &(&String, &String)| name.chars().count() >= SHORTEST;
        let mut pseudonyms: Vec<_> = self.pseudonyms.iter().filter(is_long).collect();
        // Of "Ana Silva" nothing would be hidden but "Ana", if there is an "Ana" too.
        pseudonyms.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        for (name, other) in pseudonyms {
            text = with_name_replaced(&text, name, other);
        }
        text
    }

    /// Why a bot takes no part. Where names are invented, a reason that has a part of its own in it, such as a file that is called after a
    /// student, is not told.
    pub fn reason(&self, bot: &str, reason: &str, commands: &[String]) -> String {
        let reason = self.text(reason, commands);
        let low = reason.to_lowercase();
        let is_part = |part: &str| part.chars().count() >= SHORTEST && low.contains(&part.to_lowercase());
        let tells = bot.split(|letter: char| !letter.is_alphanumeric()).any(is_part);
        if self.pseudonyms.contains_key(bot) && tells { WITHHELD.to_owned() } else { reason }
    }

    /// A game as those may read it who handed in this bot: of other programs only what they played and by which fault they lost, and of
    /// their own all that is known, without paths of this machine.
    pub fn for_owner(&self, mut record: GameRecord, bot: &str) -> GameRecord {
        let commands: Vec<String> = record.seats.iter().map(|seat| seat.command.clone()).collect();
        let told = |text: &str| self.text(text, &commands);
        let own: Vec<bool> = record.seats.iter().map(|seat| seat.bot == bot).collect();
        let is_own = |seat: Seat| own.get(seat.index()).is_some_and(|&own| own);
        for (seat, &is_own) in record.seats.iter_mut().zip(&own) {
            seat.bot = self.name(&seat.bot);
            seat.command.clear();
            seat.wrote.iter_mut().for_each(|name| *name = told(name));
            if !is_own {
                (seat.identity, seat.exit, seat.wrote) = (None, None, Vec::new());
                (seat.startup_ns, seat.cpu_ns, seat.peak) = (None, None, None);
            }
        }
        record.load = None;
        record.warnings.retain(|warning| is_own(warning.seat));
        record.warnings.iter_mut().for_each(|warning| warning.text = told(&warning.text));
        for loss in record.verdict.losses.iter_mut().filter(|loss| !is_own(loss.seat)) {
            (loss.causes, loss.work) = (Vec::new(), None);
            // Earlier journals told losses in words, which may quote anything.
            if let Fault::Told { what, reason } = &mut loss.fault {
                *what = format!("lost by {reason}");
            }
        }
        // What has something to hide is told in words from now on.
        let in_words: Vec<Option<String>> = record
            .verdict
            .losses
            .iter()
            .map(|loss| {
                let what = record.what(loss);
                Some(told(&what)).filter(|told| *told != what)
            })
            .collect();
        for (loss, what) in record.verdict.losses.iter_mut().zip(in_words) {
            if let Some(what) = what {
                (loss.fault, loss.causes) = (Fault::Told { what, reason: loss.reason }, Vec::new());
            }
        }
        // Hints are added whenever somebody reads the sentence.
        let hints = std::mem::take(&mut record.verdict.hints);
        record.verdict.sentence = told(&record.sentence());
        record.verdict.hints = hints;
        record
    }
}

/// Replaces absolute paths by their last part.
fn without_paths(text: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || "/._-+@~%".contains(letter);
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        // The two of an address of the web are no path.
        let is_address = rest[..at].ends_with(':') && rest[at..].starts_with("//");
        let begins = !is_address && !rest[..at].ends_with(is_part);
        let length = rest[at..].find(|letter: char| !is_part(letter)).unwrap_or(rest.len() - at);
        let path = &rest[at..at + length];
        let last = path.trim_end_matches(['/', '.']).rsplit('/').next().unwrap_or_default();
        // What has one part only, such as the end of an element of HTML, tells nothing.
        let is_path = begins && path.trim_end_matches('/').matches('/').count() > 1;
        shown.push_str(&rest[..at]);
        let ending = &path[path.trim_end_matches('.').len()..];
        match is_path {
            true => shown.extend([last, ending]),
            false => shown.push_str(path),
        }
        rest = &rest[at + length..];
    }
    shown + rest
}

/// Replaces a name where it stands as a word, however it is written.
fn with_name_replaced(text: &str, name: &str, other: &str) -> String {
    // Letter by letter, since some have another length in the other case.
    let low =
        |text: &str| -> Vec<String> { text.chars().map(|letter| letter.to_lowercase().collect()).collect() };
    let (letters, own) = (low(text), low(name));
    let original: Vec<char> = text.chars().collect();
    let joins =
        |at: Option<usize>| at.and_then(|at| original.get(at)).is_some_and(|letter| letter.is_alphanumeric());
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    while at < letters.len() {
        let is_name =
            letters[at..].starts_with(&own) && !joins(at.checked_sub(1)) && !joins(Some(at + own.len()));
        if is_name {
            shown.push_str(other);
            at += own.len();
        } else {
            shown.push(original[at]);
            at += 1;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shortened_to_their_last_part() {
        for (text, expected) in [
            ("there is no file /home/prof/bots/ana.py.", "there is no file ana.py."),
            ("('/opt/x/y', line 3) and/or", "('y', line 3) and/or"),
            ("see https://hexworld.org/board/ now", "see https://hexworld.org/board/ now"),
            ("'/' is the root; 3/4", "'/' is the root; 3/4"),
            ("File \"/tmp/a b/c.py\"", "File \"a b/c.py\""),
            ("/home/prof/results/", "results"),
            ("file:/home/prof/x.jar PATH=/usr/bin:/home/prof/bin", "file:x.jar PATH=bin:bin"),
            ("<b>/tmp/x</b>, /tmp/ and /x", "<b>x</b>, /tmp/ and /x"),
        ] {
            assert_eq!(Publication::default().text(text, &[]), expected);
        }
        let folders = vec!["/home/my prof/x".to_owned()];
        let text = Publication { folders, ..Publication::default() }.text("in /home/my prof/x/a b.py", &[]);
        assert_eq!(text, "in a b.py");
        let folders = vec!["/home/prof/x".to_owned(), "/home/prof".to_owned()];
        let home = Publication { folders, home: Some("/home/prof".into()), ..Publication::default() };
        assert_eq!(home.text("in /home/prof and /home/prof/x/y", &[]), "in ~ and y");
        let all = Publication { with_commands: true, ..Publication::default() };
        assert_eq!(all.text("no /home/x", &[]), "no /home/x");
    }

    #[test]
    fn commands_are_not_told() {
        let text = Publication::default().text("cannot run './ana --fast'", &["./ana --fast".to_owned()]);
        assert_eq!(text, "cannot run 'its command'");
        let text = Publication::default().text("no bots/x/ana.py", &["python3 bots/x/ana.py".to_owned()]);
        assert_eq!(text, "no ana.py");
    }

    #[test]
    fn a_reason_does_not_tell_who_it_is() {
        let pseudonyms = [("Ana Silva", "otter"), ("Zé", "yak")];
        let pseudonyms = pseudonyms.map(|(name, other)| (name.to_owned(), other.to_owned())).into();
        let publication = Publication { pseudonyms, ..Publication::default() };
        let reason = |bot, text| publication.reason(bot, text, &[]);
        assert_eq!(reason("Ana Silva", "it does not compile: ana_silva.c:3: error"), WITHHELD);
        assert_eq!(reason("Ana Silva", "no /home/prof/SILVA.py"), WITHHELD);
        assert_eq!(reason("Ana Silva", "Ana Silva's Makefile has no rule"), "otter's Makefile has no rule");
        assert_eq!(reason("Zé", "no /home/prof/main.py"), "no main.py");
        let open = Publication::default().reason("Ana Silva", "it has only ana_silva.c", &[]);
        assert_eq!(open, "it has only ana_silva.c");
    }

    #[test]
    fn names_are_replaced_where_they_are_words() {
        let pseudonyms = [("ana", "otter"), ("Ana D'Ávila", "yak")];
        let pseudonyms = pseudonyms.map(|(name, other)| (name.to_owned(), other.to_owned())).into();
        let publication = Publication { pseudonyms, ..Publication::default() };
        assert_eq!(publication.text("Ana wrote 'banana' to ana.py", &[]), "otter wrote 'banana' to otter.py");
        assert_eq!(publication.text("Ana D'Ávila beats ana", &[]), "yak beats otter");
        assert_eq!(
            (publication.name("ana"), publication.name("b\u{202e}")),
            ("otter".into(), "b\\u{202e}".into())
        );
    }
}
