//! Changing numbers along their gradient: Adam, and an average over the last states, which plays better than any of them.

use crate::engine::hex::net::weights::{CHANNELS, Part, SUMMARY, TAPS, Weights};

const MOMENTUM: f32 = 0.9;
const SPREAD: f32 = 0.999;
const LEAST: f32 = 1e-8;
/// Gradients longer than this are shortened to it.
const CLIP: f32 = 2.0;
/// How much of the average stays with each step.
const AVERAGE: f32 = 0.998;

/// A network that learns.
#[derive(Clone)]
pub struct Adam {
    /// Its present state.
    pub weights: Weights,
    /// The average over the last states.
    pub average: Weights,
    mean: Weights,
    spread: Weights,
    steps: u32,
}

impl Adam {
    /// A network that knows nothing yet.
    pub fn new(blocks: usize, seed: u64) -> Adam {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut weights = Weights::zero(blocks);
        let mut fill = |part: Part, spread: f32| {
            for number in weights.part_mut(part) {
                // The sum of twelve dice is near enough to a normal distribution.
                *number = spread * ((0..12).map(|_| rng.f32()).sum::<f32>() - 6.0);
            }
        };
        let taps = TAPS as f32;
        fill(Part::Input, (2.0 / (2.0 * taps)).sqrt());
        for layer in 0..2 * blocks {
            // The second layer of a block begins small, which is what makes normalising between layers unnecessary.
            let small = if layer % 2 == 1 { 0.3 } else { 1.0 };
            fill(Part::Layer(layer), small * (2.0 / (taps * CHANNELS as f32)).sqrt());
        }
        fill(Part::Policy, 0.05);
        fill(Part::Summary, (1.0 / CHANNELS as f32).sqrt());
        fill(Part::Value, (1.0 / SUMMARY as f32).sqrt());
        let zero = Weights::zero(blocks);
        Adam { average: weights.clone(), weights, mean: zero.clone(), spread: zero, steps: 0 }
    }

    /// Makes a step along the mean gradient of some positions.
    pub fn step(&mut self, gradient: &Weights, rate: f32) {
        self.steps += 1;
        let length = gradient.numbers().iter().map(|number| number * number).sum::<f32>().sqrt();
        let shorten = (CLIP / length).min(1.0);
        let (of_mean, of_spread) =
            (1.0 - MOMENTUM.powi(self.steps as i32), 1.0 - SPREAD.powi(self.steps as i32));
        // Early on, the average must not remember how it all began.
        let keep = AVERAGE.min((1.0 + self.steps as f32) / (10.0 + self.steps as f32));
        let numbers = self.weights.numbers_mut().iter_mut().zip(self.average.numbers_mut());
        let moments = self.mean.numbers_mut().iter_mut().zip(self.spread.numbers_mut());
        for (((number, average), (mean, spread)), gradient) in numbers.zip(moments).zip(gradient.numbers()) {
            let gradient = gradient * shorten;
            *mean += (1.0 - MOMENTUM) * (gradient - *mean);
            *spread += (1.0 - SPREAD) * (gradient * gradient - *spread);
            *number -= rate * (*mean / of_mean) / ((*spread / of_spread).sqrt() + LEAST);
            *average += (1.0 - keep) * (*number - *average);
        }
    }

    /// All of it as bytes, to go on another day.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = self.steps.to_le_bytes().to_vec();
        for part in [&self.weights, &self.average, &self.mean, &self.spread] {
            bytes.extend(part.numbers().iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`Adam::write`] wrote of a network with so many blocks; nothing if it is something else.
    pub fn read(blocks: usize, bytes: &[u8]) -> Option<Adam> {
        let (body, sum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return None;
        }
        let (steps, rest) = body.split_first_chunk::<4>()?;
        let mut adam = Adam::new(blocks, 0);
        adam.steps = u32::from_le_bytes(*steps);
        let mut numbers = rest.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        for part in [&mut adam.weights, &mut adam.average, &mut adam.mean, &mut adam.spread] {
            for number in part.numbers_mut() {
                *number = numbers.next()?;
            }
        }
        numbers.next().is_none().then_some(adam)
    }
}
