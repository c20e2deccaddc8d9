//! Joining journals that several machines have written into one.
//!
//! Which lines are kept depends on what is in them and on the names of their attempts, never on outcomes and never on the order in which
//! folders are named. Journals that were cut off, copied or damaged cost what was damaged, and nothing else.

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::attempt::{Attempt, attempts};
use super::fairness::Fairness;
use super::part::BotSeconds;
use crate::championship::amendments::Amendments;
use crate::championship::changes::Changes;
use crate::championship::copies::{Copies, USUAL_LIMIT};
use crate::championship::file_tree::FileTree;
use crate::championship::logs;
use crate::championship::settings::{self, Settings, SettingsError};
use crate::record::Summary;
use crate::record::journal::{self, Damage, Journal, JournalError};
use crate::record::replace_file::{Durability, replace_file};

/// Lines of a journal are written in pieces of about so many bytes.
const PIECE: usize = 1 << 20;

/// A journal to be joined with others.
pub struct Source {
    path: PathBuf,
    /// The attempt that has written it; nothing of a journal that was joined before.
    pub attempt: Option<Attempt>,
}

/// Why journals cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// They are of different championships.
    #[error(
        "'{0}' is of another championship than '{1}', or has other settings, and they make no table together:\n  {2}"
    )]
    Mismatch(PathBuf, PathBuf, String),
    /// Nobody knows what was played there.
    #[error("'{0}' has games and no {file}, without which nobody knows how they were played; remove the folder, or put the file back",
        file = settings::FILE_NAME)]
    NoSettings(PathBuf),
    /// Settings cannot be read.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A folder or journal cannot be read.
    #[error("cannot read '{0}': {1}")]
    Unreadable(PathBuf, io::Error),
    /// The joined journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A line of one of the journals.
struct Line {
    game: Summary,
    /// The index of its journal among the sources.
    source: usize,
    offset: u64,
    length: usize,
    fingerprint: u64,
}

/// What came of joining journals.
#[derive(Default)]
pub struct Merged {
    /// The journals, in order.
    pub sources: Vec<Source>,
    /// How many games are new in the joined journal.
    pub added: usize,
    /// How many lines were copies of others.
    pub copies: usize,
    /// How many games had been played once more.
    pub repeated: usize,
    /// Games that were played twice and ended in different ways.
    pub conflicts: Vec<Conflict>,
    /// How many lines could not be read.
    pub damaged: usize,
    /// Where the games were played.
    pub fairness: Fairness,
}

/// A game that was played twice and ended in different ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The line that is kept.
    pub kept: Summary,
    /// The name of the journal it is from.
    pub kept_in: String,
    /// The line that is not.
    pub dropped: Summary,
    /// The name of the journal that is from.
    pub dropped_in: String,
}

impl Source {
    fn name(&self) -> String {
        self.attempt.as_ref().map_or_else(|| self.path.display().to_string(), Attempt::name)
    }
}

/// The journals in folders of championships, the one that they are joined in first, and then in an order of their own. The settings are
/// those of the `model`.
///
/// # Errors
/// If the folders are of different championships. Bots that came, left or were replaced since an attempt are no difference: which games
/// count follows from the lines.
pub fn sources(
    target: &Path,
    model: &Path,
    folders: &[PathBuf],
    settings: &Settings,
) -> Result<Vec<Source>, MergeError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| MergeError::Unreadable(path, error)
    };
    let own = target.join(journal::FILE_NAME);
    let is_own =
        |path: &Path| path.canonicalize().ok().is_some_and(|path| own.canonicalize().ok() == Some(path));
    let text = settings.to_toml();
    let mut found = Vec::new();
    for folder in folders {
        let of_folder = Settings::read(&folder.join(settings::FILE_NAME))?;
        let changes = Changes::between(settings, &of_folder, &Amendments::default());
        if !changes.is_empty() {
            return Err(MergeError::Mismatch(folder.clone(), model.to_owned(), changes.lines().join("\n  ")));
        }
        let path = folder.join(journal::FILE_NAME);
        if path.exists() && !is_own(&path) {
            found.push(Source { path, attempt: None });
        }
        for attempt in attempts(folder).map_err(unreadable(folder))? {
            if has_begun(&attempt, model, settings, &text)? {
                found.push(Source { path: attempt.journal(), attempt: Some(attempt) });
            }
        }
    }
    // By the names of attempts first: where their folders are, and in which order these were named, does not matter.
    found.sort_by_cached_key(|source| (source.attempt.as_ref().map(Attempt::name), source.path.clone()));
    found.dedup_by_key(|source| source.path.canonicalize().unwrap_or_else(|_| source.path.clone()));
    found.insert(0, Source { path: own, attempt: None });
    Ok(found)
}

/// Makes sure that attempts in the folder of a championship were made with its settings: their games could not be joined with others.
pub fn check_attempts(
    championship: &Path,
    attempts: &[Attempt],
    settings: &Settings,
) -> Result<(), MergeError> {
    let text = settings.to_toml();
    attempts.iter().try_for_each(|attempt| has_begun(attempt, championship, settings, &text).map(drop))
}

/// Whether an attempt has begun; `text` is that of these settings, which are those of the `model`.
///
/// # Errors
/// If it was made with others.
fn has_begun(attempt: &Attempt, model: &Path, settings: &Settings, text: &str) -> Result<bool, MergeError> {
    let (journal, own_settings) = (attempt.journal(), attempt.folder.join(settings::FILE_NAME));
    let Ok(journal) = journal.metadata() else { return Ok(false) };
    match fs::read_to_string(&own_settings) {
        Ok(same) if same == text => return Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return match journal.len() {
                0 => Ok(false),
                _ => Err(MergeError::NoSettings(attempt.folder.clone())),
            };
        }
        _ => {}
    }
    let then = Settings::read(&own_settings)?;
    let Changes { board, settings: others, .. } = Changes::between(&then, settings, &Amendments::default());
    let differences: Vec<String> = board.into_iter().chain(others).collect();
    match differences.is_empty() {
        true => Ok(true),
        false => {
            Err(MergeError::Mismatch(attempt.folder.clone(), model.to_owned(), differences.join("\n  ")))
        }
    }
}

/// Joins journals in the first of them, which only grows.
pub fn merge(
    target: &Path,
    sources: Vec<Source>,
    mut warn: impl FnMut(String),
) -> Result<Merged, MergeError> {
    let path = &sources[0].path;
    let (mut journal, torn) = Journal::open(path)?;
    if let Some(torn) = torn {
        warn(format!("the last line of the journal was torn and is now in '{}'", torn.display()));
    }
    let mut merged = Merged::default();
    let (mut lines, mut last) = (Vec::new(), 0);
    for (index, source) in sources.iter().enumerate() {
        let is_alive = source.attempt.as_ref().is_some_and(|attempt| attempt.is_alive);
        let damaged = read(source, index, &mut lines)
            .map_err(|error| MergeError::Unreadable(source.path.clone(), error))?;
        if index == 0 {
            // A damaged line had a number too.
            let highest = lines.iter().map(|line: &Line| line.game.number).max().unwrap_or_default();
            last = highest.max((lines.len() + damaged.len()) as u32);
        }
        for (number, damage) in damaged {
            // Somebody is just writing it.
            if is_alive && matches!(damage, Damage::Torn) {
                continue;
            }
            merged.damaged += 1;
            warn(format!("{} line {number} is left out: {damage}", source.path.display()));
        }
    }
    let chosen = choose(&lines);
    merged.copies = chosen.copies;
    merged.repeated = chosen.repeated.len();
    let differ =
        |&&(kept, dropped): &&(usize, usize)| has_other_outcome(&lines[kept].game, &lines[dropped].game);
    let conflict = |&(kept, dropped): &(usize, usize)| Conflict {
        kept: lines[kept].game.clone(),
        kept_in: sources[lines[kept].source].name(),
        dropped: lines[dropped].game.clone(),
        dropped_in: sources[lines[dropped].source].name(),
    };
    merged.conflicts = chosen.repeated.iter().filter(differ).map(conflict).collect();
    merged.added = append(target, &mut journal, &sources, &lines, &chosen.added, last)?;
    for (line, &origin) in lines.iter().zip(&chosen.origins) {
        let start = origin.and_then(|source| sources[source].attempt.as_ref()?.start.as_ref());
        if let Some(start) = start.filter(|_| line.game.verdict.counts()) {
            merged.fairness.add(&line.game, &start.machine);
        }
    }
    merged.sources = sources;
    Ok(merged)
}

/// Reads the lines of a journal, and returns what is damaged in it.
fn read(source: &Source, index: usize, lines: &mut Vec<Line>) -> io::Result<Vec<(usize, Damage)>> {
    let mut reader = BufReader::new(File::open(&source.path)?);
    let (mut bytes, mut offset, mut damaged) = (Vec::new(), 0, Vec::new());
    for number in 1.. {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes)?;
        if length == 0 {
            break;
        }
        match journal::parse::<Summary>(&bytes) {
            Ok(game) => {
                // A line that can be read has a number.
                let fingerprint = journal::fingerprint(&bytes).unwrap_or_default();
                lines.push(Line { game, source: index, offset, length, fingerprint });
            }
            Err(damage) => damaged.push((number, damage)),
        }
        offset += length as u64;
    }
    Ok(damaged)
}

/// Which lines are kept.
#[derive(Default)]
struct Chosen {
    /// The lines that are new in the joined journal, in order.
    added: Vec<usize>,
    /// How many are copies of others.
    copies: usize,
    /// The lines of games that were played again although they had been finished, behind the line that is kept.
    repeated: Vec<(usize, usize)>,
    /// Of each line that the joined journal then has, the source that it is from, if that is known; of others nothing.
    origins: Vec<Option<usize>>,
}

/// Chooses among lines that are in order of their sources, of which the first is the joined journal.
fn choose(lines: &[Line]) -> Chosen {
    let mut chosen = Chosen { origins: vec![None; lines.len()], ..Chosen::default() };
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|&one, &other| by_fixture(&lines[one].game, &lines[other].game).then(one.cmp(&other)));
    for fixture in order.chunk_by(|&one, &other| by_fixture(&lines[one].game, &lines[other].game).is_eq()) {
        let is_joined = |line: usize| lines[line].source == 0;
        let mut different: Vec<usize> = Vec::with_capacity(fixture.len());
        for &line in fixture {
            let is_copy = |&one: &usize| lines[one].fingerprint == lines[line].fingerprint;
            match different.iter().copied().find(is_copy) {
                Some(copy) if !is_joined(line) => {
                    chosen.copies += 1;
                    chosen.origins[copy].get_or_insert(lines[line].source);
                }
                _ => different.push(line),
            }
        }
        // The line that counts is the earliest of those that can: the joined journal has it, or gets it.
        let counts = |line: usize| lines[line].game.verdict.counts();
        let can_count = different.iter().copied().filter(|&line| counts(line));
        let earliest = can_count.min_by_key(|&line| (lines[line].game.earliness(), line));
        for line in different.into_iter().filter(|&line| !is_joined(line)) {
            match earliest.filter(|&earliest| counts(line) && earliest != line) {
                Some(earliest) => chosen.repeated.push((earliest, line)),
                None => {
                    chosen.added.push(line);
                    chosen.origins[line] = Some(lines[line].source);
                }
            }
        }
    }
    chosen.added.sort_unstable();
    chosen
}

/// Orders lines by what must be the same in two lines of one game: the fixture, its generation, and the versions of the bots.
fn by_fixture(one: &Summary, other: &Summary) -> Ordering {
    let fixture = |game: &Summary| (game.round, game.leg, game.generation);
    let names = one.seats.iter().map(|seat| &seat.bot);
    let versions = one.seats.iter().map(|seat| &seat.identity);
    fixture(one)
        .cmp(&fixture(other))
        .then_with(|| names.cmp(other.seats.iter().map(|seat| &seat.bot)))
        .then_with(|| versions.cmp(other.seats.iter().map(|seat| &seat.identity)))
}

fn has_other_outcome(one: &Summary, other: &Summary) -> bool {
    let outcome = |game: &Summary| (game.verdict.winner, game.verdict.places.clone(), game.verdict.reason);
    outcome(one) != outcome(other)
}

/// Appends lines to the joined journal, with numbers that follow the last, and has the logs of their games follow.
fn append(
    target: &Path,
    journal: &mut Journal,
    sources: &[Source],
    lines: &[Line],
    added: &[usize],
    last: u32,
) -> Result<usize, MergeError> {
    let path = &sources[0].path;
    let failed = |error| JournalError::from_io(path, error);
    let mut number = last;
    let mut piece = Vec::with_capacity(PIECE);
    let mut bytes = Vec::new();
    for of_source in added.chunk_by(|&one, &other| lines[one].source == lines[other].source) {
        let source = &sources[lines[of_source[0]].source];
        let unreadable = |error| MergeError::Unreadable(source.path.clone(), error);
        let mut file = BufReader::new(File::open(&source.path).map_err(unreadable)?);
        let logs = logs::by_game(source.path.parent().unwrap_or(Path::new(""))).map_err(unreadable)?;
        let mut place = 0;
        for &line in of_source {
            let line = &lines[line];
            // Mostly they follow one another, and nothing is to be skipped.
            file.seek_relative((line.offset - place) as i64).map_err(unreadable)?;
            bytes.resize(line.length, 0);
            file.read_exact(&mut bytes).map_err(unreadable)?;
            place = line.offset + line.length as u64;
            number += 1;
            let moved = journal::renumbered(&bytes, number);
            let moved = moved.ok_or_else(|| unreadable(io::Error::other("it has changed just now")))?;
            for (log, bot) in logs.get(&line.game.number).into_iter().flatten() {
                logs::take_over(log, target, number, bot).map_err(failed)?;
            }
            piece.extend(moved);
            if piece.len() >= PIECE {
                journal.append_lines(&piece).map_err(failed)?;
                piece.clear();
            }
        }
    }
    journal.append_lines(&piece).map_err(failed)?;
    journal.sync().map_err(failed)?;
    Ok(added.len())
}

/// Makes the folder that journals are joined in, with all that is needed to go on there, unless it is there.
pub fn prepare_target(target: &Path, from: &Path, settings: &Settings) -> io::Result<()> {
    let path = target.join(settings::FILE_NAME);
    if path.exists() {
        return Ok(());
    }
    fs::create_dir_all(target)?;
    if let Some(seconds) = BotSeconds::read(from)? {
        seconds.write(target)?;
    }
    let limit = settings.copy_limit.unwrap_or(USUAL_LIMIT);
    let [old, new] = [from, target].map(|folder| Copies::of(folder, limit));
    for copy in settings.bots.iter().filter_map(|bot| old.find(bot.identity?)) {
        new.take(&FileTree::of_copy(&copy.folder)).map_err(io::Error::other)?;
    }
    // The settings come last: without them nothing was begun.
    let text = settings.to_toml();
    replace_file(&path, Durability::Synced, |file| file.write_all(text.as_bytes()))
}
