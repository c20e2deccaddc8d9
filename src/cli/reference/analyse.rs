//! `arbitro-ref --analyse`: what the engine thinks of a position of Hex.

use anyhow::Result;

use super::options::Args;
use crate::cli::output::print_line;
use crate::engine::hex::HexEngine;
use crate::engine::hex::net::Kernel;
use crate::engine::proof::Proof;
use crate::game::grid::Cell;
use crate::game::hex::Hex;

/// Moves that an analysis shows.
const CANDIDATES: usize = 8;
/// Moves of a line that it shows.
const LINE: usize = 8;

/// Tells what the engine thinks of a position.
pub fn run(game: &Hex, args: &Args) -> Result<()> {
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
    ))
}
