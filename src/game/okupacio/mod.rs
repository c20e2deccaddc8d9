//! Okupació: two to ten players on a board with walls. Whoever occupies a cell takes neighbouring cells that are closed in
//! by it; the most cells win. One who cannot win any more, or does not want to, leaves, and its cells are free again.

pub mod map;
mod rules;
mod wire;

pub use rules::{Action, MAX_PLAYERS, Okupacio, Player, Ties};
pub use wire::{CAPITALS, RULES, letter};
