//! Looking at recorded games.

mod common;

use common::person::{Person, USUAL};
use common::{Duel, arbitro};

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

/// Somebody who looks at the first game.
fn looks_at(played: &common::Played, options: &[&str]) -> Person {
    Person::at_terminal(USUAL, &played.duel.out(), &[&["replay", ".", "1"], options].concat())
}

#[test]
fn a_person_steps_through_a_game_with_keys() {
    let played = three_games();
    let plies = played.games[0]["moves"].as_array().unwrap().len();
    let mut person = looks_at(&played, &[]);
    person.sees("before the first");
    person.sees("q quit");
    for (key, caption) in [
        ("\x1b[C", "ply 1 of"),
        ("j", "ply 2 of"),
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
    for key in ["q", "\x1b", "\x03", "\x04", "kill"] {
        let mut person = looks_at(&played, &[]);
        person.sees("q quit");
        match key {
            "kill" => {
                let child = rustix::process::Pid::from_child(&person.child);
                rustix::process::kill_process(child, rustix::process::Signal::TERM).unwrap();
            }
            key => person.types(key),
        }
        person.sees("\x1b[?25h");
        person.sees("\x1b[?1049l");
        person.leaves();
    }
}

#[test]
fn a_game_plays_by_itself() {
    let played = three_games();
    let mut person = looks_at(&played, &["--delay", "0.01"]);
    person.sees("before the first");
    person.sees("ply 1 of");
    person.sees("greedy wins");
    person.leaves();
}

#[test]
fn space_plays_and_pauses() {
    let played = three_games();
    let mut person = looks_at(&played, &[]);
    person.sees_screen("before the first");
    person.types("+++ ");
    person.sees("space pause");
    person.sees("ply 3 of");
    person.types(" ");
    // A screen without the hint that it plays, and from there by hand.
    while person.sees_screen("ply ").last().unwrap().contains("pause") {}
    person.types("\x1b[H");
    person.sees_screen("before the first");
    person.types("q");
    person.leaves();
}

#[test]
fn plies_games_and_lists_are_gone_to_by_keys() {
    let played = three_games();
    let mut person = looks_at(&played, &[]);
    person.sees_screen("before the first");
    for (keys, text) in [
        ("4\r", "ply 4 of"),
        ("g12\x7f\r", "ply 1 of"),
        ("g\r", "before the first"),
        ("9999\r", "greedy wins (connected)"),
        ("p", "this is the first game"),
        ("n", "game 2, hex 4×4: greedy (white) – random (black); 2/3"),
        ("]", "3/3"),
        ("[", "2/3"),
        ("m", ">  0 start"),
        ("j", ">  1 white"),
        ("m", "joins top and bottom"),
        ("?", "next, previous game"),
        ("q", "ply 1 of"),
        ("v", "this game has no variations"),
    ] {
        person.types(keys);
        // A notice stands where the keys are listed otherwise.
        match text.starts_with("this ") {
            true => person.sees(text),
            false => drop(person.sees_screen(text)),
        }
    }
    person.types("q");
    person.leaves();
}

#[test]
fn every_screen_fits_its_terminal() {
    for size in ["14", "26"] {
        let names = ["a-name-of-more-than-thirty-two-letters=@random", "学生たちのボット=@random"];
        let played =
            Duel::between(names[0], names[1]).with(&["--games", "1", "--size", size, "--seed", "1"]).play();
        for (columns, rows) in [(80, 24), (40, 12), (20, 8)] {
            let mut person = Person::at_terminal((columns, rows), &played.duel.out(), &["replay", "."]);
            for keys in ["", "\x1b[C", "30\r", "s", "d", "\x1b[F", "m", "i", "?"] {
                person.types(keys);
                let screen = person.sees_screen("? keys");
                assert!(screen.len() <= rows.into(), "{size} on {columns}×{rows}:\n{}", screen.join("\n"));
                for line in &screen {
                    assert!(
                        console::measure_text_width(line) <= columns.into(),
                        "{columns}×{rows}: '{line}'"
                    );
                }
                // The board follows the game.
                if keys == "30\r" && rows > 8 {
                    let all = screen.join("\n");
                    assert!(all.contains("[b]") || all.contains("[p]"), "{size} on {columns}×{rows}:\n{all}");
                }
            }
            person.types("qq");
            person.leaves();
        }
    }
}

#[test]
fn games_of_one_bot_are_chosen() {
    let played = three_games();
    let out = played.duel.out();
    let lost = text_of(arbitro(&out, &["replay", ".", "--bot", "random", "--lost"]));
    assert_eq!(lost, text_of(arbitro(&out, &["replay", ".", "--bot", "random"])), "it loses to greedy");
    assert_eq!(lost.lines().count(), 3);
    let none = arbitro(&out, &["replay", ".", "--bot", "greedy", "--lost"]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("there is no game that greedy lost"));
    assert!(text_of(none).is_empty());
    for (options, words) in [
        (&["--bot", "greddy"][..], "did you mean 'greedy'?"),
        (&["1", "--bot", "greedy", "--lost"], "game 1 is no game that greedy lost"),
    ] {
        let output = arbitro(&out, &[&["replay", "."], options].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{options:?}");
    }
}

#[test]
fn without_a_folder_the_newest_results_are_shown() {
    let played = three_games();
    let folder = tempfile::tempdir().unwrap();
    let nothing = arbitro(folder.path(), &["replay"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("there are no results below 'results' here"));
    let results = folder.path().join("results/duel-1");
    std::fs::create_dir_all(&results).unwrap();
    std::fs::copy(played.duel.out().join("games.jsonl"), results.join("games.jsonl")).unwrap();
    // What was broken off before its first game is newer, and hides nothing.
    std::fs::create_dir_all(folder.path().join("results/duel-2")).unwrap();
    std::fs::write(folder.path().join("results/duel-2/games.jsonl"), "").unwrap();
    let output = arbitro(folder.path(), &["replay"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("games of results/duel-1"));
    assert_eq!(text_of(output), text_of(arbitro(&results, &["replay", "."])));
    assert!(text_of(arbitro(folder.path(), &["replay", "2"])).starts_with("game 2, "));
}

#[test]
fn a_position_is_drawn() {
    let played = three_games();
    let out = played.duel.out();
    let svg = text_of(arbitro(&out, &["replay", ".", "1", "--svg", "2"]));
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(text_of(arbitro(&out, &["replay", ".", "1", "--svg", "2", "--out", "x.svg"])).is_empty());
    assert_eq!(std::fs::read_to_string(out.join("x.svg")).unwrap(), svg);
    assert_eq!(arbitro(&out, &["replay", ".", "1", "--svg", "99"]).status.code(), Some(2));
}

/// A file with stones that were set up, variations, and a comment that would clear the screen.
const STUDY: &str = "(;GM[11]SZ[6]PB[Ana]PW[Beto]AB[c2][d3]AW[e4]PL[W]C[Find the win];W[b5]\
    C[a \x1b[2J\\]\u{202e} trap\nof two lines](;B[a6];W[f1])(;B[b4]C[better])(;B[zz]))";

#[test]
fn set_up_stones_variations_and_comments_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("study.sgf"), STUDY).unwrap();
    let run = |options: &[&str]| arbitro(folder.path(), &[&["replay", "study.sgf"], options].concat());
    let start = text_of(run(&["--at", "0"]));
    assert!(
        start.contains("before the first of 3 plies; 3 stones are set up, black is to move\nFind the win\n")
    );
    assert_eq!((start.matches(" - b -").count(), start.matches(" - p -").count()), (2, 1), "{start}");
    let first = text_of(run(&["--at", "1"]));
    assert!(first.contains("a \\u{1b}[2J]\\u{202e} trap\nof two lines\n"), "{first}");
    let end = text_of(run(&[]));
    assert!(end.contains("--variation 2: from ply 2 on, 3 1; 2 plies\n"), "{end}");
    assert!(end.contains("--variation 3: line 2: z26: it is off the board"), "{end}");
    assert!(!end.contains("HexWorld"), "{end}");
    assert!(text_of(run(&["--variation", "2"])).contains("\nbetter\n"));
    let missing = run(&["--variation", "9"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("game 1 has 3 lines of play"));
    // At a terminal, too.
    let mut person = Person::at_terminal(USUAL, folder.path(), &["replay", "study.sgf"]);
    assert!(person.sees_screen("Find the win")[0].ends_with("variation 1/3"));
    person.types("v");
    assert!(person.sees_screen("better")[1].starts_with("ply 2 of 2: Ana (white) played 3 1"));
    person.types("q");
    person.leaves();
}

/// Once, it looked for keys for ever at a terminal that was gone, with all the processor had.
#[test]
fn a_window_that_is_closed_ends_it() {
    let played = three_games();
    let person = looks_at(&played, &[]);
    person.closes_the_window();
}
