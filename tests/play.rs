//! People play: everything that the page asks for, asked by a test, with real programs at the other seats.

mod common;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use common::http::{Answer, Events, Site};
use common::person::{Person, USUAL};
use common::{interruptible, journal, program};
use serde_json::{Value, json};
use tempfile::TempDir;

/// `arbitro play` with its page open.
struct Session {
    folder: TempDir,
    child: Child,
    site: Site,
    token: String,
    events: Events,
    state: Value,
}

impl Session {
    fn start(arguments: &[&str]) -> Session {
        let folder = tempfile::tempdir().unwrap();
        let mut command = interruptible(program());
        command.arg("play").args(arguments).args(["--address", "0", "--out"]).arg(folder.path().join("out"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let link = lines.find_map(|line| line.strip_prefix("play here: ").map(str::to_owned)).unwrap();
        // Somebody has to read the rest.
        std::thread::spawn(move || lines.for_each(drop));
        let site = Site::of(&link);
        let token = link.split_once("#token=").unwrap().1.to_owned();
        let mut events = site.events(&format!("/events?token={token}"));
        let state = events.next().unwrap().1;
        Session { folder, child, site, token, events, state }
    }

    /// Waits until what the page is told is so.
    fn wait(&mut self, is_so: impl Fn(&Value) -> bool) -> &Value {
        while !is_so(&self.state) {
            self.state = self.events.next().expect("the stream goes on").1;
        }
        &self.state
    }

    /// Waits until a person can move, or the game is over.
    fn turn(&mut self) -> &Value {
        self.wait(|state| !state["choices"].as_array().unwrap().is_empty() || !state["over"].is_null())
    }

    fn post(&self, path: &str, body: Value) -> Answer {
        let headers = [("X-Arbitro-Token", self.token.as_str()), ("Content-Type", "application/json")];
        self.site.ask(&format!("POST {path}"), &headers, &body.to_string())
    }

    /// Plays a move, and waits until it is on the board.
    fn play(&mut self, text: &str) {
        let plies = self.plies();
        let answer = self.post("/move", json!({ "text": text }));
        assert_eq!(answer.status, 200, "{text}: {}", answer.body);
        self.wait(|state| state["plies"].as_array().unwrap().len() > plies || !state["over"].is_null());
    }

    fn plies(&self) -> usize {
        self.state["plies"].as_array().unwrap().len()
    }

    /// Asks for a hint, and waits for it.
    fn hint(&mut self) -> String {
        self.turn();
        assert_eq!(self.post("/hint", json!({})).status, 200);
        self.wait(|state| !state["hint"].is_null())["hint"]["text"].as_str().unwrap().to_owned()
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// Ends it as Ctrl-C does, and returns the games that were kept.
    fn end(mut self) -> Vec<Value> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
        if self.out().join("games.jsonl").exists() { journal(&self.out()) } else { Vec::new() }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It has usually ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn texts(state: &Value) -> Vec<String> {
    let text = |choice: &Value| choice["text"].as_str().unwrap().to_owned();
    let plain = |choice: &&Value| choice["word"].is_null();
    state["choices"].as_array().unwrap().iter().filter(plain).map(text).collect()
}

#[test]
fn a_whole_game_is_played_in_each_game() {
    for arguments in [
        &["human:Ana", "@random", "--size", "4"][..],
        &["@greedy", "human", "--game", "rhex", "--size", "4"],
        &["human", "@random", "@greedy", "--game", "okupacio", "--size", "4"],
        &["human", "@random", "--game", "xinez", "--size", "1"],
    ] {
        let mut session = Session::start(arguments);
        let mut rng = fastrand::Rng::with_seed(7);
        while session.turn()["over"].is_null() {
            // A random walk of pieces need not come to an end.
            let text = match arguments.contains(&"xinez") {
                true => session.hint(),
                false => rng.choice(texts(&session.state)).unwrap(),
            };
            session.play(&text);
        }
        let over = session.state["over"].clone();
        let games = session.end();
        assert_eq!(games.len(), 1, "{arguments:?}");
        let names: Vec<&str> =
            games[0]["seats"].as_array().unwrap().iter().map(|seat| seat["bot"].as_str().unwrap()).collect();
        assert_eq!(names[0], arguments[0].trim_start_matches("human:").trim_start_matches('@'));
        assert_eq!(over["sentence"], games[0]["verdict"]["sentence"]);
    }
}

#[test]
fn moves_are_taken_back_and_the_first_stone_is_taken_over() {
    let mut session = Session::start(&["@greedy", "human", "--size", "5"]);
    let first = session.turn()["plies"][0]["text"].as_str().unwrap().to_owned();
    assert!(!session.state["can_undo"].as_bool().unwrap());
    let swap = session.state["choices"].as_array().unwrap().iter().find(|choice| choice["word"] == "swap");
    assert_eq!(swap.unwrap()["text"], first.as_str());
    session.play(&first);
    assert_eq!(session.turn()["plies"][1]["swap"], true);
    assert!(session.plies() >= 3, "greedy has answered");
    let after_swap: Vec<Value> = session.state["plies"].as_array().unwrap()[..2].to_vec();
    let next = texts(&session.state)[0].clone();
    session.play(&next);
    session.turn();
    let plies = session.plies();
    // Back to before that move, and then to before the swap.
    assert_eq!(session.post("/undo", json!({})).status, 200);
    session.wait(|state| {
        let count = state["plies"].as_array().unwrap().len();
        count < plies && count == 3 && !state["choices"].as_array().unwrap().is_empty()
    });
    let played = |state: &Value| -> Vec<Value> {
        state["plies"].as_array().unwrap().iter().map(|ply| ply["text"].clone()).collect()
    };
    assert_eq!(
        played(&session.state)[..2],
        after_swap.iter().map(|ply| ply["text"].clone()).collect::<Vec<_>>()
    );
    assert_eq!(session.post("/undo", json!({})).status, 200);
    session.wait(|state| {
        state["plies"].as_array().unwrap().len() == 1 && !state["choices"].as_array().unwrap().is_empty()
    });
    assert_eq!(played(&session.state), [first.as_str()]);
    // Nothing more of ours to take back.
    assert_eq!(session.post("/undo", json!({})).status, 409);
    assert_eq!(session.post("/resign", json!({})).status, 200);
    let over = session.wait(|state| !state["over"].is_null())["over"].clone();
    assert_eq!(over["result"], "greedy wins");
    // Sides are exchanged.
    assert_eq!(session.post("/new", json!({})).status, 200);
    session.wait(|state| state["over"].is_null());
    assert_eq!(session.turn()["seat_names"], json!(["human", "greedy"]));
    let games = session.end();
    assert_eq!(games.len(), 1, "the second game was not played to its end");
    assert_eq!(games[0]["verdict"]["reason"], "resigned");
}

#[test]
fn moves_are_taken_back_in_every_game() {
    for arguments in [
        &["human", "@random", "--game", "rhex", "--size", "4"][..],
        &["@greedy", "human", "@random", "--game", "okupacio", "--size", "5"],
        &["@easy", "human", "--game", "xinez", "--size", "2"],
    ] {
        let mut session = Session::start(arguments);
        let played = |state: &Value| -> Vec<Value> {
            state["plies"].as_array().unwrap().iter().map(|ply| ply["text"].clone()).collect()
        };
        session.turn();
        let first = texts(&session.state)[0].clone();
        session.play(&first);
        session.turn();
        let before = played(&session.state);
        let second = texts(&session.state)[0].clone();
        session.play(&second);
        session.turn();
        assert_eq!(session.post("/undo", json!({})).status, 200);
        let is_back = |state: &Value| {
            played(state).len() == before.len() && !state["choices"].as_array().unwrap().is_empty()
        };
        assert_eq!(played(session.wait(is_back)), before, "{arguments:?}");
        // It goes on from there.
        let another = texts(&session.state)[1].clone();
        session.play(&another);
        assert_eq!(played(session.turn())[before.len()], another.as_str());
    }
}

#[test]
fn who_gives_up_at_a_table_of_three_leaves_the_others_playing() {
    let mut session = Session::start(&["human", "@random", "@greedy", "--game", "okupacio", "--size", "4"]);
    session.turn();
    assert_eq!(session.post("/resign", json!({})).status, 200);
    let plies = session.wait(|state| !state["over"].is_null())["plies"].clone();
    assert!(plies[0]["text"].is_null() && plies[1]["text"].is_string(), "{plies}");
    let games = session.end();
    assert_eq!(games[0]["verdict"]["losses"][0]["fault"], "resigned");
    assert_ne!(games[0]["verdict"]["winner"], 0);
}

#[test]
fn two_people_share_a_screen() {
    let mut session = Session::start(&["human:Ana", "human:Ana", "--size", "3"]);
    assert_eq!(session.turn()["seat_names"], json!(["Ana", "Ana-2"]));
    for text in ["1 1", "0 0"] {
        session.turn();
        session.play(text);
    }
    assert_eq!(session.post("/undo", json!({})).status, 200);
    session.wait(|state| {
        state["plies"].as_array().unwrap().len() == 1 && !state["choices"].as_array().unwrap().is_empty()
    });
    for text in ["2 2", "0 1", "0 2", "2 0"] {
        session.turn();
        session.play(text);
    }
    session.wait(|state| !state["over"].is_null());
    assert_eq!(session.state["over"]["winning"], json!([1, 4, 6]));
    assert_eq!(session.end().len(), 1);
}

#[test]
fn what_is_not_allowed_is_refused_and_the_game_goes_on() {
    // The first one never moves.
    let mut session = Session::start(&["still=sh -c 'sleep 600'", "human", "--size", "5"]);
    let (site, token) = (session.site.clone(), session.token.clone());
    let (token, json) = (("X-Arbitro-Token", token.as_str()), ("Content-Type", "application/json"));
    let early = session.post("/move", json!({ "text": "1 1" }));
    assert_eq!((early.status, early.body.as_str()), (409, r#"{"error":"it is not your turn"}"#));
    assert_eq!(session.post("/undo", json!({})).status, 409);
    assert_eq!(session.post("/hint", json!({})).status, 409);
    // A new game, in which the person begins.
    assert_eq!(session.post("/new", json!({})).status, 200);
    session.turn();
    let host = format!("evil.example:{}", site.0.rsplit(':').next().unwrap());
    let (origin, own) = (format!("http://{host}"), format!("http://{}", site.0));
    let body = r#"{"text":"2 2"}"#;
    let null = ("Origin", "null");
    for (status, headers, body) in [
        (403, vec![json], body),
        (403, vec![("X-Arbitro-Token", ""), json], body),
        (403, vec![("X-Arbitro-Token", "0123456789abcdef0123456789abcdef"), json], body),
        (403, vec![token, json, ("Origin", &origin)], body),
        (403, vec![token, json, null], body),
        (403, vec![token, json, ("Host", &host)], body),
        (403, vec![token, json, ("Host", &host), ("Origin", &origin)], body),
        (415, vec![token], body),
        (415, vec![token, ("Content-Type", "text/plain")], body),
        (415, vec![token, ("Content-Type", "application/x-www-form-urlencoded")], "text=2+2"),
        (422, vec![token, json], "{"),
        (422, vec![token, json], r#"{"text":7}"#),
        (422, vec![token, json], r#"{"text":"hello"}"#),
        (422, vec![token, json], r#"{"text":"9 9"}"#),
        (422, vec![token, json], r#"{"text":"2 2\n3 3"}"#),
        (413, vec![token, json], &format!(r#"{{"text":"{}"}}"#, "1".repeat(10_000))),
    ] {
        let answer = site.ask("POST /move", &headers, body);
        assert_eq!(answer.status, status, "{headers:?} {body}: {}", answer.body);
        assert!(status == 413 || answer.body.starts_with(r#"{"error":"#), "{}", answer.body);
    }
    for (status, request) in [
        (405, "GET /move"),
        (405, "OPTIONS /move"),
        (403, "GET /events"),
        (403, "GET /events?token=1"),
        (404, "GET /report.html"),
        (404, "GET /../../etc/passwd"),
    ] {
        assert_eq!(site.ask(request, &[], "").status, status, "{request}");
    }
    let page = site.ask("GET /", &[], "");
    assert_eq!(page.status, 200);
    for header in
        ["content-security-policy: default-src 'none'; ", "frame-ancestors 'none'", "nosniff", "no-store"]
    {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    assert!(!page.body.contains(token.1), "the page itself does not know the token");
    let answer = site.ask("POST /move", &[token, json, ("Origin", &own)], body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    session.wait(|state| state["plies"].as_array().unwrap().len() == 1);
    assert_eq!(session.state["plies"][0]["text"], "2 2");
    assert!(session.end().is_empty());
}

/// Somebody who plays at a terminal of so many columns and rows.
fn at_terminal(size: (u16, u16), folder: &TempDir, arguments: &[&str]) -> Person {
    let arguments = [&["play"], arguments, &["--terminal", "--out", "out"]].concat();
    let mut person = Person::at_terminal(size, folder.path(), &arguments);
    person.footer = "? help";
    person
}

#[test]
fn the_same_can_be_done_at_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let mut person = at_terminal(USUAL, &folder, &["human", "@greedy", "--size", "5"]);
    let screen = person.sees_screen("It is your turn");
    assert_eq!(screen.len(), 24);
    // The cursor is in the first cell; one to the right and one down.
    person.types("\x1b[C\x1b[B\r");
    let screen = person.sees_screen("greedy ");
    assert!(screen[0].contains("human ("), "{screen:?}");
    // It is told what greedy did.
    person.sees_screen(". It is your turn");
    for (typed, shown) in [
        ("9 9\r", "it is off the board"),
        ("hint\r", "hint: "),
        ("undo\r", "\nIt is your turn"),
        ("?", "take your last move back"),
        ("?", "\nIt is your turn"),
        ("3 0\r", "greedy "),
        ("resign\r", "greedy wins: human"),
        ("resign\r", "there is nothing to give up"),
        ("new\r", "Or type swap."),
        ("swap\r", "greedy "),
    ] {
        person.types(typed);
        person.sees_screen(shown);
    }
    person.types("quit\r");
    person.leaves();
    let games = journal(&folder.path().join("out"));
    assert_eq!(games.len(), 1);
    assert_eq!(games[0]["moves"][0][0], "3 0");
}

#[test]
fn every_board_fits_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["human", "human", "--size", "26"][..],
        &["human", "human", "--size", "26", "--game", "rhex"],
        &["human", "human", "human", "human", "--size", "25", "--game", "okupacio"],
        &["human", "human", "human", "--size", "6", "--game", "xinez"],
    ] {
        for (columns, rows) in [USUAL, (40, 12)] {
            let mut person = at_terminal((columns, rows), &folder, arguments);
            for keys in ["", "\x1b[B\x1b[C", "\r"] {
                person.types(keys);
                let screen = person.sees_screen("> ");
                assert_eq!(screen.len(), usize::from(rows));
                let width = |line: &String| console::measure_text_width(line);
                assert!(screen.iter().map(width).max() <= Some(columns.into()), "{screen:#?}");
            }
            person.types("\x03");
            person.leaves();
        }
    }
}

#[test]
fn without_a_terminal_there_is_nothing_to_play_at() {
    let folder = tempfile::tempdir().unwrap();
    let output = common::arbitro(folder.path(), &["play", "human", "@random", "--terminal"]);
    assert_eq!(output.status.code(), Some(2));
    let output = common::arbitro(folder.path(), &["play", "@greedy", "@random"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("write human for a person"));
}
