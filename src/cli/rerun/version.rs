//! Which version of a bot plays again: the one that played, or the present one.

use std::path::Path;

use anyhow::{Result, anyhow};
use tempfile::TempDir;

use crate::championship::bot_files;
use crate::championship::config::BotConfig;
use crate::championship::containment::Containment;
use crate::championship::copies::Copies;
use crate::championship::entrant::Entrant;
use crate::championship::settings::Settings;
use crate::cli::exit::usage;
use crate::cli::output::warn;
use crate::contain::spec::Size;
use crate::game::Seat;
use crate::record::{GameRecord, Identity};
use crate::referee::protocol::Protocol;

/// A version of a bot.
pub struct Version {
    /// The bot.
    pub entrant: Entrant,
    /// Which version it is, in a few words.
    pub what: String,
    /// Where a copy of it is that is made for this run alone.
    pub place: Option<TempDir>,
}

impl Version {
    /// What a command starts now.
    pub fn present(
        command: &str,
        settings: Option<&Settings>,
        record: &GameRecord,
        seat: Seat,
    ) -> Result<Version> {
        let entrant = Entrant::parse(command).map_err(usage)?;
        entrant.check(record.setup().map_err(usage)?.name()).map_err(usage)?;
        let commands =
            settings.and_then(|settings| settings.bot(record.bot(seat))).map(|bot| bot.setup.clone());
        let entrant = match (entrant.protocol, commands) {
            (Protocol::Htp, Some(commands)) => entrant.with_commands(commands).map_err(usage)?,
            _ => entrant,
        };
        Ok(Version { what: format!("as '{}'", entrant.command), entrant, place: None })
    }

    /// The version that played: its copy among the results in a folder, or its own files if they were not copied.
    pub fn that_played(
        folder: &Path,
        settings: Option<&Settings>,
        record: &GameRecord,
        seat: Seat,
    ) -> Result<Version> {
        let name = record.bot(seat);
        let identity = record.seats.get(seat.index()).and_then(|seat| seat.identity);
        let missing = || {
            usage(anyhow!(
                "the settings beside the journal do not say how {name} is started; give its command with --with"
            ))
        };
        let settings = settings.and_then(|settings| Some((settings, settings.bot(name)?)));
        let (settings, bot) = settings.ok_or_else(missing)?;
        let config = BotConfig::from(bot).of_version(identity);
        let limit = settings.copy_limit.unwrap_or(Size(u64::MAX));
        if let Some(entrant) = config.kept(&Copies::of(folder, limit)) {
            return Ok(Version { entrant, what: "the version that played".to_owned(), place: None });
        }
        let gone = |error| {
            usage(anyhow!(
                "the copy of {name} that played is not in '{}', and {error}; give its present command with --with",
                folder.display()
            ))
        };
        let entrant = config.entrant().map_err(gone)?;
        warn_if_changed(&entrant, identity)?;
        Ok(Version { what: format!("as '{}'", entrant.command), entrant, place: None })
    }

    /// The same with its files read, and copied if it is to be contained.
    pub fn with_files(self, containment: Option<&Containment>, limit: Size) -> Result<Version> {
        let mut entrants = [self.entrant];
        let place = containment.map(|_| tempfile::tempdir()).transpose()?;
        let copies = place.as_ref().map(|place| Copies::of(place.path(), limit));
        let refused = bot_files::take(&mut entrants, copies.as_ref())?;
        if let Some((bot, why)) = refused.first_key_value() {
            return Err(usage(anyhow!("bot '{bot}': {why}")));
        }
        let [entrant] = entrants;
        Ok(Version { entrant, place, ..self })
    }
}

/// Warns where a bot that was not copied is known to be another one by now.
fn warn_if_changed(entrant: &Entrant, identity: Option<Identity>) -> Result<()> {
    let mut entrants = [entrant.clone()];
    bot_files::take(&mut entrants, None)?;
    if identity.is_some() && entrants[0].identity != identity {
        warn(format!("the files of {} have changed since this game", entrant.name));
    }
    Ok(())
}
