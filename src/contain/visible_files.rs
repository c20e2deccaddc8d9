//! What a program may see of the file system: the system, its own files, and nothing of the other programs or the results.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::executable;

/// Where a system keeps its programs and libraries. What else is installed, as in /opt, is found where it is needed.
pub const SYSTEM: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// What programs need of the system's settings to start at all, or to know the time.
pub const SETTINGS: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/nsswitch.conf",
    "/etc/java",
    "/etc/java-8-openjdk",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
    "/etc/python3",
    "/etc/ssl/openssl.cnf",
];

/// Devices that are harmless.
pub const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What a program may see beyond the system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisibleFiles {
    /// Files and folders that it may read, at their own places.
    pub readable: Vec<PathBuf>,
    /// What is hidden nevertheless, though it is inside of those.
    pub hidden: Vec<PathBuf>,
    /// The folder whose files it also finds in its working directory.
    pub folder: Option<PathBuf>,
    /// Files that are put into its working directory: name and text.
    pub files: Vec<(String, String)>,
}

impl VisibleFiles {
    /// The largest parts of what is readable that hold nothing hidden, for rules that can only allow.
    pub fn open_paths(&self) -> Vec<PathBuf> {
        let mut open = Vec::new();
        let mut left: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).chain(self.readable.clone()).collect();
        while let Some(path) = left.pop() {
            if self.hidden.contains(&path) {
                continue;
            }
            if !self.hidden.iter().any(|hidden| hidden.starts_with(&path)) {
                open.push(path);
                continue;
            }
            // A folder that cannot be read has nothing in it to allow.
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            left.extend(entries.map(|entry| entry.path()));
        }
        open
    }

    /// What exists and has to be hidden inside of something readable; the rest cannot be seen anyway.
    pub fn masked(&self) -> impl Iterator<Item = &PathBuf> {
        let covered = |hidden: &&PathBuf| {
            (is_system(hidden) || self.readable.iter().any(|readable| hidden.starts_with(readable)))
                && !self.readable.contains(*hidden)
                && hidden.exists()
        };
        self.hidden.iter().filter(covered)
    }

    /// What is to be found in the working directory under which name.
    pub fn links(&self) -> Vec<(PathBuf, OsString)> {
        const MOST: usize = 512;
        let entries =
            self.folder.iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        let entries = entries.filter(|entry| !self.hidden.contains(&entry.path())).take(MOST);
        entries.map(|entry| (entry.path(), entry.file_name())).collect()
    }
}

/// Whether this is part of the system, which everybody sees.
pub fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// What belongs to a program, for [`share_out`].
#[derive(Clone, Debug)]
pub struct OwnFiles {
    /// The files and folders that its command names, those of the system aside.
    pub files: Vec<PathBuf>,
    /// The file that is executed.
    pub program: PathBuf,
    /// Whether every program may see these files, as those of a built-in one.
    pub shared: bool,
}

/// What each of several programs sees: its own files and what all may read, but nothing of the others and nothing in the folder
/// `results`.
pub fn share_out(programs: &[OwnFiles], allow_read: &[PathBuf], results: &Path) -> Vec<VisibleFiles> {
    let territories: Vec<Territory> = programs.iter().map(Territory::of).collect();
    let allowed: Vec<PathBuf> = allow_read.iter().map(|path| canonical(path)).collect();
    let results = canonical(results);
    let visible = |own: &Territory| {
        let others = territories.iter().filter(|other| !other.shared);
        let mut hidden: Vec<PathBuf> = others.flat_map(|other| other.hidden_from(own)).collect();
        hidden.push(results.clone());
        let readable = [&own.readable[..], &allowed].concat();
        // What is nowhere near need not be named.
        hidden.retain(|hidden| is_system(hidden) || readable.iter().any(|path| hidden.starts_with(path)));
        outermost(&mut hidden);
        VisibleFiles { readable, hidden, folder: own.folder.clone(), files: Vec::new() }
    };
    territories.iter().map(visible).collect()
}

/// Where a program's own files are, and what else it needs to run.
struct Territory {
    /// Its own files.
    files: Vec<PathBuf>,
    /// Files that have the same name but another ending, as the source code has.
    namesakes: Vec<PathBuf>,
    /// The folder they are in, unless that holds much more than a program.
    folder: Option<PathBuf>,
    /// All that it may read.
    readable: Vec<PathBuf>,
    /// Whether every program may see it.
    shared: bool,
}

impl Territory {
    fn of(program: &OwnFiles) -> Territory {
        let files = program.files.clone();
        // If the command names an interpreter too, as in a virtual environment, then the folder of the script.
        let main = files.iter().rfind(|file| !is_installed(file)).or(files.last());
        let folder = main.and_then(|file| file.parent()).map(installation).filter(|folder| !is_home(folder));
        let folder = folder.filter(|_| !program.shared);
        let mut readable = files.clone();
        readable.extend(folder.clone());
        // Its language may be installed in a home directory.
        let interpreter = interpreter_of(&program.program);
        for file in files.iter().chain([&program.program]).chain(&interpreter) {
            readable.extend(installations(file));
        }
        outermost(&mut readable);
        let namesakes = files.iter().flat_map(|file| namesakes(file)).collect();
        Territory { files, namesakes, folder, readable, shared: program.shared }
    }

    /// What of this to hide from another program: the whole folder, unless the other is in it too.
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

/// The interpreter of a script that is executed, if it is a command that the user has on the PATH. A first line that names
/// another file shows nothing to the program: its author wrote it.
fn interpreter_of(script: &Path) -> Option<PathBuf> {
    let interpreter = executable::interpreter_of(script)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_command = std::env::split_paths(&path)
        .any(|folder| folder.is_absolute() && interpreter.parent() == Some(folder.as_path()));
    is_command.then_some(interpreter)
}

/// Removes paths that are inside of another path in the list.
fn outermost(paths: &mut Vec<PathBuf>) {
    // What is inside of a folder comes behind it.
    paths.sort();
    paths.dedup_by(|path, before| path.starts_with(before));
}

/// Other files in the folder of a file that have its name but another ending.
fn namesakes(file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().and_then(|folder| folder.read_dir().ok()).into_iter().flatten().flatten();
    folder
        .map(|entry| entry.path())
        .filter(|path| path != file && path.file_stem() == file.file_stem())
        .collect()
}

/// The places where a program is installed, unless it is part of the system, both under its name and where links lead: the file,
/// and if it is in a folder of programs, all that was installed with them.
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

/// Whether this is a home directory, holds home directories or is open to everybody: no folder that one program has for itself.
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

/// The path from the root, links followed as far as it exists.
pub fn canonical(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.canonicalize().unwrap_or(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_something_hidden_is_opened_piece_by_piece() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["results/old", "data/deep"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        for name in ["ana", "beto", "data/book", "data/deep/secret"] {
            std::fs::write(path(name), "").unwrap();
        }
        let visible = VisibleFiles {
            readable: vec![folder.path().into()],
            hidden: vec![path("beto"), path("results"), path("data/deep/secret"), "/elsewhere".into()],
            folder: Some(folder.path().into()),
            files: Vec::new(),
        };
        let mut open = visible.open_paths();
        open.retain(|path| !is_system(path));
        open.sort();
        assert_eq!(open, [path("ana"), path("data/book")]);
        assert_eq!(visible.masked().count(), 3);
        let mut links: Vec<_> = visible.links().into_iter().map(|(_, name)| name).collect();
        links.sort();
        assert_eq!(links, ["ana", "data"]);
    }

    #[test]
    fn programs_in_one_folder_see_their_own_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        for name in ["bots", "carla", "results"] {
            std::fs::create_dir(folder.join(name)).unwrap();
        }
        let program = |name: &str, shared| {
            let program = folder.join(name);
            std::fs::write(&program, "").unwrap();
            OwnFiles { files: vec![program.clone()], program, shared }
        };
        let programs = [
            program("bots/ana", false),
            program("bots/beto.py", false),
            program("carla/bot", false),
            program("built-in", true),
        ];
        std::fs::write(folder.join("bots/ana.c"), "").unwrap();
        let visible = share_out(&programs, std::slice::from_ref(&folder), &folder.join("results"));
        let hidden = |index: usize| {
            let inside = visible[index].hidden.iter().filter_map(|path| path.strip_prefix(&folder).ok());
            inside.map(|path| path.to_str().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(hidden(0), ["bots/beto.py", "carla", "results"]);
        assert_eq!(hidden(1), ["bots/ana", "bots/ana.c", "carla", "results"]);
        assert_eq!(hidden(2), ["bots", "results"]);
        assert_eq!(hidden(3), ["bots", "carla", "results"]);
        assert_eq!(visible[2].folder, Some(folder.join("carla")));
        assert_eq!(visible[3].folder, None);
        assert!(share_out(&programs, &[], &folder.join("results"))[2].hidden.is_empty());
    }

    /// Once, the first line of a program's own file made whole folders of the user's readable to it.
    #[test]
    fn the_first_line_of_a_file_shows_nothing_but_commands() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["secret/bin", "bots"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        std::fs::write(path("secret/bin/x"), "").unwrap();
        let lines = [
            format!("#!{}", path("secret/bin/x").display()),
            format!("#!{}", path("bots/../secret/bin/x").display()),
            "#!secret/bin/x".to_owned(),
            format!("#!/usr/bin/env {}", path("secret/bin/x").display()),
            "#!/usr/bin/env ../secret/bin/x".to_owned(),
        ];
        for line in lines {
            let script = path("bots/spy.py");
            std::fs::write(&script, format!("{line}\n")).unwrap();
            // Executed, and as the argument of an interpreter.
            for program in [script.clone(), "/usr/bin/python3".into()] {
                let own = OwnFiles { files: vec![script.clone()], program, shared: false };
                let [visible] = &share_out(&[own], &[], &path("results"))[..] else { panic!() };
                let shown = |readable: &PathBuf| {
                    path("secret").starts_with(readable) || readable.starts_with(path("secret"))
                };
                assert!(!visible.readable.iter().any(shown), "{line}: {:?}", visible.readable);
            }
        }
    }
}
