//! The rules of the games, and nothing else: no input or output, no clock, no threads.
//!
//! Everybody else knows a game only as a [`Game`]. A new game is one file here and one entry in [`GAMES`].

pub mod catalogue;
pub mod grid;
pub mod hex;
pub mod hint;
pub mod moves;
pub mod nearest;
pub mod notation;
pub mod okupacio;
pub mod outcome;
pub mod picture;
pub mod rhex;
pub mod rules;
pub mod seat;
pub mod union_find;
pub mod vertex;
pub mod xinez;

pub use catalogue::{BoardOptions, GAMES, Setup, SetupError, title};
pub use hint::Hint;
pub use outcome::{Ending, Outcome};
pub use rules::{Board, Game, OtherNotation, Refusal, Rules, TAKEN};
pub use seat::Seat;
