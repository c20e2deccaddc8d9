//! `arbitro okupacio` to the letter of its hand-out, with bad input at every prompt, and with programs among the players.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{ARBITRO_REF, Duel, processes_with, stderr, stdout};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/okupacio").join(name)
}

/// Runs the console program where the hand-out's board is, with this typed.
fn console(arguments: &[&str], typed: &str) -> Output {
    common::console(&data(""), &[&["okupacio"], arguments].concat(), typed)
}

/// A transcript as (what is shown, what is typed): what stands on the line after a prompt was typed.
fn transcript(name: &str) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(data(name)).unwrap();
    let (mut shown, mut typed, mut asked) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        if asked {
            typed.push(line.to_owned());
        } else {
            shown += &format!("{line}\n");
        }
        asked = !asked && (line.ends_with(':') || line.starts_with("JUGADOR "));
    }
    (shown, typed)
}

const MODES: [(&str, &[&str]); 2] = [("example.txt", &["--like-example"]), ("text.txt", &[])];

#[test]
fn the_hand_outs_game_comes_out_byte_for_byte() {
    for (file, arguments) in MODES {
        let (shown, typed) = transcript(file);
        assert_eq!(typed.len(), 14, "two answers and twelve moves");
        let output = console(arguments, &(typed.join("\n") + "\n"));
        assert_eq!(stdout(&output), shown, "{file}");
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    }
}

#[test]
fn the_end_of_input_ends_the_program_wherever_it_comes() {
    for (file, arguments) in MODES {
        let (shown, typed) = transcript(file);
        for count in 0..typed.len() {
            let output = console(
                arguments,
                &typed[..count].iter().map(|line| format!("{line}\n")).collect::<String>(),
            );
            assert_eq!(output.status.code(), Some(1), "after {count} lines");
            assert!(shown.starts_with(&stdout(&output)), "after {count} lines:\n{}", stdout(&output));
            assert_eq!(stderr(&output), "error: the input ended before the game was over\n");
        }
        let without_newline = console(arguments, &typed.join("\n"));
        assert_eq!((without_newline.status.code(), stdout(&without_newline)), (Some(0), shown));
    }
}

#[test]
fn bad_input_is_asked_for_again_at_every_prompt() {
    let (shown, typed) = transcript("text.txt");
    let prompts: Vec<&str> =
        shown.lines().filter(|line| line.ends_with(':') || line.starts_with("JUGADOR ")).collect();
    assert_eq!(prompts.len(), typed.len());
    let long = "x".repeat(10_000);
    let bad =
        ["", "  ", "1", "11", "-4", "4.0", "quatre", "ae", "ba", "BB", "0", "000", "a b", "\u{7}", &long];
    let lines: Vec<String> =
        typed.iter().flat_map(|line| bad.iter().map(|&bad| bad.to_owned()).chain([line.clone()])).collect();
    let output = console(&[], &(lines.join("\n") + "\n"));
    assert_eq!(output.status.code(), Some(0));
    // Every prompt stands there once for each line; a line too long counts as several.
    let text = stdout(&output);
    assert_eq!(text.matches("NO ES POT OBRIR EL FITXER\n").count(), bad.len() + 2);
    assert_eq!(text.matches("ENTRA NOMBRE DE JUGADORS (2..10):\n").count(), bad.len() + 3);
    assert_eq!(text.matches("NOM DEL FITXER DEL TAULER:\n").count(), bad.len() + 3);
    let mut once: Vec<&str> = text.lines().filter(|&line| line != "NO ES POT OBRIR EL FITXER").collect();
    once.dedup_by(|line, before| line == before && prompts.contains(line));
    assert_eq!(once, shown.lines().collect::<Vec<_>>(), "all else is as without bad input");
    assert!(console(&[], "\u{0}\n\n2\n\u{0}\n").status.code() == Some(1));
}

#[test]
fn a_board_that_is_none_is_asked_for_again_and_stderr_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        folder.path().join(name).display().to_string()
    };
    for (path, words) in [
        (file("empty", b""), "it is empty"),
        (file("words", b"4 4 two"), "'two' in place 3 is not a whole number"),
        (file("large", b"26 4"), "it has 26 rows; from 1 to 25 are possible"),
        (file("long", b"4 4 17"), "goes past the end of the board"),
        (file("negative", b"4 4 -1"), "'-1' in place 3"),
        (file("walls", b"1 1 0 1"), "all its cells are walls"),
        (file("binary", b"\xff\xfe4 4"), "UTF-8"),
        (folder.path().display().to_string(), "it is a folder, not a file"),
        (folder.path().join("none").display().to_string(), "there is no such file"),
    ] {
        let output = console(&[], &format!("2\n{path}\ntauler4x4.txt\n00\n"));
        let text = stdout(&output);
        assert!(
            text.contains("TAULER:\nNO ES POT OBRIR EL FITXER\nNOM DEL FITXER DEL TAULER:\n\n   abcd\n"),
            "{text}"
        );
        assert!(
            text.ends_with("GUANYADOR: JUGADOR B\n\nCAP JUGADOR CONTROLA UNA FILA I UNA COLUMNA\n"),
            "{text}"
        );
        assert!(stderr(&output).contains(words), "{path}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(0));
        let given = console(&["--board", &path], "");
        assert_eq!((given.status.code(), stdout(&given).as_str()), (Some(2), ""));
        assert!(stderr(&given).contains(words) && stderr(&given).contains(&path), "{}", stderr(&given));
    }
}

#[test]
fn bad_seats_are_refused_before_anything_is_asked() {
    let many = ["human"; 11].join(",");
    for (seats, words) in [
        ("human", "--seats names 1 player; 2 to 10 can play"),
        (many.as_str(), "--seats names 11 players"),
        ("human,./nothing", "'./nothing' does not exist"),
        ("human,@gready", "there is no built-in bot '@gready'"),
        ("human,", "a bot is empty"),
    ] {
        let output = console(&["--seats", seats], "");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{seats}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

fn python_bot() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/okupacio/greedy.py").display().to_string()
}

#[test]
fn people_and_programs_play_together_and_moves_are_shown_as_if_typed() {
    let seats = format!("human,{},@greedy", python_bot());
    let output = console(&["--seats", &seats, "--board", "tauler4x4.txt"], "ab\n00\n");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.starts_with("BENVINGUTS A OKUPACIO !\n\n   abcd\n"), "nothing else is asked:\n{text}");
    for program in ["B", "C"] {
        let (_, after) = text.split_once(&format!("\nJUGADOR {program}\n")).unwrap();
        let mv = after.lines().next().unwrap();
        assert!(mv.len() == 2 && mv.bytes().all(|letter| (b'a'..=b'd').contains(&letter)), "{mv}");
    }
    assert!(text.contains("GAME OVER\n"), "{text}");
    assert_eq!(stderr(&output), "");
}

#[test]
fn programs_alone_need_nobody_at_the_keyboard() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.txt");
    std::fs::write(&board, "25 25 30 7 100 12 9 3 200 20").unwrap();
    let seats = [python_bot(), "@random".to_owned(), format!("{ARBITRO_REF} --level greedy")];
    let seats: Vec<&str> = seats.iter().map(String::as_str).cycle().take(10).collect();
    let output = console(&["--seats", &seats.join(","), "--board", board.to_str().unwrap()], "");
    let text = stdout(&output);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{text}");
    assert!(text.contains("GAME OVER\n\nGUANYADOR: JUGADOR "));
    assert!(processes_with(board.to_str().unwrap()).is_empty(), "nothing is left");
}

/// Programs that do not play as they should, in the language of the shell.
#[test]
fn a_program_that_fails_leaves_and_the_others_play_on() {
    for (program, words) in [
        ("sh -c 'sleep 60'", "player B made no move on ply 2 within the 0.300 s allowed for a move"),
        ("sh -c 'printf dd; sleep 60'", "it wrote 'dd' without a newline at the end"),
        (
            "sh -c 'echo no such luck >&2; exit 3'",
            "player B exited with code 3 when it had to move on ply 2; the last it wrote to stderr: no such luck",
        ),
        ("sh -c 'exec >&-; sleep 60'", "player B closed its stdout"),
        ("sh -c 'echo ba; sleep 60'", "player B played 'ba' on ply 2, but there is a wall"),
        ("sh -c 'while :; do echo hola; done'", "player B wrote too much besides its moves: 101 lines"),
        ("sh -c 'exec tr \\\\0 x < /dev/zero'", "player B wrote too much besides its moves: 0 lines"),
        ("sh -c 'kill -9 $$'", "player B was killed by SIGKILL"),
    ] {
        // Written by the bot before the others have moved, it would be out of turn: so B moves after a person.
        let seats = format!("human,{},@greedy", program.replace("sh -c '", "sh -c 'read line; "));
        let options = ["--board", "tauler4x4.txt", "--move-time", "0.3", "--startup", "2"];
        let output = console(&[&["--seats", &seats], &options[..]].concat(), "ab\n00\n");
        let (text, errors) = (stdout(&output), stderr(&output));
        assert!(text.contains("JUGADOR B\n00\n\n   abcd\n"), "{program}:\n{text}{errors}");
        assert!(errors.contains(words), "{program}: {errors}");
        assert!(
            text.ends_with("GUANYADOR: JUGADOR C\n\nCAP JUGADOR CONTROLA UNA FILA I UNA COLUMNA\n"),
            "{text}"
        );
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn strict_terms_and_retries_hold_here_too() {
    let run = |program: &str, option: &[&str]| {
        let seats = format!("{program},human");
        let output = console(&[&["--seats", &seats, "--board", "tauler4x4.txt"], option].concat(), "00\n");
        (stdout(&output), stderr(&output))
    };
    let (text, errors) = run("sh -c 'echo hola; echo ab; sleep 60'", &[]);
    assert!(text.contains("JUGADOR A\nab\n") && errors.is_empty(), "{errors}");
    let (text, errors) = run("sh -c 'echo hola; echo ab; sleep 60'", &["--strict"]);
    assert!(
        text.contains("JUGADOR A\n00\n") && errors.contains("wrote 'hola' on ply 1, which is not a move"),
        "{errors}"
    );
    let (text, errors) = run("sh -c 'echo ba; echo ab; sleep 60'", &["--retries", "1"]);
    assert!(text.contains("JUGADOR A\nab\n") && errors.is_empty(), "{errors}");
}

#[test]
fn the_python_bot_plays_duels_by_the_rules() {
    for board in ["1", "2", "6", "13"] {
        let options = ["--game", "okupacio", "--size", board, "--games", "6", "--strict", "--pipes"];
        let played = Duel::between(&python_bot(), "@greedy").with(&options).play();
        assert_eq!(played.games.len(), 6);
        for game in &played.games {
            let reason = game["verdict"]["reason"].as_str().unwrap();
            assert!(["occupied", "last-player"].contains(&reason), "{}", game["verdict"]);
        }
    }
}

#[test]
fn the_reference_engine_says_what_its_arguments_should_be() {
    let run = |arguments: &[&str]| {
        let output = Command::new(ARBITRO_REF)
            .args(arguments)
            .args(["--game", "okupacio"])
            .current_dir(data(""))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let (code, moves, errors) = run(&["A", "2", "tauler4x4.txt", "d"]);
    assert_eq!((code, moves.len()), (Some(0), 3), "{errors}");
    assert_eq!(errors.lines().next().map(str::len), Some(7), "the board:\n{errors}");
    for (arguments, words) in [
        (&["A"][..], "write the player's letter, the number of players and the file of the board"),
        (&["C", "2", "tauler4x4.txt"], "the players are A to B, not 'C'"),
        (&["A", "11", "tauler4x4.txt"], "there can be 2 to 10 players, not '11'"),
        (&["A", "2", "nothing.txt"], "cannot read the board in 'nothing.txt'"),
        (&["A", "2", "example.txt"], "the board in 'example.txt' cannot be used: 'BENVINGUTS' in place 1"),
    ] {
        let (code, moves, errors) = run(arguments);
        assert_eq!((code, moves.as_str()), (Some(2), ""), "{arguments:?}: {errors}");
        assert!(errors.contains(words), "{arguments:?}: {errors}");
    }
}
