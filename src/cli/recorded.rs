//! Games that were recorded, wherever they are: a journal, its folder, or an SGF file.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow};

use super::exit::usage;
use super::output::warn;
use crate::championship::bot_name;
use crate::championship::containment::RESULTS;
use crate::championship::text_file::FileProblem;
use crate::game::Seat;
use crate::game::nearest::nearest;
use crate::record::journal;
use crate::record::verdict::GameResult;
use crate::record::{GameRecord, sgf};

/// The highest number that a game or a ply can have.
pub const LAST_NUMBER: u64 = 1_000_000_000;

/// Recorded games, and where they are from.
pub struct Games {
    path: PathBuf,
    /// The games, with all their words made harmless for a terminal. Of games with variations, the main lines.
    pub records: Vec<GameRecord>,
    /// The file that they are from, if it may have variations.
    collection: Option<sgf::Collection>,
}

impl Games {
    /// Reads a journal, the journal of a folder, or an SGF file, for a subcommand of this name.
    pub fn read(path: PathBuf, subcommand: &str) -> Result<Games> {
        let path = match path.is_dir() {
            true => in_folder(&path, journal::FILE_NAME, subcommand).map_err(usage)?,
            false => path,
        };
        let cannot = || format!("cannot read '{}'", path.display());
        let unreadable = |error: std::io::Error| usage(anyhow!(FileProblem::from(error)).context(cannot()));
        let mut damages = Vec::new();
        let mut collection = None;
        let records = if sgf::is_named_so(&path) {
            let text = std::fs::read(&path).map_err(unreadable)?;
            let read = sgf::Collection::parse(&String::from_utf8_lossy(&text));
            let read = read.and_then(|read| Ok((read.main_lines()?, read)));
            let (records, read) = read.with_context(cannot).map_err(usage)?;
            collection = Some(read);
            records
        } else {
            journal::read(&path, |damage| damages.push(damage)).map_err(unreadable)?
        };
        if records.is_empty() {
            // Every line of some other file is damaged as a journal's. One of them says it for all.
            damages.into_iter().take(1).for_each(warn);
            return Err(usage(anyhow!(
                "'{}' holds no game that can be replayed; name a journal (games.jsonl), its folder, or an SGF file",
                path.display()
            )));
        }
        damages.into_iter().for_each(warn);
        Ok(Games { records: records.into_iter().map(GameRecord::printable).collect(), path, collection })
    }

    /// How many lines of play a game has, by its index among all: one, and its variations.
    pub fn lines(&self, game: usize) -> usize {
        self.collection.as_ref().map_or(1, |collection| collection.lines(game))
    }

    /// A line of play of a game, both by their index: the first is the main line.
    pub fn line(&self, game: usize, line: usize) -> Result<GameRecord> {
        let main = &self.records[game];
        match &self.collection {
            Some(collection) if line > 0 => {
                let record = collection.line(game, line)?;
                Ok(GameRecord { number: main.number, ..record.printable() })
            }
            _ => Ok(main.clone()),
        }
    }

    /// The games of a bot, or those that it lost, by their index; without a name, all.
    pub fn of_bot(&self, bot: Option<&str>, lost: bool) -> Result<Vec<usize>> {
        let Some(bot) = bot else { return Ok((0..self.records.len()).collect()) };
        let bot = &bot_name::read(bot).unwrap_or(bot.to_owned());
        let own = |record: &GameRecord| record.seats.iter().position(|seat| seat.bot == *bot);
        let mut found: Vec<usize> =
            (0..self.records.len()).filter(|&game| own(&self.records[game]).is_some()).collect();
        if found.is_empty() {
            let names = self.records.iter().flat_map(|record| &record.seats).map(|seat| seat.bot.as_str());
            let advice = match nearest(bot, names) {
                Some(near) => format!("did you mean '{near}'?"),
                None => "'arbitro replay' without --bot lists them all".to_owned(),
            };
            let path = self.path.display();
            return Err(usage(anyhow!("no bot called '{bot}' has played in '{path}'; {advice}")));
        }
        if lost {
            found.retain(|&game| {
                let record = &self.records[game];
                let seat = own(record).and_then(|seat| u8::try_from(seat).ok()).map(Seat);
                seat.is_some_and(|seat| {
                    record.verdict.counts() && record.verdict.result(seat) == GameResult::Lost
                })
            });
        }
        Ok(found)
    }

    /// The game with this number, or without one the only game, if there is just one.
    pub fn game(&self, number: Option<u32>) -> Result<Option<&GameRecord>> {
        let Some(number) = number else {
            return Ok(if let [only] = &self.records[..] { Some(only) } else { None });
        };
        let found = self.records.iter().find(|record| record.number == number);
        found.map(Some).ok_or_else(|| {
            let (path, games) =
                (self.path.display(), ranges(self.records.iter().map(|record| record.number)));
            usage(anyhow!("there is no game {number} in '{path}', which has {games}"))
        })
    }
}

/// The file of this name in a folder of results. Where there is none, says where there is.
pub fn in_folder(folder: &Path, name: &str, subcommand: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    if path.exists() {
        return Ok(path);
    }
    let shown = folder.display();
    Err(match newest(folder, name) {
        Some(newest) => {
            let newest = newest.display();
            anyhow!("'{shown}' is a folder of several results; the newest is: arbitro {subcommand} {newest}")
        }
        None => anyhow!("there are no results in the folder '{shown}': it has no {name}"),
    })
}

/// The newest results with games below `results/`, where every match and championship puts its own unless told otherwise.
pub fn newest_results(subcommand: &str) -> Result<PathBuf> {
    newest(Path::new(RESULTS), journal::FILE_NAME).ok_or_else(|| {
        anyhow!("there are no results below '{RESULTS}' here; name a folder: arbitro {subcommand} FOLDER")
    })
}

/// The folder below this one whose file of this name was written last; of what was broken off before the first game, it is empty.
fn newest(folder: &Path, name: &str) -> Option<PathBuf> {
    let written = |path: &PathBuf| {
        let data = path.join(name).metadata().ok().filter(|data| data.len() > 0)?;
        data.modified().ok()
    };
    let below = std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let found = below.filter_map(|path| Some((written(&path)?, path)));
    // By name among those of one moment.
    found.max_by(|one: &(SystemTime, PathBuf), other| one.cmp(other)).map(|(_, path)| path)
}

/// The numbers of games in words: `game 1`, or `games 1 to 3, 5`.
fn ranges(numbers: impl Iterator<Item = u32>) -> String {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort();
    numbers.dedup();
    let runs: Vec<String> = numbers
        .chunk_by(|one, next| one + 1 == *next)
        .filter_map(|run| match (run.first()?, run.last()?) {
            (only, last) if only == last => Some(only.to_string()),
            (first, last) => Some(format!("{first} to {last}")),
        })
        .collect();
    let noun = if numbers.len() == 1 { "game" } else { "games" };
    const SHOWN: usize = 8;
    let more = if runs.len() > SHOWN { " and more" } else { "" };
    format!("{noun} {}{more}", runs[..runs.len().min(SHOWN)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_ranges() {
        let told = |numbers: &[u32]| ranges(numbers.iter().copied());
        assert_eq!(told(&[1]), "game 1");
        assert_eq!(told(&[3, 1, 2, 5]), "games 1 to 3, 5");
        assert_eq!(told(&(1..=342).collect::<Vec<_>>()), "games 1 to 342");
        let odd: Vec<u32> = (0..100).map(|number| 2 * number + 1).collect();
        assert_eq!(told(&odd), "games 1, 3, 5, 7, 9, 11, 13, 15 and more");
    }
}
