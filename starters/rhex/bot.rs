//! A RHEX player to start from. It knows the rules and the protocol; how to think is up to you: see `choose`.
//!
//! Start:  target/release/bot b     plays white, which moves first
//!         target/release/bot p     plays black
//!         target/release/bot b d   the same, and shows the board on stderr after every move

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

const STEPS: [(isize, isize); 6] = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)];

type Cell = (usize, usize);

struct Board {
    /// There are 2n tokens in all.
    n: usize,
    /// '-' empty, 'b' white, 'p' black, by row and column.
    cells: Vec<Vec<char>>,
}

impl Board {
    /// What is on a cell, if it is on the board.
    fn get(&self, (row, col): Cell) -> Option<char> {
        self.cells.get(row)?.get(col).copied()
    }

    /// All tokens that hang together with the one at a cell, whatever their colours.
    fn zone_of(&self, at: Cell) -> Vec<Cell> {
        let mut zone = vec![at];
        let mut next = 0;
        while next < zone.len() {
            let (row, col) = zone[next];
            next += 1;
            for (down, right) in STEPS {
                // A step off the top or the left wraps around to a huge number, which is off the board too.
                let near = (row.wrapping_add_signed(down), col.wrapping_add_signed(right));
                if self.get(near).is_some_and(|token| token != '-') && !zone.contains(&near) {
                    zone.push(near);
                }
            }
        }
        zone
    }

    /// Places a token. If most tokens of its zone show the other colour, all of them are turned over.
    fn place(&mut self, at: Cell, side: char) {
        self.cells[at.0][at.1] = side;
        let zone = self.zone_of(at);
        let own = zone.iter().filter(|&&cell| self.get(cell) == Some(side)).count();
        if 2 * own < zone.len() {
            for (row, col) in zone {
                self.cells[row][col] = other(self.cells[row][col]);
            }
        }
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

/// The move of the player `me`.
fn choose(board: &Board, _me: char, dice: &mut Dice) -> Cell {
    let cells = (0..board.n).flat_map(|row| (0..board.n).map(move |col| (row, col)));
    let empty: Vec<Cell> = cells.filter(|&at| board.get(at) == Some('-')).collect();
    // your idea goes here: this is any empty cell
    empty[dice.roll(empty.len())]
}

/// Reads lines until one is a move that is possible; nothing when there are no more lines.
fn read_move(board: &Board) -> Option<Cell> {
    for line in io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line.ok()?).into_owned();
        let numbers: Result<Vec<usize>, _> = line.split_whitespace().map(str::parse).collect();
        if let Ok([row, col]) = numbers.as_deref() {
            if board.get((*row, *col)) == Some('-') {
                return Some((*row, *col));
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
    let me = match args.first().map(String::as_str) {
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
    let mut turn = 'b';
    for _ in 0..2 * n {
        let mine = turn == me;
        let chosen = if mine { Some(choose(&board, me, &mut dice)) } else { read_move(&board) };
        let Some((row, col)) = chosen else { break }; // the game is over
        if mine {
            println!("{row} {col}");
            // Or the move could wait in a buffer, and the opponent for ever.
            io::stdout().flush().ok();
        }
        board.place((row, col), turn);
        turn = other(turn);
        if args.get(1).is_some_and(|word| word == "d") {
            board.show();
        }
    }
    ExitCode::SUCCESS
}
