//! `arbitro championship --dry-run`: what would be played, and how long that would take.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;

use super::contest::{Stage, contest_error};
use super::exit::{self, usage};
use super::options::ContestOptions;
use super::output::{print, say, warn, wrapped};
use crate::championship::contest;
use crate::championship::entrant::Entrant;
use crate::championship::estimate::Rest;
use crate::championship::formats::Pairing;
use crate::championship::ledger::to_play;
use crate::championship::sample_games::{self, Sample};
use crate::championship::settings::Settings;
use crate::record::text::{counted, duration, visible};
use crate::score::game_times::GameTimes;

/// What is told, as `--json` prints it.
#[derive(Serialize)]
struct Forecast<'a> {
    format: String,
    rounds: u32,
    /// The games that are left.
    games: usize,
    /// Those that were played before.
    played: usize,
    /// How many are played at a time.
    jobs: usize,
    /// How long it will probably take, in seconds; at least, if no game has come to its end.
    about_s: Option<f64>,
    is_at_least: bool,
    /// How long it takes if all clocks are used up; nothing where moves add to the clocks.
    at_worst_s: Option<f64>,
    measured: Measured,
    /// How long a game of each bot against one like it takes, in seconds.
    seconds_a_game: BTreeMap<&'a str, f64>,
    left_out: BTreeMap<&'a str, &'a str>,
    schedule: Vec<Round>,
    /// Games of rounds that are drawn up when those before them are complete.
    undrawn: usize,
}

/// What the time is told from.
#[derive(Default, Serialize)]
struct Measured {
    /// Games of the journal.
    played: usize,
    /// Sample games that came to their end, and that took too long for that.
    samples: usize,
    broken_off: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Round {
    round: u32,
    /// The bots by seat of each game.
    games: Vec<Vec<String>>,
    #[serde(skip)]
    tables: Vec<String>,
}

/// Measures what has not begun, by sample games, and tells of it. Its tests have taken so long.
pub fn of_new(
    settings: &Settings,
    stage: &Stage,
    entrants: &[Entrant],
    jobs: usize,
    tests: Duration,
    options: &ContestOptions,
) -> Result<ExitCode> {
    let plan = settings.plan();
    plan.check().map_err(usage)?;
    let pairings = to_play(&plan, &[]);
    let undrawn = plan.games(&[]).saturating_sub(pairings.iter().map(Vec::len).sum());
    let bots = bots(settings);
    let rest = Rest { pairings: &pairings, undrawn, bots: &bots, running: &[], jobs };
    if !options.run.quiet {
        say(&sample_games::announcement());
    }
    let sample = sample_games::play(&stage.runner(entrants), &rest).context("the referee is in trouble")?;
    if stage.is_interrupted() {
        say("interrupted");
        return Ok(ExitCode::from(exit::INTERRUPTED));
    }
    let Sample { times, games, broken_off, took } = sample;
    let measured =
        Measured { samples: games, broken_off, seconds: took.as_secs_f64(), ..Measured::default() };
    tell(settings, &rest, &times, 0, measured, tests, options)
}

/// Tells what is left of what was begun in a folder, as the games show that were played.
pub fn of_stored(folder: &Path, settings: &Settings, options: &ContestOptions) -> Result<ExitCode> {
    let ledger = contest::ledger(folder, settings, warn).map_err(contest_error)?;
    let jobs = options.workers(&settings.terms, settings.seats)?.jobs;
    let (played, known) = (ledger.games.len(), ledger.open.iter().map(Vec::len).sum::<usize>());
    let undrawn = ledger.scheduled.saturating_sub(played + known);
    let bots = bots(settings);
    let rest = Rest { pairings: &ledger.open, undrawn, bots: &bots, running: &[], jobs };
    let times = GameTimes::of(ledger.games.iter().chain(&ledger.disturbed));
    let measured = Measured { played, ..Measured::default() };
    tell(settings, &rest, &times, played, measured, Duration::ZERO, options)
}

/// The bots that play on.
fn bots(settings: &Settings) -> Vec<Arc<str>> {
    settings.playing().map(|bot| bot.name.as_str().into()).collect()
}

fn tell(
    settings: &Settings,
    rest: &Rest,
    times: &GameTimes,
    played: usize,
    measured: Measured,
    tests: Duration,
    options: &ContestOptions,
) -> Result<ExitCode> {
    let left_out = settings.bots.iter().filter_map(|bot| Some((bot.name.as_str(), bot.left_out.as_deref()?)));
    let alone = |bot: &&Arc<str>| times.knows(bot);
    let a_game = |bot: &Arc<str>| times.expected(&vec![bot.clone(); settings.seats.into()]).as_secs_f64();
    let seconds = |time: Duration| (1000.0 * time.as_secs_f64()).round() / 1000.0;
    let forecast = Forecast {
        format: settings.format.to_string(),
        rounds: settings.rounds,
        games: rest.games(),
        played,
        jobs: rest.jobs,
        about_s: rest.time(times).map(|time| seconds(tests + time)),
        is_at_least: measured.samples + measured.played == 0,
        at_worst_s: rest.time_at_worst(&settings.terms).map(seconds),
        measured,
        seconds_a_game: rest.bots.iter().filter(alone).map(|bot| (&**bot, a_game(bot))).collect(),
        left_out: left_out.collect(),
        schedule: schedule(rest.pairings),
        undrawn: rest.undrawn,
    };
    let text = match options.run.json {
        true => serde_json::to_string_pretty(&forecast)? + "\n",
        false => {
            let width = io::stdout().is_terminal().then(|| console::Term::stdout().size().1.into());
            wrapped(&text(&forecast), width)
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The pairings by round.
fn schedule(pairings: &[Pairing]) -> Vec<Round> {
    let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
    for pairing in pairings {
        let Some(first) = pairing.first() else { continue };
        let number = first.key.round;
        let round = rounds.entry(number).or_insert_with(|| Round {
            round: number,
            games: Vec::new(),
            tables: Vec::new(),
        });
        let names = |bots: &[Arc<str>]| bots.iter().map(|bot| bot.to_string()).collect::<Vec<_>>();
        let games =
            if pairing.len() == 1 { String::new() } else { format!(", {}", counted(pairing.len(), "game")) };
        round.tables.push(format!("{}{games}", names(&first.key.bots).join(" – ")));
        round.games.extend(pairing.iter().map(|fixture| names(&fixture.key.bots)));
    }
    rounds.into_values().collect()
}

fn text(forecast: &Forecast) -> String {
    let Forecast { games, played, jobs, measured, .. } = forecast;
    let time = |seconds: f64| duration(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    let games = match played {
        0 => counted(*games, "game"),
        _ => format!("{} left, {played} played", counted(*games, "game")),
    };
    let rounds = counted(forecast.rounds as usize, "round");
    let mut text = format!("{games}: {}, {rounds}; {jobs} at a time\n", forecast.format);
    let because = match measured {
        Measured { played: 1.., .. } => "as the games show that were played".to_owned(),
        Measured { samples, seconds, .. } => {
            let broken_off = match measured.broken_off {
                0 => String::new(),
                1 => "; 1 more took too long and was broken off".to_owned(),
                games => format!("; {games} more took too long and were broken off"),
            };
            format!("as {} of {} show{broken_off}", counted(*samples, "sample game"), time(*seconds))
        }
    };
    text += &match forecast.about_s {
        _ if forecast.games == 0 => "nothing is left to play\n".to_owned(),
        None => "how long it will take is not known: no game was played yet\n".to_owned(),
        Some(about) if forecast.is_at_least => {
            format!(
                "more than {}: no sample game came to its end in {}\n",
                time(about),
                time(measured.seconds)
            )
        }
        Some(about) => format!("about {}, {because}\n", time(about)),
    };
    text += &match forecast.at_worst_s {
        Some(worst) => format!("at worst {}, if all clocks are used up\n", time(worst)),
        None => "at worst as long as it likes, since each move adds to its clock\n".to_owned(),
    };
    let mut slowest: Vec<_> = forecast.seconds_a_game.iter().collect();
    slowest.sort_by(|one, other| other.1.total_cmp(one.1));
    if !slowest.is_empty() {
        text += "seconds of a game between two such bots:\n";
    }
    for (bot, seconds) in slowest {
        text += &format!("  {seconds:7.2}  {bot}\n");
    }
    for Round { round, tables, .. } in &forecast.schedule {
        text += &format!("round {round}\n");
        tables.iter().for_each(|table| text += &format!("  {table}\n"));
    }
    if forecast.undrawn > 0 {
        let games = counted(forecast.undrawn, "game");
        text += &format!("later rounds, {games}, are drawn up when those before them are complete\n");
    }
    for (bot, why) in &forecast.left_out {
        text += &format!("left out: {bot}: {}\n", visible(why.as_bytes()));
    }
    text
}
