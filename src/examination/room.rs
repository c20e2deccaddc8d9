//! What all experiments with a bot have in common: the bot, the game, the terms, and how it is started.

use std::cell::{Cell, RefCell};
use std::io;
use std::time::Duration;

use super::conversation::Conversation;
use super::language::Language;
use crate::championship::bot_environment::Draw;
use crate::championship::entrant::Entrant;
use crate::championship::seating::Seating;
use crate::contain::keeper::Keeper;
use crate::contain::spec::Output;
use crate::contain::visible_files::VisibleFiles;
use crate::game::{Game, Seat, Setup};
use crate::record::Terms;
use crate::referee::Sitter;
use crate::referee::interrupt::Interrupt;

/// The room in which a bot is examined.
pub struct Room<'a> {
    /// The bot.
    pub bot: &'a Entrant,
    /// The language that it is written in, if that is known.
    pub language: Option<Language>,
    /// The game, its terms, and how programs are contained.
    pub seating: Seating<'a>,
    /// What the bot sees of the machine, where it is contained.
    pub visible_files: Option<VisibleFiles>,
    /// The players of whole games: the bot, and those that it plays against.
    pub roster: &'a [Entrant],
    /// Seeds everything that is drawn by lot.
    pub seed: u64,
    /// Whether whole games are left out.
    pub is_quick: bool,
    /// How many games are played at a time.
    pub jobs: usize,
    /// Ends it all early.
    pub interrupt: &'a Interrupt,
    /// Told what is going on.
    pub tell: &'a (dyn Fn(&str) + Sync),
    /// How long the bot took to come up and make its first move, once that is known.
    pub came_up: Cell<Duration>,
    /// Another board, with walls, and the file that it is in, where a game has such boards.
    pub walls: Option<(Setup, String)>,
    /// Keepers that can be used again.
    pub keepers: RefCell<Vec<Keeper>>,
}

/// How a bot is started for one experiment.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// Where the file of its board is, if it has one.
    pub board_file: &'a str,
    /// Where the bot sits.
    pub seat: Seat,
    /// What its stdout is.
    pub output: Output,
    /// Whether it is asked to show the board.
    pub debug: bool,
}

impl<'a> Room<'a> {
    /// The game that is examined.
    pub fn setup(&self) -> &'a Setup {
        self.seating.setup
    }

    /// The conditions of play.
    pub fn terms(&self) -> &'a Terms {
        self.seating.terms
    }

    /// The usual start at a seat.
    pub fn start(&self, seat: usize) -> Start<'a> {
        let Seating { setup, board_file, terms, .. } = self.seating;
        Start { setup, board_file, seat: Seat(seat as u8), output: terms.output, debug: false }
    }

    /// Starts the bot. The first line of the conversation is the command.
    pub fn converse(&self, start: Start, game: &dyn Game) -> io::Result<Conversation<'a>> {
        let terms = Terms { output: start.output, debug_bots: start.debug, ..self.terms().clone() };
        let seating =
            Seating { setup: start.setup, board_file: start.board_file, terms: &terms, ..self.seating };
        let draw = Draw { seed: self.seed, opening: None };
        let sitter = seating.seat(self.bot, self.visible_files.as_ref(), game, start.seat, draw, None);
        let Sitter::Program(seat) = sitter else { return Err(io::Error::other("a bot is no program")) };
        let keeper = self.keepers.borrow_mut().pop().map_or_else(Keeper::spawn, Ok)?;
        let mut conversation = Conversation::begin(keeper, seat.launch, start.output, self.interrupt)?;
        conversation.note(&format!("$ {}", self.command(start, game)));
        Ok(conversation)
    }

    /// The command by which somebody starts the bot by hand as it is started here.
    pub fn command(&self, start: Start, game: &dyn Game) -> String {
        let arguments = self.bot.protocol.arguments(game, start.seat, "board.txt", start.debug);
        let command = self.bot.command.as_str();
        [vec![command.to_owned()], arguments].concat().join(" ")
    }

    /// Ends a conversation, and keeps its keeper for the next.
    pub fn dismiss(&self, conversation: Conversation<'_>) -> io::Result<super::conversation::Ended> {
        let (ended, keeper) = conversation.end()?;
        self.keepers.borrow_mut().extend(keeper);
        Ok(ended)
    }
}
