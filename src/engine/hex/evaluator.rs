//! Evaluating single positions: by what is proven, and else by the network.

use std::sync::Arc;

use super::board::Board;
use super::net::encoding::InputPlanes;
use super::net::heads::Evaluation;
use super::net::weights::Weights;
use super::net::{Kernel, Network};
use super::puct_tree::Leaf;
use super::virtual_connections::Connections;
use crate::engine::proof::Proof;

/// Evaluates positions, one at a time.
pub struct Evaluator {
    network: Network,
    connections: Connections,
}

impl Evaluator {
    /// An evaluator with this network.
    pub fn new(weights: &Arc<Weights>, kernel: Kernel) -> Evaluator {
        Evaluator { network: Network::new(Arc::clone(weights), kernel), connections: Connections::default() }
    }

    /// What the network says, whether or not it can be seen at once who wins.
    pub fn evaluate(&mut self, board: &Board) -> &Evaluation {
        self.network.evaluate(&InputPlanes::of(board))
    }

    /// The mean of what the network says about the board and about the board turned by half a turn, which is the same game: the
    /// mean of two evaluations errs less than one.
    pub fn evaluate_symmetrised(&mut self, board: &Board) -> Evaluation {
        let input = InputPlanes::of(board);
        let mut mean = self.network.evaluate(&input).clone();
        let turned = self.network.evaluate(&input.turned());
        let cells = board.grid().cells();
        mean.value = (mean.value + turned.value) / 2.0;
        for (logit, other) in mean.policy[..cells].iter_mut().zip(turned.policy[..cells].iter().rev()) {
            *logit = (*logit + other) / 2.0;
        }
        mean
    }

    /// Finds unbreakable chains.
    pub fn connections(&mut self) -> &mut Connections {
        &mut self.connections
    }

    /// What is proven about a position; of one that is open, what the network says.
    pub fn evaluate_leaf(&mut self, board: &Board) -> Leaf<'_> {
        let mover = board.to_move().other();
        if board.winner().is_some() || self.connections.has(board, mover) {
            Leaf::Proven(Proof::Won)
        } else if self.connections.has(board, mover.other()) {
            Leaf::Proven(Proof::Lost)
        } else {
            Leaf::Evaluated(self.evaluate(board))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::hex::net::shipped;

    #[test]
    fn a_symmetrised_evaluation_is_the_same_from_both_ends() {
        let (size, moves) = (7, [9, 12, 30, 17, 24]);
        let cells = usize::from(size) * usize::from(size);
        let after = |number: &dyn Fn(usize) -> usize| {
            let mut board = Board::new(size);
            let spots: Vec<_> = board.spots().collect();
            moves.into_iter().for_each(|mv| board.play(spots[number(mv)]));
            board
        };
        let mut evaluator = Evaluator::new(&shipped(), Kernel::best());
        let here = evaluator.evaluate_symmetrised(&after(&|mv| mv));
        let there = evaluator.evaluate_symmetrised(&after(&|mv| cells - 1 - mv));
        assert_eq!(here.value, there.value);
        assert!(here.policy[..cells].iter().eq(there.policy[..cells].iter().rev()));
    }
}
