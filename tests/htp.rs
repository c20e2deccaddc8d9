//! Engines of the Hex world at the referee's table, and the reference engine as one of them.

mod common;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{ARBITRO_REF, Duel, arbitro, journal, misfit};
use serde_json::Value;

/// The stand-in engine with some quirks, as a bot. It is called after them.
fn engine(quirks: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/engine.py");
    format!("{}=htp:python3 {} {quirks}", quirks.replace(' ', "-"), path.display())
}

/// Plays the stand-in as white, on ply 1 and 3, against an honest program.
fn against_honest(quirks: &str) -> Duel {
    Duel::between(&engine(quirks), &misfit("honest"))
}

#[test]
fn engines_of_all_manners_play_to_the_end_on_either_side() {
    for quirks in [
        "plain",
        "spaced",
        "chatty",
        "late-errors",
        "no-numbers",
        "bare",
        "bare no-numbers",
        "short-time",
        "spaced chatty late-errors swaps-sides short-time",
    ] {
        let played = Duel::between(&engine(quirks), &misfit("honest")).with(&["--games", "2"]).play();
        for game in &played.games {
            assert_eq!(game["verdict"]["reason"], "connected", "{quirks}: {}", game["verdict"]);
        }
        let log = played.duel.out().join(format!("logs/0001-{}.stderr", quirks.replace(' ', "-")));
        let log = std::fs::read_to_string(log).unwrap_or_default();
        assert_eq!(log.contains("time_left black 19"), !quirks.contains("bare"), "{quirks}: {log}");
        let warned = !played.games[0]["warnings"].is_null();
        assert_eq!(warned, quirks.contains("late-errors"), "{quirks}: {}", played.games[0]["warnings"]);
    }
}

#[test]
fn late_errors_are_told_from_answers_by_their_numbers() {
    let played = against_honest("late-errors").with(&["--strict"]).play();
    played.lost(0, "malformed", &["on second thoughts"]);
}

#[test]
fn either_word_for_a_swap_is_understood() {
    for (quirk, word) in [("swaps", "Swap-Pieces"), ("swaps-sides", "swap-sides")] {
        let played = Duel::between(&misfit("honest"), &engine(quirk)).play();
        played.went_to_the_end();
        assert_eq!(played.game()["swapped"], true, "{word}");
        assert_eq!(played.moves()[..2], ["0 0", "0 0"], "{word}");
    }
}

/// After a swap the engine is shown the board in the mirror. A greedy player that saw it otherwise would build to the wrong
/// edges and lose.
#[test]
fn an_engine_that_was_swapped_plays_for_its_new_edges() {
    let both = ["--games", "6", "--size", "8"];
    let played = Duel::between("htp:@greedy", &misfit("swapper")).with(&both).play();
    for game in &played.games {
        let greedy = u64::from(game["seats"][1]["bot"] == "greedy");
        assert_eq!(game["verdict"]["winner"], greedy, "{}", game["verdict"]);
        assert_eq!(game["swapped"], greedy == 0, "the swapper swaps when it is black");
    }
    let played = Duel::between(&engine("swaps"), "htp:@greedy").with(&both).play();
    assert!(played.games.iter().all(|game| game["verdict"]["reason"] == "connected"));
    assert!(played.games.iter().any(|game| game["swapped"] == true), "the stand-in swaps when it is black");
    assert!(played.text.contains("greedy won 6"), "{}", played.text);
}

#[test]
fn a_resignation_has_a_verdict_of_its_own_and_is_no_fault() {
    let played = against_honest("resigns 2").play();
    played.lost(0, "resigned", &["(white) resigned on ply 3"]);
    assert_eq!(played.moves().len(), 2);
    let result = Duel::between(&engine("resigns 1"), "@random").with(&["--games", "2", "--json"]).play();
    let result: Value = serde_json::from_str(&result.text).unwrap();
    assert_eq!(result["bots"][1]["won"]["resigned"], 2);
}

#[test]
fn an_error_instead_of_a_move_loses_with_the_engines_words() {
    let words = ["answered 'genmove black' with an error", "I do not feel like it", "ply 3"];
    against_honest("errs 2").play().lost(0, "protocol-error", &words);
    let words = ["'genmove white' with 'e4 e5'", "a cell such as c2"];
    Duel::between(&misfit("honest"), &engine("nonsense 1")).play().lost(1, "protocol-error", &words);
}

/// Once, a command that the engine was not sent any more reached its opponent.
#[test]
fn nobody_hears_what_was_meant_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("spy.sh");
    std::fs::write(&script, "echo heard: >&2; echo 0 0; exec cat >&2\n").unwrap();
    let played = Duel::between(&format!("sh {}", script.display()), &engine("refuses")).play();
    played.lost(1, "protocol-error", &["answered 'play black a1' with an error: ?illegal move"]);
    let heard = std::fs::read_to_string(played.duel.out().join("logs/0001-spy.stderr")).unwrap();
    assert_eq!(heard, "heard:\n");
}

#[test]
fn one_that_dies_while_it_is_asked_is_told_so() {
    let words = ["exited with code 3", "ply 5", "has not answered 'genmove black'", "out of ideas"];
    against_honest("dies 3").play().lost(0, "crashed", &words);
}

#[test]
fn one_that_does_not_answer_loses_on_time() {
    let short = ["--time", "1.5"];
    let words = ["1.5 s left on its clock", "it has not answered 'genmove black'"];
    against_honest("hangs 1").with(&short).play().lost(0, "timeout", &words);
    let words = ["it has not ended its answer to 'genmove black' with an empty line"];
    against_honest("half 1").with(&short).play().lost(0, "timeout", &words);
}

#[test]
fn of_two_answers_the_first_counts() {
    let played = against_honest("twice 2").play();
    played.went_to_the_end();
    let late = [played.warnings("out-of-turn"), played.warnings("not-a-move")].concat();
    assert!(late.len() == 1 && late[0].starts_with('='), "{late:?}");
    against_honest("twice 2").with(&["--strict"]).play().lost(0, "malformed", &["--strict"]);
}

#[test]
fn moves_that_the_rules_forbid_lose_or_are_asked_for_again() {
    for (quirk, words) in [
        ("taken 2", "the cell is already taken"),
        ("off 1", "off the board of size 5, whose last cell is e5"),
        ("passes 1", "there is no passing in Hex"),
    ] {
        against_honest(quirk).play().lost(0, "illegal-move", &[words]);
        let played = against_honest(quirk).with(&["--retries", "1"]).play();
        played.went_to_the_end();
        assert_eq!(played.warnings("illegal").len(), 1, "{quirk}");
    }
    // The program on the other side would swap by naming the stone; an engine has a word for it.
    let played = Duel::between(&misfit("honest"), &engine("taken 1")).play();
    played.lost(1, "illegal-move", &["played 'a1' on ply 2, but the cell is already taken"]);
}

#[test]
fn an_engine_that_never_stops_talking_is_cut_off() {
    let endless = "yes=htp:yes";
    Duel::between(endless, &misfit("honest")).play().lost(0, "output-limit", &["too much"]);
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("endless.sh");
    std::fs::write(&script, "echo =1; exec yes\n").unwrap();
    let endless = format!("endless=htp:sh {}", script.display());
    let words = ["answered 'list_commands' without an end"];
    Duel::between(&endless, &misfit("honest")).play().lost(0, "output-limit", &words);
}

#[test]
fn engines_play_hex_only_and_are_started_like_any_program() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str]| {
        let output = arbitro(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["duel", "htp:@greedy", "@random", "--game", "rhex"]).contains("HTP engines play hex"));
    assert!(refused(&["duel", "htp:./nothing", "@random"]).contains("does not exist"));
    assert!(refused(&["duel", "htp:", "@random"]).contains("a bot is empty"));
    let error = refused(&["okupacio", "--seats", "human,htp:@greedy"]);
    assert!(error.contains("HTP engines play hex, not okupacio"), "{error}");
}

/// Plain programs, engines in HTP and built-ins, contained as usual, from a file of settings and the command line.
#[test]
fn a_championship_mixes_protocols() {
    let folder = tempfile::tempdir().unwrap();
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/engine.py");
    let settings = format!(
        "size = 5\n[terms]\ntime = \"20\"\n\
         [[bots]]\nname = \"tuned\"\nprotocol = \"htp\"\ncommand = \"python3 {0} needs-setup spaced chatty swaps\"\n\
         setup = [\"tune 7\"]\n\
         [[bots]]\nname = \"untuned\"\nprotocol = \"htp\"\ncommand = \"python3 {0} needs-setup\"\n\
         [[bots]]\nname = \"sides\"\ncommand = \"htp:python3 {0} swaps-sides late-errors short-time\"\n",
        stand_in.display()
    );
    std::fs::write(folder.path().join("class.toml"), settings).unwrap();
    let reference = format!("ref=htp:{ARBITRO_REF} --htp");
    let (honest, noflush) = (misfit("honest"), misfit("noflush"));
    let arguments = [
        "championship",
        "--config",
        "class.toml",
        &reference,
        &honest,
        &noflush,
        "@greedy",
        "--out",
        "out",
        "--quiet",
    ];
    let output = arbitro(folder.path(), &arguments);
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("30 of 30 games"), "{text}{errors}");
    assert!(text.contains("left out: untuned: ") && text.contains("tune me first"), "{text}");
    let games = journal(&folder.path().join("out"));
    for game in &games {
        assert_eq!(game["verdict"]["reason"], "connected", "{}", game["verdict"]);
    }
    assert!(games.iter().any(|game| game["swapped"] == true));
    // What was begun goes on with the same settings, commands to begin with included.
    let again = arbitro(folder.path(), &["championship", "--resume", "out", "--quiet"]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    for line in
        std::fs::read_to_string(folder.path().join("out/standings.csv")).unwrap().lines().skip(1).take(2)
    {
        assert!(line.contains(",ref,") || line.contains(",greedy,"), "{line}");
    }
}

/// Engines cannot be asked to play given moves, so the referee makes these for them.
#[test]
fn openings_are_made_for_engines() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("two.sgf"),
        "(;GM[11]SZ[6];B[c2];W[swap-pieces];B[e5])(;GM[11]SZ[6];W[bc])",
    )
    .unwrap();
    let engine = engine("spaced");
    let arguments = [
        "championship",
        &engine,
        "htp:@greedy",
        "--size",
        "6",
        "--rounds",
        "2",
        "--openings",
        "two.sgf",
        "--out",
        "out",
        "--quiet",
        "--seed",
        "3",
    ];
    let output = arbitro(folder.path(), &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let games = journal(&folder.path().join("out"));
    assert_eq!(games.len(), 4);
    for game in &games {
        let moves: Vec<&str> =
            game["moves"].as_array().unwrap().iter().map(|mv| mv[0].as_str().unwrap()).collect();
        let opening: Vec<&str> = game["opening"].as_str().unwrap().split(", ").collect();
        assert_eq!(moves[..opening.len()], opening, "{}", game["verdict"]);
        assert_eq!(game["verdict"]["reason"], "connected");
    }
    let mut openings: Vec<&str> = games.iter().map(|game| game["opening"].as_str().unwrap()).collect();
    openings.sort_unstable();
    openings.dedup();
    // The second begins with white, and so is seen in the mirror; the first is so after its swap.
    assert_eq!(openings, ["1 2", "1 2, 1 2, 4 4"]);
}

/// What is sent to the engine, and what it must answer to it. The protocol prescribes answers up to the words of errors.
const EXCHANGES: [(&str, &str); 62] = [
    // Administration, with and without numbers.
    ("protocol_version", "= 2"),
    ("1 protocol_version", "=1 2"),
    ("name", "= arbitro-ref"),
    ("2147483647 name", "=2147483647 arbitro-ref"),
    ("007 version", concat!("=007 ", env!("CARGO_PKG_VERSION"))),
    ("known_command genmove", "= true"),
    ("known_command nonsense", "= false"),
    ("known_command", "? syntax error"),
    // Blanks, tabs, carriage returns and other control characters.
    ("  3   protocol_version  ", "=3 2"),
    ("4\tprotocol_version", "=4 2"),
    ("\t5\t\tknown_command\tquit\t", "=5 true"),
    ("6 protocol_version\r", "=6 2"),
    ("7 proto\u{1}col_version\u{7f}", "=7 2"),
    // Comments, and lines with nothing on them, which get no answer.
    ("8 protocol_version # which?", "=8 2"),
    ("9 protocol_version#", "=9 2"),
    ("# a comment\n\n   \n\t\r\n10 protocol_version", "=10 2"),
    ("11 # nothing but a number\n12 protocol_version", "?11 unknown command\n\n=12 2"),
    // Errors carry the number too.
    ("nonsense", "? unknown command"),
    ("13 nonsense", "?13 unknown command"),
    ("14 Genmove black", "?14 unknown command"),
    ("15 boardsize", "?15 syntax error"),
    ("16 boardsize eleven", "?16 syntax error"),
    ("17 boardsize 1", "?17 unacceptable size: boards are square, from 2 to 26"),
    ("18 boardsize 27", "?18 unacceptable size: boards are square, from 2 to 26"),
    ("19 boardsize 4 5", "?19 unacceptable size: boards are square, from 2 to 26"),
    ("20 boardsize 3", "=20"),
    ("21 boardsize 2 2", "=21"),
    ("22 clear_board", "=22"),
    // Playing and taking back.
    ("23 undo", "?23 cannot undo"),
    ("24 play", "?24 syntax error"),
    ("25 play black", "?25 syntax error"),
    ("26 play green a1", "?26 syntax error"),
    ("27 play black 1a", "?27 syntax error"),
    ("28 play black c1", "?28 illegal move"),
    ("29 play black a1", "=29"),
    ("30 play white a1", "?30 illegal move"),
    ("31 undo", "=31"),
    ("32 play BLACK A1", "=32"),
    ("33 play w b1", "=33"),
    ("34 final_score", "?34 cannot score"),
    // The only move that does not lose, with and without playing it.
    ("35 reg_genmove black", "=35 a2"),
    ("36 all_legal_moves", "=36 a2 b2"),
    ("37 genmove", "?37 syntax error"),
    ("38 genmove red", "?38 syntax error"),
    ("39 genmove b", "=39 a2"),
    ("40 final_score", "=40 B+"),
    ("41 genmove w", "=41 resign"),
    ("42 play white b2", "?42 illegal move"),
    ("43 undo", "=43"),
    ("44 genmove white", "=44 a2"),
    ("45 final_score", "=45 W+"),
    ("46 showboard", "=46 \n   a b\n 1 B W 1\n  2 W . 2"),
    // Swaps of both kinds.
    (
        "47 clear_board\n48 play b a2\n49 play w swap-pieces\n50 showboard",
        "=47\n\n=48\n\n=49\n\n=50 \n   a b\n 1 . W 1\n  2 . . 2",
    ),
    ("51 play b swap-pieces", "?51 illegal move"),
    ("52 undo\n53 play w swap-sides\n54 showboard", "=52\n\n=53\n\n=54 \n   a b\n 1 . . 1\n  2 B . 2"),
    (
        "55 boardsize 3\n56 play b b2\n57 genmove w\n58 reg_genmove b",
        "=55\n\n=56\n\n=57 swap-pieces\n\n=58 *",
    ),
    // Clocks.
    ("59 time_settings 60 0 0", "=59"),
    ("60 time_settings 60", "?60 syntax error"),
    ("61 time_left black 30 0", "=61"),
    ("61 time_settings 1e19 1e19 1", "=61"),
    ("61 time_settings 0 2 1", "=61"),
    // Leaving: what comes after it is not answered.
    ("62 quit\n63 name", "=62"),
];

#[test]
fn the_reference_answers_as_the_protocol_prescribes() {
    let mut child =
        Command::new(ARBITRO_REF).arg("--htp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input: String = EXCHANGES.iter().map(|(sent, _)| format!("{sent}\n")).collect();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("\n\n") && !text.contains('\r'), "every answer ends with an empty line");
    let answers: Vec<&str> = text.strip_suffix("\n\n").unwrap().split("\n\n").collect();
    let expected: Vec<&str> = EXCHANGES.iter().flat_map(|(_, answer)| answer.split("\n\n")).collect();
    for (answer, expected) in answers.iter().zip(&expected) {
        match expected.strip_suffix('*') {
            Some(start) => assert!(answer.starts_with(start) && answer.len() > start.len(), "{answer}"),
            None => assert_eq!(answer, expected),
        }
    }
    assert_eq!(answers.len(), expected.len());
}

#[test]
fn the_reference_knows_what_front_ends_ask_for() {
    let commands = "list_commands\nhexgui-analyze_commands\n";
    let mut child = Command::new(ARBITRO_REF)
        .args(["--htp", "--level", "random"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The end of the input ends it as well.
    child.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let (list, analyze) = text.split_once("\n\n").unwrap();
    for command in "name version protocol_version list_commands known_command boardsize clear_board play undo genmove reg_genmove \
                    showboard time_left time_settings final_score quit hexgui-analyze_commands"
        .split_whitespace()
    {
        assert!(list.trim_start_matches("= ").lines().any(|line| line == command), "{command}");
    }
    // Type, label and command, as HexGui reads them.
    let analyze: Vec<&str> = analyze.trim_start_matches("= ").trim_end().lines().collect();
    assert!(analyze.iter().all(|line| line.split('/').count() == 3), "{analyze:?}");
    let refused = Command::new(ARBITRO_REF).args(["--htp", "--game", "rhex"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("HTP is for hex, not rhex"));
}

#[test]
fn built_ins_speak_htp_too() {
    let played = Duel::between("engine=htp:@greedy", "plain=@greedy").with(&["--games", "2"]).play();
    assert!(played.games.iter().all(|game| game["verdict"]["reason"] == "connected"));
    assert_eq!(played.games[0]["seats"][0]["command"], "htp:@greedy");
}
