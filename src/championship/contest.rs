//! A match or championship in its folder: begun or gone on with, played, and kept.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::runner::{Event, Finished, Runner};
use super::schedule::{Fixture, Pairing};
use super::settings::{self, Settings, SettingsError};
use super::standings::{self, Standings};
use super::{shipped, tables};
use crate::game::Setup;
use crate::record::journal::{self, Journal, JournalError};
use crate::record::summary::Summary;

/// How old tables may be while games run, at the least.
const TABLES_INTERVAL: Duration = Duration::from_secs(2);

/// The board, for programs that are given it as a file.
const BOARD_FILE: &str = "board.txt";

/// The settings while they are being written.
const FRESH_SETTINGS: &str = "championship.toml.new";

/// How often games that were broken off are tried again, if nothing else gets done.
const ATTEMPTS: u32 = 3;

/// A match or championship in its folder.
pub struct Contest {
    folder: PathBuf,
    settings: Settings,
    journal: Journal,
    games: Vec<Summary>,
    /// Numbers of games in the journal, those included that do not count any more.
    used_ids: HashSet<u32>,
    tables_due: Instant,
}

/// Why a contest cannot go on.
#[derive(Debug, Error)]
pub enum ContestError {
    /// The folder holds something else.
    #[error("'{0}' holds something else than a championship; give an empty or a new folder with --out")]
    SomethingElse(PathBuf),
    /// The folder cannot be made or read.
    #[error("cannot use the folder '{0}': {1}")]
    Folder(PathBuf, io::Error),
    /// The settings are of no use.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The settings are not those that it was begun with.
    #[error(
        "'{folder}' was begun with other settings:\n  {list}\nRepeat the command as it was, give another folder with \
         --out, or go on all the same with --accept-changes",
        list = .differences.join("\n  ")
    )]
    Changed {
        /// The folder.
        folder: PathBuf,
        /// What has changed.
        differences: Vec<String>,
    },
    /// Games are broken off again and again.
    #[error("no game can be finished: {0}")]
    Stuck(String),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The referee's own trouble.
    #[error("the referee is in trouble: {0}")]
    Referee(#[from] io::Error),
}

/// Writes the board for programs that are given it as a file, and returns its path; nothing where there is no such file.
pub fn write_board(folder: &Path, setup: &Setup) -> Result<String, ContestError> {
    let Some(text) = setup.start().board_file() else { return Ok(String::new()) };
    let path = folder.join(BOARD_FILE);
    let write = || {
        fs::create_dir_all(folder)?;
        fs::write(&path, text)?;
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
        // An empty journal, shipped bots, a board and unfinished settings are what a run leaves that was killed before it
        // began.
        let empty = entry.metadata().is_ok_and(|data| data.is_file() && data.len() == 0);
        let name = entry.file_name();
        let begun = [shipped::FOLDER, BOARD_FILE, FRESH_SETTINGS].iter().any(|&begun| name == begun);
        if !(begun || empty && name == journal::FILE_NAME) {
            return Err(ContestError::SomethingElse(folder.to_owned()));
        }
    }
    Ok(None)
}

impl Contest {
    /// Begins with these settings in a folder, or goes on with what is there. What is odd about the journal is told to
    /// `warn`.
    pub fn open(
        folder: &Path,
        settings: Settings,
        accept_changes: bool,
        mut warn: impl FnMut(String),
    ) -> Result<Contest, ContestError> {
        let previous = stored(folder)?;
        if let Some(previous) = &previous {
            let differences = previous.differences(&settings);
            if !differences.is_empty() && !accept_changes {
                return Err(ContestError::Changed { folder: folder.to_owned(), differences });
            }
            for difference in differences {
                warn(format!("changed since the first games, which are kept: {difference}"));
            }
        }
        fs::create_dir_all(folder).map_err(|error| ContestError::Folder(folder.to_owned(), error))?;
        let path = folder.join(journal::FILE_NAME);
        let (journal, torn) = Journal::open(&path)?;
        if let Some(torn) = torn {
            warn(format!("the last line of the journal was torn and is now in '{}'", torn.display()));
        }
        let entries = journal::read(&path).map_err(|error| JournalError::from_io(&path, error))?;
        let recorded: Vec<Summary> = journal::undamaged(&path, entries, &mut warn);
        let used_ids = recorded.iter().map(|game| game.id).collect();
        let games = scheduled(&settings, recorded, &mut warn);
        let contest = Contest {
            folder: folder.to_owned(),
            settings,
            journal,
            games,
            used_ids,
            tables_due: Instant::now() + TABLES_INTERVAL,
        };
        if previous.as_ref() != Some(&contest.settings) {
            contest.write_settings()?;
        }
        Ok(contest)
    }

    fn write_settings(&self) -> Result<(), ContestError> {
        let (path, fresh) = (self.folder.join(settings::FILE_NAME), self.folder.join(FRESH_SETTINGS));
        // On the disk before it takes the old one's place: without it the journal is of no use.
        let write = || {
            let mut file = fs::File::create(&fresh)?;
            file.write_all(self.settings.to_toml().as_bytes())?;
            file.sync_all()?;
            fs::rename(&fresh, &path)
        };
        write().map_err(|error| JournalError::from_io(&path, error).into())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The games that were played so far.
    pub fn games(&self) -> &[Summary] {
        &self.games
    }

    /// The standings after the games so far.
    pub fn standings(&self) -> Standings {
        tables::standings(&self.settings, &self.games)
    }

    /// The games that are known to be next: the schedule without what is in the journal.
    pub fn to_play(&self) -> Vec<Pairing> {
        let names = self.settings.names();
        let mut pairings = self.settings.plan().pairings(&standings::scores(&names, &self.games));
        let played: HashSet<Key> = self.games.iter().map(key).collect();
        let open = |fixture: &Fixture| {
            let seats = fixture.seats.iter().map(|&bot| names[bot].as_str()).collect();
            !played.contains(&(fixture.round, seats))
        };
        let planned = pairings.iter().flatten().map(|fixture| fixture.id);
        let mut next_id = planned.chain(self.used_ids.iter().copied()).max().unwrap_or_default() + 1;
        for pairing in &mut pairings {
            pairing.retain(open);
            // After changes to the roster, the schedule may give out numbers that games have already.
            for fixture in pairing.iter_mut().filter(|fixture| self.used_ids.contains(&fixture.id)) {
                fixture.id = next_id;
                next_id += 1;
            }
        }
        pairings.retain(|pairing| !pairing.is_empty());
        pairings
    }

    /// Plays all that is to be played, or until `watch`, which is told of everything, breaks off. Games are in the journal
    /// before they count. Returns the standings in the end.
    pub fn play(
        &mut self,
        runner: &Runner,
        mut watch: impl FnMut(&Contest, &Event) -> ControlFlow<()>,
    ) -> Result<Standings, ContestError> {
        let mut stopped = false;
        let mut in_vain = 0;
        loop {
            let pairings = self.to_play();
            if pairings.is_empty() || stopped || runner.interrupt.requested() {
                break;
            }
            let before = self.games.len();
            let mut aborted = String::new();
            runner.run::<ContestError>(pairings, |event| {
                match &event {
                    Event::Finished(game) if game.record.verdict.counts() => self.keep(game)?,
                    Event::Finished(game) => aborted.clone_from(&game.record.verdict.sentence),
                    Event::Begun(_) | Event::Tick => {}
                }
                self.catch_up()?;
                let answer = watch(self, &event);
                stopped |= answer.is_break();
                Ok(answer)
            })?;
            in_vain = if self.games.len() == before { in_vain + 1 } else { 0 };
            if in_vain == ATTEMPTS && !stopped && !runner.interrupt.requested() {
                return Err(ContestError::Stuck(aborted));
            }
        }
        let path = self.folder.join(journal::FILE_NAME);
        self.journal.sync().map_err(|error| JournalError::from_io(&path, error))?;
        self.write_tables()
    }

    /// Writes a finished game down.
    fn keep(&mut self, game: &Finished) -> Result<(), ContestError> {
        let record = &game.record;
        let path = self.folder.join(journal::FILE_NAME);
        self.journal.append(record).map_err(|error| JournalError::from_io(&path, error))?;
        self.games.push(Summary::from(record));
        self.used_ids.insert(record.id);
        for (seat, text) in record.seats.iter().zip(&game.stderr).filter(|(_, text)| !text.is_empty()) {
            let logs = self.folder.join("logs");
            let path = logs.join(format!("{:04}-{}.stderr", record.id, seat.bot));
            let written = fs::create_dir_all(&logs).and_then(|()| fs::write(&path, text));
            written.map_err(|error| JournalError::from_io(&path, error))?;
        }
        Ok(())
    }

    /// Does what is due from time to time.
    fn catch_up(&mut self) -> Result<(), ContestError> {
        let path = self.folder.join(journal::FILE_NAME);
        self.journal.sync_when_due().map_err(|error| JournalError::from_io(&path, error))?;
        if Instant::now() >= self.tables_due {
            self.write_tables()?;
        }
        Ok(())
    }

    fn write_tables(&mut self) -> Result<Standings, ContestError> {
        let begun = Instant::now();
        let standings = tables::write(&self.folder, &self.settings, &self.games)
            .map_err(|error| JournalError::from_io(&self.folder, error))?;
        // Tables of a long championship take longer; they never take more than a twentieth of the time.
        self.tables_due = Instant::now() + TABLES_INTERVAL.max(20 * begun.elapsed());
        Ok(standings)
    }
}

/// What tells the games of a championship apart: the round, and who sat where.
type Key<'a> = (u32, Vec<&'a str>);

fn key(game: &Summary) -> Key<'_> {
    (game.round, game.seats.iter().map(|seat| seat.bot.as_str()).collect())
}

/// The games that count: each that the schedule has, once. Joining or editing journals can bring others, and so can
/// settings that were changed.
fn scheduled(settings: &Settings, games: Vec<Summary>, mut warn: impl FnMut(String)) -> Vec<Summary> {
    let names = settings.names();
    let pairings = settings.plan().pairings(&standings::scores(&names, &games));
    let seats = |fixture: &Fixture| fixture.seats.iter().map(|&bot| names[bot].as_str()).collect();
    let mut open: HashSet<Key> =
        pairings.iter().flatten().map(|fixture| (fixture.round, seats(fixture))).collect();
    let counts: Vec<bool> =
        games.iter().map(|game| game.verdict.counts() && open.remove(&key(game))).collect();
    let count = games.len();
    let counted: Vec<Summary> =
        games.into_iter().zip(counts).filter(|&(_, counts)| counts).map(|(game, _)| game).collect();
    if counted.len() < count {
        let aside = count - counted.len();
        warn(format!(
            "{aside} games of the journal do not count: the schedule does not have them, or has them once only"
        ));
    }
    counted
}

/// Rebuilds every file that is computed from the journal of a folder.
pub fn report(
    folder: &Path,
    mut warn: impl FnMut(String),
) -> Result<(Settings, Vec<Summary>, Standings), ContestError> {
    let settings = Settings::read(&folder.join(settings::FILE_NAME))?;
    let path = folder.join(journal::FILE_NAME);
    let entries = journal::read(&path).map_err(|error| ContestError::Folder(path.clone(), error))?;
    let games = scheduled(&settings, journal::undamaged(&path, entries, &mut warn), &mut warn);
    let standings =
        tables::write(folder, &settings, &games).map_err(|error| JournalError::from_io(folder, error))?;
    Ok((settings, games, standings))
}
