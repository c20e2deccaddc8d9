//! What a command has an interpreter run and is not there: found out before a game, and not only where the bot plays.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use thiserror::Error;
use wait_timeout::ChildExt;

use super::interpreter::{Interpreter, Runs, class_name};
use crate::contain::close_name::{close_file, closest};
use crate::contain::executable;
use crate::record::text;

/// What a command has run that is not there.
#[derive(Debug, Error)]
pub enum Missing {
    /// There is no such file.
    #[error("there is no '{0}' in {1}{2}")]
    File(String, String, Meant),
    /// A folder does not say which of its files runs.
    #[error("'{0}' is a folder without {1}; name the file in it that is to run")]
    Start(String, &'static str),
    /// A folder cannot be run.
    #[error("'{0}' is a folder; name the file in it that is to run")]
    Folder(String),
    /// There is no such class.
    #[error("there is no class '{0}' ({1}) in {2}{3}")]
    Class(String, String, String, Meant),
    /// There is its source code only.
    #[error("there is no class '{0}' in {1}, but its source code; build it with 'javac {2}'")]
    NotBuilt(String, String, String),
    /// A class is named by its file.
    #[error("'{0}' is the file of a class, which Java wants by its name: {1}")]
    ClassFile(String, String),
    /// There is no such module.
    #[error("there is no module '{0}' in {1}, and none is installed{2}")]
    Module(String, String, Meant),
}

/// A name that may have been meant, as the end of a sentence.
#[derive(Debug)]
pub struct Meant(Option<String>);

impl std::fmt::Display for Meant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.as_ref().map_or(Ok(()), |name| write!(f, "; did you mean '{name}'?"))
    }
}

/// Makes sure that what is to run is there. `is_command` says whether the interpreter is one of the user's own commands.
pub fn check(
    runs: Runs,
    program: &Path,
    is_command: bool,
    arguments: &[String],
    from: &Path,
) -> Result<(), Missing> {
    match runs {
        Runs::File(index) => check_file(Interpreter::of(program), &arguments[index], from),
        Runs::Class(index) => {
            // Where classes are then looked for is not known.
            if std::env::var_os("CLASSPATH").is_some() {
                return Ok(());
            }
            check_class(&arguments[index], ".", from)
        }
        Runs::ClassOnPath { class, path } => check_class(&arguments[class], &arguments[path], from),
        Runs::Module(index) => {
            let name = arguments[index].split('.').next().unwrap_or_default();
            // What a bot has handed in is never run out here, so that nothing is known of its installation.
            let is_there =
                !runs.implied(arguments, from).is_empty() || !is_command || !lacks_module(program, name);
            if is_there {
                return Ok(());
            }
            let close = close_name(name, ".py", from);
            Err(Missing::Module(printable(name), place(from), Meant(close)))
        }
    }
}

fn check_file(interpreter: Option<Interpreter>, word: &str, from: &Path) -> Result<(), Missing> {
    let path = from.join(word);
    if path.is_dir() {
        return match interpreter.and_then(Interpreter::runs_folders_with) {
            Some((names, _)) if names.iter().any(|name| path.join(name).exists()) => Ok(()),
            Some((_, what)) => Err(Missing::Start(printable(word), what)),
            None => Err(Missing::Folder(printable(word))),
        };
    }
    // A shell also looks among the commands.
    let is_command = || {
        interpreter == Some(Interpreter::Shell) && !word.contains('/') && executable::examine(word).is_ok()
    };
    if path.exists() || is_command() {
        return Ok(());
    }
    Err(Missing::File(printable(word), place(from), Meant(close_file(word, from))))
}

/// Looks for a class where it can be looked for: in folders, and not in archives.
fn check_class(word: &str, path: &str, from: &Path) -> Result<(), Missing> {
    let folders: Vec<&str> = path.split(':').collect();
    let class = class_name(word);
    let file = class.replace('.', "/") + ".class";
    // `lib/*` means the archives in a folder.
    let is_folder = |folder: &&str| !folder.ends_with('*') && !from.join(folder).is_file();
    if !folders.iter().all(is_folder) || folders.iter().any(|folder| from.join(folder).join(&file).exists()) {
        return Ok(());
    }
    if let Some(name) = word.strip_suffix(".class").filter(|_| from.join(word).exists()) {
        let path = Path::new(name);
        let parent = path.parent().and_then(Path::to_str).filter(|parent| !parent.is_empty());
        let class = path.file_name().unwrap_or_default().to_string_lossy();
        let command = match parent {
            Some(parent) => format!("java -cp {parent} {class}"),
            None => format!("java {class}"),
        };
        return Err(Missing::ClassFile(printable(word), printable(&command)));
    }
    let source = class.replace('.', "/") + ".java";
    let source =
        folders.iter().map(|folder| Path::new(folder).join(&source)).find(|path| from.join(path).exists());
    let close = folders.iter().find_map(|folder| close_name(&class, ".class", &from.join(folder)));
    let place = if path == "." { place(from) } else { format!("'{}'", printable(path)) };
    let (class, file) = (printable(&class), printable(&file));
    Err(match source.as_deref().and_then(Path::to_str) {
        Some(source) => Missing::NotBuilt(class, place, printable(source.trim_start_matches("./"))),
        None => Missing::Class(class, file, place, Meant(close)),
    })
}

/// A class or module in a folder that is called nearly so.
fn close_name(name: &str, ending: &str, folder: &Path) -> Option<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten().take(10_000);
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let names = names.iter().filter_map(|file| file.strip_suffix(ending));
    closest(name, names).map(printable)
}

/// Whether Python says that there is no such module among those that are installed. It is not asked to run any.
fn lacks_module(python: &Path, name: &str) -> bool {
    const ASK: &str =
        "import importlib.util as u, sys; sys.exit(3 if u.find_spec(sys.argv[1]) is None else 0)";
    const PATIENCE: Duration = Duration::from_secs(10);
    const MISSING: i32 = 3;
    let mut command = Command::new(python);
    // From the root: the folder that we are in may hold modules that were handed in.
    command.args(["-c", ASK, name]).current_dir("/");
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return false };
    let status = child.wait_timeout(PATIENCE).ok().flatten();
    if status.is_none() {
        // Ignore failure: it may just have ended.
        let _ = child.kill();
        let _ = child.wait();
    }
    status.and_then(|status| status.code()) == Some(MISSING)
}

/// A folder in words.
fn place(folder: &Path) -> String {
    let is_current = std::env::current_dir().is_ok_and(|current| current == folder);
    if is_current {
        "the current folder".to_owned()
    } else {
        format!("the folder '{}'", printable(&folder.to_string_lossy()))
    }
}

fn printable(name: &str) -> String {
    text::printable(name.as_bytes(), 200)
}

#[cfg(test)]
mod tests {
    use super::super::interpreter::runs;
    use super::*;
    use std::path::PathBuf;

    fn words(command: &str) -> (PathBuf, Vec<String>) {
        let mut words = shell_words::split(command).unwrap().into_iter();
        (Path::new("/usr/bin").join(words.next().unwrap()), words.collect())
    }

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn what_is_missing_is_told_with_what_may_have_been_meant() {
        let folder = folder(&[
            "nade.py",
            "Bot.class",
            "hex/Bot.class",
            "x.jar",
            "a/b",
            "run/__main__.py",
            "web/index.js",
            "lib.js",
            "Raw.java",
            "a/Raw.java",
        ]);
        let said = |command: &str| {
            let (program, arguments) = words(command);
            let checked =
                check(runs(&program, &arguments).unwrap(), &program, false, &arguments, folder.path());
            let place = format!("the folder '{}'", folder.path().display());
            checked
                .map_or_else(|missing| missing.to_string().replace(&place, "HERE"), |()| "there".to_owned())
        };
        for (command, expected) in [
            ("python3 nade.py", "there"),
            ("python3 nada.py", "there is no 'nada.py' in HERE; did you mean 'nade.py'?"),
            ("python3 caio.py", "there is no 'caio.py' in HERE"),
            ("java -jar y.jar", "there is no 'y.jar' in HERE; did you mean 'x.jar'?"),
            ("java -jar a", "'a' is a folder; name the file in it that is to run"),
            ("java Nada.java", "there is no 'Nada.java' in HERE"),
            ("java Bot", "there"),
            ("java hex.Bot", "there"),
            ("java hex/Bot", "there"),
            ("java Bto", "there is no class 'Bto' (Bto.class) in HERE; did you mean 'Bot'?"),
            (
                "java Raw",
                "there is no class 'Raw' in HERE, but its source code; build it with 'javac Raw.java'",
            ),
            (
                "java -cp a Raw",
                "there is no class 'Raw' in 'a', but its source code; build it with 'javac a/Raw.java'",
            ),
            ("java hex.Nada", "there is no class 'hex.Nada' (hex/Nada.class) in HERE"),
            ("java Bot.class", "'Bot.class' is the file of a class, which Java wants by its name: java Bot"),
            (
                "java hex/Bot.class",
                "'hex/Bot.class' is the file of a class, which Java wants by its name: java -cp hex Bot",
            ),
            ("java -cp hex Bot", "there"),
            ("java -cp a Bot", "there is no class 'Bot' (Bot.class) in 'a'"),
            ("java -cp a:x.jar Bot", "there"),
            ("java -cp 'a/*' Bot", "there"),
            ("python3 run", "there"),
            ("python3 a", "'a' is a folder without __main__.py; name the file in it that is to run"),
            ("node web", "there"),
            (
                "node a",
                "'a' is a folder without index.js and package.json; name the file in it that is to run",
            ),
            ("sh env", "there"),
            ("sh no-such-command", "there is no 'no-such-command' in HERE"),
            ("python3 -m nothing", "there"),
        ] {
            assert_eq!(said(command), expected, "{command}");
        }
        let (program, arguments) = words("node lib");
        let runs = runs(&program, &arguments).unwrap();
        assert_eq!(runs.with_ending(&program, &arguments, folder.path()), Some((0, "lib.js".to_owned())));
    }

    #[test]
    fn installed_modules_are_there() {
        let Ok(python) = executable::examine("python3") else { return println!("there is no python3") };
        let folder = folder(&["mine.py"]);
        let check = |name: &str| {
            super::check(Runs::Module(0), &python, true, &[name.to_owned()], folder.path())
                .map_err(|missing| missing.to_string())
        };
        assert_eq!((check("json.tool"), check("mine")), (Ok(()), Ok(())));
        let said = check("mien").unwrap_err();
        assert!(
            said.contains("there is no module 'mien' in") && said.ends_with("did you mean 'mine'?"),
            "{said}"
        );
    }
}
