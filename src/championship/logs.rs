//! What bots wrote to stderr, kept in the folder of a contest.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::settings::Settings;
use super::smoke_test::Failure;
use crate::record::text::visible;

/// The folder of them.
const FOLDER: &str = "logs";

/// Where what a bot wrote in a game is kept, in the folder of the contest.
pub fn of_game(game: u32, bot: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{game:04}-{bot}.stderr"))
}

/// The logs of games that are kept in a folder, by the number of the game, each with the bot that wrote it.
pub(super) fn by_game(folder: &Path) -> io::Result<HashMap<u32, Vec<(PathBuf, String)>>> {
    let mut logs: HashMap<u32, Vec<(PathBuf, String)>> = HashMap::new();
    let entries = match fs::read_dir(folder.join(FOLDER)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(logs),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let log = name.strip_suffix(".stderr").and_then(|name| name.split_once('-'));
        if let Some((number, bot)) = log.and_then(|(number, bot)| Some((number.parse().ok()?, bot))) {
            logs.entry(number).or_default().push((path.clone(), bot.to_owned()));
        }
    }
    Ok(logs)
}

/// Copies a log of a bot to that of a game in another folder.
pub(super) fn take_over(log: &Path, folder: &Path, game: u32, bot: &str) -> io::Result<()> {
    fs::create_dir_all(folder.join(FOLDER))?;
    fs::copy(log, folder.join(of_game(game, bot))).map(drop)
}

/// Where what a bot wrote in the test before its first game is kept, if it failed that. Those of games begin with a number.
pub fn of_test(bot: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("test-{bot}.stderr"))
}

/// Keeps what a bot wrote in a file of this name: as it is if `raw`, otherwise with escapes made visible. Nothing is kept of a bot that
/// wrote nothing.
pub(super) fn write(folder: &Path, name: &Path, stderr: &[u8], raw: bool) -> io::Result<()> {
    if stderr.is_empty() {
        return Ok(());
    }
    let text = if raw { stderr.to_vec() } else { visible(stderr).into_bytes() };
    fs::create_dir_all(folder.join(FOLDER))?;
    fs::write(folder.join(name), text)
}

/// Keeps what bots wrote that have just failed their test and are left out, and removes what is there of bots that take part after all.
pub(super) fn write_tests(
    folder: &Path,
    settings: &Settings,
    failures: &BTreeMap<String, Failure>,
    raw: bool,
) -> io::Result<()> {
    for bot in &settings.bots {
        let name = of_test(&bot.name);
        let failure = failures.get(&bot.name).filter(|_| bot.left_out.is_some());
        if bot.left_out.is_none() || failure.is_some() {
            match fs::remove_file(folder.join(&name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        if let Some(failure) = failure {
            write(folder, &name, &failure.stderr, raw)?;
        }
    }
    Ok(())
}
