//! A Hex player that plays any legal move, each with the same chance.
//!
//! Build:  rustc --edition 2024 -O -o random-rust random.rs
//! Start:  ./random-rust b     plays white, which joins the first row to the last and moves first
//!         ./random-rust p     plays black, which joins the first column to the last
//!         ./random-rust b d   the same, and shows the board on stderr after every move
//!
//! Type the opponent's moves as "row col", both from 0; end with Ctrl-D. ARBITRO_SIZE is the size
//! of the board (2 to 26, 14 if not set). The same ARBITRO_SEED, any text, gives the same choices.
//! ARBITRO_OPENING, such as "2 3, 7 7", has the first moves, both sides' in turn; ours are played
//! where they are legal.

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::SystemTime;

const USAGE: &str = "usage: random-rust b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)";
const STEPS: [(isize, isize); 6] = [(0, -1), (0, 1), (-1, 0), (1, 0), (1, -1), (-1, 1)];

type Cell = (usize, usize);
type Board = Vec<Vec<&'static str>>; // "-" empty, "b" white, "p" black

struct Dice(u64);

impl Dice {
    /// The colour goes into the seed so that two of us in one game do not choose alike.
    fn new(me: &str) -> Dice {
        let seed = variable("ARBITRO_SEED").unwrap_or_else(|| format!("{:?}", SystemTime::now()));
        let fold = |state: u64, byte| state.wrapping_mul(31).wrapping_add(u64::from(byte));
        Dice(me.bytes().chain(seed.bytes()).fold(0, fold))
    }

    /// The high bits of a linear congruential generator: the low ones repeat too soon.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }
}

/// `swap` is the one stone that may be played on again, which only ply 2 allows.
fn choose(board: &Board, swap: Option<Cell>, dice: &mut Dice) -> Option<Cell> {
    if swap.is_some() && dice.roll(2) == 1 {
        return swap;
    }
    let cells = (0..board.len()).flat_map(|row| (0..board.len()).map(move |col| (row, col)));
    let empty: Vec<Cell> = cells.filter(|&(row, col)| board[row][col] == "-").collect();
    Some(empty[dice.roll(empty.len())])
}

/// Whether the group of stones at a cell touches both edges of its colour.
fn connects(board: &Board, at: Cell) -> bool {
    let (n, colour) = (board.len(), board[at.0][at.1]);
    let mut seen = vec![vec![false; n]; n];
    let (mut group, mut first, mut last) = (vec![at], false, false);
    while let Some((row, col)) = group.pop() {
        // A step off the top or the left wraps around to a huge number, which is off the board too.
        if row >= n || col >= n || board[row][col] != colour || seen[row][col] {
            continue;
        }
        seen[row][col] = true;
        let line = if colour == "b" { row } else { col };
        first |= line == 0;
        last |= line == n - 1;
        group.extend(STEPS.map(|(r, c)| (row.wrapping_add_signed(r), col.wrapping_add_signed(c))));
    }
    first && last
}

/// The legal move that a text is, if it is one.
fn legal(board: &Board, swap: Option<Cell>, text: &str) -> Option<Cell> {
    let empty = |(row, col): Cell| board.get(row).and_then(|r| r.get(col)) == Some(&"-");
    two_numbers(text).filter(|&at| empty(at) || swap == Some(at))
}

/// The move that `ARBITRO_OPENING` has for this ply, if it has one and it is legal.
fn given(board: &Board, swap: Option<Cell>, ply: usize) -> Option<Cell> {
    legal(board, swap, variable("ARBITRO_OPENING")?.split(',').nth(ply - 1)?)
}

/// Reads lines until one is a legal move; `None` when there are no more lines.
fn read_move(board: &Board, swap: Option<Cell>) -> Option<Cell> {
    for line in io::stdin().lock().split(b'\n') {
        // Bytes and not text, since a line that is not UTF-8 is one more invalid move, not the end.
        let at = legal(board, swap, &String::from_utf8_lossy(&line.ok()?));
        if at.is_some() {
            return at;
        }
        say("invalid move; send another, as: row col");
    }
    None
}

fn two_numbers(line: &str) -> Option<Cell> {
    let mut words = line.split_ascii_whitespace();
    // Digits only, of which 8 are plenty: `parse` by itself would take "+7" too.
    let mut number = || words.next().filter(|w| w.len() < 9 && !w.starts_with('+'))?.parse().ok();
    let pair = (number()?, number()?);
    words.next().is_none().then_some(pair)
}

/// Unlike `eprintln!` this does not panic when nobody listens to stderr: the game can still go on.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn variable(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

fn other(colour: &str) -> &'static str {
    if colour == "b" { "p" } else { "b" }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args_os().skip(1).map(|a| a.to_string_lossy().into()).collect();
    let debug = args.len() == 2 && args[1] == "d";
    let n = variable("ARBITRO_SIZE").map_or(14, |size| size.parse().unwrap_or(0));
    if !(args.len() == 1 || debug) || (args[0] != "b" && args[0] != "p") || !(2..=26).contains(&n) {
        say(USAGE);
        return ExitCode::from(2);
    }
    let (mut me, mut turn) = (if args[0] == "b" { "b" } else { "p" }, "b");
    let mut dice = Dice::new(me);
    let (mut board, mut swap) = (vec![vec!["-"; n]; n], None);
    for ply in 1.. {
        let mine = turn == me;
        let at = if mine {
            given(&board, swap, ply).or_else(|| choose(&board, swap, &mut dice))
        } else {
            read_move(&board, swap)
        };
        let Some((row, col)) = at else { break };
        if mine {
            let mut out = io::stdout();
            // Without the flush the move might wait in a buffer, and the opponent for ever. An
            // error means that the opponent has left.
            if writeln!(out, "{row} {col}").and_then(|()| out.flush()).is_err() {
                break;
            }
        }
        if at == swap {
            // The stone stays white and it is still black's turn: only the players change seats.
            me = other(me);
        } else {
            board[row][col] = turn;
            turn = other(turn);
        }
        swap = at.filter(|_| ply == 1);
        if debug {
            board.iter().for_each(|cells| say(&cells.join(" ")));
        }
        if connects(&board, (row, col)) {
            break;
        }
    }
    ExitCode::SUCCESS
}
