//! Whole championships of real programs: tables, interruptions, changes, bad input.

mod common;

use std::collections::{BTreeMap, HashSet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{ARBITRO, arbitro, eventually, interruptible, journal, misfit, misfits};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A championship that is to be played, in a folder of its own.
struct Championship {
    folder: tempfile::TempDir,
    arguments: Vec<String>,
}

impl Championship {
    fn of(bots: impl IntoIterator<Item = impl Into<String>>) -> Championship {
        let mut arguments: Vec<String> = vec!["championship".into(), "--quiet".into()];
        arguments.extend(["--size", "4", "--time", "20", "--out", "out", "--seed", "7"].map(str::to_owned));
        arguments.extend(bots.into_iter().map(Into::into));
        Championship { folder: tempfile::tempdir().unwrap(), arguments }
    }

    /// Many bots that always play the same: the honest one under many names.
    fn of_honest(count: usize) -> Championship {
        let (_, honest) = misfit("honest")
            .split_once('=')
            .map(|(name, command)| (name.to_owned(), command.to_owned()))
            .unwrap();
        Championship::of((0..count).map(|number| format!("bot{number}={honest}")))
    }

    fn with(mut self, options: &[&str]) -> Championship {
        self.arguments.extend(options.iter().map(|&option| option.to_owned()));
        self
    }

    fn command(&self) -> Command {
        let mut command = interruptible(ARBITRO);
        command.args(&self.arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    fn run(&self) -> Output {
        self.command().output().unwrap()
    }

    #[track_caller]
    fn play(&self) -> String {
        let output = self.run();
        let (text, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{:?}: {text}{errors}", output.status);
        format!("{text}{errors}")
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn table(&self, name: &str) -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(self.out().join(name)).unwrap();
        // No field of ours needs quotation marks, so that this is an independent reader.
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }
}

/// What each bot has, computed from the journal in the plainest way.
fn points_in(games: &[Value]) -> BTreeMap<String, f64> {
    let mut points = BTreeMap::new();
    for game in games {
        let bots = [0, 1].map(|seat| game["seats"][seat]["bot"].as_str().unwrap().to_owned());
        for (seat, bot) in bots.iter().enumerate() {
            let won = game["verdict"]["winner"].as_u64() == Some(seat as u64);
            *points.entry(bot.clone()).or_insert(0.0) += f64::from(u8::from(won));
        }
    }
    points
}

#[test]
fn ten_bots_play_ninety_games_and_all_tables_agree() {
    let bots = ["@random", "@greedy"].map(str::to_owned).into_iter();
    let honest = misfit("honest").split_once('=').unwrap().1.to_owned();
    let slow = ["noflush", "chatty", "crlf", "zeros", "twomoves", "binary", "blanks"].map(misfit).into_iter();
    let championship =
        Championship::of(bots.chain(slow).chain([format!("honest={honest}")])).with(&["--jobs", "2"]);
    championship.play();
    let games = journal(&championship.out());
    assert_eq!(games.len(), 90);

    let mut met = HashSet::new();
    for game in &games {
        let pair = [0, 1].map(|seat| game["seats"][seat]["bot"].as_str().unwrap().to_owned());
        assert_ne!(pair[0], pair[1]);
        assert!(met.insert(pair.clone()), "{pair:?} met twice with the same sides");
    }
    assert_eq!(met.len(), 90, "every pair with either side");

    let points = points_in(&games);
    assert_eq!(points.values().sum::<f64>(), 90.0);
    let standings = championship.table("standings.csv");
    assert_eq!(
        standings[0].join(","),
        "rank,bot,points,played,wins,draws,losses,forfeits,elo,elo_error,left_out"
    );
    assert_eq!(standings.len(), 11);
    let mut last = f64::INFINITY;
    let mut rank = 0.0;
    for (place, row) in (1..).zip(&standings[1..]) {
        let number = |column: usize| row[column].parse::<f64>().unwrap();
        // Bots that are equal in everything share a rank, and the next rank counts them all.
        assert!(number(0) == f64::from(place) || (number(0) == rank && number(2) == last), "{row:?}");
        rank = number(0);
        assert_eq!(number(2), points[&row[1]], "{row:?}");
        assert_eq!((number(3), number(4) + number(5) + number(6)), (18.0, 18.0), "{row:?}");
        assert!(number(2) <= last);
        last = number(2);
    }

    let cross = championship.table("crosstable.csv");
    let names: Vec<&String> = cross[0][1..11].iter().collect();
    assert_eq!(
        names,
        standings[1..].iter().map(|row| &row[1]).collect::<Vec<_>>(),
        "columns in order of rank"
    );
    for (place, row) in cross[1..].iter().enumerate() {
        assert_eq!(&row[0], names[place]);
        assert_eq!(row[place + 1], "", "nobody meets itself");
        let sum: f64 =
            row[1..11].iter().filter(|cell| !cell.is_empty()).map(|cell| cell.parse::<f64>().unwrap()).sum();
        assert_eq!((sum, row[11].parse().unwrap()), (points[&row[0]], points[&row[0]]));
        for (other, cell) in row[1..11].iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let back: f64 = cross[other + 1][place + 1].parse().unwrap();
            assert_eq!(cell.parse::<f64>().unwrap() + back, 2.0);
        }
    }

    let table = championship.table("games.csv");
    assert_eq!(
        table[0].join(","),
        "game,round,white,black,winner,reason,plies,swapped,white_ms,black_ms,duplicate_of,white_cpu_ms,black_cpu_ms,white_version,black_version,clock,sentence,hexworld"
    );
    assert_eq!(table.len(), 91);
    for (number, row) in (1..).zip(&table[1..]) {
        let game = games.iter().find(|game| game["number"] == number).unwrap();
        let seat = |seat: usize| game["seats"][seat]["bot"].as_str().unwrap();
        let winner = game["verdict"]["winner"].as_u64().map_or("", |winner| seat(winner as usize));
        let plies = game["moves"].as_array().unwrap().len().to_string();
        let swapped = game["swapped"].to_string();
        let milliseconds =
            |seat: usize| (game["seats"][seat]["used_ns"].as_u64().unwrap() / 1_000_000).to_string();
        let reason = game["verdict"]["reason"].as_str().unwrap();
        let expected = [
            &number.to_string(),
            "1",
            seat(0),
            seat(1),
            winner,
            reason,
            &plies,
            &swapped,
            &milliseconds(0),
            &milliseconds(1),
        ];
        assert_eq!(row[..10], expected);
    }
}

#[test]
fn the_report_rebuilds_every_table_byte_for_byte() {
    let championship = Championship::of(["@random", "@greedy", &misfit("exit3"), &misfit("honest")])
        .with(&["--keep-failing"]);
    championship.play();
    let names = ["games.csv", "standings.csv", "crosstable.csv"];
    let read = |name: &&str| std::fs::read(championship.out().join(name)).unwrap();
    let before: Vec<Vec<u8>> = names.iter().map(read).collect();
    names.iter().for_each(|name| std::fs::remove_file(championship.out().join(name)).unwrap());
    let output = arbitro(championship.folder.path(), &["report", "out"]);
    assert!(output.status.success());
    assert_eq!(names.iter().map(read).collect::<Vec<_>>(), before);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("faults") && text.contains("crashed 6") && text.contains("12 of 12 games"),
        "{text}"
    );
}

/// Without clock times and the order in which games ended, which no two runs share, tables of the same deterministic bots must
/// be the same.
fn timeless(championship: &Championship) -> Vec<Vec<String>> {
    let mut rows = championship.table("games.csv");
    // Which game a repeated one repeats is told by such a number; that it repeats one is not.
    rows.iter_mut().for_each(|row| {
        let repeats = row[10].is_empty().to_string();
        *row = [&row[1..8], &[repeats]].concat();
    });
    rows.extend(championship.table("crosstable.csv").into_iter().map(|mut row| {
        row.sort();
        row
    }));
    rows.sort();
    rows
}

#[test]
fn fifty_kills_at_random_moments_lose_nothing_and_repeat_nothing() {
    let mut rng = fastrand::Rng::with_seed(common::seed());
    // 60 games: 5 bots, 3 rounds.
    let championship = || Championship::of_honest(5).with(&["--rounds", "3", "--jobs", "2"]);
    let undisturbed = championship();
    undisturbed.play();
    assert_eq!(journal(&undisturbed.out()).len(), 60);

    let disturbed = championship();
    let mut kills = 0;
    while kills < 50 {
        let mut child = disturbed.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // From before the first game of a run to after a few.
        std::thread::sleep(std::time::Duration::from_millis(rng.u64(..60)));
        kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
        child.wait().unwrap();
        kills += 1;
        if journal(&disturbed.out()).len() == 60 {
            // All is played: begin anew, until the kills are used up.
            std::fs::remove_dir_all(disturbed.out()).unwrap();
        }
    }
    disturbed.play();
    let games = journal(&disturbed.out());
    let numbers: Vec<u64> = games.iter().map(|game| game["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=60).collect::<Vec<_>>(), "exactly the scheduled games, as the journal has them");
    assert_eq!(timeless(&disturbed), timeless(&undisturbed));
}

/// Once, a run that was killed while it wrote its settings could not be repeated.
#[test]
fn what_a_run_leaves_that_was_killed_before_it_began_is_no_obstacle() {
    let championship = Championship::of_honest(2);
    std::fs::create_dir(championship.out()).unwrap();
    std::fs::write(championship.out().join("games.jsonl"), "").unwrap();
    std::fs::write(championship.out().join(".arbitro-new-4Tf0aX"), "arbitro = \"0").unwrap();
    assert!(championship.play().contains("2 of 2 games"));
    assert!(!championship.out().join(".arbitro-new-4Tf0aX").exists());
}

#[test]
fn an_interrupt_leaves_a_championship_that_goes_on() {
    for signal in [Signal::INT, Signal::TERM] {
        let slow = misfit("slow");
        let championship =
            Championship::of([slow, misfit("honest"), "@random".into()]).with(&["--rounds", "3"]);
        let child = championship.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        eventually("a game is over", || !journal(&championship.out()).is_empty());
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            errors.contains("of 18 games are played; go on with:\n    arbitro championship --resume out"),
            "{errors}"
        );
        let resumed = arbitro(championship.folder.path(), &["championship", "--resume", "out", "--quiet"]);
        assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
        assert_eq!(journal(&championship.out()).len(), 18);
    }
}

#[test]
fn two_runs_cannot_share_a_folder() {
    let championship = Championship::of([misfit("slow"), misfit("honest")]).with(&["--rounds", "3"]);
    let mut child = championship.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    eventually("a game is over", || !journal(&championship.out()).is_empty());
    let second = championship.run();
    assert_eq!(second.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another arbitro is writing to"));
    assert!(child.wait().unwrap().success());
    assert_eq!(journal(&championship.out()).len(), 6);
}

#[test]
fn changes_are_shown_and_refused_unless_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.sh");
    let write = |comment: &str| {
        let honest = misfit("honest").split_once('=').unwrap().1.to_owned();
        std::fs::write(&bot, format!("#!/bin/sh\n# {comment}\nexec {honest} \"$@\"\n")).unwrap();
        std::fs::set_permissions(&bot, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    write("old");
    let championship =
        Championship::of([bot.display().to_string(), "@random".into()]).with(&["--allow-read", misfits()]);
    championship.play();
    write("new");
    let changed = championship.command().args(["--strict", "--rounds", "2"]).output().unwrap();
    let errors = String::from_utf8(changed.stderr).unwrap();
    assert_eq!(changed.status.code(), Some(2));
    for words in
        ["rounds: 1 → 2", "strict: false → true", "bot bot: its program has changed", "--accept-changes"]
    {
        assert!(errors.contains(words), "{errors}");
    }
    assert_eq!(journal(&championship.out()).len(), 2);
    let accepted =
        championship.command().args(["--strict", "--rounds", "2", "--accept-changes"]).output().unwrap();
    assert!(accepted.status.success(), "{}", String::from_utf8_lossy(&accepted.stderr));
    assert_eq!(journal(&championship.out()).len(), 4);
}

#[test]
fn a_bot_that_joins_later_meets_everybody_and_no_number_is_given_twice() {
    let championship = Championship::of_honest(3);
    championship.play();
    let output = championship.command().args(["late=@random", "--accept-changes"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let games = journal(&championship.out());
    assert_eq!(games.len(), 12, "every pair of four");
    let ids: HashSet<u64> = games.iter().map(|game| game["number"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), 12);
    let played: Vec<String> =
        championship.table("standings.csv")[1..].iter().map(|row| row[3].clone()).collect();
    assert_eq!(played, ["6"; 4]);
}

/// Once, another order of the same bots was another schedule, and both were played into one table.
#[test]
fn the_order_of_the_bots_does_not_matter_when_going_on() {
    for format in ["gauntlet", "swiss"] {
        let championship = Championship::of(["a=@random", "b=@random", "c=@random", "d=@random"])
            .with(&["--format", format]);
        championship.play();
        let before = std::fs::read(championship.out().join("games.jsonl")).unwrap();
        let mut turned = championship.arguments.clone();
        let first = turned.iter().position(|argument| argument == "a=@random").unwrap();
        turned.swap(first, first + 2);
        let output =
            Command::new(ARBITRO).args(&turned).current_dir(championship.folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(std::fs::read(championship.out().join("games.jsonl")).unwrap(), before, "{format}");
    }
}

/// Once, games of the old settings went on counting.
#[test]
fn games_that_changed_settings_no_longer_have_do_not_count() {
    let championship = Championship::of_honest(4).with(&["--rounds", "3"]);
    championship.play();
    let resume = ["championship", "--resume", "out", "--accept-changes", "--quiet"];
    let settings = championship.out().join("championship.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    let fewer = text.replace("rounds = 3", "rounds = 1");
    std::fs::write(&settings, fewer).unwrap();
    let output = arbitro(championship.folder.path(), &resume);
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("12 of 12 games"), "{text}");
    assert!(errors.contains("24 games in the journal are not counted"), "{errors}");
    assert_eq!(points_of(&championship), 12.0);
}

fn points_of(championship: &Championship) -> f64 {
    championship.table("standings.csv")[1..].iter().map(|row| row[2].parse::<f64>().unwrap()).sum()
}

#[test]
fn a_mended_bot_is_tested_again_and_comes_in() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.sh");
    let write = |text: &str| {
        std::fs::write(&bot, text).unwrap();
        std::fs::set_permissions(&bot, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    write("#!/bin/sh\nexit 3\n");
    let championship = Championship::of([bot.display().to_string(), "@random".into(), "@greedy".into()])
        .with(&["--allow-read", misfits()]);
    assert!(championship.play().contains("2 of 2 games"));
    let honest = misfit("honest").split_once('=').unwrap().1.to_owned();
    write(&format!("#!/bin/sh\nexec {honest} \"$@\"\n"));
    let output = championship.command().arg("--accept-changes").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("6 of 6 games") && !text.contains("left out"), "{text}");
}

#[test]
fn one_bad_file_in_a_folder_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let bots = folder.path().join("bots");
    std::fs::create_dir(&bots).unwrap();
    let write = |name: &str, text: &str| {
        std::fs::write(bots.join(name), text).unwrap();
        std::fs::set_permissions(bots.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let honest = misfit("honest").split_once('=').unwrap().1.to_owned();
    for name in ["ana", "ana.sh", "beto"] {
        write(name, &format!("#!/bin/sh\nexec {honest} \"$@\"\n"));
    }
    write("crlf.py", "#!/usr/bin/env python3\r\nprint(1)\r\n");
    write("lost", "#!/no/such/thing\n");
    let arguments =
        ["championship", "bots", "--size", "4", "--out", "out", "--quiet", "--allow-read", misfits()];
    let output = arbitro(folder.path(), &arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(
        errors.contains("bot 'crlf'") && errors.contains("Unix line ends") && errors.contains("bot 'lost'"),
        "{errors}"
    );
    let names: HashSet<String> = journal(&folder.path().join("out"))
        .iter()
        .map(|game| game["seats"][0]["bot"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["ana", "ana.sh", "beto"].map(str::to_owned).into());
}

#[test]
fn a_game_that_is_in_the_journal_twice_counts_once() {
    let championship = Championship::of_honest(3);
    championship.play();
    let path = championship.out().join("games.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}{}\n", text.lines().next().unwrap())).unwrap();
    let before = std::fs::read(championship.out().join("standings.csv")).unwrap();
    let output = arbitro(championship.folder.path(), &["report", "out"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 game in the journal is not counted"));
    assert_eq!(std::fs::read(championship.out().join("standings.csv")).unwrap(), before);
}

#[test]
fn a_torn_line_is_set_aside_and_its_game_played_again() {
    let championship = Championship::of_honest(3);
    championship.play();
    let path = championship.out().join("games.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 50]).unwrap();
    let said = championship.play();
    assert!(said.contains("the last line of the journal was torn and is now in"), "{said}");
    assert_eq!(journal(&championship.out()).len(), 6);
    assert!(championship.out().join("games.torn-1").exists());
}

#[test]
fn a_full_disk_stops_it_with_a_clear_word_and_nothing_is_lost() {
    let championship = Championship::of_honest(6).with(&["--rounds", "4"]);
    let out = championship.out();
    std::fs::create_dir(&out).unwrap();
    // A small file system of its own, in a name space of its own; what is in it is shown before it is gone.
    let line: Vec<String> = championship.arguments.iter().map(|argument| format!("'{argument}'")).collect();
    // Room for the copy of the bots' program, and for some games.
    let program = Path::new(misfits()).join("misfit").metadata().unwrap().len();
    let size = 40 + 4 * program.div_ceil(4096);
    let script = format!(
        "mount -t tmpfs -o size={size}k none out || exit 99; {ARBITRO} {}; code=$?; wc -l < out/games.jsonl; \
         tail -c 1 out/games.jsonl | od -An -c; exit $code",
        line.join(" ")
    );
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", &script])
        .current_dir(championship.folder.path())
        .output()
        .unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(99) || errors.contains("unshare failed") {
        println!("skipped: no name spaces here: {errors}");
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{text}{errors}");
    assert!(errors.contains("the disk is full") && errors.contains("are safe"), "{errors}");
    let mut lines = text.lines().rev();
    assert_eq!(lines.next().unwrap().trim(), "\\n", "the journal ends with a whole line");
    let games: usize = lines.next().unwrap().trim().parse().unwrap();
    assert!((5..120).contains(&games), "{games} games");
}

#[test]
fn twenty_bots_of_which_five_are_broken_complete_with_the_right_reasons() {
    let broken = [
        ("exit3", "crashed"),
        ("offboard", "illegal-move"),
        ("halfway", "timeout"),
        ("floodlines", "output-limit"),
        ("segv", "crashed"),
    ];
    let honest = misfit("honest").split_once('=').unwrap().1.to_owned();
    let mut bots: Vec<String> = (0..13).map(|number| format!("bot{number}={honest}")).collect();
    bots.extend(["@random".to_owned(), "@greedy".to_owned()]);
    bots.extend(broken.iter().map(|(kind, _)| misfit(kind)));
    let options = ["--keep-failing", "--time", "0.4", "--startup", "5", "--jobs", "2", "--size", "5"];
    let mut championship = Championship::of(bots);
    // Options given once only.
    for option in ["--time", "--size"] {
        let at = championship.arguments.iter().position(|argument| argument == option).unwrap();
        championship.arguments.drain(at..at + 2);
    }
    let championship = championship.with(&options);
    let said = championship.play();
    assert!(said.contains("bot floodlines fails its test but stays in"), "{said}");
    let games = journal(&championship.out());
    assert_eq!(games.len(), 380);
    let reason_of: BTreeMap<&str, &str> = broken.into();
    for game in &games {
        let bots = [0, 1].map(|seat| game["seats"][seat]["bot"].as_str().unwrap());
        let reason = game["verdict"]["reason"].as_str().unwrap();
        let winner = game["verdict"]["winner"].as_u64();
        if let Some(winner) = winner
            && reason != "connected"
        {
            let loser = bots[1 - winner as usize];
            assert_eq!(reason_of.get(loser), Some(&reason), "{}", game["verdict"]);
        }
        if bots.iter().all(|bot| !reason_of.contains_key(bot)) {
            assert_eq!(reason, "connected", "{}", game["verdict"]);
        }
    }
    // A program that breaks in its second move can win before that only on the smallest of boards.
    for row in &championship.table("standings.csv")[1..] {
        if reason_of.contains_key(row[1].as_str()) {
            let (losses, forfeits): (u32, u32) = (row[6].parse().unwrap(), row[7].parse().unwrap());
            assert!(losses == forfeits && forfeits >= 30, "{row:?}");
        } else {
            assert_eq!(row[7], "0", "{row:?}");
        }
    }
}

#[test]
fn who_fails_the_test_is_left_out_by_default() {
    let championship =
        Championship::of([misfit("silent"), misfit("exit3-first"), misfit("honest"), "@random".into()])
            .with(&["--startup", "0.2", "--move-time", "0.3"]);
    let said = championship.play();
    assert!(said.contains("bot exit3-first is left out (--keep-failing keeps it in): started with 'b', it exited with code 3"), "{said}");
    assert!(said.contains("left out: silent: started with 'b', it made no move on ply 1"), "{said}");
    assert!(said.contains("2 of 2 games"), "{said}");
    // Going on does not test again, and does not bring anybody back.
    let again = championship.play();
    assert!(again.contains("2 of 2 games") && again.contains("left out: silent"), "{again}");
}

#[test]
fn a_gauntlet_and_a_swiss_tournament_are_played_to_the_end() {
    let gauntlet = Championship::of_honest(5).with(&["--format", "gauntlet"]);
    gauntlet.play();
    let games = journal(&gauntlet.out());
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| (0..2).any(|seat| game["seats"][seat]["bot"] == "bot0")));

    let swiss = Championship::of_honest(7).with(&["--format", "swiss", "--rounds", "3", "--jobs", "2"]);
    swiss.play();
    let games = journal(&swiss.out());
    assert_eq!(games.len(), 18, "three of seven rest in three rounds");
    let rested: f64 =
        swiss.table("standings.csv")[1..].iter().map(|row| row[2].parse::<f64>().unwrap()).sum();
    assert_eq!(rested, 18.0 + 3.0 * 2.0, "a round off counts as won");
}

#[test]
fn openings_are_played_in_pairs_and_repeated_games_are_flagged() {
    let repeats = Championship::of_honest(2).with(&["--rounds", "3"]);
    let said = repeats.play();
    assert!(said.contains("4 games repeat an earlier one move by move"), "{said}");
    let flags: Vec<String> = repeats.table("games.csv")[1..].iter().map(|row| row[10].clone()).collect();
    assert_eq!(flags, ["", "", "2", "1", "1", "2"], "the second round begins with the other side");

    let varied = Championship::of(["a=@greedy", "b=@greedy"]).with(&["--rounds", "3", "--openings", "3"]);
    varied.play();
    let mut games = journal(&varied.out());
    games.sort_by_key(|game| game["number"].as_u64());
    let first: Vec<&str> = games.iter().map(|game| game["moves"][0][0].as_str().unwrap()).collect();
    let openings: Vec<&str> = games.iter().map(|game| game["opening"].as_str().unwrap()).collect();
    assert_eq!(first, openings);
    for pair in first.chunks(2) {
        assert_eq!(pair[0], pair[1], "both games of a pair begin alike");
    }
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), 3);
}

#[test]
fn rhex_is_played_with_draws_and_replayed() {
    let championship =
        Championship::of(["a=@random", "b=@random", "c=@greedy"]).with(&["--game", "rhex", "--rounds", "4"]);
    championship.play();
    let games = journal(&championship.out());
    assert_eq!(games.len(), 24);
    let drawn = games.iter().filter(|game| game["verdict"]["reason"] == "draw").count();
    assert!(
        drawn > 0
            && games
                .iter()
                .all(|game| ["draw", "majority"].contains(&game["verdict"]["reason"].as_str().unwrap()))
    );
    let rows = championship.table("standings.csv");
    let sum = |column: usize| rows[1..].iter().map(|row| row[column].parse::<f64>().unwrap()).sum::<f64>();
    assert_eq!((sum(2), sum(5)), (24.0, 2.0 * drawn as f64), "a draw is half a point for each");
    for game in &games {
        let shown = arbitro(championship.folder.path(), &["replay", "out", &game["number"].to_string()]);
        assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    }
}

#[test]
fn settings_can_stand_in_a_file_and_the_written_file_can_be_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let text = "rounds = 2\nsize = 3\nseed = 5\n[terms]\ntime = \"9+1\"\n[[bots]]\nname = \"ana\"\ncommand = \"@random\"\n\
                [[bots]]\ncommand = \"@greedy\"\n";
    std::fs::write(folder.path().join("class.toml"), text).unwrap();
    let run = |arguments: &[&str]| {
        let output = arbitro(folder.path(), arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["championship", "--config", "class.toml", "--out", "one", "--quiet"]);
    let games = journal(&folder.path().join("one"));
    assert_eq!(games.len(), 4);
    assert_eq!((games[0]["size"].as_u64(), games[0]["terms"]["time"].as_str()), (Some(3), Some("9+1")));
    let json = run(&[
        "championship",
        "--config",
        "one/championship.toml",
        "--out",
        "two",
        "--rounds",
        "1",
        "--json",
        "-q",
    ]);
    let result: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (result["games"].as_u64(), result["scheduled"].as_u64(), result["seed"].as_u64()),
        (Some(2), Some(2), Some(5))
    );
    assert_eq!(result["standings"][0]["rank"], 1);
}

/// Runs a championship that cannot begin, in a folder with some files, and returns what it says.
#[track_caller]
fn refused(prepare: impl Fn(&Path), arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let listing = |folder: &Path| {
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = listing(folder.path());
    let output = arbitro(folder.path(), &[&["championship"], arguments].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert_eq!(listing(folder.path()), before, "{arguments:?} wrote something");
    errors
}

#[test]
fn bad_input_is_refused_with_a_remedy_and_nothing_is_written() {
    let nothing = |_: &Path| {};
    let config =
        |text: &'static str| move |folder: &Path| std::fs::write(folder.join("c.toml"), text).unwrap();
    let cases: [(String, &str); 17] = [
        (refused(config("rounds = 1\n"), &["--config", "c.toml"]), "no [[bots]]"),
        (refused(nothing, &["@random"]), "two bots at least; there is only 'random'"),
        (refused(nothing, &["a=@random", "a=@greedy"]), "two bots are called 'a': @random and @greedy"),
        (
            refused(nothing, &["a=@random", "b=@harder"]),
            "there is no built-in bot '@harder'; did you mean @hard?",
        ),
        (
            refused(nothing, &["a\u{200b}b=@random", "@greedy"]),
            "cannot be a bot's name, since it has a character that cannot be seen in it; write for example 'ab'",
        ),
        (
            refused(nothing, &["+1=@random", "@greedy"]),
            "'+1' cannot be a bot's name, since it begins with '+'",
        ),
        (refused(nothing, &["--config", "c.toml"]), "cannot read 'c.toml'"),
        (
            refused(config("rounds = 2\nsize = = 3\n"), &["--config", "c.toml"]),
            "'c.toml' line 2: this cannot be read: size = = 3",
        ),
        (refused(config("ruonds = 2\n"), &["--config", "c.toml"]), "did you mean rounds?"),
        (
            refused(|folder| std::fs::create_dir(folder.join("bots")).unwrap(), &["bots"]),
            "no program that may be run",
        ),
        (
            refused(
                |folder| {
                    std::fs::create_dir(folder.join("out")).unwrap();
                    std::fs::write(folder.join("out/thesis.tex"), "x").unwrap();
                },
                &["@random", "@greedy", "--out", "out"],
            ),
            "holds something else",
        ),
        (refused(nothing, &["--resume", "nowhere"]), "no championship to go on with in 'nowhere'"),
        (
            refused(nothing, &["@random", "@greedy", "--format", "knockout"]),
            "round-robin, gauntlet or swiss, not 'knockout'",
        ),
        (
            refused(nothing, &["@random", "@greedy", "--rounds", "0"]),
            "--rounds: 0 is too small; give a whole number from 1 to 10000",
        ),
        (
            refused(nothing, &["@random", "@greedy", "--format", "swiss", "--rounds", "4"]),
            "2 bots can play at most 1 Swiss round without",
        ),
        (refused(nothing, &["@random", "@greedy", "--openings", "nofile"]), "takes a number or a file"),
        (
            refused(config("9 99\n"), &["@random", "@greedy", "--openings", "c.toml"]),
            "line 1: '9 99': it is off the board",
        ),
    ];
    for (errors, words) in cases {
        assert!(errors.contains(words), "'{words}' is missing in: {errors}");
    }
}

#[test]
fn progress_is_a_plain_line_without_a_terminal() {
    let championship = Championship::of_honest(3);
    let arguments: Vec<&String> =
        championship.arguments.iter().filter(|argument| *argument != "--quiet").collect();
    let output =
        Command::new(ARBITRO).args(arguments).current_dir(championship.folder.path()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = errors.lines().collect();
    assert!(lines[0].contains("contained: tier"), "{errors}");
    assert!(
        lines[1] == "testing 3 bots …" && lines[2] == "3 bots, 6 games, 0 of them played; seed 7",
        "{errors}"
    );
    assert!(String::from_utf8(output.stdout).unwrap().contains("6 of 6 games"));
}
