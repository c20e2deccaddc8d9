//! How fast the network of Hex evaluates positions, beside what the core can do at the most: the rate of its `f32`
//! multiply-adds, measured in the same run.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use arbitro::engine::hex::board::Board;
use arbitro::engine::hex::net::encoding::InputPlanes;
use arbitro::engine::hex::net::weights::{CHANNELS, TAPS, Weights};
use arbitro::engine::hex::net::{Kernel, Network, shipped};
use rustix::time::{ClockId, clock_gettime};

/// Rounds of which the best counts: the machine may be busy with other things.
const ROUNDS: usize = 15;
const ROUND: Duration = Duration::from_millis(150);

/// The processor time of this thread: other programs are none of its business.
fn now() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("time is never negative")
}

/// How often something can be done in a second, at best.
fn per_second(mut act: impl FnMut()) -> f64 {
    let round = || {
        let (begun, mut times) = (now(), 0);
        while now() - begun < ROUND {
            act();
            times += 1;
        }
        f64::from(times) / (now() - begun).as_secs_f64()
    };
    std::iter::repeat_with(round).take(ROUNDS).fold(0.0, f64::max)
}

const TIMES: u32 = 10_000;

/// Multiply-adds of twelve vectors that do not wait for each other.
macro_rules! multiply_add {
    ($name:ident, $features:literal, $set:ident, $multiply_add:ident) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $name() {
            use std::arch::x86_64::*;
            let (factor, summand) = ($set(black_box(0.999)), $set(black_box(0.001)));
            let mut sums = [summand; 12];
            for _ in 0..TIMES {
                for sum in &mut sums {
                    *sum = $multiply_add(*sum, factor, summand);
                }
            }
            black_box(sums);
        }
    };
}
multiply_add!(multiply_add_512, "avx512f", _mm512_set1_ps, _mm512_fmadd_ps);
multiply_add!(multiply_add_256, "avx2,fma", _mm256_set1_ps, _mm256_fmadd_ps);

/// The core's rate of multiply-adds, where it is known how to measure it.
fn limit() -> Option<f64> {
    #[cfg(target_arch = "x86_64")]
    {
        let products = |lanes: u32| f64::from(TIMES * 12 * lanes);
        // SAFETY: only what the processor has is called.
        if is_x86_feature_detected!("avx512f") {
            return Some(per_second(|| unsafe { multiply_add_512() }) * products(16));
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return Some(per_second(|| unsafe { multiply_add_256() }) * products(8));
        }
    }
    None
}

/// Multiply-adds that evaluating a position takes in the layers between the first and the heads, where nearly all of them are.
fn work(weights: &Weights, size: u8) -> f64 {
    let cells = f64::from(size) * f64::from(size);
    cells * (weights.layers() * TAPS * CHANNELS * CHANNELS) as f64
}

fn main() {
    let weights = match std::env::var("ARBITRO_NETWORK") {
        Ok(path) => {
            Arc::new(Weights::read(&std::fs::read(path).expect("the file can be read")).expect("a network"))
        }
        Err(_) => shipped(),
    };
    let limit = limit();
    if let Some(limit) = limit {
        println!("limit of this core: {:.1} G multiply-adds of f32 in a second", limit / 1e9);
    }
    for size in [7, 11, 14] {
        let mut board = Board::new(size);
        let spots: Vec<_> = board.spots().step_by(5).collect();
        spots.into_iter().for_each(|spot| board.play(spot));
        let input = InputPlanes::of(&board);
        for kernel in Kernel::all() {
            let mut network = Network::new(Arc::clone(&weights), kernel);
            let rate = per_second(|| {
                black_box(network.evaluate(black_box(&input)));
            });
            let share = limit.map_or(String::new(), |limit| {
                format!(", {:.0} % of the limit", 100.0 * rate * work(&weights, size) / limit)
            });
            let kernel = kernel.to_string();
            println!("{size:>2}×{size:<2} {kernel:>6}: {rate:>6.0} positions in a second{share}");
        }
    }
}
