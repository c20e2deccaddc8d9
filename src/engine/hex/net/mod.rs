//! A convolutional network that judges positions of Hex: who will win, and where to play. One set of weights serves boards of
//! every size. It always sees the board from the side to move, as if that side joined top and bottom.

mod float;
pub mod heads;
pub mod plane;
pub mod sight;
#[cfg(target_arch = "x86_64")]
pub mod tiles;
pub mod weights;

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use float::{Instructions, Trunk};
use heads::Judgement;
use plane::Plane;
use sight::Sight;
use weights::{CHANNELS, Weights};

/// The network that comes with the program. How it came to be is told in `weights.md` beside it.
pub fn shipped() -> Arc<Weights> {
    static SHIPPED: OnceLock<Arc<Weights>> = OnceLock::new();
    let read =
        || Arc::new(Weights::read(include_bytes!("weights.bin")).expect("the shipped network is sound"));
    Arc::clone(SHIPPED.get_or_init(read))
}

/// How the network is computed. All kinds agree but for rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// In `f32`.
    Float(Instructions),
    /// In the processor's matrix unit, with numbers of half the length.
    #[cfg(target_arch = "x86_64")]
    Tiles,
}

impl Kernel {
    /// All kinds that this processor can do, the quickest first.
    pub fn all() -> Vec<Kernel> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(tiles::available().then_some(Kernel::Tiles));
            let vectors = [Instructions::Avx512, Instructions::Avx2].into_iter();
            all.extend(vectors.filter(|kind| kind.available()).map(Kernel::Float));
        }
        all.push(Kernel::Float(Instructions::Plain));
        all
    }

    /// The quickest that this processor can do.
    pub fn best() -> Kernel {
        Kernel::all()[0]
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kernel::Float(Instructions::Plain) => "plain",
            #[cfg(target_arch = "x86_64")]
            Kernel::Float(Instructions::Avx2) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kernel::Float(Instructions::Avx512) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kernel::Tiles => "amx",
        })
    }
}

impl FromStr for Kernel {
    type Err = String;

    fn from_str(word: &str) -> Result<Kernel, String> {
        let all = Kernel::all();
        let found = all.iter().copied().find(|kernel| kernel.to_string() == word);
        found.ok_or_else(|| {
            let names: Vec<String> = all.iter().map(Kernel::to_string).collect();
            format!("this processor cannot compute with '{word}'; it can with: {}", names.join(", "))
        })
    }
}

enum Layers {
    Float(Trunk),
    #[cfg(target_arch = "x86_64")]
    Tiles(tiles::Trunk),
}

/// The network, ready to judge one position after another without asking for memory.
pub struct Network {
    weights: Arc<Weights>,
    layers: Layers,
    features: Plane,
    judgement: Judgement,
}

impl Network {
    /// The network with these weights.
    pub fn new(weights: Arc<Weights>, kernel: Kernel) -> Network {
        let layers = match kernel {
            Kernel::Float(instructions) => Layers::Float(Trunk::new(&weights, instructions)),
            #[cfg(target_arch = "x86_64")]
            Kernel::Tiles => Layers::Tiles(tiles::Trunk::new(&weights)),
        };
        Network { weights, layers, features: Plane::new([0.0; CHANNELS]), judgement: Judgement::default() }
    }

    /// Judges a position that is not decided.
    pub fn judge(&mut self, sight: &Sight) -> &Judgement {
        sight.look(&self.weights, &mut self.features);
        match &mut self.layers {
            Layers::Float(trunk) => trunk.run(&mut self.features),
            #[cfg(target_arch = "x86_64")]
            Layers::Tiles(trunk) => trunk.run(&mut self.features),
        }
        self.judgement.read(&self.weights, &self.features);
        &self.judgement
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::engine::hex::board::Board;
    use crate::engine::hex::learn::adam::Adam;

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

    /// Makes random positions, of all sizes, and asserts that every kernel judges them as plain arithmetic does, the matrix unit
    /// less exactly than the others.
    fn agree_on(positions: usize, weights: &Arc<Weights>, coarse: f32) {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
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
            let sight = Sight::of(&board);
            let judgements: Vec<_> = networks
                .iter_mut()
                .map(|(kernel, network)| (*kernel, network.judge(&sight).clone()))
                .collect();
            let (_, plain) = judgements.last().unwrap();
            let cells = board.grid().cells();
            let scale = plain.policy[..cells].iter().fold(0.0_f32, |most, logit| most.max(logit.abs()));
            apart += (judgements[0].1.value - plain.value).abs();
            for (kernel, judgement) in &judgements {
                let rounding = if *kernel == Kernel::Tiles { coarse } else { 1e-4 };
                assert!(
                    (judgement.value - plain.value).abs() < rounding,
                    "{kernel}: {} {}",
                    judgement.value,
                    plain.value
                );
                for (one, other) in judgement.policy[..cells].iter().zip(&plain.policy) {
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
