//! The live page and browser play: a small server, on one thread that keeps out of the games' way.

mod clock;
mod events;
mod guard;
pub mod listen;
pub mod live;
mod page;
pub mod play;
mod server;
