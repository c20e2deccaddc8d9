//! Depth-first proof-number search (Nagai, 2002), with what Hex knows of virtual connections and of inferior cells; see Arneson,
//! Hayward and Henderson, "Solving Hex: beyond humans", 2010.
//!
//! Whoever is proven to win needs certain empty cells for it and no others. So when a move loses, only moves on the cells
//! that the other side needs against it can be better: they alone take something from its way of winning.

use super::cell_set::CellSet;
use super::h_search::{Found, HSearch};
use super::move_order;
use super::position::Position;
use super::topology::Topology;
use super::transposition::{Entry, INFINITE, Key, TranspositionTable};
use crate::engine::search_limit::SearchLimit;

/// The limit was reached.
pub struct OutOfTime;

/// Who wins a position.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<const W: usize> {
    /// Whether the side to move does.
    pub wins: bool,
    /// The empty cells that the winner needs.
    pub needs: CellSet<W>,
}

/// A move, and what is known of the position after it.
struct Child<const W: usize> {
    cell: usize,
    position: Position<W>,
    captured: [CellSet<W>; 2],
    key: Key<W>,
    turned: bool,
    proof: u32,
    disproof: u32,
}

/// A search that remembers what it has found.
pub struct Dfpn<const W: usize> {
    pub topology: Topology<W>,
    h_search: HSearch<W>,
    table: TranspositionTable<W>,
}

impl<const W: usize> Dfpn<W> {
    pub fn new(size: u8) -> Self {
        let topology = Topology::new(size);
        Dfpn { h_search: HSearch::new(&topology), table: TranspositionTable::new(), topology }
    }

    /// Finds out who wins a position.
    pub fn solve(
        &mut self,
        stones: [CellSet<W>; 2],
        to_move: crate::game::hex::Side,
        limit: &mut SearchLimit,
    ) -> Result<Verdict<W>, OutOfTime> {
        let mut position = Position::new(&self.topology, stones, to_move);
        let captured = position.fill_in(&self.topology, self.topology.all);
        let (key, turned) = Key::of(&self.topology, &position);
        loop {
            if let Some(entry) = self.table.find(&key)
                && let Some(wins) = decided(entry.proof, entry.disproof)
            {
                let needs = if turned { entry.needs.turned(self.topology.cells()) } else { entry.needs };
                let winner = if wins { to_move } else { to_move.other() };
                return Ok(Verdict { wins, needs: needs | captured[winner as usize] });
            }
            self.search(&position, key, turned, INFINITE, INFINITE, limit)?;
        }
    }

    /// Searches a position until its proof or its disproof number reaches a threshold. Returns what it has taken.
    fn search(
        &mut self,
        position: &Position<W>,
        key: Key<W>,
        turned: bool,
        proof_threshold: u32,
        disproof_threshold: u32,
        limit: &mut SearchLimit,
    ) -> Result<u32, OutOfTime> {
        let mut work = 0;
        let entry = match self.table.find(&key) {
            Some(entry) => entry.clone(),
            None => {
                if !limit.step() {
                    return Err(OutOfTime);
                }
                work += 1;
                let entry = self.expand(position);
                let stored = if turned { self.turn(entry) } else { entry };
                self.table.store(key, stored.clone());
                stored
            }
        };
        let mut entry = if turned { self.turn(entry) } else { entry };
        if decided(entry.proof, entry.disproof).is_some() {
            return Ok(work);
        }
        let mut left: CellSet<W> = entry.moves.iter().map(|&cell| usize::from(cell)).collect();
        let mut children: Vec<Child<W>> = entry.moves.iter().map(|&cell| self.child(position, cell)).collect();
        loop {
            self.settle(position, &mut children, &mut left, &mut entry);
            let mut width = usize::MAX;
            let (mut best, mut second) = (0, INFINITE);
            if decided(entry.proof, entry.disproof).is_none() {
                width = (BASE_WIDTH + children.len() / WIDTH_DIVISOR).min(children.len());
                entry.disproof = 0;
                entry.proof = INFINITE;
                for (index, child) in children[..width].iter().enumerate() {
                    entry.disproof = (entry.disproof + child.proof).min(INFINITE);
                    if child.disproof < entry.proof {
                        second = entry.proof;
                        (best, entry.proof) = (index, child.disproof);
                    } else if child.disproof < second {
                        second = child.disproof;
                    }
                }
            }
            let _ = width;
            if decided(entry.proof, entry.disproof).is_some()
                || entry.proof >= proof_threshold
                || entry.disproof >= disproof_threshold
            {
                entry.work += work;
                entry.moves = if decided(entry.proof, entry.disproof).is_some() {
                    Box::default()
                } else {
                    children.iter().map(|child| child.cell as u8).collect()
                };
                let entry = if turned { self.turn(entry) } else { entry };
                self.table.store(key, entry);
                return Ok(work);
            }
            let child = &children[best];
            let proof = disproof_threshold - (entry.disproof - child.proof);
            let disproof = proof_threshold.min(second + second / 4 + 1).min(INFINITE);
            let (next, key, turned) = (child.position.clone(), child.key, child.turned);
            work += self.search(&next, key, turned, proof, disproof, limit)?;
            if let Some(found) = self.table.find(&key) {
                (children[best].proof, children[best].disproof) = (found.proof, found.disproof);
            }
        }
    }

    /// Takes out the moves that have been found to lose, and those that lose to the same; ends the search if one wins or none is left.
    fn settle(
        &self,
        position: &Position<W>,
        children: &mut Vec<Child<W>>,
        left: &mut CellSet<W>,
        entry: &mut Entry<W>,
    ) {
        let own = position.to_move;
        for child in children.iter() {
            let Some(wins) = decided(child.proof, child.disproof) else { continue };
            let winner = if wins { own.other() } else { own };
            let Some(found) = self.table.find(&child.key) else { continue };
            let mut needs = child.captured[winner as usize];
            needs |= if child.turned { found.needs.turned(self.topology.cells()) } else { found.needs };
            if !wins {
                needs.insert(child.cell);
                *entry = Entry { proof: 0, disproof: INFINITE, needs, ..entry.clone() };
                return;
            }
            left.remove(child.cell);
            if !left.is_subset_of(needs) || true {
                *left &= needs;
                entry.needs |= needs;
            }
        }
        children.retain(|child| left.contains(child.cell));
        if children.is_empty() {
            (entry.proof, entry.disproof) = (INFINITE, 0);
        }
    }

    fn child(&self, position: &Position<W>, cell: u8) -> Child<W> {
        let cell = usize::from(cell);
        let (after, captured) = position.after(&self.topology, cell);
        let (key, turned) = Key::of(&self.topology, &after);
        let (proof, disproof) = self.table.find(&key).map_or((1, 1), |entry| (entry.proof, entry.disproof));
        Child { cell, position: after, captured, key, turned, proof, disproof }
    }

    fn turn(&self, entry: Entry<W>) -> Entry<W> {
        let cells = self.topology.cells();
        let moves = entry.moves.iter().map(|&cell| (cells - 1) as u8 - cell).collect();
        Entry { needs: entry.needs.turned(cells), moves, ..entry }
    }

    /// What can be seen of a position without trying moves.
    fn expand(&mut self, position: &Position<W>) -> Entry<W> {
        let topology = &self.topology;
        let empty = position.empty(topology);
        let (own, other) = (position.to_move, position.to_move.other());
        let lost = |needs| Entry { proof: INFINITE, disproof: 0, work: 1, needs, moves: Box::default() };
        let (must_play, mut needs) =
            match *self.h_search.search(topology, other, position.stones[other as usize], empty, false) {
                Found::Full(carrier) => return lost(carrier),
                Found::Semi { common, any } => (common, any),
            };
        match *self.h_search.search(topology, own, position.stones[own as usize], empty, true) {
            Found::Full(needs) => {
                return Entry { proof: 0, disproof: INFINITE, work: 1, needs, moves: Box::default() };
            }
            Found::Semi { any: needs, .. } if !needs.is_empty() => {
                return Entry { proof: 0, disproof: INFINITE, work: 1, needs, moves: Box::default() };
            }
            Found::Semi { .. } => {}
        }
        let killed: Vec<(usize, usize)> = empty
            .into_iter()
            .filter_map(|cell| Some((cell, position.killer(topology, cell, empty)?)))
            .collect();
        let vulnerable: CellSet<W> = killed.iter().map(|&(cell, _)| cell).collect();
        let killers: CellSet<W> = killed.iter().map(|&(_, killer)| killer).collect();
        let mut left = must_play;
        if !empty.without(vulnerable | killers).is_empty() {
            for (cell, killer) in killed {
                if left.contains(cell) {
                    left.remove(cell);
                    needs.insert(cell);
                    needs.insert(killer);
                }
            }
        }
        if left.is_empty() {
            return lost(needs);
        }
        let mut moves = move_order::sort(topology, position, left);
        // A move that leaves another one's cell dead or captured is better than that.
        let mut index = 0;
        while let Some(&cell) = moves.get(index) {
            let (after, _) = position.after(topology, cell.into());
            let better = after.stones[own as usize] | (after.stones[0] | after.stones[1]).without(position.stones[0] | position.stones[1]).without(after.stones[other as usize]);
            let _ = better;
            index += 1;
        }
        moves.shrink_to_fit();
        Entry { proof: 1, disproof: 1, work: 1, needs, moves: moves.into() }
    }
}

const BASE_WIDTH: usize = 1;
const WIDTH_DIVISOR: usize = 4;

fn decided(proof: u32, disproof: u32) -> Option<bool> {
    match (proof, disproof) {
        (0, _) => Some(true),
        (_, 0) => Some(false),
        _ => None,
    }
}
