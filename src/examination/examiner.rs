//! Tries everything that can be tried, in order, and writes down what comes of it.

use std::io;
use std::time::Duration;

use super::blame;
use super::book::{Book, Finding, first_mend};
use super::catalogue::{self, Test};
use super::experiment::Experiment;
use super::experiments::EXPERIMENTS;
use super::remedies;
use super::report::{Report, Subject};
use super::room::Room;
use super::stumble::{Stumble, Trouble};
use crate::referee::protocol::Protocol;

/// How often an experiment is tried that trouble of our own breaks off, and how long after it.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(300);

/// Examines the bot in this room. Only tests of these names are asked for, or all where there are none.
///
/// # Errors
/// Only for troubles of our own: whatever the bot does is in the report.
pub fn examine(room: &Room, only: &[&'static str]) -> io::Result<Report> {
    let is_engine = room.bot.protocol == Protocol::Htp;
    let tests: Vec<&'static Test> = catalogue::of(room.setup(), is_engine).collect();
    let mut book = Book::default();
    for experiment in experiments(&tests, only, is_engine) {
        (room.tell)(experiment.tried);
        try_one(room, experiment, &mut book)?;
    }
    // A bot that fails what others need has failed what was asked for.
    let is_wanted =
        |test: &&&'static Test| only.is_empty() || only.contains(&test.name) || book.has_found(test.name);
    let wanted: Vec<&'static Test> = tests.iter().filter(is_wanted).copied().collect();
    Ok(Report::new(subject(room), wanted.into_iter(), &book))
}

/// The report on a bot that cannot even be started, for this reason. Only tests of these names are asked for, or all where there are none.
pub fn not_started(
    subject: Subject,
    tests: impl Iterator<Item = &'static Test>,
    only: &[&'static str],
    why: String,
) -> Report {
    let mut book = Book::default();
    let is_wanted = |name: &str| only.is_empty() || only.contains(&name) || name == "starts";
    let tests: Vec<&'static Test> = tests.filter(|test| is_wanted(test.name)).collect();
    let known = catalogue::test("starts");
    let finding = Finding {
        tried: "arbitro looked at its command and at the files that it names".to_owned(),
        command: subject.command.clone(),
        happened: why,
        expected: known.expected.to_owned(),
        why: known.why.to_owned(),
        fix: None,
        transcript: Vec::new(),
        stderr: Vec::new(),
    };
    book.find("starts", finding);
    book.leave_out(tests.iter().map(|test| test.name), &first_mend("starts"));
    Report::new(subject, tests.into_iter(), &book)
}

/// The bot that a report is about.
fn subject(room: &Room) -> Subject {
    Subject {
        bot: room.bot.name.clone(),
        command: room.bot.command.clone(),
        game: room.setup().name().to_owned(),
        board: room.setup().start().board_name(),
        language: room.language,
    }
}

/// The experiments that tell about these tests, with those that have to come before them.
fn experiments<'a>(
    tests: &'a [&'static Test],
    only: &'a [&'static str],
    is_engine: bool,
) -> Vec<&'static Experiment> {
    let is_of_game = |name: &str| tests.iter().any(|test| test.name == name);
    let mut wanted: Vec<&'static str> = only.to_vec();
    let mut chosen: Vec<&'static Experiment> = Vec::new();
    // From the last on: what one needs comes before it.
    for experiment in EXPERIMENTS.iter().rev() {
        let is_possible = experiment.covered().any(is_of_game) && (experiment.for_engines || !is_engine);
        let is_wanted = wanted.is_empty() || experiment.covered().any(|name| wanted.contains(&name));
        if is_possible && is_wanted {
            if !wanted.is_empty() {
                wanted.extend(experiment.needed());
            }
            chosen.push(experiment);
        }
    }
    chosen.reverse();
    chosen
}

fn try_one(room: &Room, experiment: &'static Experiment, book: &mut Book) -> io::Result<()> {
    if let Some(why) = book.obstacle(experiment.needed()) {
        book.leave_out(experiment.covered(), &why);
        return Ok(());
    }
    let mut attempts = 1;
    loop {
        match (experiment.run)(room, book, experiment) {
            Ok(()) => return Ok(()),
            // What a busy machine is short of passes.
            Err(Trouble::Own(error)) if attempts < ATTEMPTS && error.kind() != io::ErrorKind::Interrupted => {
                attempts += 1;
                std::thread::sleep(PAUSE);
            }
            Err(Trouble::Own(error)) => return Err(error),
            Err(Trouble::Stumble(stumble)) => {
                let test = note(room, experiment, *stumble, book);
                book.leave_out(experiment.covered(), &first_mend(test));
                return Ok(());
            }
        }
    }
}

/// Writes down what a stumble shows, and returns the name of the test.
fn note(room: &Room, experiment: &Experiment, stumble: Stumble, book: &mut Book) -> &'static str {
    let Stumble { loss, before, exhibit } = stumble;
    let test = blame::of(&loss, before, experiment.about);
    let mut finding = experiment.finding(room, test, loss.what("arbitro"), exhibit);
    finding.fix = remedies::remedy_for(test, &loss, room.setup().name(), room.language);
    book.find(test, finding);
    // Whatever else is wrong, it was there to do it.
    book.pass(&["starts"]);
    test
}
