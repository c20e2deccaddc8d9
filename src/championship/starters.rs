//! The starters: for each game and language a player to begin from, carried in the executable as source.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::contain::executable;
use crate::game::nearest::nearest;
use crate::game::{self, GAMES, SetupError};

/// A language that there are starters in.
pub struct StarterLanguage {
    /// What it is called on the command line, the usual name first.
    names: &'static [&'static str],
    /// What people call it.
    pub title: &'static str,
    /// The name of the file that holds the player.
    pub source: &'static str,
    /// The player's source, by game.
    sources: &'static [(&'static str, &'static str)],
    /// The file that says how it is built, with its text.
    build_file: Option<(&'static str, &'static str)>,
    /// The command that builds it, if it has to be built.
    pub build: Option<&'static str>,
    /// The bot that it is then, as arbitro's commands are told.
    pub bot: &'static str,
    /// What it needs on the machine: commands, each with Debian's package of it.
    tools: &'static [(&'static str, &'static str)],
}

/// The sources of one file name, by game.
macro_rules! sources {
    ($file:literal) => {
        &[
            ("hex", include_str!(concat!("../../starters/hex/", $file))),
            ("rhex", include_str!(concat!("../../starters/rhex/", $file))),
            ("okupacio", include_str!(concat!("../../starters/okupacio/", $file))),
            ("xinez", include_str!(concat!("../../starters/xinez/", $file))),
        ]
    };
}

/// All languages that there are starters in.
pub static LANGUAGES: &[StarterLanguage] = &[
    StarterLanguage {
        names: &["c"],
        title: "C",
        source: "bot.c",
        sources: sources!("bot.c"),
        build_file: Some(("Makefile", include_str!("../../starters/build/c.mk"))),
        build: Some("make"),
        bot: "./bot",
        tools: &[("cc", "gcc libc6-dev"), ("make", "make")],
    },
    StarterLanguage {
        names: &["cpp", "c++", "cxx", "cc"],
        title: "C++",
        source: "bot.cpp",
        sources: sources!("bot.cpp"),
        build_file: Some(("Makefile", include_str!("../../starters/build/cpp.mk"))),
        build: Some("make"),
        bot: "./bot",
        tools: &[("g++", "g++"), ("make", "make")],
    },
    StarterLanguage {
        names: &["python", "python3", "py"],
        title: "Python",
        source: "bot.py",
        sources: sources!("bot.py"),
        build_file: None,
        build: None,
        bot: "./bot.py",
        tools: &[("python3", "python3")],
    },
    StarterLanguage {
        names: &["java"],
        title: "Java",
        source: "Bot.java",
        sources: sources!("Bot.java"),
        build_file: None,
        build: Some("javac Bot.java"),
        bot: "'bot=java -cp . Bot'",
        tools: &[("javac", "default-jdk-headless")],
    },
    StarterLanguage {
        names: &["javascript", "js", "node", "nodejs"],
        title: "JavaScript",
        source: "bot.js",
        sources: sources!("bot.js"),
        build_file: None,
        build: None,
        bot: "./bot.js",
        tools: &[("node", "nodejs")],
    },
    StarterLanguage {
        names: &["rust", "rs"],
        title: "Rust",
        source: "bot.rs",
        sources: sources!("bot.rs"),
        build_file: Some(("Cargo.toml", include_str!("../../starters/build/rust.toml"))),
        build: Some("cargo build --release"),
        bot: "target/release/bot",
        tools: &[("cargo", "cargo")],
    },
];

/// The name of the page that explains a starter.
const README: &str = "README.md";

/// Why a starter cannot be written.
#[derive(Debug, Error)]
pub enum StarterError {
    /// There is none in this language.
    #[error("there is no starter in '{0}'; {advice}", advice = other_language(.0))]
    Language(String),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] SetupError),
    /// The folder has something in it.
    #[error("the folder '{0}' is not empty; name a new one")]
    NotEmpty(PathBuf),
    /// There is a file of this name.
    #[error("'{0}' is a file; name a new folder")]
    File(PathBuf),
    /// A file cannot be written.
    #[error("cannot write '{0}': {1}")]
    Unwritable(PathBuf, io::Error),
}

/// The language that was meant, perhaps, or all there are.
fn other_language(word: &str) -> String {
    let names = || LANGUAGES.iter().flat_map(|language| language.names).copied();
    match nearest(word, names()) {
        Some(near) => format!("did you mean {near}?"),
        None => {
            let usual: Vec<&str> = LANGUAGES.iter().map(StarterLanguage::name).collect();
            format!("there are starters in: {}", usual.join(", "))
        }
    }
}

impl StarterLanguage {
    /// The language that somebody calls so.
    pub fn named(word: &str) -> Result<&'static StarterLanguage, StarterError> {
        let wanted = word.to_lowercase();
        let found = LANGUAGES.iter().find(|language| language.names.contains(&wanted.as_str()));
        found.ok_or_else(|| StarterError::Language(word.to_owned()))
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or(self.title)
    }

    /// The commands that it needs and that are not on this machine, each with Debian's package of it.
    pub fn missing_tools(&self) -> Vec<(&'static str, &'static str)> {
        self.tools.iter().copied().filter(|(tool, _)| !executable::is_command(tool)).collect()
    }

    /// What a student types in the starter's folder: to build the player, to try it and to have it examined.
    pub fn commands(&self, game: &str) -> Vec<String> {
        let bot = self.bot;
        let options = if game == GAMES[0].name { String::new() } else { format!(" --game {game}") };
        let build = self.build.map(str::to_owned);
        let try_it =
            [format!("arbitro duel {bot} @random{options}"), format!("arbitro check {bot}{options}")];
        build.into_iter().chain(try_it).collect()
    }

    /// Writes the starter of a game into a folder, which is made, or is empty. Returns the names of its files.
    pub fn write(&self, game: &str, folder: &Path) -> Result<Vec<&'static str>, StarterError> {
        let of_game = self.sources.iter().find(|(name, _)| *name == game);
        let (_, source) = of_game.ok_or_else(|| SetupError::UnknownGame(game.to_owned()))?;
        make_empty(folder)?;
        let readme = self.readme(game);
        let files = [Some((self.source, *source)), self.build_file, Some((README, readme.as_str()))];
        let mut written = Vec::new();
        for (name, text) in files.into_iter().flatten() {
            let path = folder.join(name);
            let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
            let result = fs::write(&path, text)
                .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(mode)));
            result.map_err(|error| StarterError::Unwritable(path, error))?;
            written.push(name);
        }
        Ok(written)
    }

    fn readme(&self, game: &str) -> String {
        let explained = ["# build it", "# ten games", "# is all as the protocol wants it?"];
        let commands = self.commands(game);
        let explained = &explained[explained.len() - commands.len()..];
        let lines = commands.iter().zip(explained).map(|(command, why)| format!("    {command:<50} {why}"));
        let files: Vec<String> = [Some(self.source), self.build_file.map(|(name, _)| name)]
            .iter()
            .flatten()
            .map(|name| format!("`{name}`"))
            .collect();
        include_str!("../../starters/build/README.md")
            .replace("{game}", game::title(game))
            .replace("{language}", self.title)
            .replace("{source}", self.source)
            .replace("{commands}", &lines.collect::<Vec<_>>().join("\n"))
            .replace("{files}", &files.join(" and "))
    }
}

fn make_empty(folder: &Path) -> Result<(), StarterError> {
    let failed = |error| StarterError::Unwritable(folder.to_owned(), error);
    if folder.is_file() {
        return Err(StarterError::File(folder.to_owned()));
    }
    fs::create_dir_all(folder).map_err(failed)?;
    match fs::read_dir(folder).map_err(failed)?.next() {
        Some(_) => Err(StarterError::NotEmpty(folder.to_owned())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_starter_of_every_game_in_every_language_that_marks_where_to_think() {
        for language in LANGUAGES {
            for rules in GAMES {
                let folder = tempfile::tempdir().unwrap();
                let files = language.write(rules.name, folder.path()).unwrap();
                assert!(files.contains(&README) && files.contains(&language.source), "{files:?}");
                let source = fs::read_to_string(folder.path().join(language.source)).unwrap();
                assert!(source.contains("your idea goes here"), "{} {}", rules.name, language.title);
                let readme = fs::read_to_string(folder.path().join(README)).unwrap();
                assert!(!readme.contains(['{', '}']) && readme.lines().count() <= 10, "{readme}");
            }
        }
    }

    #[test]
    fn languages_have_the_names_that_people_give_them() {
        for (word, title) in
            [("c", "C"), ("C++", "C++"), ("Python3", "Python"), ("js", "JavaScript"), ("rs", "Rust")]
        {
            assert_eq!(StarterLanguage::named(word).unwrap().title, title);
        }
        let refusal = |word: &str| StarterLanguage::named(word).err().unwrap().to_string();
        assert_eq!(refusal("pyton"), "there is no starter in 'pyton'; did you mean python?");
        assert_eq!(
            refusal("cobol"),
            "there is no starter in 'cobol'; there are starters in: c, cpp, python, java, javascript, rust"
        );
    }
}
