//! How each flawed bot comes to be: a source file of this folder, compiled if need be, in a folder of its own as a student has it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

/// What a flawed bot is written in, or how it is made.
#[derive(Clone, Copy)]
pub enum Language {
    C,
    /// C with the address sanitizer.
    Sanitized,
    Cpp,
    Python,
    Java,
    JavaScript,
    Bash,
    Okupacio,
    Xinez,
    /// Files that are written to the folder; the command that starts the bot is returned.
    Made(fn(&Path) -> String),
}

use Language::*;

impl Language {
    /// The programs that must be there.
    fn needs(self) -> &'static [&'static str] {
        match self {
            C | Sanitized => &["cc"],
            Cpp => &["c++"],
            Python | Okupacio | Xinez => &["python3"],
            Java => &["javac", "java"],
            JavaScript => &["node"],
            Bash => &["bash"],
            Made(_) => &["cc", "python3", "javac", "java"],
        }
    }

    /// What is missing on this machine.
    pub fn missing(self) -> Option<&'static str> {
        self.needs().iter().copied().find(|program| !is_here(program))
    }

    /// Puts the bot with this flaw into a folder; the command that starts it there.
    pub fn make(self, flaw: &str, folder: &Path) -> String {
        let (file, command) = match self {
            C => (
                compiled(
                    "flawed.c",
                    "flawed",
                    &["cc", "-O0", "-g", "-std=gnu99", "-w", "-fstack-protector-strong"],
                ),
                "./flawed",
            ),
            Sanitized => {
                let compiler = ["cc", "-O0", "-g", "-std=gnu99", "-w", "-fsanitize=address"];
                (compiled("flawed.c", "flawed-asan", &compiler), "./flawed-asan")
            }
            Cpp => {
                (compiled("flawed.cpp", "flawed-cpp", &["c++", "-O0", "-g", "-std=c++17"]), "./flawed-cpp")
            }
            Java => (java_class(), "java -XX:TieredStopAtLevel=1 -cp . Flawed"),
            Python => (source("flawed.py"), "python3 flawed.py"),
            JavaScript => (source("flawed.js"), "node flawed.js"),
            Bash => (source("flawed.sh"), "bash flawed.sh"),
            Okupacio => (source("flawed_okupacio.py"), "python3 flawed_okupacio.py"),
            Xinez => (source("flawed_xinez.py"), "python3 flawed_xinez.py"),
            Made(make) => return make(folder),
        };
        std::fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
        format!("{command} {flaw}")
    }
}

/// Whether a command is on the PATH.
fn is_here(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A source file of this folder.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/flaws").join(name)
}

/// The folder of compiled bots, in which one is compiled at a time.
fn workshop() -> PathBuf {
    static WORKSHOP: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("flaws-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    });
    WORKSHOP.clone()
}

/// A program, compiled when first asked for.
fn compiled(name: &str, program: &str, compiler: &[&str]) -> PathBuf {
    build(&workshop().join(program), |done| {
        let mut command = Command::new(compiler[0]);
        // By its bare name, as it will stand in assertions.
        command
            .current_dir(source("."))
            .args(&compiler[1..])
            .arg("-o")
            .args([done, Path::new(name)])
            .arg("-pthread");
        command
    })
}

fn java_class() -> PathBuf {
    build(&workshop().join("Flawed.class"), |done| {
        let mut command = Command::new("javac");
        command.arg("-d").arg(done.parent().unwrap()).arg(source("Flawed.java"));
        command
    })
}

fn build(done: &Path, command: impl Fn(&Path) -> Command) -> PathBuf {
    static ALONE: Mutex<()> = Mutex::new(());
    // A build that failed has left nothing that could disturb the next one.
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !done.exists() {
        let output = command(done).output().unwrap();
        assert!(output.status.success(), "{done:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    done.to_owned()
}

/// Removes what was compiled.
pub fn sweep() {
    // It is only a leftover in the folder of builds.
    let _ = std::fs::remove_dir_all(workshop());
}

/// A file with these bytes, which can be run or not.
pub fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>, mode: u32) {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
}

const SOUND: &str =
    "import os\nn = int(os.environ['ARBITRO_SIZE'])\nprint(n - 1, n - 1, flush=True)\ninput()\n";

pub fn syntax_error(folder: &Path) -> String {
    std::fs::copy(source("syntax.py"), folder.join("syntax.py")).unwrap();
    "python3 syntax.py".into()
}

/// The file exists, but beside the bot's folder, where it sees nothing.
pub fn reads_a_file_elsewhere(folder: &Path) -> String {
    let book = folder.with_file_name("book.txt");
    std::fs::write(&book, "7 7\n").unwrap();
    file(folder, "bot.py", format!("book = open({book:?}).read()\n{SOUND}"), 0o644);
    "python3 bot.py".into()
}

pub fn no_such_script(_: &Path) -> String {
    "python3 nada.py".into()
}

pub fn java_not_compiled(folder: &Path) -> String {
    std::fs::copy(source("Flawed.java"), folder.join("Flawed.java")).unwrap();
    "java Flawed sound".into()
}

/// In a folder of several bots, a bot consists of the files that its command names: not the class of its helper.
pub fn java_without_its_helper(folder: &Path) -> String {
    file(folder, "other.py", format!("#!/usr/bin/env python3\n{SOUND}"), 0o755);
    let bot = "public class Bot { public static void main(String[] a) { System.out.println(Helper.move()); } }\n\
               class Helper { static String move() { return \"3 4\"; } }\n";
    file(folder, "Bot.java", bot, 0o644);
    assert!(Command::new("javac").arg("Bot.java").current_dir(folder).status().unwrap().success());
    "java Bot".into()
}

pub fn java_source_as_class(folder: &Path) -> String {
    file(
        folder,
        "Bot.java",
        "public class Bot { public static void main(String[] a) { System.out.println(\"3 4\") } }\n",
        0o644,
    );
    "java Bot.java".into()
}

pub fn script_without_interpreter(folder: &Path) -> String {
    file(folder, "bot.py", SOUND, 0o755);
    "./bot.py".into()
}

pub fn script_with_a_mark(folder: &Path) -> String {
    file(folder, "bot.py", format!("\u{feff}#!/usr/bin/env python3\n{SOUND}"), 0o755);
    "./bot.py".into()
}

pub fn c_source(folder: &Path) -> String {
    file(folder, "bot.c", "#include <stdio.h>\nint main(void)\n{\n    printf(\"3 4\\n\");\n}\n", 0o755);
    "./bot.c".into()
}

pub fn java_source(folder: &Path) -> String {
    file(
        folder,
        "Bot.java",
        "public class Bot {\n    public static void main(String[] args) {\n    }\n}\n",
        0o755,
    );
    "./Bot.java".into()
}

pub fn object_file(folder: &Path) -> String {
    let status = Command::new("cc")
        .args(["-w", "-c", "-o"])
        .arg(folder.join("bot.o"))
        .arg(source("flawed.c"))
        .status();
    assert!(status.unwrap().success());
    std::fs::set_permissions(folder.join("bot.o"), PermissionsExt::from_mode(0o755)).unwrap();
    "./bot.o".into()
}

pub fn windows_program(folder: &Path) -> String {
    let mut bytes = b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00".to_vec();
    bytes.resize(0x3c, 0);
    bytes.extend_from_slice(b"\x40\x00\x00\x00PE\x00\x00\x64\x86");
    bytes.resize(1024, 0);
    file(folder, "bot.exe", bytes, 0o755);
    "./bot.exe".into()
}

pub fn mac_program(folder: &Path) -> String {
    let mut bytes = b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01\x00\x00\x00\x00\x02\x00\x00\x00".to_vec();
    bytes.resize(1024, 0);
    file(folder, "bot", bytes, 0o755);
    "./bot".into()
}

/// A program for 64-bit ARM: that of this machine, with the number of the other processor in its header.
pub fn arm_program(folder: &Path) -> String {
    let mut bytes = std::fs::read("/bin/true").unwrap();
    let other: u16 = if cfg!(target_arch = "aarch64") { 62 } else { 183 };
    bytes[18..20].copy_from_slice(&other.to_le_bytes());
    file(folder, "bot", bytes, 0o755);
    "./bot".into()
}

pub fn wrong_interpreter(folder: &Path) -> String {
    file(folder, "bot.py", format!("#!/usr/local/bin/pyhton3\n{SOUND}"), 0o755);
    "./bot.py".into()
}

pub fn windows_lines(folder: &Path) -> String {
    file(folder, "bot.py", format!("#!/usr/bin/env python3\n{SOUND}").replace('\n', "\r\n"), 0o755);
    "./bot.py".into()
}

pub fn not_runnable(folder: &Path) -> String {
    file(folder, "bot.py", format!("#!/usr/bin/env python3\n{SOUND}"), 0o644);
    "./bot.py".into()
}

pub fn wrong_path(_: &Path) -> String {
    "./bots/mybot".into()
}

pub fn empty_file(folder: &Path) -> String {
    file(folder, "bot", "", 0o755);
    "./bot".into()
}

pub fn missing_library(folder: &Path) -> String {
    let run = |command: &mut Command| assert!(command.current_dir(folder).status().unwrap().success());
    file(folder, "lib.c", "int evaluate(void) { return 3; }\n", 0o644);
    file(folder, "bot.c", "int evaluate(void);\nint main(void) { return evaluate(); }\n", 0o644);
    run(Command::new("cc").args(["-shared", "-fPIC", "-o", "libhexeval.so", "lib.c"]));
    run(Command::new("cc").args(["-o", "bot", "bot.c", "-L.", "-lhexeval"]));
    std::fs::remove_file(folder.join("libhexeval.so")).unwrap();
    "./bot".into()
}
