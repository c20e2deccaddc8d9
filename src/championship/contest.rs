//! A match or championship in its folder: begun or gone on with, played, and kept.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use thiserror::Error;

use super::amendments::Amendments;
use super::estimate::Rest;
use super::formats::{Fixture, Impossible, Pairing, Plan};
use super::in_progress::InProgress;
use super::ledger::{Ledger, played, to_play, without};
use super::replays::Replays;
use super::runner::{Event, Finished, Line, Player, Runner};
use super::settings::{self, Settings, SettingsError};
use super::shards::attempt::AttemptLog;
use super::smoke_test::Failure;
use super::{admission, copies, csv_tables, equal_play, logs, quiet, shipped_bots};
use crate::game::Setup;
use crate::record::journal::{self, Entry, Journal, JournalError};
use crate::record::replace_file::{Durability, UNFINISHED, replace_file};
use crate::record::{FixtureKey, GameRecord, Identity, Loss, Reason, Summary, Warning};
use crate::score::Standings;
use crate::score::disturbances::Disturbances;
use crate::score::equal_play::EqualPlay;
use crate::score::game_times::GameTimes;

/// How old tables may be while games run, at the least.
const TABLES_INTERVAL: Duration = Duration::from_secs(2);

/// How the name of the board begins, for programs that are given it as a file.
const BOARD_FILE: &str = "board-";

/// What bots have left in their working directories, where that is kept.
pub const SCRATCH: &str = "scratch";

/// Why a game is given up that was disturbed each time.
const DISTURBED: &str = "some were disturbed each time by other work on this machine";

/// A match or championship in its folder.
pub struct Contest {
    folder: PathBuf,
    settings: Settings,
    plan: Plan,
    journal: Journal,
    games: Vec<Summary>,
    /// Those that were disturbed: of games that were played again, or are still to be.
    disturbed: Vec<Summary>,
    /// The numbers of the games that do not count, since they are played again.
    set_aside: Vec<u32>,
    /// The games that were known to be next when it was opened.
    open: Vec<Pairing>,
    scheduled: usize,
    /// The last attempt at each fixture whose lines in the journal do not count.
    attempts: HashMap<FixtureKey, u32>,
    last_number: u32,
    tables_due: Instant,
    /// Why games were given up, if they were.
    given_up: Option<String>,
    raw_logs: bool,
    /// How long games take, those of earlier runs too.
    times: GameTimes,
    /// What is known of this run, once it plays.
    run: Option<Run>,
    /// The part of the schedule that is played here, if not all of it is.
    part: Option<Part>,
}

/// A part of a schedule, whose games are kept in a folder of their own until all parts are joined.
pub struct Part {
    /// Its games, played or not.
    pub pairings: Vec<Pairing>,
    /// What is told of the attempt to play it.
    pub log: AttemptLog,
}

/// A run that plays.
struct Run {
    begun: Instant,
    /// How many games there were by then.
    at_first: usize,
    jobs: usize,
    /// What is to be played, as far as that is known.
    ahead: Vec<Pairing>,
}

/// What happens in a contest, for whoever watches it.
pub enum News<'a> {
    /// A game begins.
    Begun(&'a Fixture),
    /// A game is in the journal and counts.
    Counted(&'a GameRecord),
    /// A game is in the journal and does not count, since other work on the machine disturbed it. It is played again.
    Disturbed(&'a GameRecord),
    /// A game was broken off, for this reason, and is played again.
    Aborted {
        /// The game.
        fixture: &'a Fixture,
        /// Why.
        why: &'a str,
        /// What was seen of the program that had to move then, if it had taken long.
        so_far: Option<&'a Loss>,
    },
    /// A program has done something that is let pass, in a game that goes on.
    Warned(&'a Fixture, &'a Warning),
    /// So many games are about to be played again, as soon as the machine is quieter.
    Waiting(usize),
    /// Some time has passed.
    Tick,
}

/// Why a contest cannot go on.
#[derive(Debug, Error)]
pub enum ContestError {
    /// The folder holds something else.
    #[error("'{0}' holds something else than a championship; choose an empty or a new folder")]
    SomethingElse(PathBuf),
    /// The folder cannot be made or read.
    #[error("cannot use the folder '{0}': {1}")]
    Folder(PathBuf, io::Error),
    /// The settings are of no use.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// There can be no such schedule.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// Somebody else has begun or gone on there since its settings were read.
    #[error("another arbitro has been at work in '{0}' meanwhile; give the command once more")]
    Meanwhile(PathBuf),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Writes the board for programs that are given it as a file, and returns its path; nothing where there is no such file.
pub fn write_board(folder: &Path, setup: &Setup) -> Result<String, ContestError> {
    let Some(text) = setup.start().board_file() else { return Ok(String::new()) };
    // Named after what is in it: somebody else may be playing in this folder, on another board.
    let identity = Identity::of(text.as_bytes()).to_string();
    let path = folder.join(format!("{BOARD_FILE}{}.txt", &identity[..8]));
    let write = || {
        fs::create_dir_all(folder)?;
        replace_file(&path, Durability::Rebuildable, |file| file.write_all(text.as_bytes()))?;
        std::path::absolute(&path)
    };
    let path = write().map_err(|error| ContestError::Folder(folder.to_owned(), error))?;
    Ok(path.display().to_string())
}

/// The settings that a folder was begun with, or `None` for a folder in which something new can begin.
pub fn stored(folder: &Path) -> Result<Option<Settings>, ContestError> {
    let path = folder.join(settings::FILE_NAME);
    if path.exists() {
        return Ok(Some(Settings::read(&path)?));
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ContestError::Folder(folder.to_owned(), error)),
    };
    for entry in entries {
        let entry = entry.map_err(|error| ContestError::Folder(folder.to_owned(), error))?;
        // An empty journal, shipped bots, copies, a board and unfinished settings are what a run leaves that was killed before
        // it began.
        let empty = entry.metadata().is_ok_and(|data| data.is_file() && data.len() == 0);
        let name = entry.file_name();
        let begins = |start: &str| name.to_string_lossy().starts_with(start);
        let is_bots = name == shipped_bots::FOLDER || name == copies::FOLDER;
        let begun = is_bots || begins(BOARD_FILE) || begins(UNFINISHED);
        if !(begun || empty && name == journal::FILE_NAME) {
            return Err(ContestError::SomethingElse(folder.to_owned()));
        }
    }
    Ok(None)
}

/// Without its settings a journal is of no use, so they are on the disk before the first game is.
fn write_settings(folder: &Path, settings: &Settings) -> Result<(), ContestError> {
    let path = folder.join(settings::FILE_NAME);
    let text = settings.to_toml();
    let written = replace_file(&path, Durability::Synced, |file| file.write_all(text.as_bytes()));
    written.map_err(|error| JournalError::from_io(&path, error).into())
}

/// Removes files that a run left unfinished when it was killed. Nobody else writes here: the journal is locked.
fn clear_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            // One that cannot be removed is in nobody's way.
            let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
        }
    }
}

impl Contest {
    /// Begins with these settings in a folder, or goes on with what was `stored` there. What is odd about the journal is
    /// told to `warn`.
    pub fn open(
        folder: &Path,
        mut settings: Settings,
        stored: Option<&Settings>,
        amendments: &Amendments,
        mut warn: impl FnMut(String),
    ) -> Result<Contest, ContestError> {
        fs::create_dir_all(folder).map_err(|error| ContestError::Folder(folder.to_owned(), error))?;
        let path = folder.join(journal::FILE_NAME);
        let (journal, torn) = Journal::open(&path)?;
        // From here on, nobody else writes.
        let written = folder.join(settings::FILE_NAME);
        let written = written.exists().then(|| Settings::read(&written)).transpose()?;
        if written.as_ref() != stored {
            return Err(ContestError::Meanwhile(folder.to_owned()));
        }
        clear_unfinished(folder);
        clear_unfinished(&folder.join(copies::FOLDER));
        if let Some(torn) = torn {
            warn(format!("the last line of the journal was torn and is now in '{}'", torn.display()));
        }
        let mut damaged = 0;
        let count = |damage| {
            damaged += 1;
            warn(damage);
        };
        let lines: Vec<Summary> =
            journal::read(&path, count).map_err(|error| JournalError::from_io(&path, error))?;
        // A damaged line had a number too.
        let last_number = lines.iter().map(|line| line.number).max().unwrap_or_default();
        let last_number = last_number.max((lines.len() + damaged) as u32);
        if let Some(stored) = stored {
            let plan = stored.plan();
            let remarks = admission::carry_over(&mut settings, stored, || {
                let played = played(&plan, &lines);
                (plan.joins_in_round(&played), plan.leaves_in_round(&played))
            });
            remarks.into_iter().for_each(&mut warn);
            amendments.set_aside(&mut settings, &lines, &mut warn);
        }
        // A championship that has begun goes on as well as it can, unless it is asked for something else now.
        let same = |stored: &Settings| (stored.format, stored.rounds) == (settings.format, settings.rounds);
        if !stored.is_some_and(same) {
            settings.plan().check()?;
        }
        let ledger = Ledger::read(&settings, lines);
        ledger.warn_of_others(&mut warn);
        let attempts = ledger.attempts(&settings);
        let tables_due = Instant::now() + TABLES_INTERVAL;
        let times = GameTimes::of(ledger.games.iter().chain(&ledger.disturbed));
        let Ledger { plan, games, disturbed, set_aside, open, scheduled, .. } = ledger;
        let contest = Contest {
            folder: folder.to_owned(),
            settings,
            plan,
            set_aside,
            journal,
            games,
            disturbed,
            open,
            scheduled,
            attempts,
            last_number,
            tables_due,
            given_up: None,
            raw_logs: false,
            times,
            run: None,
            part: None,
        };
        if stored != Some(&contest.settings) {
            write_settings(folder, &contest.settings)?;
        }
        Ok(contest)
    }

    /// Goes on with a part of a championship, of whose games this is known, in the folder of a new attempt.
    pub fn open_part(settings: Settings, ledger: Ledger, part: Part) -> Result<Contest, ContestError> {
        let folder = part.log.folder().to_owned();
        // A journal is of use only to those who know how its games were played.
        write_settings(&folder, &settings)?;
        let journal = Journal::create(&folder.join(journal::FILE_NAME))?;
        let attempts = ledger.attempts(&settings);
        let times = GameTimes::of(ledger.games.iter().chain(&ledger.disturbed));
        let Ledger { plan, games, disturbed, .. } = ledger;
        let keys: HashSet<&FixtureKey> = part.pairings.iter().flatten().map(|fixture| &fixture.key).collect();
        let is_own = |game: &Summary| game.key().is_some_and(|key| keys.contains(&key));
        let games: Vec<Summary> = games.into_iter().filter(is_own).collect();
        Ok(Contest {
            folder,
            settings,
            set_aside: Vec::new(),
            journal,
            disturbed,
            open: without(part.pairings.clone(), &played(&plan, &games)),
            scheduled: keys.len(),
            plan,
            games,
            attempts,
            last_number: 0,
            tables_due: Instant::now(),
            given_up: None,
            raw_logs: false,
            times,
            run: None,
            part: Some(part),
        })
    }

    /// What is told of the attempt to play a part, if this is one.
    pub fn attempt(&mut self) -> Option<&mut AttemptLog> {
        self.part.as_mut().map(|part| &mut part.log)
    }

    /// Why games could not be played, if so.
    pub fn given_up(&self) -> Option<&str> {
        self.given_up.as_deref()
    }

    /// Keeps what bots write to stderr as it is, escapes included, instead of making those visible.
    pub fn keep_raw_logs(&mut self, raw: bool) {
        self.raw_logs = raw;
    }

    /// Keeps what bots wrote to stderr that have just failed their test.
    pub fn keep_test_logs(&self, failures: &BTreeMap<String, Failure>) -> Result<(), ContestError> {
        let written = logs::write_tests(&self.folder, &self.settings, failures, self.raw_logs);
        Ok(written.map_err(|error| JournalError::from_io(&self.folder, error))?)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The games that count, so far.
    pub fn games(&self) -> &[Summary] {
        &self.games
    }

    /// The standings after the games so far.
    pub fn standings(&self) -> Standings {
        csv_tables::standings(&self.settings, &self.plan, &self.games)
    }

    /// How many games there will be in all, as far as that can be known.
    pub fn scheduled(&self) -> usize {
        self.scheduled
    }

    /// Games a minute in this run, once one was played. Those of earlier runs say nothing of it.
    pub fn a_minute(&self) -> Option<f64> {
        let run = self.run.as_ref()?;
        let played = self.games.len().saturating_sub(run.at_first);
        (played > 0).then(|| 60.0 * played as f64 / run.begun.elapsed().as_secs_f64().max(1e-3))
    }

    /// How long this run will still take, from how long the games of each bot took; nothing as long as nothing is known.
    pub fn time_left(&self, in_progress: &InProgress) -> Option<Duration> {
        let run = self.run.as_ref()?;
        self.rest(&run.ahead, run.jobs, &in_progress.since(), |rest| rest.time(&self.times))
    }

    /// How long all that is left will take with so many games at a time, as earlier games show, and at worst; before it is played.
    pub fn forecast(&self, jobs: usize) -> (Option<Duration>, Option<Duration>) {
        let terms = &self.settings.terms;
        self.ask_of_rest(jobs, |rest| (rest.time(&self.times), rest.time_at_worst(terms)))
    }

    /// Asks something about what is left before it is played, with so many games at a time.
    pub fn ask_of_rest<T>(&self, jobs: usize, ask: impl FnOnce(&Rest) -> T) -> T {
        self.rest(&self.open, jobs, &[], ask)
    }

    /// Asks something about what is left, of which these pairings are known.
    fn rest<T>(
        &self,
        pairings: &[Pairing],
        jobs: usize,
        running: &[(FixtureKey, Duration)],
        ask: impl FnOnce(&Rest) -> T,
    ) -> T {
        let bots: Vec<Arc<str>> = self.settings.playing().map(|bot| bot.name.as_str().into()).collect();
        let known: usize = pairings.iter().map(Vec::len).sum();
        let undrawn = self.scheduled.saturating_sub(self.games.len() + known);
        ask(&Rest { pairings, undrawn, bots: &bots, running, jobs })
    }

    /// Plays all that is to be played, or until `watch`, which is told of everything, breaks off. Games are in the journal
    /// before they count. What is broken off or disturbed is played again in the end, and given up after some attempts. Returns
    /// the standings.
    pub fn play(
        &mut self,
        runner: &Runner,
        mut watch: impl FnMut(&Contest, News) -> ControlFlow<()>,
    ) -> Result<Standings, ContestError> {
        let mut stopped = false;
        let mut replays = Replays::default();
        let mut open = std::mem::take(&mut self.open);
        let (begun, at_first) = (Instant::now(), self.games.len());
        self.run = Some(Run { begun, at_first, jobs: runner.jobs, ahead: Vec::new() });
        loop {
            let pairings = replays.without_given_up(seated(open, runner));
            let again = replays.among(&pairings);
            if again > 0 && !stopped {
                quiet::wait(runner.interrupt, || stopped = watch(self, News::Waiting(again)).is_break());
            }
            if pairings.is_empty() || stopped || runner.interrupt.requested() {
                break;
            }
            if let Some(run) = &mut self.run {
                run.ahead.clone_from(&pairings);
            }
            runner.run::<ContestError>(pairings, |event| {
                self.log(&event)?;
                let answer = match &event {
                    Event::Begun(fixture) => watch(self, News::Begun(fixture)),
                    Event::Tick => watch(self, News::Tick),
                    Event::Finished(game) if game.played.verdict.counts() => {
                        let record = self.keep(game, runner)?;
                        watch(self, News::Counted(&record))
                    }
                    Event::Finished(game) if game.played.verdict.reason == Reason::Disturbed => {
                        let record = self.keep(game, runner)?;
                        replays.failed(&game.fixture.key, DISTURBED);
                        watch(self, News::Disturbed(&record))
                    }
                    Event::Finished(game) => {
                        let why = &game.played.verdict.sentence;
                        replays.failed(&game.fixture.key, why);
                        let so_far = game.played.so_far.as_ref();
                        watch(self, News::Aborted { fixture: &game.fixture, why, so_far })
                    }
                    Event::Broken { fixture, trouble } => {
                        replays.failed(&fixture.key, trouble);
                        watch(self, News::Aborted { fixture, why: trouble, so_far: None })
                    }
                    Event::Warned { fixture, warning } => watch(self, News::Warned(fixture, warning)),
                };
                self.catch_up()?;
                stopped |= answer.is_break();
                Ok(answer)
            })?;
            open = match &self.part {
                None => to_play(&self.plan, &self.games),
                Some(part) => without(part.pairings.clone(), &played(&self.plan, &self.games)),
            };
        }
        self.given_up = replays.given_up.filter(|_| !stopped && !runner.interrupt.requested());
        let path = self.folder.join(journal::FILE_NAME);
        self.journal.sync().map_err(|error| JournalError::from_io(&path, error))?;
        match self.part {
            None => self.write_tables(),
            Some(_) => Ok(self.standings()),
        }
    }

    /// All that is known of it in the end, with these standings.
    pub fn conclude(self, standings: Standings) -> Report {
        let Contest { folder, settings, plan, games, disturbed, set_aside, scheduled, given_up, .. } = self;
        let disturbances = Disturbances::of(&games, &disturbed);
        // A championship that is over is not spoilt if its journal cannot be read just now: `arbitro report` compares again.
        let equal_play = equal_play::find(&folder, &settings, &games).unwrap_or_default();
        Report {
            settings,
            plan,
            games,
            disturbances,
            set_aside,
            scheduled,
            standings,
            equal_play,
            given_up,
            shown: None,
        }
    }

    /// Tells of an event what those want to know of it who find the attempt broken off.
    fn log(&mut self, event: &Event) -> Result<(), ContestError> {
        let Some(part) = &mut self.part else { return Ok(()) };
        let log = &mut part.log;
        let written = match event {
            Event::Begun(fixture) => {
                let generation = self.settings.generation(fixture.key.bots.iter().map(|bot| &**bot));
                log.begun(&fixture.key, generation)
            }
            Event::Finished(game) if game.played.verdict.reason == Reason::Aborted => {
                log.broken_off(&game.fixture.key)
            }
            Event::Broken { fixture, .. } => log.broken_off(&fixture.key),
            Event::Finished(_) | Event::Warned { .. } | Event::Tick => {
                log.beat();
                Ok(())
            }
        };
        written.map_err(|error| JournalError::from_io(log.folder(), error).into())
    }

    /// Writes a finished game down, and returns it as it is in the journal.
    fn keep(&mut self, game: &Finished, runner: &Runner) -> Result<GameRecord, ContestError> {
        let key = &game.fixture.key;
        let line = Line {
            number: self.last_number.saturating_add(1),
            generation: self.settings.generation(key.bots.iter().map(|bot| &**bot)),
            attempt: self.attempts.get(key).map_or(1, |attempt| attempt.saturating_add(1)),
        };
        let player = |name: &Arc<str>| {
            let bot = self.settings.bot(name);
            Player {
                name: name.to_string(),
                command: bot.map_or(String::new(), |bot| bot.command.clone()),
                identity: bot.and_then(|bot| bot.identity),
            }
        };
        let record = game.record(&runner.seating, line, key.bots.iter().map(player).collect());
        let path = self.folder.join(journal::FILE_NAME);
        self.journal.append(&record).map_err(|error| JournalError::from_io(&path, error))?;
        if self.part.is_some() {
            // Whoever takes over, after the machine was lost, plays no game twice.
            self.journal.sync().map_err(|error| JournalError::from_io(&path, error))?;
        }
        self.last_number = line.number;
        let summary = Summary::from(&record);
        self.times.add(&summary);
        if record.verdict.counts() {
            self.games.push(summary);
            self.run.iter_mut().for_each(|run| run.is_over(key));
        } else {
            self.disturbed.push(summary);
            self.attempts.insert(key.clone(), line.attempt);
        }
        for (seat, played) in record.seats.iter().zip(&game.played.seats) {
            let name = logs::of_game(line.number, &seat.bot);
            logs::write(&self.folder, &name, &played.stderr, self.raw_logs)
                .map_err(|error| JournalError::from_io(&self.folder.join(&name), error))?;
        }
        for (seat, kept) in record.seats.iter().zip(&game.scratch) {
            let path = self.folder.join(SCRATCH).join(format!("{:04}-{}", line.number, seat.bot));
            keep_scratch(kept, &path).map_err(|error| JournalError::from_io(&path, error))?;
        }
        Ok(record)
    }

    /// Does what is due from time to time.
    fn catch_up(&mut self) -> Result<(), ContestError> {
        let path = self.folder.join(journal::FILE_NAME);
        self.journal.sync_when_due().map_err(|error| JournalError::from_io(&path, error))?;
        // Of a part there are no tables before it is joined with the others.
        if self.part.is_none() && Instant::now() >= self.tables_due {
            self.write_tables()?;
        }
        Ok(())
    }

    fn write_tables(&mut self) -> Result<Standings, ContestError> {
        let begun = Instant::now();
        let Contest { folder, settings, plan, games, disturbed, .. } = &*self;
        let standings = csv_tables::write(folder, settings, plan, games, disturbed)
            .map_err(|error| JournalError::from_io(folder, error))?;
        // Tables of a long championship take longer; they never take more than a twentieth of the time.
        self.tables_due = Instant::now() + TABLES_INTERVAL.max(20 * begun.elapsed());
        Ok(standings)
    }
}

impl Run {
    /// A game is no longer ahead. Games end about in the order in which they stand there.
    fn is_over(&mut self, key: &FixtureKey) {
        let has_it = |pairing: &Pairing| pairing.iter().any(|fixture| fixture.key == *key);
        if let Some(place) = self.ahead.iter().position(has_it) {
            self.ahead[place].retain(|fixture| fixture.key != *key);
            if self.ahead[place].is_empty() {
                self.ahead.remove(place);
            }
        }
    }
}

/// Gives what a bot has left in its working directory the place where people look for it; nothing is kept of a bot that left nothing.
fn keep_scratch(kept: &TempDir, path: &Path) -> io::Result<()> {
    if kept.path().read_dir()?.next().is_none() {
        return Ok(());
    }
    fs::set_permissions(kept.path(), fs::Permissions::from_mode(0o755))?;
    fs::rename(kept.path(), path)
}

/// The pairings with the bots as the runner counts them.
pub(super) fn seated(mut pairings: Vec<Pairing>, runner: &Runner) -> Vec<Pairing> {
    let place: HashMap<&str, usize> =
        runner.roster.iter().enumerate().map(|(index, entrant)| (entrant.name.as_str(), index)).collect();
    for pairing in &mut pairings {
        pairing.retain_mut(|fixture| {
            let seats: Option<Vec<usize>> =
                fixture.key.bots.iter().map(|name| place.get(&**name).copied()).collect();
            let known = seats.is_some();
            fixture.seats = seats.unwrap_or_default();
            known
        });
    }
    pairings.retain(|pairing| !pairing.is_empty());
    pairings
}

/// What is computed from the journal of a folder.
pub struct Report {
    /// The settings of the championship.
    pub settings: Settings,
    /// What its schedule depends on.
    pub plan: Plan,
    /// The games that count.
    pub games: Vec<Summary>,
    /// What became of the games that were disturbed.
    pub disturbances: Disturbances,
    /// The numbers of the games that do not count, since they are played again.
    pub set_aside: Vec<u32>,
    /// How many games there will be in all, as far as that can be known.
    pub scheduled: usize,
    /// The standings.
    pub standings: Standings,
    /// The bots that play alike.
    pub equal_play: Vec<EqualPlay>,
    /// Why some games could not be finished, if so.
    pub given_up: Option<String>,
    /// What [`shown_lines`] finds, where that is known.
    pub shown: Option<Vec<usize>>,
}

/// The lines of the journal of a folder that count, and those that were disturbed: their numbers in the file, in order.
pub fn shown_lines(folder: &Path, settings: &Settings) -> io::Result<Vec<usize>> {
    Ok(read_ledger(folder, settings, |_| ())?.1)
}

/// The games in a journal, if there is one.
pub fn lines(path: &Path, warn: impl FnMut(String)) -> Result<Vec<Summary>, ContestError> {
    match journal::read(path, warn) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| ContestError::Folder(path.to_owned(), error)),
    }
}

/// The games of a folder, told apart as they are under these settings; nothing is written.
pub fn ledger(folder: &Path, settings: &Settings, warn: impl FnMut(String)) -> Result<Ledger, ContestError> {
    match read_ledger(folder, settings, warn) {
        Ok((ledger, _)) => Ok(ledger),
        // Of a run that was killed before it began there is no journal.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ledger::read(settings, Vec::new())),
        Err(error) => Err(ContestError::Folder(folder.join(journal::FILE_NAME), error)),
    }
}

/// The lines of the journal of a folder, told apart, and the numbers in the file of those that count or were disturbed.
fn read_ledger(
    folder: &Path,
    settings: &Settings,
    mut warn: impl FnMut(String),
) -> io::Result<(Ledger, Vec<usize>)> {
    let path = folder.join(journal::FILE_NAME);
    let (mut numbers, mut lines) = (Vec::new(), Vec::new());
    for entry in journal::entries::<Summary>(&path)? {
        let Entry { line, content } = entry?;
        match content {
            Ok(summary) => {
                numbers.push(line);
                lines.push(summary);
            }
            Err(damage) => warn(format!("{} line {line} is left out: {damage}", path.display())),
        }
    }
    let ledger = Ledger::read(settings, lines);
    let shown = ledger.shown.iter().filter_map(|&index| numbers.get(index).copied()).collect();
    Ok((ledger, shown))
}

/// The games that count of what was begun in a folder.
pub fn games_that_count(folder: &Path, settings: &Settings) -> io::Result<Vec<Summary>> {
    Ok(read_ledger(folder, settings, |_| ())?.0.games)
}

/// Rebuilds every file that is computed from the journal of a folder.
pub fn report(folder: &Path, warn: impl FnMut(String)) -> Result<Report, ContestError> {
    let (report, disturbed) = read(folder, warn)?;
    csv_tables::write(folder, &report.settings, &report.plan, &report.games, &disturbed)
        .map_err(|error| JournalError::from_io(folder, error))?;
    Ok(report)
}

/// What is to be told of the championship in a folder, and the games that were disturbed. Nothing is written.
pub fn read(folder: &Path, mut warn: impl FnMut(String)) -> Result<(Report, Vec<Summary>), ContestError> {
    let settings = Settings::read(&folder.join(settings::FILE_NAME))?;
    let read = read_ledger(folder, &settings, &mut warn);
    let unreadable = |error| ContestError::Folder(folder.join(journal::FILE_NAME), error);
    let (ledger, shown) = read.map_err(unreadable)?;
    ledger.warn_of_others(&mut warn);
    let Ledger { plan, games, disturbed, set_aside, scheduled, .. } = ledger;
    let standings = csv_tables::standings(&settings, &plan, &games);
    let disturbances = Disturbances::of(&games, &disturbed);
    let equal_play = equal_play::find(folder, &settings, &games).map_err(unreadable)?;
    let report = Report {
        settings,
        plan,
        games,
        disturbances,
        set_aside,
        scheduled,
        standings,
        equal_play,
        given_up: None,
        shown: Some(shown),
    };
    Ok((report, disturbed))
}
