//! The reference engine as a program: at every level it keeps to the letter of what the hand-out asks of one.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;

use arbitro::game::hex::Hex;
use arbitro::game::{Game, Seat};
use common::ARBITRO_REF;

const LEVELS: [&str; 6] = ["random", "greedy", "easy", "medium", "hard", "max"];
const WHITE: Seat = Seat(0);
const BLACK: Seat = Seat(1);

/// The engine at one end of two pipes, with nothing between.
struct Reference {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    errors: JoinHandle<String>,
}

impl Reference {
    fn start(arguments: &[&str], environment: &[(&str, &str)]) -> Reference {
        let mut command = Command::new(ARBITRO_REF);
        command.args(arguments).envs(environment.iter().copied());
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let mut errors = child.stderr.take().unwrap();
        Reference {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            errors: std::thread::spawn(move || {
                let mut text = String::new();
                errors.read_to_string(&mut text).unwrap();
                text
            }),
            child,
        }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The next line, without its end.
    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "a move is a whole line, not '{line}'");
        line.truncate(line.len() - 1);
        line
    }

    /// Closes its input, and waits for it; what it still wrote, and all of its stderr.
    fn finish(mut self) -> (String, String, ExitStatus) {
        drop(self.input);
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        let status = self.child.wait().unwrap();
        (rest, self.errors.join().unwrap(), status)
    }
}

/// Plays a game against the engine, with moves at random, some of them after others that are none; returns what it wrote to
/// stderr, and how many moves were made and refused.
fn play(level: &str, seat: Seat, size: u8, rng: &mut fastrand::Rng) -> (String, usize, usize) {
    let side = if seat == WHITE { "b" } else { "p" };
    let size_text = size.to_string();
    let environment = [("ARBITRO_SIZE", size_text.as_str()), ("ARBITRO_TIME", "20")];
    let mut engine = Reference::start(&[side, "d", "--level", level], &environment);
    let mut game = Hex::new(size);
    let (mut made, mut refused) = (0, 0);
    while game.outcome().is_none() {
        if game.turn() == seat {
            let line = engine.hear();
            game.play(&line).unwrap_or_else(|problem| panic!("{level} as {side} wrote '{line}': {problem}"));
            let mut exact = String::new();
            game.write_move(&mut exact);
            assert_eq!(line, exact, "two numbers with a space between, and nothing else");
        } else {
            let taken = game.grid().all().find(|&cell| game.move_at(cell).is_none());
            let taken = taken.map(|cell| cell.to_string()).unwrap_or_default();
            for nonsense in [format!("{size} 0"), "-1 3".to_owned(), "um dois".to_owned(), taken] {
                if rng.u8(..8) == 0 {
                    engine.tell(&nonsense);
                    refused += 1;
                }
            }
            let moves: Vec<_> = game.grid().all().filter_map(|cell| game.move_at(cell)).collect();
            game.make(rng.choice(moves).unwrap());
            let mut text = String::new();
            game.write_move(&mut text);
            engine.tell(&text);
        }
        made += 1;
    }
    let (rest, errors, status) = engine.finish();
    assert_eq!(rest, "", "after the end there is nothing to say");
    assert!(status.success(), "{level} ended with {status}");
    (errors, made, refused)
}

#[test]
#[ignore = "takes half a minute"]
fn every_level_plays_whole_games_to_the_letter_of_the_protocol() {
    let mut rng = fastrand::Rng::with_seed(common::seed());
    for level in LEVELS {
        for (seat, size) in
            [(WHITE, 5), (BLACK, 5), (WHITE, 14), (BLACK, 14), (WHITE, 2), (BLACK, 3), (BLACK, 26)]
        {
            let (errors, made, refused) = play(level, seat, size, &mut rng);
            let asked = errors.lines().filter(|line| line.ends_with("another, please")).count();
            assert_eq!(asked, refused, "each move that is none is asked for again:\n{errors}");
            let is_row = |line: &&str| {
                let cells: Vec<&str> = line.split(' ').collect();
                cells.len() == usize::from(size) && cells.iter().all(|cell| ["-", "b", "p"].contains(cell))
            };
            let rows = errors.lines().filter(is_row).count();
            assert_eq!(rows, made * usize::from(size), "the board is shown after every move:\n{errors}");
        }
    }
}

#[test]
fn every_level_stops_when_its_input_ends_and_plays_14_by_14_unless_told_otherwise() {
    for level in LEVELS {
        let mut engine = Reference::start(&["b", "--level", level, "--time", "5"], &[]);
        let first = engine.hear();
        Hex::new(14).play(&first).unwrap();
        engine.tell("13 13");
        let second = engine.hear();
        assert_ne!(first, second, "{level}");
        let (rest, errors, status) = engine.finish();
        assert_eq!((rest.as_str(), errors.as_str()), ("", ""), "{level}: no words without d");
        assert!(status.success(), "{level} ended with {status}");
    }
}

#[test]
fn every_level_goes_on_with_the_other_colour_when_it_is_swapped() {
    for level in LEVELS {
        let mut engine = Reference::start(&["b", "d", "--level", level, "--size", "6", "--time", "5"], &[]);
        let first = engine.hear();
        engine.tell(&first);
        engine.hear();
        let (_, errors, _) = engine.finish();
        let board = errors.trim_end().rsplit("\n\n").next().unwrap();
        let stones = |stone: char| board.chars().filter(|&cell| cell == stone).count();
        assert_eq!(
            (stones('b'), stones('p')),
            (1, 1),
            "{level}: the stone stays white, the next is black\n{board}"
        );
    }
}

#[test]
fn what_is_better_than_even_is_swapped_and_what_is_worse_is_not() {
    for level in ["greedy", "easy", "medium", "hard", "max"] {
        for (opening, swaps) in [("5 5", true), ("5 6", true), ("0 0", false), ("10 10", false)] {
            let arguments = ["p", "--level", level, "--size", "11", "--time", "5"];
            let mut engine = Reference::start(&arguments, &[]);
            engine.tell(opening);
            assert_eq!(engine.hear() == opening, swaps, "{level} after {opening}");
            engine.finish();
        }
    }
}
