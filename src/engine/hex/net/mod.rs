//! A convolutional network that evaluates positions of Hex: who will win, and where to play. One set of weights serves boards of
//! every size. It always sees the board from the side to move, as if that side joined top and bottom.

#[cfg(target_arch = "x86_64")]
pub mod amx;
pub mod bf16;
pub mod encoding;
pub mod heads;
pub mod kernel;
pub mod network;
pub mod plane;
mod simd;
pub mod weights;

pub use kernel::Kernel;
pub use network::Network;
pub use weights::shipped;
