//! From the folder that a course's web site gives to bots that can play: hand-ins are found, unpacked, built and compared.
//!
//! ```text
//! folder ──find──> hand-ins ──unpack──> sources ──recipe, compile──> bots and their commands
//! ```
//!
//! All of it is written by people who are not trusted: archives are read with limits, and compilers run contained.

pub mod built;
pub mod choice;
pub mod compile;
pub mod contained_run;
pub mod first_error;
pub mod handin;
pub mod likeness;
pub mod outcome;
pub mod outside_tools;
pub mod recipe;
pub mod toolbox;
pub mod unpack {
    pub mod outside_tools;
}
