//! A seed for tests that draw lots.

use std::env;

/// A seed, printed so that a failed test can be run again with it: `ARBITRO_TEST_SEED=… cargo test`.
pub(super) fn seed() -> u64 {
    let given = env::var("ARBITRO_TEST_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(|| fastrand::u64(..));
    println!("ARBITRO_TEST_SEED={seed}");
    seed
}
