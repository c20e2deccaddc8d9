//! Fingerprints of a source: some of the hashes of all runs of tokens, chosen by winnowing.

use std::collections::VecDeque;

use super::tokens::Token;

/// How many tokens a fingerprint covers: shorter passages are alike by chance.
pub const RUN: usize = 16;

/// Of so many hashes in a row at least one is chosen, so that any passage of `RUN + WINDOW - 1` tokens that two sources share is found.
const WINDOW: usize = 8;

/// A fingerprint: a hash of some tokens in a row, and the lines that they are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The hash.
    pub hash: u64,
    /// The line of the first token.
    pub first: u32,
    /// The line of the last token.
    pub last: u32,
}

/// The hashes of all runs of tokens.
pub fn runs(tokens: &[Token], family: u64) -> impl Iterator<Item = Fingerprint> {
    let hash = move |run: &[Token]| {
        run.iter().fold(family, |hash, token| {
            (hash.rotate_left(5) ^ u64::from(token.kind)).wrapping_mul(0x517c_c1b7_2722_0a95)
        })
    };
    tokens.windows(RUN).map(move |run| Fingerprint {
        // The high half is mixed best.
        hash: hash(run) ^ (hash(run) >> 32),
        first: run[0].line,
        last: run[RUN - 1].line,
    })
}

/// The fingerprints: of each window the smallest hash, of equal ones the last.
pub fn fingerprints(tokens: &[Token], family: u64) -> Vec<Fingerprint> {
    let mut chosen: Vec<Fingerprint> = Vec::new();
    // Candidates with their places, each smaller than all before it.
    let mut window: VecDeque<(usize, Fingerprint)> = VecDeque::new();
    let mut last = None;
    for (place, run) in runs(tokens, family).enumerate() {
        while window.back().is_some_and(|(_, other)| other.hash >= run.hash) {
            window.pop_back();
        }
        window.push_back((place, run));
        while window.front().is_some_and(|&(first, _)| first + WINDOW <= place) {
            window.pop_front();
        }
        if let Some(&(smallest, fingerprint)) = window.front()
            && place + 1 >= WINDOW
            && last != Some(smallest)
        {
            last = Some(smallest);
            chosen.push(fingerprint);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(seed: u64, length: usize) -> Vec<Token> {
        let mut dice = fastrand::Rng::with_seed(seed);
        (0..length as u32).map(|line| Token { kind: dice.u32(1..40), line }).collect()
    }

    #[test]
    fn every_shared_passage_of_the_guaranteed_length_is_found() {
        for seed in 0..50 {
            let shared = text(seed, RUN + WINDOW - 1);
            let one = [text(seed + 100, 70), shared.clone(), text(seed + 200, 90)].concat();
            let other = [text(seed + 300, 50), shared, text(seed + 400, 30)].concat();
            let [one, other] = [one, other].map(|tokens| fingerprints(&tokens, 7));
            assert!(one.iter().any(|print| other.iter().any(|found| found.hash == print.hash)));
        }
    }

    #[test]
    fn a_few_of_all_runs_are_chosen() {
        let tokens = text(1, 9000);
        let share = fingerprints(&tokens, 7).len() as f64 / tokens.len() as f64;
        let expected = 2.0 / (WINDOW as f64 + 1.0);
        assert!((share - expected).abs() < 0.03, "{share} instead of {expected}");
        assert!(fingerprints(&text(1, RUN - 1), 7).is_empty());
    }
}
