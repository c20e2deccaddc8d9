//! One attempt at a shard: a folder of its own, with a journal of the games it has finished and a log of what it has begun.
//!
//! Nothing of it is written by anybody else. So workers need no locks, which shared file systems do not always have, and two that play
//! the same shard, since one was thought lost, do not harm each other.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::shard::{FOLDER, Shard};
use crate::championship::machine::Machine;
use crate::record::journal::{self, Damage, Journal, JournalError};
use crate::record::{FixtureKey, Summary};

/// The log's name in the folder of an attempt.
const LOG: &str = "attempt.jsonl";

/// How often a worker shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A worker that has not shown that it is alive for so long is taken for dead.
const SILENCE: Duration = Duration::from_secs(30);

/// What was done in an attempt, a line of its log each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event {
    /// It begins.
    Start(Start),
    /// A game begins.
    Begun(Begun),
    /// A game was broken off, which is nobody's fault.
    BrokenOff { game: FixtureKey },
    /// It is over.
    End { how: End, at: jiff::Timestamp },
}

/// A game that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Its fixture.
    pub game: FixtureKey,
    /// How often that had been declared to be played again by then, from 1.
    pub generation: u32,
}

/// Who makes an attempt, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The shard.
    pub shard: Shard,
    /// How many games it has.
    pub games: usize,
    /// How many of them were still to be played.
    pub open: usize,
    /// The version of arbitro.
    pub arbitro: String,
    /// The machine.
    pub machine: Machine,
    /// The job of the scheduler, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// How often the scheduler had started it before.
    #[serde(default)]
    pub restart: u32,
    /// The process.
    pub pid: u32,
    /// When it began, by the machine's clock.
    pub at: jiff::Timestamp,
    /// By how many seconds that clock is ahead of the one of the shared folder.
    #[serde(default)]
    pub ahead_s: f64,
}

/// How an attempt has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// All games of its shard are played.
    Complete,
    /// Games are missing that could not be played.
    Incomplete,
    /// It was told to stop.
    Stopped,
}

/// What the scheduler tells its jobs: which job it is, and how often it was started before.
pub fn job() -> (Option<String>, u32) {
    let read = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let array = read("SLURM_ARRAY_JOB_ID")
        .zip(read("SLURM_ARRAY_TASK_ID"))
        .map(|(job, task)| format!("{job}_{task}"));
    let job =
        array.or_else(|| read("SLURM_JOB_ID")).or_else(|| read("PARALLEL_SEQ")).or_else(|| read("JOB_ID"));
    let restart = read("SLURM_RESTART_COUNT").and_then(|count| count.parse().ok()).unwrap_or_default();
    (job, restart)
}

/// The log of an attempt that goes on.
pub struct AttemptLog {
    folder: PathBuf,
    log: Journal,
    beats: Instant,
}

impl AttemptLog {
    /// Begins an attempt in a folder of its own below that of the championship. The start is still to be [told](AttemptLog::start).
    pub fn open(championship: &Path, shard: Shard) -> Result<AttemptLog, JournalError> {
        let all = championship.join(FOLDER);
        let failed = |error| JournalError::from_io(&all, error);
        fs::create_dir_all(&all).map_err(failed)?;
        let (job, restart) = job();
        let host = plain(&Machine::host());
        let job = job.map_or(String::new(), |job| format!(".job{}", plain(&job)));
        let (number, of, pid) = (shard.number, shard.of, std::process::id());
        let name = format!("{number:04}-of-{of:04}.{host}{job}.r{restart}.p{pid}");
        // The number of a process may have been that of an earlier one.
        let names = std::iter::once(name.clone()).chain((2..).map(|again| format!("{name}.{again}")));
        let mut folder = all.clone();
        for name in names {
            folder = all.join(name);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.map_err(failed)?,
            }
            break;
        }
        let log = Journal::create(&folder.join(LOG))?;
        Ok(AttemptLog { folder, log, beats: Instant::now() })
    }

    /// The folder of the attempt.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// By how many seconds the clock of this machine is ahead of the one of the file system: of a shared folder that is the clock of
    /// another machine.
    pub fn clock_ahead(&self) -> f64 {
        let probe = tempfile::NamedTempFile::new_in(&self.folder);
        let there = probe.and_then(|file| file.as_file().metadata()?.modified());
        let now = SystemTime::now();
        match there {
            Ok(there) => match now.duration_since(there) {
                Ok(ahead) => ahead.as_secs_f64(),
                Err(behind) => -behind.duration().as_secs_f64(),
            },
            // Ignore failure: what matters of the folder is found out with the first line.
            Err(_) => 0.0,
        }
    }

    /// Tells who makes the attempt.
    pub fn start(&mut self, start: Start) -> io::Result<()> {
        self.write(&Event::Start(start))
    }

    /// Tells that a game begins.
    pub fn begun(&mut self, game: &FixtureKey, generation: u32) -> io::Result<()> {
        self.log.append(&Event::Begun(Begun { game: game.clone(), generation }))
    }

    /// Tells that a game was broken off, so that nobody takes it for the one that ended the worker.
    pub fn broken_off(&mut self, game: &FixtureKey) -> io::Result<()> {
        self.log.append(&Event::BrokenOff { game: game.clone() })
    }

    /// Tells that it is over.
    pub fn end(&mut self, how: End) -> io::Result<()> {
        self.write(&Event::End { how, at: jiff::Timestamp::now() })
    }

    /// Shows from time to time that the worker is alive.
    pub fn beat(&mut self) {
        if self.beats.elapsed() >= HEARTBEAT {
            self.beats = Instant::now();
            // Ignore failure: it only looks as if the worker were dead.
            let _ = self.log.touch();
        }
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        self.log.append(event)?;
        self.log.sync()
    }
}

/// A word in the name of a folder: letters, digits and what joins them.
fn plain(word: &str) -> String {
    let letter =
        |letter: char| if letter.is_ascii_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
    word.chars().take(40).map(letter).collect()
}

/// An attempt as it was left, or as far as it has come.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Its folder.
    pub folder: PathBuf,
    /// Who makes it, if that can be read.
    pub start: Option<Start>,
    /// How it has ended; nothing if it has not, or nobody could tell.
    pub end: Option<End>,
    /// The games that it has begun, and neither broke off nor, as far as the log tells, came to an end.
    begun: Vec<Begun>,
    /// Whether its worker has shown lately that it is alive.
    pub is_alive: bool,
    /// How many lines of its log cannot be read.
    pub damaged: usize,
}

impl Attempt {
    /// Reads the log of the attempt in this folder. A damaged line costs only what it says.
    fn read(folder: PathBuf, now: SystemTime) -> io::Result<Attempt> {
        let mut attempt =
            Attempt { start: None, end: None, begun: Vec::new(), is_alive: false, damaged: 0, folder };
        let path = attempt.log();
        let entries = match journal::entries::<Event>(&path) {
            Ok(entries) => entries,
            // It was just about to begin.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(attempt),
            Err(error) => return Err(error),
        };
        for entry in entries {
            match entry?.content {
                Ok(Event::Start(start)) => attempt.start = Some(start),
                Ok(Event::Begun(begun)) => attempt.begun.push(begun),
                Ok(Event::BrokenOff { game }) => attempt.begun.retain(|begun| begun.game != game),
                Ok(Event::End { how, .. }) => attempt.end = Some(how),
                Err(_) => attempt.damaged += 1,
            }
        }
        if attempt.is_dead_here() {
            return Ok(attempt);
        }
        let changed =
            [path, attempt.journal()].iter().filter_map(|path| path.metadata().ok()?.modified().ok()).max();
        let is_recent =
            |changed: SystemTime| now.duration_since(changed).is_ok_and(|silent| silent < SILENCE);
        // A clock that is behind shows changes in the future.
        let is_alive = changed.is_some_and(|changed| changed > now || is_recent(changed));
        attempt.is_alive = attempt.end.is_none() && is_alive;
        Ok(attempt)
    }

    /// Whether its worker is known to be dead: it ran on this machine, where there is no such process any more.
    fn is_dead_here(&self) -> bool {
        self.start
            .as_ref()
            .is_some_and(|start| start.machine.host == Machine::host() && !self.is_running_here())
    }

    /// Whether its worker runs on this machine.
    pub fn is_running_here(&self) -> bool {
        let Some(start) = self.start.as_ref().filter(|start| start.machine.host == Machine::host()) else {
            return false;
        };
        // Numbers of processes are given again: it has to be a worker at this shard.
        let words = fs::read(format!("/proc/{}/cmdline", start.pid)).unwrap_or_default();
        let shard = start.shard.to_string();
        words
            .split(|&byte| byte == 0)
            .any(|word| word == shard.as_bytes() || word.ends_with(format!("={shard}").as_bytes()))
    }

    /// Its log.
    fn log(&self) -> PathBuf {
        self.folder.join(LOG)
    }

    /// Its journal.
    pub fn journal(&self) -> PathBuf {
        self.folder.join(journal::FILE_NAME)
    }

    /// What it is called.
    pub fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The shard that it is an attempt at, as its start says or else its name.
    pub fn shard(&self) -> Option<Shard> {
        let from_name = || {
            let name = self.name();
            let (number, rest) = name.split_once("-of-")?;
            let of = rest.split('.').next()?;
            format!("{}/{}", number.trim_start_matches('0'), of.trim_start_matches('0')).parse().ok()
        };
        self.start.as_ref().map(|start| start.shard).or_else(from_name)
    }

    /// Where it was made.
    pub fn host(&self) -> &str {
        self.start.as_ref().map_or("an unknown machine", |start| &start.machine.host)
    }

    /// The games in which its worker ended without a word, if it has: those that were begun and are not `finished`. While it may still be
    /// playing, there are none.
    pub fn unfinished(&self, finished: &HashSet<FixtureKey>) -> impl Iterator<Item = &Begun> {
        let is_over = self.end.is_some() || self.is_alive;
        self.begun.iter().filter(move |begun| !is_over && !finished.contains(&begun.game))
    }

    /// The games in its journal. Damage is told to `warn`, but for the line that somebody is just writing.
    pub fn games(&self, mut warn: impl FnMut(String)) -> io::Result<Vec<Summary>> {
        let path = self.journal();
        let mut games = Vec::new();
        // A worker that has just begun has none yet.
        if !path.try_exists()? {
            return Ok(games);
        }
        for entry in journal::entries(&path)? {
            let entry = entry?;
            match entry.content {
                Ok(game) => games.push(game),
                Err(Damage::Torn) if self.is_alive => {}
                Err(damage) => warn(format!("{} line {} is left out: {damage}", path.display(), entry.line)),
            }
        }
        Ok(games)
    }
}

/// All attempts that were made in the folder of a championship, by name.
pub fn attempts(championship: &Path) -> io::Result<Vec<Attempt>> {
    let all = championship.join(FOLDER);
    let entries = match fs::read_dir(&all) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if [LOG, journal::FILE_NAME].iter().any(|name| path.join(name).exists()) {
            folders.push(path);
        }
    }
    folders.sort();
    let now = SystemTime::now();
    folders.into_iter().map(|folder| Attempt::read(folder, now)).collect()
}
