//! The keeper: a small process that stands between the referee and one program at a time.
//!
//! It is this executable, started with the hidden subcommand `keeper`, and serves one seat of one worker for as many games as
//! there are. It starts the program, reports how it ended, and after each game kills everything the program left behind. All the
//! program's descendants are the keeper's, because orphans are given to the nearest subreaper; and when the referee dies, however
//! suddenly, the socket between them closes and the keeper cleans up by itself.

mod cgroup;
mod client;
mod disk;
mod memory;
mod messages;
mod meter;
mod off_core;
mod standing;
mod startup;
mod supervisor;
mod sweep;

pub use client::Keeper;
pub use messages::{Report, SUBCOMMAND};
pub use supervisor::run;
