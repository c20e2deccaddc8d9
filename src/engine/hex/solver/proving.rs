//! The solver as others see it: boards of all sizes, with the numbers of words that their cells need.

use super::cell_set::CellSet;
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

    /// All moves that win a position in which the game goes on, row by row, if the limit allows to find them.
    ///
    /// # Panics
    /// If the board is larger than [`MAX_SIZE`].
    pub fn winning_moves(&mut self, board: &Board, limit: &mut SearchLimit) -> Option<Vec<Spot>> {
        self.for_boards_like(board).winning_moves(board, limit).ok()
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
    fn winning_moves(&mut self, board: &Board, limit: &mut SearchLimit) -> Result<Vec<Spot>, OutOfTime>;
}

impl<const W: usize> Search for Dfpn<W> {
    fn solve(&mut self, board: &Board, limit: &mut SearchLimit) -> Result<Side, OutOfTime> {
        let verdict = prove(self, board, limit)?;
        Ok(if verdict.wins { board.to_move() } else { board.to_move().other() })
    }

    fn winning_moves(&mut self, board: &Board, limit: &mut SearchLimit) -> Result<Vec<Spot>, OutOfTime> {
        let grid = board.grid();
        let number = |spot| grid.index(board.cell(spot));
        let mut left: CellSet<W> = board.empty().map(number).collect();
        let mut winning = Vec::new();
        for spot in board.empty() {
            if left.contains(number(spot)) {
                let mut after = board.clone();
                after.play(spot);
                match prove(self, &after, limit)? {
                    Verdict { wins: false, .. } => winning.push(spot),
                    // Only on cells that the other side needs against this move there can be a better one.
                    Verdict { needs, .. } => left &= needs,
                }
            }
        }
        Ok(winning)
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
