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
use crate::referee::verdict::Reason;

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
    // Two plies: the program's own first move, or the answer to another's.
    let terms = Terms { ply_limit: Some(2), move_time: Some(move_time), ..runner.terms.clone() };
    let fixture = |id: usize, round, seats: [usize; 2]| Fixture {
        id: id as u32,
        round,
        seats: seats.into(),
        seed: 1,
        opening: 0,
    };
    let pairing =
        |bot: usize| -> Pairing { vec![fixture(bot, 1, [bot, count]), fixture(bot, 2, [count, bot])] };
    let mut failures = BTreeMap::new();
    let runner = Runner { roster: &roster, terms: &terms, openings: &[], ..*runner };
    runner.run::<io::Error>((0..count).map(pairing).collect(), |event| {
        if let Event::Finished(game) = event {
            let record = &game.record;
            let bot = record.id as usize;
            // The two games are told apart by their rounds: the program's own name may be that of the reference.
            let seat = Seat(record.round as u8 - 1);
            let letter = if seat.0 == 0 { 'b' } else { 'p' };
            let lost = match record.verdict.reason {
                Reason::Rules(_) | Reason::Aborted => false,
                _ => record.verdict.winner != Some(seat),
            };
            if lost {
                let sentence = format!("started with '{letter}', {}", record.verdict.sentence);
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
