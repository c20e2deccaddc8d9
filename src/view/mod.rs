//! Boards and results for people to look at.

pub mod standings;
pub mod terminal;
