//! A recorded game, fed once more to one of the programs that played it: they get what they got then, and may answer otherwise.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use super::bot_environment::Draw;
use super::containment::Containment;
use super::entrant::Entrant;
use super::seating::Seating;
use crate::contain::launch::Launch;
use crate::game::{Game, Seat, Setup};
use crate::record::terms::{ClockKind, Trial};
use crate::record::time_control::TimeControl;
use crate::record::{Fault, GameRecord, Loss, ReplayError, Terms};
use crate::referee::interrupt::Interrupt;
use crate::referee::{self, Host, Recorded, Sitter};

/// Longer than anybody sits before a debugger.
const AGES: Duration = Duration::from_secs(1_000_000);

/// A recorded game and one of its programs.
pub struct Rerun<'a> {
    /// The game.
    pub record: &'a GameRecord,
    /// The program's seat.
    pub seat: Seat,
    /// The program that is to sit there now.
    pub entrant: Entrant,
    /// The game that it was, and its board.
    pub setup: Setup,
    /// Where the file of the board is, if it has one.
    pub board_file: String,
    /// How the program is contained, if it is.
    pub containment: Option<Containment>,
    /// After how many plies it is enough.
    pub until: usize,
}

/// What became of it.
pub struct Played {
    /// The game as it went now, with all else as it was.
    pub record: GameRecord,
    /// What the program wrote to stderr.
    pub stderr: Vec<u8>,
}

impl Rerun<'_> {
    /// Plays the game, in which everybody else does what is recorded. With a `debugger`, the program waits for that before anything
    /// is sent, has no clock and never stands still.
    ///
    /// # Errors
    /// For the referee's own troubles.
    pub fn play(&self, debugger: Option<&mut dyn Host>, interrupt: &Interrupt) -> io::Result<Played> {
        let record = self.record;
        let mut game = self.setup.start();
        let is_held = debugger.is_some();
        let program = self.program(&*game, is_held);
        let sitters = self.sitters(program).map_err(io::Error::other)?;
        let terms = if is_held { unhurried(&record.terms) } else { record.terms.clone() };
        let terms = Terms {
            trial: Some(Trial { plies: self.until, is_impatient: false, ends_idle: false }),
            ..terms
        };
        let host = debugger.map(|host| -> &mut dyn Host { host });
        let played = referee::play(game.as_mut(), sitters, host, &mut Vec::new(), &terms, interrupt)?;
        let mut now = GameRecord {
            plies: played.plies,
            swapped: game.swapped(),
            verdict: played.verdict,
            warnings: played.warnings,
            ..record.clone()
        };
        now.verdict.sentence = now.first_sentence();
        let stderr = played.seats.into_iter().nth(self.seat.index()).map(|seat| seat.stderr);
        Ok(Played { record: now, stderr: stderr.unwrap_or_default() })
    }

    /// How the program is started where nothing contains it.
    pub fn launch(&self) -> Option<Launch> {
        match self.program(&*self.setup.start(), false) {
            Sitter::Program(program) => Some(program.launch),
            Sitter::Person | Sitter::Script(_) => None,
        }
    }

    /// All that the program is sent, in a protocol in which that does not depend on what it answers.
    pub fn input(&self) -> Result<String, ReplayError> {
        let (mut text, mut mover) = (String::new(), None);
        let mut tell = |game: &dyn Game| {
            if let Some(mover) = mover.replace(game.turn())
                && !game.is_out(self.seat)
            {
                game.write_news(mover, self.seat, &mut text);
            }
        };
        let last = self.record.walk(self.until, &mut tell)?;
        tell(&*last);
        Ok(text)
    }

    fn program(&self, game: &dyn Game, is_held: bool) -> Sitter {
        let record = self.record;
        let seating = Seating {
            setup: &self.setup,
            board_file: &self.board_file,
            terms: &record.terms,
            containment: self.containment.as_ref(),
        };
        let sees = |containment: &Containment| containment.visible_files(std::slice::from_ref(&self.entrant));
        let visible_files = self.containment.as_ref().map_or_else(Vec::new, sees);
        let draw = Draw {
            seed: record.seat_seed(self.seat).unwrap_or_default(),
            opening: record.opening.as_deref(),
        };
        let mut sitter = seating.seat(&self.entrant, visible_files.first(), game, self.seat, draw, None);
        if let Sitter::Program(program) = &mut sitter {
            program.launch.is_held = is_held;
        }
        sitter
    }

    /// The program at its seat, and the record at all others.
    fn sitters(&self, program: Sitter) -> Result<Vec<Sitter>, ReplayError> {
        let mut program = Some(program);
        let seats = (0..self.record.seats.len() as u8).map(Seat);
        seats
            .map(|seat| match program.take_if(|_| seat == self.seat) {
                Some(program) => Ok(program),
                None => Ok(Sitter::Script(Box::new(Recorded::new(self.record)?))),
            })
            .collect()
    }
}

/// The same terms without a clock that matters, and with nobody standing still.
fn unhurried(terms: &Terms) -> Terms {
    Terms {
        time: TimeControl { base: AGES, increment: Duration::ZERO },
        clock: ClockKind::Wall,
        move_time: None,
        startup: AGES,
        startup_cpu: AGES,
        ponder: true,
        ..terms.clone()
    }
}

/// What a program did on a ply.
#[derive(Clone, Copy, Debug)]
pub enum Deed<'a> {
    /// It made this move.
    Move(&'a str),
    /// It lost, other than on the board.
    Lost(&'a Loss),
}

impl Deed<'_> {
    /// Whether two deeds are the same, but for figures that are never the same twice.
    fn is_like(&self, other: &Deed<'_>) -> bool {
        match (self, other) {
            (Deed::Move(one), Deed::Move(other)) => one == other,
            (Deed::Lost(one), Deed::Lost(other)) => {
                let is_measured = matches!(
                    one.fault,
                    Fault::Timeout { .. }
                        | Fault::TooMuchOutput { .. }
                        | Fault::TooMuchMemory { .. }
                        | Fault::RanWhileStopped { .. }
                        // A line of an old journal, in its words.
                        | Fault::Told { .. }
                );
                one.reason == other.reason && (is_measured || one.fault == other.fault)
            }
            _ => false,
        }
    }
}

/// What a program did on a ply when it was recorded, and what it does now.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The ply, from 1.
    pub ply: usize,
    /// What it did then; nothing if it did not come to that.
    pub then: Option<Deed<'a>>,
    /// What it does now.
    pub now: Option<Deed<'a>>,
}

impl Comparison<'_> {
    /// Whether that is the same.
    pub fn is_same(&self) -> bool {
        matches!((&self.then, &self.now), (Some(then), Some(now)) if then.is_like(now))
    }
}

/// All that the program at a seat did up to a ply, then and now.
pub fn compare<'a>(
    then: &'a GameRecord,
    now: &'a GameRecord,
    seat: Seat,
    until: usize,
) -> Result<Vec<Comparison<'a>>, ReplayError> {
    let (mut then, mut now) = (deeds(then, seat, until)?, deeds(now, seat, until)?);
    let plies: Vec<usize> =
        then.keys().chain(now.keys().filter(|ply| !then.contains_key(ply))).copied().collect();
    let mut all: Vec<Comparison<'a>> = plies
        .into_iter()
        .map(|ply| Comparison { ply, then: then.remove(&ply), now: now.remove(&ply) })
        .collect();
    all.sort_by_key(|comparison| comparison.ply);
    Ok(all)
}

/// What the program at a seat did, by ply.
fn deeds(record: &GameRecord, seat: Seat, until: usize) -> Result<BTreeMap<usize, Deed<'_>>, ReplayError> {
    let mut movers = Vec::new();
    record.walk(record.plies.len(), |game| movers.push(game.turn()))?;
    let own = (1..).zip(&record.plies).zip(movers).filter(|(_, mover)| *mover == seat);
    let moves = own.filter_map(|((ply, played), _)| Some((ply, Deed::Move(played.text()?))));
    let mut deeds: BTreeMap<usize, Deed<'_>> = moves.collect();
    if let Some(loss) = record.verdict.loss(seat) {
        deeds.insert(loss.ply.unwrap_or(record.plies.len() + 1), Deed::Lost(loss));
    }
    deeds.retain(|ply, _| *ply <= until);
    Ok(deeds)
}
