//! `arbitro new`: a player to begin from.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;

use super::exit::usage;
use super::output::{print, quoted, warn};
use crate::championship::starters::{LANGUAGES, StarterError, StarterLanguage};
use crate::game::{self, GAMES};

/// Begin a bot of your own from one that plays by the rules
#[derive(ClapArgs)]
#[command(after_help = "\
The starter is one file to read in five minutes. It keeps the board, plays legal moves at random and speaks the protocol; where it is to \
think, it says \"your idea goes here\".

Examples:
  arbitro new c mybot                    a player of Hex in C, in the new folder mybot
  arbitro new python mybot --game rhex   a player of RHEX in Python
  arbitro new --list                     the languages, and what they need on this machine")]
pub struct Args {
    /// The language: c, cpp, python, java, javascript or rust
    #[arg(value_name = "LANG", required_unless_present = "list")]
    language: Option<String>,
    /// The folder to write to, which is made
    #[arg(value_name = "DIR", required_unless_present = "list")]
    folder: Option<PathBuf>,
    /// The game
    #[arg(long, value_name = "GAME", default_value = "hex", value_parser = PossibleValuesParser::new(GAMES.iter().map(|rules| rules.name)))]
    game: String,
    /// List the languages, and what they need on this machine
    #[arg(long, conflicts_with_all = ["language", "folder", "game"])]
    list: bool,
}

/// Writes the starter, and says what to do next.
pub fn run(args: Args) -> Result<ExitCode> {
    let (Some(word), Some(folder)) = (&args.language, &args.folder) else {
        print(&list())?;
        return Ok(ExitCode::SUCCESS);
    };
    let language = StarterLanguage::named(word).map_err(|error| match folder.to_str() {
        // The two words are easily exchanged.
        Some(other) if StarterLanguage::named(other).is_ok() => {
            usage(anyhow!("the language comes first: arbitro new {other} {word}"))
        }
        _ => usage(error),
    })?;
    let files = language.write(&args.game, folder).map_err(|error| match error {
        StarterError::Unwritable(..) => error.into(),
        _ => usage(error),
    })?;
    let (game, title, place) = (game::title(&args.game), language.title, quoted(folder));
    let mut text = format!("a player of {game} in {title} is in {place}: {}\nnext:\n", files.join(", "));
    let mut commands = language.commands(&args.game).into_iter();
    let go_there = match language.build {
        Some(_) => format!("cd {place} && {}", commands.next().unwrap_or_default()),
        None => format!("cd {place}"),
    };
    for command in std::iter::once(go_there).chain(commands) {
        text += &format!("  {command}\n");
    }
    print(&text)?;
    for (tool, package) in language.missing_tools() {
        warn(format!("there is no '{tool}' on this machine, which {title} needs: apt-get install {package}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The languages, each in a line.
fn list() -> String {
    let line = |language: &StarterLanguage| {
        let missing: Vec<String> = language
            .missing_tools()
            .into_iter()
            .map(|(tool, package)| format!("no {tool} here (apt-get install {package})"))
            .collect();
        let state = if missing.is_empty() { "ready".to_owned() } else { missing.join(", ") };
        format!("{:<12} {:<12} {:<10} {state}\n", language.name(), language.title, language.source)
    };
    LANGUAGES.iter().map(line).collect()
}
