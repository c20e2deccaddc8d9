//! A finished game: enough to replay it exactly and to know why it ended.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fixture::seat_seed;
use super::identity::Identity;
use super::ply::Ply;
use super::reason::Reason;
use super::terms::Terms;
use super::text::{printable, visible};
use super::verdict::Verdict;
use super::warning::Warning;
use crate::contain::spec::Exit;
use crate::game::hex::Diagram;
use crate::game::{BoardOptions, Game, Refusal, Seat, Setup, SetupError};

/// The version of the journal's format that is written; earlier ones are still read. Version 1 had no such field, no legs,
/// generations, attempts and identities, and verdicts of another form. Version 2 had no [`Work`](super::Work) and no games that
/// were disturbed. Version 3 told losses in words and not as [`Fault`](super::Fault) and [`Cause`](super::Cause). Up to version 4, the
/// dice of all seats had the same seed.
pub const FORMAT: u32 = 5;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The version of the format that the record was written in.
    #[serde(default = "one")]
    pub format: u32,
    /// Its number in the journal, from 1: by this people call it.
    #[serde(alias = "id")]
    pub number: u32,
    /// The round it belongs to, from 1.
    pub round: u32,
    /// Which of the games it is that those who meet play in this round, from 1. Version 1 does not say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leg: Option<u32>,
    /// How often its fixture had been declared to be played again by then, from 1.
    #[serde(default = "one")]
    pub generation: u32,
    /// Which attempt at this fixture and generation it was, from 1.
    #[serde(default = "one")]
    pub attempt: u32,
    /// The name of the game played.
    pub game: String,
    /// The size of its board.
    pub size: u8,
    /// The text of its board, if it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The position that it began from, if that was set up. Only files of others have such games; journals do not.
    #[serde(skip)]
    pub diagram: Option<Diagram>,
    /// What somebody has written about the position after so many plies, in a file that is not a journal.
    #[serde(skip)]
    pub comments: BTreeMap<usize, String>,
    /// The players in order of their seats.
    pub seats: Vec<SeatRecord>,
    /// The conditions of play.
    pub terms: Terms,
    /// The seed of the game's dice, from which that of each seat derives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<jiff::Timestamp>,
    /// When it was over and nothing of the programs was left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<jiff::Timestamp>,
    /// How many tasks of the machine ran or wanted to run, on average over a minute, when it began and when it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<[f32; 2]>,
    /// The first moves that the programs were asked to play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// What was played, ply by ply.
    #[serde(rename = "moves")]
    pub plies: Vec<Ply>,
    /// Whether the players exchanged colours.
    pub swapped: bool,
    /// How it ended.
    pub verdict: Verdict,
    /// What was let pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// What a field that is missing means where the first of something is 1.
pub(super) fn one() -> u32 {
    1
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A player that took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRecord {
    /// Its name in the tables.
    pub bot: String,
    /// How it was started, as it was given; nothing for a person.
    pub command: String,
    /// The identity of the program: a hash of all the files it consists of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// Clock time it used, in nanoseconds.
    pub used_ns: u64,
    /// How long it took to come up, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup_ns: Option<u64>,
    /// Processor time that it used while it was not its turn, and that its clock was charged, in nanoseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub out_of_turn_ns: u64,
    /// By how much it was late, which was not held against it since others had the processor, in nanoseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub credited_ns: u64,
    /// Processor time it used, with all that it started, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ns: Option<u64>,
    /// The most memory that it was seen to use, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<u64>,
    /// Files that its program left in its working folder, the first of them; the folder is gone with the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrote: Vec<String>,
    /// How its program ended, where that was by itself and not because the game was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
}

/// Why a record cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The game or its board is unknown.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The rules forbid a recorded move.
    #[error("ply {ply}, '{text}': {refusal}")]
    Move {
        /// The ply, from 1.
        ply: usize,
        /// The move.
        text: String,
        /// Why it cannot be.
        refusal: Refusal,
    },
    /// The moves do not lead to the recorded end.
    #[error("the moves end in {played}, but the record says {recorded}")]
    Verdict {
        /// What the moves lead to.
        played: String,
        /// What is recorded.
        recorded: String,
    },
}

impl GameRecord {
    /// Which game it was, on which board.
    pub fn setup(&self) -> Result<Setup, SetupError> {
        let options = BoardOptions {
            size: Some(self.size.into()),
            seats: Some(self.seats.len() as u32),
            text: self.board.clone(),
        };
        Setup::new(&self.game, options)
    }

    /// The number that the bot at a seat was given to seed its dice.
    pub fn seat_seed(&self, seat: Seat) -> Option<u64> {
        let seed = self.seed?;
        Some(if self.format < 5 { seed } else { seat_seed(seed, seat) })
    }

    /// The game before its first ply.
    pub fn start(&self) -> Result<Box<dyn Game>, ReplayError> {
        let setup = self.setup()?;
        Ok(match &self.diagram {
            Some(diagram) => Box::new(diagram.start(self.size)),
            None => setup.start(),
        })
    }

    /// The position after the first `plies` plies.
    pub fn position(&self, plies: usize) -> Result<Box<dyn Game>, ReplayError> {
        self.walk(plies, |_| {})
    }

    /// Plays so many plies, and shows the position before each.
    pub fn walk(
        &self,
        plies: usize,
        mut before: impl FnMut(&dyn Game),
    ) -> Result<Box<dyn Game>, ReplayError> {
        let mut game = self.start()?;
        for (index, ply) in self.plies.iter().take(plies).enumerate() {
            before(game.as_ref());
            match ply {
                Ply::Leave => game.withdraw(),
                Ply::Move { text, .. } => game.play(text).map_err(|refusal| ReplayError::Move {
                    ply: index + 1,
                    text: text.clone(),
                    refusal,
                })?,
            }
        }
        Ok(game)
    }

    /// How many plies this game and another begin with that are the same.
    pub fn plies_shared_with(&self, other: &GameRecord) -> usize {
        let pairs = self.plies.iter().zip(&other.plies);
        match self.diagram == other.diagram {
            true => pairs.take_while(|(one, other)| one.text() == other.text()).count(),
            false => 0,
        }
    }

    /// Plays the whole game again and compares its end with the record.
    pub fn verify(&self) -> Result<(), ReplayError> {
        let game = self.position(self.plies.len())?;
        let by_rules = game.outcome().map(|outcome| Verdict::by_rules(outcome, self.verdict.losses.clone()));
        let agrees = match &by_rules {
            Some(verdict) => {
                let told = |verdict: &Verdict| (verdict.winner, verdict.places.clone(), verdict.reason);
                told(verdict) == told(&self.verdict)
            }
            None => !matches!(self.verdict.reason, Reason::Rules(_)),
        };
        if agrees && game.swapped() == self.swapped {
            return Ok(());
        }
        let told = |verdict: &Verdict, sentence: &str| format!("'{}: {sentence}'", self.result_in(verdict));
        let by_rules = by_rules.as_ref().map(|verdict| told(verdict, &verdict.sentence));
        let played = by_rules.unwrap_or_else(|| "a game that goes on".to_owned());
        Err(ReplayError::Verdict { played, recorded: told(&self.verdict, &self.sentence()) })
    }

    /// The same record with all words of its file made harmless for a terminal.
    pub fn printable(mut self) -> GameRecord {
        let clean = |text: &mut String| *text = printable(text.as_bytes(), 1000);
        self.seats.iter_mut().for_each(|seat| clean(&mut seat.bot));
        for ply in &mut self.plies {
            if let Ply::Move { text, .. } = ply {
                clean(text);
            }
        }
        self.warnings.iter_mut().for_each(|warning| clean(&mut warning.text));
        self.comments.values_mut().for_each(|text| *text = visible(text.as_bytes()));
        clean(&mut self.game);
        clean(&mut self.verdict.sentence);
        self
    }

    /// The players, each with the first of the arguments that it was started with, which is its side.
    pub fn players(&self) -> String {
        let game = self.start().ok();
        let side = |seat| game.as_ref().and_then(|game| game.arguments(seat, "").into_iter().next());
        let player = |(seat, record): (Seat, &SeatRecord)| match side(seat) {
            Some(side) => format!("{} ({side})", record.bot),
            None => record.bot.clone(),
        };
        (0..).map(Seat).zip(&self.seats).map(player).collect::<Vec<_>>().join(" – ")
    }

    /// Who won; where more than two played, also who came after. If the game does not count, it says so.
    pub fn result(&self) -> String {
        self.result_in(&self.verdict)
    }

    fn result_in(&self, verdict: &Verdict) -> String {
        if !verdict.counts() {
            return "does not count".to_owned();
        }
        let winner = verdict.winner.map_or("nobody", |winner| self.bot(winner));
        if self.seats.len() <= 2 {
            return format!("{winner} wins");
        }
        let mut places: Vec<(u8, &str)> =
            verdict.places.iter().zip(&self.seats).map(|(&place, seat)| (place, seat.bot.as_str())).collect();
        places.sort_by_key(|&(place, _)| place);
        let places: Vec<String> = places.iter().map(|(place, bot)| format!("{place}. {bot}")).collect();
        format!("{winner} wins ({})", places.join(", "))
    }

    /// The name of the player at a seat.
    pub fn bot(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or("nobody", |seat| &seat.bot)
    }
}
