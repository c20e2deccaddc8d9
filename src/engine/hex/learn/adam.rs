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

    /// The same network with more blocks. Until they have learnt something, they pass on what they are given.
    pub fn grow(&mut self, blocks: usize, seed: u64) {
        let learnt = self.weights.layers();
        for part in [&mut self.weights, &mut self.average, &mut self.mean, &mut self.spread] {
            *part = part.grown(blocks);
        }
        // With both of its layers at zero, a block would never learn anything.
        let fresh = Adam::new(blocks, seed).weights;
        for layer in (learnt..self.weights.layers()).step_by(2).map(Part::Layer) {
            self.weights.part_mut(layer).copy_from_slice(fresh.part(layer));
            self.average.part_mut(layer).copy_from_slice(fresh.part(layer));
        }
    }

    /// Reads what [`Adam::write`] wrote; nothing if it is something else.
    pub fn read(bytes: &[u8]) -> Option<Adam> {
        let (body, sum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return None;
        }
        let (steps, rest) = body.split_first_chunk::<4>()?;
        let numbers: Vec<f32> =
            rest.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let mut parts = numbers.chunks_exact((numbers.len() / 4).max(1)).map(|part| {
            let mut weights = Weights::zero_of_length(part.len())?;
            weights.numbers_mut().copy_from_slice(part);
            Some(weights)
        });
        let mut next = || parts.next().flatten();
        let (weights, average, mean, spread) = (next()?, next()?, next()?, next()?);
        Some(Adam { weights, average, mean, spread, steps: u32::from_le_bytes(*steps) })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::hex::board::Board;
    use crate::engine::hex::net::encoding::InputPlanes;
    use crate::engine::hex::net::{Kernel, Network};

    #[test]
    fn a_grown_network_evaluates_as_before_and_can_be_kept() {
        let mut adam = Adam::new(2, 7);
        let evaluate = |weights: &Weights| {
            let mut network = Network::new(Arc::new(weights.clone()), Kernel::best());
            let evaluation = network.evaluate(&InputPlanes::of(&Board::new(9)));
            (evaluation.value, evaluation.policy.to_vec())
        };
        let before = evaluate(&adam.average);
        adam.grow(4, 8);
        assert_eq!(evaluate(&adam.average), before);
        let kept = Adam::read(&adam.write()).unwrap();
        assert!(kept.weights.numbers() == adam.weights.numbers() && kept.weights.layers() == 8);
        assert!(Adam::read(&adam.write()[1..]).is_none());
    }
}
