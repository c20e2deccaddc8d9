//! A folder given instead of a bot: each entry of it is a bot, or is named with the reason why not.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::bot_name::safe_name;
use super::entrant::{Entrant, Home, Origin, RosterError};
use super::file_tree::is_program;
use super::no_bot::{self, Entry, NoBot};
use super::roster::unique_names;
use crate::contain::visible_files::is_system;
use crate::game::GAMES;

/// Every bot of a game in a folder, by name: each file that may be run, and each folder with just one such file, which is called
/// after the folder. A folder that is called as the game is holds more of them. What is no bot is told to `warn`, with the reason.
pub fn bots(folder: &Path, game: &str, mut warn: impl FnMut(String)) -> Result<Vec<Entrant>, RosterError> {
    let (typed, failed) = (folder, |error| RosterError::Folder(folder.to_owned(), error));
    if let Some(other) =
        typed.file_name().and_then(|name| game_called(&name.to_string_lossy())).filter(|&other| other != game)
    {
        return Err(RosterError::OtherGamesFolder { folder: typed.to_owned(), game: game.to_owned(), other });
    }
    let folder = folder.canonicalize().map_err(failed)?;
    if is_system(&folder) {
        return Err(RosterError::SystemFolder(folder));
    }
    let mut search = Search { game, found: Vec::new(), left_out: Vec::new() };
    search.look_into(&folder).map_err(failed)?;
    let Search { found, mut left_out, .. } = search;
    let is_empty = found.is_empty() && left_out.is_empty();
    let mut entrants = Vec::new();
    for (one, name) in found.iter().zip(names(&found)) {
        match one.entrant(&name) {
            Ok(entrant) => {
                let command = as_typed(Path::new(&entrant.command), &folder, typed).display().to_string();
                entrants.push(Entrant { command, from: std::env::current_dir()?, ..entrant });
            }
            Err(problem) => {
                left_out.push(Entry { path: one.entry.clone(), why: NoBot::Unfit(problem.to_string()) })
            }
        }
    }
    let needs_building = left_out.iter().any(|entry| entry.why.needs_building());
    for entry in &mut left_out {
        entry.path = as_typed(&entry.path, &folder, typed);
    }
    no_bot::sentences(&left_out, typed)
        .into_iter()
        .for_each(|sentence| warn(format!("left out: {sentence}")));
    match entrants.is_empty() {
        true => Err(RosterError::NoBots { folder: typed.to_owned(), is_empty, needs_building }),
        false => Ok(entrants),
    }
}

/// The game that has this name, however it is written.
fn game_called(name: &str) -> Option<&'static str> {
    GAMES.iter().map(|rules| rules.name).find(|game| game.eq_ignore_ascii_case(name))
}

/// What they are called: `ana` and `ana.py` are told apart by their whole names.
fn names(found: &[Found]) -> Vec<String> {
    let is_alone = |stem: &str| found.iter().filter(|other| other.stem == stem).count() == 1;
    let names = found.iter().map(|one| if is_alone(&one.stem) { &one.stem } else { &one.whole });
    unique_names(names.map(String::as_str))
}

/// A path as people see it, who called the folder by another name.
fn as_typed(path: &Path, folder: &Path, typed: &Path) -> PathBuf {
    path.strip_prefix(folder).map_or_else(|_| path.to_owned(), |place| typed.join(place))
}

/// A program in a folder of bots.
struct Found {
    /// What it would be called without its ending, and with it.
    stem: String,
    whole: String,
    program: String,
    /// The entry of the folder that it is, or is in.
    entry: PathBuf,
    /// The folder that it has to itself.
    own: Option<PathBuf>,
}

impl Found {
    fn new(entry: &Path, program: &Path, own: Option<PathBuf>) -> Result<Found, NoBot> {
        let program = program.to_str().ok_or(NoBot::NotUtf8)?.to_owned();
        let name = |name: Option<&std::ffi::OsStr>| safe_name(&name.unwrap_or_default().to_string_lossy());
        // A folder's name has no ending.
        let stem = if own.is_some() { entry.file_name() } else { entry.file_stem() };
        Ok(Found { stem: name(stem), whole: name(entry.file_name()), program, entry: entry.to_owned(), own })
    }

    fn entrant(&self, name: &str) -> Result<Entrant, RosterError> {
        let from = self.entry.parent().unwrap_or(Path::new("/"));
        let origin = Origin { from, folder: self.own.as_deref(), files: &[] };
        let entrant = Entrant::of(Some(name), &self.program, origin)?;
        let home = if self.own.is_some() { Home::Own } else { Home::Shared };
        Ok(Entrant { home, is_named: false, ..entrant })
    }
}

/// What has been found so far.
struct Search<'a> {
    game: &'a str,
    found: Vec<Found>,
    left_out: Vec<Entry>,
}

impl Search<'_> {
    fn look_into(&mut self, folder: &Path) -> std::io::Result<()> {
        for path in no_bot::entries(folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let game = game_called(&name).filter(|_| path.is_dir() && !path.is_symlink());
            let looked = match game {
                _ if name.starts_with('.') => Err(NoBot::Data),
                Some(game) if game == self.game => match self.look_into(&path) {
                    Ok(()) => continue,
                    Err(error) => Err(NoBot::Unreadable(error.kind())),
                },
                Some(_) => Err(NoBot::OtherGame),
                None => look_at(&path, folder),
            };
            match looked {
                Ok(found) => self.found.push(found),
                Err(why) => self.left_out.push(Entry { path, why }),
            }
        }
        Ok(())
    }
}

/// The program that an entry of a folder of bots is or holds.
fn look_at(path: &Path, folder: &Path) -> Result<Found, NoBot> {
    if path.is_symlink() {
        let target = path.canonicalize().map_err(|_| NoBot::LinkToNowhere)?;
        if target.parent() != Some(folder) {
            return Err(NoBot::LinkOutside);
        }
    }
    if path.is_dir() {
        let program = only_program(path)?;
        Found::new(path, &program, Some(path.to_owned()))
    } else if is_runnable(path) {
        Found::new(path, path, None)
    } else {
        Err(no_bot::of_file(path))
    }
}

/// The one program of a folder.
fn only_program(folder: &Path) -> Result<PathBuf, NoBot> {
    let entries = no_bot::entries(folder).map_err(|error| NoBot::Unreadable(error.kind()))?;
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."));
    let mut programs: Vec<PathBuf> =
        entries.into_iter().filter(|path| !is_hidden(path) && is_runnable(path)).collect();
    // A link to the program that is there too is no second one.
    let real = programs.clone();
    programs
        .retain(|path| !path.is_symlink() || !path.canonicalize().is_ok_and(|target| real.contains(&target)));
    // Some file systems let everything be run.
    if programs.len() > 1 {
        programs.retain(|path| is_program(path));
    }
    match (programs.pop(), programs.is_empty()) {
        (Some(program), true) => Ok(program),
        (None, _) => Err(no_bot::of_folder(folder)),
        (Some(last), false) => {
            let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Err(NoBot::Several(programs.iter().chain([&last]).map(name).collect()))
        }
    }
}

fn is_runnable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::championship::roster::check_names;

    /// A folder that is filled and read.
    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Folder {
            Folder(tempfile::tempdir().unwrap())
        }

        fn file(&self, name: impl AsRef<Path>, mode: u32, text: &str) -> &Folder {
            let path = self.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            self
        }

        fn script(&self, name: &str) -> &Folder {
            self.file(name, 0o755, "#!/bin/sh\n")
        }

        /// The names of the bots, and what is said of the rest, with the folder's name shortened.
        fn read(&self) -> (Vec<String>, Vec<String>) {
            let mut told = Vec::new();
            let path = self.0.path().display().to_string();
            let bots = bots(self.0.path(), "hex", |line| told.push(line.replace(&path, "DIR"))).unwrap();
            check_names(&bots).unwrap();
            (bots.into_iter().map(|bot| bot.name).collect(), told)
        }
    }

    #[test]
    fn a_folder_means_every_bot_in_it() {
        let folder = Folder::new();
        let problem = bots(folder.0.path(), "hex", |_| ()).unwrap_err().to_string();
        assert!(problem.ends_with(": it is empty"), "{problem}");
        folder.script("beto.sh").script("ana.py").file("ana", 0o755, "#!/no/such/interpreter\n");
        folder.script("caio silva/bot").file("caio silva/bot.c", 0o644, "int main;");
        folder.script("two/a").script("two/b");
        let (names, told) = folder.read();
        assert_eq!(names, ["ana.py", "beto", "caio silva"]);
        let [ana, two] = &told[..] else { panic!("{told:?}") };
        assert!(ana.contains("bot 'ana'") && ana.contains("does not exist"), "{ana}");
        assert_eq!(
            two,
            "left out: 'DIR/two' holds 2 programs that may be run (a, b); name the one that is the bot, as in NAME=DIR/two/a, or \
             play them all: arbitro championship DIR/two"
        );
    }

    /// A student who was dropped without a word once missed a championship.
    #[test]
    fn nothing_is_dropped_without_a_word() {
        let folder = Folder::new();
        folder
            .script("ana")
            .file("b.zip", 0o644, "PK\x03\x04")
            .file("c.tgz", 0o644, "\x1f\u{8b}")
            .file("d.c", 0o644, "x");
        fs::write(folder.0.path().join("c.tgz"), b"\x1f\x8b\x08").unwrap();
        folder.file("dora/src/main.rs", 0o644, "fn main() {}").file("eva/Makefile", 0o644, "all:\n");
        folder
            .file("fe li/main.py", 0o644, "print(1)")
            .file("g.py", 0o644, "print(1)")
            .file("h.js", 0o644, "");
        folder.file("i j.py", 0o644, "#!/usr/bin/env python3\n").file("k/k", 0o644, "#!/bin/sh\n");
        folder.file("l.jar", 0o644, "PK\x03\x04").file("m/notes.txt", 0o644, "x").file(
            ".DS_Store",
            0o644,
            "x",
        );
        for number in 1..=9 {
            folder.file(format!("r{number}.md"), 0o644, "x");
        }
        fs::create_dir(folder.0.path().join("empty")).unwrap();
        // Once, a folder with a link in it was called empty.
        fs::create_dir(folder.0.path().join("iris")).unwrap();
        let links = [
            ("up", ".."),
            ("etc", "/etc"),
            ("lost", "nowhere"),
            ("same", "ana"),
            ("iris/bot.c", "/etc/passwd"),
        ];
        for (name, target) in links {
            symlink(target, folder.0.path().join(name)).unwrap();
        }
        let (names, told) = folder.read();
        assert_eq!(names, ["ana", "same"]);
        let expected = [
            "2 archives (to unpack and build them: arbitro build DIR): b.zip, c.tgz",
            "3 folders with source code and no program (to build them: arbitro build DIR): dora, eva, fe li",
            "1 file with source code (to build it: arbitro build DIR): d.c",
            "1 script that is not executable (write NAME=\"node FILE\", or: arbitro build DIR): h.js",
            "1 script that is not executable (write NAME=\"python3 FILE\", or: arbitro build DIR): g.py",
            "1 Java archive (write NAME=\"java -jar FILE\"): l.jar",
            "2 programs that are not executable (chmod +x 'DIR/i j.py' DIR/k/k): i j.py, k",
            "1 empty folder: empty",
            "1 folder with nothing but links (put there what they lead to): iris",
            "1 folder without a program: m",
            "2 links out of the folder (put there what they lead to): etc, up",
            "1 link to nowhere: lost",
            "10 files that are no programs: .DS_Store, r1.md, r2.md, r3.md, r4.md, r5.md, r6.md, r7.md and 2 more",
        ];
        assert_eq!(told, expected.map(|line| format!("left out: {line}")));
    }

    #[test]
    fn bots_of_other_games_do_not_play_this_one() {
        let folder = Folder::new();
        folder.script("hex/path.py").script("hex/random.py").script("hex/ana/bot").file(
            "hex/path.c",
            0o644,
            "",
        );
        folder.script("rhex/greedy.py").script("Okupacio/greedy.py").script("bin/a").script("bin/b");
        let (names, told) = folder.read();
        assert_eq!(names, ["ana", "path", "random"]);
        let [bin, others, source] = &told[..] else { panic!("{told:?}") };
        assert!(bin.contains("or play them all: arbitro championship DIR/bin"), "{bin}");
        assert_eq!(others, "left out: 2 folders of another game (--game plays them): Okupacio, rhex");
        assert!(source.ends_with(": hex/path.c"), "{source}");
        let refused = bots(&folder.0.path().join("rhex"), "hex", |_| ()).unwrap_err().to_string();
        assert!(refused.contains("add --game rhex"), "{refused}");
    }

    #[test]
    fn a_folder_of_hand_ins_is_answered_with_how_to_build_them() {
        let folder = Folder::new();
        folder.file("ana/bot.c", 0o644, "int main;");
        let refused = bots(folder.0.path(), "hex", |_| ()).unwrap_err().to_string();
        assert!(
            refused.contains("may be run in the folder") && refused.contains("arbitro build /"),
            "{refused}"
        );
    }

    /// Any of these once stopped everybody.
    #[test]
    fn what_is_odd_in_a_folder_costs_nobody_else() {
        let folder = Folder::new();
        let long = "x".repeat(200);
        folder.script("ana").script("a b").script("a_b").script("joa\u{303}o").script("joão").script("-rf");
        folder.script(&long).script(&format!("{long}y"));
        folder.file(<std::ffi::OsStr as OsStrExt>::from_bytes(b"\xff\x1b[2J"), 0o755, "#!/bin/sh\n");
        symlink("..", folder.0.path().join("caio.x")).unwrap();
        let (names, told) = folder.read();
        let longs = ["x".repeat(60), format!("{}-2", "x".repeat(58))];
        assert_eq!(names, ["bot-rf", "a b", "a_b", "ana", "joão", "joão-2", &longs[0], &longs[1]]);
        let [link, name] = &told[..] else { panic!("{told:?}") };
        assert!(link.contains("caio.x") && name.contains("not UTF-8") && !name.contains('\x1b'), "{told:?}");
    }
}
