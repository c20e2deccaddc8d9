//! Games that people play, in the browser or at the terminal.
//!
//! The thread that referees the game and those who show it and take in what people want meet in a [`Room`].

mod hint;
mod host;
mod room;
mod state;
pub mod table;
mod web;

pub use host::RoomHost;
pub use room::{Room, Wish};
pub use web::Web;
