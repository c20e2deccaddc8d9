use std::time::{Duration, Instant};

use super::Solver;
use super::dfpn::Dfpn;
use super::plain_search::PlainSearch;
use super::proving::prove;
use crate::engine::hex::board::{Board, Spot, Stone};
use crate::engine::hex::must_play::threats;
use crate::engine::hex::virtual_connections::Connections;
use crate::engine::search_limit::SearchLimit;
use crate::game::Game;
use crate::game::grid::{Cell, read_cell};
use crate::game::hex::{Hex, Side};

fn steps(number: u64) -> SearchLimit {
    SearchLimit::new(number, Instant::now() + Duration::from_secs(3600))
}

fn after(board: &Board, spot: Spot) -> Board {
    let mut after = board.clone();
    after.play(spot);
    after
}

/// The stones row by row, and the side to move.
fn position(board: &Board) -> (Vec<Stone>, Side) {
    (board.spots().map(|spot| board.stone(spot)).collect(), board.to_move())
}

/// Compares the winning first moves, and the winner after each.
fn openings_agree(size: u8) {
    let (mut solver, mut plain) = (Solver::new(), PlainSearch::new(&Board::new(size)));
    let board = Board::new(size);
    let winning = plain.winning_moves();
    for spot in board.empty() {
        let winner = if winning.contains(&spot) { Side::White } else { Side::Black };
        let found = solver.solve(&after(&board, spot), &mut steps(u64::MAX));
        assert_eq!(found, Some(winner), "{}", board.cell(spot));
    }
    assert_eq!(Solver::new().winning_moves(&board, &mut steps(u64::MAX)), Some(winning));
    println!("{size}×{size}: {} positions tried by the plain search", plain.looked_at());
}

#[test]
fn openings_up_to_4_are_as_a_plain_search_has_them() {
    (1..=4).for_each(openings_agree);
}

/// Compares the winner after each first move with a map: a letter for each cell, that of the white side where it wins.
fn openings_are_as_told(map: &str) {
    let lines: Vec<Vec<char>> =
        map.lines().map(|line| line.chars().filter(|letter| !letter.is_whitespace()).collect()).collect();
    let mut solver = Solver::new();
    let board = Board::new(lines.len() as u8);
    for spot in board.empty() {
        let cell = board.cell(spot);
        let winner = solver.solve(&after(&board, spot), &mut steps(u64::MAX)).map(Side::letter);
        assert_eq!(winner, Some(lines[usize::from(cell.row)][usize::from(cell.column)]), "{cell}");
    }
}

#[test]
fn openings_of_5_and_6_are_as_they_are_known() {
    openings_are_as_told(include_str!("../../../../tests/data/hex/openings-5.txt"));
    openings_are_as_told(include_str!("../../../../tests/data/hex/openings-6.txt"));
}

#[test]
#[ignore = "it takes half a minute, and minutes on a busy machine"]
fn openings_of_7_are_as_they_are_known() {
    openings_are_as_told(include_str!("../../../../tests/data/hex/openings-7.txt"));
}

/// A random position that is not over, with so many empty cells, or none.
fn random_position(size: u8, empty: usize, rng: &mut fastrand::Rng) -> Option<Board> {
    let mut board = Board::new(size);
    let mut spots: Vec<Spot> = board.spots().collect();
    rng.shuffle(&mut spots);
    spots[empty.min(spots.len())..].iter().for_each(|&spot| board.play(spot));
    board.winner().is_none().then_some(board)
}

/// From fewer stones on, the plain search takes minutes and gigabytes.
#[test]
fn positions_of_5_with_few_stones_are_as_a_plain_search_has_them() {
    const STONES: usize = 7;
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    let mut solver = Solver::new();
    for _ in 0..20 {
        let Some(board) = random_position(5, 25 - STONES, &mut rng) else { continue };
        let winning = PlainSearch::new(&board).winning_moves();
        let found = solver.winning_moves(&board, &mut steps(u64::MAX));
        assert_eq!(found, Some(winning), "{:?}", position(&board));
    }
}

#[test]
fn positions_with_few_empty_cells_are_as_a_plain_search_has_them() {
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    let mut solvers: Vec<Solver> = (0..=6).map(|_| Solver::new()).collect();
    let mut compared = 0;
    while compared < 3_000 {
        let size = rng.u8(3..=6);
        let empty = rng.usize(1..=13);
        let Some(board) = random_position(size, empty, &mut rng) else { continue };
        compared += 1;
        let winning = PlainSearch::new(&board).winning_moves();
        let solver = &mut solvers[usize::from(size)];
        let found = solver.winning_moves(&board, &mut steps(u64::MAX)).unwrap();
        assert_eq!(found, winning, "{:?}", position(&board));
        let winner = if winning.is_empty() { board.to_move().other() } else { board.to_move() };
        assert_eq!(Solver::new().solve(&board, &mut steps(u64::MAX)), Some(winner), "{:?}", position(&board));
    }
}

/// A random position near its end: the empty cells lie together where the game is decided, so that both sides can still win.
fn open_region(size: u8, empty: usize, rng: &mut fastrand::Rng) -> Option<Board> {
    let full = Board::new(size);
    let centre = full.cell(rng.choice(full.empty().collect::<Vec<Spot>>())?);
    let mut spots: Vec<Spot> = full.spots().collect();
    rng.shuffle(&mut spots);
    spots.sort_by_cached_key(|&spot| {
        let cell = full.cell(spot);
        let (down, right) = (cell.row.abs_diff(centre.row), cell.column.abs_diff(centre.column));
        // A few lie elsewhere.
        if rng.u8(..10) == 0 { rng.u8(..4) } else { down.max(right) }
    });
    let mut others = spots.split_off(empty);
    rng.shuffle(&mut others);
    let mut board = Board::new(size);
    others.iter().for_each(|&spot| board.play(spot));
    let can_win = |side: Side| {
        let mut filled = board.clone();
        spots.iter().for_each(|&spot| filled.put(spot, side));
        filled.winner() == Some(side)
    };
    (board.winner().is_none() && can_win(Side::White) && can_win(Side::Black)).then_some(board)
}

#[test]
fn winning_moves_near_the_end_on_larger_boards_are_as_a_plain_search_has_them() {
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    let (mut compared, mut some_win, mut tried) = (0, 0, 0);
    while compared < 100 {
        let Some(board) = open_region(8 + compared % 4, rng.usize(14..=18), &mut rng) else { continue };
        compared += 1;
        let mut plain = PlainSearch::new(&board);
        let winning = plain.winning_moves();
        let found = Solver::new().winning_moves(&board, &mut steps(u64::MAX)).unwrap();
        assert_eq!(found, winning, "{:?}", position(&board));
        some_win += usize::from(!winning.is_empty() && winning.len() < usize::from(board.empty_cells()));
        tried += plain.looked_at();
    }
    println!("in {some_win} of {compared} some moves win, {tried} positions tried by the plain search");
    assert!(some_win > 30);
}

#[test]
fn what_the_winner_needs_is_enough() {
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    let mut searches: Vec<Dfpn<1>> = (0..=6).map(Dfpn::new).collect();
    for _ in 0..3_000 {
        let (size, empty) = (rng.u8(3..=6), rng.usize(5..=14));
        let Some(board) = random_position(size, empty, &mut rng) else { continue };
        let Ok(verdict) = prove(&mut searches[usize::from(size)], &board, &mut steps(u64::MAX)) else {
            unreachable!("it has no limit")
        };
        let winner = if verdict.wins { board.to_move() } else { board.to_move().other() };
        // The other side gets all cells that are said not to be needed.
        let mut worse = board.clone();
        for spot in
            board.empty().filter(|&spot| !verdict.needs.contains(board.grid().index(board.cell(spot))))
        {
            worse.put(spot, winner.other());
        }
        assert_eq!(worse.winner(), None, "{:?}", position(&board));
        assert_eq!(PlainSearch::new(&worse).wins(), verdict.wins, "{:?}", position(&board));
    }
}

#[test]
fn a_limit_ends_the_search() {
    let board = Board::new(7);
    assert_eq!(Solver::new().solve(&board, &mut steps(100)), None);
    assert_eq!(Solver::new().winning_moves(&board, &mut steps(100)), None);
}
/// Positions with one winning move, and that move.
pub fn puzzles() -> Vec<(Hex, Cell)> {
    let text = include_str!("../../../../tests/data/hex/puzzles.txt");
    let puzzle = |line: &str| {
        let [size, moves, solution] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let mut game = Hex::new(size.parse().unwrap());
        moves.split(',').for_each(|mv| game.play(mv).unwrap());
        let solution = read_cell(solution, game.grid()).unwrap();
        (game, solution)
    };
    text.lines().filter(|line| !line.starts_with('#')).map(puzzle).collect()
}

#[test]
fn puzzles_have_the_one_solution_that_is_given() {
    let puzzles = puzzles();
    assert_eq!(puzzles.len(), 30);
    for (game, solution) in puzzles {
        let board = Board::of(&game);
        let found = Solver::new().winning_moves(&board, &mut steps(u64::MAX));
        assert_eq!(found, Some(vec![board.spot(solution)]), "{:?}", position(&board));
    }
}

/// A position as a puzzle, if it is a good one: exactly one move wins, but not at once, nor is it forced.
fn puzzle(board: &Board, moves: &[String]) -> Option<String> {
    let mut connections = Connections::default();
    let decided = [board.to_move(), board.to_move().other()]
        .into_iter()
        .any(|side| connections.has(board, side) || threats(board, side, &mut connections).next().is_some());
    let [solution] = Solver::new().winning_moves(board, &mut steps(EASY))?[..] else { return None };
    (!decided).then(|| format!("{} | {} | {}", board.size(), moves.join(","), board.cell(solution)))
}

/// Positions that solving a puzzle may take.
const EASY: u64 = 20_000;

/// Prints new puzzles, the same each time, out of random positions:
/// `cargo test --release --lib puzzles_are_found -- --ignored --nocapture`.
#[test]
#[ignore = "it makes test data"]
fn puzzles_are_found() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (size, empty) in [(5, 14..=18), (6, 20..=26), (7, 26..=36)] {
        let mut found = 0;
        while found < 10 {
            let mut board = Board::new(size);
            let mut spots: Vec<Spot> = board.spots().collect();
            rng.shuffle(&mut spots);
            spots.truncate(spots.len() - rng.usize(empty.clone()));
            spots.iter().for_each(|&spot| board.play(spot));
            let moves: Vec<String> = spots.iter().map(|&spot| board.cell(spot).to_string()).collect();
            if board.winner().is_none()
                && let Some(puzzle) = puzzle(&board, &moves)
            {
                println!("{puzzle}");
                found += 1;
            }
        }
    }
}
