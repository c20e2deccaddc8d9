//! Tree search with the network, on one thread or on several: PUCT (Silver et al., "Mastering the game of Go without human
//! knowledge", 2017) with proofs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::board::Board;
use super::evaluator::Evaluator;
use super::must_play::sensible;
use super::net::Kernel;
use super::net::weights::Weights;
use super::puct_tree::Tree;
use crate::engine::proof::Proof;

/// Simulations between two checks of whether it is still open which move will be the best.
const CHECK_EVERY: u64 = 16;

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub struct SearchBudget {
    /// After so many simulations.
    pub simulations: u64,
    /// At this time at the latest.
    pub deadline: Option<Instant>,
}

/// A search that goes on from one position of a game to the next.
pub struct Search {
    tree: Tree,
    evaluators: Vec<Evaluator>,
}

impl Search {
    /// A search with this network on so many threads, beginning with a position that is not over.
    pub fn new(weights: &Arc<Weights>, kernel: Kernel, threads: usize, board: &Board) -> Search {
        let mut evaluators: Vec<Evaluator> =
            (0..threads.max(1)).map(|_| Evaluator::new(weights, kernel)).collect();
        let tree = Tree::new(board, &evaluators[0].evaluate_symmetrised(board));
        Search { tree, evaluators }
    }

    /// Goes to a position, keeping what is known about it, and finds out which moves are worth a thought.
    pub fn go_to(&mut self, board: &Board) {
        if !self.tree.advance(board) {
            self.restart(board);
        }
        self.tree.keep_to(&sensible(board, self.evaluators[0].connections()));
    }

    /// Goes to a position, and forgets all that is known.
    pub fn restart(&mut self, board: &Board) {
        self.tree.restart(board, &self.evaluators[0].evaluate_symmetrised(board));
    }

    /// What has been found.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// An evaluator, for single positions.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.evaluators[0]
    }

    /// Makes one simulation, beginning with a given move, by its number.
    pub fn simulate(&mut self, first: usize) {
        let simulation = self.tree.select(Some(first));
        if simulation.is_decided() {
            self.tree.backup_decided(&simulation);
        } else {
            let leaf = self.evaluators[0].evaluate_leaf(&simulation.board);
            self.tree.backup(&simulation, leaf);
        }
    }

    /// Makes simulations until the budget is spent, or cannot change the choice any more; returns how many there were.
    pub fn run(&mut self, budget: SearchBudget) -> u64 {
        let progress =
            Mutex::new(Progress { tree: &mut self.tree, simulations: 0, begun: Instant::now(), budget });
        if let [evaluator] = &mut self.evaluators[..] {
            work(evaluator, &progress);
        } else {
            let progress = &progress;
            thread::scope(|scope| {
                for evaluator in &mut self.evaluators {
                    scope.spawn(move || work(evaluator, progress));
                }
            });
        }
        progress.into_inner().unwrap_or_else(PoisonError::into_inner).simulations
    }
}

/// What the threads of a search share.
struct Progress<'a> {
    tree: &'a mut Tree,
    simulations: u64,
    begun: Instant,
    budget: SearchBudget,
}

fn work(evaluator: &mut Evaluator, progress: &Mutex<Progress<'_>>) {
    // A panic elsewhere ends the search anyway.
    let lock = || -> MutexGuard<'_, Progress<'_>> { progress.lock().unwrap_or_else(PoisonError::into_inner) };
    loop {
        let mut progress = lock();
        if progress.is_done() {
            return;
        }
        progress.simulations += 1;
        let simulation = progress.tree.select(None);
        if simulation.is_decided() {
            progress.tree.backup_decided(&simulation);
            continue;
        }
        drop(progress);
        let leaf = evaluator.evaluate_leaf(&simulation.board);
        lock().tree.backup(&simulation, leaf);
    }
}

impl Progress<'_> {
    fn is_done(&self) -> bool {
        let now = Instant::now();
        self.simulations >= self.budget.simulations
            || self.budget.deadline.is_some_and(|deadline| now >= deadline)
            || (self.simulations.is_multiple_of(CHECK_EVERY) && self.is_clear(now))
    }

    /// Whether the rest of the budget cannot change the choice: a win is found, there is only one move that does not lose, or the
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
        open <= 1 || u64::from(first - second) > self.simulations_left(now)
    }

    fn simulations_left(&self, now: Instant) -> u64 {
        let by_number = self.budget.simulations - self.simulations;
        let Some(deadline) = self.budget.deadline else { return by_number };
        let used = (now - self.begun).as_secs_f64();
        // Before there is anything to go by, there may be any number.
        if self.simulations == 0 || used == 0.0 {
            return by_number;
        }
        let by_time = (deadline - now).as_secs_f64() * self.simulations as f64 / used;
        by_number.min(by_time as u64)
    }
}
