//! The draw of a Swiss round: who meets whom, given what was played before.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::plan::Plan;
use super::{circle, matching};

/// Two bots that meet.
pub(super) type Pair = (usize, usize);

/// Who meets whom in a round.
pub(super) struct Draw {
    pub(super) pairs: Vec<Pair>,
    /// The bot without an opponent.
    pub(super) bye: Option<usize>,
}

/// The two, the lower index first.
pub(super) fn sorted((one, other): Pair) -> Pair {
    (one.min(other), one.max(other))
}

/// What the draw of the next round depends on.
pub(super) struct Tally<'a> {
    plan: &'a Plan,
    /// How often two are paired, in whatever round.
    pub(super) met: HashMap<Pair, u32>,
    /// How often each bot had no opponent, in the rounds that are complete.
    pub(super) byes: Vec<u32>,
    /// The score of each bot, in the rounds that are complete.
    pub(super) half_points: Vec<u32>,
}

impl Tally<'_> {
    /// Before anything was played.
    pub(super) fn new(plan: &Plan) -> Tally<'_> {
        let bots = plan.bots.len();
        Tally { plan, met: HashMap::new(), byes: vec![0; bots], half_points: vec![0; bots] }
    }

    /// The pairs of a round, the best first: those that have begun to play, and the rest.
    pub(super) fn draw(&self, round: u32, begun: Vec<Pair>, rest: Vec<usize>) -> Draw {
        let rest = self.by_score(rest);
        let present = 2 * begun.len() + rest.len();
        // With few rounds the draw need not look ahead. Every bot has at least half of the others left to meet, so there is
        // always a pairing without repeats (Dirac's theorem).
        let many_rounds = self.plan.rounds as usize > present / 2;
        let from_circle = if many_rounds { self.draw_from_circle(round, &begun, &rest) } else { None };
        let mut draw = from_circle.unwrap_or_else(|| self.draw_by_score(rest));
        draw.pairs.extend(begun);
        // A bot that is left alone in the championship wins nothing by it.
        draw.bye = draw.bye.filter(|_| !draw.pairs.is_empty());
        let order = self.by_score((0..self.plan.bots.len()).collect());
        let rank = |bot: usize| order.iter().position(|&other| other == bot);
        draw.pairs.sort_by_cached_key(|&(one, other)| rank(one).min(rank(other)));
        draw
    }

    /// Pairs neighbours in the order. With an odd number, the lowest of those with the fewest byes has one, unless others
    /// would have to meet again for it.
    fn draw_by_score(&self, mut rest: Vec<usize>) -> Draw {
        let met = |one, other| self.met(one, other);
        let mut bye = None;
        if rest.len() % 2 == 1 {
            let without = |place: usize| [&rest[..place], &rest[place + 1..]].concat();
            let fewest = self.fewest_byes(&rest);
            let places = (0..rest.len()).rev().filter(|&place| self.byes[rest[place]] == fewest);
            let mut least: Option<(usize, usize)> = None;
            for place in places {
                let repeats = matching::repeats(&without(place), met);
                if least.is_none_or(|(fewest, _)| repeats < fewest) {
                    least = Some((repeats, place));
                }
                if repeats == 0 {
                    break;
                }
            }
            bye = least.map(|(_, place)| rest.remove(place));
        }
        Draw { pairs: matching::pair_up(&rest, met), bye }
    }

    /// Takes a turn of the circle method in which nobody meets again: of all such turns, the one whose pairs differ least in
    /// score. As long as all rounds come from the same circle, there is always another turn. So every bot keeps its place on
    /// it. The place of a bot that leaves stays empty, and where their number is odd, the first latecomer fills it up.
    fn draw_from_circle(&self, round: u32, begun: &[Pair], rest: &[usize]) -> Option<Draw> {
        let bots = &self.plan.bots;
        let mut places: Vec<usize> = self.plan.by_lot((0..bots.len()).collect());
        places.retain(|&bot| {
            let from = bots[bot].from_round;
            from <= round && bots[bot].left_in_round.is_none_or(|left| from <= left)
        });
        places.sort_by_key(|&bot| bots[bot].from_round);
        let turns = circle::turns(places.len()).into_iter().filter_map(|turn| {
            let pairs: Vec<Pair> =
                turn.iter().map(|&(one, other)| sorted((places[one], places[other]))).collect();
            self.draw_turn(pairs, begun, rest)
        });
        turns.min_by_key(|draw| self.unevenness(draw, rest))
    }

    /// What is left of a turn of the circle, if it fits: it has all pairs that have begun to play, and of the rest nobody
    /// meets again, and at most one has a bye, which is nobody who has had one more often than others.
    fn draw_turn(&self, turn: Vec<Pair>, begun: &[Pair], rest: &[usize]) -> Option<Draw> {
        let among_the_rest = |&(one, other): &Pair| rest.contains(&one) && rest.contains(&other);
        let pairs: Vec<Pair> = turn.iter().copied().filter(among_the_rest).collect();
        let idle = |bot: &&usize| !pairs.iter().any(|&(one, other)| **bot == one || **bot == other);
        let idle: Vec<usize> = rest.iter().filter(idle).copied().collect();
        // Pairs that have begun are judged as they were before, or a turn could come to fit while its round is played.
        let everybody: Vec<usize> =
            begun.iter().flat_map(|&(one, other)| [one, other]).chain(rest.iter().copied()).collect();
        let fits =
            begun.iter().all(|&(one, other)| turn.contains(&(one, other)) && self.met(one, other) == 1)
                && pairs.iter().all(|&(one, other)| self.met(one, other) == 0)
                && idle.len() <= 1
                && idle.iter().all(|&bot| self.byes[bot] == self.fewest_byes(&everybody));
        fits.then(|| Draw { pairs, bye: idle.first().copied() })
    }

    /// How much opponents differ in score. A bye is best for the lowest.
    fn unevenness(&self, draw: &Draw, rest: &[usize]) -> u64 {
        let score = |bot: usize| self.half_points[bot];
        let lowest = rest.iter().map(|&bot| score(bot)).min().unwrap_or_default();
        let pairs = draw.pairs.iter().map(|&(one, other)| score(one).abs_diff(score(other)));
        let bye = draw.bye.map(|bot| score(bot) - lowest);
        pairs.chain(bye).map(|difference| u64::from(difference).pow(2)).sum()
    }

    fn fewest_byes(&self, bots: &[usize]) -> u32 {
        bots.iter().map(|&bot| self.byes[bot]).min().unwrap_or_default()
    }

    /// The bots by score, and by lot where scores are equal.
    fn by_score(&self, bots: Vec<usize>) -> Vec<usize> {
        let mut order = self.plan.by_lot(bots);
        order.sort_by_key(|&bot| Reverse(self.half_points[bot]));
        order
    }

    fn met(&self, one: usize, other: usize) -> u32 {
        self.met.get(&sorted((one, other))).copied().unwrap_or_default()
    }
}
