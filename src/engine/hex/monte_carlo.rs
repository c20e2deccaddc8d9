//! The classical player of Hex, who needs no network: Monte Carlo tree search over games in which bridges are saved and
//! all else is left to chance.

use super::board::{Board, MAX_SPOTS, Spot, Stone};
use super::connection::Connections;
use super::threat::{must_play, threats};
use crate::engine::limit::Limit;
use crate::engine::monte_carlo::{self, Proof, Temper};
use crate::game::grid::MAX_CELLS;
use crate::game::hex::Side;

/// The best move that can be found within a limit, one step of which is a game that is played out.
///
/// # Panics
/// If the game is over.
pub fn choose(board: &Board, limit: &mut Limit, rng: &mut fastrand::Rng) -> Spot {
    assert!(board.winner().is_none(), "the game is over");
    let mut connections = Connections::default();
    if let Some((wins, _)) = threats(board, board.to_move(), &mut connections).next() {
        return wins;
    }
    let mut moves = must_play(board, &mut connections);
    if moves.is_empty() {
        // Nothing saves the game from one who does not err.
        moves.extend(board.empty());
    }
    let root = Position { board: board.clone(), last: None, winner: None };
    monte_carlo::search(&root, &moves, limit, rng)
}

/// A position of the search.
#[derive(Clone)]
struct Position {
    board: Board,
    /// The last move, if it was made in the search.
    last: Option<Spot>,
    /// Who has won the game that was played out.
    winner: Option<Side>,
}

impl monte_carlo::Position for Position {
    const TEMPER: Temper = Temper { curiosity: 0.0, trust: 300.0, expand_after: 4.0 };
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

    /// The most for what saves a bridge.
    fn prior(&self, spot: Spot) -> f32 {
        let attacked = self.last.map_or(0, |last| {
            rescues(self.board.stones(), self.board.around(last), self.board.to_move().into())
        });
        let saves = self.last.is_some_and(|last| {
            let around = self.board.around(last);
            (0..6).any(|index| attacked >> index & 1 == 1 && around[index] == spot)
        });
        if saves { 1.0 } else { 0.5 }
    }

    /// Fills the board: where the last move attacks a bridge with the cell that saves it, and at random otherwise. Who has
    /// won is looked at in the end, which is quicker than after every move, and comes to the same: only one side can.
    fn play_out(&mut self, free: &mut Vec<Spot>, moves: &mut Vec<Spot>, rng: &mut fastrand::Rng) {
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
    let stride = board.stride();
    let bottom = stride * u16::from(board.size());
    let mut found = [0; MAX_CELLS];
    let mut count = 0;
    let mut reach = |spot: Spot, count: &mut usize, found: &mut [Spot; MAX_CELLS]| {
        if stones[usize::from(spot)] == Stone::White {
            stones[usize::from(spot)] = Stone::Empty;
            found[*count] = spot;
            *count += 1;
        }
    };
    for spot in stride + 1..=2 * stride - 2 {
        reach(spot, &mut count, &mut found);
    }
    while count > 0 {
        count -= 1;
        let spot = found[count];
        if spot > bottom {
            return Side::White;
        }
        for next in board.around(spot) {
            // The painted top is no way to anywhere.
            if next > stride {
                reach(next, &mut count, &mut found);
            }
        }
    }
    Side::Black
}
