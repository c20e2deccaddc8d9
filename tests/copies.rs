//! Bots play from copies of their files: what was handed in may change, go away, or be hostile, and nobody else is touched by it.

mod common;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::as_nobody::tests_as_nobody;
use common::{Duel, arbitro, compile, journal, stderr, stdout};

/// A folder in which somebody works: bots that were handed in, and the results.
struct Place(tempfile::TempDir);

/// A bot that tries to read what is not its own, and then plays on.
const SPY: &str = r#"#!/usr/bin/env python3
import os, sys
for path in WANTED:
    try:
        what = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(16)
        print("read", path, what, file=sys.stderr)
    except OSError as error:
        print("refused", path, error.strerror, file=sys.stderr)
"#;

/// Plays the first free cell.
const HONEST: &str = r#"
import os, sys
size, taken = int(os.environ["ARBITRO_SIZE"]), set()
ours = sys.argv[-1] == "b"
while True:
    if ours:
        move = next((r, c) for r in range(size) for c in range(size) if (r, c) not in taken)
        taken.add(move)
        print(*move, flush=True)
    line = sys.stdin.readline()
    if not line:
        break
    taken.add(tuple(map(int, line.split())))
    ours = True
"#;

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn file(&self, name: &str, text: &str, mode: u32) -> &Place {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    fn honest(&self, name: &str) -> &Place {
        self.file(name, &format!("#!/usr/bin/env python3\n{HONEST}"), 0o755)
    }

    /// A bot that says on stderr which of these it can read.
    fn spy(&self, name: &str, wanted: &[&str]) -> &Place {
        let wanted: Vec<PathBuf> = wanted.iter().map(|wanted| self.path(wanted)).collect();
        let spying = SPY.replace("WANTED", &format!("{wanted:?}"));
        self.file(name, &(spying + HONEST), 0o755)
    }

    fn arbitro(&self, arguments: &[&str]) -> Output {
        arbitro(&self.path(""), arguments)
    }

    /// A championship on a small board, which must end well.
    fn championship(&self, arguments: &[&str]) -> String {
        let output = self.arbitro(&[&["championship", "--size", "3", "--out", "out"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        stderr(&output)
    }

    /// Everything that a bot wrote to stderr.
    fn logs(&self, bot: &str) -> String {
        let logs = fs::read_dir(self.path("out/logs")).into_iter().flatten().flatten().map(|log| log.path());
        let own = logs.filter(|path| path.to_str().unwrap().ends_with(&format!("-{bot}.stderr")));
        own.map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    /// How many games of a bot ended on the board, and how many otherwise.
    fn games(&self, bot: &str) -> (usize, usize) {
        let games = journal(&self.path("out"));
        let of_bot = games
            .iter()
            .filter(|game| game["seats"].as_array().unwrap().iter().any(|seat| seat["bot"] == bot));
        let (on_board, otherwise): (Vec<_>, Vec<_>) =
            of_bot.partition(|game| game["verdict"]["reason"] == "connected");
        (on_board.len(), otherwise.len())
    }
}

/// What a flat folder once showed to bots in it: files that are called alike, sources, caches, archives, bots that were left out.
#[test]
fn in_a_flat_folder_a_bot_sees_its_own_file_and_nothing_else() {
    for tier in ["A", "B"] {
        let place = Place::new();
        place.honest("bots/ana.py").honest("bots/beto.py");
        let others = [
            "bots/ana.c",
            "bots/ana.py.bak",
            "bots/ana.tar.gz",
            "bots/__pycache__/beto.pyc",
            "bots/.git/config",
            "bots/left-out",
            "secret",
        ];
        for name in others {
            place.file(name, "secret", 0o644);
        }
        let wanted =
            [&["bots/ana.py", "bots/beto.py", "bots", "out/games.jsonl", "out/bots"], &others[..]].concat();
        place.spy("bots/ana.sh", &wanted);
        place.championship(&["bots", "--tier", tier, "--quiet"]);
        let told = place.logs("ana.sh");
        assert!(!told.contains("read "), "tier {tier}: {told}");
        assert_eq!(told.matches("refused ").count() % wanted.len(), 0);
        assert!(told.matches("refused ").count() >= wanted.len(), "{told}");
        assert_eq!(place.games("ana.sh"), (4, 0));
    }
}

/// A link beside a bot once knocked out everybody; one that led to a bot of somebody else showed it.
#[test]
fn links_cost_nobody_but_the_one_who_has_them() {
    let place = Place::new();
    place.honest("bots/ana.py").honest("bots/caio.py").honest("bots/dora/bot.py").honest("bots/eva/bot.py");
    place.file("secret", "secret", 0o600);
    for (link, target) in [
        ("bots/caio.x", ".."),
        ("bots/up", "/tmp"),
        ("bots/copy", "dora/bot.py"),
        ("bots/dora/key", "../../secret"),
        ("bots/eva/inside", "bot.py"),
    ] {
        symlink(target, place.path(link)).unwrap();
    }
    let told = place.championship(&["bots"]);
    assert!(told.contains("bot dora is left out: 'key' is a link that leaves the bot's folder"), "{told}");
    assert!(
        told.contains("3 links out of the folder (put there what they lead to): caio.x, copy, up"),
        "{told}"
    );
    for bot in ["ana", "caio", "eva"] {
        assert_eq!(place.games(bot), (4, 0), "{bot}");
    }
}

/// Any of these once stopped everybody. Escapes in names once reached the terminal.
#[test]
fn what_is_odd_in_a_folder_costs_nobody_else() {
    let place = Place::new();
    place.honest("bots/ana").honest("bots/beto").honest("bots/a b").honest("bots/a_b");
    place.honest("bots/x\x1b]0;owned\x07y/bot").honest("bots/deep/bot");
    for number in 0..300 {
        place.file(&format!("bots/ana.{number}"), "", 0o644);
    }
    place.honest(&format!("bots/{}", "n".repeat(200)));
    let odd = std::ffi::OsStr::from_bytes(b"ana.\xff\xfe");
    fs::write(place.path("bots").join(odd), "x").unwrap();
    fs::copy(place.path("bots/ana"), place.path("bots").join(std::ffi::OsStr::from_bytes(b"\xff"))).unwrap();
    place.file("bots/closed/bot", "x", 0o755).file("bots/two/a", "#!/bin/sh\n", 0o755).file(
        "bots/two/b",
        "#!/bin/sh\n",
        0o755,
    );
    fs::set_permissions(place.path("bots/closed"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(place.path("bots/deep/bot"), fs::Permissions::from_mode(0o111)).unwrap();
    let told = place.championship(&["bots", "--jobs", "2"]);
    fs::set_permissions(place.path("bots/closed"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(!told.contains(['\x1b', '\x07']), "{told:?}");
    assert!(told.contains("'bots/two' holds 2 programs"), "{told}");
    let (on_board, otherwise) = place.games("ana");
    assert!(on_board >= 8 && otherwise <= 4, "{on_board} and {otherwise}: {told}");
}

#[test]
fn a_championship_goes_on_from_anywhere_without_the_files_that_were_handed_in() {
    let place = Place::new();
    place.honest("bots/ana.py").honest("bots/beto.py").file("lib/book.txt", "x", 0o644);
    // What all may read is part of the settings, too.
    let reads = format!("#!/usr/bin/env python3\nopen({:?})\n{HONEST}", place.path("lib/book.txt"));
    place.file("bots/caio/bot.py", &reads, 0o755);
    place.championship(&["bots", "--allow-read", "lib", "--quiet"]);
    let table = fs::read_to_string(place.path("out/standings.csv")).unwrap();
    // As if it had been interrupted after the first game.
    let games = fs::read_to_string(place.path("out/games.jsonl")).unwrap();
    fs::write(place.path("out/games.jsonl"), games.lines().next().unwrap().to_owned() + "\n").unwrap();
    fs::rename(place.path("bots"), place.path("elsewhere")).unwrap();
    fs::create_dir(place.path("somewhere")).unwrap();
    let output = arbitro(&place.path("somewhere"), &["championship", "--resume", "../out"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("not where they were; its copy plays on"), "{}", stderr(&output));
    assert_eq!(journal(&place.path("out")).len(), 6);
    assert_eq!(place.games("caio"), (4, 0));
    assert_eq!(
        fs::read_to_string(place.path("out/standings.csv")).unwrap().lines().count(),
        table.lines().count()
    );
}

#[test]
fn files_that_are_replaced_while_games_run_change_nothing() {
    let place = Place::new();
    place.honest("bots/beto.py");
    place.honest("bots/ana.py");
    let mut child = Command::new(common::program())
        .args(["championship", "bots", "--size", "3", "--rounds", "20", "--out", "out", "--quiet"])
        .current_dir(place.path(""))
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    common::eventually("games run", || journal_lines(&place.path("out")) >= 2);
    place.file("bots/ana.py", "#!/bin/sh\nexit 1\n", 0o755);
    fs::remove_file(place.path("bots/beto.py")).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(place.games("ana"), (40, 0));
    // One whose files are gone plays on from its copy. What becomes of one that has changed, somebody has to say.
    let output = place.arbitro(&["championship", "--resume", "out"]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("bot ana: its program has changed (changed 'ana.py'); 40 of its games count so far"),
        "{told}"
    );
    assert!(told.contains("bot beto: its files are not where they were; its copy plays on"), "{told}");
    let again = ["championship", "bots/ana.py", "@random", "--size", "3", "--rounds", "20", "--out", "out"];
    let output = place.arbitro(&again);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("bot ana: its program has changed"), "{}", stderr(&output));
}

fn journal_lines(out: &Path) -> usize {
    fs::read_to_string(out.join("games.jsonl")).unwrap_or_default().lines().count()
}

#[test]
fn a_bot_that_misses_a_file_is_told_where_it_stands() {
    let place = Place::new();
    place.honest("bots/beto.py").file("bots/book.txt", "0 0", 0o644);
    place.file("bots/ana.py", &format!("#!/usr/bin/env python3\nopen('book.txt')\n{HONEST}"), 0o755);
    let told = place.championship(&["bots", "@random"]);
    assert!(told.contains("bot ana is left out") && told.contains("'book.txt' stands beside it"), "{told}");
    // In a folder of its own it finds it, in its working directory and beside itself.
    let place = Place::new();
    place.file("ana/book.txt", "0 0", 0o644);
    let beside = "open('book.txt'); import os; open(os.path.join(os.path.dirname(os.path.realpath(__file__)), 'book.txt'))";
    place.file("ana/bot.py", &format!("#!/usr/bin/env python3\n{beside}\n{HONEST}"), 0o755);
    for tier in ["A", "B", "C"] {
        let bot = format!("ana=python3 {}", place.path("ana/bot.py").display());
        Duel::between(&bot, "@random").contained(tier).play().went_to_the_end();
    }
    // Or with a line in the settings.
    let place = Place::new();
    place.honest("bots/beto.py").file("bots/book.txt", "0 0", 0o644);
    place.file("bots/ana.py", &format!("#!/usr/bin/env python3\nopen('book.txt')\n{HONEST}"), 0o755);
    let bot = |name: &str, more: &str| format!("[[bots]]\ncommand = \"bots/{name}.py\"\n{more}\n");
    let settings = bot("ana", "files = [\"bots/book.txt\"]") + &bot("beto", "");
    place.file("class.toml", &settings, 0o644);
    place.championship(&["--config", "class.toml"]);
    assert_eq!(place.games("ana"), (2, 0));
}

#[test]
fn no_championship_goes_on_less_contained_than_it_began() {
    let place = Place::new();
    place.championship(&["@random", "@greedy", "--quiet"]);
    for (weaker, words) in [("--tier=B", "tier A → tier B"), ("--no-sandbox", "tier A → none")] {
        let output = place.arbitro(&["championship", "--resume", "out", weaker]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(
            stderr(&output).contains(words) && stderr(&output).contains("--accept-changes"),
            "{}",
            stderr(&output)
        );
    }
    assert!(place.arbitro(&["championship", "--resume", "out"]).status.success());
    assert!(
        place
            .arbitro(&["championship", "--resume", "out", "--tier", "B", "--accept-changes"])
            .status
            .success()
    );
}

#[test]
fn what_would_show_bots_the_results_is_refused() {
    let place = Place::new();
    place.honest("bots/ana.py").honest("bots/beto.py");
    for (allowed, out) in [(".", "out"), ("bots", "out"), ("/", "out")] {
        let output = place.arbitro(&["championship", "bots", "--allow-read", allowed, "--out", out]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("would show every bot"), "{}", stderr(&output));
    }
    place.file("large/bot", "#!/bin/sh\n", 0o755);
    fs::File::create(place.path("large/data")).unwrap().set_len(2 << 30).unwrap();
    let output = place.arbitro(&["duel", "large/bot", "@random", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("more than 1G") && stderr(&output).contains("--copy-limit"));
    assert!(!place.path("out/games.jsonl").exists());
}

#[test]
fn logs_do_not_drive_terminals() {
    let place = Place::new();
    let noisy = "import sys\nsys.stderr.write('\\x1b[2J\\x1b]0;owned\\x07 ok\\n'); sys.stderr.flush()\n";
    place
        .file("bots/ana.py", &format!("#!/usr/bin/env python3\n{noisy}{HONEST}"), 0o755)
        .honest("bots/beto.py");
    place.championship(&["bots", "--quiet"]);
    assert!(place.logs("ana").contains("\\u{1b}[2J\\u{1b}]0;owned\\u{7} ok\n"), "{:?}", place.logs("ana"));
    fs::remove_dir_all(place.path("out")).unwrap();
    place.championship(&["bots", "--quiet", "--raw-logs"]);
    assert!(place.logs("ana").contains("\x1b[2J\x1b]0;owned\x07 ok\n"));
}

/// A program in a file system without run bits, a chain of links, an installation that was named: what honest people do.
#[test]
fn honest_layouts_play() {
    let random = compile("bots/hex/random.c", "random");
    let place = Place::new();
    fs::create_dir_all(place.path("ana/build")).unwrap();
    fs::copy(&random, place.path("ana/build/bot")).unwrap();
    symlink("build/bot", place.path("ana/bot")).unwrap();
    place.file("ana/run", "#!/bin/sh\nexec ./bot \"$@\"\n", 0o755);
    place.file(
        "beto/start.sh",
        "cd \"$(dirname \"$0\")\" && exec sh -c './deep/bot \"$@\"' - \"$@\"\n",
        0o644,
    );
    fs::create_dir_all(place.path("beto/deep")).unwrap();
    fs::copy(&random, place.path("beto/deep/bot")).unwrap();
    place.file("my bots/caio silva.py", &format!("#!/usr/bin/env python3\n{HONEST}"), 0o755);
    let bots = ["ana/run", "beto=sh beto/start.sh", "my bots/caio silva.py", "dora=ana/bot"];
    for bot in bots {
        let output = place.arbitro(&["duel", bot, "@random", "--size", "3", "--games", "2", "--quiet"]);
        assert_eq!(output.status.code(), Some(0), "{bot}: {}", stderr(&output));
        assert!(!stdout(&output).contains("crashed"), "{bot}: {}", stdout(&output));
    }
}

/// What a command of these languages names is not always a file.
#[test]
fn commands_without_a_files_name_play_from_copies() {
    let place = Place::new();
    let has = |program: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).any(|folder| folder.join(program).exists());
        if !found {
            println!("there is no {program} here: what needs it is not tried");
        }
        found
    };
    let hex = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hex");
    let shell = |command: &str| {
        let status = Command::new("sh").args(["-c", command]).current_dir(place.path("")).status().unwrap();
        assert!(status.success(), "{command}");
    };
    // Each in the folder it is typed in, and the command.
    let mut commands = Vec::new();
    fs::create_dir_all(place.path("python/player")).unwrap();
    fs::copy(hex.join("random.py"), place.path("python/bot.py")).unwrap();
    fs::copy(hex.join("random.py"), place.path("python/player/__main__.py")).unwrap();
    commands.extend([
        ("python", "python3 -m bot"),
        ("python", "python3 player"),
        (".", "python3 python/player"),
    ]);
    if has("javac") && has("java") {
        shell(&format!(
            "mkdir java && cp {}/Random.java java && cd java && javac Random.java",
            hex.display()
        ));
        shell("cd java && printf 'Main-Class: Random\\n' > m && jar cfm ../bot.jar m *.class");
        shell("mkdir jar && mv bot.jar jar");
        commands.extend([
            ("java", "java -XX:TieredStopAtLevel=1 Random"),
            (".", "java -XX:TieredStopAtLevel=1 -cp java Random"),
            (".", "java -XX:TieredStopAtLevel=1 -cp jar/* Random"),
            (".", "java -XX:TieredStopAtLevel=1 -jar jar/bot.jar"),
        ]);
    }
    if has("node") {
        fs::create_dir_all(place.path("node/node_modules/player")).unwrap();
        fs::copy(hex.join("random.js"), place.path("node/node_modules/player/index.js")).unwrap();
        place.file("node/package.json", r#"{"main": "start.js"}"#, 0o644);
        place.file("node/start.js", "require('player')", 0o644);
        commands.extend([(".", "node node"), ("node", "node ."), ("node", "node start.js")]);
    }
    for (folder, command) in commands {
        let arguments =
            ["duel", &format!("bot={command}"), "@random", "--size", "4", "--games", "1", "--json"];
        let output = arbitro(&place.path(folder), &arguments);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
        let result: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        let games = journal(place.path(folder).join(result["journal"].as_str().unwrap()).parent().unwrap());
        assert_eq!(games[0]["verdict"]["reason"], "connected", "{command}: {}", games[0]["verdict"]);
    }
}

/// Root runs all of the above once more as somebody else.
#[test]
fn an_ordinary_user_is_as_safe() {
    if !rustix::process::geteuid().is_root() {
        return println!("all of this was run as an ordinary user, and not as root");
    }
    let random = compile("bots/hex/random.c", "random");
    let (mut tests, _folder) = tests_as_nobody(&[random], &["an_ordinary_user", "commands_without"]);
    let output = tests.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "as an ordinary user:\n{text}");
    assert!(text.contains("in_a_flat_folder_a_bot_sees_its_own_file_and_nothing_else ... ok"), "{text}");
}
