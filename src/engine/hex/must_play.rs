//! What the next move can decide: a side threatens to win if a single move makes its chain unbreakable. The other side must play on
//! the cells that all threats need, the must-play region.

use super::board::{Board, Spot};
use super::virtual_connections::Connections;
use crate::game::hex::Side;

/// The moves that would win for a side at once, were it its turn, each with the empty cells that it needs to: its own, and
/// those that the chain counts on which it completes.
pub fn threats<'a>(
    board: &'a Board,
    side: Side,
    connections: &'a mut Connections,
) -> impl Iterator<Item = (Spot, Vec<Spot>)> + 'a {
    board.empty().filter_map(move |spot| {
        let mut after = board.clone();
        after.put(spot, side);
        let mut needed = connections.chain(&after, side)?;
        needed.retain(|&cell| board.is_empty(cell));
        Some((spot, needed))
    })
}

/// The moves of the side to move that meet every threat of the other side. All others lose, and if there are none, the
/// game is lost.
pub fn must_play(board: &Board, connections: &mut Connections) -> Vec<Spot> {
    let mut moves: Vec<Spot> = board.empty().collect();
    for (_, needed) in threats(board, board.to_move().other(), connections) {
        moves.retain(|spot| needed.contains(spot));
    }
    moves
}

/// The moves that are worth a thought: one that decides the game, if there is one, or else those that meet every threat.
///
/// # Panics
/// If the game is over.
pub fn sensible(board: &Board, connections: &mut Connections) -> Vec<Spot> {
    assert!(board.winner().is_none(), "the game is over");
    if let Some(closing) = connections.closing_move(board) {
        return vec![closing];
    }
    let wins = threats(board, board.to_move(), connections).min_by_key(|(_, needed)| needed.len());
    if let Some((soonest, _)) = wins {
        return vec![soonest];
    }
    let moves = must_play(board, connections);
    // If nothing saves the game from one who does not err, the other side may err yet.
    if moves.is_empty() { board.empty().collect() } else { moves }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::engine::hex::solver::Solver;
    use crate::engine::search_limit::SearchLimit;

    #[test]
    fn threats_win_what_does_not_meet_those_of_the_other_side_loses_and_a_sensible_move_keeps_a_win() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        let (mut connections, mut solver) = (Connections::default(), Solver::new());
        let mut limit = SearchLimit::new(u64::MAX, Instant::now() + Duration::from_secs(3600));
        let (mut won, mut lost) = (0, 0);
        for _ in 0..300 {
            let mut board = Board::new(5);
            let mut spots: Vec<Spot> = board.spots().collect();
            rng.shuffle(&mut spots);
            spots[..rng.usize(6..=16)].iter().for_each(|&spot| board.play(spot));
            if board.winner().is_some() {
                continue;
            }
            let winning: Vec<Spot> = board
                .empty()
                .filter(|&spot| {
                    let mut after = board.clone();
                    after.play(spot);
                    solver.solve(&after, &mut limit) == Some(board.to_move())
                })
                .collect();
            let wins: Vec<Spot> =
                threats(&board, board.to_move(), &mut connections).map(|(spot, _)| spot).collect();
            assert!(wins.iter().all(|spot| winning.contains(spot)));
            won += wins.len();
            let must_play = must_play(&board, &mut connections);
            assert!(winning.iter().all(|spot| must_play.contains(spot)));
            let sensible = sensible(&board, &mut connections);
            assert!(winning.is_empty() || sensible.iter().any(|spot| winning.contains(spot)));
            lost += usize::from(board.empty_cells()) - must_play.len();
        }
        println!("{won} threats, {lost} moves that do not meet one");
        assert!(won > 100 && lost > 500);
    }
}
