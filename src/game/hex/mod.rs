//! Hex: white joins the top row to the bottom row, black the left column to the right column, white begins, and on the
//! second ply black may take over the first stone (the pie rule).

mod diagram;
mod distance;
mod hints;
mod rules;
mod side;

pub use diagram::Diagram;
pub use rules::{Hex, Move, RULES, is_fair_opening, is_strong_opening};
pub use side::Side;
