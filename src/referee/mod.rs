//! One game: who sits where, the loop that carries and judges moves, clocks, protocols, and the sentences about faults.
//!
//! The calling thread does it all, waiting on every program at once; no other thread stands between a
//! program's newline and its opponent's stdin.

mod chatter;
pub mod clock;
mod conduct;
pub mod explain;
mod game_loop;
pub mod interrupt;
mod lifecycle;
mod poller;
mod program;
mod programs_turn;
pub mod protocol;
mod recorded;
pub mod seats;
mod standing_still;
pub mod stderr;
mod turn_clock;
mod witness;

pub use explain::words::INTERRUPTED;
pub use game_loop::{Played, SeatPlayed, play};
pub use recorded::Recorded;
pub use seats::{Answer, Answers, Host, ProgramSeat, Script, Sitter};
