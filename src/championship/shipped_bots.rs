//! The example bots, carried in the executable as source and built where they are wanted.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::entrant::{Entrant, RosterError};

/// Where the shipped bots are built in the folder of a championship.
pub const FOLDER: &str = "shipped-bots";

/// How a bot is made from its source.
#[derive(Clone, Copy)]
enum Language {
    C,
    Rust,
    Python,
}

/// The bots of a game, and the levels of the reference engine that play along.
struct Shipped {
    game: &'static str,
    bots: &'static [(&'static str, Language, &'static str)],
    levels: &'static [&'static str],
}

/// Enough of the reference where there is one bot only, for a table of six.
const MOST_LEVELS: &[&str] = &["@random", "@greedy", "@easy", "@medium", "@hard"];

const SHIPPED: &[Shipped] = &[
    Shipped {
        game: "hex",
        bots: &[
            ("random-c", Language::C, include_str!("../../bots/hex/random.c")),
            ("path-c", Language::C, include_str!("../../bots/hex/path.c")),
            ("random-rust", Language::Rust, include_str!("../../bots/hex/random.rs")),
            ("path-rust", Language::Rust, include_str!("../../bots/hex/path.rs")),
            ("random-py", Language::Python, include_str!("../../bots/hex/random.py")),
            ("path-py", Language::Python, include_str!("../../bots/hex/path.py")),
        ],
        levels: &["@random", "@greedy"],
    },
    Shipped {
        game: "rhex",
        bots: &[("greedy-py", Language::Python, include_str!("../../bots/rhex/greedy.py"))],
        levels: MOST_LEVELS,
    },
    Shipped {
        game: "okupacio",
        bots: &[("greedy-py", Language::Python, include_str!("../../bots/okupacio/greedy.py"))],
        levels: MOST_LEVELS,
    },
    Shipped {
        game: "xinez",
        bots: &[("greedy-py", Language::Python, include_str!("../../bots/xinez/greedy.py"))],
        levels: MOST_LEVELS,
    },
];

/// Builds the bots of a game in a folder, unless they are there already, and returns them with levels of the reference
/// engine. A bot whose compiler is missing is left out, which is told to `warn`.
pub fn roster(game: &str, folder: &Path, mut warn: impl FnMut(String)) -> Result<Vec<Entrant>, RosterError> {
    let failed = |error| RosterError::Folder(folder.to_owned(), error);
    fs::create_dir_all(folder).map_err(failed)?;
    let mut entrants = Vec::new();
    let of_game = || SHIPPED.iter().filter(|shipped| shipped.game == game);
    for &(name, language, source) in of_game().flat_map(|shipped| shipped.bots) {
        let program = folder.join(name);
        if !program.exists() {
            match build(folder, name, language, source) {
                Ok(true) => {}
                Ok(false) => {
                    warn(format!("the shipped bot {name} is left out: {}", language.missing()));
                    continue;
                }
                Err(error) => return Err(failed(error)),
            }
        }
        entrants.push(Entrant::new(Some(name), &program.display().to_string())?);
    }
    for level in of_game().flat_map(|shipped| shipped.levels) {
        entrants.push(Entrant::parse(level)?);
    }
    Ok(entrants)
}

impl Language {
    fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Rust => "rs",
            Language::Python => "py",
        }
    }

    fn missing(self) -> &'static str {
        match self {
            Language::C => "no C compiler builds it here (apt-get install gcc libc6-dev)",
            Language::Rust => "no Rust compiler builds it here (rustc 1.85 or newer)",
            Language::Python => "there is no python3 here (apt-get install python3)",
        }
    }
}

/// Builds one bot; `false` if its language is not here.
fn build(folder: &Path, name: &str, language: Language, source: &str) -> io::Result<bool> {
    let source_path = folder.join(format!("{name}.{}", language.extension()));
    fs::write(&source_path, source)?;
    // Made under another name, so that a build that is killed leaves no half a program.
    let fresh = folder.join(format!("{name}.new"));
    let mut command = match language {
        Language::C => Command::new("cc"),
        Language::Rust => Command::new("rustc"),
        Language::Python => Command::new("python3"),
    };
    match language {
        Language::C => command.args(["-std=c99", "-O2", "-o"]).arg(&fresh).arg(&source_path),
        Language::Rust => command.args(["--edition", "2024", "-O", "-o"]).arg(&fresh).arg(&source_path),
        Language::Python => command.arg("-c").arg(""),
    };
    // In a group of its own: an interrupt from the keyboard is no missing compiler.
    let built =
        command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !built.is_ok_and(|status| status.success()) {
        return Ok(false);
    }
    if matches!(language, Language::Python) {
        fs::copy(&source_path, &fresh)?;
        fs::set_permissions(&fresh, fs::Permissions::from_mode(0o755))?;
    }
    fs::rename(&fresh, folder.join(name))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::catalogue;
    use crate::game::GAMES;

    #[test]
    fn every_game_has_bots_to_play_and_levels_that_there_are() {
        for rules in GAMES {
            let shipped: Vec<&Shipped> =
                SHIPPED.iter().filter(|shipped| shipped.game == rules.name).collect();
            assert!(matches!(shipped[..], [only] if !only.bots.is_empty()), "{}", rules.name);
            assert!(catalogue::find(rules.name).is_some(), "{}", rules.name);
            shipped[0].levels.iter().for_each(|level| drop(Entrant::parse(level).unwrap()));
        }
    }
}
