//! Everybody who takes part: bots found in folders, and names that tell them apart.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::bot_name::{safe_name, with_ending};
use super::entrant::{Entrant, Home, Origin, RosterError};
use super::file_tree::is_program;
use crate::contain::visible_files::is_system;
use crate::game::Setup;
use crate::record::text::{counted, printable};

/// Gives a number to every name that is not the first of its kind.
pub fn make_names_unique(entrants: &mut [Entrant]) {
    let names = unique_names(entrants.iter().map(|entrant| entrant.name.as_str()));
    entrants.iter_mut().zip(names).for_each(|(entrant, name)| entrant.name = name);
}

/// The names, each that is not the first of its kind with a number.
pub fn unique_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for wanted in names {
        let numbered = (2..).map(|number| with_ending(wanted, &format!("-{number}")));
        let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
        unique.extend(candidates.find(|name| !unique.contains(name)));
    }
    unique
}

/// Gives bots that were found in folders other names than those that somebody else has, who keeps it: a file or folder that is
/// handed in with the name of another bot does not stop everybody.
pub fn rename_found(entrants: &mut [Entrant], mut warn: impl FnMut(String)) {
    for index in (0..entrants.len()).filter(|&index| !entrants[index].home.is_unknown()).collect::<Vec<_>>() {
        let name = &entrants[index].name;
        let others =
            entrants.iter().enumerate().filter(|&(at, _)| at != index).map(|(_, other)| other.name.as_str());
        // Those who were named come first, and then those who were found earlier.
        let is_before = |(at, other): (usize, &Entrant)| at < index || at > index && other.home.is_unknown();
        if !entrants.iter().enumerate().any(|(at, other)| other.name == *name && is_before((at, other))) {
            continue;
        }
        let unique = unique_names(others.chain([name.as_str()])).pop().unwrap_or_default();
        warn(format!("'{}' is called '{unique}', since there is another '{name}'", entrants[index].command));
        entrants[index].name = unique;
    }
}

/// Makes sure that names tell everybody apart.
pub fn check_names(entrants: &[Entrant]) -> Result<(), RosterError> {
    for (index, entrant) in entrants.iter().enumerate() {
        if let Some(other) = entrants[..index].iter().find(|other| other.name == entrant.name) {
            let (first, second) = (other.command.clone(), entrant.command.clone());
            return Err(RosterError::SameName { name: entrant.name.clone(), first, second });
        }
    }
    Ok(())
}

/// Makes sure that everybody can play this game.
pub fn check_game(entrants: &[Entrant], setup: &Setup) -> Result<(), RosterError> {
    entrants.iter().try_for_each(|entrant| entrant.check(setup.name()))
}

/// Every bot in a folder, by name: each file that may be run, and each folder with just one such file, which is called
/// after the folder. What is odd is told to `warn` and left out: one student's mistake is not everybody's.
pub fn in_folder(folder: &Path, mut warn: impl FnMut(String)) -> Result<Vec<Entrant>, RosterError> {
    let (typed, failed) = (folder, |error| RosterError::Folder(folder.to_owned(), error));
    let folder = folder.canonicalize().map_err(failed)?;
    if is_system(&folder) {
        return Err(RosterError::SystemFolder(folder));
    }
    let mut found: Vec<Found> = Vec::new();
    for path in entries(&folder).map_err(failed)? {
        match look_at(&path, &folder) {
            Ok(program) => found.extend(program),
            Err(why) => {
                let path = as_typed(&path, &folder, typed);
                warn(format!("left out: '{}' {why}", printable(path.as_os_str().as_bytes(), 300)));
            }
        }
    }
    // `ana` and `ana.py` are told apart by their whole names.
    let is_alone = |stem: &str| found.iter().filter(|other| other.stem == stem).count() == 1;
    let names = found.iter().map(|one| if is_alone(&one.stem) { &one.stem } else { &one.whole });
    let names = unique_names(names.map(String::as_str));
    let mut entrants = Vec::new();
    for (one, name) in found.iter().zip(names) {
        match one.entrant(&name, &folder) {
            Ok(entrant) => {
                let command = as_typed(Path::new(&entrant.command), &folder, typed).display().to_string();
                entrants.push(Entrant { command, from: std::env::current_dir()?, ..entrant });
            }
            Err(problem) => warn(format!("left out: {problem}")),
        }
    }
    if entrants.is_empty() { Err(RosterError::EmptyFolder(typed.to_owned())) } else { Ok(entrants) }
}

/// A path as people see it, who called the folder by another name.
fn as_typed(path: &Path, folder: &Path, typed: &Path) -> PathBuf {
    path.strip_prefix(folder).map_or_else(|_| path.to_owned(), |place| typed.join(place))
}

/// A program in a folder of bots.
struct Found {
    /// What it would be called without its ending, and with it.
    stem: String,
    whole: String,
    program: String,
    /// The folder that it has to itself.
    own: Option<PathBuf>,
}

impl Found {
    fn entrant(&self, name: &str, folder: &Path) -> Result<Entrant, RosterError> {
        let origin = Origin { from: folder, folder: self.own.as_deref(), files: &[] };
        let entrant = Entrant::of(Some(name), &self.program, origin)?;
        Ok(match self.own {
            Some(_) => entrant,
            None => Entrant { home: Home::Shared, ..entrant },
        })
    }
}

/// The program that an entry of a folder of bots is or holds; nothing for what is not meant to be one.
fn look_at(path: &Path, folder: &Path) -> Result<Option<Found>, String> {
    if path.is_symlink() {
        match path.canonicalize() {
            Ok(target) if target.parent() == Some(folder) => {}
            Ok(_) => return Err("is a link that leaves the folder; put what it leads to there".to_owned()),
            // It leads nowhere.
            Err(_) => return Ok(None),
        }
    }
    let (program, own) = if path.is_dir() {
        let programs = entries(path).map_err(|error| format!("cannot be read: {error}"))?;
        let mut programs: Vec<PathBuf> = programs.into_iter().filter(|path| is_runnable(path)).collect();
        // A link to the program that is there too is no second one.
        let real = programs.clone();
        programs.retain(|path| {
            !path.is_symlink() || !path.canonicalize().is_ok_and(|target| real.contains(&target))
        });
        // Some file systems let everything be run.
        if programs.len() > 1 {
            programs.retain(|path| is_program(path));
        }
        match (programs.pop(), programs.len()) {
            (Some(program), 0) => (program, Some(path.to_owned())),
            (None, _) => return Err("holds no program that may be run; compile it, set its run bit with chmod +x, or name its command".to_owned()),
            (_, others) => {
                let programs = counted(others + 1, "program");
                return Err(format!("holds {programs} that may be run; name the one that is the bot"));
            }
        }
    } else if is_runnable(path) {
        (path.to_owned(), None)
    } else {
        return without_run_bit(path).map_or(Ok(None), Err);
    };
    let Some(text) = program.to_str() else {
        return Err("has a name that is not UTF-8; rename it".to_owned());
    };
    let name = |name: Option<&std::ffi::OsStr>| safe_name(&name.unwrap_or_default().to_string_lossy());
    // A folder's name has no ending.
    let stem = if own.is_some() { path.file_name() } else { path.file_stem() };
    Ok(Some(Found { stem: name(stem), whole: name(path.file_name()), program: text.to_owned(), own }))
}

/// What to say of a file that looks like a bot and may not be run.
fn without_run_bit(path: &Path) -> Option<String> {
    let extension = path.extension().and_then(|extension| extension.to_str())?;
    let name = path.file_name()?.to_string_lossy();
    // Somebody may paste it: nothing of a name is to be run.
    let shown = shell_words::quote(&name);
    Some(match extension {
        "py" => format!("is not executable: chmod +x {shown}, or name it: NAME=\"python3 {shown}\""),
        "js" => format!("is not executable: chmod +x {shown}, or name it: NAME=\"node {shown}\""),
        "jar" => format!("is a Java archive; name it: NAME=\"java -jar {shown}\""),
        "sh" => format!("is not executable: chmod +x {shown}"),
        "zip" | "tar" | "gz" | "tgz" | "rar" | "7z" => "is an archive; unpack it".to_owned(),
        _ => return None,
    })
}

/// What is in a folder and not hidden, in order.
fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn is_runnable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_means_every_bot_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, mode| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        assert!(matches!(in_folder(folder.path(), |_| ()), Err(RosterError::EmptyFolder(_))));
        for (name, mode) in [
            ("beto.sh", 0o755),
            ("ana", 0o755),
            ("README.md", 0o644),
            (".hidden", 0o755),
            ("caio silva/bot", 0o755),
            ("caio silva/bot.c", 0o644),
            ("two/a", 0o755),
            ("two/b", 0o755),
        ] {
            file(name, mode);
        }
        std::fs::write(folder.path().join("ana"), "#!/no/such/interpreter\n").unwrap();
        file("ana.py", 0o755);
        let mut problems = Vec::new();
        let entrants = in_folder(folder.path(), |problem| problems.push(problem)).unwrap();
        let names: Vec<String> = entrants.into_iter().map(|entrant| entrant.name).collect();
        assert_eq!(names, ["ana.py", "beto", "caio silva"]);
        let [two, ana] = &problems[..] else { panic!("{problems:?}") };
        assert!(two.contains("two' holds 2 programs"), "{two}");
        assert!(ana.contains("bot 'ana'") && ana.contains("does not exist"), "{ana}");
    }

    /// Any of these once stopped everybody.
    #[test]
    fn what_is_odd_in_a_folder_costs_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &[u8]| {
            let path =
                folder.path().join(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name));
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        };
        let long = "x".repeat(200);
        for name in [&b"ana"[..], b"a b", b"a_b", b"caio.py", b"\xff\x1b[2J", long.as_bytes()] {
            file(name);
        }
        file(format!("{long}y").as_bytes());
        for (name, target) in [("caio.x", ".."), ("up", "/tmp"), ("lost", "nowhere"), ("same", "ana")] {
            std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
        }
        fs::create_dir(folder.path().join("empty")).unwrap();
        let mut problems = Vec::new();
        let entrants = in_folder(folder.path(), |problem| problems.push(problem)).unwrap();
        let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        let longs = ["x".repeat(60), format!("{}-2", "x".repeat(58))];
        assert_eq!(names, ["a b", "a_b", "ana", "caio", "same", &longs[0], &longs[1]]);
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert!(check_names(&entrants).is_ok());
    }

    #[test]
    fn who_was_named_keeps_the_name() {
        let entrant = |name: &str, home| Entrant { home, ..Entrant::new(Some(name), "sh").unwrap() };
        let mut entrants = [
            entrant("greedy", Home::Own),
            entrant("ana", Home::Shared),
            entrant("greedy", Home::Unknown),
            entrant("ana", Home::Shared),
        ];
        rename_found(&mut entrants, |_| ());
        assert_eq!(entrants.map(|entrant| entrant.name), ["greedy-2", "ana", "greedy", "ana-2"]);
    }

    #[test]
    fn names_must_tell_bots_apart_and_fit_into_file_names() {
        let twins = ["a=sh", "a=true"].map(|text| Entrant::parse(text).unwrap());
        assert!(
            check_names(&twins).unwrap_err().to_string().contains("two bots are called 'a': sh and true")
        );
        assert!(matches!(Entrant::new(Some("../x"), "sh"), Err(RosterError::Name(_))));
        assert!(matches!(Entrant::new(Some("-x"), "sh"), Err(RosterError::Name(_))));
    }

    #[test]
    fn a_bot_may_meet_itself() {
        let mut entrants =
            ["@random", "@random", "random-2=@greedy", "@random"].map(|text| Entrant::parse(text).unwrap());
        make_names_unique(&mut entrants);
        assert_eq!(entrants.map(|entrant| entrant.name), ["random", "random-2", "random-2-2", "random-3"]);
    }
}
