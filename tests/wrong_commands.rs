//! Command lines that are wrong, and what people are told: plain words, in a few lines, and nothing is left behind.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use common::{ARBITRO, ARBITRO_REF, stderr};

/// Words of programmers, which reach nobody; and plurals of one.
const BAD_WORDS: [&str; 44] = [
    "invalid digit",
    "..=",
    "1..",
    "expected u",
    "expected i",
    "expected struct",
    "expected a",
    "target type",
    "os error",
    "missing field",
    "unknown variant",
    "unknown field",
    "did not match any variant",
    "invalid type",
    "invalid value",
    "invalid length",
    "RangeInclusive",
    "Utf8Error",
    "did not contain valid",
    "ParseInt",
    "ParseFloat",
    "Some(",
    "None)",
    "Err(",
    "Ok(",
    "\\\"",
    "panicked",
    "thread '",
    "RUST_BACKTRACE",
    "unwrap",
    "unexpected argument",
    "unrecognized",
    "values required",
    "were not provided",
    "TOML parse error",
    "column ",
    "subcommand",
    "(s)",
    " 1 bots",
    " 1 games",
    " 1 players",
    " 1 rounds",
    " 1 Swiss rounds",
    " 1 seats",
];

/// A wrong command line.
#[derive(Clone, Default)]
struct Wrong {
    is_reference: bool,
    arguments: Vec<String>,
    /// A file that lies in the folder.
    file: Option<(&'static str, String)>,
    /// 2, unless something else went wrong than the command.
    code: i32,
    /// What is to be said.
    words: &'static str,
}

/// A command line as one would type it: words, with those in single quotation marks kept together.
fn wrong(line: &str, words: &'static str) -> Wrong {
    let mut all = shell_words::split(line).unwrap().into_iter();
    let is_reference = all.next().as_deref() == Some("arbitro-ref");
    Wrong { is_reference, arguments: all.collect(), file: None, code: 2, words }
}

impl Wrong {
    fn run(&self, folder: &Path) -> Output {
        if let Some((name, text)) = &self.file {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let program = if self.is_reference { ARBITRO_REF } else { ARBITRO };
        Command::new(program)
            .args(&self.arguments)
            .current_dir(folder)
            .env_remove("ARBITRO_GAME")
            .env_remove("ARBITRO_SIZE")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// What is wrong with what is said about it.
    fn faults(&self) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let output = self.run(folder.path());
        let told = stderr(&output);
        let mut faults = Vec::new();
        if output.status.code() != Some(self.code) {
            faults.push(format!("it ended with {}", output.status));
        }
        if told.trim().is_empty() || !told.starts_with("error: ") && !told.starts_with("warning: ") {
            faults.push("it does not say what is wrong".to_owned());
        }
        if told.lines().count() >= 12 || told.lines().any(|line| line.chars().count() > 400) {
            faults.push("it says too much".to_owned());
        }
        faults.extend(
            BAD_WORDS.iter().filter(|word| told.contains(**word)).map(|word| format!("it says '{word}'")),
        );
        if !told.contains(self.words) {
            faults.push(format!("it does not say '{}'", self.words));
        }
        let left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        if left.iter().any(|name| self.file.as_ref().is_none_or(|(file, _)| name != file)) {
            faults.push(format!("it left behind {left:?}"));
        }
        match faults.is_empty() {
            true => faults,
            false => vec![format!("{:?}: {}\n{told}", self.arguments, faults.join("; "))],
        }
    }
}

/// Tries all of them, several at a time.
#[track_caller]
fn try_all(cases: Vec<Wrong>) {
    let (count, next) = (cases.len(), Mutex::new(cases.into_iter()));
    let worker = || {
        let mut faults = Vec::new();
        loop {
            let case = next.lock().unwrap().next();
            match case {
                Some(case) => faults.extend(case.faults()),
                None => return faults,
            }
        }
    };
    let faults: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    println!("{count} wrong command lines");
    assert!(faults.is_empty(), "{} of {count} are not answered well:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn what_people_type_is_answered_with_what_to_type() {
    let table = [
        // Words in the place of a command.
        ("arbitro hex", "to match a bot in it: arbitro duel ./mybot @greedy --game hex"),
        ("arbitro rhex", "arbitro duel ./mybot @greedy --game rhex"),
        ("arbitro Hex", "--game hex"),
        ("arbitro okupació", "to play okupacio yourself: arbitro okupacio;"),
        ("arbitro ocupacio", "to play okupacio yourself: arbitro okupacio;"),
        ("arbitro xines", "to play xinez yourself: arbitro xinez;"),
        ("arbitro play", "write for example: arbitro play human @easy"),
        ("arbitro ./mybot", "to match it: arbitro duel ./mybot @greedy"),
        ("arbitro mybot.py", "to match it: arbitro duel 'python3 mybot.py' @greedy"),
        ("arbitro 'python3 bot.py'", "arbitro duel 'python3"),
        ("arbitro bot.jar", "arbitro duel 'java -jar bot.jar' @greedy"),
        ("arbitro mybot.c", "compile it first"),
        ("arbitro @greedy", "arbitro duel ./mybot @greedy"),
        ("arbitro class.toml", "arbitro championship --config class.toml"),
        ("arbitro games.sgf", "arbitro replay games.sgf"),
        ("arbitro .", "to play all bots in that folder: arbitro championship ."),
        ("arbitro tournament", "arbitro championship bots/ @greedy"),
        ("arbitro match", "for a match: arbitro duel ./mybot @greedy"),
        ("arbitro run", "for a match: arbitro duel ./mybot @greedy"),
        ("arbitro verify ./mybot", "to see what is wrong with a bot: arbitro check ./mybot"),
        ("arbitro resume", "arbitro championship --resume results/2026"),
        ("arbitro standings", "for the tables: arbitro report results/2026"),
        ("arbitro watch", "to look at games: arbitro replay results/2026"),
        ("arbitro analyse", "arbitro-ref --help"),
        ("arbitro duell", "did you mean arbitro duel?"),
        ("arbitro champ", "did you mean arbitro championship?"),
        ("arbitro help duell", "did you mean arbitro duel?"),
        (
            "arbitro qwerty",
            "the commands are: build, championship, check, duel, export, launch, merge, new, okupacio, play, replay, report, rerun, xinez",
        ),
        ("arbitro ''", "the commands are:"),
        ("arbitro --games 3", "options stand behind a command; only duel takes --games"),
        ("arbitro --gmae hex", "there is no option --gmae"),
        ("arbitro -x", "there is no option -x"),
        // Many machines.
        ("arbitro launch", "write for example: arbitro launch slurm hex.toml"),
        ("arbitro launch slurm", "write for example: arbitro launch slurm hex.toml"),
        ("arbitro launch pbs x", "slurm or parallel, not 'pbs'"),
        ("arbitro launch slurm x --hosts a", "--hosts is for 'arbitro launch parallel'; leave it out"),
        (
            "arbitro launch parallel x --sbatch=--time=5",
            "--sbatch is for 'arbitro launch slurm'; leave it out",
        ),
        ("arbitro launch slurm x --shards 2 --minutes 5", "--shards"),
        ("arbitro launch slurm x --shards 0", "0 is too small; give a whole number from 1 to 100000"),
        ("arbitro launch --status nothing", "there is no championship in 'nothing'"),
        ("arbitro merge", "write for example: arbitro merge shared/hex"),
        ("arbitro merge nothing", "there is no folder 'nothing'; name that of a championship"),
        ("arbitro championship --resume nothing --shard 1/2", "prepare it first"),
        ("arbitro championship --resume x --shard 3/2", "there is no shard 3: of 2, they are 1/2 to 2/2"),
        ("arbitro championship --resume x --shard 0/2", "there is no shard 0: of 2, they are 1/2 to 2/2"),
        (
            "arbitro championship --resume x --shard two",
            "'two' is not a shard; write which one of how many, such as 3/8",
        ),
        // Bots.
        ("arbitro duel", "a duel needs two bots; write for example: arbitro duel ./mybot @greedy"),
        ("arbitro duel ./mybot", "there is only './mybot'; write for example: arbitro duel ./mybot @greedy"),
        ("arbitro duel 'python3 x.py'", "arbitro duel 'python3 x.py' @greedy"),
        ("arbitro duel --games 3 -q ./mybot --size 5", "there is only './mybot'"),
        ("arbitro duel @greedy random", "did you mean the built-in @random?"),
        ("arbitro duel @greedy max", "did you mean the built-in @max?"),
        ("arbitro duel @random greddy", "did you mean the built-in @greedy?"),
        ("arbitro duel @random @greddy", "there is no built-in bot '@greddy'; did you mean @greedy?"),
        ("arbitro duel @random @best", "there are: @random, @greedy, @easy, @medium, @hard, @max"),
        ("arbitro duel @random ./nothing", "does not exist"),
        ("arbitro duel @random nothing-at-all", "no command 'nothing-at-all'"),
        (
            "arbitro duel @random .",
            "'.' is a folder, and a duel is between programs; to play all bots in it: arbitro championship .",
        ),
        ("arbitro duel 'Ana Silva=./x' @random", "bot 'Ana Silva': './x' does not exist"),
        ("arbitro duel -- -x=@random @random", "'-x' cannot be a bot's name"),
        ("arbitro duel a/b=@random @random", ""),
        ("arbitro duel @random ''", "a bot is empty"),
        ("arbitro duel @random 'x=htp:'", "a bot is empty"),
        ("arbitro duel @random \"sh 'x\"", "open quotation mark"),
        (
            "arbitro duel @random @greedy @easy",
            "3 bots are named, and hex is for 2 players, not 3; games for 3 are: okupacio, xinez",
        ),
        ("arbitro duel htp:@greedy @random --game rhex", "HTP engines play hex, not rhex"),
        ("arbitro championship @greedy", "there is only 'greedy': add for example @greedy"),
        ("arbitro championship a=@greedy a=@random", "two bots are called 'a'"),
        ("arbitro championship .", "no program that may be run in the folder '.'"),
        ("arbitro championship nothing @greedy", "no command 'nothing'"),
        // Games and boards.
        (
            "arbitro duel @greedy @random --game hx",
            "--game takes hex, rhex, okupacio or xinez, not 'hx'; did you mean hex?",
        ),
        (
            "arbitro duel @greedy @random --game chess",
            "--game takes hex, rhex, okupacio or xinez, not 'chess'",
        ),
        ("arbitro duel @greedy @random --size 1", "hex is played on boards of size 2 to 26, not 1"),
        (
            "arbitro duel @greedy @random --size 14x14",
            "a board has one size for both sides: write 14, not 14x14",
        ),
        (
            "arbitro duel @greedy @random --size 9 --game xinez",
            "xinez is played on boards of size 1 to 6, not 9",
        ),
        (
            "arbitro duel @greedy @random --board nope --game okupacio",
            "cannot use the board in 'nope': there is no such file",
        ),
        ("arbitro duel @greedy @random --board . --game okupacio", "it is a folder, not a file"),
        (
            "arbitro duel @greedy @random --board x --size 3",
            "--board and --size cannot be used together: the file of the board has its size in it",
        ),
        (
            "arbitro championship @greedy @random --seats 3",
            "hex is for 2 players, not 3; games for 3 are: okupacio, xinez",
        ),
        (
            "arbitro championship @greedy @random --seats 3 --game xinez",
            "a game needs 3 bots, and there are only 2",
        ),
        (
            "arbitro championship @greedy @random --format swiss --rounds 9",
            "2 bots can play at most 1 Swiss round without",
        ),
        ("arbitro championship --format swiss --rounds 99", "Swiss rounds without meeting twice"),
        (
            "arbitro championship --openings nope",
            "there is no such file; --openings takes a number or a file",
        ),
        ("arbitro championship --game xinez --seats 9", "xinez is for 1 to 6 players, not 9"),
        // Values.
        ("arbitro duel @greedy @random --time 1m", "--time: '1m' is not a number of seconds; write 60"),
        ("arbitro duel @greedy @random --time 60s", "write 60"),
        ("arbitro duel @greedy @random --time 1:30", "write 90"),
        ("arbitro duel @greedy @random --time '60 + 1'", "write 60+1"),
        ("arbitro duel @greedy @random --time 0,5", "write 0.5"),
        ("arbitro duel @greedy @random --time 60+", "write for example 60, or 60+0.5"),
        ("arbitro duel @greedy @random --move-time 2min", "write 120"),
        ("arbitro duel @greedy @random --time", "--time needs a value: time of each program"),
        ("arbitro duel @greedy @random --games --json", "--games needs a value"),
        ("arbitro duel @greedy @random --json=yes", "--json takes no value"),
        (
            "arbitro duel @greedy @random --memory much",
            "--memory: 'much' is not a size; write for example 512M or 1G",
        ),
        ("arbitro duel @greedy @random --memory 1K", "too little for any program"),
        ("arbitro duel @greedy @random --memory 1.5G", "is not a size"),
        (
            "arbitro duel @greedy @random --sprt 30",
            "'30' is not two differences in Elo, the smaller first; write for example 0,30",
        ),
        ("arbitro duel @greedy @random --sprt 30,0", "the smaller first"),
        ("arbitro duel @greedy @random --sprt a,b", "write for example 0,30"),
        (
            "arbitro duel @greedy @random @easy --game xinez --sprt 0,30",
            "--sprt compares two programs, not 3",
        ),
        ("arbitro duel @greedy @random --clock sun", "--clock takes wall or cpu, not 'sun'"),
        ("arbitro duel @greedy @random --tier d", "--tier takes C, B or A, not 'd'"),
        ("arbitro duel @greedy @random --allow-read nope", "--allow-read 'nope' does not exist"),
        ("arbitro duel @greedy @random --games 3 --games 4", "--games is given twice"),
        (
            "arbitro duel @greedy @random --no-sandbox --require-sandbox",
            "cannot be used together: one asks for no containment",
        ),
        (
            "arbitro duel @greedy @random --no-sandbox --tier B",
            "cannot be used together: one asks for no containment",
        ),
        ("arbitro duel @greedy @random --require-sandbox --tier B", "give one of them"),
        ("arbitro duel @greedy @random --ponder --no-pin", "leave --no-pin out"),
        ("arbitro duel @greedy @random --gmaes 4", "there is no option --gmaes; did you mean --games?"),
        ("arbitro duel @greedy @random --sise 4", "did you mean --size?"),
        (
            "arbitro championship --format league",
            "--format takes round-robin, gauntlet or swiss, not 'league'",
        ),
        ("arbitro championship --format swis", "did you mean swiss?"),
        ("arbitro championship --config nope.toml", "cannot read 'nope.toml': there is no such file"),
        ("arbitro championship --config .", "it is a folder, not a file"),
        ("arbitro championship --resume nope", "there is no championship to go on with in 'nope'"),
        ("arbitro championship --resume x --out y", "a championship goes on in its own folder"),
        ("arbitro championship --resume x --rounds 3", "a championship goes on with the settings it has"),
        ("arbitro championship --resume x @greedy", "a championship goes on with the bots it has"),
        (
            "arbitro duel @greedy @random --live=nowhere.invalid",
            "the live page cannot be served at the address of --live",
        ),
        ("arbitro play human: @random", "a bot's name cannot be empty"),
        // A bot of one's own.
        ("arbitro check @greedy --quick --only games,goal", "nothing is left to try"),
        ("arbitro check @greedy --html -", "name a file, as in --html check.html"),
        ("arbitro check @greedy --board nope.txt", "hex has no board to be read from a file, only sizes"),
        ("arbitro check", "say which bot; write for example: arbitro check ./mybot"),
        (
            "arbitro check ./mybot @random",
            "check has opponents of its own; to play against it: arbitro duel ./mybot @random",
        ),
        ("arbitro check ./mybot b", "arbitro gives the bot this argument itself; leave it out"),
        (
            "arbitro check python3 bot.py",
            "a command of several words stands in quotation marks: 'python3 bot.py'",
        ),
        (
            "arbitro new",
            "say which language, and which folder is to be made; write for example: arbitro new c mybot",
        ),
        ("arbitro new c", "write for example: arbitro new c mybot"),
        ("arbitro rerun", "write for example: arbitro rerun results/2026 17 --bot ana"),
        // Games that were played.
        ("arbitro replay", "there are no results below 'results' here; name a folder: arbitro replay FOLDER"),
        ("arbitro replay nope", "cannot read 'nope': there is no such file"),
        ("arbitro replay .", "there are no results in the folder '.': it has no games.jsonl"),
        (
            "arbitro replay nope --lost",
            "--lost shows the games that one bot lost: say which, with --bot NAME",
        ),
        ("arbitro replay nope --svg 1 --at 1", "cannot be used together"),
        ("arbitro replay nope --variation 0", "--variation: 0 is too small"),
        ("arbitro replay nope x", "GAME: 'x' is not a whole number"),
        ("arbitro replay nope 1 2", "'2' is one word too many"),
        ("arbitro replay nope --at 1 --all", "one prints a single position, the other all of them"),
        ("arbitro replay nope --all --delay 1", "cannot be used together"),
        ("arbitro report", "say which championship; write for example: arbitro report results/2026"),
        ("arbitro report nope", "there is no folder 'nope'"),
        ("arbitro report .", "there are no results in the folder '.': it has no championship.toml"),
        ("arbitro report a b", "'b' is one word too many"),
        ("arbitro export", "arbitro export results/2026"),
        ("arbitro export nope.sgf", "cannot read 'nope.sgf': there is no such file"),
        ("arbitro export nope --format pdf", "--format takes sgf or hexworld, not 'pdf'"),
        // At the keyboard.
        ("arbitro xinez --size 9", "--size: 9 is too large; give a whole number from 1 to 6"),
        ("arbitro xinez --seats human,bob", "people at the keyboard are written human"),
        ("arbitro xinez --seats h,h,h,h,h,h,h", "--seats names 7 seats; there are six"),
        ("arbitro xinez --seats -,-", "--seats leaves every seat empty"),
        ("arbitro xinez ./mybot", "to play against it: arbitro xinez --seats human,-,-,./mybot"),
        ("arbitro okupacio --seats human", "--seats names 1 player; 2 to 10 can play"),
        ("arbitro okupacio --seats human,greedy", "did you mean the built-in @greedy?"),
        (
            "arbitro okupacio --seats human,@greedy --board nope",
            "cannot use the board in 'nope': there is no such file",
        ),
        ("arbitro okupacio @greedy", "to play against it: arbitro okupacio --seats human,@greedy"),
        ("arbitro okupacio --size 4", "the file of the board has its size in it"),
        // The reference engine.
        ("arbitro-ref", "say which side it plays: 'arbitro-ref b' plays white"),
        ("arbitro-ref x", "b (white, begins) or p (black)"),
        ("arbitro-ref b --level best", "there is no level 'best'; the levels are: random, greedy"),
        ("arbitro-ref b --game chess", "the games are: hex, rhex, okupacio, xinez"),
        ("arbitro-ref b --game hx", "did you mean hex?"),
        ("arbitro-ref b --size 99", "size 2 to 26, not 99"),
        ("arbitro-ref b --time long", "write for example 60 or 2.5"),
        ("arbitro-ref b --network nope", "cannot use the network in 'nope': there is no such file"),
        ("arbitro-ref b --kernel x", "this processor cannot compute with 'x'"),
        ("arbitro-ref b --levle max", "did you mean --level?"),
        ("arbitro-ref --htp b", "an engine is told by its controller which side it plays"),
        ("arbitro-ref --htp --game rhex", "HTP is for hex, not rhex"),
        ("arbitro-ref --solve --analyse", "cannot be used together"),
        (
            "arbitro-ref --solve --size 14",
            "nobody waits for all first moves on 14×14; add for example --size 6",
        ),
        ("arbitro-ref --analyse 7 7 3", "there is a number too many"),
        ("arbitro-ref --analyse '99 99'", "move 1, '99 99': it is off the board"),
        ("arbitro-ref --analyse --game xinez", "only positions of hex"),
        ("arbitro-ref A 2 --game okupacio", "the file of the board"),
        ("arbitro-ref A 2 nope --game okupacio", "cannot read the board in 'nope': there is no such file"),
        ("arbitro-ref 4 14 9 --game xinez", "as in '4 14 4'"),
        ("arbitro-ref train", "is missing"),
        ("arbitro-ref train x --blocks 0", "--blocks: 0 is too small"),
    ];
    let mut cases: Vec<Wrong> = table.iter().map(|(line, words)| wrong(line, words)).collect();
    // A file where a folder should be, and files of other kinds.
    let with =
        |line, words, name, text: &str| Wrong { file: Some((name, text.to_owned())), ..wrong(line, words) };
    cases.push(with(
        "arbitro duel @greedy @random --out x",
        "'x' cannot be a folder, since there is a file of that name",
        "x",
        "a",
    ));
    cases.push(with("arbitro championship --out x", "'x' cannot be a folder", "x", "a"));
    cases.push(with("arbitro replay x", "'x' holds no game that can be replayed", "x", "a"));
    cases.push(with("arbitro report x", "'x' is not a folder", "x", "a"));
    cases.push(with("arbitro x", "to match it: arbitro duel ./x @greedy", "x", "a"));
    cases.push(with("arbitro export x.sgf", "cannot read 'x.sgf': line 1", "x.sgf", "abc"));
    cases.push(with(
        "arbitro duel @greedy @random --board x --game okupacio",
        "'two' in place 2",
        "x",
        "4 two",
    ));
    cases.push(with(
        "arbitro duel @greedy @random --board x",
        "hex has no board to be read from a file, only sizes",
        "x",
        "4 4",
    ));
    cases.push(with("arbitro championship --openings x", "'x' line 1: '99 1'", "x", "99 1"));
    cases.push(with("arbitro championship --openings x", "there is no opening in 'x'", "x", "# none"));
    cases.push(with("arbitro duel @greedy ./x", "has no first line that says what runs it", "x", "a"));
    // Nothing is wrong with these commands: the input ends before the game does.
    for line in ["arbitro okupacio", "arbitro xinez", "arbitro xinez --seats human"] {
        cases.push(Wrong { code: 1, ..wrong(line, "the input ended before the game was over") });
    }
    try_all(cases);
}

/// What is typed for a number, and is none, or not one that anybody can use.
const NOT_NUMBERS: [&str; 9] = ["", "abc", "-1", "0", "1.5", "99999999999999999999", "1e9", " 7", "７"];

#[test]
fn numbers_that_are_none_are_answered_in_words() {
    let terms = "retries:0 processes open-files time:1.5 move-time:1.5 startup:0,1.5 startup-cpu:0,1.5 memory file-size scratch copy-limit";
    let contest = format!("{terms} size jobs seed:0");
    let commands = [
        ("arbitro duel @greedy @random", format!("{contest} games")),
        ("arbitro championship @greedy @random", format!("{contest} seats rounds openings")),
        ("arbitro xinez --seats human", format!("{terms} size")),
        ("arbitro okupacio --seats human,human", terms.to_owned()),
        ("arbitro replay none", "at delay".to_owned()),
        ("arbitro-ref b", "size time:1.5 increment:0,1.5 seed:0 nodes threads".to_owned()),
        ("arbitro-ref train x", "blocks visits positions window threads seed:0 time:1.5 rate:1.5 rate-end:1.5,1e9,99999999999999999999 sizes".to_owned()),
    ];
    let mut cases = Vec::new();
    for (command, options) in &commands {
        for option in options.split(' ') {
            let (option, right) = option.split_once(':').unwrap_or((option, ""));
            for value in NOT_NUMBERS
                .iter()
                .filter(|value| value.is_empty() || !right.split(',').any(|one| one == **value))
            {
                if option == "rate" && ["1e9", "99999999999999999999"].contains(value) {
                    continue;
                }
                let mut case = wrong(command, "");
                case.arguments.extend([format!("--{option}"), (*value).to_owned()]);
                cases.push(case);
            }
        }
    }
    for value in NOT_NUMBERS {
        for command in ["replay", "export"] {
            let mut case = wrong("arbitro", "");
            case.arguments = [command, "none", value].map(str::to_owned).into();
            cases.push(case);
        }
    }
    assert!(cases.len() > 400);
    try_all(cases);
}

/// The options of a subcommand, as its help has them.
fn options(subcommand: &str) -> BTreeSet<String> {
    let output = Command::new(ARBITRO).args([subcommand, "--help"]).output().unwrap();
    let help = common::stdout(&output);
    let long = |line: &str| {
        let option = line.trim().trim_start_matches(|letter| letter != '-');
        let option = option.split_whitespace().find(|word| word.starts_with("--"))?;
        line.starts_with(' ')
            .then(|| option.trim_end_matches([',', ';']).split('[').next().unwrap_or_default().to_owned())
    };
    // Those that begin a line, behind their short form at most.
    let is_declared = |line: &&str| {
        let text = line.trim_start();
        let is_outer = line.len() - text.len() <= 6;
        let line = if is_outer { text } else { "" };
        line.starts_with("--") || line.starts_with('-') && line.contains(", --")
    };
    help.lines().filter(is_declared).filter_map(long).collect()
}

#[test]
fn an_option_of_another_command_is_answered_with_its_command() {
    let bases = [
        ("championship", "championship @greedy @random"),
        ("duel", "duel @greedy @random"),
        ("export", "export x"),
        ("okupacio", "okupacio"),
        ("play", "play human @random"),
        ("replay", "replay x"),
        ("report", "report x"),
        ("xinez", "xinez"),
    ];
    let all: BTreeMap<&str, BTreeSet<String>> =
        bases.iter().map(|(name, _)| (*name, options(name))).collect();
    let every: BTreeSet<&String> = all.values().flatten().collect();
    assert!(every.len() > 35, "{every:?}");
    let mut cases = Vec::new();
    for (name, base) in bases {
        for option in every.iter().filter(|option| !all[name].contains(**option)) {
            cases.push(wrong(&format!("arbitro {base} {option}"), "does not take --"));
        }
    }
    assert!(cases.len() > 100);
    try_all(cases);
}

#[test]
fn files_of_settings_are_answered_with_line_key_and_example() {
    let top = [
        (
            "rounds = \"two\"",
            "'c.toml' line 1: rounds is a whole number from 1 to 10000, not \"two\": write for example rounds = 2",
        ),
        ("size = 11\nrounds = 0", "'c.toml' line 2: rounds is a whole number"),
        ("rounds = -1", "not -1"),
        ("rounds = 1.5", "not 1.5"),
        ("rounds = [1]", "not [1]"),
        ("rounds = 99999999999999999999", ""),
        ("rounds = { a = 1 }", "rounds is a whole number"),
        ("size = \"14x14\"", "size is a whole number (hex: 2 to 26, rhex: 2 to 26, okupacio: 1 to"),
        ("size = true", "not true"),
        ("size = 1", "hex is played on boards of size 2 to 26, not 1"),
        ("seats = 0", "seats is a whole number from 2 to 10"),
        ("seats = 3", "hex is for 2 players, not 3"),
        ("seed = -1", "seed is a whole number"),
        ("seed = \"x\"", "write for example seed = 1"),
        ("game = \"chess\"", "game is \"hex\", \"rhex\", \"okupacio\" or \"xinez\", not \"chess\""),
        ("game = 3", "not 3: write for example game = \"hex\""),
        ("format = \"league\"", "format is \"round-robin\", \"gauntlet\" or \"swiss\", not \"league\""),
        ("format = 1", "format is"),
        (
            "openings = 3000",
            "openings is a whole number from 1 to 1000, the name of a file, or a list of texts",
        ),
        ("openings = [1, 2]", "not [1, 2]: write for example openings = 10"),
        ("openings = \"2 3\"", "2 3': there is no such file"),
        ("openings = [\"99 99\"]", "an opening in the settings cannot be played"),
        ("board = 4", "board is a text in quotation marks"),
        ("allow_read = \"/opt\"", "allow_read is a list of texts"),
        ("allow_read = [\"/nowhere-at-all\"]", "'/nowhere-at-all' does not exist"),
        (
            "copy_limit = 5",
            "copy_limit is a size in quotation marks, not 5: write for example copy_limit = \"1G\"",
        ),
        ("copy_limit = \"much\"", "copy_limit is a size"),
        ("terms = 3", "terms is a heading: write [terms]"),
        (
            "[terms]\ntime = true",
            "line 2: time is a number of seconds, or in quotation marks one with an increment",
        ),
        ("[terms]\ntime = -1", "not -1: write for example"),
        ("[terms]\ntime = 0", "not 0: write for example"),
        ("[terms]\ntime = \"1:30\"", "not \"1:30\": write for example time = \"60+0.5\""),
        ("[terms]\nclock = \"sun\"", "clock is \"wall\" or \"cpu\", not \"sun\""),
        ("[terms]\nclock = 1", "clock is"),
        ("[terms]\nmove_time = \"10\"", "move_time is a number of seconds, not \"10\""),
        ("[terms]\nmove_time = -1", "not -1"),
        ("[terms]\nstartup = nan", "startup is a number of seconds"),
        ("[terms]\nstartup_cpu = 1e99", "startup_cpu is a number of seconds"),
        ("[terms]\nstrict = \"yes\"", "strict is true or false, not \"yes\""),
        ("[terms]\nponder = 1", "ponder is true or false"),
        ("[terms]\nretries = -1", "retries is a whole number"),
        ("[terms]\noutput = \"tty\"", "output is \"terminal\" or \"pipe\""),
        ("[terms]\nlimits = 3", "limits is a heading: write [terms.limits]"),
        ("[terms]\nmemory = \"1G\"", "'memory' does not belong here, but below the heading [terms.limits]"),
        ("[terms]\ntimes = \"60\"", "there is no setting 'times'; did you mean time?"),
        ("[terms.limits]\nmemory = 5", "memory is a size in quotation marks"),
        ("[terms.limits]\nprocesses = 0", "processes is a whole number from 1 to 100000"),
        ("[terms.limits]\ndisk = 0", "there are: memory, processes, open_files, file_size, scratch"),
        ("ruonds = 2", "there is no setting 'ruonds'; did you mean rounds?"),
        ("machines = 2", "there are: title, game, size, seats, board, board_file, format"),
        ("start = 2", "there is no setting 'start'"),
        ("jobs = 0", "jobs is a whole number from 1 to 512, not 0: write for example jobs = 4"),
        ("resume = \"x\"", "give it on the command line, as --resume"),
        ("out = 3", "out is a text in quotation marks"),
        ("tier = \"D\"", "tier is \"A\", \"B\" or \"C\", not \"D\""),
        ("live = \"a b\"", "the setting live: 'a b' is not an address"),
        ("live = 99999", "live is true, a port, or an address in quotation marks, not 99999"),
        ("no_sandbox = true\ntier = \"A\"", "leave one of them out"),
        ("keep_failing = 1", "keep_failing is true or false, not 1"),
        ("pipes = true", "write output = \"pipe\" below the heading [terms]"),
        (
            "time = \"60\"",
            "below the heading [terms]: write [terms] on a line of its own, and this line below it",
        ),
        ("command = \"x\"", "below the heading [[bots]]"),
        ("bots = 3", "write [[bots]] for each bot"),
        ("bots = [\"./x\"]", "write [[bots]] for each bot"),
        ("[bots]\nname = \"x\"", "write [[bots]] for each bot"),
        ("[bots]\nname = \"x\"\n[bots]\nname = \"y\"", "line 3: write [[bots]] for each bot"),
        (
            "[[bots]]\nname = \"x\"",
            "line 1: here is no command; write for example command = \"python3 ana.py\"",
        ),
        ("[[bots]]\ncommand = 3", "line 2: command is a text in quotation marks, not 3"),
        ("[[bots]]\ncommand = [\"python3\", \"x\"]", "command is a text"),
        ("[[bots]]\ncommand = \"\"", "a bot is empty"),
        ("[[bots]]\ncommand = \"./nothing\"", "does not exist"),
        ("[[bots]]\ncommand = \"@greddy\"", "did you mean @greedy?"),
        ("[[bots]]\nname = \"=Ana\"\ncommand = \"@greedy\"", "'=Ana' cannot be a bot's name"),
        ("[[bots]]\nname = \"Ana\\nSilva\"\ncommand = \"@greedy\"", "write for example 'Ana_Silva'"),
        ("[[bots]]\nname = 3\ncommand = \"@greedy\"", "name is a text"),
        ("[[bots]]\ncomand = \"@greedy\"", "did you mean command?"),
        ("[[bots]]\ncommand = \"@greedy\"\nprotocol = \"gtp\"", "protocol is \"plain\" or \"htp\""),
        ("[[bots]]\ncommand = \"@greedy\"\nsetup = [\"x\"]", "write protocol = \"htp\" too"),
        ("[[bots]]\ncommand = \"@greedy\"\nfiles = \"x\"", "files is a list of texts"),
        ("[[bots]]\ncommand = \"@greedy\"\nhome = \"x\"", "line 3: this cannot be used: home = \"x\""),
        ("[[bots]]\ncommand = \"@greedy\"\nidentity = 3", "this cannot be used"),
        ("rounds 2", "line 1: this cannot be read: rounds 2; write KEY = VALUE"),
        ("rounds =", "this cannot be read"),
        ("rounds = = 2", "this cannot be read"),
        ("game = hex", "with text in quotation marks"),
        ("game = \"hex", "this cannot be read: game = \"hex"),
        ("game = “hex”", "quotation marks are straight"),
        ("[terms\ntime = \"60\"", "this cannot be read"),
        ("size = 3\nsize = 4", "line 2: this is said a second time"),
        ("{ \"rounds\": 2 }", "this cannot be read"),
        ("<xml/>", "this cannot be read"),
        ("rounds: 2", "this cannot be read: rounds: 2"),
        ("", "there are no [[bots]] in the file"),
    ];
    let config = |(text, words): &(&str, &'static str)| Wrong {
        file: Some(("c.toml", format!("{text}\n"))),
        ..wrong("arbitro championship --config c.toml", words)
    };
    // A bot more, so that nothing else is wrong.
    let with_bots = |(text, words): &(&'static str, &'static str)| {
        let mut case = config(&(*text, *words));
        if !text.is_empty() {
            case.arguments.extend(["@random", "@easy"].map(str::to_owned));
        }
        case
    };
    try_all(top.iter().map(with_bots).collect());
}

#[test]
fn a_folder_of_results_is_answered_with_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| wrong(line, "").run(folder.path());
    for out in ["results/one", "results/two"] {
        let played =
            run(&format!("arbitro duel @greedy @random --size 3 --games 2 --quiet --no-sandbox --out {out}"));
        assert!(played.status.success(), "{}", stderr(&played));
    }
    for command in ["replay", "export", "report"] {
        let output = run(&format!("arbitro {command} results"));
        let words =
            format!("'results' is a folder of several results; the newest is: arbitro {command} results/two");
        assert!(stderr(&output).contains(&words), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
    }
    let output = run("arbitro replay results/two 9");
    assert!(stderr(&output).contains("which has games 1 to 2"), "{}", stderr(&output));
    let output = run("arbitro replay results/two 1 --at 99");
    assert!(
        stderr(&output).contains("there is no ply 99") && output.status.code() == Some(2),
        "{}",
        stderr(&output)
    );
    let output = run("arbitro championship --resume results");
    assert!(stderr(&output).contains("arbitro championship --resume results/two"), "{}", stderr(&output));
    let output = run("arbitro championship --resume results/two");
    assert!(stderr(&output).contains("this is a duel"), "{}", stderr(&output));
}

/// Blanks in a position of Hex need no quotation marks, and sizes may be written as people write them.
#[test]
fn what_is_plainly_meant_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| wrong(line, "").run(folder.path());
    assert_eq!(run("arbitro-ref --analyse 2 2 1 1 --size 5 --time 0.1").status.code(), Some(0));
    for memory in ["512MB", "'1 G'", "1GiB"] {
        let duel = format!(
            "arbitro duel @greedy @random --size 3 --games 1 --quiet --no-sandbox --out out --accept-changes --memory {memory}"
        );
        let output = run(&duel);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}
