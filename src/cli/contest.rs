//! What `duel` and `championship` share: setting the stage, telling the result, ending.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use rustix::stdio::stdin;
use serde::Serialize;

use super::exit::{self, usage};
use super::options::Workers;
use super::output::{COMMAND, print, quoted, say, warn, wrapped};
use crate::championship::bot_files;
use crate::championship::containment::{Containment, RESULTS};
use crate::championship::contest::{self, ContestError, Report};
use crate::championship::copies::Copies;
use crate::championship::csv_tables;
use crate::championship::entrant::Entrant;
use crate::championship::formats::Format;
use crate::championship::in_progress::InProgress;
use crate::championship::logs;
use crate::championship::runner::Runner;
use crate::championship::seating::Seating;
use crate::championship::settings::Settings;
use crate::contain::spec::Size;
use crate::contain::visible_files::is_system;
use crate::game::Setup;
use crate::record::journal::JournalError;
use crate::record::text::{printable, visible};
use crate::record::{GameRecord, Summary, Terms};
use crate::referee::interrupt::Interrupt;
use crate::score::Standing;
use crate::score::disturbances::Disturbances;
use crate::score::equal_play::EqualPlay;
use crate::view::{
    disturbances as disturbances_view, equal_play as equal_play_view, kinds, set_aside, standings as view,
};

/// All that games need besides the bots.
pub struct Stage {
    setup: Setup,
    board_file: String,
    terms: Terms,
    openings: Vec<String>,
    seed: u64,
    containment: Option<Containment>,
    interrupt: Interrupt,
    workers: Workers,
    keep_scratch: Option<PathBuf>,
    in_progress: Arc<InProgress>,
}

impl Stage {
    /// Sets it for these settings, in which it takes down how well programs are contained. Signals are caught from now on.
    pub fn set(
        folder: &Path,
        settings: &mut Settings,
        containment: Option<Containment>,
        workers: Workers,
    ) -> Result<Stage> {
        let interrupt = Interrupt::catch().context("cannot catch signals")?;
        let setup = settings.setup().map_err(usage)?;
        settings.sandbox = containment.as_ref().map(|containment| containment.tier);
        settings.allow_read =
            containment.as_ref().map_or(Vec::new(), |containment| containment.allow_read.clone());
        let board_file = contest::write_board(folder, &setup).map_err(contest_error)?;
        let (terms, openings) = (settings.terms.clone(), settings.openings.clone());
        let seed = settings.seed;
        Ok(Stage {
            setup,
            board_file,
            terms,
            openings,
            seed,
            containment,
            interrupt,
            workers,
            keep_scratch: None,
            in_progress: Arc::default(),
        })
    }

    /// The same, but what programs leave in their working directories is kept in this folder of results if `keep`.
    pub fn keep_scratch(self, keep: bool, folder: &Path) -> Stage {
        Stage { keep_scratch: keep.then(|| folder.join(contest::SCRATCH)), ..self }
    }

    /// What plays games between these bots.
    pub fn runner<'a>(&'a self, roster: &'a [Entrant]) -> Runner<'a> {
        let seating = Seating {
            setup: &self.setup,
            board_file: &self.board_file,
            terms: &self.terms,
            containment: self.containment.as_ref(),
        };
        let Workers { jobs, pin } = self.workers;
        let (openings, seed) = (&self.openings[..], self.seed);
        let (keep_scratch, interrupt) = (self.keep_scratch.as_deref(), &self.interrupt);
        let in_progress = Some(&*self.in_progress);
        Runner { roster, seating, jobs, pin, openings, seed, keep_scratch, in_progress, interrupt }
    }

    /// The game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The games that run at this moment.
    pub fn in_progress(&self) -> &Arc<InProgress> {
        &self.in_progress
    }

    /// Waits for a line of whoever sits at the terminal, or for a signal.
    pub fn wait_for_enter(&self) {
        let mut fds =
            [PollFd::from_borrowed_fd(stdin(), PollFlags::IN), PollFd::new(&self.interrupt, PollFlags::IN)];
        // A wait that fails is over too.
        let _ = retry_on_intr(|| poll(&mut fds, None));
    }

    /// Whether a scheduler wants it all to end, and will start it again.
    pub fn is_terminated(&self) -> bool {
        self.interrupt.is_terminated()
    }

    /// Whether somebody wants it all to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.requested()
    }
}

/// A new seed.
pub fn new_seed() -> u64 {
    fastrand::u64(..=SEED_LIMIT)
}

/// TOML's numbers end here.
pub const SEED_LIMIT: u64 = i64::MAX as u64;

/// The folder for something new: `results/PREFIX<date-time>`.
pub fn new_folder(prefix: &str) -> PathBuf {
    let now = jiff::Zoned::now().strftime("%Y-%m-%d-%H%M%S").to_string();
    let name = |number: u32| match number {
        1 => format!("{prefix}{now}"),
        _ => format!("{prefix}{now}-{number}"),
    };
    // Two may begin in one second.
    (1..).map(|number| Path::new(RESULTS).join(name(number))).find(|path| !path.exists()).unwrap_or_default()
}

/// Reads the files of all bots, and copies them into a folder if they are to be contained. Returns why bots cannot take part, by
/// name.
pub fn take_files(
    folder: &Path,
    entrants: &mut [Entrant],
    containment: Option<&Containment>,
    limit: Size,
) -> Result<BTreeMap<String, String>> {
    let Some(containment) = containment else { return Ok(bot_files::take(entrants, None)?) };
    let folder = std::path::absolute(folder)?;
    let results = folder.canonicalize().unwrap_or(folder.clone());
    let bots = entrants.iter().flat_map(|entrant| entrant.line.base.iter().chain(&entrant.line.named));
    let shows = |path: &&PathBuf| {
        results.starts_with(path)
            || path.starts_with(&results)
            || bots.clone().any(|file| file.starts_with(path))
            || entrants.iter().flat_map(|entrant| &entrant.line.named).any(|file| path.starts_with(file))
    };
    if let Some(path) = containment.allow_read.iter().find(shows) {
        let path = path.display();
        return Err(usage(anyhow!(
            "--allow-read '{path}' would show every bot the results or other bots; name what they need only"
        )));
    }
    if is_system(&results) {
        let system = results.display();
        return Err(usage(anyhow!(
            "'{system}' is part of the system, which every bot sees; choose another folder"
        )));
    }
    Ok(bot_files::take(entrants, Some(&Copies::of(&folder, limit)))?)
}

/// Warns of bots that were handed in and are the same program: one of them may be a copy of somebody else's, or a link to it.
pub fn warn_of_twins(entrants: &[Entrant]) {
    let found: Vec<&Entrant> = entrants.iter().filter(|entrant| !entrant.home.is_unknown()).collect();
    for (index, entrant) in found.iter().enumerate() {
        let is_same = |other: &&&Entrant| {
            let is_known = other.own.is_some() && other.identity.is_some();
            is_known && other.identity == entrant.identity && other.line.words == entrant.line.words
        };
        if let Some(other) = found[..index].iter().find(is_same) {
            warn(format!("bots {} and {} are the same program", other.name, entrant.name));
        }
    }
}

/// What a bot may miss that stands beside it, and does not belong to it: a sentence that follows another, or nothing.
pub fn stands_beside(bot: &Entrant, all: &[Entrant]) -> String {
    const SHOWN: usize = 3;
    let names = bot_files::beside(bot, all);
    let more = if names.len() > SHOWN { " and more" } else { "" };
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| format!("'{}'", name.display())).collect();
    let (stand, them) = if names.len() == 1 { ("stands", "it") } else { ("stand", "them") };
    match names.is_empty() {
        true => String::new(),
        false => format!(
            "; {}{more} {stand} beside it in a folder with other programs, where it does not see {them}: give the bot a \
             folder of its own",
            shown.join(", ")
        ),
    }
}

/// Where more is to be seen of a game that was lost by a fault: its log and how to replay it.
pub fn where_to_look(folder: &Path, game: u32, bot: &str) -> String {
    let log = folder.join(logs::of_game(game, bot));
    let log = if log.exists() { format!("its stderr is in {}; ", log.display()) } else { String::new() };
    format!("  {log}the game:\n{COMMAND}arbitro replay {} {game}", quoted(folder))
}

/// What a bot has left in its working folder, which is gone with the game, if anything.
pub fn left_files(record: &GameRecord) -> Vec<(&str, String)> {
    let left = record.seats.iter().filter(|seat| !seat.wrote.is_empty());
    let told = left.map(|seat| {
        let names = printable(seat.wrote.join(", ").as_bytes(), LONGEST_LIST);
        let text = format!(
            "{} wrote {names} into its working folder, which is removed after each game; --keep-scratch keeps it",
            seat.bot
        );
        (seat.bot.as_str(), text)
    });
    told.collect()
}

/// More than a few names have.
const LONGEST_LIST: usize = 300;

/// Tells apart what the person who typed the command can mend.
pub fn contest_error(error: ContestError) -> Error {
    match error {
        ContestError::Folder(path, error) if error.kind() == io::ErrorKind::NotADirectory => usage(anyhow!(
            "'{}' cannot be a folder, since there is a file of that name; give another one with --out",
            path.display()
        )),
        ContestError::Journal(JournalError::DiskFull(_) | JournalError::Io(..)) => error.into(),
        _ => usage(error),
    }
}

/// How a contest ends: where it is not complete, why and how to go on with it is said.
pub fn exit_code(report: &Report, stage: &Stage, go_on: &str) -> ExitCode {
    let (done, total) = (report.games.len(), report.scheduled);
    if let Some(why) = &report.given_up {
        say(&format!("incomplete: {done} of {total} games could be played: {why}; go on with{go_on}"));
        return ExitCode::from(exit::INCOMPLETE);
    }
    if done >= total || !stage.is_interrupted() {
        return ExitCode::SUCCESS;
    }
    say(&format!("interrupted: {done} of {total} games are played; go on with{go_on}"));
    ExitCode::from(exit::INTERRUPTED)
}

/// The columns that the table of a championship has.
fn columns(settings: &Settings) -> view::Columns {
    view::Columns { seats: settings.seats.into(), byes: settings.format == Format::Swiss }
}

/// The result of a championship, as `--json` prints it.
#[derive(Serialize)]
struct ChampionshipResult<'a> {
    folder: String,
    seed: u64,
    games: usize,
    scheduled: usize,
    standings: &'a [Standing],
    /// Games that repeat an earlier one move by move.
    duplicates: usize,
    #[serde(flatten)]
    disturbances: &'a Disturbances,
    /// Games that do not count, since they are played again.
    set_aside: &'a [u32],
    /// Bots that play alike.
    equal_play: &'a [EqualPlay],
    /// Bots that take no part, in the end of the table.
    left_out: Vec<Absent<'a>>,
}

/// A bot that takes no part.
#[derive(Serialize)]
struct Absent<'a> {
    bot: &'a str,
    reason: &'a str,
    /// The file with what it wrote to stderr in its test, if it wrote anything.
    stderr: Option<String>,
}

impl Absent<'_> {
    /// All of them, where they are kept in a folder.
    fn of<'a>(settings: &'a Settings, folder: &Path) -> Vec<Absent<'a>> {
        let one = |(bot, reason)| {
            let log = Some(folder.join(logs::of_test(bot))).filter(|log| log.exists());
            Absent { bot, reason, stderr: log.map(|log| log.display().to_string()) }
        };
        settings.unranked().into_iter().map(one).collect()
    }
}

/// Prints the table and what else there is to say.
pub fn print_result(folder: &Path, report: &Report, json: bool) -> Result<()> {
    let Report { settings, games, disturbances, scheduled, standings, .. } = report;
    let in_order: Vec<&Summary> = games.iter().collect();
    let result = ChampionshipResult {
        folder: folder.display().to_string(),
        seed: settings.seed,
        games: games.len(),
        scheduled: *scheduled,
        standings: &standings.rows,
        duplicates: csv_tables::duplicates(&in_order).len(),
        disturbances,
        set_aside: &report.set_aside,
        equal_play: &report.equal_play,
        left_out: Absent::of(settings, folder),
    };
    if json {
        return print(&(serde_json::to_string_pretty(&result)? + "\n"));
    }
    let width = io::stdout().is_terminal().then(|| console::Term::stdout().size().1);
    let mut text = view::table(standings, &columns(settings), width);
    for Absent { bot, reason, stderr } in &result.left_out {
        let log = stderr.as_ref().map_or(String::new(), |path| format!("; its stderr is in {path}"));
        let line = visible(format!("left out: {bot}: {reason}{log}").as_bytes());
        text += &format!("{}\n", wrapped(&line, width.map(usize::from)));
    }
    text += &format!("{} of {} games\n", result.games, result.scheduled);
    text += &kinds::text(standings);
    text += &set_aside::text(&report.set_aside);
    text += &disturbances_view::text(disturbances);
    if result.duplicates > 0 {
        let hint =
            if settings.openings.is_empty() { "; --openings N asks for different beginnings" } else { "" };
        let (games, repeat) = match result.duplicates {
            1 => ("1 game".to_owned(), "repeats"),
            many => (format!("{many} games"), "repeat"),
        };
        text += &format!("{games} {repeat} an earlier one move by move, see games.csv{hint}\n");
    }
    for line in equal_play_view::lines(&report.equal_play) {
        text += &format!("{}\n", wrapped(&line, width.map(usize::from)));
    }
    text += &format!("report, tables and journal: {}\n", folder.display());
    print(&text)
}
