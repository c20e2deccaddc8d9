//! Championships of earlier versions are replayed, reported and gone on with. Their folders are in `tests/data/journals`.

mod common;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Output;

use arbitro::record::{GameRecord, journal};
use common::recount::{bots, half_points, number, place_in_schedule, round};
use common::{arbitro, csv, stderr, stdout};
use serde_json::Value;

/// Every folder of version 1.
const FOLDERS: [&str; 5] = ["round-robin", "swiss", "tables", "leaves", "duel"];

/// A copy of a folder that an earlier version wrote.
struct Old {
    folder: tempfile::TempDir,
    name: &'static str,
}

impl Old {
    fn copy(name: &'static str) -> Old {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/journals/version-1").join(name);
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join(name);
        std::fs::create_dir(&copy).unwrap();
        for file in ["championship.toml", "games.jsonl"] {
            std::fs::copy(source.join(file), copy.join(file)).unwrap();
        }
        Old { folder, name }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    fn journal(&self) -> PathBuf {
        self.path().join("games.jsonl")
    }

    fn games(&self) -> Vec<Value> {
        common::journal(&self.path())
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Output {
        let output = arbitro(self.folder.path(), arguments);
        assert!(output.status.success(), "{}: {arguments:?}: {}", self.name, stderr(&output));
        output
    }

    /// Goes on with it in the way that its users would.
    #[track_caller]
    fn go_on(&self) -> Output {
        if self.name == "duel" {
            let bots = ["duel", "@random", "@greedy", "--size", "3", "--games", "4"];
            return self.run(&[&bots[..], &["--seed", "3", "--time", "5", "--out", self.name]].concat());
        }
        self.run(&["championship", "--resume", self.name, "--keep-failing"])
    }

    /// The tables are what the journal says, and it says that all games are played.
    #[track_caller]
    fn assert_complete(&self, expected_games: usize) {
        let games = self.games();
        assert_eq!(games.len(), expected_games, "{}", self.name);
        let output = self.run(&["report", self.name]);
        let (text, errors) = (stdout(&output), stderr(&output));
        assert!(
            text.contains(&format!("\n{expected_games} of {expected_games} games\n")),
            "{}: {text}",
            self.name
        );
        assert_eq!(errors, "", "{}: every line counts", self.name);
        let table = csv(&self.path().join("standings.csv"));
        let rows = table[1..].iter().map(|row| (row[1].clone(), row[2].parse::<f64>().unwrap()));
        assert_eq!(rows.collect::<BTreeMap<_, _>>(), points(&games, self.name == "swiss"), "{}", self.name);
        assert_eq!(csv(&self.path().join("games.csv")).len(), 1 + expected_games, "{}", self.name);
    }

    /// No game is there twice.
    #[track_caller]
    fn assert_nothing_is_repeated(&self) {
        let mut seen = HashSet::new();
        let mut numbers = HashSet::new();
        for game in self.games() {
            assert!(seen.insert(place_in_schedule(&game)), "{}: {:?}", self.name, place_in_schedule(&game));
            assert!(numbers.insert(number(&game)), "{}: number {}", self.name, number(&game));
        }
    }
}

/// What each bot has. In the Swiss system a round without an opponent is worth two won games.
fn points(games: &[Value], byes: bool) -> BTreeMap<String, f64> {
    let mut points: BTreeMap<String, f64> = BTreeMap::new();
    for game in games {
        for (seat, bot) in bots(game).into_iter().enumerate() {
            *points.entry(bot).or_default() += half_points(game, seat) as f64 / 2.0;
        }
    }
    let rounds = if byes { games.iter().map(round).collect() } else { HashSet::new() };
    for number in rounds {
        let playing: HashSet<String> =
            games.iter().filter(|game| round(game) == number).flat_map(bots).collect();
        points.iter_mut().filter(|(bot, _)| !playing.contains(*bot)).for_each(|(_, points)| *points += 2.0);
    }
    points
}

#[test]
fn every_game_of_version_1_replays() {
    for name in FOLDERS {
        let old = Old::copy(name);
        for game in old.games() {
            assert!(game.get("format").is_none() && game.get("id").is_some(), "{name} is of version 1");
            let shown = stdout(&old.run(&["replay", name, &number(&game).to_string()]));
            for bot in bots(&game) {
                assert!(shown.contains(&format!("{bot} (")), "{name}: {shown}");
            }
        }
        let records: Vec<GameRecord> =
            journal::read(&old.journal(), |warning| panic!("{name}: {warning}")).unwrap();
        assert_eq!(records.len(), old.games().len());
        for record in records {
            assert_eq!(record.format, 1);
            record.verify().unwrap_or_else(|error| panic!("{name}, game {}: {error}", record.number));
        }
    }
}

#[test]
fn reports_of_version_1_have_every_game_and_the_right_points() {
    for (name, games) in FOLDERS.into_iter().zip([12, 8, 6, 3, 4]) {
        Old::copy(name).assert_complete(games);
    }
}

#[test]
fn complete_championships_of_version_1_have_nothing_left_to_play() {
    for name in FOLDERS {
        let old = Old::copy(name);
        let before = std::fs::read(old.journal()).unwrap();
        old.go_on();
        assert_eq!(std::fs::read(old.journal()).unwrap(), before, "{name}");
    }
}

#[test]
fn half_a_journal_of_version_1_is_gone_on_with_without_accepting_changes() {
    for (name, games) in FOLDERS.into_iter().zip([12, 8, 6, 3, 4]) {
        // Also with a single line, and with all but one: rounds are then cut at other places.
        for kept in [games / 2, 1, games - 1] {
            let old = Old::copy(name);
            let text = std::fs::read_to_string(old.journal()).unwrap();
            let half: String = text.split_inclusive('\n').take(kept).collect();
            std::fs::write(old.journal(), &half).unwrap();
            old.go_on();
            let text = std::fs::read_to_string(old.journal()).unwrap();
            let new = text.strip_prefix(&half).unwrap_or_else(|| panic!("{name}: old lines have changed"));
            assert_eq!(new.lines().count(), games - kept, "{name}");
            for line in new.lines() {
                assert_eq!(serde_json::from_str::<Value>(line).unwrap()["format"], 5, "{name}: {line}");
            }
            old.assert_nothing_is_repeated();
            old.assert_complete(games);
        }
    }
}
