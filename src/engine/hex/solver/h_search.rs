//! H-search: virtual connections of a side, found by combining smaller ones.
//!
//! Two groups of stones, or a group and an empty cell, are fully connected if the side can join them even if the other moves
//! first, and semi-connected if it can when it moves first. A connection counts on empty cells, its carrier. Two full connections with a
//! common end and nothing else in common make a full one if that end is a group, and a semi one if it is an empty cell (the
//! AND rule). Semi connections of the same ends make a full one if no cell is in all of them (the OR rule). See Anshelevich, "A
//! hierarchical approach to computer Hex", 2002.
//!
//! Connections from cell to cell are left at what touches and at bridges. That finds a bit less than
//! combining those as well, in a small part of the time.

use super::cell_set::CellSet;
use super::topology::Topology;
use crate::game::hex::Side;

/// The groups of a side's edges.
const EDGES: [usize; 2] = [0, 1];
/// Full connections that are kept of two ends.
const MOST_FULL: usize = 8;
/// Semi connections that are kept of two ends.
const MOST_SEMI: usize = 16;
/// Semi connections that the OR rule combines at most.
const MOST_COMBINED: usize = 4;

/// What H-search finds between a side's edges.
pub enum Found<const W: usize> {
    /// A full connection with this carrier.
    Full(CellSet<W>),
    /// Semi connections. The cells that are in all of their carriers, and those that are in any that was needed to tell these.
    Semi { common: CellSet<W>, any: CellSet<W> },
}

/// A connection that is yet to be combined with others.
#[derive(Clone, Copy)]
struct Connection<const W: usize> {
    /// A group.
    from: u16,
    /// A cell, or, from the number of cells on, a group.
    to: u16,
    full: bool,
    carrier: CellSet<W>,
}

/// The carriers of two ends.
struct Carriers<const W: usize> {
    full: Vec<CellSet<W>>,
    semi: Vec<CellSet<W>>,
}

/// Finds connections; it keeps its memory from one position to the next.
pub struct HSearch<const W: usize> {
    cells: usize,
    empty: CellSet<W>,
    /// The empty cells around each group.
    groups: Vec<CellSet<W>>,
    /// By group and end.
    found: Vec<Carriers<W>>,
    /// What is to be combined, by how many cells it counts on.
    queue: Vec<Vec<Connection<W>>>,
    edges: Found<W>,
    stop_at_semi: bool,
}

impl<const W: usize> HSearch<W> {
    pub fn new(topology: &Topology<W>) -> Self {
        HSearch {
            cells: topology.cells(),
            empty: CellSet::EMPTY,
            groups: Vec::new(),
            found: Vec::new(),
            queue: (0..=topology.cells()).map(|_| Vec::new()).collect(),
            edges: Found::Full(CellSet::EMPTY),
            stop_at_semi: false,
        }
    }

    /// What connects the edges of a side with these stones.
    pub fn search(
        &mut self,
        topology: &Topology<W>,
        side: Side,
        stones: CellSet<W>,
        empty: CellSet<W>,
        stop_at_semi: bool,
    ) -> &Found<W> {
        self.empty = empty;
        self.stop_at_semi = stop_at_semi;
        self.edges = Found::Semi { common: empty, any: CellSet::EMPTY };
        self.queue.iter_mut().for_each(Vec::clear);
        if !self.find_groups(topology, side, stones) {
            self.edges = Found::Full(CellSet::EMPTY);
            return &self.edges;
        }
        for group in 0..self.groups.len() {
            for cell in self.groups[group] {
                self.queue[0].push(Connection {
                    from: group as u16,
                    to: cell as u16,
                    full: true,
                    carrier: CellSet::EMPTY,
                });
            }
        }
        for size in 0..=self.cells {
            while let Some(connection) = self.queue[size].pop() {
                if connection.full {
                    self.add_full(topology, connection);
                } else {
                    self.add_semi(connection);
                }
                if self.is_done() {
                    return &self.edges;
                }
            }
        }
        &self.edges
    }

    fn is_done(&self) -> bool {
        match self.edges {
            Found::Full(_) => true,
            Found::Semi { any, .. } => self.stop_at_semi && !any.is_empty(),
        }
    }

    /// Finds the groups, and says whether the edges are apart.
    fn find_groups(&mut self, topology: &Topology<W>, side: Side, stones: CellSet<W>) -> bool {
        self.groups.clear();
        let mut left = stones;
        let edges = &topology.edges[side as usize];
        for edge in edges {
            let group = topology.flood(*edge & stones, stones);
            if group.intersects(edges[1]) && std::ptr::eq(edge, &edges[0]) {
                return false;
            }
            left = left.without(group);
            let around = group.into_iter().fold(*edge, |set, stone| set | topology.neighbours[stone]);
            self.groups.push(around & self.empty);
        }
        while let Some(stone) = left.first() {
            let group = topology.flood(CellSet::of(stone), left);
            left = left.without(group);
            let around = group.into_iter().fold(CellSet::EMPTY, |set, stone| set | topology.neighbours[stone]);
            self.groups.push(around & self.empty);
        }
        let ends = self.groups.len() * (self.cells + self.groups.len());
        self.found.iter_mut().take(ends).for_each(|carriers| {
            carriers.full.clear();
            carriers.semi.clear();
        });
        while self.found.len() < ends {
            self.found.push(Carriers { full: Vec::with_capacity(MOST_FULL), semi: Vec::with_capacity(MOST_SEMI) });
        }
        true
    }

    fn at(&self, from: usize, to: usize) -> usize {
        from * (self.cells + self.groups.len()) + to
    }

    /// Queues a connection between a group and another end, unless it is known already or by a smaller carrier.
    #[inline]
    fn offer(&mut self, from: usize, to: usize, full: bool, carrier: CellSet<W>) {
        // Of two groups, connections are kept from the lower one.
        let (from, to) = if to >= self.cells && to - self.cells < from { (to - self.cells, from + self.cells) } else { (from, to) };
        let known = &self.found[self.at(from, to)];
        let smaller = |own: &CellSet<W>| own.is_subset_of(carrier);
        if known.full.iter().any(smaller) || (!full && known.semi.iter().any(smaller)) {
            return;
        }
        self.queue[carrier.len()].push(Connection { from: from as u16, to: to as u16, full, carrier });
    }

    /// The place of the full connections of a group and an end.
    fn between(&self, group: usize, end: usize) -> usize {
        if end >= self.cells && end - self.cells < group {
            self.at(end - self.cells, group + self.cells)
        } else {
            self.at(group, end)
        }
    }

    fn add_full(&mut self, topology: &Topology<W>, connection: Connection<W>) {
        let Connection { from, to, carrier, .. } = connection;
        let (from, to) = (usize::from(from), usize::from(to));
        let place = self.at(from, to);
        let known = &mut self.found[place].full;
        if known.len() == MOST_FULL || known.iter().any(|own| own.is_subset_of(carrier)) {
            return;
        }
        known.push(carrier);
        if to >= self.cells {
            let to = to - self.cells;
            if [from, to] == EDGES {
                self.edges = Found::Full(carrier);
                return;
            }
            self.join_at(from, to, carrier);
            self.join_at(to, from, carrier);
        } else {
            self.join_at_group(from, to, carrier);
            self.join_at_cell(topology, from, to, carrier);
        }
    }

    /// A group has become fully connected to another: what that is connected to is connected to the first.
    fn join_at(&mut self, group: usize, middle: usize, carrier: CellSet<W>) {
        if EDGES.contains(&middle) {
            return;
        }
        let groups = self.cells..self.cells + self.groups.len();
        for end in self.empty.without(carrier).into_iter().chain(groups) {
            if end == group + self.cells || end == middle + self.cells {
                continue;
            }
            let place = self.between(middle, end);
            for index in 0..self.found[place].full.len() {
                let other = self.found[place].full[index];
                if !other.intersects(carrier) {
                    self.offer(group, end, true, carrier | other);
                }
            }
        }
    }

    /// A group has become fully connected to a cell: so are the groups that it is connected to.
    fn join_at_group(&mut self, middle: usize, cell: usize, carrier: CellSet<W>) {
        if EDGES.contains(&middle) {
            return;
        }
        for group in (0..self.groups.len()).filter(|&group| group != middle) {
            let place = self.between(middle, group + self.cells);
            for index in 0..self.found[place].full.len() {
                let other = self.found[place].full[index];
                if !other.intersects(carrier) && !other.contains(cell) {
                    self.offer(group, cell, true, carrier | other);
                }
            }
        }
    }

    /// A group has become fully connected to a cell: it is semi-connected to what that is connected to.
    fn join_at_cell(&mut self, topology: &Topology<W>, group: usize, middle: usize, carrier: CellSet<W>) {
        let mut keyed = carrier;
        keyed.insert(middle);
        for other_group in (0..self.groups.len()).filter(|&other| other != group) {
            let place = self.at(other_group, middle);
            for index in 0..self.found[place].full.len() {
                let other = self.found[place].full[index];
                if !other.intersects(carrier) {
                    self.offer(group, other_group + self.cells, false, keyed | other);
                }
            }
        }
        for cell in (topology.neighbours[middle] & self.empty).without(carrier | self.groups[group]) {
            self.offer(group, cell, false, keyed);
        }
        for bridge in &topology.bridges[middle] {
            let needed = bridge.between;
            if self.empty.contains(bridge.to) && needed.is_subset_of(self.empty) && !carrier.contains(bridge.to)
                && needed.len() == 2
                && !carrier.intersects(needed)
            {
                self.offer(group, bridge.to, false, keyed | needed);
            }
        }
    }

    fn add_semi(&mut self, connection: Connection<W>) {
        let Connection { from, to, carrier, .. } = connection;
        let (from, to) = (usize::from(from), usize::from(to));
        if [from, to] == [EDGES[0], EDGES[1] + self.cells] {
            if let Found::Semi { common, any } = &mut self.edges
                && !common.is_subset_of(carrier) | any.is_empty()
            {
                *common &= carrier;
                *any |= carrier;
                if common.is_empty() {
                    self.edges = Found::Full(*any);
                }
            }
            return;
        }
        let place = self.at(from, to);
        let known = &self.found[place];
        let smaller = |own: &CellSet<W>| own.is_subset_of(carrier);
        if known.semi.len() == MOST_SEMI || known.full.iter().any(smaller) || known.semi.iter().any(smaller) {
            return;
        }
        let common = known.semi.iter().fold(carrier, |common, &own| common & own);
        if common.is_empty() {
            self.combine(from, to, carrier, carrier, 0, MOST_COMBINED - 1);
        }
        self.found[place].semi.push(carrier);
    }

    /// The OR rule: offers all full connections of semi connections, from a number on, that with those already chosen have no cell in
    /// common.
    fn combine(&mut self, from: usize, to: usize, common: CellSet<W>, any: CellSet<W>, begin: usize, most: usize) {
        let place = self.at(from, to);
        for index in begin..self.found[place].semi.len() {
            let own = self.found[place].semi[index];
            if common.is_subset_of(own) {
                continue;
            }
            let (common, any) = (common & own, any | own);
            if common.is_empty() {
                self.offer(from, to, true, any);
            } else if most > 1 {
                self.combine(from, to, common, any, index + 1, most - 1);
            }
        }
    }
}
