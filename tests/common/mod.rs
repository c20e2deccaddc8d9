//! What the integration tests share: real programs, real matches, and a way to write both down in a sentence.

// Every test file is a crate of its own and uses some of this.
#![allow(dead_code)]

pub mod as_nobody;
pub mod http;
pub mod person;
pub mod recount;

use std::ffi::OsStr;
use std::io::{Read as _, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

pub const ARBITRO: &str = env!("CARGO_BIN_EXE_arbitro");
pub const ARBITRO_REF: &str = env!("CARGO_BIN_EXE_arbitro-ref");

/// Names a folder that has all programs ready, for tests that are run where nothing can be built.
pub const READY: &str = "ARBITRO_TEST_PROGRAMS";

/// The program under test.
pub fn program() -> PathBuf {
    std::env::var_os(READY).map_or_else(|| ARBITRO.into(), |ready| Path::new(&ready).join("arbitro"))
}

/// A program that Ctrl-C ends, even where the tests run in the background of a shell: what is started there ignores it, and so does
/// whatever that starts.
pub fn interruptible(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    let listen = || match unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) } {
        libc::SIG_ERR => Err(std::io::Error::last_os_error()),
        _ => Ok(()),
    };
    // SAFETY: to set a signal's action is allowed between fork and exec.
    unsafe { command.pre_exec(listen) };
    command
}

/// A misbehaving program of the given kind, as a command. It is built when first asked for.
pub fn misfit(kind: &str) -> String {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| compile("tests/bots/misfit.c", "misfit"));
    format!("{kind}={} {kind}", program.display())
}

/// A bot of Hex that always plays the same and pauses before each move: `patient KEY MILLISECONDS`.
pub fn patient() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| compile("tests/bots/patient.c", "patient"))
}

/// The folder that misfits are in, for scripts that start them: contained programs see their own folder only.
pub fn misfits() -> &'static str {
    env!("CARGO_TARGET_TMPDIR")
}

/// Builds a C program of the project, unless it is ready.
pub fn compile(source: &str, name: &str) -> PathBuf {
    if let Some(ready) = std::env::var_os(READY) {
        return Path::new(&ready).join(name);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let fresh = folder.join(format!("{name}-{}", std::process::id()));
    let done = folder.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let status = Command::new("cc").args(["-O1", "-std=gnu99", "-o"]).arg(&fresh).arg(&source).status();
    assert!(
        status.expect("the tests need a C compiler: apt-get install gcc").success(),
        "{source:?} does not compile"
    );
    // Renamed into place, so that test programs which run side by side never see half a file.
    std::fs::rename(&fresh, &done).unwrap();
    done
}

/// A match that is to be played: `Duel::of("occupied", "honest").games(2).play()`.
pub struct Duel {
    folder: tempfile::TempDir,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Duel {
    /// Between two programs on a small board, with a clock that no honest move can exhaust.
    pub fn between(first: &str, second: &str) -> Duel {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out").display().to_string();
        let arguments = [
            "duel",
            first,
            second,
            "--quiet",
            // What these programs do wrong is to be seen in a game.
            "--keep-failing",
            "--no-sandbox",
            "--size",
            "5",
            "--games",
            "1",
            "--time",
            "20",
            "--out",
            &out,
        ];
        Duel { arguments: arguments.map(str::to_owned).into(), folder, environment: Vec::new() }
    }

    /// Between misfits of two kinds; the first begins.
    pub fn of(first: &str, second: &str) -> Duel {
        Duel::between(&misfit(first), &misfit(second))
    }

    /// Between other programs.
    pub fn bots(mut self, first: &str, second: &str) -> Duel {
        self.arguments[1..3].clone_from_slice(&[first.to_owned(), second.to_owned()]);
        self
    }

    /// Adds options. A later one replaces an earlier one.
    pub fn with(mut self, options: &[&str]) -> Duel {
        for option in options.iter().filter(|option| option.starts_with("--")) {
            if let Some(at) = self.arguments.iter().position(|argument| argument == option) {
                self.arguments.drain(at..at + 2);
            }
        }
        self.arguments.extend(options.iter().map(|&option| option.to_owned()));
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Duel {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// With its programs contained, as well as this tier says.
    pub fn contained(mut self, tier: &str) -> Duel {
        self.arguments.retain(|argument| argument != "--no-sandbox");
        self.with(&["--tier", tier])
    }

    /// The command, for tests that do something to it while it runs.
    pub fn command(&self) -> Command {
        let mut command = interruptible(program());
        command.args(&self.arguments).envs(self.environment.iter().cloned()).stdin(Stdio::null());
        command
    }

    /// The folder that the match writes to.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// The folder around it, which is gone with this value.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Plays the match to its end.
    pub fn play(self) -> Played {
        let output = self.command().output().unwrap();
        self.played(output)
    }

    /// The match, once its command has ended with this output.
    pub fn played(self, output: Output) -> Played {
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success(),
            "{:?} ended with {}:\n{text}{errors}",
            self.arguments,
            output.status
        );
        let is_disturbed = |game: &Value| game["verdict"]["reason"] == "disturbed";
        let (disturbed, games): (Vec<_>, Vec<_>) = journal(&self.out()).into_iter().partition(is_disturbed);
        // Where tests run side by side, that may happen, and the game is played again.
        disturbed.iter().for_each(|game| println!("disturbed: {}", game["verdict"]["sentence"]));
        Played { games, text, errors, duel: self }
    }
}

/// A match that was played.
pub struct Played {
    pub duel: Duel,
    pub games: Vec<Value>,
    pub text: String,
    pub errors: String,
}

impl Played {
    /// The only game.
    pub fn game(&self) -> &Value {
        assert_eq!(self.games.len(), 1);
        &self.games[0]
    }

    /// The winner's seat in the only game.
    pub fn winner(&self) -> Option<u64> {
        self.game()["verdict"]["winner"].as_u64()
    }

    /// Why the only game ended.
    pub fn reason(&self) -> &str {
        self.game()["verdict"]["reason"].as_str().unwrap()
    }

    /// The sentence of the only game.
    pub fn sentence(&self) -> &str {
        self.game()["verdict"]["sentence"].as_str().unwrap()
    }

    /// Asserts that the program at a seat lost the only game for this reason, with these words in the sentence.
    #[track_caller]
    pub fn lost(&self, seat: u64, reason: &str, words: &[&str]) {
        let verdict = &self.game()["verdict"];
        assert_eq!((self.winner(), self.reason()), (Some(1 - seat), reason), "{verdict}");
        for word in words {
            assert!(self.sentence().contains(word), "'{word}' is missing in: {}", self.sentence());
        }
    }

    /// Asserts that the only game was played to its end on the board.
    #[track_caller]
    pub fn went_to_the_end(&self) {
        assert_eq!(self.reason(), "connected", "{}", self.game()["verdict"]);
    }

    /// The texts of the warnings of one kind in the only game.
    pub fn warnings(&self, kind: &str) -> Vec<String> {
        let all = self.game()["warnings"].as_array().cloned().unwrap_or_default();
        let of_kind = all.iter().filter(|warning| warning["kind"] == kind);
        of_kind.map(|warning| warning["text"].as_str().unwrap().to_owned()).collect()
    }

    /// The moves of the only game.
    pub fn moves(&self) -> Vec<String> {
        let moves = self.game()["moves"].as_array().unwrap();
        moves.iter().map(|mv| mv[0].as_str().unwrap().to_owned()).collect()
    }
}

/// The games in the journal of a folder.
pub fn journal(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All that can be read in a page, its packed parts included.
pub fn all_texts(html: &str) -> String {
    let mut text = html.to_owned();
    for part in html.split("<script type=\"text/plain\"").skip(1) {
        let letters = part.split_once('>').unwrap().1.split_once('<').unwrap().0;
        let bytes = STANDARD.decode(letters).unwrap();
        let mut opened = Vec::new();
        flate2::read::DeflateDecoder::new(&bytes[..]).read_to_end(&mut opened).unwrap();
        // Packed, it spells any name of three letters now and then.
        text = text.replacen(letters, "", 1) + &String::from_utf8_lossy(&opened);
    }
    text
}

/// Replaces a line of the journal in a folder by what is made of it, with a checksum that fits.
pub fn edit_line(folder: &Path, line: usize, edit: impl FnOnce(&mut Value)) {
    edit_line_of(&folder.join("games.jsonl"), line, edit);
}

/// The same in this file.
pub fn edit_line_of(path: &Path, line: usize, edit: impl FnOnce(&mut Value)) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut record: Value = serde_json::from_str(&lines[line]).unwrap();
    record.as_object_mut().unwrap().remove("crc32");
    edit(&mut record);
    let json = record.to_string();
    lines[line] = format!("{{\"crc32\":\"{:08x}\",{}", crc32fast::hash(&json.as_bytes()[1..]), &json[1..]);
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

/// The seed of a test that draws lots: 1, or the one in the environment; printed so that a failed test can be run again: `ARBITRO_TEST_SEED=… cargo test`.
pub fn seed() -> u64 {
    let given = std::env::var("ARBITRO_TEST_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or(1);
    println!("ARBITRO_TEST_SEED={seed}");
    seed
}

/// The cells of a CSV file, row by row. No cell of our tests needs quotation marks, so that this is an independent reader.
pub fn csv(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Runs arbitro with these arguments in the given folder.
pub fn arbitro(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// Runs arbitro with these arguments in the given folder, with this typed.
pub fn typed(folder: &Path, arguments: &[&str], text: &str) -> Output {
    let mut child = Command::new(ARBITRO)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait_with_output().unwrap()
}

/// Plays a game at the keyboard, with this typed. What stderr says of where the game is kept is taken away, and must be there if
/// the game ended as it should.
pub fn console(folder: &Path, arguments: &[&str], text: &str) -> Output {
    let kept = tempfile::tempdir().unwrap();
    let out = kept.path().join("out");
    let mut output = typed(folder, &[arguments, &["--out", out.to_str().unwrap()]].concat(), text);
    let journal = format!("the game is kept in {}\n", out.join("games.jsonl").display());
    let errors = stderr(&output);
    match errors.strip_suffix(&journal) {
        Some(rest) => output.stderr = rest.into(),
        None => assert_ne!(output.status.code(), Some(0), "{errors}"),
    }
    output
}

/// What was printed.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What was said on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Waits for something to become true, for as long as a slow machine may need.
#[track_caller]
pub fn eventually(what: &str, mut test: impl FnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !test() {
        // Where many tests run side by side, a program may wait long for its processor.
        assert!(begun.elapsed() < Duration::from_secs(120), "it never happened: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
    begun.elapsed()
}

/// Whether a process runs. One that has ended but was not collected by its parent does not.
pub fn runs(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

/// The process numbers in a file with one on each line.
pub fn pids_in(file: &Path) -> Vec<i32> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().filter_map(|line| line.trim().parse().ok()).collect()
}

/// Every process whose command line contains a text.
pub fn processes_with(text: &str) -> Vec<i32> {
    let numbers = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    numbers
        .filter(|pid: &i32| {
            let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).replace('\0', " ").contains(text)
        })
        .filter(|&pid| runs(pid))
        .collect()
}
