//! The games that run at this moment, for those who watch.
//!
//! The thread that plays a game only leaves its plies here, which takes less than a system call and wakes nobody. Those who watch come and look.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::formats::Fixture;
use crate::game::Seat;
use crate::record::{FixtureKey, Ply};

/// The games that run at this moment.
#[derive(Default)]
pub struct InProgress {
    games: Mutex<Games>,
}

#[derive(Default)]
struct Games {
    begun: u64,
    spare_cores: Vec<usize>,
    running: Vec<Arc<RunningGame>>,
}

/// A game that runs.
pub struct RunningGame {
    /// A number that no other game of this run has, in the order in which games began.
    pub id: u64,
    /// Which game of the schedule it is.
    pub fixture: Fixture,
    /// When it began.
    pub began: Instant,
    progress: Mutex<Progress>,
}

/// How far a game is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What was played, each ply with the seat that made it.
    pub plies: Vec<(Seat, Ply)>,
    /// The time that each seat has used up, without the turn that goes on.
    pub used: Vec<Duration>,
    /// When the turn began that goes on.
    pub turn_began: Instant,
}

impl InProgress {
    /// A game begins.
    pub fn begin(&self, fixture: &Fixture) -> Arc<RunningGame> {
        let now = Instant::now();
        let used = vec![Duration::ZERO; fixture.key.bots.len()];
        let progress = Progress { plies: Vec::with_capacity(128), used, turn_began: now };
        let mut games = lock(&self.games);
        games.begun += 1;
        let (id, fixture) = (games.begun, fixture.clone());
        let game = Arc::new(RunningGame { id, fixture, began: now, progress: Mutex::new(progress) });
        games.running.push(game.clone());
        game
    }

    /// A game is over.
    pub fn end(&self, game: &RunningGame) {
        lock(&self.games).running.retain(|other| other.id != game.id);
    }

    /// Games leave these cores alone.
    pub fn set_spare_cores(&self, cores: &[usize]) {
        lock(&self.games).spare_cores = cores.to_vec();
    }

    /// The cores that no game is played on; none if there are no such, or that is not known.
    pub fn spare_cores(&self) -> Vec<usize> {
        lock(&self.games).spare_cores.clone()
    }

    /// What runs, and for how long it has.
    pub fn since(&self) -> Vec<(FixtureKey, Duration)> {
        let games = lock(&self.games);
        games.running.iter().map(|game| (game.fixture.key.clone(), game.began.elapsed())).collect()
    }

    /// The games that run, the oldest first.
    pub fn games(&self) -> Vec<Arc<RunningGame>> {
        lock(&self.games).running.clone()
    }
}

impl RunningGame {
    /// A seat has made this ply.
    pub fn played(&self, seat: Seat, ply: &Ply) {
        let now = Instant::now();
        let mut progress = lock(&self.progress);
        if let Some(used) = progress.used.get_mut(seat.index()) {
            *used += ply.taken();
        }
        progress.plies.push((seat, ply.clone()));
        progress.turn_began = now;
    }

    /// How far it is. To look at it for longer than a moment would keep the game waiting.
    pub fn look<T>(&self, look: impl FnOnce(&Progress) -> T) -> T {
        look(&lock(&self.progress))
    }
}

/// The content, whatever happened to a thread that held it: it is whole between any two steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
