//! What the page is told of the table.

use axum::body::Bytes;
use serde::Serialize;

use super::table::{Kind, Table};
use crate::game::Seat;
use crate::game::picture::Choice;
use crate::serve::clock::ClockData;
use crate::serve::events::{Snapshot, event};
use crate::view::page::board_data::{BoardData, PlyData};

/// All of it: tables are small, and a page that is told everything each time cannot be wrong.
#[derive(Serialize)]
struct State<'a> {
    board: &'a BoardData,
    plies: &'a [PlyData],
    turn: Seat,
    seat_names: Vec<&'a str>,
    /// The seats of people.
    you: Vec<usize>,
    choices: Vec<ChoiceData<'a>>,
    clock: ClockData,
    used_ms: Vec<u64>,
    turn_ms: u64,
    hint: Option<ChoiceData<'a>>,
    message: Option<&'a str>,
    can_undo: bool,
    can_hint: bool,
    over: Option<OverData<'a>>,
}

#[derive(Serialize)]
struct ChoiceData<'a> {
    text: &'a str,
    spots: &'a [usize],
    word: Option<&'static str>,
}

impl<'a> ChoiceData<'a> {
    fn new(choice: &'a Choice) -> ChoiceData<'a> {
        ChoiceData { text: &choice.text, spots: &choice.spots, word: choice.word }
    }
}

#[derive(Serialize)]
struct OverData<'a> {
    result: &'a str,
    sentence: &'a str,
    winning: Vec<usize>,
}

impl Snapshot for Table {
    fn snapshot(&mut self) -> Bytes {
        let choices = self.choices();
        let people = self.players.iter().enumerate().filter(|(_, player)| player.kind == Kind::Person);
        let over = self.over.as_ref();
        event(
            "state",
            &State {
                board: &self.board,
                plies: &self.plies,
                turn: self.game().turn(),
                seat_names: self.players.iter().map(|player| player.name.as_str()).collect(),
                you: people.map(|(seat, _)| seat).collect(),
                choices: choices.iter().map(ChoiceData::new).collect(),
                clock: ClockData::new(&self.terms),
                used_ms: self.used.iter().map(|used| used.as_millis() as u64).collect(),
                turn_ms: self.turn_began.elapsed().as_millis() as u64,
                hint: self.hint.as_ref().map(ChoiceData::new),
                message: self.message.as_deref(),
                can_undo: self.undo_to().is_some(),
                can_hint: self.can_hint(),
                over: over.map(|over| OverData {
                    result: &over.result,
                    sentence: &over.sentence,
                    winning: self.stepper.winning(),
                }),
            },
        )
    }
}
