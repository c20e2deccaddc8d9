//! Looking at recorded games.

mod common;

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use common::{ARBITRO, Duel, arbitro};

/// A journal of three short games on a small board.
fn three_games() -> common::Played {
    Duel::between("@random", "@greedy").with(&["--games", "3", "--size", "4", "--seed", "1"]).play()
}

fn text_of(output: std::process::Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn without_a_number_the_games_are_listed() {
    let played = three_games();
    let text = text_of(arbitro(&played.duel.out(), &["replay", "."]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].starts_with("   2  greedy (b) – random (p)  greedy wins: connected, "), "{text}");
}

#[test]
fn every_position_can_be_printed() {
    let played = three_games();
    let out = played.duel.out();
    let plies = played.games[0]["moves"].as_array().unwrap().len();
    let all = text_of(arbitro(&out, &["replay", "games.jsonl", "1", "--all"]));
    assert_eq!(all.matches("game 1, hex 4×4").count(), plies + 1);
    assert_eq!(all.matches("greedy wins").count(), 1);
    let empty = text_of(arbitro(&out, &["replay", ".", "1", "--at", "0"]));
    assert!(empty.contains("before the first of") && !empty.contains('['), "{empty}");
    let last = text_of(arbitro(&out, &["replay", ".", "1", "--at", &plies.to_string()]));
    assert!(last.contains("P") || last.contains("B"), "the winning chain is in capitals:\n{last}");
    assert_eq!(last, text_of(arbitro(&out, &["replay", ".", "1"])), "without a terminal, the end is shown");
    assert!(!all.contains('\u{1b}'), "no colours without a terminal");
    let beyond = arbitro(&out, &["replay", ".", "1", "--at", "99"]);
    assert_eq!(beyond.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&beyond.stderr).contains(&format!("has {plies} plies")));
    let missing = arbitro(&out, &["replay", ".", "9"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("which has games 1 to 3"));
}

#[test]
fn damage_is_named_by_line_and_the_other_games_replay() {
    let played = three_games();
    let out = played.duel.out();
    let path = out.join("games.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[1] = lines[1].replace("greedy", "greasy");
    let half = lines[0].len() / 2;
    lines.push(lines[0][..half].to_owned());
    std::fs::write(&path, lines.join("\n")).unwrap();
    let output = arbitro(&out, &["replay", ".", "3"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("line 2 is left out: its checksum is"), "{errors}");
    assert!(errors.contains("line 4 is left out: it breaks off"), "{errors}");
    assert!(text_of(output).contains("game 3"));
    let output = arbitro(&out, &["replay", ".", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("which has games 1, 3"));
    std::fs::write(&path, [0xff; 100]).unwrap();
    let output = arbitro(&out, &["replay", "."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds no game that can be replayed"));
}

/// Somebody at a real terminal.
struct Person {
    keyboard: File,
    screen: std::sync::mpsc::Receiver<Vec<u8>>,
    seen: String,
    child: std::process::Child,
    terminal: std::os::fd::OwnedFd,
    modes_before: rustix::termios::LocalModes,
}

impl Person {
    fn looks_at(played: &common::Played, options: &[&str]) -> Person {
        use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let master = openpt(flags).unwrap();
        unlockpt(&master).unwrap();
        let slave = ioctl_tiocgptpeer(&master, flags).unwrap();
        let modes_before = rustix::termios::tcgetattr(&slave).unwrap().local_modes;
        let end = || Stdio::from(slave.try_clone().unwrap());
        let child = Command::new(ARBITRO)
            .args(["replay", ".", "1"])
            .args(options)
            .current_dir(played.duel.out())
            .env("TERM", "xterm-256color")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let keyboard = File::from(master);
        let mut reader = keyboard.try_clone().unwrap();
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Person { keyboard, screen, seen: String::new(), child, terminal: slave, modes_before }
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Reads the screen until a text comes, and forgets what came before it.
    #[track_caller]
    fn sees(&mut self, text: &str) {
        while !self.seen.contains(text) {
            let bytes = self.screen.recv_timeout(Duration::from_secs(20));
            let bytes =
                bytes.unwrap_or_else(|_| panic!("'{text}' never came; the screen shows:\n{}", self.seen));
            self.seen += &String::from_utf8_lossy(&bytes);
        }
        let at = self.seen.find(text).unwrap() + text.len();
        self.seen.drain(..at);
    }

    /// Once, the terminal was left without echo and line editing.
    fn leaves(mut self) {
        assert!(self.child.wait().unwrap().success());
        let modes = rustix::termios::tcgetattr(&self.terminal).unwrap().local_modes;
        assert_eq!(modes, self.modes_before, "the terminal is as it was");
    }
}

#[test]
fn a_person_steps_through_a_game_with_keys() {
    let played = three_games();
    let plies = played.games[0]["moves"].as_array().unwrap().len();
    let mut person = Person::looks_at(&played, &[]);
    person.sees("before the first");
    person.sees("q quit");
    for (key, caption) in [
        ("\x1b[C", "ply 1 of"),
        (" ", "ply 2 of"),
        ("\x1b[D", "ply 1 of"),
        ("\x1b[F", &format!("ply {plies} of")),
        ("\x1b[C", "greedy wins"),
        ("\x1b[H", "before the first"),
        ("\x1b[D", "before the first"),
    ] {
        person.types(key);
        person.sees(caption);
        person.sees("q quit");
    }
    person.types("q");
    person.leaves();
}

#[test]
fn every_way_out_leaves_the_terminal_as_it_was() {
    let played = three_games();
    for key in ["q", "\x1b", "\x03", "\x04"] {
        let mut person = Person::looks_at(&played, &[]);
        person.sees("q quit");
        person.types(key);
        person.sees("\x1b[?25h");
        person.leaves();
    }
}

#[test]
fn a_game_plays_by_itself() {
    let played = three_games();
    let mut person = Person::looks_at(&played, &["--delay", "0.01"]);
    person.sees("before the first");
    person.sees("ply 1 of");
    person.sees("greedy wins");
    person.leaves();
}
