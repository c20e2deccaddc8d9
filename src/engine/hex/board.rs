//! The board as the searches see it: small, quick to copy, with the edges painted around it as stones.

use crate::game::grid::{Cell, Grid, MAX_SIZE};
use crate::game::hex::{Hex, Side};

/// A cell of a [`Board`], the painted edges included.
pub type Spot = u16;

/// Spots of the largest board: its cells, and a rim of painted ones.
pub const MAX_SPOTS: usize = (MAX_SIZE as usize + 2) * (MAX_SIZE as usize + 2);

/// What lies on a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stone {
    /// Nothing.
    Empty,
    /// A stone of the side that joins top and bottom.
    White,
    /// A stone of the side that joins left and right.
    Black,
}

impl From<Side> for Stone {
    fn from(side: Side) -> Stone {
        match side {
            Side::White => Stone::White,
            Side::Black => Stone::Black,
        }
    }
}

/// A position of Hex without its history: no swap, and nothing but stones and whose turn it is.
#[derive(Clone)]
pub struct Board {
    size: u8,
    to_move: Side,
    winner: Option<Side>,
    empty: u16,
    stones: [Stone; MAX_SPOTS],
    /// Union-find over the stones; all painted ones of an edge are one group from the start.
    parents: [Spot; MAX_SPOTS],
}

impl Board {
    /// The empty board, with white to move.
    pub fn new(size: u8) -> Board {
        let mut board = Board {
            size,
            to_move: Side::White,
            winner: None,
            empty: u16::from(size) * u16::from(size),
            stones: [Stone::Empty; MAX_SPOTS],
            parents: std::array::from_fn(|spot| spot as Spot),
        };
        let (stride, size) = (usize::from(board.stride()), usize::from(size));
        for along in 0..stride {
            // Corners are white: what touches them touches the white edge anyway.
            for row in [0, size + 1] {
                board.stones[row * stride + along] = Stone::White;
                board.parents[row * stride + along] = (row * stride) as Spot;
            }
        }
        for row in 1..=size {
            for column in [0, size + 1] {
                board.stones[row * stride + column] = Stone::Black;
                board.parents[row * stride + column] = (stride + column) as Spot;
            }
        }
        board
    }

    /// The position of a game.
    pub fn of(game: &Hex) -> Board {
        let mut board = Board::new(game.grid().size());
        for cell in game.grid().all() {
            if let Some(side) = game.stone(cell) {
                board.put(board.spot(cell), side);
            }
        }
        board.to_move = game.side_to_move();
        board
    }

    /// Cells along an edge.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The distance between spots one below the other.
    pub fn stride(&self) -> u16 {
        u16::from(self.size) + 2
    }

    /// The side to move.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The side that has joined its edges.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// How many cells are empty.
    pub fn empty_cells(&self) -> u16 {
        self.empty
    }

    /// The spot of a cell.
    pub fn spot(&self, cell: Cell) -> Spot {
        (u16::from(cell.row) + 1) * self.stride() + u16::from(cell.column) + 1
    }

    /// The cell of a spot that is no painted one.
    pub fn cell(&self, spot: Spot) -> Cell {
        Cell::new((spot / self.stride() - 1) as u8, (spot % self.stride() - 1) as u8)
    }

    /// What lies on a spot.
    pub fn stone(&self, spot: Spot) -> Stone {
        self.stones[usize::from(spot)]
    }

    /// What lies on all spots.
    pub fn stones(&self) -> &[Stone; MAX_SPOTS] {
        &self.stones
    }

    /// Whether nothing lies on a spot.
    pub fn is_empty(&self, spot: Spot) -> bool {
        self.stone(spot) == Stone::Empty
    }

    /// All cells, row by row.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let stride = self.stride();
        (1..stride - 1).flat_map(move |row| (1..stride - 1).map(move |column| row * stride + column))
    }

    /// The empty cells, row by row.
    pub fn empty(&self) -> impl Iterator<Item = Spot> + '_ {
        self.spots().filter(|&spot| self.is_empty(spot))
    }

    /// The six spots around a cell, in the order of a walk around it.
    pub fn around(&self, spot: Spot) -> [Spot; 6] {
        let stride = self.stride();
        [spot - stride, spot - stride + 1, spot + 1, spot + stride, spot + stride - 1, spot - 1]
    }

    /// The side to move puts a stone on an empty cell.
    pub fn play(&mut self, spot: Spot) {
        let side = self.to_move;
        self.put(spot, side);
        self.to_move = side.other();
    }

    /// A side puts a stone on an empty cell, whoever's turn it is.
    pub fn put(&mut self, spot: Spot, side: Side) {
        debug_assert_eq!(self.stone(spot), Stone::Empty);
        self.stones[usize::from(spot)] = side.into();
        self.empty -= 1;
        for next in self.around(spot) {
            if self.stone(next) == side.into() {
                let (one, other) = (self.root(spot), self.root(next));
                self.parents[usize::from(one)] = other;
            }
        }
        let [near, far] = self.edges(side);
        if self.root(near) == self.root(far) {
            self.winner = Some(side);
        }
    }

    /// A painted stone of each of a side's edges.
    pub fn edges(&self, side: Side) -> [Spot; 2] {
        let (stride, size) = (self.stride(), u16::from(self.size));
        match side {
            Side::White => [0, (size + 1) * stride],
            Side::Black => [stride, stride + size + 1],
        }
    }

    /// The stone that stands for the whole group of a stone.
    pub fn root(&mut self, spot: Spot) -> Spot {
        let mut at = usize::from(spot);
        while usize::from(self.parents[at]) != at {
            // Halving the path keeps later walks short.
            self.parents[at] = self.parents[usize::from(self.parents[at])];
            at = usize::from(self.parents[at]);
        }
        at as Spot
    }

    /// The board's geometry.
    pub fn grid(&self) -> Grid {
        Grid::new(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn it_agrees_with_the_rules_in_random_games() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for _ in 0..2000 {
            let size = rng.u8(2..=26);
            let (mut game, mut board) = (Hex::new(size), Board::new(size));
            let mut cells: Vec<Cell> = game.grid().all().collect();
            rng.shuffle(&mut cells);
            for cell in cells {
                game.play(&cell.to_string()).unwrap();
                let spot = board.spot(cell);
                assert_eq!(board.cell(spot), cell);
                board.play(spot);
                assert_eq!(board.winner(), game.winner());
                if game.winner().is_some() {
                    break;
                }
            }
            let copy = Board::of(&game);
            assert_eq!(copy.winner(), game.winner());
            assert_eq!(copy.to_move(), board.to_move());
            assert_eq!(copy.empty().collect::<Vec<_>>(), board.empty().collect::<Vec<_>>());
        }
    }
}
