//! Exact search: who wins a position if nobody errs, as far as that can be found out within a limit.

use super::position::{Position, Spot};
use crate::engine::search_limit::SearchLimit;
use crate::game::grid::Cell;

/// How a position ends for the side to move if nobody errs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// It loses.
    Loss = -1,
    /// Nobody wins.
    Draw = 0,
    /// It wins.
    Win = 1,
}

use Value::{Draw, Loss, Win};

impl Value {
    /// The same, as the other side sees it.
    pub fn reversed(self) -> Value {
        match self {
            Loss => Win,
            Draw => Draw,
            Win => Loss,
        }
    }
}

/// A position that was solved: its value, and moves that keep it.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The value for the side to move.
    pub value: Value,
    /// All moves that keep it; of moves that win, only one.
    pub moves: Vec<Spot>,
}

/// A search that remembers what it has found, from move to move of a game.
pub struct Solver {
    table: TranspositionTable,
    /// For each number of tokens left, the move that was best the last time.
    killers: [Spot; 64],
    /// Reused from node to node, one for each number of tokens left.
    lists: Vec<Vec<(i32, Spot)>>,
    /// Spots that are free in the position that is being solved; some of them are taken further down.
    free: Vec<Spot>,
}

/// The limit was reached.
struct OutOfTime;

impl Solver {
    /// A search that knows nothing yet.
    pub fn new() -> Solver {
        Solver {
            table: TranspositionTable::new(),
            killers: [0; 64],
            lists: vec![Vec::new(); 64],
            free: Vec::new(),
        }
    }

    /// Solves a position in which the game goes on, if the limit allows.
    pub fn solve(&mut self, position: &Position, limit: &mut SearchLimit) -> Option<Solution> {
        let mut position = position.clone();
        self.free = position.free().collect();
        let mut spots = self.free.clone();
        spots.sort_by_key(|&spot| -position.gain(spot));
        for (value, worse) in [(Win, Draw), (Draw, Loss)] {
            let mut moves = Vec::new();
            for &spot in &spots {
                let zones = position.zones();
                position.place(spot);
                let found = self.reply(&mut position, worse, value, limit);
                position.take_back(spot, zones);
                match found {
                    Ok(Win) => return Some(Solution { value: Win, moves: vec![spot] }),
                    Ok(found) if found == value => moves.push(spot),
                    Ok(_) => {}
                    // Once it is known that nothing wins, a move that draws is as good as it gets.
                    Err(OutOfTime) if moves.is_empty() => return None,
                    Err(OutOfTime) => break,
                }
            }
            if !moves.is_empty() {
                return Some(Solution { value, moves });
            }
        }
        Some(Solution { value: Loss, moves: spots })
    }

    /// Of moves that all keep a draw, the one to which most replies err, if the limit allows to try them all.
    pub fn most_treacherous(
        &mut self,
        position: &Position,
        moves: &[Spot],
        limit: &mut SearchLimit,
    ) -> Option<Spot> {
        let mut position = position.clone();
        let mut best = None;
        for &spot in moves {
            let zones = position.zones();
            position.place(spot);
            let errors = self.errors(&mut position, limit);
            position.take_back(spot, zones);
            best = best.max(Some((errors?, spot)));
        }
        best.map(|(_, spot)| spot)
    }

    /// How many moves of the side to move lose, if the limit allows to try them all.
    fn errors(&mut self, position: &mut Position, limit: &mut SearchLimit) -> Option<usize> {
        let mut errors = 0;
        for spot in position.free().collect::<Vec<_>>() {
            let zones = position.zones();
            position.place(spot);
            let value = self.reply(position, Loss, Draw, limit);
            position.take_back(spot, zones);
            errors += usize::from(value.ok()? == Loss);
        }
        Some(errors)
    }

    /// The value of a position for the side that has just moved.
    fn reply(
        &mut self,
        position: &mut Position,
        alpha: Value,
        beta: Value,
        limit: &mut SearchLimit,
    ) -> Result<Value, OutOfTime> {
        if position.is_won() {
            return Ok(Win);
        }
        if position.left() == 0 {
            return Ok(if position.ahead() == 0 { Draw } else { Loss });
        }
        Ok(self.search(position, beta.reversed(), alpha.reversed(), limit)?.reversed())
    }

    /// The value for the side to move if it is between `alpha` and `beta`; otherwise a bound of it on the same side of
    /// them.
    fn search(
        &mut self,
        position: &mut Position,
        mut alpha: Value,
        mut beta: Value,
        limit: &mut SearchLimit,
    ) -> Result<Value, OutOfTime> {
        if !limit.step() {
            return Err(OutOfTime);
        }
        let left = position.left() as usize;
        if left == 1 {
            return Ok(self.last_move(position));
        }
        let key = key(position);
        let (low, high) = self.table.bounds(key);
        alpha = alpha.max(low);
        beta = beta.min(high);
        if alpha >= beta {
            return Ok(alpha.min(high));
        }
        let mut list = std::mem::take(&mut self.lists[left]);
        let result = self.try_all(position, alpha, beta, limit, &mut list);
        self.lists[left] = list;
        let value = result?;
        self.table.store(
            key,
            if value > alpha { value } else { low },
            if value < beta { value } else { high },
        );
        Ok(value)
    }

    fn try_all(
        &mut self,
        position: &mut Position,
        mut alpha: Value,
        beta: Value,
        limit: &mut SearchLimit,
        list: &mut Vec<(i32, Spot)>,
    ) -> Result<Value, OutOfTime> {
        let (left, winning) = (position.left() as usize, position.winning_gain());
        list.clear();
        let killer = self.killers[left];
        for &spot in self.free.iter().filter(|&&spot| position.is_free(spot)) {
            let gain = position.gain(spot);
            if gain >= winning {
                return Ok(Win);
            }
            list.push((if spot == killer { -i32::MAX } else { -gain }, spot));
        }
        list.sort_unstable();
        let mut best = Loss;
        for &(_, spot) in &*list {
            let zones = position.zones();
            position.place(spot);
            let value = self.reply(position, alpha, beta, limit);
            position.take_back(spot, zones);
            let value = value?;
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.killers[left] = spot;
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The value when one token is left.
    fn last_move(&mut self, position: &Position) -> Value {
        let winning = position.winning_gain();
        let killer = self.killers[1];
        if position.is_free(killer) && killer != 0 && position.gain(killer) >= winning {
            return Win;
        }
        let mut best = 0;
        for &spot in self.free.iter().filter(|&&spot| position.is_free(spot)) {
            let gain = position.gain(spot);
            if gain >= winning {
                self.killers[1] = spot;
                return Win;
            }
            best = best.max(gain);
        }
        // Winning takes two tokens more than a draw.
        if best + 1 >= winning { Draw } else { Loss }
    }
}

/// Positions that were searched, each with bounds of its value. A later one may take the place of an earlier.
struct TranspositionTable {
    entries: Vec<(u64, Value, Value)>,
}

/// A power of two.
const ENTRIES: usize = 1 << 20;

impl TranspositionTable {
    fn new() -> TranspositionTable {
        TranspositionTable { entries: Vec::new() }
    }

    fn bounds(&self, key: u64) -> (Value, Value) {
        match self.entries.get(key as usize % ENTRIES) {
            Some(&(found, low, high)) if found == key => (low, high),
            _ => (Loss, Win),
        }
    }

    fn store(&mut self, key: u64, low: Value, high: Value) {
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, (0, Loss, Win));
        }
        self.entries[key as usize % ENTRIES] = (key, low, high);
    }
}

/// A number that stands for a position, the same for all four reflections and turns of it. Two positions that differ share
/// one as good as never.
fn key(position: &Position) -> u64 {
    let last = position.grid().size() - 1;
    let mut keys = [0u64; 4];
    for (Cell { row, column }, lead) in position.leads() {
        let images = [(row, column), (column, row), (last - row, last - column), (last - column, last - row)];
        for (key, (row, column)) in keys.iter_mut().zip(images) {
            *key = key.wrapping_add(scatter(u64::from_le_bytes([row, column, lead as u8, 1, 0, 0, 0, 0])));
        }
    }
    keys.into_iter().min().unwrap_or_default()
}

/// A random-looking number for each number: the finaliser of SplitMix64.
fn scatter(mut x: u64) -> u64 {
    x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::game::hex::Side;
    use crate::game::rhex::Rhex;

    fn solve(solver: &mut Solver, game: &Rhex) -> Solution {
        let mut limit = SearchLimit::new(u64::MAX, Instant::now() + Duration::from_secs(3600));
        solver.solve(&Position::new(game), &mut limit).unwrap()
    }

    fn after(game: &Rhex, cell: Cell) -> Rhex {
        let mut next = game.clone();
        next.place(cell);
        next
    }

    fn free(game: &Rhex) -> impl Iterator<Item = Cell> {
        game.grid().all().filter(|&cell| game.token(cell).is_none())
    }

    /// The value for the side to move, by the rules and by trying everything.
    fn plain(game: &Rhex) -> Value {
        free(game).map(|cell| plain_move(game, cell)).max().unwrap()
    }

    fn plain_move(game: &Rhex, cell: Cell) -> Value {
        let next = after(game, cell);
        match next.winner() {
            Some(_) => Win,
            None if next.is_over() => Draw,
            None => plain(&next).reversed(),
        }
    }

    #[test]
    fn values_are_those_of_trying_everything() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for number in 0..300 {
            let size = 2 + (number % 4) as u8;
            let mut game = Rhex::new(size);
            let tried = match size {
                2 => 4,
                3 => rng.u16(1..=6),
                4 => 4,
                _ => 3,
            };
            while !game.is_over() && 2 * u16::from(size) - game.plies() > tried {
                let cells: Vec<Cell> = free(&game).collect();
                game.place(rng.choice(cells).unwrap());
            }
            if game.is_over() {
                continue;
            }
            let solution = solve(&mut Solver::new(), &game);
            let value = plain(&game);
            assert_eq!(solution.value, value, "{}", game.plies());
            let position = Position::new(&game);
            let mut moves: Vec<Cell> = solution.moves.iter().map(|&spot| position.cell(spot)).collect();
            moves.sort();
            let best: Vec<Cell> = free(&game).filter(|&cell| plain_move(&game, cell) == value).collect();
            match value {
                Win => assert!(moves.len() == 1 && best.contains(&moves[0])),
                _ => assert_eq!(moves, best),
            }
        }
    }

    #[test]
    fn boards_of_2_to_4_are_drawn() {
        for size in 2..=4 {
            let solution = solve(&mut Solver::new(), &Rhex::new(size));
            assert_eq!(solution.value, Draw);
            assert_eq!(
                solution.moves.len(),
                usize::from(size) * usize::from(size),
                "whatever is played first"
            );
        }
    }

    /// The colours of all cells, the same for all four reflections and turns of a position.
    fn board(game: &Rhex) -> Vec<Option<Side>> {
        let last = game.grid().size() - 1;
        let images: [fn(Cell, u8) -> Cell; 4] = [
            |cell, _| cell,
            |cell, _| Cell::new(cell.column, cell.row),
            |cell, last| Cell::new(last - cell.row, last - cell.column),
            |cell, last| Cell::new(last - cell.column, last - cell.row),
        ];
        let seen = |image: fn(Cell, u8) -> Cell| {
            game.grid().all().map(|cell| game.token(image(cell, last))).collect::<Vec<_>>()
        };
        images
            .into_iter()
            .map(seen)
            .min_by_key(|board| board.iter().map(|side| side.map(|side| side as u8)).collect::<Vec<_>>())
            .unwrap()
    }

    /// Makes every move of the other side, and every one that the solver thinks best: none may lose.
    fn never_loses(side: Side, game: &Rhex, solver: &mut Solver, seen: &mut HashSet<Vec<Option<Side>>>) {
        assert_ne!(game.winner(), Some(side.other()), "lost:\n{:?}", board(game));
        if game.is_over() || !seen.insert(board(game)) {
            return;
        }
        if game.side_to_move() == side {
            let position = Position::new(game);
            for spot in solve(solver, game).moves {
                never_loses(side, &after(game, position.cell(spot)), solver, seen);
            }
        } else {
            for cell in free(game) {
                never_loses(side, &after(game, cell), solver, seen);
            }
        }
    }

    #[test]
    fn boards_of_2_to_4_are_never_lost_whatever_the_other_plays() {
        for size in 2..=4 {
            for side in [Side::White, Side::Black] {
                let mut seen = HashSet::new();
                never_loses(side, &Rhex::new(size), &mut Solver::new(), &mut seen);
                println!("{} positions on {size} as {}", seen.len(), side.name());
            }
        }
    }
}
