//! Adversaries of chance: whatever they combine, an honest bot does not lose by the clock, and is charged about what it needs.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::common::as_nobody::tests_as_nobody;
use crate::programs::{adversary, built, description, honest, honest_in_java, thief};
use crate::{Ended, Game, alone, duel, has_tier, is_root, play, say};

/// What the honest bot burns for each of its moves, in milliseconds.
const PER_MOVE: u32 = 4;
/// What a virtual machine may be charged beyond half as much again, in a whole game: it also compiles and clears up.
const ALLOWANCE_IN_JAVA: Duration = Duration::from_millis(200);
const FIRST_SEED: u64 = 20_000;
const GAMES_OF_A_SEED: usize = 2;
const OPTIONS: &[&str] = &["--games", "2", "--time", "0.5", "--startup", "3"];

/// What many games have come to.
#[derive(Default)]
struct Summary {
    games: usize,
    /// Not counted, since something else on the machine kept a bot from moving in time.
    disturbed: usize,
    /// Lost by the adversary's own fault, by the reasons.
    forfeited: BTreeMap<String, usize>,
    /// What went wrong in seeds that did so repeatedly.
    broken: Vec<String>,
    /// What seemed wrong at first, and was not so beside an idle opponent.
    noise: Vec<String>,
    /// The most that was charged, in parts of what was needed, and by which seed.
    worst: (f64, u64),
}

impl Summary {
    fn say(&self, tier: &str) {
        say(&format!(
            "tier {tier}: {} games, {} broken, {} disturbed, forfeited by adversaries {:?}, {} only noise; at worst {:.2} of the need was \
             charged, by seed {}",
            self.games,
            self.broken.len(),
            self.disturbed,
            self.forfeited,
            self.noise.len(),
            self.worst.0,
            self.worst.1
        ));
        self.noise.iter().for_each(|what| say(&format!("  noise: {what}")));
        self.broken.iter().for_each(|what| say(&format!("  broken: {what}")));
    }
}

/// An honest bot: how it is started, what it needs for a move, and what it may be charged beyond.
struct Honest {
    command: String,
    per_move: Duration,
    allowance: Duration,
}

impl Honest {
    /// One in eight works in twenty threads.
    fn against(seed: u64) -> Honest {
        let words = if seed % 8 == 7 { format!("{PER_MOVE} 20") } else { PER_MOVE.to_string() };
        Honest {
            command: honest(&words),
            per_move: Duration::from_millis(PER_MOVE.into()),
            allowance: Duration::ZERO,
        }
    }

    /// Plays against an adversary.
    fn meets(&self, seed: u64, tier: &str, summary: &mut Summary) -> Ended {
        let ended = play(duel(tier, &adversary(seed), &self.command, OPTIONS));
        let counted = ended.games.iter().filter(|game| !is_disturbed(game)).count();
        summary.games += counted;
        summary.disturbed += ended.games.len() - counted;
        if was_disturbed(&ended) {
            say(&format!("seed {seed} was disturbed: {}", ended.errors.lines().last().unwrap_or_default()));
        }
        for game in ended.games.iter().filter(|game| !is_disturbed(game)) {
            if !game.ended_on_the_board() && game.won("honest") {
                *summary.forfeited.entry(game.reason().to_owned()).or_default() += 1;
            }
            let moves = game.moves_of("honest");
            let need = self.need(game, self.per_move);
            let ratio = game.charged("honest").as_secs_f64() / need.as_secs_f64();
            if moves >= 3 && ratio > summary.worst.0 {
                summary.worst = (ratio, seed);
            }
        }
        ended
    }

    /// What is wrong with a match in which a move costs so much.
    fn wrong(&self, ended: &Ended, per_move: Duration) -> Vec<String> {
        let games = ended.games.iter().filter(|game| !is_disturbed(game));
        let mut wrong: Vec<String> = games.clone().filter_map(|game| self.judge(game, per_move)).collect();
        match ended.code {
            Some(0) if games.count() == GAMES_OF_A_SEED => {}
            Some(3) if was_disturbed(ended) => {}
            code => wrong.push(format!("{} games, exit code {code:?}: {}", ended.games.len(), ended.errors)),
        }
        wrong
    }

    fn judge(&self, game: &Game, per_move: Duration) -> Option<String> {
        if !game.ended_on_the_board() && !game.won("honest") {
            return Some(game.sentence().to_owned());
        }
        let (need, charged) = (self.need(game, per_move), game.charged("honest"));
        let most = need * 3 / 2 + self.allowance;
        (charged > most).then(|| format!("charged {charged:?} for moves that cost {need:?}"))
    }

    /// What its moves needed, or cost at so much a move.
    fn need(&self, game: &Game, per_move: Duration) -> Duration {
        (per_move * game.moves_of("honest") as u32).max(game.need("honest").unwrap_or_default())
    }

    /// What a move costs against an idle opponent now: more than it needs if the machine has other work.
    fn cost_of_a_move(&self, tier: &str) -> Duration {
        let ended = play(duel(tier, &thief("idle", 0), &self.command, OPTIONS));
        let moves: usize = ended.games.iter().map(|game| game.moves_of("honest")).sum();
        (ended.charged("honest") / moves.max(1) as u32).max(self.per_move)
    }

    /// What seems wrong is looked at up to three times more, each time beside an idle opponent, and is broken if two of these are.
    fn meets_repeatedly(&self, seed: u64, tier: &str, summary: &mut Summary) {
        let mut told = self.wrong(&self.meets(seed, tier, summary), self.per_move);
        if told.is_empty() {
            return;
        }
        let mut times = 0;
        for _ in 0..3 {
            let before = self.cost_of_a_move(tier);
            let ended = self.meets(seed, tier, summary);
            let wrong = self.wrong(&ended, before.max(self.cost_of_a_move(tier)));
            times += usize::from(!wrong.is_empty());
            told.extend(wrong);
        }
        let told = format!("{}\n    {}", told.join("; "), description(seed));
        if times >= 2 { &mut summary.broken } else { &mut summary.noise }.push(told);
    }
}

fn is_disturbed(game: &Game) -> bool {
    game.reason() == "disturbed"
}

/// Whether something of a match was not played to its end because of other work on the machine.
fn was_disturbed(ended: &Ended) -> bool {
    ended.games.iter().any(is_disturbed)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// So many games against adversaries, each with a seed of its own.
fn many(tier: &str, games: usize, honest: impl Fn(u64) -> Honest) {
    let _alone = alone();
    if !has_tier(tier) {
        return say(&format!("this machine has no tier {tier}: nothing is played at it"));
    }
    let games = number("ARBITRO_TEST_GAMES").map_or(games, |games| games as usize);
    let first = number("ARBITRO_TEST_SEED").unwrap_or(FIRST_SEED);
    say(&format!("ARBITRO_TEST_SEED={first}"));
    let mut summary = Summary::default();
    for (index, seed) in (first..).take(games.div_ceil(GAMES_OF_A_SEED)).enumerate() {
        if index > 0 && index % 100 == 0 {
            summary.say(tier);
        }
        honest(seed).meets_repeatedly(seed, tier, &mut summary);
    }
    summary.say(tier);
    assert!(summary.broken.is_empty(), "tier {tier}: {} seeds are broken", summary.broken.len());
}

#[test]
fn adversaries_of_chance_take_nothing_from_honest_clocks_at_tier_a() {
    many("A", 40, Honest::against);
}

#[test]
fn adversaries_of_chance_take_nothing_from_honest_clocks_at_tier_b() {
    many("B", 40, Honest::against);
}

#[test]
#[ignore = "takes minutes"]
fn a_thousand_games_take_nothing_from_honest_clocks_at_tier_a() {
    many("A", 1000, Honest::against);
}

#[test]
#[ignore = "takes minutes"]
fn three_hundred_games_take_nothing_from_honest_clocks_at_tier_b() {
    many("B", 300, Honest::against);
}

#[test]
fn a_virtual_machine_is_charged_what_it_needs() {
    let Some(command) = honest_in_java("10") else { return };
    many("A", 6, |_| Honest {
        command: command.clone(),
        per_move: Duration::from_millis(10),
        allowance: ALLOWANCE_IN_JAVA,
    });
}

/// Who is no root cannot make control groups here, so that programs have to be stopped in another way.
#[test]
#[ignore = "takes ten seconds"]
fn an_ordinary_users_clocks_are_as_safe() {
    if !is_root() {
        return say("all of this was run as an ordinary user, and not as root");
    }
    let programs = ["adversary", "honest", "thief"].map(built);
    let (mut tests, _folder) = tests_as_nobody(&programs, &[]);
    tests.args(["adversaries_of_chance", "memory_is_counted"]).env("ARBITRO_TEST_GAMES", "12");
    let output = {
        let _alone = alone();
        tests.output().unwrap()
    };
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    text.lines().filter(|line| line.starts_with("tier ")).for_each(|line| say(&format!("as nobody: {line}")));
    assert!(output.status.success(), "as an ordinary user:\n{text}");
    assert!(text.contains("3 passed"), "{text}");
}
