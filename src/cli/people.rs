//! Games that people play at the terminal, with programs among them if they like.

use std::io::{self, BufRead, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::options::SandboxOptions;
use super::output::{print, say};
use super::usage;
use crate::championship::containment::{RESULTS, confine};
use crate::championship::roster::Entrant;
use crate::game::{Game, Refusal, Seat};
use crate::referee::Terms;
use crate::referee::guest::Guest;

/// The longest line that anybody types.
const LONGEST_LINE: u64 = 4096;

/// The lines that people type.
pub struct Lines<R> {
    input: R,
}

impl Lines<io::StdinLock<'static>> {
    /// What comes on stdin.
    pub fn stdin() -> Lines<io::StdinLock<'static>> {
        Lines { input: io::stdin().lock() }
    }
}

impl<R: BufRead> Lines<R> {
    /// The next line without blanks around it.
    ///
    /// # Errors
    /// If there is none any more.
    pub fn line(&mut self) -> Result<String> {
        let mut line = Vec::new();
        // A line without an end is not waited for, but taken in pieces that are no answers.
        let length = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if length.context("cannot read the input")? == 0 {
            bail!("the input ended before the game was over");
        }
        Ok(String::from_utf8_lossy(&line).trim().to_owned())
    }
}

/// Who sits at a seat.
pub enum Player {
    /// Somebody at the keyboard.
    Person,
    /// A program, as long as it plays.
    Program(Option<Box<Guest>>),
}

/// Who is to sit at the seats of a game: `human`, or a program as everywhere.
pub fn read_seats(texts: &[String], game: &'static str) -> Result<Vec<Option<Entrant>>> {
    let seat = |text: &String| match text.trim() {
        "human" => Ok(None),
        command => {
            let entrant = Entrant::parse(command).map_err(usage)?;
            entrant.check(game).map_err(usage)?;
            Ok(Some(entrant))
        }
    };
    texts.iter().map(seat).collect()
}

/// Starts the programs among the players.
pub fn seat(
    entrants: &[Option<Entrant>],
    game: &dyn Game,
    game_name: &str,
    board_file: &str,
    terms: &Terms,
    sandbox: &SandboxOptions,
) -> Result<Vec<Player>> {
    let programs: Vec<Entrant> = entrants.iter().flatten().cloned().collect();
    // Where only people play, nobody need be contained.
    let containment =
        if programs.is_empty() { None } else { sandbox.containment(Path::new(RESULTS), true)? };
    let mut visible_files = containment
        .as_ref()
        .map_or_else(Vec::new, |containment| containment.visible_files(&programs))
        .into_iter();
    let environment = [
        ("ARBITRO_GAME", game_name.to_owned()),
        ("ARBITRO_TIME", terms.time.base.as_secs_f64().to_string()),
        ("ARBITRO_INC", terms.time.increment.as_secs_f64().to_string()),
    ];
    let environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
    let mut player = |(seat, entrant): (Seat, &Option<Entrant>)| -> Result<Player> {
        let Some(entrant) = entrant else { return Ok(Player::Person) };
        let own = visible_files.next();
        let (confinement, board_file) = confine(containment.as_ref(), own.as_ref(), game, terms, board_file);
        let arguments = entrant.protocol.arguments(game, seat, &board_file, terms.debug_bots);
        let launch = entrant.launch(arguments, environment.clone(), confinement);
        let guest = Guest::invite(launch, terms).context("the referee is in trouble")?;
        Ok(Player::Program(Some(Box::new(guest))))
    };
    (0..).map(Seat).zip(entrants).map(&mut player).collect()
}

impl Player {
    /// The line that is played, which `try_line` allows: what a person types, or what a program prints, which is shown as if
    /// it had been typed. A person is asked with `prompt` until it is one; for a program that cannot go on there is none.
    pub fn choose<R: BufRead>(
        &mut self,
        who: &str,
        prompt: &str,
        lines: &mut Lines<R>,
        mut try_line: impl FnMut(&str) -> Result<(), Refusal>,
    ) -> Result<Option<String>> {
        print(prompt)?;
        let Player::Program(guest) = self else {
            loop {
                let line = lines.line()?;
                if try_line(&line).is_ok() {
                    return Ok(Some(line));
                }
                print(prompt)?;
            }
        };
        let Some(present) = guest else { return Ok(None) };
        let mut chosen = String::new();
        let answer = present.ask(|line| {
            try_line(line)?;
            chosen = line.trim().to_owned();
            Ok(())
        });
        match answer.context("the referee is in trouble")? {
            Ok(()) => Ok(Some(chosen)),
            Err(fault) => {
                say(&format!("{who} {fault}"));
                *guest = None;
                Ok(None)
            }
        }
    }

    /// Tells a program what has happened.
    pub fn tell(&mut self, news: &str) -> Result<()> {
        match self {
            Player::Program(Some(guest)) => guest.tell(news).context("the referee is in trouble"),
            _ => Ok(()),
        }
    }

    /// The game is over for it.
    pub fn dismiss(&mut self) -> Result<()> {
        match self {
            Player::Program(guest) => match guest.take() {
                Some(guest) => guest.dismiss().context("the referee is in trouble"),
                None => Ok(()),
            },
            Player::Person => Ok(()),
        }
    }
}
