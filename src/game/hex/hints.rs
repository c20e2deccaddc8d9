//! What the moves of a program that lost show about how it misunderstood the rules of Hex.
//!
//! A program that means to win plays where a shortest way from edge to edge leads through, its own or its opponent's. So its moves
//! tell by which rules it plays: a misunderstanding explains them if they make sense by it, and some of them by it alone. The
//! stones on the board do not tell: a sound program that is pushed along by a stronger one joins the wrong edges too, and
//! bridges look joined by the wrong neighbours; but all these moves make sense by the rules.

use super::distance::{Stones, Touching, Whose};
use crate::game::grid::{Cell, Grid};
use crate::game::hint::{Edges, Hint, Joined, Neighbours, Reached};

/// A game that a program lost.
pub(super) struct LostGame {
    /// The board.
    pub grid: Grid,
    /// 0 if the program had the first ply, 1 if it had the second.
    pub seat: usize,
    /// The edges that the program had to join.
    pub own: Edges,
    /// Whether the second ply was a swap.
    pub swapped: bool,
    /// Whether the game came to its end by the rules.
    pub over: bool,
    /// The cells of all plies; of a swap, that of the first stone.
    pub cells: Vec<Cell>,
}

/// By what rules a program may play.
#[derive(Clone, Copy)]
struct World {
    own: Edges,
    touching: Touching,
    /// Whose the first stone is after a swap.
    first: Whose,
}

/// The moves of a program, by whether they make sense.
#[derive(Default)]
struct Evidence {
    moves: usize,
    by_the_rules_only: usize,
    in_the_world_only: usize,
    in_neither: usize,
}

/// On smaller boards games are so short that random moves often make sense by some misunderstanding.
const SMALLEST: u8 = 7;
/// The same for eight neighbours, with which more moves make sense than with six.
const SMALLEST_FOR_EIGHT: u8 = 9;

impl LostGame {
    /// The misunderstanding that explains the moves of the program that lost, if there is one.
    pub(super) fn hint(&self) -> Option<Hint> {
        if self.grid.size() < SMALLEST {
            return None;
        }
        self.wrong_edges().or_else(|| self.wrong_neighbours()).filter(|_| !self.plays_in_order())
    }

    /// Whether it played for the other edges.
    fn wrong_edges(&self) -> Option<Hint> {
        let (own, last) = (self.own, self.grid.size() - 1);
        let other = World { own: own.other(), ..self.real_world() };
        if !self.swapped {
            let reached = self.explained_by(other)?;
            return Some(Hint::OtherEdges { own, last, reached });
        }
        // A program that misses the swap may believe either of the first stone.
        let beliefs = [Whose::Own, Whose::Opponents].map(|first| World { first, ..other });
        let reached = beliefs.into_iter().find_map(|world| self.explained_by(world))?;
        Some(Hint::KeptColour { own, last, reached, swapped_itself: self.seat == 1 })
    }

    /// Whether it took cells for neighbours that are not.
    fn wrong_neighbours(&self) -> Option<Hint> {
        let [mirrored, eight] = [Neighbours::Mirrored, Neighbours::Eight]
            .map(|neighbours| World { touching: Touching::Wrongly(neighbours), ..self.real_world() });
        let joined = |reached| match reached {
            Reached::Joined { ply } => Some(Joined { ply, by_opponent: false }),
            Reached::Missing { .. } => None,
        };
        if let Some(reached) = self.explained_by(mirrored) {
            return self.neighbours_hint(Neighbours::Mirrored, joined(reached));
        }
        // Most sound moves make sense with eight neighbours too, so that nothing less than joined edges counts.
        if let Some(joined) =
            self.explained_by(eight).filter(|_| self.grid.size() >= SMALLEST_FOR_EIGHT).and_then(joined)
        {
            return self.neighbours_hint(Neighbours::Eight, Some(joined));
        }
        let stopped =
            [(Neighbours::Mirrored, mirrored), (Neighbours::Eight, eight)].map(|(neighbours, world)| {
                let (joined, senseless) = self.stopped_when_joined(world)?;
                Some((senseless, neighbours, joined))
            });
        let (_, neighbours, joined) =
            stopped.into_iter().flatten().min_by_key(|&(senseless, ..)| senseless)?;
        self.neighbours_hint(neighbours, Some(joined))
    }

    fn neighbours_hint(&self, neighbours: Neighbours, joined: Option<Joined>) -> Option<Hint> {
        let by_opponent = joined.is_some_and(|joined| joined.by_opponent);
        let pair = self.wrong_pair(if by_opponent { Whose::Opponents } else { Whose::Own })?;
        Some(Hint::WrongNeighbours { neighbours, pair, joined })
    }

    fn real_world(&self) -> World {
        let first = if (self.seat == 0) == self.swapped { Whose::Opponents } else { Whose::Own };
        World { own: self.own, touching: Touching::ByTheRules, first }
    }

    /// How near the program came to joining its edges in this world, if that is near and its moves are explained by it.
    fn explained_by(&self, world: World) -> Option<Reached> {
        let near = u16::from(self.grid.size() / 5);
        let most = self.cells.len().min(self.most_plies());
        let (reached, plies) = match self.missing(world, Whose::Own, most)? {
            0 => {
                let ply = self.joined_on(world, Whose::Own, most);
                (Reached::Joined { ply: ply as u16 }, ply)
            }
            stones if stones <= near && most == self.cells.len() => (Reached::Missing { stones }, most),
            _ => return None,
        };
        let stopped = !self.over && self.last_own_ply() == plies;
        self.evidence(world, plies).explains(stopped).then_some(reached)
    }

    /// If the program stopped when somebody's edges had just been joined in this world, which was not the end by the rules:
    /// whose, and how many of its moves make no sense there, which are not many.
    fn stopped_when_joined(&self, world: World) -> Option<(Joined, usize)> {
        let plies = self.cells.len();
        if self.over || plies > self.most_plies() {
            return None;
        }
        let joined = |whose, last| {
            self.missing(world, whose, plies) == Some(0) && self.joined_on(world, whose, plies) == last
        };
        let last_own = self.last_own_ply();
        let by_opponent = !joined(Whose::Own, last_own);
        if by_opponent && (last_own == plies || !joined(Whose::Opponents, plies)) {
            return None;
        }
        let ply = if by_opponent { plies } else { last_own } as u16;
        let evidence = self.evidence(world, plies);
        let senseless = evidence.in_neither + evidence.by_the_rules_only;
        (8 * senseless <= evidence.moves).then_some((Joined { ply, by_opponent }, senseless))
    }

    /// A program that plays for some edges joins them with not many more stones than it takes, so that what comes after so
    /// many plies says nothing.
    fn most_plies(&self) -> usize {
        4 * usize::from(self.grid.size())
    }

    /// How many plies there were when the program had made its last move.
    fn last_own_ply(&self) -> usize {
        let plies = self.cells.len();
        if self.mover(plies.saturating_sub(1)) == Whose::Own { plies } else { plies.saturating_sub(1) }
    }

    /// The ply after which somebody's edges were joined in this world, if they are after so many: found by halving, because
    /// stones never go away.
    fn joined_on(&self, world: World, whose: Whose, most: usize) -> usize {
        let (mut before, mut joined) = (0, most);
        while joined - before > 1 {
            let middle = (before + joined) / 2;
            if self.missing(world, whose, middle) == Some(0) { joined = middle } else { before = middle }
        }
        joined
    }

    /// How many stones somebody is short of joining its edges in this world after so many plies.
    fn missing(&self, world: World, whose: Whose, plies: usize) -> Option<u16> {
        let mut stones = Stones::new(self.grid);
        for (index, &cell) in self.cells[..plies].iter().enumerate() {
            stones.put(cell, self.whose(world, index));
        }
        world.missing(&stones, whose)
    }

    /// Which of the program's moves, among so many plies, make sense.
    fn evidence(&self, world: World, plies: usize) -> Evidence {
        let real = self.real_world();
        let mut boards = [(real, Stones::new(self.grid)), (world, Stones::new(self.grid))];
        let mut evidence = Evidence::default();
        for (index, &cell) in self.cells[..plies].iter().enumerate() {
            if self.mover(index) == Whose::Opponents || (self.swapped && index < 2) {
                boards.iter_mut().for_each(|(world, stones)| stones.put(cell, self.whose(*world, index)));
                continue;
            }
            evidence.moves += 1;
            let [by_the_rules, in_the_world] =
                boards.each_mut().map(|(world, stones)| world.makes_sense(stones, cell));
            match (by_the_rules, in_the_world) {
                (true, true) => {}
                (true, false) => evidence.by_the_rules_only += 1,
                (false, true) => evidence.in_the_world_only += 1,
                (false, false) => evidence.in_neither += 1,
            }
        }
        evidence
    }

    /// Whether the program always takes the next free cell, row by row or column by column, from the first cell or from the last.
    /// It plays for no edges at all, and joins some.
    fn plays_in_order(&self) -> bool {
        let stones: Vec<(Whose, [usize; 4])> = (0..self.cells.len())
            .filter(|&index| !(self.swapped && index == 1))
            .map(|index| (self.mover(index), orders(self.grid, self.cells[index])))
            .collect();
        (0..4).any(|order| {
            let own =
                stones.iter().filter(|(mover, _)| *mover == Whose::Own).map(|(_, number)| number[order]);
            let own: Vec<usize> = own.collect();
            let taken_up_to = |last| stones.iter().filter(|(_, number)| number[order] <= last).count();
            own.is_sorted() && own.last().is_some_and(|&last| taken_up_to(last) == last + 1)
        })
    }

    /// Whose move a ply was, counted from 0.
    fn mover(&self, index: usize) -> Whose {
        if index % 2 == self.seat { Whose::Own } else { Whose::Opponents }
    }

    /// Whose the stone of a ply is in this world.
    fn whose(&self, world: World, index: usize) -> Whose {
        if self.swapped && index < 2 { world.first } else { self.mover(index) }
    }

    /// Two of somebody's stones that touch only by a wrong diagonal, if there are any; better if the other side's
    /// stones are between them.
    fn wrong_pair(&self, whose: Whose) -> Option<[[u8; 2]; 2]> {
        let mut stones = Stones::new(self.grid);
        for (index, &cell) in self.cells.iter().enumerate() {
            stones.put(cell, self.whose(self.real_world(), index));
        }
        let last = self.grid.size() - 1;
        let pairs = self.grid.all().filter(|cell| cell.row < last && cell.column < last).filter_map(|cell| {
            let (row, column) = (cell.row, cell.column);
            let is_own = |row, column| stones.at(Cell::new(row, column)) == Some(whose);
            let between = [(row, column + 1), (row + 1, column)];
            let apart = between.iter().all(|&(row, column)| !is_own(row, column));
            let closed = between.iter().filter(|&&(row, column)| stones.at(Cell::new(row, column)).is_some());
            (is_own(row, column) && is_own(row + 1, column + 1) && apart)
                .then(|| (closed.count(), [[row, column], [row + 1, column + 1]]))
        });
        pairs.max_by_key(|&(closed, _)| closed).map(|(_, pair)| pair)
    }
}

/// The number of a cell, from 0, row by row and column by column, each from the first cell and from the last.
fn orders(grid: Grid, cell: Cell) -> [usize; 4] {
    let by_row = grid.index(cell);
    let by_column = grid.index(Cell::new(cell.column, cell.row));
    let last = grid.cells() - 1;
    [by_row, by_column, last - by_row, last - by_column]
}

impl World {
    fn missing(self, stones: &Stones, whose: Whose) -> Option<u16> {
        let edges = if whose == Whose::Own { self.own } else { self.own.other() };
        stones.missing(whose, edges, self.touching)
    }

    /// Puts a stone of the program's, and says whether a shortest way led through its cell, its own or its opponent's: the
    /// way of either is then shorter by a stone there.
    fn makes_sense(self, stones: &mut Stones, cell: Cell) -> bool {
        let distance = |stones: &Stones, whose| self.missing(stones, whose).unwrap_or(u16::MAX);
        let [own, theirs] = [Whose::Own, Whose::Opponents].map(|whose| distance(stones, whose));
        stones.put(cell, Whose::Opponents);
        let blocks = distance(stones, Whose::Opponents) < theirs;
        stones.put(cell, Whose::Own);
        blocks || distance(stones, Whose::Own) < own
    }
}

impl Evidence {
    /// Whether the world explains the moves, and the rules do not. That a program stopped when it had joined its edges
    /// there counts like a move.
    ///
    /// A single move may be chance, and random players make moves without any sense all the time, while programs that
    /// misunderstand the rules make hardly any that have none by their own.
    fn explains(&self, stopped: bool) -> bool {
        self.in_the_world_only + usize::from(stopped) >= 2
            && 8 * self.by_the_rules_only <= self.in_the_world_only
            && 16 * self.in_neither <= self.moves
    }
}
