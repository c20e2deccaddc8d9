//! Ratings of many programs at once, by the model of Bradley and Terry.

use super::elo::Z95;

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
    use crate::score::elo::{elo_of, expected_score};

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
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
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
