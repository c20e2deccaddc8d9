//! A game in short: all that tables and ratings need, without its moves.

use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hasher};

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::fixture::FixtureKey;
use super::game_record::{GameRecord, SeatRecord, one};
use super::identity::Identity;
use super::ply::{BorrowedPly, Ply};
use super::terms::Clock;
use super::verdict::Verdict;
use super::warning::Warning;
use crate::game::{GAMES, Seat};

/// A game in short. It is read from the same lines as a [`GameRecord`], in a tenth of the memory.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Summary {
    /// The version of the format that the line was written in.
    #[serde(default = "one")]
    pub format: u32,
    /// The game played.
    pub game: KnownGame,
    /// Its number in the journal.
    #[serde(alias = "id")]
    pub number: u32,
    /// Its round.
    pub round: u32,
    /// Which of the games of those who meet in this round it was; version 1 of the format does not say so.
    #[serde(default)]
    pub leg: Option<u32>,
    /// How often its fixture had been declared to be played again, from 1.
    #[serde(default = "one")]
    pub generation: u32,
    /// Which attempt it was.
    #[serde(default = "one")]
    pub attempt: u32,
    /// The programs in order of their seats.
    pub seats: Vec<SeatSummary>,
    /// The clock it was played with.
    #[serde(rename = "terms")]
    pub clock: Clock,
    /// Whether the programs exchanged colours.
    pub swapped: bool,
    /// How it ended.
    pub verdict: Verdict,
    /// What is left of the moves.
    pub moves: MoveDigest,
    /// What is left of the warnings.
    #[serde(default)]
    pub warnings: Vec<Warned>,
}

/// The name of a game as the catalogue has it, if it does: very many lines share one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownGame(pub Option<&'static str>);

impl KnownGame {
    /// The game of this name.
    pub fn named(name: &str) -> KnownGame {
        KnownGame(GAMES.iter().map(|rules| rules.name).find(|&known| known == name))
    }
}

impl<'de> Deserialize<'de> for KnownGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KnownGame, D::Error> {
        <Cow<'de, str>>::deserialize(deserializer).map(|name| KnownGame::named(&name))
    }
}

/// What is left of a program that took part.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SeatSummary {
    /// Its name.
    pub bot: String,
    /// Its identity.
    #[serde(default)]
    pub identity: Option<Identity>,
    /// Clock time it used, in nanoseconds.
    pub used_ns: u64,
}

/// That a program was warned; of what is in the [`GameRecord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Warned {
    /// The program's seat.
    pub seat: Seat,
    /// The ply that was being played.
    pub ply: usize,
}

/// The number of moves, and a number that differs whenever the moves differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveDigest {
    /// How many moves there were.
    pub plies: u32,
    /// A hash of their texts.
    pub hash: u64,
}

/// Adds up moves to their digest.
struct Digester {
    plies: u32,
    hasher: DefaultHasher,
}

impl Digester {
    fn new() -> Digester {
        Digester { plies: 0, hasher: DefaultHasher::new() }
    }

    /// Adds the text of a move, or that somebody left.
    fn add(&mut self, text: Option<&str>) {
        self.plies += 1;
        self.hasher.write(text.unwrap_or_default().as_bytes());
        self.hasher.write_u8(b'\n');
    }

    fn finish(self) -> MoveDigest {
        MoveDigest { plies: self.plies, hash: self.hasher.finish() }
    }
}

impl<'de> Deserialize<'de> for MoveDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MoveDigest, D::Error> {
        struct Moves;
        impl<'de> Visitor<'de> for Moves {
            type Value = MoveDigest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of moves")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut moves: A) -> Result<MoveDigest, A::Error> {
                let mut digester = Digester::new();
                while let Some(ply) = moves.next_element()? {
                    digester.add(match ply {
                        BorrowedPly::Move { text, .. } => Some(text),
                        BorrowedPly::Leave => None,
                    });
                }
                Ok(digester.finish())
            }
        }
        deserializer.deserialize_seq(Moves)
    }
}

impl From<&SeatRecord> for SeatSummary {
    fn from(seat: &SeatRecord) -> SeatSummary {
        SeatSummary { bot: seat.bot.clone(), identity: seat.identity, used_ns: seat.used_ns }
    }
}

impl From<&GameRecord> for Summary {
    fn from(record: &GameRecord) -> Summary {
        let mut digester = Digester::new();
        record.plies.iter().map(Ply::text).for_each(|text| digester.add(text));
        Summary {
            format: record.format,
            game: KnownGame::named(&record.game),
            number: record.number,
            round: record.round,
            leg: record.leg,
            generation: record.generation,
            attempt: record.attempt,
            seats: record.seats.iter().map(SeatSummary::from).collect(),
            clock: record.terms.game_clock(),
            swapped: record.swapped,
            verdict: record.verdict.clone(),
            moves: digester.finish(),
            warnings: record.warnings.iter().map(|&Warning { seat, ply, .. }| Warned { seat, ply }).collect(),
        }
    }
}

impl Summary {
    /// What tells its fixture apart; nothing for a line of version 1 whose leg has not been found out.
    pub fn key(&self) -> Option<FixtureKey> {
        let bots = self.seats.iter().map(|seat| seat.bot.as_str().into()).collect();
        Some(FixtureKey { round: self.round, leg: self.leg?, bots })
    }

    /// The name of the program at a seat.
    pub fn bot(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or("nobody", |seat| &seat.bot)
    }
}
