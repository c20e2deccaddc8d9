//! What the kernel refuses to a contained program.

pub mod landlock;
pub mod mounts;
pub mod seccomp;
