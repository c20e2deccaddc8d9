//! Exact search: who wins a position if nobody errs.

mod cell_set;
mod dfpn;
mod expansion;
mod h_search;
mod move_order;
#[cfg(test)]
mod plain_search;
mod position;
mod proving;
#[cfg(test)]
pub(super) mod tests;
mod topology;
mod transposition;

pub use proving::{MAX_SIZE, Moves, Solver};
