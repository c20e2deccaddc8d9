//! A search that takes all others for one opponent.
//!
//! A position is worth our cells against the mean of the others', counted so that all numbers are whole. Where the search
//! ends, the best that the next player can do at once is counted as done: no position is as good as it looks before the reply.

use std::cmp::Reverse;

use super::gain::Gain;
use crate::engine::search_limit::SearchLimit;
use crate::game::okupacio::map::Cell;
use crate::game::okupacio::{Action, Okupacio};
use crate::game::{Game, Seat};

/// More than cells can be worth.
const WON: i32 = 1_000_000;

pub struct Search {
    me: Seat,
    width: usize,
    limit: SearchLimit,
    /// Whether any line of play had to be broken off before its end.
    unfinished: bool,
}

impl Search {
    pub fn new(me: Seat, width: usize, limit: SearchLimit) -> Search {
        Search { me, width, limit, unfinished: true }
    }

    /// The best moves of a position, looking one action ahead, then two, and so on up to `depth` or until the limit.
    pub fn best(&mut self, game: &Okupacio, depth: u8) -> Vec<Cell> {
        // Where there is no time at all, the first look has to do.
        let mut moves = self.promising(game);
        let mut best = vec![moves[0]];
        for depth in 1..=depth {
            // Once all lines of play are known to their end, there is nothing more to know.
            if !std::mem::take(&mut self.unfinished) {
                break;
            }
            let Some(mut valued) = self.all_values(game, &moves, depth) else { break };
            // The best come first next time, when they are likely to be so again.
            valued.sort_by_key(|&(value, _)| Reverse(value));
            let most = valued[0].0;
            best = valued.iter().filter(|&&(value, _)| value == most).map(|&(_, cell)| cell).collect();
            moves = valued.into_iter().map(|(_, cell)| cell).collect();
        }
        best
    }

    /// What each move leads to; exact for the best, and for all others not more than what is said. `None` if the limit was
    /// reached before.
    fn all_values(&mut self, game: &Okupacio, moves: &[Cell], depth: u8) -> Option<Vec<(i32, Cell)>> {
        let mut most = -2 * WON;
        let mut valued = Vec::with_capacity(moves.len());
        for &cell in moves {
            let mut next = game.clone();
            next.act_and_exclude(Action::Occupy(cell));
            // One less, so that equals are known as such.
            let value = self.value(&next, depth - 1, most - 1, 2 * WON)?;
            most = most.max(value);
            valued.push((value, cell));
        }
        Some(valued)
    }

    /// The worth of a position if everybody plays on for `depth` actions, as far as it lies between two bounds.
    fn value(&mut self, game: &Okupacio, depth: u8, mut low: i32, mut high: i32) -> Option<i32> {
        if !self.limit.step() {
            return None;
        }
        if game.is_over() || game.is_out(self.me) {
            return Some(self.result(game));
        }
        if depth == 0 {
            self.unfinished = true;
            return Some(self.outlook(game));
        }
        let ours = game.turn() == self.me;
        let mut best = if ours { -2 * WON } else { 2 * WON };
        for cell in self.promising(game) {
            let mut next = game.clone();
            next.act_and_exclude(Action::Occupy(cell));
            let value = self.value(&next, depth - 1, low, high)?;
            if ours {
                best = best.max(value);
                low = low.max(value);
            } else {
                best = best.min(value);
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        Some(best)
    }

    /// The moves that are looked at: those that bring most, or that would bring most to the next player.
    fn promising(&self, game: &Okupacio) -> Vec<Cell> {
        let mover = game.turn();
        let other = if mover == self.me { self.strongest_other(game) } else { self.me };
        let mut moves: Vec<(i32, Cell)> = game
            .free_cells()
            .map(|cell| {
                let (gain, loss) = (Gain::of(game, mover, cell), Gain::of(game, other, cell));
                (gain.gained + gain.taken() + loss.gained + loss.taken_from(mover), cell)
            })
            .collect();
        if moves.len() > self.width {
            moves.select_nth_unstable_by_key(self.width, |&(value, _)| Reverse(value));
            moves.truncate(self.width);
        }
        moves.sort_by_key(|&(value, _)| Reverse(value));
        moves.into_iter().map(|(_, cell)| cell).collect()
    }

    fn strongest_other(&self, game: &Okupacio) -> Seat {
        let others = game.playing().filter(|&seat| seat != self.me);
        others.max_by_key(|&seat| game.player(seat).cells).unwrap_or(self.me)
    }

    /// Our cells against the others', each of ours counted once for each of them.
    fn worth(&self, game: &Okupacio) -> i32 {
        let cells = |seat| i32::from(game.player(seat).cells);
        let all: i32 = game.playing().map(cells).sum();
        cells(self.me) * game.seats() as i32 - all
    }

    /// The worth after the best that the next player can do at once.
    fn outlook(&self, game: &Okupacio) -> i32 {
        let mover = game.turn();
        let others = game.seats() as i32 - 1;
        let change = |cell: Cell| {
            let gain = Gain::of(game, mover, cell);
            if mover == self.me {
                gain.gained * others + gain.taken()
            } else {
                // What it takes from others of them is neither their loss nor their gain.
                gain.gained - gain.taken() + gain.taken_from(self.me) * (others + 1)
            }
        };
        let most = game.free_cells().map(change).max().unwrap_or_default();
        self.worth(game) + if mover == self.me { most } else { -most }
    }

    /// The worth of a game that is over, at least for us.
    fn result(&self, game: &Okupacio) -> i32 {
        let won = game.outcome().is_some_and(|outcome| outcome.winner == Some(self.me));
        if won { WON + self.worth(game) } else { self.worth(game) - WON }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// The worth of a position, found by trying everything.
    fn tried(search: &Search, game: &Okupacio) -> i32 {
        if game.is_over() || game.is_out(search.me) {
            return search.result(game);
        }
        let values = game.free_cells().map(|cell| tried(search, &after(game, cell)));
        let best = if game.turn() == search.me { values.max() } else { values.min() };
        best.expect("a game that is not over has a free cell")
    }

    fn after(game: &Okupacio, cell: Cell) -> Okupacio {
        let mut next = game.clone();
        next.act_and_exclude(Action::Occupy(cell));
        next
    }

    #[test]
    fn at_the_end_it_finds_exactly_the_moves_that_trying_everything_finds() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for number in 0..200 {
            let mut game = Okupacio::new("3 4 5 1".parse().unwrap(), 2 + number % 2);
            while game.free() > 6 && !game.is_over() {
                let cell = rng.choice(game.free_cells().collect::<Vec<_>>()).unwrap();
                game.act_and_exclude(Action::Occupy(cell));
            }
            if game.is_over() {
                continue;
            }
            let limit = SearchLimit::new(u64::MAX, Instant::now() + Duration::from_secs(3600));
            let mut search = Search::new(game.turn(), usize::MAX, limit);
            let mut found = search.best(&game, u8::MAX);
            found.sort();
            let valued: Vec<(i32, Cell)> =
                game.free_cells().map(|cell| (tried(&search, &after(&game, cell)), cell)).collect();
            let most = valued.iter().map(|&(value, _)| value).max().unwrap();
            let best: Vec<Cell> =
                valued.iter().filter(|&&(value, _)| value == most).map(|&(_, cell)| cell).collect();
            assert_eq!(found, best, "{}", game.debug_board());
        }
    }
}
