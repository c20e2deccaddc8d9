//! The reference player of Xadrez Xinez.

mod engine;
mod robot;
mod search;

pub use engine::{ENGINE, XinezEngine};
pub use robot::greedy;
