//! What cannot run is refused before anything is played, with the cure; what can run does, however it is started; and what a bot writes
//! can be kept.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{arbitro, journal, stderr, stdout};

/// A folder in which a student works.
struct Place(tempfile::TempDir);

/// Plays the first free cell.
const PYTHON: &str = r#"
import os, sys
size, taken = int(os.environ["ARBITRO_SIZE"]), set()
ours = "b" in sys.argv
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

const JAVASCRIPT: &str = r#"
const size = Number(process.env.ARBITRO_SIZE), taken = new Set();
function play() {
  for (let cell = 0; cell < size * size; cell++) {
    const move = `${Math.floor(cell / size)} ${cell % size}`;
    if (!taken.has(move)) { taken.add(move); console.log(move); return; }
  }
}
if (process.argv.includes("b")) play();
require("readline").createInterface({ input: process.stdin }).on("line", line => { taken.add(line.trim()); play(); });
"#;

/// With a class inside of it and one beside it.
const JAVA: &str = r#"
import java.util.*;
public class Bot {
  static class Cells { Set<String> taken = new HashSet<>(); }
  public static void main(String[] arguments) {
    int size = Integer.parseInt(System.getenv("ARBITRO_SIZE"));
    Cells cells = new Cells();
    Scanner in = new Scanner(System.in);
    boolean ours = Arrays.asList(arguments).contains("b");
    while (true) {
      if (ours) System.out.println(Chooser.choose(cells.taken, size));
      if (!in.hasNextInt()) return;
      cells.taken.add(in.nextInt() + " " + in.nextInt());
      ours = true;
    }
  }
}
class Chooser {
  static String choose(Set<String> taken, int size) {
    for (int row = 0; row < size; row++)
      for (int column = 0; column < size; column++)
        if (taken.add(row + " " + column)) return row + " " + column;
    return "";
  }
}
"#;

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Place {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), content).unwrap();
        self
    }

    fn program(&self, name: &str, content: impl AsRef<[u8]>) -> &Place {
        self.file(name, content);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    /// Runs a tool here; whether it is there and did what it should.
    fn tool(&self, command: &str) -> bool {
        let words = shell_words::split(command).unwrap();
        let done = Command::new(&words[0]).args(&words[1..]).current_dir(self.path("")).output();
        done.is_ok_and(|output| output.status.success())
    }

    /// What is said of a bot that is refused before anything is played.
    #[track_caller]
    fn refusal(&self, command: &str) -> String {
        let output =
            arbitro(&self.path(""), &["duel", command, "@random", "--size", "3", "--out", "out", "--quiet"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{command}: {}{said}", stdout(&output));
        assert!(!self.path("out").exists(), "{command}: nothing is played");
        said
    }

    #[track_caller]
    fn refused(&self, command: &str, words: &str) {
        let said = self.refusal(command);
        assert!(said.contains(words), "{command}: {said}");
    }

    /// Plays a game in which the bot does not fail, contained.
    #[track_caller]
    fn plays(&self, command: &str) {
        self.plays_in("", command);
    }

    /// The same, from a folder further down.
    #[track_caller]
    fn plays_in(&self, folder: &str, command: &str) {
        let out = self.path("out");
        let bot = format!("x={command}");
        let arguments = [
            "--tier",
            "A",
            "--size",
            "3",
            "--games",
            "2",
            "--seed",
            "1",
            "--out",
            out.to_str().unwrap(),
            "--quiet",
        ];
        let output = arbitro(&self.path(folder), &[&["duel", &bot, "@random"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{command}: {}{}", stdout(&output), stderr(&output));
        self.went_to_the_end(command, 2);
    }

    #[track_caller]
    fn went_to_the_end(&self, what: &str, games: usize) {
        let played = journal(&self.path("out"));
        assert_eq!(played.len(), games, "{what}");
        for game in played {
            assert_eq!(game["verdict"]["reason"], "connected", "{what}: {}", game["verdict"]);
        }
        fs::remove_dir_all(self.path("out")).unwrap();
    }

    /// Whether the bot in Java is built, in this folder and in a package.
    fn has_java(&self) -> bool {
        self.file("Bot.java", JAVA).file("hex/Bot.java", format!("package hex;\n{JAVA}"));
        let is_built = self.tool("javac Bot.java") && self.tool("javac hex/Bot.java");
        if !is_built {
            println!("there is no Java here");
        }
        is_built
    }
}

#[test]
fn source_code_is_to_be_built_first() {
    let place = Place::new();
    place.program("bot.c", "int main(void) { return 0; }\n").file("bot.cpp", "int main() {}\n");
    place.program("bot.rs", "#![allow(unused)]\nfn main() {}\n").file("bot.go", "package main\n");
    place.program("Bot.java", JAVA).program("ana/bot", "#include <stdio.h>\n");
    place.refused("./bot.c", "'./bot.c' is source code in C, not a program; build it with 'gcc -O2 -o ./bot ./bot.c', and start it as './bot'");
    place.refused("bot.c", "'./bot.c' is source code in C");
    place.refused("./bot.cpp", "g++ -O2 -o ./bot ./bot.cpp");
    place.refused("./bot.rs", "rustc -O -o ./bot ./bot.rs");
    place.refused("./bot.go", "go build -o ./bot ./bot.go");
    place.refused("./Bot.java", "build it with 'javac ./Bot.java', and start it as 'java -cp . Bot'");
    place.refused(
        "./bot",
        "'./bot' does not exist; its source code does: build it with 'gcc -O2 -o ./bot ./bot.c'",
    );
    place.refused("ana/bot", "call it 'ana/bot.c', build it with 'gcc -O2 -o ana/bot ana/bot.c'");
}

/// These were once handed to `sh`, which said: Syntax error: "(" unexpected.
#[test]
fn a_script_has_to_say_what_runs_it() {
    let place = Place::new();
    place
        .program("bot.py", PYTHON)
        .file("mute.py", PYTHON)
        .program("bot.js", JAVASCRIPT)
        .program("bot.sh", "echo 1 1\n");
    place
        .program("bot", "echo 1 1\n")
        .program("marked.py", format!("\u{feff}#!/usr/bin/env python3\n{PYTHON}"));
    place.program("late.py", format!("\n#!/usr/bin/env python3\n{PYTHON}"));
    place
        .program("windows.py", "#!/usr/bin/env python3\r\n")
        .program("none", "#!/no/such/python\n")
        .program("empty", "");
    place.file("closed.py", format!("#!/usr/bin/env python3\n{PYTHON}"));
    place.refused(
        "./bot.py",
        "'./bot.py' is text, and has no first line that says what runs it; start it as 'python3 ./bot.py'",
    );
    place.refused("./mute.py", "start it as 'python3 ./mute.py'");
    place.refused("./bot.js", "start it as 'node ./bot.js'");
    place.refused("./bot.sh", "start it as 'sh ./bot.sh'");
    place.refused("./bot", "add one such as '#!/usr/bin/env python3' or '#!/bin/sh'");
    place.refused("./marked.py", "save it as UTF-8 without a byte order mark");
    place.refused("./late.py", "must be the very first thing in the file");
    place.refused("./windows.py", "save it with Unix line ends");
    place.refused("./none", "'/no/such/python', which does not exist; correct its first line");
    place.refused("./empty", "'./empty' is empty");
    place.refused("./closed.py", "chmod +x ./closed.py (or start it as 'python3 ./closed.py')");
    place.refused("./bto.py", "'./bto.py' does not exist; did you mean './bot.py'?");
    // What the cure says works.
    place.plays("python3 ./bot.py");
}

#[test]
fn programs_of_other_machines_and_what_is_no_program_are_named() {
    let place = Place::new();
    place.file("bot.c", "int main(void) { return 0; }\n");
    assert!(place.tool("cc -o bot bot.c"), "the tests need a C compiler: apt-get install gcc");
    assert!(place.tool("cc -c -o bot.o bot.c") && place.tool("cc -shared -fPIC -o libbot.so bot.c"));
    assert!(place.tool("cc -o musl bot.c -Wl,--dynamic-linker=/lib/no-such-loader.so.1"));
    let program = fs::read(place.path("bot")).unwrap();
    let mut arm = program.clone();
    arm[18..20].copy_from_slice(&40u16.to_le_bytes());
    place.program("arm", arm).program("short", &program[..100]).program("shorter", &program[..5]);
    place.program("bot.exe", b"MZ\x90\0\x03\0").program("mac", b"\xcf\xfa\xed\xfe\x07\0\0\x01");
    place.program("fat", b"\xca\xfe\xba\xbe\0\0\0\x02").program("Bot.class", b"\xca\xfe\xba\xbe\0\0\0\x3d");
    place
        .program("bot.jar", b"PK\x03\x04\0")
        .file("bot.zip", b"PK\x03\x04\0")
        .program("bot.tar.gz", b"\x1f\x8b\x08\0");
    place.program("bot.pyc", b"\xa7\r\r\n\0\0\0\0").program("noise", [0, 1, 2, 3]);
    assert!(place.tool("mkfifo pipe") && place.tool("chmod +x pipe libbot.so bot.o"));
    place.refused("./arm", "'./arm' is a program for ARM (32-bit), and this machine is ");
    place.refused("./short", "'./short' is only a part of a program: it is cut short");
    place.refused("./shorter", "it is cut short; build it or copy it again");
    place.refused("./musl", "needs the loader '/lib/no-such-loader.so.1', which is not on this machine");
    place.refused("./bot.o", "is an object file, which has to be linked first: gcc -o ./bot ./bot.o");
    place.refused("./libbot.so", "'./libbot.so' is a library, not a program");
    place.refused("./bot.exe", "'./bot.exe' is a program for Windows, and this is Linux");
    place.refused("./mac", "'./mac' is a program for macOS, and this is Linux");
    place.refused("./fat", "'./fat' is a program for macOS");
    place.refused("./Bot.class", "'./Bot.class' is a Java class; start it as 'java -cp . Bot'");
    place.refused("./bot.jar", "start it as 'java -jar ./bot.jar'");
    place.refused("./bot.zip", "is an archive; unpack it first (unzip ./bot.zip)");
    place.refused("./bot.tar.gz", "unpack it first (tar xf ./bot.tar.gz)");
    place.refused("./bot.pyc", "name the .py file that it was made from");
    place.refused("./noise", "neither a Linux program nor a script");
    place.refused("./pipe", "is not a regular file");
    fs::create_dir(place.path("bots")).unwrap();
    place.refused("bots", "'bots' is a folder, and a duel is between programs");
}

#[test]
fn what_a_command_runs_has_to_be_there() {
    let place = Place::new();
    place.file("nade.py", PYTHON).file("bot/other.py", PYTHON);
    place.refused("python3 nada.py", "there is no 'nada.py' in the current folder; did you mean 'nade.py'?");
    place.refused("python3 -u bot/bot.py", "there is no 'bot/bot.py' in the current folder");
    place.refused("python3 bot", "'bot' is a folder without __main__.py");
    place.refused(
        "python3 -m no_such_module",
        "there is no module 'no_such_module' in the current folder, and none is installed",
    );
    place.refused("sh nothing.sh", "there is no 'nothing.sh'");
    if place.tool("node --version") {
        place.refused("node nothing.js", "there is no 'nothing.js' in the current folder");
    }
    if place.tool("java -version") {
        place.refused("java -jar no.jar", "there is no 'no.jar' in the current folder");
        place.refused("java NoClass", "there is no class 'NoClass' (NoClass.class) in the current folder");
        place.refused("java -cp bot NoClass", "there is no class 'NoClass' (NoClass.class) in 'bot'");
        place.file("Raw.java", JAVA);
        place.refused("java Raw", "but its source code; build it with 'javac Raw.java'");
        place.refused("java NoClass.java", "there is no 'NoClass.java'");
    }
}

#[test]
fn classes_play_wherever_java_finds_them() {
    let place = Place::new();
    if !place.has_java() {
        return;
    }
    assert!(place.tool("jar cfe bot.jar Bot Bot.class 'Bot$Cells.class' Chooser.class"));
    for command in [
        "java Bot",
        "java -Xmx100m hex.Bot",
        "java hex/Bot",
        "java -cp . hex.Bot",
        "java -jar bot.jar",
        "java Bot.java",
    ] {
        place.plays(command);
    }
    place.plays_in("hex", "java -cp .. hex.Bot");
    place.refused("java Bto", "did you mean 'Bot'?");
    place.refused("java Bot.class", "which Java wants by its name: java Bot");
}

/// Other programs in the folder, so that it is not the bot's alone, and settings that name the command.
#[test]
fn classes_play_beside_other_programs_and_from_settings() {
    let place = Place::new();
    if !place.has_java() {
        return;
    }
    place
        .program("other.sh", "#!/bin/sh\n")
        .file("class.toml", "[[bots]]\nname = \"ana\"\ncommand = \"java hex.Bot\"\n");
    place.plays("java hex.Bot");
    let output = arbitro(
        &place.path(""),
        &[
            "championship",
            "--config",
            "class.toml",
            "@random",
            "--size",
            "3",
            "--seed",
            "1",
            "--out",
            "out",
            "--quiet",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    place.went_to_the_end("settings", 2);
}

#[test]
fn modules_and_folders_play() {
    let place = Place::new();
    place.file("single.py", PYTHON).file("package/__main__.py", format!("from . import word\n{PYTHON}"));
    place.file("package/__init__.py", "").file("package/word.py", "").file("folder/__main__.py", PYTHON);
    for command in
        ["python3 -m single", "python3 -um package", "python3 folder", "python3 -m package.__main__"]
    {
        place.plays(command);
    }
    if !place.tool("node --version") {
        return println!("there is no Node here");
    }
    place
        .file("web/index.js", JAVASCRIPT)
        .file("npm/bot.js", JAVASCRIPT)
        .file("npm/package.json", r#"{"main":"bot.js"}"#);
    place.file("plain.js", JAVASCRIPT);
    for command in ["node web", "node npm", "node plain", "node ./plain.js"] {
        place.plays(command);
    }
}

/// In a folder of bots, one that cannot run is left out by name, and the others play.
#[test]
fn in_a_folder_of_bots_only_those_that_can_run_take_part() {
    let place = Place::new();
    place.program("bots/ana.py", format!("#!/usr/bin/env python3\n{PYTHON}")).program("bots/beto.py", PYTHON);
    place.program("bots/caio/bot.c", "int main(void) { return 0; }\n");
    let output = arbitro(
        &place.path(""),
        &["championship", "bots", "@random", "--size", "3", "--seed", "1", "--out", "out", "--quiet"],
    );
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("beto.py' is text, and has no first line"), "{said}");
    assert!(said.contains("bot.c' is source code in C"), "{said}");
    place.went_to_the_end("folder", 2);
}

/// Code on the command line and what is typed are no files.
#[test]
fn code_in_a_command_is_no_file() {
    let place = Place::new();
    place.file("code", PYTHON);
    place.plays(&format!("python3 -c '{PYTHON}'"));
    assert!(Path::new("/usr/bin/env").exists());
    place.plays(&format!("/usr/bin/env python3 -c '{PYTHON}'"));
}

/// Writes what it should and what it should not, and then plays.
const WRITER: &str = r##"#!/usr/bin/env python3
import os, socket
open("log.txt", "w").write("moves\n")
os.makedirs("deep/er")
open("deep/er/more", "w").write("more")
os.symlink("/etc/passwd", "link")
os.symlink("/", "deep/root")
os.mkfifo("pipe")
open(b"\xff\x1b[2J", "w").write("odd")
try:
    os.chmod("log.txt", 0o4755)
except OSError:
    pass  # tier B forbids it
open("sparse", "w").truncate(1 << 25)
"##;

#[test]
fn what_bots_write_is_kept_if_that_is_asked_for() {
    for tier in ["A", "B", "C"] {
        let place = Place::new();
        let silent = format!("#!/usr/bin/env python3\n{PYTHON}");
        place.program("ana/bot.py", format!("{WRITER}{PYTHON}")).program("beto/bot.py", silent);
        let duel = [
            "duel",
            "ana=ana/bot.py",
            "beto=beto/bot.py",
            "--size",
            "3",
            "--games",
            "2",
            "--out",
            "out",
            "--quiet",
        ];
        let kept = |more: &[&str]| {
            let output = arbitro(&place.path(""), &[&duel[..], &["--tier", tier], more].concat());
            assert_eq!(output.status.code(), Some(0), "tier {tier}: {}{}", stdout(&output), stderr(&output));
            let entries = fs::read_dir(place.path("out/scratch")).into_iter().flatten().flatten();
            let mut names: Vec<String> =
                entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        assert_eq!(kept(&["--keep-scratch"]), ["0001-ana", "0002-ana"], "tier {tier}");
        let copy = place.path("out/scratch/0002-ana");
        assert_eq!(fs::read_to_string(copy.join("log.txt")).unwrap(), "moves\n");
        assert_eq!(fs::read_to_string(copy.join("deep/er/more")).unwrap(), "more");
        assert_eq!(copy.join("log.txt").metadata().unwrap().permissions().mode() & 0o7777, 0o644);
        assert_eq!(copy.join("sparse").metadata().unwrap().len(), 1 << 25);
        let names = |folder: &str| {
            let entries = fs::read_dir(copy.join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            names
        };
        assert_eq!(names(""), ["deep", "log.txt", "sparse", "\u{fffd}_[2J"], "tier {tier}");
        assert_eq!(names("deep"), ["er"]);
        place.went_to_the_end("writer", 2);
        assert_eq!(kept(&[]), [] as [&str; 0], "tier {tier}");
    }
}

#[test]
fn no_more_is_kept_than_a_bot_may_write() {
    let place = Place::new();
    let many = "import os\nfor n in range(4):\n    open(f'sparse{n}', 'w').truncate(1 << 20)\n";
    place.program("bot.py", format!("#!/usr/bin/env python3\n{many}{PYTHON}"));
    let arguments =
        ["--scratch", "1M", "--keep-scratch", "--size", "3", "--games", "1", "--out", "out", "--quiet"];
    let output = arbitro(&place.path(""), &[&["duel", "x=./bot.py", "@random"], &arguments[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let sizes = fs::read_dir(place.path("out/scratch/0001-x"))
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len());
    assert_eq!(sizes.sum::<u64>(), 1 << 20);
    let arguments =
        ["duel", "@random", "@random", "--games", "1", "--size", "3", "--keep-scratch", "--out", "none"];
    assert_eq!(arbitro(&place.path(""), &arguments).status.code(), Some(0));
    assert!(!place.path("none/scratch").exists(), "nothing was written, and nothing is kept");
    let refused = arbitro(&place.path(""), &["duel", "@random", "@random", "--keep-scratch", "--no-sandbox"]);
    assert_eq!(refused.status.code(), Some(2));
}
