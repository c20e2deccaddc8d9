//! One championship on several machines: each plays a part of the schedule, a shard, and keeps journals of its own, which are joined
//! afterwards.

pub mod attempt;
pub mod fairness;
pub mod launched;
pub mod merge;
pub mod part;
pub mod shard;
pub mod survey;
pub mod task;

#[cfg(test)]
mod tests;
