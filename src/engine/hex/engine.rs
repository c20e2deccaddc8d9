//! The player of Hex: what each level does, and how it spends its clock.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::board::{Board, Spot};
use super::fair_opening::fair_opening;
use super::must_play::sensible;
use super::net::weights::Weights;
use super::net::{Kernel, shipped};
use super::options::HexOptions;
use super::puct_search::{Search, SearchBudget};
use super::puct_tree::Edge;
use super::virtual_connections::Connections;
use super::{playout, resistance};
use crate::engine::base::{Engine, EngineBase};
use crate::engine::level::Level;
use crate::engine::proof::Proof;
use crate::engine::search_limit::SearchLimit;
use crate::engine::seating::{EngineEntry, EngineOptions, side_and_size};
use crate::engine::wire::Seated;
use crate::game::grid::Cell;
use crate::game::hex::{Hex, Move, RULES, is_fair_opening, is_strong_opening};

/// Hex in the table of engines.
pub const ENGINE: EngineEntry = EngineEntry {
    game: RULES.name,
    seat: |arguments, options| {
        let (seat, size) = side_and_size(RULES.name, arguments, options)?;
        let engine = HexEngine::from_options(options);
        Ok(Box::new(Seated { game: Hex::new(size), engine, seat, debug: arguments.debug() }))
    },
};

/// Playouts for a move of the level easy.
const EASY_PLAYOUTS: u64 = 4000;
/// Playouts for a move of the level medium.
const MEDIUM_PLAYOUTS: u64 = 10_000;
/// Moves that medium chooses from: those that the network likes best.
const MEDIUM_MOVES: usize = 4;
/// Simulations with the network for a move of the level hard.
const HARD_SIMULATIONS: u64 = 16;

/// What thinking about a position has brought.
pub struct Analysis {
    /// All moves, the best first.
    pub candidates: Vec<Candidate>,
    /// Simulations that were made.
    pub simulations: u64,
    /// How long that took.
    pub time: Duration,
}

/// A move that was thought about.
pub struct Candidate {
    /// Where the stone goes.
    pub cell: Cell,
    /// How likely the side that makes the move is to win; unknown if it was not tried.
    pub winning: Option<f32>,
    /// What is known for sure.
    pub proof: Proof,
    /// The network's probability that it is the best move.
    pub prior: f32,
    /// How often it was tried.
    pub visits: u32,
    /// The moves that are expected from it on.
    pub line: Vec<Cell>,
}

/// A player of Hex.
pub struct HexEngine {
    base: EngineBase,
    weights: Arc<Weights>,
    kernel: Kernel,
    threads: usize,
    nodes: Option<u64>,
    swaps: bool,
    search: Option<Search>,
    /// How long the last evaluation of a position took.
    evaluation_time: Duration,
}

impl HexEngine {
    /// A player of this level; the seed decides among equal moves.
    pub fn new(level: Level, seed: u64) -> HexEngine {
        HexEngine {
            base: EngineBase::new(level, seed),
            weights: shipped(),
            kernel: Kernel::best(),
            threads: 1,
            nodes: None,
            swaps: true,
            search: None,
            evaluation_time: Duration::ZERO,
        }
    }

    /// The player that options describe.
    pub fn from_options(options: &EngineOptions) -> HexEngine {
        let HexOptions { nodes, threads, swaps, kernel, network } = &options.hex;
        let engine = HexEngine::new(options.level, options.seed)
            .with_nodes(*nodes)
            .with_threads(*threads)
            .with_swap(*swaps)
            .with_kernel(kernel.unwrap_or(Kernel::best()));
        options.apply(match network {
            Some(weights) => engine.with_network(Arc::clone(weights)),
            None => engine,
        })
    }

    /// The same player, with another network.
    pub fn with_network(mut self, weights: Arc<Weights>) -> HexEngine {
        self.weights = weights;
        self
    }

    /// The same player, which computes in a given way.
    pub fn with_kernel(mut self, kernel: Kernel) -> HexEngine {
        self.kernel = kernel;
        self
    }

    /// The same player, which thinks on so many threads.
    pub fn with_threads(mut self, threads: usize) -> HexEngine {
        self.threads = threads;
        self
    }

    /// The same player, which evaluates no more than so many positions for a move. Without a clock nothing else limits it then, so
    /// that on one thread it always plays alike.
    pub fn with_nodes(mut self, nodes: Option<u64>) -> HexEngine {
        self.nodes = nodes;
        self
    }

    /// The same player, which takes over a first stone that is strong, or never does.
    pub fn with_swap(mut self, swaps: bool) -> HexEngine {
        self.swaps = swaps;
        self
    }

    /// Thinks about a position, for as long as there is on the clock, and tells all that it found.
    pub fn analyse(&mut self, game: &Hex) -> Analysis {
        let board = Board::of(game);
        let begun = Instant::now();
        let deadline = (!self.is_limited_by_nodes_alone()).then(|| begun + self.base.clock.whole());
        let budget = SearchBudget { simulations: self.nodes.unwrap_or(u64::MAX), deadline };
        let mut search = Search::new(&self.weights, self.kernel, self.threads, &board);
        let simulations = search.run(budget);
        let time = begun.elapsed();
        let tree = search.tree();
        let candidate = |edge: Edge| Candidate {
            cell: board.cell(edge.spot),
            winning: edge.value().map(|value| (1.0 + value) / 2.0),
            proof: edge.proof,
            prior: edge.prior,
            visits: edge.visits,
            line: tree.line(&edge).into_iter().map(|spot| board.cell(spot)).collect(),
        };
        Analysis { candidates: tree.ranking().into_iter().map(candidate).collect(), simulations, time }
    }

    fn random(&mut self, game: &Hex) -> Move {
        let moves = game.grid().all().filter_map(|cell| game.move_at(cell));
        let moves: Vec<Move> = moves.filter(|&mv| self.swaps || mv != Move::Swap).collect();
        self.base.rng.choice(moves).expect("Hex has a legal move until it is won")
    }

    /// Opens and swaps by rule of thumb, and leaves all other moves to `go_on`.
    fn by_hand(&mut self, game: &Hex, go_on: impl FnOnce(&mut HexEngine, &Board) -> Spot) -> Move {
        let grid = game.grid();
        match game.first() {
            None => {
                let rim: Vec<Cell> = grid.all().filter(|&cell| is_fair_opening(grid, cell)).collect();
                Move::Stone(self.base.rng.choice(rim).expect("every board has a rim"))
            }
            Some(first) if self.swaps && game.may_swap() && is_strong_opening(grid, first) => Move::Swap,
            Some(_) => {
                let board = Board::of(game);
                Move::Stone(board.cell(go_on(self, &board)))
            }
        }
    }

    fn by_network(&mut self, game: &Hex) -> Move {
        let board = Board::of(game);
        let deadline = self.deadline(&board);
        let budget = SearchBudget { simulations: self.simulations(), deadline };
        let may_swap = self.swaps && game.may_swap();
        let mut rng = self.base.rng.fork();
        let search = self.search_at(&board);
        if game.plies() == 0 {
            let spot = fair_opening(search.evaluator(), &board, deadline, &mut rng);
            return Move::Stone(board.cell(spot));
        }
        search.run(budget);
        let best = search.tree().ranking()[0];
        // To swap is to take over what the other side has: good where the side to move is worse off.
        if may_swap && best.value().unwrap_or(search.tree().root_value()) < 0.0 {
            return Move::Swap;
        }
        Move::Stone(board.cell(best.spot))
    }

    /// The few moves worth a thought that the network likes best.
    fn likely(&mut self, board: &Board) -> Vec<Spot> {
        let ranking = self.search_at(board).tree().ranking();
        let worth = ranking.iter().filter(|edge| edge.proof != Proof::Lost);
        worth.take(MEDIUM_MOVES).map(|edge| edge.spot).collect()
    }

    /// The network's search, moved on to a position.
    fn search_at(&mut self, board: &Board) -> &mut Search {
        let begun = Instant::now();
        let search =
            self.search.get_or_insert_with(|| Search::new(&self.weights, self.kernel, self.threads, board));
        search.go_to(board);
        self.evaluation_time = begun.elapsed();
        search
    }

    /// Whether the clock leaves no time for an evaluation by the network.
    fn is_pressed(&self, game: &Hex) -> bool {
        self.base.clock.is_pressed(own_moves_left(&Board::of(game)), self.evaluation_time)
    }

    /// When the move must be made, unless the number of positions is all that limits it.
    fn deadline(&self, board: &Board) -> Option<Instant> {
        (!self.is_limited_by_nodes_alone()).then(|| self.base.clock.deadline(own_moves_left(board)))
    }

    fn is_limited_by_nodes_alone(&self) -> bool {
        self.nodes.is_some() && !self.base.clock.is_running()
    }

    fn simulations(&self) -> u64 {
        self.nodes.unwrap_or(match self.base.level {
            Level::Max => u64::MAX,
            _ => HARD_SIMULATIONS,
        })
    }
}

impl Engine<Hex> for HexEngine {
    fn base(&mut self) -> &mut EngineBase {
        &mut self.base
    }

    fn choose(&mut self, game: &Hex) -> Move {
        assert!(game.winner().is_none(), "the game is over");
        match self.base.level {
            Level::Random => self.random(game),
            _ if self.is_pressed(game) => self.by_hand(game, |this, board| {
                let spots: Vec<Spot> = board.empty().collect();
                resistance::choose(board, &spots, &mut this.base.rng)
            }),
            Level::Greedy => self.by_hand(game, |this, board| {
                let spots = sensible(board, &mut Connections::default());
                resistance::choose(board, &spots, &mut this.base.rng)
            }),
            Level::Easy => self.by_hand(game, |this, board| {
                let mut limit = SearchLimit::new(this.nodes.unwrap_or(EASY_PLAYOUTS), this.deadline(board));
                playout::choose(board, &mut limit, &mut this.base.rng)
            }),
            Level::Medium => self.by_hand(game, |this, board| {
                let mut limit = SearchLimit::new(this.nodes.unwrap_or(MEDIUM_PLAYOUTS), this.deadline(board));
                let likely = this.likely(board);
                playout::choose_among(board, &likely, &mut limit, &mut this.base.rng)
            }),
            Level::Hard | Level::Max => self.by_network(game),
        }
    }
}

/// How many moves of one's own a game may still take: most end when some two fifths of the board are full.
fn own_moves_left(board: &Board) -> u32 {
    let cells = u32::from(board.size()) * u32::from(board.size());
    let made = cells - u32::from(board.empty_cells());
    ((cells * 2 / 5).saturating_sub(made) / 2).max(cells / 20).max(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::OwnClock;
    use crate::game::Game;
    use crate::game::hex::Side;

    fn winner(size: u8, levels: [Level; 2], seed: u64) -> u8 {
        let mut players = levels.map(|level| HexEngine::new(level, seed));
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
    fn each_level_beats_the_one_before() {
        for (level, before) in
            [(Level::Easy, Level::Greedy), (Level::Medium, Level::Easy), (Level::Hard, Level::Medium)]
        {
            let won = |seed| {
                [[level, before], [before, level]]
                    .into_iter()
                    .filter(|&levels| levels[usize::from(winner(9, levels, seed))] == level)
                    .count()
            };
            let won: usize = (0..5).map(won).sum();
            assert!(won >= 6, "{level} won {won} of 10");
        }
    }

    #[test]
    fn the_strongest_level_solves_nearly_all_puzzles_within_its_second() {
        let puzzles = crate::engine::hex::solver::tests::puzzles();
        let solved = puzzles.iter().filter(|(game, solution)| {
            HexEngine::new(Level::Max, 1).with_swap(false).choose(game) == Move::Stone(*solution)
        });
        let (count, solved) = (puzzles.len(), solved.count());
        assert!(solved + 2 >= count, "it solved {solved} of {count}");
    }

    #[test]
    fn a_given_opening_is_played() {
        let mut players =
            [1, 2].map(|seed| HexEngine::new(Level::Greedy, seed).with_opening("0 3,7 7, 1 12"));
        let mut game = Hex::new(14);
        for expected in ["0 3", "7 7", "1 12"] {
            let mover = game.turn();
            players[mover.index()].make_move(&mut game);
            let mut text = String::new();
            game.write_move(&mut text);
            assert_eq!(text, expected);
        }
        players[1].make_move(&mut game);
        assert_eq!(game.plies(), 4);
    }

    #[test]
    fn what_is_won_is_brought_to_an_end() {
        for level in [Level::Easy, Level::Medium, Level::Hard, Level::Max] {
            let mut game = Hex::new(5);
            for mv in ["1 2", "4 4", "3 1", "0 0"] {
                game.play(mv).unwrap();
            }
            let mut player = HexEngine::new(level, 1);
            for elsewhere in ["4 3", "1 0", "2 4"] {
                game.make(player.choose(&game));
                if game.winner().is_none() {
                    game.play(elsewhere).unwrap();
                }
            }
            assert_eq!(game.winner(), Some(Side::White), "{level}");
        }
    }

    #[test]
    fn at_first_sight_the_network_plays_only_what_is_worth_a_thought() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        let mut fewer = 0;
        for _ in 0..200 {
            let mut game = Hex::new(9);
            for _ in 0..rng.usize(2..=40) {
                let Some(mv) =
                    rng.choice(game.grid().all().filter_map(|cell| game.move_at(cell)).collect::<Vec<_>>())
                else {
                    break;
                };
                game.make(mv);
            }
            if game.winner().is_some() {
                continue;
            }
            let board = Board::of(&game);
            let sensible = sensible(&board, &mut Connections::default());
            fewer += usize::from(sensible.len() < usize::from(board.empty_cells()));
            let mut player = HexEngine::new(Level::Max, 1).with_nodes(Some(1)).with_swap(false);
            let Move::Stone(cell) = player.choose(&game) else { panic!("it does not swap") };
            assert!(sensible.contains(&board.spot(cell)), "{cell}");
        }
        assert!(fewer >= 20, "in but {fewer} positions anything is decided");
    }

    #[test]
    fn with_no_time_left_every_level_plays_at_first_sight() {
        let mut game = Hex::new(26);
        for mv in ["3 4", "12 12"] {
            game.play(mv).unwrap();
        }
        let glance = HexEngine::new(Level::Greedy, 5).choose(&game);
        for level in [Level::Easy, Level::Medium, Level::Hard, Level::Max] {
            let clock = OwnClock::new(Some(Duration::from_millis(1)), Duration::ZERO);
            assert_eq!(HexEngine::new(level, 5).with_clock(clock).choose(&game), glance, "{level}");
        }
    }

    #[test]
    fn greedy_takes_a_win_and_stops_a_loss() {
        let mut game = Hex::new(4);
        for mv in ["0 1", "3 0", "1 1", "3 1", "2 1"] {
            game.play(mv).unwrap();
        }
        let mut player = HexEngine::new(Level::Greedy, 1);
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
        let mut player = HexEngine::new(Level::Greedy, 1);
        for (opening, swaps) in [("7 7", true), ("4 9", true), ("0 0", false), ("0 5", false)] {
            let mut game = Hex::new(14);
            game.play(opening).unwrap();
            assert_eq!(player.choose(&game) == Move::Swap, swaps, "{opening}");
        }
    }
}
