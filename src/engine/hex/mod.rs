//! The reference player of Hex: from random moves to a tree search guided by a network that has learnt by playing itself.

pub mod board;
mod engine;
mod evaluator;
mod fair_opening;
pub mod htp_server;
#[cfg(target_arch = "x86_64")]
pub mod learn;
mod must_play;
pub mod net;
pub mod options;
mod playout;
mod puct_search;
mod puct_tree;
mod resistance;
pub mod solver;
mod virtual_connections;

pub use engine::{Analysis, Candidate, ENGINE, HexEngine};
pub use net::weights::WEIGHTS;
