//! What an examination has come to: for people, for programs, and in one last line.

use std::io;
use std::time::Duration;

use serde::Serialize;

use super::book::{Book, Finding, Outcome};
use super::catalogue::{Level, Test};
use super::figures::Figures;
use super::language::Language;
use crate::record::text::counted;

/// How a test went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// All is well.
    Passed,
    /// It loses games.
    Fault,
    /// Something to think about.
    Advice,
    /// Something else has to be mended first, or it was not asked for.
    NotTried,
}

/// A test and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct TestReport {
    /// Its name.
    pub name: &'static str,
    /// What the bot does that passes it.
    pub title: &'static str,
    /// How it went.
    pub outcome: Mark,
    /// A remark on a test that was passed, or why one was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Box<Finding>>,
}

/// All that was found out about a bot.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The bot's name.
    pub bot: String,
    /// Its command.
    pub command: String,
    /// The game.
    pub game: String,
    /// The board, in a word.
    pub board: String,
    /// The language that it is written in, if that is known.
    pub language: Option<Language>,
    /// How many tests it passed.
    pub passed: usize,
    /// How many faults it has.
    pub faults: usize,
    /// How much advice there is.
    pub advice: usize,
    /// How many tests were not tried.
    pub not_tried: usize,
    /// The last line: the result for whoever grades by it.
    pub result: String,
    /// All tests.
    pub tests: Vec<TestReport>,
    /// What whole games have shown of its time and memory.
    pub figures: Option<Figures>,
}

/// The bot that a report is about, and where it was examined.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The bot's name.
    pub bot: String,
    /// Its command.
    pub command: String,
    /// The game.
    pub game: String,
    /// The board, in a word.
    pub board: String,
    /// The language that it is written in, if that is known.
    pub language: Option<Language>,
}

impl Report {
    /// The report of these tests.
    pub fn new(subject: Subject, tests: impl Iterator<Item = &'static Test>, book: &Book) -> Report {
        let tests: Vec<TestReport> = tests.map(|test| report_of(test, book)).collect();
        let count = |mark: Mark| tests.iter().filter(|test| test.outcome == mark).count();
        let (passed, faults) = (count(Mark::Passed), count(Mark::Fault));
        let (advice, not_tried) = (count(Mark::Advice), count(Mark::NotTried));
        let failed: Vec<&str> =
            tests.iter().filter(|test| test.outcome == Mark::Fault).map(|test| test.name).collect();
        let names = if failed.is_empty() { String::new() } else { format!(": {}", failed.join(",")) };
        let Subject { bot, command, game, board, language } = subject;
        let result = format!(
            "check: {bot}: {passed} passed, {}, {advice} advice, {not_tried} not tried{names}",
            counted(faults, "fault")
        );
        let figures = book.figures.clone();
        Report {
            bot,
            command,
            game,
            board,
            language,
            passed,
            faults,
            advice,
            not_tried,
            result,
            tests,
            figures,
        }
    }

    /// Whether the bot has no fault.
    pub fn is_sound(&self) -> bool {
        self.faults == 0
    }

    /// The findings, with the tests that made them.
    pub fn findings(&self) -> impl Iterator<Item = (&TestReport, &Finding)> {
        self.tests.iter().filter_map(|test| Some((test, test.finding.as_deref()?)))
    }

    /// The times of its moves, as a small plot with a line above it; empty where no whole game was played.
    pub fn times(&self) -> String {
        let Some(figures) = self.figures.as_ref().filter(|figures| figures.moves > 0) else {
            return String::new();
        };
        let games = counted(figures.games, "game");
        let used = Duration::from_secs_f64(figures.most_used);
        let share = 100.0 * figures.most_used / figures.budget.max(1e-9);
        format!(
            "time, the longest of each move in {games} (at most {} of {} s used, {share:.0} %):\n{}",
            crate::record::text::seconds(used),
            figures.budget,
            figures.plot()
        )
    }

    /// As JSON.
    pub fn json(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

fn report_of(test: &'static Test, book: &Book) -> TestReport {
    let (outcome, note, finding) = match book.outcome(test.name) {
        Some(Outcome::Passed(remark)) => (Mark::Passed, remark.clone(), None),
        Some(Outcome::Found(finding)) if test.level == Level::Fault => {
            (Mark::Fault, None, Some(finding.clone()))
        }
        Some(Outcome::Found(finding)) => (Mark::Advice, None, Some(finding.clone())),
        Some(Outcome::NotTried(why)) => (Mark::NotTried, Some(why.clone()), None),
        None => (Mark::NotTried, None, None),
    };
    TestReport { name: test.name, title: test.title, outcome, note, finding }
}
