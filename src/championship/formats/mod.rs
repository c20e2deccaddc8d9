//! Who meets whom: a pure function of the bots, the settings, the seed and the results so far.
//!
//! Each format has a file of its own. A new one is its file, its name in `format.rs` and its line in `schedule.rs`.

mod circle;
mod duel;
mod format;
mod gauntlet;
mod matching;
mod plan;
mod round_robin;
mod round_robin_tables;
mod rules;
mod schedule;
mod swiss;
mod swiss_draw;
#[cfg(test)]
mod tests;

pub use format::Format;
pub use plan::{Contender, Fixture, Pairing, Plan, PlayedGame, SetAside};
pub use rules::Impossible;
pub use swiss::BYE_HALF_POINTS;
