//! What viewers see at this moment, and the events that tell what changes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use serde::Serialize;

use super::data::{GameResult, Running, Tables};
use crate::championship::contest::Contest;
use crate::championship::in_progress::RunningGame;
use crate::game::Setup;
use crate::record::{FixtureKey, Ply};
use crate::serve::clock::ClockData;
use crate::serve::events::{Snapshot, event};
use crate::view::page::board_data::{BoardData, Stepper};

/// How many of the last results somebody is told who comes in.
const LAST_RESULTS: usize = 100;

/// What the thread that keeps the journal tells.
pub enum Told {
    /// A game has ended; without a result, it was broken off and is played again.
    Ended(FixtureKey, Option<GameResult>),
    /// The tables have changed.
    Tables(Tables),
}

/// What viewers see.
pub struct Screen {
    title: String,
    setup: Option<Setup>,
    game: String,
    boards: Vec<BoardData>,
    bots: Vec<String>,
    clock: ClockData,
    tables: Tables,
    results: VecDeque<GameResult>,
    games: BTreeMap<u64, Watched>,
    /// Whether no more games are played.
    is_finished: bool,
    report: Option<&'static str>,
    /// The events for somebody who comes in, until the next look at the games.
    snapshot: Option<Bytes>,
}

/// A game that runs, and the board on which it is followed.
struct Watched {
    game: Arc<RunningGame>,
    stepper: Stepper,
    shown: Running,
}

/// All that somebody needs who comes in.
#[derive(Serialize)]
struct SnapshotData<'a> {
    title: &'a str,
    game: &'a str,
    boards: &'a [BoardData],
    bots: &'a [String],
    done: usize,
    total: usize,
    rate: Option<f64>,
    left_s: Option<f64>,
    complete: bool,
    finished: bool,
    standings_html: &'a str,
    results: &'a VecDeque<GameResult>,
    games: Vec<&'a Running>,
}

/// A game begins.
#[derive(Serialize)]
struct Begin<'a> {
    id: u64,
    bots: &'a [String],
    board: usize,
    clock: ClockData,
}

/// What was played since viewers were last told.
#[derive(Serialize)]
struct Plies<'a> {
    id: u64,
    from: usize,
    plies: &'a [crate::view::page::board_data::PlyData],
    used_ms: &'a [f64],
    turn: u8,
    turn_ms: f64,
}

/// A game has ended.
#[derive(Serialize)]
struct End<'a> {
    id: Option<u64>,
    result: Option<&'a GameResult>,
}

/// It is over.
#[derive(Serialize)]
struct Finished<'a> {
    complete: bool,
    /// Where the report is, if that is served now.
    report: Option<&'static str>,
    #[serde(flatten)]
    tables: &'a Tables,
}

impl Screen {
    /// What viewers see of a contest before its first game.
    pub fn new(title: &str, contest: &Contest, tables: Tables) -> Screen {
        let (settings, games) = (contest.settings(), contest.games());
        let setup = settings.setup().ok();
        let last = &games[games.len().saturating_sub(LAST_RESULTS)..];
        Screen {
            title: title.to_owned(),
            boards: setup.iter().map(|setup| Stepper::new(setup.start()).board()).collect(),
            setup,
            game: settings.game.clone(),
            bots: settings.bots.iter().map(|bot| bot.name.clone()).collect(),
            clock: ClockData::new(&settings.terms),
            tables,
            results: last.iter().map(GameResult::new).collect(),
            games: BTreeMap::new(),
            is_finished: false,
            report: None,
            snapshot: None,
        }
    }

    /// Takes in what has happened.
    pub fn hear(&mut self, told: Vec<Told>, events: &mut Vec<Bytes>) {
        for told in told {
            self.snapshot = None;
            match told {
                Told::Ended(key, result) => self.end(&key, result, events),
                Told::Tables(tables) => {
                    events.push(event("tables", &tables));
                    self.tables = tables;
                }
            }
        }
    }

    /// A game has ended. It may have been too short to be seen.
    fn end(&mut self, key: &FixtureKey, result: Option<GameResult>, events: &mut Vec<Bytes>) {
        let seen = self.games.iter().find(|(_, watched)| watched.game.fixture.key == *key).map(|(&id, _)| id);
        if let Some(mut watched) = seen.and_then(|id| self.games.remove(&id)) {
            events.extend(watched.catch_up());
        }
        events.push(event("end", &End { id: seen, result: result.as_ref() }));
        self.results.extend(result);
        let too_many = self.results.len().saturating_sub(LAST_RESULTS);
        self.results.drain(..too_many);
    }

    /// Looks at the games that run.
    pub fn look(&mut self, games: &[Arc<RunningGame>], events: &mut Vec<Bytes>) {
        let Some(setup) = self.setup.as_ref().filter(|_| !self.is_finished) else { return };
        let before = events.len();
        // The time of a turn is another now.
        self.snapshot.take_if(|_| !self.games.is_empty());
        for game in games {
            let watched = self.games.entry(game.id).or_insert_with(|| {
                let watched = Watched::new(game.clone(), setup, self.clock);
                let Running { id, bots, board, clock, .. } = &watched.shown;
                events.push(event("begin", &Begin { id: *id, bots, board: *board, clock: *clock }));
                watched
            });
            events.extend(watched.catch_up());
        }
        if events.len() > before {
            self.snapshot = None;
        }
    }

    /// No more games are played.
    pub fn finish(&mut self, tables: Tables, report: Option<&'static str>, events: &mut Vec<Bytes>) {
        (self.tables, self.report) = (tables, report);
        (self.is_finished, self.snapshot) = (true, None);
        self.games.clear();
        events.push(self.last_event());
    }

    fn is_complete(&self) -> bool {
        self.is_finished && self.tables.done >= self.tables.total
    }

    fn last_event(&self) -> Bytes {
        let (complete, report) = (self.is_complete(), self.report);
        event("finished", &Finished { complete, report, tables: &self.tables })
    }
}

impl Snapshot for Screen {
    fn snapshot(&mut self) -> Bytes {
        if let Some(snapshot) = &self.snapshot {
            return snapshot.clone();
        }
        self.games.values_mut().for_each(Watched::update_turn);
        let Tables { html, done, total, rate, left_s } = &self.tables;
        let data = SnapshotData {
            title: &self.title,
            game: &self.game,
            boards: &self.boards,
            bots: &self.bots,
            done: *done,
            total: *total,
            rate: *rate,
            left_s: *left_s,
            complete: self.is_complete(),
            finished: self.is_finished,
            standings_html: html,
            results: &self.results,
            games: self.games.values().map(|watched| &watched.shown).collect(),
        };
        let mut events = event("snapshot", &data).to_vec();
        if self.is_finished {
            events.extend(self.last_event());
        }
        let events = Bytes::from(events);
        // Those who come in until the next look share it.
        self.snapshot = Some(events.clone());
        events
    }
}

impl Watched {
    fn new(game: Arc<RunningGame>, setup: &Setup, clock: ClockData) -> Watched {
        let stepper = Stepper::new(setup.start());
        let bots: Vec<String> = game.fixture.key.bots.iter().map(|bot| bot.to_string()).collect();
        let (used_ms, turn) = (vec![0.0; bots.len()], stepper.game().turn().0);
        let shown =
            Running { id: game.id, bots, board: 0, clock, plies: Vec::new(), used_ms, turn, turn_ms: 0.0 };
        Watched { game, stepper, shown }
    }

    fn update_turn(&mut self) {
        self.shown.turn_ms = self.game.look(|progress| milliseconds(progress.turn_began.elapsed()));
    }

    /// Plays what has been played since, and tells it.
    fn catch_up(&mut self) -> Option<Bytes> {
        let from = self.shown.plies.len();
        let (plies, used, turn_ms) = self.game.look(|progress| {
            let new = progress.plies.get(from..).unwrap_or_default();
            let new: Vec<Ply> = new.iter().map(|(_, ply)| ply.clone()).collect();
            (new, progress.used.clone(), milliseconds(progress.turn_began.elapsed()))
        });
        if plies.is_empty() {
            return None;
        }
        // The referee has played them by the same rules.
        let stepped = plies.iter().map_while(|ply| self.stepper.step(ply).ok());
        self.shown.plies.extend(stepped);
        self.shown.used_ms = used.into_iter().map(milliseconds).collect();
        (self.shown.turn, self.shown.turn_ms) = (self.stepper.game().turn().0, turn_ms);
        let Running { id, used_ms, turn, turn_ms, .. } = &self.shown;
        let plies = &self.shown.plies[from..];
        Some(event("plies", &Plies { id: *id, from, plies, used_ms, turn: *turn, turn_ms: *turn_ms }))
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}
