//! The tree of a PUCT search: positions with the network's evaluations and with what is proven.

use super::board::{Board, Spot, Stone};
use super::net::encoding::policy_index;
use super::net::heads::Evaluation;
use crate::engine::proof::Proof;

/// The exploration constant of PUCT: how much a move is worth trying for being likely and little tried.
const C_PUCT: f32 = 1.4;
/// First-play urgency: how much worse than its position an untried move is taken to be, once all that is likely has been tried.
const FPU_REDUCTION: f32 = 0.3;
/// Moves that a tree may hold: a hundred and fifty megabytes, and as much again while it is copied.
const MOST_EDGES: usize = 6_000_000;

/// A move in some position.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Where the stone goes.
    pub spot: Spot,
    /// The network's probability that it is the move to make.
    pub prior: f32,
    /// How often it has been tried.
    pub visits: u32,
    /// What is known for sure.
    pub proof: Proof,
    /// The sum of what came of it, for the side that makes it.
    total: f32,
    /// The position after it, if it is part of the tree.
    child: u32,
}

const NONE: u32 = u32::MAX;

impl Edge {
    /// What comes of it for the side that makes it, if it has been tried: from -1 to 1.
    pub fn value(&self) -> Option<f32> {
        match self.proof {
            Proof::Won => Some(1.0),
            Proof::Lost => Some(-1.0),
            Proof::Open => (self.visits > 0).then(|| self.total / self.visits as f32),
        }
    }
}

/// A position with a side to move.
#[derive(Clone, Copy)]
struct Node {
    first: u32,
    edges: u16,
    /// The network's evaluation, for the side to move.
    value: f32,
}

/// A simulation: the way from the root to a position that is to be evaluated.
pub struct Simulation {
    /// The position.
    pub board: Board,
    /// The nodes on the way, each with the number of the edge that was taken.
    path: Vec<(u32, u32)>,
    /// What is known about the last move already.
    known: Proof,
}

impl Simulation {
    /// Whether there is nothing to evaluate, since the last move is decided.
    pub fn is_decided(&self) -> bool {
        self.known != Proof::Open
    }
}

/// What is found at the end of a simulation.
pub enum Leaf<'a> {
    /// It is decided, for the side that has just moved.
    Proven(Proof),
    /// The network has evaluated it, for the side to move.
    Evaluated(&'a Evaluation),
}

/// All positions that have been visited below one of them.
pub struct Tree {
    root: Board,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl Tree {
    /// A tree for a position that is not over.
    pub fn new(board: &Board, evaluation: &Evaluation) -> Tree {
        let mut tree = Tree { root: board.clone(), nodes: Vec::new(), edges: Vec::new() };
        tree.restart(board, evaluation);
        tree
    }

    /// Forgets everything and begins with another position.
    pub fn restart(&mut self, board: &Board, evaluation: &Evaluation) {
        self.nodes.clear();
        self.edges.clear();
        self.root = board.clone();
        self.expand(board, evaluation);
    }

    /// Makes another position the root and keeps what is known below it; says whether it is part of the tree.
    pub fn advance(&mut self, board: &Board) -> bool {
        let Some(node) = self.find(board) else { return false };
        let (mut nodes, mut edges) = (vec![self.nodes[node as usize]], Vec::new());
        // Breadth first: a copied node still points to old edges, until it is its turn.
        let mut next = 0;
        while next < nodes.len() {
            let old = nodes[next];
            nodes[next].first = edges.len() as u32;
            for edge in &self.edges[old.first as usize..][..usize::from(old.edges)] {
                let mut edge = *edge;
                if edge.child != NONE {
                    nodes.push(self.nodes[edge.child as usize]);
                    edge.child = nodes.len() as u32 - 1;
                }
                edges.push(edge);
            }
            next += 1;
        }
        (self.nodes, self.edges) = (nodes, edges);
        self.root = board.clone();
        true
    }

    /// The node of a position that is the root's, or a move or two later.
    fn find(&self, board: &Board) -> Option<u32> {
        if board.size() != self.root.size() {
            return None;
        }
        let new: Vec<Spot> =
            board.spots().filter(|&spot| board.stone(spot) != self.root.stone(spot)).collect();
        let mut moves = new.clone();
        // The side to move at the root has made the first of them.
        moves.sort_by_key(|&spot| board.stone(spot) != Stone::from(self.root.to_move()));
        let mut reached = self.root.clone();
        let mut node = 0;
        for spot in moves {
            if new.len() > 2 || board.stone(spot) != Stone::from(reached.to_move()) {
                return None;
            }
            let edge = self.edges_of(node).iter().find(|edge| edge.spot == spot)?;
            node = (edge.child != NONE).then_some(edge.child)?;
            reached.play(spot);
        }
        (reached.to_move() == board.to_move()).then_some(node)
    }

    /// Takes all moves at the root but these for lost.
    pub fn keep_to(&mut self, moves: &[Spot]) {
        let Node { first, edges, .. } = self.nodes[0];
        for edge in &mut self.edges[first as usize..][..usize::from(edges)] {
            if !moves.contains(&edge.spot) {
                edge.proof = Proof::Lost;
            }
        }
    }

    /// The moves in the position at the root.
    pub fn moves(&self) -> &[Edge] {
        self.edges_of(0)
    }

    /// What the network says about the position at the root, for the side to move.
    pub fn root_value(&self) -> f32 {
        self.nodes[0].value
    }

    /// The moves at the root, the best first: those that win, then those that were tried most, then those that lose.
    pub fn ranking(&self) -> Vec<Edge> {
        let mut moves = self.moves().to_vec();
        moves.sort_by(|one, other| {
            let order = other.proof.cmp(&one.proof).then(other.visits.cmp(&one.visits));
            order.then(other.prior.total_cmp(&one.prior))
        });
        moves
    }

    /// The moves that are expected from a move at the root on.
    pub fn line(&self, first: &Edge) -> Vec<Spot> {
        let mut line = vec![first.spot];
        let mut child = first.child;
        while child != NONE {
            let edges = self.edges_of(child).iter();
            let likely = edges.max_by_key(|edge| (edge.proof, edge.visits));
            let Some(next) = likely.filter(|edge| edge.visits > 0) else { break };
            line.push(next.spot);
            child = next.child;
        }
        line
    }

    fn edges_of(&self, node: u32) -> &[Edge] {
        let node = self.nodes[node as usize];
        &self.edges[node.first as usize..][..usize::from(node.edges)]
    }

    /// Selects the way from the root to a position that is new, beginning with a given move, by its number, or the most promising.
    /// Until its backup the simulation counts as lost (a virtual loss), so that other threads search elsewhere.
    pub fn select(&mut self, first: Option<usize>) -> Simulation {
        let mut simulation = Simulation { board: self.root.clone(), path: Vec::new(), known: Proof::Open };
        let mut node = 0;
        loop {
            let chosen = match first {
                Some(number) if node == 0 => number,
                _ => self.select_edge(node),
            };
            let index = self.nodes[node as usize].first + chosen as u32;
            simulation.path.push((node, index));
            let edge = &mut self.edges[index as usize];
            edge.visits += 1;
            edge.total -= 1.0;
            simulation.known = edge.proof;
            if edge.proof != Proof::Open {
                return simulation;
            }
            simulation.board.play(edge.spot);
            if edge.child == NONE {
                return simulation;
            }
            node = edge.child;
        }
    }

    /// Adds what a simulation has found to the moves on its way.
    pub fn backup(&mut self, simulation: &Simulation, leaf: Leaf<'_>) {
        let &(_, last) = simulation.path.last().expect("a simulation makes a move");
        let mut value = match leaf {
            Leaf::Proven(proof) => {
                self.backup_proof(simulation, proof);
                if proof == Proof::Won { 1.0 } else { -1.0 }
            }
            Leaf::Evaluated(evaluation) => {
                // Somebody else may have been here in the meantime. In a tree that is full, what is found counts all the same.
                if self.edges[last as usize].child == NONE && self.edges.len() < MOST_EDGES {
                    self.edges[last as usize].child = self.expand(&simulation.board, evaluation);
                }
                -evaluation.value
            }
        };
        for &(_, index) in simulation.path.iter().rev() {
            self.edges[index as usize].total += 1.0 + value;
            value = -value;
        }
    }

    /// Does the same for a simulation that ended in a decided position.
    pub fn backup_decided(&mut self, simulation: &Simulation) {
        self.backup(simulation, Leaf::Proven(simulation.known));
    }

    /// Notes what is proven about the simulation's last move, and what follows from it for those before.
    fn backup_proof(&mut self, simulation: &Simulation, mut proof: Proof) {
        for &(node, index) in simulation.path.iter().rev() {
            self.edges[index as usize].proof = proof;
            proof = match proof {
                Proof::Won => Proof::Lost,
                _ if self.edges_of(node).iter().all(|edge| edge.proof == Proof::Lost) => Proof::Won,
                _ => return,
            };
        }
    }

    fn select_edge(&self, node: u32) -> usize {
        let edges = self.edges_of(node);
        let (mut visits, mut likely) = (0, 0.0);
        for edge in edges.iter().filter(|edge| edge.visits > 0) {
            visits += edge.visits;
            likely += edge.prior;
        }
        let untried = self.nodes[node as usize].value - FPU_REDUCTION * likely.sqrt();
        let exploration = C_PUCT * ((visits + 1) as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for (number, edge) in edges.iter().enumerate() {
            let value = match edge.proof {
                Proof::Won => return number,
                Proof::Lost => continue,
                Proof::Open if edge.visits > 0 => edge.total / edge.visits as f32,
                Proof::Open => untried,
            };
            let puct = value + exploration * edge.prior / (1 + edge.visits) as f32;
            if puct > best.0 {
                best = (puct, number);
            }
        }
        best.1
    }

    /// Makes a position part of the tree.
    fn expand(&mut self, board: &Board, evaluation: &Evaluation) -> u32 {
        let first = self.edges.len();
        let logit = |spot| evaluation.policy[policy_index(board, spot)];
        let most = board.empty().map(logit).fold(f32::NEG_INFINITY, f32::max);
        self.edges.extend(board.empty().map(|spot| Edge {
            spot,
            prior: (logit(spot) - most).exp(),
            visits: 0,
            proof: Proof::Open,
            total: 0.0,
            child: NONE,
        }));
        let edges = &mut self.edges[first..];
        let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
        edges.iter_mut().for_each(|edge| edge.prior /= sum);
        self.nodes.push(Node { first: first as u32, edges: edges.len() as u16, value: evaluation.value });
        self.nodes.len() as u32 - 1
    }
}
