//! The tree of positions that a search has looked at, judged by the network and by what is proven.

use super::board::{Board, Spot};
use super::connection::Connections;
use super::net::Network;
use super::net::sight::{Sight, seen_at};

/// How much a move is worth trying for being likely and little tried.
const CURIOSITY: f32 = 1.4;
/// How much worse than its position an untried move is taken to be, once all that is likely has been tried.
const DOUBT: f32 = 0.3;
/// Positions that a tree may hold; each takes some kilobytes.
const MOST_NODES: usize = 150_000;

/// What is known for sure about a move, for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing.
    Open,
    /// It wins.
    Won,
    /// It loses.
    Lost,
}

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
    /// The network's judgement, for the side to move.
    value: f32,
}

/// All positions that have been looked at below one of them.
pub struct Tree {
    network: Network,
    connections: Connections,
    root: Board,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The running walk: edges from the root on.
    path: Vec<u32>,
    /// The node of each edge of the walk.
    walked: Vec<u32>,
}

impl Tree {
    /// A tree for a position that is not decided, not even in a way that can be seen at once.
    pub fn new(network: Network, board: &Board) -> Tree {
        let mut tree = Tree {
            network,
            connections: Connections::default(),
            root: board.clone(),
            nodes: Vec::new(),
            edges: Vec::new(),
            path: Vec::new(),
            walked: Vec::new(),
        };
        tree.expand(board);
        tree
    }

    /// Forgets everything and begins with another position.
    pub fn restart(&mut self, board: &Board) {
        self.nodes.clear();
        self.edges.clear();
        self.root = board.clone();
        self.expand(board);
    }

    /// Finds the position after some moves from the root and makes it the root, keeping what is known below it. Where it is
    /// not known, begins anew.
    pub fn advance(&mut self, board: &Board, moves: &[Spot]) {
        let mut node = Some(0);
        for spot in moves {
            node = node.and_then(|node| {
                let edge = self.edges_of(node).iter().find(|edge| edge.spot == *spot)?;
                (edge.child != NONE).then_some(edge.child)
            });
        }
        let Some(node) = node else { return self.restart(board) };
        let (mut nodes, mut edges) = (vec![self.nodes[node as usize]], Vec::new());
        // Breadth first: a copied node's edges still point to old nodes, until it is its turn.
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
    }

    /// The network that judges.
    pub fn network(&mut self) -> &mut Network {
        &mut self.network
    }

    /// The position at the root.
    pub fn board(&self) -> &Board {
        &self.root
    }

    /// The moves in the position at the root.
    pub fn moves(&self) -> &[Edge] {
        self.edges_of(0)
    }

    /// What the network says about the position at the root, for the side to move.
    pub fn judgement(&self) -> f32 {
        self.nodes[0].value
    }

    /// How often a move at the root has been tried.
    pub fn visits(&self) -> u32 {
        self.moves().iter().map(|edge| edge.visits).sum()
    }

    /// Whether there is no room for more.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= MOST_NODES
    }

    /// The best move known: one that wins, or else the one that was tried most and does not lose.
    pub fn best(&self) -> &Edge {
        let key = |edge: &Edge| {
            let rank = match edge.proof {
                Proof::Won => 2,
                Proof::Open => 1,
                Proof::Lost => 0,
            };
            (rank, edge.visits, edge.prior)
        };
        let better = |one: &&Edge, other: &&Edge| {
            let (one, other) = (key(one), key(other));
            (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2))
        };
        self.moves().iter().max_by(better).expect("an undecided position has a move")
    }

    /// The moves that are expected from a move at the root on.
    pub fn line(&self, first: &Edge) -> Vec<Spot> {
        let mut line = vec![first.spot];
        let mut child = first.child;
        while child != NONE {
            let Some(next) =
                self.edges_of(child).iter().max_by_key(|edge| (edge.proof == Proof::Won, edge.visits))
            else {
                break;
            };
            if next.visits == 0 {
                break;
            }
            line.push(next.spot);
            child = next.child;
        }
        line
    }

    fn edges_of(&self, node: u32) -> &[Edge] {
        let node = self.nodes[node as usize];
        &self.edges[node.first as usize..][..usize::from(node.edges)]
    }

    /// Walks once from the root to a position that is new, beginning with a given move, by its number, or the most promising.
    pub fn walk(&mut self, first: Option<usize>) {
        let mut board = self.root.clone();
        self.path.clear();
        self.walked.clear();
        let mut node = 0;
        let value = loop {
            let chosen = match first {
                Some(number) if node == 0 => number,
                _ => self.most_promising(node),
            };
            let index = self.nodes[node as usize].first + chosen as u32;
            self.path.push(index);
            self.walked.push(node);
            let edge = self.edges[index as usize];
            if edge.proof != Proof::Open {
                break edge.value().expect("what is proven has a value");
            }
            board.play(edge.spot);
            if edge.child != NONE {
                node = edge.child;
                continue;
            }
            match self.prove(&board) {
                Proof::Open => {
                    let child = self.expand(&board);
                    self.edges[index as usize].child = child;
                    break -self.nodes[child as usize].value;
                }
                proof => {
                    self.conclude(proof);
                    break if proof == Proof::Won { 1.0 } else { -1.0 };
                }
            }
        };
        self.learn(value);
    }

    /// What can be seen at once about a position, for the side that has just moved.
    fn prove(&mut self, board: &Board) -> Proof {
        let mover = board.to_move().other();
        if board.winner().is_some() || self.connections.has(board, mover) {
            Proof::Won
        } else if self.connections.has(board, mover.other()) {
            Proof::Lost
        } else {
            Proof::Open
        }
    }

    /// Notes what is proven about the walk's last move, and what follows from it for those before.
    fn conclude(&mut self, mut proof: Proof) {
        for depth in (0..self.path.len()).rev() {
            self.edges[self.path[depth] as usize].proof = proof;
            proof = match proof {
                Proof::Won => Proof::Lost,
                Proof::Lost
                    if self.edges_of(self.walked[depth]).iter().all(|edge| edge.proof == Proof::Lost) =>
                {
                    Proof::Won
                }
                _ => return,
            };
        }
    }

    /// Counts a walk that came to this for the side that made its last move.
    fn learn(&mut self, mut value: f32) {
        for &index in self.path.iter().rev() {
            let edge = &mut self.edges[index as usize];
            edge.visits += 1;
            edge.total += value;
            value = -value;
        }
    }

    fn most_promising(&self, node: u32) -> usize {
        let edges = self.edges_of(node);
        let (mut visits, mut likely) = (0, 0.0);
        for edge in edges.iter().filter(|edge| edge.visits > 0) {
            visits += edge.visits;
            likely += edge.prior;
        }
        let untried = self.nodes[node as usize].value - DOUBT * likely.sqrt();
        let curiosity = CURIOSITY * ((visits + 1) as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for (number, edge) in edges.iter().enumerate() {
            let value = match edge.proof {
                Proof::Won => return number,
                Proof::Lost => continue,
                Proof::Open if edge.visits > 0 => edge.total / edge.visits as f32,
                Proof::Open => untried,
            };
            let promise = value + curiosity * edge.prior / (1 + edge.visits) as f32;
            if promise > best.0 {
                best = (promise, number);
            }
        }
        best.1
    }

    /// Makes a position part of the tree.
    fn expand(&mut self, board: &Board) -> u32 {
        let judgement = self.network.judge(&Sight::of(board));
        let first = self.edges.len();
        let logit = |spot| judgement.policy[seen_at(board, spot)];
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
        self.nodes.push(Node { first: first as u32, edges: edges.len() as u16, value: judgement.value });
        self.nodes.len() as u32 - 1
    }
}
