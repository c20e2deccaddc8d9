//! The keys of a file of settings: what each takes, and how it is explained to people who write one by hand.

use crate::game::GAMES;

/// More rounds than anybody waits for.
pub const MOST_ROUNDS: u32 = 10_000;

/// More games at a time than any machine plays.
pub const MOST_JOBS: u16 = 512;

/// More openings than any board has.
pub const MOST_OPENINGS: u64 = 1000;

/// What may stand behind a key.
pub(super) enum Takes {
    Whole(i64, i64),
    Seconds,
    YesNo,
    Text,
    /// A number would do, too.
    Title,
    Texts,
    OneOf(&'static [&'static str]),
    /// How large it may be depends on the game.
    BoardSize,
    Game,
    Format,
    Time,
    Size,
    Openings,
    Address,
    /// A heading with keys of its own.
    Heading(&'static [Key]),
    /// A heading that may stand there several times.
    Headings(&'static [Key]),
    /// What only arbitro writes: it may be anything.
    Written,
}

/// A key, with what it is good for, and a line with it to show how it is written.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) takes: Takes,
    pub(super) example: &'static str,
    pub(super) about: &'static str,
    /// Whether its heading is of no use without it.
    pub(super) is_needed: bool,
}

impl Key {
    /// Whether people write it: others are not offered.
    pub(super) fn is_offered(&self) -> bool {
        !self.example.is_empty()
    }
}

const fn key(name: &'static str, takes: Takes, example: &'static str, about: &'static str) -> Key {
    Key { name, takes, example, about, is_needed: false }
}

const fn written(name: &'static str) -> Key {
    key(name, Takes::Written, "", "")
}

pub(super) const SETTINGS: &[Key] = &[
    key(
        "title",
        Takes::Title,
        "title = \"Hex 2026\"",
        "What it is called, on the report and on every screen.",
    ),
    key("game", Takes::Game, "game = \"hex\"", "The game: hex, rhex, okupacio or xinez."),
    key("size", Takes::BoardSize, "size = 11", "The size of the board."),
    key(
        "seats",
        Takes::Whole(2, 10),
        "seats = 3",
        "How many play in a game; more than 2 in okupacio and xinez only.",
    ),
    key(
        "board",
        Takes::Text,
        "board = \"4 4\"",
        "The board of okupacio itself, as text, in place of its size.",
    ),
    key(
        "board_file",
        Takes::Text,
        "board_file = \"tauler.txt\"",
        "The same in a file, whose path is counted from this one.",
    ),
    key(
        "format",
        Takes::Format,
        "format = \"swiss\"",
        "How opponents are found: round-robin, gauntlet or swiss.",
    ),
    key(
        "rounds",
        Takes::Whole(1, MOST_ROUNDS as i64),
        "rounds = 2",
        "How many rounds. Without this line one; in the Swiss system as many as it takes to find the best; with more seats enough for \
         any two to meet twice.",
    ),
    key(
        "seed",
        Takes::Whole(0, i64::MAX),
        "seed = 1",
        "What is drawn by lot depends on it. Without this line it is a new one each time.",
    ),
    key(
        "openings",
        Takes::Openings,
        "openings = 10",
        "First moves that are given: a number of fair ones drawn by lot, a file with one on each line, an SGF file, or a list such as \
         [\"2 3\", \"7 7, 3 9\"].",
    ),
    key(
        "keep_failing",
        Takes::YesNo,
        "keep_failing = true",
        "Whether bots that fail the test before the first game stay in, and lose.",
    ),
    key(
        "out",
        Takes::Text,
        "out = \"results/2026\"",
        "The folder to write to, or to go on in. Without this line a new one below results/.",
    ),
    key(
        "jobs",
        Takes::Whole(1, MOST_JOBS as i64),
        "jobs = 4",
        "Games played at the same time. Without this line half as many as there are cores.",
    ),
    key("no_pin", Takes::YesNo, "no_pin = true", "Whether games are not bound to one core each."),
    key(
        "live",
        Takes::Address,
        "live = \"127.0.0.1:8750\"",
        "Shows the games in the browser while they are played: true, a port, or an address.",
    ),
    key(
        "raw_logs",
        Takes::YesNo,
        "raw_logs = true",
        "Whether control characters stay in what bots write to stderr.",
    ),
    key(
        "keep_scratch",
        Takes::YesNo,
        "keep_scratch = true",
        "Whether the files are kept that bots write into their working folder.",
    ),
    key("json", Takes::YesNo, "json = true", "Whether the result is printed as JSON."),
    key("quiet", Takes::YesNo, "quiet = true", "Whether only the result is printed, no progress."),
    key(
        "no_sandbox",
        Takes::YesNo,
        "no_sandbox = true",
        "Whether bots are not contained at all; only for your own.",
    ),
    key(
        "require_sandbox",
        Takes::YesNo,
        "require_sandbox = true",
        "Whether to refuse to start unless full containment (tier A) is available.",
    ),
    key(
        "tier",
        Takes::OneOf(&["A", "B", "C"]),
        "tier = \"B\"",
        "Contain bots no better than this: A, B or C.",
    ),
    key(
        "allow_read",
        Takes::Texts,
        "allow_read = [\"/opt/library\"]",
        "What bots may read besides their own files.",
    ),
    key("copy_limit", Takes::Size, "copy_limit = \"1G\"", "The largest size of all files of a bot."),
    key("terms", Takes::Heading(TERMS), "[terms]", "How games are played."),
    key("bots", Takes::Headings(BOTS), "[[bots]]", "Who plays."),
    key("left_out", Takes::Headings(LEFT_OUT), "", ""),
    written("arbitro"),
    written("machine"),
    written("started"),
    written("sandbox"),
    written("games"),
];

pub(super) const TERMS: &[Key] = &[
    key(
        "time",
        Takes::Time,
        "time = \"60+0.5\"",
        "The clock of each bot for a whole game, in seconds: 60, or \"60+0.5\" for half a second more with each move.",
    ),
    key(
        "move_time",
        Takes::Seconds,
        "move_time = 10",
        "The most that one move may take, in seconds. Without this line there is no such limit.",
    ),
    key(
        "clock",
        Takes::OneOf(&["wall", "cpu"]),
        "clock = \"cpu\"",
        "What clocks measure: wall, the time that passes; or cpu, processor time, for machines that are shared.",
    ),
    key(
        "ponder",
        Takes::YesNo,
        "ponder = true",
        "Whether bots may think while it is not their turn, each on a core of its own.",
    ),
    key(
        "startup",
        Takes::Seconds,
        "startup = 5",
        "How long a bot may take to start before its clock runs, in seconds.",
    ),
    key(
        "startup_cpu",
        Takes::Seconds,
        "startup_cpu = 1",
        "How much processor time of that it has for nothing, in seconds.",
    ),
    key(
        "output",
        Takes::OneOf(&["terminal", "pipe"]),
        "output = \"pipe\"",
        "What a bot's stdout is: terminal, where nothing need be flushed; or pipe.",
    ),
    key("strict", Takes::YesNo, "strict = true", "Whether the first line that is not a move is a loss."),
    key(
        "retries",
        Takes::Whole(0, 1_000_000),
        "retries = 1",
        "How many illegal moves a bot may take back in a game.",
    ),
    key(
        "debug_bots",
        Takes::YesNo,
        "debug_bots = true",
        "Whether bots are started with a further argument d, which asks them for the board on stderr.",
    ),
    key("limits", Takes::Heading(LIMITS), "[terms.limits]", "What a bot may use."),
];

pub(super) const LIMITS: &[Key] = &[
    key("memory", Takes::Size, "memory = \"1G\"", "Memory, all of its processes together."),
    key("processes", Takes::Whole(1, 100_000), "processes = 256", "Processes and threads."),
    key("open_files", Takes::Whole(8, 100_000), "open_files = 256", "Open files of a process."),
    key("file_size", Takes::Size, "file_size = \"64M\"", "The largest file that it may write."),
    key("scratch", Takes::Size, "scratch = \"64M\"", "How much it may write to its working folder in all."),
];

pub(super) const BOTS: &[Key] = &[
    key("name", Takes::Text, "name = \"ana\"", "its name in the tables"),
    Key {
        is_needed: true,
        ..key(
            "command",
            Takes::Text,
            "command = \"python3 ana.py\"",
            "how it is started, or a built-in such as @greedy",
        )
    },
    key(
        "folder",
        Takes::Text,
        "folder = \"bots/ana\"",
        "the folder that is its own, from which its command is counted",
    ),
    key(
        "protocol",
        Takes::OneOf(&["plain", "htp"]),
        "protocol = \"htp\"",
        "htp for engines of Hex that speak it",
    ),
    key("setup", Takes::Texts, "setup = [\"param_mohex max_time 1\"]", "what such an engine is sent first"),
    key(
        "files",
        Takes::Texts,
        "files = [\"book.txt\"]",
        "files that belong to it besides those that its command names",
    ),
    written("from"),
    written("home"),
    written("plays"),
    written("identity"),
    written("sha256"),
    written("accepted"),
    written("generation"),
    written("from_round"),
    written("left_in_round"),
    written("left_out"),
];

const LEFT_OUT: &[Key] = &[
    key("name", Takes::Text, "name = \"ana\"", ""),
    key("reason", Takes::Text, "reason = \"was not built\"", ""),
];

/// The headings, with the keys that belong below each.
pub(super) const HEADINGS: [(&str, &[Key]); 3] =
    [("[terms]", TERMS), ("[terms.limits]", LIMITS), ("[[bots]]", BOTS)];

/// What is done once, and is no setting: it is given on the command line only.
const ONLY_TYPED: [&str; 11] = [
    "resume",
    "config",
    "accept_changes",
    "play_again",
    "withdraw",
    "check",
    "dry_run",
    "write_config",
    "overwrite",
    "prepare",
    "shard",
];

/// Whether people can write this key somewhere in a file.
pub fn is_setting(name: &str) -> bool {
    let is_it = |key: &Key| key.name == name && key.is_offered();
    SETTINGS.iter().chain(HEADINGS.into_iter().flat_map(|(_, keys)| keys)).any(is_it)
}

/// Whether this is an option of the command line that no file can have.
pub fn is_only_typed(name: &str) -> bool {
    ONLY_TYPED.contains(&name)
}

/// The names of all games.
pub(super) fn games() -> Vec<&'static str> {
    GAMES.iter().map(|rules| rules.name).collect()
}
