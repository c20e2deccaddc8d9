//! What is to be launched: the shards that have games to play, and what they need of a machine.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::championship::contest;
use crate::championship::estimate::game_at_worst;
use crate::championship::ledger::Ledger;
use crate::championship::settings::Settings;
use crate::championship::shards::launched::Launched;
use crate::championship::shards::part::BotSeconds;
use crate::championship::shards::survey::{self, Progress, State, Survey};
use crate::cli::contest::contest_error;
use crate::cli::output::warn;
use crate::record::journal::FILE_NAME;
use crate::record::{FixtureKey, Summary};

/// What is to be launched.
pub struct Job {
    /// The folder of the championship, which begins at the root.
    pub folder: PathBuf,
    /// Its settings.
    pub settings: Settings,
    /// How it is launched.
    pub launched: Launched,
    /// The numbers of the shards that have games to play.
    pub shards: Vec<u32>,
    /// How many games are to be played.
    pub games: usize,
    /// How many games follow in rounds that nobody can draw up yet.
    pub undrawn: usize,
    /// How many shards run.
    pub running: usize,
    /// How long the longest shard takes, in seconds, about.
    pub longest: f64,
    /// How long it takes at most, if that can be said.
    pub worst: Option<Duration>,
    /// The program that plays.
    pub program: PathBuf,
}

/// Where a championship stands, as all journals together tell.
pub struct Standing {
    /// All attempts.
    pub survey: Survey,
    /// How far each shard is.
    pub shards: Vec<Progress>,
    /// The games of rounds that nobody can draw up yet.
    pub undrawn: usize,
}

impl Standing {
    /// Of a championship in so many shards.
    pub fn read(folder: &Path, settings: &Settings, shards: u32) -> Result<Standing> {
        let (joined, lines) = joined(folder, settings)?;
        let survey = Survey::read(folder, |_| true, warn).context("cannot read the shards")?;
        let pairings = survey::pairings(&joined);
        let all = Ledger::read(settings, lines.into_iter().chain(survey.games().cloned()).collect());
        let played: HashSet<FixtureKey> = all.games.iter().filter_map(Summary::key).collect();
        let set_aside = survey.set_aside(settings);
        let is_over = |key: &FixtureKey| played.contains(key) || set_aside.contains_key(key);
        let seconds =
            BotSeconds::read(folder).context("cannot read how long games take")?.unwrap_or_default();
        let shards = survey::progress(&survey, &pairings, is_over, &seconds, shards);
        let known: usize = pairings.iter().map(Vec::len).sum();
        let counted_elsewhere = joined.games.len().saturating_sub(known);
        let undrawn = joined.scheduled.saturating_sub(known + counted_elsewhere);
        Ok(Standing { survey, shards, undrawn })
    }
}

/// The joined journal, and its lines.
fn joined(folder: &Path, settings: &Settings) -> Result<(Ledger, Vec<Summary>)> {
    let lines = contest::lines(&folder.join(FILE_NAME), warn).map_err(contest_error)?;
    Ok((Ledger::read(settings, lines.clone()), lines))
}

/// How long all that is to be played takes, in seconds, and in how many pairings.
pub fn work(folder: &Path, settings: &Settings) -> Result<(f64, u32)> {
    let (joined, _) = joined(folder, settings)?;
    let seconds = BotSeconds::read(folder).context("cannot read how long games take")?.unwrap_or_default();
    Ok((joined.open.iter().map(|pairing| seconds.of_pairing(pairing)).sum(), joined.open.len() as u32))
}

impl Job {
    /// What is left of the championship in this folder.
    pub fn of(folder: &Path, settings: &Settings, launched: Launched) -> Result<Job> {
        let Standing { shards, undrawn, .. } = Standing::read(folder, settings, launched.shards)?;
        let at_a_time = f64::from(launched.jobs);
        let running = shards.iter().filter(|shard| shard.state == State::Running).count();
        // Those that run are not launched again: they would be played twice.
        let open = || shards.iter().filter(|shard| shard.open > 0 && shard.state != State::Running);
        let longest = open().map(|shard| shard.seconds).fold(0.0, f64::max) / at_a_time;
        let most = open().map(|shard| shard.open).max().unwrap_or_default();
        let worst = game_at_worst(&settings.terms, settings.seats.into());
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        Ok(Job {
            folder: folder.to_owned(),
            settings: settings.clone(),
            shards: open().map(|shard| shard.shard.number).collect(),
            games: open().map(|shard| shard.open).sum(),
            undrawn,
            running,
            longest,
            worst: worst.map(|game| game.mul_f64(most as f64 / at_a_time)),
            program,
            launched,
        })
    }

    /// What a machine has to have free for a shard, in MiB: what its bots may use, and the referee.
    pub fn memory(&self) -> u64 {
        const REFEREE: u64 = 512;
        let bots = u64::from(self.settings.seats) * u64::from(self.launched.jobs);
        bots * self.settings.terms.limits.memory.0.div_ceil(1 << 20) + REFEREE
    }

    /// How many cores a shard needs so that its games have theirs to themselves: one for a game, where bots think in turns, and one for the
    /// referee's own work.
    pub fn cores(&self) -> u32 {
        let seats = u32::from(self.settings.seats);
        let of_game = if self.settings.terms.ponder { seats } else { 1 };
        of_game * u32::from(self.launched.jobs) + 1
    }

    /// How long a job may take, in minutes: twice as long as it probably does, as machines differ, and no longer than it can.
    pub fn minutes(&self) -> u64 {
        const TO_START: f64 = 10.0;
        let likely = 2.0 * self.longest / 60.0;
        let worst = self.worst.map_or(f64::MAX, |worst| worst.as_secs_f64() / 60.0);
        (likely.min(worst) + TO_START).ceil() as u64
    }
}
