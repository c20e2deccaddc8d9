//! The first levels of RHEX: random moves, and the move that shows most tokens at once.

use crate::engine::{Level, Player};
use crate::game::grid::Cell;
use crate::game::rhex::Rhex;

/// A player of RHEX.
pub struct Engine {
    level: Level,
    rng: fastrand::Rng,
}

impl Engine {
    /// A player of this level; the seed decides among equal moves.
    pub fn new(level: Level, seed: u64) -> Engine {
        Engine { level, rng: fastrand::Rng::with_seed(seed) }
    }

    fn choose(&mut self, game: &Rhex) -> Cell {
        let side = game.side_to_move();
        let value = |cell: Cell| match self.level {
            Level::Random => 0,
            Level::Greedy => {
                let mut next = game.clone();
                next.place(cell);
                next.total(side)
            }
        };
        let free = game.grid().all().filter(|&cell| game.token(cell).is_none());
        let valued: Vec<(u16, Cell)> = free.map(|cell| (value(cell), cell)).collect();
        let best = valued.iter().map(|&(value, _)| value).max();
        let equals: Vec<Cell> =
            valued.into_iter().filter(|&(value, _)| Some(value) == best).map(|(_, cell)| cell).collect();
        self.rng.choice(equals).expect("a game that is not over has an empty cell")
    }
}

impl Player<Rhex> for Engine {
    fn make_move(&mut self, game: &mut Rhex) {
        let cell = self.choose(game);
        game.place(cell);
    }
}
