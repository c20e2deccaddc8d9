//! A zoo of hostile programs against honest ones, at every tier: of each, whether the verdict is right, whether it could do what
//! its tier promises to stop, and whether anything is left of it.
//!
//! When root runs this, all of it is run once more as an ordinary user. What a tier does not promise is skipped, and said so.

mod account;
mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod enclosure;
mod languages;
mod mix;

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;

use common::as_nobody::tests_as_nobody;
use common::{Duel, Played, eventually};
use enclosure::{Hunt, adopt, descendants, play, resident, run, start, started, ticks_of};

/// Says something that people are to see although the test passes.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether the kernel is of this version or a newer one.
fn kernel_is(major: u32, minor: u32) -> bool {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let mut numbers =
        release.split(|letter: char| !letter.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(major), Some(minor))
}

/// What is to become of a game against an honest program.
enum Fate {
    /// It is played to its end on the board.
    PlaysOn,
    /// It is lost for this reason, with these words in the sentence.
    Loses(&'static str, &'static [&'static str]),
}
use Fate::{Loses, PlaysOn};

/// Which tiers promise to cope with an animal.
#[derive(Clone, Copy, PartialEq)]
enum Promised {
    Everywhere,
    /// Where signals and files are guarded.
    NotAtC,
    /// Where it has namespaces of its own.
    OnlyAtA,
    /// By a limit from which root is exempt outside of namespaces of its own, for which the kernel has one since 6.14.
    NotForRoot,
    /// Where a program may send signals to itself: at tier B only if the kernel knows whom they reach.
    ByOwnSignal,
    /// Where all processes of a program can be killed at once, by the same knowledge.
    ByOneSignal,
}
use Promised::{ByOneSignal, ByOwnSignal, Everywhere, NotAtC, NotForRoot, OnlyAtA};

impl Promised {
    fn at(self, tier: &str) -> bool {
        match self {
            Everywhere => true,
            NotAtC => tier != "C",
            OnlyAtA => tier == "A",
            NotForRoot => !is_root() || (tier == "A" && kernel_is(6, 14)),
            ByOwnSignal => tier != "B" || kernel_is(6, 12),
            ByOneSignal => tier == "A" || (tier == "B" && kernel_is(6, 12)),
        }
    }
}

/// A hostile program: which one, how it is started, under which options, and what is to become of it.
struct Animal {
    program: &'static str,
    kind: &'static str,
    options: &'static [&'static str],
    fate: Fate,
    promised: Promised,
}

const fn animal(
    program: &'static str,
    kind: &'static str,
    options: &'static [&'static str],
    fate: Fate,
    promised: Promised,
) -> Animal {
    Animal { program, kind, options, fate, promised }
}

const RESIDENTS: [&str; 9] =
    ["hog", "snoop", "crash", "misfit", "worker", "path", "random", "hog.py", "snoop.py"];

/// For those who do nothing until their time is over.
const SHORT: &[&str] = &["--time", "1", "--startup", "1"];
const LITTLE_MEMORY: &[&str] = &["--memory", "96M"];
const SOME_MEMORY: &[&str] = &["--memory", "256M"];
const TOO_MUCH: &[&str] = &["too much memory", "96M is allowed"];

const ZOO: &[Animal] = &[
    animal("hog", "threads", &[], PlaysOn, NotForRoot),
    animal("hog", "processes", &[], PlaysOn, NotForRoot),
    animal("hog", "files", &[], PlaysOn, Everywhere),
    animal("hog", "memory", LITTLE_MEMORY, Loses("memory-limit", TOO_MUCH), Everywhere),
    animal("hog", "shared", LITTLE_MEMORY, Loses("memory-limit", TOO_MUCH), Everywhere),
    animal("hog", "family", LITTLE_MEMORY, Loses("memory-limit", TOO_MUCH), Everywhere),
    animal("hog", "headless", LITTLE_MEMORY, Loses("memory-limit", TOO_MUCH), Everywhere),
    animal("hog", "nameless", LITTLE_MEMORY, Loses("memory-limit", TOO_MUCH), Everywhere),
    animal("hog", "sockets", LITTLE_MEMORY, Loses("memory-limit", TOO_MUCH), OnlyAtA),
    animal("hog.py", "", LITTLE_MEMORY, Loses("memory-limit", TOO_MUCH), Everywhere),
    animal("hog", "disk", &["--scratch", "8M"], PlaysOn, OnlyAtA),
    animal("hog", "bigfile", &["--file-size", "1M"], Loses("crashed", &["SIGXFSZ"]), Everywhere),
    animal("hog", "burrow", &[], PlaysOn, Everywhere),
    animal("hog", "folders", &[], PlaysOn, Everywhere),
    animal("hog", "signals", &[], PlaysOn, Everywhere),
    animal("misfit", "flood", &[], Loses("output-limit", &["too much"]), Everywhere),
    animal("misfit", "floodlines", &[], Loses("output-limit", &["too much"]), Everywhere),
    animal("misfit", "stderrflood", &[], PlaysOn, Everywhere),
    animal("misfit", "eofflood", &[], PlaysOn, Everywhere),
    animal("misfit", "closeout", &[], Loses("crashed", &["closed its stdout"]), Everywhere),
    animal("misfit", "deaf", SHORT, Loses("timeout", &[]), Everywhere),
    animal("misfit", "silent", SHORT, Loses("timeout", &["no processor time"]), Everywhere),
    animal("misfit", "slow", &["--time", "0.25"], Loses("timeout", &[]), Everywhere),
    animal("misfit", "stopself", SHORT, Loses("timeout", &[]), Everywhere),
    animal("misfit", "twomoves", &[], PlaysOn, Everywhere),
    animal("misfit", "daemon", &[], PlaysOn, Everywhere),
    animal("misfit", "daemon-hold", &[], Loses("crashed", &["exited with code 0"]), Everywhere),
    animal("misfit", "children", &[], PlaysOn, Everywhere),
    animal("misfit", "noterm", &[], PlaysOn, Everywhere),
    animal("snoop", "killparent", &[], PlaysOn, NotAtC),
    animal("snoop", "killgroup", &[], Loses("crashed", &["SIGKILL"]), ByOwnSignal),
    animal("snoop", "oldcalls", &[], Loses("crashed", &["SIGSYS"]), NotAtC),
    animal("crash", "exit", &[], Loses("crashed", &["exited with code 42"]), Everywhere),
    animal("crash", "exec", &[], Loses("crashed", &["exited with code 0"]), Everywhere),
    animal("crash", "closing", &[], Loses("crashed", &["closed its stdout"]), Everywhere),
    animal("crash", "segv", &[], Loses("crashed", &["SIGSEGV"]), Everywhere),
    animal("crash", "fpe", &[], Loses("crashed", &["SIGFPE"]), Everywhere),
    animal("crash", "stack", &[], Loses("crashed", &["SIGSEGV"]), Everywhere),
    animal("crash", "abort", &[], Loses("crashed", &["was killed by"]), Everywhere),
    // By signals: SIGILL, SIGBUS, SIGKILL, SIGTERM, SIGXCPU, SIGSYS and one that has no name.
    animal("crash", "4", &[], Loses("crashed", &["SIGILL"]), ByOwnSignal),
    animal("crash", "7", &[], Loses("crashed", &["SIGBUS"]), ByOwnSignal),
    animal("crash", "9", &[], Loses("crashed", &["SIGKILL"]), ByOwnSignal),
    animal("crash", "15", &[], Loses("crashed", &["SIGTERM"]), ByOwnSignal),
    animal("crash", "24", &[], Loses("crashed", &["SIGXCPU"]), ByOwnSignal),
    animal("crash", "31", &[], Loses("crashed", &["SIGSYS"]), ByOwnSignal),
    animal("crash", "40", &[], Loses("crashed", &["signal 40"]), ByOwnSignal),
];

/// Those who take so much of the machine that they are played one by one.
const LOUD: &[Animal] = &[
    animal("hog", "forkbomb", SHORT, Loses("timeout", &[]), NotForRoot),
    animal("hog", "rabbit", &[], PlaysOn, ByOneSignal),
    animal("hog", "watches", &[], PlaysOn, Everywhere),
    // Outside of namespaces other animals may leave it no processes to stall with.
    animal("hog", "stall", &[], Loses("memory-limit", &["1G is allowed"]), OnlyAtA),
    animal("hog", "crowd", &[], Loses("memory-limit", &["too much memory", "1G is allowed"]), Everywhere),
    animal("hog", "burst", SOME_MEMORY, Loses("memory-limit", &["256M is allowed"]), Everywhere),
];

impl Animal {
    fn play(&self, tier: &str) {
        if !self.promised.at(tier) {
            return say(&format!(
                "tier {tier} does not promise to cope with: {} {}",
                self.program, self.kind
            ));
        }
        let command = format!("animal={} {}", resident(self.program).display(), self.kind);
        let honest = format!("honest={} honest", resident("misfit").display());
        let duel = Duel::between(command.trim(), &honest).contained(tier).with(self.options);
        let played = play(duel);
        assert_eq!(tier_of(&played.duel.out()), tier);
        let told = || format!("{} {} at tier {tier}: {}", self.program, self.kind, played.game()["verdict"]);
        match self.fate {
            PlaysOn => assert_eq!(played.reason(), "connected", "{}", told()),
            Loses(reason, words) => {
                assert_eq!((played.reason(), played.winner()), (reason, Some(1)), "{}", told());
                assert!(words.iter().all(|word| played.sentence().contains(word)), "{}", told());
            }
        }
        // For root it is the namespace's numbers that are limited, of which the first 300 are extra. Outside of namespaces the
        // limit is on top of what else the user runs, which may be several animals.
        let tasks = if tier == "A" { 256 + 300 } else { 8 * 256 };
        let told_limits = [
            ("threads", tasks),
            ("processes", tasks),
            ("open files", 256),
            ("disk", 8 << 20),
            ("signals", 1024),
        ];
        for (what, most) in told_limits {
            // Signals are counted for the account outside of namespaces, and another animal may hold them all.
            let least = u64::from(what != "signals");
            if let Some(count) = told_number(&played, what) {
                assert!((least..=most).contains(&count), "{}: {what} {count}", told());
            }
        }
        // Seen before it had twice as much as it may have.
        if self.options == SOME_MEMORY {
            let peak = played.game()["seats"][0]["peak"].as_u64().unwrap();
            assert!(peak < 512 << 20, "{}: {peak}", told());
        }
    }
}

/// The number that a hog tells of what it has got.
fn told_number(played: &Played, what: &str) -> Option<u64> {
    let told = std::fs::read_to_string(played.duel.out().join("logs/0001-animal.stderr")).ok()?;
    told.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(": ")?.parse().ok())
}

/// Whether programs can be contained that well here.
fn has_tier(tier: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["duel", "@random", "@random", "--games", "1", "--size", "2", "--out", "out"];
    assert!(run(folder.path(), &arguments).status.success());
    let best = tier_of(&folder.path().join("out"));
    // They are called by their letters, the best first.
    best.as_str() <= tier
}

/// The tier that is kept with the results in a folder.
fn tier_of(out: &Path) -> String {
    let settings = std::fs::read_to_string(out.join("championship.toml")).unwrap();
    let line = settings.lines().find_map(|line| line.strip_prefix("sandbox = \""));
    line.unwrap_or_else(|| panic!("no tier is kept:\n{settings}")).trim_end_matches('"').to_owned()
}

/// Everything at one tier. Most animals sleep or end at once, so that several can be played side by side.
fn tour(tier: &str) {
    if !has_tier(tier) {
        return say(&format!("this machine has no tier {tier}: nothing is played at it"));
    }
    let queue = Mutex::new(ZOO.iter());
    let next = || queue.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(animal) = next() {
                    animal.play(tier);
                }
            });
        }
    });
    LOUD.iter().for_each(|animal| animal.play(tier));
    snoops(tier);
    accomplices(tier);
    killing_everybody(tier);
    arbitro_is_killed(tier);
    everything_is_killed(tier);
    pondering(tier);
}

#[test]
fn what_cannot_be_had_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let says = |code: i32, options: &[&str], words: &[&str]| {
        let output = run(folder.path(), &[&["duel", "@random", "@random", "--out", "out"], options].concat());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{options:?}: {errors}");
        assert!(words.iter().all(|word| errors.contains(word)), "{options:?}: {errors}");
        assert!(!folder.path().join("out").exists(), "{options:?} wrote something");
    };
    says(2, &["--require-sandbox", "--tier", "B"], &["--require-sandbox asks for tier A", "--tier for B"]);
    says(2, &["--require-sandbox", "--no-sandbox"], &["cannot be used together"]);
    says(2, &["--allow-read", "no/such/place"], &["no/such/place", "does not exist"]);
    says(2, &["--memory", "lots"], &["512M"]);
    says(2, &["--memory", "1M"], &["--memory", "16M"]);
    says(2, &["--tier", "D"], &["--tier takes C, B or A"]);
}

#[test]
fn tier_a_keeps_the_zoo() {
    tour("A");
}

#[test]
fn tier_b_keeps_the_zoo() {
    tour("B");
}

#[test]
fn tier_c_keeps_what_it_can() {
    tour("C");
}

/// What every program must be able to do.
const ALLOWED: &[&str] =
    &["read own folder", "read the system", "write own scratch", "move files in own scratch"];

/// What is refused even at tier C.
const NEVER: &[&str] = &[
    "descriptor above 2",
    "environment",
    "privileges by programs",
    "capabilities",
    "set the clock",
    "raise its priority",
    "queue very many signals",
];

/// At tier A the keeper is the first process of its namespace, whom signals from inside may reach and do nothing to.
fn snoops(tier: &str) {
    for (snoop, arguments, at_least) in [("snoop", "look", 98), ("snoop.py", "", 15)] {
        let mut hunt = Hunt::new(tier, snoop, arguments, Some("honest"));
        // Left over from whoever started arbitro, as a careless shell does.
        let left_open = std::fs::File::open("/dev/null").unwrap();
        rustix::io::fcntl_setfd(&left_open, rustix::io::FdFlags::empty()).unwrap();
        let (played, attempts) = hunt.play();
        drop(left_open);
        played.went_to_the_end();
        for attempt in &attempts {
            let what = attempt.what.as_str();
            let promised = match tier {
                "A" => {
                    !(ALLOWED.contains(&what) || what.starts_with("signal") && what.ends_with("its keeper"))
                }
                "B" => !ALLOWED.contains(&what),
                _ => NEVER.contains(&what),
            };
            assert!(!(attempt.succeeded && promised), "{snoop} at tier {tier} was able to: {what}");
            assert!(
                attempt.succeeded || !ALLOWED.contains(&what),
                "{snoop} at tier {tier} could not: {what}"
            );
        }
        let refused = attempts.iter().filter(|attempt| !attempt.succeeded).count();
        if tier == "C" {
            let able = attempts.len() - refused;
            // Which also shows that what is refused elsewhere could be done.
            assert!(able >= at_least / 4, "{snoop} was able to do only {able} things: {attempts:?}");
            say(&format!("tier C does not promise to stop {snoop}, which was able to do {able} things"));
            continue;
        }
        assert!(refused >= at_least, "{snoop} has tried only {refused} things");
        assert!(!hunt.was_reached(), "{snoop} came through at tier {tier}");
        let own = played.duel.folder().join("own");
        let kept: Vec<_> = std::fs::read_dir(&own).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(kept.len(), 2, "{own:?} has {kept:?}");
        assert!(!played.duel.out().join("zoo-was-here").exists());
    }
}

/// Two programs of one mind try to leave word for each other.
fn accomplices(tier: &str) {
    let (_, attempts) = Hunt::new(tier, "snoop", "word", None).play();
    assert!(attempts.len() >= 9, "{attempts:?}");
    let found: Vec<_> = attempts.iter().filter(|attempt| attempt.succeeded).collect();
    if tier == "C" {
        return say(&format!(
            "tier C does not promise to keep accomplices apart: {} ways are open",
            found.len()
        ));
    }
    assert!(found.is_empty(), "word was left at tier {tier}: {found:?}");
}

fn killing_everybody(tier: &str) {
    if tier == "C" {
        return say("tier C does not promise to cope with: snoop killall");
    }
    let mut hunt = Hunt::new(tier, "snoop", "killall", Some("children"));
    let (played, attempts) = hunt.play();
    played.went_to_the_end();
    assert!(attempts.iter().all(|attempt| !attempt.succeeded) && !attempts.is_empty(), "{attempts:?}");
    assert!(!hunt.was_reached());
}

/// One that thinks all the time, in a thread and a process of another session, against those who take their time.
fn pondering(tier: &str) {
    let against = |opponent: &str, options: &[&str]| {
        let ponder = format!("ponder={} ponder", resident("hog").display());
        let other = format!("other={} {opponent}", resident("misfit").display());
        Duel::between(&ponder, &other).contained(tier).with(options)
    };
    play(against("slow", &[])).went_to_the_end();
    // While an opponent thinks who never moves: of the three that think, how many go on?
    let observed = |options: &[&str], what: &str, going_on: usize| {
        let duel = against("silent", &[&["--time", "600"], options].concat());
        let mut child = start(duel.command().stdout(Stdio::null()).stderr(Stdio::null()));
        let used = || {
            let processes = descendants(child.id());
            let threads = processes.iter().flat_map(|(pid, _)| ticks_of(*pid, "hog"));
            threads.collect::<Vec<u64>>()
        };
        eventually(what, || {
            let before = used();
            std::thread::sleep(Duration::from_millis(300));
            let (after, go_on) = (used(), |(before, after)| after > before);
            after.len() == 3 && before.iter().zip(&after).filter(|&pair| go_on(pair)).count() == going_on
        });
        // SAFETY: a plain system call, to a child of ours that was not waited for.
        unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
        child.wait().unwrap();
    };
    observed(&[], "all of it stands still", 0);
    if std::thread::available_parallelism().is_ok_and(|cores| cores.get() >= 2) {
        observed(&["--ponder"], "it thinks on", 2);
    }
}

/// Killing arbitro in the middle of a game leaves nothing running.
fn arbitro_is_killed(tier: &str) {
    // The one has ten processes, and the other never moves.
    let [one, other] =
        ["children", "silent"].map(|kind| format!("{kind}={} {kind}", resident("misfit").display()));
    let duel = Duel::between(&one, &other).contained(tier).with(&["--time", "600"]);
    let temporary = duel.folder().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let duel = duel.env("TMPDIR", temporary.display().to_string());
    let mut child = start(duel.command().stdout(Stdio::null()).stderr(Stdio::null()));
    let keepers = if tier == "A" { 4 } else { 2 };
    let mut below = Vec::new();
    eventually("both programs and their children run", || {
        below = descendants(child.id());
        below.len() == keepers + 11 + 1
    });
    adopt(&below);
    // SAFETY: a plain system call, to a child of ours that was not waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGKILL) };
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    eventually("everything is gone", || below.iter().all(|(pid, since)| started(*pid) != *since));
    eventually("no temporary file is left", || std::fs::read_dir(&temporary).unwrap().count() == 0);
}

/// Killing arbitro and all its keepers at once leaves folders behind, which the next run removes.
fn everything_is_killed(tier: &str) {
    let [one, other] =
        ["silent", "deaf"].map(|kind| format!("{kind}={} {kind}", resident("misfit").display()));
    let duel = Duel::between(&one, &other).contained(tier).with(&["--time", "600"]);
    let temporary = duel.folder().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let left = || std::fs::read_dir(&temporary).unwrap().count();
    let duel = duel.env("TMPDIR", temporary.display().to_string());
    let mut child = start(duel.command().stdout(Stdio::null()).stderr(Stdio::null()));
    let keepers = if tier == "A" { 4 } else { 2 };
    let mut below = Vec::new();
    eventually("both programs run", || {
        below = descendants(child.id());
        below.len() == keepers + 2
    });
    adopt(&below);
    // Those who could clear up first.
    for pid in [child.id()].into_iter().chain(below.iter().map(|(pid, _)| *pid)) {
        // SAFETY: a plain system call, to processes of ours.
        unsafe { libc::kill(pid as i32, libc::SIGKILL) };
    }
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    eventually("everything is gone", || below.iter().all(|(pid, since)| started(*pid) != *since));
    assert!(tier == "A" || left() > 0, "nothing was left, so nothing is shown");
    let next = Duel::between("@random", "@random").contained(tier);
    let next = next.env("TMPDIR", temporary.display().to_string());
    let ended = start(next.command().stdout(Stdio::null()).stderr(Stdio::null())).wait().unwrap();
    assert!(ended.success());
    assert_eq!(left(), 0, "folders of a killed run are left");
}

/// Root runs all of the above once more as somebody else, in a place that is open to all.
#[test]
#[ignore = "takes more than a minute"]
fn an_ordinary_user_is_as_safe() {
    if !is_root() {
        return say("all of this was run as an ordinary user, and not as root");
    }
    let skipped = ["an_ordinary_user", "languages", "mix", "clocks"];
    let (mut tests, _folder) = tests_as_nobody(&RESIDENTS.map(resident), &skipped);
    let output = start(&mut tests).wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "as an ordinary user:\n{text}");
    assert!(text.contains("tier_a_keeps_the_zoo ... ok"), "{text}");
    text.lines().filter(|line| line.starts_with("tier ")).for_each(|line| say(&format!("as nobody: {line}")));
}
