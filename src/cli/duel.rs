//! `arbitro duel`: a match between two programs.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;
use serde::Serialize;

use super::changes;
use super::contest::{
    Stage, contest_error, exit_code, new_folder, new_seed, print_result, stands_beside, take_files,
    where_to_look,
};
use super::exit::{self, usage};
use super::live::LivePage;
use super::numbers::whole;
use super::options::ContestOptions;
use super::output::{print, quoted, say, warn, wrapped};
use super::progress::{Detail, Progress};
use super::report_page::{self, PageOptions, write_page};
use super::what_next;
use crate::championship::amendments::Amendments;
use crate::championship::config::Config;
use crate::championship::contest::{self, Contest, News, Report};
use crate::championship::copies::USUAL_LIMIT;
use crate::championship::entrant::Entrant;
use crate::championship::formats::Format;
use crate::championship::settings::{BotSettings, MOST_GAMES, Settings};
use crate::championship::{roster, smoke_test};
use crate::game::Setup;
use crate::record::journal;
use crate::record::text::{counted, printable};
use crate::record::{GameRecord, Warning};
use crate::score::always_fails::always_fails;
use crate::score::disturbances::Disturbances;
use crate::score::match_tally::{MatchResult, MatchTally};
use crate::score::sprt::Sprt;
use crate::view::{disturbances as disturbances_view, kinds, match_result};

/// Play a match between two programs, or several at one table
#[derive(ClapArgs)]
#[command(after_help = "\
A BOT is a command such as './mybot' or 'python3 bot.py', NAME=COMMAND, an engine that speaks HTP (htp:COMMAND), or a \
built-in: @random @greedy @easy @medium @hard @max. In okupacio and xinez, all bots that are named sit at one table.

The match lands in results/duel-<date-time>: games.jsonl is its journal, logs/ has what the programs wrote to stderr. A match \
that was interrupted goes on when the command is repeated with the same --out.

Examples:
  arbitro duel ./mybot @greedy
  arbitro duel new=./mybot old=./mybot-last-week --games 200 --sprt 0,30
  arbitro duel ./mybot @random --time 10+0.1 --pipes --strict
  arbitro duel htp:./mohex @greedy --size 11 --memory 4G
  arbitro duel ./mybot @greedy @easy --game xinez --size 2")]
pub struct Args {
    /// The programs; the first one begins the first game
    #[arg(value_name = "BOT", num_args = 2.., required = true)]
    bots: Vec<String>,
    /// Number of games [default: 10, or the next number that gives every bot each seat equally often]
    #[arg(long, short, value_name = "N", value_parser = whole::<u32>(1..=MOST_GAMES.into()))]
    games: Option<u32>,
    /// Stop as soon as it is clear whether the first program is stronger by ELO0 or by ELO1 (right in about 95 % of matches)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<SprtBounds>,
    /// Play on although a program fails the test before the first game, or loses all its games by the same fault
    #[arg(long)]
    keep_failing: bool,
    /// The folder to write to [default: results/duel-<date-time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    options: ContestOptions,
}

#[derive(Clone, Copy)]
struct SprtBounds(Sprt);

impl FromStr for SprtBounds {
    type Err = String;

    fn from_str(text: &str) -> Result<SprtBounds, String> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
        match text.split_once(',').map(|(elo0, elo1)| (number(elo0), number(elo1))) {
            Some((Some(elo0), Some(elo1))) if elo0 < elo1 => Ok(SprtBounds(Sprt { elo0, elo1 })),
            _ => Err(format!(
                "'{text}' is not two differences in Elo, the smaller first; write for example 0,30"
            )),
        }
    }
}

/// Games where nobody says how many.
const USUAL_GAMES: u32 = 10;

/// Plays the match.
pub fn run(args: Args) -> Result<ExitCode> {
    let setup = setup(&args)?;
    let mut roster = roster(&args, &setup)?;
    let workers = args.options.workers(&args.options.terms.terms(&Config::default()), setup.board().seats)?;
    LivePage::try_address(&args.options.run)?;
    let folder = args.out.clone().unwrap_or_else(|| new_folder("duel-"));
    let stored = contest::stored(&folder).map_err(contest_error)?;
    let stored = stored.as_ref();
    let config = stored.map_or_else(Config::default, Config::from);
    let containment = args.options.sandbox.containment(&config, args.options.run.quiet)?;
    let limit = args.options.sandbox.copy_limit(&config);
    let refused = take_files(&folder, &mut roster, containment.as_ref(), limit)?;
    if let Some((bot, why)) = refused.first_key_value() {
        return Err(usage(anyhow!("bot '{bot}': {why}")));
    }
    for bot in roster.iter().filter(|_| containment.is_some()) {
        let hint = stands_beside(bot, &roster);
        if !hint.is_empty() {
            warn(format!("bot {} plays from a copy of '{}'{hint}", bot.name, bot.command));
        }
    }
    let mut settings = settings(&args, &setup, stored, &roster);
    settings.title = args.options.title.clone().or(settings.title);
    settings.copy_limit = Some(limit).filter(|&limit| limit != USUAL_LIMIT);
    let stage = Stage::set(&folder, &mut settings, containment, workers)?
        .keep_scratch(args.options.run.keep_scratch, &folder);
    let amendments = Amendments { accept_changes: args.options.run.accept_changes, ..Amendments::default() };
    if let Some(stored) = stored {
        changes::accept(&folder, stored, &settings, &amendments, &roster)?;
    }
    let can_play = stored.is_some() || args.keep_failing || test(&args, &stage, &roster)?;
    if stage.is_interrupted() {
        say("interrupted before the first game");
        return Ok(ExitCode::from(exit::INTERRUPTED));
    }
    if !can_play {
        return Ok(ExitCode::FAILURE);
    }
    let mut contest = Contest::open(&folder, settings, stored, &amendments, warn).map_err(contest_error)?;
    contest.keep_raw_logs(args.options.run.raw_logs);
    let mut tally = tally(&args, &roster);
    tally.iter_mut().for_each(|tally| contest.games().iter().for_each(|game| tally.add(game)));
    let mut live = LivePage::open(&args.options.run, &contest, &stage)?;
    let mut progress = Progress::new(&contest, stage.in_progress(), Detail::Games, &args.options.run);
    // At a table of more, an accomplice could end the match while its friend leads.
    let stops_early = !args.keep_failing && roster.len() == 2;
    // A match that is decided, or hopeless, is not gone on with.
    let decided = tally.as_ref().is_some_and(MatchTally::is_decided)
        || stops_early && always_fails(contest.games()).is_some();
    let mut play = || {
        contest.play(&stage.runner(&roster), |contest, news| {
            if let (News::Counted(_), Some(tally), Some(game)) = (&news, &mut tally, contest.games().last()) {
                tally.add(game);
            }
            progress.show(contest, &news);
            live.tell(contest, &news);
            let decided = tally.as_ref().is_some_and(MatchTally::is_decided);
            let failed = contest.games().last().is_some_and(|game| game.verdict.has_forfeit());
            let is_hopeless = failed && stops_early && always_fails(contest.games()).is_some();
            if decided || is_hopeless { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    };
    let played = if decided { Ok(None) } else { play().map(Some) };
    progress.done();
    let standings = played.map_err(contest_error)?.unwrap_or_else(|| contest.standings());
    let report = contest.conclude(standings);
    let hopeless = always_fails(&report.games).filter(|_| stops_early);
    if let Some((bot, reason)) = hopeless.filter(|_| report.games.len() < report.scheduled) {
        say(&format!(
            "{bot} lost every game by the same fault, {reason}, from more than one seat: the match ends here; --keep-failing plays it to \
             its end"
        ));
    }
    let is_hopeless = hopeless.is_some() && report.games.len() < report.scheduled;
    write_page(&folder, &report, &PageOptions::default())?;
    match tally.map(|tally| tally.result()) {
        None => print_result(&folder, &report, args.options.run.json)?,
        Some(result) => print_match(&args, &with_words(result, &folder), &folder, &report)?,
    }
    if !args.options.run.json {
        let next = what_next::text(&roster, &setup, &report.games, &folder);
        next.lines().for_each(say);
    }
    live.finish(&report, &folder, &stage);
    if is_hopeless && !stage.is_interrupted() {
        return Ok(ExitCode::FAILURE);
    }
    Ok(exit_code(&report, &stage, &format!(" the same command with --out {}", folder.display())))
}

/// Sees whether these programs play at all, before minutes are spent on them. Says what is wrong, and whether they can play on.
fn test(args: &Args, stage: &Stage, roster: &[Entrant]) -> Result<bool> {
    // The reference engine has nothing to prove.
    let tested: Vec<Entrant> = roster.iter().filter(|bot| bot.level.is_none()).cloned().collect();
    if tested.is_empty() {
        return Ok(true);
    }
    if !args.options.run.quiet {
        say(&format!("testing {} …", counted(tested.len(), "program")));
    }
    let failures = smoke_test::test(&stage.runner(&[]), &tested, |bot, failure| {
        warn(format!("{bot} fails its test: {failure}"));
    });
    let failures = failures.context("the referee is in trouble")?.failures;
    let fails: Vec<&str> = failures
        .iter()
        .filter(|(_, failure)| failure.seats == smoke_test::SEATS)
        .map(|(bot, _)| bot.as_str())
        .collect();
    if !fails.is_empty() && args.options.run.json {
        let sentences: BTreeMap<&str, &str> =
            failures.iter().map(|(bot, failure)| (bot.as_str(), failure.sentence.as_str())).collect();
        let json = serde_json::json!({ "failed_test": sentences });
        print(&(serde_json::to_string_pretty(&json)? + "\n"))?;
    }
    if !fails.is_empty() {
        say(&format!(
            "nothing is played, since {} cannot make a first move from any seat; --keep-failing plays nevertheless",
            fails.join(" and ")
        ));
        for bot in roster.iter().filter(|bot| bot.level.is_none() && fails.contains(&bot.name.as_str())) {
            say(&what_next::to_check(bot, stage.setup()));
        }
    }
    Ok(fails.is_empty())
}

/// The game, at a table of all programs.
fn setup(args: &Args) -> Result<Setup> {
    let (game, seats) = (&args.options.game, args.bots.len());
    let setup = game.setup(Some(seats as u32), &Config::default());
    setup.map_err(|error| match game.setup(None, &Config::default()) {
        Ok(_) => usage(anyhow!(
            "{seats} bots are named, and {error}; a tournament of any number of bots is a championship: arbitro championship \
             ./ana ./beto ./caio"
        )),
        Err(_) => error,
    })
}

/// The programs, which may be the same: then they get names of their own.
fn roster(args: &Args, setup: &Setup) -> Result<Vec<Entrant>> {
    if let Some(folder) = args.bots.iter().find(|text| Path::new(text).is_dir()) {
        return Err(usage(anyhow!(
            "'{folder}' is a folder, and a duel is between programs; to play all bots in it: arbitro championship {}",
            quoted(Path::new(folder))
        )));
    }
    let entrant = |text: &String| Entrant::parse(text).map_err(usage);
    let mut roster = args.bots.iter().map(entrant).collect::<Result<Vec<_>>>()?;
    roster::check_game(&roster, setup).map_err(usage)?;
    roster::make_names_unique(&mut roster);
    if args.sprt.is_some() && roster.len() > 2 {
        return Err(usage(anyhow!("--sprt compares two programs, not {}", roster.len())));
    }
    Ok(roster)
}

fn settings(args: &Args, setup: &Setup, stored: Option<&Settings>, roster: &[Entrant]) -> Settings {
    let seats = roster.len() as u32;
    let games = args.games.unwrap_or(USUAL_GAMES.next_multiple_of(seats));
    let seed = args.options.run.seed.or(stored.map(|stored| stored.seed)).unwrap_or_else(new_seed);
    Settings {
        format: Format::Duel,
        rounds: games.div_ceil(seats),
        games: Some(games),
        ..Settings::new(
            setup,
            args.options.terms.terms(&Config::default()),
            seed,
            roster.iter().map(BotSettings::new).collect(),
            stored,
        )
    }
}

/// What a match between two amounts to.
fn tally(args: &Args, roster: &[Entrant]) -> Option<MatchTally> {
    let [first, second] = roster else { return None };
    let names = [first.name.clone(), second.name.clone()];
    Some(MatchTally::new(names, args.sprt.map(|SprtBounds(sprt)| sprt)))
}

/// A result as `--json` prints it.
#[derive(Serialize)]
struct MatchJson<'a> {
    #[serde(flatten)]
    result: &'a MatchResult,
    #[serde(flatten)]
    disturbances: &'a Disturbances,
    seed: u64,
    journal: String,
}

/// The same, with what was let pass looked up in the journal.
fn with_words(mut result: MatchResult, folder: &Path) -> MatchResult {
    let numbers: Vec<u32> = result.bots.iter().filter_map(|bot| Some(bot.let_pass.as_ref()?.game)).collect();
    if numbers.is_empty() {
        return result;
    }
    // What cannot be read is left unsaid: everything else is known without it.
    let records: Vec<GameRecord> = journal::read(&folder.join(journal::FILE_NAME), drop).unwrap_or_default();
    for bot in &mut result.bots {
        let Some(let_pass) = &mut bot.let_pass else { continue };
        let record = records.iter().find(|record| record.number == let_pass.game);
        let is_it = |record: &GameRecord, warning: &&Warning| {
            warning.ply == let_pass.ply && record.bot(warning.seat) == bot.name
        };
        let_pass.what = record
            .and_then(|record| record.warnings.iter().find(|warning| is_it(record, warning)))
            .map(|warning| printable(warning.to_string().as_bytes(), LONGEST_WARNING));
    }
    result
}

/// More than any warning has.
const LONGEST_WARNING: usize = 1000;

fn print_match(args: &Args, result: &MatchResult, folder: &Path, report: &Report) -> Result<()> {
    let (disturbances, seed) = (&report.disturbances, report.settings.seed);
    let journal = folder.join(journal::FILE_NAME).display().to_string();
    if args.options.run.json {
        let json = MatchJson { result, disturbances, seed, journal };
        return print(&(serde_json::to_string_pretty(&json)? + "\n"));
    }
    let text = match_result::text(result, |game, bot| where_to_look(folder, game, bot))
        + &kinds::text(&report.standings)
        + &disturbances_view::text(disturbances);
    let width = io::stdout().is_terminal().then(|| usize::from(console::Term::stdout().size().1));
    let page = folder.join(report_page::FILE_NAME).display().to_string();
    print(&wrapped(&format!("{text}journal: {journal}\nreport: {page}\n"), width))
}
