//! The network's input: a position from the side to move, as if that side joined top and bottom. Sides apart, that is one
//! and the same game.

use super::plane::{Plane, Shape};
use super::weights::{CHANNELS, Features, Part, TAPS, Weights};
use crate::engine::hex::board::{Board, MAX_SPOTS, Spot, Stone};
use crate::game::hex::Side;

/// Whose stone lies on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Whose {
    /// None does.
    Nobody,
    /// One of the side to move.
    Own,
    /// One of the other side.
    Other,
}

/// The input planes: the stones of the side to move and those of the other side, as the side to move sees them, with the edges
/// painted around the board.
#[derive(Clone)]
pub struct InputPlanes {
    size: u8,
    stones: [Whose; MAX_SPOTS],
}

impl InputPlanes {
    /// A board whose cells are given row by row.
    pub fn new(size: u8, cells: impl IntoIterator<Item = Whose>) -> InputPlanes {
        let mut planes = InputPlanes { size, stones: [Whose::Nobody; MAX_SPOTS] };
        let (size, stride) = (usize::from(size), usize::from(size) + 2);
        for along in 0..stride {
            planes.stones[along] = Whose::Own;
            planes.stones[(size + 1) * stride + along] = Whose::Own;
        }
        let mut cells = cells.into_iter();
        for row in 1..=size {
            let row = &mut planes.stones[row * stride..][..stride];
            row[0] = Whose::Other;
            row[size + 1] = Whose::Other;
            row[1..=size].iter_mut().zip(&mut cells).for_each(|(stone, cell)| *stone = cell);
        }
        planes
    }

    /// The input for a position.
    pub fn of(board: &Board) -> InputPlanes {
        let own = Stone::from(board.to_move());
        let whose = |spot| match board.stone(spot) {
            Stone::Empty => Whose::Nobody,
            stone if stone == own => Whose::Own,
            _ => Whose::Other,
        };
        let (down, right) = steps(board);
        let size = u16::from(board.size());
        let spots = (1..=size).flat_map(|row| (1..=size).map(move |column| row * down + column * right));
        InputPlanes::new(board.size(), spots.map(whose))
    }

    /// The same, turned by half a turn.
    pub fn turned(&self) -> InputPlanes {
        let mut cells: Vec<Whose> = self.cells().collect();
        cells.reverse();
        InputPlanes::new(self.size, cells)
    }

    /// Whose stones lie on the cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Whose> + '_ {
        let (size, stride) = (usize::from(self.size), usize::from(self.size) + 2);
        (1..=size).flat_map(move |row| &self.stones[row * stride + 1..][..size]).copied()
    }

    /// How it lies in a plane.
    pub fn shape(&self) -> Shape {
        Shape::new(self.size)
    }

    /// The first layer of the network: what the stones on and around each cell say.
    pub fn first_layer(&self, weights: &Weights, features: &mut Plane) {
        features.fit(self.shape());
        let says = weights.part(Part::Input).as_chunks::<CHANNELS>().0;
        let bias: &Features = weights.part(Part::InputBias).first_chunk().expect("a bias for each feature");
        self.for_each_cell(|place, seen| {
            let mut sum = *bias;
            for index in seen {
                sum.iter_mut().zip(&says[index]).for_each(|(sum, says)| *sum += says);
            }
            *features.at_mut(place) = sum.map(|feature| feature.max(0.0));
        });
    }

    /// Calls `act` for each cell, with its place in a plane and, for each stone on or around it, which vector of
    /// [`Part::Input`] that is.
    pub fn for_each_cell(&self, mut act: impl FnMut(usize, &mut dyn Iterator<Item = usize>)) {
        let (size, stride) = (usize::from(self.size), usize::from(self.size) + 2);
        // In the order of the weights, from the cell above.
        let taps: [usize; TAPS] = [0, 1, stride - 1, stride, stride + 1, 2 * stride - 1, 2 * stride];
        for row in 0..size {
            for column in 0..size {
                let above = row * stride + column + 1;
                let mut seen = taps.iter().enumerate().filter_map(|(tap, distance)| {
                    match self.stones[above + distance] {
                        Whose::Nobody => None,
                        Whose::Own => Some(2 * tap),
                        Whose::Other => Some(2 * tap + 1),
                    }
                });
                act(row * self.shape().stride() + column, &mut seen);
            }
        }
    }
}

/// The distances on the board of what the side to move sees as one down and one to the right.
fn steps(board: &Board) -> (Spot, Spot) {
    match board.to_move() {
        Side::White => (board.stride(), 1),
        Side::Black => (1, board.stride()),
    }
}

/// The index of a cell in [`Evaluation::policy`]: where the side to move sees it, counted row by row.
///
/// [`Evaluation::policy`]: super::heads::Evaluation::policy
pub fn policy_index(board: &Board, spot: Spot) -> usize {
    let cell = board.cell(spot);
    let (row, column) = match board.to_move() {
        Side::White => (cell.row, cell.column),
        Side::Black => (cell.column, cell.row),
    };
    usize::from(row) * usize::from(board.size()) + usize::from(column)
}
