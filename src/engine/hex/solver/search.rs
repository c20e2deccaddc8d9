//! Exact search on small boards: who wins a position if nobody errs.
//!
//! Whoever is proven to win needs certain empty cells for it and no others. So when a move loses, only moves on the cells
//! that the other side needs against it can be better: they alone take something from its way of winning. A position is lost
//! once no cell is left that all of the other side's wins so far need.

use super::cell_set::{CellSet, bit, cells};
use super::move_order::MoveOrder;
use super::transposition::{Key, TranspositionTable, Verdict};
use crate::engine::hex::board::{Board, Spot};
use crate::engine::hex::must_play::threats;
use crate::engine::hex::virtual_connections::Connections;
use crate::engine::search_limit::SearchLimit;
use crate::game::hex::Side;

/// The largest board that can be searched.
pub const MAX_SIZE: u8 = 8;

/// The limit was reached.
pub(super) struct OutOfTime;

/// A search that remembers what it has found.
pub struct Solver {
    connections: Connections,
    order: MoveOrder,
    table: TranspositionTable,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A search that knows nothing yet.
    pub fn new() -> Solver {
        Solver {
            connections: Connections::default(),
            order: MoveOrder::new(1),
            table: TranspositionTable::new(),
        }
    }

    /// The side that wins a position, if the limit allows to find out, one step of which is a position that is looked at.
    ///
    /// # Panics
    /// If the board is larger than [`MAX_SIZE`].
    pub fn solve(&mut self, board: &Board, limit: &mut SearchLimit) -> Option<Side> {
        self.prepare(board);
        let verdict = self.search(board, limit).ok()?;
        Some(if verdict.wins { board.to_move() } else { board.to_move().other() })
    }

    /// All moves that win a position in which the game goes on, row by row, if the limit allows to find them.
    ///
    /// # Panics
    /// If the board is larger than [`MAX_SIZE`].
    pub fn winning_moves(&mut self, board: &Board, limit: &mut SearchLimit) -> Option<Vec<Spot>> {
        self.prepare(board);
        let mut winning = Vec::new();
        let mut left = cells(board, board.empty());
        for spot in self.order.sort(board, left) {
            if left & bit(board, spot) == 0 {
                continue;
            }
            match self.search(&after(board, spot), limit).ok()? {
                Verdict { wins: false, .. } => winning.push(spot),
                Verdict { needs, .. } => left &= needs,
            }
        }
        winning.sort();
        Some(winning)
    }

    pub(super) fn prepare(&mut self, board: &Board) {
        assert!(board.size() <= MAX_SIZE, "a board of size {} is too large to be solved", board.size());
        if self.order.size() != board.size() {
            self.order = MoveOrder::new(board.size());
            self.table = TranspositionTable::new();
        }
    }

    pub(super) fn search(&mut self, board: &Board, limit: &mut SearchLimit) -> Result<Verdict, OutOfTime> {
        if board.winner().is_some() {
            return Ok(Verdict { wins: false, needs: 0 });
        }
        if !limit.step() {
            return Err(OutOfTime);
        }
        let key = Key::of(board);
        if let Some(verdict) = self.table.find(key) {
            return Ok(verdict);
        }
        let verdict = match self.static_result(board) {
            StaticResult::Decided(verdict) => verdict,
            StaticResult::Open { left, needs } => self.try_moves(board, left, needs, limit)?,
        };
        self.table.store(key, verdict);
        Ok(verdict)
    }

    /// What chains tell about a position, made already or by the next move.
    fn static_result(&mut self, board: &Board) -> StaticResult {
        let (own, other) = (board.to_move(), board.to_move().other());
        if let Some(chain) = self.connections.chain(board, other) {
            let needs = cells(board, chain.into_iter().filter(|&spot| board.is_empty(spot)));
            return StaticResult::Decided(Verdict { wins: false, needs });
        }
        if let Some((_, needed)) = threats(board, own, &mut self.connections).next() {
            return StaticResult::Decided(Verdict { wins: true, needs: cells(board, needed) });
        }
        let (mut left, mut needs) = (cells(board, board.empty()), 0);
        for (_, needed) in threats(board, other, &mut self.connections) {
            let needed = cells(board, needed);
            if left & !needed != 0 {
                left &= needed;
                needs |= needed;
            }
        }
        StaticResult::Open { left, needs }
    }

    /// Tries the moves that are left; against all others the other side wins by what it `needs`.
    fn try_moves(
        &mut self,
        board: &Board,
        mut left: CellSet,
        mut needs: CellSet,
        limit: &mut SearchLimit,
    ) -> Result<Verdict, OutOfTime> {
        for spot in self.order.sort(board, left) {
            let taken = bit(board, spot);
            if left & taken == 0 {
                continue;
            }
            let reply = self.search(&after(board, spot), limit)?;
            if !reply.wins {
                return Ok(Verdict { wins: true, needs: reply.needs | taken });
            }
            left &= reply.needs;
            needs |= reply.needs;
        }
        Ok(Verdict { wins: false, needs })
    }
}

/// What can be seen of a position without trying moves.
enum StaticResult {
    Decided(Verdict),
    /// Only the moves that are left can win; against all others the other side wins by what it needs.
    Open {
        left: CellSet,
        needs: CellSet,
    },
}

pub(super) fn after(board: &Board, spot: Spot) -> Board {
    let mut after = board.clone();
    after.play(spot);
    after
}
