//! The seed of tests that draw lots.

use std::env;

/// A fixed seed, or the one in the environment: `ARBITRO_TEST_SEED=… cargo test`. It is printed, so that a failed test can be run again.
pub fn seed() -> u64 {
    let given = env::var("ARBITRO_TEST_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or(1);
    println!("ARBITRO_TEST_SEED={seed}");
    seed
}
