//! What a program that has crashed wrote to stderr, understood: the first real error in its own words, and where in the
//! student's own source it happened.
//!
//! Each language has its own way to say so, and a small reader here. Programs may write anything: the readers are total, look at
//! each line a fixed number of times, and what comes out is short and safe to print.

mod compiled;
mod interpreted;
mod message;
mod obstacle;
mod pieces;
mod reader;
mod shells;
#[cfg(test)]
mod tests;

pub use message::ErrorMessage;
pub use reader::read;
