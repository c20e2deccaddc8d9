//! How the network's numbers should change for it to evaluate a position better.

use std::ops::AddAssign;

use super::sample::Sample;
use crate::engine::hex::net::amx::{
    Bf16Features, Convolution, Inputs, Outputs, Unit, round_to_bf16, widen_to_f32,
};
use crate::engine::hex::net::bf16;
use crate::engine::hex::net::encoding::Whose;
use crate::engine::hex::net::heads::{Summary, places, product};
use crate::engine::hex::net::plane::Plane;
use crate::engine::hex::net::weights::{CHANNELS, Features, Part, Weights};

/// How much a wrong guess of the winning chain counts beside one of the value or of the move.
const CHAIN_COUNTS: f32 = 1.0;

/// How far the network's evaluation is from what it should be, summed over positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Of the moves: how surprising the right ones are, beyond what cannot be foreseen.
    pub policy: f32,
    /// Of the value, likewise.
    pub value: f32,
    /// Of the winning chain: the mean squared error.
    pub chain: f32,
}

impl AddAssign for Loss {
    fn add_assign(&mut self, other: Loss) {
        self.policy += other.policy;
        self.value += other.value;
        self.chain += other.chain;
    }
}

/// The network's layers, ready for going forward and back.
pub struct Layers {
    forward: Vec<Convolution>,
    backward: Vec<Convolution>,
}

impl Layers {
    /// The layers with these weights.
    pub fn new(weights: &Weights) -> Layers {
        let layers = || (0..weights.layers()).map(|layer| weights.part(Part::Layer(layer)));
        Layers {
            forward: layers().map(Convolution::new).collect(),
            backward: layers().map(Convolution::backwards).collect(),
        }
    }
}

/// Sums gradients over positions. Each thread has its own.
pub struct Gradient {
    /// The sum so far.
    pub sum: Weights,
    /// How far off the evaluations were.
    pub loss: Loss,
    /// What goes into each layer, and what comes out of the last.
    features: Vec<Plane<Bf16Features>>,
    long: Plane,
    /// The gradient of the features, on its way back.
    back: Plane,
    inner: Plane,
    short: Plane<Bf16Features>,
    inputs: Inputs,
    outputs: Outputs,
}

impl Gradient {
    /// None so far, for a network of this form.
    pub fn new(like: &Weights) -> Gradient {
        let mut sum = like.clone();
        sum.numbers_mut().fill(0.0);
        let halves = || Plane::new([0; CHANNELS]);
        let floats = || Plane::new([0.0; CHANNELS]);
        Gradient {
            features: (0..=sum.layers()).map(|_| halves()).collect(),
            sum,
            loss: Loss::default(),
            long: floats(),
            back: floats(),
            inner: floats(),
            short: halves(),
            inputs: Inputs::new(),
            outputs: Outputs::new(),
        }
    }

    /// Forgets what has been summed.
    pub fn clear(&mut self) {
        self.sum.numbers_mut().fill(0.0);
        self.loss = Loss::default();
    }

    /// Adds what one position says.
    pub fn add(&mut self, weights: &Weights, layers: &Layers, sample: &Sample) {
        let input = sample.input();
        input.first_layer(weights, &mut self.long);
        round_to_bf16(&self.long, &mut self.features[0]);
        let unit = Unit::new();
        self.go_forward(&unit, weights, layers);
        widen_to_f32(self.features.last().expect("there is a last layer"), &mut self.long);
        self.back.fit(self.long.shape());
        for place in places(self.long.shape()) {
            *self.back.at_mut(place) = [0.0; CHANNELS];
        }
        self.cell_heads(weights, sample);
        self.value_head(weights, sample);
        self.go_back(&unit, layers);
        let gradient = self.sum.part_mut(Part::Input).as_chunks_mut::<CHANNELS>().0;
        input.for_each_cell(|place, seen| {
            for index in seen {
                add(&mut gradient[index], self.back.at(place));
            }
        });
        add_all(self.sum.part_mut(Part::InputBias), &self.back);
    }

    fn go_forward(&mut self, unit: &Unit, weights: &Weights, layers: &Layers) {
        for (index, layer) in layers.forward.iter().enumerate() {
            let bias: &Features =
                weights.part(Part::Bias(index)).first_chunk().expect("a bias for each feature");
            let (before, after) = self.features.split_at_mut(index + 1);
            after[0].fit(before[0].shape());
            if index % 2 == 0 {
                unit.layer(layer, bias, &before[index], &mut after[0]);
            } else {
                let shape = before[0].shape();
                for place in places(shape) {
                    *after[0].at_mut(place) = *before[index - 1].at(place);
                }
                unit.residual_layer(layer, bias, &before[index], &mut after[0]);
            }
        }
    }

    /// The heads that say something about each cell: the moves and the winning chain.
    fn cell_heads(&mut self, weights: &Weights, sample: &Sample) {
        let shape = self.long.shape();
        let policy: &Features = weights.part(Part::Policy).first_chunk().expect("one for each feature");
        let logits: Vec<f32> = places(shape).map(|place| product(self.long.at(place), policy)).collect();
        let free = |cell: usize| sample.stones[cell] == Whose::Nobody;
        let most =
            (0..logits.len()).filter(|&cell| free(cell)).map(|cell| logits[cell]).fold(f32::MIN, f32::max);
        let sum: f32 =
            (0..logits.len()).filter(|&cell| free(cell)).map(|cell| (logits[cell] - most).exp()).sum();
        let wanted: f32 = sample.policy.iter().map(|&share| f32::from(share)).sum();
        let cells = logits.len() as f32;
        for (cell, place) in places(shape).enumerate() {
            let features = *self.long.at(place);
            let back = self.back.at_mut(place);
            if free(cell) {
                let (likely, target) =
                    ((logits[cell] - most).exp() / sum, f32::from(sample.policy[cell]) / wanted);
                if target > 0.0 {
                    self.loss.policy += target * (target.ln() - (logits[cell] - most - sum.ln()));
                }
                add_scaled(self.sum.part_mut(Part::Policy), &features, likely - target);
                add_scaled(back, policy, likely - target);
            }
            let (bias, chain) = weights.part(Part::Chain).split_last().expect("it has a bias");
            let guess = (product(&features, chain) + bias).tanh();
            let error = guess - side(sample.chain[cell]);
            self.loss.chain += error * error / cells;
            let slope = CHAIN_COUNTS * 2.0 * error * (1.0 - guess * guess) / cells;
            let (bias, gradient) = self.sum.part_mut(Part::Chain).split_last_mut().expect("it has a bias");
            *bias += slope;
            add_scaled(gradient, &features, slope);
            add_scaled(back, chain, slope);
        }
    }

    /// The head that says who will win.
    fn value_head(&mut self, weights: &Weights, sample: &Sample) {
        let summary = Summary::new(weights, &self.long);
        let guess = summary.value(weights);
        let (likely, wanted) = (1.0 / (1.0 + (-2.0 * guess).exp()), (1.0 + sample.value) / 2.0);
        self.loss.value += divergence(wanted, likely) + divergence(1.0 - wanted, 1.0 - likely);
        let slope = 2.0 * (likely - wanted);
        let (bias, gradient) = self.sum.part_mut(Part::Value).split_last_mut().expect("it has a bias");
        *bias += slope;
        add_scaled(gradient, &summary.units, slope);
        let mut pooled = [0.0; 2 * CHANNELS];
        for (unit, &active) in summary.units.iter().enumerate() {
            if active > 0.0 {
                let slope = slope * weights.part(Part::Value)[unit];
                let range = unit * 2 * CHANNELS..(unit + 1) * 2 * CHANNELS;
                self.sum.part_mut(Part::SummaryBias)[unit] += slope;
                add_scaled(&mut self.sum.part_mut(Part::Summary)[range.clone()], &summary.pooled, slope);
                add_scaled(&mut pooled, &weights.part(Part::Summary)[range], slope);
            }
        }
        let shape = self.long.shape();
        let cells = (shape.size() * shape.size()) as f32;
        let (mean, most) = pooled.split_at(CHANNELS);
        let mut pending: [bool; CHANNELS] =
            std::array::from_fn(|channel| summary.pooled[CHANNELS + channel] > 0.0);
        for place in places(shape) {
            add_scaled(self.back.at_mut(place), mean, 1.0 / cells);
            for channel in 0..CHANNELS {
                if pending[channel] && self.long.at(place)[channel] == summary.pooled[CHANNELS + channel] {
                    pending[channel] = false;
                    self.back.at_mut(place)[channel] += most[channel];
                }
            }
        }
    }

    fn go_back(&mut self, unit: &Unit, layers: &Layers) {
        let shape = self.back.shape();
        self.inner.fit(shape);
        for first in (0..layers.forward.len()).step_by(2).rev() {
            relu_backward(&mut self.back, &self.features[first + 2]);
            round_to_bf16(&self.back, &mut self.short);
            self.add_layer(unit, first + 1);
            for place in places(shape) {
                *self.inner.at_mut(place) = [0.0; CHANNELS];
            }
            unit.add(&layers.backward[first + 1], &self.short, &mut self.inner);
            relu_backward(&mut self.inner, &self.features[first + 1]);
            round_to_bf16(&self.inner, &mut self.short);
            self.add_layer(unit, first);
            unit.add(&layers.backward[first], &self.short, &mut self.back);
        }
        relu_backward(&mut self.back, &self.features[0]);
    }

    /// Adds the gradient of a layer, given that of what came out of it.
    fn add_layer(&mut self, unit: &Unit, layer: usize) {
        self.inputs.set(&self.features[layer]);
        self.outputs.set(&self.short);
        unit.add_gradient(&self.inputs, &self.outputs, self.sum.part_mut(Part::Layer(layer)));
        let bias = self.sum.part_mut(Part::Bias(layer));
        for place in places(self.short.shape()) {
            bias.iter_mut().zip(self.short.at(place)).for_each(|(sum, half)| *sum += bf16::to_f32(*half));
        }
    }
}

fn side(whose: Whose) -> f32 {
    match whose {
        Whose::Nobody => 0.0,
        Whose::Own => 1.0,
        Whose::Other => -1.0,
    }
}

/// One part of the Kullback–Leibler divergence.
fn divergence(wanted: f32, likely: f32) -> f32 {
    if wanted > 0.0 { wanted * (wanted / likely.max(1e-9)).ln() } else { 0.0 }
}

fn add(sum: &mut [f32], numbers: &[f32]) {
    sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
}

fn add_scaled(sum: &mut [f32], numbers: &[f32], factor: f32) {
    sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += factor * number);
}

fn add_all(sum: &mut [f32], plane: &Plane) {
    places(plane.shape()).for_each(|place| add(sum, plane.at(place)));
}

/// Carries gradients back through a rectified linear unit: they only pass where a feature was above zero.
fn relu_backward(gradient: &mut Plane, features: &Plane<Bf16Features>) {
    for place in places(features.shape()) {
        for (gradient, &feature) in gradient.at_mut(place).iter_mut().zip(features.at(place)) {
            *gradient = if feature != 0 { *gradient } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::hex::learn::adam::Adam;
    use crate::engine::hex::net::amx;

    fn samples(rng: &mut fastrand::Rng) -> Vec<Sample> {
        let mut whose = |empty: u8| match rng.u8(..2 + empty) {
            0 => Whose::Own,
            1 => Whose::Other,
            _ => Whose::Nobody,
        };
        let mut sample = |size: u8| {
            let cells = usize::from(size) * usize::from(size);
            let stones: Box<[Whose]> = (0..cells).map(|_| whose(3)).collect();
            let policy = stones.iter().enumerate();
            let policy =
                policy.map(|(cell, stone)| if *stone == Whose::Nobody { cell as u16 % 5 } else { 0 });
            let chain = (0..cells).map(|_| whose(2)).collect();
            let value = if size.is_multiple_of(2) { 0.8 } else { -0.6 };
            Sample { size, policy: policy.collect(), stones, value, chain }
        };
        [5, 7, 8, 11, 14, 13].map(&mut sample).into()
    }

    fn total(weights: &Weights, samples: &[Sample], gradient: &mut Gradient) -> f32 {
        gradient.clear();
        let layers = Layers::new(weights);
        samples.iter().for_each(|sample| gradient.add(weights, &layers, sample));
        gradient.loss.policy + gradient.loss.value + CHAIN_COUNTS * gradient.loss.chain
    }

    #[test]
    fn along_the_gradient_the_loss_changes_as_it_says() {
        if !amx::available() {
            println!("skipped: this processor has no AMX, which learning needs");
            return;
        }
        let samples = samples(&mut fastrand::Rng::with_seed(7));
        let mut weights = Adam::new(2, 5).weights;
        // Larger than at the beginning, so that every head matters.
        weights.part_mut(Part::Policy).iter_mut().for_each(|number| *number *= 3.0);
        weights.part_mut(Part::Chain).iter_mut().enumerate().for_each(|(index, number)| {
            *number = 0.1 * (index as f32).sin();
        });
        let mut gradient = Gradient::new(&weights);
        let loss = total(&weights, &samples, &mut gradient);
        let slopes = gradient.sum.clone();
        let mut parts = vec![Part::Input, Part::InputBias, Part::Policy, Part::Chain];
        parts.extend((0..4).flat_map(|layer| [Part::Layer(layer), Part::Bias(layer)]));
        parts.extend([Part::Summary, Part::SummaryBias, Part::Value]);
        for part in parts {
            let steepness: f32 = slopes.part(part).iter().map(|slope| slope * slope).sum();
            let step = 0.01 * loss / steepness;
            let mut there = |direction: f32| {
                let mut moved = weights.clone();
                add_scaled(moved.part_mut(part), slopes.part(part), direction * step);
                total(&moved, &samples, &mut gradient)
            };
            let ratio = (there(1.0) - there(-1.0)) / (0.02 * loss);
            assert!((0.9..1.1).contains(&ratio), "{part:?}: {ratio} of what the gradient says");
        }
    }
}
