//! What a page is told of a game.

use std::collections::HashMap;

use serde::Serialize;

use super::board_data::{PlyData, Stepper};
use super::publication::Publication;
use crate::game::Seat;
use crate::record::terms::ClockKind;
use crate::record::text::{printable, visible};
use crate::record::{Fault, GameRecord, ReplayError, SeatHint, Warning};

/// The longest text of one line that a page shows.
const LONGEST: usize = 4000;
/// As much as a page shows of what a bot wrote to stderr: its beginning and its end.
const LONGEST_STDERR: usize = 8000;

/// A game, as the page's script has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameData {
    /// Its number in the journal.
    pub number: u32,
    /// Its round.
    pub round: u32,
    /// The bots by seat, each by its index.
    pub bots: Vec<usize>,
    /// The winning seat, or -1.
    pub winner: i8,
    /// Who won, in words.
    pub result: String,
    /// Why it ended, by name.
    pub reason: String,
    /// The same in words.
    pub sentence: String,
    /// Whether the seats exchanged their sides.
    pub swapped: bool,
    /// Whether it does not count, since other work on the machine disturbed it.
    pub disturbed: bool,
    /// The index of its board.
    pub board: usize,
    /// The plies.
    pub plies: Vec<PlyData>,
    /// The cells that are part of what won the game.
    pub winning: Vec<usize>,
    /// The move that was refused, if that ended the game or cost somebody its seat.
    pub refused: Option<Refused>,
    /// The clock of each seat.
    pub clock: Option<Clock>,
    /// What is known of each seat.
    pub seats: Vec<SeatData>,
    /// Who lost other than on the board.
    pub losses: Vec<Told>,
    /// What the moves of those who lost show about how they misunderstood the rules, in whole sentences.
    pub hints: Vec<Told>,
    /// What was let pass.
    pub warnings: Vec<Told>,
    /// When it began.
    pub started: Option<String>,
    /// The first moves that the bots were asked to play.
    pub opening: Option<String>,
}

/// A move that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The ply that it would have been, from 1.
    pub ply: Option<usize>,
    /// Who wanted to make it.
    pub seat: Seat,
    /// What it wrote.
    pub text: String,
    /// The cell that it names, if there is one.
    pub cell: Option<usize>,
}

/// A clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clock {
    /// What it begins with, in milliseconds.
    pub base_ms: f64,
    /// What it gains with each move.
    pub increment_ms: f64,
    /// What it measures: `wall` or `cpu`.
    pub kind: &'static str,
}

/// What is known of a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatData {
    /// Clock time that it used, in milliseconds.
    pub used_ms: f64,
    /// Processor time that it used.
    pub cpu_ms: Option<f64>,
    /// How long it took to come up.
    pub startup_ms: Option<f64>,
    /// The most memory that it was seen to use, in bytes.
    pub peak: Option<u64>,
    /// What it wrote to stderr, where that is to be shown.
    pub stderr: Option<String>,
}

/// Something to be said of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The seat.
    pub seat: Seat,
    /// The ply that was being played, from 1, where that is known.
    pub ply: Option<usize>,
    /// What it did, in words that follow its name.
    pub text: String,
}

/// Milliseconds to a tenth.
pub fn milliseconds(ns: u64) -> f64 {
    (ns as f64 / 1e5).round() / 10.0
}

impl GameData {
    /// What is told of a recorded game. `names` are those of the cells of its board, `bots` the indices of the bots by their true
    /// names, and `stderr` is what each seat wrote, where that is to be shown.
    ///
    /// # Errors
    /// If there is no such game or board.
    pub fn of(
        mut record: GameRecord,
        names: &[String],
        bots: &HashMap<String, usize>,
        publication: &Publication,
        stderr: &[Option<Vec<u8>>],
    ) -> Result<GameData, ReplayError> {
        let indices = record.seats.iter().map(|seat| bots.get(&seat.bot).copied().unwrap_or(usize::MAX));
        let indices = indices.collect();
        let commands: Vec<String> = record.seats.iter().map(|seat| seat.command.clone()).collect();
        for seat in &mut record.seats {
            seat.bot = publication.name(&seat.bot);
        }
        let told = |text: &str| publication.text(text, &commands);
        let mut stepper = Stepper::new(record.start()?);
        // A journal that was edited can hold anything: what cannot be played is not shown.
        let plies: Vec<PlyData> =
            record.plies.iter().map_while(|ply| stepper.step(ply).ok()).map(rounded).collect();
        let winning = if plies.len() == record.plies.len() { stepper.winning() } else { Vec::new() };
        let losses = record.verdict.losses.iter();
        let warning = |warning: &Warning| Told {
            seat: warning.seat,
            ply: Some(warning.ply),
            text: told(&printable(warning.to_string().as_bytes(), LONGEST)),
        };
        let hint = |hint: &SeatHint| Told {
            seat: hint.seat,
            ply: None,
            text: told(&printable(record.hint(hint).as_bytes(), LONGEST)),
        };
        let stderr =
            |seat: usize| stderr.get(seat)?.as_deref().map(|bytes| shortened(&told(&visible(bytes))));
        let seats = record.seats.iter().enumerate().map(|(index, seat)| SeatData {
            used_ms: milliseconds(seat.used_ns),
            cpu_ms: seat.cpu_ns.map(milliseconds),
            startup_ms: seat.startup_ns.map(milliseconds),
            peak: seat.peak,
            stderr: stderr(index),
        });
        Ok(GameData {
            number: record.number,
            round: record.round,
            bots: indices,
            winner: record.verdict.winner.map_or(-1, |seat| seat.0 as i8),
            result: record.result(),
            reason: record.verdict.reason.to_string(),
            sentence: told(&record.sentence()),
            swapped: record.swapped,
            disturbed: !record.verdict.counts(),
            board: 0,
            winning,
            refused: refused(&record, names, told),
            clock: Some(clock(&record)),
            seats: seats.collect(),
            losses: losses
                .map(|loss| Told { seat: loss.seat, ply: loss.ply, text: told(&record.what(loss)) })
                .collect(),
            hints: record.verdict.hints.iter().map(hint).collect(),
            warnings: record.warnings.iter().map(warning).collect(),
            started: record.started.map(|time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
            opening: record.opening.as_ref().map(|text| printable(text.as_bytes(), LONGEST)),
            plies,
        })
    }
}

/// Times to a tenth of a millisecond.
fn rounded(ply: PlyData) -> PlyData {
    let tenth = |ms: f64| (ms * 10.0).round() / 10.0;
    PlyData { ms: tenth(ply.ms), cpu_ms: ply.cpu_ms.map(tenth), ..ply }
}

fn clock(record: &GameRecord) -> Clock {
    let time = record.terms.time;
    let kind = match record.terms.clock {
        ClockKind::Wall => "wall",
        ClockKind::Cpu => "cpu",
    };
    let ms = |time: std::time::Duration| milliseconds(time.as_nanos() as u64);
    Clock { base_ms: ms(time.base), increment_ms: ms(time.increment), kind }
}

/// The forbidden move by which somebody lost.
fn refused(record: &GameRecord, names: &[String], told: impl Fn(&str) -> String) -> Option<Refused> {
    record.verdict.losses.iter().find_map(|loss| {
        let Fault::IllegalMove { said, .. } = &loss.fault else { return None };
        let text = printable(said.as_bytes(), LONGEST);
        let words: Vec<&str> = said.split_whitespace().collect();
        let named = |text: &str| names.iter().position(|name| name == text);
        // A move is a cell, or ends on one.
        let cell = named(&words.join(" ")).or_else(|| named(words.last()?));
        Some(Refused { ply: loss.ply, seat: loss.seat, text: told(&text), cell })
    })
}

/// The beginning and the end of a long text.
fn shortened(text: &str) -> String {
    let letters = text.chars().count();
    if letters <= LONGEST_STDERR {
        return text.to_owned();
    }
    let half = LONGEST_STDERR / 2;
    let (head, tail): (String, String) =
        (text.chars().take(half).collect(), text.chars().skip(letters - half).collect());
    format!("{head}\n… {} characters …\n{tail}", letters - 2 * half)
}
