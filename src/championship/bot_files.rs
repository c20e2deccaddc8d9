//! Which files a bot consists of: its folder, or the files that its command names.
//!
//! They are copied before the first game, and the bot plays from its copy. Their hash is its identity, so that versions never mix
//! unseen.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::copies::{self, Copies};
use super::entrant::{Entrant, Home};
use super::file_tree::{CopyProblem, FileTree, is_leftover, is_program};
use super::settings;
use crate::contain::installation::is_home;
use crate::contain::scratch;
use crate::contain::visible_files::OWN;
use crate::engine::catalogue as engines;
use crate::record::Identity;

/// Reads the files of all bots, and copies them if there are `copies`, so that each knows its identity and where it plays from.
/// Returns why bots cannot take part, by name: what is odd in a folder costs its own bot only.
///
/// # Errors
/// If the copies cannot be written.
pub fn take(
    entrants: &mut [Entrant],
    copies: Option<&Copies>,
) -> Result<BTreeMap<String, String>, CopyProblem> {
    let mut refused = BTreeMap::new();
    for index in 0..entrants.len() {
        if entrants[index].identity.is_some() {
            continue;
        }
        let entrant = &entrants[index];
        let taken = match &entrant.line.base {
            _ if entrant.is_built_in() => Ok((Identity::of(&engines::version()), None)),
            // A command of the system, which its words tell apart.
            None => Ok((Identity::of(entrant.command.as_bytes()), None)),
            Some(base) => {
                let tree = files_of(entrant, entrants);
                match copies {
                    Some(copies) => copies.take(&tree).map(|copy| (copy.identity, Some(copy.folder))),
                    None => tree.identity(None).map(|identity| (identity, Some(base.clone()))),
                }
            }
        };
        match taken {
            Ok((identity, own)) => {
                let entrant = &mut entrants[index];
                (entrant.identity, entrant.own) = (Some(identity), own);
            }
            // That is no bot's fault.
            Err(problem @ CopyProblem::Unwritable(..)) => return Err(problem),
            Err(problem) => drop(refused.insert(entrant.name.clone(), problem.to_string())),
        }
    }
    Ok(refused)
}

/// The files of a bot among all who take part.
pub fn files_of(entrant: &Entrant, all: &[Entrant]) -> FileTree {
    let Some(base) = &entrant.line.base else { return FileTree::default() };
    let mut roots = entrant.line.named.clone();
    if owns_folder(entrant, all) {
        roots.push(base.clone());
    }
    let is_javascript = entrant.is_javascript();
    let leave = |path: &Path| {
        // Results of championships hold other bots, and copies of this one: with them it would grow each time that it is copied.
        path.join(settings::FILE_NAME).exists()
            || copies::is_folder(path)
            || path.file_name().is_some_and(|name| is_leftover(name, is_javascript))
    };
    FileTree::read(base, &roots, &leave)
}

/// Whether the folder that a bot stands in is the bot's alone. It is not if there is any other program in it.
fn owns_folder(entrant: &Entrant, all: &[Entrant]) -> bool {
    let Some(base) = entrant.line.base.as_deref().filter(|_| entrant.home != Home::Shared) else {
        return false;
    };
    let stands_in_it = |path: &PathBuf| path == base || path.parent() == Some(base);
    entrant.home == Home::Own
        || entrant.line.named.iter().any(stands_in_it)
            && !is_home(base)
            && !all.iter().any(|other| is_another_inside(other, entrant, base))
            && !holds_other_programs(base, &entrant.line.named)
}

/// Whether another bot's files are in this folder. A bot may take part twice.
fn is_another_inside(other: &Entrant, entrant: &Entrant, folder: &Path) -> bool {
    other.line.named != entrant.line.named && other.line.named.iter().any(|path| path.starts_with(folder))
}

fn holds_other_programs(folder: &Path, own: &[PathBuf]) -> bool {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| !own.contains(&path) && is_program(&path))
}

/// What stands beside a bot in a folder that is not its own, and is no part of any bot: the names of such files.
pub fn beside(entrant: &Entrant, all: &[Entrant]) -> Vec<OsString> {
    let Some(base) = entrant.line.base.as_deref().filter(|_| !owns_folder(entrant, all)) else {
        return Vec::new();
    };
    let named: BTreeSet<&Path> = all.iter().flat_map(|one| &one.line.named).map(PathBuf::as_path).collect();
    // What is called like a bot is its source, or what its compiler left.
    let stems: BTreeSet<_> = named.iter().filter_map(|path| first_word(path)).collect();
    let is_nobodys = |path: &PathBuf| {
        path.is_file()
            && !named.contains(path.as_path())
            && !is_program(path)
            && !first_word(path).is_some_and(|stem| stems.contains(&stem))
            && path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'))
    };
    let entries = base.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let mut names: Vec<OsString> =
        entries.filter(is_nobodys).filter_map(|path| path.file_name().map(Into::into)).collect();
    names.sort();
    names
}

/// Where a file is that a bot has looked for and cannot see, if it stands beside the bot's own files or in the folder around them, or
/// where the command was typed. `path` is as the bot calls it. Nothing is told of other places: a bot's author need not learn what is there.
pub fn exists_outside(entrant: &Entrant, path: &str) -> Option<PathBuf> {
    let base = entrant.line.base.as_deref().filter(|_| !path.is_empty())?;
    let wanted = Path::new(path);
    // In a file system of its own, its files and its working directory have other places.
    let inside = [OWN, scratch::INSIDE].iter().find_map(|place| wanted.strip_prefix(place).ok());
    let place = inside.unwrap_or(wanted);
    let sees = |own: &Path| own != base && place.is_relative() && own.join(place).exists();
    if entrant.own.as_deref().is_some_and(sees) {
        return None;
    }
    let around = [base.parent().unwrap_or(base), &entrant.from].map(|folder| folder.canonicalize().ok());
    let is_near = |found: &PathBuf| around.iter().flatten().any(|folder| found.starts_with(folder));
    let places = [base.join(place), entrant.from.join(place), base.join(wanted)];
    places.iter().filter_map(|path| path.canonicalize().ok()).find(is_near)
}

/// A file's name up to its first full stop.
fn first_word(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    Some(name.split('.').next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::championship::copies::USUAL_LIMIT;
    use crate::championship::entrant::Origin;
    use crate::record::replace_file::UNFINISHED;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Folder {
            Folder(tempfile::tempdir().unwrap())
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(name)
        }

        fn file(&self, name: &str, text: &str) -> &Folder {
            fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
            fs::write(self.path(name), text).unwrap();
            let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
            self
        }

        fn link(&self, name: &str, target: &str) -> &Folder {
            std::os::unix::fs::symlink(target, self.path(name)).unwrap();
            self
        }

        fn entrant(&self, command: &str) -> Entrant {
            let from = self.path("");
            Entrant::of(None, command, Origin { from: &from, folder: None, files: &[] }).unwrap()
        }

        /// The places of the first bot's files when these commands take part.
        fn places(&self, commands: &[&str]) -> Vec<String> {
            let entrants: Vec<Entrant> = commands.iter().map(|command| self.entrant(command)).collect();
            let tree = files_of(&entrants[0], &entrants);
            tree.entries().iter().map(|entry| entry.place.display().to_string()).collect()
        }

        fn copies(&self) -> Copies {
            Copies::of(&self.path("out"), USUAL_LIMIT)
        }

        /// Takes the files of one bot, or the reason why they cannot be taken.
        fn take(&self, command: &str) -> Result<Entrant, String> {
            let mut entrants = [self.entrant(command)];
            let mut refused = take(&mut entrants, Some(&self.copies())).unwrap();
            let [entrant] = entrants;
            refused.remove(&entrant.name).map_or(Ok(entrant), Err)
        }

        fn identity(&self, command: &str) -> Identity {
            let mut entrants = [self.entrant(command)];
            take(&mut entrants, None).unwrap();
            entrants[0].identity.unwrap()
        }
    }

    const SCRIPT: &str = "#!/bin/sh\n";

    #[test]
    fn a_bot_that_is_alone_in_its_folder_owns_all_of_it() {
        let folder = Folder::new();
        folder.file("ana/bot.py", SCRIPT).file("ana/strategy.py", "x").file("ana/data/book", "y");
        folder.file("ana/.git/config", "z").file("ana/target/x", "z").file("ana/node_modules/m.js", "z");
        folder.file("ana/results/1/championship.toml", "").file("ana/results/1/games.jsonl", "");
        assert_eq!(folder.places(&["ana/bot.py"]), ["bot.py", "data/book", "strategy.py"]);
        assert_eq!(folder.places(&["sh ana/bot.py"]), ["bot.py", "data/book", "strategy.py"]);
    }

    /// Once, each match that ended before its first game, and each further bot of one folder, doubled what was copied.
    #[test]
    fn copies_are_not_copied_again() {
        let folder = Folder::new();
        folder.file("ana/bot", SCRIPT).file("ana/bots/book", "");
        let places = |command| {
            let entrants = [folder.entrant(command)];
            files_of(&entrants[0], &entrants).entries().len()
        };
        assert_eq!(places("ana/bot"), 2);
        for out in ["ana/results/1", "ana/results/2"] {
            let copies = Copies::of(&folder.path(out), USUAL_LIMIT);
            let mut entrants = ["ana/bot 1", "ana/bot 2"].map(|command| folder.entrant(command));
            assert!(take(&mut entrants, Some(&copies)).unwrap().is_empty());
            assert_eq!(entrants[0].identity, entrants[1].identity);
        }
        fs::create_dir_all(folder.path("ana/results/3/bots").join(format!("{UNFINISHED}x/deep"))).unwrap();
        fs::write(folder.path("ana/results/3/bots").join(format!("{UNFINISHED}x/deep/file")), "").unwrap();
        assert_eq!(places("ana/bot"), 2);
    }

    #[test]
    fn where_other_programs_are_only_what_the_command_names_is_its_own() {
        let folder = Folder::new();
        folder.file("ana.py", SCRIPT).file("beto.py", "x").file("book", "y").file("ana.py.bak", "z");
        assert_eq!(folder.places(&["sh ana.py", "sh beto.py"]), ["ana.py"]);
        assert_eq!(folder.places(&["sh ana.py book", "sh beto.py"]), ["ana.py", "book"]);
        // A program that takes no part.
        folder.file("caio", SCRIPT);
        assert_eq!(folder.places(&["sh ana.py"]), ["ana.py"]);
        let entrants = ["sh ana.py", "sh beto.py"].map(|command| folder.entrant(command));
        assert_eq!(beside(&entrants[0], &entrants), ["book"]);
    }

    #[test]
    fn a_file_that_was_left_outside_is_found_near_the_bot_and_nowhere_else() {
        let folder = Folder::new();
        folder
            .file("ana/bot.py", SCRIPT)
            .file("ana/data/own", "")
            .file("book.txt", "")
            .file("beto/bot.py", SCRIPT);
        let entrant = folder.take("ana/bot.py").unwrap();
        let found = |path: &str| exists_outside(&entrant, path);
        assert_eq!(found("../book.txt"), Some(folder.path("book.txt")));
        assert_eq!(found("/tmp/../book.txt"), Some(folder.path("book.txt")));
        assert_eq!(found("/bot/../book.txt"), Some(folder.path("book.txt")));
        assert_eq!(found(folder.path("book.txt").to_str().unwrap()), Some(folder.path("book.txt")));
        for path in [
            "data/own",
            "/bot/data/own",
            "nothing",
            "/etc/passwd",
            "../../../../../../etc/passwd",
            "",
            "a\0b",
        ] {
            assert_eq!(found(path), None, "{path}");
        }
    }

    /// A virtual environment needs all of itself, and not only the link that is executed.
    #[test]
    fn an_installation_that_was_handed_in_comes_along() {
        let folder = Folder::new();
        folder.file("ana/main.py", "x").file("ana/run.sh", SCRIPT).file("ana/venv/pyvenv.cfg", "");
        folder.file("ana/venv/lib/numpy.py", "y").file("ana/venv/bin/pip", SCRIPT);
        folder.link("ana/venv/bin/python", "/bin/sh");
        let places = ["main.py", "venv/bin/pip", "venv/bin/python", "venv/lib/numpy.py", "venv/pyvenv.cfg"];
        assert_eq!(folder.places(&["ana/venv/bin/python ana/main.py"]), places);
    }

    #[test]
    fn a_copy_is_what_was_there_and_stays() {
        let folder = Folder::new();
        folder.file("ana/bot.py", SCRIPT).file("ana/data/book", "old").link("ana/book", "data/book");
        folder.link("ana/python", "/usr/bin/env").link("ana/nowhere", "lost");
        let before = folder.take("ana/bot.py").unwrap();
        let own = before.own.clone().unwrap();
        assert_eq!(own, folder.path("out/bots").join(before.identity.unwrap().to_string()));
        assert_eq!(fs::read_link(own.join("book")).unwrap(), Path::new("data/book"));
        assert_eq!(fs::read_to_string(own.join("book")).unwrap(), "old");
        assert!(own.join("bot.py").metadata().unwrap().permissions().mode() & 0o777 == 0o755);
        assert!(own.join("python").exists() && !own.join("nowhere").is_symlink());
        // Not copied twice, and copied again when it is damaged.
        assert_eq!(folder.take("ana/bot.py").unwrap(), before);
        fs::write(own.join("data/book"), "damaged").unwrap();
        assert_eq!(folder.take("ana/bot.py").unwrap(), before);
        assert_eq!(fs::read_to_string(own.join("book")).unwrap(), "old");
        folder.file("ana/data/book", "new");
        assert_ne!(folder.take("ana/bot.py").unwrap().identity, before.identity);
        assert_eq!(fs::read_to_string(own.join("book")).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path("out/bots")).unwrap().count(), 2, "nothing unfinished is left");
    }

    /// A link in a hand-in once showed its bot the files of others, or knocked out everybody.
    #[test]
    fn links_that_leave_the_folder_are_refused_by_name() {
        for (place, target) in
            [("ana/x", ".."), ("ana/x", "/etc/shadow"), ("ana/deep/x", "../../beto/bot"), ("ana/x", "/tmp")]
        {
            let folder = Folder::new();
            folder.file("ana/bot", SCRIPT).file("beto/bot", SCRIPT).file("ana/deep/y", "");
            folder.link(place, target);
            let why = folder.take("ana/bot").unwrap_err();
            let link = format!("'{}' is a link", place.strip_prefix("ana/").unwrap());
            assert!(why.contains(&link), "{why}");
        }
        let folder = Folder::new();
        folder.file("beto/bot", SCRIPT).file("ana/other", SCRIPT).link("ana/bot", "../beto/bot");
        assert!(folder.take("sh ana/bot").unwrap_err().contains("leaves the bot's folder"));
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let folder = Folder::new();
        folder.file("ana/bot", SCRIPT);
        fs::File::create(folder.path("ana/sparse")).unwrap().set_len(1 << 40).unwrap();
        assert!(folder.take("ana/bot").unwrap_err().contains("--copy-limit"));
        let before = folder.identity("ana/bot");
        assert_eq!(before, folder.identity("ana/bot"));
        fs::File::options().write(true).open(folder.path("ana/sparse")).unwrap().set_len(1 << 39).unwrap();
        assert_ne!(before, folder.identity("ana/bot"));
    }

    #[test]
    fn nothing_odd_in_a_folder_is_an_obstacle() {
        let folder = Folder::new();
        folder.file("ana/bot", SCRIPT);
        let pipe = folder.path("ana/pipe");
        let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
        rustix::fs::mknodat(rustix::fs::CWD, pipe, kind, mode, 0).unwrap();
        let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff\x1b[2J");
        fs::write(folder.path("ana").join(name), "x").unwrap();
        folder.link("ana/round", ".");
        let taken = folder.take("ana/bot").unwrap();
        assert!(taken.own.unwrap().join(name).exists());
    }

    #[test]
    fn a_changed_file_is_another_bot_wherever_it_is() {
        let [one, other] = [(); 2].map(|()| Folder::new());
        for folder in [&one, &other] {
            folder.file("bot/bot.sh", "one").file("bot/deep/Bot.class", "one");
        }
        let before = one.identity("sh bot/bot.sh");
        assert_eq!(before, other.identity("sh bot/bot.sh"));
        one.file("bot/deep/Bot.class", "two");
        let changed = one.identity("sh bot/bot.sh");
        assert_ne!(before, changed);
        fs::rename(one.path("bot/deep/Bot.class"), one.path("bot/deep/Other.class")).unwrap();
        assert_ne!(changed, one.identity("sh bot/bot.sh"));
        assert_ne!(one.identity("sh -c 'echo 1'"), one.identity("sh -c 'echo 2'"));
        assert_eq!(one.identity("@greedy"), one.identity("@greedy"));
    }
}
