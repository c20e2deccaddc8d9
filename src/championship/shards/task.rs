//! What a worker has to play that takes up a shard.

use std::collections::BTreeMap;
use std::path::Path;

use super::part::{BotSeconds, games_of};
use super::shard::Shard;
use super::survey::{Survey, pairings};
use crate::championship::contest::{self, ContestError};
use crate::championship::formats::Pairing;
use crate::championship::ledger::Ledger;
use crate::championship::settings::Settings;
use crate::record::FixtureKey;
use crate::record::journal::FILE_NAME;

/// What a worker has to play.
pub struct Task {
    /// All games of the shard that may be played, finished ones too.
    pub pairings: Vec<Pairing>,
    /// What is known of the games that were played.
    pub ledger: Ledger,
    /// Games of the shard that are not played any more, as too many workers ended in them, with the machines of those.
    pub set_aside: BTreeMap<FixtureKey, Vec<String>>,
}

impl Task {
    /// Finds out what there is to do. Earlier attempts at the shard are read, and all of other divisions into shards: what they have
    /// finished is not played again.
    pub fn read(
        championship: &Path,
        settings: &Settings,
        shard: Shard,
        mut warn: impl FnMut(String),
    ) -> Result<Task, ContestError> {
        let failed = |error| ContestError::Folder(championship.to_owned(), error);
        let lines = contest::lines(&championship.join(FILE_NAME), &mut warn)?;
        let joined = Ledger::read(settings, lines.clone());
        let seconds = BotSeconds::read(championship).map_err(failed)?.unwrap_or_default();
        let all = pairings(&joined);
        let mut own = games_of(&all, &seconds, shard);
        let is_read = |other: Shard| other.of != shard.of || other == shard;
        let survey = Survey::read(championship, |attempt| attempt.shard().is_none_or(is_read), warn)
            .map_err(failed)?;
        let mut set_aside = survey.set_aside(settings);
        set_aside.retain(|game, _| own.remove(game));
        let mut pairings = all;
        pairings.retain_mut(|pairing| {
            pairing.retain(|fixture| own.contains(&fixture.key));
            !pairing.is_empty()
        });
        let lines = lines.into_iter().chain(survey.games().cloned()).collect();
        Ok(Task { pairings, ledger: Ledger::read(settings, lines), set_aside })
    }
}
