//! All that there is of one bot, in a folder for whoever wrote it.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};

use super::readme::{self, NONE_COUNTS, Student};
use crate::championship::contest::{self, Report, shown_lines};
use crate::championship::settings::{self, BotSettings, Settings};
use crate::championship::{bot_name, csv_tables, logs};
use crate::cli::contest::contest_error;
use crate::cli::exit::usage;
use crate::cli::output::{say, warn};
use crate::cli::page_facts::{commands, parts, title};
use crate::cli::recorded::in_folder;
use crate::cli::replay::by_ply::Replay;
use crate::cli::report_page::{self, publication, warn_of_key};
use crate::game::nearest::nearest;
use crate::record::journal::{self, Entry, Journal};
use crate::record::text::{counted, visible};
use crate::record::{GameRecord, Summary, sgf};
use crate::score::{Standing, Standings};
use crate::view::page::blocks::{self, Times};
use crate::view::page::facts::{Absent, Facts};
use crate::view::page::pack::{Packing, Recorded};
use crate::view::page::publication::Publication;
use crate::view::page::report::Report as Page;
use crate::view::page::tables::MOST_GAMES;

/// Where each game stands in the folder of a student.
const GAMES: &str = "games";
/// And what her program wrote to stderr.
const LOGS: &str = "logs";

/// A championship as its students may see it.
pub struct Students {
    folder: PathBuf,
    /// The settings with the names that are shown.
    settings: Settings,
    /// The standings with them.
    standings: Standings,
    /// The lines of the journal that are shown.
    lines: Vec<usize>,
    /// Those that are shown of bots without a place in the table: they would count, had these not been withdrawn or left out.
    former_lines: Vec<usize>,
    /// The bots that were handed in, by their true names.
    bots: Vec<String>,
    publication: Publication,
}

impl Students {
    /// Reads the championship in a folder, which is not changed but for the key to invented names.
    pub fn read(folder: PathBuf, with_pseudonyms: bool) -> Result<Students> {
        if !folder.is_dir() {
            let shown = folder.display();
            return Err(usage(anyhow!("'{shown}' is not the folder of a championship, which --bot needs")));
        }
        in_folder(&folder, settings::FILE_NAME, "export").map_err(usage)?;
        let (report, _) = contest::read(&folder, warn).map_err(contest_error)?;
        let Report { mut settings, mut standings, shown, .. } = report;
        let former = settings.with_everybody_back();
        let former_lines = if former == settings { Vec::new() } else { shown_lines(&folder, &former)? };
        let publication = publication(&folder, &settings, false, with_pseudonyms)
            .with_context(|| format!("cannot keep the invented names in '{}'", folder.display()))?;
        let is_handed_in = |bot: &&BotSettings| !bot.command.starts_with('@');
        let bots = settings.bots.iter().filter(is_handed_in).map(|bot| bot.name.clone()).collect();
        let commands = commands(&settings);
        for bot in &mut settings.bots {
            let reason = bot.left_out.as_ref();
            bot.left_out =
                reason.map(|why| publication.reason(&bot.name, &visible(why.as_bytes()), &commands));
            bot.name = publication.name(&bot.name);
        }
        standings.rows.iter_mut().for_each(|row| row.bot = publication.name(&row.bot));
        if with_pseudonyms {
            warn_of_key(&folder);
        }
        let lines = shown.unwrap_or_default();
        Ok(Students { folder, settings, standings, lines, former_lines, bots, publication })
    }

    /// Writes these bots: one into the folder, several into folders of their names in it.
    pub fn write(&self, bots: &[String], out: &Path) -> Result<ExitCode> {
        let bots = bots.iter().map(|bot| self.named(bot)).collect::<Result<Vec<&str>>>()?;
        claim(out)?;
        match &bots[..] {
            [only] => self.write_one(only, out)?,
            _ => self.write_each(&bots, out)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Writes all that were handed in, into folders of their names.
    pub fn write_all(&self, out: &Path) -> Result<ExitCode> {
        if self.bots.is_empty() {
            return Err(usage(anyhow!("{}", self.none_handed_in())));
        }
        claim(out)?;
        self.write_each(&self.bots.iter().map(String::as_str).collect::<Vec<_>>(), out)?;
        Ok(ExitCode::SUCCESS)
    }

    fn write_each(&self, bots: &[&str], out: &Path) -> Result<()> {
        bots.iter().try_for_each(|bot| self.write_one(bot, &out.join(self.publication.name(bot))))
    }

    /// What to say where there is nobody to write anything for.
    fn none_handed_in(&self) -> String {
        format!("all players of '{}' are built in: no bot was handed in", self.folder.display())
    }

    /// The bot of this name.
    fn named(&self, text: &str) -> Result<&str> {
        let name = bot_name::read(text).unwrap_or(text.to_owned());
        let names = || self.bots.iter().map(String::as_str);
        names().find(|bot| *bot == name).ok_or_else(|| {
            let advice = match nearest(&name, names()) {
                Some(near) => format!("did you mean '{near}'?"),
                None if self.bots.is_empty() => return usage(anyhow!("{}", self.none_handed_in())),
                None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
            };
            usage(anyhow!("no bot called '{name}' was handed in for '{}'; {advice}", self.folder.display()))
        })
    }

    /// Writes all that there is of a bot, by its true name.
    fn write_one(&self, bot: &str, out: &Path) -> Result<()> {
        let written = self.try_write(bot, out);
        let games =
            written.with_context(|| format!("cannot write the games of {bot} to '{}'", out.display()))?;
        let is_former = games > 0 && self.standing(&self.publication.name(bot)).is_none();
        let counts = match games {
            _ if !is_former => "",
            1 => ", which does not count",
            _ => ", which do not count",
        };
        say(&format!("{bot}: {}{counts} → {}", counted(games, "game"), out.display()));
        Ok(())
    }

    fn try_write(&self, bot: &str, out: &Path) -> Result<usize> {
        fs::create_dir_all(out)?;
        let games = self.games(bot)?;
        let name = &self.publication.name(bot);
        let has_logs = self.write_logs(bot, &games, out)?;
        let summaries: Vec<Summary> = games.iter().map(Summary::from).collect();
        let (counting, disturbed): (Vec<Summary>, Vec<Summary>) =
            summaries.into_iter().partition(|game| game.verdict.counts());
        csv_tables::write_of(name, out, &self.settings, &self.standings, &counting, &disturbed)?;
        let names: Vec<String> = self.standings.rows.iter().map(|row| row.bot.clone()).collect();
        let student = Student {
            name,
            title: self.publication.text(&title(&self.settings, &names), &[]),
            standing: self.standing(name).map(|row| (row, names.len())),
            left_out: self.settings.unranked().get(name.as_str()).copied(),
            games: &games,
            has_logs,
        };
        fs::write(out.join("README.txt"), readme::text(&student))?;
        if !games.is_empty() {
            write_games(&games, out)?;
            fs::write(out.join(report_page::FILE_NAME), self.page(&student))?;
        }
        Ok(games.len())
    }

    /// The line of the standings of the bot that is shown with this name, if it has one.
    fn standing(&self, name: &str) -> Option<&Standing> {
        self.standings.rows.iter().find(|row| row.bot == name)
    }

    /// The games of a bot as its author may read them.
    fn games(&self, bot: &str) -> io::Result<Vec<GameRecord>> {
        let has_place = self.standing(&self.publication.name(bot)).is_some();
        let lines = if has_place { &self.lines } else { &self.former_lines };
        let mut games = Vec::new();
        for entry in journal::entries::<GameRecord>(&self.folder.join(journal::FILE_NAME))? {
            let Entry { line, content } = entry?;
            // Lines that cannot be understood have been told of.
            let Some(record) = content.ok().filter(|_| lines.binary_search(&line).is_ok()) else {
                continue;
            };
            if record.seats.iter().any(|seat| seat.bot == bot) {
                games.push(self.publication.for_owner(record, bot));
            }
        }
        Ok(games)
    }

    /// Writes what a bot wrote to stderr, and returns whether there was anything.
    fn write_logs(&self, bot: &str, games: &[GameRecord], out: &Path) -> io::Result<bool> {
        let commands = commands(&self.settings);
        let of_game =
            |game: &GameRecord| (logs::of_game(game.number, bot), format!("{:04}.stderr", game.number));
        let of_test = (logs::of_test(bot), "test.stderr".to_owned());
        let folder = out.join(LOGS);
        for (log, name) in games.iter().map(of_game).chain([of_test]) {
            let bytes = match fs::read(self.folder.join(log)) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(name), self.publication.text(&visible(&bytes), &commands))?;
        }
        Ok(folder.is_dir())
    }

    /// A page of these games, with the student's own lines of the tables.
    fn page(&self, student: &Student) -> String {
        let Student { name, games, left_out, .. } = *student;
        let met = |bot: &&str| games.iter().any(|game| game.seats.iter().any(|seat| seat.bot == **bot));
        let rows = &self.standings.rows;
        let unranked = self.settings.unranked();
        let bots = rows.iter().map(|row| row.bot.as_str()).chain(unranked.into_keys());
        let mut names: Vec<String> = vec![name.to_owned()];
        names.extend(bots.filter(|bot| bot != &name).filter(met).map(str::to_owned));
        let place = |bot: &str| rows.iter().position(|row| row.bot == bot);
        let own = place(name);
        let points = |other: &String| *self.standings.cross.get(own?)?.get(place(other)?)?;
        let standings = Standings {
            rows: own.map(|own| rows[own].clone()).into_iter().collect(),
            cross: own.map(|_| names.iter().map(points).collect()).into_iter().collect(),
            clocks: own.map_or_else(Default::default, |own| rows[own].clocks.clone()),
        };
        let absent = |reason: &str| Absent { name: name.to_owned(), reason: reason.to_owned(), stderr: None };
        let facts = Facts {
            title: format!("{}: {name}", student.title),
            parts: parts(&self.settings),
            game: self.settings.game.clone(),
            seats: self.settings.seats.into(),
            done: games.len(),
            scheduled: games.len(),
            left_out: left_out.map(absent).into_iter().collect(),
            notes: left_out.map(|_| NONE_COUNTS.to_owned()).into_iter().collect(),
            ..Facts::default()
        };
        let packing = Packing {
            bots: names.iter().cloned().zip(0..).collect::<HashMap<_, _>>(),
            names: names.clone(),
            times: Some(if games.len() <= MOST_GAMES { Times::Exact } else { Times::Coarse }),
            // Its names are those that are shown, and its texts may be read.
            publication: Publication::default(),
        };
        let mut page = Page::new(facts, &standings, &names);
        for block in games.chunks(blocks::GAMES) {
            let recorded = |record: &GameRecord| Recorded { record: record.clone(), stderr: Vec::new() };
            page.add(packing.pack(block.iter().map(recorded).collect()));
        }
        page.html()
    }
}

/// Writes each game as a text and, where there is such a format, as SGF, and all of them as a journal.
fn write_games(games: &[GameRecord], out: &Path) -> Result<()> {
    let folder = out.join(GAMES);
    fs::create_dir_all(&folder)?;
    let (mut journal, _) = Journal::open(&out.join(journal::FILE_NAME))?;
    for game in games {
        journal.append(game)?;
        let name = format!("{:04}", game.number);
        // A game that contradicts itself has its place in the list, and no more.
        if let Ok(replay) = Replay::new(game.clone()) {
            fs::write(folder.join(format!("{name}.txt")), replay.text()?)?;
        }
        if let Ok(text) = sgf::write(game) {
            fs::write(folder.join(format!("{name}.sgf")), text)?;
        }
    }
    Ok(journal.sync()?)
}

/// Sees to it that there is a folder with nothing in it.
fn claim(folder: &Path) -> Result<()> {
    let shown = folder.display();
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(usage(anyhow!("--out '{shown}' has to be a folder: {error}"))),
    };
    if !is_empty {
        return Err(usage(anyhow!(
            "there is something in '{shown}'; give a new or an empty folder with --out"
        )));
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder '{shown}'")).map_err(usage)
}
