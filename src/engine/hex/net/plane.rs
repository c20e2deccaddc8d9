//! Where features lie in memory: cell after cell, row after row, with one empty column between rows, so that every
//! neighbour of a cell is a fixed distance away and what is off the board reads as zero.

use super::weights::{CHANNELS, Features, TAPS};
use crate::game::grid::MAX_SIZE;

/// Cells that are computed at a time at the most; as many behind the last may be written.
pub const MOST_AT_A_TIME: usize = 32;

/// The empty cells before the first one: a row, and a cell more.
const BEFORE: usize = MAX_SIZE as usize + 2;
const PLACES: usize = BEFORE + MAX_SIZE as usize * (MAX_SIZE as usize + 1) + MOST_AT_A_TIME + BEFORE;

/// How a board lies in a [`Plane`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    size: usize,
}

impl Shape {
    /// The shape of a board with edges of so many cells.
    pub fn new(size: u8) -> Shape {
        assert!(size <= MAX_SIZE);
        Shape { size: usize::from(size) }
    }

    /// Cells along an edge.
    pub fn size(self) -> usize {
        self.size
    }

    /// The distance between cells one below the other.
    pub fn stride(self) -> usize {
        self.size + 1
    }

    /// From the first cell to the last, with the empty places between them.
    pub fn places(self) -> usize {
        self.size * self.stride() - 1
    }

    /// The distances of the taps, in the order of the weights: row by row.
    pub fn taps(self) -> [isize; TAPS] {
        let stride = self.stride() as isize;
        [-stride, -stride + 1, -1, 0, 1, stride - 1, stride]
    }
}

/// A cell's features, where the widest vectors like them.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Aligned<T>(T);

/// Features of all cells of a board. All around the cells is zero.
pub struct Plane<T = Features> {
    shape: Shape,
    zero: T,
    places: Box<[Aligned<T>]>,
}

impl<T: Copy> Plane<T> {
    /// Room for any board, all of it zero.
    pub fn new(zero: T) -> Plane<T> {
        Plane { shape: Shape::new(MAX_SIZE), zero, places: vec![Aligned(zero); PLACES].into_boxed_slice() }
    }

    /// Makes it one for boards of this shape.
    pub fn fit(&mut self, shape: Shape) {
        if self.shape != shape {
            self.shape = shape;
            self.places.fill(Aligned(self.zero));
        }
    }

    /// The shape of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The first cell. All taps of all cells are within the plane, and so are [`MOST_AT_A_TIME`] cells behind the last.
    pub fn first(&self) -> *const T {
        (&raw const self.places[BEFORE]).cast()
    }

    /// The first cell, to be written.
    pub fn first_mut(&mut self) -> *mut T {
        (&raw mut self.places[BEFORE]).cast()
    }

    /// The features of a cell.
    pub fn at(&self, place: usize) -> &T {
        &self.places[BEFORE + place].0
    }

    /// The features of a cell, to be written.
    pub fn at_mut(&mut self, place: usize) -> &mut T {
        &mut self.places[BEFORE + place].0
    }

    /// Makes everything around the cells zero again.
    pub fn clear_rim(&mut self) {
        let (shape, zero) = (self.shape, self.zero);
        for row in 0..shape.size() {
            *self.at_mut(row * shape.stride() + shape.size()) = zero;
        }
        for beyond in shape.places()..shape.places() + MOST_AT_A_TIME {
            *self.at_mut(beyond) = zero;
        }
    }
}

const _: () = assert!(size_of::<Aligned<Features>>() == CHANNELS * size_of::<f32>());
