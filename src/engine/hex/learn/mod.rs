//! How the network came to be: it plays itself and learns from that, round after round, from nothing.

pub mod adam;
pub mod gradient;
pub mod sample;
pub mod self_play;
pub mod training;
