//! `arbitro xinez`: people, robots and programs at the six seats, with bad input at every prompt.

mod common;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use arbitro::engine::xinez::greedy;
use arbitro::game::Game;
use arbitro::game::xinez::{Players, Xinez};
use common::{ARBITRO_REF, Duel, stderr, stdout};

/// Runs the console program with this typed.
fn console(arguments: &[&str], typed: &str) -> Output {
    common::console(Path::new("/"), &[&["xinez"], arguments].concat(), typed)
}

/// What is printed of a game that ends as it should.
#[track_caller]
fn finished(arguments: &[&str], typed: &str) -> String {
    let output = console(arguments, typed);
    let text = stdout(&output);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{text}");
    text
}

/// A game of the hand-out's robots alone, as the rules have it: every line of its moves, and the game in the end.
fn robots(size: u8, players: &str) -> (Vec<String>, Xinez) {
    let mut game = Xinez::new(size, players.parse::<Players>().unwrap());
    let mut lines = Vec::new();
    while game.outcome().is_none() {
        let (player, mv) = (game.player(game.turn()), greedy(&game));
        lines.push(format!("Jogador {player}: {mv}"));
        game.make(mv);
        let passed = game.passed().iter().map(|&seat| game.player(seat));
        lines.extend(passed.map(|player| format!("O jogador {player} não tem jogada e passa.")));
    }
    (lines, game)
}

/// The lines of a game that say what somebody did.
fn actions(text: &str) -> Vec<String> {
    // What people type is not echoed here, so that their moves stand right after the prompt.
    let lines = text.lines().map(|line| line.rsplit("origem destino: ").next().unwrap_or_default());
    let is_action = |line: &&str| {
        line.split_once(": ").is_some_and(|(who, _)| who.len() == 9 && who.starts_with("Jogador "))
            || line.ends_with(" não tem jogada e passa.")
    };
    lines.filter(is_action).map(str::to_owned).collect()
}

#[test]
fn six_robots_play_to_the_end() {
    for size in 1..=6 {
        let seats = ["robot"; 6].join(",");
        let given = finished(&["--size", &size.to_string(), "--seats", &seats], "");
        let asked = finished(&[], &format!("{size}\nr\nR\nrobo\nrobô\nrobot\n r \n"));
        let (lines, game) = robots(size, "123456");
        assert_eq!(actions(&given), lines, "six robots on {size}");
        let prompts = asked.split("programa): ").count() - 1;
        assert_eq!((actions(&asked), prompts), (lines, 6));
        // The board before the first move, and the one after the last.
        let spaced = |text: &str| text.replace(['[', ']'], " ").split_whitespace().collect::<String>();
        assert!(spaced(&given).contains(&spaced(&Xinez::new(size, game.players()).board())));
        assert!(spaced(&given).contains(&spaced(&game.board())), "{given}");
        let places = given.lines().filter(|line| line.contains("º: jogador ")).count();
        assert_eq!(places, 6, "{given}");
    }
    let text = finished(&["--size", "2", "--seats", "robot,robot,robot,robot,robot,robot"], "");
    assert!(
        text.contains(
            "\nO jogador 2 levou todas as suas peças ao destino na rodada 10 e venceu!\n1º: jogador 2 "
        ),
        "{text}"
    );
}

#[test]
fn of_two_robots_the_first_is_home_in_the_known_round() {
    for (size, round) in (1..=4).zip([4, 13, 35, 66]) {
        let text = finished(&["--size", &size.to_string(), "--seats", "robot,-,-,robot"], "");
        let words = format!("O jogador 1 levou todas as suas peças ao destino na rodada {round} e venceu!\n");
        assert!(text.contains(&words), "{text}");
    }
}

/// What a person has to type to play as a robot would, on the smallest board and opposite to a robot.
fn winning_moves() -> Vec<String> {
    let (lines, _) = robots(1, "14");
    lines.iter().filter_map(|line| line.strip_prefix("Jogador 1: ")).map(str::to_owned).collect()
}

#[test]
fn a_person_who_plays_as_the_robot_does_wins() {
    let moves = winning_moves();
    assert_eq!(moves.len(), 4);
    let typed = moves.iter().map(|mv| format!("{mv}\n")).collect::<String>();
    for seats in ["human,-,-,robot", "h,v,empty,r", "humano,,vazio,robô"] {
        let text = finished(&["--size", "1", "--seats", seats], &typed);
        assert_eq!(actions(&text), robots(1, "14").0, "{text}");
        assert!(text.contains("O jogador 1 levou todas as suas peças ao destino na rodada 4 e venceu!\n"));
    }
    // The last line may end without Enter.
    finished(&["--size", "1", "--seats", "human,-,-,robot"], typed.trim_end());
}

#[test]
fn every_way_to_type_a_wrong_move_is_answered_and_asked_again() {
    let long = "x".repeat(10_000);
    let answers = [
        ("", "Não entendi: digite dois índices, como 3 2, ou n, ou j."),
        ("3", "Não entendi"),
        ("tres dois", "Não entendi"),
        ("3 2 1", "Não entendi"),
        ("3,2", "Não entendi"),
        ("\u{7}\u{0}", "Não entendi"),
        ("37 2", "Jogada inválida: as casas vão de 0 a 36."),
        ("-1 2", "Jogada inválida: as casas vão de 0 a 36."),
        ("3 99999999999999999999999", "Jogada inválida: as casas vão de 0 a 36."),
        ("12 13", "Jogada inválida: não há peça na casa 12."),
        ("20 14", "Jogada inválida: a peça na casa 20 é do jogador 4."),
        ("3 3", "Jogada inválida: a peça ficaria onde está."),
        ("3 4", "Jogada inválida: a casa 4 está ocupada."),
        ("3 36", "Jogada inválida: o jogador 1 não pode parar na casa 36, só na sua casa inicial"),
        ("3 12", "Jogada inválida: nem um passo nem uma sequência de saltos leva da casa 3 à casa 12."),
        ("n", "1:3"),
        ("j", "3 → 2 "),
    ];
    for (line, words) in answers.into_iter().chain([(long.as_str(), "Não entendi")]) {
        let output = console(&["--size", "2", "--seats", "human,-,-,human"], &format!("{line}\n3 2\n"));
        let text = stdout(&output);
        let (_, after) = text.split_once("Jogador 1, origem destino: ").unwrap();
        assert!(after.contains(words), "{line}:\n{text}");
        assert!(after.contains("Jogador 1, origem destino: Jogador 1: 3 2\n"), "{line}:\n{text}");
        assert!(text.ends_with("Jogador 4, origem destino: "), "{text}");
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ENDED));
    }
}

const ENDED: &str = "error: the input ended before the game was over\n";

#[test]
fn bad_answers_to_the_first_questions_are_asked_again() {
    let long = "9".repeat(10_000);
    let sizes = ["0", "7", "-1", "1.5", "dois", "256", "\u{0}", &long];
    let chairs = ["x", "./nothing", "@gready", "h h", "sh 'x", "\u{1b}[2J"];
    let mut typed: String = sizes.iter().map(|size| format!("{size}\n")).collect();
    typed += "1\n";
    // First nobody at all, which is not enough.
    typed += &"v\n".repeat(6);
    for chair in ["r", "v", "v", "r", "v", "v"] {
        typed += &chairs.iter().map(|chair| format!("{chair}\n")).collect::<String>();
        typed += &format!("\n{chair}\n");
    }
    let text = finished(&[], &typed);
    // A line too long counts as several.
    assert_eq!(text.matches("N é um número de 1 a 6.\n").count(), sizes.len() + 2);
    assert_eq!(text.matches("Assim ninguém joga: ocupe pelo menos um lugar.\n").count(), 1);
    assert_eq!(
        text.matches("Não é h, r nem v, e como programa não serve: ").count(),
        6 * chairs.len(),
        "{text}"
    );
    assert_eq!(text.matches("Digite h, r, v ou um programa.\n").count(), 6);
    assert!(!text.contains('\u{1b}'), "nothing typed drives the terminal");
    assert_eq!(actions(&text), robots(1, "14").0);
}

#[test]
fn the_end_of_input_ends_the_program_wherever_it_comes() {
    let mut lines: Vec<String> = ["1", "h", "v", "v", "r", "v", "v"].map(str::to_owned).into();
    lines.extend(winning_moves());
    let whole = finished(&[], &(lines.join("\n") + "\n"));
    for count in 0..lines.len() {
        let typed: String = lines[..count].iter().map(|line| format!("{line}\n")).collect();
        let output = console(&[], &typed);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ENDED), "after {count} lines");
        assert!(whole.starts_with(&stdout(&output)), "after {count} lines:\n{}", stdout(&output));
    }
}

#[test]
fn bad_seats_are_refused_before_anything_is_asked() {
    for (seats, words) in [
        ("-,-,v", "--seats leaves every seat empty"),
        ("h,h,h,h,h,h,h", "--seats names 7 seats; there are six"),
        ("human,./nothing", "'./nothing' does not exist"),
        ("human,@gready", "there is no built-in bot '@gready'"),
    ] {
        let output = console(&["--seats", seats], "");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{seats}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    for size in ["0", "7", "x"] {
        let output = console(&["--size", size], "");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{size}");
    }
}

fn python_bot() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/xinez/greedy.py").display().to_string()
}

/// The Python bot, the built-in and the robot all play the hand-out's greedy moves, so it does not matter who sits where.
#[test]
fn people_robots_and_programs_play_together() {
    let bot = python_bot();
    let (lines, _) = robots(2, "12356");
    let own = lines.iter().filter_map(|line| line.strip_prefix("Jogador 3: "));
    let typed: String = own.map(|mv| format!("{mv}\n")).collect();
    let seats = format!("{bot},@greedy,human,-,robot,{ARBITRO_REF} --level greedy");
    let text = finished(&["--size", "2", "--seats", &seats], &typed);
    assert_eq!(actions(&text), lines, "{text}");
    let seats = [bot.as_str(); 6].join(",");
    assert_eq!(actions(&finished(&["--size", "1", "--seats", &seats], "")), robots(1, "123456").0);
}

#[test]
fn a_program_that_fails_leaves_its_pieces_and_the_others_play_on() {
    for (script, words) in [
        ("sleep 60", "player 3 made no move on ply 2 within the 0.300 s"),
        ("printf \"31 30\"; sleep 60", "it wrote '31 30' without a newline at the end"),
        ("exit 3", "player 3 exited with code 3"),
        ("exec >&-; sleep 60", "player 3 closed its stdout"),
        ("echo 0 0; sleep 60", "player 3 played '0 0' on ply 2, but there is no piece on cell 0"),
        ("while :; do echo oi; done", "player 3 wrote too much besides its moves: 101 lines"),
        ("kill -9 $$", "player 3 was killed by SIGKILL"),
    ] {
        // Written before the others have moved, it would be out of turn.
        let seats = format!("robot,-,sh -c 'read line; {script}',-,robot");
        let output = console(&["--size", "2", "--seats", &seats, "--move-time", "0.3", "--startup", "2"], "");
        let (text, errors) = (stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{text}{errors}");
        assert!(errors.contains(words), "{script}: {errors}");
        let left = "O programa do jogador 3 falhou e sai do jogo: as suas peças ficam, e ele passa sempre.\n";
        assert_eq!(text.matches(left).count(), 1, "{text}");
        assert!(text.contains("e venceu!\n"), "{text}");
        assert!(text.contains("3º: jogador 3 (soma de w -10, saiu do jogo)\n"), "its pieces stay: {text}");
    }
}

#[test]
fn of_two_the_one_who_is_left_wins() {
    let output = console(&["--size", "2", "--seats", "human,-,-,sh -c 'read line; exit 1'"], "3 2\n");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("O jogador 1 é o último que joga, e venceu.\n"), "{text}");
    let alone = console(&["--size", "2", "--seats", "sh -c 'exit 1'"], "");
    assert!(stdout(&alone).contains("Ninguém mais joga.\n"), "{}", stdout(&alone));
}

#[test]
fn the_python_bot_plays_duels_by_the_rules() {
    for size in ["1", "2", "4"] {
        let options = ["--game", "xinez", "--size", size, "--games", "2", "--strict", "--pipes"];
        let played = Duel::between(&python_bot(), "@random").with(&options).play();
        for game in &played.games {
            let reason = game["verdict"]["reason"].as_str().unwrap();
            assert!(["home", "repetition", "round-limit"].contains(&reason), "{}", game["verdict"]);
        }
    }
}

#[test]
fn the_reference_engine_says_what_its_arguments_should_be() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(ARBITRO_REF);
        let output = command.args(arguments).args(["--game", "xinez"]).stdin(Stdio::null()).output().unwrap();
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let (code, moves, errors) = run(&["1", "14", "2", "d"]);
    assert_eq!((code, moves.lines().count()), (Some(0), 1), "{errors}");
    assert!(errors.starts_with("      4\n     4 4\n"), "the board:\n{errors}");
    for arguments in [&["1"][..], &["2", "14", "2"], &["1", "17", "2"], &["1", "14", "7"], &["1", "", "2"]] {
        let (code, moves, errors) = run(arguments);
        assert_eq!((code, moves.as_str()), (Some(2), ""), "{arguments:?}: {errors}");
        assert!(
            errors.contains("write the player, the digits of all who play and N from 1 to 6"),
            "{errors}"
        );
    }
}
