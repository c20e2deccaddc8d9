//! How the programs of a contest are contained: each sees its own files, and none sees another's or the results.

use std::path::{Path, PathBuf};

use super::entrant::Entrant;
use crate::contain::installation;
use crate::contain::launch::{Confinement, Purpose};
use crate::contain::spec::Tier;
use crate::contain::visible_files::VisibleFiles;
use crate::game::Game;
use crate::record::Terms;

/// The folder in which contests have theirs, unless they are given another.
pub const RESULTS: &str = "results";

/// How the programs of a contest are contained.
#[derive(Clone, Debug)]
pub struct Containment {
    /// How well.
    pub tier: Tier,
    /// What all of them may read besides their own files.
    pub allow_read: Vec<PathBuf>,
}

impl Containment {
    /// What each of these programs sees.
    pub fn visible_files(&self, roster: &[Entrant]) -> Vec<VisibleFiles> {
        let visible = |entrant: &Entrant| {
            let mut readable = needed_by(entrant);
            readable.extend(self.allow_read.clone());
            // What is inside of a folder comes behind it.
            readable.sort();
            readable.dedup_by(|path, before| path.starts_with(before));
            VisibleFiles { own: entrant.own.clone(), readable, files: Vec::new() }
        };
        roster.iter().map(visible).collect()
    }
}

/// What a program needs to run beside its own files: the program itself if that is installed somewhere, or what runs it.
fn needed_by(entrant: &Entrant) -> Vec<PathBuf> {
    let Some(own) = &entrant.own else {
        let program = entrant.line.program();
        return if entrant.is_built_in() { vec![program] } else { installation::of_executable(&program) };
    };
    let words = entrant.line.words_at(own);
    let program = Path::new(words.first().map_or("", String::as_str));
    if entrant.line.is_installed {
        return installation::of_executable(program);
    }
    // A virtual environment that was handed in has a link to the user's own Python.
    let leads_out = program.canonicalize().ok().filter(|target| !target.starts_with(own));
    leads_out
        .map_or_else(|| installation::of_interpreter(program), |target| installation::of_executable(&target))
}

/// What the file of the board is called where programs have a folder of their own.
const BOARD: &str = "board.txt";

/// Puts a program at a seat of a game into its confinement, and says where it finds the board: in its own folder if it is
/// contained, and at `board_file` otherwise.
pub fn confine(
    containment: Option<&Containment>,
    visible_files: Option<&VisibleFiles>,
    game: &dyn Game,
    terms: &Terms,
    board_file: &str,
) -> (Option<Confinement>, String) {
    let (Some(containment), Some(visible_files)) = (containment, visible_files) else {
        return (None, board_file.to_owned());
    };
    let mut visible_files = visible_files.clone();
    visible_files.files.extend(game.board_file().map(|text| (BOARD.to_owned(), text)));
    let time = terms.time;
    // Far more than the clocks allow: the backstop.
    let cpu_seconds = 60 + 4 * time.base.as_secs() + 1000 * time.increment.as_secs_f64().ceil() as u64;
    let confinement = Confinement {
        tier: containment.tier,
        purpose: Purpose::Play,
        limits: terms.limits,
        cpu_seconds,
        visible_files,
        keep_scratch: None,
    };
    (Some(confinement), BOARD.to_owned())
}
