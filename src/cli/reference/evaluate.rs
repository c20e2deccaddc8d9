//! `arbitro-ref evaluate`, or `judge`: what the network says about positions, number by number, for comparing it with other programs.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};

use super::network_file::{parse_kernel, read_network};
use crate::cli::exit::usage;
use crate::engine::hex::net::encoding::{InputPlanes, Whose};
use crate::engine::hex::net::{Kernel, Network, shipped};
use crate::game::grid::MAX_SIZE;

/// Options of `arbitro-ref evaluate`.
#[derive(clap::Args)]
pub struct Args {
    /// Another network than the one that is built in
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// How to compute
    #[arg(long, value_name = "KERNEL", value_parser = parse_kernel)]
    kernel: Option<Kernel>,
}

/// Reads positions, each on a line as its cells row by row from the side to move, who joins top and bottom: `o` is a stone of its
/// own, `x` one of the other side's, `.` none. Writes for each the value and what speaks for each cell.
pub fn run(args: Args) -> Result<ExitCode> {
    let weights = match &args.network {
        Some(file) => read_network(file)?,
        None => shipped(),
    };
    let mut network = Network::new(weights, args.kernel.unwrap_or(Kernel::best()));
    let mut output = io::stdout().lock();
    for (number, line) in (1..).zip(io::stdin().lock().lines()) {
        let line = line.context("cannot read the positions")?;
        let (size, input) =
            read_position(line.trim()).map_err(|why| usage(anyhow!("line {number}: {why}")))?;
        let evaluation = network.evaluate(&input);
        let mut text = evaluation.value.to_string();
        for logit in &evaluation.policy[..size * size] {
            write!(text, " {logit}").expect("writing to a string does not fail");
        }
        writeln!(output, "{text}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read_position(line: &str) -> Result<(usize, InputPlanes), String> {
    let cells = line.chars().map(|cell| match cell {
        'o' => Ok(Whose::Own),
        'x' => Ok(Whose::Other),
        '.' => Ok(Whose::Nobody),
        other => Err(format!("a cell is o, x or '.', not '{other}'")),
    });
    let cells: Vec<Whose> = cells.collect::<Result<_, _>>()?;
    let size = cells.len().isqrt();
    if size * size != cells.len() || !(2..=usize::from(MAX_SIZE)).contains(&size) {
        return Err(format!("{} cells are not those of a board", cells.len()));
    }
    Ok((size, InputPlanes::new(size as u8, cells)))
}
