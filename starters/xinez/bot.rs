//! A player of Xadrez Xinez (Chinese checkers) to start from. It knows the rules and the protocol; how to think is up to you: see
//! `choose`.
//!
//! Start:  target/release/bot 4 14 4     plays player 4 of the players 1 and 4, on the board with N = 4
//!         target/release/bot 4 14 4 d   the same, and shows the board on stderr after every move

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

const STEPS: [Cell; 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

/// The coordinates u and v of a cell; the third is w = v - u.
type Cell = (i32, i32);

/// The indices of two cells.
type Move = (usize, usize);

type Player = u32;

struct Board {
    n: i32,
    /// By index.
    cells: Vec<Cell>,
    /// Whose piece is on a cell, 0 if none is.
    pieces: Vec<Player>,
}

impl Board {
    fn new(n: i32, players: &[Player]) -> Board {
        let count = (6 * n * n + 6 * n + 1) as usize;
        let mut board = Board { n, cells: vec![(0, 0); count], pieces: vec![0; count] };
        for u in -2 * n..=2 * n {
            for v in -2 * n..=2 * n {
                if board.is_on_board((u, v)) {
                    let number = board.number((u, v));
                    board.cells[number] = (u, v);
                }
            }
        }
        for &player in players {
            for at in 0..count {
                if board.ahead(player, at) < -n {
                    board.pieces[at] = player;
                }
            }
        }
        board
    }

    fn is_on_board(&self, (u, v): Cell) -> bool {
        [u, v, v - u].iter().filter(|x| x.abs() <= self.n).count() >= 2
    }

    /// The index of a cell: row by row where |u| and |v| are at most n, then four points of the star.
    fn number(&self, (u, v): Cell) -> usize {
        let n = self.n;
        let side = 2 * n + 1;
        if u.abs() <= n && v.abs() <= n {
            return ((u + n) + side * (v + n)) as usize;
        }
        let (point, line, along) = match () {
            _ if u > n => (0, u - n, v),
            _ if u < -n => (1, -u - n, -v),
            _ if v > n => (2, v - n, u),
            _ => (3, -v - n, -u),
        };
        let before = (line - 1) * (n + 1) - line * (line - 1) / 2;
        (side * side + point * n * (n + 1) / 2 + before + along - line) as usize
    }

    /// How far ahead a cell is for a player: below -n is its home, above n its goal.
    fn ahead(&self, player: Player, at: usize) -> i32 {
        let (u, v) = seen_by(player, self.cells[at]);
        v - u
    }

    fn has_piece(&self, at: Cell) -> bool {
        self.is_on_board(at) && self.pieces[self.number(at)] != 0
    }

    /// Whether a player may stop on a cell: not on a piece, nor in the points of others.
    fn is_free_for(&self, player: Player, at: Cell) -> bool {
        let (u, v) = seen_by(player, at);
        self.is_on_board(at) && !self.has_piece(at) && u.abs() <= self.n && v.abs() <= self.n
    }

    /// All cells that a piece can go to: by one step, or by any number of jumps.
    fn reach(&mut self, from: usize) -> Vec<usize> {
        let player = std::mem::take(&mut self.pieces[from]); // on its way it finds its own cell empty
        let mut found = vec![from];
        let mut next = 0;
        while next < found.len() {
            let (u, v) = self.cells[found[next]];
            next += 1;
            for (du, dv) in STEPS {
                let (over, to) = ((u + du, v + dv), (u + 2 * du, v + 2 * dv));
                let jumps = self.has_piece(over) && self.is_free_for(player, to);
                if jumps && !found.contains(&self.number(to)) {
                    found.push(self.number(to));
                }
            }
        }
        let (u, v) = self.cells[from];
        for to in STEPS.map(|(du, dv)| (u + du, v + dv)) {
            if self.is_free_for(player, to) && !found.contains(&self.number(to)) {
                found.push(self.number(to));
            }
        }
        self.pieces[from] = player;
        found.split_off(1)
    }

    /// All moves of a player.
    fn moves(&mut self, player: Player) -> Vec<Move> {
        let own: Vec<usize> = (0..self.pieces.len()).filter(|&at| self.pieces[at] == player).collect();
        let mut moves = Vec::new();
        for from in own {
            moves.extend(self.reach(from).into_iter().map(|to| (from, to)));
        }
        moves
    }

    fn make(&mut self, (from, to): Move) {
        self.pieces[to] = std::mem::take(&mut self.pieces[from]);
    }

    fn show(&self) {
        for w in (-2 * self.n..=2 * self.n).rev() {
            let mut row = vec![' '; 6 * self.n as usize + 1];
            for (&(u, v), &piece) in self.cells.iter().zip(&self.pieces) {
                if v - u == w {
                    row[(u + v + 3 * self.n) as usize] = char::from_digit(piece, 10).filter(|_| piece > 0).unwrap_or('.');
                }
            }
            eprintln!("{}", row.iter().collect::<String>().trim_end());
        }
    }
}

/// A cell as a player sees it: turned until the player's home is where player 1's is.
fn seen_by(player: Player, at: Cell) -> Cell {
    (0..(7 - player) % 6).fold(at, |(u, v), _| (u - v, u))
}

/// Random numbers: the standard library has none.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }
}

/// The move of the player `me`; nothing if there is none.
fn choose(board: &mut Board, me: Player, dice: &mut Dice) -> Option<Move> {
    let moves = board.moves(me);
    // your idea goes here: this is any move that does not go back, if there is one
    let is_good = |&(from, to): &Move| board.ahead(me, to) >= board.ahead(me, from);
    let good: Vec<Move> = moves.iter().copied().filter(is_good).collect();
    let best = if good.is_empty() { moves } else { good };
    if best.is_empty() { None } else { Some(best[dice.roll(best.len())]) }
}

/// Reads lines until one can be what this player does: its move, or nothing if it passes. At the end of the lines, leaves.
fn read_move(board: &mut Board, player: Player) -> Option<Move> {
    for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [who, "pass"] if who == player.to_string() => return None,
            [who, from, to] if who == player.to_string() => {
                let move_read = from.parse().ok().zip(to.parse().ok());
                if let Some(found) = move_read.filter(|read| board.moves(player).contains(read)) {
                    return Some(found);
                }
            }
            _ => {}
        }
        eprintln!("invalid; send another, as: {player} origin destination, or {player} pass");
    }
    std::process::exit(0)
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|word| word.parse::<u32>().ok());
    let (Some(me), Some(_), Some(n)) = (number(0), number(1), number(2)) else {
        eprintln!("usage: bot PLAYER PLAYERS N [d]");
        return ExitCode::from(2);
    };
    let players: Vec<Player> = args[1].chars().filter_map(|digit| digit.to_digit(10)).collect();
    // The same seed gives the same game.
    let mut dice = Dice(env::var("ARBITRO_SEED").map_or(0, |seed| seed.parse().unwrap_or(0)));
    let mut board = Board::new(n as i32, &players);
    for &player in players.iter().cycle() {
        let chosen = if player == me { choose(&mut board, me, &mut dice) } else { read_move(&mut board, player) };
        // If we cannot move, the referee knows, and the game goes on without a word.
        if let (Some((from, to)), true) = (chosen, player == me) {
            println!("{from} {to}");
            // Or the move could wait in a buffer, and the others for ever.
            io::stdout().flush().ok();
        }
        if let Some(made) = chosen {
            board.make(made);
        }
        if args.get(3).is_some_and(|word| word == "d") {
            board.show();
        }
    }
    ExitCode::SUCCESS
}
