//! Pairs up neighbours in an order so that as few as possible meet again.
//!
//! Of all pairings with the fewest repeats, this takes the one that is best for the first in the order, then for the next,
//! and so on. A schedule needs what follows from that: take out some of the pairs, pair up the others anew, and the others
//! stay as they were.

use std::collections::VecDeque;

/// Pairs up an even number of bots, from the top down: everybody meets the nearest it has not met, unless more bots would
/// then have to meet again. `met` says how often two have met.
pub(super) fn pair_up(order: &[usize], met: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let fresh = Fresh::new(order, &met);
    let mut matching = Matching::new(&fresh);
    let mut repeats = matching.repeats();
    let mut pairs = Vec::new();
    for first in 0..order.len() {
        if matching.gone[first] {
            continue;
        }
        let mut others: Vec<usize> =
            (first + 1..order.len()).filter(|&other| !matching.gone[other]).collect();
        others.sort_by_key(|&other| met(order[first], order[other]));
        for second in others {
            let again = usize::from(!fresh.0[first][second]);
            let rest = matching.without(&fresh, first, second);
            if rest.repeats() + again <= repeats {
                matching = rest;
                repeats -= again;
                pairs.push((order[first], order[second]));
                break;
            }
        }
    }
    pairs
}

/// How many pairs have to meet again if these bots, an even number, are paired up.
pub(super) fn repeats(order: &[usize], met: impl Fn(usize, usize) -> u32) -> usize {
    Matching::new(&Fresh::new(order, met)).repeats()
}

/// Which two have not met, by their places in the order.
struct Fresh(Vec<Vec<bool>>);

impl Fresh {
    fn new(order: &[usize], met: impl Fn(usize, usize) -> u32) -> Fresh {
        let fresh = |one, other| one != other && met(one, other) == 0;
        Fresh(order.iter().map(|&one| order.iter().map(|&other| fresh(one, other)).collect()).collect())
    }
}

/// As many fresh pairs as there can be at once, a maximum matching. It is found by Edmonds' blossom algorithm.
#[derive(Clone)]
struct Matching {
    /// Places that are paired for good, or taken out.
    gone: Vec<bool>,
    partner: Vec<Option<usize>>,
}

impl Matching {
    fn new(fresh: &Fresh) -> Matching {
        let count = fresh.0.len();
        let mut matching = Matching { gone: vec![false; count], partner: vec![None; count] };
        matching.complete(fresh);
        matching
    }

    /// The best matching of all but these two.
    fn without(&self, fresh: &Fresh, one: usize, other: usize) -> Matching {
        let mut rest = self.clone();
        for place in [one, other] {
            rest.gone[place] = true;
            if let Some(partner) = rest.partner[place].take() {
                rest.partner[partner] = None;
            }
        }
        rest.complete(fresh);
        rest
    }

    /// How many pairs of others would have to meet again.
    fn repeats(&self) -> usize {
        (0..self.gone.len()).filter(|&place| self.alone(place)).count() / 2
    }

    fn alone(&self, place: usize) -> bool {
        !self.gone[place] && self.partner[place].is_none()
    }

    /// Finds partners for as many as possible.
    fn complete(&mut self, fresh: &Fresh) {
        for root in 0..self.gone.len() {
            if self.alone(root)
                && let Some((mut end, came_from)) = Search::new(self, fresh, root).run()
            {
                // Along the path that was found, everybody changes partners.
                loop {
                    let before = came_from[end].expect("the path leads back to the root");
                    let next = self.partner[before];
                    (self.partner[end], self.partner[before]) = (Some(before), Some(end));
                    match next {
                        Some(next) => end = next,
                        None => break,
                    }
                }
            }
        }
    }
}

/// The search for an augmenting path from one who is alone to another.
struct Search<'a> {
    matching: &'a Matching,
    fresh: &'a Fresh,
    root: usize,
    /// From whom the search came, over a pair that is not in the matching.
    came_from: Vec<Option<usize>>,
    /// The base of the blossom that each belongs to.
    base: Vec<usize>,
    /// Those from whom the search goes on.
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Search<'_> {
    fn new<'a>(matching: &'a Matching, fresh: &'a Fresh, root: usize) -> Search<'a> {
        let count = matching.gone.len();
        let mut search = Search {
            matching,
            fresh,
            root,
            came_from: vec![None; count],
            base: (0..count).collect(),
            outer: vec![false; count],
            queue: VecDeque::from([root]),
        };
        search.outer[root] = true;
        search
    }

    /// The end of the path, and from whom the search came to each of its places.
    fn run(mut self) -> Option<(usize, Vec<Option<usize>>)> {
        while let Some(one) = self.queue.pop_front() {
            for other in 0..self.base.len() {
                let usable = self.fresh.0[one][other] && !self.matching.gone[other];
                if !usable || self.base[one] == self.base[other] || self.matching.partner[one] == Some(other)
                {
                    continue;
                }
                let reached =
                    self.matching.partner[other].is_some_and(|partner| self.came_from[partner].is_some());
                if other == self.root || reached {
                    self.shrink(one, other);
                } else if self.came_from[other].is_none() {
                    self.came_from[other] = Some(one);
                    match self.matching.partner[other] {
                        None => return Some((other, self.came_from)),
                        Some(partner) => self.enqueue(partner),
                    }
                }
            }
        }
        None
    }

    fn enqueue(&mut self, place: usize) {
        if !self.outer[place] {
            self.outer[place] = true;
            self.queue.push_back(place);
        }
    }

    /// Two ends of the search have met in a cycle of odd length, a blossom: from now on it counts as one place.
    fn shrink(&mut self, one: usize, other: usize) {
        let base = self.common_base(one, other);
        let mut blossom = vec![false; self.base.len()];
        self.mark(&mut blossom, one, base, other);
        self.mark(&mut blossom, other, base, one);
        for place in 0..self.base.len() {
            if blossom[self.base[place]] {
                self.base[place] = base;
                self.enqueue(place);
            }
        }
    }

    /// Marks the blossom from a place down to its base, and turns the way back around.
    fn mark(&mut self, blossom: &mut [bool], mut place: usize, base: usize, mut child: usize) {
        while self.base[place] != base {
            let partner = self.matching.partner[place].expect("only the root is alone");
            blossom[self.base[place]] = true;
            blossom[self.base[partner]] = true;
            self.came_from[place] = Some(child);
            child = partner;
            place = self.came_from[partner].expect("the search came over its partner");
        }
    }

    /// The first base on both ways back to the root.
    fn common_base(&self, one: usize, other: usize) -> usize {
        let mut on_the_way = vec![false; self.base.len()];
        let back = |base: usize| {
            let partner = self.matching.partner[base]?;
            self.came_from[partner].map(|before| self.base[before])
        };
        let way = |place: usize| std::iter::successors(Some(self.base[place]), |&base| back(base));
        way(one).for_each(|base| on_the_way[base] = true);
        way(other).find(|&base| on_the_way[base]).expect("both ways end at the root")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fewest repeats, found by trying everything.
    fn fewest(order: &[usize], met: &[Vec<u32>]) -> usize {
        let Some((&first, others)) = order.split_first() else { return 0 };
        let rest = |index: usize| [&others[..index], &others[index + 1..]].concat();
        let cost = |index: usize| usize::from(met[first][others[index]] > 0) + fewest(&rest(index), met);
        (0..others.len()).map(cost).min().unwrap_or_default()
    }

    fn some_meetings(count: usize, share: f64, rng: &mut fastrand::Rng) -> Vec<Vec<u32>> {
        let mut met = vec![vec![0; count]; count];
        for (one, other) in (0..count).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let times = if rng.f64() < share { rng.u32(1..3) } else { 0 };
            (met[one][other], met[other][one]) = (times, times);
        }
        met
    }

    #[test]
    fn as_few_as_possible_meet_again() {
        let seed = crate::test_seed::seed();
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..3000 {
            let count = 2 * rng.usize(0..=5);
            let share = rng.f64();
            let met = some_meetings(count, share, &mut rng);
            let mut order: Vec<usize> = (0..count).collect();
            rng.shuffle(&mut order);
            let least = fewest(&order, &met);
            let times = |one: usize, other: usize| met[one][other];
            assert_eq!(repeats(&order, times), least, "{met:?}");
            let pairs = pair_up(&order, times);
            assert_eq!(pairs.len(), count / 2);
            assert_eq!(pairs.iter().filter(|&&(one, other)| times(one, other) > 0).count(), least);
            // Those who have played leave the pairs of the others as they are.
            let (done, open): (Vec<_>, Vec<_>) = pairs.iter().partition(|_| rng.bool());
            order.retain(|&bot| !done.iter().any(|&(one, other)| bot == one || bot == other));
            assert_eq!(pair_up(&order, times), open);
        }
    }

    #[test]
    fn the_top_meet_their_neighbours() {
        let met = |one: usize, other: usize| u32::from((one.min(other), one.max(other)) == (1, 2));
        assert_eq!(pair_up(&[1, 2, 3, 4, 5, 6], met), [(1, 3), (2, 4), (5, 6)]);
    }

    #[test]
    fn those_at_the_bottom_are_not_left_with_an_old_opponent() {
        // 5 and 6 have met, so 3 and 4 may not meet although they could.
        let met = |one: usize, other: usize| u32::from((one.min(other), one.max(other)) == (5, 6));
        assert_eq!(pair_up(&[1, 2, 3, 4, 5, 6], met), [(1, 2), (3, 5), (4, 6)]);
    }
}
