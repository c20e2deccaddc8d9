//! What viewers are told, as it is written in `docs/live.md`.

use std::collections::HashMap;
use std::time::Duration;

use serde::Serialize;

use crate::championship::formats::Format;
use crate::championship::settings::Settings;
use crate::record::Summary;
use crate::record::text::printable;
use crate::score::Standings;
use crate::serve::clock::ClockData;
use crate::view::page::board_data::PlyData;
use crate::view::page::report::MOST_REPLAYS;
use crate::view::page::row::Row;
use crate::view::page::tables::{self, tables_html};

/// More than any sentence has.
const LONGEST_SENTENCE: usize = 1000;

/// How a game ended.
#[derive(Clone, Serialize)]
pub struct GameResult {
    number: u32,
    names: Vec<String>,
    winner: Option<u8>,
    reason: String,
    sentence: String,
    plies: u32,
    /// Whether it is part of the score; otherwise it is played again.
    counts: bool,
}

impl GameResult {
    /// The result of a game.
    pub fn new(game: &Summary) -> GameResult {
        GameResult {
            number: game.number,
            names: game.seats.iter().map(|seat| seat.bot.to_string()).collect(),
            winner: game.verdict.winner.map(|seat| seat.0),
            reason: game.verdict.reason.to_string(),
            sentence: printable(game.verdict.sentence.as_bytes(), LONGEST_SENTENCE),
            plies: game.moves.plies,
            counts: game.verdict.counts(),
        }
    }
}

/// A game that runs.
#[derive(Clone, Serialize)]
pub struct Running {
    /// A number that no other game of this run has.
    pub id: u64,
    /// The bots in order of their seats.
    pub bots: Vec<String>,
    /// Its board, an index into those of the snapshot.
    pub board: usize,
    /// The clock of each bot.
    pub clock: ClockData,
    /// What was played.
    pub plies: Vec<PlyData>,
    /// The time that each seat has used, without the turn that goes on.
    pub used_ms: Vec<f64>,
    /// Whose turn it is.
    pub turn: u8,
    /// How long the turn has gone on.
    pub turn_ms: f64,
}

/// Standings and how far it is.
#[derive(Clone, Serialize)]
pub struct Tables {
    /// The tables, as the report has them.
    pub html: String,
    /// The games that count.
    pub done: usize,
    /// How many there will be in all, as far as that can be known.
    pub total: usize,
    /// Games a minute in this run, if one was played.
    pub rate: Option<f64>,
    /// Seconds that the rest will probably take.
    pub left_s: Option<f64>,
}

/// What the tables are made of.
pub struct Sources<'a> {
    /// The settings of the contest.
    pub settings: &'a Settings,
    /// The games that count.
    pub games: &'a [Summary],
    /// The standings after them.
    pub standings: &'a Standings,
    /// How many games there will be.
    pub scheduled: usize,
}

/// How fast this run is.
#[derive(Clone, Copy, Default)]
pub struct Pace {
    /// Games a minute in this run, if one was played.
    pub a_minute: Option<f64>,
    /// How long the rest will take, if that is known.
    pub left: Option<Duration>,
}

impl Tables {
    /// The tables of a contest.
    pub fn new(sources: &Sources, pace: Pace) -> Tables {
        Tables {
            html: html(sources),
            done: sources.games.len(),
            total: sources.scheduled,
            rate: pace.a_minute,
            left_s: pace.left.map(|left| left.as_secs_f64()),
        }
    }
}

/// Standings and cross table, exactly as the report has them.
fn html(sources: &Sources) -> String {
    let Sources { settings, games, standings, .. } = sources;
    let names: Vec<String> = standings.rows.iter().map(|row| row.bot.clone()).collect();
    let bots: HashMap<String, usize> = names.iter().cloned().zip(0..).collect();
    let mut rows: Vec<Row> = games.iter().map(|game| Row::of_summary(game, &bots)).collect();
    rows.sort_by_key(|row| row.number);
    tables_html(&tables::Tables {
        standings,
        names: &names,
        games: &rows,
        seats: settings.seats.into(),
        byes: settings.format == Format::Swiss,
        has_games: (1..=MOST_REPLAYS).contains(&rows.len()),
        // A projector has room for those who play.
        left_out: &[],
    })
}
