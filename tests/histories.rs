//! Random histories of whole championships, each in one folder: runs are interrupted and killed, bots join, leave, come back, change and
//! play their games again, and rounds are added. Whatever happens, no played game is lost, and the tables are what the journal says.
//!
//! The recount knows the rules, not the program: it reads the lines of the journal and what it did to the championship.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use common::recount::{
    bots, generation, half_points, half_points_against, number, place_in_schedule, places, round, versions,
};
use common::{arbitro, csv, eventually, interruptible, program, stderr, stdout};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Histories of each format, unless `ARBITRO_TEST_HISTORIES` says another number.
const HISTORIES: u64 = 12;
/// What happens in a history at most.
const MOST_STEPS: usize = 6;
/// The files that are computed from the journal.
const TABLES: [&str; 3] = ["games.csv", "standings.csv", "crosstable.csv"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    RoundRobin,
    Gauntlet,
    Swiss,
    /// A round robin with three at a table.
    Tables,
}

impl Format {
    fn options(self) -> &'static [&'static str] {
        match self {
            Format::RoundRobin => &["--format", "round-robin", "--size", "3"],
            Format::Gauntlet => &["--format", "gauntlet", "--size", "3"],
            Format::Swiss => &["--format", "swiss", "--size", "3"],
            Format::Tables => &["--format", "round-robin", "--game", "xinez", "--size", "1", "--seats", "3"],
        }
    }

    fn seats(self) -> usize {
        if self == Format::Tables { 3 } else { 2 }
    }

    /// Whether rounds are drawn up one after the other: bots then join in the next one, and games of bots that left count.
    fn has_rounds_in_turn(self) -> bool {
        matches!(self, Format::Swiss | Format::Tables)
    }
}

/// What is changed before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    Joins,
    Leaves,
    /// The same, but its bot is still named, and an option says that it leaves.
    IsWithdrawn,
    ComesBack,
    MoreRounds,
    /// The first bot is changed, and its games count on.
    IsAccepted,
    /// The first bot is changed, and plays its games again.
    IsMended,
    /// One or two bots play their games again.
    PlayAgain,
}

/// How a run ends.
#[derive(Clone, Copy, Debug)]
enum Ending {
    ToTheEnd,
    /// Ctrl-C, once so many more games are in the journal.
    Interrupted(usize),
    /// kill -9, once so many more games are in the journal.
    Killed(usize),
}

struct Bot {
    name: String,
    present: bool,
    /// The first round it plays in, where that matters.
    from_round: u64,
    /// Whether it has left and come back.
    came_back: bool,
    /// How often its games were to be played again, counted together with all others.
    generation: u64,
}

impl Bot {
    fn new(index: usize, from_round: u64) -> Bot {
        Bot { name: format!("bot{index}"), present: true, from_round, came_back: false, generation: 1 }
    }
}

/// A championship and what has happened to it.
struct History {
    format: Format,
    folder: tempfile::TempDir,
    rng: fastrand::Rng,
    seed: u64,
    /// In the order in which they came.
    bots: Vec<Bot>,
    rounds: u64,
    /// The whole lines of the journal after the last step.
    lines: String,
    /// The last round that had begun when bots last came or went; `None` if none ever did.
    disturbed_in: Option<u64>,
    /// Whether rounds were added.
    has_more_rounds: bool,
    /// How often the first bot was changed.
    version: u32,
    /// The options of the last change, and bots that are named although they have left.
    options: Vec<String>,
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bot = |bot: &Bot| {
            format!("{}{}@{}", bot.name, if bot.present { "" } else { " (left)" }, bot.from_round)
        };
        let bots: Vec<String> = self.bots.iter().map(bot).collect();
        write!(
            f,
            "{:?}, {} rounds, {} games, {}",
            self.format,
            self.rounds,
            self.games().len(),
            bots.join(", ")
        )
    }
}

impl History {
    fn new(format: Format, seed: u64) -> History {
        let mut rng = fastrand::Rng::with_seed(seed);
        let bots: Vec<Bot> = (0..rng.usize(3..=5)).map(|index| Bot::new(index, 1)).collect();
        // Three bots can play three Swiss rounds, each with one round off.
        let rounds = rng.u64(1..=if format == Format::Swiss { 3 } else { 2 });
        let folder = tempfile::tempdir().unwrap();
        let (lines, disturbed_in, has_more_rounds) = (String::new(), None, false);
        let (version, options) = (1, Vec::new());
        let history = History {
            format,
            folder,
            rng,
            seed,
            bots,
            rounds,
            lines,
            disturbed_in,
            has_more_rounds,
            version,
            options,
        };
        history.write_first_bot();
        history
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn games(&self) -> Vec<Value> {
        self.lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The games that were not set aside to be played again.
    fn current(&self) -> Vec<Value> {
        let own = |name: &String| self.bots.iter().find(|bot| bot.name == *name).unwrap().generation;
        let is_current = |game: &Value| generation(game) == bots(game).iter().map(own).max().unwrap();
        self.games().into_iter().filter(is_current).collect()
    }

    /// The first bot has a file, and all others are built-in.
    fn write_first_bot(&self) {
        let path = self.folder.path().join("bot0.sh");
        let text = format!(
            "#!/bin/sh\n# {}\nexec {} reference --level random \"$@\"\n",
            self.version,
            program().display()
        );
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The whole lines of the journal now. A run that was killed may leave a torn one behind them.
    fn read_lines(&self) -> String {
        let bytes = std::fs::read(self.out().join("games.jsonl")).unwrap_or_default();
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        String::from_utf8(bytes[..whole].to_vec()).unwrap()
    }

    fn last_begun_round(&self) -> u64 {
        self.games().iter().map(round).max().unwrap_or_default()
    }

    fn present(&self) -> impl Iterator<Item = &Bot> {
        self.bots.iter().filter(|bot| bot.present)
    }

    fn is_present(&self, name: &str) -> bool {
        self.present().any(|bot| bot.name == name)
    }

    /// The bots that have left and whose games do not count, by name.
    fn withdrawn(&self) -> BTreeSet<&str> {
        let has_left = |bot: &&Bot| !bot.present && !self.format.has_rounds_in_turn();
        self.bots.iter().filter(has_left).map(|bot| bot.name.as_str()).collect()
    }

    // What happens.

    /// Plays the history. The first step begins the championship.
    fn happens(&mut self) {
        for step in 0..self.rng.usize(2..=MOST_STEPS) {
            let change = if step == 0 { Change::Nothing } else { self.choose_change() };
            let ending = match self.rng.u8(..5) {
                0 | 1 => Ending::ToTheEnd,
                2 => Ending::Interrupted(self.rng.usize(1..=8)),
                _ => Ending::Killed(self.rng.usize(1..=8)),
            };
            self.step(change, ending);
        }
        self.step(Change::Nothing, Ending::ToTheEnd);
    }

    fn step(&mut self, change: Change, ending: Ending) {
        self.make(change);
        self.step_after(change, ending);
    }

    /// Runs once a change was made.
    fn step_after(&mut self, change: Change, ending: Ending) {
        println!("  {change:?}, {ending:?}: {self}");
        let is_complete = self.run(change, ending);
        self.check(is_complete);
    }

    /// A change that is possible now.
    fn choose_change(&mut self) -> Change {
        let (present, all) = (self.present().count(), self.bots.len());
        let fewest = if self.format == Format::Tables { 4 } else { 3 };
        let mut possible = vec![Change::Nothing];
        possible.extend((all < 7).then_some(Change::Joins));
        possible.extend(
            (present >= fewest).then_some([Change::Leaves, Change::IsWithdrawn]).into_iter().flatten(),
        );
        possible.push(Change::PlayAgain);
        possible.extend(
            self.bots[0].present.then_some([Change::IsAccepted, Change::IsMended]).into_iter().flatten(),
        );
        possible.extend((present < all).then_some(Change::ComesBack));
        // Nobody is asked to meet somebody twice: four bots can play three Swiss rounds.
        let most = if self.format == Format::Swiss { present.next_multiple_of(2) as u64 - 1 } else { 3 };
        possible.extend((self.rounds < most).then_some(Change::MoreRounds));
        self.rng.choice(possible).unwrap()
    }

    /// Changes who takes part, or for how long.
    fn make(&mut self, change: Change) {
        let begun = self.last_begun_round();
        let next = if self.format.has_rounds_in_turn() { begun + 1 } else { 1 };
        let of_those = |bots: &[Bot], present: bool| -> Vec<usize> {
            (0..bots.len()).filter(|&index| bots[index].present == present).collect()
        };
        self.options.clear();
        match change {
            Change::Nothing => return,
            Change::IsAccepted | Change::IsMended => {
                self.version += 1;
                self.write_first_bot();
                if change == Change::IsMended {
                    self.play_again(&[0]);
                }
                return;
            }
            Change::PlayAgain => {
                let present = of_those(&self.bots, true);
                let some = [0, 1].map(|_| self.rng.choice(&present).copied().unwrap());
                return self.play_again(&some);
            }
            Change::MoreRounds => {
                self.rounds += 1;
                self.has_more_rounds = true;
                return;
            }
            Change::Joins => self.bots.push(Bot::new(self.bots.len(), next)),
            Change::Leaves | Change::IsWithdrawn => {
                let leaves = self.rng.choice(of_those(&self.bots, true)).unwrap();
                self.bots[leaves].present = false;
                if change == Change::IsWithdrawn {
                    let name = self.bots[leaves].name.clone();
                    self.options.extend(["--withdraw".to_owned(), name, self.named(leaves)]);
                }
            }
            Change::ComesBack => {
                let back = self.rng.choice(of_those(&self.bots, false)).unwrap();
                let generation = self.bots[back].generation;
                self.bots[back] = Bot { came_back: true, generation, ..Bot::new(back, next) };
            }
        }
        self.disturbed_in = Some(begun);
    }

    /// The games of some bots are to be played again, if they have any.
    fn play_again(&mut self, again: &[usize]) {
        let current = self.current();
        let next = self.bots.iter().map(|bot| bot.generation).max().unwrap() + 1;
        for &index in again {
            let bot = &mut self.bots[index];
            self.options.extend(["--play-again".to_owned(), bot.name.clone()]);
            if current.iter().any(|game| bots(game).contains(&bot.name)) {
                bot.generation = next;
            }
        }
        // What is drawn up next depends on other results now.
        if self.format == Format::Swiss {
            self.disturbed_in = Some(self.last_begun_round());
        }
    }

    /// A bot as it is named on the command line.
    fn named(&self, index: usize) -> String {
        let command = if index == 0 { "./bot0.sh" } else { "@random" };
        format!("{}={command}", self.bots[index].name)
    }

    fn command(&self, change: Change, jobs: usize) -> Command {
        let mut command = interruptible(program());
        command.args(["championship", "--out", "out", "--quiet", "--no-sandbox", "--no-pin", "--time", "5"]);
        command.args(self.format.options());
        command.args(["--rounds", &self.rounds.to_string(), "--jobs", &jobs.to_string()]);
        command.args(["--seed", &(self.seed >> 1).to_string()]);
        command.args((0..self.bots.len()).filter(|&bot| self.bots[bot].present).map(|bot| self.named(bot)));
        command.args(&self.options);
        if !matches!(change, Change::Nothing | Change::IsWithdrawn | Change::IsMended | Change::PlayAgain) {
            command.arg("--accept-changes");
        }
        command.current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the championship, and says whether it came to its end.
    fn run(&mut self, change: Change, ending: Ending) -> bool {
        let jobs = self.rng.usize(1..=2);
        let mut child = self.command(change, jobs).spawn().unwrap();
        let signal = match ending {
            Ending::ToTheEnd => None,
            Ending::Interrupted(games) => Some((games, Signal::INT)),
            Ending::Killed(games) => Some((games, Signal::KILL)),
        };
        if let Some((games, signal)) = signal {
            self.await_games(&mut child, games);
            // It may have ended by itself, which is not collected yet.
            kill_process(Pid::from_child(&child), signal).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        let (text, errors) = (stdout(&output), stderr(&output));
        let code = output.status.code();
        let allowed = match ending {
            Ending::ToTheEnd => &[Some(0)][..],
            Ending::Interrupted(_) => &[Some(0), Some(130)],
            Ending::Killed(_) => &[Some(0), None],
        };
        assert!(allowed.contains(&code), "{:?}: {text}{errors}", output.status);
        if code == Some(130) {
            assert!(errors.contains("go on with:\n    arbitro championship --resume out"), "{errors}");
        }
        code == Some(0)
    }

    /// Waits until so many more games are in the journal, or all are played.
    fn await_games(&self, child: &mut Child, games: usize) {
        let before = self.lines.lines().count();
        let pid = Pid::from_child(child).as_raw_nonzero().get();
        eventually("games are played", || {
            !common::runs(pid) || self.read_lines().lines().count() >= before + games
        });
    }

    // What must hold.

    fn check(&mut self, is_complete: bool) {
        let lines = self.read_lines();
        assert!(lines.starts_with(&self.lines), "lines of earlier runs have changed");
        self.lines = lines;
        let read = |name: &&str| std::fs::read_to_string(self.out().join(name)).unwrap();
        if is_complete {
            let written = TABLES.each_ref().map(read);
            self.report();
            assert_eq!(TABLES.each_ref().map(read), written, "the report rebuilds the tables");
        } else {
            // A run that was killed has left the tables behind.
            self.report();
        }
        let games = self.current();
        let mut seen = HashSet::new();
        assert!(games.iter().all(|game| seen.insert(place_in_schedule(game))), "a game was played twice");
        self.check_seats(&games);
        let counting: Vec<&Value> = games.iter().filter(|game| self.counts(game)).collect();
        self.check_games(&counting);
        self.check_standings(&counting);
        if is_complete {
            self.check_schedule(&games);
            let text = self.report();
            assert!(text.contains(&format!("\n{0} of {0} games\n", counting.len())), "{text}");
            for name in self.withdrawn() {
                assert!(text.contains(&format!("\nleft out: {name}: withdrawn\n")), "{text}");
            }
        }
    }

    fn report(&self) -> String {
        for name in TABLES {
            // After a kill it may not be there.
            let _ = std::fs::remove_file(self.out().join(name));
        }
        let output = arbitro(self.folder.path(), &["report", "out"]);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    }

    /// Whether a game of the journal counts. Where every pair meets in every round, those of bots that left do not.
    fn counts(&self, game: &Value) -> bool {
        let all_there = || bots(game).iter().all(|bot| self.is_present(bot));
        match self.format {
            Format::RoundRobin => all_there(),
            Format::Gauntlet => all_there() && bots(game).contains(&self.bots[0].name),
            Format::Swiss | Format::Tables => true,
        }
    }

    /// No bot has a seat twice in a round, and latecomers play from the next round on.
    fn check_seats(&self, games: &[Value]) {
        let mut taken = HashSet::new();
        for game in games {
            let names = bots(game);
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), self.format.seats(), "{names:?}");
            if self.format.has_rounds_in_turn() {
                for (seat, name) in names.iter().enumerate() {
                    assert!(
                        taken.insert((round(game), seat, name.clone())),
                        "{name} has a seat twice: {game}"
                    );
                }
            }
            // One that came back has games from before it left, and may have to finish a pair of games.
            for bot in self.bots.iter().filter(|bot| !bot.came_back && names.contains(&bot.name)) {
                assert!(round(game) >= bot.from_round, "{} came too early: {game}", bot.name);
            }
        }
    }

    fn check_games(&self, counting: &[&Value]) {
        let seats = self.format.seats();
        let table = csv(&self.out().join("games.csv"));
        let mut expected: Vec<&Value> = counting.to_vec();
        expected.sort_by_key(|game| number(game));
        assert_eq!(table.len() - 1, expected.len(), "games that count");
        let mut seen = HashSet::new();
        for (row, game) in table[1..].iter().zip(expected) {
            let names = bots(game);
            let winner = game["verdict"]["winner"].as_u64().map_or("", |seat| &names[seat as usize]);
            let (number, round) = (number(game).to_string(), round(game).to_string());
            let reason = game["verdict"]["reason"].as_str().unwrap();
            let plies = game["moves"].as_array().unwrap().len().to_string();
            let mut cells = vec![number.as_str(), &round];
            cells.extend(names.iter().map(String::as_str));
            cells.extend([winner, reason, &plies]);
            assert_eq!(row[..5 + seats], cells, "{row:?}");
            if seats > 2 {
                let shown: Vec<u64> =
                    row[6 + 2 * seats..6 + 3 * seats].iter().map(|cell| cell.parse().unwrap()).collect();
                assert_eq!(shown, places(game), "{row:?}");
            }
            assert!(seen.insert(row[1..2 + seats].to_vec()), "{row:?} is there twice");
        }
    }

    fn check_standings(&self, counting: &[&Value]) {
        let (is_swiss, seats) = (self.format == Format::Swiss, self.format.seats());
        let ranked: Vec<&str> = self
            .bots
            .iter()
            .filter(|bot| bot.present || self.format.has_rounds_in_turn())
            .map(|bot| bot.name.as_str())
            .collect();
        let counts = Recount::of(&ranked, counting, &self.byes());
        let table = csv(&self.out().join("standings.csv"));
        let mut header = vec!["rank", "bot", "points"];
        header.extend(is_swiss.then_some("byes"));
        header.push("played");
        header.extend(if seats > 2 {
            ["place_1", "place_2", "place_3"]
        } else {
            ["wins", "draws", "losses"]
        });
        header.extend(["forfeits", "elo", "elo_error", "left_out"]);
        // Only the first bot has versions.
        let versions: Vec<String> =
            versions(counting, "bot0").iter().map(|(_, games)| games.to_string()).collect();
        let versions = (versions.len() > 1).then(|| format!("{}: {}", versions.len(), versions.join("+")));
        header.extend(versions.as_ref().map(|_| "versions"));
        assert_eq!(table[0], header);
        let (table, absent) = table[1..].split_at(ranked.len());
        let names: Vec<&str> = table.iter().map(|row| row[1].as_str()).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>(), ranked.iter().collect(), "who is in the table");
        // Who has left stands below, with nothing but the reason.
        let expected = self.withdrawn().into_iter().map(|name| {
            let cell = |title: &&str| match *title {
                "bot" => name.to_owned(),
                "left_out" => "withdrawn".to_owned(),
                _ => String::new(),
            };
            header.iter().map(cell).collect::<Vec<_>>()
        });
        assert_eq!(absent, expected.collect::<Vec<_>>());
        for row in table {
            let count = &counts.rows[row[1].as_str()];
            let mut expected = vec![counts.rank(&row[1], self.format).to_string(), row[1].clone()];
            expected.push(points(count.half_points));
            expected.extend(is_swiss.then(|| count.byes.to_string()));
            expected.push(count.played.to_string());
            let results = if seats > 2 { &count.places } else { &count.results };
            expected.extend(results.iter().map(u64::to_string));
            expected.push(count.forfeits.to_string());
            assert_eq!(row[..expected.len()], expected, "{row:?}");
            if let Some(versions) = &versions {
                assert_eq!(row.last().unwrap(), if row[1] == "bot0" { versions } else { "" });
            }
        }
        let ranks: Vec<u64> = table.iter().map(|row| row[0].parse().unwrap()).collect();
        assert!(ranks.is_sorted(), "{ranks:?}");
        self.check_crosstable(&names, &counts, versions.as_deref());
    }

    fn check_crosstable(&self, names: &[&str], counts: &Recount, versions: Option<&str>) {
        let table = csv(&self.out().join("crosstable.csv"));
        let last: &[&str] = if versions.is_some() { &["points", "versions"] } else { &["points"] };
        assert_eq!(table[0], [&["bot"], names, last].concat());
        for (row, &own) in table[1..].iter().zip(names) {
            let against = |&other: &&str| {
                let met = counts.against.get(&(own.to_owned(), other.to_owned()));
                met.map_or(String::new(), |&half| points(half))
            };
            let cells = names.iter().map(against);
            let all = [own.to_owned()].into_iter().chain(cells).chain([points(counts.rows[own].half_points)]);
            let versions = versions.map(|versions| if own == "bot0" { versions } else { "" }.to_owned());
            assert_eq!(*row, all.chain(versions).collect::<Vec<_>>());
        }
    }

    /// The Swiss rounds in which a bot had no opponent, as its name for each. A round off counts once all games of this
    /// round and of those before it are played, and only for bots that are there.
    fn byes(&self) -> Vec<String> {
        let games = self.current();
        let mut byes = Vec::new();
        for number in 1..=self.rounds {
            if self.format != Format::Swiss {
                break;
            }
            let pairs = pairs_of(&games, number);
            let is_played = |(pair, times): (&[String; 2], &usize)| {
                *times == 2 || !pair.iter().all(|bot| self.is_present(bot))
            };
            let idle = self.idle(&games, number);
            if !pairs.iter().all(is_played) || idle.len() > 1 {
                break;
            }
            byes.extend(idle.into_iter().filter(|_| !pairs.is_empty()));
        }
        byes
    }

    /// The bots that should play in a round and have no game in it.
    fn idle(&self, games: &[Value], number: u64) -> Vec<String> {
        let busy: HashSet<String> =
            games.iter().filter(|game| round(game) == number).flat_map(bots).collect();
        let due = self.present().filter(|bot| bot.from_round <= number && !busy.contains(&bot.name));
        due.map(|bot| bot.name.clone()).collect()
    }

    /// All scheduled games are there.
    fn check_schedule(&self, games: &[Value]) {
        let present: Vec<&Bot> = self.present().collect();
        let seen: HashSet<(u64, Vec<String>)> = games.iter().map(place_in_schedule).collect();
        let meet = |number: u64, one: &Bot, other: &Bot| {
            let names = [one.name.clone(), other.name.clone()];
            assert!(seen.contains(&(number, names.to_vec())), "{names:?} have not met in round {number}");
        };
        for number in 1..=self.rounds {
            match self.format {
                Format::RoundRobin | Format::Gauntlet => {
                    for (one, other) in
                        present.iter().flat_map(|one| present.iter().map(move |other| (one, other)))
                    {
                        let first = &self.bots[0].name;
                        let expected =
                            self.format == Format::RoundRobin || [&one.name, &other.name].contains(&first);
                        if one.name != other.name && expected {
                            meet(number, one, other);
                        }
                    }
                }
                Format::Swiss => self.check_swiss_round(games, number),
                Format::Tables => self.check_tables(games, number),
            }
        }
        if self.format == Format::Swiss && self.disturbed_in.is_none() {
            self.check_repeats(games);
        }
    }

    /// In an undisturbed Swiss tournament nobody meets twice. Where rounds were added, the first ones were drawn up without
    /// regard to these, and so some may have to.
    fn check_repeats(&self, games: &[Value]) {
        let (mut met, mut byes) = (BTreeSet::new(), BTreeMap::<String, u32>::new());
        for number in 1..=self.rounds {
            let pairs: BTreeSet<[String; 2]> = pairs_of(games, number).into_keys().collect();
            let repeats = pairs.intersection(&met).count();
            let least = if self.has_more_rounds { self.least_repeats(&met, &byes) } else { 0 };
            assert_eq!(repeats, least, "pairs that meet again in round {number}: {pairs:?} after {met:?}");
            met.extend(pairs);
            self.idle(games, number).into_iter().for_each(|bot| *byes.entry(bot).or_default() += 1);
        }
    }

    /// How many pairs have to meet again in a round after these, if the bot that has it off is one that had the fewest.
    fn least_repeats(&self, met: &BTreeSet<[String; 2]>, byes: &BTreeMap<String, u32>) -> usize {
        let names: Vec<String> = self.present().map(|bot| bot.name.clone()).collect();
        if names.len().is_multiple_of(2) {
            return fewest_repeats(&names, met);
        }
        let had = |bot: &String| byes.get(bot).copied().unwrap_or_default();
        let fewest = names.iter().map(had).min();
        let others = |off: &String| names.iter().filter(|bot| *bot != off).cloned().collect::<Vec<_>>();
        let candidates = names.iter().filter(|bot| Some(had(bot)) == fewest);
        candidates.map(|off| fewest_repeats(&others(off), met)).min().unwrap()
    }

    /// Everybody meets one opponent with both sides, and at most one has the round off.
    fn check_swiss_round(&self, games: &[Value], number: u64) {
        let pairs = pairs_of(games, number);
        for bot in self.present() {
            let times = pairs.keys().filter(|pair| pair.contains(&bot.name)).count();
            assert!(times <= 1, "{} has {times} opponents in round {number}", bot.name);
        }
        for (pair, times) in &pairs {
            let all_there = pair.iter().all(|bot| self.is_present(bot));
            assert!(*times == 2 || !all_there, "{pair:?} play {times} games in round {number}");
        }
        let idle = self.idle(games, number);
        assert!(idle.len() <= 1, "{idle:?} have nobody to play with in round {number}");
    }

    /// Everybody has each seat once in the rounds that nobody's coming or going has touched.
    fn check_tables(&self, games: &[Value], number: u64) {
        let due: Vec<&Bot> = self.present().filter(|bot| bot.from_round <= number).collect();
        if self.disturbed_in.is_some_and(|begun| number <= begun) || due.len() < 3 {
            return;
        }
        for bot in due {
            let mut seats: Vec<usize> = games
                .iter()
                .filter(|game| round(game) == number)
                .filter_map(|game| bots(game).iter().position(|name| *name == bot.name))
                .collect();
            seats.sort_unstable();
            assert_eq!(seats, [0, 1, 2], "{} in round {number}", bot.name);
        }
    }
}

/// The pairs of a round, in order of their names, and how many games they have played.
fn pairs_of(games: &[Value], number: u64) -> BTreeMap<[String; 2], usize> {
    let mut pairs = BTreeMap::new();
    for game in games.iter().filter(|game| round(game) == number) {
        let mut pair: [String; 2] = bots(game).try_into().unwrap();
        pair.sort();
        *pairs.entry(pair).or_default() += 1;
    }
    pairs
}

/// How many pairs have to meet again if all of these are paired, of all ways to pair them.
fn fewest_repeats(names: &[String], met: &BTreeSet<[String; 2]>) -> usize {
    let Some((first, rest)) = names.split_first() else { return 0 };
    let with = |index: usize| {
        let mut pair = [first.clone(), rest[index].clone()];
        pair.sort();
        usize::from(met.contains(&pair)) + fewest_repeats(&[&rest[..index], &rest[index + 1..]].concat(), met)
    };
    (0..rest.len()).map(with).min().unwrap()
}

/// Half points as the tables write them.
fn points(half_points: u64) -> String {
    (half_points as f64 / 2.0).to_string()
}

/// What each bot has, and against whom.
struct Recount<'a> {
    rows: BTreeMap<&'a str, Row>,
    /// Half points of one bot against another, where they have met.
    against: BTreeMap<(String, String), u64>,
}

#[derive(Default)]
struct Row {
    half_points: u64,
    byes: u64,
    played: u64,
    /// Wins, draws and losses.
    results: [u64; 3],
    places: [u64; 3],
    forfeits: u64,
}

impl<'a> Recount<'a> {
    fn of(ranked: &[&'a str], games: &[&Value], byes: &[String]) -> Recount<'a> {
        let mut rows: BTreeMap<&str, Row> = ranked.iter().map(|&bot| (bot, Row::default())).collect();
        let mut against = BTreeMap::new();
        for &game in games {
            let names = bots(game);
            let winner = game["verdict"]["winner"].as_u64();
            for (seat, name) in names.iter().enumerate() {
                let row = rows.get_mut(name.as_str()).expect("it is in the table");
                row.played += 1;
                row.half_points += half_points(game, seat);
                row.places[places(game)[seat] as usize - 1] += 1;
                let drawn = winner.is_none() && places(game)[seat] == 1;
                row.results[if winner == Some(seat as u64) {
                    0
                } else if drawn {
                    1
                } else {
                    2
                }] += 1;
                let losses = game["verdict"]["losses"].as_array().cloned().unwrap_or_default();
                row.forfeits +=
                    losses.iter().filter(|loss| loss["seat"].as_u64() == Some(seat as u64)).count() as u64;
                for (other, opponent) in names.iter().enumerate().filter(|&(other, _)| other != seat) {
                    let half = half_points_against(game, seat, other);
                    *against.entry((name.clone(), opponent.clone())).or_default() += half;
                }
            }
        }
        for bot in byes {
            let row = rows.get_mut(bot.as_str()).expect("it is in the table");
            row.byes += 1;
            row.half_points += 4;
        }
        Recount { rows, against }
    }

    /// The rank of a bot: one more than the number of bots that are better.
    fn rank(&self, name: &str, format: Format) -> usize {
        let own = self.merit(name, format);
        1 + self.rows.keys().filter(|other| self.merit(other, format) > own).count()
    }

    /// What ranks a bot: points, or in a gauntlet points for each game; then points against those who have the same; then
    /// the points of opponents times what was taken from them.
    fn merit(&self, name: &str, format: Format) -> (u64, u64, u64) {
        let score = |bot: &str| {
            let row = &self.rows[bot];
            // Fractions with these denominators differ by more than what the division leaves out.
            if format == Format::Gauntlet {
                row.half_points * 1_000_000 / row.played.max(1)
            } else {
                row.half_points
            }
        };
        let against =
            |other: &str| self.against.get(&(name.to_owned(), other.to_owned())).copied().unwrap_or(0);
        let equals = self.rows.keys().filter(|other| score(other) == score(name));
        let head_to_head = equals.map(|other| against(other)).sum();
        let berger = self.rows.iter().map(|(other, row)| against(other) * row.half_points).sum();
        (score(name), head_to_head, berger)
    }
}

fn histories_of(format: Format) {
    let seed = common::seed();
    let given = std::env::var("ARBITRO_TEST_HISTORIES").ok().and_then(|text| text.parse().ok());
    for index in 0..given.unwrap_or(HISTORIES) {
        println!("history {index}");
        History::new(format, seed.wrapping_add(index)).happens();
    }
}

#[test]
fn any_history_of_a_round_robin_keeps_its_games_and_its_tables() {
    histories_of(Format::RoundRobin);
}

#[test]
fn any_history_of_a_gauntlet_keeps_its_games_and_its_tables() {
    histories_of(Format::Gauntlet);
}

#[test]
fn any_history_of_a_swiss_tournament_keeps_its_games_and_its_tables() {
    histories_of(Format::Swiss);
}

#[test]
fn any_history_of_tables_of_three_keeps_its_games_and_its_tables() {
    histories_of(Format::Tables);
}

/// Once, the second bot of a gauntlet took the place of the first when that left, and met everybody.
#[test]
fn without_its_first_bot_a_gauntlet_rests_until_it_is_back() {
    let mut history = History::new(Format::Gauntlet, common::seed());
    history.step(Change::Nothing, Ending::ToTheEnd);
    let played = history.lines.clone();
    history.bots[0].present = false;
    history.step_after(Change::Leaves, Ending::ToTheEnd);
    assert_eq!(history.lines, played, "nobody plays without the first bot");
    history.bots[0].present = true;
    history.step_after(Change::ComesBack, Ending::ToTheEnd);
    assert_eq!(history.lines, played, "all games count again, and nobody has to play them again");
}

/// Once, a duel that was repeated with its bots in the other order set all its games aside and played them again.
#[test]
fn the_order_of_the_bots_does_not_matter_when_a_duel_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let play = |bots: [&str; 2], games: &str| {
        let options =
            ["--size", "3", "--games", games, "--seed", "3", "--out", "out", "--no-sandbox", "--quiet"];
        let output = arbitro(folder.path(), &[&["duel"], &bots[..], &options].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(!stderr(&output).contains("do not count"), "{}", stderr(&output));
        std::fs::read_to_string(folder.path().join("out/games.jsonl")).unwrap()
    };
    let played = play(["a=@random", "b=@greedy"], "5");
    assert_eq!(play(["b=@greedy", "a=@random"], "5"), played);
}
