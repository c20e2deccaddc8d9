//! Seeing whether a bot plays at all, before it takes part.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use super::entrant::Entrant;
use super::formats::{Fixture, Pairing};
use super::runner::{Event, Runner};
use super::seating::Seating;
use crate::game::Seat;
use crate::record::terms::Trial;
use crate::record::{FixtureKey, Terms};
use crate::referee::explain::words::STILL_AT_IT;

/// How often a test is tried that the referee's own trouble breaks off.
const ATTEMPTS: u32 = 5;

/// The longest that a bot may take for its first move here. One that still computes then has not failed.
const PATIENCE: Duration = Duration::from_secs(5);

/// What came of the test of some bots, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    /// Those that failed.
    pub failures: BTreeMap<String, Failure>,
    /// Those that [made no move](no_move) at some seat. They may only be slow, and have not failed.
    pub slow: BTreeSet<String>,
}

/// How a bot failed its test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What it did at the first seat at which it failed.
    pub sentence: String,
    /// At how many of the seats it failed that were tried.
    pub seats: usize,
    /// What it wrote to stderr there, the first time that it wrote anything.
    pub stderr: Vec<u8>,
}

/// What is said of a bot that was not seen to move.
pub fn no_move() -> String {
    format!("made no move within {} s of the test", PATIENCE.as_secs())
}

/// At how many seats each bot is tested.
pub const SEATS: usize = 2;

/// Has each bot make its first move in the first seat and in the last, against the reference engine, and returns what came of it; of what
/// went wrong, `failed` is told at once, of the first seat. The runner's roster is not used.
pub fn test(runner: &Runner, entrants: &[Entrant], mut failed: impl FnMut(&str, &str)) -> io::Result<Tested> {
    let mut roster = entrants.to_vec();
    let reference = roster.len();
    roster.push(Entrant::parse("@random").map_err(io::Error::other)?);
    let terms = terms(runner.seating.terms, runner.seating.setup.board().seats);
    let seats = usize::from(runner.seating.setup.board().seats);
    let fixture = |bot: usize, seat: usize| {
        let seats: Vec<usize> = (0..seats).map(|other| if other == seat { bot } else { reference }).collect();
        let bots = seats.iter().map(|&bot| roster[bot].name.as_str().into()).collect();
        let key = FixtureKey { round: 1, leg: seat as u32 + 1, bots };
        Fixture { key, seats, opening: None }
    };
    let tried: [usize; SEATS] = [0, seats - 1];
    let pairing = |bot: usize| -> Pairing { tried.map(|seat| fixture(bot, seat)).into() };
    let mut pairings: Vec<Pairing> = (0..reference).map(pairing).collect();
    let mut last = String::new();
    let Tested { mut failures, mut slow } = Tested::default();
    let mut fail = |failures: &mut BTreeMap<String, Failure>, name: &str, sentence: String, stderr: &[u8]| {
        let failure = failures.entry(name.to_owned()).or_insert_with(|| {
            failed(name, &sentence);
            Failure { sentence, seats: 0, stderr: Vec::new() }
        });
        failure.seats += 1;
        if failure.stderr.is_empty() {
            failure.stderr = stderr.to_vec();
        }
    };
    let seating = Seating { terms: &terms, ..runner.seating };
    let runner =
        Runner { roster: &roster, seating, openings: &[], keep_scratch: None, in_progress: None, ..*runner };
    for _ in 0..ATTEMPTS {
        let (mut broken, mut why) = (Vec::new(), String::new());
        let listen = |event: Event| {
            match event {
                Event::Finished(game) => {
                    let tested =
                        game.fixture.seats.iter().position(|&bot| bot != reference).unwrap_or_default();
                    let (bot, seat) = (&roster[game.fixture.seats[tested]], Seat(tested as u8));
                    if let Some(loss) = game.played.verdict.loss(seat).filter(|loss| loss.reason.is_forfeit())
                    {
                        let what = loss.what("its opponent");
                        let sentence = format!("{}it {what}", started_with(&seating, bot, seat));
                        let stderr = game.played.seats.get(tested).map_or(&[][..], |seat| &seat.stderr);
                        fail(&mut failures, &bot.name, sentence, stderr);
                    } else if game.played.verdict.sentence == STILL_AT_IT {
                        slow.insert(bot.name.clone());
                    }
                }
                Event::Broken { fixture, trouble } => {
                    broken.push(vec![fixture]);
                    why = trouble;
                }
                Event::Begun(_) | Event::Warned { .. } | Event::Tick => {}
            }
            Ok::<_, io::Error>(ControlFlow::Continue(()))
        };
        runner.run(std::mem::take(&mut pairings), listen)?;
        if broken.is_empty() || runner.interrupt.requested() {
            return Ok(Tested { failures, slow });
        }
        (pairings, last) = (broken, why);
    }
    // If not even the reference can play against itself, it is the machine; otherwise those who bring the referee into trouble each
    // time are left out.
    let key = FixtureKey { round: 1, leg: 1, bots: vec![roster[reference].name.as_str().into(); seats] };
    let control = vec![vec![Fixture { key, seats: vec![reference; seats], opening: None }]];
    let mut is_machine = false;
    runner.run(control, |event| {
        is_machine |= matches!(event, Event::Broken { .. });
        Ok::<_, io::Error>(ControlFlow::Continue(()))
    })?;
    if is_machine {
        return Err(io::Error::other(last));
    }
    for bot in
        pairings.iter().flatten().filter_map(|fixture| fixture.seats.iter().find(|&&bot| bot != reference))
    {
        let sentence = format!("its test was broken off {ATTEMPTS} times: {last}");
        fail(&mut failures, &roster[*bot].name, sentence, &[]);
    }
    Ok(Tested { failures, slow })
}

/// The terms of a test: a ply for each seat, which is the bot's own first move, or the answer to others'.
fn terms(terms: &Terms, seats: u8) -> Terms {
    let is_impatient = terms.move_time.is_none_or(|time| time > PATIENCE);
    let move_time = if is_impatient { Some(PATIENCE) } else { terms.move_time };
    Terms {
        trial: Some(Trial { plies: seats.into(), is_impatient, ends_idle: false }),
        move_time,
        ..terms.clone()
    }
}

/// With which arguments a bot was started, in words that a sentence follows.
fn started_with(seating: &Seating, bot: &Entrant, seat: Seat) -> String {
    let arguments = bot.protocol.arguments(&*seating.setup.start(), seat, seating.board_file, false);
    if arguments.is_empty() { String::new() } else { format!("started with '{}', ", arguments.join(" ")) }
}
