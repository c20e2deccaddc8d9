//! The list of all games: what tells each apart.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::game::Seat;
use crate::record::{GameRecord, Reason, Summary, Verdict};

/// What tells a game apart in the page's list of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number.
    pub number: u32,
    /// Its round.
    pub round: u32,
    /// The bots by seat.
    pub bots: Vec<usize>,
    /// The winning seat, or -1.
    pub winner: i8,
    /// The place of each seat.
    pub places: Vec<u8>,
    /// Why it ended.
    pub reason: Reason,
    /// How many plies it had.
    pub plies: u32,
    /// Whether the seats exchanged their sides.
    pub swapped: bool,
    /// Whether it was disturbed.
    pub disturbed: bool,
    /// The seats that lost other than on the board, and why.
    pub losses: Vec<(Seat, Reason)>,
    /// The index of its board.
    pub board: usize,
}

impl Row {
    /// Of a recorded game; `bots` are the indices of the bots by their true names.
    pub fn of(record: &GameRecord, bots: &HashMap<String, usize>) -> Row {
        let names = record.seats.iter().map(|seat| seat.bot.as_str());
        let row = Row::new(&record.verdict, names, bots);
        Row {
            number: record.number,
            round: record.round,
            plies: record.plies.len() as u32,
            swapped: record.swapped,
            ..row
        }
    }

    /// Of a game of which no more is known than tables need.
    pub fn of_summary(game: &Summary, bots: &HashMap<String, usize>) -> Row {
        let row = Row::new(&game.verdict, game.seats.iter().map(|seat| seat.bot.as_str()), bots);
        Row { number: game.number, round: game.round, plies: game.moves.plies, swapped: game.swapped, ..row }
    }

    fn new<'a>(
        verdict: &Verdict,
        names: impl Iterator<Item = &'a str>,
        bots: &HashMap<String, usize>,
    ) -> Row {
        Row {
            number: 0,
            round: 0,
            bots: names.map(|name| bots.get(name).copied().unwrap_or(usize::MAX)).collect(),
            winner: verdict.winner.map_or(-1, |Seat(seat)| seat as i8),
            places: verdict.places.clone(),
            reason: verdict.reason,
            plies: 0,
            swapped: false,
            disturbed: !verdict.counts(),
            losses: verdict.losses.iter().map(|loss| (loss.seat, loss.reason)).collect(),
            board: 0,
        }
    }

    /// The first seat that lost by a fault.
    pub fn fault(&self) -> Option<Seat> {
        self.losses.iter().find(|(_, reason)| reason.is_forfeit()).map(|&(seat, _)| seat)
    }
}

/// The reasons for which games ended, each once.
pub fn reasons(rows: &[Row]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for row in rows {
        if !reasons.contains(&row.reason) {
            reasons.push(row.reason);
        }
    }
    reasons
}

/// The list as the page's script has it: a column for each property. `reasons` are those of [`reasons`].
pub fn index(rows: &[Row], reasons: &[Reason]) -> Value {
    fn column<T: serde::Serialize>(rows: &[Row], value: impl Fn(&Row) -> T) -> Value {
        json!(rows.iter().map(value).collect::<Vec<T>>())
    }
    let reason = |row: &Row| reasons.iter().position(|&reason| reason == row.reason).unwrap_or_default();
    json!({
        "number": column(rows, |row| row.number),
        "round": column(rows, |row| row.round),
        "bots": column(rows, |row| row.bots.clone()),
        "winner": column(rows, |row| row.winner),
        "places": column(rows, |row| row.places.clone()),
        "reason": column(rows, reason),
        "plies": column(rows, |row| row.plies),
        "swapped": column(rows, |row| u8::from(row.swapped)),
        "disturbed": column(rows, |row| u8::from(row.disturbed)),
        "loser_fault": column(rows, |row| row.fault().map_or(-1, |Seat(seat)| seat as i8)),
        "board": column(rows, |row| row.board),
    })
}
