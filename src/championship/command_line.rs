//! A bot's command taken apart: what is executed, which words name files of the bot, and where those stand in its copy.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use super::interpreter::{self, Runs};
use super::missing_script::{self, Missing};
use crate::contain::executable::{self, StartProblem};
use crate::contain::installation;
use crate::contain::visible_files::{OWN, is_system};

/// Why a command cannot be that of a bot.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The text is empty.
    #[error("a bot is empty; write a command such as './bot', 'NAME=python3 bot.py' or '@greedy'")]
    Empty,
    /// The command line cannot be taken apart.
    #[error("the command '{0}' has an open quotation mark")]
    Quotes(String),
    /// The program cannot be started.
    #[error(transparent)]
    Start(#[from] StartProblem),
    /// What it is to run is not there.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// A file that was said to belong to it is not there.
    #[error("there is no '{0}', which 'files' names; or it is part of the system, which every bot sees")]
    NoSuchFile(String),
    /// A folder on the way to a file is a link.
    #[error(
        "'{word}' leads through a link to '{}'; name the place itself, if these are the bot's own files",
        .leads_to.display()
    )]
    ThroughLink {
        /// The word of the command.
        word: String,
        /// The folder that it leads to.
        leads_to: PathBuf,
    },
}

/// A command whose files are told apart.
///
/// A bot plays from a copy of its files, which has another place than they have. So the words that name files are kept as if
/// the copy were at [`OWN`], and are written for any other place by [`CommandLine::words_at`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// The program and its arguments; files of the bot are below [`OWN`].
    pub words: Vec<String>,
    /// The folder that the places in the copy are counted from; nothing for a command without files of its own.
    pub base: Option<PathBuf>,
    /// The files and folders of the bot that the command names, absolute.
    pub named: Vec<PathBuf>,
    /// Whether the program is not a file of the bot: a command on the `PATH`, or one of an installation that was named.
    pub is_installed: bool,
}

impl CommandLine {
    /// Takes a command apart. Paths in it are counted from the folder `from`. `folder` is the bot's own folder if it has one, and
    /// `files` are more files that belong to it.
    pub fn parse(
        command: &str,
        from: &Path,
        folder: Option<&Path>,
        files: &[String],
    ) -> Result<CommandLine, CommandError> {
        let (program, mut arguments) = split(command, from)?;
        let executed = find_program(&program, from)?;
        let runs = find_script(&executed, &mut arguments, from)?;
        let mut named: Vec<PathBuf> = Vec::new();
        let mut pieces: Vec<Vec<Piece>> = Vec::new();
        let name = runs.and_then(Runs::name);
        for (index, argument) in arguments.iter().enumerate() {
            // The name of a class or module is no path, even if there is a file of that name.
            pieces.push(if name == Some(index) { Vec::new() } else { pieces_of(argument, from)? });
            named.extend(pieces.last().into_iter().flatten().filter_map(Piece::own));
        }
        for file in files {
            let missing = || CommandError::NoSuchFile(file.clone());
            named.extend(Some(locate(file, from)?.filter(|path| is_own(path)).ok_or_else(missing)?));
        }
        let current = from.canonicalize().unwrap_or_else(|_| from.to_owned());
        let implied = runs.map_or(Vec::new(), |runs| runs.implied(&arguments, &current));
        // Such names are counted from the current folder, so that it is part of their places in the copy.
        let searched = Some(&current).filter(|_| !implied.is_empty());
        named.extend(implied);
        let base_of_others =
            common_folder(named.iter().chain(folder.map(Path::to_owned).iter()).chain(searched));
        let is_installed = !program.contains('/')
            || !is_own(&executed)
            || installation::is_installed(&executed)
                && base_of_others.is_some_and(|base| !executed.starts_with(base));
        if !is_installed {
            // With what was installed around it, as in a virtual environment that was handed in.
            named.extend(installation::root_of(&executed));
            named.push(executed.clone());
        }
        let base = match folder {
            Some(folder) if named.iter().all(|path| path.starts_with(folder)) => Some(folder.to_owned()),
            _ => common_folder(named.iter().chain(searched)),
        };
        let place = |path: &Path| place_in_copy(path, base.as_deref());
        let program = if is_installed { executed.display().to_string() } else { place(&executed) };
        let argument = |(argument, pieces): (&String, &Vec<Piece>)| match &pieces[..] {
            [] => argument.clone(),
            pieces => pieces.iter().map(|piece| piece.text(&place)).collect::<Vec<_>>().join(":"),
        };
        let mut words: Vec<String> =
            std::iter::once(program).chain(arguments.iter().zip(&pieces).map(argument)).collect();
        // The folder that it works in is another, where Java would find its classes only by chance.
        if let Some((index, more)) = searched.and_then(|folder| runs?.class_path(&place(folder))) {
            words.splice(index + 1..index + 1, more);
        }
        Ok(CommandLine { words, base, named, is_installed })
    }

    /// The command of a bot whose own files cannot be found any more, as it was kept.
    pub fn kept(words: Vec<String>) -> CommandLine {
        let is_installed = !words.first().is_some_and(|program| Path::new(program).starts_with(OWN));
        CommandLine { words, is_installed, ..CommandLine::default() }
    }

    /// The file that is executed, as it is seen outside.
    pub fn program(&self) -> PathBuf {
        let program = Path::new(self.words.first().map_or("", String::as_str));
        match (program.strip_prefix(OWN), &self.base) {
            (Ok(place), Some(base)) => base.join(place),
            _ => program.to_owned(),
        }
    }

    /// The words, with the bot's own files in this folder.
    pub fn words_at(&self, own: &Path) -> Vec<String> {
        let piece = |piece: &str| match Path::new(piece).strip_prefix(OWN) {
            Ok(place) if place.as_os_str().is_empty() => own.display().to_string(),
            Ok(place) => own.join(place).display().to_string(),
            Err(_) => piece.to_owned(),
        };
        let word = |word: &String| word.split(':').map(piece).collect::<Vec<_>>().join(":");
        self.words.iter().map(word).collect()
    }
}

/// A part of an argument between colons, as class paths have several.
enum Piece {
    /// A file or folder of the bot; Java writes `lib/*` for all archives in a folder.
    Own { path: PathBuf, all_in_it: bool },
    /// A file of the system.
    System(PathBuf),
}

impl Piece {
    fn own(&self) -> Option<PathBuf> {
        match self {
            Piece::Own { path, .. } => Some(path.clone()),
            Piece::System(_) => None,
        }
    }

    fn text(&self, place: &impl Fn(&Path) -> String) -> String {
        match self {
            Piece::Own { path, all_in_it: false } => place(path),
            Piece::Own { path, all_in_it: true } => place(path) + "/*",
            Piece::System(path) => path.display().to_string(),
        }
    }
}

/// The files that an argument names, if it names nothing else.
fn pieces_of(argument: &str, from: &Path) -> Result<Vec<Piece>, CommandError> {
    let mut pieces = Vec::new();
    for piece in argument.split(':') {
        let folder = piece.strip_suffix("/*");
        match locate(folder.unwrap_or(piece), from)? {
            Some(path) if is_own(&path) => pieces.push(Piece::Own { path, all_in_it: folder.is_some() }),
            Some(path) => pieces.push(Piece::System(path)),
            None => return Ok(Vec::new()),
        }
    }
    Ok(pieces)
}

/// Whether a file can belong to a bot: everybody has the system and what stands in these folders.
fn is_own(path: &Path) -> bool {
    const OTHERS: [&str; 5] = ["/dev", "/proc", "/sys", "/etc", "/run"];
    !is_system(path) && !OTHERS.iter().any(|folder| path.starts_with(folder))
}

/// A program and its arguments. A text that is a file's name as it stands is that file, whatever blanks are in it.
pub fn split(command: &str, from: &Path) -> Result<(String, Vec<String>), CommandError> {
    if command.contains('/') && from.join(command).exists() {
        return Ok((command.to_owned(), Vec::new()));
    }
    let words = shell_words::split(command).map_err(|_| CommandError::Quotes(command.to_owned()))?;
    let mut words = words.into_iter();
    let program = words.next().ok_or(CommandError::Empty)?;
    Ok((program, words.collect()))
}

fn find_program(program: &str, from: &Path) -> Result<PathBuf, CommandError> {
    // As it was typed, where that is understood: so it is shown in messages.
    let typed = |program: &str| match is_current(from) {
        true => program.to_owned(),
        false => from.join(program).display().to_string(),
    };
    let found =
        match executable::examine(&if program.contains('/') { typed(program) } else { program.to_owned() }) {
            // What is wrong with a file of that name comes first: `./` before it would not help.
            Err(StartProblem::NoCommand(_)) if from.join(program).exists() => {
                executable::examine(&typed(&format!("./{program}"))).and(executable::examine(program))?
            }
            other => other?,
        };
    match locate(&found.display().to_string(), from)? {
        Some(path) => Ok(path),
        None => Err(StartProblem::NoFile(program.into()).into()),
    }
}

/// What the command has an interpreter run, which must be there. Its word is completed as the interpreter would.
fn find_script(executed: &Path, arguments: &mut [String], from: &Path) -> Result<Option<Runs>, CommandError> {
    let Some(runs) = interpreter::runs(executed, arguments) else { return Ok(None) };
    if let Some((index, file)) = runs.with_ending(executed, arguments, from) {
        arguments[index] = file;
    }
    missing_script::check(runs, executed, installation::is_on_path(executed), arguments, from)?;
    Ok(Some(runs))
}

fn is_current(folder: &Path) -> bool {
    std::env::current_dir().is_ok_and(|current| current == folder)
}

/// Where a file is that a word names: the true path of its folder, and its own name as it is, since what a link leads to may look at
/// the name that it was called by. Nothing if there is no such file.
///
/// Folders on the way may have been handed in, so they may not be links, which could lead to anybody's files. The first one of a
/// relative path is the user's own.
fn locate(word: &str, from: &Path) -> Result<Option<PathBuf>, CommandError> {
    let path = from.join(word);
    if word.is_empty() || !path.exists() {
        return Ok(None);
    }
    // `..` and `.` are resolved as the kernel does.
    let Some(name) = Path::new(word).file_name().filter(|_| !word.ends_with("/.")) else {
        return Ok(path.canonicalize().ok());
    };
    let folder = path.parent().unwrap_or(&path);
    let Ok(true_folder) = folder.canonicalize() else { return Ok(None) };
    if Path::new(word).is_relative() && passes_a_link(word, from) {
        return Err(CommandError::ThroughLink { word: word.to_owned(), leads_to: true_folder });
    }
    Ok(Some(true_folder.join(name)))
}

/// Whether a folder that a relative path names is a link, but for the first one and what is above the last `..`.
fn passes_a_link(word: &str, from: &Path) -> bool {
    let mut path = from.to_owned();
    let mut components: Vec<Component> = Path::new(word).components().collect();
    components.pop();
    let last_up = components.iter().rposition(|component| *component == Component::ParentDir);
    components.iter().enumerate().any(|(index, component)| {
        path.push(component);
        index > last_up.map_or(0, |up| up + 1) && path.is_symlink()
    })
}

/// The deepest folder that holds all of these.
fn common_folder<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Option<PathBuf> {
    let folder =
        |path: &Path| if path.is_dir() { path.to_owned() } else { path.parent().unwrap_or(path).to_owned() };
    paths.map(|path| folder(path)).reduce(|one, other| {
        let shared = one.components().zip(other.components()).take_while(|(one, other)| one == other);
        shared.map(|(component, _)| component).collect()
    })
}

fn place_in_copy(path: &Path, base: Option<&Path>) -> String {
    let place = base.and_then(|base| path.strip_prefix(base).ok()).unwrap_or(path);
    // Joining nothing would end in a slash.
    if place.as_os_str().is_empty() {
        OWN.to_owned()
    } else {
        Path::new(OWN).join(place).display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn with(files: &[&str]) -> Place {
            let folder = tempfile::tempdir().unwrap();
            for file in files {
                let path = folder.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, "#!/bin/sh\n").unwrap();
                let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                std::fs::set_permissions(&path, mode).unwrap();
            }
            Place(folder)
        }

        fn root(&self) -> PathBuf {
            self.0.path().canonicalize().unwrap()
        }

        fn parse(&self, command: &str) -> Result<CommandLine, CommandError> {
            CommandLine::parse(command, &self.root(), None, &[])
        }

        /// The words behind the program, and the base below this place.
        fn told(&self, command: &str) -> (String, String) {
            let line = self.parse(command).unwrap();
            let base = line
                .base
                .as_ref()
                .map_or("-".to_owned(), |base| base.strip_prefix(self.root()).unwrap().display().to_string());
            (line.words[1..].join(" "), base)
        }
    }

    fn told(words: &str, base: &str) -> (String, String) {
        (words.to_owned(), base.to_owned())
    }

    #[test]
    fn words_that_name_files_become_their_places_in_the_copy() {
        let place = Place::with(&["ana/bot.py", "ana/lib/a.jar", "ana/classes/x.class", "book.txt"]);
        assert_eq!(place.told("sh ana/bot.py --fast 3"), told("/bot/bot.py --fast 3", "ana"));
        assert_eq!(place.told("env ana"), told("/bot", "ana"));
        assert_eq!(place.told("sh ana/bot.py book.txt"), told("/bot/ana/bot.py /bot/book.txt", ""));
        assert_eq!(
            place.told("sh -cp ana/classes:ana/lib/* Bot"),
            told("-cp /bot/classes:/bot/lib/* Bot", "ana")
        );
        assert_eq!(place.told("sh -c 'exit 1'"), told("-c exit 1", "-"));
        assert_eq!(place.told("sh /usr/bin/env /dev/null"), told("/usr/bin/env /dev/null", "-"));
        let own = place.parse("ana/bot.py book.txt").unwrap();
        assert_eq!(own.words, ["/bot/ana/bot.py", "/bot/book.txt"]);
        assert_eq!(own.words_at(Path::new("/copy"))[0], "/copy/ana/bot.py");
        assert_eq!(own.program(), place.root().join("ana/bot.py"));
    }

    #[test]
    fn classes_are_looked_for_in_the_copy() {
        if executable::examine("java").is_err() {
            return println!("there is no java");
        }
        let place = Place::with(&["Bot.class", "hex/Bot.class", "hex/other/X.class", "book.txt"]);
        assert_eq!(place.told("java -Xmx1g Bot"), told("-Xmx1g -cp /bot Bot", ""));
        assert_eq!(place.told("java hex.Bot x"), told("-cp /bot hex.Bot x", ""));
        assert_eq!(place.told("java Bot book.txt"), told("-cp /bot Bot /bot/book.txt", ""));
        assert_eq!(place.told("java -cp hex Bot"), told("-cp /bot Bot", "hex"));
        // A folder of the same name is not what is meant.
        std::fs::create_dir(place.root().join("Bot")).unwrap();
        assert_eq!(place.told("java Bot"), told("-cp /bot Bot", ""));
    }

    #[test]
    fn a_module_keeps_its_place_below_the_current_folder() {
        if executable::examine("python3").is_err() {
            return println!("there is no python3");
        }
        let place = Place::with(&["mine/__main__.py", "mine/sub/x.py"]);
        assert_eq!(place.told("python3 -m mine"), told("-m mine", ""));
        assert_eq!(place.parse("python3 -m mine").unwrap().named, [place.root().join("mine")]);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_even_without_its_folder() {
        let place = Place::with(&["bot"]);
        std::fs::write(place.root().join("bot.c"), "int main() {}").unwrap();
        let said = |command: &str| place.parse(command).unwrap_err().to_string();
        assert!(said("bot.c").contains("bot.c' is source code in C"), "{}", said("bot.c"));
        assert!(said("bot").contains(
            "there is no command 'bot' on the PATH; a program in the current folder is written './bot'"
        ));
        assert!(said("python3 nada.py").contains("there is no 'nada.py' in the folder"));
    }

    #[test]
    fn an_installation_that_is_named_is_no_file_of_the_bot() {
        let place = Place::with(&["venv/bin/python", "venv/lib/x", "bots/ana.py", "caio/venv/bin/python"]);
        std::fs::write(place.root().join("caio/venv/pyvenv.cfg"), "").unwrap();
        std::fs::write(place.root().join("caio/bot.py"), "").unwrap();
        let line = place.parse("venv/bin/python bots/ana.py").unwrap();
        assert!(line.is_installed);
        assert_eq!(line.named, [place.root().join("bots/ana.py")]);
        let inside = place.parse("caio/venv/bin/python caio/bot.py").unwrap();
        assert_eq!(inside.words, ["/bot/venv/bin/python", "/bot/bot.py"]);
    }

    /// What is handed in may hold links to other people's files.
    #[test]
    fn no_folder_on_the_way_to_a_file_may_be_a_link() {
        let place = Place::with(&["beto/src/main.py", "ana/x"]);
        std::os::unix::fs::symlink("../beto/src", place.root().join("ana/src")).unwrap();
        assert!(matches!(place.parse("sh ana/src/main.py"), Err(CommandError::ThroughLink { .. })));
        let real = CommandLine::parse("sh ../beto/src/main.py", &place.root().join("ana"), None, &[]);
        assert!(real.is_ok());
    }
}
