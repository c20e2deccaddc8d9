//! The programs that take part.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::contain::executable::{self, StartProblem};
use crate::contain::launch::{Confinement, Launch};
use crate::contain::visible_files::is_system;
use crate::engine::{Level, catalogue};
use crate::game::Setup;
use crate::referee::protocol::Protocol;

/// What stands before the command of an engine that speaks HTP.
pub const HTP: &str = "htp:";

/// The hidden subcommand under which this executable is the reference engine.
pub const REFERENCE: &str = "reference";

/// A program that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its name in the tables: letters, digits, `.`, `_` and `-` only, so that it can be part of a file's name.
    pub name: String,
    /// How it is started, as it was given, with `htp:` before the command of an engine.
    pub command: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// Commands that an engine is sent before its game.
    pub commands: Vec<String>,
    /// The folder that holds nothing but this bot, if it was found as one.
    pub folder: Option<PathBuf>,
    /// The file that is executed.
    pub program: PathBuf,
    /// Whether that file was named, and not found among the system's commands.
    named: bool,
    arguments: Vec<String>,
    /// Of a built-in.
    level: Option<Level>,
}

/// Why a text does not name a program that can take part.
#[derive(Debug, Error)]
pub enum RosterError {
    /// The text is empty.
    #[error("a bot is empty; write a command such as './bot', 'NAME=python3 bot.py' or '@greedy'")]
    Empty,
    /// There is no such built-in.
    #[error("there is no built-in bot '{given}'; there are: {list}", list = built_ins())]
    NoBuiltIn {
        /// What was asked for.
        given: String,
    },
    /// Its protocol is of another game.
    #[error("bot '{name}' cannot play: HTP engines play hex, not {game}")]
    OtherGame {
        /// The bot's name.
        name: String,
        /// The game.
        game: &'static str,
    },
    /// The reference engine does not play this game.
    #[error("bot '{name}' cannot play: the reference engine does not play {game}")]
    NoEngine {
        /// The bot's name.
        name: String,
        /// The game.
        game: &'static str,
    },
    /// It has commands to begin with, and speaks no protocol of commands.
    #[error("bot '{0}' has set-up commands, which are for HTP engines: write protocol = \"htp\" too")]
    NoCommands(String),
    /// A command to begin with is none.
    #[error("bot '{name}': the set-up command '{}' is empty or not on one line", .command.escape_debug())]
    SetupCommand {
        /// The bot's name.
        name: String,
        /// What was given.
        command: String,
    },
    /// The command line cannot be taken apart.
    #[error("the command '{0}' has an open quotation mark")]
    Quotes(String),
    /// The program cannot be started.
    #[error("bot '{name}': {problem}")]
    Start {
        /// The bot's name.
        name: String,
        /// What is wrong.
        problem: StartProblem,
    },
    /// The executable that is running cannot be found, and with it the built-in bots.
    #[error("cannot find this program's own file to start the built-in bots from: {0}")]
    OwnFile(#[from] io::Error),
    /// The name cannot be part of a file's name.
    #[error(
        "'{0}' cannot be a bot's name: up to 60 letters, digits, '.', '_' and '-' can, beginning with a letter or digit"
    )]
    Name(String),
    /// Two have the same name.
    #[error(
        "two bots are called '{name}': {first} and {second}; give one of them another name with NAME=COMMAND"
    )]
    SameName {
        /// The name.
        name: String,
        /// One's command.
        first: String,
        /// The other's command.
        second: String,
    },
    /// A folder has no bots in it.
    #[error(
        "there is no program that may be run in the folder '{0}'; are the bots compiled, and is their run bit set?"
    )]
    EmptyFolder(PathBuf),
    /// A folder cannot be read.
    #[error("cannot read the folder '{0}': {1}")]
    Folder(PathBuf, io::Error),
}

fn built_ins() -> String {
    Level::ALL.map(|level| format!("@{level}")).join(", ")
}

impl Entrant {
    /// Reads `[NAME=][htp:]COMMAND`, a path or a built-in such as `@greedy`, and makes sure that it can be started.
    pub fn parse(text: &str) -> Result<Entrant, RosterError> {
        let (name, command) = split_name(text);
        Entrant::new(name, command)
    }

    /// A program with this name, or one taken from its command.
    pub fn new(name: Option<&str>, given: &str) -> Result<Entrant, RosterError> {
        let (protocol, command) = match given.strip_prefix(HTP) {
            Some(command) => (Protocol::Htp, command.trim()),
            None => (Protocol::Plain, given),
        };
        let level: Option<Level> = match command.strip_prefix('@').map(str::parse) {
            None => None,
            Some(Ok(level)) => Some(level),
            Some(Err(_)) => return Err(RosterError::NoBuiltIn { given: command.to_owned() }),
        };
        let (program, arguments) = match level {
            Some(level) => {
                let own = std::env::current_exe()?.display().to_string();
                let mut arguments = vec![REFERENCE.to_owned(), "--level".to_owned(), level.to_string()];
                arguments.extend((protocol == Protocol::Htp).then(|| "--htp".to_owned()));
                (own, arguments)
            }
            None => split_command(command)?,
        };
        let name = match name {
            Some(name) if is_name(name) => name.to_owned(),
            Some(name) => return Err(RosterError::Name(name.to_owned())),
            None => usual_name(command, &program, &arguments),
        };
        match executable::examine(&program) {
            Ok(path) => {
                let named = program.contains('/');
                // Programs are started in a folder of their own, where nothing would be found from here.
                let arguments = arguments.iter().map(|argument| from_anywhere(argument)).collect();
                let (command, program) = (given.to_owned(), absolute(&path));
                let (commands, folder) = (Vec::new(), None);
                Ok(Entrant { name, command, protocol, commands, folder, program, named, arguments, level })
            }
            Err(problem) => Err(RosterError::Start { name, problem }),
        }
    }

    /// The same engine, which is sent these commands before its game.
    pub fn with_commands(self, commands: Vec<String>) -> Result<Entrant, RosterError> {
        if self.protocol == Protocol::Plain && !commands.is_empty() {
            return Err(RosterError::NoCommands(self.name));
        }
        let unsound = |command: &&String| command.trim().is_empty() || command.contains(char::is_control);
        match commands.iter().find(unsound).cloned() {
            Some(command) => Err(RosterError::SetupCommand { name: self.name, command }),
            None => Ok(Entrant { commands, ..self }),
        }
    }

    /// Makes sure that it can play a game: an engine speaks of Hex alone, and not every game need have built-ins.
    pub fn check(&self, game: &'static str) -> Result<(), RosterError> {
        let name = self.name.clone();
        if !self.protocol.plays(game) {
            return Err(RosterError::OtherGame { name, game });
        }
        if self.is_built_in() && catalogue::find(game).is_none() {
            return Err(RosterError::NoEngine { name, game });
        }
        Ok(())
    }

    /// The files and folders that its command names, those of the system aside: first what is run, if that is not the
    /// program itself.
    pub fn own_files(&self) -> Vec<PathBuf> {
        let scripts = self.arguments.iter().flat_map(|argument| argument.split(':')).map(PathBuf::from);
        let scripts = scripts.filter(|path| path.is_absolute() && path.exists());
        let program = Some(self.program.clone()).filter(|_| self.named || self.is_built_in());
        scripts.chain(program).filter(|path| !is_system(path)).collect()
    }

    /// Whether it is a level of the reference engine.
    pub fn is_built_in(&self) -> bool {
        self.level.is_some()
    }

    /// How to start the program with these arguments and variables on top of its own.
    pub fn launch(
        &self,
        arguments: Vec<String>,
        environment: Vec<(String, String)>,
        confinement: Option<Confinement>,
    ) -> Launch {
        let arguments = self.arguments.iter().cloned().chain(arguments).collect();
        Launch { program: self.program.display().to_string(), arguments, environment, confinement }
    }
}

/// The path from the root, with the true name of its folder and its own name as it is: what a link leads to may look at the
/// name that it was called by.
fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (whole.parent().map(Path::canonicalize), whole.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => whole,
    }
}

/// An argument that means the same in every folder: if it names something that is here, or a list of such, from the root.
fn from_anywhere(argument: &str) -> String {
    let piece = |piece: &str| {
        let path = Path::new(piece);
        (!piece.is_empty() && path.exists()).then(|| absolute(path).display().to_string())
    };
    let pieces: Option<Vec<String>> = argument.split(':').map(piece).collect();
    pieces.map_or_else(|| argument.to_owned(), |pieces| pieces.join(":"))
}

/// Gives a number to every name that is not the first of its kind.
pub fn make_names_unique(entrants: &mut [Entrant]) {
    let names = unique_names(entrants.iter().map(|entrant| entrant.name.as_str()));
    entrants.iter_mut().zip(names).for_each(|(entrant, name)| entrant.name = name);
}

/// The names, each that is not the first of its kind with a number.
pub fn unique_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for wanted in names {
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
        unique.extend(candidates.find(|name| !unique.contains(name)));
    }
    unique
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
/// after the folder. Files that may be run but cannot be started are told to `warn` and left out: one student's mistake is
/// not everybody's.
pub fn in_folder(folder: &Path, mut warn: impl FnMut(String)) -> Result<Vec<Entrant>, RosterError> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for path in entries(folder)? {
        let program = if path.is_dir() {
            let mut programs: Vec<PathBuf> =
                entries(&path)?.into_iter().filter(|path| is_runnable(path)).collect();
            if programs.len() == 1 { programs.pop() } else { None }
        } else {
            is_runnable(&path).then(|| path.clone())
        };
        found.extend(program.map(|program| (safe_name(&lossy(path.file_stem())), program)));
    }
    let mut entrants = Vec::new();
    for (stem, program) in &found {
        // `ana` and `ana.py` are told apart by their whole names.
        let alone = found.iter().filter(|(other, _)| other == stem).count() == 1;
        let name = if alone { stem.clone() } else { safe_name(&lossy(program.file_name())) };
        match Entrant::new(Some(&name), &program.display().to_string()) {
            // A program that is not in the folder itself is in one of its own.
            Ok(entrant) => {
                let own = program.parent().filter(|parent| *parent != folder).map(absolute);
                entrants.push(Entrant { folder: own, ..entrant });
            }
            Err(problem) => warn(format!("left out: {problem}")),
        }
    }
    if entrants.is_empty() { Err(RosterError::EmptyFolder(folder.to_owned())) } else { Ok(entrants) }
}

fn lossy(text: Option<&OsStr>) -> String {
    text.unwrap_or_default().to_string_lossy().into_owned()
}

/// What is in a folder and not hidden, in order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, RosterError> {
    let failed = |error| RosterError::Folder(folder.to_owned(), error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
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

/// `NAME=` in front of a command.
fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        // What has a blank, a slash or a quotation mark in it is the beginning of a command.
        Some((name, command)) if !name.is_empty() && !name.contains([' ', '/', '"', '\'']) => {
            (Some(name), command.trim())
        }
        _ => (None, text.trim()),
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric) && text.chars().all(allowed_in_name) && text.len() <= LONGEST_NAME
}

/// In bytes: a log's name has room for it.
const LONGEST_NAME: usize = 60;

/// A text with everything replaced that a name cannot have.
fn safe_name(text: &str) -> String {
    let safe = |letter| if allowed_in_name(letter) { letter } else { '_' };
    let mut name: String = text.chars().map(safe).collect();
    if !name.starts_with(char::is_alphanumeric) {
        name.insert_str(0, "bot");
    }
    while name.len() > LONGEST_NAME {
        name.pop();
    }
    name
}

fn allowed_in_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | '_' | '-')
}

/// A program and its arguments. A text that is a file's name as it stands is that file, whatever blanks are in it.
fn split_command(command: &str) -> Result<(String, Vec<String>), RosterError> {
    if command.contains('/') && Path::new(command).exists() {
        return Ok((command.to_owned(), Vec::new()));
    }
    let words = shell_words::split(command).map_err(|_| RosterError::Quotes(command.to_owned()))?;
    let mut words = words.into_iter();
    let program = words.next().ok_or(RosterError::Empty)?;
    Ok((program, words.collect()))
}

/// What a bot is called when nobody says: the built-in's level, or the file that the command is about, which for
/// `python3 bots/ana.py` is the script.
fn usual_name(command: &str, program: &str, arguments: &[String]) -> String {
    if let Some(level) = command.strip_prefix('@') {
        return level.to_owned();
    }
    let file = arguments.iter().rev().find(|argument| Path::new(argument).is_file());
    let path = Path::new(file.map_or(program, String::as_str));
    safe_name(&lossy(path.file_stem()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_text_the_script_or_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("ana maria.py");
        std::fs::write(&script, "").unwrap();
        let entrant = |text: &str| Entrant::parse(text).unwrap();
        assert_eq!(entrant("beto=sh -c 'exit 1'").name, "beto");
        assert_eq!(entrant("sh -c 'a=1'").name, "sh");
        assert_eq!(entrant(&format!("sh '{}' --fast", script.display())).name, "ana_maria");
        assert_eq!(entrant("@greedy").name, "greedy");
        let launch = entrant("sh -c 'exit 1'").launch(vec!["b".into()], Vec::new(), None);
        assert!(launch.program.ends_with("/sh"), "{}", launch.program);
        assert_eq!(launch.arguments, ["-c", "exit 1", "b"]);
    }

    #[test]
    fn bad_bots_are_refused_with_a_reason() {
        let refusal = |text: &str| Entrant::parse(text).unwrap_err().to_string();
        assert!(refusal("").contains("empty"));
        assert!(refusal("@gready").contains("@greedy"));
        assert!(refusal("sh 'x").contains("quotation mark"));
        assert!(refusal("ana=./nothing").contains("bot 'ana': './nothing' does not exist"));
        assert!(refusal("ana=htp:./nothing").contains("bot 'ana': './nothing' does not exist"));
        assert!(refusal("htp:").contains("empty"));
    }

    #[test]
    fn engines_speak_htp_and_play_hex() {
        let engine = Entrant::parse("mohex=htp: sh -c 'exit 1'").unwrap();
        assert_eq!((engine.name.as_str(), engine.protocol), ("mohex", Protocol::Htp));
        assert!(engine.check("hex").is_ok());
        assert_eq!(
            engine.check("rhex").unwrap_err().to_string(),
            "bot 'mohex' cannot play: HTP engines play hex, not rhex"
        );
        let built_in = Entrant::parse("htp:@greedy").unwrap();
        assert_eq!(built_in.name, "greedy");
        assert_eq!(built_in.launch(Vec::new(), Vec::new(), None).arguments.last().unwrap(), "--htp");
        let setup =
            |text: &str, command: &str| Entrant::parse(text).unwrap().with_commands(vec![command.into()]);
        assert!(setup("htp:sh", "param_mohex max_time 1").is_ok());
        assert!(
            setup("htp:sh", "a\nb").unwrap_err().to_string().contains("'a\\nb' is empty or not on one line")
        );
        assert!(setup("sh", "a").unwrap_err().to_string().contains("protocol = \"htp\""));
    }

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
        assert_eq!(names, ["ana.py", "beto", "caio_silva"]);
        assert!(
            problems.len() == 1
                && problems[0].contains("bot 'ana'")
                && problems[0].contains("does not exist")
        );
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
