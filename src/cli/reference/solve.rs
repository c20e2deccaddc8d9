//! `arbitro-ref --solve`: who wins a position of Hex if nobody errs, for sure.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::options::Args;
use crate::cli::exit::{INCOMPLETE, usage};
use crate::cli::output::print_line;
use crate::engine::hex::board::{Board, Spot};
use crate::engine::hex::solver::{MAX_SIZE, Moves, Solver};
use crate::engine::search_limit::SearchLimit;
use crate::game::grid::Cell;
use crate::game::hex::{Hex, Side};
use crate::record::text::seconds;

/// The largest empty board that is worth the wait without a limit of time.
const LARGEST_EMPTY: u8 = 8;
/// Positions that are looked at between two messages about how far the search is, and for a move before the next has its turn.
const SLICE: u64 = 500;

/// Tells who wins a position; of the empty board, who does after each first move.
pub fn run(game: &Hex, args: &Args) -> Result<ExitCode> {
    let (board, name) = (Board::of(game), game.grid().name());
    let is_empty = usize::from(board.empty_cells()) == game.grid().cells();
    if board.size() > MAX_SIZE {
        return Err(usage(anyhow!("only boards up to {MAX_SIZE}×{MAX_SIZE} can be solved, not {name}")));
    }
    if is_empty && board.size() > LARGEST_EMPTY && args.time.is_none() {
        return Err(usage(anyhow!(
            "nobody waits for all first moves on {name}; add for example --size 6 or --time 60, or give moves or an SGF file"
        )));
    }
    let mut search = Search::begin(args.time);
    let is_decided = if is_empty {
        search.first_moves(&board)?
    } else if args.winning_moves {
        search.winning_moves(&board)?
    } else {
        search.winner(&board)?
    };
    let (looked_at, time) = (search.looked_at, seconds(search.begun.elapsed()));
    if is_decided {
        print_line(&format!("solved in {time} ({looked_at} positions)"))?;
        return Ok(ExitCode::SUCCESS);
    }
    print_line(&format!("not decided in {time} ({looked_at} positions); a larger --time may help"))?;
    Ok(ExitCode::from(INCOMPLETE))
}

/// A search that tells on stderr how far it is, if that is a terminal.
struct Search {
    solver: Solver,
    begun: Instant,
    until: Option<Instant>,
    looked_at: u64,
    bar: ProgressBar,
}

impl Search {
    fn begin(time: Option<Duration>) -> Search {
        let terminal = io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("solving {elapsed} {wide_msg}");
        let bar = ProgressBar::with_draw_target(None, target)
            .with_style(style.expect("the template is well formed"));
        let begun = Instant::now();
        let until = time.and_then(|time| begun.checked_add(time));
        Search { solver: Solver::new(), begun, until, looked_at: 0, bar }
    }

    /// Has the solver look at so many positions; says whether there is time for more.
    fn spend<T>(&mut self, steps: u64, look: impl FnOnce(&mut Solver, &mut SearchLimit) -> T) -> (T, bool) {
        let mut limit = SearchLimit::new(steps, self.until);
        let found = look(&mut self.solver, &mut limit);
        // At the end of the time none are left, whatever was looked at.
        let in_time = self.until.is_none_or(|until| Instant::now() < until);
        self.looked_at += if in_time { steps - limit.steps() } else { 0 };
        (found, in_time)
    }

    fn winner(&mut self, board: &Board) -> Result<bool> {
        loop {
            let (winner, in_time) = self.spend(SLICE, |solver, limit| solver.solve(board, limit));
            if winner.is_some() || !in_time {
                self.bar.finish_and_clear();
                let name = winner.map_or("nobody knows who", Side::name);
                print_line(&format!("{} to move: {name} wins", board.to_move().name()))?;
                return Ok(winner.is_some());
            }
            self.bar.set_message(format!("{} positions", self.looked_at));
            self.bar.tick();
        }
    }

    /// Finds out about all moves of a position, each in turn for a while that grows.
    fn all_moves(&mut self, board: &Board) -> Moves {
        let mut moves = Moves::of(board);
        let count = moves.open.len();
        let mut steps = SLICE;
        loop {
            for _ in 0..moves.open.len() {
                let ((), in_time) =
                    self.spend(steps, |solver, limit| solver.decide(board, &mut moves, limit));
                if moves.open.is_empty() || !in_time {
                    self.bar.finish_and_clear();
                    return moves;
                }
                let decided = count - moves.open.len();
                self.bar.set_message(format!("{decided} of {count} moves, {} positions", self.looked_at));
                self.bar.tick();
            }
            steps *= 2;
        }
    }

    fn winning_moves(&mut self, board: &Board) -> Result<bool> {
        let Moves { winning, open, .. } = self.all_moves(board);
        let (side, cells) = (board.to_move().name(), |mut spots: Vec<Spot>| {
            spots.sort_unstable();
            spots.iter().map(|&spot| board.cell(spot).to_string()).collect::<Vec<_>>().join(", ")
        });
        match (winning.is_empty(), open.is_empty()) {
            (false, _) => print_line(&format!("{side} to move wins with: {}", cells(winning)))?,
            (true, true) => print_line(&format!("{side} to move loses with every move"))?,
            (true, false) => print_line(&format!("{side} to move: no winning move is known yet"))?,
        }
        if !open.is_empty() {
            print_line(&format!("not decided: {}", cells(open.into())))?;
            return Ok(false);
        }
        Ok(true)
    }

    fn first_moves(&mut self, board: &Board) -> Result<bool> {
        let moves = self.all_moves(board);
        let side = board.to_move();
        print_line(&format!(
            "who wins if {} begins there ({}: {} does, {}: {} does):",
            side.name(),
            side.letter(),
            side.name(),
            side.other().letter(),
            side.other().name()
        ))?;
        let letter = |spot: Spot| match spot {
            spot if moves.winning.contains(&spot) => side.letter(),
            spot if moves.losing.contains(&spot) => side.other().letter(),
            _ => '?',
        };
        for row in 0..board.size() {
            let cell = |column| letter(board.spot(Cell::new(row, column))).to_string();
            let letters: Vec<String> = (0..board.size()).map(cell).collect();
            print_line(&format!("{}{}", " ".repeat(row.into()), letters.join(" ")))?;
        }
        Ok(moves.open.is_empty())
    }
}
