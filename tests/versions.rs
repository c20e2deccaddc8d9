//! Bots change while a championship goes on, games are played again, bots come late and leave: what counts is what was asked for, and
//! nothing that was played is lost.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use common::recount::{bots, half_points, latest, versions};
use common::{csv, eventually, interruptible, journal, program, runs, stderr, stdout};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Plays what another of its files says.
const MAIN: &str = r#"
import os, sys, pick
size, taken = int(os.environ["ARBITRO_SIZE"]), set()
ours = sys.argv[-1] == "b"
while True:
    if ours:
        move = pick.pick(size, taken)
        taken.add(move)
        print(*move, flush=True)
    line = sys.stdin.readline()
    if not line:
        break
    taken.add(tuple(map(int, line.split())))
    ours = True
"#;

/// The first free cell, or another.
fn pick(which: &str) -> String {
    format!(
        "def pick(size, taken):\n    return {which}((r, c) for r in range(size) for c in range(size) if (r, c) not in taken)\n"
    )
}

/// A class and its championship, in a folder of its own.
struct Class(tempfile::TempDir);

impl Class {
    fn new() -> Class {
        Class(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// Runs a line of a shell, in which `arbitro` is the program under test. A bot's own program is tested, too.
    #[track_caller]
    fn shell(&self, line: &str) -> Output {
        let own = program().parent().unwrap().display().to_string();
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.0.path()).env("PATH", format!("{own}:{path}"));
        command.stdin(Stdio::null()).output().unwrap()
    }

    #[track_caller]
    fn succeeds(&self, line: &str) -> String {
        let output = self.shell(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}{}", stdout(&output), stderr(&output));
        stdout(&output) + &stderr(&output)
    }

    #[track_caller]
    fn refuses(&self, line: &str) -> String {
        let output = self.shell(line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}{}", stdout(&output), stderr(&output));
        stderr(&output)
    }

    fn out(&self) -> PathBuf {
        self.path("out")
    }

    fn games(&self) -> Vec<Value> {
        journal(&self.out())
    }

    /// Begins, and is interrupted once so many games are in the journal.
    fn begins(&self, line: &str, games: usize) {
        let mut command = interruptible(program());
        command.args(shell_words::split(line).unwrap()).current_dir(self.0.path());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let pid = Pid::from_child(&child);
        // A slow machine may need long for all of them.
        for some in (0..games).step_by(20).chain([games]) {
            eventually("games are played", || {
                self.games_so_far() >= some || !runs(pid.as_raw_nonzero().get())
            });
        }
        kill_process(pid, Signal::INT).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "it was interrupted in the middle");
    }

    /// The whole lines of the journal.
    fn games_so_far(&self) -> usize {
        let text = fs::read(self.out().join("games.jsonl")).unwrap_or_default();
        text.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// Everybody who ever took part.
    fn everybody(&self) -> BTreeSet<String> {
        let settings = fs::read_to_string(self.path("out/championship.toml")).unwrap();
        let settings: toml::Table = settings.parse().unwrap();
        let bots = settings["bots"].as_array().unwrap();
        bots.iter().map(|bot| bot["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The standings and the list of games must be what these games amount to. `byes` are worth two points. Who is not in the table was
    /// withdrawn, and stands below it.
    #[track_caller]
    fn tables_are_those_of(&self, games: &[&Value], bots_in_table: &BTreeSet<String>) {
        let table = csv(&self.out().join("standings.csv"));
        let column = |name: &str| table[0].iter().position(|title| title == name);
        let (rows, withdrawn) = table[1..].split_at(bots_in_table.len());
        let in_table: BTreeSet<String> = rows.iter().map(|row| row[1].clone()).collect();
        assert_eq!(&in_table, bots_in_table);
        let below: Vec<String> = withdrawn.iter().map(|row| row[1].clone()).collect();
        assert_eq!(below, self.everybody().difference(bots_in_table).cloned().collect::<Vec<_>>());
        for row in withdrawn {
            assert_eq!(row[column("left_out").unwrap()], "withdrawn", "{row:?}");
            assert!(row[0].is_empty() && row[2..].iter().filter(|cell| !cell.is_empty()).count() == 1);
        }
        let version_column = column("versions");
        for row in rows {
            let of_bot = |game: &&&Value| bots(game).contains(&row[1]);
            let own: Vec<&Value> = games.iter().filter(of_bot).copied().collect();
            let half: u64 = own
                .iter()
                .map(|game| half_points(game, bots(game).iter().position(|name| *name == row[1]).unwrap()))
                .sum();
            let byes: u64 = column("byes").map_or(0, |byes| row[byes].parse().unwrap());
            let points: f64 = row[2].parse().unwrap();
            assert_eq!(points, half as f64 / 2.0 + 2.0 * byes as f64, "{row:?}");
            assert_eq!(row[column("played").unwrap()], own.len().to_string(), "{row:?}");
            let counts: Vec<String> =
                versions(&own, &row[1]).iter().map(|(_, games)| games.to_string()).collect();
            let told = if counts.len() > 1 {
                format!("{}: {}", counts.len(), counts.join("+"))
            } else {
                String::new()
            };
            assert_eq!(version_column.map_or("", |column| &row[column]), told, "{row:?}");
        }
        let listed: BTreeSet<u64> =
            csv(&self.out().join("games.csv"))[1..].iter().map(|row| row[0].parse().unwrap()).collect();
        let expected: BTreeSet<u64> = games.iter().map(|game| game["number"].as_u64().unwrap()).collect();
        assert_eq!(listed, expected, "games.csv has the games that count");
    }
}

/// The commands of a refusal, in its order.
fn commands(errors: &str) -> Vec<&str> {
    errors.lines().filter_map(|line| line.strip_prefix("    ")).collect()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn all(games: &[Value]) -> Vec<&Value> {
    games.iter().collect()
}

const SIX: &str = "championship 'ana=python3 bots/ana/main.py' 'beto=java -XX:TieredStopAtLevel=1 -cp bots/beto Random' \
                   'caio=python3 bots/caio/main.py' dora=@random eva=@greedy fabio=@random --size 3 --seed 3 --jobs 1 --quiet";
const SIX_NAMES: [&str; 6] = ["ana", "beto", "caio", "dora", "eva", "fabio"];

/// Once, the identity of `java -cp j Hex` was that of the interpreter, and that of `python3 main.py` of one file.
#[test]
fn a_changed_module_and_a_recompiled_class_are_noticed_and_there_are_three_ways_to_go_on() {
    let class = Class::new();
    if !class.shell("command -v javac").status.success() {
        return println!("there is no javac here: this is not tried");
    }
    for bot in ["ana", "caio"] {
        class.file(&format!("bots/{bot}/main.py"), MAIN);
        class.file(&format!("bots/{bot}/pick.py"), &pick("min"));
    }
    let source = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/bots/hex/Random.java")).unwrap();
    class.file("bots/beto/Random.java", &source);
    class.succeeds("cd bots/beto && javac Random.java");
    class.begins(&format!("{SIX} --out out"), 15);
    let half = class.games().len();
    assert!((15..30).contains(&half), "{half} of 30 games");
    // The second file that ana imports, and a class of beto's.
    class.file("bots/ana/pick.py", &pick("max"));
    class.file("bots/ana/book.txt", "0 0");
    class.file(
        "bots/beto/Random.java",
        &source.replace("class Random", "class Random { int x; }\nclass Rest"),
    );
    class.file("bots/beto/Random.java", &source.replacen("class Random {", "class Random { int newer;", 1));
    class.succeeds(
        "cd bots/beto && javac Random.java && cd ../.. && cp -a out out-kept && cp -a bots bots-kept",
    );

    let resume = "arbitro championship --resume out --quiet";
    let told = class.refuses(resume);
    assert!(
        told.contains("bot ana: its program has changed (changed 'pick.py'; added 'book.txt'); "),
        "{told}"
    );
    assert!(
        told.contains("bot beto: its program has changed (changed 'Random.class', 'Random.java')"),
        "{told}"
    );
    assert!(!told.contains("bot caio") && !told.contains("testing"), "{told}");
    assert_eq!(class.games().len(), half, "nothing was played");
    let [again, accept, restore] = commands(&told)[..] else { panic!("{told}") };
    assert_eq!(again, format!("{resume} --play-again ana --play-again beto"));
    assert_eq!(accept, format!("{resume} --accept-changes"));
    assert!(
        restore.starts_with("cp -a out/bots/") && restore.ends_with(&format!("&& {resume}")),
        "{restore}"
    );
    let everybody = names(&SIX_NAMES);
    let new = |games: &[Value], bot: &str| {
        let old: Vec<&Value> =
            games[..half].iter().filter(|game| bots(game).contains(&bot.to_owned())).collect();
        let [(old, _)] = &versions(&old, bot)[..] else { panic!("{bot} had one version") };
        games
            .iter()
            .rev()
            .find_map(|game| versions(&[game], bot).pop())
            .map(|(last, _)| last)
            .filter(|last| last != old)
    };

    // Their games are played again.
    let told = class.succeeds(again);
    let games = class.games();
    let aside = games[..half]
        .iter()
        .filter(|game| bots(game).iter().any(|bot| bot == "ana" || bot == "beto"))
        .count();
    assert!(
        told.contains("30 of 30 games")
            && told.contains(&format!("{aside} games do not count, since they are played again")),
        "{told}"
    );
    assert_eq!(games.len(), 30 + aside);
    class.tables_are_those_of(&latest(&games), &everybody);
    for bot in ["ana", "beto"] {
        let counting = latest(&games);
        let own: Vec<&Value> =
            counting.into_iter().filter(|game| bots(game).contains(&bot.to_owned())).collect();
        assert_eq!(versions(&own, bot), [(new(&games, bot).unwrap(), 10)]);
    }
    class.succeeds("arbitro report out");
    class.tables_are_those_of(&latest(&games), &everybody);

    // Or the old games count on.
    class.succeeds("rm -r out && cp -a out-kept out");
    let told = class.succeeds(accept);
    let games = class.games();
    assert_eq!(games.len(), 30);
    class.tables_are_those_of(&all(&games), &everybody);
    for bot in ["ana", "beto"] {
        let own: Vec<&Value> = games.iter().filter(|game| bots(game).contains(&bot.to_owned())).collect();
        let versions = versions(&own, bot);
        let [(_, old), (_, new)] = versions[..] else { panic!("two versions: {versions:?}") };
        let words = |(version, games): &(String, u64)| {
            format!("{games} game{} by version {}", if *games == 1 { "" } else { "s" }, &version[..8])
        };
        let sentence = format!("{} and {}", words(&versions[0]), words(&versions[1]));
        assert!(
            told.contains(&format!("2: {old}+{new}")) && told.contains(&format!("{bot}: {sentence}")),
            "{told}"
        );
        let page = fs::read_to_string(class.path("out/report.html")).unwrap();
        assert!(page.contains(&format!("Its program was changed in between: {sentence}.")));
    }
    let header = csv(&class.path("out/games.csv"))[0].join(",");
    assert!(header.contains(",white_version,black_version,clock,"), "{header}");

    // Or the old files come back.
    class.succeeds("rm -r out && cp -a out-kept out");
    class.succeeds(restore);
    let games = class.games();
    assert_eq!((games.len(), class.path("bots/ana/book.txt").exists()), (30, false));
    class.tables_are_those_of(&all(&games), &everybody);
    assert!(!csv(&class.path("out/standings.csv"))[0].contains(&"versions".to_owned()));
    assert_eq!(new(&games, "ana"), None);

    // Who repeats the command as it was is told the same.
    class.succeeds("rm -r out bots && cp -a out-kept out && cp -a bots-kept bots");
    let repeated = format!("arbitro {SIX} --out out");
    let told = class.refuses(&repeated);
    let again = commands(&told)[0];
    assert!(
        again.contains("'ana=python3 bots/ana/main.py'")
            && again.ends_with(" --play-again ana --play-again beto"),
        "{again}"
    );
    class.succeeds(again);
    class.tables_are_those_of(&latest(&class.games()), &everybody);
}

/// A championship of built-ins, whose games take no time.
fn of_built_ins(bots: &str, options: &str) -> (Class, String) {
    let class = Class::new();
    let line =
        format!("arbitro championship {bots} --size 3 --seed 5 --quiet --no-sandbox --out out {options}");
    class.succeeds(&line);
    (class, line)
}

#[test]
fn games_are_played_again_without_any_change_as_often_as_somebody_asks() {
    let (class, _) = of_built_ins("ana=@random beto=@random caio=@random dora=@greedy", "");
    let everybody = names(&["ana", "beto", "caio", "dora"]);
    assert_eq!(class.games().len(), 12);
    let resume = "arbitro championship --resume out --quiet --no-sandbox";
    // Each has six games, and two of them have ten.
    for (bots, games) in [
        ("--play-again ana", 18),
        ("--play-again ana --play-again ana", 24),
        ("--play-again beto", 30),
        ("--play-again ana --play-again dora", 40),
    ] {
        class.succeeds(&format!("{resume} {bots}"));
        assert_eq!(class.games().len(), games, "{bots}");
        class.tables_are_those_of(&latest(&class.games()), &everybody);
    }
    class.succeeds(resume);
    assert_eq!(class.games().len(), 40, "going on plays nothing again");
}

/// A crash between the decision and its games neither loses the decision nor makes it twice.
#[test]
fn killed_between_two_games_nothing_counts_twice() {
    let mut rng = fastrand::Rng::with_seed(common::seed());
    let (class, _) = of_built_ins("ana=@random beto=@random caio=@random dora=@greedy", "--rounds 3");
    let command = "championship --resume out --quiet --no-sandbox --play-again ana";
    for _ in 0..8 {
        let before = class.games_so_far();
        let mut child = Command::new(program())
            .args(command.split(' '))
            .current_dir(class.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let games = rng.usize(..5);
        let is_decided =
            || fs::read_to_string(class.path("out/championship.toml")).unwrap().contains("generation = ");
        eventually("it goes on", || {
            is_decided() && class.games_so_far() >= before + games || child.try_wait().unwrap().is_some()
        });
        child.kill().unwrap();
        child.wait().unwrap();
    }
    class.succeeds("arbitro championship --resume out --quiet --no-sandbox");
    let games = class.games();
    let counting = latest(&games);
    assert_eq!(counting.len(), 36);
    class.tables_are_those_of(&counting, &names(&["ana", "beto", "caio", "dora"]));
    let others = games.iter().filter(|game| !bots(game).contains(&"ana".to_owned())).count();
    assert_eq!(others, 18, "nobody else's games are played again");
}

#[test]
fn what_cannot_be_done_is_said_with_a_remedy() {
    let (class, line) = of_built_ins("ana=@random beto=@random 'Caio Sá=@random'", "");
    let before = (class.games(), fs::read_to_string(class.path("out/championship.toml")).unwrap());
    let resume = "arbitro championship --resume out --quiet --no-sandbox";
    for (options, words) in [
        ("--play-again anna", "there is no bot 'anna' in this championship; did you mean 'ana'?"),
        ("--withdraw zoe", "there is no bot 'zoe' in this championship; there are: ana, beto, Caio Sá"),
        ("--play-again ana --withdraw ana", "'ana' cannot leave (--withdraw) and play its games again"),
        ("--withdraw ana --withdraw beto", "only Caio Sá would be left, and a game needs 2 bots"),
        ("--withdraw ana --withdraw beto --withdraw 'Caio Sá'", "nobody would be left"),
        ("--size 4 --accept-changes", "size: 3 → 4\ngames on different boards make no table together"),
        ("--time 30", "accept the changes; where clocks differ"),
    ] {
        if options.starts_with("--size") {
            // With --resume the size cannot be given either way; the command is repeated.
            let told = class.refuses(&line.replace("--size 3", options));
            assert!(told.contains(words), "{options}: {told}");
            continue;
        }
        let told = class.refuses(&format!("{resume} {options}"));
        assert!(told.contains(words), "{options}: {told}");
    }
    assert_eq!((class.games(), fs::read_to_string(class.path("out/championship.toml")).unwrap()), before);
    for option in ["--play-again", "--withdraw"] {
        let told = class.refuses(&format!("arbitro championship @random @greedy {option} random --out new"));
        assert!(told.contains(&format!("{option} is for a championship that has begun")), "{told}");
        assert!(!class.path("new").exists());
    }
    class.succeeds(&format!("{resume} --withdraw 'Caio Sá'"));
    let told = class.refuses(&format!("{resume} --play-again 'Caio Sá'"));
    assert!(told.contains("'Caio Sá' has left, and plays no more"), "{told}");
    // To leave twice is to leave.
    class.succeeds(&format!("{resume} --withdraw 'Caio Sá' --play-again ana"));
    let games = class.games();
    let present: Vec<&Value> =
        latest(&games).into_iter().filter(|game| !bots(game).contains(&"Caio Sá".to_owned())).collect();
    assert_eq!(present.len(), 2);
    class.tables_are_those_of(&present, &names(&["ana", "beto"]));
}

/// Once, both did nothing, and without a word.
#[test]
fn of_a_bot_that_was_left_out_it_is_said_that_nothing_is_played() {
    let class = Class::new();
    class.file("bots/rui/main.py", "raise SystemExit(1)\n");
    let bots = "'rui=python3 bots/rui/main.py' ana=@random beto=@random";
    let line = format!("arbitro championship {bots} --size 3 --seed 5 --quiet --no-sandbox --out out");
    class.succeeds(&line);
    let resume = "arbitro championship --resume out --quiet --no-sandbox";
    let why = "left out: started with 'b', it exited with code 1";
    let told = class.succeeds(&format!("{resume} --play-again rui"));
    assert!(told.contains(&format!("bot rui: nothing of it is played again, since it is {why}")), "{told}");
    let told = class.succeeds(&format!("{resume} --withdraw rui"));
    assert!(told.contains(&format!("bot rui: it took no part before either, since it was {why}")), "{told}");
    assert!(
        told.contains(&format!("\nleft out: rui: {}", &why[10..])),
        "why it never played is told on: {told}"
    );
    // It has left as others do.
    let told = class.refuses(&format!("{resume} --play-again rui"));
    assert!(told.contains("'rui' has left, and plays no more"), "{told}");
    class.file("bots/rui/main.py", MAIN);
    class.file("bots/rui/pick.py", &pick("min"));
    class.succeeds(resume);
    assert_eq!(class.games().len(), 2, "mended or not");
    class.succeeds(&format!("{line} --accept-changes"));
    assert_eq!(class.games().len(), 6, "but it can come back");
}

/// Once, the way back to the old settings and the old files ended with the files.
#[test]
fn the_old_files_and_the_old_clock_come_back_with_one_line() {
    let class = Class::new();
    class.file("bots/ana/main.py", MAIN);
    class.file("bots/ana/pick.py", &pick("min"));
    let line = "arbitro championship 'ana=python3 bots/ana/main.py' @random --size 3 --out out --quiet";
    class.succeeds(line);
    class.file("bots/ana/pick.py", &pick("max"));
    let told = class.refuses(&format!("{line} --time 5 --rounds 2"));
    assert!(told.contains("which are kept, and go on with the old settings:"), "{told}");
    let back = *commands(&told).last().unwrap();
    assert!(back.starts_with("cp -a ") && back.ends_with(" && arbitro championship --resume out"), "{back}");
    let told = class.succeeds(back);
    assert!(told.contains("2 of 2 games"), "{told}");
    assert_eq!(fs::read_to_string(class.path("bots/ana/pick.py")).unwrap(), pick("min"));
    assert_eq!(class.games().len(), 2);
}

#[test]
fn a_bot_that_changes_twice_or_back_has_the_games_of_each_version() {
    let class = Class::new();
    let write = |which: &str| class.file("bots/ana/pick.py", &pick(which));
    class.file("bots/ana/main.py", MAIN);
    write("min");
    class.succeeds("arbitro championship 'ana=python3 bots/ana/main.py' @random --size 3 --out out --quiet");
    let go_on = |rounds: u32, options: &str| {
        class.succeeds(&format!(
            "arbitro championship 'ana=python3 bots/ana/main.py' @random --size 3 --out out --quiet --rounds {rounds} --accept-changes {options}"
        ))
    };
    write("max");
    go_on(2, "");
    write("min");
    let told = go_on(3, "");
    assert!(
        told.contains("ana: 4 games by version"),
        "the first version is back, and has its first games: {told}"
    );
    write("sorted");
    go_on(3, "");
    // All of it at once: another version, and nothing of the others counts.
    write("max");
    let told = go_on(3, "--play-again ana");
    assert!(told.contains("6 of 6 games") && !told.contains("by version"), "{told}");
    let games = class.games();
    assert_eq!((games.len(), latest(&games).len()), (12, 6));
    // Back to the version whose games were set aside: they stay aside.
    write("min");
    let told = go_on(4, "");
    assert!(told.contains("ana: 6 games by version") && told.contains(" and 2 games by version"), "{told}");
    class.tables_are_those_of(&latest(&class.games()), &names(&["ana", "random"]));
}

#[test]
fn another_clock_is_marked_in_every_table() {
    let (class, line) = of_built_ins("ana=@random beto=@random", "");
    class.succeeds(&format!("{line} --rounds 2 --time 30+1 --clock cpu --accept-changes"));
    let shown = class.succeeds("arbitro report out");
    assert!(shown.contains("different clocks: 2 games with 60 and 2 games with 30+1 cpu"), "{shown}");
    for table in ["standings.csv", "crosstable.csv"] {
        let rows = csv(&class.path("out").join(table));
        assert_eq!(rows[0].last().unwrap(), "clocks");
        assert!(rows[1..].iter().all(|row| row.last().unwrap() == "60: 2; 30+1 cpu: 2"), "{rows:?}");
    }
    let table = csv(&class.path("out/games.csv"));
    let column = table[0].iter().position(|title| title == "clock").unwrap();
    let clocks: Vec<&str> = table.iter().map(|row| row[column].as_str()).collect();
    assert_eq!(clocks, ["clock", "60", "60", "30+1 cpu", "30+1 cpu"]);
    let page = fs::read_to_string(class.path("out/report.html")).unwrap();
    assert!(page.contains("different clocks: 2 games with 60 and 2 games with 30+1 cpu"));
}

/// Who played whom in each round, without the bots that are given.
fn pairs(games: &[&Value], without: &[&str]) -> BTreeMap<u64, BTreeSet<BTreeSet<String>>> {
    let mut pairs: BTreeMap<u64, BTreeSet<BTreeSet<String>>> = BTreeMap::new();
    for game in games {
        let pair: BTreeSet<String> = bots(game).into_iter().collect();
        if !without.iter().any(|bot| pair.contains(*bot)) {
            pairs.entry(game["round"].as_u64().unwrap()).or_default().insert(pair);
        }
    }
    pairs
}

/// Of 24 bots one is mended, one comes late and one leaves, all in the middle.
fn in_the_middle(format: &str, stop_at: usize) -> (Class, Vec<Value>, usize) {
    let class = Class::new();
    class.file("bots/mended/main.py", MAIN);
    class.file("bots/mended/pick.py", &pick("min"));
    let others: Vec<String> = (1..=22).map(|number| format!("bot{number}=@random")).collect();
    let line = |more: &str| {
        format!(
            "championship 'mended=python3 bots/mended/main.py' {} {more} --size 2 --seed 9 --quiet --no-sandbox --no-pin --jobs 2 \
             --out out {format}",
            others.join(" ")
        )
    };
    class.begins(&line("leaver=@random"), stop_at);
    let half = class.games_so_far();
    class.file("bots/mended/pick.py", &pick("max"));
    class.succeeds(&format!(
        "arbitro {} --play-again mended --withdraw leaver --accept-changes",
        line("leaver=@random late=@random")
    ));
    class.succeeds("arbitro championship --resume out --quiet --no-sandbox");
    let games = class.games();
    (class, games, half)
}

#[test]
fn one_of_24_is_mended_one_late_and_one_gone_in_the_middle_of_a_round_robin() {
    let (class, games, half) = in_the_middle("", 250);
    let present = |game: &&Value| !bots(game).contains(&"leaver".to_owned());
    let counting: Vec<&Value> = latest(&games).into_iter().filter(present).collect();
    assert_eq!(counting.len(), 24 * 23, "{half} games were played before");
    let mut everybody: BTreeSet<String> = (1..=22).map(|number| format!("bot{number}")).collect();
    everybody.extend(names(&["mended", "late"]));
    class.tables_are_those_of(&counting, &everybody);
    let mended = |game: &&Value| bots(game).contains(&"mended".to_owned());
    assert!(games[..half].iter().any(|game| mended(&game)));
    assert!(
        counting.iter().copied().filter(mended).all(|game| game["generation"] == 2),
        "only the mended version counts"
    );
    assert!(
        counting.iter().filter(|game| !mended(game)).all(|game| game["generation"] == 1),
        "nobody else's games are played again"
    );
}

#[test]
fn one_of_24_is_mended_one_late_and_one_gone_in_the_middle_of_a_swiss_tournament() {
    let (class, games, half) = in_the_middle("--format swiss --rounds 6", 70);
    // Six rounds of twelve pairs; the leaver's games stay, but those with the mended bot, which cannot be played again.
    let is_lost = |game: &&Value| {
        let bots = bots(game);
        game["generation"] == 1 && bots.contains(&"mended".to_owned())
    };
    let counting: Vec<&Value> = latest(&games).into_iter().filter(|game| !is_lost(game)).collect();
    let mut everybody: BTreeSet<String> = (1..=22).map(|number| format!("bot{number}")).collect();
    everybody.extend(names(&["mended", "late", "leaver"]));
    class.tables_are_those_of(&counting, &everybody);
    // Rounds that were complete stay as they were drawn, for the mended bot, too.
    let begun = games[..half].iter().map(|game| game["round"].as_u64().unwrap()).max().unwrap();
    assert!(begun >= 2, "the second round has begun");
    let (before, after) = (pairs(&all(&games[..half]), &["leaver"]), pairs(&counting, &["leaver"]));
    for round in 1..=begun {
        assert!(before[&round].is_subset(&after[&round]), "round {round}: {before:?} and then {after:?}");
    }
    // The late one is in every round that had not begun.
    let late: BTreeSet<u64> = counting
        .iter()
        .filter(|game| bots(game).contains(&"late".to_owned()))
        .map(|game| game["round"].as_u64().unwrap())
        .collect();
    assert_eq!(late, (begun + 1..=6).collect());
    let repeats: Vec<_> = after.values().flatten().collect();
    assert_eq!(repeats.iter().collect::<BTreeSet<_>>().len(), repeats.len(), "nobody meets twice");
}
