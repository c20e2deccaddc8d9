//! Grows from its own stones: the free neighbour with the most of its own around it.
use std::collections::HashSet;
use std::io::{self, BufRead, Write};

type Cell = (i32, i32);
const SIDE: i32 = 14;
const AROUND: [Cell; 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];

#[derive(Default)]
struct Bot {
    mine: HashSet<Cell>,
    taken: HashSet<Cell>,
}

impl Bot {
    fn is_free(&self, (row, col): Cell) -> bool {
        (0..SIDE).contains(&row) && (0..SIDE).contains(&col) && !self.taken.contains(&(row, col))
    }

    fn friends(&self, (row, col): Cell) -> usize {
        AROUND.iter().filter(|(r, c)| self.mine.contains(&(row + r, col + c))).count()
    }

    fn decide(&mut self) -> Option<Cell> {
        let all = (0..SIDE * SIDE).map(|k| (k / SIDE, k % SIDE)).filter(|&cell| self.is_free(cell));
        let cell = all.max_by_key(|&cell| (self.friends(cell).min(2), -(cell.0 - cell.1).abs()))?;
        self.mine.insert(cell);
        self.taken.insert(cell);
        Some(cell)
    }
}

fn main() -> io::Result<()> {
    let mut bot = Bot::default();
    let mut out = io::stdout().lock();
    let mut lines = io::stdin().lock().lines();
    let mut to_move = std::env::args().nth(1).as_deref() == Some("b");
    loop {
        if to_move {
            let Some((row, col)) = bot.decide() else { return Ok(()) };
            writeln!(out, "{row} {col}")?;
            out.flush()?;
        } else {
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line?;
            let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
            if let (Some(row), Some(col)) = (numbers.next(), numbers.next()) {
                bot.taken.insert((row, col));
            }
        }
        to_move = !to_move;
    }
}
