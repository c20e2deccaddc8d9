//! From the folder that a course's web site gives to bots that can play: hand-ins are found, unpacked, built and compared.
//!
//! ```text
//! folder ──find──> hand-ins ──unpack──> sources ──recipe, compile──> bots and their commands
//! ```
//!
//! All of it is written by people who are not trusted: archives are read with limits, and compilers run contained.

pub mod built;
pub mod choice;
mod encoding;
pub mod find;
pub mod handin;
mod layout;
mod leftovers;
pub mod likeness;
pub mod names;
pub mod outcome;
pub mod unpack;
