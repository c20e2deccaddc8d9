//! Who sees what: each program its own files, and nobody another's or the results.

use std::path::{Path, PathBuf};

use super::roster::Entrant;
use crate::game::Game;
use crate::referee::Terms;
use crate::referee::sandbox::view::{View, is_system};
use crate::referee::sandbox::{Confinement, Tier};
use crate::referee::startup;

/// The folder in which contests have theirs, unless they are given another.
pub const RESULTS: &str = "results";

/// How the programs of a contest are contained.
#[derive(Clone, Debug)]
pub struct Containment {
    /// How well.
    pub tier: Tier,
    /// What all of them may read besides their own files.
    pub allow_read: Vec<PathBuf>,
    /// The folder of the results, which none of them sees.
    pub results: PathBuf,
}

impl Containment {
    /// What each of these programs sees.
    pub fn views(&self, roster: &[Entrant]) -> Vec<View> {
        let territories: Vec<Territory> = roster.iter().map(Territory::of).collect();
        let view = |own: &Territory| {
            let others = territories.iter().filter(|other| !other.built_in);
            let mut hidden: Vec<PathBuf> = others.flat_map(|other| other.hidden_from(own)).collect();
            let results = canonical(&self.results);
            // Those of other contests are beside them.
            let all_results = results.parent().filter(|folder| folder.ends_with(RESULTS));
            hidden.push(all_results.unwrap_or(&results).to_owned());
            let mut readable = own.readable.clone();
            readable.extend(self.allow_read.iter().map(|path| canonical(path)));
            // What is nowhere near need not be named.
            hidden.retain(|hidden| is_system(hidden) || readable.iter().any(|path| hidden.starts_with(path)));
            outermost(&mut hidden);
            View { readable, hidden, folder: own.folder.clone(), files: Vec::new() }
        };
        territories.iter().map(view).collect()
    }
}

/// What the file of the board is called where programs have a folder of their own.
const BOARD: &str = "board.txt";

/// Puts a program at a seat of a game into its confinement, and says where it finds the board: in its own folder if it is
/// contained, and at `board_file` otherwise.
pub fn confine(
    containment: Option<&Containment>,
    view: Option<&View>,
    game: &dyn Game,
    terms: &Terms,
    board_file: &str,
) -> (Option<Confinement>, String) {
    let (Some(containment), Some(view)) = (containment, view) else { return (None, board_file.to_owned()) };
    let mut view = view.clone();
    view.files.extend(game.board_file().map(|text| (BOARD.to_owned(), text)));
    let time = terms.time;
    // Far more than the clocks allow, and an end all the same.
    let cpu_seconds = 60 + 4 * time.base.as_secs() + 1000 * time.increment.as_secs_f64().ceil() as u64;
    let confinement = Confinement { tier: containment.tier, limits: terms.limits, cpu_seconds, view };
    (Some(confinement), BOARD.to_owned())
}

/// What belongs to a program.
struct Territory {
    /// Its own files.
    files: Vec<PathBuf>,
    /// What is called like them, as their source is.
    namesakes: Vec<PathBuf>,
    /// The folder they are in, unless that holds much more than a program.
    folder: Option<PathBuf>,
    /// All that it may read.
    readable: Vec<PathBuf>,
    built_in: bool,
}

impl Territory {
    fn of(entrant: &Entrant) -> Territory {
        let files = entrant.own_files();
        // Where a script is run by an interpreter that is named too, as in a virtual environment, the script's.
        let program = files.iter().rfind(|file| !is_installed(file)).or(files.last());
        let folder =
            program.and_then(|file| file.parent()).map(installation).filter(|folder| !is_home(folder));
        let folder = folder.filter(|_| !entrant.is_built_in());
        let mut readable = files.clone();
        readable.extend(folder.clone());
        // What it is written in may be installed in a home directory.
        for file in files.iter().chain([&entrant.program]) {
            readable.extend(installations(file));
            readable.extend(
                startup::interpreter_of(file).iter().flat_map(|interpreter| installations(interpreter)),
            );
        }
        outermost(&mut readable);
        let namesakes = files.iter().flat_map(|file| namesakes(file)).collect();
        Territory { files, namesakes, folder, readable, built_in: entrant.is_built_in() }
    }

    /// What of this is to be hidden from another: the whole folder, unless the other is in it too.
    fn hidden_from(&self, other: &Territory) -> Vec<PathBuf> {
        match &self.folder {
            Some(folder) if !other.files.iter().any(|file| file.starts_with(folder)) => vec![folder.clone()],
            _ => {
                let not_theirs =
                    |file: &&PathBuf| !other.files.contains(file) && !other.namesakes.contains(file);
                self.files.iter().chain(&self.namesakes).filter(not_theirs).cloned().collect()
            }
        }
    }
}

/// Leaves out what is inside of something else in the list, which need not be named.
fn outermost(paths: &mut Vec<PathBuf>) {
    // What is inside of a folder comes behind it.
    paths.sort();
    paths.dedup_by(|path, before| path.starts_with(before));
}

/// What else in the folder of a file has its name but for the ending.
fn namesakes(file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().and_then(|folder| folder.read_dir().ok()).into_iter().flatten().flatten();
    folder
        .map(|entry| entry.path())
        .filter(|path| path != file && path.file_stem() == file.file_stem())
        .collect()
}

/// The places where a program that is not of the system is installed, as it is called and where that leads: the file, and if
/// it is in a folder of programs, all that was installed with them.
fn installations(program: &Path) -> Vec<PathBuf> {
    let leads_to = program.canonicalize().ok();
    let mut found = Vec::new();
    for path in leads_to.iter().map(PathBuf::as_path).chain([program]).filter(|path| !is_system(path)) {
        let folder = path.parent().unwrap_or(path);
        let whole = installation(folder);
        found.push(path.to_owned());
        found.extend(Some(whole).filter(|whole| whole != folder));
    }
    found
}

/// Whether a program is in a folder of programs, which is a part of something larger.
fn is_installed(program: &Path) -> bool {
    program.parent().is_some_and(|folder| installation(folder) != folder)
}

/// The whole of an installation whose programs are in this folder.
fn installation(folder: &Path) -> PathBuf {
    match (folder.file_name().and_then(|name| name.to_str()), folder.parent()) {
        (Some("bin" | "shims"), Some(parent)) if !is_home(parent) => parent.to_owned(),
        _ => folder.to_owned(),
    }
}

/// Whether this is a home directory or holds such, or is no folder of anybody's: nothing that a program has for itself.
fn is_home(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let homes = home.iter().map(PathBuf::as_path).chain([
        Path::new("/root"),
        Path::new("/tmp"),
        Path::new("/home/x"),
    ]);
    homes.into_iter().any(|home| home.starts_with(folder))
        || folder.parent().is_some_and(|parent| parent == Path::new("/home"))
}

fn canonical(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.canonicalize().unwrap_or(absolute)
}
