//! The classical player of Hex, which needs no network: Monte Carlo tree search with playouts in which bridges are saved and all
//! else is left to chance.

use super::board::{Board, MAX_SPOTS, Spot, Stone};
use super::must_play::sensible;
use super::virtual_connections::Connections;
use crate::engine::proof::Proof;
use crate::engine::rave_mcts::{self, MctsParameters};
use crate::engine::search_limit::SearchLimit;
use crate::game::grid::MAX_CELLS;
use crate::game::hex::Side;

/// The best move that can be found within a limit, one step of which is a playout.
///
/// # Panics
/// If the game is over.
pub fn choose(board: &Board, limit: &mut SearchLimit, rng: &mut fastrand::Rng) -> Spot {
    choose_among(board, &sensible(board, &mut Connections::default()), limit, rng)
}

/// The best of these moves, as far as can be found within a limit.
///
/// # Panics
/// If there is none.
pub fn choose_among(board: &Board, moves: &[Spot], limit: &mut SearchLimit, rng: &mut fastrand::Rng) -> Spot {
    if let [only] = *moves {
        return only;
    }
    let root = Position { board: board.clone(), last: None, winner: None };
    rave_mcts::search(&root, moves, limit, rng)
}

/// A position of the search.
#[derive(Clone)]
struct Position {
    board: Board,
    /// The last move, if it was made in the search.
    last: Option<Spot>,
    /// Who has won the playout.
    winner: Option<Side>,
}

impl rave_mcts::Position for Position {
    const PARAMETERS: MctsParameters =
        MctsParameters { prior_visits: 20.0, exploration: 0.0, rave_equivalence: 300.0, expand_after: 4.0 };
    type Prover = Connections;

    fn free(&self) -> impl Iterator<Item = Spot> {
        self.board.empty()
    }

    fn is_free(&self, spot: Spot) -> bool {
        self.board.is_empty(spot)
    }

    fn is_over(&self) -> bool {
        self.board.winner().is_some()
    }

    fn place(&mut self, spot: Spot) {
        self.board.play(spot);
        self.last = Some(spot);
    }

    /// The most for what saves a bridge, and more than else for what touches the last move or forms a bridge with it.
    fn prior(&self, spot: Spot) -> f32 {
        let Some(last) = self.last else { return 0.5 };
        let around = self.board.around(last);
        let saving = rescues(self.board.stones(), around, self.board.to_move().into());
        let saves = (0..around.len()).any(|index| saving & 1 << index != 0 && around[index] == spot);
        let stride = self.board.stride();
        let close = [1, stride - 1, stride, stride - 2, stride + 1, 2 * stride - 1];
        if saves {
            1.0
        } else if close.contains(&spot.abs_diff(last)) {
            0.7
        } else {
            0.5
        }
    }

    /// Fills the board: where the last move attacks a bridge with the cell that saves it, and at random otherwise. Who has
    /// won is looked at in the end, which is quicker than after every move, and comes to the same: only one side can.
    fn playout(&mut self, free: &mut Vec<Spot>, moves: &mut Vec<Spot>, rng: &mut fastrand::Rng) {
        let mut stones = *self.board.stones();
        let (mut own, mut other) = (Stone::from(self.board.to_move()), self.board.to_move().other().into());
        let mut last = self.last;
        loop {
            let rescue = last.and_then(|last| {
                let around = self.board.around(last);
                Some(around[pick(rescues(&stones, around, own), rng)?])
            });
            let Some(spot) = rescue.or_else(|| draw(free, &stones, rng)) else { break };
            stones[usize::from(spot)] = own;
            moves.push(spot);
            last = Some(spot);
            std::mem::swap(&mut own, &mut other);
        }
        self.winner = Some(winner(&mut stones, &self.board));
    }

    fn points(&self, root: &Position) -> f32 {
        f32::from(self.board.winner().or(self.winner) == Some(root.board.to_move()))
    }

    fn proof(&self, connections: &mut Connections) -> Proof {
        let mover = self.board.to_move().other();
        if self.board.winner().is_some() || connections.has(&self.board, mover) {
            Proof::Won
        } else if connections.has(&self.board, mover.other()) {
            Proof::Lost
        } else {
            Proof::Open
        }
    }
}

/// Which of the six cells around a move of the other side save a bridge that it attacks, as a set of bits: those that are
/// empty, between two own stones.
fn rescues(stones: &[Stone; MAX_SPOTS], around: [Spot; 6], own: Stone) -> u8 {
    let (mut owned, mut empty) = (0u8, 0u8);
    for (index, spot) in around.into_iter().enumerate() {
        let stone = stones[usize::from(spot)];
        owned |= u8::from(stone == own) << index;
        empty |= u8::from(stone == Stone::Empty) << index;
    }
    empty & (owned << 1 | owned >> 5) & (owned >> 1 | owned << 5)
}

/// The number of a bit in a set, at random.
fn pick(mut set: u8, rng: &mut fastrand::Rng) -> Option<usize> {
    if set == 0 {
        return None;
    }
    let others = set.count_ones() - 1;
    for _ in 0..if others == 0 { 0 } else { rng.u32(..=others) } {
        set &= set - 1;
    }
    Some(set.trailing_zeros() as usize)
}

/// Takes spots from a list at random until one is empty.
fn draw(free: &mut Vec<Spot>, stones: &[Stone; MAX_SPOTS], rng: &mut fastrand::Rng) -> Option<Spot> {
    while !free.is_empty() {
        let spot = free.swap_remove(rng.usize(..free.len()));
        if stones[usize::from(spot)] == Stone::Empty {
            return Some(spot);
        }
    }
    None
}

/// Who has won on a full board. Takes stones away, to know where it has been.
fn winner(stones: &mut [Stone; MAX_SPOTS], board: &Board) -> Side {
    let (stride, size) = (board.stride(), u16::from(board.size()));
    let bottom = stride * size;
    // White stones that join the top.
    let mut found = [0; MAX_CELLS];
    let mut count = 0;
    let mut reach = |spot: Spot, found: &mut [Spot; MAX_CELLS], count: &mut usize| {
        // The painted top leads nowhere else.
        if spot > stride && stones[usize::from(spot)] == Stone::White {
            stones[usize::from(spot)] = Stone::Empty;
            found[*count] = spot;
            *count += 1;
        }
    };
    for column in 1..=size {
        reach(stride + column, &mut found, &mut count);
    }
    while count > 0 {
        count -= 1;
        let spot = found[count];
        if spot > bottom {
            return Side::White;
        }
        for next in board.around(spot) {
            reach(next, &mut found, &mut count);
        }
    }
    Side::Black
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::engine::hex::HexEngine;
    use crate::engine::hex::solver::Solver;
    use crate::engine::hex::solver::tests::puzzles;
    use crate::engine::rave_mcts::Position as _;
    use crate::engine::{Engine, Level};
    use crate::game::grid::Cell;
    use crate::game::hex::{Hex, Move, is_fair_opening};
    use crate::game::{Game, Seat};

    fn games(number: u64) -> SearchLimit {
        SearchLimit::new(number, Instant::now() + Duration::from_secs(3600))
    }

    /// A position after so many moves at random, unless the game is over before.
    fn scatter(size: u8, moves: usize, rng: &mut fastrand::Rng) -> Option<Board> {
        let mut board = Board::new(size);
        for _ in 0..moves {
            let spot = rng.choice(board.empty().collect::<Vec<_>>())?;
            board.play(spot);
            if board.winner().is_some() {
                return None;
            }
        }
        Some(board)
    }

    /// The winner of a game against the greedy player, in which the first stone lies on a cell that is fair to both.
    fn play_greedy(size: u8, seat: Seat, seed: u64) -> Seat {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut greedy = HexEngine::new(Level::Greedy, seed);
        let mut game = Hex::new(size);
        let grid = game.grid();
        let fair: Vec<Cell> = grid.all().filter(|&cell| is_fair_opening(grid, cell)).collect();
        game.make(Move::Stone(rng.choice(fair).unwrap()));
        while game.winner().is_none() {
            let mv = if game.turn() == seat {
                let board = Board::of(&game);
                Move::Stone(board.cell(choose(&board, &mut games(4000), &mut rng)))
            } else {
                greedy.choose(&game)
            };
            game.make(mv);
        }
        game.outcome().unwrap().winner.unwrap()
    }

    #[test]
    fn it_beats_the_greedy_player_on_either_side() {
        let seats = [Seat(0), Seat(1)];
        let won = |seed: u64| seats.into_iter().filter(|&seat| play_greedy(9, seat, seed) == seat).count();
        let won: usize = (0..10).map(won).sum();
        assert!(won >= 18, "it won {won} of 20");
    }

    #[test]
    fn it_takes_a_win_without_playing_a_game() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut wins = 0;
        for number in 0..400 {
            let size = rng.u8(4..=9);
            let moves = usize::from(size) * usize::from(size) * 2 / 3;
            let Some(board) = scatter(size, moves, &mut rng) else { continue };
            let mover = board.to_move();
            let after = |spot| {
                let mut after = board.clone();
                after.play(spot);
                after
            };
            if board.empty().any(|spot| after(spot).winner().is_some()) {
                wins += 1;
                let after = after(choose(&board, &mut games(0), &mut rng));
                assert!(Connections::default().has(&after, mover), "position {number}");
            }
        }
        assert!(wins >= 50, "there were but {wins} positions that a move wins");
    }

    #[test]
    fn playouts_keep_bridges() {
        let mut board = Board::new(14);
        // White goes from the top to the bottom by bridges, while black puts stones on its edge.
        let white = [(1, 10), (3, 9), (5, 8), (7, 7), (9, 6), (11, 5), (12, 5)];
        for (number, (row, column)) in (0..).zip(white) {
            board.play(board.spot(Cell::new(row, column)));
            if number < 6 {
                board.play(board.spot(Cell::new(2 * number, 0)));
            }
        }
        let root = Position { board, last: None, winner: None };
        let mut rng = fastrand::Rng::with_seed(1);
        let mut white_wins = || {
            let mut position = root.clone();
            let mut free: Vec<Spot> = position.free().collect();
            let (count, mut moves) = (free.len(), Vec::new());
            position.playout(&mut free, &mut moves, &mut rng);
            moves.sort();
            moves.dedup();
            assert_eq!(moves.len(), count, "it fills the board");
            position.winner == Some(Side::White)
        };
        let won = (0..400).filter(|_| white_wins()).count();
        // A move can attack two bridges at once, of which one is lost.
        assert!(won >= 380, "white won {won} of 400");
    }

    #[test]
    fn who_has_won_a_full_board_is_as_the_rules_have_it() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for _ in 0..500 {
            let mut board = Board::new(rng.u8(2..=26));
            let mut spots: Vec<Spot> = board.spots().collect();
            rng.shuffle(&mut spots);
            let mut first = None;
            for spot in spots {
                board.play(spot);
                first = first.or(board.winner());
            }
            assert_eq!(first, Some(winner(&mut board.stones().clone(), &board)));
        }
    }

    #[test]
    fn what_it_proves_is_true() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        let (mut proven, mut solver) = (0, Solver::new());
        for _ in 0..60 {
            let moves = rng.usize(0..=6);
            let Some(board) = scatter(4, moves, &mut rng) else { continue };
            let winning = solver.winning_moves(&board, &mut games(u64::MAX)).unwrap();
            let mut limit = games(10_000);
            let chosen = choose(&board, &mut limit, &mut rng);
            if limit.steps() > 0 && !winning.is_empty() {
                assert!(winning.contains(&chosen), "{} after {moves} moves", board.cell(chosen));
                proven += 1;
            }
        }
        assert!(proven >= 20, "it proved but {proven}");
    }

    #[test]
    fn it_solves_most_puzzles() {
        let mut rng = fastrand::Rng::with_seed(1);
        let puzzles = puzzles();
        let solved = puzzles.iter().filter(|(game, solution)| {
            let board = Board::of(game);
            board.cell(choose(&board, &mut games(4000), &mut rng)) == *solution
        });
        let (count, solved) = (puzzles.len(), solved.count());
        assert!(solved * 4 >= count * 3, "it solved {solved} of {count}");
    }

    #[test]
    fn the_same_seed_chooses_the_same_move() {
        let board = Board::new(9);
        let chosen = |seed| choose(&board, &mut games(300), &mut fastrand::Rng::with_seed(seed));
        assert_eq!(chosen(1), chosen(1));
        assert!((2..12).any(|seed| chosen(seed) != chosen(1)));
    }
}
