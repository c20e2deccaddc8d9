//! Matches and championships: who takes part, who meets whom, running the games, and what the results mean.

pub mod rating;
pub mod roster;
pub mod runner;
pub mod schedule;
