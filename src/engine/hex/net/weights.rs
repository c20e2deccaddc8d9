//! The numbers of the network, and the file that they are kept in.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::bf16;

/// Features of a cell between the layers.
pub const CHANNELS: usize = 64;
/// A cell and its six neighbours: what a convolution looks at.
pub const TAPS: usize = 7;
/// Features of the whole board from which its value is read.
pub const SUMMARY: usize = 32;
/// The most residual blocks that a file may have.
const MOST_BLOCKS: u32 = 64;

/// One value for each feature of a cell.
pub type Features = [f32; CHANNELS];

const INPUT: usize = TAPS * 2 * CHANNELS;
const LAYER: usize = TAPS * CHANNELS * CHANNELS;
const WITH_BIAS: usize = LAYER + CHANNELS;
const BLOCK: usize = 2 * WITH_BIAS;
/// All that is not in a block: the first layer and the heads.
const FRAME: usize = INPUT + CHANNELS + 2 * CHANNELS + 1 + SUMMARY * (2 * CHANNELS + 2) + 1;

/// The file of the network that comes with the program.
pub static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The network that comes with the program. `docs/network/README.md` tells how it came to be.
pub fn shipped() -> Arc<Weights> {
    static SHIPPED: OnceLock<Arc<Weights>> = OnceLock::new();
    let read = || Arc::new(Weights::read(WEIGHTS).expect("the shipped network is sound"));
    Arc::clone(SHIPPED.get_or_init(read))
}

/// The network's numbers, one behind the other in the order of its file. Gradients and the like have the same form.
#[derive(Clone)]
pub struct Weights {
    blocks: usize,
    numbers: Vec<f32>,
}

const MAGIC: &[u8; 8] = b"arbhex1\n";

/// Why bytes are not a network.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BadWeights {
    /// Something else, or an older format.
    #[error("these are not the weights of a network that this program knows")]
    Unknown,
    /// A network of another form.
    #[error(
        "the network has {channels} channels and {blocks} blocks, but this program computes with {CHANNELS} channels and at \
         most {MOST_BLOCKS} blocks"
    )]
    Form {
        /// Features of a cell.
        channels: u32,
        /// Residual blocks.
        blocks: u32,
    },
    /// Too short, too long or altered.
    #[error("the weights are damaged: their length or their check sum is wrong")]
    Damaged,
}

impl Weights {
    /// A network of so many residual blocks, all of whose numbers are zero.
    pub fn zero(blocks: usize) -> Weights {
        Weights { blocks, numbers: vec![0.0; FRAME + blocks * BLOCK] }
    }

    /// The network of so many numbers, all of which are zero, if there is one.
    pub fn zero_of_length(numbers: usize) -> Option<Weights> {
        let in_blocks = numbers.checked_sub(FRAME)?;
        in_blocks.is_multiple_of(BLOCK).then(|| Weights::zero(in_blocks / BLOCK))
    }

    /// The same network with more blocks before its heads. Their numbers are zero, so that they pass on what they are given.
    pub fn grown(&self, blocks: usize) -> Weights {
        let mut grown = Weights::zero(blocks);
        let (old, new) = (self.range(Part::Policy).start, grown.range(Part::Policy).start);
        grown.numbers[..old].copy_from_slice(&self.numbers[..old]);
        grown.numbers[new..].copy_from_slice(&self.numbers[old..]);
        grown
    }

    /// Reads a file: a magic word, the numbers of channels and of blocks, each weight as a bfloat16, and a CRC-32 of all
    /// that, everything with the low byte first.
    pub fn read(bytes: &[u8]) -> Result<Weights, BadWeights> {
        let (body, sum) = bytes.split_last_chunk::<4>().ok_or(BadWeights::Unknown)?;
        let rest = body.strip_prefix(MAGIC).ok_or(BadWeights::Unknown)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(BadWeights::Damaged);
        }
        let (channels, rest) = rest.split_first_chunk().ok_or(BadWeights::Damaged)?;
        let (blocks, rest) = rest.split_first_chunk().ok_or(BadWeights::Damaged)?;
        let (channels, blocks) = (u32::from_le_bytes(*channels), u32::from_le_bytes(*blocks));
        if channels as usize != CHANNELS || blocks > MOST_BLOCKS {
            return Err(BadWeights::Form { channels, blocks });
        }
        let mut weights = Weights::zero(blocks as usize);
        let (halves, []) = rest.as_chunks::<2>() else { return Err(BadWeights::Damaged) };
        if halves.len() != weights.numbers.len() {
            return Err(BadWeights::Damaged);
        }
        for (number, half) in weights.numbers.iter_mut().zip(halves) {
            *number = bf16::to_f32(u16::from_le_bytes(*half));
        }
        Ok(weights)
    }

    /// The bytes of a file, as [`Weights::read`] has them.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((CHANNELS as u32).to_le_bytes());
        bytes.extend((self.blocks as u32).to_le_bytes());
        bytes.extend(self.numbers.iter().flat_map(|&number| bf16::from_f32(number).to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// How many layers there are between the first and the heads.
    pub fn layers(&self) -> usize {
        2 * self.blocks
    }

    /// All numbers.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// All numbers, to be changed.
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        &mut self.numbers
    }

    /// The numbers of a part.
    pub fn part(&self, part: Part) -> &[f32] {
        &self.numbers[self.range(part)]
    }

    /// The numbers of a part, to be changed.
    pub fn part_mut(&mut self, part: Part) -> &mut [f32] {
        let range = self.range(part);
        &mut self.numbers[range]
    }

    fn range(&self, part: Part) -> Range<usize> {
        let heads = INPUT + CHANNELS + self.layers() * WITH_BIAS;
        let (start, length) = match part {
            Part::Input => (0, INPUT),
            Part::InputBias => (INPUT, CHANNELS),
            Part::Layer(layer) => (INPUT + CHANNELS + layer * WITH_BIAS, LAYER),
            Part::Bias(layer) => (INPUT + CHANNELS + layer * WITH_BIAS + LAYER, CHANNELS),
            Part::Policy => (heads, CHANNELS),
            Part::Chain => (heads + CHANNELS, CHANNELS + 1),
            Part::Summary => (heads + 2 * CHANNELS + 1, SUMMARY * 2 * CHANNELS),
            Part::SummaryBias => (heads + 2 * CHANNELS + 1 + SUMMARY * 2 * CHANNELS, SUMMARY),
            Part::Value => (heads + 2 * CHANNELS + 1 + SUMMARY * (2 * CHANNELS + 1), SUMMARY + 1),
        };
        start..start + length
    }
}

/// A part of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first layer: by tap, by whose stone it is (one's own, the other's), and by feature.
    Input,
    /// What the first layer adds everywhere.
    InputBias,
    /// A layer between, by tap, by feature that goes in and by feature that comes out.
    Layer(usize),
    /// What it adds to each feature that comes out.
    Bias(usize),
    /// What each feature says for playing on its cell.
    Policy,
    /// What each feature says about who will win through its cell, and a bias. It helps learning, and is not used in play.
    Chain,
    /// From the means and the maxima of the features to those of the board: by feature of the board.
    Summary,
    /// What is added to them.
    SummaryBias,
    /// From these to the value, and a bias.
    Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_noticed() {
        let mut weights = Weights::zero(2);
        for (index, number) in weights.numbers_mut().iter_mut().enumerate() {
            *number = (index % 251) as f32 - 100.0;
        }
        let mut bytes = weights.write();
        assert!(Weights::read(&bytes).unwrap().numbers() == weights.numbers());
        assert_eq!(Weights::read(b"something else").err(), Some(BadWeights::Unknown));
        assert_eq!(Weights::read(&bytes[..bytes.len() - 2]).err(), Some(BadWeights::Damaged));
        bytes[999] ^= 1;
        assert_eq!(Weights::read(&bytes).err(), Some(BadWeights::Damaged));
    }

    #[test]
    fn the_parts_are_all_of_it() {
        let weights = Weights::zero(3);
        let mut parts = vec![Part::Input, Part::InputBias];
        parts.extend((0..6).flat_map(|layer| [Part::Layer(layer), Part::Bias(layer)]));
        parts.extend([Part::Policy, Part::Chain, Part::Summary, Part::SummaryBias, Part::Value]);
        let mut end = 0;
        for part in parts {
            assert_eq!(weights.range(part).start, end, "{part:?}");
            end = weights.range(part).end;
        }
        assert_eq!(end, weights.numbers().len());
    }
}
