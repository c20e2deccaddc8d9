//! What is kept of a game.

pub mod fixture;
pub mod hexworld;
pub mod journal;
pub mod sgf;
pub mod summary;
pub mod table;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Refusal, Seat, Setup, SetupError, Wishes};
use crate::referee::verdict::{Reason, Verdict};
use crate::referee::wire::printable;
use crate::referee::{LEAVES, PlayedMove, Terms, Warning};

/// A finished game: enough to replay it exactly and to know why it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game in its match or championship, from 1.
    pub id: u32,
    /// The round it belongs to, from 1.
    pub round: u32,
    /// The name of the game played.
    pub game: String,
    /// The size of its board.
    pub size: u8,
    /// The text of its board, if it has one of its own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub board: String,
    /// The programs in order of their seats.
    pub seats: Vec<SeatRecord>,
    /// The conditions of play.
    pub terms: Terms,
    /// The number that the programs were given to seed their dice.
    pub seed: u64,
    /// When it began.
    pub started: jiff::Timestamp,
    /// When it was over and nothing of the programs was left.
    pub ended: jiff::Timestamp,
    /// The first moves that the programs were asked to play.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// Whether the programs exchanged colours.
    pub swapped: bool,
    /// How it ended.
    pub verdict: Verdict,
    /// What was let pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A program that took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRecord {
    /// Its name in the tables.
    pub bot: String,
    /// How it was started, as it was given.
    pub command: String,
    /// Clock time it used, in nanoseconds.
    pub used_ns: u64,
    /// Processor time it used, with all that it started, in nanoseconds.
    #[serde(default)]
    pub cpu_ns: u64,
    /// The most memory that it was seen to use, in bytes.
    #[serde(default)]
    pub peak: u64,
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
    /// The position after the first `plies` moves.
    pub fn position(&self, plies: usize) -> Result<Box<dyn Game>, ReplayError> {
        let wishes = Wishes {
            size: Some(self.size.into()),
            seats: Some(self.seats.len() as u32),
            text: Some(self.board.clone()),
        };
        let mut game = Setup::new(&self.game, wishes)?.start();
        for (index, PlayedMove(text, _)) in self.moves.iter().take(plies).enumerate() {
            if text == LEAVES && game.seats() > 2 {
                game.withdraw();
                continue;
            }
            game.play(text).map_err(|refusal| ReplayError::Move {
                ply: index + 1,
                text: text.clone(),
                refusal,
            })?;
        }
        Ok(game)
    }

    /// Plays the whole game again and compares its end with the record.
    pub fn verify(&self) -> Result<(), ReplayError> {
        let game = self.position(self.moves.len())?;
        let by_rules = game.outcome().map(Verdict::by_rules);
        let agrees = match (&by_rules, self.verdict.reason) {
            (Some(verdict), Reason::Rules(_)) => {
                Verdict { faults: self.verdict.faults.clone(), ..verdict.clone() } == self.verdict
            }
            (None, reason) => !matches!(reason, Reason::Rules(_)),
            (Some(_), _) => false,
        };
        if agrees && game.swapped() == self.swapped {
            return Ok(());
        }
        let told = |verdict: &Verdict| format!("'{}: {}'", self.result_in(verdict), verdict.sentence);
        let played = by_rules.as_ref().map_or("a game that goes on".to_owned(), told);
        Err(ReplayError::Verdict { played, recorded: told(&self.verdict) })
    }

    /// The same record with all words of its file made harmless for a terminal.
    pub fn printable(mut self) -> GameRecord {
        let clean = |text: &mut String| *text = printable(text.as_bytes(), 1000);
        self.seats.iter_mut().for_each(|seat| clean(&mut seat.bot));
        self.moves.iter_mut().for_each(|PlayedMove(text, _)| clean(text));
        self.warnings.iter_mut().for_each(|warning| clean(&mut warning.text));
        clean(&mut self.game);
        clean(&mut self.verdict.sentence);
        self.verdict.faults.iter_mut().for_each(|fault| clean(&mut fault.sentence));
        self
    }

    /// The programs, each with the first of the arguments that it was started with, which is its side.
    pub fn players(&self) -> String {
        let game = self.position(0).ok();
        let side = |seat| game.as_ref().and_then(|game| game.arguments(seat, "").into_iter().next());
        let player = |(seat, record): (Seat, &SeatRecord)| match side(seat) {
            Some(side) => format!("{} ({side})", record.bot),
            None => record.bot.clone(),
        };
        (0..).map(Seat).zip(&self.seats).map(player).collect::<Vec<_>>().join(" – ")
    }

    /// Who won; where more than two played, also who came after.
    pub fn result(&self) -> String {
        self.result_in(&self.verdict)
    }

    fn result_in(&self, verdict: &Verdict) -> String {
        let winner = verdict.winner.map_or("nobody", |winner| self.bot(winner));
        let mut places: Vec<(u8, &str)> =
            verdict.places.iter().zip(&self.seats).map(|(&place, seat)| (place, seat.bot.as_str())).collect();
        places.sort_by_key(|&(place, _)| place);
        let places: Vec<String> = places.iter().map(|(place, bot)| format!("{place}. {bot}")).collect();
        let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
        format!("{winner} wins{places}")
    }

    /// The name of the program at a seat.
    pub fn bot(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or("nobody", |seat| &seat.bot)
    }
}
