//! Virtual connections from edge to edge, by which a win can be seen at once: a side's stones that hold together from edge to edge by touching, or by bridges.
//!
//! Two stones form a bridge if both cells between them are empty: when the other side takes one, the second joins them. The
//! same holds for a stone on the row next to an edge's. As long as no cell is counted on twice, nothing that the other side
//! does, even if it moves next, breaks such a chain.

use super::board::{Board, Spot, Stone};
use crate::game::hex::Side;

/// Finds unbreakable chains. It keeps its memory from one position to the next.
#[derive(Default)]
pub struct Connections {
    /// Groups that have been reached, the first being the near edge.
    reached: Vec<Reached>,
    /// Stones of reached groups, with the number of their group.
    stones: Vec<(Spot, u32)>,
    seen: Vec<bool>,
}

/// A group, and the way to it.
struct Reached {
    /// The number of the group before it.
    from: u32,
    /// The empty cells that the way from there counts on; none if it touches.
    counts_on: Option<[Spot; 2]>,
}

/// The way to the far edge.
struct Way {
    last: u32,
    counts_on: Option<[Spot; 2]>,
}

impl Connections {
    /// Whether a side has an unbreakable chain.
    pub fn has(&mut self, board: &Board, side: Side) -> bool {
        self.search(board, side).is_some()
    }

    /// The cells of an unbreakable chain of a side, if it has one: its stones, and the empty ones that it counts on.
    pub fn chain(&mut self, board: &Board, side: Side) -> Option<Vec<Spot>> {
        let Way { last: mut number, counts_on } = self.search(board, side)?;
        let mut chain: Vec<Spot> = counts_on.into_iter().flatten().collect();
        while number != 0 {
            let group = &self.reached[number as usize];
            chain.extend(self.stones.iter().filter(|stone| stone.1 == number).map(|stone| stone.0));
            chain.extend(group.counts_on.into_iter().flatten());
            number = group.from;
        }
        Some(chain)
    }

    /// An empty cell of an unbreakable chain of the side to move, if it has one: where all is decided, every move keeps it so, and
    /// this one brings the end nearer.
    pub fn closing_move(&mut self, board: &Board) -> Option<Spot> {
        self.chain(board, board.to_move())?.into_iter().find(|&spot| board.is_empty(spot))
    }

    /// Goes from the near edge from group to group, on the way that counts on the fewest cells.
    fn search(&mut self, board: &Board, side: Side) -> Option<Way> {
        self.reached.clear();
        self.reached.push(Reached { from: 0, counts_on: None });
        self.stones.clear();
        self.seen.clear();
        self.seen.resize(usize::from(board.stride()) * usize::from(board.stride()), false);
        let edges = Edges::of(board, side);
        for step in 0..u16::from(board.size()) {
            let spot = edges.first + step * edges.along;
            if let Some(way) = self.reach(board, &edges, spot, 0, None) {
                return Some(way);
            }
        }
        for step in 0..u16::from(board.size()) {
            let spot = edges.first + edges.ahead + step * edges.along;
            let below = [spot - edges.ahead, spot - edges.ahead + edges.along];
            if below.iter().all(|&cell| board.stone(cell) == Stone::Empty)
                && let Some(way) = self.reach(board, &edges, spot, 0, Some(below))
            {
                return Some(way);
            }
        }
        let mut next = 0;
        while let Some(&(spot, number)) = self.stones.get(next) {
            next += 1;
            let around = board.around(spot);
            for (index, &one) in around.iter().enumerate() {
                let other = around[(index + 1) % around.len()];
                if board.stone(one) != Stone::Empty || board.stone(other) != Stone::Empty {
                    continue;
                }
                // Where both cells between are on the board, the one beyond is on it or painted.
                let beyond = one + other - spot;
                if board.stone(beyond) != edges.own || self.way_counts_on(number, [one, other]) {
                    continue;
                }
                if edges.is_far(beyond) {
                    return Some(Way { last: number, counts_on: Some([one, other]) });
                }
                if let Some(way) = self.reach(board, &edges, beyond, number, Some([one, other])) {
                    return Some(way);
                }
            }
        }
        None
    }

    /// Whether the way to a group counts on one of two cells.
    fn way_counts_on(&self, mut number: u32, cells: [Spot; 2]) -> bool {
        while number != 0 {
            let group = &self.reached[number as usize];
            if group.counts_on.iter().flatten().any(|cell| cells.contains(cell)) {
                return true;
            }
            number = group.from;
        }
        false
    }

    /// Adds the group of a stone, if there is one of the side's that is new; returns the way if it touches the far edge.
    fn reach(
        &mut self,
        board: &Board,
        edges: &Edges,
        spot: Spot,
        from: u32,
        counts_on: Option<[Spot; 2]>,
    ) -> Option<Way> {
        if board.stone(spot) != edges.own || edges.is_near(spot) || self.seen[usize::from(spot)] {
            return None;
        }
        let number = self.reached.len() as u32;
        self.reached.push(Reached { from, counts_on });
        let mut next = self.stones.len();
        self.seen[usize::from(spot)] = true;
        self.stones.push((spot, number));
        while let Some(&(stone, _)) = self.stones.get(next) {
            next += 1;
            for other in board.around(stone) {
                if board.stone(other) != edges.own || self.seen[usize::from(other)] || edges.is_near(other) {
                    continue;
                }
                if edges.is_far(other) {
                    return Some(Way { last: number, counts_on: None });
                }
                self.seen[usize::from(other)] = true;
                self.stones.push((other, number));
            }
        }
        None
    }
}

/// A side's way across the board.
struct Edges {
    own: Stone,
    /// The first cell along the near edge.
    first: Spot,
    /// One cell along it.
    along: Spot,
    /// One cell away from it.
    ahead: Spot,
    size: u16,
    stride: u16,
}

impl Edges {
    fn of(board: &Board, side: Side) -> Edges {
        let stride = board.stride();
        let (along, ahead) = match side {
            Side::White => (1, stride),
            Side::Black => (stride, 1),
        };
        Edges { own: side.into(), first: stride + 1, along, ahead, size: u16::from(board.size()), stride }
    }

    /// How far a spot is from the near edge; painted spots of it are at 0.
    fn progress(&self, spot: Spot) -> u16 {
        if self.along == 1 { spot / self.stride } else { spot % self.stride }
    }

    fn is_near(&self, spot: Spot) -> bool {
        self.progress(spot) == 0
    }

    fn is_far(&self, spot: Spot) -> bool {
        self.progress(spot) == self.size + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::grid::Cell;

    /// Whether a side wins if it is the other's turn, by trying everything.
    fn wins_by_force(board: &Board, side: Side) -> bool {
        if let Some(winner) = board.winner() {
            return winner == side;
        }
        let mut outcomes = board.empty().map(|spot| {
            let mut next = board.clone();
            next.play(spot);
            wins_by_force(&next, side)
        });
        if board.to_move() == side { outcomes.any(|won| won) } else { outcomes.all(|won| won) }
    }

    #[test]
    fn a_chain_of_bridges_is_seen() {
        let mut board = Board::new(5);
        let mut connections = Connections::default();
        for (row, column) in [(1, 2), (0, 0), (3, 1)] {
            assert!(!connections.has(&board, Side::White));
            board.play(board.spot(Cell::new(row, column)));
        }
        assert!(connections.has(&board, Side::White));
        assert!(!connections.has(&board, Side::Black));
        let mut chain = connections.chain(&board, Side::White).unwrap();
        chain.sort();
        let cells = [(0, 2), (0, 3), (1, 2), (2, 1), (2, 2), (3, 1), (4, 0), (4, 1)];
        assert_eq!(chain, cells.map(|(row, column)| board.spot(Cell::new(row, column))));
        board.play(board.spot(Cell::new(2, 2)));
        assert!(!connections.has(&board, Side::White), "one of its bridges is attacked");
    }

    #[test]
    fn whoever_has_a_chain_wins_whatever_the_other_does() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        let mut connections = Connections::default();
        let (mut chains, mut wins) = (0, 0);
        for _ in 0..6000 {
            let mut board = Board::new(rng.u8(2..=4));
            let mut spots: Vec<Spot> = board.spots().collect();
            rng.shuffle(&mut spots);
            let stones = spots.len().saturating_sub(rng.usize(1..=8));
            for &spot in &spots[..stones] {
                board.play(spot);
                if board.winner().is_some() {
                    break;
                }
            }
            let side = board.to_move().other();
            let won = wins_by_force(&board, side);
            let chain = connections.has(&board, side);
            assert!(!chain || won, "{:?} has no chain in {:?}", side, board.empty().collect::<Vec<_>>());
            chains += u32::from(chain);
            wins += u32::from(won);
        }
        println!("{chains} chains of {wins} wins");
        assert!(chains * 2 > wins, "it sees but {chains} of {wins} wins");
    }
}
