//! The solver as others see it: boards of all sizes, with the numbers of words that their cells need.

use std::collections::VecDeque;

use super::dfpn::{Dfpn, OutOfTime, Verdict};
use crate::engine::hex::board::{Board, Spot, Stone};
use crate::engine::search_limit::SearchLimit;
use crate::game::hex::Side;

/// The largest board that can be searched.
pub const MAX_SIZE: u8 = 16;

/// A search that remembers what it has found.
#[derive(Default)]
pub struct Solver {
    search: Option<(u8, Box<dyn Search>)>,
}

/// What is known of the moves of a position.
pub struct Moves {
    /// Those that win.
    pub winning: Vec<Spot>,
    /// Those that lose.
    pub losing: Vec<Spot>,
    /// The others. The first is looked at next.
    pub open: VecDeque<Spot>,
}

impl Moves {
    /// The moves of a position of which nothing is known.
    pub fn of(board: &Board) -> Moves {
        Moves { winning: Vec::new(), losing: Vec::new(), open: board.empty().collect() }
    }
}

impl Solver {
    /// A search that knows nothing yet.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// The side that wins a position, if the limit allows to find out, one step of which is a position that is looked at. What was
    /// found until then is remembered.
    ///
    /// # Panics
    /// If the board is larger than [`MAX_SIZE`].
    pub fn solve(&mut self, board: &Board, limit: &mut SearchLimit) -> Option<Side> {
        self.for_boards_like(board).solve(board, limit).ok()
    }

    /// Finds out about moves of a position in which the game goes on, as far as the limit allows. A move that is not decided by then
    /// comes last.
    ///
    /// # Panics
    /// If the board is larger than [`MAX_SIZE`].
    pub fn decide(&mut self, board: &Board, moves: &mut Moves, limit: &mut SearchLimit) {
        let search = self.for_boards_like(board);
        while !moves.open.is_empty() && search.decide_next(board, moves, limit).is_ok() {}
    }

    /// All moves that win a position in which the game goes on, row by row, if the limit allows to find them.
    ///
    /// # Panics
    /// If the board is larger than [`MAX_SIZE`].
    pub fn winning_moves(&mut self, board: &Board, limit: &mut SearchLimit) -> Option<Vec<Spot>> {
        let mut moves = Moves::of(board);
        self.decide(board, &mut moves, limit);
        moves.winning.sort_unstable();
        moves.open.is_empty().then_some(moves.winning)
    }

    fn for_boards_like(&mut self, board: &Board) -> &mut dyn Search {
        let size = board.size();
        if self.search.as_ref().is_some_and(|&(own, _)| own != size) {
            self.search = None;
        }
        let search = || -> Box<dyn Search> {
            match size {
                0..=8 => Box::new(Dfpn::<1>::new(size)),
                9..=11 => Box::new(Dfpn::<2>::new(size)),
                12..=MAX_SIZE => Box::new(Dfpn::<4>::new(size)),
                _ => panic!("a board of size {size} is too large to be solved"),
            }
        };
        self.search.get_or_insert_with(|| (size, search())).1.as_mut()
    }
}

/// What does not depend on how many words a set of cells has.
trait Search {
    fn solve(&mut self, board: &Board, limit: &mut SearchLimit) -> Result<Side, OutOfTime>;
    /// Decides the first open move.
    fn decide_next(
        &mut self,
        board: &Board,
        moves: &mut Moves,
        limit: &mut SearchLimit,
    ) -> Result<(), OutOfTime>;
}

impl<const W: usize> Search for Dfpn<W> {
    fn solve(&mut self, board: &Board, limit: &mut SearchLimit) -> Result<Side, OutOfTime> {
        let verdict = prove(self, board, limit)?;
        Ok(if verdict.wins { board.to_move() } else { board.to_move().other() })
    }

    fn decide_next(
        &mut self,
        board: &Board,
        moves: &mut Moves,
        limit: &mut SearchLimit,
    ) -> Result<(), OutOfTime> {
        let Some(spot) = moves.open.pop_front() else { return Ok(()) };
        let mut after = board.clone();
        after.play(spot);
        match prove(self, &after, limit) {
            Ok(Verdict { wins: false, .. }) => moves.winning.push(spot),
            Ok(Verdict { wins: true, needs }) => {
                moves.losing.push(spot);
                // Only on cells that the other side needs against this move there can be a better one.
                let is_needed = |&other: &Spot| needs.contains(board.grid().index(board.cell(other)));
                moves.losing.extend(moves.open.iter().filter(|&other| !is_needed(other)));
                moves.open.retain(is_needed);
            }
            Err(out_of_time) => {
                moves.open.push_back(spot);
                return Err(out_of_time);
            }
        }
        Ok(())
    }
}

/// Who wins a position, and by what.
pub(super) fn prove<const W: usize>(
    search: &mut Dfpn<W>,
    board: &Board,
    limit: &mut SearchLimit,
) -> Result<Verdict<W>, OutOfTime> {
    let grid = board.grid();
    let stones = [Stone::White, Stone::Black].map(|stone| {
        let own = board.spots().filter(|&spot| board.stone(spot) == stone);
        own.map(|spot| grid.index(board.cell(spot))).collect()
    });
    search.solve(stones, board.to_move(), limit)
}
