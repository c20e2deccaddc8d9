//! The reference player of RHEX.

mod engine;
mod playout;
mod position;
mod solver;

pub use engine::{ENGINE, RhexEngine};
