//! The position that is to be analysed or solved: moves on the command line, or an SGF file.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::options::Args;
use crate::championship::text_file::FileProblem;
use crate::cli::exit::usage;
use crate::game::hex::{self, Hex};
use crate::game::{BoardOptions, Game, Setup};
use crate::record::ply::Ply;
use crate::record::{GameRecord, sgf};

/// The position that is asked for. It is not that of a game that is over.
pub fn read(args: &Args) -> Result<Hex> {
    if args.game != hex::RULES.name {
        return Err(usage(anyhow!("only positions of hex can be analysed or solved, not of {}", args.game)));
    }
    let game = match &args.arguments[..] {
        [file, rest @ ..] if sgf::is_named_so(Path::new(file)) => in_file(Path::new(file), rest, args.size),
        moves => after(moves, args),
    };
    let game = game.map_err(usage)?;
    match game.winner() {
        Some(winner) => Err(usage(anyhow!("the game is over: {} has won", winner.name()))),
        None => Ok(game),
    }
}

/// The position after these moves.
fn after(moves: &[String], args: &Args) -> Result<Hex> {
    let setup = Setup::new(&args.game, BoardOptions { size: args.size, ..BoardOptions::default() })?;
    let mut game = Hex::new(setup.board().size);
    for (number, mv) in (1..).zip(split(moves)?) {
        game.play(&mv).map_err(|refusal| anyhow!("move {number}, '{mv}': {refusal}"))?;
    }
    Ok(game)
}

/// The moves that were given: each an argument of its own, or, without quotation marks, each number one.
fn split(arguments: &[String]) -> Result<Vec<String>> {
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

/// The position at the end of the only game in a file, or of that with the number that follows.
fn in_file(file: &Path, rest: &[String], size: Option<u32>) -> Result<Hex> {
    let shown = file.display();
    let cannot = || format!("cannot read '{shown}'");
    let bytes =
        std::fs::read(file).map_err(|error| anyhow!(FileProblem::from(error))).with_context(cannot)?;
    let games = sgf::read(&String::from_utf8_lossy(&bytes)).with_context(cannot)?;
    let record = match (&games[..], rest) {
        ([only], []) => only,
        (_, []) => {
            let count = games.len();
            return Err(anyhow!("'{shown}' holds {count} games; add the number of one, as in: {shown} 1"));
        }
        (_, [number]) => {
            let found = games.iter().find(|record| record.number.to_string() == *number);
            found.ok_or_else(|| anyhow!("there is no game {number} in '{shown}'"))?
        }
        (_, [_, further, ..]) => {
            return Err(anyhow!("after '{shown}' there can be the number of a game, and no '{further}'"));
        }
    };
    if size.is_some_and(|size| size != u32::from(record.size)) {
        let given = record.size;
        return Err(anyhow!("the board in '{shown}' is {given}×{given}; leave out --size"));
    }
    at_end(record).with_context(cannot)
}

fn at_end(record: &GameRecord) -> Result<Hex> {
    let start = || Hex::new(record.size);
    let mut game = record.diagram.as_ref().map_or_else(start, |diagram| diagram.start(record.size));
    for text in record.plies.iter().filter_map(Ply::text) {
        game.play(text)?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_need_no_quotation_marks() {
        let read = |text: &[&str]| split(&text.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&["7 7", "3 9"]).unwrap(), ["7 7", "3 9"]);
        assert_eq!(read(&["7", "7", "3", "9"]).unwrap(), ["7 7", "3 9"]);
        assert!(
            read(&["7", "7", "3"]).unwrap_err().to_string().contains("'7 7 3' there is a number too many")
        );
        assert!(read(&[]).unwrap().is_empty());
    }
}
