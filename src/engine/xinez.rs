//! The levels of Xadrez Xinez: random moves, and the hand-out's robot.

use crate::engine::{Level, Player};
use crate::game::Game;
use crate::game::xinez::{Move, Xinez};

/// The levels of Xadrez Xinez.
pub const LEVELS: &[Level] = &[Level::Random, Level::Greedy];

/// A player of Xadrez Xinez.
pub struct Engine {
    level: Level,
    rng: fastrand::Rng,
}

impl Engine {
    /// A player of this level; the seed is that of its dice.
    pub fn new(level: Level, seed: u64) -> Engine {
        Engine { level, rng: fastrand::Rng::with_seed(seed) }
    }

    /// A legal move.
    ///
    /// # Panics
    /// If the game is over.
    pub fn choose(&mut self, game: &Xinez) -> Move {
        match self.level {
            Level::Random => self.random(game),
            _ => greedy(game),
        }
    }

    fn random(&mut self, game: &Xinez) -> Move {
        let moves: Vec<Move> = game.position().moves(game.player(game.turn())).collect();
        self.rng.choice(moves).expect(HAS_A_MOVE)
    }
}

/// Who cannot move has passed already.
const HAS_A_MOVE: &str = "the player whose turn it is has a move";

/// The hand-out's robot: the move that adds most to the sum of w; of several, the one with the smallest origin, and then
/// with the smallest destination.
pub fn greedy(game: &Xinez) -> Move {
    let player = game.player(game.turn());
    let w = &game.position().star().view(player).w;
    let loss = |mv: &Move| w[mv.from.index()] - w[mv.to.index()];
    // Of equal ones the first is taken, and moves come in that order.
    game.position().moves(player).min_by_key(loss).expect(HAS_A_MOVE)
}

impl Player<Xinez> for Engine {
    fn make_move(&mut self, game: &mut Xinez) {
        let mv = self.choose(game);
        game.make(mv);
    }
}
