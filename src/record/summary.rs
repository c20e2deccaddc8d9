//! A game in short: all that tables and ratings need, without its moves.

use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::fixture::FixtureKey;
use super::game_record::{GameRecord, SeatRecord, one};
use super::hexworld::Linked;
use super::identity::Identity;
use super::ply::{BorrowedPly, Ply};
use super::shared::{self, Name};
use super::terms::Clock;
use super::verdict::{Loss, Verdict};
use super::warning::Warning;
use crate::game::{GAMES, Seat, hex};

/// A game in short. It is read from the same lines as a [`GameRecord`], in some 300 bytes: a championship may have a million of them. What
/// many games have in common, they share.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Line")]
pub struct Summary {
    /// The version of the format that the line was written in.
    pub format: u32,
    /// The game played.
    pub game: KnownGame,
    /// Its number in the journal.
    pub number: u32,
    /// Its round.
    pub round: u32,
    /// Which of the games of those who meet in this round it was; version 1 of the format does not say so.
    pub leg: Option<u32>,
    /// How often its fixture had been declared to be played again, from 1.
    pub generation: u32,
    /// Which attempt it was.
    pub attempt: u32,
    /// The programs in order of their seats.
    pub seats: Box<[SeatSummary]>,
    /// The clock it was played with.
    pub clock: Arc<Clock>,
    /// Whether the programs exchanged colours.
    pub swapped: bool,
    /// How it ended: for what, without the causes of losses and hints at them.
    pub verdict: Arc<Verdict>,
    /// What is left of the moves.
    pub moves: MoveDigest,
    /// What is left of the warnings.
    pub warnings: Box<[Warned]>,
    /// When it began.
    pub started: Moment,
    /// How long it took from its beginning until nothing of the programs was left, if that is known.
    pub took: Option<Duration>,
    /// Of a game of Hex, what the link to it shows.
    pub linked: Option<Linked>,
}

/// What is read of a line of the journal.
#[derive(Deserialize)]
struct Line {
    #[serde(default = "one")]
    format: u32,
    game: KnownGame,
    #[serde(default)]
    size: u8,
    #[serde(alias = "id")]
    number: u32,
    round: u32,
    #[serde(default)]
    leg: Option<u32>,
    #[serde(default = "one")]
    generation: u32,
    #[serde(default = "one")]
    attempt: u32,
    seats: Box<[SeatSummary]>,
    #[serde(default)]
    started: Option<jiff::Timestamp>,
    #[serde(default)]
    ended: Option<jiff::Timestamp>,
    #[serde(rename = "terms")]
    clock: Clock,
    swapped: bool,
    verdict: Verdict,
    moves: Moves,
    #[serde(default)]
    warnings: Box<[Warned]>,
}

impl From<Line> for Summary {
    fn from(line: Line) -> Summary {
        let Moves { digest, texts } = line.moves;
        let is_hex = line.game.0 == Some(hex::RULES.name);
        let linked = is_hex.then(|| Linked::to_moves(line.size, texts.lines())).flatten();
        Summary {
            format: line.format,
            game: line.game,
            number: line.number,
            round: line.round,
            leg: line.leg,
            generation: line.generation,
            attempt: line.attempt,
            seats: line.seats,
            clock: shared::clock(line.clock),
            swapped: line.swapped,
            verdict: shared::verdict(in_short(line.verdict)),
            moves: digest,
            warnings: line.warnings,
            started: Moment::from(line.started),
            took: took(line.started, line.ended),
            linked,
        }
    }
}

/// A verdict without what tables do not tell.
fn in_short(verdict: Verdict) -> Verdict {
    let losses = verdict.losses.into_iter().map(|loss| Loss { causes: Vec::new(), work: None, ..loss });
    Verdict { losses: losses.collect(), hints: Vec::new(), ..verdict }
}

/// The time between two moments, if both are known and in order.
fn took(started: Option<jiff::Timestamp>, ended: Option<jiff::Timestamp>) -> Option<Duration> {
    ended?.duration_since(started?).try_into().ok()
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

/// A moment, to the nanosecond. One that is not known comes after all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

impl Moment {
    /// A moment that is not known.
    pub const UNKNOWN: Moment = Moment(i64::MAX);
}

impl From<Option<jiff::Timestamp>> for Moment {
    fn from(time: Option<jiff::Timestamp>) -> Moment {
        let known = |time: jiff::Timestamp| {
            // No game is of another time than the years 1677 to 2262, whatever a journal says.
            let nanoseconds = time.as_nanosecond().clamp(i64::MIN.into(), (i64::MAX - 1).into());
            Moment(nanoseconds as i64)
        };
        time.map_or(Moment::UNKNOWN, known)
    }
}

/// An amount of nanoseconds, of which one is no larger where it may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "u64")]
pub struct Nanoseconds(NonZeroU64);

impl From<u64> for Nanoseconds {
    fn from(ns: u64) -> Nanoseconds {
        // What is kept is the complement, which is nothing only of five centuries: they last a nanosecond less.
        Nanoseconds(NonZeroU64::new(!ns).unwrap_or(NonZeroU64::MIN))
    }
}

impl Nanoseconds {
    /// How many.
    pub fn get(self) -> u64 {
        !self.0.get()
    }
}

/// What is left of a program that took part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct SeatSummary {
    /// Its name.
    pub bot: Name,
    /// Its identity.
    #[serde(default, deserialize_with = "shared_identity")]
    pub identity: Option<Arc<Identity>>,
    /// Clock time it used, in nanoseconds.
    pub used_ns: u64,
    /// How long it took to come up, if that is known.
    #[serde(default, rename = "startup_ns")]
    pub startup: Option<Nanoseconds>,
    /// Processor time it used, if that is known.
    #[serde(default, rename = "cpu_ns")]
    pub cpu: Option<Nanoseconds>,
}

fn shared_identity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arc<Identity>>, D::Error> {
    Ok(Option::deserialize(deserializer)?.map(shared::identity))
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

/// The moves of a line, as long as it is read.
struct Moves {
    digest: MoveDigest,
    /// One a line. Games in which somebody can leave have no links.
    texts: String,
}

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moves, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Moves;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of moves")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut moves: A) -> Result<Moves, A::Error> {
                let (mut digester, mut texts) = (Digester::new(), String::new());
                while let Some(ply) = moves.next_element()? {
                    let text = match ply {
                        BorrowedPly::Move { text, .. } => Some(text),
                        BorrowedPly::Leave => None,
                    };
                    digester.add(text);
                    texts.extend(text.into_iter().flat_map(|text| [text, "\n"]));
                }
                Ok(Moves { digest: digester.finish(), texts })
            }
        }
        deserializer.deserialize_seq(Reader)
    }
}

impl From<&SeatRecord> for SeatSummary {
    fn from(seat: &SeatRecord) -> SeatSummary {
        SeatSummary {
            bot: Name::from(seat.bot.as_str()),
            identity: seat.identity.map(shared::identity),
            used_ns: seat.used_ns,
            startup: seat.startup_ns.map(Nanoseconds::from),
            cpu: seat.cpu_ns.map(Nanoseconds::from),
        }
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
            clock: shared::clock(record.terms.game_clock()),
            swapped: record.swapped,
            verdict: shared::verdict(in_short(record.verdict.clone())),
            moves: digester.finish(),
            warnings: record.warnings.iter().map(|&Warning { seat, ply, .. }| Warned { seat, ply }).collect(),
            started: Moment::from(record.started),
            took: took(record.started, record.ended),
            linked: Linked::of(record),
        }
    }
}

impl Summary {
    /// What tells its fixture apart; nothing for a line of version 1 whose leg has not been found out.
    pub fn key(&self) -> Option<FixtureKey> {
        let bots = self.seats.iter().map(|seat| Arc::from(&seat.bot)).collect();
        Some(FixtureKey { round: self.round, leg: self.leg?, bots })
    }

    /// What is smaller in the line that counts, of two that could: the attempt, and of attempts of one number, such as those of several
    /// machines, when it began.
    pub fn earliness(&self) -> (u32, Moment) {
        (self.attempt, self.started)
    }

    /// The name of the program at a seat.
    pub fn bot(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or("nobody", |seat| &seat.bot)
    }
}
