//! What a professor tells a class after a championship: everybody is in the table, who plays alike is listed, and each student gets her own games
//! and nothing of anybody else.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use common::{all_texts, interruptible, journal, program};
use serde_json::Value;
use tempfile::TempDir;

/// A class whose professor has a home directory with a name that nobody else should read.
struct Class {
    place: TempDir,
}

const PROFESSOR: &str = "professora-rosalina";

impl Class {
    fn new() -> Class {
        let class = Class { place: tempfile::tempdir().unwrap() };
        fs::create_dir_all(class.home().join("handins")).unwrap();
        class
    }

    fn home(&self) -> PathBuf {
        self.place.path().join("home").join(PROFESSOR)
    }

    fn out(&self) -> PathBuf {
        self.home().join("results/2026")
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.home().join(path)).unwrap()
    }

    /// Gives a student a bot in a folder of her own, and returns it as it stands on a command line.
    fn bot(&self, name: &str, order: &str, secret: &str) -> String {
        let folder = self.home().join("handins").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/steady.py"), folder.join("main.py"))
            .unwrap();
        format!("{name}='{}' {order} {secret}", folder.join("main.py").display())
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = interruptible(program());
        command.args(arguments).current_dir(self.home()).env("HOME", self.home()).stdin(Stdio::null());
        command.output().unwrap()
    }

    /// Everything that is printed, by a command that does what it should.
    #[track_caller]
    fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {text}");
        text
    }

    #[track_caller]
    fn refuses(&self, arguments: &[&str], words: &str) {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && text.contains(words), "{arguments:?}: {text}");
    }

    #[track_caller]
    fn championship(&self, bots: &[&str], options: &[&str]) -> String {
        let fixed = [
            "--quiet",
            "--no-sandbox",
            "--size",
            "5",
            "--time",
            "20",
            "--seed",
            "7",
            "--out",
            "results/2026",
        ];
        self.says(&[&["championship"], bots, options, &fixed[..]].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_slice(&self.run(&[arguments, &["--json"]].concat()).stdout).unwrap()
    }

    /// All files below a folder with all that can be read in them.
    fn texts(&self, folder: &str) -> BTreeMap<PathBuf, String> {
        fn collect(folder: &Path, texts: &mut BTreeMap<PathBuf, String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, texts);
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                let is_page = path.extension().is_some_and(|extension| extension == "html");
                texts.insert(path, if is_page { all_texts(&text) } else { text });
            }
        }
        let mut texts = BTreeMap::new();
        collect(&self.home().join(folder), &mut texts);
        texts
    }
}

/// Once, who failed the test was missing in the tables, and what it wrote was lost.
#[test]
fn who_is_left_out_stands_at_the_end_of_every_table_until_the_bot_is_mended() {
    let class = Class::new();
    let [ana, beto, rui] = [("ana", "columns"), ("beto", "rows"), ("Rui Dias", "dead")]
        .map(|(name, order)| class.bot(name, order, "xis"));
    let config = format!(
        "[[left_out]]\nname = \"Zoe\"\nreason = \"it does not compile: {}/zoe2.c:3: error\"\n",
        class.home().display()
    );
    fs::write(class.home().join("c.toml"), config).unwrap();
    let said = class.championship(&[&ana, &beto, &rui], &["--config", "c.toml"]);
    let log = "results/2026/logs/test-Rui Dias.stderr";
    assert!(said.contains("left out: Rui Dias: started with 'b', it exited with code 1"), "{said}");
    assert!(said.contains(&format!("its stderr is in {log}")), "{said}");
    assert!(said.contains("left out: Zoe: it does not compile"), "{said}");
    assert!(class.read(log).contains("KeyError: 'xis'"));

    let at_the_end = |names: &[&str]| {
        let table = class.read("results/2026/standings.csv");
        let rows: Vec<&str> = table.lines().skip(1).collect();
        assert_eq!(rows.len(), 2 + names.len(), "{table}");
        for (row, name) in rows[2..].iter().zip(names) {
            assert!(row.starts_with(&format!(",{name},")), "{table}");
        }
        let page = class.read("results/2026/report.html");
        let standings = page.split_once("id=\"crosstable\"").unwrap().0;
        let places = names.iter().map(|name| standings.rfind(&format!("<bdi>{name}</bdi></b> ")).unwrap());
        assert!(places.is_sorted() && page.contains("it does not compile: zoe2.c:3: error"));
        assert!(!page.contains(PROFESSOR));
    };
    at_the_end(&["Rui Dias", "Zoe"]);
    let json = class.json(&["report", "results/2026"]);
    assert_eq!(json["left_out"][0]["bot"], "Rui Dias");
    assert_eq!(json["left_out"][0]["stderr"], log);
    assert!(json["left_out"][1]["stderr"].is_null());

    // Going on and computing anew change nothing, even where the file of one that was left out is gone.
    fs::rename(class.home().join("handins/Rui Dias"), class.home().join("away")).unwrap();
    let said = class.says(&["championship", "--resume", "results/2026", "--quiet", "--no-sandbox"]);
    assert!(said.contains("left out: Rui Dias") && said.contains("2 of 2 games"), "{said}");
    at_the_end(&["Rui Dias", "Zoe"]);
    fs::rename(class.home().join("away"), class.home().join("handins/Rui Dias")).unwrap();

    // What it wrote is in the report if that is asked for, and invented names hide everything that tells who it is.
    class.says(&["report", "results/2026", "--with-stderr"]);
    assert!(class.read("results/2026/report.html").contains("KeyError: &#39;xis&#39;"));
    class.says(&["report", "results/2026", "--pseudonyms", "--out", "public.html"]);
    let public = all_texts(&class.read("public.html"));
    for name in ["Rui", "Dias", "Zoe", "zoe", PROFESSOR] {
        assert!(!public.contains(name), "{name}");
    }
    assert!(public.contains("the reason is not told here"));

    let mended = class.bot("Rui Dias", "diagonal", "xis");
    let said = class.championship(&[&ana, &beto, &mended], &["--config", "c.toml", "--accept-changes"]);
    assert!(!said.contains("left out: Rui") && said.contains("6 of 6 games"), "{said}");
    let table = class.read("results/2026/standings.csv");
    assert!(table.lines().count() == 5 && table.lines().last().unwrap().starts_with(",Zoe,"), "{table}");
    assert!(!class.home().join(log).exists(), "the log of a test that does not count any more");
}

/// Once, 48 equal games of a copy were not reported.
#[test]
fn a_copy_is_listed_with_figures_and_honest_bots_are_not() {
    let class = Class::new();
    let bots = [
        ("ana", "columns"),
        ("copy", "columns"),
        ("beto", "rows"),
        ("caio", "diagonal"),
        ("dora", "knights"),
        ("eva", "last"),
    ];
    // The copy is another program by its files: its secret is in its command only.
    let mut bots: Vec<String> = bots.map(|(name, order)| class.bot(name, order, name)).into();
    let copy = class.home().join("handins/copy/main.py");
    fs::write(&copy, fs::read_to_string(&copy).unwrap() + "# mine\n").unwrap();
    bots.extend(["@random".to_owned(), "again=@random".to_owned()]);
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    let said = class.championship(&bots, &[]);
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("alike in play")).collect();
    let [line] = lines[..] else { panic!("{said}") };
    assert!(
        line.starts_with("alike in play: ana and copy: 8 of 8 games against the same opponents are equal"),
        "{line}"
    );
    assert!(!line.contains("same files"), "{line}");

    let json = class.json(&["report", "results/2026"]);
    let pairs = json["equal_play"].as_array().unwrap();
    let [pair] = &pairs[..] else { panic!("{json}") };
    let figures = ["equal", "different", "untold"].map(|figure| pair[figure].as_u64().unwrap());
    // Against two that throw dice, there are four more games.
    assert_eq!((figures[0], figures[1], figures[2] <= 4), (8, 0, true), "{pair}");

    let page = || class.read("results/2026/report.html");
    assert!(!page().contains("alike in play"), "not where the class may read it");
    class.says(&["report", "results/2026", "--with-equal-play"]);
    assert!(page().contains("alike in play: ana and copy"));
}

#[test]
fn the_same_files_under_two_names_are_listed_however_few_games_there_are() {
    let class = Class::new();
    let bots = ["ana", "beto"].map(|name| class.bot(name, "columns", "x"));
    let crash = class.bot("caio", "crash", "x");
    let said = class.championship(&[&bots[0], &bots[1], &crash], &[]);
    assert!(said.contains("alike in play: ana and beto: 2 of 2 games against the same opponents"), "{said}");
    assert!(said.contains("; same files\n"), "{said}");
    assert!(
        !said.contains("caio and") && !said.contains("and caio"),
        "same files, but another command: {said}"
    );
}

#[test]
fn a_student_gets_all_that_is_hers_and_nothing_of_others() {
    let class = Class::new();
    let [ana, beto, caio] =
        [("Ana Silva", "crash", "ouro"), ("beto", "columns", "prata"), ("caio", "crash", "bronze")]
            .map(|(name, order, secret)| class.bot(name, order, secret));
    let own = class.home().join("handins/Ana Silva/main.py");
    fs::write(&own, fs::read_to_string(&own).unwrap() + "# another program\n").unwrap();
    class.championship(&[&ana, &beto, &caio, "@random"], &[]);
    let said = class.says(&["export", "results/2026", "--bot", "Ana Silva", "--out", "for-ana"]);
    assert!(said.contains("Ana Silva: 6 games → for-ana"), "{said}");

    let texts = class.texts("for-ana");
    let text = |name: &str| &texts[&class.home().join("for-ana").join(name)];
    let own: Vec<u64> = journal(&class.out())
        .iter()
        .filter(|game| game["seats"].as_array().unwrap().iter().any(|seat| seat["bot"] == "Ana Silva"))
        .map(|game| game["number"].as_u64().unwrap())
        .collect();
    assert_eq!(own.len(), 6);
    for number in &own {
        assert!(text(&format!("games/{number:04}.txt")).contains("Moves: ply, side, move, seconds"));
        assert!(text(&format!("games/{number:04}.sgf")).starts_with("(;FF[4]"));
        let log = text(&format!("logs/{number:04}.stderr"));
        assert!(log.contains("secret ouro file main.py"), "{log}");
    }
    assert!(
        text("README.txt").contains("Rank ") && text("README.txt").contains("RuntimeError: ouro in main.py")
    );
    assert!(text("report.html").contains("RuntimeError: ouro in main.py"), "why she lost is told");
    for (table, lines) in [("standings.csv", 2), ("crosstable.csv", 2), ("games.csv", 7)] {
        assert_eq!(text(table).lines().count(), lines, "{table}");
    }

    let identities = journal(&class.out());
    let identities = identities.iter().flat_map(|game| game["seats"].as_array().unwrap().clone());
    let others = identities
        .filter(|seat| seat["bot"] != "Ana Silva")
        .filter_map(|seat| seat["identity"].as_str().map(str::to_owned));
    let place = class.place.path().display().to_string();
    let mut hidden: Vec<String> = others.collect();
    hidden.extend([PROFESSOR, "prata", "bronze", "handins", "/tmp", "python3 "].map(str::to_owned));
    hidden.push(place);
    for (path, text) in &texts {
        let found = hidden.iter().find(|hidden| text.contains(hidden.as_str()));
        assert_eq!(found, None, "{}", path.display());
    }

    // She can look at what she lost without anything else.
    let listed = class.says(&["replay", "for-ana/games.jsonl", "--bot", "Ana Silva", "--lost"]);
    let lost = own.iter().filter(|number| listed.contains(&format!("{number:>4}  "))).count();
    assert!(lost > 0 && lost == listed.lines().count(), "{listed}");
}

/// Once, whoever was withdrawn was in no table, and her games were given to nobody.
#[test]
fn who_was_withdrawn_stands_at_the_end_of_every_table_and_keeps_her_games() {
    let class = Class::new();
    let [ana, beto, caio] =
        [("Ana Silva", "columns"), ("beto", "rows"), ("caio", "diagonal")].map(|(name, order)| {
            let bot = class.bot(name, order, "x");
            let own = class.home().join(format!("handins/{name}/main.py"));
            fs::write(&own, fs::read_to_string(&own).unwrap() + &format!("# {name}\n")).unwrap();
            bot
        });
    class.championship(&[&ana, &beto, &caio, "@random"], &[]);
    let resume = ["championship", "--resume", "results/2026", "--quiet", "--no-sandbox"];
    let withdraw = ["--withdraw", "Ana Silva", "--withdraw", "caio"];
    let said = class.says(&[&resume[..], &withdraw].concat());
    assert!(said.contains("left out: Ana Silva: withdrawn\n") && said.contains("2 of 2 games"), "{said}");
    let table = class.read("results/2026/standings.csv");
    let last: Vec<&str> = table.lines().skip(3).collect();
    assert_eq!(last, [",Ana Silva,,,,,,,,,withdrawn", ",caio,,,,,,,,,withdrawn"]);
    let page = class.read("results/2026/report.html");
    assert!(page.contains("<bdi>Ana Silva</bdi></b> withdrawn"));
    let json = class.json(&["report", "results/2026"]);
    assert_eq!(
        (&json["left_out"][0]["bot"], &json["left_out"][0]["reason"]),
        (&"Ana Silva".into(), &"withdrawn".into())
    );

    let said = class.says(&["export", "results/2026", "--all-bots", "--out", "all"]);
    assert!(said.contains("Ana Silva: 6 games, which do not count → all/Ana Silva"), "{said}");
    assert!(said.contains("beto: 2 games → all/beto"), "{said}");
    let readme = class.read("all/Ana Silva/README.txt");
    assert!(
        readme.contains("Ana Silva has no place in the table: withdrawn\nNone of these games counts.\n"),
        "{readme}"
    );
    assert_eq!(readme.matches(" (does not count), round 1: ").count(), 6, "{readme}");
    assert!(readme.contains("caio (b) – Ana Silva (p)"), "the games with others that left, too: {readme}");
    assert_eq!(class.read("all/Ana Silva/games.jsonl").lines().count(), 6);
    assert!(class.read("all/Ana Silva/standings.csv").ends_with("\n,Ana Silva,,,,,,,,,withdrawn\n"));
    let page = class.read("all/Ana Silva/report.html");
    assert!(page.contains("None of these games counts") && page.contains("<bdi>caio</bdi>"));
    assert!(!class.read("all/beto/README.txt").contains("Ana Silva"));

    // With an invented name it is the same.
    class.says(&["export", "results/2026", "--bot", "Ana Silva", "--pseudonyms", "--out", "hidden"]);
    let readme = class.read("hidden/README.txt");
    assert!(readme.contains("has no place in the table: withdrawn") && !readme.contains("Silva"), "{readme}");
    assert_eq!(class.read("hidden/games.jsonl").lines().count(), 6);
}

#[test]
fn each_student_has_a_folder_and_invented_names_are_those_of_the_report() {
    let class = Class::new();
    let [ana, beto, rui] = [("Ana Silva", "crash"), ("beto", "columns"), ("Rui Dias", "dead")]
        .map(|(name, order)| class.bot(name, order, "x"));
    class.championship(&[&ana, &beto, &rui, "@random"], &[]);
    class.says(&["export", "results/2026", "--all-bots", "--out", "all"]);
    let names = |folder: &str| {
        let entries = fs::read_dir(class.home().join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names("all"), ["Ana Silva", "Rui Dias", "beto"], "a built-in is nobody's");
    let readme = class.read("all/Rui Dias/README.txt");
    assert!(readme.contains("took no part: started with 'b', it exited with code 1"), "{readme}");
    assert!(class.read("all/Rui Dias/logs/test.stderr").contains("KeyError"));
    assert!(class.read("all/Rui Dias/standings.csv").contains("it exited with code 1"));

    class.says(&[
        "export",
        "results/2026",
        "--bot",
        "Ana Silva",
        "--bot",
        "beto",
        "--pseudonyms",
        "--out",
        "hidden",
    ]);
    let key = class.read("results/2026/pseudonyms.csv");
    let invented =
        |name: &str| key.lines().find_map(|line| line.strip_prefix(&format!("{name},"))).unwrap().to_owned();
    let mut expected = [invented("Ana Silva"), invented("beto")];
    expected.sort();
    assert_eq!(names("hidden"), expected);
    for (path, text) in class.texts("hidden") {
        assert!(!["Silva", "beto", PROFESSOR].iter().any(|name| text.contains(name)), "{}", path.display());
    }
}

#[test]
fn what_cannot_be_given_to_a_student_is_said() {
    let class = Class::new();
    let ana = class.bot("Ana Silva", "columns", "x");
    class.championship(&[&ana, "@random"], &[]);
    let export = |options: &[&'static str]| [&["export", "results/2026"], options].concat();
    class.refuses(&export(&["--bot", "Ana Silv", "--out", "new"]), "did you mean 'Ana Silva'?");
    class.refuses(&export(&["--bot", "random", "--out", "new"]), "no bot called 'random' was handed in");
    class.refuses(&export(&["--bot", "Ana Silva"]), "name a new folder with --out");
    class.refuses(&export(&["--bot", "Ana Silva", "--out", "handins"]), "there is something in 'handins'");
    class.refuses(&export(&["--pseudonyms"]), "--pseudonyms goes with --bot or --all-bots");
    class.refuses(
        &["export", "nowhere", "--bot", "x", "--out", "new"],
        "'nowhere' is not the folder of a championship",
    );
    assert!(!class.home().join("new").exists(), "nothing is left of what was refused");
}
