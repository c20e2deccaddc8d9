//! Clocks under attack: whatever the opponent and the rest of the machine do, an honest bot is charged what it needs, and a bot that
//! takes its time loses by it.
//!
//! Many games at once, by hand: `ARBITRO_TEST_GAMES=10000 cargo test --release --test clocks -- --ignored --nocapture`.
//! Everything that is drawn by lot begins at `ARBITRO_TEST_SEED`.

mod attacks;
mod chance;
#[path = "../common/mod.rs"]
mod common;
mod foreign_load;
mod ponderers;
mod programs;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use common::{Duel, arbitro, journal};
use serde_json::Value;
use wait_timeout::ChildExt;

/// Longer than any match of these tests should take: arbitro itself hangs then.
const TOO_LONG: Duration = Duration::from_secs(120);

/// Times are compared, so that one test is played at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    // A test that failed has left nothing that could disturb the next one.
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says something that people are to see although the test passes.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The tiers at which clocks are promised to be safe, as far as this machine has them.
fn tiers() -> impl Iterator<Item = &'static str> {
    ["A", "B"].into_iter().filter(|tier| {
        let here = has_tier(tier);
        if !here {
            say(&format!("this machine has no tier {tier}: nothing is played at it"));
        }
        here
    })
}

/// Whether programs can be contained that well here.
fn has_tier(tier: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["duel", "@random", "@random", "--games", "1", "--size", "2", "--out", "out", "--tier", tier];
    assert!(arbitro(folder.path(), &arguments).status.success());
    let settings = std::fs::read_to_string(folder.path().join("out/championship.toml")).unwrap();
    settings.contains(&format!("sandbox = \"{tier}\""))
}

/// How a match ended, whatever its exit code.
struct Ended {
    /// Kept for its folder, which holds the results.
    _duel: Duel,
    code: Option<i32>,
    games: Vec<Game>,
    took: Duration,
    errors: String,
}

impl Ended {
    /// The only game.
    fn game(&self) -> &Game {
        assert_eq!(self.games.len(), 1, "{:?} {}", self.code, self.errors);
        &self.games[0]
    }

    /// The clock time that a bot has used in all games together.
    fn charged(&self, bot: &str) -> Duration {
        self.games.iter().map(|game| game.charged(bot)).sum()
    }
}

/// A line of the journal.
struct Game {
    line: Value,
    /// Where what bots wrote to stderr is kept.
    logs: PathBuf,
}

impl Game {
    fn reason(&self) -> &str {
        self.line["verdict"]["reason"].as_str().unwrap()
    }

    fn sentence(&self) -> &str {
        self.line["verdict"]["sentence"].as_str().unwrap()
    }

    fn ended_on_the_board(&self) -> bool {
        self.reason() == "connected"
    }

    /// Where a bot sat. The names of the bots differ.
    fn seat(&self, bot: &str) -> usize {
        let seats = self.line["seats"].as_array().unwrap();
        seats
            .iter()
            .position(|seat| seat["bot"] == bot)
            .unwrap_or_else(|| panic!("no {bot} in {}", self.line))
    }

    fn won(&self, bot: &str) -> bool {
        self.line["verdict"]["winner"] == self.seat(bot)
    }

    /// The clock time that a bot has used.
    fn charged(&self, bot: &str) -> Duration {
        Duration::from_nanos(self.line["seats"][self.seat(bot)]["used_ns"].as_u64().unwrap())
    }

    /// The processor time that an honest bot has needed, by its own account, if it could give one.
    fn need(&self, bot: &str) -> Option<Duration> {
        let log = self.logs.join(format!("{:04}-{bot}.stderr", self.line["number"].as_u64()?));
        let text = std::fs::read_to_string(log).ok()?;
        let need = text.lines().find_map(|line| line.strip_prefix("need "))?;
        need.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    }

    /// How many moves a bot has made. None of our bots swaps.
    fn moves_of(&self, bot: &str) -> usize {
        self.line["moves"].as_array().unwrap().iter().skip(self.seat(bot)).step_by(2).count()
    }
}

/// Plays a match to its end.
fn play(duel: Duel) -> Ended {
    let begun = Instant::now();
    let mut command = duel.command();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let code = match child.wait_timeout(TOO_LONG).unwrap() {
        Some(status) => status.code(),
        None => {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("arbitro hangs: {command:?}");
        }
    };
    let took = begun.elapsed();
    let mut errors = String::new();
    // What it says that is no text is of no interest here.
    let _ = child.stderr.take().unwrap().read_to_string(&mut errors);
    let logs = duel.out().join("logs");
    let game = |line| Game { line, logs: logs.clone() };
    let games = journal(&duel.out()).into_iter().map(game).collect();
    Ended { _duel: duel, code, games, took, errors }
}

/// A match of two bots at a tier, on a board of 13 plies; the first begins.
fn duel(tier: &str, first: &str, second: &str, options: &[&str]) -> Duel {
    Duel::between(first, second).contained(tier).with(&["--size", "4", "--jobs", "1"]).with(options)
}
