//! What all engines share: their level, their dice, an opening to begin with, and a clock of their own.

use std::time::Instant;

use super::clock::OwnClock;
use super::level::Level;
use crate::game::moves::Moves;

/// What every engine has, whatever its game.
pub struct EngineBase {
    /// How well it plays.
    pub level: Level,
    /// Its dice.
    pub rng: fastrand::Rng,
    /// The time it has.
    pub clock: OwnClock,
    /// The first moves of the game, those of all players in turn.
    opening: Vec<String>,
}

impl EngineBase {
    /// An engine of this level without an opening and without a clock; the seed is that of its dice.
    pub fn new(level: Level, seed: u64) -> EngineBase {
        let rng = fastrand::Rng::with_seed(seed);
        EngineBase { level, rng, clock: OwnClock::default(), opening: Vec::new() }
    }
}

/// A player of one game.
pub trait Engine<G: Moves> {
    /// What it has in common with all engines.
    fn base(&mut self) -> &mut EngineBase;

    /// Chooses a legal move in a game that is not over, with no regard to the opening.
    fn choose(&mut self, game: &G) -> G::Move;

    /// Makes one move in a game that is not over: the opening's if it is legal, or else one that it chooses. The time goes from its
    /// clock.
    fn make_move(&mut self, game: &mut G) {
        let begun = Instant::now();
        let given = self.base().opening.get(game.plies());
        if given.is_none_or(|text| game.play(text).is_err()) {
            let mv = self.choose(game);
            game.make_move(mv);
        }
        self.base().clock.charge(begun.elapsed());
    }

    /// Gives it this much time from now on.
    fn set_clock(&mut self, clock: OwnClock) {
        self.base().clock = clock;
    }

    /// The same engine, with a clock.
    fn with_clock(mut self, clock: OwnClock) -> Self
    where
        Self: Sized,
    {
        self.set_clock(clock);
        self
    }

    /// The same engine, which begins with the given moves as long as they are legal: those of all players in turn, with commas
    /// between them.
    fn with_opening(mut self, opening: &str) -> Self
    where
        Self: Sized,
    {
        self.base().opening = opening.split(',').map(|mv| mv.trim().to_owned()).collect();
        self
    }
}
