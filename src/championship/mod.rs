//! Matches and championships: who takes part, who meets whom, running the games, and what the results mean.

pub mod containment;
pub mod contest;
pub mod formats;
pub mod openings;
pub mod rating;
pub mod roster;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod shipped;
pub mod smoke;
pub mod standings;
pub mod tables;
