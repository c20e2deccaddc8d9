//! The star-shaped board: coordinates and indices of its cells, which cells are neighbours, and what each player sees of it.

use std::fmt;
use std::sync::OnceLock;

use super::cells::{Cell, Cells};

/// The largest parameter N of a board.
pub const MAX_SIZE: u8 = 6;
/// Cells of the largest board.
pub const MAX_CELLS: usize = 253;
/// In the table of neighbours: there is no cell. No set of cells ever contains it.
const NOWHERE: Cell = Cell(u8::MAX);

/// Where a cell is: the coordinates u and v, and w, which follows from them. Seen by player 1, w grows straight ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coordinates {
    /// Grows to the right and back.
    pub u: i8,
    /// Grows to the right and ahead.
    pub v: i8,
}

impl Coordinates {
    /// The third coordinate.
    pub fn w(self) -> i8 {
        self.v - self.u
    }

    /// The cell after turns of 60° about the centre, counter-clockwise.
    pub fn rotated(self, turns: u8) -> Coordinates {
        (0..turns % 6).fold(self, |at, _| Coordinates { u: -at.w(), v: at.u })
    }

    fn step(self, (u, v): (i8, i8)) -> Coordinates {
        Coordinates { u: self.u + u, v: self.v + v }
    }
}

/// The steps to the six neighbours, as (u, v), in the order of a walk around the cell.
const STEPS: [(i8, i8); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];
/// How many directions there are.
pub(super) const DIRECTIONS: usize = STEPS.len();

/// One of the six places at the board, which are counted from 1, counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(u8);

impl Player {
    /// All six.
    pub const ALL: [Player; 6] = [Player(0), Player(1), Player(2), Player(3), Player(4), Player(5)];

    /// The player with this number, from 1 to 6.
    pub fn new(number: u8) -> Option<Player> {
        (1..=6).contains(&number).then(|| Player(number - 1))
    }

    /// The number, from 1 to 6.
    pub fn number(self) -> u8 {
        self.0 + 1
    }

    /// The player as an index into a list of six.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// A cell as this player sees it: turned so that its own home is where player 1 has its home.
    pub fn sees(self, at: Coordinates) -> Coordinates {
        at.rotated((6 - self.0) % 6)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// What a board is to one player.
pub struct View {
    /// Where its pieces begin.
    pub home: Cells,
    /// Where they have to go.
    pub goal: Cells,
    /// Where they may stand: home, goal and the hexagon between them.
    pub allowed: Cells,
    /// The coordinate w of each cell as the player sees it.
    pub w: [i8; 256],
}

/// A board of one size with all that can be known of it beforehand.
pub struct Star {
    size: u8,
    coordinates: Vec<Coordinates>,
    neighbours: [[Cell; DIRECTIONS]; 256],
    views: [View; 6],
}

impl Star {
    /// The board of this parameter N.
    ///
    /// # Panics
    /// If N is not from 1 to [`MAX_SIZE`].
    pub fn new(size: u8) -> &'static Star {
        static STARS: OnceLock<Vec<Star>> = OnceLock::new();
        let stars = STARS.get_or_init(|| (1..=MAX_SIZE).map(Star::build).collect());
        &stars[usize::from(size) - 1]
    }

    fn build(size: u8) -> Star {
        let count = cells(size);
        let coordinates: Vec<Coordinates> = (0..count).filter_map(|index| coordinates(size, index)).collect();
        let mut neighbours = [[NOWHERE; DIRECTIONS]; 256];
        for (&at, around) in coordinates.iter().zip(&mut neighbours) {
            *around = STEPS.map(|step| index(size, at.step(step)).unwrap_or(NOWHERE));
        }
        let views = Player::ALL.map(|player| View::new(size, player, &coordinates));
        Star { size, coordinates, neighbours, views }
    }

    /// The parameter N.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.coordinates.len()
    }

    /// All cells by index.
    pub fn all(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.count() as u8).map(Cell)
    }

    /// The cell with this index, if there is one.
    pub fn cell(&self, index: usize) -> Option<Cell> {
        (index < self.count()).then_some(Cell(index as u8))
    }

    /// Where a cell is.
    pub fn coordinates(&self, cell: Cell) -> Coordinates {
        self.coordinates[cell.index()]
    }

    /// The cell at these coordinates, if there is one.
    pub fn at(&self, coordinates: Coordinates) -> Option<Cell> {
        index(self.size, coordinates)
    }

    /// What the board is to a player.
    pub fn view(&self, player: Player) -> &View {
        &self.views[player.index()]
    }

    /// The neighbours of a cell by direction. What is off the board is in no set of cells.
    pub(super) fn around(&self, cell: Cell) -> &[Cell; DIRECTIONS] {
        &self.neighbours[cell.index()]
    }
}

impl View {
    fn new(size: u8, player: Player, coordinates: &[Coordinates]) -> View {
        let n = size as i8;
        let mut view = View { home: Cells::EMPTY, goal: Cells::EMPTY, allowed: Cells::EMPTY, w: [0; 256] };
        for (cell, &at) in (0..).map(Cell).zip(coordinates) {
            let seen = player.sees(at);
            view.w[cell.index()] = seen.w();
            if seen.w() < -n {
                view.home.insert(cell);
            }
            if seen.w() > n {
                view.goal.insert(cell);
            }
            if seen.u.abs() <= n && seen.v.abs() <= n {
                view.allowed.insert(cell);
            }
        }
        view
    }
}

/// How many cells a board has.
pub fn cells(size: u8) -> usize {
    let n = usize::from(size);
    6 * n * n + 6 * n + 1
}

/// The index of the cell at these coordinates, if there is one: row by row where neither |u| nor |v| exceeds N, and after
/// those the four points of the star beyond them, line by line away from the centre.
pub fn index(size: u8, at: Coordinates) -> Option<Cell> {
    let (n, u, v) = (i32::from(size), i32::from(at.u), i32::from(at.v));
    if [u, v, v - u].into_iter().filter(|coordinate| coordinate.abs() <= n).count() < 2 {
        return None;
    }
    let side = 2 * n + 1;
    let (point, line, along) = match () {
        () if u > n => (0, u - n, v),
        () if u < -n => (1, -u - n, -v),
        () if v > n => (2, v - n, u),
        () if v < -n => (3, -v - n, -u),
        () => return Some(Cell(((u + n) + side * (v + n)) as u8)),
    };
    Some(Cell((side * side + point * point_cells(n) + line_start(n, line) + along - line) as u8))
}

/// The coordinates of the cell with this index, if there is one.
pub fn coordinates(size: u8, index: usize) -> Option<Coordinates> {
    let n = i32::from(size);
    let side = 2 * n + 1;
    let index = i32::try_from(index).ok().filter(|&index| index < cells(size) as i32)?;
    let (u, v) = if index < side * side {
        (index % side - n, index / side - n)
    } else {
        let (point, rest) = ((index - side * side) / point_cells(n), (index - side * side) % point_cells(n));
        let line = (1..=n).rev().find(|&line| line_start(n, line) <= rest)?;
        let (beyond, along) = (line + n, rest - line_start(n, line) + line);
        match point {
            0 => (beyond, along),
            1 => (-beyond, -along),
            2 => (along, beyond),
            _ => (-along, -beyond),
        }
    };
    Some(Coordinates { u: u as i8, v: v as i8 })
}

/// Cells in a point of the star.
fn point_cells(n: i32) -> i32 {
    n * (n + 1) / 2
}

/// Cells of a point before a line of it; lines are counted from 1.
fn line_start(n: i32, line: i32) -> i32 {
    (line - 1) * (n + 1) - line * (line - 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_and_coordinates_are_paired() {
        for (size, count) in (1..=MAX_SIZE).zip([13, 37, 73, 121, 181, 253]) {
            assert_eq!(cells(size), count);
            let reach = 2 * size as i8 + 1;
            let mut found = Cells::EMPTY;
            for u in -reach..=reach {
                for v in -reach..=reach {
                    let at = Coordinates { u, v };
                    let inside =
                        [u, v, at.w()].iter().filter(|coordinate| coordinate.abs() <= size as i8).count();
                    let Some(cell) = index(size, at) else {
                        assert!(inside < 2, "{at:?} on {size}");
                        continue;
                    };
                    assert!(inside >= 2 && cell.index() < count && !found.contains(cell), "{at:?} on {size}");
                    assert_eq!(coordinates(size, cell.index()), Some(at));
                    found.insert(cell);
                }
            }
            assert_eq!(found.len(), count);
            assert_eq!((coordinates(size, count), coordinates(size, usize::MAX)), (None, None));
        }
        assert_eq!(cells(MAX_SIZE), MAX_CELLS);
    }

    #[test]
    fn six_turns_are_none_and_each_keeps_the_board() {
        assert_eq!(Coordinates { u: -1, v: -1 }.rotated(1), Coordinates { u: 0, v: -1 });
        for size in 1..=MAX_SIZE {
            let star = Star::new(size);
            for at in star.all().map(|cell| star.coordinates(cell)) {
                let turned = at.rotated(1);
                assert_eq!((turned.u, turned.v, turned.w()), (-at.w(), at.u, at.v));
                assert!(star.at(turned).is_some());
                assert_eq!(turned.rotated(5), at);
                assert_eq!(at.rotated(6), at);
            }
        }
    }

    #[test]
    fn homes_are_where_the_hand_out_has_them() {
        let star = Star::new(2);
        let home = |number| -> Vec<u8> {
            star.view(Player::new(number).unwrap()).home.iter().map(|cell| cell.0).collect()
        };
        let homes: Vec<Vec<u8>> = (1..=6).map(home).collect();
        let expected = [[3, 4, 9], [25, 26, 27], [31, 32, 33], [15, 20, 21], [28, 29, 30], [34, 35, 36]];
        assert_eq!(homes, expected);
    }

    #[test]
    fn everybody_goes_to_the_opposite_home_and_keeps_out_of_the_others() {
        for size in 1..=MAX_SIZE {
            let star = Star::new(size);
            for player in Player::ALL {
                let view = star.view(player);
                let opposite = star.view(Player((player.0 + 3) % 6));
                assert_eq!((view.goal, view.allowed), (opposite.home, opposite.allowed));
                let others = Player::ALL.into_iter().filter(|other| other.0 % 3 != player.0 % 3);
                for other in others {
                    assert!(star.view(other).home.and(view.allowed).is_empty());
                }
            }
        }
    }

    #[test]
    fn neighbourhood_is_mutual_and_opposite_directions_undo_each_other() {
        for size in 1..=MAX_SIZE {
            let star = Star::new(size);
            for cell in star.all() {
                for (direction, &next) in star.around(cell).iter().enumerate() {
                    if next != NOWHERE {
                        assert_eq!(star.around(next)[(direction + 3) % DIRECTIONS], cell);
                    }
                }
            }
        }
    }
}
