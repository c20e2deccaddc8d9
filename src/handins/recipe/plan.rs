//! What is known of how a hand-in is built and started.

use std::path::{Path, PathBuf};

use crate::contain::language::shown;
use crate::handins::outcome::Outcome;
use crate::handins::toolbox::{Missing, Toolbox};

/// How a hand-in is built and started. Its paths are counted from the folder of the hand-in.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// How it is built, in a few words.
    pub how: String,
    /// What has to be done.
    pub step: Step,
    /// How the bot is started then.
    pub starts: Starts,
    /// What there is to say about it.
    pub remarks: Vec<String>,
    /// The tools of this machine.
    pub toolbox: Toolbox,
}

/// What has to be done before a hand-in is a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing.
    Nothing,
    /// Something is only looked through, by these lines for the shell: the bot is what was handed in.
    Check(String),
    /// Something is made by these lines for the shell.
    Build(String),
}

/// How a bot is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Starts {
    /// By this command.
    With(String),
    /// By what was made: what it may be called, the likeliest first.
    WhatIsMade(Vec<String>),
}

/// Why there is nothing to build or to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nothing {
    /// It has no program: what it has instead.
    NoProgram(String),
    /// What the professor has chosen is not in it.
    NotChosen(String),
    /// This machine lacks a tool.
    Lacks(Missing),
}

impl Nothing {
    /// What becomes of the hand-in.
    pub fn outcome(self) -> Outcome {
        match self {
            Nothing::NoProgram(what) => Outcome::NothingFound(what),
            Nothing::NotChosen(what) => Outcome::Failed(what),
            Nothing::Lacks(missing) => Outcome::Failed(missing.to_string()),
        }
    }

    /// Whether it should be tried again once other tools are installed.
    pub fn lacks_tool(&self) -> bool {
        matches!(self, Nothing::Lacks(_))
    }
}

impl From<Missing> for Nothing {
    fn from(missing: Missing) -> Nothing {
        Nothing::Lacks(missing)
    }
}

/// A path as a word for the shell, and in the command of a bot.
pub fn word(path: &Path) -> String {
    let text = path.to_string_lossy();
    // Compilers take these for an option, and for a file of options.
    let text = if text.starts_with(['-', '@']) { format!("./{text}") } else { text.into_owned() };
    shell_words::quote(&text).into_owned()
}

/// The command that starts a program by its path.
pub fn run(program: &Path) -> String {
    shell_words::quote(&format!("./{}", program.display())).into_owned()
}

/// A few paths as words.
pub fn words(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| word(path)).collect::<Vec<_>>().join(" ")
}

/// What is said of a program that was taken though there are others.
pub fn taken(taken: &Path, others: &[&Path]) -> String {
    let most = others.len().min(3);
    let names: Vec<String> = others[..most].iter().map(|path| format!("'{}'", shown(path))).collect();
    let more = if others.len() > most { " and others" } else { "" };
    format!(
        "took '{}' and not {}{more}; to choose another, give --choices a file with [[handins]] and its main",
        shown(taken),
        names.join(", ")
    )
}
