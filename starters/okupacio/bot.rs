//! An Okupació player to start from. It knows the rules and the protocol; how to think is up to you: see `choose`.
//!
//! Start:  target/release/bot A 3 board.txt     plays A, the first of three players, on the board in a file
//!         target/release/bot A 3 board.txt d   the same, and shows the board on stderr after every move

use std::env;
use std::fs;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

type Cell = (usize, usize);

struct Board {
    /// '#' wall, '-' free, or the letter of who holds the cell, by row and column.
    cells: Vec<Vec<char>>,
}

impl Board {
    fn read(path: &str) -> Option<Board> {
        let text = fs::read_to_string(path).ok()?;
        let numbers: Vec<usize> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        let (&[rows, cols], stretches) = numbers.split_first_chunk()?;
        let kinds = "-#".chars().cycle();
        let cells = stretches.iter().zip(kinds).flat_map(|(&length, kind)| std::iter::repeat(kind).take(length));
        let mut cells = cells.chain(std::iter::repeat('-'));
        let rows = (0..rows).map(|_| cells.by_ref().take(cols).collect());
        Some(Board { cells: rows.collect() })
    }

    /// What is on a cell, if it is on the board.
    fn get(&self, (row, col): Cell) -> Option<char> {
        self.cells.get(row)?.get(col).copied()
    }

    fn held_by(&self, who: char) -> Vec<Cell> {
        let all = self.cells.iter().enumerate().flat_map(|(row, cells)| (0..cells.len()).map(move |col| (row, col)));
        all.filter(|&at| self.get(at) == Some(who)).collect()
    }

    /// The cells beside a cell; walls are not among them.
    fn around(&self, (row, col): Cell) -> Vec<Cell> {
        // A step off the top or the left wraps around to a huge number, which is off the board too.
        let near = [(row.wrapping_sub(1), col), (row + 1, col), (row, col.wrapping_sub(1)), (row, col + 1)];
        near.into_iter().filter(|&at| self.get(at).is_some_and(|cell| cell != '#')).collect()
    }

    /// Whether a cell, beside one that the player `who` has just occupied, becomes the player's too.
    fn is_taken(&self, at: Cell, who: char) -> bool {
        let near = self.around(at);
        let others: Vec<Cell> = near.iter().copied().filter(|&cell| self.get(cell) != Some(who)).collect();
        match others[..] {
            [] => true,
            [other] if near.len() >= 3 => {
                self.get(at) == Some('-') || near.len() == 4 && self.get(other) != self.get(at)
            }
            _ => false,
        }
    }

    /// A player occupies a cell, and takes the cells beside it that it closes in.
    fn occupy(&mut self, at: Cell, who: char) {
        self.cells[at.0][at.1] = who;
        let mut taken = self.around(at);
        taken.retain(|&near| self.get(near) != Some(who) && self.is_taken(near, who));
        for (row, col) in taken {
            self.cells[row][col] = who;
        }
    }

    /// The cells of one who leaves are free again.
    fn leave(&mut self, who: char) {
        for (row, col) in self.held_by(who) {
            self.cells[row][col] = '-';
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
    let free = board.held_by('-');
    // your idea goes here: this is any free cell
    free[dice.roll(free.len())]
}

/// What a player does.
#[derive(Clone, Copy)]
enum Action {
    Occupy(Cell),
    Leave,
}

/// Reads lines until one can be what the player `who` has done; nothing when there are no more lines.
fn read_news(board: &Board, who: char) -> Option<Action> {
    for line in io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line.ok()?).into_owned();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [letter, "00" | "--"] if letter == who.to_string() => return Some(Action::Leave),
            [letter, word] if letter == who.to_string() => {
                let cell = cell_of(word).filter(|&at| board.get(at) == Some('-'));
                if let Some(at) = cell {
                    return Some(Action::Occupy(at));
                }
            }
            _ => {}
        }
        eprintln!("invalid; send another, as: {who} ab");
    }
    None
}

fn cell_of(word: &str) -> Option<Cell> {
    match word.as_bytes() {
        [row @ b'a'..=b'y', col @ b'a'..=b'y'] => Some(((row - b'a').into(), (col - b'a').into())),
        _ => None,
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let board = args.get(2).and_then(|path| Board::read(path));
    let me = args.first().and_then(|letter| letter.chars().next());
    let players: Option<usize> = args.get(1).and_then(|players| players.parse().ok());
    let (Some(mut board), Some(me), Some(players)) = (board, me, players) else {
        eprintln!("usage: bot LETTER PLAYERS BOARDFILE [d]");
        return ExitCode::from(2);
    };
    // The same seed gives the same game.
    let mut dice = Dice(env::var("ARBITRO_SEED").map_or(0, |seed| seed.parse().unwrap_or(0)));
    let (mut in_game, mut turn): (Vec<char>, usize) = (('A'..='J').take(players).collect(), 0);
    while in_game.len() > 1 && !board.held_by('-').is_empty() {
        let who = in_game[turn];
        let action = if who == me {
            let (row, col) = choose(&board, me, &mut dice);
            println!("{}{}", char::from(b'a' + row as u8), char::from(b'a' + col as u8));
            // Or the move could wait in a buffer, and the others for ever.
            io::stdout().flush().ok();
            Some(Action::Occupy((row, col)))
        } else {
            read_news(&board, who)
        };
        match action {
            Some(Action::Occupy(at)) => {
                board.occupy(at, who);
                turn += 1;
            }
            Some(Action::Leave) => {
                board.leave(who);
                in_game.remove(turn); // the next one moves up
            }
            None => break, // the game is over
        }
        turn %= in_game.len();
        if args.get(3).is_some_and(|word| word == "d") {
            board.show();
        }
    }
    ExitCode::SUCCESS
}
