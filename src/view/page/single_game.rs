//! The page of one game, to be sent to somebody.

use jiff::tz::TimeZone;

use super::blocks::Times;
use super::facts::Facts;
use super::pack::{Packing, Recorded};
use super::publication::Publication;
use super::report::Report;
use crate::game;
use crate::record::GameRecord;
use crate::score::Standings;

/// The page. Paths and commands are not told.
pub fn single_game(record: GameRecord) -> String {
    let publication = Publication::default();
    let names: Vec<String> = record.seats.iter().map(|seat| publication.name(&seat.bot)).collect();
    let board = record.start().map(|game| game.board_name());
    let time = format!("{} s a game", record.terms.time);
    let started =
        record.started.map(|time| time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string());
    let facts = Facts {
        title: format!("{}, game {}: {}", game::title(&record.game), record.number, names.join(" – ")),
        parts: board.into_iter().chain([time]).collect(),
        started: started.unwrap_or_default(),
        game: record.game.clone(),
        seats: record.seats.len(),
        done: 1,
        scheduled: 1,
        ..Facts::default()
    };
    let number = record.number;
    let packing = Packing {
        // A program can play against itself: then both seats have the first of its names, which is the same.
        bots: record.seats.iter().enumerate().rev().map(|(index, seat)| (seat.bot.clone(), index)).collect(),
        names: names.clone(),
        publication,
        times: Some(Times::Exact),
    };
    let standings = Standings::default();
    let mut report = Report::new(facts, &standings, &names).of_game(number);
    report.add(packing.pack(vec![Recorded { record, stderr: Vec::new() }]));
    report.html()
}
