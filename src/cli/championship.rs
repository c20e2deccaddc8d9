//! `arbitro championship`: a tournament of any number of programs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::{Args as ClapArgs, FromArgMatches};

use super::changes;
use super::contest::{
    Stage, contest_error, exit_code, new_folder, new_seed, print_result, stands_beside, take_files,
    warn_of_twins,
};
use super::dry_run;
use super::exam_board::{self, ExamBoard};
use super::exit::{self, usage};
use super::file_settings;
use super::live::LivePage;
use super::numbers::whole;
use super::options::ContestOptions;
use super::output::{COMMAND, quoted, say, warn};
use super::progress::{Detail, Progress};
use super::recorded::in_folder;
use super::report_page::{PageOptions, write_page};
use super::{prepare, shard};
use crate::championship::amendments::Amendments;
use crate::championship::config::{BotConfig, Config, Openings};
use crate::championship::contest::{self, Contest};
use crate::championship::copies::{Copies, USUAL_LIMIT};
use crate::championship::entrant::Entrant;
use crate::championship::formats::Format;
use crate::championship::roster;
use crate::championship::settings::{self, BotSettings, MOST_ROUNDS, Settings};
use crate::championship::settings_keys::MOST_OPENINGS;
use crate::championship::shards::shard::Shard;
use crate::championship::smoke_test::{self, Failure};
use crate::championship::{admission, bots_folder, openings, shipped_bots};
use crate::examination::language::{self, Language};
use crate::game::Setup;
use crate::game::okupacio::MAX_PLAYERS;
use crate::handins::built::Workshop;
use crate::record::journal;
use crate::record::text::{counted, duration};

/// Play a championship of any number of programs
#[derive(ClapArgs)]
#[command(after_help = "\
A BOT is a command such as './ana' or 'python3 beto.py', NAME=COMMAND, an engine that speaks HTP (htp:COMMAND), \
a built-in (@random @greedy @easy @medium @hard @max), or a folder, which means every program in it, and every subfolder with one \
program. With no bot at all, the game's example bots and some levels of the reference play.

A NAME has up to 60 letters of any script, and blanks: 'Ana Silva=./ana'. What stands before the = is part of the command if it has a / \
in it, or several words that begin with a command, as in 'env X=1 ./bot'.

Everything lands in results/<date-time>: the journal games.jsonl, standings.csv, crosstable.csv, games.csv, championship.toml. \
A championship that was interrupted goes on when the command is repeated with the same --out, or with --resume DIR. If bots or settings \
have changed by then, it says what has changed, and with which commands to go on.

Examples:
  arbitro championship                              the example bots
  arbitro championship bots/ @greedy --time 30      all in bots/, and a built-in
  arbitro championship bots/ --format swiss --rounds 7 --out results/2026
  arbitro championship bots/ 'mohex=htp:./mohex --quiet' --openings openings.sgf
  arbitro championship bots/ --game okupacio --seats 4 --board tauler.txt
  arbitro championship bots/ --time 30 --dry-run    how long it would take
  arbitro championship bots/ --time 30 --write-config hex.toml
  arbitro championship --config hex.toml
  arbitro championship --resume results/2026
  arbitro championship --resume results/2026 --play-again ana --play-again 'Beto Sá'
  arbitro championship --resume results/2026 --withdraw caio
  arbitro championship --config hex.toml --out shared/hex --prepare
  arbitro championship --resume shared/hex --shard 3/8")]
pub struct Args {
    /// Programs, or folders of programs
    #[arg(value_name = "BOT|DIR")]
    bots: Vec<String>,
    /// Read settings and bots from a file; the championship.toml of any championship can be the model
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    /// Write a file of all settings, each explained, with those of this command line and its bots, for --config; - prints it.
    /// Nothing is played
    #[arg(long, value_name = "FILE.toml")]
    write_config: Option<PathBuf>,
    /// Let --write-config replace a file that is there
    #[arg(long, requires = "write_config")]
    overwrite: bool,
    /// How opponents are found [default: round-robin]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,
    /// Players in a game, for okupacio (up to 10) and xinez (up to 6) [default: 2]
    #[arg(long, value_name = "K", value_parser = whole::<u32>(2..=MAX_PLAYERS.into()))]
    seats: Option<u32>,
    /// Number of rounds. In each, two bots that meet play two games, one with each side; with --seats K every bot plays K
    /// games, one in each seat [default: 1; swiss: enough to find the best; with --seats: enough for any two to meet twice]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MOST_ROUNDS.into()))]
    rounds: Option<u32>,
    /// Begin games with given moves: a number of fair first moves drawn by lot, a file with an opening on each line, or an
    /// SGF file
    #[arg(long, value_name = "FILE|N")]
    openings: Option<String>,
    /// Only say how many games there would be, who would meet whom, and how long it would take, as some sample games show; of a
    /// championship that was begun, what is left of it. No game counts, and no results are written
    #[arg(long)]
    dry_run: bool,
    /// Examine each new bot before the first game as 'arbitro check' does; what was found is in checks/NAME.txt, and nobody is left out
    /// for it
    #[arg(long)]
    check: bool,
    /// Keep bots that fail the test before the first game: they stay in, and lose
    #[arg(long)]
    keep_failing: bool,
    /// The folder to write to, or to go on in [default: results/<date-time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Play all games of this bot again, of a championship that has begun; those so far stay in the journal and do not count. Can be
    /// given several times
    #[arg(long, value_name = "NAME")]
    play_again: Vec<String>,
    /// Let this bot leave a championship that has begun. Can be given several times
    #[arg(long, value_name = "NAME")]
    withdraw: Vec<String>,
    /// Go on with the championship in this folder, with the settings it has
    #[arg(long, value_name = "DIR", conflicts_with_all = ["bots", "config", "out", "format", "rounds", "openings", "seats"])]
    resume: Option<PathBuf>,
    /// Prepare the championship for several machines, and play nothing: copy and test the bots, and measure how long games take; see
    /// 'arbitro launch'
    #[arg(long, conflicts_with_all = ["dry_run", "write_config", "live"])]
    prepare: bool,
    /// Play one of several parts of a championship that was prepared, such as 3/8 for the third of eight, in a journal of its own;
    /// 'arbitro merge' joins them
    #[arg(long, value_name = "I/N", requires = "resume", allow_hyphen_values = true,
        conflicts_with_all = ["prepare", "dry_run", "write_config", "live", "check", "play_again", "withdraw", "accept_changes",
            "keep_failing", "keep_scratch", "json"])]
    shard: Option<Shard>,
    /// What --config has.
    #[arg(skip)]
    file: Option<Box<Config>>,
    /// Whether its shards are launched next, so that nobody need be told how.
    #[arg(skip)]
    is_launched: bool,
    #[command(flatten)]
    options: ContestOptions,
}

impl Args {
    /// Reads the file of settings, and takes from it what the command line does not say.
    fn read_file(&mut self) -> Result<()> {
        let Some(path) = &self.config else { return Ok(()) };
        let file = Config::read(path).map_err(usage)?;
        self.options.fill_from(&file)?;
        self.keep_failing |= file.keep_failing;
        self.out = self.out.take().or_else(|| file.out.clone());
        self.file = Some(Box::new(file));
        Ok(())
    }

    /// Refuses what `arbitro build` wrote, or another file of settings, where bots or results were meant, and says how it is played.
    fn check_places(&self) -> Result<()> {
        let folders = self.bots.iter().map(Path::new).chain(self.resume.as_deref());
        for given in folders {
            let is_settings = given.extension().is_some_and(|ending| ending == "toml") && given.is_file();
            let file = if is_settings { given.to_owned() } else { given.join(settings::FILE_NAME) };
            let folder = file.parent().unwrap_or(Path::new(""));
            let is_built = file.is_file()
                && Workshop::in_folder(folder).has_begun()
                && !folder.join(journal::FILE_NAME).exists();
            if is_built || is_settings {
                let what = if is_built { "was built from hand-ins" } else { "is a file of settings" };
                let (given, file) = (given.display(), quoted(&file));
                return Err(usage(anyhow!(
                    "'{given}' {what}; play it with: arbitro championship --config {file}"
                )));
            }
        }
        Ok(())
    }

    /// All settings that this amounts to.
    fn settings(&self, config: &Config, setup: &Setup, bots: &[Entrant]) -> Result<Config> {
        let board = setup.board();
        let openings = match &self.openings {
            None => None,
            Some(text) if looks_like_a_number(text) => Some(Openings::Count(how_many(text)?)),
            Some(text) => Some(Openings::File(std::path::absolute(text)?)),
        };
        let mut all = self.options.settings(config);
        all.game = Some(setup.name().to_owned());
        all.size = Some(board.size.into()).filter(|_| board.text.is_empty());
        all.seats = Some(board.seats.into());
        // What stood in a file of its own stands here now.
        (all.board, all.board_file) = (Some(board.text.clone()).filter(|text| !text.is_empty()), None);
        all.format = Some(self.format.or(config.format).unwrap_or(Format::RoundRobin));
        all.rounds = self.rounds.or(config.rounds);
        if let Some(openings) = openings {
            all.openings = Some(openings);
        }
        all.keep_failing = self.keep_failing;
        all.out.clone_from(&self.out);
        all.bots = bots.iter().map(BotConfig::of).collect();
        Ok(all)
    }
}

/// Plays the championship. Of one that cannot begin nothing stays behind.
pub fn run(mut args: Args) -> Result<ExitCode> {
    args.read_file()?;
    args.check_places()?;
    if let Some(path) = &args.write_config {
        return write_config(&args, path);
    }
    let folder = args.resume.clone().or_else(|| args.out.clone()).unwrap_or_else(|| new_folder(""));
    if let Some(shard) = args.shard {
        return shard::run(&args.options, &folder, shard);
    }
    if args.dry_run {
        return dry_run(&args, &folder);
    }
    let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let outermost_new = folder.ancestors().filter(is_new).last().map(Path::to_owned);
    let played = play(&args, &folder);
    let is_refused = played.as_ref().is_err_and(|error| error.is::<exit::Usage>());
    // Somebody else may have begun there meanwhile.
    let has_begun = [settings::FILE_NAME, journal::FILE_NAME].iter().any(|name| folder.join(name).exists());
    if let Some(new) = outermost_new.filter(|_| is_refused && !has_begun) {
        // What cannot be removed is in nobody's way.
        let _ = std::fs::remove_dir_all(new);
    }
    played
}

/// Prepares the championship that these words of a command line ask for, to be played by shards.
pub(super) fn prepare(words: &[&OsStr], quiet: bool) -> Result<ExitCode> {
    let command = Args::augment_args(clap::Command::new("championship"));
    let flags = ["--prepare", "--quiet"].into_iter().take(if quiet { 2 } else { 1 }).map(OsStr::new);
    let all = std::iter::once(OsStr::new("championship")).chain(words.iter().copied()).chain(flags);
    let args = Args::from_arg_matches(&command.try_get_matches_from(all)?)?;
    run(Args { is_launched: true, ..args })
}

/// How long a championship that is about to be played will take, as far as that is known.
fn how_long(contest: &Contest, jobs: usize) -> String {
    let (about, worst) = contest.forecast(jobs);
    let about = match about {
        Some(Duration::ZERO) => return "nothing is left to play".to_owned(),
        Some(about) => format!("about {} left, as the games show that were played", duration(about)),
        None => "how long it takes is known after the first games, or beforehand with --dry-run".to_owned(),
    };
    about + &worst.map_or(String::new(), |worst| format!("; at worst {}", duration(worst)))
}

/// Writes all settings into a file.
fn write_config(args: &Args, path: &Path) -> Result<ExitCode> {
    let stored = match &args.resume {
        Some(folder) => contest::stored(folder).map_err(contest_error)?,
        None => None,
    };
    let config = config(args, stored.as_ref())?;
    let setup = args.options.game.setup(args.seats, &config)?;
    // What cannot be played is of no use in a file.
    openings_of(args, &config, &setup, 0)?;
    let bots = named(args, &config, &setup, None, None)?;
    file_settings::write(&args.settings(&config, &setup, &bots)?, path, args.overwrite)?;
    Ok(ExitCode::SUCCESS)
}

/// Says what would be played: of what was begun in the folder, the rest.
fn dry_run(args: &Args, folder: &Path) -> Result<ExitCode> {
    let stored = contest::stored(folder).map_err(contest_error)?;
    match stored.filter(|stored| stored.format != Format::Duel) {
        Some(_)
            if args.options.run.accept_changes
                || !args.play_again.is_empty()
                || !args.withdraw.is_empty() =>
        {
            Err(usage(anyhow!(
                "of a championship that was begun, --dry-run tells what is left as it stands, without --accept-changes, --play-again \
                 and --withdraw; give it alone: arbitro championship --resume {} --dry-run",
                quoted(folder)
            )))
        }
        Some(stored) => {
            if args.resume.is_none() {
                say(
                    "this championship was begun: what is left of it is told as it stands, without bots that are new or have changed",
                );
            }
            dry_run::of_stored(folder, &stored, &args.options)
        }
        // A duel, or nothing at all: the usual way says so.
        None if args.resume.is_some() => play(args, folder),
        None => {
            let nowhere = tempfile::tempdir().context("cannot make a temporary folder")?;
            play(args, nowhere.path())
        }
    }
}

fn play(args: &Args, folder: &Path) -> Result<ExitCode> {
    if args.resume.is_some() && folder.is_dir() {
        in_folder(folder, settings::FILE_NAME, "championship --resume").map_err(usage)?;
    }
    let stored = contest::stored(folder).map_err(contest_error)?;
    let stored = stored.as_ref();
    let amendments = Amendments {
        accept_changes: args.options.run.accept_changes,
        play_again: args.play_again.clone(),
        withdraw: args.withdraw.clone(),
    };
    let amendments = amendments.checked(stored).map_err(usage)?;
    let mut config = config(args, stored)?;
    let leaves = |name: &str| amendments.withdraw.iter().any(|one| one == name);
    config.bots.retain(|bot| !bot.name.as_deref().is_some_and(leaves));
    config.left_out.retain(|one| !leaves(&one.name));
    let mut entrants = entrants(args, &config, stored, folder)?;
    entrants.retain(|entrant| !leaves(&entrant.name));
    let (mut settings, rounds) = settings_of(args, &config, stored, &entrants)?;
    let workers = args.options.workers(&settings.terms, settings.seats)?;
    if stored.is_none() {
        settings.plan().check().map_err(usage)?;
    }
    let containment = args.options.sandbox.containment(&config, args.options.run.quiet)?;
    LivePage::try_address(&args.options.run)?;
    let limit = args.options.sandbox.copy_limit(&config);
    settings.copy_limit = Some(limit).filter(|&limit| limit != USUAL_LIMIT);
    let languages: Vec<Option<Language>> = entrants.iter().map(language::of).collect();
    let refused = take_files(folder, &mut entrants, containment.as_ref(), limit)?;
    refused.iter().for_each(|(bot, why)| warn(format!("bot {bot} is left out: {why}")));
    warn_of_twins(&entrants);
    settings.bots = entrants.iter().map(BotSettings::new).collect();
    settings.bots.extend(absent(args, &config, stored, &entrants));
    settings.bots.retain(|bot| !leaves(&bot.name));
    let stage = Stage::set(folder, &mut settings, containment.clone(), workers)?
        .keep_scratch(args.options.run.keep_scratch, folder);
    if let Some(stored) = stored {
        let is_out = |name: &str| stored.bot(name).is_some_and(|bot| bot.left_out.is_some());
        let playing: Vec<&str> =
            entrants.iter().map(|bot| bot.name.as_str()).filter(|name| !is_out(name)).collect();
        amendments.check_the_rest(&playing, settings.seats).map_err(usage)?;
        changes::accept(folder, stored, &settings, &amendments, &entrants)?;
    }
    let mut tested = admission::untested(&entrants, &settings, stored, args.keep_failing);
    tested.retain(|entrant| !refused.contains_key(&entrant.name));
    let test_begins = Instant::now();
    let failures = test(args, &stage, &tested, &entrants)?;
    let sentences = failures.iter().map(|(bot, failure)| (bot.clone(), failure.sentence.clone())).collect();
    let test_took = test_begins.elapsed();
    if args.check && !stage.is_interrupted() {
        let is_tested = |bot: &Entrant| tested.iter().any(|one| one.name == bot.name) && !bot.is_built_in();
        let bots: Vec<_> =
            entrants.iter().cloned().zip(languages).filter(|(bot, _)| is_tested(bot)).collect();
        let checks = folder.join(exam_board::FOLDER);
        let board = ExamBoard::new(stage.setup(), &settings.terms, containment.as_ref())?;
        board.examine_all(&bots, &checks, args.options.run.quiet)?;
        say(&format!("what was found about each bot is in {}", checks.display()));
    }
    if stage.is_interrupted() {
        say("interrupted before the first game");
        return Ok(ExitCode::from(exit::INTERRUPTED));
    }
    admission::leave_out(&mut settings, stored, &tested, &sentences);
    for bot in &mut settings.bots {
        bot.left_out = refused.get(&bot.name).cloned().or(bot.left_out.take());
    }
    // How many rounds are usual depends on who passes the test.
    settings.rounds = rounds.unwrap_or_else(|| settings.plan().usual_rounds());
    if args.dry_run {
        return dry_run::of_new(&settings, &stage, &entrants, workers.jobs, test_took, &args.options);
    }
    let mut contest = Contest::open(folder, settings, stored, &amendments, warn).map_err(contest_error)?;
    contest.keep_raw_logs(args.options.run.raw_logs);
    contest.keep_test_logs(&failures).map_err(contest_error)?;
    if args.prepare {
        let (quiet, next) = (args.options.run.quiet, !args.is_launched);
        return prepare::measure(&contest, &stage, &entrants, workers.jobs, quiet, next);
    }
    let mut live = LivePage::open(&args.options.run, &contest, &stage)?;
    let mut progress = Progress::new(&contest, stage.in_progress(), Detail::Leaders, &args.options.run);
    if !args.options.run.quiet {
        say(&how_long(&contest, workers.jobs));
    }
    let played = contest.play(&stage.runner(&entrants), |contest, news| {
        progress.show(contest, &news);
        live.tell(contest, &news);
        ControlFlow::Continue(())
    });
    progress.done();
    let report = contest.conclude(played.map_err(contest_error)?);
    write_page(folder, &report, &PageOptions::default())?;
    print_result(folder, &report, args.options.run.json)?;
    live.finish(&report, folder, &stage);
    Ok(exit_code(&report, &stage, &format!(":\n{COMMAND}arbitro championship --resume {}", quoted(folder))))
}

/// Those who have no program and stand in the tables nevertheless. Of a championship that is gone on with, also bots that were left out and
/// cannot be started any more: they take no part as before.
fn absent(args: &Args, config: &Config, stored: Option<&Settings>, entrants: &[Entrant]) -> Vec<BotSettings> {
    let was_left_out = |bot: &&BotSettings| bot.left_out.is_some() && bot.left_in_round.is_none();
    let mut absent: Vec<BotSettings> = match stored.filter(|_| args.resume.is_some()) {
        Some(stored) => stored.bots.iter().filter(was_left_out).cloned().collect(),
        None => {
            config.left_out.iter().map(|one| BotSettings::without_program(&one.name, &one.reason)).collect()
        }
    };
    // A bot that has played either plays on or leaves.
    let has_played =
        |name: &str| stored.and_then(|stored| stored.bot(name)).is_some_and(|bot| bot.left_out.is_none());
    absent.retain(|one| !has_played(&one.name) && !entrants.iter().any(|bot| bot.name == one.name));
    absent
}

/// What the file says, or the championship that is gone on with.
fn config(args: &Args, stored: Option<&Settings>) -> Result<Config> {
    match (&args.file, &args.resume, stored) {
        (Some(file), ..) => Ok(Config::clone(file)),
        (None, Some(_), Some(stored)) if stored.format == Format::Duel => Err(usage(anyhow!(
            "this is a duel; go on with it by repeating 'arbitro duel' with the same --out"
        ))),
        (None, Some(_), Some(stored)) => Ok(Config::from(stored)),
        (None, Some(folder), None) => {
            Err(usage(anyhow!("there is no championship to go on with in '{}'", folder.display())))
        }
        (None, None, _) => Ok(Config::default()),
    }
}

/// Everybody who was named, on the command line or in the file, in the order of the championship that is gone on with; with
/// nobody named, the shipped bots.
fn entrants(args: &Args, config: &Config, stored: Option<&Settings>, folder: &Path) -> Result<Vec<Entrant>> {
    let setup = args.options.game.setup(args.seats, config)?;
    // Nobody waits for the example bots to be compiled to hear of a mistake in the openings.
    openings_of(args, config, &setup, 0)?;
    let mut entrants = named(args, config, &setup, Some(folder), stored)?;
    match &entrants[..] {
        [] if args.resume.is_some() => {}
        [] if args.config.is_some() => {
            return Err(usage(anyhow!("there are no [[bots]] in the file, and none on the command line")));
        }
        [] => {
            let bots = folder.join(shipped_bots::FOLDER);
            entrants = shipped_bots::roster(setup.name(), &bots, warn).map_err(usage)?;
        }
        [only] if stored.is_none() => {
            return Err(usage(anyhow!(
                "a championship needs two bots at least; there is only '{}': add for example @greedy",
                only.name
            )));
        }
        _ => {}
    }
    let place = |entrant: &Entrant| stored?.bots.iter().position(|bot| bot.name == entrant.name);
    entrants.sort_by_key(|entrant| place(entrant).unwrap_or(usize::MAX));
    Ok(entrants)
}

/// Everybody who was named. A bot whose files are gone, or whose new hand-in could not be built, plays on from its copy, if there is one in
/// this folder.
fn named(
    args: &Args,
    config: &Config,
    setup: &Setup,
    folder: Option<&Path>,
    stored: Option<&Settings>,
) -> Result<Vec<Entrant>> {
    let mut entrants = Vec::new();
    let was_left_out = |bot: &BotConfig| {
        let name = bot.name.as_ref().filter(|_| args.resume.is_some());
        name.and_then(|name| stored?.bot(name)).is_some_and(|bot| bot.left_out.is_some())
    };
    let copies = folder.map(|folder| Copies::of(folder, args.options.sandbox.copy_limit(config)));
    for bot in &config.bots {
        match (bot.entrant(), copies.as_ref().and_then(|copies| bot.kept(copies))) {
            (Ok(entrant), _) => entrants.push(entrant),
            (Err(problem), _) if args.resume.is_none() => return Err(usage(problem)),
            (Err(_), Some(entrant)) => {
                let name = &entrant.name;
                warn(format!("bot {name}: its files are not where they were; its copy plays on"));
                entrants.push(entrant);
            }
            (Err(_), None) if was_left_out(bot) => {}
            // It costs nobody else the championship; that it leaves has to be accepted.
            (Err(problem), None) => {
                warn(format!("{problem}; and its copy is gone or damaged: it cannot play on"))
            }
        }
    }
    for one in &config.left_out {
        let Some(old) = stored.and_then(|stored| stored.bot(&one.name)).filter(|old| old.is_playing()) else {
            continue;
        };
        let what = format!("bot {} has no new program: {}", one.name, one.reason);
        match copies.as_ref().and_then(|copies| BotConfig::from(old).kept(copies)) {
            Some(entrant) => {
                warn(format!("{what}; its old one plays on, unless it leaves (--withdraw)"));
                entrants.push(entrant);
            }
            None => {
                warn(format!("{what}; and the copy of its old one is gone or damaged: it cannot play on"))
            }
        }
    }
    for text in &args.bots {
        if Path::new(text).is_dir() {
            entrants.extend(bots_folder::bots(Path::new(text), setup.name(), warn).map_err(usage)?);
        } else {
            entrants.push(Entrant::parse(text).map_err(usage)?);
        }
    }
    roster::rename_unnamed(&mut entrants, warn);
    roster::check_names(&entrants).map_err(usage)?;
    roster::check_game(&entrants, setup).map_err(usage)?;
    Ok(entrants)
}

/// The settings, and the number of rounds if somebody has said it.
fn settings_of(
    args: &Args,
    config: &Config,
    stored: Option<&Settings>,
    entrants: &[Entrant],
) -> Result<(Settings, Option<u32>)> {
    let setup = args.options.game.setup(args.seats, config)?;
    let seed =
        args.options.run.seed.or(config.seed).or(stored.map(|stored| stored.seed)).unwrap_or_else(new_seed);
    let openings = openings_of(args, config, &setup, seed)?;
    let rounds = args.rounds.or(config.rounds).or(stored.map(|stored| stored.rounds));
    if let Some(rounds) = rounds.filter(|rounds| !(1..=MOST_ROUNDS).contains(rounds)) {
        return Err(usage(anyhow!("there can be 1 to {MOST_ROUNDS} rounds, not {rounds}")));
    }
    let format = args.format.or(config.format).unwrap_or(Format::RoundRobin);
    let bots = entrants.iter().map(BotSettings::new).collect();
    let mut settings = Settings {
        format,
        openings,
        ..Settings::new(&setup, args.options.terms.terms(config), seed, bots, stored)
    };
    settings.title = args.options.title.clone().or(config.title.clone()).or(settings.title);
    settings.rounds = rounds.unwrap_or_else(|| settings.plan().usual_rounds());
    Ok((settings, rounds))
}

/// The openings that were asked for.
fn openings_of(args: &Args, config: &Config, setup: &Setup, seed: u64) -> Result<Vec<String>> {
    match (&args.openings, &config.openings) {
        (None, None) => Ok(Vec::new()),
        (None, Some(Openings::List(list))) => openings::check(setup, list).map_err(usage),
        (None, Some(Openings::Count(count))) => Ok(openings::random(setup, *count, seed)),
        (None, Some(Openings::File(path))) => openings::read(setup, path).map_err(usage),
        (Some(text), _) if looks_like_a_number(text) => Ok(openings::random(setup, how_many(text)?, seed)),
        (Some(text), _) => openings::read(setup, Path::new(text)).map_err(usage),
    }
}

/// How many openings are to be drawn by lot.
fn how_many(text: &str) -> Result<usize> {
    whole(1..=MOST_OPENINGS)(text).map_err(|why| usage(anyhow!("--openings: {why}")))
}

/// Whether openings are to be drawn by lot, and not read from a file of this name.
fn looks_like_a_number(text: &str) -> bool {
    !Path::new(text).exists() && text.chars().all(|letter| letter.is_numeric() || "-+. ".contains(letter))
}

/// Sees whether these bots play at all, and returns why those do not that are to be left out. `all` are those who take part.
fn test(args: &Args, stage: &Stage, bots: &[Entrant], all: &[Entrant]) -> Result<BTreeMap<String, Failure>> {
    if !bots.is_empty() && !args.options.run.quiet {
        say(&format!("testing {} …", counted(bots.len(), "bot")));
    }
    let failures = smoke_test::test(&stage.runner(&[]), bots, |bot, failure| {
        let hint =
            bots.iter().find(|one| one.name == bot).map_or(String::new(), |bot| stands_beside(bot, all));
        warn(match args.keep_failing {
            true => format!("bot {bot} fails its test but stays in: {failure}{hint}"),
            false => format!("bot {bot} is left out (--keep-failing keeps it in): {failure}{hint}"),
        });
    });
    let failures = failures.context("the referee is in trouble")?.failures;
    Ok(if args.keep_failing { BTreeMap::new() } else { failures })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::championship::settings_keys::{is_only_typed, is_setting};

    #[test]
    fn every_option_is_a_setting_of_the_file_or_is_known_not_to_be() {
        let command = Args::augment_args(clap::Command::new("championship"));
        for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
            let Some(long) = option.get_long() else { continue };
            let name = if long == "pipes" { "output".to_owned() } else { long.replace('-', "_") };
            assert!(is_setting(&name) != is_only_typed(&name), "--{long}");
        }
    }
}
