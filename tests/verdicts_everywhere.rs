//! The same program gets the same verdict everywhere: in a duel, in a game at the keyboard against a program, and in one
//! against a person.

mod common;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};

use common::{arbitro, eventually, interruptible, journal, pids_in, program, runs, stderr, stdout, typed};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A game that has both a console program and duels.
#[derive(Clone, Copy)]
struct Game {
    name: &'static str,
    /// The options that give its board.
    board: &'static [&'static str],
    /// Seats that nobody sits at, between the two.
    empty: &'static str,
    /// Two moves that the first seat can make, one after the other, against the reference.
    moves: [&'static str; 2],
    /// Something that has the form of a move and can never be played after the first move.
    illegal: &'static str,
    /// What the first and the second seat are called.
    sides: [&'static str; 2],
}

const OKUPACIO: Game = Game {
    name: "okupacio",
    board: &["--board", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/okupacio/tauler4x4.txt")],
    empty: "",
    moves: ["ab", "cc"],
    illegal: "ba",
    sides: ["player A", "player B"],
};

const XINEZ: Game = Game {
    name: "xinez",
    board: &["--size", "1"],
    empty: "-,-,",
    moves: ["2 1", "1 0"],
    illegal: "2 1",
    sides: ["player 1", "player 4"],
};

impl Game {
    /// The arguments of a duel of one game.
    fn duel(&self, bots: [&str; 2], options: &[&str]) -> Vec<String> {
        let own = ["duel", bots[0], bots[1], "--game", self.name, "--games", "1", "--quiet", "--out", "out"];
        [&own, self.board, options].concat().into_iter().map(str::to_owned).collect()
    }

    /// The arguments of a game at the keyboard.
    fn console(&self, seats: [&str; 2], options: &[&str]) -> Vec<String> {
        let seats = format!("{},{}{}", seats[0], self.empty, seats[1]);
        let own = [self.name, "--seats", &seats, "--out", "out"];
        [&own, self.board, options].concat().into_iter().map(str::to_owned).collect()
    }
}

/// A folder for one game, with the programs that play in it.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    fn out(&self) -> PathBuf {
        self.file("out")
    }

    /// Writes a program and returns its command. It is never run as a file of its own, since another thread may just be
    /// starting something while it is open for writing.
    fn bot(&self, language: &str, text: &str) -> String {
        let path = self.file("bot");
        std::fs::write(&path, text).unwrap();
        format!("{language} {}", path.display())
    }

    fn play(&self, arguments: &[String], keys: &str) -> Output {
        typed(self.path(), &arguments.iter().map(String::as_str).collect::<Vec<_>>(), keys)
    }

    /// The only game in the journal.
    #[track_caller]
    fn game(&self, output: &Output) -> Value {
        let games = journal(&self.out());
        assert_eq!((output.status.code(), games.len()), (Some(0), 1), "{}", stderr(output));
        games.into_iter().next().unwrap()
    }
}

/// A program that does not play as it should. In its text, M1 and M2 are legal moves, and NO is an illegal one.
struct Misfit {
    kind: &'static str,
    text: &'static str,
    options: &'static [&'static str],
    reason: &'static str,
    /// Words of the sentence about it.
    words: &'static str,
}

const fn misfit(
    kind: &'static str,
    text: &'static str,
    options: &'static [&'static str],
    reason: &'static str,
    words: &'static str,
) -> Misfit {
    Misfit { kind, text, options, reason, words }
}

const BRIEF: &[&str] = &["--move-time", "0.3"];

/// Each of them makes its first move, if it makes any, and fails when it has seen the answer.
const MISFITS: [Misfit; 20] = [
    misfit(
        "slow",
        "echo M1; read line; sleep 60",
        &["--time", "0.4"],
        "timeout",
        "within the 0.400 s left on its clock; it had moved before",
    ),
    misfit(
        "silent",
        "sleep 60",
        &["--move-time", "0.3", "--startup", "0.2"],
        "timeout",
        "nothing was written to stdout",
    ),
    misfit(
        "moves too late",
        "echo M1; read line; sleep 0.7; echo M2; sleep 60",
        BRIEF,
        "timeout",
        "made no move on ply 3 within the 0.300 s allowed for a move",
    ),
    misfit("crashes", "echo M1; read line; kill -SEGV $$", &[], "crashed", "was killed by SIGSEGV"),
    misfit(
        "exits early",
        "echo such a pity >&2; exit 3",
        &[],
        "crashed",
        "exited with code 3 when it had to move on ply 1; the last it wrote to stderr: such a pity",
    ),
    misfit("exits after a move", "echo M1; exit 0", &[], "crashed", "exited with code 0"),
    misfit("closes stdout", "echo M1; read line; exec >&-; sleep 60", &[], "crashed", "closed its stdout"),
    misfit(
        "talks too much",
        "echo M1; read line; while :; do echo hello; done",
        &[],
        "output-limit",
        "wrote too much that is not a move",
    ),
    misfit(
        "floods without a newline",
        "echo M1; read line; exec tr '\\0' x < /dev/zero",
        &[],
        "output-limit",
        "wrote too much that is not a move",
    ),
    misfit(
        "talks a little",
        "echo M1; read line; echo hello; sleep 60",
        BRIEF,
        "timeout",
        "it wrote 'hello', which is not a move",
    ),
    misfit(
        "talks where nobody may",
        "echo M1; read line; echo hello; echo M2; sleep 60",
        &["--strict"],
        "malformed",
        "wrote 'hello' on ply 3",
    ),
    misfit(
        "moves twice where nobody may",
        "printf 'M1\\nM2\\n'; sleep 60",
        &["--strict"],
        "malformed",
        "when it was not its turn; --strict forbids that",
    ),
    misfit(
        "moves twice",
        "printf 'M1\\nM2\\n'; sleep 60",
        BRIEF,
        "timeout",
        "before it was its turn, which does not count",
    ),
    misfit(
        "writes no newline",
        "echo M1; read line; printf 'M2'; sleep 60",
        BRIEF,
        "timeout",
        "without a newline at the end",
    ),
    misfit(
        "makes an illegal move",
        "echo M1; read line; echo NO; sleep 60",
        &[],
        "illegal-move",
        "on ply 3, but ",
    ),
    misfit(
        "takes back and plays nothing",
        "echo M1; read line; echo NO; sleep 60",
        &["--retries", "1", "--move-time", "0.3"],
        "timeout",
        "which is not allowed, and played nothing else",
    ),
    misfit(
        "takes back too often",
        "echo M1; read line; echo NO; echo NO; sleep 60",
        &["--retries", "1"],
        "illegal-move",
        "on ply 3, but ",
    ),
    misfit(
        "takes back and plays on",
        "echo M1; read line; echo NO; echo M2; read line; exit 4",
        &["--retries", "1"],
        "crashed",
        "exited with code 4 when it had to move on ply 5",
    ),
    misfit(
        "writes a last move without a newline",
        "echo M1; read line; printf 'M2'; exit 0",
        &[],
        "crashed",
        "exited with code 0",
    ),
    misfit("speaks for nobody", "echo M1; read line; exit 127", &[], "crashed", "exited with code 127"),
];

/// Written in Python, as the shell cannot hold so much.
const HOG: Misfit = misfit(
    "uses too much memory",
    "print('M1', flush=True)\ninput()\nblocks = []\nwhile True:\n    blocks.append(b'x' * (1 << 20))\n",
    &["--memory", "64M"],
    "memory-limit",
    "because it uses too much memory: it was seen with",
);

/// A sentence without the numbers that depend on the moment at which the referee looked.
fn timeless(sentence: &str, misfit: &Misfit) -> String {
    match misfit.reason {
        "output-limit" | "memory-limit" => {
            sentence.split(|letter: char| letter.is_ascii_digit()).filter(|part| !part.is_empty()).collect()
        }
        _ => sentence.to_owned(),
    }
}

/// What a user is told of a game: how it ended, about whom, and what was let pass.
fn verdict(game: &Value, misfit: &Misfit) -> Value {
    let verdict = &game["verdict"];
    let loss = &verdict["losses"][0];
    assert_eq!(verdict["losses"].as_array().map(Vec::len), Some(1), "{}: {verdict}", misfit.kind);
    let plies = game["moves"].as_array().unwrap();
    // The reference draws lots between moves that are equally good.
    let own: Vec<&Value> = plies.iter().step_by(2).map(|ply| &ply[0]).collect();
    let mut warnings = game["warnings"].clone();
    if misfit.reason == "output-limit" {
        // How many lines were read at once does not matter.
        warnings = Value::Null;
    }
    serde_json::json!({
        "winner": verdict["winner"], "places": verdict["places"], "reason": verdict["reason"],
        "sentence": timeless(verdict["sentence"].as_str().unwrap(), misfit),
        "seat": loss["seat"], "ply": loss["ply"], "loss": loss["reason"],
        "what": timeless(loss["what"].as_str().unwrap(), misfit), "plies": plies.len(), "own moves": own,
        "warnings": warnings,
    })
}

/// Has a misfit play in a duel, at the keyboard against a program, and there against a person who plays the same.
fn meets_the_same_verdict(game: &Game, misfit: &Misfit, language: &str) {
    let text = misfit.text.replace("M1", game.moves[0]).replace("M2", game.moves[1]).replace("NO", game.illegal);
    let place = Place::new();
    let bot = place.bot(language, &text);
    let output = place.play(&game.duel([&bot, "@greedy"], misfit.options), "");
    let duel = place.game(&output);
    let expected = verdict(&duel, misfit);
    assert_eq!(expected["reason"], misfit.reason, "{}: {expected}", misfit.kind);
    let what = duel["verdict"]["losses"][0]["what"].as_str().unwrap();
    assert!(what.contains(misfit.words), "{}: {what}", misfit.kind);

    let answers = duel["moves"].as_array().unwrap().iter().skip(1).step_by(2);
    let answers: String = answers.map(|ply| format!("{}\n", ply[0].as_str().unwrap())).collect();
    for (opponent, keys) in [("@greedy", ""), ("human", answers.as_str())] {
        let place = Place::new();
        let bot = place.bot(language, &text);
        let output = place.play(&game.console([&bot, opponent], misfit.options), keys);
        let played = place.game(&output);
        assert_eq!(verdict(&played, misfit), expected, "{} against {opponent}", misfit.kind);
        // Who sits at the keyboard reads the same.
        let said = format!("{}\n", played["verdict"]["sentence"].as_str().unwrap());
        assert!(stderr(&output).contains(&said), "{}: {}", misfit.kind, stderr(&output));
        assert!(said.starts_with(game.sides[0]), "{said}");
    }
}

/// All misfits at the same time: most of them only sleep.
fn all_meet_the_same_verdict(game: &Game) {
    std::thread::scope(|scope| {
        for misfit in &MISFITS {
            std::thread::Builder::new()
                .name(format!("{}: {}", game.name, misfit.kind))
                .spawn_scoped(scope, || meets_the_same_verdict(game, misfit, "sh"))
                .unwrap();
        }
    });
    meets_the_same_verdict(game, &HOG, "python3");
}

#[test]
fn misfits_meet_the_same_verdict_in_every_game_of_okupacio() {
    all_meet_the_same_verdict(&OKUPACIO);
}

#[test]
fn misfits_meet_the_same_verdict_in_every_game_of_xinez() {
    all_meet_the_same_verdict(&XINEZ);
}
