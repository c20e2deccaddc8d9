//! Looking ahead: the own moves that bring the pieces farthest, the others being expected to play as the hand-out's robot.

use super::robot::greedy_move;
use crate::engine::search_limit::SearchLimit;
use crate::game::xinez::{Cell, Move, Player, Position, Star, Xinez};
use crate::game::{Game, Seat};

/// What a situation costs: the less, the better.
type Cost = i32;

/// One's own pieces are all in the goal; less by the moves that are saved.
const HOME: Cost = -1_000_000;
/// Somebody else's are.
const BEATEN: Cost = 500_000;
/// What it costs to bring about a position that has come up before: more than any progress is worth.
const REPEATED: Cost = 100_000;
/// How many moves are looked at beyond the first: those that gain most at once.
const BEAM: usize = 10;
/// How many pieces may be outside the goal for it to matter how far they are from its empty cells.
const FEW: usize = 3;
/// What it costs to shut in a piece that has to leave the own goal.
const SHUT_IN: Cost = 400;

/// One player's view of what is to come.
pub struct Search<'a> {
    game: &'a Xinez,
    own: Player,
    /// Those who play on, in order of play after the searcher.
    others: Vec<Player>,
    costs: Vec<[Cost; 256]>,
    limit: SearchLimit,
}

/// The time is up.
struct Late;

impl<'a> Search<'a> {
    /// A search for the player whose turn it is.
    pub fn new(game: &'a Xinez, limit: SearchLimit) -> Search<'a> {
        let (turn, seats) = (game.turn().0, game.seats() as u8);
        let after = (1..seats).map(|step| Seat((turn + step) % seats));
        let others = after.filter(|&seat| !game.is_out(seat)).map(|seat| game.player(seat)).collect();
        let costs = Player::ALL.map(|player| cell_costs(game.position().star(), player)).to_vec();
        Search { game, own: game.player(game.turn()), others, costs, limit }
    }

    /// The best move when looking so many own moves ahead, or as many as there is time for; `None` if there is no move.
    pub fn best_move(&mut self, depth: u32) -> Option<Move> {
        let position = self.game.position();
        let start = self.cost(position, self.own);
        let mut ranked = self.ranked(position, usize::MAX);
        for depth in 1..=depth {
            let mut valued = Vec::with_capacity(ranked.len());
            for &(gain, mv) in &ranked {
                let repeated = REPEATED * Cost::from(self.game.times_seen_after(mv));
                match self.after(position, mv, start + gain, depth) {
                    Ok(value) => valued.push((value + repeated, gain, mv)),
                    // What was found with less foresight stands.
                    Err(Late) => return ranked.first().map(|&(_, mv)| mv),
                }
            }
            // Stable, so that of equal moves the one with less foresight before it, and then the first, stays ahead.
            valued.sort_by_key(|&(value, ..)| value);
            ranked = valued.into_iter().map(|(_, gain, mv)| (gain, mv)).collect();
        }
        ranked.first().map(|&(_, mv)| mv)
    }

    /// The own moves with what each adds to the cost, best first.
    fn ranked(&self, position: &Position, most: usize) -> Vec<(Cost, Move)> {
        let costs = &self.costs[self.own.index()];
        let gain = |mv: Move| costs[mv.to.index()] - costs[mv.from.index()];
        let mut moves: Vec<(Cost, Move)> = position.moves(self.own).map(|mv| (gain(mv), mv)).collect();
        if moves.len() > most {
            moves.select_nth_unstable(most);
            moves.truncate(most);
        }
        moves.sort_unstable();
        moves
    }

    /// The value of a move that leads to a cost of the own pieces, with so many own moves to be looked at, itself included.
    fn after(&mut self, before: &Position, mv: Move, cost: Cost, depth: u32) -> Result<Cost, Late> {
        let mut position = *before;
        position.make(self.own, mv);
        if position.is_home(self.own) {
            return Ok(HOME - depth as Cost);
        }
        if depth == 1 {
            return Ok(self.appraise(&position, cost));
        }
        for &other in &self.others {
            let Some(reply) = greedy_move(&position, other) else { continue };
            position.make(other, reply);
            if position.is_home(other) {
                return Ok(BEATEN + depth as Cost);
            }
        }
        if !self.limit.step() {
            return Err(Late);
        }
        // Who is shut in passes.
        let mut best = None;
        for (gain, next) in self.ranked(&position, BEAM) {
            let value = self.after(&position, next, cost + gain, depth - 1)?;
            best = Some(best.map_or(value, |best: Cost| best.min(value)));
        }
        // The sooner the better: of two ways to the same end, the one that is cheaper on its way.
        Ok(best.unwrap_or_else(|| self.appraise(&position, cost)) + cost / 8)
    }

    fn appraise(&self, position: &Position, cost: Cost) -> Cost {
        let leader = self.others.iter().map(|&other| self.cost(position, other)).min().unwrap_or_default();
        cost + self.way_to_holes(position) + self.shut_in(position) - leader / 4
    }

    fn cost(&self, position: &Position, player: Player) -> Cost {
        let costs = &self.costs[player.index()];
        position.pieces(player).iter().map(|cell| costs[cell.index()]).sum()
    }

    /// When few pieces are still outside: how far each is from the nearest empty cell of the goal. It keeps the last ones
    /// from standing in front of a side that is full.
    fn way_to_holes(&self, position: &Position) -> Cost {
        let star = position.star();
        let (pieces, goal) = (position.pieces(self.own), star.view(self.own).goal);
        let (outside, holes) = (pieces.without(goal), goal.without(pieces));
        if outside.len() > FEW {
            return 0;
        }
        let way = |from| holes.iter().map(|hole| distance(star, from, hole)).min().unwrap_or_default();
        outside.iter().map(|from| 16 * way(from)).sum()
    }

    /// What it costs that the last of those who have their home in the own goal cannot leave it: as long as they are there,
    /// nobody gets home.
    fn shut_in(&self, position: &Position) -> Cost {
        let goal = position.star().view(self.own).goal;
        let count = |&other: &Player| {
            let left = position.pieces(other).and(goal);
            let stuck = left.iter().filter(|&cell| position.reach(other, cell).is_empty()).count();
            if left.len() <= FEW { SHUT_IN * stuck as Cost } else { 0 }
        };
        self.others.iter().map(count).sum()
    }
}

/// Steps between two cells of the empty board.
fn distance(star: &Star, from: Cell, to: Cell) -> Cost {
    let (from, to) = (star.coordinates(from), star.coordinates(to));
    let (u, v) = (Cost::from(to.u - from.u), Cost::from(to.v - from.v));
    u.abs().max(v.abs()).max((v - u).abs())
}

/// What it costs a player to have a piece on each cell: the square of the way that is left, since one piece far behind is worse
/// than many a little behind, and something for being away from the middle, where most jumps are.
fn cell_costs(star: &Star, player: Player) -> [Cost; 256] {
    let n = Cost::from(star.size());
    let mut costs = [0; 256];
    for cell in star.all() {
        let seen = player.sees(star.coordinates(cell));
        let (ahead, aside) = (2 * n - Cost::from(seen.w()), Cost::from(seen.u + seen.v));
        let outside = Cost::from(seen.w()) <= n;
        costs[cell.index()] = 8 * ahead * ahead + if outside { aside * aside } else { 0 };
    }
    costs
}
