//! Games of the network against itself, from which it learns.
//!
//! Each move is chosen by a small search that is certain to find a better distribution over the moves than the network's own,
//! however few positions it looks at: a few moves are drawn (Gumbel's trick draws without replacement), and the worse half of
//! them is dropped again and again (sequential halving). See Danihelka et al., "Policy improvement by planning with Gumbel",
//! 2022.

use std::collections::HashMap;
use std::sync::Arc;

use super::sample::Sample;
use crate::engine::hex::board::{Board, Spot};
use crate::engine::hex::net::Kernel;
use crate::engine::hex::net::encoding::{InputPlanes, Whose, policy_index};
use crate::engine::hex::net::weights::Weights;
use crate::engine::hex::puct_search::Search;
use crate::engine::proof::Proof;
use crate::game::hex::Side;

/// Moves that are drawn at the root.
const CANDIDATES: usize = 12;
/// How much the search's values weigh against the network's priors: c_scale and c_visit of the paper.
const C_SCALE: f32 = 0.3;
const C_VISIT: u32 = 50;
/// A value that is as good as won.
const SURE: f32 = 0.995;
/// A side that values its position below this is losing.
const LOSING: f32 = -0.7;
/// How much of what is to be learnt about the value is the game's result; the rest is what the search thought.
const RESULT: f32 = 0.6;

/// Plays games of a network against itself.
pub struct SelfPlay {
    search: Search,
    rng: fastrand::Rng,
    visits: u32,
    openings: HashMap<u8, Vec<f32>>,
}

/// What a small search says.
struct SearchResult {
    spot: Spot,
    /// The better distribution over the moves, in the order of the tree's.
    policy: Vec<f32>,
    value: f32,
}

impl SelfPlay {
    /// Plays with this network, looking at so many positions for each move.
    pub fn new(weights: &Arc<Weights>, visits: u32, seed: u64) -> SelfPlay {
        SelfPlay {
            search: Search::new(weights, Kernel::best(), 1, &Board::new(2)),
            rng: fastrand::Rng::with_seed(seed),
            visits,
            openings: HashMap::new(),
        }
    }

    /// Plays a game, and returns its positions.
    pub fn play(&mut self, size: u8) -> Vec<Sample> {
        let mut board = Board::new(size);
        board.play(self.opening(size));
        // Exploration noise: in every other game a side that is losing plays unlikely moves, as real opponents do. A network that
        // never meets them does not learn to bring a won game home.
        let explores_when_losing = self.rng.bool();
        let mut positions = Vec::new();
        let (winner, chain) = loop {
            if let Some(end) = self.end(&board) {
                break end;
            }
            let result = self.think(&board);
            let explores = explores_when_losing && result.value < LOSING;
            let spot = if explores { self.exploration_move() } else { result.spot };
            positions.push((board.clone(), self.sample(&board, result)));
            board.play(spot);
        };
        let finish = |(board, mut sample): (Board, Sample)| {
            let own = board.to_move() == winner;
            sample.value = RESULT * if own { 1.0 } else { -1.0 } + (1.0 - RESULT) * sample.value;
            for &spot in &chain {
                sample.chain[policy_index(&board, spot)] = if own { Whose::Own } else { Whose::Other };
            }
            sample
        };
        positions.into_iter().map(finish).collect()
    }

    /// A move drawn from a flatter distribution than the network's, so that unlikely moves are played too.
    fn exploration_move(&mut self) -> Spot {
        let moves = self.search.tree().moves();
        let weights: Vec<f32> = moves.iter().map(|edge| edge.prior.sqrt()).collect();
        moves[draw(&mut self.rng, &weights)].spot
    }

    /// Who has won and by which cells, as soon as that can be seen.
    fn end(&mut self, board: &Board) -> Option<(Side, Vec<Spot>)> {
        let sides = [board.to_move().other(), board.to_move()];
        sides
            .into_iter()
            .find_map(|side| Some((side, self.search.evaluator().connections().chain(board, side)?)))
    }

    /// A first move, most often one that the network finds to be fair.
    fn opening(&mut self, size: u8) -> Spot {
        let empty = Board::new(size);
        let weights = self.openings.entry(size).or_insert_with(|| {
            let fairness = |spot| {
                let mut board = empty.clone();
                board.play(spot);
                let value = self.search.evaluator().evaluate(&board).value;
                0.1 + (-(value / 0.4).powi(2)).exp()
            };
            empty.spots().map(fairness).collect()
        });
        let drawn = draw(&mut self.rng, weights);
        empty.spots().nth(drawn).expect("a weight for each cell")
    }

    fn think(&mut self, board: &Board) -> SearchResult {
        self.search.restart(board);
        let first: Vec<f32> =
            self.search.tree().moves().iter().map(|edge| edge.prior.max(1e-9).ln()).collect();
        let drawn: Vec<f32> =
            first.iter().map(|logit| logit - (-(self.rng.f32().max(1e-9)).ln()).ln()).collect();
        let mut candidates: Vec<usize> = (0..drawn.len()).collect();
        candidates.sort_by(|&one, &other| drawn[other].total_cmp(&drawn[one]));
        candidates.truncate(CANDIDATES);
        let rounds = candidates.len().ilog2().max(1);
        let mut left = self.visits;
        while left > 0 && !self.is_decided(&candidates) {
            let each = (self.visits / rounds / candidates.len() as u32).max(1);
            for &candidate in candidates.iter().cycle().take(candidates.len() * each as usize) {
                if left > 0 {
                    left -= 1;
                    self.search.simulate(candidate);
                }
            }
            let merit = |&candidate: &usize| {
                drawn[candidate]
                    + self.weight() * odds(self.search.tree().moves()[candidate].value().unwrap_or(-1.0))
            };
            candidates.sort_by(|one, other| merit(other).total_cmp(&merit(one)));
            candidates.truncate(candidates.len().div_ceil(2).max(2));
        }
        self.conclude(&first, candidates[0])
    }

    fn is_decided(&self, candidates: &[usize]) -> bool {
        candidates.iter().any(|&candidate| self.search.tree().moves()[candidate].proof == Proof::Won)
    }

    /// How much a value weighs against a logarithm of a probability.
    fn weight(&self) -> f32 {
        let most = self.search.tree().moves().iter().map(|edge| edge.visits).max().unwrap_or(0);
        C_SCALE * (C_VISIT + most) as f32
    }

    fn conclude(&self, first: &[f32], chosen: usize) -> SearchResult {
        let moves = self.search.tree().moves();
        let chosen = moves.iter().position(|edge| edge.proof == Proof::Won).unwrap_or(chosen);
        // What was not tried is taken to be as good as what was, on average, and as the network thinks.
        let (mut likely, mut sum, mut visits) = (0.0, 0.0, 0);
        for edge in moves {
            if let Some(value) = edge.value() {
                likely += edge.prior;
                sum += edge.prior * value;
                visits += edge.visits;
            }
        }
        let tried = if likely > 0.0 { sum / likely } else { 0.0 };
        let untried = (self.search.tree().root_value() + visits as f32 * tried) / (1 + visits) as f32;
        let weight = self.weight();
        let values: Vec<f32> = moves.iter().map(|edge| edge.value().unwrap_or(untried)).collect();
        let logits: Vec<f32> =
            first.iter().zip(&values).map(|(logit, value)| logit + weight * odds(*value)).collect();
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut policy: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f32 = policy.iter().sum();
        policy.iter_mut().for_each(|share| *share /= sum);
        let value = policy.iter().zip(&values).map(|(share, value)| share * value).sum();
        SearchResult { spot: moves[chosen].spot, policy, value }
    }

    /// A sample that lacks the game's end.
    fn sample(&self, board: &Board, result: SearchResult) -> Sample {
        let cells = board.grid().cells();
        let mut policy = vec![0; cells].into_boxed_slice();
        for (edge, share) in self.search.tree().moves().iter().zip(result.policy) {
            policy[policy_index(board, edge.spot)] = (share * f32::from(u16::MAX)).round() as u16;
        }
        Sample {
            size: board.size(),
            stones: InputPlanes::of(board).cells().collect(),
            policy,
            value: result.value,
            chain: vec![Whose::Nobody; cells].into_boxed_slice(),
        }
    }
}

/// Half the logarithm of the odds of winning that a value means. From 0.95 to a proven win is as far a way as from 0 to 0.8:
/// who counts in values never learns to bring a won game home.
fn odds(value: f32) -> f32 {
    value.clamp(-SURE, SURE).atanh()
}

/// The number of one of these weights, as likely as they say.
pub fn draw(rng: &mut fastrand::Rng, weights: &[f32]) -> usize {
    let mut ticket = rng.f32() * weights.iter().sum::<f32>();
    let drawn = weights.iter().position(|weight| {
        ticket -= weight;
        ticket < 0.0
    });
    drawn.unwrap_or(0)
}
