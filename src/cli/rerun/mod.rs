//! `arbitro rerun`: feeding a recorded game into a bot once more.

mod debugger;
mod version;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;

use self::debugger::Debugger;
use self::version::Version;
use super::contest::contest_error;
use super::exit::{self, usage};
use super::numbers::whole;
use super::options::SandboxOptions;
use super::output::{COMMAND, print, quoted, say};
use super::recorded::{Games, LAST_NUMBER};
use crate::championship::config::Config;
use crate::championship::contest;
use crate::championship::rerun::{Comparison, Deed, Rerun, compare};
use crate::championship::settings::{self, Settings};
use crate::examination::language::{self, Language};
use crate::game::nearest::nearest;
use crate::game::{Refusal, Seat};
use crate::record::text::{counted, visible};
use crate::record::{GameRecord, Reason};
use crate::referee::interrupt::Interrupt;
use crate::referee::protocol::Protocol;

/// Feed a recorded game into one of its bots again, under a debugger if wanted
#[derive(ClapArgs)]
#[command(after_help = "\
The bot is started as it was then, with the same arguments, seed and limits, from the copy that played; everybody else does what is \
recorded. Where it answers otherwise, both answers are shown, and the game goes on as long as the recorded moves are possible.

Exit codes: 0 it answered as recorded, 1 it did not, 2 bad usage.

Examples:
  arbitro rerun results/2026 17 --bot ana                        does it crash again?
  arbitro rerun results/2026 17 --bot ana --with ./ana           does my new version?
  arbitro rerun results/2026 17 --bot ana --stdin moves.txt      what it read, for gdb and pdb
  arbitro rerun results/2026 17 --bot ana --with ./ana --attach  wait for gdb -p")]
pub struct Args {
    /// The folder of a championship or match, or its journal
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The number of the game
    #[arg(allow_negative_numbers = true, value_parser = whole::<u32>(1..=LAST_NUMBER))]
    game: u32,
    /// The bot, by its name in the game
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Stop after so many plies, moves of one side
    #[arg(long, value_name = "PLY", value_parser = whole::<usize>(1..=LAST_NUMBER))]
    until: Option<usize>,
    /// Start this instead of the version that played
    #[arg(long, value_name = "COMMAND")]
    with: Option<String>,
    /// Only write what the bot was sent to this file (-: stdout), and say how to start the bot on it
    #[arg(long, value_name = "FILE", conflicts_with = "attach")]
    stdin: Option<PathBuf>,
    /// Wait until a debugger is attached; the bot is not contained, and has all the time in the world
    #[arg(long)]
    attach: bool,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// Has the game played again.
pub fn run(args: Args) -> Result<ExitCode> {
    let folder =
        if args.folder.is_dir() { &args.folder } else { args.folder.parent().unwrap_or(Path::new("")) };
    let games = Games::read(args.folder.clone(), "rerun")?;
    let record = games.game(Some(args.game))?.context("no game was chosen")?;
    let seat = seat_of(record, args.bot.as_deref())?;
    let settings = folder.join(settings::FILE_NAME);
    let settings = settings.exists().then(|| Settings::read(&settings)).transpose().map_err(usage)?;
    let config = settings.as_ref().map_or_else(Config::default, Config::from);
    // As it was then, unless a debugger has to get at it.
    let was_contained = settings.as_ref().is_none_or(|settings| settings.sandbox.is_some());
    let containment = match was_contained && !args.attach && args.stdin.is_none() {
        true => args.sandbox.containment(&config, true)?,
        false => None,
    };
    let version = match &args.with {
        Some(command) => Version::present(command, settings.as_ref(), record, seat)?,
        None => Version::that_played(folder, settings.as_ref(), record, seat)?,
    };
    let Version { entrant, what, place: _copies } =
        version.with_files(containment.as_ref(), args.sandbox.copy_limit(&config))?;
    let setup = record.setup().map_err(usage)?;
    let board_file = contest::write_board(folder, &setup).map_err(contest_error)?;
    let until = args.until.unwrap_or(usize::MAX);
    let rerun = Rerun { record, seat, entrant, setup, board_file, containment, until };
    let (number, players, bot) = (record.number, record.players(), record.bot(seat));
    if let Some(file) = &args.stdin {
        return write_input(&rerun, file, &record.game);
    }
    say(&format!("game {number}, {players}: {bot} once more, {what}"));
    let interrupt = Interrupt::catch().context("cannot catch signals")?;
    let mut debugger = Debugger { bot, interrupt: &interrupt };
    let played = rerun.play(if args.attach { Some(&mut debugger) } else { None }, &interrupt)?;
    if interrupt.requested() {
        return Ok(ExitCode::from(exit::INTERRUPTED));
    }
    let now = played.record;
    let comparisons = compare(record, &now, seat, until)?;
    print(&report(record, &now, seat, &comparisons))?;
    // A single line is in the sentence.
    if now.verdict.loss(seat).is_some() && visible(&played.stderr).lines().count() > 1 {
        say(&format!("the last that it wrote to stderr:\n{}", last_lines(&played.stderr)));
    }
    let is_same = comparisons.iter().all(Comparison::is_same);
    Ok(if is_same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The seat at which a bot played.
fn seat_of(record: &GameRecord, bot: Option<&str>) -> Result<Seat> {
    let Some(bot) = bot else {
        let seats = record.seats.iter().filter(|seat| !seat.command.is_empty());
        let choices: Vec<String> = seats.map(|seat| format!("--bot {}", seat.bot)).collect();
        return Err(usage(anyhow!(
            "say which bot of game {} is to play again: {}",
            record.number,
            choices.join(" or ")
        )));
    };
    let mut seats = (0..).map(Seat).zip(&record.seats);
    if let Some((seat, played)) = seats.find(|(_, seat)| seat.bot == bot) {
        return match played.command.is_empty() {
            true => Err(usage(anyhow!("{bot} is no program in game {}, but a person", record.number))),
            false => Ok(seat),
        };
    }
    let names = || record.seats.iter().map(|seat| seat.bot.as_str());
    let meant = nearest(bot, names()).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
    let played = names().collect::<Vec<_>>().join(" and ");
    Err(usage(anyhow!("game {} was played by {played}, not by '{bot}'{meant}", record.number)))
}

/// Stops a program in Python whose stdin is a file.
const PDB: &str = r#"import pdb; pdb.Pdb(stdin=open("/dev/tty"), stdout=open("/dev/tty", "w")).set_trace()"#;

/// Writes what the bot is sent, and says how it is started on that.
fn write_input(rerun: &Rerun, file: &Path, game: &str) -> Result<ExitCode> {
    if rerun.entrant.protocol == Protocol::Htp {
        return Err(usage(anyhow!(
            "what an engine that speaks HTP is sent depends on its answers, so that there is no such file for {game}; use --attach"
        )));
    }
    let input = rerun.input()?;
    let launch = rerun.launch().context("there is no program to start")?;
    let variable = |(name, value): &(String, String)| format!("{name}={}", shell_words::quote(value));
    let env = launch.environment.iter().map(variable).collect::<Vec<_>>().join(" ");
    let (program, arguments) = (shell_words::quote(&launch.program), shell_words::join(&launch.arguments));
    let place = quoted(file);
    let is_stdout = file == Path::new("-");
    let place = if is_stdout { "FILE".to_owned() } else { place };
    let mut text = format!("start it with:   env {env} {program} {arguments} < {place}\n");
    text += &match language::of_program(Path::new(&launch.program)) {
        // What stands behind 'run' takes the place of all arguments.
        Some(Language::C | Language::Cpp | Language::Rust | Language::Go) => {
            let run = format!("run {arguments} < {place}");
            format!("under gdb:       env {env} gdb -ex {} {program}\n", shell_words::quote(&run))
        }
        Some(Language::Python) => format!(
            "under pdb:       --with your own file, in which this line stands where it is to stop:\n{COMMAND}{PDB}\n"
        ),
        _ => String::new(),
    };
    if is_stdout {
        print(&input)?;
        say(text.trim_end());
    } else {
        check_holds_input(rerun, file)?;
        let cannot = || format!("cannot write '{}'", file.display());
        std::fs::write(file, input).with_context(cannot).map_err(usage)?;
        print(&visible(text.as_bytes()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses to write over a file that holds anything but what such a bot is sent: it may be a student's program.
fn check_holds_input(rerun: &Rerun, file: &Path) -> Result<()> {
    // A pipe or a terminal holds nothing, and would keep us waiting.
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return Ok(());
    }
    // Whether a file that cannot be read can be written is found out when that is tried.
    let Ok(held) = std::fs::read(file) else { return Ok(()) };
    let is_news = |line: &str| !matches!(rerun.setup.start().hear(line), Err(Refusal::NotAMove(_)));
    if std::str::from_utf8(&held).is_ok_and(|held| held.lines().all(is_news)) {
        return Ok(());
    }
    Err(usage(anyhow!("'{}' holds something else that would be lost; give another name", file.display())))
}

/// So many different answers are shown: the first of them tells most.
const MOST_SHOWN: usize = 10;

/// Where the bot answered otherwise, and how it ended.
fn report(then: &GameRecord, now: &GameRecord, seat: Seat, comparisons: &[Comparison]) -> String {
    let mut text = String::new();
    let word = |record: &GameRecord, deed: Option<Deed>| match deed {
        Some(Deed::Move(text)) => format!("'{text}'"),
        Some(Deed::Lost(loss)) => format!("that it {}", record.what(loss)),
        None => "nothing".to_owned(),
    };
    let is_broken_off = now.verdict.reason == Reason::Aborted && now.plies.len() < then.plies.len();
    // What it was not asked any more says nothing.
    let asked: Vec<&Comparison> =
        comparisons.iter().filter(|comparison| !is_broken_off || comparison.now.is_some()).collect();
    let others: Vec<&Comparison> = asked.iter().copied().filter(|comparison| !comparison.is_same()).collect();
    for Comparison { ply, then: deed, now: deed_now } in others.iter().take(MOST_SHOWN) {
        text += &format!("ply {ply}: recorded {}; now {}\n", word(then, *deed), word(now, *deed_now));
    }
    if others.len() > MOST_SHOWN {
        text += &format!("and so on: {} more\n", others.len() - MOST_SHOWN);
    }
    if let (true, Some(first)) = (is_broken_off, others.first()) {
        let (plies, ply) = (now.plies.len(), first.ply);
        text += &format!(
            "since ply {ply} the record cannot be followed beyond ply {plies}: what comes next there is not possible now\n"
        );
    }
    let answers = counted(asked.len(), "answer");
    text += &match others.len() {
        0 => format!("the same: {answers} as recorded\n"),
        many => format!("otherwise: {many} of {answers}\n"),
    };
    if let (true, Some(loss)) = (others.is_empty(), now.verdict.loss(seat)) {
        text += &format!("again {} {}\n", now.player(seat), now.what(loss));
    }
    text
}

/// The end of what a program wrote, safe to print.
fn last_lines(bytes: &[u8]) -> String {
    const SHOWN: usize = 20;
    let text = visible(bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN)..].join("\n")
}
