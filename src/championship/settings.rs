//! The settings of a championship: complete, as they are written beside its journal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::entrant::{Entrant, Home};
use super::formats::{Contender, Format, Plan};
use super::settings_faults::{fault, other_fault};
pub use super::settings_keys::MOST_ROUNDS;
use super::text_file::{self, FileProblem};
use super::toml_text::toml_text;
use crate::contain::spec::{Size, Tier};
use crate::game::{BoardOptions, Setup, SetupError};
use crate::record::{Identity, Terms};
use crate::score::games_that_count::Accepted;

/// More games of a duel than anybody waits for.
pub const MOST_GAMES: u32 = 1_000_000;

/// The name of the file in the folder of a championship.
pub const FILE_NAME: &str = "championship.toml";

/// Why a bot has no place in the table that has left.
pub const WITHDRAWN: &str = "withdrawn";

/// Everything that a championship depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What it is called, if it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The version of arbitro that began it.
    pub arbitro: String,
    /// The machine it was begun on.
    pub machine: String,
    /// When it was begun.
    pub started: jiff::Timestamp,
    /// How opponents are found.
    pub format: Format,
    /// How many rounds there are.
    pub rounds: u32,
    /// In a duel: how many games there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// The game.
    pub game: String,
    /// The size of its board.
    pub size: u8,
    /// How many play in a game.
    #[serde(default = "two")]
    pub seats: u8,
    /// The text of its board, if it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// What is drawn by lot depends on it.
    pub seed: u64,
    /// First moves that programs are asked to play, for one pairing after the other.
    #[serde(default)]
    pub openings: Vec<String>,
    /// How well programs were contained when it was last gone on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Tier>,
    /// What all programs may read besides their own files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow_read: Vec<PathBuf>,
    /// The most that the files of one bot may hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_limit: Option<Size>,
    /// The conditions of play.
    pub terms: Terms,
    /// Who takes part.
    pub bots: Vec<BotSettings>,
}

fn two() -> u8 {
    2
}

/// A program that takes part, or was meant to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotSettings {
    /// Its name.
    pub name: String,
    /// How it is started, with `htp:` before the command of an engine.
    pub command: String,
    /// Commands that an engine is sent before its game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<String>,
    /// Files that belong to it beside those that its command names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The folder that paths in its command are counted from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PathBuf>,
    /// Whose the folder is that it stands in.
    #[serde(default, skip_serializing_if = "Home::is_unknown")]
    pub home: Home,
    /// The folder that holds this bot alone, if it is known to have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Its command as it plays from its copy, which is then in `/bot`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plays: Vec<String>,
    /// Its identity: a hash of all the files it consists of. Championships of version 1 had another hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// The identities of earlier versions whose games still count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Identity>,
    /// How often its games have been declared to be played again: raise it by one, and they are.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub generation: u32,
    /// The first round it plays in, if it came later.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub from_round: u32,
    /// The round in which it left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_in_round: Option<u32>,
    /// Why it does not take part after all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// The hash of version 1, which nothing can be compared with.
    #[serde(default, rename = "sha256", skip_serializing)]
    _sha256: Option<String>,
}

fn one() -> u32 {
    1
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

impl BotSettings {
    /// A bot that takes part from the beginning.
    pub fn new(entrant: &Entrant) -> BotSettings {
        let has_files = entrant.line.base.is_some() || entrant.own.is_some();
        BotSettings {
            name: entrant.name.clone(),
            command: entrant.command.clone(),
            setup: entrant.commands.clone(),
            files: entrant.files.clone(),
            from: has_files.then(|| entrant.from.clone()),
            home: entrant.home,
            folder: entrant.folder.clone(),
            plays: if has_files { entrant.line.words.clone() } else { Vec::new() },
            identity: entrant.identity,
            accepted: Vec::new(),
            generation: 1,
            from_round: 1,
            left_in_round: None,
            left_out: None,
            _sha256: None,
        }
    }

    /// Somebody who has no program, for this reason, and still stands in the tables.
    pub fn without_program(name: &str, reason: &str) -> BotSettings {
        BotSettings {
            name: name.to_owned(),
            command: String::new(),
            setup: Vec::new(),
            files: Vec::new(),
            from: None,
            home: Home::Unknown,
            folder: None,
            plays: Vec::new(),
            identity: None,
            accepted: Vec::new(),
            generation: 1,
            from_round: 1,
            left_in_round: None,
            left_out: Some(reason.to_owned()),
            _sha256: None,
        }
    }

    /// Whether there is a program at all.
    pub fn has_program(&self) -> bool {
        !self.command.is_empty()
    }

    /// Whether its program is another one than that.
    pub fn is_other(&self, that: &BotSettings) -> bool {
        let is_same =
            self.command == that.command && self.files == that.files && !self.has_changed_since(that);
        self.setup != that.setup || !(is_same || self.is_same_program(that))
    }

    /// Whether it is the same program, whatever it is called by.
    fn is_same_program(&self, that: &BotSettings) -> bool {
        let is_known = self.identity.is_some() && !self.plays.is_empty();
        is_known && self.identity == that.identity && self.plays == that.plays && self.files == that.files
    }

    /// Whether its files are known to have changed since then.
    pub fn has_changed_since(&self, that: &BotSettings) -> bool {
        that.identity.is_some() && self.identity != that.identity
    }

    /// Whether it was left out from the beginning, so that there are no games which another program could be mixed with.
    pub fn has_never_played(&self) -> bool {
        self.left_out.is_some() && self.accepted.is_empty()
    }

    /// Whether it plays on.
    pub fn is_playing(&self) -> bool {
        self.left_out.is_none() && self.left_in_round.is_none()
    }
}

/// Why a file of settings is of no use.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// It cannot be read.
    #[error("cannot read '{0}': {1}")]
    Read(String, FileProblem),
    /// It is not what it should be: where, and why.
    #[error("'{0}' {1}")]
    Syntax(String, String),
}

/// Reads a file of TOML. One that people write by hand is looked at key by key; of others, only what makes them useless is told.
pub(super) fn parse<T: serde::de::DeserializeOwned>(path: &Path, by_hand: bool) -> Result<T, SettingsError> {
    let name = || path.display().to_string();
    let text = text_file::read(path).map_err(|problem| SettingsError::Read(name(), problem))?;
    if let Some(fault) = fault(&text).filter(|_| by_hand) {
        return Err(SettingsError::Syntax(name(), fault));
    }
    // The parser's own words are for programmers.
    toml::from_str(&text).map_err(|error| {
        SettingsError::Syntax(name(), fault(&text).unwrap_or_else(|| other_fault(&text, &error)))
    })
}

/// What tells the settings of earlier versions apart.
#[derive(Deserialize)]
struct Earlier {
    terms: EarlierTerms,
}

#[derive(Deserialize)]
struct EarlierTerms {
    startup_cpu: Option<f64>,
}

impl Settings {
    /// Reads the settings of a championship that was begun.
    pub fn read(path: &Path) -> Result<Settings, SettingsError> {
        let mut settings: Settings = parse(path, false)?;
        // Before there was `startup_cpu`, every program could ponder, without a core of its own, and nobody had asked for it.
        let Earlier { terms } = parse(path, false)?;
        settings.terms.ponder &= terms.startup_cpu.is_some();
        settings.check().map_err(|why| {
            SettingsError::Syntax(path.display().to_string(), format!("cannot be used: {why}"))
        })?;
        Ok(settings)
    }

    /// Whether these can be the settings of a championship, which nobody need have written by hand.
    fn check(&self) -> Result<(), String> {
        self.setup().map_err(|error| error.to_string())?;
        // A duel has as many rounds as its games need.
        let most = if self.format == Format::Duel { MOST_GAMES } else { MOST_ROUNDS };
        if !(1..=most).contains(&self.rounds) {
            return Err(format!("there can be 1 to {most} rounds, not {}", self.rounds));
        }
        let repeated = |(index, bot): (usize, &BotSettings)| {
            self.bots[..index].iter().any(|other| other.name == bot.name)
        };
        match self.bots.iter().enumerate().find(|&bot| repeated(bot)) {
            Some((_, bot)) => Err(format!("two bots are called '{}'", bot.name)),
            None => Ok(()),
        }
    }

    /// The settings of something that begins now, or goes on from what was stored: one round of a round robin, until somebody
    /// says otherwise.
    pub fn new(
        setup: &Setup,
        terms: Terms,
        seed: u64,
        bots: Vec<BotSettings>,
        stored: Option<&Settings>,
    ) -> Settings {
        let board = setup.board();
        Settings {
            title: stored.and_then(|stored| stored.title.clone()),
            arbitro: env!("CARGO_PKG_VERSION").to_owned(),
            machine: machine(),
            started: stored.map_or_else(jiff::Timestamp::now, |stored| stored.started),
            format: Format::RoundRobin,
            rounds: 1,
            games: None,
            game: setup.name().to_owned(),
            size: board.size,
            seats: board.seats,
            board: Some(board.text.clone()).filter(|text| !text.is_empty()),
            seed,
            openings: Vec::new(),
            sandbox: None,
            allow_read: Vec::new(),
            copy_limit: None,
            terms,
            bots,
        }
    }

    /// The text of the file.
    pub fn to_toml(&self) -> String {
        toml_text(self)
    }

    /// The game.
    pub fn setup(&self) -> Result<Setup, SetupError> {
        let (size, seats) = (Some(self.size.into()), Some(self.seats.into()));
        Setup::new(&self.game, BoardOptions { size, seats, text: self.board.clone() })
    }

    /// A bot by its name.
    pub fn bot(&self, name: &str) -> Option<&BotSettings> {
        self.bots.iter().find(|bot| bot.name == name)
    }

    /// The bots in the schedule, those included that have left.
    pub fn contenders(&self) -> impl Iterator<Item = &BotSettings> {
        self.bots.iter().filter(|bot| bot.left_out.is_none())
    }

    /// The names of those that have no place in the table, in order, each with the reason: bots that were left out, and where games of bots
    /// that left do not count, those that were withdrawn.
    pub fn unranked(&self) -> BTreeMap<&str, &str> {
        let keeps = self.plan().keeps_games_of_the_withdrawn();
        let bots = self.bots.iter().filter_map(|bot| {
            let is_withdrawn = !keeps && bot.left_in_round.is_some();
            let reason = bot.left_out.as_deref().or(is_withdrawn.then_some(WITHDRAWN));
            Some((bot.name.as_str(), reason?))
        });
        bots.collect()
    }

    /// The same championship as if nobody had been withdrawn or left out after it had played.
    pub fn with_everybody_back(&self) -> Settings {
        let mut settings = self.clone();
        for bot in settings.bots.iter_mut().filter(|bot| !bot.has_never_played()) {
            (bot.left_out, bot.left_in_round) = (None, None);
        }
        settings
    }

    /// The bots that play on.
    pub fn playing(&self) -> impl Iterator<Item = &BotSettings> {
        self.bots.iter().filter(|bot| bot.is_playing())
    }

    /// The bots that have a place in the table: those that play on, and where their games still count, those that have left.
    pub fn ranked(&self) -> Vec<String> {
        let keeps = self.plan().keeps_games_of_the_withdrawn();
        let ranked = self.contenders().filter(|bot| keeps || bot.is_playing());
        ranked.map(|bot| bot.name.clone()).collect()
    }

    /// What the schedule depends on.
    pub fn plan(&self) -> Plan {
        let contender = |bot: &BotSettings| Contender {
            name: bot.name.as_str().into(),
            from_round: bot.from_round,
            left_in_round: bot.left_in_round,
        };
        Plan {
            format: self.format,
            bots: self.contenders().map(contender).collect(),
            seats: self.seats.into(),
            rounds: self.rounds,
            games: self.games,
            seed: self.seed,
            openings: self.openings.len(),
            set_aside: Vec::new(),
        }
    }

    /// Whose games count.
    pub fn accepted(&self) -> Vec<Accepted> {
        let keeps = self.plan().keeps_games_of_the_withdrawn();
        let counts = self.contenders().filter(|bot| keeps || bot.is_playing());
        let accepted = |bot: &BotSettings| Accepted {
            bot: bot.name.clone(),
            generation: bot.generation,
            identities: bot.identity.iter().chain(&bot.accepted).copied().collect(),
        };
        counts.map(accepted).collect()
    }

    /// The generation of a game between these bots.
    pub fn generation<'a>(&self, bots: impl IntoIterator<Item = &'a str>) -> u32 {
        bots.into_iter().filter_map(|name| self.bot(name)).map(|bot| bot.generation).max().unwrap_or(1)
    }
}

/// What the machine is, in a few words.
fn machine() -> String {
    let system = rustix::system::uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} {} {}, {cores} cores", text(system.sysname()), text(system.release()), text(system.machine()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::championship::config::Config;

    fn settings() -> Settings {
        let bot = |name: &str| BotSettings {
            name: name.into(),
            command: format!("./{name}"),
            setup: Vec::new(),
            files: Vec::new(),
            from: None,
            home: Home::Unknown,
            folder: None,
            plays: Vec::new(),
            identity: Some(Identity::of(b"0")),
            accepted: Vec::new(),
            generation: 1,
            from_round: 1,
            left_in_round: None,
            left_out: None,
            _sha256: None,
        };
        Settings {
            title: None,
            arbitro: "1".into(),
            machine: machine(),
            started: jiff::Timestamp::UNIX_EPOCH,
            format: Format::RoundRobin,
            rounds: 2,
            games: None,
            game: "hex".into(),
            size: 11,
            seats: 2,
            board: None,
            seed: 5,
            openings: vec!["1 1".into()],
            sandbox: Some(Tier::A),
            allow_read: Vec::new(),
            copy_limit: None,
            terms: Terms::default(),
            bots: vec![bot("ana"), bot("beto")],
        }
    }

    #[test]
    fn a_written_file_can_be_read_again_and_be_a_model() {
        let text = settings().to_toml();
        assert_eq!(toml::from_str::<Settings>(&text).unwrap(), settings());
        let model: Config = toml::from_str(&text).unwrap();
        assert_eq!((model.rounds, model.size, model.bots.len()), (Some(2), Some(11), 2));
    }

    /// A key that is written and not in the table of keys would be refused in the model of the next championship.
    #[test]
    fn every_key_that_is_written_is_a_known_one() {
        let mut settings = settings();
        settings.games = Some(4);
        settings.board = Some("4 4".into());
        settings.allow_read = vec!["/opt".into()];
        settings.copy_limit = Some(Size(1 << 30));
        settings.terms.move_time = Some(std::time::Duration::from_secs(1));
        let bot = &mut settings.bots[0];
        (bot.setup, bot.files, bot.plays) = (vec!["x".into()], vec!["x".into()], vec!["x".into()]);
        (bot.from, bot.home, bot.accepted) = (Some("/".into()), Home::Own, vec![Identity::of(b"1")]);
        bot.folder = Some("/".into());
        (bot.generation, bot.from_round, bot.left_in_round) = (2, 2, Some(3));
        bot.left_out = Some("why".into());
        let text = settings.to_toml();
        assert_eq!(fault(&text), None, "{text}");
    }
}
