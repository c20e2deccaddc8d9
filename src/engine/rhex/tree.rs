//! Monte Carlo tree search: positions are judged by quick games that are played out from them, and the moves that did best
//! so far are looked into most.

use super::position::{MAX_SPOTS, Position, Spot};
use crate::engine::limit::Limit;

/// Moves that a played-out game looks at in each position, to make the one that gains most.
const GLANCES: usize = 3;
/// How much a move is worth trying for having been tried little.
const CURIOSITY: f32 = 0.3;
/// Games through a move after which its own results count about half against those of the same move made later.
const TRUST: f32 = 300.0;
/// Games through a position before its moves become part of the tree.
const EXPAND_AFTER: f32 = 2.0;
/// Where the memory of a tree ends; from then on it is only played out from its leaves.
const MOST_NODES: usize = 1_500_000;
/// What a draw is worth to the side that thinks. Below a half: two who do not err draw, and a win takes some risk.
const DRAW: f32 = 0.3;

/// A move, and the position after it.
#[derive(Clone)]
struct Node {
    spot: Spot,
    /// How many moves can follow; none before they are part of the tree.
    children: u16,
    /// The first of them.
    first: u32,
    /// Games through this move, and what they brought the side that made it.
    through: Tally,
    /// Games in which the same side made the move now or later. They say less, but there are many of them much sooner.
    sooner_or_later: Tally,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    games: f32,
    points: f32,
}

impl Tally {
    fn add(&mut self, points: f32) {
        self.games += 1.0;
        self.points += points;
    }

    fn mean(self) -> f32 {
        self.points / self.games
    }
}

impl Node {
    fn new(spot: Spot, gain: i32) -> Node {
        // As if there had been one game, so that moves that gain most are tried first.
        let gain = gain as f32;
        let sooner_or_later = Tally { games: 1.0, points: 0.5 + 0.5 * (gain - 1.0) / (gain + 3.0) };
        Node { spot, children: 0, first: 0, through: Tally::default(), sooner_or_later }
    }

    /// How much this move deserves to be tried next; `curiosity` grows with the games that went through its position.
    fn appeal(&self, curiosity: f32) -> f32 {
        let games = self.through.games;
        let general = self.sooner_or_later.mean();
        let known = if games > 0.0 {
            let weight = (TRUST / (3.0 * games + TRUST)).sqrt();
            weight * general + (1.0 - weight) * self.through.mean()
        } else {
            general
        };
        known + curiosity / (games + 1.0).sqrt()
    }
}

/// The tree below one position.
pub struct Tree<'a> {
    root: &'a Position,
    rng: &'a mut fastrand::Rng,
    /// Spots that are free at the root.
    free: Vec<Spot>,
    nodes: Vec<Node>,
    /// Nodes of the running game, from the root on.
    path: Vec<u32>,
    /// All moves of the running game.
    moves: Vec<Spot>,
    /// On which ply of the running game, counted from 1, each spot was taken.
    ply: [u8; MAX_SPOTS],
    /// Room for a list.
    scratch: Vec<Spot>,
}

impl<'a> Tree<'a> {
    /// A tree whose first move is one of those given.
    ///
    /// # Panics
    /// If none is given.
    pub fn new(root: &'a Position, first: &[Spot], rng: &'a mut fastrand::Rng) -> Tree<'a> {
        assert!(!first.is_empty(), "there is a move to be chosen");
        let mut tree = Tree {
            root,
            rng,
            free: root.free().collect(),
            nodes: vec![Node::new(0, 0)],
            path: Vec::new(),
            moves: Vec::new(),
            ply: [0; MAX_SPOTS],
            scratch: Vec::new(),
        };
        tree.grow(0, root, first);
        tree
    }

    /// Plays games until the limit is reached, one for each step, and returns the first move that most of them went
    /// through.
    pub fn search(mut self, limit: &mut Limit) -> Spot {
        while limit.step() {
            self.play_game();
        }
        let promise = |node: &Node| (node.through.games, node.sooner_or_later.mean());
        let better = |one: &&Node, other: &&Node| {
            promise(one).0.total_cmp(&promise(other).0).then(promise(one).1.total_cmp(&promise(other).1))
        };
        self.children(0).iter().max_by(better).expect("the root has children").spot
    }

    fn children(&self, node: usize) -> &[Node] {
        &self.nodes[self.nodes[node].first as usize..][..usize::from(self.nodes[node].children)]
    }

    /// Makes moves in a node's position part of the tree.
    fn grow(&mut self, node: usize, position: &Position, moves: &[Spot]) {
        let first = self.nodes.len();
        self.nodes.extend(moves.iter().map(|&spot| Node::new(spot, position.gain(spot))));
        // Of equals the first is tried first.
        self.rng.shuffle(&mut self.nodes[first..]);
        self.nodes[node].first = first as u32;
        self.nodes[node].children = moves.len() as u16;
    }

    fn play_game(&mut self) {
        let mut position = self.root.clone();
        self.path.clear();
        self.path.push(0);
        self.moves.clear();
        let mut free = std::mem::take(&mut self.scratch);
        let mut at = 0;
        while !position.is_over() {
            if self.nodes[at].children == 0 {
                free.clear();
                free.extend(self.free.iter().filter(|&&spot| position.is_free(spot)));
                if self.nodes[at].through.games < EXPAND_AFTER || self.nodes.len() >= MOST_NODES {
                    self.play_out(&mut position, &mut free);
                    break;
                }
                self.grow(at, &position, &free);
            }
            at = self.most_appealing(at);
            position.place(self.nodes[at].spot);
            self.path.push(at as u32);
            self.moves.push(self.nodes[at].spot);
        }
        self.scratch = free;
        let points = match position.white_lead() * self.root.sign() {
            0 => DRAW,
            lead => {
                if lead > 0 {
                    1.0
                } else {
                    0.0
                }
            }
        };
        self.learn(points);
    }

    fn most_appealing(&self, node: usize) -> usize {
        let curiosity = CURIOSITY * (self.nodes[node].through.games + 1.0).ln().sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, child) in self.children(node).iter().enumerate() {
            let appeal = child.appeal(curiosity);
            if appeal > best.0 {
                best = (appeal, index);
            }
        }
        self.nodes[node].first as usize + best.1
    }

    /// Plays a game to its end, in which either side looks at a few moves of those left and makes the one that gains most.
    fn play_out(&mut self, position: &mut Position, free: &mut Vec<Spot>) {
        while !position.is_over() {
            let glance = |_| {
                let index = self.rng.usize(..free.len());
                (position.gain(free[index]), index)
            };
            let (_, index) = (0..GLANCES).map(glance).max().expect("it looks at some");
            let spot = free.swap_remove(index);
            position.place(spot);
            self.moves.push(spot);
        }
    }

    /// Counts a game that brought the side to move at the root so many points.
    fn learn(&mut self, points: f32) {
        for (ply, &spot) in (1..).zip(&self.moves) {
            self.ply[usize::from(spot)] = ply;
        }
        for (depth, &node) in self.path.iter().enumerate() {
            let to_move = if depth % 2 == 0 { points } else { 1.0 - points };
            let node = &mut self.nodes[node as usize];
            node.through.add(1.0 - to_move);
            let children = node.first as usize..node.first as usize + usize::from(node.children);
            for child in &mut self.nodes[children] {
                let ply = usize::from(self.ply[usize::from(child.spot)]);
                if ply > depth && (ply - depth) % 2 == 1 {
                    child.sooner_or_later.add(to_move);
                }
            }
        }
        for &spot in &self.moves {
            self.ply[usize::from(spot)] = 0;
        }
    }
}
