//! Games that people play, with programs among them if they like; and what they type at the terminal.

use std::io::{self, Write};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result, anyhow, bail};
use clap::Args;
use rustix::stdio::stdin;
use serde::de::IgnoredAny;

use super::contest::{contest_error, new_folder, new_seed, take_files};
use super::exit::{self, usage};
use super::options::{SandboxOptions, TermsOptions};
use super::output::{ReaderGone, say};
use crate::championship::bot_environment::Draw;
use crate::championship::bot_name;
use crate::championship::config::Config;
use crate::championship::containment::Containment;
use crate::championship::entrant::Entrant;
use crate::championship::formats::Fixture;
use crate::championship::roster::unique_names;
use crate::championship::runner::{Finished, Line, Player};
use crate::championship::seating::Seating;
use crate::championship::settings;
use crate::championship::{contest, copies};
use crate::contain::line_buffer::LineBuffer;
use crate::contain::visible_files::VisibleFiles;
use crate::game::{Seat, Setup};
use crate::record::fixture::seat_seed;
use crate::record::journal::{self, Journal};
use crate::record::{FixtureKey, GameRecord, Terms};
use crate::referee::interrupt::Interrupt;
use crate::referee::{self, Answer, Answers, Host, Script, Sitter};

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
    /// The next whole line.
    fn line(&mut self) -> Option<String> {
        self.lines.next_line().map(|line| String::from_utf8_lossy(line).trim().to_owned())
    }

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

    fn answer(&mut self) -> Option<Answer> {
        self.line().map(Answer::Line)
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
    /// Moves of our own, by this name; a new script for each game.
    Script(&'static str, Box<dyn Fn() -> Box<dyn Script>>),
}

impl Chair {
    /// Reads `human`, `human:NAME` or a program as everywhere.
    pub fn read(text: &str, game: &'static str) -> Result<Chair> {
        match text.trim() {
            "human" => Ok(Chair::Person(None)),
            command => match command.strip_prefix("human:") {
                Some(name) => match bot_name::read(name) {
                    Ok(name) => Ok(Chair::Person(Some(name))),
                    Err(problem) => bail!("'{text}': {problem}; people are called as bots may be"),
                },
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

/// Those who play, and all that their games need.
pub struct Company {
    /// The game.
    pub setup: Setup,
    /// The players, in seat order for the first game.
    pub chairs: Vec<Chair>,
    /// What they are called in the journal, each by a name of its own.
    pub names: Vec<String>,
    /// The conditions of play.
    pub terms: Terms,
    /// Where the file of the board is, if it has one.
    pub board_file: String,
    /// Where games are kept.
    pub folder: PathBuf,
    containment: Option<Containment>,
    /// What each program sees, if it is contained.
    visible_files: Vec<Option<VisibleFiles>>,
    /// The file of the board, if it was written here.
    written_board: Option<PathBuf>,
    /// How many games have been played to their end.
    games: u32,
}

/// A game that has been played.
pub struct Game {
    /// The game, if it counts. Its number is for the journal to say.
    pub record: Option<GameRecord>,
    /// Why it does not, if so.
    pub sentence: String,
}

impl Company {
    /// Takes in the files of all programs and sees how they can be contained. Games will be kept in a new folder whose name begins
    /// with `prefix`, unless the options name one.
    pub fn gather(
        setup: Setup,
        mut chairs: Vec<Chair>,
        board_file: Option<&str>,
        options: &ConsoleOptions,
        prefix: &str,
    ) -> Result<Company> {
        if let Some(folder) = options.out.as_ref().filter(|folder| folder.join(settings::FILE_NAME).exists())
        {
            return Err(usage(anyhow!(
                "'{}' holds a championship; give another folder with --out",
                folder.display()
            )));
        }
        let folder = options.out.clone().unwrap_or_else(|| new_folder(prefix));
        let mut programs: Vec<Entrant> = chairs.iter().filter_map(program).cloned().collect();
        // Where only people play, nobody need be contained.
        let containment =
            if programs.is_empty() { None } else { options.sandbox.containment(&Config::default(), true)? };
        let limit = options.sandbox.copy_limit(&Config::default());
        let refused = take_files(&folder, &mut programs, containment.as_ref(), limit)?;
        if let Some((bot, why)) = refused.first_key_value() {
            return Err(usage(anyhow!("bot '{bot}': {why}")));
        }
        let mut visible =
            containment.as_ref().map_or_else(Vec::new, |cage| cage.visible_files(&programs)).into_iter();
        let (mut taken, mut visible_files) = (programs.into_iter(), Vec::new());
        for chair in &mut chairs {
            visible_files.push(match chair {
                Chair::Program(entrant) => {
                    **entrant = taken.next().unwrap_or_else(|| (**entrant).clone());
                    visible.next()
                }
                _ => None,
            });
        }
        let (board_file, is_written) = match board_file {
            Some(file) => (file.to_owned(), false),
            None => (contest::write_board(&folder, &setup).map_err(contest_error)?, true),
        };
        let written_board = (is_written && !board_file.is_empty()).then(|| PathBuf::from(&board_file));
        let players: Vec<Player> = chairs.iter().map(Chair::player).collect();
        let names = unique_names(players.iter().map(|player| player.name.as_str()));
        let terms = options.terms.terms(&Config::default());
        Ok(Company {
            setup,
            chairs,
            names,
            terms,
            board_file,
            folder,
            containment,
            visible_files,
            written_board,
            games: 0,
        })
    }

    /// Plays one game, which the host shows. `order` says who sits at each seat; the programs begin with the moves of `opening`.
    pub fn play(
        &mut self,
        order: &[usize],
        opening: Option<&str>,
        host: &mut dyn Host,
        interrupt: &Interrupt,
    ) -> Result<Game> {
        let containment = self.containment.as_ref();
        let seating =
            Seating { setup: &self.setup, board_file: &self.board_file, terms: &self.terms, containment };
        let (mut game, seed) = (self.setup.start(), new_seed());
        let sitter = |(seat, &who): (Seat, &usize)| match &self.chairs[who] {
            Chair::Person(_) => Sitter::Person,
            Chair::Script(_, script) => Sitter::Script(script()),
            Chair::Program(entrant) => {
                let draw = Draw { seed: seat_seed(seed, seat), opening };
                seating.seat(entrant, self.visible_files[who].as_ref(), game.as_ref(), seat, draw, None)
            }
        };
        let sitters: Vec<Sitter> = (0..).map(Seat).zip(order).map(sitter).collect();
        let started = jiff::Timestamp::now();
        let played =
            referee::play(game.as_mut(), sitters, Some(host), &mut Vec::new(), &self.terms, interrupt)
                .map_err(trouble)?;
        if !played.verdict.counts() {
            return Ok(Game { record: None, sentence: played.verdict.sentence });
        }
        self.games += 1;
        let player = |&who: &usize| Player { name: self.names[who].clone(), ..self.chairs[who].player() };
        let bots = order.iter().map(|&who| self.names[who].as_str().into()).collect();
        let key = FixtureKey { round: self.games, leg: 1, bots };
        let fixture = Fixture { key, seats: Vec::new(), opening: None };
        let (opening, ended) = (opening.map(str::to_owned), jiff::Timestamp::now());
        let swapped = game.swapped();
        let finished =
            Finished { fixture, seed, opening, started, ended, swapped, played, scratch: Vec::new() };
        let line = Line { number: self.games, generation: 1, attempt: 1 };
        let record = finished.record(&seating, line, order.iter().map(player).collect());
        Ok(Game { sentence: record.verdict.sentence.clone(), record: Some(record) })
    }

    /// Removes the copies of games that were not kept, unless others were.
    pub fn forget_copies(&self) {
        if self.folder.join(journal::FILE_NAME).exists() {
            return;
        }
        // What cannot be removed is in nobody's way.
        let _ = std::fs::remove_dir_all(self.folder.join(copies::FOLDER));
        let _ = self.written_board.as_ref().map(std::fs::remove_file);
        let _ = std::fs::remove_dir(&self.folder);
    }
}

/// Plays one game between those at these chairs, which the host shows, and keeps it in a journal.
pub fn play(
    setup: &Setup,
    chairs: Vec<Chair>,
    board_file: &str,
    host: &mut dyn Host,
    options: &ConsoleOptions,
) -> Result<ExitCode> {
    let prefix = format!("{}-", setup.name());
    let mut company = Company::gather(setup.clone(), chairs, Some(board_file), options, &prefix)?;
    let order: Vec<usize> = (0..company.chairs.len()).collect();
    let interrupt = Interrupt::catch().context("cannot catch signals")?;
    let Game { record, sentence } = company.play(&order, None, host, &interrupt)?;
    let Some(record) = record else {
        company.forget_copies();
        // On a line of its own: there may be a prompt before it.
        say(&format!("\nthe game is broken off and not kept: {sentence}"));
        return Ok(ExitCode::from(exit::INTERRUPTED));
    };
    say(&keep(&company.folder, record));
    Ok(ExitCode::SUCCESS)
}

fn program(chair: &Chair) -> Option<&Entrant> {
    match chair {
        Chair::Program(entrant) => Some(entrant),
        _ => None,
    }
}

/// What went wrong: a reader who has seen enough, the end of the input, or the referee's own trouble.
fn trouble(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => ReaderGone.into(),
        io::ErrorKind::UnexpectedEof => anyhow!(error),
        _ => anyhow!(error).context("the referee is in trouble"),
    }
}

/// Adds a game to the journal of a folder, and returns what there is to say about that. People have seen how it ended: if it cannot be
/// kept, that is only said.
pub fn keep(folder: &Path, record: GameRecord) -> String {
    let path = folder.join(journal::FILE_NAME);
    let append = || -> Result<()> {
        std::fs::create_dir_all(folder)?;
        let (mut journal, _) = Journal::open(&path)?;
        let games = journal::entries::<IgnoredAny>(&path)?.count();
        journal.append(&GameRecord { number: games as u32 + 1, ..record })?;
        Ok(journal.sync()?)
    };
    match append() {
        Ok(()) => format!("the game is kept in {}", path.display()),
        Err(error) => format!("warning: the game could not be kept in '{}': {error:#}", path.display()),
    }
}
