//! `arbitro check`: examines one bot.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;

use super::contest::take_files;
use super::exam_board::ExamBoard;
use super::exit::{self, usage};
use super::numbers::whole;
use super::options::{GameOptions, MatchTermsOptions, SandboxOptions};
use super::output::{PAGE_BEGINS, check_replaceable, print, say};
use crate::championship::bot_name::safe_name;
use crate::championship::config::Config;
use crate::championship::entrant::{Entrant, RosterError};
use crate::examination::book::Finding;
use crate::examination::catalogue::{self, Test};
use crate::examination::examiner;
use crate::examination::experiments::is_only_in_games;
use crate::examination::language;
use crate::examination::report::{Mark, Report, Subject, TestReport};
use crate::examination::text::text;
use crate::examination::transcript::Voice;
use crate::game::Setup;
use crate::game::nearest::nearest;
use crate::record::text::counted;
use crate::referee::protocol::Protocol;
use crate::view::page::check::{self as page, CheckPage, FindingBlock, SaidLine, TestRow};

/// Examine one bot: what is wrong with it, why that matters, and how to mend it
#[derive(ClapArgs)]
#[command(after_help = "\
A BOT is a command such as './mybot' or 'python3 bot.py', NAME=COMMAND, or an engine that speaks HTP (htp:COMMAND).

Each test that fails shows what was tried, the bytes that were sent and that came back, what was expected, why it matters, and the \
lines of code that mend it. A test that depends on another that failed is not tried. A fault loses games; advice does not.

The last line is always of this form, with the names of the tests that found a fault at its end:
  check: mybot: 27 passed, 1 fault, 0 advice, 2 not tried: newline

Exit: 0 no fault, 1 a fault, 2 wrong command line. docs/check.md tells about every test.

Examples:
  arbitro check ./mybot
  arbitro check 'python3 bot.py' --quick
  arbitro check ./mybot --game xinez --size 4
  arbitro check ./mybot --only newline,swapped
  arbitro check ./mybot --html check.html
  for bot in handins/*/bot; do arbitro check \"$bot\" --quiet | tail -1; done")]
pub struct Args {
    /// The bot
    #[arg(value_name = "BOT", required_unless_present = "list")]
    bot: Option<String>,
    /// Try these tests only, and what they depend on
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave the whole games out
    #[arg(long)]
    quick: bool,
    /// List the tests of the game
    #[arg(long)]
    list: bool,
    /// Print the report as JSON, for programs
    #[arg(long)]
    json: bool,
    /// Write the report to this file as a page, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Seed of everything that is drawn by lot
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=i64::MAX as u64))]
    seed: u64,
    /// Print the report only, no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    terms: MatchTermsOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// Examines the bot.
pub fn run(args: Args) -> Result<ExitCode> {
    let setup = args.game.setup(None, &Config::default())?;
    if args.list {
        return list(&setup);
    }
    let given = args.bot.as_deref().unwrap_or_default();
    if given.trim().is_empty() {
        return Err(usage(anyhow!("BOT is empty: name a program, as in: arbitro check ./mybot")));
    }
    let only = only(&args, &setup)?;
    // Before minutes are spent on what cannot be written then.
    args.html.as_deref().map_or(Ok(()), check_page)?;
    let report = match Entrant::parse(given) {
        Ok(bot) => match examine(&args, &setup, bot, &only)? {
            Some(report) => report,
            None => return Ok(ExitCode::from(exit::INTERRUPTED)),
        },
        // What cannot even be begun is a fault of the bot like any other: hand-ins are graded in a loop.
        Err(RosterError::Command { name, problem }) => {
            let bot = name.unwrap_or_else(|| safe_name(given));
            let subject = subject(bot, given, &setup);
            examiner::not_started(
                subject,
                catalogue::of(&setup, false),
                &only,
                format!("cannot be started: {problem}"),
            )
        }
        Err(problem) => return Err(usage(problem)),
    };
    print(&if args.json { report.json()? } else { text(&report) })?;
    if let Some(file) = &args.html {
        let write = || fs::write(file, page::html(&page_of(&report)));
        write().with_context(|| format!("cannot write '{}'", file.display()))?;
    }
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn subject(bot: String, command: &str, setup: &Setup) -> Subject {
    let (game, board) = (setup.name().to_owned(), setup.start().board_name());
    Subject { bot, command: command.to_owned(), game, board, language: None }
}

/// Whether a page can be written to this file, as far as its name tells.
fn check_page(file: &Path) -> Result<()> {
    if file == Path::new("-") {
        return Err(usage(anyhow!(
            "--html writes to a file, and stdout has the report: name a file, as in --html check.html"
        )));
    }
    check_replaceable(file, PAGE_BEGINS)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if file.is_dir() {
        return Err(usage(anyhow!("--html: '{}' is a folder; name a file", file.display())));
    }
    if !folder.is_dir() {
        return Err(usage(anyhow!("--html: there is no folder '{}'", folder.display())));
    }
    Ok(())
}

/// The tests of a game, with what each is about.
fn list(setup: &Setup) -> Result<ExitCode> {
    let row = |test: &Test| format!("{:<14} {}\n", test.name, test.title);
    print(&catalogue::of(setup, false).map(row).collect::<String>())?;
    Ok(ExitCode::SUCCESS)
}

/// The tests that were asked for.
fn only(args: &Args, setup: &Setup) -> Result<Vec<&'static str>> {
    let known: Vec<&'static str> = catalogue::of(setup, false).map(|test| test.name).collect();
    let find = |name: &String| {
        known.iter().find(|known| *known == name).copied().ok_or_else(|| {
            let advice = nearest(name, known.iter().copied())
                .map_or("arbitro check --list names them all".to_owned(), |near| {
                    format!("did you mean {near}?")
                });
            usage(anyhow!("--only: there is no test '{name}' for {}; {advice}", setup.name()))
        })
    };
    let only = args.only.iter().map(find).collect::<Result<Vec<_>>>()?;
    if args.quick && !only.is_empty() && only.iter().all(|name| is_only_in_games(name)) {
        let names = only.join(", ");
        return Err(usage(anyhow!(
            "nothing is left to try: --quick leaves whole games out, and only they show {names}"
        )));
    }
    Ok(only)
}

/// Examines a bot; nothing if somebody does not want to wait for that.
fn examine(args: &Args, setup: &Setup, bot: Entrant, only: &[&'static str]) -> Result<Option<Report>> {
    bot.check(setup.name()).map_err(usage)?;
    let containment = args.sandbox.containment(&Config::default(), true)?;
    let limit = args.sandbox.copy_limit(&Config::default());
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (language, mut bot) = (language::of(&bot), [bot]);
    let refused = take_files(folder.path(), &mut bot, containment.as_ref(), limit)?;
    let [bot] = bot;
    if let Some(why) = refused.get(&bot.name) {
        let subject = Subject { language, ..subject(bot.name.clone(), &bot.command, setup) };
        let why = format!("cannot be copied: {why}");
        return Ok(Some(examiner::not_started(subject, catalogue::of(setup, false), only, why)));
    }
    let terms = args.terms.terms(&Config::default());
    if let Some(note) = own_argument(&bot, setup).filter(|_| !args.quiet) {
        say(&note);
    }
    let board = ExamBoard::new(setup, &terms, containment.as_ref())?;
    let progress = |what: &str| tell(what, args.quiet);
    let report = board.examine(bot, language, only, (args.seed, args.quick), &progress);
    clear(args.quiet);
    match report {
        Err(_) if board.is_interrupted() => Ok(None),
        report => report.map(Some).context("the referee is in trouble"),
    }
}

/// What to say of a command that has an argument which arbitro gives to the bot itself, as people write it who try it by hand.
fn own_argument(bot: &Entrant, setup: &Setup) -> Option<String> {
    if bot.protocol == Protocol::Htp || !matches!(setup.name(), "hex" | "rhex") {
        return None;
    }
    let (rest, last) = bot.command.trim_end().rsplit_once(' ')?;
    matches!(last, "b" | "p" | "d").then(|| {
        format!(
            "note: the command ends with '{last}', and arbitro starts it as '{} b' and '{0} p'; is '{}' meant?",
            bot.command.trim_end(),
            rest.trim_end()
        )
    })
}

/// Tells what is going on: whole sentences stay, and names of tests only on a terminal, where the next one takes their place.
fn tell(what: &str, quiet: bool) {
    if quiet || what.is_empty() {
        return;
    }
    if what.contains(':') {
        clear(quiet);
        say(what);
    } else if io::stderr().is_terminal() {
        // If it is closed, there is nobody to tell.
        let _ = write!(io::stderr(), "\r\x1b[K  {what} …");
    }
}

fn clear(quiet: bool) {
    if !quiet && io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

fn page_of(report: &Report) -> CheckPage {
    let language = report.language.map_or(String::new(), |language| format!(", {language}"));
    CheckPage {
        title: format!("{}: check", report.bot),
        is_sound: report.is_sound(),
        faults: counted(report.faults, "fault"),
        about: format!("{}{language} · {} on {}", report.command, report.game, report.board),
        findings: report.findings().map(|(test, finding)| block(test, finding)).collect(),
        rows: report.tests.iter().map(row).collect(),
        times: report.times(),
        result: report.result.clone(),
    }
}

fn outcome(mark: Mark) -> &'static str {
    match mark {
        Mark::Passed => "passed",
        Mark::Fault => "fault",
        Mark::Advice => "advice",
        Mark::NotTried => "not tried",
    }
}

fn row(test: &TestReport) -> TestRow {
    TestRow {
        name: test.name.to_owned(),
        title: test.title.to_owned(),
        outcome: outcome(test.outcome).to_owned(),
        is_fault: test.outcome == Mark::Fault,
        note: test.note.clone().unwrap_or_default(),
    }
}

fn block(test: &TestReport, finding: &Finding) -> FindingBlock {
    let said = finding.transcript.iter().map(|line| SaidLine {
        ms: line.ms.map_or(String::new(), |ms| ms.to_string()),
        who: match line.voice {
            Voice::Arbitro => "to its stdin",
            Voice::Bot => "from its stdout",
            Voice::Event => "",
        }
        .to_owned(),
        text: line.text.clone(),
    });
    FindingBlock {
        name: test.name.to_owned(),
        title: test.title.to_owned(),
        level: outcome(test.outcome).to_owned(),
        tried: finding.tried.clone(),
        command: finding.command.clone(),
        happened: finding.happened.clone(),
        expected: finding.expected.clone(),
        why: finding.why.clone(),
        fix: finding.fix.as_ref().map_or(String::new(), |fix| fix.advice.clone()),
        code: finding.fix.as_ref().map_or(String::new(), |fix| fix.code.join("\n")),
        said: said.collect(),
        stderr: finding.stderr.join("\n"),
    }
}
