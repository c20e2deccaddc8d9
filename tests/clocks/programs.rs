//! The bots of these tests, built when they are first asked for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::common::{READY, compile};
use crate::say;

const ZOO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/zoo");

/// A program in C.
pub fn built(name: &str) -> PathBuf {
    static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let folder = if name == "ponder" { "tests/zoo/ponder" } else { "tests/zoo" };
    let build = || compile(&format!("{folder}/{name}.c"), name);
    BUILT.lock().unwrap().entry(name.to_owned()).or_insert_with(build).clone()
}

/// One that burns so many milliseconds of its own processor time for every move, as a bot with the name `honest`.
pub fn honest(words: &str) -> String {
    format!("honest={} {words}", built("honest").display())
}

/// One that tries to take time, as a bot with the name `thief`.
pub fn thief(kind: &str, amount: u32) -> String {
    format!("thief={} {kind} {amount}", built("thief").display())
}

/// One that draws by lot what it tries, as a bot with the name `adversary`.
pub fn adversary(seed: u64) -> String {
    format!("adversary={} {seed}", built("adversary").display())
}

/// What an adversary does, in one line.
pub fn description(seed: u64) -> String {
    let output = Command::new(built("adversary")).args([&seed.to_string(), "--describe"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// As [`honest`], in Java, if that is here.
pub fn honest_in_java(words: &str) -> Option<String> {
    let classes = compiled_java("Honest.java")?;
    Some(format!("honest=java -cp {} Honest {words}", classes.display()))
}

/// Bots that think while they wait, in every language that is here, each with its name.
pub fn ponderers() -> Vec<(&'static str, String)> {
    let c = Some(format!("ponder={}", built("ponder").display()));
    let java = || Some(format!("ponder=java -cp {} Ponder", compiled_java("ponder/Ponder.java")?.display()));
    let go = || Some(format!("ponder={}", compiled_go("ponder/ponder.go")?.display()));
    let python = || found("python3").then(|| format!("ponder={ZOO}/ponder/ponder.py"));
    let node = || found("node").then(|| format!("ponder=node {ZOO}/ponder/ponder.js"));
    let all = [("C", c), ("Java", java()), ("Go", go()), ("Python", python()), ("JavaScript", node())];
    all.into_iter().filter_map(|(language, bot)| Some((language, bot?))).collect()
}

/// Whether there is such a program here; if not, that is said.
fn found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join(program).exists());
    if !found {
        say(&format!("there is no {program} here: what needs it is not played"));
    }
    found
}

/// Where programs go that are built.
fn folder() -> PathBuf {
    std::env::var_os(READY).map_or_else(|| env!("CARGO_TARGET_TMPDIR").into(), PathBuf::from)
}

/// The folder of the classes of a source, which holds nothing else.
fn compiled_java(source: &str) -> Option<PathBuf> {
    if !found("javac") {
        return None;
    }
    let classes = folder().join(Path::new(source).with_extension("classes").file_name().unwrap());
    run(Command::new("javac").arg("-d").arg(&classes).arg(Path::new(ZOO).join(source)));
    Some(classes)
}

fn compiled_go(source: &str) -> Option<PathBuf> {
    if !found("go") {
        return None;
    }
    let program = folder().join("ponder-go");
    run(Command::new("go").args(["build", "-o"]).arg(&program).arg(Path::new(ZOO).join(source)));
    Some(program)
}

fn run(compiler: &mut Command) {
    assert!(compiler.status().unwrap().success(), "{compiler:?} failed");
}
