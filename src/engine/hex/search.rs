//! Searching with the network: walks through the tree, on one thread or on several.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::board::Board;
use super::connection::Connections;
use super::net::heads::Judgement;
use super::net::sight::Sight;
use super::net::weights::Weights;
use super::net::{Kernel, Network};
use super::threat::sensible;
use super::tree::{Finding, Tree};
use crate::engine::monte_carlo::Proof;

/// Walks between two looks at whether it is still open which move will be the best.
const LOOK: u64 = 16;

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// After so many walks.
    pub walks: u64,
    /// At this time at the latest.
    pub until: Option<Instant>,
}

/// Looks at positions, one at a time.
pub struct Judge {
    network: Network,
    connections: Connections,
}

impl Judge {
    /// One who judges by a network.
    pub fn new(weights: &Arc<Weights>, kernel: Kernel) -> Judge {
        Judge { network: Network::new(Arc::clone(weights), kernel), connections: Connections::default() }
    }

    /// What the network says, whether or not it can be seen at once who wins.
    pub fn opinion(&mut self, board: &Board) -> &Judgement {
        self.network.judge(&Sight::of(board))
    }

    /// What the network says after seeing the board from both ends: it errs less in two looks than in one.
    pub fn considered_opinion(&mut self, board: &Board) -> Judgement {
        let sight = Sight::of(board);
        let mut mean = self.network.judge(&sight).clone();
        let turned = self.network.judge(&sight.turned());
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

    fn look(&mut self, board: &Board) -> Finding<'_> {
        let mover = board.to_move().other();
        if board.winner().is_some() || self.connections.has(board, mover) {
            Finding::Proven(Proof::Won)
        } else if self.connections.has(board, mover.other()) {
            Finding::Proven(Proof::Lost)
        } else {
            Finding::Judged(self.opinion(board))
        }
    }
}

/// A search that goes on from one position of a game to the next.
pub struct Search {
    tree: Tree,
    judges: Vec<Judge>,
}

impl Search {
    /// A search with this network on so many threads, beginning with a position that is not over.
    pub fn new(weights: &Arc<Weights>, kernel: Kernel, threads: usize, board: &Board) -> Search {
        let mut judges: Vec<Judge> = (0..threads.max(1)).map(|_| Judge::new(weights, kernel)).collect();
        let tree = Tree::new(board, &judges[0].considered_opinion(board));
        Search { tree, judges }
    }

    /// Goes to a position, keeping what is known about it, and looks which moves are worth a thought.
    pub fn go_to(&mut self, board: &Board) {
        if !self.tree.advance(board) {
            self.restart(board);
        }
        self.tree.keep_to(&sensible(board, self.judges[0].connections()));
    }

    /// Goes to a position, and forgets all that is known.
    pub fn restart(&mut self, board: &Board) {
        self.tree.restart(board, &self.judges[0].considered_opinion(board));
    }

    /// What has been found.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// One who judges alone.
    pub fn judge(&mut self) -> &mut Judge {
        &mut self.judges[0]
    }

    /// Walks once, beginning with a given move, by its number.
    pub fn walk(&mut self, first: usize) {
        let walk = self.tree.walk(Some(first));
        if walk.is_decided() {
            self.tree.conclude_decided(&walk);
        } else {
            let finding = self.judges[0].look(&walk.board);
            self.tree.conclude(&walk, finding);
        }
    }

    /// Walks until the effort is made, or it cannot change the choice any more; returns how many walks that were.
    pub fn run(&mut self, effort: Effort) -> u64 {
        let progress = Mutex::new(Progress { tree: &mut self.tree, walks: 0, begun: Instant::now(), effort });
        if let [judge] = &mut self.judges[..] {
            work(judge, &progress);
        } else {
            let progress = &progress;
            thread::scope(|scope| {
                for judge in &mut self.judges {
                    scope.spawn(move || work(judge, progress));
                }
            });
        }
        progress.into_inner().unwrap_or_else(PoisonError::into_inner).walks
    }
}

/// What the threads of a search share.
struct Progress<'a> {
    tree: &'a mut Tree,
    walks: u64,
    begun: Instant,
    effort: Effort,
}

fn work(judge: &mut Judge, progress: &Mutex<Progress<'_>>) {
    // A panic elsewhere ends the search anyway.
    let lock = || -> MutexGuard<'_, Progress<'_>> { progress.lock().unwrap_or_else(PoisonError::into_inner) };
    loop {
        let mut progress = lock();
        if progress.is_done() {
            return;
        }
        progress.walks += 1;
        let walk = progress.tree.walk(None);
        if walk.is_decided() {
            progress.tree.conclude_decided(&walk);
            continue;
        }
        drop(progress);
        let finding = judge.look(&walk.board);
        lock().tree.conclude(&walk, finding);
    }
}

impl Progress<'_> {
    fn is_done(&self) -> bool {
        let now = Instant::now();
        self.walks >= self.effort.walks
            || self.effort.until.is_some_and(|until| now >= until)
            || (self.walks.is_multiple_of(LOOK) && self.is_clear(now))
    }

    /// Whether the rest of the effort cannot change the choice: a win is found, there is only one move that does not lose, or the
    /// leader cannot be overtaken.
    fn is_clear(&self, now: Instant) -> bool {
        let (mut first, mut second, mut open) = (0, 0, 0);
        for edge in self.tree.moves() {
            match edge.proof {
                Proof::Won => return true,
                Proof::Lost => {}
                Proof::Open => {
                    open += 1;
                    if edge.visits > first {
                        (first, second) = (edge.visits, first);
                    } else if edge.visits > second {
                        second = edge.visits;
                    }
                }
            }
        }
        open <= 1 || u64::from(first - second) > self.walks_left(now)
    }

    fn walks_left(&self, now: Instant) -> u64 {
        let by_number = self.effort.walks - self.walks;
        let Some(until) = self.effort.until else { return by_number };
        let used = (now - self.begun).as_secs_f64();
        // Before there is anything to go by, there may be any number.
        if self.walks == 0 || used == 0.0 {
            return by_number;
        }
        let by_time = (until - now).as_secs_f64() * self.walks as f64 / used;
        by_number.min(by_time as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::hex::net::shipped;

    #[test]
    fn a_considered_opinion_is_the_same_from_both_ends() {
        let (size, moves) = (7, [9, 12, 30, 17, 24]);
        let cells = usize::from(size) * usize::from(size);
        let after = |number: &dyn Fn(usize) -> usize| {
            let mut board = Board::new(size);
            let spots: Vec<_> = board.spots().collect();
            moves.into_iter().for_each(|mv| board.play(spots[number(mv)]));
            board
        };
        let mut judge = Judge::new(&shipped(), Kernel::best());
        let here = judge.considered_opinion(&after(&|mv| mv));
        let there = judge.considered_opinion(&after(&|mv| cells - 1 - mv));
        assert_eq!(here.value, there.value);
        assert!(here.policy[..cells].iter().eq(there.policy[..cells].iter().rev()));
    }
}
