//! What is read from the features of the last layer.

use super::plane::{Plane, Shape};
use super::weights::{CHANNELS, Features, Part, SUMMARY, Weights};
use crate::game::grid::MAX_CELLS;

/// What the network thinks of a position.
#[derive(Clone)]
pub struct Evaluation {
    /// From the side to move: 1 is a sure win, -1 a sure loss.
    pub value: f32,
    /// How much speaks for playing on each cell, row by row as the side to move sees them: the logarithm of a probability, but
    /// for a common constant. It says nothing about cells that are taken.
    pub policy: [f32; MAX_CELLS],
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation { value: 0.0, policy: [0.0; MAX_CELLS] }
    }
}

impl Evaluation {
    /// Reads it off the features.
    pub fn read(&mut self, weights: &Weights, features: &Plane) {
        let policy = weights.part(Part::Policy);
        for (target, place) in self.policy.iter_mut().zip(places(features.shape())) {
            *target = product(features.at(place), policy);
        }
        self.value = Summary::new(weights, features).value(weights).tanh();
    }
}

/// The places of all cells, row by row.
pub fn places(shape: Shape) -> impl Iterator<Item = usize> {
    (0..shape.size()).flat_map(move |row| row * shape.stride()..row * shape.stride() + shape.size())
}

/// The scalar product, summed in several parts so that the processor can do them at once.
pub fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    for (one, other) in one.as_chunks::<16>().0.iter().zip(other.as_chunks::<16>().0) {
        for lane in 0..16 {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum()
}

/// The features of the whole board.
pub struct Summary {
    /// The means of the cells' features, and behind them their maxima.
    pub pooled: [f32; 2 * CHANNELS],
    /// Those from which the value is read.
    pub units: [f32; SUMMARY],
}

impl Summary {
    /// Sums a board up.
    pub fn new(weights: &Weights, features: &Plane) -> Summary {
        let (mut sums, mut most): (Features, Features) = ([0.0; CHANNELS], [0.0; CHANNELS]);
        for place in places(features.shape()) {
            let features = features.at(place);
            for channel in 0..CHANNELS {
                sums[channel] += features[channel];
                most[channel] =
                    if features[channel] > most[channel] { features[channel] } else { most[channel] };
            }
        }
        let cells = (features.shape().size() * features.shape().size()) as f32;
        let mut pooled = [0.0; 2 * CHANNELS];
        pooled[..CHANNELS].copy_from_slice(&sums.map(|sum| sum / cells));
        pooled[CHANNELS..].copy_from_slice(&most);
        let rows = weights.part(Part::Summary).as_chunks::<{ 2 * CHANNELS }>().0;
        let bias = weights.part(Part::SummaryBias);
        let units = std::array::from_fn(|unit| (product(&rows[unit], &pooled) + bias[unit]).max(0.0));
        Summary { pooled, units }
    }

    /// The value; its hyperbolic tangent goes from -1 to 1.
    pub fn value(&self, weights: &Weights) -> f32 {
        let (bias, value) = weights.part(Part::Value).split_last().expect("it has a bias");
        product(&self.units, value) + bias
    }
}
