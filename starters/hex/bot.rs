//! A Hex player to start from. It knows the rules and the protocol; how to think is up to you: see `choose` and `wants_swap`.
//!
//! Start:  target/release/bot b     plays white, which joins row 0 to the last row and moves first
//!         target/release/bot p     plays black, which joins column 0 to the last column
//!         target/release/bot b d   the same, and shows the board on stderr after every move

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

type Cell = (usize, usize);

struct Board {
    n: usize,
    /// '-' empty, 'b' white, 'p' black, by row and column.
    cells: Vec<Vec<char>>,
}

impl Board {
    fn is_empty(&self, (row, col): Cell) -> bool {
        self.cells.get(row).and_then(|row| row.get(col)) == Some(&'-')
    }

    fn show(&self) {
        for row in &self.cells {
            let row: Vec<String> = row.iter().map(char::to_string).collect();
            eprintln!("{}", row.join(" "));
        }
    }
}

/// Random numbers: the standard library has none.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }
}

/// The move of the player `me`; nothing if the board is full. The six neighbours of (row, col) are (row, col-1), (row, col+1),
/// (row-1, col), (row+1, col), (row-1, col+1) and (row+1, col-1).
fn choose(board: &Board, _me: char, dice: &mut Dice) -> Option<Cell> {
    let cells = (0..board.n).flat_map(|row| (0..board.n).map(move |col| (row, col)));
    let empty: Vec<Cell> = cells.filter(|&at| board.is_empty(at)).collect();
    // your idea goes here: this is any empty cell
    if empty.is_empty() { None } else { Some(empty[dice.roll(empty.len())]) }
}

/// Whether to take the opponent's first stone: then you are white from now on, and the opponent moves next as black.
fn wants_swap((row, col): Cell, n: usize) -> bool {
    // your idea goes here: this takes stones that are not near an edge
    row > 1 && row + 2 < n && col > 1 && col + 2 < n
}

/// Reads lines until one is a move that is possible; nothing when there are no more lines. `swap` may be played on again.
fn read_move(board: &Board, swap: Option<Cell>) -> Option<Cell> {
    for line in io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line.ok()?).into_owned();
        let numbers: Result<Vec<usize>, _> = line.split_whitespace().map(str::parse).collect();
        if let Ok([row, col]) = numbers.as_deref() {
            let at = (*row, *col);
            if board.is_empty(at) || swap == Some(at) {
                return Some(at);
            }
        }
        eprintln!("invalid move; send another, as: row col");
    }
    None
}

fn other(side: char) -> char {
    if side == 'b' { 'p' } else { 'b' }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let n = env::var("ARBITRO_SIZE").map_or(14, |size| size.parse().unwrap_or(14));
    let mut me = match args.first().map(String::as_str) {
        Some("b") => 'b',
        Some("p") => 'p',
        _ => {
            eprintln!("usage: bot b|p [d]");
            return ExitCode::from(2);
        }
    };
    // The same seed gives the same game.
    let mut dice = Dice(env::var("ARBITRO_SEED").map_or(0, |seed| seed.parse().unwrap_or(0)));
    let mut board = Board { n, cells: vec![vec!['-'; n]; n] };
    let (mut turn, mut first) = ('b', None);
    for ply in 1.. {
        let swap = first.filter(|_| ply == 2);
        let mine = turn == me;
        let chosen = match swap {
            _ if !mine => read_move(&board, swap),
            Some(first) if wants_swap(first, n) => swap,
            _ => choose(&board, me, &mut dice),
        };
        let Some((row, col)) = chosen else { break }; // the game is over
        if mine {
            println!("{row} {col}");
            // Or the move could wait in a buffer, and the opponent for ever.
            io::stdout().flush().ok();
        }
        if chosen == swap {
            me = other(me); // a swap: the stone stays white, and it is still black's turn
        } else {
            board.cells[row][col] = turn;
            turn = other(turn);
        }
        if ply == 1 {
            first = chosen;
        }
        if args.get(1).is_some_and(|word| word == "d") {
            board.show();
        }
    }
    ExitCode::SUCCESS
}
