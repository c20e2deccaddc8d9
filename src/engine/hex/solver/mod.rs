//! Exact search on small boards: who wins a position if nobody errs.

mod cell_set;
mod move_order;
mod search;
#[cfg(test)]
pub(super) mod tests;
mod transposition;

pub use search::{MAX_SIZE, Solver};
