//! Commands that have an interpreter run something: which word says what, and where that is looked for.

use std::path::{Path, PathBuf};

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

/// What runs scripts, but for Java, whose options are of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpreter {
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
    pub(super) fn of(program: &Path) -> Option<Interpreter> {
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
    pub(super) fn runs_folders_with(self) -> Option<(&'static [&'static str], &'static str)> {
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
}

/// The name of a class; Java takes it with slashes too.
pub(super) fn class_name(word: &str) -> String {
    word.replace('/', ".")
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
