//! What a move of RHEX costs by the rules on the largest board, against one on a small board, round by round in one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use arbitro::game::grid::{Cell, Grid};
use arbitro::game::rhex::Rhex;

const SMALL: u8 = 8;
const LARGE: u8 = 26;
const ROUNDS: usize = 41;
/// Moves of a round on either board, about.
const MOVES: u32 = 50_000;

/// Draws the cells of a game by lot.
type Lots = fn(Grid, &mut fastrand::Rng) -> Vec<Cell>;

/// Anywhere: on a large board few tokens meet.
fn scattered(grid: Grid, rng: &mut fastrand::Rng) -> Vec<Cell> {
    let mut cells: Vec<Cell> = grid.all().collect();
    rng.shuffle(&mut cells);
    cells
}

/// Always beside a token, so that there is one zone, which has the more tokens the larger the board is.
fn in_one_zone(grid: Grid, rng: &mut fastrand::Rng) -> Vec<Cell> {
    let mut cells = vec![grid.cell(rng.usize(..grid.cells()))];
    while cells.len() < 2 * usize::from(grid.size()) {
        let around: Vec<Cell> = grid.neighbours(cells[rng.usize(..cells.len())]).collect();
        let next = around[rng.usize(..around.len())];
        if !cells.contains(&next) {
            cells.push(next);
        }
    }
    cells
}

/// Nanoseconds per move. Only moves are timed, not setting up the board and drawing lots.
fn round(size: u8, lots: Lots, rng: &mut fastrand::Rng) -> f64 {
    let (mut moves, mut time) = (0, Duration::ZERO);
    while moves < MOVES {
        let mut game = Rhex::new(size);
        let cells = lots(game.grid(), rng);
        let begun = Instant::now();
        for &cell in &cells {
            if game.is_over() {
                break;
            }
            game.place(cell);
        }
        time += begun.elapsed();
        moves += u32::from(black_box(game).plies());
    }
    time.as_secs_f64() * 1e9 / f64::from(moves)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let mut rng = fastrand::Rng::with_seed(1);
    println!(
        "a move of RHEX, {ROUNDS} rounds of about {MOVES} moves on either board: the least time, the median ratio\n"
    );
    println!("{:22}{:>8}{:>8}{:>8}", "", "8×8", "26×26", "ratio");
    for (name, lots) in [("random cells", scattered as Lots), ("all in one zone", in_one_zone)] {
        let rounds: Vec<[f64; 2]> =
            (0..ROUNDS).map(|_| [SMALL, LARGE].map(|size| round(size, lots, &mut rng))).collect();
        let least = |index: usize| rounds.iter().map(|times| times[index]).fold(f64::INFINITY, f64::min);
        let ratio = median(rounds.iter().map(|[small, large]| large / small).collect());
        println!("{name:22}{:5.1} ns{:5.1} ns{ratio:8.2}", least(0), least(1));
    }
}
