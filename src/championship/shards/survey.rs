//! What all attempts at the shards of a championship amount to: what is finished, what runs, what failed, and what is set aside.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

use serde::Serialize;

use super::attempt::{Attempt, attempts};
use super::part::{BotSeconds, share_out};
use super::shard::Shard;
use crate::championship::formats::Pairing;
use crate::championship::ledger::{Ledger, played};
use crate::championship::settings::Settings;
use crate::record::{FixtureKey, Summary};

/// A game in which so many workers ended without a word is not played any more before somebody has looked at it.
pub const MOST_FALLS: usize = 3;

/// All attempts, with the games that each has finished.
pub struct Survey {
    /// The attempts, by name.
    pub attempts: Vec<(Attempt, Vec<Summary>)>,
}

impl Survey {
    /// Reads those attempts in the folder of a championship that `wanted` is true of. Damage is told to `warn`, but for the line that
    /// somebody is just writing.
    pub fn read(
        championship: &Path,
        wanted: impl Fn(&Attempt) -> bool,
        mut warn: impl FnMut(String),
    ) -> io::Result<Survey> {
        let mut read = Vec::new();
        for attempt in attempts(championship)?.into_iter().filter(wanted) {
            let games = attempt.games(&mut warn)?;
            read.push((attempt, games));
        }
        Ok(Survey { attempts: read })
    }

    /// All games that were finished.
    pub fn games(&self) -> impl Iterator<Item = &Summary> {
        self.attempts.iter().flat_map(|(_, games)| games)
    }

    /// The games in which too many workers ended without a word, with the machines that those ran on.
    pub fn set_aside(&self, settings: &Settings) -> BTreeMap<FixtureKey, Vec<String>> {
        let mut falls: BTreeMap<FixtureKey, Vec<String>> = BTreeMap::new();
        for (attempt, games) in &self.attempts {
            let finished: HashSet<FixtureKey> = games.iter().filter_map(Summary::key).collect();
            let fallen: HashSet<&FixtureKey> = attempt
                .unfinished(&finished)
                .filter(|begun| {
                    begun.generation == settings.generation(begun.game.bots.iter().map(|bot| &**bot))
                })
                .map(|begun| &begun.game)
                .collect();
            for game in fallen {
                falls.entry(game.clone()).or_default().push(attempt.host().to_owned());
            }
        }
        let finished: HashSet<FixtureKey> = self.games().filter_map(Summary::key).collect();
        falls.retain(|game, hosts| hosts.len() >= MOST_FALLS && !finished.contains(game));
        falls
    }
}

/// The pairings that shards are shared out of: those that the schedule has after the games of the joined journal, whether they were played
/// or not. While shards are played nothing of it changes, since that journal only grows when they are joined, and then by games of
/// these pairings.
pub fn pairings(joined: &Ledger) -> Vec<Pairing> {
    joined.plan.pairings(&played(&joined.plan, &joined.games))
}

/// How far a shard is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// Which one.
    pub shard: Shard,
    /// How many games it has.
    pub games: usize,
    /// How many of them are still to be played.
    pub open: usize,
    /// How long those will take one after the other, in seconds.
    pub seconds: f64,
    /// How far the last attempt at it has come.
    pub state: State,
    /// Where that was made.
    pub host: String,
}

/// How far the last attempt at a shard has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum State {
    /// Nobody has begun it.
    Missing,
    /// A worker plays.
    Running,
    /// The last worker has ended, and games are missing.
    Failed,
    /// All games are played.
    Done,
}

/// How far each of so many shards is.
pub fn progress(
    survey: &Survey,
    pairings: &[Pairing],
    is_played: impl Fn(&FixtureKey) -> bool,
    seconds: &BotSeconds,
    of: u32,
) -> Vec<Progress> {
    let new = |number| Progress {
        shard: Shard { number, of },
        games: 0,
        open: 0,
        seconds: 0.0,
        state: State::Missing,
        host: String::new(),
    };
    let mut shards: Vec<Progress> = (1..=of).map(new).collect();
    for (pairing, number) in pairings.iter().zip(share_out(pairings, seconds, of)) {
        let shard = &mut shards[number as usize - 1];
        shard.games += pairing.len();
        for fixture in pairing.iter().filter(|fixture| !is_played(&fixture.key)) {
            shard.open += 1;
            shard.seconds += seconds.of_game(fixture.key.bots.iter().map(|bot| &**bot));
        }
    }
    for (attempt, _) in &survey.attempts {
        let Some(shard) = attempt.shard().filter(|shard| shard.of == of) else { continue };
        let progress = &mut shards[shard.number as usize - 1];
        // One that plays is worth more than any that came to nothing.
        if progress.state != State::Running {
            progress.state = if attempt.is_alive { State::Running } else { State::Failed };
            progress.host = attempt.host().to_owned();
        }
    }
    for shard in shards.iter_mut().filter(|shard| shard.open == 0) {
        shard.state = State::Done;
    }
    shards
}
