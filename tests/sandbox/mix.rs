//! Championships of the zoo and honest programs together: whatever the zoo does, honest games are judged rightly, and nothing
//! piles up.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use arbitro::game::Seat;
use arbitro::record::Reason;
use arbitro::record::{GameRecord, journal};

use crate::common::program;
use crate::enclosure::{children_of, mounts, orphans, resident, start};
use crate::{has_tier, say, tier_of};

/// What arbitro holds at a moment of a championship.
#[derive(Clone, Copy, Debug, Default)]
struct Holding {
    games: usize,
    descriptors: usize,
    threads: usize,
    children: usize,
    /// Kilobytes of its own, without the pages of the program that happen to be loaded.
    memory: u64,
}

impl Holding {
    fn of(pid: u32, journal: &Path) -> Option<Holding> {
        let count = |what: &str| fs::read_dir(format!("/proc/{pid}/{what}")).map(Iterator::count).ok();
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let memory = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
        Some(Holding {
            games: fs::read_to_string(journal).unwrap_or_default().lines().count(),
            descriptors: count("fd")?,
            threads: count("task")?,
            children: children_of(pid).len(),
            memory: memory.trim().trim_end_matches(" kB").parse().unwrap(),
        })
    }

    /// The most of each.
    fn or(self, other: Holding) -> Holding {
        Holding {
            games: self.games.max(other.games),
            descriptors: self.descriptors.max(other.descriptors),
            threads: self.threads.max(other.threads),
            children: self.children.max(other.children),
            memory: self.memory.max(other.memory),
        }
    }
}

const HONEST: [&str; 4] = ["honest", "path", "dice", "snake"];

fn bots(animals: &[&str]) -> Vec<String> {
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/hex/path.py");
    let mut bots = vec![
        format!("honest={} honest", resident("misfit").display()),
        format!("path={}", resident("path").display()),
        format!("dice={}", resident("random").display()),
        format!("snake={python}"),
    ];
    for animal in animals {
        let (resident_name, kind) = animal.split_once(' ').unwrap_or((animal, ""));
        let name = animal.replace(' ', "-");
        bots.push(format!("{name}={} {kind}", resident(resident_name).display()).trim().to_owned());
    }
    bots
}

/// A championship of everybody against everybody; how many games it had.
fn mix(tier: &str, animals: &[&str], rounds: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let (out, temporary) = (folder.path().join("out"), folder.path().join("tmp"));
    fs::create_dir(&temporary).unwrap();
    let mounts_before = mounts();
    let bots = bots(animals);
    let options = [
        "--tier",
        tier,
        "--size",
        "5",
        "--time",
        "10",
        "--startup",
        "2",
        "--memory",
        "96M",
        "--keep-failing",
        "--quiet",
        "--jobs",
        "2",
    ];
    let mut command = Command::new(program());
    command.arg("championship").args(&bots).args(options).arg("--out").arg(&out);
    command.args(["--rounds", &rounds.to_string()]).env("TMPDIR", &temporary);
    let mut child = start(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()));
    let mut holdings: Vec<Holding> = Vec::new();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        holdings.extend(Holding::of(child.id(), &out.join("games.jsonl")));
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "the championship ended with {status}");
    assert_eq!(orphans(), Vec::<String>::new(), "processes are left");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "temporary files are left");
    assert_eq!(mounts(), mounts_before, "mounts are left");
    let games = check_verdicts(&out);
    assert_eq!(games, bots.len() * (bots.len() - 1) * rounds);
    let most = |from: usize, to: usize| {
        let part =
            holdings.iter().filter(|holding| (games * from..=games * to).contains(&(holding.games * 100)));
        part.fold(Holding::default(), |one, &other| one.or(other))
    };
    // Until before the last game: then the report is written, which needs memory of its own for a moment.
    let (early, late) = (most(5, 30), most(75, 99));
    say(&format!(
        "tier {}, {games} games: at most {early:?} in the beginning, {late:?} in the end",
        tier_of(&out)
    ));
    assert!(late.descriptors <= early.descriptors + 2, "descriptors pile up");
    assert!(late.threads <= early.threads, "threads pile up");
    assert!(late.children <= early.children, "processes pile up");
    // Of each game its result is kept, in less than a kilobyte, and nothing of what was needed to play it.
    assert!(late.memory <= early.memory + 256 + games as u64, "memory piles up");
    games
}

/// Replays every game, and asserts that no honest program lost but on the board.
fn check_verdicts(out: &Path) -> usize {
    let records: Vec<GameRecord> =
        journal::read(&out.join("games.jsonl"), |damage| panic!("{damage}")).unwrap();
    for record in &records {
        record.verify().unwrap_or_else(|problem| panic!("game {}: {problem}", record.number));
        let is_honest = |seat: usize| HONEST.contains(&record.seats[seat].bot.as_str());
        for seat in (0..2).filter(|&seat| is_honest(seat)) {
            let forfeit = record.verdict.forfeit(Seat(seat as u8));
            assert_eq!(forfeit, None, "game {}, {}: {:?}", record.number, record.players(), record.verdict);
        }
        if is_honest(0) && is_honest(1) {
            assert!(matches!(record.verdict.reason, Reason::Rules(_)), "{:?}", record.verdict);
        }
    }
    records.len()
}

#[test]
fn a_short_mix_of_zoo_and_honest_programs_leaves_nothing_behind() {
    mix("A", &["hog family", "hog burrow", "misfit daemon", "misfit floodlines", "snoop killgroup"], 1);
}

/// What takes part in the long mix.
const ANIMALS: [&str; 23] = [
    "hog memory",
    "hog family",
    "hog shared",
    "hog files",
    "hog disk",
    "hog burrow",
    "hog folders",
    "hog headless",
    "hog burst",
    "hog rabbit",
    "hog threads",
    "hog.py",
    "misfit flood",
    "misfit floodlines",
    "misfit closeout",
    "misfit daemon",
    "misfit daemon-hold",
    "misfit children",
    "misfit eofflood",
    "snoop killparent",
    "snoop killgroup",
    "crash closing",
    "crash segv",
];

/// Two thousand games and more, which take minutes; what a tier does not promise to cope with stays away, and so does what takes long to
/// clear up.
fn long_mix(tier: &str, absent: &[&str]) {
    if !has_tier(tier) {
        return say(&format!("this machine has no tier {tier}: nothing is played at it"));
    }
    let animals: Vec<&str> = ANIMALS.into_iter().filter(|animal| !absent.contains(animal)).collect();
    assert!(mix(tier, &animals, 4) >= 2000);
}

#[test]
#[ignore = "takes minutes"]
fn a_long_mix_leaves_nothing_behind_at_tier_a() {
    long_mix("A", &[]);
}

#[test]
#[ignore = "takes minutes"]
fn a_long_mix_leaves_nothing_behind_at_tier_b() {
    long_mix("B", &["hog threads", "hog folders"]);
}

#[test]
#[ignore = "takes minutes"]
fn a_long_mix_leaves_nothing_behind_at_tier_c() {
    long_mix("C", &["hog folders", "hog rabbit", "snoop killparent"]);
}
