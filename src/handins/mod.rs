//! From the folder that a course's web site gives to bots that can play: hand-ins are found, unpacked, built and compared.
//!
//! ```text
//! folder ──find──> hand-ins ──unpack──> sources ──recipe, compile──> bots and their commands
//! ```
//!
//! All of it is written by people who are not trusted: archives are read with limits, and compilers run contained.

pub mod build;
pub mod built;
pub mod choice;
pub mod compile;
mod contained_run;
mod encoding;
pub mod find;
mod first_error;
pub mod handin;
pub mod layout;
mod leftovers;
pub mod likeness;
pub mod names;
pub mod outcome;
mod outside_tools;
pub mod recipe;
pub mod toolbox;
pub mod unpack;
