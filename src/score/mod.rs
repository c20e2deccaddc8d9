//! What results mean, pure: which games count, standings and tie-breaks, ratings, the Elo of a match, sequential tests.

pub mod always_fails;
pub mod bradley_terry;
pub mod cross_table;
pub mod disturbances;
pub mod elo;
pub mod equal_play;
pub mod game_times;
pub mod games_that_count;
pub mod kinds;
pub mod match_tally;
pub mod sprt;
pub mod standings;
pub mod tie_breaks;

pub use kinds::Kinds;
pub use standings::{Standing, Standings};
