//! Every game from its first move to its tables, with real programs.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{arbitro, journal};
use serde_json::Value;

/// A program that the project ships.
fn bot(path: &str) -> String {
    format!("python={}/bots/{path}", env!("CARGO_MANIFEST_DIR"))
}

fn table(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// What each bot has by the places of the journal's games: a point for each who came in after it, and half a point for each
/// with whom it shares its place.
fn points_in(games: &[Value]) -> BTreeMap<String, f64> {
    let mut points = BTreeMap::new();
    for game in games {
        let seats = game["seats"].as_array().unwrap();
        let verdict = &game["verdict"];
        let place = |seat: usize| match (verdict["places"].get(seat), verdict["winner"].as_u64()) {
            (Some(place), _) => place.as_u64().unwrap(),
            (None, Some(winner)) => 1 + u64::from(winner != seat as u64),
            (None, None) => 1,
        };
        for (seat, bot) in seats.iter().enumerate() {
            let others = (0..seats.len()).filter(|&other| other != seat);
            let won = others.map(|other| match place(seat).cmp(&place(other)) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            });
            *points.entry(bot["bot"].as_str().unwrap().to_owned()).or_insert(0.0) += won.sum::<f64>();
        }
    }
    points
}

/// Plays a championship, and compares its tables with the journal and every game with its replay.
fn championship(bots: &[&str], options: &[&str], games: usize) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let fixed = ["championship", "--quiet", "--time", "20", "--seed", "5", "--out", "out"];
    let output = arbitro(folder.path(), &[&fixed, bots, options].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let out = folder.path().join("out");
    let played = journal(&out);
    assert_eq!(played.len(), games);
    for game in &played {
        let verdict = &game["verdict"];
        let forfeits = ["timeout", "illegal-move", "crashed", "failed-to-start", "output-limit", "malformed"];
        assert!(!forfeits.contains(&verdict["reason"].as_str().unwrap()), "{verdict}");
        let shown = arbitro(folder.path(), &["replay", "out", &game["number"].to_string()]);
        assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    }
    let points = points_in(&played);
    let standings = table(&out.join("standings.csv"));
    for row in &standings[1..] {
        assert_eq!(points[&row[1]], row[2].parse::<f64>().unwrap(), "{}", row[1]);
    }
    for row in &table(&out.join("crosstable.csv"))[1..] {
        let cells: f64 = row[1..row.len() - 1].iter().filter_map(|cell| cell.parse::<f64>().ok()).sum();
        assert_eq!(points[&row[0]], cells, "the cross table adds up");
    }
    let rows = table(&out.join("games.csv"));
    assert_eq!(rows.len(), games + 1);
    let column = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
    for (row, game) in rows[1..].iter().zip(&played) {
        let winner = game["verdict"]["winner"].as_u64().map(|seat| &game["seats"][seat as usize]["bot"]);
        assert_eq!(row[column("winner")], winner.and_then(Value::as_str).unwrap_or_default());
        assert_eq!(row[column("reason")], game["verdict"]["reason"].as_str().unwrap());
    }
    played
}

#[test]
fn a_championship_of_hex() {
    let bots = [&bot("hex/path.py"), "@random", "@greedy"];
    championship(&bots, &["--size", "7"], 6);
}

#[test]
fn a_championship_of_rhex() {
    let bots = [&bot("rhex/greedy.py"), "@random", "@greedy", "@easy"];
    championship(&bots, &["--game", "rhex", "--size", "6"], 12);
}

#[test]
fn a_championship_of_okupacio_at_tables_of_three_and_of_ten() {
    let bots = [&bot("okupacio/greedy.py"), "@random", "@greedy", "@easy"];
    let played = championship(&bots, &["--game", "okupacio", "--size", "6", "--seats", "3"], 4);
    assert!(played.iter().all(|game| game["verdict"]["places"].as_array().unwrap().len() == 3));
    let many: Vec<String> = (0..9).map(|number| format!("r{number}=@random")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).chain(["@greedy"]).collect();
    let played = championship(&many, &["--game", "okupacio", "--size", "25", "--seats", "10"], 10);
    let reasons: Vec<&str> = played.iter().map(|game| game["verdict"]["reason"].as_str().unwrap()).collect();
    assert!(reasons.iter().all(|reason| ["occupied", "last-player"].contains(reason)), "{reasons:?}");
}

#[test]
fn a_board_from_a_file_reaches_the_programs_and_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("tauler.txt");
    std::fs::write(&board, "4 4\n2 1 1 1 3 2 5 1\n").unwrap();
    let file = board.display().to_string();
    let bots = [&bot("okupacio/greedy.py"), "@random", "@greedy"];
    for game in championship(&bots, &["--game", "okupacio", "--board", &file], 6) {
        assert_eq!(game["board"].as_str().unwrap().split_whitespace().count(), 10);
    }
}

#[test]
fn a_championship_of_xinez_at_tables_of_two_to_six() {
    let python = bot("xinez/greedy.py");
    let bots = [&python, "@random", "@greedy", "@easy", "g2=@greedy", "e2=@easy"];
    championship(&bots[..3], &["--game", "xinez", "--size", "2"], 6);
    championship(&bots[..4], &["--game", "xinez", "--size", "2", "--seats", "3"], 4);
    championship(&bots, &["--game", "xinez", "--size", "2", "--seats", "6"], 6);
}

/// The fewest wins in so many games that chance leaves a player who wins 95 % of them, but for once in a million runs.
fn fewest_wins_of_95_percent(games: usize) -> usize {
    let (win, games) = (0.95_f64, games as i32);
    let mut exactly = (1.0 - win).powi(games);
    let mut at_most = 0.0;
    (0..games)
        .find(|&wins| {
            at_most += exactly;
            exactly *= f64::from(games - wins) / f64::from(wins + 1) * win / (1.0 - win);
            at_most > 1e-6
        })
        .map_or(0, |wins| wins as usize)
}

#[test]
fn chance_is_reckoned_with() {
    assert_eq!([1, 20, 100].map(fewest_wins_of_95_percent), [0, 12, 82]);
}

/// Plays games of RHEX between the best level and random play, half of them with either side; the best must lose none, and draw
/// only a few.
fn best_of_rhex_beats_random(games: usize) {
    let folder = tempfile::tempdir().unwrap();
    let count = games.to_string();
    let arguments = ["duel", "@max", "@random", "--game", "rhex", "--size", "8", "--games", &count];
    // A busy machine costs it thought, but no game. How much it thinks differs from run to run, and so does what it plays.
    let options = ["--time", "1", "--clock", "cpu", "--jobs", "2", "--seed", "1", "--out", "out", "--quiet"];
    let output = arbitro(folder.path(), &[&arguments[..], &options].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut won = [0, 0];
    for game in journal(&folder.path().join("out")) {
        let own = u64::from(game["seats"][0]["bot"] != "max");
        let (winner, reason) = (game["verdict"]["winner"].as_u64(), &game["verdict"]["reason"]);
        won[own as usize] += usize::from(winner == Some(own));
        assert!(reason == "draw" || winner == Some(own), "{}", game["verdict"]);
    }
    println!("max won {won:?} of {} each, as white and as black", games / 2);
    let least = fewest_wins_of_95_percent(games / 2);
    assert!(won.iter().all(|&won| won >= least), "max won {won:?} of {} each", games / 2);
}

#[test]
#[ignore = "takes ten seconds"]
fn the_best_of_rhex_beats_random_play_on_either_side() {
    best_of_rhex_beats_random(40);
}

/// The same at length, for about a minute: `cargo test --release --test games -- --ignored --nocapture`.
#[test]
#[ignore = "two hundred games"]
fn the_best_of_rhex_beats_random_play_in_two_hundred_games() {
    best_of_rhex_beats_random(200);
}

/// In games of more than two, whoever commits a fault leaves, and the others go on.
#[test]
fn faults_at_a_table_of_more_cost_the_one_who_commits_them_his_place_only() {
    for (game, size) in [("okupacio", "5"), ("xinez", "2")] {
        for (kind, reason, script) in [
            ("silent", "timeout", "exec sleep 100"),
            ("illegal", "illegal-move", "echo zz; echo 0 0; while read line; do echo zz; echo 0 0; done"),
            ("exits", "crashed", "exit 3"),
            ("dies", "crashed", "kill -SEGV $$"),
            ("floods", "output-limit", "while :; do echo hello; done"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let broken = format!("{kind}=sh -c '{script}'");
            let arguments = [
                "duel",
                "@greedy",
                &broken,
                "@random",
                "--game",
                game,
                "--size",
                size,
                "--games",
                "3",
                "--keep-failing",
            ];
            let options = ["--out", "out", "--quiet", "--time", "3", "--startup", "0.5"];
            let output = arbitro(folder.path(), &[&arguments[..], &options].concat());
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            for played in journal(&folder.path().join("out")) {
                let seat =
                    played["seats"].as_array().unwrap().iter().position(|seat| seat["bot"] == kind).unwrap();
                let verdict = &played["verdict"];
                let faults = verdict["losses"].as_array().unwrap();
                assert_eq!(faults.len(), 1, "{game}: {kind}: {verdict}");
                assert_eq!(
                    (faults[0]["seat"].as_u64(), faults[0]["reason"].as_str()),
                    (Some(seat as u64), Some(reason))
                );
                assert_eq!(verdict["places"][seat], 3, "{verdict}");
                let shown = arbitro(folder.path(), &["replay", "out", &played["number"].to_string()]);
                let text = String::from_utf8_lossy(&shown.stdout).into_owned();
                assert!(shown.status.success() && text.contains(&format!("{kind} left on ply")), "{text}");
            }
        }
    }
}

/// The board that a replay shows after a ply, as the letters of its cells.
fn cells_after(folder: &Path, ply: usize) -> String {
    let shown = arbitro(folder, &["replay", "out", "1", "--at", &ply.to_string()]);
    let text = String::from_utf8(shown.stdout).unwrap();
    let (_, board) = text.split_once("\n\n").unwrap();
    let rows = board.lines().take_while(|line| !line.is_empty());
    // Rows and columns of Okupació are named in small letters.
    rows.flat_map(str::chars).filter(|glyph| glyph.is_ascii_digit() || "-.ABC".contains(*glyph)).collect()
}

#[test]
fn cells_of_one_who_leaves_okupacio_are_free_and_pieces_of_one_who_leaves_xinez_stay() {
    for (game, size, own, first_move) in [("okupacio", "5", 'A', "cc"), ("xinez", "2", '1', "3 2")] {
        let folder = tempfile::tempdir().unwrap();
        let once = format!("once=sh -c 'echo {first_move}; read a; read b; exit 3'");
        let arguments = ["duel", &once, "@greedy", "@random", "--game", game, "--size", size, "--games", "1"];
        let output = arbitro(folder.path(), &[&arguments[..], &["--out", "out", "--quiet"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let played = &journal(&folder.path().join("out"))[0];
        let faults = &played["verdict"]["losses"];
        assert_eq!(
            (faults[0]["ply"].as_u64(), faults[0]["reason"].as_str()),
            (Some(4), Some("crashed")),
            "{faults}"
        );
        let last = played["moves"].as_array().unwrap().len();
        let own_cells = |ply: usize| cells_after(folder.path(), ply).matches(own).count();
        assert_eq!(played["moves"][3], "leave");
        match game {
            "okupacio" => assert_eq!((own_cells(3), own_cells(4), own_cells(last)), (1, 0, 0)),
            _ => assert_eq!((own_cells(3), own_cells(4), own_cells(last)), (3, 3, 3)),
        }
        assert_eq!(played["verdict"]["places"][0], 3, "the others play on: {}", played["verdict"]);
        let others = (4..last).all(|ply| played["moves"][ply][0] != "leaves");
        assert!(last > 5 && others);
    }
}
