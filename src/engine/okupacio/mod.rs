//! The reference player of Okupació.

mod engine;
mod gain;
mod search;

pub use engine::{ENGINE, OkupacioEngine};
