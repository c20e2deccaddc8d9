//! Okupació: random moves, the most cells at once, and a search of a few plies in which everybody else is against us.

use crate::engine::{Level, Player};
use crate::game::Game;
use crate::game::okupacio::map::Cell;
use crate::game::okupacio::{Action, Okupacio};

/// The levels of Okupació.
pub const LEVELS: &[Level] = &[Level::Random, Level::Greedy];

/// A player of Okupació.
pub struct Engine {
    level: Level,
    rng: fastrand::Rng,
    opening: Vec<String>,
}

impl Engine {
    /// A player of this level; the seed decides among equal moves.
    pub fn new(level: Level, seed: u64) -> Engine {
        Engine { level, rng: fastrand::Rng::with_seed(seed), opening: Vec::new() }
    }

    /// The same player, who begins with the given moves, of all players in turn and with commas between them, as long as they
    /// are legal.
    pub fn with_opening(mut self, opening: &str) -> Engine {
        self.opening = opening.split(',').map(|mv| mv.trim().to_owned()).collect();
        self
    }

    /// What to do in a game that is not over: something else than to abandon it.
    fn choose(&mut self, game: &Okupacio) -> Action {
        let given = self.opening.get(usize::from(game.plies())).and_then(|text| game.read(text).ok());
        if let Some(given) = given {
            return given;
        }
        let valued: Vec<(i32, Cell)> = match self.level {
            Level::Random => game.free_cells().map(|cell| (0, cell)).collect(),
            _ => game.free_cells().map(|cell| (haul(game, cell).value(), cell)).collect(),
        };
        let best = valued.iter().map(|&(value, _)| value).max();
        let equals = valued.into_iter().filter(|&(value, _)| Some(value) == best).map(|(_, cell)| cell);
        let cell = self.rng.choice(equals.collect::<Vec<_>>());
        Action::Occupy(cell.expect("a game that is not over has a free cell"))
    }
}

impl Player<Okupacio> for Engine {
    fn make_move(&mut self, game: &mut Okupacio) {
        let action = self.choose(game);
        game.act_and_exclude(action);
    }
}

/// What a move brings at once.
struct Haul {
    gained: i32,
    taken: i32,
}

impl Haul {
    /// The more cells the better, and among equals those that others lose.
    fn value(&self) -> i32 {
        8 * self.gained + self.taken
    }
}

fn haul(game: &Okupacio, cell: Cell) -> Haul {
    let mut haul = Haul { gained: 1, taken: 0 };
    for next in game.map().neighbours(cell).filter(|&next| game.takes(game.turn(), cell, next)) {
        haul.gained += 1;
        haul.taken += i32::from(game.owner(next).is_some());
    }
    haul
}
