//! A championship on a real cluster of Slurm, and on machines that are reached by ssh: whatever is killed meanwhile, in the end every
//! game counts once, and the tables are those of one machine.

#[path = "../common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use common::{compile, eventually, journal, processes_with, stderr, stdout};

/// How many bots there are, and games: two for each pair.
const BOTS: usize = 12;
const GAMES: usize = BOTS * (BOTS - 1);

/// Machines of a test, made by one of the scripts beside this file. They are gone with this value.
struct Machines {
    script: &'static str,
    folder: TempDir,
    /// What commands have to know to find them.
    environment: Vec<(String, String)>,
}

impl Machines {
    /// Nothing where they cannot be had, which is said.
    fn start(script: &'static str) -> Option<Machines> {
        let mut machines = Machines { script, folder: tempfile::tempdir().unwrap(), environment: Vec::new() };
        let started = machines.tell("start", &[]);
        if started.status.code() == Some(3) {
            eprintln!("skipped: {}", stderr(&started).trim());
            return None;
        }
        assert!(started.status.success(), "{}", stderr(&started));
        for line in stdout(&started).lines() {
            let words = shell_words::split(line.strip_prefix("export ").unwrap()).unwrap();
            let (name, value) = words[0].split_once('=').unwrap();
            machines.environment.push((name.to_owned(), value.to_owned()));
        }
        Some(machines)
    }

    /// Runs the script that makes them.
    fn tell(&self, what: &str, more: &[&str]) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster").join(self.script);
        Command::new(script).arg(what).arg(self.folder.path()).args(more).output().unwrap()
    }

    #[track_caller]
    fn must(&self, what: &str, more: &[&str]) {
        let told = self.tell(what, more);
        assert!(told.status.success(), "{}", stderr(&told));
    }

    /// A command that finds them.
    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.envs(self.environment.iter().cloned()).stdin(Stdio::null());
        command
    }

    /// Runs such a command to its end.
    fn run(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Output {
        self.command(program).args(arguments).output().unwrap()
    }

    /// Runs a line that arbitro has printed, as somebody would who copies it.
    fn run_line(&self, line: &str) -> Output {
        let words = shell_words::split(line).unwrap();
        assert_eq!(words[0], "arbitro", "{line}");
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        self.run(common::program(), &words)
    }

    /// Begins a command whose words on stderr are to be read while it runs.
    fn begin(&self, arguments: &[&str]) -> (Child, impl Iterator<Item = String> + use<>) {
        let mut command = self.command(common::program());
        let mut child = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        (child, lines)
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        let stopped = self.tell("stop", &[]);
        if !std::thread::panicking() {
            assert!(stopped.status.success(), "{}", stderr(&stopped));
        }
    }
}

/// A championship that is prepared, and the folder of the same one as it is played undisturbed on this machine.
struct Model {
    _folder: TempDir,
    prepared: PathBuf,
    undisturbed: PathBuf,
}

/// It is made once for all tests.
fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let bot = compile("tests/bots/patient.c", "patient");
        let bots: String = (1..=BOTS)
            .map(|key| {
                format!("[[bots]]\nname = \"bot{key:02}\"\ncommand = \"{} {key} 20\"\n", bot.display())
            })
            .collect();
        let config = folder.path().join("class.toml");
        fs::write(&config, format!("size = 6\nseed = 7\n\n[terms]\ntime = 60\n\n{bots}")).unwrap();
        let (prepared, undisturbed) = (folder.path().join("prepared"), folder.path().join("undisturbed"));
        let arbitro = |words: &[&str]| {
            let done = common::arbitro(folder.path(), words);
            assert!(done.status.success(), "{}", stderr(&done));
        };
        arbitro(&["championship", "--config", "class.toml", "--out", "prepared", "--prepare", "--quiet"]);
        copy(&prepared, &undisturbed);
        arbitro(&["championship", "--resume", "undisturbed", "--jobs", "8", "--no-pin", "--quiet"]);
        Model { _folder: folder, prepared, undisturbed }
    })
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
}

/// A copy of the prepared championship, for one test.
fn championship() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("hex");
    copy(&model().prepared, &out);
    (folder, out.display().to_string())
}

/// How far its shards are; nothing before they were launched.
fn status(folder: &str) -> Value {
    let told = common::arbitro(Path::new("/"), &["launch", "--status", folder, "--json"]);
    serde_json::from_slice(&told.stdout).unwrap_or_default()
}

/// The shards that run, have finished some games, and have some left.
fn in_full_swing(folder: &str) -> Vec<Value> {
    let shards = status(folder)["shards"].as_array().cloned().unwrap_or_default();
    let is_half_way = |shard: &Value| {
        let (games, open) = (shard["games"].as_u64().unwrap(), shard["open"].as_u64().unwrap());
        shard["state"] == "running" && open + 2 <= games && open >= 5
    };
    shards.into_iter().filter(is_half_way).collect()
}

/// The name of the only attempt at this shard that still runs.
fn attempt(folder: &str, shard: &str) -> String {
    let (number, of) = shard.split_once('/').unwrap();
    let prefix = format!("{number:0>4}-of-{of:0>4}.");
    let entries = fs::read_dir(Path::new(folder).join("shards")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(&prefix)).max().unwrap()
}

/// Kills the worker that plays a shard, wherever it runs.
fn kill_worker(folder: &str, shard: &str) {
    let is_worker = |pid: &i32| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let mut words = words.split(|&byte| byte == 0);
        words.next().is_some_and(|word| word.ends_with(b"arbitro")) && words.any(|word| word == b"--shard")
    };
    let workers = processes_with(&format!("--resume {folder} --shard {shard} "));
    let workers: Vec<i32> = workers.into_iter().filter(is_worker).collect();
    assert_eq!(workers.len(), 1, "one worker plays shard {shard}");
    // SAFETY: no memory is concerned.
    assert_eq!(unsafe { libc::kill(workers[0], libc::SIGKILL) }, 0);
}

/// The command among printed words that launches what is missing.
#[track_caller]
fn command_in(said: &str) -> &str {
    let lines = said.lines().map(str::trim);
    lines
        .filter(|line| line.starts_with("arbitro launch "))
        .find(|line| line.contains("--submit"))
        .expect(said)
}

/// What there is of each game but when and how fast it was played, by what tells it from others.
fn games(folder: &Path) -> BTreeMap<String, Value> {
    let mut games = BTreeMap::new();
    for game in journal(folder) {
        let bots: Vec<&Value> = game["seats"].as_array().unwrap().iter().map(|seat| &seat["bot"]).collect();
        let moves: Vec<&Value> = game["moves"].as_array().unwrap().iter().map(|ply| &ply[0]).collect();
        let key = format!("{} {} {bots:?}", game["round"], game["leg"]);
        let what = serde_json::json!([moves, game["verdict"]["winner"], game["verdict"]["reason"]]);
        assert_eq!(games.insert(key.clone(), what), None, "{key} is there twice");
    }
    games
}

/// Asserts that each game was played once, and that the tables are those of the undisturbed machine.
#[track_caller]
fn is_as_undisturbed(folder: &str) {
    let (here, there) = (Path::new(folder), &model().undisturbed);
    let played = games(here);
    assert_eq!(played.len(), GAMES);
    assert_eq!(played, games(there));
    for table in ["standings.csv", "crosstable.csv"] {
        let [here, there] = [here, there].map(|folder| fs::read_to_string(folder.join(table)).unwrap());
        assert_eq!(here, there, "{table}");
    }
    assert!(here.join("report.html").is_file());
}

/// One task is killed, one cancelled, one node is lost; and Slurm does not answer at first.
#[test]
fn slurm_plays_every_game_once() {
    let Some(slurm) = Machines::start("slurm") else { return };
    let (_folder, out) = championship();
    slurm.must("stop-controller", &[]);
    let (mut launch, mut said) = slurm.begin(&["launch", "slurm", &out, "--shards", "8", "--submit"]);
    assert!(said.any(|line| line.contains("Slurm is busy")), "Slurm cannot have taken the job");
    slurm.must("start-controller", &[]);
    let said: Vec<String> = said.collect();
    assert!(launch.wait().unwrap().success(), "{said:?}");

    // A game takes half a second, and a shard some 16 of them.
    let mut running = Vec::new();
    eventually("three shards have played some games, on two nodes", || {
        running = in_full_swing(&out);
        running.len() >= 3 && running.iter().any(|shard| shard["host"] != running[0]["host"])
    });
    let shard = |at: usize| running[at]["shard"].as_str().unwrap();
    let lost = running[0]["host"].as_str().unwrap();
    let others: Vec<usize> = (1..running.len()).filter(|&at| running[at]["host"] != lost).collect();
    // Two tasks on one node, or on two; where only one is elsewhere, the other goes with its node a moment later.
    let (killed, cancelled) = (others[0], *others.get(1).unwrap_or(&1));
    kill_worker(&out, shard(killed));
    let name = attempt(&out, shard(cancelled));
    let job = name.split('.').find_map(|part| part.strip_prefix("job")).unwrap();
    let cancel = slurm.run("scancel", &[job]);
    assert!(cancel.status.success(), "{}", stderr(&cancel));
    slurm.must("kill-node", &[lost.strip_prefix("node").unwrap()]);

    // What was lost with its node waits two minutes before it begins again, for which a test has no time.
    let is_idle = || {
        let queue = slurm.run("squeue", &["--noheader", "--array", "--format=%i %r"]);
        for waiting in stdout(&queue).lines().filter_map(|line| line.strip_suffix(" BeginTime")) {
            slurm.run("scontrol", &["update", &format!("JobId={waiting}"), "StartTime=now"]);
        }
        queue.status.success() && queue.stdout.is_empty()
    };
    eventually("all jobs have ended, and the one that joins them", is_idle);
    let joined = fs::read_to_string(Path::new(&out).join("shards/merge.out")).unwrap();
    assert!(joined.contains("missing"), "{joined}");
    // A worker that is silent is taken for dead after half a minute only.
    eventually("the workers on the lost node are taken for dead", || status(&out)["running"] == 0);
    let merged = slurm.run(common::program(), &["merge", &out]);
    assert_eq!(merged.status.code(), Some(3), "{}", stderr(&merged));
    let again = slurm.run_line(command_in(&stderr(&merged)));
    assert!(again.status.success(), "{}", stderr(&again));
    eventually("the rest is played and joined", is_idle);
    let merged = slurm.run(common::program(), &["merge", &out]);
    assert_eq!(merged.status.code(), Some(0), "{}{joined}", stderr(&merged));
    assert_eq!(status(&out)["done"], 8);
    is_as_undisturbed(&out);
}

/// Parallel is killed half-way, and later a machine is lost.
#[test]
fn parallel_goes_on_where_it_was_killed() {
    let Some(hosts) = Machines::start("sshd") else { return };
    let (_folder, out) = championship();
    let ssh = &hosts.environment.iter().find(|(name, _)| name == "ARBITRO_SSH").unwrap().1;
    let words =
        ["launch", "parallel", &out, "--shards", "8", "--jobs", "2", "--hosts", "lab1,lab2", "--submit"];
    let (mut launch, said) = hosts.begin(&[&words[..], &["--ssh", ssh]].concat());
    eventually("both machines have played some games", || in_full_swing(&out).len() == 2);
    let joblog = format!("--joblog {out}/shards/parallel-");
    for pid in processes_with(&joblog) {
        // SAFETY: no memory is concerned.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
    let said = said.collect::<Vec<String>>().join("\n");
    assert_eq!(launch.wait().unwrap().code(), Some(3), "{said}");

    // The workers that were begun play on, and are not begun twice.
    let (mut launch, lines) = hosts.begin(
        &shell_words::split(command_in(&said)).unwrap()[1..].iter().map(String::as_str).collect::<Vec<_>>(),
    );
    eventually("the second machine plays", || {
        in_full_swing(&out).iter().any(|shard| shard["host"] == "lab2")
    });
    hosts.must("kill-host", &["2"]);
    let mut said = lines.collect::<Vec<String>>().join("\n");
    let mut code = launch.wait().unwrap().code();
    // What was lost with the machine, or is still being played, is for the next time.
    for _ in 0..3 {
        if code == Some(0) {
            break;
        }
        assert_eq!(code, Some(3), "{said}");
        eventually("nobody plays any more", || status(&out)["running"] == 0);
        let again = hosts.run_line(command_in(&said));
        (code, said) = (again.status.code(), stderr(&again));
    }
    assert_eq!(code, Some(0), "{said}");
    is_as_undisturbed(&out);
}
