//! The reference player of RHEX: an exact search where what is left of the game is small enough, and otherwise Monte
//! Carlo tree search.
//!
//! Two who play well draw, and some two playouts for each cell of the board are enough to draw nearly always. Levels that differ
//! in strength have to stay below that.

use std::time::Instant;

use super::position::{Position, Spot};
use super::solver::{Solution, Solver, Value};
use crate::engine::base::{Engine, EngineBase};
use crate::engine::level::Level;
use crate::engine::rave_mcts;
use crate::engine::search_limit::SearchLimit;
use crate::engine::seating::{EngineEntry, side_and_size};
use crate::engine::wire::Seated;
use crate::game::grid::Cell;
use crate::game::rhex::{RULES, Rhex};

/// RHEX in the table of engines.
pub const ENGINE: EngineEntry = EngineEntry {
    game: RULES.name,
    seat: |arguments, options| {
        let (seat, size) = side_and_size(RULES.name, arguments, options)?;
        let engine = options.apply(RhexEngine::new(options.level, options.seed));
        Ok(Box::new(Seated { game: Rhex::new(size), engine, seat, debug: arguments.debug() }))
    },
};

/// A player of RHEX.
pub struct RhexEngine {
    base: EngineBase,
    solver: Solver,
}

/// What a level may spend on a move, time apart.
struct Effort {
    /// Playouts, for each cell of the board: the more moves there are, the more it takes to tell them
    /// apart.
    games_per_cell: f64,
    /// Positions of the exact search, which is only begun where it is likely to end in time.
    positions: u64,
}

impl Effort {
    fn of(level: Level) -> Effort {
        let (games_per_cell, positions) = match level {
            Level::Random | Level::Greedy => (0.0, 0),
            Level::Easy => (0.1, 0),
            Level::Medium => (0.7, 0),
            Level::Hard => (1.0, 100_000),
            Level::Max => (f64::INFINITY, 10_000_000),
        };
        Effort { games_per_cell, positions }
    }
}

/// How many cells the greedy level looks at. Were it all of them, it would lose to nobody who plays at random, and be as good as
/// one who plays a few games out.
const GLANCES: usize = 8;
/// The part of a move's time that the exact search may take, as one in so many; looking for traps may take as much again.
const SOLVER_SHARE: u32 = 3;
/// How many times as many positions may be looked at for traps as for the exact search.
const TRAPS: u64 = 4;

impl RhexEngine {
    /// A player of this level; the seed decides among equal moves, and what is played where no time limits it.
    pub fn new(level: Level, seed: u64) -> RhexEngine {
        RhexEngine { base: EngineBase::new(level, seed), solver: Solver::new() }
    }

    fn choose_spot(&mut self, position: &Position) -> Spot {
        let mut spots: Vec<Spot> = position.free().collect();
        match self.base.level {
            Level::Random => {}
            Level::Greedy => {
                self.base.rng.shuffle(&mut spots);
                spots.truncate(GLANCES);
                let most = spots.iter().map(|&spot| position.gain(spot)).max();
                spots.retain(|&spot| Some(position.gain(spot)) == most);
            }
            _ => return self.think(position, spots),
        }
        self.base.rng.choice(spots).expect("a game that is not over has an empty cell")
    }

    /// Chooses among all moves by searching: of those that are proven to be best, if that can be found out, the one that
    /// does best in playouts.
    fn think(&mut self, position: &Position, mut spots: Vec<Spot>) -> Spot {
        let begun = Instant::now();
        let own_moves = (position.left() as u32).div_ceil(2);
        let time = self.base.clock.allowance(own_moves);
        let effort = Effort::of(self.base.level);
        // If the best move always came first, about the root of all positions would have to be looked at.
        let all_positions = (spots.len() as u128).checked_pow(position.left() as u32);
        if all_positions.is_some_and(|all| all <= u128::from(effort.positions).pow(2)) {
            let mut limit = SearchLimit::new(effort.positions, begun + time / SOLVER_SHARE);
            match self.solver.solve(position, &mut limit) {
                Some(Solution { value: Value::Win, moves }) => return moves[0],
                Some(Solution { value: Value::Draw, moves }) => {
                    // None of them can lose any more: what is left to hope for is that the other errs.
                    let mut limit =
                        SearchLimit::new(TRAPS * effort.positions, begun + 2 * time / SOLVER_SHARE);
                    if let Some(spot) = self.solver.most_treacherous(position, &moves, &mut limit) {
                        return spot;
                    }
                    spots = moves;
                }
                Some(Solution { moves, .. }) => spots = moves,
                None => {}
            }
        }
        if let [only] = spots[..] {
            return only;
        }
        let games = (effort.games_per_cell * position.grid().cells() as f64) as u64;
        rave_mcts::search(position, &spots, &mut SearchLimit::new(games, begun + time), &mut self.base.rng)
    }
}

impl Engine<Rhex> for RhexEngine {
    fn base(&mut self) -> &mut EngineBase {
        &mut self.base
    }

    fn choose(&mut self, game: &Rhex) -> Cell {
        let position = Position::new(game);
        let spot = self.choose_spot(&position);
        position.cell(spot)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::engine::clock::OwnClock;
    use crate::game::Game;
    use crate::game::hex::Side;

    fn play(size: u8, levels: [Level; 2], seed: u64) -> Rhex {
        let mut players = levels.map(|level| RhexEngine::new(level, seed));
        let mut game = Rhex::new(size);
        while !game.is_over() {
            let seat = game.turn().index();
            players[seat].make_move(&mut game);
        }
        game
    }

    #[test]
    fn every_level_but_the_last_plays_on_every_size() {
        for size in 2..=26 {
            for level in [Level::Random, Level::Greedy, Level::Easy, Level::Medium] {
                play(size, [level, level], u64::from(size));
            }
        }
        play(26, [Level::Hard, Level::Hard], 1);
    }

    /// The points of one level against another in so many games, half of them on either side; both games of a pair begin with the
    /// same two moves, which are drawn by lot.
    fn points(level: Level, other: Level, games: u64) -> f64 {
        let hour = std::time::Duration::from_secs(3600);
        let mut points = 0.0;
        for number in 0..games {
            let side = [Side::White, Side::Black][number as usize % 2];
            let player = |of| {
                let level = if of == side { level } else { other };
                RhexEngine::new(level, number)
                    .with_clock(OwnClock::new(Some(hour), std::time::Duration::ZERO))
            };
            let mut players = [Side::White, Side::Black].map(player);
            let mut lots = RhexEngine::new(Level::Random, number / 2);
            let mut game = Rhex::new(8);
            while !game.is_over() {
                let player = if game.plies() < 2 { &mut lots } else { &mut players[game.turn().index()] };
                player.make_move(&mut game);
            }
            points += game.winner().map_or(0.5, |winner| f64::from(u8::from(winner == side)));
        }
        points
    }

    #[test]
    fn each_level_beats_the_one_before() {
        for pair in Level::ALL[..5].windows(2) {
            let points = points(pair[1], pair[0], 200);
            println!("{} has {points} points of 200 against {}", pair[1], pair[0]);
            assert!(points >= 115.0, "{} has {points} points of 200 against {}", pair[1], pair[0]);
        }
    }

    #[test]
    fn hard_beats_random_on_either_side() {
        let won = |seed: u64| {
            let games = [
                (play(8, [Level::Hard, Level::Random], seed), Side::White),
                (play(8, [Level::Random, Level::Hard], seed), Side::Black),
            ];
            games.iter().filter(|(game, side)| game.winner() == Some(*side)).count()
        };
        let games = 20;
        let won: usize = (0..games / 2).map(won).sum();
        assert!(won >= 16, "hard won {won} of {games}");
    }

    /// Makes every move of the other side, and those that the player chooses: none may lose.
    fn never_loses(side: Side, game: &Rhex, player: &mut RhexEngine, seen: &mut HashSet<String>) {
        assert_ne!(game.winner(), Some(side.other()), "lost:\n{}", game.debug_board());
        if game.is_over() || !seen.insert(game.debug_board()) {
            return;
        }
        if game.side_to_move() == side {
            let mut next = game.clone();
            player.make_move(&mut next);
            return never_loses(side, &next, player, seen);
        }
        for cell in game.grid().all().filter(|&cell| game.token(cell).is_none()) {
            let mut next = game.clone();
            next.place(cell);
            never_loses(side, &next, player, seen);
        }
    }

    #[test]
    fn the_best_levels_never_lose_boards_of_2_to_4_whatever_the_other_plays() {
        for level in [Level::Hard, Level::Max] {
            for size in 2..=4 {
                for side in [Side::White, Side::Black] {
                    let mut seen = HashSet::new();
                    never_loses(side, &Rhex::new(size), &mut RhexEngine::new(level, 1), &mut seen);
                    println!("{level}: {} positions on {size} as {}", seen.len(), side.name());
                }
            }
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let board = |seed| play(6, [Level::Medium, Level::Easy], seed).debug_board();
        assert_eq!(board(5), board(5));
        assert!((0..5).any(|seed| board(seed) != board(5)));
    }

    #[test]
    fn a_given_opening_is_played() {
        let mut player = RhexEngine::new(Level::Greedy, 1).with_opening("0 3,7 7, 1 12");
        let mut game = Rhex::new(14);
        for expected in ["0 3", "7 7", "1 12"] {
            player.make_move(&mut game);
            let mut text = String::new();
            game.write_move(&mut text);
            assert_eq!(text, expected);
        }
        player.make_move(&mut game);
        assert_eq!(game.plies(), 4);
    }

    #[test]
    fn a_clock_that_has_run_out_still_gets_a_move() {
        for level in [Level::Easy, Level::Medium, Level::Hard, Level::Max] {
            let clock = OwnClock::new(Some(std::time::Duration::ZERO), std::time::Duration::ZERO);
            let mut game = Rhex::new(26);
            RhexEngine::new(level, 1).with_clock(clock).make_move(&mut game);
            assert_eq!(game.plies(), 1);
        }
    }
}
