//! The reference player of Xadrez Xinez: random moves, the hand-out's robot, and one that looks some of its own moves ahead.

mod search;

use std::time::Instant;

use super::limit::{Limit, OwnClock};
use super::{Level, Player};
use crate::game::Game;
use crate::game::xinez::{Move, Xinez};

use search::Search;

/// A player of Xadrez Xinez.
pub struct Engine {
    level: Level,
    rng: fastrand::Rng,
    opening: Vec<String>,
    clock: OwnClock,
}

/// The most own moves that any level looks ahead.
const DEEPEST: u32 = 12;
/// Rounds that a game lasts, for each N of the board: what the clock has to be enough for.
const ROUNDS_PER_SIZE: u32 = 12;
/// The fewest moves that are always expected to come.
const FEWEST_MOVES: u32 = 10;

impl Engine {
    /// A player of this level; the seed is that of its dice.
    pub fn new(level: Level, seed: u64) -> Engine {
        let rng = fastrand::Rng::with_seed(seed);
        Engine { level, rng, opening: Vec::new(), clock: OwnClock::default() }
    }

    /// The same player, with a clock.
    pub fn with_clock(mut self, clock: OwnClock) -> Engine {
        self.clock = clock;
        self
    }

    /// The same player, who begins with the given moves, of all players in turn and with commas between them, as long as they
    /// are legal.
    pub fn with_opening(mut self, opening: &str) -> Engine {
        self.opening = opening.split(',').map(|mv| mv.trim().to_owned()).collect();
        self
    }

    /// A legal move.
    ///
    /// # Panics
    /// If the game is over.
    pub fn choose(&mut self, game: &Xinez) -> Move {
        let given = self.opening.get(game.actions()).and_then(|text| game.read(text).ok());
        if let Some(given) = given {
            return given;
        }
        match self.level {
            Level::Random => self.random(game),
            Level::Greedy => greedy(game),
            Level::Easy => self.think(game, 2),
            Level::Medium => self.think(game, 3),
            Level::Hard => self.think(game, 4),
            Level::Max => self.think(game, DEEPEST),
        }
    }

    fn random(&mut self, game: &Xinez) -> Move {
        let moves: Vec<Move> = game.position().moves(game.player(game.turn())).collect();
        self.rng.choice(moves).expect(HAS_A_MOVE)
    }

    /// Looks so many own moves ahead, if the clock allows it.
    fn think(&mut self, game: &Xinez, depth: u32) -> Move {
        let begun = Instant::now();
        let expected = ROUNDS_PER_SIZE * u32::from(game.position().star().size());
        let left = expected.saturating_sub(game.round().into()).max(FEWEST_MOVES);
        let limit = Limit::new(u64::MAX, begun + self.clock.allowance(left));
        let mv = Search::new(game, limit).best_move(depth);
        self.clock.charge(begun.elapsed());
        mv.expect(HAS_A_MOVE)
    }
}

/// Who cannot move has passed already.
const HAS_A_MOVE: &str = "the player whose turn it is has a move";

/// The hand-out's robot: the move that adds most to the sum of w; of several, the one with the smallest origin, and then
/// with the smallest destination.
pub fn greedy(game: &Xinez) -> Move {
    search::greedy(game.position(), game.player(game.turn())).expect(HAS_A_MOVE)
}

impl Player<Xinez> for Engine {
    fn make_move(&mut self, game: &mut Xinez) {
        let mv = self.choose(game);
        game.make(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::xinez::{Player as Number, Players};
    use crate::game::{Ending, Outcome};

    /// Plays a game; the players have their levels in order of their seats.
    fn play(size: u8, levels: &[Level], seed: u64) -> (Outcome, u16) {
        let mut game = Xinez::new(size, Players::usual(levels.len() as u8).unwrap());
        let mut players: Vec<Engine> = levels.iter().map(|&level| Engine::new(level, seed)).collect();
        while game.outcome().is_none() {
            let mover = game.turn();
            players[mover.index()].make_move(&mut game);
        }
        (game.outcome().unwrap(), game.round())
    }

    #[test]
    fn whoever_looks_ahead_is_home_before_the_robot() {
        for size in 2..=4 {
            for levels in [[Level::Easy, Level::Greedy], [Level::Greedy, Level::Easy]] {
                let (outcome, round) = play(size, &levels, 1);
                let easy = levels.iter().position(|&level| level == Level::Easy);
                assert_eq!(outcome.ending, Ending::Home, "{levels:?} on {size}, round {round}");
                assert_eq!(
                    outcome.winner.map(|seat| seat.index()),
                    easy,
                    "{levels:?} on {size}, round {round}"
                );
            }
        }
    }

    #[test]
    fn every_level_brings_its_pieces_home_alone() {
        for level in [Level::Easy, Level::Medium] {
            for size in 1..=4 {
                for number in [1, 2, 6] {
                    let mut game = Xinez::new(size, Players::of(Number::new(number)).unwrap());
                    let mut player = Engine::new(level, 1);
                    while game.outcome().is_none() {
                        player.make_move(&mut game);
                    }
                    assert_eq!(game.outcome().unwrap().ending, Ending::Home, "{level} on {size}");
                }
            }
        }
    }

    #[test]
    fn every_level_plays_with_any_number_on_every_size() {
        for size in 1..=6 {
            for seats in 1..=6 {
                let mut game = Xinez::new(size, Players::usual(seats).unwrap());
                let mut players: Vec<Engine> =
                    Level::ALL.iter().map(|&level| Engine::new(level, 1)).collect();
                players[5] = Engine::new(Level::Hard, 1);
                for ply in 0..12 {
                    if game.outcome().is_none() {
                        players[ply % 6].make_move(&mut game);
                    }
                }
            }
        }
    }

    #[test]
    fn a_given_opening_is_played() {
        let opening = ["3 8", "15 10", "4 2"];
        let mut player = Engine::new(Level::Greedy, 1).with_opening("3 8, 15 10,4 2");
        let mut game = Xinez::new(2, Players::usual(2).unwrap());
        for expected in opening {
            let mv = player.choose(&game);
            assert_eq!(mv.to_string(), expected);
            game.make(mv);
        }
        assert_eq!(player.choose(&game), greedy(&game));
    }
}
