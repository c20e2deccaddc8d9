//! Joining journals, whatever has happened to them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::attempt::AttemptLog;
use super::merge::{merge, sources};
use super::shard::Shard;
use crate::championship::contest;
use crate::championship::entrant::Entrant;
use crate::championship::formats::Fixture;
use crate::championship::settings::{self, BotSettings, Settings};
use crate::game::{BoardOptions, Seat, Setup};
use crate::record::game_record::FORMAT;
use crate::record::journal::{self, Journal};
use crate::record::{Fault, GameRecord, Identity, Loss, Ply, SeatRecord, Terms, Verdict};
use crate::test_seed::seed;

/// A championship of four bots that play each other twice.
fn settings() -> Settings {
    let setup = Setup::new("hex", BoardOptions { size: Some(2), ..BoardOptions::default() }).unwrap();
    let bot = |name: &str| {
        let mut bot = BotSettings::new(&Entrant::parse(&format!("{name}=@random")).unwrap());
        bot.identity = Some(Identity::of(name.as_bytes()));
        bot
    };
    let mut settings =
        Settings::new(&setup, Terms::default(), 1, ["ana", "beto", "caio", "duda"].map(bot).into(), None);
    settings.started = jiff::Timestamp::UNIX_EPOCH;
    settings
}

/// A game of a fixture that begins at some moment, and is lost by one of the seats.
fn record(number: u32, fixture: &Fixture, attempt: u32, begins: i64, loser: u8) -> GameRecord {
    let seat = |bot: &Arc<str>| SeatRecord {
        bot: bot.to_string(),
        command: "@random".into(),
        identity: Some(Identity::of(bot.as_bytes())),
        used_ns: 5,
        startup_ns: None,
        out_of_turn_ns: 0,
        credited_ns: 0,
        cpu_ns: None,
        peak: None,
        wrote: Vec::new(),
        exit: None,
    };
    let moment = jiff::Timestamp::from_second(begins).unwrap();
    GameRecord {
        format: FORMAT,
        number,
        round: fixture.key.round,
        leg: Some(fixture.key.leg),
        generation: 1,
        attempt,
        game: "hex".into(),
        size: 2,
        board: None,
        diagram: None,
        comments: BTreeMap::new(),
        seats: fixture.key.bots.iter().map(seat).collect(),
        terms: Terms::default(),
        seed: Some(1),
        started: Some(moment),
        ended: Some(moment),
        load: None,
        opening: None,
        plies: vec![Ply::Move { text: "0 0".into(), taken: Duration::from_millis(1), work: None }],
        swapped: false,
        verdict: Verdict::by_loss(Loss::new(Seat(loser), None, Fault::Resigned)),
        warnings: Vec::new(),
    }
}

/// A game that an attempt has finished: which of the schedule, which attempt at it, when it began, and who lost.
type Played = (usize, u32, i64, u8);

/// What happens to a journal.
#[derive(Clone, Debug)]
enum Damage {
    Cut(usize),
    Flip(usize, u8),
    Repeat(usize),
    Swap(usize, usize),
}

impl Damage {
    fn do_to(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len().max(1);
        let lines = |bytes: &[u8]| {
            bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
        };
        match *self {
            Damage::Cut(place) => bytes.truncate(place % (length + 1)),
            Damage::Flip(place, bit) => {
                if let Some(byte) = bytes.get_mut(place % length) {
                    *byte ^= 1 << bit;
                }
            }
            Damage::Repeat(line) => {
                let lines = lines(bytes);
                if !lines.is_empty() {
                    bytes.extend(lines[line % lines.len()].clone());
                }
            }
            Damage::Swap(one, other) => {
                let mut lines = lines(bytes);
                if !lines.is_empty() {
                    let count = lines.len();
                    lines.swap(one % count, other % count);
                    *bytes = lines.concat();
                }
            }
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        any::<usize>().prop_map(Damage::Cut),
        (any::<usize>(), 0..8_u8).prop_map(|(place, bit)| Damage::Flip(place, bit)),
        any::<usize>().prop_map(Damage::Repeat),
        (any::<usize>(), any::<usize>()).prop_map(|(one, other)| Damage::Swap(one, other)),
    ]
}

/// The games in a journal that are whole, told without the code that is tested.
fn whole_games(bytes: &[u8]) -> Vec<GameRecord> {
    let whole = |line: &[u8]| {
        let fields = line.strip_suffix(b"\n")?.strip_prefix(br#"{"crc32":""#)?;
        let (checksum, fields) = fields.split_at_checked(8)?;
        let fields = fields.strip_prefix(b"\",")?;
        let known = format!("{:08x}", crc32fast::hash(fields));
        (known.as_bytes() == checksum).then(|| serde_json::from_slice(&[b"{", fields].concat()).unwrap())
    };
    bytes.split_inclusive(|&byte| byte == b'\n').filter_map(whole).collect()
}

/// A copy of the championship's folder for each machine, and the folder they are joined in.
struct Folders {
    _all: tempfile::TempDir,
    machines: Vec<PathBuf>,
    root: PathBuf,
}

impl Folders {
    fn new(settings: &Settings, machines: usize) -> Folders {
        let all = tempfile::tempdir().unwrap();
        let root = all.path().to_owned();
        let machines = (0..machines).map(|machine| root.join(format!("machine{machine}")));
        let folders = Folders { _all: all, machines: machines.collect(), root };
        folders.machines.iter().for_each(|folder| begin(folder, settings));
        folders
    }

    /// Joins all in a new folder of this name, and returns the journal.
    fn join(&self, name: &str, settings: &Settings, order: &[PathBuf]) -> (PathBuf, Vec<u8>) {
        let target = self.root.join(name);
        begin(&target, settings);
        join(&target, settings, order);
        let journal = fs::read(target.join(journal::FILE_NAME)).unwrap();
        (target, journal)
    }
}

fn begin(folder: &Path, settings: &Settings) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(settings::FILE_NAME), settings.to_toml()).unwrap();
}

fn join(target: &Path, settings: &Settings, folders: &[PathBuf]) {
    let sources = sources(target, target, folders, settings).unwrap();
    merge(target, sources, |_| ()).unwrap();
}

/// Writes an attempt, damaged, and returns the games of it that are whole.
fn write_attempt(
    machine: &Path,
    settings: &Settings,
    fixtures: &[Fixture],
    games: &[Played],
    damages: &[Damage],
) -> Vec<GameRecord> {
    let mut log = AttemptLog::open(machine, Shard { number: 1, of: 1 }).unwrap();
    let path = log.folder().join(journal::FILE_NAME);
    let mut journal = Journal::create(&path).unwrap();
    for (number, &(game, attempt, begins, loser)) in games.iter().enumerate() {
        let fixture = &fixtures[game % fixtures.len()];
        log.begun(&fixture.key, 1).unwrap();
        journal.append(&record(number as u32 + 1, fixture, attempt, begins, loser)).unwrap();
    }
    fs::write(log.folder().join(settings::FILE_NAME), settings.to_toml()).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    damages.iter().for_each(|damage| damage.do_to(&mut bytes));
    fs::write(&path, &bytes).unwrap();
    let told = log.folder().join("attempt.jsonl");
    let mut log_bytes = fs::read(&told).unwrap();
    damages.iter().for_each(|damage| damage.do_to(&mut log_bytes));
    fs::write(&told, log_bytes).unwrap();
    whole_games(&bytes)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed()),
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_game_is_lost_or_counted_twice_whatever_has_happened_to_the_journals(
        attempts in prop::collection::vec(
            (
                0..3_usize,
                prop::collection::vec((0..12_usize, 1..3_u32, 0..4_i64, 0..2_u8), 0..14),
                prop::collection::vec(damage(), 0..4),
            ),
            0..6,
        ),
    ) {
        let settings = settings();
        let fixtures: Vec<Fixture> = settings.plan().pairings(&[]).concat();
        let folders = Folders::new(&settings, 3);
        let mut whole: Vec<GameRecord> = Vec::new();
        for (machine, games, damages) in &attempts {
            whole.extend(write_attempt(&folders.machines[*machine], &settings, &fixtures, games, damages));
        }
        let (target, journal) = folders.join("joined", &settings, &folders.machines);
        let ledger = contest::ledger(&target, &settings, |damage| panic!("{damage}")).unwrap();

        // All that is whole counts, once, and no other game does.
        let key = |game: &GameRecord| (game.leg, game.seats.iter().map(|seat| seat.bot.clone()).collect::<Vec<_>>());
        let expected: HashSet<_> = whole.iter().map(key).collect();
        let counted: Vec<_> = ledger
            .games
            .iter()
            .map(|game| (game.leg, game.seats.iter().map(|seat| seat.bot.to_string()).collect::<Vec<_>>()))
            .collect();
        prop_assert_eq!(counted.len(), expected.len());
        prop_assert_eq!(counted.into_iter().collect::<HashSet<_>>(), expected);

        // Which line counts is decided by the attempt and by when it began.
        let mut earliest: HashMap<_, (u32, jiff::Timestamp)> = HashMap::new();
        for game in &whole {
            let when = (game.attempt, game.started.unwrap());
            let first = earliest.entry(key(game)).or_insert(when);
            *first = when.min(*first);
        }
        let joined = whole_games(&journal);
        for game in &joined {
            prop_assert_eq!((game.attempt, game.started.unwrap()), earliest[&key(game)]);
        }
        let numbers: Vec<u32> = joined.iter().map(|game| game.number).collect();
        prop_assert_eq!(numbers, (1..=joined.len() as u32).collect::<Vec<_>>());

        // In which order folders are named does not matter, nor whether they are named twice, or joined once more.
        let mut others = folders.machines.clone();
        others.reverse();
        others.push(folders.machines[0].clone());
        let (again, reversed) = folders.join("reversed", &settings, &others);
        prop_assert_eq!(&reversed, &journal);
        join(&again, &settings, &others);
        prop_assert_eq!(fs::read(again.join(journal::FILE_NAME)).unwrap(), journal);

        // Joined one after the other, the same games count.
        let step_by_step = folders.root.join("steps");
        begin(&step_by_step, &settings);
        for folder in folders.machines.iter().rev() {
            join(&step_by_step, &settings, std::slice::from_ref(folder));
        }
        let steps = contest::ledger(&step_by_step, &settings, |damage| panic!("{damage}")).unwrap();
        let outcome = |games: &[crate::record::Summary]| {
            let mut outcomes: Vec<_> = games.iter().map(|game| (game.key(), game.attempt, game.verdict.winner)).collect();
            outcomes.sort();
            outcomes
        };
        let has_tie = whole.iter().enumerate().any(|(index, one)| {
            whole[..index].iter().any(|other| key(one) == key(other) && one.attempt == other.attempt && one.started == other.started)
        });
        if !has_tie {
            prop_assert_eq!(outcome(&steps.games), outcome(&ledger.games));
        }
    }
}

#[test]
fn journals_of_other_settings_are_refused_and_each_difference_is_named() {
    let settings = settings();
    let folders = Folders::new(&settings, 1);
    let mut other = settings.clone();
    other.rounds = 2;
    other.terms.time = "5".parse().unwrap();
    other.bots[0].name = "eva".into();
    let target = folders.root.join("target");
    begin(&target, &other);
    let refused = sources(&target, &target, &folders.machines, &other).err().unwrap().to_string();
    for difference in ["rounds: 2 → 1", "time: \"5\" → \"60\"", "bot ana is new", "bot eva is gone"] {
        assert!(refused.contains(difference), "{refused}");
    }
}

#[test]
fn games_without_settings_are_refused() {
    let settings = settings();
    let folders = Folders::new(&settings, 1);
    let fixtures: Vec<Fixture> = settings.plan().pairings(&[]).concat();
    write_attempt(&folders.machines[0], &settings, &fixtures, &[(0, 1, 0, 0)], &[]);
    let attempt = super::attempt::attempts(&folders.machines[0]).unwrap().remove(0);
    fs::remove_file(attempt.folder.join(settings::FILE_NAME)).unwrap();
    let refused = sources(&folders.root.join("x"), &folders.root, &folders.machines, &settings)
        .err()
        .unwrap()
        .to_string();
    assert!(refused.contains("has games and no championship.toml"), "{refused}");
}
