//! Why a program lost: evidence in, causes out. Pure; the sentences for the causes are made where they are shown
//! ([`Cause`](crate::record::Cause)).

mod diagnosis;
mod evidence;
mod form;
mod odd_lines;
#[cfg(test)]
mod tests;
pub mod words;

pub use diagnosis::{diagnose, may_only_be_slow};
pub use evidence::{Evidence, Testimony};
pub use form::flaw;
pub use odd_lines::{OddLines, TooEarly};
