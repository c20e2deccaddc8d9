//! Depth-first proof-number search (Nagai, 2002), with what Hex knows of virtual connections and of inferior cells; see Arneson,
//! Hayward and Henderson, "Solving Hex: beyond humans", 2010.
//!
//! Whoever is proven to win needs certain empty cells for it and no others. So when a move loses, only moves on the cells
//! that the other side needs against it can be better: they alone take something from its way of winning. A position is lost
//! once no cell is left that all of the other side's wins so far need.

use super::cell_set::CellSet;
use super::expansion::Expansion;
use super::h_search::HSearch;
use super::position::Position;
use super::topology::Topology;
use super::transposition::{Entry, Key, Numbers, TranspositionTable};
use crate::engine::search_limit::SearchLimit;
use crate::game::hex::Side;

/// The limit was reached.
pub struct OutOfTime;

/// Who wins a position.
#[derive(Clone, Copy)]
pub struct Verdict<const W: usize> {
    /// Whether the side to move does.
    pub wins: bool,
    /// The empty cells that the winner needs.
    pub needs: CellSet<W>,
}

/// A search that remembers what it has found.
pub struct Dfpn<const W: usize> {
    topology: Topology<W>,
    h_search: HSearch<W>,
    table: TranspositionTable<W>,
}

/// A move, and what is known of the position after it.
struct Child<const W: usize> {
    cell: usize,
    position: Position<W>,
    key: Key<W>,
    /// What filling in gave to each side.
    captured: [CellSet<W>; 2],
    numbers: Numbers,
    /// The cells that the winner needs, once there is one.
    needs: CellSet<W>,
}

impl<const W: usize> Dfpn<W> {
    /// A search of boards of this size, which knows nothing yet.
    pub fn new(size: u8) -> Self {
        let topology = Topology::new(size);
        Dfpn { h_search: HSearch::new(&topology), table: TranspositionTable::new(), topology }
    }

    /// Who wins a position.
    pub fn solve(
        &mut self,
        stones: [CellSet<W>; 2],
        to_move: Side,
        limit: &mut SearchLimit,
    ) -> Result<Verdict<W>, OutOfTime> {
        let mut position = Position::new(&self.topology, stones, to_move);
        let captured = position.fill_in(&self.topology, self.topology.all);
        let key = Key::of(&self.topology, &position);
        let thresholds = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
        loop {
            let entry = self.search(&position, &key, thresholds, limit)?;
            if let Some(wins) = entry.numbers.wins() {
                let winner = if wins { to_move } else { to_move.other() };
                return Ok(Verdict { wins, needs: entry.needs | captured[winner as usize] });
            }
        }
    }

    /// Searches a position until one of its numbers reaches its threshold.
    fn search(
        &mut self,
        position: &Position<W>,
        key: &Key<W>,
        thresholds: Numbers,
        limit: &mut SearchLimit,
    ) -> Result<Entry<W>, OutOfTime> {
        let mut entry = match self.table.find(key) {
            Some(entry) => entry,
            None if limit.step() => self.expand(position),
            None => return Err(OutOfTime),
        };
        let mut children: Vec<Child<W>> = match entry.numbers.wins() {
            Some(_) => Vec::new(),
            None => entry.moves.iter().map(|&cell| self.child(position, cell.into())).collect(),
        };
        while entry.numbers.wins().is_none() {
            settle(position.to_move, &mut children, &mut entry);
            if entry.numbers.wins().is_some() {
                break;
            }
            let choice = Choice::of(&children);
            entry.numbers = choice.numbers;
            if entry.numbers.proof >= thresholds.proof || entry.numbers.disproof >= thresholds.disproof {
                entry.moves = children.iter().map(|child| child.cell as u8).collect();
                break;
            }
            let child = &mut children[choice.best];
            let found = self.search(&child.position, &child.key, choice.thresholds(thresholds), limit)?;
            (child.numbers, child.needs) = (found.numbers, found.needs);
            entry.work = entry.work.saturating_add(found.work);
        }
        self.table.store(key, entry.clone());
        Ok(entry)
    }

    fn expand(&mut self, position: &Position<W>) -> Entry<W> {
        let (numbers, needs, moves) = match Expansion::of(&self.topology, &mut self.h_search, position) {
            Expansion::Decided { wins, needs } => (Numbers::decided(wins), needs, Box::default()),
            Expansion::Open { moves, needs } => (Numbers::UNKNOWN, needs, moves),
        };
        Entry { numbers, work: 1, needs, moves }
    }

    fn child(&self, position: &Position<W>, cell: usize) -> Child<W> {
        let (position, captured) = position.after(&self.topology, cell);
        let key = Key::of(&self.topology, &position);
        let (numbers, needs) = self.table.numbers(&key).unwrap_or((Numbers::UNKNOWN, CellSet::EMPTY));
        Child { cell, position, key, captured, numbers, needs }
    }
}

/// Takes out the moves that are known to lose, and those that lose to the same answers. A position is decided once a move wins,
/// or none is left.
fn settle<const W: usize>(own: Side, children: &mut Vec<Child<W>>, entry: &mut Entry<W>) {
    let mut left: CellSet<W> = children.iter().map(|child| child.cell).collect();
    for child in children.iter() {
        match child.numbers.wins() {
            Some(false) => {
                entry.numbers = Numbers::decided(true);
                entry.needs = child.needs | child.captured[own as usize] | CellSet::of(child.cell);
                entry.moves = Box::default();
                return;
            }
            Some(true) => {
                let needs = child.needs | child.captured[own.other() as usize];
                left.remove(child.cell);
                left &= needs;
                entry.needs |= needs;
            }
            None => {}
        }
    }
    children.retain(|child| left.contains(child.cell));
    if children.is_empty() {
        entry.numbers = Numbers::decided(false);
        entry.moves = Box::default();
    }
}

/// Which move is searched next.
struct Choice {
    best: usize,
    /// Of the position.
    numbers: Numbers,
    /// How many moves are taken into account.
    width: u32,
    /// The disproof number of the second best.
    second: u32,
}

impl Choice {
    /// Chooses from the moves that are left, none of which is decided. Only some of them are taken into account at a time (focused
    /// DFPN), and how hard it is to refute them all is measured by the hardest (weak proof-number search; Ueda et al., 2008),
    /// because what refutes one often refutes others.
    fn of<const W: usize>(children: &[Child<W>]) -> Choice {
        let width = children.len().min(1 + children.len() * 3 / 5);
        let (mut best, mut second, mut hardest) = (0, Numbers::INFINITE, 0);
        for (index, Child { numbers, .. }) in children[..width].iter().enumerate() {
            hardest = hardest.max(numbers.proof);
            if index > 0 && numbers.disproof < children[best].numbers.disproof {
                second = children[best].numbers.disproof;
                best = index;
            } else if index > 0 {
                second = second.min(numbers.disproof);
            }
        }
        let width = width as u32;
        let numbers = Numbers { proof: children[best].numbers.disproof, disproof: hardest + width - 1 };
        Choice { best, numbers, width, second }
    }

    /// When the search of the best move is to end, by when that of the position is. It goes on for a while after the second
    /// best has become better (the 1 + ε trick; Pawlewicz and Lew, 2007), or both would take turns too often.
    fn thresholds(&self, own: Numbers) -> Numbers {
        Numbers {
            proof: own.disproof - (self.width - 1),
            disproof: own.proof.min(self.second + self.second / 4 + 1),
        }
    }
}
