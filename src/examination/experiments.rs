//! What is tried with a bot, in order.

use super::experiment::Experiment;
use super::games;
use super::manners;
use super::scripts;

/// What every conversation shows.
const PLAYING: &[&str] = &[
    "starts",
    "files",
    "begins",
    "on-stdout",
    "newline",
    "flushes",
    "format",
    "legal-moves",
    "only-moves",
    "one-move",
    "waits",
    "reads",
    "runs-on",
    "in-time",
    "memory",
];

/// What it shows how a bot leaves.
const LEAVING: &[&str] = &["leaves", "left-running", "written-files"];

/// What is special in each game.
const SPECIAL: &[&str] = &["swapped", "may-swap", "board-file", "several-seats", "others-leave", "exclusion"];

/// What only whole games show.
const ONLY_IN_GAMES: &[&str] = &["games", "goal", "neighbours"];

/// Whether a test is tried in whole games, and nowhere else.
pub fn is_only_in_games(test: &str) -> bool {
    ONLY_IN_GAMES.contains(&test)
}

/// All experiments.
pub static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        tried: "started it as the first to move, and answered its moves",
        covers: &[PLAYING, LEAVING],
        needs: &[],
        about: None,
        run: scripts::first_seat,
        for_engines: false,
    },
    Experiment {
        tried: "started it as the last to move, waited, and then played against it, at first slowly",
        covers: &[&["waits"]],
        needs: &[PLAYING],
        about: Some("waits"),
        run: scripts::last_seat,
        for_engines: false,
    },
    Experiment {
        tried: "repeated its first move, which is the swap, and played on",
        covers: &[&["swapped"]],
        needs: &[PLAYING],
        about: Some("swapped"),
        run: scripts::swapped,
        for_engines: false,
    },
    Experiment {
        tried: "opened in the centre, where many swap, and played on",
        covers: &[&["may-swap"]],
        needs: &[PLAYING, &["swapped"]],
        about: Some("may-swap"),
        run: scripts::may_swap,
        for_engines: false,
    },
    Experiment {
        tried: "seated it at a table of three, at each seat once",
        covers: &[&["several-seats"]],
        needs: &[PLAYING],
        about: Some("several-seats"),
        run: scripts::several_seats,
        for_engines: false,
    },
    Experiment {
        tried: "had another of three players leave",
        covers: &[&["others-leave"]],
        needs: &[PLAYING, &["several-seats"]],
        about: Some("others-leave"),
        run: scripts::others_leave,
        for_engines: false,
    },
    Experiment {
        tried: "played a whole game of four until somebody was excluded",
        covers: &[&["exclusion"]],
        needs: &[PLAYING, &["several-seats", "others-leave"]],
        about: Some("exclusion"),
        run: scripts::exclusion,
        for_engines: false,
    },
    Experiment {
        tried: "played on another board, with walls and more columns than rows",
        covers: &[&["board-file"]],
        needs: &[PLAYING],
        about: Some("board-file"),
        run: scripts::board_with_walls,
        for_engines: false,
    },
    Experiment {
        tried: "started it with a pipe as its stdout, where no line is sent before it is flushed",
        covers: &[&["pipe"]],
        needs: &[PLAYING],
        about: None,
        run: scripts::pipe,
        for_engines: false,
    },
    Experiment {
        tried: "sent it lines that are no legal moves, and then one that is",
        covers: &[&["asks-again"]],
        needs: &[PLAYING],
        about: None,
        run: manners::asks_again,
        for_engines: false,
    },
    Experiment {
        tried: "started it with a last argument d, and compared the board that it shows with that of the game",
        covers: &[&["debug-board"]],
        needs: &[PLAYING],
        about: None,
        run: manners::debug_board,
        for_engines: false,
    },
    Experiment {
        tried: "played the same beginning twice with the same seed",
        covers: &[&["same-seed"]],
        needs: &[PLAYING],
        about: None,
        run: scripts::same_seed,
        for_engines: false,
    },
    Experiment {
        tried: "had it play whole games",
        covers: &[ONLY_IN_GAMES, &["in-time", "memory"]],
        needs: &[PLAYING, SPECIAL],
        about: None,
        run: games::whole_games,
        for_engines: true,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examination::catalogue;

    #[test]
    fn experiments_name_tests_that_there_are_and_cover_all_of_them() {
        for experiment in EXPERIMENTS {
            let names = experiment.covered().chain(experiment.needed()).chain(experiment.about);
            names.for_each(|name| assert!(catalogue::find(name).is_some(), "{name}"));
        }
        for test in catalogue::TESTS {
            assert!(
                EXPERIMENTS.iter().any(|experiment| experiment.covered().any(|name| name == test.name)),
                "{}",
                test.name
            );
        }
    }
}
