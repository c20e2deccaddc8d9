//! Games as SGF files: ours are read back as they were and by parsers that are not ours, and those of others are understood.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use arbitro::game::hex::{Hex, Move};
use arbitro::game::{Game, Seat};
use arbitro::record::game_record::FORMAT;
use arbitro::record::{Fault, GameRecord, Loss, Ply, Reason, SeatRecord, Terms, Verdict, hexworld, sgf};
use common::{Duel, arbitro};
use sgf_parse::{GameTree, unknown_game};

const GAMES: u32 = 1000;

/// A random game of a size from 5 to 19, swapped or not, played to its end or ended by a fault or a resignation.
fn random_game(number: u32, rng: &mut fastrand::Rng) -> GameRecord {
    let size = 5 + (number % 15) as u8;
    let mut game = Hex::new(size);
    let mut cells: Vec<_> = game.grid().all().collect();
    rng.shuffle(&mut cells);
    let last = if rng.bool() { usize::MAX } else { rng.usize(..cells.len()) };
    let mut moves = Vec::new();
    let mut used = [0; 2];
    for cell in cells {
        let mut mvs = vec![Move::Stone(cell)];
        if game.may_swap() && rng.bool() {
            mvs.insert(0, Move::Swap);
        }
        for mv in mvs {
            if game.outcome().is_some() || moves.len() >= last {
                break;
            }
            let taken = rng.u64(..100_000_000);
            used[game.turn().index()] += taken;
            game.make(mv);
            let mut text = String::new();
            game.write_move(&mut text);
            moves.push(Ply::Move { text, taken: Duration::from_nanos(taken), work: None });
        }
    }
    let names = ["ana", "béto [sic] \\o/", "c:d"];
    let names = [names[rng.usize(..3)], names[rng.usize(..3)]];
    let by_rules = |outcome| Verdict::by_rules(outcome, Vec::new());
    let verdict = game.outcome().map_or_else(|| unfinished(&game, names, moves.len() + 1, rng), by_rules);
    let seat = |seat: usize| SeatRecord {
        bot: names[seat].to_owned(),
        command: String::new(),
        identity: None,
        used_ns: used[seat],
        startup_ns: None,
        out_of_turn_ns: 0,
        credited_ns: 0,
        cpu_ns: None,
        peak: None,
        wrote: Vec::new(),
        exit: None,
    };
    let time = ["60", "30.5+0.25", "1000+1"][rng.usize(..3)].parse().unwrap();
    let started = "2026-11-16T00:00:00Z".parse().unwrap();
    GameRecord {
        format: FORMAT,
        number,
        round: 1 + number / 7,
        leg: None,
        generation: 1,
        attempt: 1,
        game: "hex".to_owned(),
        size,
        board: None,
        diagram: None,
        comments: BTreeMap::new(),
        seats: vec![seat(0), seat(1)],
        terms: Terms { time, ..Terms::default() },
        seed: None,
        started: Some(started),
        ended: None,
        load: None,
        opening: None,
        swapped: game.swapped(),
        plies: moves,
        verdict,
        warnings: Vec::new(),
    }
}

fn unfinished(game: &Hex, names: [&str; 2], ply: usize, rng: &mut fastrand::Rng) -> Verdict {
    let seat = game.turn();
    let reasons = ["resigned", "timeout", "illegal-move", "crashed", "protocol-error", "aborted"];
    let reason = Reason::named(rng.choice(reasons).unwrap()).unwrap();
    let what = format!("did it: [{reason}] \\ at last");
    match reason {
        Reason::Aborted => Verdict::without_winner(2, reason, what, Vec::new()),
        _ => {
            let sentence = format!("{} {what}", names[seat.index()]);
            let loss = Loss::new(seat, Some(ply), Fault::Told { what, reason });
            Verdict { sentence, ..Verdict::by_loss(loss) }
        }
    }
}

fn random_games() -> Vec<GameRecord> {
    let mut rng = fastrand::Rng::with_seed(common::seed());
    (1..=GAMES).map(|number| random_game(number, &mut rng)).collect()
}

fn collection(games: &[GameRecord]) -> String {
    games.iter().map(|game| sgf::write(game).unwrap()).collect()
}

#[test]
fn a_thousand_games_are_read_back_as_they_were() {
    let games = random_games();
    assert!(games.iter().filter(|game| game.swapped).count() > 300);
    for game in &games {
        assert_eq!(sgf::read(&sgf::write(game).unwrap()).unwrap(), std::slice::from_ref(game));
        game.verify().unwrap();
    }
    assert!(sgf::read(&collection(&games)).unwrap() == games, "as one collection too");
}

/// What a parser finds in a game: size, names, result, and the moves with their colours.
type Found = (String, String, String, String, Vec<String>);

/// The same as we know it.
fn known(game: &GameRecord) -> Found {
    let text = hexworld::link(game).unwrap();
    let text = text.split_once(',').unwrap().1.replace(":s", " swap-pieces ");
    let text = text.replace(":rb", "").replace(":rw", "");
    // A cell ends where the next begins.
    let mut moves: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if word == "swap-pieces" {
            moves.push(word.to_owned());
            continue;
        }
        for letter in word.chars() {
            match moves.last_mut().filter(|_| letter.is_ascii_digit()) {
                Some(cell) => cell.push(letter),
                None => moves.push(letter.to_string()),
            }
        }
    }
    let colours = ["B", "W"].iter().cycle();
    let mut moves: Vec<String> =
        moves.iter().zip(colours).map(|(mv, colour)| format!("{colour} {mv}")).collect();
    let winner = game.verdict.winner.map(|winner| ["B", "W"][winner.index()]);
    let loser = game.verdict.winner.map(|winner| ["W", "B"][winner.index()]);
    if game.verdict.reason == Reason::Resigned {
        moves.push(format!("{} resign", loser.unwrap()));
    }
    let how = match game.verdict.reason.to_string().as_str() {
        "connected" | "aborted" => "",
        "resigned" => "R",
        "timeout" => "T",
        _ => "F",
    };
    let result = winner.map_or("Void".to_owned(), |winner| format!("{winner}+{how}"));
    (game.size.to_string(), game.bot(Seat(0)).to_owned(), game.bot(Seat(1)).to_owned(), result, moves)
}

#[test]
fn a_parser_that_is_not_ours_finds_the_same_games() {
    let games = random_games();
    let trees = sgf_parse::parse(&collection(&games)).unwrap();
    assert_eq!(trees.len(), games.len());
    for (tree, game) in trees.iter().zip(&games) {
        let GameTree::Unknown(root) = tree else { panic!("{tree:?}") };
        root.validate().unwrap();
        let mut found = known(game);
        found.4.clear();
        for node in root.main_variation() {
            for property in node.properties() {
                match property {
                    unknown_game::Prop::SZ(size) => assert_eq!(size.0.to_string(), found.0),
                    unknown_game::Prop::PB(name) => assert_eq!(name.text, found.1),
                    unknown_game::Prop::PW(name) => assert_eq!(name.text, found.2),
                    unknown_game::Prop::RE(result) => assert_eq!(result.text, found.3),
                    unknown_game::Prop::B(mv) => found.4.push(format!("B {}", mv)),
                    unknown_game::Prop::W(mv) => found.4.push(format!("W {}", mv)),
                    _ => {}
                }
            }
        }
        assert_eq!(found, known(game));
    }
}

/// `scripts/test` puts sgfmill where this looks for it, if it can be had.
#[test]
fn sgfmill_finds_the_same_games() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("python");
    if !library.join("sgfmill").is_dir() {
        println!("sgfmill is not in {}: another parser has the word in this run", library.display());
        return;
    }
    let games = random_games();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sgf");
    std::fs::write(&path, collection(&games)).unwrap();
    let mut python = Command::new("python3");
    let output =
        python.arg(root.join("tests/sgfmill_reads.py")).arg(&path).env("PYTHONPATH", &library).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Vec<Found> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found.len(), games.len());
    for (found, game) in found.iter().zip(&games) {
        assert_eq!(*found, known(game));
    }
}

/// The moves of the only game in a text, and its names and result.
#[track_caller]
fn read(text: &str) -> (Vec<String>, GameRecord) {
    let mut games = sgf::read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(games.len(), 1);
    games[0].verify().unwrap();
    (games[0].plies.iter().filter_map(Ply::text).map(str::to_owned).collect(), games.remove(0))
}

#[test]
fn files_of_others_are_understood() {
    // HexGui.
    let (moves, game) = read("(;AP[HexGui:1.0.]FF[4]GM[11]SZ[11];B[a4];W[f6];B[d7]\n(;W[e5])(;W[a1];B[a2]))");
    assert_eq!(moves, ["3 0", "5 5", "6 3", "4 4"], "of variations, the first");
    assert_eq!((game.size, game.verdict.reason), (11, Reason::Aborted));
    // As in Go, in any case, on the usual board, with small letters in names of properties.
    assert_eq!(read("x (;GaMe[11]; Black [cB] ;White[B3])").0, ["1 2", "2 1"]);
    // Names with brackets, and results.
    let (_, game) = read("(;GM[11]SZ[5:5]PB[A\\]na\\\\]PW[Beto]RE[W+Resign];B[a1])");
    assert_eq!(
        (game.bot(Seat(0)), game.verdict.winner, game.verdict.reason),
        ("A]na\\", Some(Seat(1)), Reason::Resigned)
    );
    let (_, game) = read("(;GM[11]SZ[5]RE[B+T];B[a1])");
    assert_eq!((game.verdict.winner, game.verdict.reason), (Some(Seat(0)), Reason::Timeout));
    for word in ["resign", "Forfeit"] {
        let (_, game) = read(&format!("(;GM[11]SZ[5];B[a1];W[{word}])"));
        assert_eq!((game.verdict.winner, game.verdict.reason), (Some(Seat(0)), Reason::Resigned));
    }
    // A game that ends on the board needs no result, and a wrong one changes nothing.
    let (_, game) = read("(;GM[11]SZ[2]RE[W+];B[a1];W[b1];B[a2])");
    assert_eq!(game.verdict.winner, Some(Seat(0)));
}

/// The stone at a4, taken over by the second player, in all the ways in which it is written.
#[test]
fn swaps_are_told_by_who_moves_next() {
    let expected = ["3 0", "3 0", "5 1"];
    for (text, winner) in [
        // The stone is reflected and white; the first player stays black.
        ("(;GM[11]SZ[7]RE[B+];B[a4];W[swap-pieces];B[f2])", Seat(0)),
        // The stone stays; the first player is white.
        ("(;GM[11]SZ[7]RE[B+];B[a4];W[swap-sides];W[b6])", Seat(1)),
        // As benzene and old versions of HexGui have it: the one word, and the other meaning.
        ("(;GM[11]SZ[7]RE[B+];B[a4];W[swap-pieces];W[b6])", Seat(1)),
        ("(;GM[11]SZ[7]RE[B+];B[a4];W[SWAP];W[b6])", Seat(1)),
        // White begins, so that everything is in the mirror.
        ("(;GM[11]SZ[7]RE[W+];W[d1];B[swap-pieces];W[b6])", Seat(0)),
        ("(;GM[11]SZ[7]RE[W+];W[da];B[swap];B[fb])", Seat(1)),
    ] {
        let (moves, game) = read(text);
        assert_eq!(moves, expected, "{text}");
        assert!(game.swapped && game.verdict.winner == Some(winner), "{text}: {:?}", game.verdict);
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, words) in [
        ("", "line 1: there is no game"),
        ("(;GM[1]SZ[19])", "not a game of Hex"),
        ("(;GM[11]SZ[27])", "size 2 to 26"),
        ("(;GM[11]SZ[5:6])", "square"),
        ("(;GM[11]SZ[5];B[a1];W[swap-pieces]\n;B[a2]\n;B[a3])", "line 3: black moves twice in a row"),
        ("(;GM[11]SZ[5];B[a1];W[swap-pieces]\n;AB[b2])", "line 2: stones cannot be set up after a swap"),
        ("(;GM[11]SZ[5]\n;B[a1]\n;W[a1])", "line 3: a1: the cell is already taken"),
        ("(;GM[11]SZ[5]\n;B[f1])", "line 2: f1: it is off the board, which is 5×5"),
        ("(;GM[11]SZ[5];B[])", "'' is not a move of Hex"),
        ("(;GM[11]SZ[5];B[swap-pieces])", "a swap is possible as the second move only"),
        ("(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[b2])", "the game is over before that"),
        ("(;GM[11]SZ[5]\nAB[a1][f2])", "line 1: AB[f2]: it is off the board, which is 5×5"),
        ("(;GM[11]SZ[5]\n;AW[z99:a1])", "line 2: AW[z99:a1]: it is off the board"),
        ("(;GM[11]SZ[5]AE[\x1b[2J\\]])", "AE[\\u{1b}[2J]]: this is not a cell"),
        ("(;GM[11]SZ[5]AB[a1];B[a1])", "a1: the cell is already taken"),
        ("(;GM[11]SZ[2]AB[a1:a2];W[b1])", "b1: the game is over before that"),
        ("(;GM[11]\n;B[a1", "line 2: the value of B has no end"),
        ("(;GM[11];B)", "the property B has no value"),
        ("(;GM[11];B[a1]", "a ')' is missing"),
        ("(;GM[11]))", "a ')' too many"),
        ("(;GM[11] 5)", "'5' is not expected here"),
    ] {
        let error = sgf::read(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    // Nesting without end is no danger.
    let deep = format!("{};GM[11]{}", "(".repeat(1_000_000), ")".repeat(1_000_000));
    assert!(sgf::read(&deep).is_ok());
}

/// The stones of a position, row by row.
fn board_of(game: &GameRecord, ply: usize) -> String {
    game.position(ply).unwrap().debug_board().replace([' ', '\n'], "")
}

#[test]
fn stones_that_were_set_up_are_played_on_from() {
    // In the root or behind it, as HexGui writes them: white is to move, and nothing is mirrored.
    for text in [
        "(;GM[11]SZ[3]AB[b1][b2]AW[a1][c1:c2]PL[W];W[a2];B[b3])",
        "(;GM[11]SZ[3];AB[b1]AW[a1];AB[b2]AW[c1][c2];W[a2];B[b3])",
        "(;GM[11]SZ[3];AB[a1][b1][b2][c3]AW[c1][c2];AE[c3]AW[a1]PL[B];W[a2];B[b3])",
    ] {
        let (moves, game) = read(text);
        assert_eq!(moves, ["1 0", "2 1"], "{text}");
        assert_eq!(board_of(&game, 0), "pbp-bp---", "{text}");
        assert_eq!(game.position(0).unwrap().turn(), Seat(1), "{text}");
        assert_eq!(
            (game.verdict.winner, game.verdict.reason.to_string().as_str()),
            (Some(Seat(0)), "connected")
        );
        assert!(game.sentence().contains("on ply 2"), "{}", game.sentence());
        assert!(hexworld::link(&game).unwrap_err().to_string().contains("set up"));
    }
    // Without a move, it is the turn of the colour that is named, or of the one with fewer stones.
    for (text, turn) in [
        ("(;GM[11]SZ[5]AB[a1]AW[b2])", Seat(0)),
        ("(;GM[11]SZ[5]AB[a1])", Seat(1)),
        ("(;GM[11]SZ[5]AB[a1]PL[B])", Seat(0)),
        ("(;GM[11]SZ[5]AB[a1]PL[white])", Seat(1)),
        ("(;GM[11]SZ[5]AW[a1]PL[\x07])", Seat(0)),
    ] {
        let (_, game) = read(text);
        assert_eq!(game.position(0).unwrap().turn(), turn, "{text}");
    }
    // Who is to move is no set-up.
    assert!(read("(;GM[11]SZ[5]PL[B];B[a1])").1.diagram.is_none());
    // A colour that moves twice in a row sets up a position.
    let (moves, game) = read("(;GM[11]SZ[3];W[a1];B[b1];W[c1];W[c2];B[b2])");
    assert_eq!(
        (moves, board_of(&game, 0)),
        (vec!["1 2".to_owned(), "1 1".to_owned()], "pbp------".to_owned())
    );
    // A single black stone is a first move, which can be taken over.
    let (moves, game) = read("(;GM[11]SZ[7]AB[a4];W[swap-pieces];B[f2])");
    assert_eq!((moves, game.swapped), (vec!["3 0".to_owned(), "5 1".to_owned()], true));
}

#[test]
fn what_was_set_up_is_written_again_with_its_comments() {
    for text in [
        "(;GM[11]SZ[5]C[A puzzle \\[hard\\]]AB[a1][c3]AW[b2:b4]PL[W];W[e5]C[one\ntwo];B[d4])",
        "(;GM[11]SZ[7]AB[a4];W[swap-pieces];B[f2];W[g1]C[x])",
        "(;GM[11]SZ[7]AW[a4]PL[W]TM[9];W[c3]WL[7];B[f2]BL[8.5];W[resign])",
        "(;GM[11]SZ[2]AB[a1][a2])",
    ] {
        let game = read(text).1;
        assert_eq!(read(&sgf::write(&game).unwrap()).1, game, "{text}");
    }
}

#[test]
fn comments_stand_behind_their_ply() {
    let (_, game) = read(
        "(;GM[11]SZ[5]C[before];C[and more];B[a1]C[ first ];W[b2];C[after the second]\r\n;B[resign]C[oh\\\r\n no])",
    );
    let comments: Vec<(usize, &str)> =
        game.comments.iter().map(|(ply, text)| (*ply, text.as_str())).collect();
    assert_eq!(comments, [(0, "before\nand more"), (1, "first"), (2, "after the second\noh no")]);
}

#[test]
fn every_variation_can_be_had() {
    let text = "(;GM[11]SZ[8];AB[b7](;W[e2];B[f2](;W[e4];B[g3])(;W[c6];B[b6]))(;W[d3];B[e4];W[e5])(;W[z9]))";
    let collection = sgf::Collection::parse(text).unwrap();
    assert_eq!(collection.lines(0), 4);
    let moves = |line| -> Vec<String> {
        let game = collection.line(0, line).unwrap();
        game.plies.iter().filter_map(Ply::text).map(str::to_owned).collect()
    };
    assert_eq!(moves(0), ["1 4", "1 5", "3 4", "2 6"]);
    assert_eq!(moves(1), ["1 4", "1 5", "5 2", "5 1"]);
    assert_eq!(moves(2), ["2 3", "3 4", "4 4"]);
    assert!(collection.line(0, 3).is_err(), "one that cannot be played spoils no other");
    assert!(collection.line(0, 4).is_err() && collection.line(1, 0).is_err());
    assert_eq!(collection.main_lines().unwrap()[0].number, 1);
}

#[test]
fn no_file_whatever_is_in_it_stops_the_program() {
    let text =
        "(;GM[11]SZ[5]C[x\\]y]AB[b2][c3:d3]AW[e5]PL[W];W[a1]WL[3];AE[b2](;B[a2];W[swap])(;B[b1]C[z];B[b4]))";
    let letters = b"()[];:\\ABWELPCS0126abez\n\xc3\xff";
    let mut rng = fastrand::Rng::with_seed(common::seed());
    for _ in 0..20_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + rng.usize(..4) {
            let at = rng.usize(..bytes.len());
            match rng.u8(..3) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, letters[rng.usize(..letters.len())]),
                _ => bytes[at] = letters[rng.usize(..letters.len())],
            }
        }
        let Ok(collection) = sgf::Collection::parse(&String::from_utf8_lossy(&bytes)) else { continue };
        for line in (0..collection.lines(0)).filter_map(|line| collection.line(0, line).ok()) {
            line.verify().unwrap();
            let again = sgf::read(&sgf::write(&line).unwrap()).unwrap().remove(0);
            assert_eq!((&again.plies, &again.diagram), (&line.plies, &line.diagram), "{line:?}");
        }
    }
}

#[test]
fn openings_begin_with_an_empty_board() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("puzzle.sgf"), "(;GM[11]SZ[6]AB[a1]AW[b2];B[c3])").unwrap();
    let command = ["championship", "@random", "@greedy", "--size", "6", "--openings", "puzzle.sgf"];
    let output = arbitro(folder.path(), &command);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("'puzzle.sgf', game 1: it begins from stones that were set up"), "{errors}");
}

#[test]
fn journals_are_exported_replayed_and_linked() {
    let played =
        Duel::between("@random", "@greedy").with(&["--games", "4", "--size", "6", "--seed", "2"]).play();
    let run = |arguments: &[&str]| {
        let output = arbitro(&played.duel.out(), arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let all = run(&["export", "."]);
    assert_eq!(all.matches("GM[11]").count(), 4);
    run(&["export", ".", "--out", "all.sgf"]);
    assert_eq!(std::fs::read_to_string(played.duel.out().join("all.sgf")).unwrap(), all);
    assert_eq!(run(&["export", "all.sgf"]), all, "what was read is written in the same way");
    assert_eq!(run(&["replay", "all.sgf"]), run(&["replay", "."]));
    for game in ["1", "2", "3", "4"] {
        assert_eq!(run(&["replay", "all.sgf", game, "--all"]), run(&["replay", ".", game, "--all"]));
    }
    let links = run(&["export", ".", "--format", "hexworld"]);
    assert_eq!(links.lines().count(), 4);
    let third = links.lines().nth(2).unwrap();
    assert!(third.starts_with("https://hexworld.org/board/#6,"), "{third}");
    assert!(run(&["replay", ".", "3"]).ends_with(&format!("HexWorld: {third}\n")));
    let only = run(&["export", ".", "3"]);
    assert!(only.matches("GM[11]").count() == 1 && only.contains("GN[game 3]"), "{only}");
    let missing = arbitro(&played.duel.out(), &["export", ".", "9"]);
    assert!(String::from_utf8_lossy(&missing.stderr).contains("which has games 1 to 4"));
}

#[test]
fn only_hex_has_such_files() {
    let played = Duel::between("@random", "@random").with(&["--game", "rhex"]).play();
    let output = arbitro(&played.duel.out(), &["export", "."]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("game 1 is rhex: only hex has SGF files"));
    let shown = arbitro(&played.duel.out(), &["replay", "."]);
    assert!(shown.status.success() && !String::from_utf8_lossy(&shown.stdout).contains("HexWorld"));
}
