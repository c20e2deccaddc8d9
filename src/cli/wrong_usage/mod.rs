//! What is said of a command line that cannot be understood. The parser's own words are for programmers, and know nothing of bots and
//! games.

mod conflict;
mod explain;
mod unknown_command;
mod unknown_option;

pub use explain::explain;
