//! `arbitro-ref --analyse` and `--solve`: looking at a position of Hex instead of playing it.

use std::time::Instant;

use anyhow::{Result, anyhow};

use super::options::Args;
use crate::cli::exit::usage;
use crate::cli::output;
use crate::engine::hex::HexEngine;
use crate::engine::hex::board::Board;
use crate::engine::hex::net::Kernel;
use crate::engine::hex::solver::{MAX_SIZE, Solver};
use crate::engine::proof::Proof;
use crate::engine::search_limit::SearchLimit;
use crate::game::grid::Cell;
use crate::game::hex::{Hex, Side};
use crate::game::{BoardOptions, Game, Setup};
use crate::view::terminal::board;

/// Moves that an analysis shows.
const CANDIDATES: usize = 8;
/// Moves of a line that it shows.
const LINE: usize = 8;

/// Looks at the position after the moves that are given.
pub fn run(args: &Args) -> Result<()> {
    if args.game != "hex" {
        return Err(usage(anyhow!("only positions of hex can be analysed or solved, not of {}", args.game)));
    }
    let setup =
        Setup::new(&args.game, BoardOptions { size: args.size, ..BoardOptions::default() }).map_err(usage)?;
    let mut game = Hex::new(setup.board().size);
    for (number, mv) in (1..).zip(moves(&args.arguments).map_err(usage)?) {
        game.play(&mv).map_err(|refusal| usage(anyhow!("move {number}, '{mv}': {refusal}")))?;
    }
    if let Some(winner) = game.winner() {
        return Err(usage(anyhow!("the game is over: {} has won", winner.name())));
    }
    print_line(board(&game.picture(), false).trim_end())?;
    if args.solve {
        if game.grid().size() > MAX_SIZE {
            let given = game.grid().name();
            return Err(usage(anyhow!(
                "only boards up to {MAX_SIZE}×{MAX_SIZE} can be solved, not {given}; add for example --size 5"
            )));
        }
        solve(&game)
    } else {
        analyse(&game, args)
    }
}

/// The moves that were given: each an argument of its own, or, without quotation marks, each number one.
fn moves(arguments: &[String]) -> Result<Vec<String>> {
    let is_number = |text: &String| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if arguments.is_empty() || !arguments.iter().all(is_number) {
        return Ok(arguments.to_vec());
    }
    if arguments.len() % 2 == 1 {
        let given = arguments.join(" ");
        return Err(anyhow!(
            "a move is a row and a column, as in '7 7'; in '{given}' there is a number too many"
        ));
    }
    Ok(arguments.chunks(2).map(|cell| cell.join(" ")).collect())
}

/// Tells what the engine thinks of a position.
fn analyse(game: &Hex, args: &Args) -> Result<()> {
    let analysis = HexEngine::from_options(&args.engine_options(|| 0)?).analyse(game);
    print_line(&format!("{} to move", game.side_to_move().name()))?;
    print_line(&format!("{:>5}  {:>7}  {:>7}  {:>9}  expected", "move", "wins", "tried", "at sight"))?;
    for candidate in analysis.candidates.iter().take(CANDIDATES) {
        let wins = match (candidate.proof, candidate.winning) {
            (Proof::Won, _) => "proven".to_owned(),
            (Proof::Lost, _) => "never".to_owned(),
            (Proof::Open, Some(winning)) => format!("{:.1} %", 100.0 * winning),
            (Proof::Open, None) => "-".to_owned(),
        };
        let line: Vec<String> = candidate.line.iter().take(LINE).map(Cell::to_string).collect();
        let (cell, at_sight) = (candidate.cell.to_string(), format!("{:.1} %", 100.0 * candidate.prior));
        print_line(&format!(
            "{cell:>5}  {wins:>7}  {:>7}  {at_sight:>9}  {}",
            candidate.visits,
            line.join(", ")
        ))?;
    }
    let rate = analysis.simulations as f64 / analysis.time.as_secs_f64();
    let (simulations, time) = (analysis.simulations, analysis.time.as_secs_f64());
    print_line(&format!(
        "{simulations} positions in {time:.2} s: {rate:.0} in a second ({})",
        args.kernel.unwrap_or(Kernel::best())
    ))?;
    Ok(())
}

/// Tells who wins a position; if it is the empty board, who does after each first move.
fn solve(game: &Hex) -> Result<()> {
    let begun = Instant::now();
    let mut solver = Solver::new();
    let mut winner = |board: &Board| solver.solve(board, &mut SearchLimit::new(u64::MAX, None));
    let name = |side: Option<Side>| side.map_or("nobody knows who", Side::name);
    let root = Board::of(game);
    if game.plies() > 0 {
        print_line(&format!("{} to move: {} wins", game.side_to_move().name(), name(winner(&root))))?;
    } else {
        print_line("who wins if white begins there (b: white does, p: black does):")?;
        for row in 0..root.size() {
            let mut line = " ".repeat(usize::from(row));
            for column in 0..root.size() {
                let mut after = root.clone();
                after.play(root.spot(Cell::new(row, column)));
                line.push(winner(&after).map_or('?', Side::letter));
                line.push(' ');
            }
            print_line(line.trim_end())?;
        }
    }
    print_line(&format!("solved in {:.2} s", begun.elapsed().as_secs_f64()))
}

/// Prints a line.
fn print_line(line: &str) -> Result<()> {
    output::print(&format!("{line}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_need_no_quotation_marks() {
        let read = |text: &[&str]| moves(&text.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&["7 7", "3 9"]).unwrap(), ["7 7", "3 9"]);
        assert_eq!(read(&["7", "7", "3", "9"]).unwrap(), ["7 7", "3 9"]);
        assert!(
            read(&["7", "7", "3"]).unwrap_err().to_string().contains("'7 7 3' there is a number too many")
        );
        assert!(read(&[]).unwrap().is_empty());
    }
}
