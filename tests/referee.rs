//! One game with every kind of program that real students hand in. All are real processes.

mod common;

use arbitro::game::Seat;
use arbitro::record::fixture::seat_seed;
use common::{Duel, pids_in, runs};

#[test]
fn honest_programs_play_to_the_end() {
    let played = Duel::of("honest", "honest").play();
    played.went_to_the_end();
    assert!(played.game()["warnings"].is_null(), "nothing to warn of");
}

#[test]
fn one_that_never_flushes_plays_on_the_terminal() {
    Duel::of("noflush", "honest").play().went_to_the_end();
    Duel::of("honest", "noflush").play().went_to_the_end();
}

#[test]
fn one_that_never_flushes_is_told_so_over_pipes() {
    let played = Duel::of("noflush", "honest").with(&["--pipes", "--time", "0.5", "--startup", "0.2"]).play();
    played.lost(0, "timeout", &["no move on ply 1", "flush"]);
}

#[test]
fn words_between_moves_are_passed_over() {
    let played = Duel::of("chatty", "honest").play();
    played.went_to_the_end();
    assert!(played.warnings("not-a-move").contains(&"Jogada invalida".to_owned()));
}

#[test]
fn words_between_moves_lose_under_strict() {
    let played = Duel::of("chatty", "honest").with(&["--strict"]).play();
    played.lost(0, "malformed", &["Jogada invalida", "--strict"]);
    Duel::of("honest", "honest").with(&["--strict"]).play().went_to_the_end();
}

#[test]
fn a_flood_without_newlines_is_cut_off() {
    for output in [&[][..], &["--pipes"]] {
        Duel::of("flood", "honest").with(output).play().lost(0, "output-limit", &["too much"]);
    }
}

#[test]
fn a_flood_of_lines_is_cut_off() {
    for output in [&[][..], &["--pipes"]] {
        Duel::of("honest", "floodlines").with(output).play().lost(1, "output-limit", &["too much", "stderr"]);
    }
}

/// Four well-known arbiters start their timer anew with every line and wait for ever.
#[test]
fn talking_does_not_stop_the_clock() {
    for kind in ["drip", "driplines"] {
        let begun = std::time::Instant::now();
        Duel::of(kind, "honest").with(&["--time", "1.5"]).play().lost(
            0,
            "timeout",
            &["1.5 s left on its clock", "it wrote"],
        );
        assert!(begun.elapsed().as_secs() < 10, "{kind} ran on for {:?}", begun.elapsed());
    }
}

#[test]
fn a_flood_on_stderr_is_drained_and_kept_within_bounds() {
    let played = Duel::of("stderrflood", "bigstderr").play();
    played.went_to_the_end();
    for name in ["0001-stderrflood.stderr", "0001-bigstderr.stderr"] {
        let kept = std::fs::metadata(played.duel.out().join("logs").join(name)).unwrap().len();
        assert!((64 * 1024..70 * 1024).contains(&kept), "{name}: {kept} bytes of the beginning and the end");
    }
}

#[test]
fn one_that_never_reads_loses_on_time() {
    let played = Duel::of("deaf", "honest").with(&["--time", "0.5"]).play();
    played.lost(0, "timeout", &["ply 3", "it has not read '0 1'"]);
}

#[test]
fn moves_written_all_at_once_count_one_by_one_never() {
    // Only the first is in turn; the others answer moves that were not made yet.
    let played = Duel::of("fastdeaf", "honest").with(&["--time", "0.5"]).play();
    played.lost(0, "timeout", &[]);
    assert!(played.warnings("out-of-turn").len() > 5);
    Duel::of("fastdeaf", "honest").with(&["--strict"]).play().lost(0, "malformed", &["not its turn"]);
}

#[test]
fn an_early_end_is_told_with_its_exit_code() {
    Duel::of("exit0", "honest").play().lost(0, "crashed", &["exited with code 0", "ply 3"]);
    Duel::of("honest", "exit3").play().lost(1, "crashed", &["exited with code 3", "ply 4"]);
}

#[test]
fn an_end_before_the_first_move_is_told_with_its_last_words() {
    for seats in [["exit3-first", "honest"], ["honest", "exit3-first"]] {
        let at_fault = seats.iter().position(|&kind| kind == "exit3-first").unwrap() as u64;
        let played = Duel::of(seats[0], seats[1]).play();
        played.lost(at_fault, "crashed", &["exited with code 3", "boom: cannot open data file"]);
    }
}

#[test]
fn a_deadly_signal_is_named() {
    Duel::of("segv", "honest").play().lost(0, "crashed", &["SIGSEGV"]);
    Duel::of("honest", "abort").play().lost(1, "crashed", &["SIGABRT"]);
}

#[test]
fn a_move_written_in_the_instant_of_leaving_counts() {
    for output in [&[][..], &["--pipes"]] {
        let played = Duel::of("moveexit", "honest").with(output).play();
        played.lost(0, "crashed", &["exited with code 0", "ply 5"]);
        assert_eq!(played.moves().len(), 4);
    }
}

#[test]
fn a_win_written_in_the_instant_of_leaving_is_a_win() {
    for output in [&[][..], &["--pipes"]] {
        let played = Duel::of("winexit", "honest").with(output).play();
        assert_eq!((played.winner(), played.reason()), (Some(0), "connected"), "{}", played.sentence());
    }
}

#[test]
fn a_last_line_without_newline_counts_when_the_output_ends() {
    for output in [&[][..], &["--pipes"]] {
        let played = Duel::of("partial", "honest").with(output).play();
        played.lost(0, "crashed", &["exited with code 0", "ply 5"]);
        assert_eq!(played.moves().len(), 4);
    }
}

#[test]
fn one_that_closes_its_stdout_loses_though_it_lives_on() {
    for output in [&[][..], &["--pipes"]] {
        Duel::of("closeout", "honest").with(output).play().lost(0, "crashed", &["closed its stdout"]);
    }
}

#[test]
fn moves_that_the_rules_forbid_lose_at_once() {
    Duel::of("occupied", "honest").play().lost(0, "illegal-move", &["already taken"]);
    Duel::of("honest", "occupied").play().lost(1, "illegal-move", &["already taken"]);
    Duel::of("offboard", "honest").play().lost(0, "illegal-move", &["5 0", "off the board", "0 to 4"]);
    Duel::of("negative", "honest").play().lost(0, "illegal-move", &["-1 3", "off the board"]);
    let huge = "1000000000000000000000000000000";
    Duel::of("huge", "honest").play().lost(0, "illegal-move", &[huge, "off the board"]);
}

#[test]
fn an_illegal_move_can_be_taken_back_if_the_terms_say_so() {
    Duel::of("retry", "honest").play().lost(0, "illegal-move", &["99 99"]);
    let played = Duel::of("retry", "honest").with(&["--retries", "1"]).play();
    played.went_to_the_end();
    assert_eq!(played.warnings("illegal"), ["99 99"]);
}

#[test]
fn bytes_that_are_no_text_are_passed_over() {
    let played = Duel::of("binary", "honest").play();
    played.went_to_the_end();
    assert!(!played.warnings("not-a-move").is_empty());
    let played = Duel::of("binary-only", "honest").with(&["--time", "0.5"]).play();
    played.lost(0, "timeout", &["which is not a move"]);
}

#[test]
fn of_two_moves_at_once_the_first_counts() {
    let played = Duel::of("twomoves", "honest").play();
    played.went_to_the_end();
    assert_eq!(played.moves()[..3], ["0 0", "0 1", "0 2"]);
    assert!(!played.warnings("out-of-turn").is_empty());
}

#[test]
fn what_is_written_before_its_turn_is_set_aside() {
    let played = Duel::of("slow", "early").play();
    played.went_to_the_end();
    assert_eq!(played.warnings("out-of-turn"), ["5 5"]);
    Duel::of("slow", "early").with(&["--strict"]).play().lost(1, "malformed", &["5 5", "not its turn"]);
}

#[test]
fn carriage_returns_blanks_and_leading_zeros_are_fine() {
    for kind in ["crlf", "blanks", "zeros"] {
        let played = Duel::of(kind, "honest").with(&["--strict"]).play();
        played.went_to_the_end();
        assert_eq!(played.moves()[2], "0 2", "{kind}: moves are passed on in one spelling");
    }
}

#[test]
fn three_numbers_are_no_move() {
    let played = Duel::of("threenumbers", "honest").with(&["--time", "0.5"]).play();
    played.lost(0, "timeout", &["which is not a move"]);
}

#[test]
fn silence_loses_on_time() {
    let played = Duel::of("silent", "honest").with(&["--time", "0.5", "--startup", "0.2"]).play();
    played.lost(0, "timeout", &["it used no processor time"]);
    let played = Duel::of("honest", "halfway").with(&["--time", "0.5"]).play();
    played.lost(1, "timeout", &["ply 8"]);
}

#[test]
fn a_move_has_a_limit_of_its_own() {
    let played = Duel::of("slow", "honest").with(&["--move-time", "0.05"]).play();
    // It sleeps, and so has come up.
    played.lost(0, "timeout", &["ply 1", "0.050 s allowed for a move"]);
}

#[test]
fn an_increment_keeps_a_slow_program_alive() {
    Duel::of("slow", "honest").with(&["--time", "0.3+0.3"]).play().went_to_the_end();
    Duel::of("slow", "honest").with(&["--time", "0.3"]).play().lost(0, "timeout", &[]);
}

#[test]
fn one_that_stops_itself_loses_on_time_and_is_gone() {
    Duel::of("stopself", "honest").with(&["--time", "0.5"]).play().lost(0, "timeout", &[]);
}

#[test]
fn one_that_will_not_leave_is_made_to() {
    Duel::of("noterm", "eofflood").play().went_to_the_end();
}

/// The programs keep their process numbers in a file; after the match none of them may run.
fn leaves_nothing(kind: &str, pids: usize) -> common::Played {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let played = Duel::of(kind, "honest").env("MISFIT_PIDFILE", file.display().to_string()).play();
    let found = pids_in(&file);
    assert_eq!(found.len(), pids);
    assert!(!found.iter().any(|&pid| runs(pid)), "{kind} left {found:?} behind");
    played
}

#[test]
fn a_daemon_left_behind_is_gone_after_the_game() {
    leaves_nothing("daemon", 1).went_to_the_end();
    leaves_nothing("children", 10).went_to_the_end();
}

#[test]
fn a_daemon_that_holds_the_output_open_does_not_hide_the_end() {
    leaves_nothing("daemon-hold", 1).lost(0, "crashed", &["exited with code 0"]);
}

#[test]
fn repeating_the_first_move_on_ply_2_swaps() {
    let played = Duel::of("honest", "swapper").play();
    played.went_to_the_end();
    assert_eq!(played.game()["swapped"], true);
    assert_eq!(played.moves()[..2], ["0 0", "0 0"]);
    // The first program is asked again, and its stone is black's.
    let out = played.duel.out();
    let shown = common::arbitro(&out, &["replay", ".", "1", "--at", "2"]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("honest (black) – swapper (white)"), "{shown}");
    assert!(shown.contains("swapper swapped 0 0 and is white now"), "{shown}");
    assert!(shown.contains("[b]"), "the stone stays white:\n{shown}");
    let shown = common::arbitro(&out, &["replay", ".", "1", "--at", "3"]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("honest (black) played 0 1") && shown.contains("[p]"), "{shown}");
}

#[test]
fn repeating_the_first_move_on_ply_4_is_illegal() {
    Duel::of("honest", "lateswap").play().lost(1, "illegal-move", &["ply 4", "on ply 2 only"]);
}

#[test]
fn one_that_crashes_after_a_swap_is_told() {
    let played = Duel::of("crash-after-swap", "swapper").play();
    played.lost(0, "crashed", &["(black since swapper swapped on ply 2) was killed by SIGSEGV", "ply 3"]);
}

#[test]
fn programs_learn_the_terms_from_their_environment() {
    let played = Duel::of("env", "env").with(&["--time", "20+0.5", "--seed", "7"]).play();
    let seeds = [(Seat(0), "env"), (Seat(1), "env-2")].map(|(seat, bot)| {
        let log = played.duel.out().join(format!("logs/0001-{bot}.stderr"));
        let told = std::fs::read_to_string(log).unwrap();
        let told: Vec<&str> = told.lines().collect();
        let seed = seat_seed(played.game()["seed"].as_u64().unwrap(), seat).to_string();
        let line = format!("ARBITRO_SEED={seed}");
        assert_eq!(told, ["ARBITRO_GAME=hex", "ARBITRO_INC=0.5", &line, "ARBITRO_SIZE=5", "ARBITRO_TIME=20"]);
        seed
    });
    // Once, both had the same, so that two random players drew the same lots.
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn the_starting_side_alternates() {
    let played = Duel::of("honest", "noflush").with(&["--games", "7"]).play();
    assert_eq!(played.games.len(), 7);
    for (index, game) in played.games.iter().enumerate() {
        assert_eq!(game["number"], index + 1);
        assert_eq!(game["seats"][index % 2]["bot"], "honest");
    }
}

/// Once, the end of a stream was taken for the end of a line that had ended already, and a clean program was blamed for an
/// empty line.
#[test]
fn one_that_moves_and_leaves_is_never_blamed_for_an_empty_line() {
    let played = Duel::of("moveexit", "honest").with(&["--games", "60", "--strict", "--no-pin"]).play();
    for game in &played.games {
        assert_eq!(game["verdict"]["reason"], "crashed", "{}", game["verdict"]);
    }
}

#[test]
fn half_a_line_from_before_its_turn_is_no_move() {
    let played = Duel::of("slow", "halfline").play();
    played.lost(1, "crashed", &["exited with code 0", "ply 2"]);
    assert_eq!(played.warnings("out-of-turn"), ["3 3"]);
}

/// Once, the wait for the news of the program's end was charged to its clock.
#[test]
fn a_move_at_the_end_of_the_output_is_charged_only_its_own_time() {
    let played = Duel::of("partial-close", "honest").with(&["--move-time", "0.4"]).play();
    played.lost(0, "crashed", &["closed its stdout", "ply 5"]);
    assert_eq!(played.moves().len(), 4);
}

/// Once, a program could end the whole match by killing the process that watches it.
#[test]
fn one_that_kills_its_keeper_loses_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let duel = Duel::of("killparent", "honest")
        .with(&["--games", "3"])
        .env("MISFIT_PIDFILE", file.display().to_string());
    let played = duel.play();
    assert_eq!(played.games.len(), 3);
    for (index, game) in played.games.iter().enumerate() {
        let verdict = &game["verdict"];
        assert_eq!(
            (verdict["reason"].as_str(), verdict["winner"].as_u64()),
            (Some("crashed"), Some(1 - index as u64 % 2))
        );
        assert!(
            verdict["sentence"].as_str().unwrap().contains("killed the process that watches it"),
            "{verdict}"
        );
    }
    let found = pids_in(&file);
    assert!(found.len() == 30 && !found.iter().any(|&pid| runs(pid)), "{found:?}");
}

/// Once, this hung the referee for ever.
#[test]
#[ignore = "takes ten seconds"]
fn one_that_stops_its_keeper_loses_on_time_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let duel = Duel::of("stopparent", "honest")
        .with(&["--time", "0.5"])
        .env("MISFIT_PIDFILE", file.display().to_string());
    let played = duel.play();
    played.lost(0, "timeout", &[]);
    assert!(!pids_in(&file).iter().any(|&pid| runs(pid)));
}

#[test]
fn the_last_words_on_stderr_are_the_last() {
    let played = Duel::of("verbose", "honest").play();
    played.lost(0, "crashed", &["exited with code 1", "the last it wrote to stderr: the real cause"]);
    let log = std::fs::read_to_string(played.duel.out().join("logs/0001-verbose.stderr")).unwrap();
    assert!(log.ends_with("the real cause\n"));
}

#[test]
fn moves_that_may_be_taken_back_are_no_noise() {
    let played = Duel::of("illegals", "honest").with(&["--retries", "200", "--time", "0.5"]).play();
    played.lost(0, "timeout", &["it had to take back '99 99'"]);
}

#[test]
fn a_move_made_too_early_is_named_as_what_was_wrong() {
    let played = Duel::of("slow", "fastdeaf").with(&["--time", "0.5"]).play();
    played.lost(1, "timeout", &["before its opponent had made the first one"]);
}

/// Stopping the referee, as Ctrl-Z does, must not cost the program to move the game.
#[test]
fn a_pause_of_the_referee_itself_is_nobodys_fault() {
    use rustix::process::{Pid, Signal, kill_process};
    let duel = Duel::of("slow", "honest").with(&["--move-time", "0.5"]);
    let mut child = duel.command().stdout(std::process::Stdio::null()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    common::eventually("the match has begun", || duel.out().join("games.jsonl").exists());
    std::thread::sleep(std::time::Duration::from_millis(150));
    kill_process(pid, Signal::STOP).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2500));
    kill_process(pid, Signal::CONT).unwrap();
    assert!(child.wait().unwrap().success());
    let games = common::journal(&duel.out());
    assert_eq!(games[0]["verdict"]["reason"], "connected", "{}", games[0]["verdict"]);
}
