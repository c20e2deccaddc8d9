//! `arbitro check` names exactly the flaw of each bot of the zoo, and finds nothing wrong with sound bots.
//!
//! `ARBITRO_FLAWS_ONLY=c++,swap` examines only the bots that have one of these texts in their names.

#[path = "../flaws/bots.rs"]
mod bots;
#[path = "../common/mod.rs"]
mod common;
#[path = "../flaws/flaw.rs"]
#[allow(dead_code)]
mod flaw;
#[path = "../flaws/table.rs"]
mod table;

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use common::{program, stderr, stdout};
use flaw::Flaw;
use serde_json::Value;
use table::table;

/// Bots that are examined at a time: most of the flawed ones only let their time pass.
const AT_A_TIME: usize = 4;

/// The zoo's bots by the test that each fails. The first of each test are examined each time, the others where there is time.
const EXPECTED: &[(&str, &[&str])] = &[
    (
        "legal-moves",
        &[
            "xinez goes-too-far",
            "rhex python swaps-at-once",
            "python counts-from-1",
            "c minus-one",
            "javascript repeats-itself",
            "okupacio column-first",
            "xinez onto-a-piece",
            "rhex python counts-from-1",
            "python rows-from-1",
            "c not-initialised",
            "okupacio ignores-walls",
            "xinez moves-the-opponent",
            "rhex python turned-tokens-are-free",
            "python size-is-always-14",
            "c hidden-stones",
            "xinez from-an-empty-cell",
            "python echoes-the-opponent",
            "c scanf-comma",
            "xinez off-the-board",
            "python swaps-late",
            "xinez does-not-move",
            "python swaps-as-white",
            "java off-by-one",
            "python prints-column-first",
            "python reads-column-first",
            "java one-digit",
        ],
    ),
    (
        "format",
        &[
            "okupacio capitals",
            "okupacio numbers",
            "xinez coordinates",
            "rhex python prints-a-tuple",
            "python prints-a-tuple",
            "c comma",
            "javascript semicolon",
            "c++ words-before-the-move",
            "java letters-and-numbers",
            "okupacio blank-between",
            "xinez own-number-first",
            "python prints-floats",
            "c hexadecimal",
            "javascript prints-an-array",
            "c++ no-blank",
            "java adds-a-char",
            "okupacio own-letter-first",
            "xinez pass",
            "python prints-none",
            "c digits-by-hand",
            "javascript prints-json",
            "c++ clears-the-screen",
            "java array",
            "xinez arrow",
            "python prints-bytes",
            "c vitb",
            "javascript adds-the-numbers",
            "c++ coloured",
            "xinez one-cell",
            "python prints-one-number",
            "javascript undefined",
            "python prints-the-score-too",
            "python prints-a-wide-blank",
            "python prints-wide-digits",
            "python prints-swap-as-a-word",
            "python prints-two-lines",
            "python prompts-from-its-eleventh-move-on",
        ],
    ),
    (
        "only-moves",
        &[
            "java empty-line-first",
            "c board-on-stdout",
            "python leaves-debug-prints-in",
            "c shows-the-board-first",
            "python input-with-a-prompt",
        ],
    ),
    (
        "reads",
        &[
            "okupacio waits-for-its-own-move",
            "python shouts-invalid",
            "javascript waits-for-the-end",
            "c scanf-newline",
            "c++ expects-a-comma",
            "python reads-all-lines",
            "c waits-for-ok",
            "python forgets-whose-turn-it-is",
        ],
    ),
    (
        "newline",
        &[
            "c no-newline",
            "python ends-with-a-blank",
            "c++ no-newline",
            "java no-newline",
            "javascript no-newline",
            "bash no-newline",
            "c literal-backslash-n",
        ],
    ),
    ("flushes", &["c no-flush", "c flush-at-exit"]),
    ("on-stdout", &["java on-stderr"]),
    (
        "begins",
        &[
            "java reads-first",
            "c reads-first-and-goes-on",
            "python reads-first-and-goes-on",
            "c wrong-argument",
            "c++ letters-exchanged",
            "python waits-for-a-greeting",
            "python reads-to-the-end",
        ],
    ),
    ("waits", &["python never-reads", "c black-moves-first", "python never-reads-but-takes-its-time"]),
    ("one-move", &["c moves-twice", "c two-first-moves", "python two-first-moves-and-a-late-end"]),
    (
        "swapped",
        &[
            "python takes-the-swap-for-invalid",
            "c asserts-when-swapped",
            "javascript plays-twice-when-swapped",
            "python exits-when-swapped",
            "python ignores-the-swap",
        ],
    ),
    ("may-swap", &["python swaps-and-keeps-its-colour"]),
    ("goal", &["c sides-exchanged"]),
    ("neighbours", &["python wrong-neighbours"]),
    (
        "in-time",
        &[
            "c++ draws-for-ever",
            "python sleeps-a-second",
            "bash sleeps",
            "python starts-slowly",
            "python deadlock",
            "c computes-for-ever",
            "python two-seconds-a-move",
            "python searches-too-deep",
        ],
    ),
    ("memory", &["c leaks", "python keeps-every-board", "c waits-for-memory"]),
    (
        "runs-on",
        &[
            "python exits-after-each-move",
            "javascript thinks-it-has-won",
            "c closes-stdin",
            "java null-pointer",
            "bash octal",
            "python swallows-its-error",
            "javascript type-error",
            "c assertion",
            "java parses-the-line",
            "python closes-stdout",
            "python index-error",
            "python int-of-the-whole-line",
            "okupacio leaves",
        ],
    ),
    (
        "starts",
        &[
            "okupacio expects-hex-arguments",
            "python moves-from-a-child",
            "python begins-a-session",
            "c daemon",
            "bash starts-a-crashing-program",
            "program syntax-error",
            "java stack-overflow",
            "c++ vector-at",
            "python endless-recursion",
            "c exit-code",
            "program no-such-script",
            "c++ optional-is-empty",
            "python needs-another-argument",
            "c segfault",
            "program java-not-compiled",
            "c++ thread-not-joined",
            "c index-overflow",
            "program script-without-interpreter",
            "c stack-overflow",
            "program script-with-a-byte-order-mark",
            "c divides-by-zero",
            "program c-source",
            "c double-free",
            "program java-source",
            "c smashes-the-stack",
            "program object-file",
            "c alarm",
            "program windows-program",
            "program mac-program",
            "program program-for-another-processor",
            "program wrong-interpreter",
            "program windows-lines",
            "program not-runnable",
            "program wrong-path",
            "program empty-file",
            "program java-source-with-an-error",
        ],
    ),
    (
        "files",
        &[
            "okupacio wrong-board-argument",
            "python needs-a-module",
            "javascript needs-a-package",
            "bash missing-command",
            "program reads-a-file-elsewhere",
            "python logs-beside-itself",
            "program missing-library",
            "python logs-in-home",
            "python needs-a-book",
            "python asks-the-network",
            "program java-without-its-helper",
        ],
    ),
];

/// How many bots are examined each time for each test.
const EACH_TIME: usize = 5;

/// Examines a bot, in a folder.
fn check(folder: &Path, bot: &str, options: &[&str]) -> Output {
    Command::new(program())
        .args(["check", bot, "--quiet"])
        .args(options)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The names of the tests that have found a fault.
fn faults(report: &Value) -> Vec<String> {
    let tests = report["tests"].as_array().unwrap().iter();
    tests
        .filter(|test| test["outcome"] == "fault")
        .map(|test| test["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Does something with each of these, several at a time.
fn for_each<T: Sync>(items: &[T], what: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    what(item);
                }
            });
        }
    });
}

/// What is found of a bot of the zoo: the names of its faults, and all that was printed.
fn examine(flaw: &Flaw) -> (Vec<String>, String) {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bot");
    std::fs::create_dir(&folder).unwrap();
    let command = flaw.language.make(flaw.flaw, &folder);
    let options = flaw.options();
    for board in ["wide.txt", "walls.txt"].iter().filter(|&board| options.contains(board)) {
        std::fs::copy(bots::source(board), folder.join(board)).unwrap();
    }
    let output = check(&folder, &format!("flawed={command}"), &[&options[..], &["--json"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}: {}", flaw.name(), stderr(&output)));
    assert_eq!(output.status.code(), Some(i32::from(!faults(&report).is_empty())), "{}", flaw.name());
    for finding in report["tests"].as_array().unwrap().iter().filter_map(|test| test.get("finding")) {
        let first = finding["transcript"][0]["text"].as_str().unwrap_or_default();
        let started = first.strip_prefix("$ ").unwrap_or(finding["command"].as_str().unwrap());
        assert_eq!(finding["command"], started, "{}: {finding:#}", flaw.name());
    }
    (faults(&report), format!("{report:#}"))
}

/// Examines the first bots of each test.
fn each_is_one_finding(most: usize) {
    let only = std::env::var("ARBITRO_FLAWS_ONLY").unwrap_or_default();
    let zoo = table();
    let expected =
        EXPECTED.iter().flat_map(|(test, names)| names.iter().take(most).map(|name| (*name, *test)));
    let expected: Vec<(&Flaw, &str)> = expected
        .filter(|(name, _)| only.split(',').any(|text| name.contains(text)))
        .map(|(name, test)| (zoo.iter().find(|flaw| flaw.name() == name).expect(name), test))
        .filter(|(flaw, _)| flaw.language.missing().is_none())
        .collect();
    let wrong = Mutex::new(String::new());
    for_each(&expected, |(flaw, test)| {
        let began = Instant::now();
        let (faults, report) = examine(flaw);
        println!("{:<45} {} {:.1} s", flaw.name(), faults.join(","), began.elapsed().as_secs_f64());
        if faults != [*test] {
            writeln!(wrong.lock().unwrap(), "{}: {faults:?}, not {test}\n{report}", flaw.name()).unwrap();
        }
    });
    bots::sweep();
    let wrong = wrong.into_inner().unwrap();
    println!("{} bots", expected.len());
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn each_flaw_of_the_zoo_is_one_finding() {
    each_is_one_finding(EACH_TIME);
}

#[test]
#[ignore = "takes minutes"]
fn each_flaw_of_the_whole_zoo_is_one_finding() {
    each_is_one_finding(usize::MAX);
}

/// Builds a program from one of the example bots, in a folder.
fn built(folder: &Path, compiler: &[&str], source: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots").join(source);
    let status =
        Command::new(compiler[0]).args(&compiler[1..]).arg(source).current_dir(folder).status().unwrap();
    assert!(status.success(), "{compiler:?}");
}

/// A bot that has nothing wrong with it: how it comes to be in a folder, its command, and the options of its game.
type Sound = (fn(&Path), &'static str, &'static [&'static str]);

const SOUND: &[Sound] = &[
    (|folder| built(folder, &["cc", "-O2", "-o", "bot"], "hex/random.c"), "./bot", &[]),
    (|folder| built(folder, &["cc", "-O2", "-o", "bot"], "hex/path.c"), "./bot", &["--size", "9"]),
    (|folder| built(folder, &["cp", "-t", "."], "hex/random.py"), "python3 random.py", &["--size", "9"]),
    (|folder| built(folder, &["cp", "-t", "."], "hex/path.py"), "python3 path.py", &["--size", "7"]),
    (|folder| built(folder, &["cp", "-t", "."], "hex/random.js"), "node random.js", &["--size", "9"]),
    (
        |folder| built(folder, &["javac", "-d", "."], "hex/Random.java"),
        "java -XX:TieredStopAtLevel=1 -cp . Random",
        &["--size", "7"],
    ),
    (
        |folder| built(folder, &["rustc", "--edition", "2024", "-o", "bot"], "hex/random.rs"),
        "./bot",
        &["--size", "9"],
    ),
    (
        |folder| built(folder, &["cp", "-t", "."], "rhex/greedy.py"),
        "python3 greedy.py",
        &["--game", "rhex", "--size", "6"],
    ),
    (
        |folder| built(folder, &["cp", "-t", "."], "okupacio/greedy.py"),
        "python3 greedy.py",
        &["--game", "okupacio", "--size", "7"],
    ),
    (
        |folder| built(folder, &["cp", "-t", "."], "xinez/greedy.py"),
        "python3 greedy.py",
        &["--game", "xinez", "--size", "2"],
    ),
    (|_| (), "@greedy", &["--size", "9"]),
    (|_| (), "@random", &["--game", "okupacio", "--size", "6"]),
    (|_| (), "@random", &["--game", "xinez", "--size", "2"]),
    (|_| (), "htp:@greedy", &["--size", "7"]),
];

#[test]
fn nothing_is_found_in_sound_bots() {
    let wrong = Mutex::new(String::new());
    for_each(SOUND, |(make, command, options)| {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("bot");
        std::fs::create_dir(&folder).unwrap();
        make(&folder);
        let output = check(&folder, command, options);
        let (text, last) = (stdout(&output), last_line(&output));
        println!("{last}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        if !last.contains(" passed, 0 faults, 0 advice, 0 not tried") || output.status.code() != Some(0) {
            writeln!(wrong.lock().unwrap(), "{command} {options:?}:\n{text}{}", stderr(&output)).unwrap();
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong}");
}

/// A bot with one flaw: what it is made from, what stands there, what stands there instead, the options of its game, and the test that
/// alone finds something.
type Altered = (&'static str, &'static str, &'static str, &'static str, &'static str);

const COMPLAINT: &str = r#"print("invalid move; send another, as: row col", file=sys.stderr)"#;
const BEGIN: &str = "    me, turn, first, ply = ";
const OKUPACIO: &str = "--game okupacio --size 7";
const XINEZ: &str = "--game xinez --size 2";

const ALTERED: &[Altered] = &[
    // What only a table of more than two shows.
    (
        "starters/okupacio/bot.py",
        r#"list("ABCDEFGHIJ"[: int(args[1])])"#,
        r#"list("AB")"#,
        OKUPACIO,
        "several-seats",
    ),
    ("starters/okupacio/bot.py", "words[1] in LEAVES or", r#"words[1] == "--" or"#, OKUPACIO, "others-leave"),
    ("starters/okupacio/bot.py", "words[1] in LEAVES or", r#"words[1] == "00" or"#, OKUPACIO, "exclusion"),
    ("starters/xinez/bot.py", "sorted(map(int, args[1])), int", "[1, 4], int", XINEZ, "several-seats"),
    (
        "starters/xinez/bot.py",
        "    board = Board(n, players)",
        "    assert len(players) == 2\n    board = Board(n, players)",
        XINEZ,
        "several-seats",
    ),
    (
        "starters/xinez/bot.py",
        r#"if words == [str(player), "pass"]:"#,
        "if words == []:",
        XINEZ,
        "others-leave",
    ),
    // What is seen on other boards, late, or with others who take their time.
    (
        "starters/okupacio/bot.py",
        "        wall = not wall\n",
        "        wall = len(cells) % columns and not wall\n",
        OKUPACIO,
        "board-file",
    ),
    (
        "starters/okupacio/bot.py",
        "    board.update({at: FREE for at in board if board[at] == who})",
        "    pass",
        OKUPACIO,
        "others-leave",
    ),
    (
        "starters/hex/bot.py",
        "    for line in sys.stdin:\n",
        "    import select\n    while select.select([0], [], [], 1)[0]:\n        line = sys.stdin.readline()\n        if not line: return None\n",
        "--size 7",
        "waits",
    ),
    // Misunderstandings, also of bots that leave when they believe that somebody has won.
    ("starters/xinez/bot.py", "board.gain(me, move) >= 0]", "board.gain(me, move) <= 0]", XINEZ, "goal"),
    (
        "bots/hex/path.py",
        r#"(line, i) if colour == "b""#,
        r#"(line, i) if colour == "p""#,
        "--size 9",
        "goal",
    ),
    (
        "bots/hex/path.py",
        "(row + 1, col - 1), (row - 1, col + 1)",
        "(row + 1, col + 1), (row - 1, col - 1)",
        "--size 9",
        "neighbours",
    ),
    // It lifts the stone that was swapped, whoever swapped, and likes the centre.
    ("starters/hex/bot.py", "me = OTHER[me] ", "me, board[move] = OTHER[me], '-' ", "--size 7", "swapped"),
    // It swaps, and moves again at once.
    ("starters/hex/bot.py", "me = OTHER[me]", "me = me if turn == me else OTHER[me]", "--size 7", "may-swap"),
    // What loses no games.
    ("starters/hex/bot.py", COMPLAINT, "raise ValueError(line)", "--size 7", "asks-again"),
    ("starters/hex/bot.py", COMPLAINT, r#"print("invalid", flush=True)"#, "--size 7", "asks-again"),
    ("starters/rhex/bot.py", COMPLAINT, "return row, col", "--game rhex --size 5", "asks-again"),
    ("starters/hex/bot.py", "print(*(board[row, col]", "print(*(board[col, row]", "--size 7", "debug-board"),
    (
        "starters/rhex/bot.py",
        "board.update({cell: OTHER[board[cell]] for cell in zone})",
        "pass",
        "--game rhex --size 5",
        "debug-board",
    ),
    ("starters/hex/bot.py", "return 0  # the game is over", "continue", "--size 7", "leaves"),
    (
        "starters/hex/bot.py",
        BEGIN,
        "    import subprocess; subprocess.Popen(['sleep', '600'], stdout=2)\n    me, turn, first, ply = ",
        "--size 7",
        "left-running",
    ),
    (
        "starters/hex/bot.py",
        BEGIN,
        "    open('learned.txt', 'w').write('x')\n    me, turn, first, ply = ",
        "--size 7",
        "written-files",
    ),
];

#[test]
#[ignore = "takes half a minute"]
fn each_flaw_that_shows_in_few_situations_is_one_finding() {
    let wrong = Mutex::new(String::new());
    for_each(ALTERED, |(source, there, instead, options, test)| {
        let place = tempfile::tempdir().unwrap();
        let sound = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(source)).unwrap();
        assert_eq!(sound.matches(there).count(), 1, "{source}: {there}");
        let folder = place.path().join("bot");
        std::fs::create_dir(&folder).unwrap();
        bots::file(&folder, "bot.py", sound.replace(there, instead), 0o755);
        let options: Vec<&str> = options.split_whitespace().chain(["--json"]).collect();
        let output = check(&folder, "./bot.py", &options);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = report["tests"].as_array().unwrap().iter().filter(|test| !test["finding"].is_null());
        let found: Vec<&str> = found.map(|test| test["name"].as_str().unwrap()).collect();
        println!("{source} {found:?}");
        if found != [*test] {
            writeln!(wrong.lock().unwrap(), "{source}, {instead}: {found:?}, not {test}\n{report:#}")
                .unwrap();
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn one_that_ignores_its_argument_is_told_the_same_in_languages_that_come_up_slowly() {
    for (starter, there, instead) in [
        ("bot.py", "me, turn, first, ply = args[0],", "me, turn, first, ply = 'b',"),
        ("bot.js", "let [me, debug] = process.argv.slice(2);", "let me = 'b', debug;"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("starters/hex").join(starter);
        let sound = std::fs::read_to_string(source).unwrap();
        assert_eq!(sound.matches(there).count(), 1, "{starter}: {there}");
        bots::file(folder.path(), starter, sound.replace(there, instead), 0o755);
        let output = check(folder.path(), &format!("./{starter}"), &["--quick", "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(faults(&report), ["waits"], "{report:#}");
    }
}

#[test]
fn a_bot_that_always_has_something_else_to_say_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    // A clock of 4 seconds: a hundred lines would take three minutes.
    bots::file(folder.path(), "bot", "#!/bin/sh\nwhile :; do echo thinking; sleep 2; done\n", 0o755);
    let output = check(folder.path(), "./bot", &["--quick", "--time", "4", "--startup", "0", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines = report.to_string().matches("thinking").count();
    assert_eq!(faults(&report).len(), 1, "{report:#}");
    assert!(lines < 20, "{report:#}");
}

#[test]
fn one_that_stops_in_a_whole_game_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let sound = include_str!("../../starters/hex/bot.py");
    // From the opponent's sixth move on it wants a second line.
    let deaf = sound.replace(
        "    for line in sys.stdin:\n",
        "    for line in sys.stdin:\n        if sum(at != '-' for at in board.values()) > 10: continue\n",
    );
    assert_ne!(deaf, sound);
    bots::file(folder.path(), "bot.py", deaf, 0o755);
    let output = check(folder.path(), "./bot.py", &["--json", "--size", "7", "--time", "600"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(faults(&report), ["reads"], "{report:#}");
    assert!(report.to_string().contains("until it was seen to wait for more input"), "{report:#}");
}

#[test]
#[ignore = "takes a quarter of a minute"]
fn one_that_looks_again_and_again_whether_there_is_something_to_read_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let sound = include_str!("../../starters/hex/bot.py");
    let polls = "    import select, time\n    while True:\n        if not select.select([0], [], [], 0)[0]:\n            time.sleep(0.01)\n            \
                 continue\n        line = sys.stdin.readline()\n        if not line: return None\n";
    bots::file(folder.path(), "bot.py", sound.replace("    for line in sys.stdin:\n", polls), 0o755);
    let output = check(folder.path(), "./bot.py", &["--size", "7", "--only", "waits,asks-again"]);
    let sound = "check: bot: 2 passed, 0 faults, 0 advice, 0 not tried";
    assert_eq!(last_line(&output), sound, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_line_without_an_end_is_not_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    bots::file(folder.path(), "bot", "#!/bin/sh\nexec cat /dev/zero\n", 0o755);
    let output = check(folder.path(), "./bot", &["--quick", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(faults(&report), ["only-moves"], "{report:#}");
    assert!(report.to_string().contains("wrote too much besides its moves"), "{report:#}");
}

#[test]
fn a_page_that_cannot_be_written_is_told_before_anything_is_tried() {
    let folder = with_python();
    std::fs::write(folder.path().join("mine.html"), "something else").unwrap();
    for (file, said) in [
        ("nowhere/page.html", "there is no folder 'nowhere'"),
        (".", "is a folder"),
        ("mine.html", "would be lost"),
    ] {
        let output = check(folder.path(), "python3 flawed.py sound", &["--html", file]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{file}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

fn last_line(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

/// What is wrong with the hand-ins, in turn.
const HANDED_IN: [(&str, &str); 10] = [
    ("sound", ""),
    ("counts-from-1", "legal-moves"),
    ("prints-a-tuple", "format"),
    ("sound", ""),
    ("ends-with-a-blank", "newline"),
    ("waits-for-a-greeting", "begins"),
    ("exits-when-swapped", "swapped"),
    ("index-error", "runs-on"),
    ("leaves-debug-prints-in", "only-moves"),
    ("needs-a-book", "files"),
];

/// A professor's loop over a folder of hand-ins.
const LOOP: &str = r#"
for folder in handins/*; do
    arbitro check "$(basename "$folder")=$folder/bot" --quick --quiet --size 5 >report
    code=$?
    echo "$code $(tail -1 report)"
done
"#;

#[test]
fn one_loop_grades_forty_hand_ins() {
    let place = tempfile::tempdir().unwrap();
    let handins: Vec<(String, &str)> =
        (0..40).map(|number| (format!("aluno{number:02}"), HANDED_IN[number % HANDED_IN.len()].1)).collect();
    for (number, (name, _)) in handins.iter().enumerate() {
        let folder = place.path().join("handins").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::copy(bots::source("flawed.py"), folder.join("flawed.py")).unwrap();
        let flaw = HANDED_IN[number % HANDED_IN.len()].0;
        bots::file(&folder, "bot", format!("#!/bin/sh\nexec python3 flawed.py {flaw} \"$@\"\n"), 0o755);
    }
    let path = std::env::join_paths(
        program()
            .parent()
            .map(Path::to_owned)
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = Command::new("sh")
        .args(["-c", LOOP])
        .current_dir(place.path())
        .env("PATH", path.unwrap())
        .output()
        .unwrap();
    let text = stdout(&output);
    println!("{text}");
    assert_eq!(text.lines().count(), 40, "{text}{}", stderr(&output));
    for (line, (name, fault)) in text.lines().zip(&handins) {
        let is_sound = fault.is_empty();
        assert!(line.starts_with(&format!("{} check: {name}: ", i32::from(!is_sound))), "{line}");
        let count = if is_sound { ", 0 faults, " } else { ", 1 fault, " };
        assert!(line.contains(count), "{line}");
        assert!(is_sound || line.ends_with(&format!(" not tried: {fault}")), "{line}");
    }
}

/// A folder with the zoo's Python bot in it.
fn with_python() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(bots::source("flawed.py"), folder.path().join("flawed.py")).unwrap();
    folder
}

#[test]
fn only_some_tests_can_be_asked_for() {
    let folder = with_python();
    let output =
        check(folder.path(), "python3 flawed.py sound", &["--size", "5", "--only", "newline,swapped"]);
    assert_eq!(
        last_line(&output),
        "check: flawed: 2 passed, 0 faults, 0 advice, 0 not tried",
        "{}",
        stderr(&output)
    );
    let output =
        check(folder.path(), "python3 flawed.py prints-a-tuple", &["--size", "5", "--only", "swapped"]);
    assert_eq!(last_line(&output), "check: flawed: 0 passed, 1 fault, 0 advice, 1 not tried: format");
    let output = check(folder.path(), "", &[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let output = check(folder.path(), "./nothing", &["--only", "swapped"]);
    assert_eq!(last_line(&output), "check: nothing: 0 passed, 1 fault, 0 advice, 1 not tried: starts");
    let output = check(folder.path(), "python3 flawed.py sound", &["--only", "newlin"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean newline?"), "{}", stderr(&output));
    let output = check(folder.path(), "python3 flawed.py sound", &["--list", "--game", "xinez"]);
    assert!(stdout(&output).contains("\nothers-leave   goes on when another player leaves\n"));
    assert!(!stdout(&output).contains("swapped"));
}

#[test]
fn a_finding_shows_the_bytes_the_reason_and_the_cure_in_the_bots_language() {
    let folder = with_python();
    let options = ["--size", "5", "--quick", "--html", "page.html"];
    let output = check(folder.path(), "python3 flawed.py ends-with-a-blank", &options);
    let text = stdout(&output);
    for words in [
        "FAULT  newline        ends each move with a newline",
        "python3 flawed.py ends-with-a-blank b",
        "end every move with a newline",
        "          print(row, col, flush=True)",
        "$ python3 flawed.py",
        "arbitro closes stdin",
        "< 4␠2␠\n",
        "not tried, since 'newline' has to be mended first",
    ] {
        assert!(text.contains(words), "'{words}' is missing in:\n{text}");
    }
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    let said = page.replace(r#"<span class="blank" role="img" aria-label="blank">␠</span>"#, "␠");
    assert!(said != page && said.contains("4␠2␠"), "{page}");
    assert!(page.contains("print(row, col, flush=True)"), "{page}");
    assert!(!page.contains("<script"));
}

#[test]
fn a_bot_that_takes_its_time_is_told_how_long_all_of_it_will_take() {
    let folder = with_python();
    let mut child = common::interruptible(program())
        .args(["check", "python3 flawed.py two-seconds-a-move"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    let line = lines.by_ref().map(Result::unwrap).find(|line| line.contains("--quick"));
    let line = line.expect("it says how long it takes");
    assert!(line.contains("a move takes it ") && line.contains(" minutes"), "{line}");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
}

#[test]
fn a_duel_that_was_lost_says_what_to_do_next() {
    let folder = with_python();
    let duel = |flaw: &str, opponent: &str| {
        let bot = format!("python3 flawed.py {flaw}");
        let options = ["--games", "2", "--size", "7", "--quiet", "--keep-failing", "--out"];
        let output =
            common::arbitro(folder.path(), &[&["duel", &bot, opponent][..], &options, &[flaw]].concat());
        stderr(&output)
    };
    let said = duel("counts-from-1", "@random");
    let next = "next: to see what is wrong with flawed:\n    arbitro check 'python3 flawed.py counts-from-1' --size 7\n";
    assert!(said.contains(next), "{said}");
    let said = duel("sound", "@greedy");
    let next = "next: to see how flawed lost, open sound/report.html, or\n    arbitro replay sound --bot flawed --lost\n";
    assert!(said.contains(next), "{said}");
}
