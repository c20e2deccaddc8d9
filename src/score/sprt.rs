//! The sequential probability ratio test (Wald), which ends a match as soon as it is decided.

use serde::Serialize;

use super::elo::{MatchScore, expected_score};

/// How likely each wrong decision of a sequential test may be, as far as the normal distribution holds: with guesses far
/// apart, or far from zero, it is somewhat more.
const SPRT_ERROR: f64 = 0.05;

/// A sequential test of two guesses about the difference in strength, which ends a match as soon as it is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the first guess.
    pub elo0: f64,
    /// The difference of the second guess, the larger one.
    pub elo1: f64,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The logarithm of how much likelier the second guess makes the results.
    pub llr: f64,
    /// At or above this the second guess is accepted; at or below its negative the first.
    pub bound: f64,
    /// The accepted guess in Elo, once it is decided.
    pub accepted: Option<f64>,
}

impl Sprt {
    /// Weighs the pairs played so far.
    pub fn state(&self, score: &MatchScore) -> SprtState {
        let bound = ((1.0 - SPRT_ERROR) / SPRT_ERROR).ln();
        let pairs = f64::from(score.pairs.iter().sum::<u32>());
        let points: f64 = (0..5).map(|i| f64::from(score.pairs[i]) * i as f64 / 4.0).sum();
        // Two invented games, one won and one lost, keep the variance of one-sided results above zero.
        let smooth = (2.0 * points + 1.0) / (2.0 * pairs + 2.0);
        let variance = score.pair_effect() * smooth * (1.0 - smooth) / 2.0;
        let (score0, score1) = (expected_score(self.elo0), expected_score(self.elo1));
        let llr = (score1 - score0) * (2.0 * points - pairs * (score0 + score1)) / (2.0 * variance);
        let accepted = match llr {
            llr if llr >= bound => Some(self.elo1),
            llr if llr <= -bound => Some(self.elo0),
            _ => None,
        };
        SprtState { llr, bound, accepted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::elo::tests::score;

    #[test]
    fn the_sequential_test_decides_rightly_and_not_at_once() {
        let test = Sprt { elo0: 0.0, elo1: 50.0 };
        assert_eq!(test.state(&MatchScore::default()).accepted, None);
        assert_eq!(test.state(&score(&[[2, 2]; 2])).accepted, None, "four games decide nothing");
        let given = std::env::var("ARBITRO_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or(7);
        println!("ARBITRO_TEST_SEED={seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        for (elo, right) in [(0.0, 0.0), (50.0, 50.0)] {
            let chance = expected_score(elo);
            let mut wrong = 0;
            for _ in 0..300 {
                let mut score = MatchScore::default();
                let accepted = loop {
                    score.add(&[2 * u32::from(rng.f64() < chance), 2 * u32::from(rng.f64() < chance)]);
                    if let Some(accepted) = test.state(&score).accepted {
                        break accepted;
                    }
                };
                wrong += u32::from(accepted != right);
            }
            assert!(wrong <= 30, "{wrong} of 300 tests at {elo} Elo went wrong; 15 are to be expected");
        }
    }
}
