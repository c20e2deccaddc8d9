//! Seeing whether a program plays at all, before it takes part.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use super::roster::Entrant;
use super::runner::{Event, Runner};
use super::schedule::{Fixture, Pairing};
use crate::game::Seat;
use crate::referee::Terms;

/// The longest that a program may take for its first move here.
const PATIENCE: Duration = Duration::from_secs(10);

/// Has each program make its first move on either side, against the reference engine, and returns what went wrong, by
/// name; `failed` is told at once. The runner's roster is not used.
pub fn test(
    runner: &Runner,
    entrants: &[Entrant],
    mut failed: impl FnMut(&str, &str),
) -> io::Result<BTreeMap<String, String>> {
    let count = entrants.len();
    let mut roster = entrants.to_vec();
    roster.push(Entrant::parse("@random").map_err(io::Error::other)?);
    let move_time = runner.terms.move_time.unwrap_or(PATIENCE).min(PATIENCE);
    // A ply for each seat: the program's own first move, or the answer to others'.
    let seats = usize::from(runner.setup.board().seats);
    let terms = Terms { ply_limit: Some(seats), move_time: Some(move_time), ..runner.terms.clone() };
    let fixture = |bot: usize, seat: usize| {
        let seats = (0..seats).map(|other| if other == seat { bot } else { count }).collect();
        Fixture { id: bot as u32, round: seat as u32, seats, seed: 1, opening: 0 }
    };
    // In the first seat and in the last.
    let pairing = |bot: usize| -> Pairing { vec![fixture(bot, 0), fixture(bot, seats - 1)] };
    let started_with = |bot: &Entrant, seat| {
        let arguments = bot.protocol.arguments(&*runner.setup.start(), seat, runner.board_file, false);
        if arguments.is_empty() { String::new() } else { format!("started with '{}', ", arguments.join(" ")) }
    };
    let mut failures = BTreeMap::new();
    let runner = Runner { roster: &roster, terms: &terms, openings: &[], ..*runner };
    runner.run::<io::Error>((0..count).map(pairing).collect(), |event| {
        if let Event::Finished(game) = event {
            let record = &game.record;
            let bot = record.id as usize;
            // The two games are told apart by their rounds: the program's own name may be that of the reference.
            let seat = Seat(record.round as u8);
            if record.verdict.forfeit(seat).is_some() {
                let how = started_with(&roster[bot], seat);
                let sentence = format!("{how}{}", record.verdict.sentence_of(seat));
                failures.entry(roster[bot].name.clone()).or_insert_with(|| {
                    failed(&roster[bot].name, &sentence);
                    sentence
                });
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(failures)
}
