//! Hand-ins are built contained: hostile builds at every tier, as far as it promises to stop them, and real compilers.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use common::as_nobody::tests_as_nobody;
use common::{program, stderr, stdout};
use serde_json::Value;

/// What no other process of the machine has in its command line.
const MARK: &str = "7654321";

/// Hand-ins, and where they are built.
struct Course {
    folder: tempfile::TempDir,
}

impl Course {
    fn new() -> Course {
        Course { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Course {
        let path = self.path("handins").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// A hand-in with these lines for the shell as its Makefile. Whatever else comes of it, it has a program.
    fn makefile(&self, name: &str, lines: &str) -> &Course {
        self.file(&format!("{name}/main.py"), "if __name__ == '__main__':\n    pass\n");
        self.file(&format!("{name}/do.sh"), lines);
        self.file(&format!("{name}/Makefile"), "all:\n\t@bash ./do.sh\n")
    }

    fn build(&self, options: &[&str]) -> Output {
        let mut command = Command::new(program());
        command.args(["build", "handins", "--out", "out", "--json", "--quiet"]).args(options);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).output().unwrap()
    }

    /// What came of each; nothing if this machine has no such tier.
    fn built(&self, options: &[&str]) -> Option<BTreeMap<String, Value>> {
        let output = self.build(options);
        if output.status.code() == Some(2) && stderr(&output).contains("tier") {
            eprintln!("skipped: {}", stderr(&output));
            return None;
        }
        let result: Value = serde_json::from_str(&stdout(&output))
            .unwrap_or_else(|_| panic!("{}{}", stdout(&output), stderr(&output)));
        let handins = result["handins"].as_array().unwrap().iter();
        Some(handins.map(|one| (one["name"].as_str().unwrap().to_owned(), one.clone())).collect())
    }

    fn log(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path(&format!("out/logs/{name}.txt"))).unwrap()).into_owned()
    }
}

fn failure(built: &Value) -> &str {
    built["outcome"]["failed"].as_str().unwrap_or_default()
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// All files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.symlink_metadata().unwrap().is_dir() {
                open.push(path.clone());
            }
            found.push(path);
        }
    }
    found
}

/// Whether some process has this in its command line.
fn runs(mark: &str) -> bool {
    let mut processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path().join("cmdline"));
    processes.any(|line| fs::read(line).is_ok_and(|line| String::from_utf8_lossy(&line).contains(mark)))
}

/// One at a time: each takes all that the machine has.
static ALONE: Mutex<()> = Mutex::new(());

fn hostile_builds_are_contained_at(tier: &str) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let course = Course::new();
    let secret = course.path("secret.txt");
    fs::write(&secret, "the professor's marks").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let mark = format!("{MARK}{tier}{}", std::process::id());
    let root = course.folder.path().display().to_string();
    course
        .file("victim/main.py", "if __name__ == '__main__':\n    pass\n")
        .makefile("sleeper", &format!("exec -a {mark} sleep 100000\n"))
        .makefile("filler", "cat /dev/zero > big\n")
        .makefile("small files", "seq 1 120000 | xargs touch || exit\nsleep 5\n")
        .makefile("reader", &format!("cat {root}/secret.txt > stolen.txt\nls -R {root} > list.txt\nexit 0\n"))
        .makefile("network", &format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo hello >&3\n"))
        .makefile("daemon", &format!("(exec -a {mark} setsid sleep 100000 &) > /dev/null 2>&1\nexec -a {mark} sleep 100000 &\n"))
        .makefile(
            "links",
            "ln -s /etc/passwd hex\nln -s / everything\nmkfifo pipe\ncp /bin/true made\nchmod 6777 made\n\
             mknod device c 1 3\nmv ../work/do.sh ..\nexit 0\n",
        )
        .makefile("elsewhere", "cd ..\nmv work gone\nln -s /etc work\n")
        .makefile("printer", "head -c 300M /dev/zero | tr '\\0' x\n")
        .makefile("deep", "for i in {1..3000}; do mkdir d; cd d; done\nexit 0\n")
        .makefile(
            "vandal",
            &format!("for f in {root}/out/logs/victim.txt {root}/out/bots/victim/main.py {root}/out/hand-ins.jsonl\n\
                      do echo vandal > $f; done\nexit 0\n"),
        )
        .makefile("murder", "kill -9 -1\nkill -9 $PPID\nexit 1\n")
        .makefile("hungry", "exec python3 -c 'x = bytearray(3 << 30)'\n");
    if tier == "C" {
        // There it would end all that this account runs.
        fs::remove_dir_all(course.path("handins/murder")).unwrap();
    }
    let begun = Instant::now();
    // Enough for those that end by themselves on a busy machine.
    let options = ["--tier", tier, "--build-time", "30", "--build-memory", "1G", "--jobs", "4"];
    let Some(built) = course.built(&options) else { return };
    let (took, most) = (begun.elapsed(), Duration::from_secs(30) * built.len() as u32);
    assert!(took < most, "{took:?}");
    assert!(!runs(&mark), "something is left of a build");
    let of = |name: &str| failure(&built[name]);
    assert!(of("sleeper").contains("did not finish in 30 s"), "{}", built["sleeper"]);
    assert!(of("filler").contains("filled the disk"), "{}", built["filler"]);
    // A slow disk is not full in time.
    let is_slow = tier != "A" && of("small files").contains("did not finish");
    assert!(is_slow || of("small files").contains("filled the disk"), "{}", built["small files"]);
    assert!(built["daemon"]["command"].is_string(), "{}", built["daemon"]);
    assert!(of("hungry").contains("memory") || of("hungry").contains("Memory"), "{}", built["hungry"]);
    assert!(fs::metadata(course.path("out/logs/printer.txt")).unwrap().len() < 6 << 20);
    // What is left of it can do no harm to those who read it.
    for path in below(&course.path("out/bots")) {
        let data = path.symlink_metadata().unwrap();
        let kind = data.file_type();
        assert!(kind.is_file() || kind.is_dir(), "{path:?}");
        assert!(!kind.is_fifo() && data.permissions().mode() & 0o7000 == 0, "{path:?}");
        assert!(!path.ends_with("passwd"));
    }
    assert!(!course.path("out/bots/elsewhere/passwd").exists());
    assert_eq!(built["victim"]["outcome"], "built");
    if tier == "C" {
        return;
    }
    assert_ne!(built["murder"]["outcome"], "built", "{}", built["murder"]);
    let stolen = fs::read_to_string(course.path("out/bots/reader/stolen.txt")).unwrap_or_default();
    let list = fs::read_to_string(course.path("out/bots/reader/list.txt")).unwrap_or_default();
    assert!(!stolen.contains("marks") && !list.contains("victim"), "{stolen}{list}");
    assert!(listener.accept().is_err(), "a build has reached the network");
    assert!(!course.log("victim").contains("vandal"));
    let victim = fs::read_to_string(course.path("out/bots/victim/main.py")).unwrap();
    assert!(!victim.contains("vandal"));
}

/// It is limited by what the kernel counts for an account, or ended with its time. Without containment it could take the machine along.
#[test]
fn a_build_that_forks_without_end_costs_its_time_only() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for tier in ["A", "B"] {
        let course = Course::new();
        let mark = format!("{MARK}forks{tier}{}", std::process::id());
        course.file(
            "forks/Makefile",
            format!("all:\n\t@bash -c 'f() {{ f | f & }}; f; while :; do sleep 1; done' {mark}\n"),
        );
        let begun = Instant::now();
        let Some(built) = course.built(&["--tier", tier, "--build-time", "3"]) else { continue };
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
        assert!(!failure(&built["forks"]).is_empty(), "{}", built["forks"]);
        assert!(!runs(&mark), "something is left of a build");
    }
}

#[test]
fn hostile_builds_are_contained_at_tier_a() {
    hostile_builds_are_contained_at("A");
}

#[test]
#[ignore = "takes half a minute"]
fn hostile_builds_are_contained_at_tier_b() {
    hostile_builds_are_contained_at("B");
}

#[test]
#[ignore = "takes half a minute"]
fn hostile_builds_cost_their_time_only_at_tier_c() {
    hostile_builds_are_contained_at("C");
}

/// A hand-in: its language, the tool that has to be there, its files, and how its program is started.
type Sample = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

/// Programs that write a line, as their languages are handed in.
const HELLO: [Sample; 11] = [
    (
        "c",
        "gcc",
        &[
            ("hex.c", "#include \"b.h\"\nint main(void) { return hello(); }\n"),
            ("lib/b.c", "#include <stdio.h>\nint hello(void) { puts(\"hello\"); return 0; }\n"),
            ("lib/b.h", "int hello(void);\n"),
        ],
        "./hex",
    ),
    (
        "c++",
        "g++",
        &[
            (
                "src/hex.cpp",
                "#include <iostream>\nextern \"C\" int one(void);\nint main() { std::cout << \"hello\\n\"; return one() - 1; }\n",
            ),
            ("src/one.c", "int one(void) { int class = 1; return class; }\n"),
        ],
        "./src/hex",
    ),
    (
        "java",
        "javac",
        &[
            (
                "br/usp/Main.java",
                "package br.usp;\npublic class Main { public static void main(String[] a) { System.out.println(Words.WORD); } }\n",
            ),
            (
                "br/usp/Words.java",
                "\u{feff}package br.usp;\r\nclass Words { static final String WORD = \"hello\"; }\r\n",
            ),
        ],
        "java -cp . br.usp.Main",
    ),
    (
        "python",
        "python3",
        &[("hex.py", "import words\nprint(words.WORD)\n"), ("words.py", "\u{feff}WORD = 'hello'\r\n")],
        "python3 hex.py",
    ),
    (
        "javascript",
        "node",
        &[("lib/stream.js", "console.log('hello')\n"), ("package.json", "{\"main\": \"lib/stream\"}\n")],
        "node lib/stream.js",
    ),
    ("rust", "rustc", &[("main.rs", "fn main() { println!(\"hello\") }\n")], "./main"),
    (
        "cargo",
        "cargo",
        &[
            ("Cargo.toml", "[package]\nname = \"hex\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            ("src/main.rs", "fn main() { println!(\"hello\") }\n"),
        ],
        "./hex",
    ),
    (
        "go",
        "go",
        &[
            ("go.mod", "module usp.br/hex\n\ngo 1.18\n"),
            ("main.go", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"),
        ],
        "./hex",
    ),
    (
        "make",
        "make",
        &[
            ("Makefile", "BIN = hex\nall: $(BIN) helper\n%: %.c\n\tgcc -o $@ $<\n"),
            ("helper.c", "int main(void) { return 3; }\n"),
            ("hex.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n"),
        ],
        "./hex",
    ),
    (
        "cmake",
        "cmake",
        &[
            (
                "CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.10)\nproject(hex C)\nadd_library(b SHARED b.c)\nadd_executable(hex a.c)\ntarget_link_libraries(hex b)\n",
            ),
            ("a.c", "int hello(void);\nint main(void) { return hello(); }\n"),
            ("b.c", "#include <stdio.h>\nint hello(void) { puts(\"hello\"); return 0; }\n"),
        ],
        "./cmake-build/hex",
    ),
    ("haskell", "ghc", &[("Main.hs", "main :: IO ()\nmain = putStrLn \"hello\"\n")], "./Main"),
];

fn real_compilers_build_at(tier: &str) {
    let course = Course::new();
    let is_there = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    let there: Vec<_> = HELLO
        .iter()
        .filter(|(language, tool, ..)| {
            let is_there = is_there(tool);
            if !is_there {
                eprintln!("skipped: {language}, since there is no {tool} here");
            }
            is_there
        })
        .collect();
    for (language, _, files, _) in &there {
        for (name, text) in *files {
            course.file(&format!("{language}/{name}"), text);
        }
    }
    let Some(built) = course.built(&["--tier", tier]) else { return };
    for (language, _, _, command) in &there {
        let one = &built[*language];
        assert_eq!(one["outcome"], "built", "{one}: {}", course.log(language));
        assert_eq!(one["command"], *command, "{one}");
        let bot = course.path("out/bots").join(language);
        let ran = Command::new("sh").args(["-c", command]).current_dir(bot).output().unwrap();
        assert_eq!(stdout(&ran), "hello\n", "{language}: {}", stderr(&ran));
    }
}

#[test]
fn real_compilers_build_at_tier_a() {
    real_compilers_build_at("A");
}

#[test]
fn real_compilers_build_at_tier_b() {
    real_compilers_build_at("B");
}

#[test]
fn real_compilers_build_at_tier_c() {
    real_compilers_build_at("C");
}

#[test]
#[ignore = "takes more than a minute"]
fn an_ordinary_user_builds_contained_too() {
    if !is_root() {
        return eprintln!("all of this was run as an ordinary user, and not as root");
    }
    let (mut tests, _folder) = tests_as_nobody(&[], &["an_ordinary_user"]);
    let output = tests.arg("--include-ignored").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "as an ordinary user:\n{text}");
}
