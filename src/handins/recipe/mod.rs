//! How a hand-in is built and started, found out from its files.
//!
//! The first of these that is there says it (`find.rs`): what the professor has chosen, a file for a build tool (`build_files.rs`), plain
//! sources (`plain.rs`, with the program found by `mains.rs` and `choose.rs`), or a program that is built already (`ready.rs`).

mod build_files;
mod choose;
mod class_file;
mod find;
mod java;
mod listing;
mod mains;
mod plain;
mod plan;
mod ready;
mod words;

pub use find::{made, recipe};
pub use plan::{Nothing, Recipe, Starts, Step};
pub use ready::give_run_bits;
