//! A championship in shards on this machine: workers that are stopped or killed, bots that were changed, machines that differ.

mod common;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use common::{arbitro, edit_line_of, eventually, journal, patient, stderr, stdout};

/// A championship that is prepared, of bots that always play the same.
struct Championship {
    folder: TempDir,
}

impl Championship {
    /// Of bots that pause for so many milliseconds before each move.
    fn of(pauses: &[u32]) -> Championship {
        let championship = Championship { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(championship.path("bot")).unwrap();
        fs::copy(patient(), championship.path("bot/patient")).unwrap();
        let bots = pauses.iter().zip(1..);
        let bots: Vec<String> =
            bots.map(|(pause, key)| format!("bot{key}=./bot/patient {key} {pause}")).collect();
        let mut words: Vec<&str> = vec!["championship"];
        words.extend(bots.iter().map(String::as_str));
        words.extend(["--size", "4", "--time", "60", "--out", "hex", "--prepare", "--quiet"]);
        let prepared = arbitro(championship.folder.path(), &words);
        assert!(prepared.status.success(), "{}", stderr(&prepared));
        championship
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn out(&self) -> PathBuf {
        self.path("hex")
    }

    /// Runs arbitro where the championship is: its code, and all that it said.
    fn run(&self, words: &[&str]) -> (Option<i32>, String) {
        let output = arbitro(self.folder.path(), words);
        (output.status.code(), stdout(&output) + &stderr(&output))
    }

    fn play(&self, shard: &str) -> (Option<i32>, String) {
        self.run(&["championship", "--resume", "hex", "--shard", shard])
    }

    /// A worker at a shard that is in its first game.
    fn worker(&self, shard: &str) -> Child {
        let before = self.attempts().len();
        let mut command = Command::new(common::program());
        command.args(["championship", "--resume", "hex", "--quiet", "--shard", shard]);
        let silent = command.current_dir(self.folder.path()).stdin(Stdio::null()).stderr(Stdio::null());
        let child = silent.spawn().unwrap();
        eventually("a game begins", || {
            let attempts = self.attempts();
            let is_begun = |log: PathBuf| fs::read_to_string(log).is_ok_and(|log| log.contains("\"begun\""));
            attempts.len() > before
                && attempts.iter().filter(|attempt| is_begun(attempt.join("attempt.jsonl"))).count() > before
        });
        child
    }

    /// The folders of all attempts.
    fn attempts(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.out().join("shards")).unwrap().map(|entry| entry.unwrap().path());
        let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    }
}

fn signal(child: &Child, signal: i32) {
    // SAFETY: no memory is concerned.
    assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
}

#[test]
fn a_worker_that_is_told_to_end_gives_up_its_game_and_is_started_again() {
    let championship = Championship::of(&[50, 50, 50]);
    let mut worker = championship.worker("1/2");
    signal(&worker, libc::SIGTERM);
    assert_eq!(worker.wait().unwrap().code(), Some(75));
    let (code, said) = championship.run(&["merge", "hex"]);
    assert_eq!(code, Some(3), "{said}");
    for shard in ["1/2", "2/2"] {
        let (code, said) = championship.play(shard);
        assert_eq!(code, Some(0), "{said}");
    }
    let (code, said) = championship.run(&["merge", "hex"]);
    assert_eq!((code, said.contains("6 of 6 games")), (Some(0), true), "{said}");
    // Again, nothing changes.
    let before = fs::read(championship.out().join("games.jsonl")).unwrap();
    let (code, said) = championship.run(&["merge", "hex"]);
    assert_eq!((code, said.contains("0 games new")), (Some(0), true), "{said}");
    assert_eq!(fs::read(championship.out().join("games.jsonl")).unwrap(), before);
}

/// A game that brings machines down must not go from one to the next.
#[test]
fn a_game_in_which_three_workers_died_is_for_people_to_judge() {
    let championship = Championship::of(&[200, 200]);
    for _ in 0..3 {
        let mut worker = championship.worker("1/1");
        signal(&worker, libc::SIGKILL);
        assert_eq!(worker.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
    let named = |said: &str| said.contains("is not played any more: 3 workers ended in it without a word");
    let (code, said) = championship.play("1/1");
    assert!(code == Some(3) && named(&said), "{said}");
    assert_eq!(journal(&championship.attempts()[3]).len(), 1, "the other game is played");
    let (code, said) = championship.run(&["launch", "--status", "hex"]);
    assert!(code == Some(3) && named(&said), "{said}");
    let (code, said) = championship.run(&["merge", "hex"]);
    assert!(code == Some(3) && named(&said) && said.contains("--withdraw NAME"), "{said}");
    // Here it is played, where somebody looks.
    let (code, said) = championship.run(&["championship", "--resume", "hex", "--quiet"]);
    assert_eq!((code, journal(&championship.out()).len()), (Some(0), 2), "{said}");
}

#[test]
fn a_worker_plays_nothing_where_a_bot_or_a_setting_is_another() {
    let championship = Championship::of(&[1, 1]);
    let (code, said) =
        championship.run(&["championship", "--resume", "hex", "--shard", "1/1", "--time", "5"]);
    assert!(code == Some(2) && said.contains("time: \"60\" → \"5\""), "{said}");
    let copy = fs::read_dir(championship.out().join("bots")).unwrap().next().unwrap().unwrap().path();
    fs::write(copy.join("patient"), "something else").unwrap();
    let (code, said) = championship.play("1/1");
    assert!(code == Some(2) && said.contains("is missing or was changed"), "{said}");
    assert_eq!(championship.attempts(), [] as [PathBuf; 0]);
    assert_eq!(journal(&championship.out()), [] as [Value; 0]);
}

/// Once, only 'merge' noticed, when all had been played.
#[test]
fn a_worker_plays_nothing_where_earlier_attempts_had_other_settings() {
    let championship = Championship::of(&[1, 1, 1]);
    assert_eq!(championship.play("1/2").0, Some(0));
    let settings = championship.out().join("championship.toml");
    let before = fs::read_to_string(&settings).unwrap();
    let is_seed = |line: &&str| line.starts_with("seed = ");
    let seed = before.lines().find(is_seed).unwrap();
    fs::write(&settings, before.replace(seed, "seed = 4711")).unwrap();
    for shard in ["1/2", "2/2"] {
        let (code, said) = championship.play(shard);
        assert!(code == Some(2) && said.contains("→ 4711"), "{said}");
        assert!(said.contains("put back the settings that those games were played with"), "{said}");
    }
    assert_eq!(championship.attempts().len(), 1, "nothing was begun");
    fs::write(&settings, before).unwrap();
    assert_eq!(championship.play("2/2").0, Some(0));
    assert_eq!(championship.run(&["merge", "hex"]).0, Some(0));
}

/// Once, who launched two shards was advised to launch eight.
#[test]
fn a_launch_prepares_without_advice_on_how_to_launch() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "size = 3\n[[bots]]\ncommand = \"@random\"\n[[bots]]\ncommand = \"@greedy\"\n\
                    [[bots]]\nname = \"ana\"\ncommand = \"@random\"\n";
    fs::write(folder.path().join("hex.toml"), settings).unwrap();
    let launched = arbitro(folder.path(), &["launch", "slurm", "hex.toml", "--out", "hex", "--shards", "2"]);
    let said = stderr(&launched);
    assert!(launched.status.success() && said.contains("prepared: 6 games"), "{said}");
    assert!(!said.contains("--shards") && !said.contains("for example in 8 parts"), "{said}");
    assert!(
        said.contains("playing sample games: some seconds where games are short, 120 s at most"),
        "{said}"
    );
    assert!(stdout(&launched).contains("#SBATCH --array=1-2\n"), "{}", stdout(&launched));
}

#[test]
fn games_of_different_processors_are_told_and_refused_if_wished() {
    let championship = Championship::of(&[1, 1, 1]);
    for shard in ["1/2", "2/2"] {
        assert_eq!(championship.play(shard).0, Some(0));
    }
    let log = championship.attempts()[1].join("attempt.jsonl");
    edit_line_of(&log, 0, |start| {
        start["machine"]["host"] = "lab2".into();
        start["machine"]["cpu"] = "Snail 1000".into();
        start["machine"]["calibration_us"] =
            (3 * start["machine"]["calibration_us"].as_u64().unwrap()).into();
    });
    let (code, said) = championship.run(&["merge", "hex", "--same-cpu"]);
    assert!(code == Some(2) && said.contains("Snail 1000 (on lab2)"), "{said}");
    assert_eq!(journal(&championship.out()).len(), 0);
    let (code, said) = championship.run(&["merge", "hex"]);
    assert!(code == Some(0) && said.contains("lab2: ") && said.contains("Snail 1000"), "{said}");
}

#[test]
fn journals_of_copies_are_joined_elsewhere_and_another_championship_is_refused() {
    let championship = Championship::of(&[1, 1, 1]);
    for (shard, copy) in [("1/2", "lab1"), ("2/2", "lab2")] {
        let status =
            Command::new("cp").arg("-a").args([championship.out(), championship.path(copy)]).status();
        assert!(status.unwrap().success());
        assert_eq!(championship.run(&["championship", "--resume", copy, "--shard", shard]).0, Some(0));
    }
    let (code, said) = championship.run(&["merge", "lab2", "lab1", "--out", "all"]);
    assert!(code == Some(0) && said.contains("6 of 6 games"), "{said}");
    let other = Championship::of(&[1, 1]);
    let other = other.out().display().to_string();
    let (code, said) = championship.run(&["merge", "lab1", &other, "--out", "more"]);
    assert!(code == Some(2) && said.contains("is of another championship than 'lab1'"), "{said}");
    assert!(!Path::new(&championship.path("more")).exists());
}
