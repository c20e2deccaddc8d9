//! The programs that take part.

use std::path::Path;

use thiserror::Error;

use crate::engine::Level;
use crate::referee::bot::Launch;
use crate::referee::startup::{self, StartProblem};

/// The hidden subcommand under which this executable is the reference engine.
pub const REFERENCE: &str = "reference";

/// A program that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its name in the tables: letters, digits, `.`, `_` and `-` only, so that it can be part of a file's name.
    pub name: String,
    /// How it is started, as it was given.
    pub command: String,
    program: String,
    arguments: Vec<String>,
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
    OwnFile(#[from] std::io::Error),
}

fn built_ins() -> String {
    Level::ALL.map(|level| format!("@{level}")).join(", ")
}

impl Entrant {
    /// Reads `[NAME=]COMMAND`, a path or a built-in such as `@greedy`, and makes sure that it can be started.
    pub fn parse(text: &str) -> Result<Entrant, RosterError> {
        let (given_name, command) = split_name(text);
        let (program, arguments) = match command.strip_prefix('@') {
            Some(level) => {
                let level: Level =
                    level.parse().map_err(|_| RosterError::NoBuiltIn { given: command.to_owned() })?;
                let own = std::env::current_exe()?.display().to_string();
                (own, vec![REFERENCE.to_owned(), "--level".to_owned(), level.to_string()])
            }
            None => split_command(command)?,
        };
        let name = match given_name {
            Some(name) => name.to_owned(),
            None => usual_name(command, &program, &arguments),
        };
        match startup::examine(&program) {
            Ok(_) => Ok(Entrant { name, command: command.to_owned(), program, arguments }),
            Err(problem) => Err(RosterError::Start { name, problem }),
        }
    }

    /// How to start the program with these arguments and variables on top of its own.
    pub fn launch(&self, arguments: Vec<String>, environment: Vec<(String, String)>) -> Launch {
        let arguments = self.arguments.iter().cloned().chain(arguments).collect();
        Launch { program: self.program.clone(), arguments, environment }
    }
}

/// Gives a number to every name that is not the first of its kind.
pub fn make_names_unique(entrants: &mut [Entrant]) {
    for index in 1..entrants.len() {
        let (earlier, entrant) = entrants.split_at_mut(index);
        let taken = |name: &str| earlier.iter().any(|other| other.name == name);
        let wanted = entrant[0].name.clone();
        let mut number = 2;
        while taken(&entrant[0].name) {
            entrant[0].name = format!("{wanted}-{number}");
            number += 1;
        }
    }
}

/// `NAME=` in front of a command.
fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, command)) if !name.is_empty() && name.chars().all(allowed_in_name) => {
            (Some(name), command.trim())
        }
        _ => (None, text.trim()),
    }
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
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name: String =
        stem.chars().map(|letter| if allowed_in_name(letter) { letter } else { '_' }).collect();
    if name.is_empty() { "bot".to_owned() } else { name }
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
        let launch = entrant("sh -c 'exit 1'").launch(vec!["b".into()], Vec::new());
        assert_eq!(
            (launch.program.as_str(), launch.arguments),
            ("sh", vec!["-c".into(), "exit 1".into(), "b".into()])
        );
    }

    #[test]
    fn bad_bots_are_refused_with_a_reason() {
        let refusal = |text: &str| Entrant::parse(text).unwrap_err().to_string();
        assert!(refusal("").contains("empty"));
        assert!(refusal("@gready").contains("@greedy"));
        assert!(refusal("sh 'x").contains("quotation mark"));
        assert!(refusal("ana=./nothing").contains("bot 'ana': './nothing' does not exist"));
    }

    #[test]
    fn a_bot_may_meet_itself() {
        let mut entrants =
            ["@random", "@random", "random-2=@greedy", "@random"].map(|text| Entrant::parse(text).unwrap());
        make_names_unique(&mut entrants);
        assert_eq!(entrants.map(|entrant| entrant.name), ["random", "random-2", "random-2-2", "random-3"]);
    }
}
