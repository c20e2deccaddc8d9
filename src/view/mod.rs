//! Boards and results for people to look at.

pub mod terminal;
