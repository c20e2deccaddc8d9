//! `arbitro` referees championships between programs. The map of the crate, in the order in which data flows:
//!
//! - [`game`]: the rules, pure; every game behind one trait.
//! - [`engine`]: the reference player, which the program `arbitro-ref` puts on the wire.
//! - [`contain`]: runs one program on Linux: starting it, its bytes, its containment, clearing up behind it.
//! - [`referee`]: one game between programs: carrying moves, clocks, verdicts.
//! - [`record`]: the journal, one line for each finished game; the only truth about what happened.
//! - [`championship`]: who meets whom, running the games on several cores, what the results mean.
//! - [`view`]: a board or a result for a person to look at.
//! - [`cli`]: the command line; knows everyone, and nobody knows it.

pub mod championship;
pub mod cli;
pub mod contain;
pub mod engine;
pub mod game;
pub mod record;
pub mod referee;
pub mod view;
