//! A Hex player that counts how many stones each side still needs to connect, and plays where that
//! matters most to both. The same moves from the opponent always get the same answers.
//!
//! Build:  rustc --edition 2024 -O -o path-rust path.rs
//! Start:  ./path-rust b     plays white, which joins the first row to the last and moves first
//!         ./path-rust p     plays black, which joins the first column to the last
//!         ./path-rust b d   the same, and shows the board on stderr after every move
//!
//! Type the opponent's moves as "row col", both from 0; end with Ctrl-D.
//! ARBITRO_SIZE is the size of the board (2 to 26, 14 if not set). ARBITRO_OPENING, such as
//! "2 3, 7 7", has the first moves, both sides' in turn; ours are played where they are legal.

use std::collections::VecDeque;
use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: path-rust b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)";
const STEPS: [(isize, isize); 6] = [(0, -1), (0, 1), (-1, 0), (1, 0), (1, -1), (-1, 1)];
const FAR: usize = 1000; // more stones than any path needs

type Cell = (usize, usize);
type Board = Vec<Vec<&'static str>>; // "-" empty, "b" white, "p" black

/// The cells of an edge of this colour: its first one (line 0) or its last one (line n - 1).
fn edge(n: usize, colour: &str, line: usize) -> impl Iterator<Item = Cell> {
    let white = colour == "b";
    (0..n).map(move |i| if white { (line, i) } else { (i, line) })
}

/// For every cell, how many stones a colour must add to join it, itself included, to an edge: a
/// shortest path where own stones cost 0, empty cells 1, and nobody passes the enemy's.
///
/// Stones go to the front of the queue and empty cells to its back, so that cells leave it in
/// order of distance: the first distance found is the right one, and every cell enters once.
fn distances(board: &Board, colour: &str, line: usize) -> Vec<Vec<usize>> {
    let n = board.len();
    let (mut dist, mut queue) = (vec![vec![FAR; n]; n], VecDeque::new());
    let mut near: Vec<Cell> = edge(n, colour, line).collect();
    let mut before = 0;
    loop {
        for (row, col) in near.drain(..) {
            // A step off the top or the left wraps around to a huge number, also off the board.
            if row >= n || col >= n || dist[row][col] != FAR {
                continue;
            }
            if board[row][col] == colour {
                dist[row][col] = before;
                queue.push_front((row, col));
            } else if board[row][col] == "-" {
                dist[row][col] = before + 1;
                queue.push_back((row, col));
            }
        }
        let Some((row, col)) = queue.pop_front() else { return dist };
        before = dist[row][col];
        near.extend(STEPS.map(|(r, c)| (row.wrapping_add_signed(r), col.wrapping_add_signed(c))));
    }
}

fn won(board: &Board, colour: &str) -> bool {
    let dist = distances(board, colour, 0);
    edge(board.len(), colour, board.len() - 1).any(|(row, col)| dist[row][col] == 0)
}

/// Twice the number of steps to the centre, which on an even board lies between the cells.
fn off_centre(n: usize, (row, col): Cell) -> usize {
    let (row, col, last) = (2 * row, 2 * col, n - 1);
    row.abs_diff(last).max(col.abs_diff(last)).max((row + col).abs_diff(2 * last))
}

/// `swap` is the one stone that may be played on again, which only ply 2 allows.
fn choose(board: &Board, ply: usize, swap: Option<Cell>) -> Option<Cell> {
    let n = board.len();
    // A first stone near the centre would be taken from us, and we take one from the opponent.
    if ply == 1 {
        return Some((3.min(n - 1), 1));
    }
    if swap.is_some_and(|stone| 3 * off_centre(n, stone) <= 2 * n) {
        return swap;
    }
    let tables = [("b", 0), ("b", n - 1), ("p", 0), ("p", n - 1)];
    let tables = tables.map(|(colour, line)| distances(board, colour, line));
    let cells = (0..n).flat_map(|row| (0..n).map(move |col| (row, col)));
    // The sum is the length of our best path through the cell plus that of the enemy's. Any two
    // such paths cross, so the least sum is a cell on a shortest path of both. Among equals, the
    // nearest to the centre, then the first: a row comes before the next.
    cells.filter(|&(row, col)| board[row][col] == "-").min_by_key(|&(row, col)| {
        let sum: usize = tables.iter().map(|dist| dist[row][col]).sum();
        (sum, off_centre(n, (row, col)))
    })
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
    let (mut board, mut swap) = (vec![vec!["-"; n]; n], None);
    for ply in 1.. {
        let mine = turn == me;
        let at = if mine {
            given(&board, swap, ply).or_else(|| choose(&board, ply, swap))
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
        if won(&board, board[row][col]) {
            break;
        }
    }
    ExitCode::SUCCESS
}
