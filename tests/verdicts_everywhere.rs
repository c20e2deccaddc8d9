//! The same program gets the same verdict everywhere: in a duel, in a game at the keyboard against a program, and in one
//! against a person.

mod common;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};

use arbitro::engine::xinez::greedy;
use arbitro::game::xinez::Xinez;
use arbitro::game::{Game as _, Seat};
use arbitro::record::fixture::seat_seed;
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
        let own = ["duel", bots[0], bots[1], "--game", self.name, "--games", "1", "--quiet"];
        let own = [&own[..], &["--keep-failing", "--out", "out"]].concat();
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
        "within the 0.400 s left on its clock; it was asleep",
    ),
    misfit("silent", "sleep 60", &["--move-time", "0.3", "--startup", "0.2"], "timeout", "it was asleep"),
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
        "wrote too much besides its moves",
    ),
    misfit(
        "floods without a newline",
        "echo M1; read line; exec tr '\\0' x < /dev/zero",
        &[],
        "output-limit",
        "wrote too much besides its moves",
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
        "on ply 1 it wrote two moves in one turn",
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

/// A text without its numbers: some depend on the moment at which the referee looked.
fn timeless(text: &str) -> String {
    text.split(|letter: char| letter.is_ascii_digit()).collect()
}

/// What is told of the bot, without its name and its side.
fn told(game: &Value) -> &str {
    let sentence = game["verdict"]["sentence"].as_str().unwrap();
    sentence.split_once(") ").map_or(sentence, |(_, rest)| rest)
}

/// What a user is told of a game: how it ended, about whom, and what was let pass.
fn verdict(game: &Value, misfit: &Misfit) -> Value {
    let verdict = &game["verdict"];
    let loss = &verdict["losses"][0];
    assert_eq!(verdict["losses"].as_array().map(Vec::len), Some(1), "{}: {verdict}", misfit.kind);
    let plies = game["moves"].as_array().unwrap();
    // The reference draws lots between moves that are equally good.
    let own: Vec<&Value> = plies.iter().step_by(2).map(|ply| &ply[0]).collect();
    // What the machine did besides differs, and the reference draws lots.
    let mut cause = loss["causes"][0].clone();
    if let Some(waiting) = cause.get_mut("waiting") {
        waiting["sent"].take();
    }
    let mut warnings = game["warnings"].clone();
    if misfit.reason == "output-limit" {
        // How many lines were read at once does not matter.
        warnings = Value::Null;
    }
    serde_json::json!({
        "winner": verdict["winner"], "places": verdict["places"], "reason": verdict["reason"],
        "seat": loss["seat"], "ply": loss["ply"], "loss": loss["reason"],
        "fault": timeless(&loss["fault"].to_string()), "cause": timeless(&cause.to_string()), "plies": plies.len(), "own moves": own,
        "warnings": warnings,
    })
}

/// Has a misfit play in a duel, at the keyboard against a program, and there against a person who plays the same.
fn meets_the_same_verdict(game: &Game, misfit: &Misfit, language: &str) {
    let text =
        misfit.text.replace("M1", game.moves[0]).replace("M2", game.moves[1]).replace("NO", game.illegal);
    let place = Place::new();
    let bot = place.bot(language, &text);
    let output = place.play(&game.duel([&bot, "@greedy"], misfit.options), "");
    let duel = place.game(&output);
    let expected = verdict(&duel, misfit);
    assert_eq!(expected["reason"], misfit.reason, "{}: {expected}", misfit.kind);
    let what = told(&duel);
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
        let what = told(&played).split(';').next().unwrap();
        let said = format!("{} {what}", game.sides[0]);
        assert!(stderr(&output).contains(&said), "{}: {}", misfit.kind, stderr(&output));
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

/// A game at the keyboard that goes on while the test looks at it.
struct AtKeyboard {
    child: Child,
    shown: PathBuf,
}

impl AtKeyboard {
    fn sits_down(place: &Place, arguments: &[String]) -> AtKeyboard {
        let shown = place.file("shown");
        let child = interruptible(program())
            .args(arguments)
            .current_dir(place.path())
            .stdin(Stdio::piped())
            .stdout(File::create(&shown).unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        AtKeyboard { child, shown }
    }

    fn awaits(&self, words: &str) {
        eventually(words, || std::fs::read_to_string(&self.shown).unwrap().contains(words));
    }

    fn types(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits for the end. The keyboard stays there until then: its end would be another reason to stop.
    fn ends(mut self) -> Output {
        let _keyboard = self.child.stdin.take();
        self.child.wait_with_output().unwrap()
    }
}

/// Programs that write while the other one thinks. The flag says that they are about to, for opponents who wait for it: once they have
/// written, they stand still.
const TOO_EARLY: [Misfit; 4] = [
    misfit(
        "moves before its turn",
        ": > FLAG; echo M2; sleep 60",
        BRIEF,
        "timeout",
        "before its opponent had made the first one, which does not count",
    ),
    misfit(
        "moves before its turn where nobody may",
        ": > FLAG; echo M2; sleep 60",
        &["--strict"],
        "malformed",
        "when it was not its turn; --strict forbids that",
    ),
    misfit(
        "talks too much before its turn",
        "all=$(i=0; while [ $i -lt 101 ]; do echo hello; i=$((i+1)); done); : > FLAG; echo \"$all\"; sleep 60",
        &[],
        "output-limit",
        "wrote too much besides its moves: 101 lines",
    ),
    misfit(
        "exits before its turn",
        ": > FLAG; exit 3",
        &[],
        "crashed",
        "exited with code 3 when it had to move on ply 2",
    ),
];

#[test]
fn what_a_program_does_while_a_person_thinks_is_judged_as_in_a_duel() {
    for game in [OKUPACIO, XINEZ] {
        for misfit in &TOO_EARLY {
            // They write files, to say that they have written.
            let options = [misfit.options, &["--no-sandbox"]].concat();
            let prepare = |place: &Place| {
                let flag = place.file("flag");
                let text = misfit.text.replace("M2", game.moves[1]).replace("FLAG", flag.to_str().unwrap());
                (place.bot("sh", &text), flag)
            };
            let place = Place::new();
            let (bot, flag) = prepare(&place);
            let waits = format!(
                "until [ -e {} ]; do sleep 0.01; done; sleep 0.1; echo {}; cat",
                flag.display(),
                game.moves[0]
            );
            let waits = format!("waits=sh -c '{waits} > {}'", place.file("heard").display());
            let output = place.play(&game.duel([&waits, &bot], &options), "");
            let duel = place.game(&output);
            let expected = verdict(&duel, misfit);
            assert_eq!(
                (&expected["reason"], &expected["seat"]),
                (&misfit.reason.into(), &1.into()),
                "{expected}"
            );
            let what = told(&duel);
            assert!(what.contains(misfit.words), "{}: {what}", misfit.kind);

            let place = Place::new();
            let (bot, flag) = prepare(&place);
            let mut person = AtKeyboard::sits_down(&place, &game.console(["human", &bot], &options));
            eventually("the program is about to write", || flag.exists());
            std::thread::sleep(std::time::Duration::from_millis(100));
            person.types(game.moves[0]);
            let output = person.ends();
            assert_eq!(verdict(&place.game(&output), misfit), expected, "{}: {}", game.name, misfit.kind);
        }
    }
}

/// What a program has in its environment, in order.
fn environment(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn programs_are_told_the_same_at_the_keyboard_as_in_a_duel() {
    for game in [OKUPACIO, XINEZ] {
        let options = ["--no-sandbox", "--time", "7+0.5"];
        let told = |arguments: &dyn Fn(&str) -> Vec<String>, keys: &str| {
            let place = Place::new();
            let file = place.file("environment");
            let bot = place.bot("sh", &format!("env | grep '^ARBITRO_' | sort > {}; exit 3", file.display()));
            let output = place.play(&arguments(&bot), keys);
            let (played, told) = (place.game(&output), environment(&file));
            let seed = format!("ARBITRO_SEED={}", seat_seed(played["seed"].as_u64().unwrap(), Seat(0)));
            assert!(told.contains(&seed), "the journal has {seed}, but the program {told:?}");
            told.into_iter().filter(|variable| *variable != seed).collect::<Vec<_>>()
        };
        let in_duel = told(&|bot| game.duel([bot, "@greedy"], &options), "");
        let name = format!("ARBITRO_GAME={}", game.name);
        let names: Vec<&str> = in_duel.iter().map(|variable| variable.split('=').next().unwrap()).collect();
        assert_eq!(names, ["ARBITRO_GAME", "ARBITRO_INC", "ARBITRO_SIZE", "ARBITRO_TIME"]);
        assert!(in_duel.contains(&name), "{in_duel:?}");
        assert!(
            in_duel.contains(&"ARBITRO_TIME=7".to_owned()) && in_duel.contains(&"ARBITRO_INC=0.5".to_owned())
        );
        assert_eq!(told(&|bot| game.console([bot, "@greedy"], &options), ""), in_duel);
        assert_eq!(told(&|bot| game.console([bot, "human"], &options), ""), in_duel);
    }
}

/// Asserts that a game of a folder is shown with these players.
#[track_caller]
fn is_shown(place: &Place, number: &str, players: &[&str]) {
    let output = arbitro(place.path(), &["replay", "out", number]);
    assert!(output.status.success(), "{}", stderr(&output));
    for player in players {
        assert!(stdout(&output).contains(player), "{player} is missing in: {}", stdout(&output));
    }
}

#[test]
fn games_of_people_are_kept_and_shown() {
    let place = Place::new();
    let output = place.play(&OKUPACIO.console(["human:Ana", "@greedy"], &[]), "ab\n00\n");
    assert!(stderr(&output).ends_with("the game is kept in out/games.jsonl\n"), "{}", stderr(&output));
    let game = place.game(&output);
    assert_eq!((&game["seats"][0]["bot"], &game["seats"][0]["command"]), (&"Ana".into(), &"".into()));
    assert_eq!((&game["verdict"]["reason"], &game["verdict"]["winner"]), (&"last-player".into(), &1.into()));
    is_shown(&place, "1", &["Ana (player A)", "greedy (player B)"]);

    // Two people play as the hand-out's robots would, and their game comes after the first.
    let mut robots = Xinez::new(1, "14".parse().unwrap());
    let mut keys = String::new();
    while robots.outcome().is_none() {
        let mv = greedy(&robots);
        keys += &format!("{mv}\n");
        robots.make(mv);
    }
    let output = place.play(&XINEZ.console(["human:Ana", "human:Ana"], &[]), &keys);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let games = journal(&place.out());
    assert_eq!((games.len(), &games[1]["number"], &games[1]["game"]), (2, &2.into(), &"xinez".into()));
    assert_ne!(games[1]["seats"][0]["bot"], games[1]["seats"][1]["bot"], "they can be told apart");
    is_shown(&place, "2", &["Ana", "(player 1)", "(player 4)"]);
    let list = arbitro(place.path(), &["replay", "out"]);
    assert_eq!((list.status.code(), stdout(&list).lines().count()), (Some(0), 2), "{}", stdout(&list));

    // The input ends before the game does.
    let output = place.play(&OKUPACIO.console(["human", "@greedy"], &[]), "ab\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(journal(&place.out()).len(), 2, "a game without an end is not kept");
}

#[test]
fn ctrl_c_ends_a_game_at_the_keyboard_and_everything_in_it() {
    for (game, asked) in
        [(OKUPACIO, ["JUGADOR A\n", "JUGADOR B\n"]), (XINEZ, ["Jogador 1, origem", "Jogador 4, origem"])]
    {
        for (person, signal) in [(0, Signal::INT), (1, Signal::INT), (0, Signal::TERM)] {
            let place = Place::new();
            let output = place.play(&game.console(["sh -c 'exit 3'", "@greedy"], &["--no-sandbox"]), "");
            place.game(&output);
            let before = std::fs::read(place.out().join("games.jsonl")).unwrap();

            // It moves, if it is first, and waits for ever, with a process in a session of its own.
            let (pids, first) = (place.file("pids"), if person == 1 { game.moves[0] } else { "" });
            let text = format!(
                "setsid sleep 1000 & echo $! >> PIDS; echo $$ >> PIDS; echo '{first}'; exec sleep 1000"
            );
            let bot = place.bot("sh", &text.replace("PIDS", pids.to_str().unwrap()));
            let seats = if person == 0 { ["human", &bot] } else { [&bot, "human"] };
            let asks = AtKeyboard::sits_down(&place, &game.console(seats, &["--no-sandbox"]));
            asks.awaits(asked[person]);
            eventually("the program is up", || pids_in(&pids).len() == 2);
            assert!(pids_in(&pids).into_iter().all(runs));
            kill_process(Pid::from_child(&asks.child), signal).unwrap();
            let output = asks.ends();
            assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
            assert!(stderr(&output).contains("the game is broken off and not kept"), "{}", stderr(&output));
            assert!(!pids_in(&pids).into_iter().any(runs), "something is left running");
            assert_eq!(std::fs::read(place.out().join("games.jsonl")).unwrap(), before);
        }
    }
}

#[test]
fn ctrl_c_ends_a_game_at_the_keyboard_while_a_program_thinks() {
    for game in [OKUPACIO, XINEZ] {
        let place = Place::new();
        let pids = place.file("pids");
        let bot = place.bot("sh", &format!("echo $$ >> {}; exec sleep 1000", pids.display()));
        let thinks = AtKeyboard::sits_down(&place, &game.console([&bot, "human"], &["--no-sandbox"]));
        eventually("the program is up", || pids_in(&pids).len() == 1);
        kill_process(Pid::from_child(&thinks.child), Signal::INT).unwrap();
        let output = thinks.ends();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        assert!(!pids_in(&pids).into_iter().any(runs));
        assert_eq!(journal(&place.out()), Vec::<Value>::new());
    }
}
