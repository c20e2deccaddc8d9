//! Games of Hex as SGF files (`FF[4]`, `GM[11]`), which front ends, sites and libraries of the Hex world read and write.
//!
//! Black is the program that began, and a swap is written as `swap-pieces`: see [`crate::game::notation`]. Files of others
//! may have `swap-sides`, after which the stone stays and the colours of the players change. They may also begin from stones that
//! were set up, and have variations and comments.

mod play;
mod read;
mod tree;
mod write;

use std::path::Path;

pub use read::{Collection, read};
pub use tree::SgfError;
pub use write::{WriteError, vertices, write};

/// Whether a file is SGF, by its name.
pub fn is_named_so(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"))
}
