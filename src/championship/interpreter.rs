//! Commands that have an interpreter run something: which word says what, where that is looked for, and what is missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use thiserror::Error;
use wait_timeout::ChildExt;

use crate::contain::close_name::{close_file, closest};
use crate::contain::executable;

/// What an interpreter is to run, as far as the command surely says; each is the number of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// A script or an archive, by its path.
    File(usize),
    /// A module of Python's, which is looked for in the current folder.
    Module(usize),
    /// A class of Java's, which is looked for in the current folder.
    Class(usize),
    /// A class of Java's, which is looked for where another argument says.
    ClassOnPath {
        /// The class.
        class: usize,
        /// Where.
        path: usize,
    },
}

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

/// What runs scripts, but for Java, whose options are of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interpreter {
    Python,
    Node,
    Shell,
    Perl,
    Ruby,
    Php,
    Lua,
    R,
}

/// The options of an interpreter that can stand before what it runs. Behind any other nobody knows what comes.
struct Options {
    /// Those of one letter that stand alone, and can be written together.
    flags: &'static str,
    /// Those of one letter that have a value, in the same word or the next.
    with_value: &'static str,
    /// Whole words that stand alone.
    words: &'static [&'static str],
}

impl Interpreter {
    fn of(program: &Path) -> Option<Interpreter> {
        let name = name_of(program);
        // `python3.12` and `lua5.4` are called by their version.
        Some(match name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.') {
            "python" | "pypy" => Interpreter::Python,
            "node" | "nodejs" => Interpreter::Node,
            "sh" | "bash" | "dash" => Interpreter::Shell,
            "perl" => Interpreter::Perl,
            "ruby" => Interpreter::Ruby,
            "php" => Interpreter::Php,
            "lua" => Interpreter::Lua,
            "Rscript" => Interpreter::R,
            _ => return None,
        })
    }

    fn options(self) -> Options {
        let (flags, with_value, words): (_, _, &[&str]) = match self {
            Interpreter::Python => ("bBdEiIOPqRsSuvx", "WX", &[]),
            Interpreter::Node => ("i", "rC", &["--no-warnings", "--enable-source-maps", "--expose-gc"]),
            Interpreter::Shell => {
                ("aefhilmnpuvxBCEHPT", "oO", &["--posix", "--norc", "--noprofile", "--login"])
            }
            Interpreter::Perl => ("wWXtTU", "", &[]),
            Interpreter::Ruby => ("wvW", "rI", &["--jit", "--yjit"]),
            Interpreter::Php => ("nqC", "dc", &[]),
            Interpreter::Lua => ("iEvW", "l", &[]),
            Interpreter::R => ("", "", &["--vanilla", "--no-save", "--quiet"]),
        };
        Options { flags, with_value, words }
    }

    /// What a folder must have so that it can be run, and in words; nothing if no folder can.
    fn runs_folders_with(self) -> Option<(&'static [&'static str], &'static str)> {
        match self {
            Interpreter::Python => Some((&["__main__.py"], "__main__.py")),
            Interpreter::Node => Some((&["index.js", "package.json"], "index.js and package.json")),
            _ => None,
        }
    }
}

/// Options of Java that have a value in the next word.
const OF_JAVA_WITH_VALUE: [&str; 11] = [
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-opens",
    "--add-exports",
    "--add-reads",
    "--limit-modules",
    "--patch-module",
    "--enable-native-access",
    "--source",
];
const CLASS_PATH: [&str; 3] = ["-cp", "-classpath", "--class-path"];

fn name_of(program: &Path) -> &str {
    program.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// What a command has run: nothing where that is not certain.
pub fn runs(program: &Path, arguments: &[String]) -> Option<Runs> {
    if name_of(program) == "java" {
        return java_runs(arguments);
    }
    let interpreter = Interpreter::of(program)?;
    let mut index = 0;
    loop {
        let argument = arguments.get(index)?.as_str();
        if argument == "--" {
            return (index + 1 < arguments.len()).then_some(Runs::File(index + 1));
        }
        if argument == "-" {
            return None;
        }
        let Some(letters) = argument.strip_prefix('-') else { return Some(Runs::File(index)) };
        index += match step(interpreter, argument, letters) {
            Step::On(words) => words,
            Step::Module => return (index + 1 < arguments.len()).then_some(Runs::Module(index + 1)),
            Step::Unknown => return None,
        };
    }
}

enum Step {
    /// So many words further.
    On(usize),
    /// The next word is a module.
    Module,
    /// Nobody knows what comes.
    Unknown,
}

fn step(interpreter: Interpreter, argument: &str, letters: &str) -> Step {
    let options = interpreter.options();
    if letters.starts_with('-') {
        // What has its value in the same word needs no other.
        let is_known = options.words.contains(&argument) || argument.contains('=');
        return if is_known { Step::On(1) } else { Step::Unknown };
    }
    for (at, letter) in letters.char_indices() {
        let is_last = at + letter.len_utf8() == letters.len();
        if options.flags.contains(letter) {
            continue;
        }
        return match letter {
            'm' if interpreter == Interpreter::Python && is_last => Step::Module,
            letter if options.with_value.contains(letter) => Step::On(if is_last { 2 } else { 1 }),
            _ => Step::Unknown,
        };
    }
    Step::On(1)
}

fn java_runs(arguments: &[String]) -> Option<Runs> {
    let mut index = 0;
    let mut class_path = None;
    while let Some(argument) = arguments.get(index).map(String::as_str).filter(|word| word.starts_with('-')) {
        match argument {
            "-jar" => return (index + 1 < arguments.len()).then_some(Runs::File(index + 1)),
            "-m" | "--module" => return None,
            path if CLASS_PATH.contains(&path) => class_path = Some(index + 1),
            path if path.starts_with("--class-path=") => return None,
            _ => {}
        }
        let has_value = CLASS_PATH.contains(&argument) || OF_JAVA_WITH_VALUE.contains(&argument);
        index += if has_value { 2 } else { 1 };
    }
    // A file of arguments may hold anything.
    let class = arguments.get(index).filter(|class| !class.starts_with('@'))?;
    Some(match class_path {
        _ if class.ends_with(".java") => Runs::File(index),
        Some(path) => Runs::ClassOnPath { class: index, path },
        None => Runs::Class(index),
    })
}

impl Runs {
    /// The argument that is a name and no path, even if there is a file that is called so.
    pub fn name(self) -> Option<usize> {
        match self {
            Runs::Module(index) | Runs::Class(index) | Runs::ClassOnPath { class: index, .. } => Some(index),
            Runs::File(_) => None,
        }
    }

    /// The files of a class or module that is looked for in the current folder, which is `from`.
    pub fn implied(self, arguments: &[String], from: &Path) -> Vec<PathBuf> {
        let names = match self {
            Runs::Class(index) => class_files(&class_name(&arguments[index]), from),
            Runs::Module(index) => {
                let first = arguments[index].split('.').next().unwrap_or_default();
                vec![format!("{first}.py"), first.to_owned()]
            }
            Runs::File(_) | Runs::ClassOnPath { .. } => Vec::new(),
        };
        names.iter().map(|name| from.join(name)).filter(|path| path.exists()).collect()
    }

    /// The words that a class needs before it so that it is found in a folder, which is not the one that it is started in.
    pub fn class_path(self, folder: &str) -> Option<(usize, [String; 2])> {
        match self {
            Runs::Class(index) => Some((index, ["-cp".to_owned(), folder.to_owned()])),
            _ => None,
        }
    }

    /// The file that Node takes for a name without its ending.
    pub fn with_ending(self, program: &Path, arguments: &[String], from: &Path) -> Option<(usize, String)> {
        let Runs::File(index) = self else { return None };
        let is_node = Interpreter::of(program) == Some(Interpreter::Node);
        let word = arguments.get(index).filter(|word| is_node && !from.join(word).exists())?;
        let file = format!("{word}.js");
        from.join(&file).is_file().then_some((index, file))
    }

    /// Makes sure that what is to run is there. `is_command` says whether the interpreter is one of the user's own commands.
    pub fn check(
        self,
        program: &Path,
        is_command: bool,
        arguments: &[String],
        from: &Path,
    ) -> Result<(), Missing> {
        match self {
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
                    !self.implied(arguments, from).is_empty() || !is_command || !lacks_module(program, name);
                if is_there {
                    return Ok(());
                }
                let close = close_name(name, ".py", from);
                Err(Missing::Module(printable(name), place(from), Meant(close)))
            }
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
    let close = folders.iter().find_map(|folder| close_name(&class, ".class", &from.join(folder)));
    let place = if path == "." { place(from) } else { format!("'{}'", printable(path)) };
    Err(Missing::Class(printable(&class), printable(&file), place, Meant(close)))
}

/// The name of a class; Java takes it with slashes too.
fn class_name(word: &str) -> String {
    word.replace('/', ".")
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
    if is_current { "the current folder".to_owned() } else { format!("the folder '{}'", folder.display()) }
}

fn printable(text: &str) -> String {
    crate::record::text::printable(text.as_bytes(), 200)
}

/// The files of a class: those of its package, or its own and those of the classes inside of it.
fn class_files(class: &str, from: &Path) -> Vec<String> {
    if let Some((package, _)) = class.split_once('.') {
        return vec![package.to_owned()];
    }
    let entries = from.read_dir().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let inner = format!("{class}$");
    let is_part = |name: &String| {
        name.strip_suffix(".class").is_some_and(|stem| stem == class || stem.starts_with(&inner))
    };
    names.filter(is_part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> (PathBuf, Vec<String>) {
        let mut words = shell_words::split(command).unwrap().into_iter();
        (Path::new("/usr/bin").join(words.next().unwrap()), words.collect())
    }

    #[test]
    fn the_word_that_names_what_runs_is_found_where_it_is_certain() {
        for (command, expected) in [
            ("python3 bot.py -v", Some(Runs::File(0))),
            ("python3.12 -u -W ignore -Xdev bot.py", Some(Runs::File(4))),
            ("python3 -c 'print(1)'", None),
            ("python3 -uc 'print(1)'", None),
            ("python3 -um bot x", Some(Runs::Module(1))),
            ("python3 -u -m bot", Some(Runs::Module(2))),
            ("python3 -m", None),
            ("python3 -", None),
            ("python3", None),
            ("pypy3 bot.py", Some(Runs::File(0))),
            ("node --max-old-space-size=100 bot.js", Some(Runs::File(1))),
            ("node --inspect-port 1 bot.js", None),
            ("node -r ./x bot.js", Some(Runs::File(2))),
            ("node -e 1", None),
            ("node -- bot.js", Some(Runs::File(1))),
            ("sh -eu bot.sh", Some(Runs::File(1))),
            ("bash -c 'exit 1'", None),
            ("bash -o pipefail bot.sh", Some(Runs::File(2))),
            ("perl -e 1", None),
            ("perl -w bot.pl", Some(Runs::File(1))),
            ("ruby bot.rb", Some(Runs::File(0))),
            ("php -r 1", None),
            ("lua5.4 bot.lua", Some(Runs::File(0))),
            ("Rscript --vanilla bot.R", Some(Runs::File(1))),
            ("java -Xmx1g Bot", Some(Runs::Class(1))),
            ("java --add-modules x Bot", Some(Runs::Class(2))),
            ("java -cp x Bot", Some(Runs::ClassOnPath { class: 2, path: 1 })),
            ("java -jar bot.jar", Some(Runs::File(1))),
            ("java Bot.java", Some(Runs::File(0))),
            ("java -m a/b", None),
            ("java @file", None),
            ("java -cp", None),
            ("arbitro-ref x.py", None),
        ] {
            let (program, arguments) = words(command);
            assert_eq!(runs(&program, &arguments), expected, "{command}");
        }
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
        ]);
        let said = |command: &str| {
            let (program, arguments) = words(command);
            let checked =
                runs(&program, &arguments).unwrap().check(&program, false, &arguments, folder.path());
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
            Runs::Module(0)
                .check(&python, true, &[name.to_owned()], folder.path())
                .map_err(|missing| missing.to_string())
        };
        assert_eq!((check("json.tool"), check("mine")), (Ok(()), Ok(())));
        let said = check("mien").unwrap_err();
        assert!(
            said.contains("there is no module 'mien' in") && said.ends_with("did you mean 'mine'?"),
            "{said}"
        );
    }

    #[test]
    fn classes_and_modules_are_found_in_the_current_folder() {
        let folder = folder(&["Bot.class", "Bot$Cell.class", "Other.class", "bot.py", "hex/Bot.class"]);
        let names = |command: &str| {
            let (program, arguments) = words(command);
            let mut files = runs(&program, &arguments).unwrap().implied(&arguments, folder.path());
            files.sort();
            let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
            files.iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names("java -Xmx1g Bot"), ["Bot$Cell.class", "Bot.class"]);
        assert_eq!(names("java hex.Bot"), ["hex"]);
        assert_eq!(names("java hex/Bot"), ["hex"]);
        assert_eq!(names("java -jar Bot"), [] as [&str; 0]);
        assert_eq!(names("java -cp x Bot"), [] as [&str; 0]);
        assert_eq!(names("java Bot.java"), [] as [&str; 0]);
        assert_eq!(names("python3.12 -u -m bot"), ["bot.py"]);
    }
}
