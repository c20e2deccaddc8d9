//! The whole network, ready to evaluate positions.

use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use super::amx;
use super::encoding::InputPlanes;
use super::heads::Evaluation;
use super::kernel::Kernel;
use super::plane::Plane;
use super::simd::{self, Instructions};
use super::weights::{CHANNELS, Weights};

/// The layers between input and heads, as a kernel computes them.
enum Trunk {
    Simd(simd::Trunk),
    #[cfg(target_arch = "x86_64")]
    Amx(amx::Trunk),
}

/// The network, ready to evaluate one position after another without asking for memory.
pub struct Network {
    weights: Arc<Weights>,
    trunk: Trunk,
    features: Plane,
    evaluation: Evaluation,
}

impl Network {
    /// The network with these weights.
    ///
    /// # Panics
    /// If the processor cannot compute so.
    pub fn new(weights: Arc<Weights>, kernel: Kernel) -> Network {
        let simd = |instructions| Trunk::Simd(simd::Trunk::new(&weights, instructions));
        let trunk = match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx => Trunk::Amx(amx::Trunk::new(&weights)),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => simd(Instructions::Avx512),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => simd(Instructions::Avx2),
            Kernel::Plain => simd(Instructions::Plain),
        };
        Network { weights, trunk, features: Plane::new([0.0; CHANNELS]), evaluation: Evaluation::default() }
    }

    /// Evaluates a position that is not decided.
    pub fn evaluate(&mut self, input: &InputPlanes) -> &Evaluation {
        input.first_layer(&self.weights, &mut self.features);
        match &mut self.trunk {
            Trunk::Simd(trunk) => trunk.run(&mut self.features),
            #[cfg(target_arch = "x86_64")]
            Trunk::Amx(trunk) => trunk.run(&mut self.features),
        }
        self.evaluation.read(&self.weights, &self.features);
        &self.evaluation
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::engine::hex::board::Board;
    use crate::engine::hex::learn::adam::Adam;
    use crate::engine::hex::net::shipped;

    #[test]
    fn all_kernels_agree() {
        agree_on(200, &Arc::new(Adam::new(3, 1).weights), 2e-2);
        agree_on(200, &shipped(), COARSE);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn all_kernels_agree_on_very_many_positions() {
        agree_on(10_000, &shipped(), COARSE);
    }

    /// How far the matrix unit may be off with the shipped network, in one position of very many: it rounds between layers, and the
    /// more there are, the more of that adds up.
    const COARSE: f32 = 1e-1;
    /// How far it may be off on average.
    const COARSE_MEAN: f32 = 5e-3;

    /// Makes random positions, of all sizes, and asserts that every kernel evaluates them as plain arithmetic does, the matrix unit
    /// less exactly than the others.
    fn agree_on(positions: usize, weights: &Arc<Weights>, coarse: f32) {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        let mut networks: Vec<(Kernel, Network)> = Kernel::all()
            .into_iter()
            .map(|kernel| (kernel, Network::new(Arc::clone(weights), kernel)))
            .collect();
        let mut apart = 0.0;
        for _ in 0..positions {
            let size = rng.u8(2..=26);
            let mut board = Board::new(size);
            let mut spots: Vec<_> = board.spots().collect();
            rng.shuffle(&mut spots);
            spots[..rng.usize(..spots.len())].iter().for_each(|&spot| board.play(spot));
            let input = InputPlanes::of(&board);
            let evaluations: Vec<_> = networks
                .iter_mut()
                .map(|(kernel, network)| (*kernel, network.evaluate(&input).clone()))
                .collect();
            let (_, plain) = evaluations.last().unwrap();
            let cells = board.grid().cells();
            let scale = plain.policy[..cells].iter().fold(0.0_f32, |most, logit| most.max(logit.abs()));
            apart += (evaluations[0].1.value - plain.value).abs();
            for (kernel, evaluation) in &evaluations {
                let rounding = if *kernel == Kernel::Amx { coarse } else { 1e-4 };
                assert!(
                    (evaluation.value - plain.value).abs() < rounding,
                    "{kernel}: {} {}",
                    evaluation.value,
                    plain.value
                );
                for (one, other) in evaluation.policy[..cells].iter().zip(&plain.policy) {
                    assert!(
                        (one - other).abs() < rounding * scale,
                        "{kernel} on {size}: {one} {other} of {scale}"
                    );
                }
            }
        }
        let mean = apart / positions as f32;
        println!("the fastest kernel's values are {mean:.5} apart from the plain one's on average");
        assert!(mean < COARSE_MEAN);
    }
}
