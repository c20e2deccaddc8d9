//! The difference in strength that a match shows, in Elo, with its interval.

use serde::Serialize;

/// Elo differences beyond this say no more than "far stronger".
pub const ELO_LIMIT: f64 = 1000.0;
/// The quantile of the normal distribution that leaves 2.5 % on each side.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// The expected score at a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo at which a score is expected, clamped to [`ELO_LIMIT`].
pub fn elo_of(score: f64) -> f64 {
    let elo = -400.0 * (1.0 / score.clamp(1e-9, 1.0 - 1e-9) - 1.0).log10();
    // Turns -0.0 into 0.0.
    elo.clamp(-ELO_LIMIT, ELO_LIMIT) + 0.0
}

/// A difference in strength with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloEstimate {
    /// The likeliest difference.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The score of a match, game by game and pair by pair, from the first program's view. A game counts 0, 1 or 2 half
/// points.
#[derive(Clone, Debug, Default)]
pub struct MatchScore {
    games: u32,
    half_points: u32,
    /// Pairs of games with sides exchanged, by their half points from 0 to 4.
    pub(super) pairs: [u32; 5],
}

impl MatchScore {
    /// Adds games that are all that there is of one pair of games.
    pub fn add(&mut self, half_points: &[u32]) {
        self.games += half_points.len() as u32;
        self.half_points += half_points.iter().sum::<u32>();
        if let [one, other] = half_points {
            self.pairs[(one + other) as usize] += 1;
        }
    }

    fn mean(&self) -> f64 {
        f64::from(self.half_points) / 2.0 / f64::from(self.games)
    }

    /// How much the two games of a pair have in common: the variance of the pairs' scores in proportion to what it would
    /// be if games were independent coin flips with the same mean. The first-move advantage makes it smaller than 1,
    /// draws too. With few pairs, or one-sided ones, it leans towards 1.
    pub(super) fn pair_effect(&self) -> f64 {
        const PRIOR_PAIRS: f64 = 2.0;
        let pairs = f64::from(self.pairs.iter().sum::<u32>());
        let average = |value: fn(f64) -> f64| {
            let sum: f64 = (0..5).map(|i| f64::from(self.pairs[i]) * value(i as f64 / 4.0)).sum();
            sum / pairs
        };
        let mean = average(|score| score);
        let independent = mean * (1.0 - mean) / 2.0;
        if pairs == 0.0 || independent == 0.0 {
            return 1.0;
        }
        let variance = average(|score| score * score) - mean * mean;
        (pairs * variance / independent + PRIOR_PAIRS) / (pairs + PRIOR_PAIRS)
    }

    /// The difference in Elo; nothing without games. The interval is Wilson's, which stays sensible for one-sided
    /// results, widened or narrowed by what the pairs show.
    pub fn elo(&self) -> Option<EloEstimate> {
        if self.games == 0 {
            return None;
        }
        let mean = self.mean();
        let weight = Z95 * Z95 * self.pair_effect() / f64::from(self.games);
        let centre = (mean + weight / 2.0) / (1.0 + weight);
        let radius = (weight * mean * (1.0 - mean) + weight * weight / 4.0).sqrt() / (1.0 + weight);
        Some(EloEstimate { elo: elo_of(mean), low: elo_of(centre - radius), high: elo_of(centre + radius) })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The score after these pairs of games.
    pub fn score(pairs: &[[u32; 2]]) -> MatchScore {
        let mut score = MatchScore::default();
        pairs.iter().for_each(|pair| score.add(pair));
        score
    }

    #[test]
    fn one_sided_results_stay_finite_and_ordered() {
        assert_eq!(MatchScore::default().elo(), None);
        for pairs in [vec![[2, 2]], vec![[2, 2]; 50], vec![[0, 0]; 50], vec![[1, 1]; 3], vec![[2, 0]; 9]] {
            let EloEstimate { elo, low, high } = score(&pairs).elo().unwrap();
            assert!(
                elo.is_finite() && low <= elo && elo <= high && low < high,
                "{pairs:?}: {low} {elo} {high}"
            );
            assert!(low >= -ELO_LIMIT && high <= ELO_LIMIT);
        }
        let won = score(&[[2, 2]; 10]).elo().unwrap();
        assert!(
            (250.0..350.0).contains(&won.low),
            "20 wins of 20: the Wilson bound is a score of 0.84, not {}",
            won.low
        );
    }

    #[test]
    fn pairs_that_split_by_colour_make_the_interval_narrow() {
        let split = score(&[[2, 0]; 50]).elo().unwrap();
        let mixed: Vec<[u32; 2]> = (0..50).map(|i| if i % 2 == 0 { [2, 2] } else { [0, 0] }).collect();
        let mixed = score(&mixed).elo().unwrap();
        assert!(split.high - split.low < (mixed.high - mixed.low) / 3.0);
    }

    /// Plays pairs of a known strength and colour advantage, and counts how often the interval holds the truth.
    #[test]
    fn the_interval_holds_the_truth() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for (first, second) in [(0.5, 0.5), (0.8, 0.6), (0.9, 0.1), (0.97, 0.95)] {
            let truth = elo_of((first + second) / 2.0);
            let held = (0..2000)
                .filter(|_| {
                    let mut score = MatchScore::default();
                    for _ in 0..60 {
                        score.add(&[2 * u32::from(rng.f64() < first), 2 * u32::from(rng.f64() < second)]);
                    }
                    let EloEstimate { low, high, .. } = score.elo().unwrap();
                    low <= truth && truth <= high
                })
                .count();
            let share = held as f64 / 2000.0;
            assert!((0.92..=0.985).contains(&share), "{first} {second}: {share}");
        }
    }
}
