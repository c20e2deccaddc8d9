//! The settings of a championship as people write them in a file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};

use super::copies::Copies;
use super::entrant::{Entrant, HTP, Home, Origin, RosterError};
use super::formats::Format;
use super::settings::{BotSettings, Settings, SettingsError, parse};
use crate::contain::spec::{Size, Tier};
use crate::record::{Identity, Terms};
use crate::referee::protocol::Protocol;

/// Settings as people write them: anything may be missing, and what only a finished file has is passed over, so that the
/// file of one championship can be the model of the next.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "the fields are those of Settings, and options of the command line")]
pub struct Config {
    #[serde(deserialize_with = "title")]
    pub title: Option<String>,
    pub format: Option<Format>,
    pub rounds: Option<u32>,
    pub game: Option<String>,
    pub size: Option<u32>,
    pub seats: Option<u32>,
    pub board: Option<String>,
    pub seed: Option<u64>,
    pub openings: Option<Openings>,
    pub board_file: Option<PathBuf>,
    pub keep_failing: bool,
    pub out: Option<PathBuf>,
    pub jobs: Option<u16>,
    pub no_pin: bool,
    /// The address; nothing in the text if the usual one is meant.
    #[serde(deserialize_with = "address")]
    pub live: Option<String>,
    pub raw_logs: bool,
    pub keep_scratch: bool,
    pub json: bool,
    pub quiet: bool,
    pub no_sandbox: bool,
    pub require_sandbox: bool,
    pub tier: Option<Tier>,
    pub allow_read: Vec<PathBuf>,
    pub copy_limit: Option<Size>,
    pub terms: Terms,
    pub bots: Vec<BotConfig>,
    pub left_out: Vec<LeftOut>,
    arbitro: Option<toml::Value>,
    machine: Option<toml::Value>,
    started: Option<toml::Value>,
    sandbox: Option<toml::Value>,
    games: Option<toml::Value>,
}

/// First moves that programs are asked to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Openings {
    /// So many, drawn by lot.
    Count(usize),
    /// These.
    List(Vec<String>),
    /// Those in a file.
    File(PathBuf),
}

/// What may stand without quotation marks where a text is meant.
#[derive(Deserialize)]
#[serde(untagged)]
enum Plain {
    Text(String),
    YesNo(bool),
    Whole(i64),
    Number(f64),
}

fn title<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Some(match Plain::deserialize(deserializer)? {
        Plain::Text(text) => text,
        Plain::YesNo(yes) => yes.to_string(),
        Plain::Whole(number) => number.to_string(),
        Plain::Number(number) => number.to_string(),
    }))
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Plain::deserialize(deserializer)? {
        Plain::YesNo(yes) => yes.then(String::new),
        Plain::Text(text) => Some(text),
        Plain::Whole(port) => Some(port.to_string()),
        Plain::Number(number) => Some(number.to_string()),
    })
}

impl From<&Settings> for Config {
    /// The settings of a championship that is gone on with.
    fn from(settings: &Settings) -> Config {
        Config {
            title: settings.title.clone(),
            format: Some(settings.format),
            rounds: Some(settings.rounds),
            game: Some(settings.game.clone()),
            size: Some(settings.size.into()),
            seats: Some(settings.seats.into()),
            board: settings.board.clone(),
            seed: Some(settings.seed),
            openings: Some(Openings::List(settings.openings.clone())),
            allow_read: settings.allow_read.clone(),
            copy_limit: settings.copy_limit,
            terms: settings.terms.clone(),
            bots: settings
                .bots
                .iter()
                .filter(|bot| bot.left_in_round.is_none() && bot.has_program())
                .map(BotConfig::from)
                .collect(),
            left_out: settings.bots.iter().filter_map(LeftOut::of).collect(),
            ..Config::default()
        }
    }
}

/// Somebody who takes no part and still stands in the tables, with the reason: a hand-in that could not be built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The name.
    pub name: String,
    /// Why there is no program.
    pub reason: String,
}

impl LeftOut {
    /// The same of a championship that is gone on with; nothing for a bot that has a program.
    fn of(bot: &BotSettings) -> Option<LeftOut> {
        let reason = bot.left_out.clone().filter(|_| !bot.has_program())?;
        Some(LeftOut { name: bot.name.clone(), reason })
    }
}

impl From<&BotSettings> for BotConfig {
    /// A bot of a championship that is gone on with.
    fn from(bot: &BotSettings) -> BotConfig {
        BotConfig {
            name: Some(bot.name.clone()),
            command: bot.command.clone(),
            setup: bot.setup.clone(),
            files: bot.files.clone(),
            from: bot.from.clone(),
            home: bot.home,
            folder: bot.folder.clone(),
            plays: bot.plays.clone(),
            identity: bot.identity,
            ..BotConfig::default()
        }
    }
}

/// A program in a [`Config`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotConfig {
    /// Its name; from the command if missing.
    pub name: Option<String>,
    /// How it is started.
    pub command: String,
    /// The folder that is the bot's own, from that of the file; its command is counted from there.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// What it speaks, if its command does not say so.
    pub protocol: Option<Protocol>,
    /// Commands that an engine is sent before its game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<String>,
    /// Files that belong to it besides those that its command names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Of a championship that is gone on with: see [`BotSettings`].
    #[serde(default)]
    from: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Home::is_unknown")]
    home: Home,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    plays: Vec<String>,
    #[serde(default)]
    identity: Option<Identity>,
    #[serde(rename = "sha256")]
    _sha256: Option<toml::Value>,
    #[serde(rename = "accepted")]
    _accepted: Option<toml::Value>,
    #[serde(rename = "generation")]
    _generation: Option<toml::Value>,
    #[serde(rename = "from_round")]
    _from_round: Option<toml::Value>,
    #[serde(rename = "left_in_round")]
    _left_in_round: Option<toml::Value>,
    #[serde(rename = "left_out")]
    _left_out: Option<toml::Value>,
}

impl BotConfig {
    /// A bot with this name that has a folder to itself, from which its command is counted.
    pub fn in_folder(name: &str, command: &str, folder: &Path) -> BotConfig {
        BotConfig {
            name: Some(name.to_owned()),
            command: command.to_owned(),
            folder: Some(folder.to_owned()),
            ..BotConfig::default()
        }
    }

    /// The same bot in the version that has this identity.
    pub fn of_version(self, identity: Option<Identity>) -> BotConfig {
        BotConfig { identity, ..self }
    }

    /// The same program, as people may write it down.
    pub fn of(entrant: &Entrant) -> BotConfig {
        let is_here = std::env::current_dir().is_ok_and(|here| here == entrant.from);
        BotConfig {
            name: Some(entrant.name.clone()),
            command: entrant.command.clone(),
            setup: entrant.commands.clone(),
            files: entrant.files.clone(),
            from: Some(entrant.from.clone()).filter(|_| !is_here && !entrant.is_built_in()),
            home: entrant.home,
            folder: entrant.folder.clone(),
            ..BotConfig::default()
        }
    }

    /// The program, if it can be started.
    pub fn entrant(&self) -> Result<Entrant, RosterError> {
        let command = self.command();
        if let Some(folder) = &self.folder {
            let folder = folder.canonicalize().map_err(|error| RosterError::Folder(folder.clone(), error))?;
            let from = self.from.as_deref().unwrap_or(&folder);
            let origin = Origin { from, folder: Some(&folder), files: &self.files };
            let entrant = Entrant::of(self.name.as_deref(), &command, origin)?;
            return entrant.with_commands(self.setup.clone());
        }
        let from = self.from.clone().map_or_else(std::env::current_dir, Ok)?;
        let program = from.join(&command);
        let folder =
            program.parent().filter(|_| self.home == Home::Own).and_then(|path| path.canonicalize().ok());
        let origin = Origin { from: &from, folder: folder.as_deref(), files: &self.files };
        let entrant = Entrant::of(self.name.as_deref(), &command, origin)?;
        Entrant { home: self.home, ..entrant }.with_commands(self.setup.clone())
    }

    /// The program as it played before, from its copy: for one whose files are no longer where they were.
    pub fn kept(&self, copies: &Copies) -> Option<Entrant> {
        let copy =
            self.identity.and_then(|identity| copies.find(identity)).filter(|_| !self.plays.is_empty())?;
        let (name, from) = (self.name.as_ref()?, self.from.as_ref()?);
        let origin = Origin { from, folder: self.folder.as_deref(), files: &self.files };
        let entrant = Entrant::kept(name, &self.command(), self.plays.clone(), origin);
        let (own, identity) = (Some(copy.folder), Some(copy.identity));
        Entrant { home: self.home, own, identity, ..entrant }.with_commands(self.setup.clone()).ok()
    }

    fn command(&self) -> String {
        match self.protocol {
            Some(Protocol::Htp) if !self.command.starts_with(HTP) => format!("{HTP}{}", self.command),
            _ => self.command.clone(),
        }
    }
}

impl Config {
    /// Reads a file of settings.
    pub fn read(path: &Path) -> Result<Config, SettingsError> {
        let mut config: Config = parse(path, true)?;
        let base = path.parent().unwrap_or(Path::new(""));
        let openings = config.openings.as_mut().and_then(|openings| match openings {
            Openings::File(path) => Some(path),
            Openings::Count(_) | Openings::List(_) => None,
        });
        let folders = config.bots.iter_mut().filter_map(|bot| bot.folder.as_mut());
        for path in folders.chain(config.board_file.as_mut()).chain(openings) {
            *path = base.join(&*path);
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_can_be_named_in_two_ways() {
        let text = |line: &str| format!("[[bots]]\n{line}\nsetup = [\"param_mohex max_time 1\"]\n");
        let entrant = |line: &str| toml::from_str::<Config>(&text(line)).unwrap().bots[0].entrant();
        let by_field = entrant("protocol = \"htp\"\ncommand = \"sh\"").unwrap();
        assert_eq!(by_field, entrant("command = \"htp:sh\"").unwrap());
        assert_eq!((by_field.protocol, by_field.commands.len()), (Protocol::Htp, 1));
        assert!(entrant("command = \"sh\"").is_err(), "only engines have set-up commands");
    }

    #[test]
    fn a_mistake_is_shown_with_its_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        for (text, words) in [
            ("rounds = 2\nsize = [", "x.toml' line 2: this cannot be read"),
            (
                "rounds = 2\nruonds = 3\n",
                "x.toml' line 2: there is no setting 'ruonds'; did you mean rounds?",
            ),
            ("[[bots]]\nname = \"ana\"\n", "here is no command"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Config::read(&path).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        let missing = Config::read(&folder.path().join("none")).unwrap_err().to_string();
        assert!(missing.ends_with("none': there is no such file"), "{missing}");
    }
}
