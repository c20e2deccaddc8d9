//! The reference player of Hex.

pub mod board;
pub mod connection;
#[cfg(target_arch = "x86_64")]
pub mod learn;
pub mod monte_carlo;
pub mod net;
pub mod solver;
pub mod threat;
pub mod tree;

use std::collections::VecDeque;

use crate::engine::{Level, Player};
use crate::game::grid::{Cell, Grid, MAX_CELLS};
use crate::game::hex::{Hex, Move, Side, is_fair_opening, is_strong_opening};

/// The levels of Hex.
pub const LEVELS: &[Level] = &[Level::Random, Level::Greedy];

/// A player of Hex.
pub struct Engine {
    level: Level,
    rng: fastrand::Rng,
    opening: Vec<String>,
}

/// No way leads here.
const FAR: u16 = u16::MAX / 4;

impl Engine {
    /// A player of this level; the seed decides among equal moves.
    pub fn new(level: Level, seed: u64) -> Engine {
        Engine { level, rng: fastrand::Rng::with_seed(seed), opening: Vec::new() }
    }

    /// The same player, who begins with the given moves, of both sides in turn and with commas between them, as long as
    /// they are legal.
    pub fn with_opening(mut self, opening: &str) -> Engine {
        self.opening = opening.split(',').map(|mv| mv.trim().to_owned()).collect();
        self
    }

    /// A legal move.
    ///
    /// # Panics
    /// If the game is over.
    pub fn choose(&mut self, game: &Hex) -> Move {
        assert!(game.winner().is_none(), "the game is over");
        let given = self.opening.get(usize::from(game.plies())).and_then(|text| game.read(text).ok());
        if let Some(given) = given {
            return given;
        }
        match self.level {
            Level::Random => self.random(game),
            // There is none above it.
            _ => self.greedy(game),
        }
    }

    fn random(&mut self, game: &Hex) -> Move {
        let moves: Vec<Move> = game.grid().all().filter_map(|cell| game.move_at(cell)).collect();
        self.rng.choice(moves).expect("Hex has a legal move until it is won")
    }

    fn greedy(&mut self, game: &Hex) -> Move {
        let grid = game.grid();
        match game.first() {
            None => {
                let rim: Vec<Cell> = grid.all().filter(|&cell| is_fair_opening(grid, cell)).collect();
                Move::Stone(self.rng.choice(rim).expect("every board has a rim"))
            }
            Some(first) if game.may_swap() && is_strong_opening(grid, first) => Move::Swap,
            Some(_) => self.shortest_path(game),
        }
    }

    /// The cell that does most for the own path and against the other's.
    fn shortest_path(&mut self, game: &Hex) -> Move {
        let own = game.side_to_move();
        let (ours, theirs) = (PathLengths::new(game, own), PathLengths::new(game, own.other()));
        let grid = game.grid();
        let centre = i32::from(grid.size()) - 1;
        let value = |cell: Cell| {
            let (attack, defence) = (ours.through(grid, cell), theirs.through(grid, cell));
            let off_centre =
                (2 * i32::from(cell.row) - centre).abs() + (2 * i32::from(cell.column) - centre).abs();
            (attack + defence, off_centre)
        };
        let best = grid.all().filter(|&cell| game.stone(cell).is_none()).map(value).min();
        let equal = |&cell: &Cell| game.stone(cell).is_none() && Some(value(cell)) == best;
        let equals: Vec<Cell> = grid.all().filter(equal).collect();
        Move::Stone(self.rng.choice(equals).expect("Hex has an empty cell until it is won"))
    }
}

impl Player<Hex> for Engine {
    fn make_move(&mut self, game: &mut Hex) {
        let mv = self.choose(game);
        game.make(mv);
    }
}

/// How many stones each cell's best path still needs, counted from either edge.
struct PathLengths {
    from_near: [u16; MAX_CELLS],
    from_far: [u16; MAX_CELLS],
}

impl PathLengths {
    fn new(game: &Hex, side: Side) -> PathLengths {
        let last = game.grid().size() - 1;
        PathLengths { from_near: distances(game, side, 0), from_far: distances(game, side, last) }
    }

    /// The stones that the best path through an empty cell needs, this one included.
    fn through(&self, grid: Grid, cell: Cell) -> u16 {
        let index = grid.index(cell);
        // Both ways count the cell itself.
        (self.from_near[index] + self.from_far[index] - 1).min(FAR)
    }
}

/// Stones needed from an edge up to each cell, which counts too unless a stone is there: breadth first, own stones being
/// free.
fn distances(game: &Hex, side: Side, edge: u8) -> [u16; MAX_CELLS] {
    let grid = game.grid();
    let mut found = [FAR; MAX_CELLS];
    let mut queue = VecDeque::with_capacity(2 * grid.cells());
    let reach = |found: &mut [u16; MAX_CELLS], queue: &mut VecDeque<Cell>, cell: Cell, before: u16| {
        let cost = match game.stone(cell) {
            None => 1,
            Some(owner) if owner == side => 0,
            Some(_) => return,
        };
        let entry = &mut found[grid.index(cell)];
        if before + cost < *entry {
            *entry = before + cost;
            if cost == 0 { queue.push_front(cell) } else { queue.push_back(cell) }
        }
    };
    for along in 0..grid.size() {
        let cell = match side {
            Side::White => Cell::new(edge, along),
            Side::Black => Cell::new(along, edge),
        };
        reach(&mut found, &mut queue, cell, 0);
    }
    while let Some(cell) = queue.pop_front() {
        let here = found[grid.index(cell)];
        for next in grid.neighbours(cell) {
            reach(&mut found, &mut queue, next, here);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn winner(size: u8, levels: [Level; 2], seed: u64) -> u8 {
        let mut players = levels.map(|level| Engine::new(level, seed));
        let mut game = Hex::new(size);
        while game.outcome().is_none() {
            let mv = players[game.turn().index()].choose(&game);
            game.make(mv);
        }
        game.outcome().unwrap().winner.unwrap().0
    }

    #[test]
    fn every_level_plays_legally_on_every_size_and_greedy_beats_random() {
        let mut won = 0;
        for seed in 0..40 {
            let size = 2 + (seed % 25) as u8;
            winner(size, [Level::Random, Level::Random], seed);
            winner(size, [Level::Greedy, Level::Greedy], seed);
            won += u32::from(winner(11, [Level::Greedy, Level::Random], seed) == 0);
            won += u32::from(winner(11, [Level::Random, Level::Greedy], seed) == 1);
        }
        assert!(won >= 79, "greedy won {won} of 80");
    }

    #[test]
    fn a_given_opening_is_played() {
        let mut players = [1, 2].map(|seed| Engine::new(Level::Greedy, seed).with_opening("0 3,7 7, 1 12"));
        let mut game = Hex::new(14);
        for expected in ["0 3", "7 7", "1 12"] {
            let mv = players[game.turn().index()].choose(&game);
            game.make(mv);
            let mut text = String::new();
            game.write_move(&mut text);
            assert_eq!(text, expected);
        }
        players[1].choose(&game);
        assert!(game.move_at(Cell::new(0, 0)).is_some());
    }

    #[test]
    fn greedy_takes_a_win_and_stops_a_loss() {
        let mut game = Hex::new(4);
        for mv in ["0 1", "3 0", "1 1", "3 1", "2 1"] {
            game.play(mv).unwrap();
        }
        let mut player = Engine::new(Level::Greedy, 1);
        game.make(player.choose(&game));
        assert_eq!(game.winner(), None);
        let mut game = Hex::new(4);
        for mv in ["0 1", "3 0", "1 1", "3 3", "2 1", "0 0"] {
            game.play(mv).unwrap();
        }
        game.make(player.choose(&game));
        assert_eq!(game.winner(), Some(Side::White));
    }

    #[test]
    fn greedy_swaps_the_centre_and_leaves_the_corner() {
        let mut player = Engine::new(Level::Greedy, 1);
        for (opening, swaps) in [("7 7", true), ("4 9", true), ("0 0", false), ("0 5", false)] {
            let mut game = Hex::new(14);
            game.play(opening).unwrap();
            assert_eq!(player.choose(&game) == Move::Swap, swaps, "{opening}");
        }
    }
}
