//! Runs one program on Linux: starts it, carries its bytes, contains it, and leaves nothing of it behind.
//!
//! It knows no game and nothing else of the crate. A program at work is three processes of ours and its own:
//!
//! ```text
//! referee (process, keeper::client) ── keeper (keeper::supervisor) ── init, at tier A ── program (spawn)
//! ```
//!
//! Programs run under the user's own account, where file permissions protect nothing. So there are three tiers of containment
//! ([`spec::Tier`]), and [`probe`] finds out by trying which one this machine can give. [`visible_files`] says what a program may
//! see, and [`sandbox`] makes the kernel enforce it.

mod account;
mod binary_format;
pub mod close_name;
pub(crate) mod elf;
pub mod executable;
pub(crate) mod file_kind;
pub mod head_and_tail;
mod hold;
pub mod installation;
pub mod keeper;
pub(crate) mod language;
pub mod launch;
pub mod line_buffer;
pub mod machine;
pub mod probe;
mod proc;
pub mod process;
mod sandbox;
pub mod scratch;
mod spawn;
pub mod spec;
mod start_problem;
pub mod system_words;
mod terminal;
pub mod tree_copy;
pub mod usage;
pub mod visible_files;
pub mod written;
