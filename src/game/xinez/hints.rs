//! What the moves of a player that lost show about how it misunderstood the rules of Xadrez Xinez.

use super::cells::Cell;
use super::position::Move;
use super::star::View;
use crate::game::hint::Hint;

/// With fewer moves a player may still be on its way out of its home.
const FEWEST_MOVES: u16 = 15;

/// Whether a player's pieces stayed at home. A player that chooses its moves at random leaves it sooner.
pub(super) fn wrong_way(view: &View, moves: impl Iterator<Item = Move>) -> Option<Hint> {
    let w = |cell: Cell| i32::from(view.w[cell.index()]);
    let [first_sum, goal_sum] = [view.home, view.goal].map(|cells| cells.iter().map(w).sum::<i32>());
    let (mut count, mut back, mut sum, mut highest) = (0, 0, first_sum, first_sum);
    for mv in moves {
        let gain = w(mv.to) - w(mv.from);
        count += 1;
        back += u16::from(gain < 0);
        sum += gain;
        highest = highest.max(sum);
    }
    let stayed = 10 * (highest - first_sum) <= goal_sum - first_sum;
    (count >= FEWEST_MOVES && stayed).then_some(Hint::WrongWay {
        moves: count,
        back,
        first_sum,
        last_sum: sum,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::xinez::{Player, Star};

    /// A piece that goes back and forth between the two cells that have these coordinates w for the first player.
    fn to_and_fro(from: i8, to: i8, moves: usize) -> Option<Hint> {
        let star = Star::new(4);
        let view = star.view(Player::ALL[0]);
        let at = |w: i8| star.all().find(|cell: &Cell| view.w[cell.index()] == w).unwrap();
        let steps = [Move { from: at(from), to: at(to) }, Move { from: at(to), to: at(from) }];
        wrong_way(view, steps.into_iter().cycle().take(moves))
    }

    #[test]
    fn pieces_that_stay_at_home_are_noticed_after_some_moves() {
        assert_eq!(to_and_fro(-5, -4, 14), None);
        let hint = Hint::WrongWay { moves: 15, back: 7, first_sum: -60, last_sum: -59 };
        assert_eq!(to_and_fro(-5, -4, 15), Some(hint));
    }

    #[test]
    fn a_player_that_has_been_under_way_has_not_stayed_at_home() {
        assert_eq!(to_and_fro(-5, 8, 40), None);
    }
}
