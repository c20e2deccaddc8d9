//! What bots are examined with: by `arbitro check`, and by `--check` before a championship or behind a build.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::contest::{contest_error, take_files};
use super::output::say;
use crate::championship::containment::Containment;
use crate::championship::contest::write_board;
use crate::championship::copies::USUAL_LIMIT;
use crate::championship::cores;
use crate::championship::entrant::Entrant;
use crate::championship::seating::Seating;
use crate::examination::examiner;
use crate::examination::language::Language;
use crate::examination::report::Report;
use crate::examination::room::Room;
use crate::examination::scripts;
use crate::examination::text::text;
use crate::game::Setup;
use crate::record::Terms;
use crate::referee::interrupt::Interrupt;

/// The folder of what was found out about each bot.
pub const FOLDER: &str = "checks";

/// The seed of examinations where nobody gives another.
const USUAL_SEED: u64 = 1;

/// The game and its terms, and the opponents, which wait in a folder of their own.
pub struct ExamBoard<'a> {
    setup: &'a Setup,
    terms: &'a Terms,
    containment: Option<&'a Containment>,
    opponents: Vec<Entrant>,
    board_file: String,
    walls: Option<(Setup, String)>,
    interrupt: Interrupt,
    _folder: TempDir,
}

impl<'a> ExamBoard<'a> {
    /// A board for this game.
    pub fn new(
        setup: &'a Setup,
        terms: &'a Terms,
        containment: Option<&'a Containment>,
    ) -> Result<ExamBoard<'a>> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let opponents = ["arbitro-random=@random", "arbitro-greedy=@greedy"];
        let mut opponents = opponents.map(Entrant::parse).into_iter().collect::<Result<Vec<_>, _>>()?;
        take_files(folder.path(), &mut opponents, containment, USUAL_LIMIT)?;
        let board_file = write_board(folder.path(), setup).map_err(contest_error)?;
        let walls = scripts::walls(setup)
            .map(|walls| write_board(folder.path(), &walls).map(|file| (walls, file)))
            .transpose()
            .map_err(contest_error)?;
        let interrupt = Interrupt::catch().context("cannot catch signals")?;
        Ok(ExamBoard { setup, terms, containment, opponents, board_file, walls, interrupt, _folder: folder })
    }

    /// Whether somebody does not want to wait any longer.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.requested()
    }

    /// Examines a bot whose files have been taken.
    pub fn examine(
        &self,
        bot: Entrant,
        language: Option<Language>,
        only: &[&'static str],
        (seed, is_quick): (u64, bool),
        tell: &(dyn Fn(&str) + Sync),
    ) -> io::Result<Report> {
        let roster: Vec<Entrant> = std::iter::once(bot).chain(self.opponents.iter().cloned()).collect();
        let Self { setup, terms, containment, board_file, walls, interrupt, .. } = self;
        let room = Room {
            bot: &roster[0],
            language,
            seating: Seating { setup, board_file, terms, containment: *containment },
            visible_files: containment.and_then(|containment| containment.visible_files(&roster[..1]).pop()),
            roster: &roster,
            seed,
            is_quick,
            jobs: (cores::count() / 2).max(1),
            interrupt,
            tell,
            came_up: Cell::default(),
            walls: walls.clone(),
            keepers: RefCell::default(),
        };
        examiner::examine(&room, only)
    }

    /// Examines bots one after the other and writes what was found into a folder, a file for each; the results in a line, by name. Those
    /// are missing to which somebody did not want to wait.
    pub fn examine_all(
        &self,
        bots: &[(Entrant, Option<Language>)],
        folder: &Path,
        quiet: bool,
    ) -> Result<BTreeMap<String, String>> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot use the folder '{}'", folder.display()))?;
        let mut results = BTreeMap::new();
        for (index, (bot, language)) in bots.iter().enumerate() {
            let examined = self.examine(bot.clone(), *language, &[], (USUAL_SEED, false), &|_| ());
            if self.is_interrupted() {
                break;
            }
            let report = examined.context("the referee is in trouble")?;
            let path = folder.join(format!("{}.txt", bot.name));
            fs::write(&path, text(&report)).with_context(|| format!("cannot write '{}'", path.display()))?;
            if !quiet {
                say(&format!("[{}/{}] {}", index + 1, bots.len(), report.result));
            }
            let result = report.result.strip_prefix("check: ").unwrap_or(&report.result);
            let result = result.strip_prefix(&format!("{}: ", bot.name)).unwrap_or(result);
            results.insert(bot.name.clone(), result.to_owned());
        }
        Ok(results)
    }
}
