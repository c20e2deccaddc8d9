//! Games that people play at the terminal, with programs among them if they like.

use std::io::{self, Write};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result, anyhow};
use clap::Args;
use rustix::stdio::stdin;
use serde::de::IgnoredAny;

use super::contest::{new_folder, new_seed, take_files};
use super::exit::{self, usage};
use super::options::{SandboxOptions, TermsOptions};
use super::output::{ReaderGone, say, warn};
use crate::championship::bot_environment::Draw;
use crate::championship::config::Config;
use crate::championship::copies;
use crate::championship::entrant::Entrant;
use crate::championship::formats::Fixture;
use crate::championship::roster::unique_names;
use crate::championship::runner::{Finished, Line, Player};
use crate::championship::seating::Seating;
use crate::championship::settings;
use crate::contain::line_buffer::LineBuffer;
use crate::game::{Seat, Setup};
use crate::record::journal::{self, Journal};
use crate::record::{FixtureKey, GameRecord};
use crate::referee::interrupt::Interrupt;
use crate::referee::{self, Answers, Host, Script, Sitter};

/// Options of games at the terminal.
#[derive(Args)]
pub struct ConsoleOptions {
    /// The folder to keep the game in [default: results/<game>-<date-time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    terms: TermsOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// The longest line that anybody types.
const LONGEST_LINE: usize = 4096;

/// What people type.
#[derive(Default)]
pub struct Keyboard {
    lines: LineBuffer,
}

impl Keyboard {
    /// Waits for a line.
    pub fn wait_for_line(&mut self) -> Result<String> {
        loop {
            match self.line() {
                Some(line) => return Ok(line),
                None => self.read()?,
            }
        }
    }
}

impl Answers for Keyboard {
    fn input(&self) -> BorrowedFd<'_> {
        stdin()
    }

    fn read(&mut self) -> io::Result<()> {
        // No more than the line has room for, so that its pieces do not depend on how the bytes come in.
        let mut bytes = [0; LONGEST_LINE];
        let room = LONGEST_LINE - self.lines.rest().len();
        let length = rustix::io::retry_on_intr(|| rustix::io::read(stdin(), &mut bytes[..room]))?;
        if length == 0 && self.lines.rest().is_empty() {
            let what = "the input ended before the game was over";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
        }
        self.lines.push(&bytes[..length]);
        // The end of the input ends its last line. A line without an end is not waited for, but taken in pieces, which are
        // no answers.
        if length == 0 || self.lines.rest().len() >= LONGEST_LINE {
            self.lines.end_line();
        }
        Ok(())
    }

    fn line(&mut self) -> Option<String> {
        self.lines.next_line().map(|line| String::from_utf8_lossy(line).trim().to_owned())
    }
}

/// Prints to stdout, at once.
pub fn show(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Who is to sit at a seat.
pub enum Chair {
    /// Somebody at the keyboard, who may have given a name.
    Person(Option<String>),
    /// A program.
    Program(Box<Entrant>),
    /// Moves of our own, by this name.
    Script(&'static str, Box<dyn Script>),
}

impl Chair {
    /// Reads `human`, `human:NAME` or a program as everywhere.
    pub fn read(text: &str, game: &'static str) -> Result<Chair> {
        match text.trim() {
            "human" => Ok(Chair::Person(None)),
            command => match command.strip_prefix("human:") {
                Some(name) => Ok(Chair::Person(Some(name.trim().to_owned()))),
                None => {
                    let entrant =
                        Entrant::parse(command).map_err(|problem| match command.contains(['/', '@']) {
                            true => anyhow!(problem),
                            false => {
                                anyhow!("{problem}; people at the keyboard are written human or human:NAME")
                            }
                        })?;
                    entrant.check(game)?;
                    Ok(Chair::Program(Box::new(entrant)))
                }
            },
        }
    }

    /// Whether a person sits there.
    pub fn is_person(&self) -> bool {
        matches!(self, Chair::Person(_))
    }

    /// As it is recorded, but for its name, which others may have too.
    fn player(&self) -> Player {
        let (name, command, identity) = match self {
            Chair::Person(name) => (name.as_deref().unwrap_or("human"), "", None),
            Chair::Script(name, _) => (*name, "", None),
            Chair::Program(entrant) => (entrant.name.as_str(), entrant.command.as_str(), entrant.identity),
        };
        Player { name: name.to_owned(), command: command.to_owned(), identity }
    }
}

/// Plays one game between those at these chairs, which the host shows, and keeps it in a journal.
pub fn play(
    setup: &Setup,
    mut chairs: Vec<Chair>,
    board_file: &str,
    host: &mut dyn Host,
    options: &ConsoleOptions,
) -> Result<ExitCode> {
    let terms = options.terms.terms(&Config::default());
    if let Some(folder) = options.out.as_ref().filter(|folder| folder.join(settings::FILE_NAME).exists()) {
        return Err(usage(anyhow!(
            "'{}' holds a championship; give another folder with --out",
            folder.display()
        )));
    }
    let folder = options.out.clone().unwrap_or_else(|| new_folder(&format!("{}-", setup.name())));
    let mut programs: Vec<Entrant> = chairs.iter().filter_map(program).cloned().collect();
    // Where only people play, nobody need be contained.
    let containment =
        if programs.is_empty() { None } else { options.sandbox.containment(&Config::default(), true)? };
    let refused = take_files(
        &folder,
        &mut programs,
        containment.as_ref(),
        options.sandbox.copy_limit(&Config::default()),
    )?;
    if let Some((bot, why)) = refused.first_key_value() {
        return Err(usage(anyhow!("bot '{bot}': {why}")));
    }
    let mut taken = programs.iter().cloned();
    for chair in &mut chairs {
        if let Chair::Program(entrant) = chair {
            **entrant = taken.next().unwrap_or_else(|| (**entrant).clone());
        }
    }
    let players: Vec<Player> = chairs.iter().map(Chair::player).collect();
    let seating = Seating { setup, board_file, terms: &terms, containment: containment.as_ref() };
    let visible_files = containment.as_ref().map_or_else(Vec::new, |cage| cage.visible_files(&programs));
    let mut visible_files = visible_files.iter();
    let (mut game, draw) = (setup.start(), Draw { seed: new_seed(), opening: None });
    let mut sitter = |(seat, chair): (Seat, Chair)| match chair {
        Chair::Person(_) => Sitter::Person,
        Chair::Script(_, script) => Sitter::Script(script),
        Chair::Program(entrant) => {
            seating.seat(&entrant, visible_files.next(), game.as_ref(), seat, draw, None)
        }
    };
    let sitters: Vec<Sitter> = (0..).map(Seat).zip(chairs).map(&mut sitter).collect();
    let interrupt = Interrupt::catch().context("cannot catch signals")?;
    let started = jiff::Timestamp::now();
    let played = referee::play(game.as_mut(), sitters, Some(host), &mut Vec::new(), &terms, &interrupt)
        .map_err(trouble)?;
    if !played.verdict.counts() {
        forget_copies(&folder);
        // On a line of its own: there may be a prompt before it.
        say(&format!("\nthe game is broken off and not kept: {}", played.verdict.sentence));
        return Ok(ExitCode::from(exit::INTERRUPTED));
    }
    let names = unique_names(players.iter().map(|player| player.name.as_str()));
    let players: Vec<Player> = players
        .into_iter()
        .zip(&names)
        .map(|(player, name)| Player { name: name.clone(), ..player })
        .collect();
    let fixture = Fixture {
        key: FixtureKey { round: 1, leg: 1, bots: names.iter().map(|name| name.as_str().into()).collect() },
        seats: Vec::new(),
        opening: None,
    };
    let (seed, opening, ended, swapped) = (draw.seed, None, jiff::Timestamp::now(), game.swapped());
    let finished = Finished { fixture, seed, opening, started, ended, swapped, played, scratch: Vec::new() };
    keep(&folder, |number| finished.record(&seating, Line { number, generation: 1, attempt: 1 }, players));
    Ok(ExitCode::SUCCESS)
}

fn program(chair: &Chair) -> Option<&Entrant> {
    match chair {
        Chair::Program(entrant) => Some(entrant),
        _ => None,
    }
}

/// Removes the copies of a game that is not kept, unless other games were kept there.
fn forget_copies(folder: &Path) {
    if folder.join(journal::FILE_NAME).exists() {
        return;
    }
    // What cannot be removed is in nobody's way.
    let _ = std::fs::remove_dir_all(folder.join(copies::FOLDER));
    let _ = std::fs::remove_dir(folder);
}

/// What went wrong: a reader who has seen enough, the end of the input, or the referee's own trouble.
fn trouble(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => ReaderGone.into(),
        io::ErrorKind::UnexpectedEof => anyhow!(error),
        _ => anyhow!(error).context("the referee is in trouble"),
    }
}

/// Adds a game to the journal of a folder. People have seen how it ended: if it cannot be kept, that is only said.
fn keep(folder: &Path, record: impl FnOnce(u32) -> GameRecord) {
    let path = folder.join(journal::FILE_NAME);
    let append = || -> Result<()> {
        std::fs::create_dir_all(folder)?;
        let (mut journal, _) = Journal::open(&path)?;
        let games = journal::entries::<IgnoredAny>(&path)?.count();
        journal.append(&record(games as u32 + 1))?;
        Ok(journal.sync()?)
    };
    match append() {
        Ok(()) => say(&format!("the game is kept in {}", path.display())),
        Err(error) => warn(format!("the game could not be kept in '{}': {error:#}", path.display())),
    }
}
