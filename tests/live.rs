//! The live page: what viewers are told, from the first game to the report, and that nobody waits for them.

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use common::http::Site;
use common::person::{Person, USUAL};
use common::{interruptible, journal, program};
use serde_json::Value;
use tempfile::TempDir;

/// A championship that is shown.
struct Shown {
    folder: TempDir,
    child: Child,
    site: Site,
}

impl Shown {
    fn start(arguments: &[&str]) -> Shown {
        let folder = tempfile::tempdir().unwrap();
        let mut command = interruptible(program());
        command.args(arguments).args(["--live=0", "--seed", "1", "--out"]).arg(folder.path().join("out"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let link = lines.find_map(|line| line.strip_prefix("live page: ").map(str::to_owned)).unwrap();
        std::thread::spawn(move || lines.for_each(drop));
        Shown { folder, child, site: Site::of(&link) }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        // It has usually ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a viewer knows.
#[derive(Default)]
struct Viewer {
    /// The plies of each game that it has seen begin.
    games: BTreeMap<u64, Vec<Value>>,
    results: Vec<(Option<u64>, Value)>,
    snapshots: usize,
    finished: Option<Value>,
}

impl Viewer {
    fn hear(&mut self, name: &str, data: Value) {
        match name {
            "snapshot" => {
                self.snapshots += 1;
                for game in data["games"].as_array().unwrap() {
                    self.games
                        .insert(game["id"].as_u64().unwrap(), game["plies"].as_array().unwrap().clone());
                }
                self.results.clear();
                let results = data["results"].as_array().unwrap().iter().cloned();
                self.results.extend(results.map(|result| (None, result)));
            }
            "begin" => assert!(self.games.insert(data["id"].as_u64().unwrap(), Vec::new()).is_none()),
            "plies" => {
                let plies = self.games.get_mut(&data["id"].as_u64().unwrap()).expect("a game that has begun");
                assert_eq!(
                    data["from"].as_u64().unwrap() as usize,
                    plies.len(),
                    "no ply is missed or told twice"
                );
                plies.extend(data["plies"].as_array().unwrap().iter().cloned());
            }
            "end" => self.results.push((data["id"].as_u64(), data["result"].clone())),
            "tables" => assert!(data["html"].as_str().unwrap().contains("<table")),
            "finished" => self.finished = Some(data),
            other => panic!("an event called {other}"),
        }
    }

    /// Compares what was seen with the journal.
    fn check(&self, games: &[Value]) {
        assert_eq!(self.results.len(), games.len());
        for (id, result) in &self.results {
            let game = games.iter().find(|game| game["number"] == result["number"]).unwrap();
            assert_eq!(result["sentence"], game["verdict"]["sentence"]);
            assert_eq!(result["winner"], game["verdict"]["winner"]);
            let Some(plies) = id.and_then(|id| self.games.get(&id)) else { continue };
            let seen: Vec<&Value> = plies.iter().map(|ply| &ply["text"]).collect();
            let moves: Vec<&Value> = game["moves"].as_array().unwrap().iter().map(|ply| &ply[0]).collect();
            assert_eq!(seen, moves, "every ply of game {} was seen", game["number"]);
        }
    }
}

#[test]
fn viewers_see_every_ply_and_in_the_end_the_tables_of_the_report() {
    let mut shown =
        Shown::start(&["championship", "@random", "@greedy", "@easy", "--size", "8", "--title", "A & B"]);
    let (mut first, mut late) = (Viewer::default(), Viewer::default());
    let mut late_events = None;
    for (name, data) in shown.site.events("/events") {
        // One comes in when something has happened already.
        if name == "plies" && late_events.is_none() {
            late_events = Some(shown.site.events("/events"));
        }
        if name == "snapshot" {
            assert_eq!(data["title"], "A & B");
            assert_eq!(data["boards"][0]["names"].as_array().unwrap().len(), 64);
        }
        first.hear(&name, data);
    }
    late_events.unwrap().for_each(|(name, data)| late.hear(&name, data));
    assert!(shown.child.wait().unwrap().success());
    let games = journal(&shown.out());
    assert_eq!(games.len(), 6);
    for viewer in [&first, &late] {
        viewer.check(&games);
        let finished = viewer.finished.as_ref().unwrap();
        assert_eq!((&finished["complete"], &finished["done"]), (&true.into(), &6.into()));
        let report = std::fs::read_to_string(shown.out().join("report.html")).unwrap();
        let tables = finished["html"].as_str().unwrap();
        assert!(report.contains(tables), "the report has the same tables:\n{tables}");
    }
    assert!(first.games.len() >= 3, "games with a bot that thinks last long enough to be seen");
}

#[test]
fn a_duel_at_a_table_of_more_is_shown_too() {
    let mut shown = Shown::start(&[
        "duel",
        "@random",
        "@greedy",
        "b=@random",
        "--game",
        "okupacio",
        "--size",
        "5",
        "--games",
        "3",
    ]);
    let mut viewer = Viewer::default();
    shown.site.events("/events").for_each(|(name, data)| viewer.hear(&name, data));
    assert!(shown.child.wait().unwrap().success());
    viewer.check(&journal(&shown.out()));
    assert!(viewer.finished.is_some());
}

#[test]
fn viewers_that_never_read_keep_nobody_waiting() {
    // Games last some seconds, so that everybody has come before the last one ends.
    let bot = common::compile("tests/bots/patient.c", "patient");
    let [first, second] = ["1", "2"].map(|key| format!("bot{key}={} {key} 50", bot.display()));
    let mut shown = Shown::start(&["championship", &first, &second, "--size", "6", "--rounds", "3"]);
    let asleep: Vec<TcpStream> = (0..50).map(|_| shown.site.send("GET /events", &[], "")).collect();
    let viewers: Vec<_> = (0..20).map(|_| shown.site.events("/events")).collect();
    std::thread::scope(|scope| {
        for events in viewers {
            scope.spawn(|| {
                let mut viewer = Viewer::default();
                events.for_each(|(name, data)| viewer.hear(&name, data));
                assert!(viewer.finished.is_some());
            });
        }
    });
    assert!(shown.child.wait().unwrap().success());
    drop(asleep);
    assert_eq!(journal(&shown.out()).len(), 6);
}

#[test]
fn only_its_own_pages_are_served_and_only_to_those_who_call_it_by_its_name() {
    let shown =
        Shown::start(&["duel", "still=sh -c 'sleep 600'", "@random", "--keep-failing", "--time", "600"]);
    let page = shown.site.ask("GET /", &[], "");
    assert_eq!(page.status, 200);
    assert!(page.body.starts_with("<!doctype html>"));
    for header in
        ["content-security-policy: default-src 'none'; ", "frame-ancestors 'none'", "nosniff", "no-store"]
    {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    assert_eq!(shown.site.ask("GET /", &[("Host", "localhost:1")], "").status, 200);
    for (status, request, headers) in [
        (403, "GET /", vec![("Host", "evil.example:8750")]),
        (403, "GET /events", vec![("Host", "127.0.0.1.evil.example")]),
        (403, "GET /events", vec![("Origin", "http://evil.example")]),
        (404, "GET /report.html", vec![]),
        (404, "GET /games.jsonl", vec![]),
        (404, "GET /..%2f..%2fetc%2fpasswd", vec![]),
        (405, "POST /", vec![]),
        (405, "DELETE /events", vec![]),
    ] {
        assert_eq!(shown.site.ask(request, &headers, "").status, status, "{request} {headers:?}");
    }
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let live = format!("--live={}", taken.local_addr().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut command = interruptible(program());
    command
        .args(["duel", "@random", "@random", "--size", "3", &live, "--out"])
        .arg(folder.path().join("out"));
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("another program listens there: give another port, as in --live=8760"),
        "{errors}"
    );
}

#[test]
fn at_a_terminal_the_page_and_the_report_stay_until_enter() {
    let folder = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let live = format!("--live={free}");
    let arguments = ["duel", "@random", "@random", "--size", "3", "--games", "2", &live, "--out", "out"];
    let mut person = Person::at_terminal(USUAL, folder.path(), &arguments);
    person.sees("until you press Enter");
    let site = Site(free.to_string());
    let report = site.ask("GET /report.html", &[], "");
    let file = std::fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(report.status == 200 && report.body == file);
    let mut events = site.events("/events");
    assert_eq!(events.next().unwrap().1["finished"], true);
    let (name, data) = events.next().unwrap();
    assert_eq!((name.as_str(), data["report"].as_str()), ("finished", Some("/report.html")));
    person.types("\r");
    person.leaves();
    assert!(events.next().is_none());
}
