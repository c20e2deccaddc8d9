//! Boards and results for people to look at.

pub mod keyboard;
pub mod okupacio;
pub mod standings;
pub mod terminal;
