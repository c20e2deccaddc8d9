//! Writing `report.html`, from the journal of a championship.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Result;
use clap::Args;

use super::contest::contest_error;
use super::output::{PAGE_BEGINS, check_replaceable, say};
use super::page_facts::facts;
use super::pseudonyms;
use crate::championship::contest::{self, Report};
use crate::championship::logs;
use crate::championship::settings::{BotSettings, Settings};
use crate::record::Cause;
use crate::record::journal::{self, JournalError};
use crate::record::replace_file::{Durability, replace_file};
use crate::score::equal_play::EqualPlay;
use crate::view::equal_play;
use crate::view::page::blocks::{self, Times};
use crate::view::page::pack::{Packed, Packing, Recorded};
use crate::view::page::publication::Publication;
use crate::view::page::report::{MOST_REPLAYS, Report as Page};
use crate::view::page::tables::MOST_GAMES;

/// The name of the report in the folder of a championship.
pub const FILE_NAME: &str = "report.html";

/// What the report tells.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Report")]
pub struct PageOptions {
    /// Tell paths and commands of this machine in the report
    #[arg(long)]
    with_commands: bool,
    /// Put what programs wrote to stderr into the report
    #[arg(long)]
    with_stderr: bool,
    /// Say in the report which bots play alike, which everybody who sees it may take for an accusation
    #[arg(long)]
    with_equal_play: bool,
    /// Give the bots invented names in the report, always the same ones; pseudonyms.csv in the folder of the championship keeps who is
    /// who
    #[arg(long, conflicts_with = "with_commands")]
    pseudonyms: bool,
    /// Put all games into the report, even if there are more than 50000
    #[arg(long)]
    all_games: bool,
    /// The file of the report [default: report.html in the folder of the championship]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the report.
pub fn write_page(folder: &Path, report: &Report, options: &PageOptions) -> Result<()> {
    let path = options.out.clone().unwrap_or_else(|| folder.join(FILE_NAME));
    check_replaceable(&path, PAGE_BEGINS)?;
    let write = || {
        let page = page(folder, report, options)?;
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        replace_file(&path, Durability::Rebuildable, |file| file.write_all(page.as_bytes()))
    };
    let written = write().map_err(|error| JournalError::from_io(&path, error));
    written.map_err(|error| contest_error(error.into()))?;
    if options.out.is_some() {
        say(&format!("report: {}", path.display()));
    }
    if options.pseudonyms {
        warn_of_key(folder);
    }
    Ok(())
}

/// Says where invented names are told.
pub fn warn_of_key(folder: &Path) {
    let key = folder.join(pseudonyms::FILE_NAME);
    say(&format!("who is who is in {}: do not publish that file", key.display()));
}

fn page(folder: &Path, report: &Report, options: &PageOptions) -> io::Result<String> {
    let publication = publication(folder, &report.settings, options.with_commands, options.pseudonyms)?;
    let rows = &report.standings.rows;
    let names: Vec<String> = rows.iter().map(|row| publication.name(&row.bot)).collect();
    let lines = match &report.shown {
        Some(lines) => lines.clone(),
        None => contest::shown_lines(folder, &report.settings)?,
    };
    let packing = Packing {
        bots: rows.iter().enumerate().map(|(index, row)| (row.bot.clone(), index)).collect(),
        names: names.clone(),
        times: match lines.len() {
            games if games <= MOST_GAMES => Some(Times::Exact),
            games if games <= MOST_REPLAYS || options.all_games => Some(Times::Coarse),
            _ => None,
        },
        publication: publication.clone(),
    };
    let stderr = options.with_stderr.then_some(folder);
    let mut facts = facts(folder, report, &publication, &names, stderr);
    if options.with_equal_play {
        facts.notes.extend(equal_play::lines(&told(&report.equal_play, &publication)));
    }
    let mut page = Page::new(facts, &report.standings, &names);
    pack_all(&folder.join(journal::FILE_NAME), &lines, &packing, stderr, |packed| page.add(packed))?;
    Ok(page.html())
}

/// Bots that play alike, by the names that are shown.
fn told(pairs: &[EqualPlay], publication: &Publication) -> Vec<EqualPlay> {
    let told = |pair: &EqualPlay| pair.clone().renamed(|bot| publication.name(bot));
    pairs.iter().map(told).collect()
}

/// What others may read of the championship in this folder.
pub fn publication(
    folder: &Path,
    settings: &Settings,
    with_commands: bool,
    with_pseudonyms: bool,
) -> io::Result<Publication> {
    let is_built_in = |bot: &&BotSettings| bot.command.strip_prefix('@') == Some(&bot.name);
    let bots = settings.bots.iter().filter(|bot| !is_built_in(bot)).map(|bot| bot.name.as_str());
    let homes = settings.bots.iter().flat_map(|bot| bot.from.iter().chain(&bot.folder).cloned());
    let beside = settings.bots.iter().flat_map(folders_named);
    let home = std::env::home_dir();
    let here = [std::path::absolute(folder).ok(), std::env::current_dir().ok(), home.clone()];
    let paths =
        homes.chain(beside).chain(settings.allow_read.iter().cloned()).chain(here.into_iter().flatten());
    let mut folders: Vec<String> =
        paths.map(|path| path.display().to_string()).filter(|path| path.len() > 1).collect();
    // The longest first: one may be part of another.
    folders.sort_by_key(|path| std::cmp::Reverse(path.len()));
    folders.dedup();
    Ok(Publication {
        with_commands,
        folders,
        home: home.map(|path| path.display().to_string()),
        pseudonyms: if with_pseudonyms { pseudonyms::of(bots, folder)? } else { Default::default() },
    })
}

/// The folders of the files that a bot's command names.
fn folders_named(bot: &BotSettings) -> Vec<PathBuf> {
    let words = shell_words::split(&bot.command).unwrap_or_default();
    let paths = words.iter().filter(|word| word.contains('/')).map(|word| match &bot.from {
        Some(from) => from.join(word),
        None => PathBuf::from(word),
    });
    paths.filter_map(|path| path.parent().map(Path::to_owned)).filter(|path| path.is_absolute()).collect()
}

/// Packs the games in these lines of a journal, several blocks at a time, and passes the blocks on in order. What bots wrote to stderr is
/// read from `stderr`, the folder of the championship, if that is given.
fn pack_all(
    journal: &Path,
    lines: &[usize],
    packing: &Packing,
    stderr: Option<&Path>,
    mut add: impl FnMut(Packed),
) -> io::Result<()> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    let mut wanted = lines.iter().peekable();
    let mut raw = journal::raw_lines(journal)?;
    loop {
        let mut blocks: Vec<Vec<Vec<u8>>> = Vec::new();
        while blocks.len() < threads && wanted.peek().is_some() {
            let mut block = Vec::with_capacity(blocks::GAMES);
            while block.len() < blocks::GAMES && wanted.peek().is_some() {
                let Some(entry) = raw.next() else { break };
                let (line, bytes) = entry?;
                if wanted.next_if(|&&one| one == line).is_some() {
                    block.push(bytes);
                }
            }
            blocks.push(block);
        }
        if blocks.iter().all(Vec::is_empty) {
            return Ok(());
        }
        thread::scope(|scope| {
            let pack = |lines: Vec<Vec<u8>>| {
                // Lines that cannot be understood have been told of.
                let records = lines.iter().filter_map(|line| journal::parse(line).ok());
                packing.pack(records.map(|record| recorded(record, stderr)).collect())
            };
            let running: Vec<_> = blocks.into_iter().map(|block| scope.spawn(move || pack(block))).collect();
            for one in running {
                add(one.join().expect("packing does not panic"));
            }
        });
    }
}

/// A game with what its bots wrote to stderr, if that is to be shown; otherwise its sentences do not quote it either.
fn recorded(mut record: crate::record::GameRecord, stderr: Option<&Path>) -> Recorded {
    if stderr.is_none() {
        let is_quoted = |cause: &Cause| matches!(cause, Cause::Error { .. } | Cause::LastWords { .. });
        record.verdict.losses.iter_mut().for_each(|loss| loss.causes.retain(|cause| !is_quoted(cause)));
    }
    let log = |bot: &str| fs::read(stderr?.join(logs::of_game(record.number, bot))).ok();
    let stderr = record.seats.iter().map(|seat| log(&seat.bot)).collect();
    Recorded { record, stderr }
}
