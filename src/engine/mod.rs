//! The reference players, one folder a game. [`catalogue`] lists them.

pub mod base;
pub mod catalogue;
pub mod clock;
pub mod hex;
pub mod level;
pub mod okupacio;
pub mod proof;
pub mod rave_mcts;
pub mod rhex;
pub mod search_limit;
pub mod seating;
pub mod wire;
pub mod xinez;

pub use base::Engine;
pub use level::Level;
