//! Looking ahead: alpha-beta search against the rival, with a beam of the moves that gain most, and everybody else expected to
//! play as the hand-out's robot.

use super::robot::greedy_move;
use crate::engine::search_limit::SearchLimit;
use crate::game::xinez::{Cell, Move, Player, Position, Star, Xinez};
use crate::game::{Game, Seat};

/// What a position is worth to a player: the more, the better.
type Score = i32;

/// One's own pieces are all in the goal; more by the moves that are saved.
const HOME: Score = 1_000_000;
/// More than any position is worth.
const INFINITE: Score = 2 * HOME;
/// What it costs to bring about a position that has come up before: more than any progress is worth.
const REPEATED: Score = 100_000;
/// How many pieces may be outside the goal for it to matter how far they are from its empty cells.
const FEW: usize = 3;
/// What it costs to shut in a piece that has to leave the own goal.
const SHUT_IN: Score = 400;
/// What is gained sooner is worth more, by one part in so many for each ply: a search that sees the same end of all ways would
/// otherwise put off the moves that lead there.
const PATIENCE: Score = 32;

/// How many moves are looked at in each position beyond the first: those that gain most at once. To look at more of them is
/// worth less than to look further.
const BEAM: usize = 4;

/// One player's view of what is to come.
pub struct Search<'a> {
    game: &'a Xinez,
    own: Player,
    /// The one that is expected to do its best against the searcher.
    rival: Option<Player>,
    /// Those who play on, in order of play after the searcher.
    others: Vec<Player>,
    costs: Vec<[Score; 256]>,
    limit: SearchLimit,
}

/// The limit is reached.
struct Late;

impl<'a> Search<'a> {
    /// A search for the player whose turn it is.
    pub fn new(game: &'a Xinez, limit: SearchLimit) -> Search<'a> {
        let (turn, seats) = (game.turn().0, game.seats() as u8);
        let after = (1..seats).map(|step| Seat((turn + step) % seats));
        let others = after.filter(|&seat| !game.is_out(seat)).map(|seat| game.player(seat)).collect();
        let costs = Player::ALL.map(|player| cell_costs(game.position().star(), player)).to_vec();
        let own = game.player(game.turn());
        let mut search = Search { game, own, rival: None, others, costs, limit };
        let position = game.position();
        let in_contact = search.others.iter().copied().filter(|&other| in_contact(position, own, other));
        search.rival = in_contact.min_by_key(|&other| search.cost(position, other));
        search
    }

    /// The best move when looking so many plies ahead, or as many as the limit allows, with chance deciding among equal ones;
    /// `None` if there is no move.
    pub fn best_move(&mut self, depth: u32, rng: &mut fastrand::Rng) -> Option<Move> {
        let position = self.game.position();
        let mut ranked = self.ranked(position, self.own, usize::MAX);
        rng.shuffle(&mut ranked);
        ranked.sort_by_key(|&(gain, _)| -gain);
        for depth in 1..=depth {
            let mut valued = Vec::with_capacity(ranked.len());
            let mut alpha = -INFINITE;
            for &(gain, mv) in &ranked {
                let repeated = REPEATED * Score::from(self.game.times_seen_after(mv));
                let value = self.after(position, self.own, (gain, mv), depth, alpha + repeated, INFINITE);
                // The move that was best so far came first: what is better than that at this depth stands.
                let Ok(value) = value else { break };
                alpha = alpha.max(value - repeated);
                valued.push((value - repeated, gain, mv));
            }
            let out_of_time = valued.len() < ranked.len();
            // Stable, so that of equal moves the one that was better with less foresight stays ahead.
            valued.sort_by_key(|&(value, ..)| -value);
            let is_decided = valued.first().is_none_or(|&(value, ..)| value.abs() > HOME / 2);
            if !valued.is_empty() {
                ranked = valued.into_iter().map(|(_, gain, mv)| (gain, mv)).collect();
            }
            if out_of_time || is_decided {
                break;
            }
        }
        ranked.first().map(|&(_, mv)| mv)
    }

    /// A player's moves with what each gains, best first.
    fn ranked(&self, position: &Position, player: Player, most: usize) -> Vec<(Score, Move)> {
        let costs = &self.costs[player.index()];
        let gain = |mv: Move| costs[mv.from.index()] - costs[mv.to.index()];
        let mut moves: Vec<(Score, Move)> = position.moves(player).map(|mv| (gain(mv), mv)).collect();
        let better =
            |one: &(Score, Move), other: &(Score, Move)| other.0.cmp(&one.0).then(one.1.cmp(&other.1));
        if moves.len() > most {
            moves.select_nth_unstable_by(most, better);
            moves.truncate(most);
        }
        moves.sort_unstable_by(better);
        moves
    }

    /// The value of a move for the player that makes it, as far as it lies between two bounds, with so many plies to be looked at,
    /// itself included.
    fn after(
        &mut self,
        before: &Position,
        mover: Player,
        (gain, mv): (Score, Move),
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Late> {
        let mut position = *before;
        position.make(mover, mv);
        let remaining = depth as Score;
        if position.is_home(mover) {
            return Ok(HOME + remaining);
        }
        let next = if mover == self.own { self.rival.unwrap_or(self.own) } else { self.own };
        if self.robots_win(&mut position, mover, next) {
            return Ok(if mover == self.own { -HOME / 2 - remaining } else { HOME / 2 + remaining });
        }
        let sooner = gain * (remaining - 1) / PATIENCE;
        let value = if next == mover {
            self.value(&position, next, depth - 1, alpha - sooner, beta - sooner)?
        } else {
            -self.value(&position, next, depth - 1, sooner - beta, sooner - alpha)?
        };
        Ok(value + sooner)
    }

    /// The value of a position for the player that is to move, as far as it lies between two bounds.
    fn value(
        &mut self,
        position: &Position,
        mover: Player,
        depth: u32,
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Late> {
        if depth == 0 {
            return Ok(self.evaluate(position, mover));
        }
        if !self.limit.step() {
            return Err(Late);
        }
        let mut best = None;
        for ranked in self.ranked(position, mover, BEAM) {
            let value = self.after(position, mover, ranked, depth, alpha, beta)?;
            best = best.max(Some(value));
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        // A player that is shut in passes, which is not worth a deeper look.
        Ok(best.unwrap_or_else(|| self.evaluate(position, mover)))
    }

    /// Has those who sit between two players move as the robot does, and says whether that brings one of them home.
    fn robots_win(&self, position: &mut Position, mover: Player, next: Player) -> bool {
        let round = self.others.iter().copied().chain([self.own]);
        let after_mover = round.clone().cycle().skip_while(|&player| player != mover).skip(1);
        for robot in after_mover.take_while(|&player| player != next) {
            if let Some(reply) = greedy_move(position, robot) {
                position.make(robot, reply);
                if position.is_home(robot) {
                    return true;
                }
            }
        }
        false
    }

    /// What a position is worth to a player, without looking ahead.
    fn evaluate(&self, position: &Position, mover: Player) -> Score {
        let own = self.total_cost(position, self.own);
        let leader = match self.rival {
            Some(rival) => self.total_cost(position, rival),
            None => self.others.iter().map(|&other| self.cost(position, other)).min().unwrap_or_default(),
        };
        if mover == self.own { leader - own } else { own - leader }
    }

    fn total_cost(&self, position: &Position, player: Player) -> Score {
        self.cost(position, player) + way_to_holes(position, player) + self.shut_in(position, player)
    }

    fn cost(&self, position: &Position, player: Player) -> Score {
        let costs = &self.costs[player.index()];
        position.pieces(player).iter().map(|cell| costs[cell.index()]).sum()
    }

    /// What it costs a player that the last of those who have their home in its goal cannot leave it: as long as they are there,
    /// it does not get home.
    fn shut_in(&self, position: &Position, player: Player) -> Score {
        let goal = position.star().view(player).goal;
        let count = |other: Player| {
            let left = position.pieces(other).and(goal);
            if left.len() > FEW {
                return 0;
            }
            let stuck = left.iter().filter(|&cell| position.reach(other, cell).is_empty()).count();
            SHUT_IN * stuck as Score
        };
        Player::ALL.into_iter().filter(|&other| other != player).map(count).sum()
    }
}

/// Whether a player's pieces may still get in the way of another's.
fn in_contact(position: &Position, own: Player, other: Player) -> bool {
    let w = &position.star().view(own).w;
    let w = |cell: Cell| w[cell.index()];
    let last = position.pieces(own).iter().map(w).min();
    let first = position.pieces(other).iter().map(w).max();
    last <= first
}

/// When few pieces are still outside: how far each is from the nearest empty cell of the goal. It keeps the last ones from
/// standing in front of a side that is full.
fn way_to_holes(position: &Position, player: Player) -> Score {
    let star = position.star();
    let (pieces, goal) = (position.pieces(player), star.view(player).goal);
    let (outside, holes) = (pieces.without(goal), goal.without(pieces));
    if outside.len() > FEW {
        return 0;
    }
    let way = |from| holes.iter().map(|hole| distance(star, from, hole)).min().unwrap_or_default();
    outside.iter().map(|from| 16 * way(from)).sum()
}

/// Steps between two cells of the empty board.
fn distance(star: &Star, from: Cell, to: Cell) -> Score {
    let (from, to) = (star.coordinates(from), star.coordinates(to));
    let (u, v) = (Score::from(to.u - from.u), Score::from(to.v - from.v));
    u.abs().max(v.abs()).max((v - u).abs())
}

/// What it costs a player to have a piece on each cell: the square of the way that is left, since one piece far behind is worse
/// than many a little behind, and something for being away from the middle, where most jumps are.
fn cell_costs(star: &Star, player: Player) -> [Score; 256] {
    let n = Score::from(star.size());
    let mut costs = [0; 256];
    for cell in star.all() {
        let seen = player.sees(star.coordinates(cell));
        let (ahead, aside) = (2 * n - Score::from(seen.w()), Score::from(seen.u + seen.v));
        let outside = Score::from(seen.w()) <= n;
        costs[cell.index()] = 8 * ahead * ahead + if outside { aside * aside } else { 0 };
    }
    costs
}
