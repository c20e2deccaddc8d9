//! `arbitro championship --prepare`: all that several machines need before they play.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};

use super::contest::Stage;
use super::exit;
use super::output::{COMMAND, quoted, say};
use crate::championship::contest::Contest;
use crate::championship::entrant::Entrant;
use crate::championship::sample_games;
use crate::championship::shards::part::BotSeconds;
use crate::record::journal::JournalError;
use crate::record::text::{counted, duration};

/// Measures how long games take, and keeps the figures beside the settings of a championship that was just begun. If `tells_next`, how its
/// shards are launched is told.
pub fn measure(
    contest: &Contest,
    stage: &Stage,
    entrants: &[Entrant],
    jobs: usize,
    quiet: bool,
    tells_next: bool,
) -> Result<ExitCode> {
    let folder = contest.folder();
    if !quiet {
        say(&sample_games::announcement());
    }
    let sample = contest.ask_of_rest(jobs, |rest| sample_games::play(&stage.runner(entrants), rest));
    let sample = sample.context("the referee is in trouble")?;
    if stage.is_interrupted() {
        say("interrupted; give the command once more");
        return Ok(ExitCode::from(exit::INTERRUPTED));
    }
    let known = entrants.iter().filter(|bot| sample.times.knows(&bot.name));
    let seconds = BotSeconds::new(known.map(|bot| (bot.name.clone(), sample.times.part_of(&bot.name))));
    seconds.write(folder).map_err(|error| JournalError::from_io(&BotSeconds::path(folder), error))?;
    let left = contest.scheduled() - contest.games().len();
    let one_by_one = contest.ask_of_rest(1, |rest| rest.time(&sample.times)).unwrap_or_default();
    if !quiet {
        let (games, time) = (counted(left, "game"), duration(one_by_one.max(Duration::from_secs(1))));
        let folder = quoted(folder);
        let next = format!(
            "; on several machines, for example in 8 parts:\n\
             {COMMAND}arbitro launch slurm {folder} --shards 8\n\
             {COMMAND}arbitro launch parallel {folder} --shards 8"
        );
        let next = if tells_next { &next } else { "" };
        say(&format!("prepared: {games}, about {time} one after the other{next}"));
    }
    Ok(ExitCode::SUCCESS)
}
