//! The reference player of Hex: from any move at all to a search guided by a network that has learnt by playing itself.

pub mod board;
pub mod connection;
mod flow;
#[cfg(target_arch = "x86_64")]
pub mod learn;
pub mod monte_carlo;
pub mod net;
pub mod search;
pub mod solver;
pub mod threat;
pub mod tree;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limit::{Limit, OwnClock};
use super::{Level, Player};
use crate::game::grid::Cell;
use crate::game::hex::{Hex, Move, is_fair_opening, is_strong_opening};

use super::monte_carlo::Proof;
use board::{Board, Spot};
use connection::Connections;
use net::Kernel;
use net::weights::Weights;
use search::{Effort, Judge, Search};
use tree::Edge;

/// Games that the levels in the middle play out for a move.
const EASY: u64 = 4000;
const MEDIUM: u64 = 10_000;
/// Moves that the second of them chooses from.
const LIKELY: usize = 4;
/// Walks of the level that searches little.
const LITTLE: u64 = 16;

/// What thinking about a position has brought.
pub struct Analysis {
    /// All moves, the best first.
    pub candidates: Vec<Candidate>,
    /// Positions that were looked at.
    pub walks: u64,
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
    /// How likely the network takes it to be the best move, at first sight.
    pub prior: f32,
    /// How often it was tried.
    pub visits: u32,
    /// The moves that are expected from it on.
    pub line: Vec<Cell>,
}

/// A player of Hex.
pub struct Engine {
    level: Level,
    rng: fastrand::Rng,
    opening: Vec<String>,
    clock: OwnClock,
    weights: Arc<Weights>,
    kernel: Kernel,
    threads: usize,
    nodes: Option<u64>,
    swaps: bool,
    search: Option<Search>,
    /// How long it took lately to look at one position.
    look: Duration,
}

impl Engine {
    /// A player of this level; the seed decides among equal moves.
    pub fn new(level: Level, seed: u64) -> Engine {
        Engine {
            level,
            rng: fastrand::Rng::with_seed(seed),
            opening: Vec::new(),
            clock: OwnClock::default(),
            weights: net::shipped(),
            kernel: Kernel::best(),
            threads: 1,
            nodes: None,
            swaps: true,
            search: None,
            look: Duration::ZERO,
        }
    }

    /// The same player, who begins with the given moves, of both sides in turn and with commas between them, as long as
    /// they are legal.
    pub fn with_opening(mut self, opening: &str) -> Engine {
        self.opening = opening.split(',').map(|mv| mv.trim().to_owned()).collect();
        self
    }

    /// The same player, with a clock.
    pub fn with_clock(mut self, clock: OwnClock) -> Engine {
        self.clock = clock;
        self
    }

    /// The same player, with another network.
    pub fn with_network(mut self, weights: Weights) -> Engine {
        self.weights = Arc::new(weights);
        self
    }

    /// The same player, who computes in a given way.
    pub fn with_kernel(mut self, kernel: Kernel) -> Engine {
        self.kernel = kernel;
        self
    }

    /// The same player, who thinks on so many threads.
    pub fn with_threads(mut self, threads: usize) -> Engine {
        self.threads = threads;
        self
    }

    /// The same player, who looks at no more than so many positions for a move. Without a clock nothing else limits it then, so
    /// that on one thread it always plays alike.
    pub fn with_nodes(mut self, nodes: Option<u64>) -> Engine {
        self.nodes = nodes;
        self
    }

    /// The same player, who takes over a first stone that is strong, or never does.
    pub fn with_swap(mut self, swaps: bool) -> Engine {
        self.swaps = swaps;
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
            _ if self.is_pressed(game) => self.by_hand(game, |this, board| {
                let spots: Vec<Spot> = board.empty().collect();
                flow::choose(board, &spots, &mut this.rng)
            }),
            Level::Greedy => self.by_hand(game, |this, board| {
                flow::choose(board, &threat::sensible(board, &mut Connections::default()), &mut this.rng)
            }),
            Level::Easy => self.by_hand(game, |this, board| {
                let mut limit = Limit::new(this.nodes.unwrap_or(EASY), this.until(board));
                monte_carlo::choose(board, &mut limit, &mut this.rng)
            }),
            Level::Medium => self.by_hand(game, |this, board| {
                let mut limit = Limit::new(this.nodes.unwrap_or(MEDIUM), this.until(board));
                let likely = this.likely(board);
                monte_carlo::choose_among(board, &likely, &mut limit, &mut this.rng)
            }),
            Level::Hard | Level::Max => self.by_network(game),
        }
    }

    /// Thinks about a position, for as long as there is on the clock, and tells all that it found.
    pub fn analyse(&mut self, game: &Hex) -> Analysis {
        let board = Board::of(game);
        let begun = Instant::now();
        let until = (!self.is_limited_by_nodes_alone()).then(|| begun + self.clock.whole());
        let effort = Effort { walks: self.nodes.unwrap_or(u64::MAX), until };
        let mut search = Search::new(&self.weights, self.kernel, self.threads, &board);
        let walks = search.run(effort);
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
        Analysis { candidates: tree.ranking().into_iter().map(candidate).collect(), walks, time }
    }

    fn random(&mut self, game: &Hex) -> Move {
        let moves = game.grid().all().filter_map(|cell| game.move_at(cell));
        let moves: Vec<Move> = moves.filter(|&mv| self.swaps || mv != Move::Swap).collect();
        self.rng.choice(moves).expect("Hex has a legal move until it is won")
    }

    /// Opens and swaps by rule of thumb, and goes on as is given.
    fn by_hand(&mut self, game: &Hex, go_on: impl FnOnce(&mut Engine, &Board) -> Spot) -> Move {
        let grid = game.grid();
        match game.first() {
            None => {
                let rim: Vec<Cell> = grid.all().filter(|&cell| is_fair_opening(grid, cell)).collect();
                Move::Stone(self.rng.choice(rim).expect("every board has a rim"))
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
        let until = self.until(&board);
        let effort = Effort { walks: self.walks(), until };
        let may_swap = self.swaps && game.may_swap();
        let mut rng = self.rng.fork();
        let search = self.look_at(&board);
        if game.plies() == 0 {
            let spot = fair_opening(search.judge(), &board, until, &mut rng);
            return Move::Stone(board.cell(spot));
        }
        search.run(effort);
        let best = search.tree().ranking()[0];
        // Who takes over the first stone has of it what it takes from the side to move.
        if may_swap && best.value().unwrap_or(search.tree().judgement()) < 0.0 {
            return Move::Swap;
        }
        Move::Stone(board.cell(best.spot))
    }

    /// The few moves worth a thought that the network likes best.
    fn likely(&mut self, board: &Board) -> Vec<Spot> {
        let ranking = self.look_at(board).tree().ranking();
        let worth = ranking.iter().filter(|edge| edge.proof != Proof::Lost);
        worth.take(LIKELY).map(|edge| edge.spot).collect()
    }

    /// Goes on to a position with the network's search.
    fn look_at(&mut self, board: &Board) -> &mut Search {
        let begun = Instant::now();
        let search =
            self.search.get_or_insert_with(|| Search::new(&self.weights, self.kernel, self.threads, board));
        search.go_to(board);
        self.look = begun.elapsed();
        search
    }

    /// Whether the clock leaves no time for more than a glance. A look may take some more than its move's share, since that of the
    /// next moves is less then.
    fn is_pressed(&self, game: &Hex) -> bool {
        let allowance = self.clock.allowance(own_moves_left(&Board::of(game)));
        self.clock.is_running() && (allowance.is_zero() || 2 * allowance < self.look)
    }

    /// When the move must be made, unless the number of positions is all that limits it.
    fn until(&self, board: &Board) -> Option<Instant> {
        (!self.is_limited_by_nodes_alone())
            .then(|| Instant::now() + self.clock.allowance(own_moves_left(board)))
    }

    fn is_limited_by_nodes_alone(&self) -> bool {
        self.nodes.is_some() && !self.clock.is_running()
    }

    fn walks(&self) -> u64 {
        self.nodes.unwrap_or(match self.level {
            Level::Max => u64::MAX,
            _ => LITTLE,
        })
    }
}

impl Player<Hex> for Engine {
    fn make_move(&mut self, game: &mut Hex) {
        let begun = Instant::now();
        let mv = self.choose(game);
        game.make(mv);
        self.clock.charge(begun.elapsed());
    }

    fn set_clock(&mut self, clock: OwnClock) {
        self.clock = clock;
    }
}

/// How many moves of one's own a game may still take: most end when some two fifths of the board are full.
fn own_moves_left(board: &Board) -> u32 {
    let cells = u32::from(board.size()) * u32::from(board.size());
    let made = cells - u32::from(board.empty_cells());
    ((cells * 2 / 5).saturating_sub(made) / 2).max(cells / 20).max(4)
}

/// A first move that gives neither side more than the other, as far as the network can tell by then.
fn fair_opening(judge: &mut Judge, empty: &Board, until: Option<Instant>, rng: &mut fastrand::Rng) -> Spot {
    let mut spots = openings(empty);
    rng.shuffle(&mut spots);
    let mut judged = Vec::new();
    for spot in spots {
        let mut board = empty.clone();
        board.play(spot);
        judged.push((judge.opinion(&board).value.abs(), spot));
        if until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
    }
    judged.sort_by(|one, other| one.0.total_cmp(&other.0));
    // One of the fairest few, so that games differ.
    let fairest = judged[0].0;
    judged.retain(|(unfairness, _)| *unfairness <= fairest + 0.05);
    judged[rng.usize(..judged.len())].1
}

/// First moves worth looking at: those near an edge, since all others are too strong, and of each two that are the same but for
/// half a turn, one.
fn openings(empty: &Board) -> Vec<Spot> {
    let last = empty.size() - 1;
    let near = |spot: &Spot| {
        let Cell { row, column } = empty.cell(*spot);
        let depth = row.min(column).min(last - row).min(last - column);
        depth < 2 && (row, column) <= (last - row, last - column)
    };
    empty.spots().filter(near).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::hex::Side;

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
        let puzzles = solver::tests::puzzles();
        let solved = puzzles.iter().filter(|(game, solution)| {
            Engine::new(Level::Max, 1).with_swap(false).choose(game) == Move::Stone(*solution)
        });
        let (count, solved) = (puzzles.len(), solved.count());
        assert!(solved + 2 >= count, "it solved {solved} of {count}");
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
    fn what_is_won_is_brought_to_an_end() {
        for level in [Level::Easy, Level::Medium, Level::Hard, Level::Max] {
            let mut game = Hex::new(5);
            for mv in ["1 2", "4 4", "3 1", "0 0"] {
                game.play(mv).unwrap();
            }
            let mut player = Engine::new(level, 1);
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
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
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
            let sensible = threat::sensible(&board, &mut Connections::default());
            fewer += usize::from(sensible.len() < usize::from(board.empty_cells()));
            let mut player = Engine::new(Level::Max, 1).with_nodes(Some(1)).with_swap(false);
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
        let glance = Engine::new(Level::Greedy, 5).choose(&game);
        for level in [Level::Easy, Level::Medium, Level::Hard, Level::Max] {
            let clock = OwnClock::new(Some(Duration::from_millis(1)), Duration::ZERO);
            assert_eq!(Engine::new(level, 5).with_clock(clock).choose(&game), glance, "{level}");
        }
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
