//! What the kernel refuses to a contained program.

pub mod capabilities;
mod dispatch;
pub mod landlock;
pub mod mounts;
pub mod seccomp;
pub mod user_namespace;
