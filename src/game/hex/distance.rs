//! How many stones a side still needs to join two edges.

use crate::game::grid::{Cell, Grid, MAX_SIZE};
use crate::game::hint::{Edges, Neighbours};

/// Cells in a row of the board and its frame.
const WIDTH: usize = MAX_SIZE as usize + 2;
/// Cells of the board and its frame.
const AREA: usize = WIDTH * WIDTH;

/// Which cells touch each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touching {
    /// The six neighbours of the rules.
    ByTheRules,
    /// What somebody takes for neighbours.
    Wrongly(Neighbours),
}

impl Touching {
    /// The steps from a cell of the framed board to those that touch it.
    fn steps(self) -> &'static [isize] {
        const ROW: isize = WIDTH as isize;
        match self {
            Touching::ByTheRules => &[-ROW, -ROW + 1, 1, ROW, ROW - 1, -1],
            Touching::Wrongly(Neighbours::Mirrored) => &[-ROW, 1, ROW + 1, ROW, -1, -ROW - 1],
            Touching::Wrongly(Neighbours::Eight) => &[-ROW, -ROW + 1, 1, ROW + 1, ROW, ROW - 1, -1, -ROW - 1],
        }
    }
}

/// Whose a stone is, to the one whose moves are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Own,
    Opponents,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Frame,
    Empty,
    Stone(Whose),
}

/// Stones on a board with a frame around it, so that no step leaves it.
#[derive(Clone)]
pub(super) struct Stones {
    grid: Grid,
    cells: [Content; AREA],
}

impl Stones {
    pub(super) fn new(grid: Grid) -> Stones {
        let mut stones = Stones { grid, cells: [Content::Frame; AREA] };
        for cell in grid.all() {
            stones.cells[place(cell)] = Content::Empty;
        }
        stones
    }

    /// Whose stone is on a cell of the board.
    pub(super) fn at(&self, cell: Cell) -> Option<Whose> {
        match self.cells[place(cell)] {
            Content::Stone(whose) => Some(whose),
            Content::Empty | Content::Frame => None,
        }
    }

    pub(super) fn put(&mut self, cell: Cell, whose: Whose) {
        self.cells[place(cell)] = Content::Stone(whose);
    }

    /// How many stones join the two edges, or nothing where the other side's stones have closed every way.
    ///
    /// A breadth-first search by levels: own stones belong to the level from which they are reached, empty cells to the
    /// next, so that the first way to a cell is the shortest.
    pub(super) fn missing(&self, whose: Whose, edges: Edges, touching: Touching) -> Option<u16> {
        let size = self.grid.size();
        let on_edge = |line: u8| {
            (0..size).map(move |other| match edges {
                Edges::TopAndBottom => place(Cell::new(line, other)),
                Edges::LeftAndRight => place(Cell::new(other, line)),
            })
        };
        let mut is_goal = [false; AREA];
        on_edge(size - 1).for_each(|at| is_goal[at] = true);
        let mut seen = [false; AREA];
        let (mut level, mut next) = (Vec::with_capacity(64), Vec::with_capacity(64));
        let mut reach = |at: usize, level: &mut Vec<usize>, next: &mut Vec<usize>| {
            if !std::mem::replace(&mut seen[at], true) {
                match self.cells[at] {
                    Content::Stone(owner) if owner == whose => level.push(at),
                    Content::Empty => next.push(at),
                    _ => {}
                }
            }
        };
        on_edge(0).for_each(|at| reach(at, &mut level, &mut next));
        for missing in 0.. {
            while let Some(at) = level.pop() {
                if is_goal[at] {
                    return Some(missing);
                }
                for &step in touching.steps() {
                    reach(at.wrapping_add_signed(step), &mut level, &mut next);
                }
            }
            std::mem::swap(&mut level, &mut next);
            if level.is_empty() {
                break;
            }
        }
        None
    }
}

/// Where a cell is on the framed board.
fn place(cell: Cell) -> usize {
    (usize::from(cell.row) + 1) * WIDTH + usize::from(cell.column) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIRRORED: Touching = Touching::Wrongly(Neighbours::Mirrored);
    const EIGHT: Touching = Touching::Wrongly(Neighbours::Eight);
    const ALL: [Touching; 3] = [Touching::ByTheRules, MIRRORED, EIGHT];

    fn stones(size: u8, own: &[(u8, u8)], opponents: &[(u8, u8)]) -> Stones {
        let mut stones = Stones::new(Grid::new(size));
        for (cells, whose) in [(own, Whose::Own), (opponents, Whose::Opponents)] {
            cells.iter().for_each(|&(row, column)| stones.put(Cell::new(row, column), whose));
        }
        stones
    }

    #[test]
    fn an_empty_board_takes_as_many_stones_as_it_has_rows() {
        for size in 2..=MAX_SIZE {
            for edges in [Edges::TopAndBottom, Edges::LeftAndRight] {
                for touching in ALL {
                    let missing = stones(size, &[], &[]).missing(Whose::Own, edges, touching);
                    assert_eq!(missing, Some(size.into()));
                }
            }
        }
    }

    #[test]
    fn neighbours_decide_what_is_joined() {
        let missing = |own: &[(u8, u8)], touching| {
            stones(3, own, &[]).missing(Whose::Own, Edges::TopAndBottom, touching)
        };
        let (right, wrong) = ([(0, 2), (1, 1), (2, 0)], [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(missing(&right, Touching::ByTheRules), Some(0));
        assert_eq!(missing(&right, MIRRORED), Some(2));
        assert_eq!(missing(&wrong, Touching::ByTheRules), Some(2));
        assert_eq!(missing(&wrong, MIRRORED), Some(0));
        assert_eq!((missing(&right, EIGHT), missing(&wrong, EIGHT)), (Some(0), Some(0)));
    }

    #[test]
    fn the_other_sides_stones_close_the_way() {
        let wall = stones(3, &[(0, 0)], &[(1, 0), (1, 1), (1, 2)]);
        assert_eq!(wall.missing(Whose::Own, Edges::TopAndBottom, Touching::ByTheRules), None);
        assert_eq!(wall.missing(Whose::Opponents, Edges::LeftAndRight, Touching::ByTheRules), Some(0));
        let gap = stones(3, &[(0, 0)], &[(1, 0), (1, 1)]);
        assert_eq!(gap.missing(Whose::Own, Edges::TopAndBottom, Touching::ByTheRules), Some(3));
    }
}
