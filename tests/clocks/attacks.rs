//! Known attacks on clocks. What an opponent costs an honest bot is compared with what an idle one costs in the same run; what would
//! be time for nothing must be lost by.

use std::time::{Duration, Instant};

use crate::foreign_load::Load;
use crate::programs::{honest, thief};
use crate::{Ended, Game, alone, duel, play, say, tiers};

/// The machine has other work too: so the best of some attempts counts.
const ATTEMPTS: usize = 3;

/// What the honest bot burns for each of its moves, in milliseconds.
const PER_MOVE: &str = "30";

/// Two games, one with each side, against a thief.
fn against(tier: &str, kind: &str, amount: u32) -> Ended {
    let ended = play(duel(tier, &thief(kind, amount), &honest(PER_MOVE), &["--games", "2", "--time", "10"]));
    assert_eq!((ended.code, ended.games.len()), (Some(0), 2), "{kind} {amount}: {}", ended.errors);
    ended
}

/// Asserts that a thief costs an honest bot no more than half as much again as an idle opponent, at every tier.
fn costs_little(kind: &str, amount: u32) {
    let _alone = alone();
    for tier in tiers() {
        let attempt = || {
            let idle = against(tier, "idle", 0).charged("honest");
            let attack = against(tier, kind, amount);
            let charged = attack.charged("honest");
            say(&format!("tier {tier}, {kind} {amount}: {charged:?}, against an idle opponent {idle:?}"));
            let on_the_board =
                attack.games.iter().all(|game| game.ended_on_the_board() || game.won("honest"));
            on_the_board && 2 * charged <= 3 * idle
        };
        assert!((0..ATTEMPTS).any(|_| attempt()), "tier {tier}: {kind} {amount}");
    }
}

#[test]
fn a_busy_opponent_costs_little() {
    costs_little("busy", 1);
}

#[test]
fn five_busy_sessions_cost_little() {
    costs_little("sessions", 5);
}

#[test]
fn twenty_busy_sessions_cost_little() {
    costs_little("sessions", 20);
}

#[test]
fn twenty_sessions_that_timers_continue_cost_little() {
    costs_little("timers", 20);
}

/// White was once charged for the time in which black had the core, coming up.
#[test]
fn an_opponent_that_computes_while_it_comes_up_costs_little() {
    let _alone = alone();
    for tier in tiers() {
        // Alone it needs a third of its clock; with a part of the core, all of it for the first move.
        let against =
            |kind, amount| play(duel(tier, &honest("20 greet"), &thief(kind, amount), &["--time", "0.45"]));
        let attempt = || {
            let (idle, attack) = (against("idle", 0), against("rush", 30));
            let [idle, charged] = [&idle, &attack].map(|ended| ended.charged("honest"));
            let sentences: Vec<&str> = attack.games.iter().map(Game::sentence).collect();
            say(&format!("tier {tier}: {charged:?}, against an idle opponent {idle:?}; {sentences:?}"));
            let moved = attack.games.iter().any(|game| game.moves_of("honest") > 0);
            moved && 2 * charged <= 3 * idle + Duration::from_millis(30)
        };
        assert!((0..ATTEMPTS).any(|_| attempt()), "tier {tier}");
    }
}

/// Asserts that the thief loses on time, for which nothing else is to blame.
#[track_caller]
fn loses_on_time(ended: &Ended) {
    let game = ended.game();
    let verdict = (ended.code, game.reason(), game.won("honest"));
    assert_eq!(verdict, (Some(0), "timeout", true), "{}", game.sentence());
}

/// Five seconds of processor time were once free, for one who wrote nothing meanwhile.
#[test]
fn computing_while_it_comes_up_is_not_free() {
    let _alone = alone();
    for tier in tiers() {
        let begun = Instant::now();
        loses_on_time(&play(duel(tier, &thief("startup", 4900), &honest("1"), &["--time", "0.5"])));
        say(&format!("tier {tier}: it lost after {:?}", begun.elapsed()));
    }
}

#[test]
fn a_bot_that_sleeps_past_its_clock_loses_on_time() {
    let _alone = alone();
    for tier in tiers() {
        loses_on_time(&play(duel(tier, &thief("sleep", 700), &honest("1"), &["--time", "1"])));
    }
}

/// Nothing kept it from moving: it did not want the processor.
#[test]
fn a_bot_that_sleeps_past_its_clock_is_not_excused_by_other_work_on_the_machine() {
    let _alone = alone();
    for tier in tiers() {
        let _load = Load::of(4);
        loses_on_time(&play(duel(tier, &thief("sleep", 700), &honest("1"), &["--time", "1"])));
    }
}

#[test]
fn a_bot_that_starves_itself_loses_on_time() {
    let _alone = alone();
    for tier in tiers() {
        // Fifty threads and the one that is to move share a core, so that its work takes five seconds.
        loses_on_time(&play(duel(tier, &thief("starve", 100), &honest("1"), &["--time", "1"])));
    }
}

#[test]
fn a_bot_that_sleeps_on_a_processor_clock_meets_the_end_of_the_game() {
    let _alone = alone();
    for tier in tiers() {
        let options = ["--clock", "cpu", "--time", "1"];
        let ended = play(duel(tier, &thief("sleep", 2500), &honest("1"), &options));
        loses_on_time(&ended);
        // Three times the budget and a second, and what it takes to begin and to end.
        assert!(ended.took < Duration::from_secs(6), "tier {tier}: {:?}", ended.took);
    }
}

/// Children whom nobody waits for were once counted only while they ran.
#[test]
fn children_whom_nobody_waits_for_are_on_the_processor_clock() {
    let _alone = alone();
    for tier in tiers() {
        let attempt = || {
            let options = ["--clock", "cpu", "--time", "1"];
            let ended = play(duel(tier, &thief("children", 3000), &honest("1"), &options));
            let counted = |game: &Game| game.line["verdict"]["losses"][0]["work"]["cpu_ns"].as_u64();
            let lost: Vec<_> = ended.games.iter().map(|game| (game.reason(), counted(game))).collect();
            say(&format!("tier {tier}: {lost:?} after {:?}", ended.took));
            // The budget, and not what was used when the wall clock ended the game.
            matches!(lost[..], [("timeout", Some(900_000_000..2_000_000_000))])
        };
        assert!((0..ATTEMPTS).any(|_| attempt()), "tier {tier}");
    }
}

/// Its group was once left frozen, and the next program in it, an innocent one, never began.
#[test]
fn one_that_ends_while_it_is_stopped_does_nothing_to_the_next_game() {
    let _alone = alone();
    for tier in tiers() {
        let ended = play(duel(tier, &thief("leave", 250), &honest("80"), &["--games", "2", "--time", "5"]));
        let reasons: Vec<&str> = ended.games.iter().map(Game::reason).collect();
        assert_eq!((ended.code, &reasons[..]), (Some(0), &["crashed", "crashed"][..]), "{}", ended.errors);
        assert!(ended.games.iter().all(|game| game.won("honest")), "tier {tier}");
    }
}

/// What a program used to come up was once taken for computing out of turn, if its opponent took its time for the first move.
#[test]
fn coming_up_is_on_nobodys_clock() {
    let _alone = alone();
    for tier in tiers() {
        let attempt = || {
            let ended = play(duel(tier, &honest("300 greet"), &thief("loader", 200), &[]));
            let [charged, other] = ["thief", "honest"].map(|bot| ended.charged(bot));
            say(&format!("tier {tier}: {charged:?}, and {other:?} to its opponent"));
            let need = Duration::from_millis(300) * ended.game().moves_of("honest") as u32;
            charged < Duration::from_millis(50) && 2 * other < 3 * need
        };
        assert!((0..ATTEMPTS).any(|_| attempt()), "tier {tier}");
    }
}

/// The referee's reading is not other work on the machine, and to be late for it is not rewarded with another game.
#[test]
fn one_that_keeps_the_referee_busy_gains_no_other_game() {
    let _alone = alone();
    for tier in tiers() {
        let ended = play(duel(tier, &thief("flood", 1300), &honest("1"), &["--time", "1"]));
        let game = ended.game();
        assert_eq!(ended.code, Some(0), "tier {tier}: {}", ended.errors);
        assert!(["timeout", "connected"].contains(&game.reason()), "tier {tier}: {}", game.sentence());
    }
}

#[test]
fn nothing_lets_a_stopped_program_go_on_or_wakes_many_at_once() {
    let _alone = alone();
    for tier in tiers() {
        let ended = play(duel(tier, &thief("calls", 0), &honest("1"), &[]));
        assert!(ended.game().ended_on_the_board(), "tier {tier}: {}", ended.game().sentence());
        let log = std::fs::read_to_string(ended.game().logs.join("0001-thief.stderr")).unwrap_or_default();
        assert_eq!(log, "", "tier {tier}");
    }
    // The attempts are real: where nothing is refused, they succeed.
    let mut command = std::process::Command::new(crate::programs::built("thief"));
    let output = command.args(["calls", "0", "b"]).stdin(std::process::Stdio::null()).output().unwrap();
    let allowed = String::from_utf8_lossy(&output.stderr).lines().count();
    assert_eq!(allowed, 10, "{}", String::from_utf8_lossy(&output.stderr));
}

/// The process that counts the pages of such a family was once stopped together with it, and what is not counted in time counts as too
/// much.
#[test]
fn memory_is_counted_while_a_program_stands_still() {
    let _alone = alone();
    for tier in tiers() {
        let options = ["--size", "2", "--memory", "100M"];
        let ended = play(duel(tier, &thief("family", 40), &honest("2500"), &options));
        let game = ended.game();
        assert!(game.ended_on_the_board(), "tier {tier}: {}", game.sentence());
    }
}
