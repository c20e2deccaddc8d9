//! From a folder of hand-ins, as a course's web site gives it, to a championship: `arbitro build` and what it writes.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{csv, eventually, program, stderr, stdout};
use serde_json::Value;

/// A folder of hand-ins, and one to build into.
struct Course {
    folder: tempfile::TempDir,
}

impl Course {
    fn new() -> Course {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("handins")).unwrap();
        Course { folder }
    }

    /// The forty hand-ins that the script makes, and what should come of each.
    fn of_forty() -> (Course, BTreeMap<String, (String, String)>) {
        let course = Course { folder: tempfile::tempdir().unwrap() };
        let expected = course.script(&[]);
        (course, serde_json::from_str(&expected).unwrap())
    }

    fn script(&self, arguments: &[&str]) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/handins/make.py");
        let made = Command::new("python3").arg(script).arg(self.handins()).args(arguments).output().unwrap();
        assert!(made.status.success(), "{}", stderr(&made));
        stdout(&made)
    }

    fn handins(&self) -> PathBuf {
        self.folder.path().join("handins")
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("built")
    }

    /// Puts a file into the folder of hand-ins.
    fn file(&self, name: &str, text: &str) -> &Course {
        let path = self.handins().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn arbitro(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(program());
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.output().unwrap()
    }

    /// What is built where this is the path on which tools are looked for.
    fn built_with_path(&self, path: &str) -> Value {
        let mut command = Command::new(program());
        command.args(["build", "handins", "--out", "built", "--json", "--quiet"]).env("PATH", path);
        let output = command.current_dir(self.folder.path()).stdin(Stdio::null()).output().unwrap();
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    }

    fn build(&self, options: &[&str]) -> Output {
        self.arbitro(&[&["build", "handins", "--out", "built"], options].concat())
    }

    /// What came of each hand-in, and all of the result.
    fn built(&self, options: &[&str]) -> (BTreeMap<String, Value>, Value) {
        let output = self.build(&[&["--json", "--quiet"], options].concat());
        let result: Value =
            serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        let handins = result["handins"].as_array().unwrap().iter();
        let by_name = handins.map(|one| (one["name"].as_str().unwrap().to_owned(), one.clone())).collect();
        (by_name, result)
    }
}

/// The kind of an outcome, and its words.
fn outcome(built: &Value) -> (&'static str, String) {
    let kinds = [
        ("warnings", "warnings"),
        ("failed", "failed"),
        ("nothing-found", "nothing"),
        ("refused", "refused"),
    ];
    let outcome = &built["outcome"];
    let found = kinds.iter().find(|(key, _)| outcome.get(key).is_some());
    match found {
        Some((key, kind)) => (kind, outcome[key].as_str().unwrap_or_default().to_owned()),
        None => ("built", built["test"]["failure"].as_str().unwrap_or_default().to_owned()),
    }
}

const PLAYS: &str = "import sys\nfree = [(r, c) for r in range(14) for c in range(14)]\n\
    def move():\n    r, c = free.pop(0)\n    print(r, c, flush=True)\n\
    if sys.argv[1] == 'b':\n    move()\n\
    for line in sys.stdin:\n    cell = tuple(map(int, line.split()))\n    \
    if cell in free:\n        free.remove(cell)\n    if free:\n        move()\n";

#[test]
#[ignore = "takes most of a minute"]
fn forty_hand_ins_become_a_championship_in_which_nobody_is_lost() {
    let (course, expected) = Course::of_forty();
    assert!(expected.len() >= 38, "{} hand-ins", expected.len());
    // Enough for compilers that run beside a build which takes all of the machine.
    let (built, result) = course.built(&["--build-time", "40"]);
    for (name, (kind, words)) in &expected {
        let one = built.get(name).unwrap_or_else(|| panic!("{name} is lost: {:?}", built.keys()));
        let (found, why) = outcome(one);
        assert_eq!(found, kind, "{name}: {one}");
        assert!(why.contains(words.as_str()), "{name}: {words} is not in: {why}");
    }
    assert_eq!(built.len(), expected.len(), "{:?}", built.keys());
    assert!(!Path::new("/tmp/arbitro-was-here").exists() && !course.folder.path().join("evil.py").exists());
    // Renamed variables and another layout hide no copy, and nobody else is listed.
    let alike: Vec<_> =
        result["alike"].as_array().unwrap().iter().map(|pair| (&pair["one"], &pair["other"])).collect();
    assert_eq!(alike.len(), 1, "{alike:?}");
    let mut names = [alike[0].0.as_str().unwrap(), alike[0].1.as_str().unwrap()];
    names.sort_unstable();
    assert_eq!(names, ["Ana Silva-2", "Carla Souza"]);

    // Only what has changed is built again.
    course.script(&["change"]);
    let (again, result) = course.built(&["--build-time", "40"]);
    assert_eq!(result["built_now"], 3, "{result}");
    assert_eq!(outcome(&again["Olga"]).0, "built");

    let played = course.arbitro(&[
        "championship",
        "--config",
        "built/championship.toml",
        "--format",
        "swiss",
        "--rounds",
        "1",
        "--quiet",
        "--time",
        "20",
        "--out",
        "played",
    ]);
    assert!(played.status.success(), "{}", stderr(&played));
    let standings = csv(&course.folder.path().join("played/standings.csv"));
    let bot = standings[0].iter().position(|column| column == "bot").unwrap();
    let in_table: Vec<&str> = standings.iter().map(|row| row[bot].as_str()).collect();
    for name in again.keys() {
        assert!(in_table.contains(&name.as_str()), "{name} is not in the table: {in_table:?}");
        assert!(stdout(&played).contains(name.as_str()), "{name} is not printed");
    }
}

#[test]
fn settings_of_the_professor_stay_and_bots_are_written_anew() {
    let course = Course::new();
    course.file("Ana Silva/main.py", PLAYS).file("Beto/x.c", "int main(void) { return 0 }\n");
    assert!(course.build(&["--size", "14"]).status.success());
    let path = course.out().join("championship.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("size = 14", "size = 14 # as in class\nrounds = 3")).unwrap();
    course.file("Caio/main.py", &PLAYS.replace("pop(0)", "pop()"));
    let again = course.build(&[]);
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(stdout(&again).contains("1 built now, 2 unchanged"), "{}", stdout(&again));
    let text = fs::read_to_string(&path).unwrap();
    for words in ["size = 14 # as in class", "rounds = 3", "name = \"Caio\"", "[[left_out]]", "x.c line 1"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // A clock stands above the mark, as the example in a new file shows it, and nowhere below.
    let clocked = text.replace("# [terms]\n# time = 60\n", "[terms]\ntime = 60\n");
    assert_ne!(clocked, text);
    fs::write(&path, &clocked).unwrap();
    assert!(course.build(&["--quiet"]).status.success());
    let below = format!("{text}\n[terms]\ntime = 60\n");
    fs::write(&path, &below).unwrap();
    let refused = course.build(&["--quiet"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("has [terms] below the line that begins with '# The bots.'"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), below, "nothing is lost");
    fs::write(&path, &clocked).unwrap();
    let other = course.build(&["--game", "rhex"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("has another game or board; change it there"), "{}", stderr(&other));
    fs::remove_dir_all(course.handins().join("Beto")).unwrap();
    assert!(course.build(&["--quiet"]).status.success());
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("Beto") && text.contains("[terms]\ntime = 60\n"), "{text}");

    // Whoever gives what was built in another way hears the right one.
    fs::rename(course.out(), course.folder.path().join("my built")).unwrap();
    for arguments in [
        &["my built"][..],
        &["my built/championship.toml"],
        &["--resume", "my built"],
        &["--resume", "my built", "--dry-run"],
    ] {
        let refused = course.arbitro(&[&["championship"], arguments].concat());
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        let words = "was built from hand-ins; play it with: arbitro championship --config 'my built/championship.toml'";
        assert!(stderr(&refused).contains(words), "{arguments:?}: {}", stderr(&refused));
    }
    fs::copy(course.folder.path().join("my built/championship.toml"), course.folder.path().join("x.toml"))
        .unwrap();
    let refused = course.arbitro(&["championship", "x.toml"]);
    assert!(
        stderr(&refused).contains("play it with: arbitro championship --config x.toml"),
        "{}",
        stderr(&refused)
    );
}

/// Once, somebody who had been taken from the folder was gone from the championship without a word; and a bot's folder with other files
/// in it than were built from the hand-in was called unchanged.
#[test]
fn what_is_gone_and_what_was_altered_by_hand_is_said_once() {
    let course = Course::new();
    course.file("Ana/main.py", PLAYS).file("Beto Reis/main.py", &PLAYS.replace("pop(0)", "pop()"));
    course.file("Caio/x.txt", "x");
    let first = course.build(&[]);
    assert!(stdout(&first).contains("3 hand-ins: 2 built, 1 without a program\n"), "{}", stdout(&first));
    fs::remove_dir_all(course.handins().join("Beto Reis")).unwrap();
    fs::remove_dir_all(course.handins().join("Caio")).unwrap();
    let told = "no longer among the hand-ins: Beto Reis, Caio\n";
    assert!(stdout(&course.build(&[])).contains(told));
    assert!(!stdout(&course.build(&[])).contains("no longer"), "once is enough");

    let bot = course.out().join("bots/Ana/main.py");
    fs::create_dir(bot.with_file_name("__pycache__")).unwrap();
    fs::write(bot.with_file_name("__pycache__").join("main.pyc"), "x").unwrap();
    assert!(stdout(&course.build(&[])).contains("0 built now, 1 unchanged"), "Python leaves that behind");
    fs::write(&bot, PLAYS.replace("pop(0)", "pop(7)")).unwrap();
    let again = course.build(&[]);
    let told = "the bot of Ana is not what was built: it is built again from the hand-in";
    assert!(stderr(&again).contains(told), "{}", stderr(&again));
    assert!(stdout(&again).contains("1 hand-in: 1 built\n"), "{}", stdout(&again));
    assert_eq!(fs::read_to_string(&bot).unwrap(), PLAYS);
    assert!(stdout(&course.build(&[])).contains("0 built now, 1 unchanged"));
}

/// Once, a file's name could look like a line about two others, and reached the tables with the letters that turn text around.
#[test]
fn names_of_files_make_no_lines_and_turn_no_text_around() {
    let course = Course::new();
    let random = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hex/random.py");
    let random = fs::read_to_string(random).unwrap();
    let forged =
        "alike: Ana and Beto: 98 % of the smaller program's code is alike, most of it random.py 1–99.py";
    course.file("Dina/bot.py", &random).file(&format!("Eva/x.{} {forged}", "y".repeat(93)), &random);
    course.file("Ana/abc\u{202e}gnp.java", "class x{}").file("Beto/bot\u{202e}gnp.py", PLAYS);
    let output = course.build(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let table = stdout(&output);
    let alike: Vec<&str> = table.lines().filter(|line| line.starts_with("alike: ")).collect();
    assert_eq!(alike.len(), 1, "{table}");
    assert!(alike[0].starts_with("alike: Dina and Eva: 100 %"), "{table}");
    let played = course.arbitro(&[
        "championship",
        "--config",
        "built/championship.toml",
        "--time",
        "20",
        "--format",
        "swiss",
        "--rounds",
        "1",
        "--out",
        "played",
        "--quiet",
    ]);
    assert!(played.status.success(), "{}", stderr(&played));
    let standings = csv(&course.folder.path().join("played/standings.csv"));
    assert!(standings.iter().any(|row| row.iter().any(|cell| cell.contains("abc\\u{202e}gnp.java"))));
    for file in [
        "built/championship.toml",
        "built/hand-ins.csv",
        "built/hand-ins.jsonl",
        "played/championship.toml",
        "played/standings.csv",
        "played/report.html",
    ] {
        let text = fs::read_to_string(course.folder.path().join(file)).unwrap();
        let command = file == "built/hand-ins.jsonl";
        let text = if command { text.replace("\"command\":\"python3 bot\u{202e}gnp.py\"", "") } else { text };
        assert!(!text.contains('\u{202e}'), "{file}");
    }
}

/// Once, the professor's folder stood in the reason, and the system's words and number; and the bot was counted twice.
#[test]
fn a_damaged_program_is_called_so_and_counted_once() {
    let course = Course::new();
    let mut program = fs::read("/bin/true").unwrap();
    // The size of an entry of the table of segments: the system takes one only.
    program[54] += 1;
    fs::create_dir(course.handins().join("Ana")).unwrap();
    let path = course.handins().join("Ana/bot");
    fs::write(&path, program).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    course.file("Beto/main.py", PLAYS);
    let output = course.build(&[]);
    let told = "2 hand-ins: 1 built, 1 built and failing the test\n";
    assert!(stdout(&output).contains(told), "{}", stdout(&output));
    let (built, _) = course.built(&[]);
    let (kind, failure) = outcome(&built["Ana"]);
    assert_eq!(kind, "built");
    let told = "it was not started: 'bot' is a damaged program, which the system cannot load; build it or copy it again";
    assert!(failure.ends_with(told), "{failure}");
}

#[test]
fn two_hand_ins_of_one_name_and_lines_about_nobody_are_pointed_out() {
    let course = Course::new();
    course.file("Ana_1_assignsubmission_file_/x.txt", "x").file("Ana_2_assignsubmission_file_/y.txt", "y");
    course.file("Beto_3_assignsubmission_file_/z.txt", "z");
    // With a letter of Cyrillic, and without capitals.
    course
        .file("Eva_4_assignsubmission_file_/z.txt", "z")
        .file("ev\u{430}_5_assignsubmission_file_/z.txt", "z");
    fs::write(course.folder.path().join("names.csv"), "file;name\n3;Beto Reis\n99999;Ninguem\nx.zip;Eva\n")
        .unwrap();
    let output = course.build(&["--names", "names.csv"]);
    let warned = "in 'names.csv' line 3 ('99999'), line 4 ('x.zip') fit no hand-in";
    assert!(stderr(&output).contains(warned), "{}", stderr(&output));
    let table = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    let words = "claim one name; look whose they are: 'Ana' (Ana_1_assignsubmission_file_) and 'Ana-2' (Ana_2_assignsubmission_file_)";
    assert!(table.contains(words), "{table}");
    let words =
        "names look alike; look whose they are: 'Eva' (Eva_4_assignsubmission_file_) and 'ev\u{430}' (ev";
    assert!(table.contains(words), "{table}");
}

#[test]
fn a_file_of_choices_says_how_a_hand_in_is_built() {
    let course = Course::new();
    let other = PLAYS.replace("free.pop(0)", "free.pop(len(free) // 2)");
    course
        .file("Ana/a.py", PLAYS)
        .file("Ana/b.py", &other)
        .file("Beto/bot.py", PLAYS)
        .file("Caio/bot.py", PLAYS);
    fs::write(
        course.folder.path().join("choices.toml"),
        "[[handins]]\nname = \"Ana\"\nmain = \"b.py\"\n[[handins]]\nname = \"Caio\"\nskip = true\n\
         [[handins]]\nname = \"Beto\"\nbuild = \"cp bot.py made.py\"\ncommand = \"python3 made.py\"\n",
    )
    .unwrap();
    let (built, _) = course.built(&["--choices", "choices.toml"]);
    assert_eq!(built.keys().collect::<Vec<_>>(), ["Ana", "Beto"]);
    assert!(built["Ana"]["command"].as_str().unwrap().ends_with("b.py"), "{}", built["Ana"]);
    assert_eq!(built["Beto"]["command"], "python3 made.py");
    assert_eq!(outcome(&built["Beto"]), ("built", String::new()));
    // Nothing has changed, until the choice does.
    let (_, result) = course.built(&["--choices", "choices.toml"]);
    assert_eq!(result["built_now"], 0);
    let (built, result) = course.built(&[]);
    assert_eq!(result["built_now"], 3, "Ana and Beto are built another way, and Caio is back");
    assert_eq!(built.len(), 3);
    for (text, words) in [
        ("[[handins]]\nname = \"Nobody\"\n", "names 'Nobody', and there is no such hand-in"),
        (
            "[[handins]]\nname = \"Ana\"\nmian = \"b.py\"\n",
            "'choices.toml' line 3: there is no 'mian' in a choice; did you mean main?",
        ),
        (
            "[[bots]]\nname = \"Ana\"\n",
            "line 1: 'bots' cannot stand here; write [[handins]] for each hand-in",
        ),
    ] {
        fs::write(course.folder.path().join("choices.toml"), text).unwrap();
        let refused = course.build(&["--choices", "choices.toml"]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(words), "{}", stderr(&refused));
    }
}

#[test]
#[ignore = "takes half a minute"]
fn bots_are_examined_where_that_is_asked_for() {
    let course = Course::new();
    course
        .file("Ana/main.py", PLAYS)
        .file("Beto/main.py", &PLAYS.replace("print(r, c,", "print(f'{r},{c}',"));
    let (built, _) = course.built(&[]);
    assert!(built["Ana"]["test"].get("check").is_none());
    // Nothing is built again for it.
    let (built, result) = course.built(&["--check"]);
    assert_eq!(result["built_now"], 0);
    let check = |name: &str| built[name]["test"]["check"].as_str().unwrap().to_owned();
    assert!(check("Ana").contains(" passed, ") && !check("Ana").contains("format"), "{}", check("Ana"));
    assert!(check("Beto").ends_with(": format"), "{}", check("Beto"));
    let found = fs::read_to_string(course.out().join("checks/Beto.txt")).unwrap();
    assert!(found.contains("FAULT  format") && found.contains("print("), "{found}");
    let table = fs::read_to_string(course.out().join("hand-ins.csv")).unwrap();
    assert!(table.contains(",check,") && table.contains(&check("Beto")), "{table}");

    let played = course.arbitro(&[
        "championship",
        "Ana=python3 built/bots/Ana/main.py",
        "@random",
        "--check",
        "--out",
        "played",
        "--time",
        "5",
    ]);
    assert!(played.status.success(), "{}", stderr(&played));
    assert!(
        stderr(&played).contains("what was found about each bot is in played/checks"),
        "{}",
        stderr(&played)
    );
    assert!(course.folder.path().join("played/checks/Ana.txt").exists());
}

/// Once, what failed for want of a tool was built again each time, and counted as changed.
#[test]
fn what_lacked_a_tool_is_built_once_the_tool_is_there() {
    let course = Course::new();
    course.file("Ana/main.py", PLAYS).file("Ana/Makefile", "all:\n\t@true\n").file("Beto/x.txt", "x\n");
    let nowhere = course.folder.path().join("no tools").display().to_string();
    let ana = |result: &Value| (result["built_now"].clone(), outcome(&result["handins"][0]));
    let (built_now, (kind, words)) = ana(&course.built_with_path(&nowhere));
    assert_eq!((built_now, kind), (2.into(), "failed"));
    assert_eq!(words, "needs make, which is not installed here: apt install make");
    assert_eq!(ana(&course.built_with_path(&nowhere)), (0.into(), ("failed", words)), "nothing has changed");
    let path = std::env::var("PATH").unwrap();
    assert_eq!(ana(&course.built_with_path(&path)), (1.into(), ("built", String::new())));
    assert_eq!(ana(&course.built_with_path(&nowhere)).0, 0, "it is built");
}

#[test]
fn wrong_folders_are_refused_in_words() {
    let course = Course::new();
    let refused = |arguments: &[&str], words: &str| {
        let output = course.arbitro(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    };
    refused(&["build", "handins"], "there are no hand-ins in 'handins'");
    refused(&["build", "nothing"], "there is no folder 'nothing'");
    course.file("Ana/main.py", PLAYS);
    refused(&["build", "handins/Ana/main.py"], "is a file");
    refused(&["build", "handins", "--out", "handins/out"], "lie in one another");
    refused(&["build", "handins", "--out", "."], "lie in one another");
    fs::create_dir(course.folder.path().join("other")).unwrap();
    fs::write(course.folder.path().join("other/thesis.tex"), "x").unwrap();
    refused(&["build", "handins", "--out", "other"], "holds something else");
    refused(&["build", "handins", "--out", "other/thesis.tex"], "--out 'other/thesis.tex' is a file");
    refused(&["build", "handins", "--template", "none"], "--template 'none' is not a folder");
    refused(&["build", "handins", "--names", "none.csv"], "none.csv");
    assert!(!course.out().exists() && !course.folder.path().join("built").exists());
}

/// Once, xz passed over the zeros of a bomb for half a minute, since they took no room, and the archive was called damaged.
#[test]
fn a_bomb_for_an_outside_tool_is_called_too_large() {
    let course = Course::new();
    course.file("Beto/main.py", PLAYS);
    // Ten gigabytes, in streams one behind the other.
    let bomb =
        "import lzma, sys\nopen(sys.argv[1], 'wb').write(lzma.compress(bytes(64 << 20), preset=0) * 160)";
    let made = Command::new("python3").args(["-c", bomb]).arg(course.handins().join("Ana.tar.xz")).status();
    if !made.unwrap().success() || Command::new("xz").arg("--version").output().is_err() {
        return eprintln!("skipped: there is no xz here");
    }
    let (built, _) = course.built(&["--unpack-limit", "32M"]);
    let refused = "'Ana.tar.xz' holds more than 32M; --unpack-limit allows more";
    assert_eq!(outcome(&built["Ana"]), ("refused", refused.to_owned()));
    assert_eq!(outcome(&built["Beto"]).0, "built");
}

#[test]
fn what_was_built_survives_being_killed() {
    let course = Course::new();
    course.file("Ana/main.py", PLAYS).file("Beto/Makefile", "all:\n\tsleep 1000\n");
    let mut child = Command::new(program())
        .args(["build", "handins", "--out", "built", "--jobs", "1"])
        .current_dir(course.folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually("Ana is built", || {
        fs::read_to_string(course.out().join("hand-ins.jsonl")).is_ok_and(|text| text.contains("\"Ana\""))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let (built, result) = course.built(&["--build-time", "1"]);
    assert_eq!(result["built_now"], 1, "Ana was built before");
    assert_eq!(outcome(&built["Beto"]).0, "failed");
    let left = fs::read_dir(course.out().join("bots")).unwrap().count();
    assert_eq!(left, 1, "nothing unfinished is left");
}

/// Once, both held up the championship, with ways to go on that did something else.
#[test]
fn who_mends_a_program_joins_and_who_breaks_it_plays_on_with_the_old_one() {
    let course = Course::new();
    let plays = PLAYS.replace("14", "4");
    let broken = "if print(1)\n";
    course.file("Ana/main.py", &plays).file("Beto/main.py", &plays.replace("pop(0)", "pop()"));
    course.file("Caio/main.py", broken);
    assert!(course.build(&["--size", "4", "--quiet"]).status.success());
    let played = |more: &[&str]| {
        let command = ["championship", "--config", "built/championship.toml", "--out", "played", "--quiet"];
        let output = course.arbitro(&[&command, more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output) + &stderr(&output)
    };
    let told = played(&[]);
    assert!(told.contains("2 of 2 games") && told.contains("left out: Caio: was not built: main.py line 1"));

    course.file("Ana/main.py", broken).file("Caio/main.py", &plays.replace("pop(0)", "pop(len(free) // 2)"));
    assert!(course.build(&["--quiet"]).status.success());
    let told = played(&[]);
    assert!(told.contains("bot Ana has no new program: was not built: main.py line 1"), "{told}");
    assert!(told.contains("its old one plays on, unless it leaves (--withdraw)"), "{told}");
    assert!(told.contains("6 of 6 games") && !told.contains("left out"), "{told}");

    let told = played(&["--withdraw", "Ana"]);
    assert!(told.contains("left out: Ana: withdrawn\n2 of 2 games"), "{told}");
    let told = played(&[]);
    assert!(
        told.contains("left out: Ana: withdrawn\n2 of 2 games"),
        "who has left does not come back: {told}"
    );
}

/// Once, one that sleeps for ever passed its test.
#[test]
fn who_makes_no_move_in_the_test_has_not_passed_and_still_plays() {
    let course = Course::new();
    course.file("Ana/main.py", "import time\nwhile True:\n    time.sleep(1)\n");
    course.file("Beto/main.py", PLAYS);
    let output = course.build(&["--quiet"]);
    let told = stdout(&output);
    assert!(output.status.success() && told.contains("2 hand-ins: 2 built\n"), "{told}");
    assert!(told.contains("it made no move within 5 s of the test"), "{told}");
    let table = csv(&course.out().join("hand-ins.csv"));
    let column = table[0].iter().position(|title| title == "test").unwrap();
    let tests: Vec<&str> = table[1..].iter().map(|row| row[column].as_str()).collect();
    assert_eq!(tests, ["made no move within 5 s of the test", "passed"]);
    let file = fs::read_to_string(course.out().join("championship.toml")).unwrap();
    assert!(file.contains("name = \"Ana\"") && !file.contains("left_out"), "slow is not left out: {file}");
    // It is not tested once more, and told again.
    assert!(stdout(&course.build(&["--quiet"])).contains("it made no move within 5 s of the test"));
}

/// The commands of the page about hand-ins work as they stand.
#[test]
fn what_the_page_about_hand_ins_shows_works() {
    let course = Course::new();
    course.file("Ana Silva/src/hex.py", PLAYS).file("Beto Reis/main.py", &PLAYS.replace("pop(0)", "pop()"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/handins.md");
    let text = fs::read_to_string(page).unwrap();
    let commands = text.split("```sh\n").skip(1).flat_map(|rest| rest.split("```").next().unwrap().lines());
    let mut shown = 0;
    for command in commands {
        let words = shell_words::split(command).unwrap();
        let arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let output = course.arbitro(&arguments);
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        shown += 1;
    }
    assert_eq!(shown, 2);
}
