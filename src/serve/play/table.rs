//! The game on the table, and what those who play it can do at this moment.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::game::picture::Choice;
use crate::game::{Game, Seat, Setup};
use crate::record::text::printable;
use crate::record::{GameRecord, Loss, Ply, Terms, Warning};
use crate::referee::Answer;
use crate::view::page::board_data::{BoardData, PlyData, Stepper};

/// More than anybody is told at a time.
const LONGEST_MESSAGE: usize = 600;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Somebody at the screen.
    Person,
    /// A reference engine, which can be told the moves so far.
    BuiltIn,
    /// Another program.
    Program,
}

/// A player at a seat.
#[derive(Clone, Debug)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// How a game ended, for people.
#[derive(Clone, Debug)]
pub struct Over {
    /// Who won.
    pub result: String,
    /// Why.
    pub sentence: String,
}

/// Why something cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Objection {
    /// Not at this moment.
    #[error("{0}")]
    NotNow(&'static str),
    /// The rules forbid it.
    #[error("{0}")]
    Move(String),
}

/// The game on the table.
pub struct Table {
    pub(super) players: Vec<Player>,
    pub(super) board: BoardData,
    pub(super) stepper: Stepper,
    pub(super) plies: Vec<PlyData>,
    pub(super) used: Vec<Duration>,
    pub(super) turn_began: Instant,
    pub(super) terms: Terms,
    pub(super) message: Option<String>,
    pub(super) hint: Option<Choice>,
    pub(super) over: Option<Over>,
    has_engine: bool,
    is_thinking_of_hint: bool,
    /// Moves of people in a game that is begun again.
    script: VecDeque<String>,
    /// What people have answered.
    answers: VecDeque<Answer>,
    /// Whether a move is on its way to the referee.
    is_move_underway: bool,
    /// Raised with every change.
    version: u64,
}

impl Table {
    /// An empty table.
    pub fn new(setup: &Setup, terms: Terms, has_engine: bool) -> Table {
        let stepper = Stepper::new(setup.start());
        Table {
            players: Vec::new(),
            board: stepper.board(),
            plies: Vec::new(),
            used: vec![Duration::ZERO; stepper.game().seats()],
            stepper,
            turn_began: Instant::now(),
            terms,
            message: None,
            hint: None,
            over: None,
            has_engine,
            is_thinking_of_hint: false,
            script: VecDeque::new(),
            answers: VecDeque::new(),
            is_move_underway: false,
            version: 0,
        }
    }

    /// A game begins. People's first moves come from `script`.
    pub fn begin(&mut self, setup: &Setup, players: Vec<Player>, script: VecDeque<String>) {
        let table = Table::new(setup, self.terms.clone(), self.has_engine);
        *self = Table { players, script, version: self.version + 1, ..table };
    }

    /// A number that is another one after every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The position.
    pub fn game(&self) -> &dyn Game {
        self.stepper.game()
    }

    /// The players in order of their seats.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// What was played.
    pub fn plies(&self) -> &[PlyData] {
        &self.plies
    }

    /// What there is to tell people.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// What the reference would play, if somebody has asked.
    pub fn hint(&self) -> Option<&Choice> {
        self.hint.as_ref()
    }

    /// How the game ended, if it did.
    pub fn over(&self) -> Option<&Over> {
        self.over.as_ref()
    }

    /// The time that a seat has used, its turn included if that goes on.
    pub fn used(&self, seat: Seat) -> Duration {
        let is_on = self.over.is_none() && self.game().turn() == seat;
        self.used[seat.index()] + if is_on { self.turn_began.elapsed() } else { Duration::ZERO }
    }

    /// What is left of a program's time.
    pub fn left(&self, seat: Seat) -> Option<Duration> {
        let moves = self.plies.iter().filter(|ply| ply.seat == seat && ply.text.is_some()).count();
        let all = self.terms.time.base + self.terms.time.increment * moves as u32;
        (self.kind(seat)? != Kind::Person).then(|| all.saturating_sub(self.used(seat)))
    }

    fn kind(&self, seat: Seat) -> Option<Kind> {
        self.players.get(seat.index()).map(|player| player.kind)
    }

    /// Whether a person is to move now.
    pub fn is_persons_turn(&self) -> bool {
        let is_on = self.over.is_none() && self.script.is_empty() && !self.is_move_underway;
        is_on && self.kind(self.game().turn()) == Some(Kind::Person)
    }

    /// What the person whose turn it is can play; nothing otherwise.
    pub fn choices(&self) -> Vec<Choice> {
        if self.is_persons_turn() { self.game().choices() } else { Vec::new() }
    }

    /// With how many plies the game would be begun again if somebody took back a move; nothing if that cannot be.
    pub fn undo_to(&self) -> Option<usize> {
        let can = self.over.is_none()
            && self.script.is_empty()
            && self.players.iter().all(|player| player.kind != Kind::Program)
            && self.plies.iter().all(|ply| ply.text.is_some());
        let of_person = |ply: &PlyData| self.kind(ply.seat) == Some(Kind::Person);
        self.plies.iter().rposition(of_person).filter(|_| can)
    }

    /// Whether a hint can be asked for.
    pub fn can_hint(&self) -> bool {
        self.has_engine && !self.is_thinking_of_hint && self.hint.is_none() && self.is_persons_turn()
    }

    /// The first plies, each with its seat, as they are begun again with.
    pub fn beginning(&self, plies: usize) -> Vec<(Seat, String)> {
        let texts = self.plies.iter().take(plies).map_while(|ply| Some((ply.seat, ply.text.clone()?)));
        texts.collect()
    }

    /// A person plays a move.
    pub fn play(&mut self, text: &str) -> Result<(), Objection> {
        if self.over.is_some() {
            return Err(Objection::NotNow("the game is over"));
        }
        if !self.is_persons_turn() {
            return Err(Objection::NotNow("it is not your turn"));
        }
        let refused = |refusal: crate::game::Refusal| Objection::Move(refusal.to_string());
        self.game().check(text).map_err(refused)?;
        self.answers.push_back(Answer::Line(text.to_owned()));
        (self.is_move_underway, self.message) = (true, None);
        self.version += 1;
        Ok(())
    }

    /// A person gives up: the one whose turn it is, or will be next.
    pub fn resign(&mut self) -> Result<(), Objection> {
        let has_people = self.players.iter().any(|player| player.kind == Kind::Person);
        if self.over.is_some() || !has_people {
            return Err(Objection::NotNow("there is nothing to give up"));
        }
        if !self.answers.contains(&Answer::Resign) {
            self.answers.push_back(Answer::Resign);
        }
        if !self.is_persons_turn() {
            self.say("You give up as soon as it is your turn.");
        }
        Ok(())
    }

    /// A hint is being thought of, or no more.
    pub fn think_of_hint(&mut self, is_thinking: bool) {
        self.is_thinking_of_hint = is_thinking;
        self.version += 1;
    }

    /// This is what the reference would play after so many plies; nothing if it does not know.
    pub fn take_hint(&mut self, plies: usize, text: Option<&str>) {
        if self.plies.len() != plies || self.over.is_some() {
            return;
        }
        let is_it = |choice: &Choice| Some(choice.text.as_str()) == text;
        self.hint = self.game().choices().into_iter().find(is_it);
        match &self.hint {
            None => self.say("There is no hint."),
            Some(Choice { word: Some(word), .. }) => self.say(&format!("hint: {word}")),
            Some(Choice { text, .. }) => self.say(&format!("hint: {text}")),
        }
    }

    /// Tells people something.
    pub fn say(&mut self, text: &str) {
        self.message = Some(printable(text.as_bytes(), LONGEST_MESSAGE));
        self.version += 1;
    }

    /// What people have answered, or what is played again of what they have.
    pub(super) fn answer(&mut self) -> Option<Answer> {
        self.script.pop_front().map(Answer::Line).or_else(|| self.answers.pop_front())
    }

    /// A seat has made this ply.
    pub(super) fn played(&mut self, seat: Seat, ply: &Ply) {
        // Who leaves a game of two has lost it, and nothing is played.
        if ply.text().is_none() && self.players.len() == 2 {
            return;
        }
        // The referee has played it by the same rules.
        self.plies.extend(self.stepper.step(ply));
        self.used[seat.index()] += ply.taken();
        self.turn_began = Instant::now();
        (self.hint, self.message, self.is_move_underway) = (None, None, false);
        self.version += 1;
    }

    /// What a person has answered cannot be played.
    pub(super) fn refused(&mut self, line: &str, why: &str) {
        self.is_move_underway = false;
        self.say(&format!("'{line}': {why}"));
    }

    /// A program has done something that is let pass.
    pub(super) fn warned(&mut self, warning: &Warning) {
        let text = format!("{}: {warning}", self.name(warning.seat));
        self.say(&text);
    }

    /// Somebody has lost a game that goes on.
    pub(super) fn lost(&mut self, loss: &Loss) {
        if self.players.len() > 2 {
            let text = format!("{} {}", self.name(loss.seat), loss.what("another player"));
            self.say(&text);
        }
    }

    /// The name of the player at a seat.
    pub fn name(&self, seat: Seat) -> &str {
        self.players.get(seat.index()).map_or("nobody", |player| &player.name)
    }

    /// The game has ended, and is kept.
    pub fn end(&mut self, record: &GameRecord) {
        let sentence = printable(record.verdict.sentence.as_bytes(), LONGEST_MESSAGE);
        self.over = Some(Over { result: record.result(), sentence });
        (self.hint, self.message) = (None, None);
        self.version += 1;
    }
}
