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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::hex::HexEngine;
    use crate::engine::okupacio::OkupacioEngine;
    use crate::engine::rhex::RhexEngine;
    use crate::engine::xinez::XinezEngine;
    use crate::game::hex::Hex;
    use crate::game::okupacio::Okupacio;
    use crate::game::okupacio::map::Map;
    use crate::game::rhex::Rhex;
    use crate::game::xinez::{Players, Xinez};

    /// Plays an opening whose second move is none, and so a move of the engine's own.
    fn opening_and_clock<G: Moves>(mut engine: impl Engine<G>, mut game: G, opening: &str) {
        let seconds = Duration::from_secs;
        engine.set_clock(OwnClock::new(Some(seconds(100)), seconds(10)));
        engine = engine.with_opening(&format!("{opening}, nonsense"));
        for ply in 1..=2 {
            engine.make_move(&mut game);
            assert_eq!(game.plies(), ply as usize);
            let left = engine.base().clock.whole();
            assert!(left < seconds(100 + 10 * ply) && left > seconds(95 + 10 * ply), "{left:?} left");
            let mut text = String::new();
            game.write_move(&mut text);
            assert_eq!(text == opening, ply == 1, "{text}");
        }
    }

    #[test]
    fn every_engine_plays_its_opening_and_charges_its_clock() {
        let (level, seed) = (Level::Greedy, 1);
        opening_and_clock(HexEngine::new(level, seed), Hex::new(11), "0 0");
        opening_and_clock(RhexEngine::new(level, seed), Rhex::new(11), "3 4");
        opening_and_clock(OkupacioEngine::new(level, seed), Okupacio::new(Map::open(8), 2), "cd");
        let xinez = Xinez::new(2, Players::usual(2).unwrap());
        opening_and_clock(XinezEngine::new(level, seed), xinez, "3 8");
    }
}
