//! The search that others are checked with: it tries one move after the other to the end of the game, with nothing but memory, and gives up
//! where a side could not win with all empty cells.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::engine::hex::board::{Board, Spot, Stone};
use crate::game::hex::Side;

/// The moves of a position in which the game goes on: up to 32, each a bit.
pub struct PlainSearch {
    spots: Vec<Spot>,
    to_move: Side,
    /// By side, for each move those that it touches, directly or by stones of that side.
    touching: [Vec<u32>; 2],
    /// By side, the moves that touch its edges, directly or by its stones.
    edges: [[u32; 2]; 2],
    /// By side, how often each move has won: those that have won most are tried first (history heuristic).
    history: [Vec<u32>; 2],
    /// Whether the side to move wins, by the moves that each has made.
    known: HashMap<[u32; 2], bool>,
}

impl PlainSearch {
    pub fn new(board: &Board) -> PlainSearch {
        let mut spots: Vec<Spot> = board.empty().collect();
        assert!(board.winner().is_none() && spots.len() <= 32);
        // From the centre on, so that it ends some time.
        let middle = i32::from(board.size()) - 1;
        spots.sort_by_key(|&spot| {
            let cell = board.cell(spot);
            let (row, column) = (2 * i32::from(cell.row) - middle, 2 * i32::from(cell.column) - middle);
            row.abs() + column.abs() + (row + column).abs()
        });
        let (mut touching, mut edges) = ([Vec::new(), Vec::new()], [[0; 2]; 2]);
        for side in [Side::White, Side::Black] {
            for (index, &spot) in spots.iter().enumerate() {
                let mut touched = 0;
                for reached in reach(board, side, spot) {
                    match spots.iter().position(|&other| other == reached) {
                        Some(other) => touched |= 1 << other,
                        None if is_far(board, reached) => edges[side as usize][1] |= 1 << index,
                        None => edges[side as usize][0] |= 1 << index,
                    }
                }
                touching[side as usize].push(touched);
            }
        }
        let history = [vec![0; spots.len()], vec![0; spots.len()]];
        PlainSearch { spots, to_move: board.to_move(), touching, edges, history, known: HashMap::new() }
    }

    /// Whether the side to move wins.
    pub fn wins(&mut self) -> bool {
        self.wins_after([0; 2], self.to_move)
    }

    /// All moves that win, row by row.
    pub fn winning_moves(&mut self) -> Vec<Spot> {
        let side = self.to_move;
        let indices: Vec<usize> =
            (0..self.spots.len()).filter(|&index| self.is_win([0; 2], side, index)).collect();
        let mut winning: Vec<Spot> = indices.into_iter().map(|index| self.spots[index]).collect();
        winning.sort_unstable();
        winning
    }

    /// How many positions it has looked at.
    pub fn looked_at(&self) -> usize {
        self.known.len()
    }

    fn wins_after(&mut self, moves: [u32; 2], side: Side) -> bool {
        if let Some(&wins) = self.known.get(&moves) {
            return wins;
        }
        let wins = self.has_joined(!moves[side.other() as usize], side) && self.has_win(moves, side);
        self.known.insert(moves, wins);
        wins
    }

    fn has_win(&mut self, moves: [u32; 2], side: Side) -> bool {
        let taken = moves[0] | moves[1];
        let mut left: Vec<usize> = (0..self.spots.len()).filter(|index| taken >> index & 1 == 0).collect();
        let history = &self.history[side as usize];
        left.sort_by_key(|&index| Reverse(history[index]));
        let winning = left.into_iter().find(|&index| self.is_win(moves, side, index));
        if let Some(index) = winning {
            self.history[side as usize][index] += 1;
        }
        winning.is_some()
    }

    fn is_win(&mut self, mut moves: [u32; 2], side: Side, index: usize) -> bool {
        moves[side as usize] |= 1 << index;
        self.has_joined(moves[side as usize], side) || !self.wins_after(moves, side.other())
    }

    fn has_joined(&self, own: u32, side: Side) -> bool {
        let [near, far] = self.edges[side as usize];
        let mut reached = near & own;
        let mut new = reached;
        while new != 0 {
            let next = self.touching[side as usize][new.trailing_zeros() as usize] & own & !reached;
            reached |= next;
            new = new & (new - 1) | next;
        }
        reached & far != 0
    }
}

/// The empty cells and the painted ones of a side that touch a cell, directly or by that side's stones.
fn reach(board: &Board, side: Side, spot: Spot) -> Vec<Spot> {
    let (mut seen, mut reached, mut next) = (vec![spot], Vec::new(), 0);
    while let Some(&from) = seen.get(next) {
        next += 1;
        if from != spot && (board.is_empty(from) || is_painted(board, from)) {
            reached.push(from);
            continue;
        }
        for other in board.around(from) {
            let stone = board.stone(other);
            if (stone == Stone::Empty || stone == side.into()) && !seen.contains(&other) {
                seen.push(other);
            }
        }
    }
    reached
}

fn is_painted(board: &Board, spot: Spot) -> bool {
    let last = board.stride() - 1;
    [spot / board.stride(), spot % board.stride()].into_iter().any(|at| at == 0 || at == last)
}

/// Whether a painted spot is of the lower edge or the right one.
fn is_far(board: &Board, spot: Spot) -> bool {
    let last = board.stride() - 1;
    match board.stone(spot) {
        Stone::White => spot / board.stride() == last,
        _ => spot % board.stride() == last,
    }
}
