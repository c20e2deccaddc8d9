//! Putting a bot at a seat of a game: how it is started, contained and talked to.

use std::path::Path;

use super::bot_environment::{Draw, environment};
use super::containment::{Containment, confine};
use super::entrant::Entrant;
use crate::contain::launch::Launch;
use crate::contain::visible_files::VisibleFiles;
use crate::game::{Game, Seat, Setup};
use crate::record::Terms;
use crate::referee::{ProgramSeat, Sitter};

/// What all bots of a game have in common.
#[derive(Clone, Copy)]
pub struct Seating<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// Where the file of its board is, if it has one.
    pub board_file: &'a str,
    /// The conditions of play.
    pub terms: &'a Terms,
    /// How bots are contained, if they are.
    pub containment: Option<&'a Containment>,
}

impl Seating<'_> {
    /// The bot at a seat, ready to be started. `visible_files` is what it may see, if it is contained, and `core` its own, if it
    /// has one.
    pub fn seat(
        &self,
        entrant: &Entrant,
        visible_files: Option<&VisibleFiles>,
        game: &dyn Game,
        seat: Seat,
        draw: Draw,
        core: Option<usize>,
    ) -> Sitter {
        let (confinement, board_file) =
            confine(self.containment, visible_files, game, self.terms, self.board_file);
        let arguments = entrant.protocol.arguments(game, seat, &board_file, self.terms.debug_bots);
        let inside = confinement.as_ref().and_then(|cage| cage.visible_files.own_place(cage.tier));
        let own = inside.or(entrant.own.as_deref()).unwrap_or(Path::new("/")).to_owned();
        let environment = environment(self.setup, self.terms, draw);
        Sitter::Program(Box::new(ProgramSeat {
            launch: Launch { core, ..entrant.launch(&own, arguments, environment, confinement) },
            executable: entrant.line.program(),
            dialogue: entrant.protocol.dialogue(self.setup.board(), entrant.commands.clone(), draw.opening),
        }))
    }
}
