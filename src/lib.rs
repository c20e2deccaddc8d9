//! `arbitro` referees championships between programs. The map of the crate; `ARCHITECTURE.md` walks through it.
//!
//! - [`game`]: the rules, pure; every game behind one trait. Knows nobody.
//! - [`contain`]: runs one program on Linux: starting it, its bytes, its containment, clearing up behind it. Knows nobody.
//! - [`record`]: what happened, as data; the journal, one line for each finished game, is the only truth.
//! - [`score`]: what results mean, pure: which games count, standings, ratings.
//! - [`referee`]: one game: seats, the loop, clocks, protocols, and the sentences about faults.
//! - [`engine`]: the reference players, which the program `arbitro-ref` puts on the wire.
//! - [`championship`]: who takes part, who meets whom, running the games on several cores, keeping them.
//! - [`examination`]: one bot, tried with scripts and in whole games, and what is wrong with it.
//! - [`handins`]: from a folder of hand-ins to bots: unpacking, building, comparing.
//! - [`view`]: boards, tables and results for people to look at.
//! - [`serve`]: the live page and browser play: a small server on a thread of its own.
//! - [`cli`]: the command line; knows everyone, and nobody knows it.

pub mod championship;
pub mod cli;
pub mod contain;
pub mod engine;
pub mod examination;
pub mod game;
pub mod handins;
pub mod record;
pub mod referee;
pub mod score;
pub mod serve;
#[cfg(test)]
mod test_seed;
pub mod view;
