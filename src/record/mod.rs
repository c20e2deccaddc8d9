//! What happened, as data: the terms of a game, its plies, warnings and verdict, and the files that keep them.

pub mod cause;
pub mod csv;
pub mod fault;
pub mod fixture;
pub mod game_record;
pub mod hexworld;
pub mod identity;
pub mod journal;
pub mod ply;
pub mod reason;
pub mod replace_file;
mod sentence;
pub mod sgf;
mod shared;
pub mod summary;
pub mod terms;
pub mod text;
pub mod time_control;
pub mod verdict;
pub mod warning;
mod wording;

pub use cause::Cause;
pub use fault::Fault;
pub use fixture::FixtureKey;
pub use game_record::{GameRecord, ReplayError, SeatRecord};
pub use identity::Identity;
pub use ply::Ply;
pub use reason::Reason;
pub use summary::Summary;
pub use terms::{Clock, Terms};
pub use verdict::{Loss, SeatHint, Verdict};
pub use warning::{Warning, WarningKind};

pub use crate::contain::spec::Work;
