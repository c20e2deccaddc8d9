//! Programs that are alike, found by their sources.
//!
//! Sources become tokens in which names, literals, comments and layout are gone (`tokens.rs`). Of every few tokens in a row a
//! hash is taken, and of these the fingerprints are chosen by winnowing (`winnowing.rs`): S. Schleimer, D. Wilkerson and A. Aiken,
//! "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003, as in MOSS. What many hand-ins have in common, or were
//! given, does not count (`comparison.rs`).

mod comparison;
mod source_files;
mod syntax;
mod tokens;
mod winnowing;

pub use comparison::{Likeness, Place, compare};
