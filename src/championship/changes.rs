//! What has changed since a championship was begun: its board, other settings, who takes part, and the programs of bots.

use std::collections::BTreeMap;

use super::amendments::Amendments;
use super::copies::{Copies, FileChanges};
use super::entrant::HTP;
use super::settings::{BotSettings, Settings};
use crate::contain::spec::Tier;
use crate::record::{Identity, Summary};

/// What has changed. Where and when it was begun does not matter, nor does what is asked for by [`Amendments`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What makes it another game, a line each: results on different boards make no table together.
    pub board: Vec<String>,
    /// Other settings, a line each.
    pub settings: Vec<String>,
    /// Bots that are new, gone or back, a line each.
    pub roster: Vec<String>,
    /// Bots whose programs are others.
    pub bots: Vec<ChangedBot>,
}

/// A bot whose program is another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedBot {
    /// Its name.
    pub name: String,
    /// What has changed, in words.
    what: String,
    /// What identified its program, if that was known.
    pub old: Option<Identity>,
    new: Option<Identity>,
    /// The files that tell the two programs apart, if that is known.
    pub files: Option<FileChanges>,
    /// How many of its games count.
    pub games: usize,
    /// Whether it was left out after it had played: none of its games count, but they would if it came back.
    pub has_earlier_games: bool,
}

impl Changes {
    /// What has changed from old settings to new ones.
    pub fn between(old: &Settings, new: &Settings, amendments: &Amendments) -> Changes {
        let mut changes = Changes::default();
        let (old_values, new_values) = (values(old), values(new));
        for key in old_values.keys().chain(new_values.keys().filter(|key| !old_values.contains_key(*key))) {
            let value =
                |values: &BTreeMap<String, String>| values.get(key).cloned().unwrap_or("nothing".to_owned());
            let (old, new) = (value(&old_values), value(&new_values));
            if old != new {
                let is_board = matches!(key.as_str(), "game" | "size" | "seats" | "board");
                let lines = if is_board { &mut changes.board } else { &mut changes.settings };
                lines.push(format!("{key}: {old} → {new}"));
            }
        }
        if new.sandbox < old.sandbox {
            let tier = |tier: Option<Tier>| tier.map_or("none".to_owned(), |tier| format!("tier {tier}"));
            let (old, new) = (tier(old.sandbox), tier(new.sandbox));
            changes.settings.push(format!("containment: {old} → {new}, which is weaker"));
        }
        for before in &old.bots {
            let has_left = |bot: &BotSettings| bot.left_in_round.is_some();
            match new.bot(&before.name).filter(|bot| !has_left(bot)) {
                // It joins, as soon as it passes its test.
                Some(_) if before.has_never_played() && !has_left(before) => {}
                None if has_left(before) || amendments.withdraw.contains(&before.name) => {}
                None => changes.roster.push(format!("bot {} is gone", before.name)),
                Some(_) if has_left(before) => changes.roster.push(format!("bot {} is back", before.name)),
                Some(bot) => changes.bots.extend(ChangedBot::of(before, bot)),
            }
        }
        // A bot without a program only stands in the tables.
        let added = new.bots.iter().filter(|bot| old.bot(&bot.name).is_none() && bot.has_program());
        changes.roster.extend(added.map(|bot| format!("bot {} is new", bot.name)));
        changes
    }

    /// Finds out which files have changed, as far as `copies` of both versions are there, and how many of the `games` that count are
    /// theirs.
    pub fn look_closer(&mut self, copies: &Copies, games: &[Summary]) {
        for bot in &mut self.bots {
            bot.files = bot.old.zip(bot.new).and_then(|(old, new)| copies.compare(old, new));
            let is_its = |game: &&Summary| game.seats.iter().any(|seat| seat.bot == bot.name);
            bot.games = games.iter().filter(is_its).count();
        }
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }

    /// Whether more has changed than programs.
    pub fn has_others(&self) -> bool {
        !self.settings.is_empty() || !self.roster.is_empty()
    }

    /// The bots of whose changed programs nobody has said yet what becomes of their games.
    pub fn undecided<'a>(&'a self, amendments: &'a Amendments) -> impl Iterator<Item = &'a ChangedBot> {
        self.bots
            .iter()
            .filter(|bot| !amendments.accept_changes && !amendments.play_again.contains(&bot.name))
    }

    /// All of it, a line for each.
    pub fn lines(&self) -> Vec<String> {
        let bots = self.bots.iter().map(ChangedBot::line);
        self.board
            .iter()
            .chain(&self.settings)
            .cloned()
            .chain(bots)
            .chain(self.roster.iter().cloned())
            .collect()
    }
}

impl ChangedBot {
    fn of(old: &BotSettings, new: &BotSettings) -> Option<ChangedBot> {
        // The same bot may be called by another path.
        if !new.is_other(old) {
            return None;
        }
        let has_changed = new.has_changed_since(old);
        let mut what = Vec::new();
        if has_changed && old.command == new.command && old.command.trim_start_matches(HTP).starts_with('@') {
            what.push("this version of arbitro has another engine".to_owned());
        } else if has_changed {
            what.push("its program has changed".to_owned());
        }
        if old.command != new.command {
            what.push(format!("command '{}' → '{}'", old.command, new.command));
        }
        if old.files != new.files {
            what.push(format!("files '{}' → '{}'", old.files.join("; "), new.files.join("; ")));
        }
        if old.setup != new.setup {
            what.push(format!("set-up commands '{}' → '{}'", old.setup.join("; "), new.setup.join("; ")));
        }
        let has_earlier_games = old.left_out.is_some() && !old.accepted.is_empty();
        let (old, new_identity) = (old.identity.filter(|_| has_changed), new.identity);
        let (name, what) = (new.name.clone(), what.join(", "));
        Some(ChangedBot { name, what, old, new: new_identity, files: None, games: 0, has_earlier_games })
    }

    fn line(&self) -> String {
        let files = self.files.as_ref().map_or(String::new(), |files| format!(" ({files})"));
        let games = match self.games {
            0 => String::new(),
            1 => "; 1 of its games counts so far".to_owned(),
            games => format!("; {games} of its games count so far"),
        };
        format!("bot {}: {}{files}{games}", self.name, self.what)
    }
}

/// Everything that two runs must share, but for the bots.
fn values(settings: &Settings) -> BTreeMap<String, String> {
    let mut table = toml::Table::try_from(settings).expect("settings are plain values and tables");
    for key in ["title", "arbitro", "machine", "started", "sandbox", "copy_limit", "bots"] {
        table.remove(key);
    }
    let mut values = BTreeMap::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => {
                values.extend(inner.into_iter().map(|(key, value)| (key, value.to_string())))
            }
            value => drop(values.insert(key, value.to_string())),
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::championship::entrant::Entrant;
    use crate::game::{BoardOptions, Setup};
    use crate::record::Terms;

    fn settings() -> Settings {
        let setup = Setup::new("hex", BoardOptions::default()).unwrap();
        let bot = |name: &str| {
            let mut bot = BotSettings::new(&Entrant::parse(&format!("{name}=sh")).unwrap());
            bot.identity = Some(Identity::of(b"0"));
            bot
        };
        Settings::new(&setup, Terms::default(), 1, vec![bot("ana"), bot("beto")], None)
    }

    #[test]
    fn changes_are_said_one_by_one() {
        let old = settings();
        let mut new = settings();
        let mut amendments = Amendments::default();
        new.started = jiff::Timestamp::now();
        assert!(Changes::between(&old, &new, &amendments).is_empty());
        (new.rounds, new.size) = (3, 5);
        new.terms.time = "30".parse().unwrap();
        new.bots[0].identity = Some(Identity::of(b"1"));
        new.bots[1].name = "caio".into();
        let changes = Changes::between(&old, &new, &amendments);
        let expected = [
            "size: 14 → 5",
            "rounds: 1 → 3",
            "time: \"60\" → \"30\"",
            "bot ana: its program has changed",
            "bot beto is gone",
            "bot caio is new",
        ];
        assert_eq!(changes.lines(), expected);
        assert_eq!(changes.undecided(&amendments).count(), 1);
        amendments.play_again.push("ana".into());
        assert_eq!(changes.undecided(&amendments).count(), 0);
        amendments.withdraw.push("beto".into());
        assert_eq!(Changes::between(&old, &new, &amendments).roster, ["bot caio is new"]);
    }

    /// Once, a hand-in that was mended held up the championship: "bot ana: command '' → 'sh'".
    #[test]
    fn who_was_left_out_from_the_beginning_may_be_mended() {
        let (mut old, mut new) = (settings(), settings());
        old.bots[0] = BotSettings::without_program("ana", "it does not compile");
        old.bots[1].left_out = Some("it crashes".into());
        new.bots[1].identity = Some(Identity::of(b"1"));
        new.bots.push(BotSettings::without_program("caio", "there is nothing in it"));
        let amendments = Amendments::default();
        assert!(Changes::between(&old, &new, &amendments).is_empty());
        // It has played before it was left out.
        old.bots[1].accepted.push(Identity::of(b"2"));
        let [changed] = &Changes::between(&old, &new, &amendments).bots[..] else {
            panic!("beto has changed")
        };
        assert!(changed.has_earlier_games && changed.name == "beto");
    }
}
