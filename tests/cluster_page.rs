//! What the page about many machines shows works as it stands.

mod common;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{arbitro, stderr, stdout};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/cluster.md")).unwrap()
}

/// The block of the page that is in this language.
fn block(language: &str) -> String {
    let page = page();
    let after = page.split(&format!("```{language}\n")).nth(1).unwrap();
    after.split("```").next().unwrap().to_owned()
}

#[test]
fn shards_can_be_played_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    symlink(root().join("bots"), folder.path().join("bots")).unwrap();
    let mut last = String::new();
    for command in block("sh").lines() {
        let words = shell_words::split(command).unwrap();
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let output = arbitro(folder.path(), &words);
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        last = stdout(&output);
    }
    assert!(last.contains("42 of 42 games"), "{last}");
    let shards = std::fs::read_dir(folder.path().join("shared/hex/shards")).unwrap();
    assert_eq!(shards.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count(), 2);
}

/// Where scripts/test puts the package.
fn hyperqueue() -> Option<PathBuf> {
    Some(root().join("target/python-hyperqueue")).filter(|folder| folder.join("hyperqueue").is_dir())
}

#[test]
fn hyperqueue_plays_shards() {
    let Some(package) = hyperqueue() else {
        eprintln!("skipped: the Python package hyperqueue cannot be had here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("hex");
    let prepare =
        ["championship", "a=@greedy", "b=@random", "c=@greedy", "--size", "4", "--out", "hex", "--prepare"];
    let prepared = arbitro(folder.path(), &prepare);
    assert!(prepared.status.success(), "{}", stderr(&prepared));
    let mut python = Command::new("python3");
    python.arg("-").arg(common::program()).arg(&out).arg("2").env("PYTHONPATH", package);
    python.current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = python.spawn().unwrap();
    use std::io::Write;
    child.stdin.take().unwrap().write_all(block("python").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let merged = arbitro(folder.path(), &["merge", "hex"]);
    assert!(merged.status.success(), "{}", stderr(&merged));
    assert!(stdout(&merged).contains("6 of 6 games"), "{}", stdout(&merged));
}
