//! First moves that programs are asked to play, so that those which always play alike do not repeat one game.

use std::path::Path;

use thiserror::Error;

use super::text_file::{self, FileProblem};
use crate::game::Setup;
use crate::record::{GameRecord, Ply, sgf};

/// Why there are no such openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read the openings in '{0}': {1}; --openings takes a number or a file")]
    Read(String, FileProblem),
    /// An SGF file is none.
    #[error("'{0}' is not an SGF file of openings: {1}")]
    Sgf(String, sgf::SgfError),
    /// A game in an SGF file is no opening.
    #[error("'{file}', game {game}: {why}; as an opening, a game must be on the same board and not be over")]
    Game {
        /// The file.
        file: String,
        /// The game's number.
        game: u32,
        /// What is wrong.
        why: String,
    },
    /// A line is no opening.
    #[error("'{file}' line {line}: {why}; an opening is moves with commas between them, such as '2 3, 7 7'")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// An opening in the settings cannot be played.
    #[error("an opening in the settings cannot be played: {0}")]
    Impossible(String),
    /// There is none.
    #[error("there is no opening in '{0}'")]
    None(String),
}

/// Openings of one move that give neither side much of an advantage, drawn by lot; all there are if they are fewer.
pub fn random(setup: &Setup, count: usize, seed: u64) -> Vec<String> {
    let mut moves = setup.fair_openings();
    fastrand::Rng::with_seed(seed).shuffle(&mut moves);
    moves.truncate(count);
    moves
}

/// The openings in a file: the games of an SGF file, or one on a line; what follows a `#` is a comment.
pub fn read(setup: &Setup, path: &Path) -> Result<Vec<String>, OpeningsError> {
    let file = path.display().to_string();
    let text = text_file::read(path).map_err(|problem| OpeningsError::Read(file.clone(), problem))?;
    if sgf::is_named_so(path) {
        return from_sgf(setup, file, &text);
    }
    let mut openings = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default().trim();
        if !text.is_empty() {
            let opening = canonical(setup, text);
            openings.push(opening.map_err(|why| OpeningsError::Line { file: file.clone(), line, why })?);
        }
    }
    if openings.is_empty() { Err(OpeningsError::None(file)) } else { Ok(openings) }
}

fn from_sgf(setup: &Setup, file: String, text: &str) -> Result<Vec<String>, OpeningsError> {
    let records = sgf::read(text).map_err(|error| OpeningsError::Sgf(file.clone(), error))?;
    let opening = |record: &GameRecord| {
        let moves: Vec<&str> = record.plies.iter().filter_map(Ply::text).collect();
        let here = (setup.name(), setup.board().size);
        let opening = if record.diagram.is_some() {
            Err("it begins from stones that were set up, and programs begin with an empty board".to_owned())
        } else if (record.game.as_str(), record.size) == here {
            canonical(setup, &moves.join(", "))
        } else {
            Err(format!("it is {} of size {}, not {} of size {}", record.game, record.size, here.0, here.1))
        };
        opening.map_err(|why| OpeningsError::Game { file: file.clone(), game: record.number, why })
    };
    records.iter().map(opening).collect()
}

/// The same openings in their canonical spelling, if all are possible.
pub fn check(setup: &Setup, openings: &[String]) -> Result<Vec<String>, OpeningsError> {
    let checked = openings.iter().map(|text| canonical(setup, text).map_err(OpeningsError::Impossible));
    checked.collect()
}

/// The opening with its moves in their canonical spelling, or what is wrong with it.
fn canonical(setup: &Setup, text: &str) -> Result<String, String> {
    let mut game = setup.start();
    let mut moves = Vec::new();
    for mv in text.split(',').map(str::trim) {
        game.play(mv).map_err(|refusal| format!("'{mv}': {refusal}"))?;
        let mut spelling = String::new();
        game.write_move(&mut spelling);
        moves.push(spelling);
    }
    match game.outcome() {
        Some(_) => Err("the game is over after it".to_owned()),
        None => Ok(moves.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BoardOptions;

    #[test]
    fn random_openings_are_legal_distinct_and_repeatable() {
        let setup = Setup::new("hex", BoardOptions { size: Some(11), ..BoardOptions::default() }).unwrap();
        let openings = random(&setup, 8, 3);
        assert_eq!(openings.len(), 8);
        assert_eq!(openings, random(&setup, 8, 3));
        assert!(openings.iter().all(|opening| canonical(&setup, opening).as_ref() == Ok(opening)));
        let mut distinct = openings.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 8);
    }

    #[test]
    fn a_file_is_read_line_by_line_and_mistakes_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        let setup = Setup::new("hex", BoardOptions { size: Some(5), ..BoardOptions::default() }).unwrap();
        std::fs::write(&path, "# mine\n 1 1,  02 3\n\n4 4 # corner\n").unwrap();
        assert_eq!(read(&setup, &path).unwrap(), ["1 1, 2 3", "4 4"]);
        for (text, words) in [
            ("1 1\n9 9\n", "line 2: '9 9': it is off the board"),
            ("1,1", "line 1: '1': not a move"),
            ("#", "no opening"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = read(&setup, &path).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
