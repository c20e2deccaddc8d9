//! Monte Carlo tree search with RAVE (Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer
//! Go", 2011) and with proofs (MCTS-Solver): positions are valued by playouts, and the moves that did best so far are searched
//! most.

use super::proof::Proof;
use super::search_limit::SearchLimit;

/// A cell by its number on a game's board.
pub type Spot = u16;

/// A position as the search sees it: two sides place in turn, each on a spot that is free.
pub trait Position: Clone {
    /// How the search weighs what it knows about this game.
    const PARAMETERS: MctsParameters;
    /// Memory that [`Position::proof`] keeps from one position to the next.
    type Prover: Default;

    /// All spots that can be taken.
    fn free(&self) -> impl Iterator<Item = Spot>;
    /// Whether a spot can be taken.
    fn is_free(&self, spot: Spot) -> bool;
    /// Whether the game has ended.
    fn is_over(&self) -> bool;
    /// The side to move takes a free spot.
    fn place(&mut self, spot: Spot);
    /// What taking a spot may bring the side to move, from 0 to 1, at first sight.
    fn prior(&self, spot: Spot) -> f32;
    /// A playout (rollout): plays the game to its end by quick moves, which are added to `moves`. All free spots are in `free`,
    /// whose contents are of no use afterwards.
    fn playout(&mut self, free: &mut Vec<Spot>, moves: &mut Vec<Spot>, rng: &mut fastrand::Rng);
    /// What the game, which has ended, brings the side that was to move in `root`: from 0, a loss, to 1, a win.
    fn points(&self, root: &Self) -> f32;
    /// What is certain about the position, for the side that has just moved.
    fn proof(&self, prover: &mut Self::Prover) -> Proof;
}

/// How much a search relies on what.
pub struct MctsParameters {
    /// The playouts that a move's prior counts for.
    pub prior_visits: f32,
    /// The exploration constant of UCB1.
    pub exploration: f32,
    /// Playouts through a move after which its own results and its AMAF results count about equally: the equivalence parameter
    /// of RAVE.
    pub rave_equivalence: f32,
    /// Games through a position before its moves become part of the tree.
    pub expand_after: f32,
}

/// Where the memory of a tree ends; from then on it is only played out from its leaves.
const MOST_NODES: usize = 1_500_000;

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
    /// AMAF (all moves as first): games in which the same side made the move now or later. They say less, but there are many of
    /// them much sooner.
    amaf: Tally,
    proof: Proof,
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
    /// A move that is thought of as if it had been made in some games already, so that what looks best is tried first.
    fn new(spot: Spot, prior: f32, games: f32) -> Node {
        let amaf = Tally { games, points: games * prior };
        Node { spot, children: 0, first: 0, through: Tally::default(), amaf, proof: Proof::Open }
    }

    /// The upper confidence bound by which the next move is selected; `exploration` grows with the games that went through its
    /// position.
    fn ucb(&self, exploration: f32, rave_equivalence: f32) -> f32 {
        let games = self.through.games;
        let amaf = self.amaf.mean();
        let known = if games > 0.0 {
            let weight = (rave_equivalence / (3.0 * games + rave_equivalence)).sqrt();
            weight * amaf + (1.0 - weight) * self.through.mean()
        } else {
            amaf
        };
        known + exploration / (games + 1.0).sqrt()
    }
}

/// The natural logarithm of a number from 1 on, with straight lines between the powers of two. That of the C library would do as
/// well, but its last bit is not the same on every machine, and then the same seed does not play the same game.
fn logarithm(number: f32) -> f32 {
    const MANTISSA: f32 = (1 << 23) as f32;
    const BIAS: f32 = 127.0;
    (number.to_bits() as f32 / MANTISSA - BIAS) * std::f32::consts::LN_2
}

/// Plays games from a position until the limit is reached, one for each step, and returns the first move, of those given,
/// that most of them went through; one that is proven to win as soon as it is found.
///
/// # Panics
/// If no first move is given.
pub fn search<P: Position>(
    root: &P,
    first: &[Spot],
    limit: &mut SearchLimit,
    rng: &mut fastrand::Rng,
) -> Spot {
    assert!(!first.is_empty(), "there is a move to be chosen");
    let mut tree = Tree::new(root, first, rng);
    while tree.is_in_doubt() && limit.step() {
        tree.simulate();
    }
    tree.best()
}

/// The tree below one position.
struct Tree<'a, P: Position> {
    root: &'a P,
    rng: &'a mut fastrand::Rng,
    prover: P::Prover,
    /// Spots that are free at the root.
    free: Vec<Spot>,
    nodes: Vec<Node>,
    /// Nodes of the running game, from the root on.
    path: Vec<u32>,
    /// All moves of the running game.
    moves: Vec<Spot>,
    /// On which ply of the running game, counted from 1, each spot was taken.
    ply: Vec<u16>,
    /// Room for a list.
    scratch: Vec<Spot>,
}

impl<'a, P: Position> Tree<'a, P> {
    fn new(root: &'a P, first: &[Spot], rng: &'a mut fastrand::Rng) -> Tree<'a, P> {
        let free: Vec<Spot> = root.free().collect();
        let spots = free.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let mut tree = Tree {
            root,
            rng,
            prover: P::Prover::default(),
            free,
            nodes: vec![Node::new(0, 0.0, 1.0)],
            path: Vec::new(),
            moves: Vec::new(),
            ply: vec![0; spots],
            scratch: Vec::new(),
        };
        tree.expand(0, root, first);
        tree
    }

    /// Whether playing more games can change the choice: no move is known to win, and more than one not known to lose.
    fn is_in_doubt(&self) -> bool {
        let moves = self.children(0);
        self.nodes[0].proof == Proof::Open
            && moves.iter().filter(|node| node.proof != Proof::Lost).count() != 1
    }

    fn best(&self) -> Spot {
        let better = |one: &&Node, other: &&Node| {
            let by_games = one.through.games.total_cmp(&other.through.games);
            let by_amaf = one.amaf.mean().total_cmp(&other.amaf.mean());
            one.proof.cmp(&other.proof).then(by_games).then(by_amaf)
        };
        self.children(0).iter().max_by(better).expect("the root has children").spot
    }

    fn children(&self, node: usize) -> &[Node] {
        &self.nodes[self.nodes[node].first as usize..][..usize::from(self.nodes[node].children)]
    }

    /// Makes moves in a node's position part of the tree.
    fn expand(&mut self, node: usize, position: &P, moves: &[Spot]) {
        let first = self.nodes.len();
        let child = |&spot| Node::new(spot, position.prior(spot), P::PARAMETERS.prior_visits);
        self.nodes.extend(moves.iter().map(child));
        // Of equals the first is tried first.
        self.rng.shuffle(&mut self.nodes[first..]);
        self.nodes[node].first = first as u32;
        self.nodes[node].children = moves.len() as u16;
    }

    fn simulate(&mut self) {
        let mut position = self.root.clone();
        self.path.clear();
        self.path.push(0);
        self.moves.clear();
        let mut free = std::mem::take(&mut self.scratch);
        let proof = self.descend(&mut position, &mut free);
        self.scratch = free;
        let moved_last = self.path.len().is_multiple_of(2);
        let points = match proof {
            Proof::Open => position.points(self.root),
            proof => f32::from((proof == Proof::Won) == moved_last),
        };
        self.backup(points);
        self.backup_proof(proof);
    }

    /// Goes down the tree, and on to the end of the game unless it becomes certain how it ends: for the side that made the
    /// last move in the tree.
    fn descend(&mut self, position: &mut P, free: &mut Vec<Spot>) -> Proof {
        let mut at = 0;
        loop {
            if self.nodes[at].children == 0 {
                if self.nodes[at].through.games == 0.0 {
                    let proof = position.proof(&mut self.prover);
                    if proof != Proof::Open {
                        return proof;
                    }
                }
                if position.is_over() {
                    return Proof::Open;
                }
                free.clear();
                free.extend(self.free.iter().filter(|&&spot| position.is_free(spot)));
                if self.nodes[at].through.games < P::PARAMETERS.expand_after || self.nodes.len() >= MOST_NODES
                {
                    position.playout(free, &mut self.moves, self.rng);
                    return Proof::Open;
                }
                self.expand(at, position, free);
            }
            at = self.select_child(at);
            position.place(self.nodes[at].spot);
            self.path.push(at as u32);
            self.moves.push(self.nodes[at].spot);
        }
    }

    fn select_child(&self, node: usize) -> usize {
        let exploration = P::PARAMETERS.exploration * logarithm(self.nodes[node].through.games + 1.0).sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, child) in self.children(node).iter().enumerate() {
            let ucb = child.ucb(exploration, P::PARAMETERS.rave_equivalence);
            if ucb > best.0 && child.proof != Proof::Lost {
                best = (ucb, index);
            }
        }
        self.nodes[node].first as usize + best.1
    }

    /// Counts a game that brought the side to move at the root so many points.
    fn backup(&mut self, points: f32) {
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
                    child.amaf.add(to_move);
                }
            }
        }
        for &spot in &self.moves {
            self.ply[usize::from(spot)] = 0;
        }
    }

    /// Notes what is certain about the last move in the tree, and what follows from it for those before.
    fn backup_proof(&mut self, mut proof: Proof) {
        for depth in (0..self.path.len()).rev() {
            if proof == Proof::Open {
                return;
            }
            self.nodes[self.path[depth] as usize].proof = proof;
            let before = self.path[depth.saturating_sub(1)] as usize;
            proof = match proof {
                Proof::Won => Proof::Lost,
                Proof::Lost if self.children(before).iter().all(|node| node.proof == Proof::Lost) => {
                    Proof::Won
                }
                _ => Proof::Open,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_about_right() {
        for number in 1..100_000 {
            let (found, exact) = (logarithm(number as f32), (number as f32).ln());
            assert!((found - exact).abs() < 0.07, "{found} for {exact}");
        }
        assert_eq!(logarithm(1.0), 0.0);
    }
}
