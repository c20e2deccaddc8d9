//! The `championship.toml` that `arbitro build` writes: settings, which belong to the professor, and the bots.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};

use crate::championship::config::{Config, LeftOut};
use crate::championship::settings::FILE_NAME;
use crate::championship::toml_text::toml_text;
use crate::cli::exit::usage;
use crate::cli::options::GameOptions;
use crate::game::Setup;
use crate::handins::built::Built;
use crate::handins::handin::HandIn;
use crate::record::replace_file::{Durability, replace_file};

/// What stands between the settings and the bots.
const MARK: &str =
    "# The bots. 'arbitro build' writes all below this line anew; what stands above it stays as it is.";

/// The file as it was found.
pub struct ChampionshipFile {
    path: PathBuf,
    /// What stands above the mark; nothing if there was no file.
    settings: Option<String>,
    config: Config,
    /// What stands below the mark.
    roster: Roster,
}

/// What stands below the mark.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Roster {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bots: Vec<Bot>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Bot {
    name: String,
    folder: String,
    command: String,
}

impl ChampionshipFile {
    /// Reads the file in a folder, if there is one.
    pub fn read(folder: &Path) -> Result<ChampionshipFile> {
        let path = folder.join(FILE_NAME);
        if !path.exists() {
            let (config, roster) = Default::default();
            return Ok(ChampionshipFile { path, settings: None, config, roster });
        }
        let config = Config::read(&path).map_err(usage)?;
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read '{}'", path.display()))?;
        let Some((settings, below)) = text.split_once(MARK) else {
            return Err(usage(anyhow!(
                "'{}' has lost the line that begins with '# The bots.'; move the file away, and 'arbitro build' writes a new one",
                path.display()
            )));
        };
        if let Some(lost) = settings_in(below) {
            return Err(usage(anyhow!(
                "'{}' has {lost} below the line that begins with '# The bots.', where all is written anew; move it above that line",
                path.display()
            )));
        }
        // The whole of the file was read above, which says more of what is wrong.
        let roster = toml::from_str(below).unwrap_or_default();
        Ok(ChampionshipFile { path, settings: Some(settings.to_owned()), config, roster })
    }

    /// The names in the file that are those of no hand-in any more.
    pub fn gone(&self, handins: &[HandIn]) -> Vec<String> {
        let Roster { bots, left_out } = &self.roster;
        let names = bots.iter().map(|bot| &bot.name).chain(left_out.iter().map(|one| &one.name));
        names.filter(|name| !handins.iter().any(|handin| handin.name == **name)).cloned().collect()
    }

    /// The settings in it.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Refuses a game that is not the one in the file, which is the professor's.
    pub fn check(&self, game: &GameOptions, seats: Option<u32>, setup: &Setup) -> Result<()> {
        let is_asked = game.game.is_some() || game.size.is_some() || game.board.is_some() || seats.is_some();
        if self.settings.is_none() || !is_asked {
            return Ok(());
        }
        let theirs = GameOptions { game: None, size: None, board: None }.setup(None, &self.config)?;
        if (theirs.name(), theirs.board()) == (setup.name(), setup.board()) {
            return Ok(());
        }
        Err(usage(anyhow!("'{}' has another game or board; change it there", self.path.display())))
    }

    /// Writes the file with these bots.
    pub fn write(&mut self, setup: &Setup, handins: &[Built]) -> Result<()> {
        let settings = self.settings.get_or_insert_with(|| new_settings(setup));
        let bot = |built: &Built| {
            let (name, command) = (built.name.clone(), built.command.clone()?);
            Some(Bot { folder: format!("bots/{name}"), name, command })
        };
        let left_out =
            |built: &Built| Some(LeftOut { name: built.name.clone(), reason: built.outcome.problem()? });
        let roster = Roster {
            bots: handins.iter().filter_map(bot).collect(),
            left_out: handins.iter().filter_map(left_out).collect(),
        };
        let text = format!("{settings}{MARK}\n\n{}", toml_text(&roster));
        replace_file(&self.path, Durability::Synced, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write '{}'", self.path.display()))
    }
}

/// What stands below the mark and is the professor's: it would be lost.
fn settings_in(below: &str) -> Option<String> {
    let table: toml::Table = below.parse().ok()?;
    let is_ours = |key: &str| key == "bots" || key == "left_out";
    table.iter().find(|(key, _)| !is_ours(key)).map(|(key, value)| match value {
        toml::Value::Table(_) => format!("[{key}]"),
        toml::Value::Array(values) if values.iter().any(toml::Value::is_table) => format!("[[{key}]]"),
        _ => format!("'{key}'"),
    })
}

/// The settings of a file that is new.
fn new_settings(setup: &Setup) -> String {
    #[derive(Serialize)]
    struct Settings<'a> {
        game: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        size: Option<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        seats: Option<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        board: Option<&'a str>,
    }
    let board = setup.board();
    let text = Some(board.text.as_str()).filter(|text| !text.is_empty());
    let settings = Settings {
        game: setup.name(),
        size: text.is_none().then_some(board.size),
        seats: Some(board.seats).filter(|&seats| seats != 2),
        board: text,
    };
    let settings = toml::to_string(&settings).expect("settings are plain values");
    format!(
        "# A championship of hand-ins, for 'arbitro championship --config'.\n\
         # 'arbitro championship --write-config FILE' writes a file with all settings there are.\n\n{settings}\n\
         # A clock has a heading of its own, below all other settings:\n\
         # [terms]\n\
         # time = 60\n\n"
    )
}
