//! `arbitro championship`: a tournament of any number of programs.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::options::{
    GameOptions, MatchTermsOptions, RunOptions, SandboxOptions, bot_settings, contest_error, new_folder,
    new_seed,
};
use super::output::{print, say, warn};
use super::{EXIT_INTERRUPTED, usage};
use crate::championship::contest::{self, Contest};
use crate::championship::roster::{self, Entrant};
use crate::championship::runner::{Event, Runner};
use crate::championship::schedule::{Format, most_swiss_rounds, usual_table_rounds};
use crate::championship::settings::{self, Config, Settings};
use crate::championship::standings::{Standing, Standings};
use crate::championship::{openings, shipped, smoke, tables};
use crate::record::summary::Summary;
use crate::referee::interrupt::Interrupt;
use crate::view::standings as view;

/// A championship of any number of programs, with tables
#[derive(ClapArgs)]
#[command(after_help = "\
A BOT is a command such as './ana' or 'python3 beto.py', NAME=COMMAND, an engine that speaks HTP (htp:COMMAND), \
a built-in (@random @greedy @easy @medium @hard @max), or a folder, which means every program in it. With no bot at all, the \
game's example bots and some levels of the reference play.

Everything lands in results/<date-time>: the journal games.jsonl, standings.csv, crosstable.csv, games.csv, championship.toml. \
A championship that was interrupted goes on when the command is repeated with the same --out, or with --resume DIR.

Examples:
  arbitro championship                              the shipped bots
  arbitro championship bots/ @greedy --time 30      everybody in bots/ and the reference
  arbitro championship bots/ --format swiss --rounds 7 --jobs 4 --out results/2026
  arbitro championship bots/ 'mohex=htp:./mohex --quiet' --openings openings.sgf
  arbitro championship bots/ --game okupacio --seats 4 --board tauler.txt
  arbitro championship --resume results/2026")]
pub struct Args {
    /// Programs, or folders of programs
    #[arg(value_name = "BOT|DIR")]
    bots: Vec<String>,
    /// Settings and bots in a file: the same keys as in the championship.toml of any championship
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    /// How opponents are found: round-robin, gauntlet (the first against all others) or swiss [default: round-robin]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// How many sit at a table, for games of more than two: okupacio (up to 10) and xinez (up to 6) [default: 2]
    #[arg(long, value_name = "K")]
    seats: Option<u32>,
    /// Rounds; in each, those who meet play two games, one with each side; with --seats K everybody plays K games, one in
    /// each seat [default: 1; swiss: as many as find the best; --seats: as many as let any two meet twice]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_ROUNDS)))]
    rounds: Option<u32>,
    /// Ask programs to begin with given moves: a number of fair first moves drawn by lot, or a file with an
    /// opening on each line, or an SGF file
    #[arg(long, value_name = "FILE|N")]
    openings: Option<String>,
    /// Keep programs that fail the test before the first game: they stay in, and lose
    #[arg(long)]
    keep_failing: bool,
    /// The folder to write to, or to go on in [default: results/<date-time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the championship in this folder, with the settings it has
    #[arg(long, value_name = "DIR", conflicts_with_all = ["bots", "config", "out", "format", "rounds", "openings", "seats"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    terms: MatchTermsOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// More rounds than anybody waits for.
const MOST_ROUNDS: u32 = 10_000;

/// Plays the championship.
pub fn run(args: Args) -> Result<ExitCode> {
    let config = match (&args.config, &args.resume) {
        (Some(path), _) => Config::read(path).map_err(usage)?,
        (None, Some(folder)) if contest::stored(folder).map_err(contest_error)?.is_some() => {
            Config::read(&folder.join(settings::FILE_NAME)).map_err(usage)?
        }
        (None, Some(folder)) => {
            return Err(usage(anyhow!("there is no championship to go on with in '{}'", folder.display())));
        }
        (None, None) => Config::default(),
    };
    let folder = args.resume.clone().or_else(|| args.out.clone()).unwrap_or_else(|| new_folder(""));
    let stored = contest::stored(&folder).map_err(contest_error)?;
    let interrupt = Interrupt::catch().context("cannot catch signals")?;
    let mut entrants = entrants(&args, &config, &folder)?;
    if let Some(stored) = &stored {
        // The schedule depends on the order. New ones come last.
        let place = |entrant: &Entrant| stored.bots.iter().position(|bot| bot.name == entrant.name);
        entrants.sort_by_key(|entrant| place(entrant).unwrap_or(usize::MAX));
    }
    let mut settings = settings(&args, &config, stored.as_ref(), &entrants)?;
    let setup = settings.setup().map_err(usage)?;
    check_format(&settings)?;
    let containment = args.sandbox.containment(&folder, args.run.quiet)?;
    settings.sandbox = containment.as_ref().map(|containment| containment.tier);
    let board_file = contest::write_board(&folder, &setup).map_err(contest_error)?;
    let openings = settings.openings.clone();
    let terms = settings.terms.clone();
    let runner = |roster| Runner {
        roster,
        setup: &setup,
        board_file: &board_file,
        terms: &terms,
        jobs: args.run.jobs(),
        pin: !args.run.no_pin,
        openings: &openings,
        containment: containment.as_ref(),
        interrupt: &interrupt,
    };
    let before =
        |name: &str| stored.as_ref().and_then(|stored| stored.bots.iter().find(|bot| bot.name == name));
    let untested = |entrant: &Entrant| match (before(&entrant.name), settings.bot(&entrant.name)) {
        (Some(before), Some(now)) => before.is_other(now) || (before.left_out.is_some() && args.keep_failing),
        _ => true,
    };
    let to_test: Vec<Entrant> = entrants.iter().filter(|entrant| untested(entrant)).cloned().collect();
    if !to_test.is_empty() && !args.run.quiet {
        say(&format!("testing {} bots …", to_test.len()));
    }
    let failures = smoke::test(&runner(&[]), &to_test, |bot, failure| {
        warn(match args.keep_failing {
            true => format!("bot {bot} fails its test but stays in: {failure}"),
            false => format!("bot {bot} is left out (--keep-failing keeps it in): {failure}"),
        });
    })
    .context("the referee is in trouble")?;
    if interrupt.requested() {
        say("interrupted before the first game");
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    let tested = |name: &str| to_test.iter().any(|entrant| entrant.name == name);
    for bot in &mut settings.bots {
        bot.left_out = match before(&bot.name) {
            Some(before) if !tested(&bot.name) => before.left_out.clone(),
            _ => failures.get(&bot.name).filter(|_| !args.keep_failing).cloned(),
        };
    }
    if settings.rounds == 0 {
        settings.rounds = usual_rounds(&settings);
    }
    check_format(&settings)?;
    let names = settings.names();
    let playing: Vec<Entrant> =
        entrants.into_iter().filter(|entrant| names.contains(&entrant.name)).collect();
    let mut contest =
        Contest::open(&folder, settings, args.run.accept_changes, warn).map_err(contest_error)?;
    let mut progress = Progress::new(&contest, args.run.quiet);
    let standings = contest
        .play(&runner(&playing), |contest, event| {
            progress.show(contest, event);
            ControlFlow::Continue(())
        })
        .map_err(contest_error)?;
    progress.done();
    let total = contest.settings().plan().games();
    print_result(contest.folder(), contest.settings(), contest.games(), &standings, args.run.json)?;
    if contest.games().len() < total && interrupt.requested() {
        let (done, folder) = (contest.games().len(), folder.display());
        say(&format!(
            "interrupted: {done} of {total} games are played; go on with: arbitro championship --resume {folder}"
        ));
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Everybody who was named, on the command line or in the file; with nobody named, the shipped bots.
fn entrants(args: &Args, config: &Config, folder: &Path) -> Result<Vec<Entrant>> {
    let mut entrants = Vec::new();
    for bot in &config.bots {
        entrants.push(bot.entrant().map_err(usage)?);
    }
    for text in &args.bots {
        if Path::new(text).is_dir() {
            entrants.extend(roster::in_folder(Path::new(text), warn).map_err(usage)?);
        } else {
            entrants.push(Entrant::parse(text).map_err(usage)?);
        }
    }
    roster::check_names(&entrants).map_err(usage)?;
    let setup = args.game.setup(args.seats, config)?;
    roster::check_game(&entrants, &setup).map_err(usage)?;
    match &entrants[..] {
        [] if args.config.is_some() => {
            Err(usage(anyhow!("there are no [[bots]] in the file, and none on the command line")))
        }
        [] => shipped::roster(setup.name(), &folder.join(shipped::FOLDER), warn).map_err(usage),
        [only] => {
            Err(usage(anyhow!("a championship needs two bots at least; there is only '{}'", only.name)))
        }
        _ => Ok(entrants),
    }
}

fn settings(
    args: &Args,
    config: &Config,
    stored: Option<&Settings>,
    entrants: &[Entrant],
) -> Result<Settings> {
    let setup = args.game.setup(args.seats, config)?;
    let format = args.format.or(config.format).unwrap_or(Format::RoundRobin);
    let seed = args.run.seed.or(config.seed).or(stored.map(|stored| stored.seed)).unwrap_or_else(new_seed);
    let openings = match &args.openings {
        None => openings::check(&setup, config.openings.as_deref().unwrap_or_default()).map_err(usage)?,
        Some(text) => match text.parse::<usize>() {
            Ok(count) => openings::random(&setup, count, seed),
            Err(_) => openings::read(&setup, Path::new(text)).map_err(usage)?,
        },
    };
    let rounds = args.rounds.or(config.rounds).or(stored.map(|stored| stored.rounds));
    if rounds.is_some_and(|rounds| !(1..=MOST_ROUNDS).contains(&rounds)) {
        return Err(usage(anyhow!(
            "there can be 1 to {MOST_ROUNDS} rounds, not {}",
            rounds.unwrap_or_default()
        )));
    }
    Ok(Settings {
        arbitro: env!("CARGO_PKG_VERSION").to_owned(),
        machine: settings::machine(),
        started: stored.map_or_else(jiff::Timestamp::now, |stored| stored.started),
        format,
        // How many are usual depends on who passes the test.
        rounds: rounds.unwrap_or_default(),
        games: None,
        game: setup.name().to_owned(),
        size: setup.board().size,
        seats: setup.board().seats,
        board: setup.board().text.clone(),
        seed,
        openings,
        sandbox: None,
        terms: args.terms.terms(config),
        bots: bot_settings(entrants)?,
    })
}

/// Rounds where nobody says how many.
fn usual_rounds(settings: &Settings) -> u32 {
    let bots = settings.playing().count();
    match settings.format {
        Format::RoundRobin if settings.seats > 2 => usual_table_rounds(bots, settings.seats.into()),
        // One more than it takes to tell the best from all others if the stronger always won.
        Format::Swiss => most_swiss_rounds(bots).min(bots.next_power_of_two().ilog2() + 1),
        _ => 1,
    }
}

/// Whether there can be a championship of this kind with those who are able to play.
fn check_format(settings: &Settings) -> Result<()> {
    let (bots, seats) = (settings.playing().count(), settings.seats);
    match settings.format {
        _ if bots < usize::from(seats) => {
            let mend = if seats > 2 { "; name more, or give a smaller --seats" } else { "" };
            Err(usage(anyhow!("{seats} play in a game, and there are only {bots} bots that can{mend}")))
        }
        Format::Swiss | Format::Gauntlet if seats > 2 => Err(usage(anyhow!(
            "{} is for games of two; with --seats {seats}, use round-robin",
            settings.format
        ))),
        Format::Duel => Err(usage(anyhow!(
            "this is a duel; go on with it by repeating 'arbitro duel' with the same --out"
        ))),
        Format::Swiss if settings.rounds > most_swiss_rounds(bots) => {
            let most = most_swiss_rounds(bots);
            Err(usage(anyhow!(
                "{bots} bots can play {most} Swiss rounds without meeting twice, not {}; use --format round-robin",
                settings.rounds
            )))
        }
        _ => Ok(()),
    }
}

/// The result of a championship, as `--json` prints it.
#[derive(Serialize)]
struct ChampionshipResult<'a> {
    folder: String,
    seed: u64,
    games: usize,
    scheduled: usize,
    standings: &'a [Standing],
    /// Bots that were left out, and why.
    left_out: BTreeMap<&'a str, &'a str>,
    /// Games that repeat an earlier one move by move.
    duplicates: usize,
}

/// Prints the table and what else there is to say.
pub fn print_result(
    folder: &Path,
    settings: &Settings,
    games: &[Summary],
    standings: &Standings,
    json: bool,
) -> Result<()> {
    let left_out =
        settings.bots.iter().filter_map(|bot| Some((bot.name.as_str(), bot.left_out.as_deref()?))).collect();
    let in_order: Vec<&Summary> = games.iter().collect();
    let result = ChampionshipResult {
        folder: folder.display().to_string(),
        seed: settings.seed,
        games: games.len(),
        scheduled: settings.plan().games(),
        standings: &standings.rows,
        left_out,
        duplicates: tables::duplicates(&in_order).len(),
    };
    if json {
        return print(&(serde_json::to_string_pretty(&result)? + "\n"));
    }
    let width = io::stdout().is_terminal().then(|| console::Term::stdout().size().1);
    let mut text = view::table(standings, width);
    text += &format!("{} of {} games\n", result.games, result.scheduled);
    for (bot, why) in result.left_out {
        text += &format!("left out: {bot}: {why}\n");
    }
    if result.duplicates > 0 {
        let hint =
            if settings.openings.is_empty() { "; --openings N asks for different beginnings" } else { "" };
        let count = result.duplicates;
        text += &format!("{count} games repeat an earlier one move by move, see games.csv{hint}\n");
    }
    text += &format!("tables and journal: {}\n", folder.display());
    print(&text)
}

/// How often a line is printed where there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);
/// How often the standings on the terminal are computed.
const STANDINGS_INTERVAL: Duration = Duration::from_secs(1);
/// How many of the first are shown while games run.
const LEADERS: usize = 8;

/// Progress on stderr: a bar, the standings and the running games on a terminal, a line now and then otherwise.
struct Progress {
    bar: ProgressBar,
    plain: bool,
    running: BTreeMap<u32, String>,
    leaders: String,
    leaders_due: Instant,
    line_due: Instant,
    begun: Instant,
    at_first: usize,
}

impl Progress {
    fn new(contest: &Contest, quiet: bool) -> Progress {
        let terminal = io::stderr().is_terminal();
        let target =
            if terminal && !quiet { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let total = contest.settings().plan().games() as u64;
        let bar =
            ProgressBar::with_draw_target(Some(total), target).with_position(contest.games().len() as u64);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left\n{msg}");
        bar.set_style(style.expect("the template is well formed"));
        bar.reset_eta();
        if !quiet {
            let (bots, done) = (contest.settings().playing().count(), contest.games().len());
            say(&format!(
                "{bots} bots, {total} games, {done} of them played; seed {}",
                contest.settings().seed
            ));
        }
        let now = Instant::now();
        Progress {
            bar,
            plain: !terminal && !quiet,
            running: BTreeMap::new(),
            leaders: String::new(),
            leaders_due: now,
            line_due: now + PLAIN_INTERVAL,
            begun: now,
            at_first: contest.games().len(),
        }
    }

    fn show(&mut self, contest: &Contest, event: &Event) {
        match event {
            Event::Begun(fixture) => {
                let names = contest.settings().names();
                let seats: Vec<&str> = fixture.seats.iter().map(|&bot| names[bot].as_str()).collect();
                self.running.insert(fixture.id, format!("game {}: {}", fixture.id, seats.join(" – ")));
            }
            Event::Finished(game) => {
                self.running.remove(&game.record.id);
                self.bar.set_position(contest.games().len() as u64);
            }
            Event::Tick => {}
        }
        let now = Instant::now();
        if now >= self.leaders_due && !self.bar.is_hidden() {
            self.leaders = view::leaders(&contest.standings(), LEADERS);
            self.leaders_due = now + STANDINGS_INTERVAL;
        }
        if !self.bar.is_hidden() {
            let running: Vec<&str> = self.running.values().map(String::as_str).collect();
            self.bar.set_message(format!("{}\n{}", self.leaders, running.join("\n")));
        }
        if self.plain && now >= self.line_due {
            self.line_due = now + PLAIN_INTERVAL;
            self.print_line(contest);
        }
    }

    fn print_line(&self, contest: &Contest) {
        let (done, total) = (contest.games().len(), contest.settings().plan().games());
        let rate = (done - self.at_first) as f64 / self.begun.elapsed().as_secs_f64();
        let left = if rate > 0.0 {
            format!("{:.0} s left", total.saturating_sub(done) as f64 / rate)
        } else {
            "…".to_owned()
        };
        let leaders = view::leaders(&contest.standings(), 3);
        say(&format!("{done} of {total} games, {rate:.1} games/s, {left}; first: {leaders}"));
    }

    fn done(&self) {
        self.bar.finish_and_clear();
    }
}
