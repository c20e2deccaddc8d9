//! `arbitro championship --shard`: a part of a championship, played on one of several machines.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow};

use super::contest::{Stage, contest_error};
use super::exit::{self, usage};
use super::options::{ContestOptions, Workers};
use super::output::{COMMAND, quoted, say, warn};
use super::progress::{Detail, Progress};
use crate::championship::amendments::Amendments;
use crate::championship::bot_files;
use crate::championship::changes::Changes;
use crate::championship::config::Config;
use crate::championship::contest::{self, Contest, ContestError, Part};
use crate::championship::copies::{self, Copies};
use crate::championship::cores;
use crate::championship::entrant::Entrant;
use crate::championship::machine::Machine;
use crate::championship::settings::{BotSettings, Settings};
use crate::championship::shards::attempt::{self, AttemptLog, End, Start};
use crate::championship::shards::merge;
use crate::championship::shards::shard::Shard;
use crate::championship::shards::task::Task;
use crate::record::FixtureKey;
use crate::record::journal::JournalError;
use crate::record::text::counted;

/// Clocks that differ by more seconds than these are told of.
pub const CLOCKS_DIFFER: f64 = 30.0;

/// Plays a shard of the championship in this folder.
pub fn run(options: &ContestOptions, folder: &Path, shard: Shard) -> Result<ExitCode> {
    let Some(stored) = contest::stored(folder).map_err(contest_error)? else {
        return Err(usage(anyhow!(
            "there is no championship in '{}' to play a shard of; prepare it first:\n{COMMAND}arbitro championship BOT... --prepare --out {}",
            folder.display(),
            quoted(folder)
        )));
    };
    let quiet = options.run.quiet;
    let config = Config::from(&stored);
    let containment = options.sandbox.containment(&config, quiet)?;
    let copies = Copies::of(&std::path::absolute(folder)?, options.sandbox.copy_limit(&config));
    let entrants = entrants(&config, &stored, containment.is_some().then_some(&copies))?;
    let setup = options.game.setup(None, &config)?;
    let seed = options.run.seed.unwrap_or(stored.seed);
    let terms = options.terms.terms(&config);
    let asked = Settings::new(&setup, terms, seed, stored.bots.clone(), Some(&stored));
    let (format, rounds, openings) = (stored.format, stored.rounds, stored.openings.clone());
    let mut settings = Settings { format, rounds, openings, ..asked };
    let workers = workers(options, &settings)?;
    let stage = Stage::set(folder, &mut settings, containment, workers)?;
    let changes = Changes::between(&stored, &settings, &Amendments::default());
    if !changes.is_empty() {
        let changes = changes.lines().join("\n  ");
        return Err(usage(anyhow!(
            "a shard is played with the settings of the whole championship, and these differ:\n  {changes}"
        )));
    }
    let attempts = attempt::attempts(folder)
        .map_err(|error| contest_error(ContestError::Folder(folder.to_owned(), error)))?;
    merge::check_attempts(folder, &attempts, &stored).map_err(|error| {
        usage(anyhow!("{error}\nput back the settings that those games were played with, or prepare a new championship with --out"))
    })?;
    if let Some(other) = attempts.iter().find(|other| other.shard() == Some(shard) && other.is_running_here())
    {
        let pid = other.start.as_ref().map_or(0, |start| start.pid);
        say(&format!(
            "shard {shard} is played on this machine already, by process {pid}; wait for it, or end it"
        ));
        return Ok(ExitCode::from(exit::STOPPED));
    }
    let Task { pairings, ledger, set_aside } =
        Task::read(folder, &stored, shard, warn).map_err(contest_error)?;
    set_aside.iter().for_each(|(game, hosts)| warn(not_played(game, hosts)));
    let games = pairings.iter().map(Vec::len).sum::<usize>() + set_aside.len();
    let log = AttemptLog::open(folder, shard).map_err(|error| contest_error(error.into()))?;
    let ahead_s = log.clock_ahead();
    if ahead_s.abs() > CLOCKS_DIFFER {
        let seconds = ahead_s.abs();
        warn(format!(
            "the clocks of this machine and of '{}' differ by {seconds:.0} s; set them, or compare no moments of different machines",
            folder.display()
        ));
    }
    let mut contest = Contest::open_part(stored, ledger, Part { pairings, log }).map_err(contest_error)?;
    contest.keep_raw_logs(options.run.raw_logs);
    let (job, restart) = attempt::job();
    let start = Start {
        shard,
        games,
        open: games - set_aside.len() - contest.games().len(),
        arbitro: env!("CARGO_PKG_VERSION").to_owned(),
        machine: Machine::here(),
        job,
        restart,
        pid: std::process::id(),
        at: jiff::Timestamp::now(),
        ahead_s,
    };
    tell(&mut contest, |log| log.start(start))?;
    let mut progress = Progress::new(&contest, stage.in_progress(), Detail::Leaders, &options.run);
    let played = contest.play(&stage.runner(&entrants), |contest, news| {
        progress.show(contest, &news);
        ControlFlow::Continue(())
    });
    progress.done();
    played.map_err(contest_error)?;
    let done = contest.games().len();
    let (end, code) = match (done == games, stage.is_interrupted(), stage.is_terminated()) {
        (true, ..) => (End::Complete, 0),
        (_, false, _) => (End::Incomplete, exit::INCOMPLETE),
        (.., true) => (End::Stopped, exit::STOPPED),
        (.., false) => (End::Stopped, exit::INTERRUPTED),
    };
    tell(&mut contest, |log| log.end(end))?;
    if !quiet || code != 0 {
        let why = contest.given_up().map_or(String::new(), |why| format!(", {why}"));
        say(&format!(
            "shard {shard}: {done} of {}{why}; when all shards have been played:\n{COMMAND}arbitro merge {}",
            counted(games, "game"),
            quoted(folder)
        ));
    }
    Ok(ExitCode::from(code))
}

/// Writes into the log of the attempt.
fn tell(contest: &mut Contest, write: impl FnOnce(&mut AttemptLog) -> std::io::Result<()>) -> Result<()> {
    let Some(log) = contest.attempt() else { return Ok(()) };
    let folder = log.folder().to_owned();
    Ok(write(log).map_err(|error| JournalError::from_io(&folder, error))?)
}

/// That a game is not played, since workers ended in it.
pub fn not_played(game: &FixtureKey, hosts: &[String]) -> String {
    format!(
        "{} (round {}, game {}) is not played any more: {} workers ended in it without a word, on {}",
        game.bots.join(" – "),
        game.round,
        game.leg,
        hosts.len(),
        hosts.join(", ")
    )
}

/// The bots as they were when the championship was prepared: those whose files are copied play from their copies.
///
/// # Errors
/// If one of them is another program here.
fn entrants(config: &Config, stored: &Settings, copies: Option<&Copies>) -> Result<Vec<Entrant>> {
    let mut entrants = Vec::new();
    let mut faults = Vec::new();
    for bot in &config.bots {
        let name = bot.name.clone().unwrap_or_default();
        let Some(known) = stored.bot(&name).filter(|bot| bot.is_playing()) else { continue };
        let kept = copies.and_then(|copies| bot.kept(copies));
        match (kept, copies.filter(|_| !known.plays.is_empty())) {
            (Some(entrant), _) => entrants.push(entrant),
            (None, Some(_)) => faults.push(format!(
                "bot {name}: its copy {}/{} is missing or was changed",
                copies::FOLDER,
                known.identity.map_or(String::new(), |identity| identity.to_string())
            )),
            (None, None) => match bot.entrant() {
                Ok(entrant) => entrants.push(entrant),
                Err(problem) => faults.push(problem.to_string()),
            },
        }
    }
    let refused = bot_files::take(&mut entrants, copies)?;
    faults.extend(refused.iter().map(|(bot, why)| format!("bot {bot}: {why}")));
    let is_other = |known: &BotSettings, entrant: &Entrant| known.identity != entrant.identity;
    for entrant in entrants.iter().filter(|entrant| !refused.contains_key(&entrant.name)) {
        if stored.bot(&entrant.name).is_some_and(|known| is_other(known, entrant)) {
            let what = if entrant.is_built_in() {
                "this arbitro has another engine"
            } else {
                "it is another program here"
            };
            faults.push(format!("bot {}: {what} than when the championship was prepared", entrant.name));
        }
    }
    match faults.is_empty() {
        true => Ok(entrants),
        false => Err(usage(anyhow!(
            "the bots are not the same on this machine:\n  {}\ncopy the folder and the program arbitro here again from where it was prepared",
            faults.join("\n  ")
        ))),
    }
}

/// How many games run at a time. Where a scheduler has given us fewer cores than we see, it has bound nobody to any: others may play
/// games on those that we would choose.
fn workers(options: &ContestOptions, settings: &Settings) -> Result<Workers> {
    let workers = options.workers(&settings.terms, settings.seats)?;
    let given = std::env::var("SLURM_CPUS_PER_TASK").ok().and_then(|cores| cores.parse::<usize>().ok());
    Ok(match given.filter(|&given| given < cores::count()) {
        Some(given) if options.run.jobs.is_none() => Workers { jobs: (given / 2).max(1), pin: false },
        Some(_) => Workers { pin: false, ..workers },
        None => workers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_set_aside_is_named() {
        let game = FixtureKey { round: 2, leg: 1, bots: vec!["ana".into(), "beto".into()] };
        assert_eq!(
            not_played(&game, &["lab1".to_owned(), "lab2".to_owned(), "lab1".to_owned()]),
            "ana – beto (round 2, game 1) is not played any more: 3 workers ended in it without a word, on lab1, lab2, lab1"
        );
    }
}
