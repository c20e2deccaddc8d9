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

/// Full connections that are kept of two ends.
const MOST_FULL: usize = 8;
/// Semi connections that are kept of two ends.
const MOST_SEMI: usize = 16;
/// Semi connections that the OR rule combines at most.
const MOST_COMBINED: usize = 4;

/// What H-search finds between a side's edges.
#[derive(Clone, Copy)]
pub enum Found<const W: usize> {
    /// A full connection with this carrier.
    Full(CellSet<W>),
    /// Semi connections, if any: the cells that are in all of their carriers, and those that are in any of some that tell these.
    Semi { common: CellSet<W>, any: CellSet<W> },
}

/// What is found first ends the search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Enough {
    /// A full connection of the edges.
    Full,
    /// A semi connection of the edges.
    Semi,
}

/// The groups of a side's edges; those of other stones follow.
const EDGES: [usize; 2] = [0, 1];

/// A connection that is yet to be combined with others.
struct Connection<const W: usize> {
    /// A group.
    from: usize,
    /// A cell, or, from the number of cells on, a group that comes after the other.
    to: usize,
    is_full: bool,
    carrier: CellSet<W>,
}

/// The carriers of the connections of two ends. None contains another of the same kind.
struct Carriers<const W: usize> {
    full: Vec<CellSet<W>>,
    semi: Vec<CellSet<W>>,
}

impl<const W: usize> Carriers<W> {
    fn new() -> Self {
        Carriers { full: Vec::with_capacity(MOST_FULL), semi: Vec::with_capacity(MOST_SEMI) }
    }

    /// Whether a connection is of no use beside those that are known.
    #[inline]
    fn cover(&self, is_full: bool, carrier: CellSet<W>) -> bool {
        let covers = |own: &CellSet<W>| own.is_subset_of(carrier);
        self.full.iter().any(covers) || !is_full && self.semi.iter().any(covers)
    }
}

/// Finds connections; it keeps its memory from one position to the next.
pub struct HSearch<const W: usize> {
    cells: usize,
    empty: CellSet<W>,
    /// The empty cells around each group.
    groups: Vec<CellSet<W>>,
    /// By group and end.
    known: Vec<Carriers<W>>,
    /// What is yet to be combined, by how many cells it counts on.
    queue: Vec<Vec<Connection<W>>>,
    found: Found<W>,
}

impl<const W: usize> HSearch<W> {
    /// A search of boards like this one.
    pub fn new(topology: &Topology<W>) -> Self {
        let cells = topology.cells();
        HSearch {
            cells,
            empty: CellSet::EMPTY,
            groups: Vec::new(),
            known: Vec::new(),
            queue: (0..=cells).map(|_| Vec::new()).collect(),
            found: Found::Full(CellSet::EMPTY),
        }
    }

    /// What connects the edges of a side that has these stones.
    pub fn search(
        &mut self,
        topology: &Topology<W>,
        side: Side,
        stones: CellSet<W>,
        empty: CellSet<W>,
        enough: Enough,
    ) -> Found<W> {
        self.empty = empty;
        if !self.find_groups(topology, side, stones) {
            return Found::Full(CellSet::EMPTY);
        }
        self.begin();
        // What counts on fewer cells comes first, and never leads to what counts on fewer still.
        for size in 0..self.queue.len() {
            while let Some(connection) = self.queue[size].pop() {
                if connection.is_full {
                    self.add_full(topology, connection);
                } else {
                    self.add_semi(connection);
                }
                match self.found {
                    Found::Semi { any, .. } if enough == Enough::Full || any.is_empty() => {}
                    found => return found,
                }
            }
        }
        self.found
    }

    /// Finds the groups; says whether the edges are of different ones.
    fn find_groups(&mut self, topology: &Topology<W>, side: Side, stones: CellSet<W>) -> bool {
        self.groups.clear();
        let mut left = stones;
        let [near, far] = topology.edges[side as usize];
        for edge in [near, far] {
            let group = topology.flood(edge & stones, stones);
            if edge == near && group.intersects(far) {
                return false;
            }
            left = left.without(group);
            self.groups.push((edge | topology.around_all(group)) & self.empty);
        }
        while let Some(stone) = left.first() {
            let group = topology.flood(CellSet::of(stone), left);
            left = left.without(group);
            self.groups.push(topology.around_all(group) & self.empty);
        }
        true
    }

    /// Forgets the last position, and begins with what touches.
    fn begin(&mut self) {
        self.found = Found::Semi { common: self.empty, any: CellSet::EMPTY };
        let places = self.groups.len() * self.ends();
        for carriers in self.known.iter_mut().take(places) {
            carriers.full.clear();
            carriers.semi.clear();
        }
        if self.known.len() < places {
            self.known.resize_with(places, Carriers::new);
        }
        self.queue.iter_mut().for_each(Vec::clear);
        for (from, &around) in self.groups.iter().enumerate() {
            let touching = |to| Connection { from, to, is_full: true, carrier: CellSet::EMPTY };
            self.queue[0].extend(around.into_iter().map(touching));
        }
    }

    /// How many ends there are: cells and groups.
    fn ends(&self) -> usize {
        self.cells + self.groups.len()
    }

    /// The group and the other end by which the connections of these two are kept.
    #[inline]
    fn ordered(&self, group: usize, end: usize) -> (usize, usize) {
        if end >= self.cells + group || end < self.cells {
            (group, end)
        } else {
            (end - self.cells, group + self.cells)
        }
    }

    #[inline]
    fn carriers(&mut self, group: usize, end: usize) -> &mut Carriers<W> {
        let (group, end) = self.ordered(group, end);
        let place = group * self.ends() + end;
        &mut self.known[place]
    }

    /// Queues a connection, unless it is of no use.
    #[inline]
    fn offer(&mut self, group: usize, end: usize, is_full: bool, carrier: CellSet<W>) {
        if !self.carriers(group, end).cover(is_full, carrier) {
            let (from, to) = self.ordered(group, end);
            self.queue[carrier.len()].push(Connection { from, to, is_full, carrier });
        }
    }

    /// Calls the other with each full connection of a group and an end that has no cell in common with a carrier.
    #[inline]
    fn for_each_disjoint(
        &mut self,
        (group, end): (usize, usize),
        carrier: CellSet<W>,
        mut act: impl FnMut(&mut Self, CellSet<W>),
    ) {
        // Nothing is added to the list meanwhile: what is found is queued.
        for index in 0..self.carriers(group, end).full.len() {
            let other = self.carriers(group, end).full[index];
            if !other.intersects(carrier) {
                act(self, other);
            }
        }
    }

    fn add_full(&mut self, topology: &Topology<W>, Connection { from, to, carrier, .. }: Connection<W>) {
        let known = self.carriers(from, to);
        if known.full.len() == MOST_FULL || known.cover(true, carrier) {
            return;
        }
        known.full.push(carrier);
        if to < self.cells {
            self.join_at_cell(topology, from, to, carrier);
            for group in 0..self.groups.len() {
                self.join_at_group(group, from, to, carrier);
            }
            return;
        }
        let other = to - self.cells;
        if [from, other] == EDGES {
            self.found = Found::Full(carrier);
            return;
        }
        let groups = self.cells..self.ends();
        for end in self.empty.without(carrier).into_iter().chain(groups) {
            self.join_from_group(from, other, end, carrier);
            self.join_from_group(other, from, end, carrier);
        }
    }

    /// The AND rule with a group in the middle, which has become fully connected to an end by a carrier.
    fn join_at_group(&mut self, group: usize, middle: usize, end: usize, carrier: CellSet<W>) {
        // Ways that only touch an edge are of little use, and there are many.
        if EDGES.contains(&middle) || group == middle {
            return;
        }
        self.for_each_disjoint((group, middle + self.cells), carrier, |search, other| {
            if !other.contains(end) {
                search.offer(group, end, true, carrier | other);
            }
        });
    }

    /// The same where it has become fully connected to another group, and is to be joined with its connections to an end.
    fn join_from_group(&mut self, group: usize, middle: usize, end: usize, carrier: CellSet<W>) {
        if EDGES.contains(&middle) || end == group + self.cells || end == middle + self.cells {
            return;
        }
        self.for_each_disjoint((middle, end), carrier, |search, other| {
            search.offer(group, end, true, carrier | other);
        });
    }

    /// The AND rule with a cell in the middle, to which a group has become fully connected by a carrier.
    fn join_at_cell(&mut self, topology: &Topology<W>, group: usize, middle: usize, carrier: CellSet<W>) {
        let with_middle = carrier | CellSet::of(middle);
        for other_group in (0..self.groups.len()).filter(|&other| other != group) {
            self.for_each_disjoint((other_group, middle), carrier, |search, other| {
                search.offer(group, search.cells + other_group, false, with_middle | other);
            });
        }
        let free = self.empty.without(with_middle);
        for cell in (topology.neighbours[middle] & free).without(self.groups[group]) {
            self.offer(group, cell, false, with_middle);
        }
        for bridge in &topology.bridges[middle] {
            if free.contains(bridge.to) && bridge.between.is_subset_of(free) {
                self.offer(group, bridge.to, false, with_middle | bridge.between);
            }
        }
    }

    fn add_semi(&mut self, Connection { from, to, carrier, .. }: Connection<W>) {
        if [from, to] == [EDGES[0], self.cells + EDGES[1]] {
            self.found = self.found.and_semi(carrier);
            return;
        }
        let known = self.carriers(from, to);
        if known.semi.len() == MOST_SEMI || known.cover(false, carrier) {
            return;
        }
        let common = known.semi.iter().fold(carrier, |common, &own| common & own);
        if common.is_empty() {
            self.combine(from, to, (carrier, carrier), 0, MOST_COMBINED - 1);
        }
        self.carriers(from, to).semi.push(carrier);
    }

    /// The OR rule: offers the full connections that some semi ones make with at most so many of those from a number on. Given are the
    /// cells that are in all of their carriers, and in any.
    fn combine(
        &mut self,
        from: usize,
        to: usize,
        (common, any): (CellSet<W>, CellSet<W>),
        first: usize,
        most: usize,
    ) {
        for index in first..self.carriers(from, to).semi.len() {
            let own = self.carriers(from, to).semi[index];
            let still_common = common & own;
            if still_common.is_empty() {
                self.offer(from, to, true, any | own);
            } else if still_common != common && most > 1 {
                self.combine(from, to, (still_common, any | own), index + 1, most - 1);
            }
        }
    }
}

impl<const W: usize> Found<W> {
    /// With another semi connection.
    fn and_semi(self, carrier: CellSet<W>) -> Self {
        match self {
            Found::Semi { common, any } if any.is_empty() || !common.is_subset_of(carrier) => {
                let (common, any) = (common & carrier, any | carrier);
                if common.is_empty() { Found::Full(any) } else { Found::Semi { common, any } }
            }
            found => found,
        }
    }
}
