//! A program that takes part.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::bot_name::{self, NameProblem, safe_name};
use super::command_line::{self, CommandError, CommandLine};
use crate::contain::executable;
use crate::contain::language::word;
use crate::contain::launch::{Confinement, Launch};
use crate::contain::system_words::system_words;
use crate::engine::{Level, catalogue};
use crate::game::nearest::nearest;
use crate::record::Identity;
use crate::referee::protocol::Protocol;

/// What stands before the command of an engine that speaks HTP.
pub const HTP: &str = "htp:";

/// The hidden subcommand under which this executable is the reference engine.
pub const REFERENCE: &str = "reference";

/// A program that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its name in the tables, which [`bot_name`] allows.
    pub name: String,
    /// Whether somebody has given it that name; otherwise it comes from its command or its file.
    pub is_named: bool,
    /// How it is started, as it was given, with `htp:` before the command of an engine.
    pub command: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// Commands that an engine is sent before its game.
    pub commands: Vec<String>,
    /// Files that belong to it beside those that its command names, as they were given.
    pub files: Vec<String>,
    /// The folder that paths in its command are counted from.
    pub from: PathBuf,
    /// Its command, taken apart.
    pub line: CommandLine,
    /// Whose the folder is that it stands in.
    pub home: Home,
    /// The folder that holds this bot alone, if it is known to have one.
    pub folder: Option<PathBuf>,
    /// Where its own files are when it plays: its copy, or where they were found.
    pub own: Option<PathBuf>,
    /// The hash of all the files it consists of, once they have been read.
    pub identity: Option<Identity>,
    /// The level of the reference engine that it is, if it is a built-in.
    pub level: Option<Level>,
}

/// Whose the folder is that a bot stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Home {
    /// Nobody has said.
    #[default]
    Unknown,
    /// The bot's alone.
    Own,
    /// That of many bots.
    Shared,
}

impl Home {
    /// Whether nobody has said.
    pub fn is_unknown(&self) -> bool {
        *self == Home::Unknown
    }
}

/// Why a text does not name a program that can take part.
#[derive(Debug, Error)]
pub enum RosterError {
    /// There is no such built-in.
    #[error("there is no built-in bot '{given}'; {advice}", advice = other_built_in(.given))]
    NoBuiltIn {
        /// What was asked for.
        given: String,
    },
    /// There is no such command, and a built-in has such a name.
    #[error(
        "there is no program '{given}'; did you mean the built-in @{level}? A program in the current folder is written './{given}'"
    )]
    MeantBuiltIn {
        /// What was asked for.
        given: String,
        /// What was meant, perhaps.
        level: Level,
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
    /// Its command is of no use.
    #[error("{whose}{problem}", whose = name.as_ref().map_or(String::new(), |name| format!("bot '{name}': ")))]
    Command {
        /// The bot's name, if it is known.
        name: Option<String>,
        /// What is wrong.
        problem: CommandError,
    },
    /// The executable that is running cannot be found, and with it the built-in bots.
    #[error("cannot find this program's own file to start the built-in bots from: {}", system_words(.0))]
    OwnFile(#[from] io::Error),
    /// Nobody can be called so.
    #[error(transparent)]
    Name(#[from] NameProblem),
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
    #[error("there is no program that may be run in the folder '{}'{}", .folder.display(), without_bots(.folder, *.is_empty, *.needs_building))]
    NoBots {
        /// The folder.
        folder: PathBuf,
        /// Whether there is nothing in it at all.
        is_empty: bool,
        /// Whether there is something that `arbitro build` can make a bot of.
        needs_building: bool,
    },
    /// A folder is called as another game is.
    #[error(
        "'{}' is a folder for {other}, and this is a championship of {game}; add --game {other}, or call the folder otherwise",
        .folder.display()
    )]
    OtherGamesFolder {
        /// The folder.
        folder: PathBuf,
        /// The game that is to be played.
        game: String,
        /// The game that the folder is called after.
        other: &'static str,
    },
    /// Every bot sees the system.
    #[error("'{0}' is part of the system, which every bot sees; put the bots elsewhere")]
    SystemFolder(PathBuf),
    /// A folder cannot be read.
    #[error("cannot read the folder '{0}': {words}", words = system_words(.1))]
    Folder(PathBuf, io::Error),
}

/// Where a command was written, and what belongs to the bot beside it.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The folder that paths are counted from.
    pub from: &'a Path,
    /// The folder that holds this bot alone, if it was found in one.
    pub folder: Option<&'a Path>,
    /// Files that belong to it besides those that its command names.
    pub files: &'a [String],
}

/// What to do about a folder without bots.
fn without_bots(folder: &Path, is_empty: bool, needs_building: bool) -> String {
    match (is_empty, needs_building) {
        (true, _) => ": it is empty".to_owned(),
        (_, true) => format!(" yet; to unpack and build what is there: arbitro build {}", word(folder)),
        _ => "; are the bots compiled, and is their run bit set (chmod +x)?".to_owned(),
    }
}

/// The level that a word is near to.
fn near_level(word: &str) -> Option<Level> {
    let names = Level::ALL.map(|level| level.to_string());
    nearest(word, names.iter().map(String::as_str)).and_then(|name| name.parse().ok())
}

/// The built-in that may have been meant, or all there are.
fn other_built_in(given: &str) -> String {
    match near_level(given.trim_start_matches('@')) {
        Some(level) => format!("did you mean @{level}?"),
        None => format!("there are: {}", Level::ALL.map(|level| format!("@{level}")).join(", ")),
    }
}

impl Entrant {
    /// Reads `[NAME=][htp:]COMMAND`, a path or a built-in such as `@greedy`, and makes sure that it can be started.
    pub fn parse(text: &str) -> Result<Entrant, RosterError> {
        let (name, command) = split_name(text);
        Entrant::new(name, command).map_err(|problem| match problem {
            RosterError::Command { .. } => {
                no_name(text).or_else(|| meant_built_in(command)).unwrap_or(problem)
            }
            problem => problem,
        })
    }

    /// A program with this name, or one taken from its command, which was written in the current folder.
    pub fn new(name: Option<&str>, given: &str) -> Result<Entrant, RosterError> {
        let from = std::env::current_dir()?;
        Entrant::of(name, given, Origin { from: &from, folder: None, files: &[] })
    }

    /// A program with this name, or one taken from its command.
    pub fn of(name: Option<&str>, given: &str, origin: Origin) -> Result<Entrant, RosterError> {
        let name = name.map(bot_name::read).transpose()?;
        let (protocol, command) = match given.strip_prefix(HTP) {
            Some(command) => (Protocol::Htp, command.trim()),
            None => (Protocol::Plain, given),
        };
        let level: Option<Level> = match command.strip_prefix('@').map(str::parse) {
            None => None,
            Some(Ok(level)) => Some(level),
            Some(Err(_)) => return Err(RosterError::NoBuiltIn { given: command.to_owned() }),
        };
        let line = match level {
            Some(level) => built_in(level, protocol)?,
            None => {
                let usual = || name.clone().or_else(|| usual_name(command, origin.from));
                let failed = |problem| RosterError::Command { name: usual(), problem };
                CommandLine::parse(command, origin.from, origin.folder, origin.files).map_err(failed)?
            }
        };
        let is_named = name.is_some();
        let name = match (name, level) {
            (Some(name), _) => name,
            (None, Some(level)) => level.to_string(),
            (None, None) => usual_name(command, origin.from).unwrap_or_default(),
        };
        Ok(Entrant {
            name,
            is_named,
            command: given.to_owned(),
            protocol,
            commands: Vec::new(),
            files: origin.files.to_vec(),
            from: origin.from.to_owned(),
            own: line.base.clone(),
            line,
            home: if origin.folder.is_some() { Home::Own } else { Home::Unknown },
            folder: origin.folder.map(Path::to_owned),
            identity: None,
            level,
        })
    }

    /// A program whose files are no longer where they were, and which plays from its copy: these are the words that were kept.
    pub fn kept(name: &str, given: &str, words: Vec<String>, origin: Origin) -> Entrant {
        Entrant {
            name: name.to_owned(),
            is_named: true,
            command: given.to_owned(),
            protocol: if given.starts_with(HTP) { Protocol::Htp } else { Protocol::Plain },
            commands: Vec::new(),
            files: origin.files.to_vec(),
            from: origin.from.to_owned(),
            line: CommandLine::kept(words),
            home: Home::Unknown,
            folder: origin.folder.map(Path::to_owned),
            own: None,
            identity: None,
            level: None,
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

    /// Whether it is a level of the reference engine.
    pub fn is_built_in(&self) -> bool {
        self.level.is_some()
    }

    /// Whether it is run by Node or its like.
    pub fn is_javascript(&self) -> bool {
        const RUNTIMES: [&str; 4] = ["node", "nodejs", "deno", "bun"];
        let program = self.line.program();
        let runtime =
            if self.line.is_installed { Some(program) } else { executable::interpreter_of(&program) };
        runtime.is_some_and(|path| {
            RUNTIMES.iter().any(|known| path.file_name().is_some_and(|name| name == *known))
        })
    }

    /// How to start the program with these arguments and variables on top of its own. `own` is where it finds its own files.
    pub fn launch(
        &self,
        own: &Path,
        arguments: Vec<String>,
        environment: Vec<(String, String)>,
        confinement: Option<Confinement>,
    ) -> Launch {
        let mut words = self.line.words_at(own).into_iter();
        let program = words.next().unwrap_or_default();
        let arguments = words.chain(arguments).collect();
        Launch { program, arguments, environment, core: None, is_held: false, confinement }
    }
}

/// The built-in that was meant, perhaps, by a command that there is not.
fn meant_built_in(command: &str) -> Option<RosterError> {
    let level = near_level(command)?;
    Some(RosterError::MeantBuiltIn { given: command.to_owned(), level })
}

/// The command of a level of the reference engine: this very program.
fn built_in(level: Level, protocol: Protocol) -> Result<CommandLine, RosterError> {
    let program = std::env::current_exe()?.display().to_string();
    let mut words = vec![program, REFERENCE.to_owned(), "--level".to_owned(), level.to_string()];
    words.extend((protocol == Protocol::Htp).then(|| "--htp".to_owned()));
    Ok(CommandLine { words, is_installed: true, ..CommandLine::default() })
}

/// `NAME=` in front of a command, as in `Ana Silva=./bot`.
///
/// An `=` may also be part of a command, as in `env X=1 ./bot`. So what stands before it is no name if it has a `/` in it or begins
/// with a quotation mark; and if it is several words, unless the first is no command and none of the others is an option.
fn split_name(text: &str) -> (Option<&str>, &str) {
    let command = (None, text.trim());
    let Some((name, rest)) = text.split_once('=') else { return command };
    if name.contains('/') || name.starts_with(['"', '\'']) || name.starts_with(HTP) {
        return command;
    }
    let mut words = name.split_whitespace();
    let Some(first) = words.next() else { return command };
    let others: Vec<&str> = words.collect();
    let is_option = |word: &&str| word.len() > 1 && word.starts_with('-');
    if !others.is_empty() && (others.iter().any(is_option) || executable::is_command(first)) {
        return command;
    }
    (Some(name), rest.trim())
}

/// What is wrong with what stands before a command that can be started, if that is meant for a name and cannot be one.
fn no_name(text: &str) -> Option<RosterError> {
    let (name, command) = text.split_once('=')?;
    Entrant::new(None, command.trim()).ok()?;
    bot_name::read(name).err().map(RosterError::Name)
}

/// What a bot is called when nobody says: the file that the command is about, which for `python3 bots/ana.py` is the script.
fn usual_name(command: &str, from: &Path) -> Option<String> {
    let (program, arguments) = command_line::split(command, from).ok()?;
    let file = arguments.iter().rev().find(|argument| from.join(argument).is_file());
    let path = Path::new(file.map_or(program.as_str(), String::as_str));
    Some(safe_name(&path.file_stem().unwrap_or_default().to_string_lossy()))
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
        assert_eq!(entrant(&format!("sh '{}' --fast", script.display())).name, "ana maria");
        assert_eq!(entrant("@greedy").name, "greedy");
        let launch = entrant("sh -c 'exit 1'").launch(Path::new("/bot"), vec!["b".into()], Vec::new(), None);
        assert!(launch.program.ends_with("/sh"), "{}", launch.program);
        assert_eq!(launch.arguments, ["-c", "exit 1", "b"]);
    }

    #[test]
    fn bad_bots_are_refused_with_a_reason() {
        let refusal = |text: &str| Entrant::parse(text).unwrap_err().to_string();
        assert!(refusal("").contains("empty"));
        assert!(refusal("@gready").contains("did you mean @greedy?"));
        assert!(refusal("random").contains("did you mean the built-in @random?"));
        assert!(refusal("ana=greddy").contains("did you mean the built-in @greedy?"));
        assert!(refusal("Ana Silva=./x").contains("bot 'Ana Silva': './x' does not exist"));
        assert!(refusal("=sh").contains("a bot's name cannot be empty"));
        assert!(refusal("a/b=sh").contains("'a/b' cannot be a bot's name, since it has"));
        assert!(refusal("a/b=./nothing").contains("'a/b=./nothing' does not exist"));
        assert!(refusal("-x=sh").contains("write for example 'bot-x'"));
        assert!(refusal("sh 'x").contains("quotation mark"));
        assert!(refusal("ana=./nothing").contains("bot 'ana': './nothing' does not exist"));
        assert!(refusal("ana=htp:./nothing").contains("bot 'ana': './nothing' does not exist"));
        assert!(refusal("htp:").contains("empty"));
    }

    #[test]
    fn what_stands_before_an_equals_sign_is_a_name_unless_it_begins_a_command() {
        for (text, name) in [
            ("ana=sh", Some("ana")),
            ("Ana Silva=sh -c 'x=1'", Some("Ana Silva")),
            ("D'Ávila, João=sh b.py", Some("D'Ávila, João")),
            ("Ana - Beto = sh", Some("Ana - Beto ")),
            ("env X=1 ./bot", None),
            ("sh -c 'a=1'", None),
            ("no-such-interpreter -Dx=1 Main", None),
            ("./a b=c", None),
            ("\"my bot\" x=1", None),
            ("htp:mohex x=1", None),
        ] {
            assert_eq!(split_name(text).0, name, "{text}");
        }
        assert_eq!(Entrant::parse(" Joa\u{303}o  Silva = sh").unwrap().name, "João Silva");
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
        assert_eq!(
            built_in.launch(Path::new("/bot"), Vec::new(), Vec::new(), None).arguments.last().unwrap(),
            "--htp"
        );
        let setup =
            |text: &str, command: &str| Entrant::parse(text).unwrap().with_commands(vec![command.into()]);
        assert!(setup("htp:sh", "param_mohex max_time 1").is_ok());
        assert!(
            setup("htp:sh", "a\nb").unwrap_err().to_string().contains("'a\\nb' is empty or not on one line")
        );
        assert!(setup("sh", "a").unwrap_err().to_string().contains("protocol = \"htp\""));
    }
}
