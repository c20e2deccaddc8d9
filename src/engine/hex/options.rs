//! What only the engine of Hex can be told.

use std::sync::Arc;

use super::net::Kernel;
use super::net::weights::Weights;

/// Options of the engine of Hex.
pub struct HexOptions {
    /// The most positions to evaluate for a move.
    pub nodes: Option<u64>,
    /// Threads to think on.
    pub threads: usize,
    /// Whether it takes over a first stone that is strong.
    pub swaps: bool,
    /// How to compute the network; without, in the quickest way.
    pub kernel: Option<Kernel>,
    /// Another network than the shipped one.
    pub network: Option<Arc<Weights>>,
}
