//! What results say about strength.

use serde::Serialize;

/// Elo differences beyond this say no more than "far stronger".
pub const ELO_LIMIT: f64 = 1000.0;
/// The quantile of the normal distribution that leaves 2.5 % on each side.
const Z95: f64 = 1.959_963_984_540_054;
/// How likely each wrong decision of a sequential test may be, as far as the normal distribution holds: with guesses far
/// apart, or far from zero, it is somewhat more.
const SPRT_ERROR: f64 = 0.05;

/// The expected score at a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo at which a score is expected, clamped to [`ELO_LIMIT`].
pub fn elo_of(score: f64) -> f64 {
    let elo = -400.0 * (1.0 / score.clamp(1e-9, 1.0 - 1e-9) - 1.0).log10();
    // Adding zero makes nothing of the sign of a zero.
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
    pairs: [u32; 5],
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
    fn pair_effect(&self) -> f64 {
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

/// What two programs have taken from each other.
#[derive(Clone, Copy, Debug)]
pub struct Encounter {
    /// The index of one.
    pub one: usize,
    /// The index of the other.
    pub other: usize,
    /// Half points of each.
    pub half_points: [u32; 2],
}

/// A rating, relative to the mean of all, with half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Half of its interval.
    pub error: f64,
}

/// Elo for each unit of the natural logarithm of odds.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;
/// The spread of strength that is expected before any game is seen, in logits: about 700 Elo. It hardly moves what
/// games have shown, and keeps ratings finite where a program has won or lost everything, or where two groups have
/// never met.
const PRIOR_SPREAD: f64 = 4.0;

/// Ratings by the model of Bradley and Terry: those that make the results likeliest, all at once.
pub fn bradley_terry(bots: usize, encounters: &[Encounter]) -> Vec<Rating> {
    if bots == 0 {
        return Vec::new();
    }
    let mut strength = vec![0.0; bots];
    // Newton's method: the likelihood is concave, and halving a step that overshoots makes it converge from anywhere.
    for _ in 0..100 {
        let (gradient, information) = derivatives(&strength, encounters);
        let step = Cholesky::new(information, bots).solve(&gradient);
        let before = log_likelihood(&strength, encounters);
        let mut scale = 1.0;
        let next = loop {
            let next: Vec<f64> = strength.iter().zip(&step).map(|(old, step)| old + scale * step).collect();
            // What is lost in rounding is no step back.
            if scale < 1e-6 || log_likelihood(&next, encounters) >= before - 1e-9 * before.abs() {
                break next;
            }
            scale /= 2.0;
        };
        strength = next;
        // A thousandth of an Elo point.
        if step.iter().all(|step| step.abs() < 1e-3 / ELO_PER_LOGIT) {
            break;
        }
    }
    let (_, information) = derivatives(&strength, encounters);
    let covariance = Cholesky::new(information, bots).inverse();
    let count = bots as f64;
    let mean = strength.iter().sum::<f64>() / count;
    let row_means: Vec<f64> = covariance.chunks(bots).map(|row| row.iter().sum::<f64>() / count).collect();
    let grand_mean = row_means.iter().sum::<f64>() / count;
    let rating = |bot: usize| {
        // Only differences show in results, so the uncertainty is that of the difference to the mean.
        let variance = covariance[bot * bots + bot] - 2.0 * row_means[bot] + grand_mean;
        Rating {
            elo: (strength[bot] - mean) * ELO_PER_LOGIT,
            error: Z95 * variance.max(0.0).sqrt() * ELO_PER_LOGIT,
        }
    };
    (0..bots).map(rating).collect()
}

fn log_likelihood(strength: &[f64], encounters: &[Encounter]) -> f64 {
    let prior: f64 = strength.iter().map(|s| s * s).sum::<f64>() / (2.0 * PRIOR_SPREAD * PRIOR_SPREAD);
    let results: f64 = encounters
        .iter()
        .map(|encounter| {
            let lead = strength[encounter.one] - strength[encounter.other];
            let [won, lost] = encounter.half_points.map(|half| f64::from(half) / 2.0);
            // ln(1 + e^-x) without overflow.
            let loss = |x: f64| if x > 0.0 { (-x).exp().ln_1p() } else { x.exp().ln_1p() - x };
            won * loss(lead) + lost * loss(-lead)
        })
        .sum();
    -results - prior
}

/// The gradient of the logarithm of the likelihood, and minus its second derivatives, row by row.
fn derivatives(strength: &[f64], encounters: &[Encounter]) -> (Vec<f64>, Vec<f64>) {
    let bots = strength.len();
    let precision = 1.0 / (PRIOR_SPREAD * PRIOR_SPREAD);
    let mut gradient: Vec<f64> = strength.iter().map(|s| -s * precision).collect();
    let mut information = vec![0.0; bots * bots];
    for bot in 0..bots {
        information[bot * bots + bot] = precision;
    }
    for &Encounter { one, other, half_points } in encounters {
        let [won, lost] = half_points.map(|half| f64::from(half) / 2.0);
        let chance = 1.0 / (1.0 + (strength[other] - strength[one]).exp());
        let surplus = won - (won + lost) * chance;
        gradient[one] += surplus;
        gradient[other] -= surplus;
        let weight = (won + lost) * chance * (1.0 - chance);
        information[one * bots + one] += weight;
        information[other * bots + other] += weight;
        information[one * bots + other] -= weight;
        information[other * bots + one] -= weight;
    }
    (gradient, information)
}

/// A symmetric positive definite matrix taken apart into a triangle and its mirror image.
struct Cholesky {
    triangle: Vec<f64>,
    size: usize,
}

impl Cholesky {
    fn new(mut matrix: Vec<f64>, size: usize) -> Cholesky {
        for row in 0..size {
            for column in 0..=row {
                let (a, b) = (
                    &matrix[row * size..row * size + column],
                    &matrix[column * size..column * size + column],
                );
                let rest = matrix[row * size + column] - a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                matrix[row * size + column] = if row == column {
                    rest.max(f64::MIN_POSITIVE).sqrt()
                } else {
                    rest / matrix[column * size + column]
                };
            }
        }
        Cholesky { triangle: matrix, size }
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (size, triangle) = (self.size, &self.triangle);
        let mut solution = right.to_vec();
        for row in 0..size {
            for column in 0..row {
                solution[row] -= triangle[row * size + column] * solution[column];
            }
            solution[row] /= triangle[row * size + row];
        }
        for row in (0..size).rev() {
            solution[row] /= triangle[row * size + row];
            for column in 0..row {
                solution[column] -= triangle[row * size + column] * solution[row];
            }
        }
        solution
    }

    fn inverse(&self) -> Vec<f64> {
        let unit =
            |at: usize| (0..self.size).map(|place| f64::from(u8::from(place == at))).collect::<Vec<f64>>();
        (0..self.size).flat_map(|at| self.solve(&unit(at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(pairs: &[[u32; 2]]) -> MatchScore {
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
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
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

    #[test]
    fn the_sequential_test_decides_rightly_and_not_at_once() {
        let test = Sprt { elo0: 0.0, elo1: 50.0 };
        assert_eq!(test.state(&MatchScore::default()).accepted, None);
        assert_eq!(test.state(&score(&[[2, 2]; 2])).accepted, None, "four games decide nothing");
        let seed = fastrand::u64(..);
        println!("seed {seed}");
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

    fn encounter(one: usize, other: usize, half_points: [u32; 2]) -> Encounter {
        Encounter { one, other, half_points }
    }

    #[test]
    fn two_programs_get_the_difference_of_their_score() {
        let ratings = bradley_terry(2, &[encounter(0, 1, [300, 100])]);
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - elo_of(0.75)).abs() < 1.0, "{difference}");
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6, "the mean is zero");
    }

    #[test]
    fn one_sided_and_disconnected_results_are_finite_and_uncertain() {
        let one_sided =
            bradley_terry(3, &[encounter(0, 1, [20, 0]), encounter(1, 2, [20, 0]), encounter(0, 2, [20, 0])]);
        assert!(one_sided[0].elo > one_sided[1].elo && one_sided[1].elo > one_sided[2].elo);
        assert!(one_sided.iter().all(|rating| rating.elo.is_finite() && rating.elo.abs() < 2000.0));
        // Two even groups that never met: within a group all is known, between the groups nothing.
        let apart = bradley_terry(4, &[encounter(0, 1, [400, 400]), encounter(2, 3, [400, 400])]);
        let joined = bradley_terry(
            4,
            &[encounter(0, 1, [400, 400]), encounter(2, 3, [400, 400]), encounter(0, 2, [400, 400])],
        );
        assert!(apart.iter().all(|rating| rating.elo.abs() < 1.0 && rating.error > 300.0), "{apart:?}");
        assert!(joined.iter().all(|rating| rating.error < 40.0), "{joined:?}");
        assert_eq!(bradley_terry(1, &[])[0].elo, 0.0);
        assert!(bradley_terry(0, &[]).is_empty());
    }

    #[test]
    fn the_intervals_of_twenty_programs_hold_the_truth() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut held, mut cases) = (0, 0);
        for _ in 0..100 {
            let truth: Vec<f64> = (0..20).map(|_| (rng.f64() - 0.5) * 800.0).collect();
            let mean = truth.iter().sum::<f64>() / 20.0;
            let mut encounters = Vec::new();
            for one in 0..20 {
                for other in one + 1..20 {
                    let chance = expected_score(truth[one] - truth[other]);
                    let won = (0..10).filter(|_| rng.f64() < chance).count() as u32;
                    encounters.push(encounter(one, other, [2 * won, 20 - 2 * won]));
                }
            }
            for (rating, truth) in bradley_terry(20, &encounters).iter().zip(&truth) {
                cases += 1;
                held += u32::from((rating.elo - (truth - mean)).abs() <= rating.error);
            }
        }
        let share = f64::from(held) / f64::from(cases);
        println!("{held} of {cases}");
        assert!((0.92..=0.98).contains(&share), "{share}");
    }
}
