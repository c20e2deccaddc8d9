//! Examines one bot: scripted conversations and whole games, and what they show about it, finding by finding.
//!
//! A bot is *tried* by [`experiments`]: each starts it once or a few times and plays with it by a script. What an experiment shows is
//! written into a [`book`] of tests ([`catalogue`]): passed, a finding, or not tried because something else has to work first. So one
//! flaw makes one finding. Why a bot stumbled is found by the rules of the referee, as in any game.

pub mod blame;
pub mod book;
pub mod catalogue;
mod chances;
pub mod conversation;
pub mod examiner;
pub mod experiment;
pub mod experiments;
pub mod figures;
pub mod games;
pub mod language;
pub mod manners;
pub mod remedies;
pub mod report;
pub mod room;
pub mod scripts;
pub mod stumble;
pub mod table;
pub mod text;
pub mod transcript;
