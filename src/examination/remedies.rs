//! How to mend what a test has found, in the language that the bot is written in.

use serde::Serialize;

use super::language::Language::{self, C, Cpp, Go, Java, JavaScript, Python, Rust};
use crate::record::cause::Obstacle;
use crate::record::{Cause, Loss};

/// A way to mend it: what to do, and the code that does it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// What to do, in a sentence.
    pub advice: String,
    /// The code, in the bot's language if that is known.
    pub code: Vec<String>,
    /// What the code is written in; nothing where it is one line for each of some languages.
    pub language: Option<Language>,
}

/// Code in one language.
type Code = (Language, &'static [&'static str]);

/// What to do about a test, whatever the language.
struct Entry {
    test: &'static str,
    advice: &'static str,
    code: &'static [Code],
}

/// Code that is of Hex, and what is said in its place where another kind of move is made.
fn elsewhere(code: &'static [Code]) -> &'static [Code] {
    let is = |other: &'static [Code]| std::ptr::eq(code, other);
    match code {
        _ if is(WRITE_A_MOVE) => WRITE_ANY_MOVE,
        _ if is(TALK_ON_STDERR) || is(FIND_THE_CRASH) => code,
        _ => &[],
    }
}

/// A move of any game, written and sent at once.
const WRITE_ANY_MOVE: &[Code] = &[
    (C, &[r#"printf("%s\n", move);"#, "fflush(stdout);"]),
    (Cpp, &["std::cout << move << std::endl;"]),
    (Python, &["print(move, flush=True)"]),
    (Java, &["System.out.println(move);", "System.out.flush();"]),
    (JavaScript, &[r"process.stdout.write(`${move}\n`);"]),
    (Rust, &[r#"println!("{a_move}");"#, "std::io::stdout().flush()?;  // use std::io::Write"]),
    (Go, &["fmt.Println(move)"]),
];

/// A move of Hex, written and sent at once.
const WRITE_A_MOVE: &[Code] = &[
    (C, &[r#"printf("%d %d\n", row, col);"#, "fflush(stdout);"]),
    (Cpp, &[r"std::cout << row << ' ' << col << std::endl;"]),
    (Python, &["print(row, col, flush=True)"]),
    (Java, &[r#"System.out.println(row + " " + col);"#, "System.out.flush();"]),
    (JavaScript, &[r"process.stdout.write(`${row} ${col}\n`);"]),
    (Rust, &[r#"println!("{row} {col}");"#, "std::io::stdout().flush()?;  // use std::io::Write"]),
    (Go, &["fmt.Println(row, col)"]),
];

const READ_A_MOVE: &[Code] = &[
    (C, &[r#"if (scanf("%d %d", &row, &col) != 2) exit(0);  /* no blank or \n behind the second %d */"#]),
    (Cpp, &["if (!(std::cin >> row >> col)) return 0;"]),
    (Python, &["row, col = map(int, input().split())  # one line, not sys.stdin.read()"]),
    (
        Java,
        &[
            "String line = in.readLine();  // a BufferedReader; null is the end of the game",
            r#"String[] words = line.trim().split("\\s+");"#,
        ],
    ),
    (JavaScript, &["readline.createInterface({ input: process.stdin }).on('line', line => answer(line));"]),
    (
        Rust,
        &[
            "let mut line = String::new();",
            "if std::io::stdin().read_line(&mut line)? == 0 { return Ok(()) }",
        ],
    ),
    (Go, &["if _, err := fmt.Scan(&row, &col); err != nil { return }"]),
];

/// A move on the board of Hex.
const MARK_A_MOVE: &[Code] = &[
    (C, &["board[row][col] = who;  /* after every move, yours and theirs */"]),
    (Cpp, &["board[row][col] = who;  // after every move, yours and theirs"]),
    (Python, &["board[row][col] = who  # after every move, yours and theirs"]),
    (Java, &["board[row][col] = who;  // after every move, yours and theirs"]),
    (JavaScript, &["board[row][col] = who;  // after every move, yours and theirs"]),
    (Rust, &["board[row][col] = who;  // after every move, yours and theirs"]),
    (Go, &["board[row][col] = who  // after every move, yours and theirs"]),
];

const TALK_ON_STDERR: &[Code] = &[
    (C, &[r#"fprintf(stderr, "score %d\n", score);"#]),
    (Cpp, &[r#"std::cerr << "score " << score << '\n';"#]),
    (Python, &[r#"print("score", score, file=sys.stderr)  # and input() without a prompt"#]),
    (Java, &[r#"System.err.println("score " + score);"#]),
    (JavaScript, &["console.error('score', score);"]),
    (Rust, &[r#"eprintln!("score {score}");"#]),
    (Go, &[r#"fmt.Fprintln(os.Stderr, "score", score)"#]),
];

const LOOP: &[Code] = &[
    (C, &[r#"while (scanf("%d %d", &row, &col) == 2) { mark(row, col); move(); }"#]),
    (Cpp, &["while (std::cin >> row >> col) { mark(row, col); move(); }"]),
    (Python, &["for line in sys.stdin:", "    mark(*map(int, line.split()))", "    move()"]),
    (Java, &["for (String line; (line = in.readLine()) != null; ) { mark(line); move(); }"]),
    (JavaScript, &["rl.on('line', line => { mark(line); move(); });"]),
    (Rust, &["for line in std::io::stdin().lines() { mark(&line?); make_a_move(); }"]),
    (Go, &["for scanner.Scan() { mark(scanner.Text()); move() }"]),
];

const BEGIN: &[Code] = &[
    (C, &["if (argv[1][0] == 'b') move();  /* argv[0] is the program itself */"]),
    (Cpp, &["if (argv[1][0] == 'b') move();  // argv[0] is the program itself"]),
    (Python, &[r#"if sys.argv[1] == "b":"#, "    move()"]),
    (Java, &[r#"if (args[0].equals("b")) move();"#]),
    (JavaScript, &["if (process.argv[2] === 'b') move();"]),
    (Rust, &[r#"if std::env::args().nth(1).as_deref() == Some("b") { make_a_move(); }"#]),
    (Go, &[r#"if os.Args[1] == "b" { move() }"#]),
];

const FIND_THE_CRASH: &[Code] = &[
    (
        C,
        &[
            "gcc -g -fsanitize=address,undefined -o bot bot.c",
            "arbitro check ./bot --no-sandbox --memory 1000000G",
        ],
    ),
    (
        Cpp,
        &[
            "g++ -g -fsanitize=address,undefined -o bot bot.cpp",
            "arbitro check ./bot --no-sandbox --memory 1000000G",
        ],
    ),
    (Python, &["# the last line of the traceback names the error,", "# and the line above it the place"]),
    (Java, &["// the first 'at' line of the stack trace in your own file is the place"]),
    (JavaScript, &["// the first 'at' line of the stack trace in your own file is the place"]),
    (Rust, &["RUST_BACKTRACE=1    # in the environment: the panic tells its way"]),
    (Go, &["// the first line of your own file below 'goroutine 1' is the place"]),
];

const ENTRIES: &[Entry] = &[
    Entry {
        test: "starts",
        advice: "start it by hand as it was started here, in a copy of its folder at another place, and mend what it says",
        code: FIND_THE_CRASH,
    },
    Entry { test: "begins", advice: "begin with a move when you are the first; read only then", code: BEGIN },
    Entry { test: "on-stdout", advice: "print the move to stdout", code: WRITE_A_MOVE },
    Entry { test: "newline", advice: "end the line, and flush", code: WRITE_A_MOVE },
    Entry { test: "flushes", advice: "flush after each move", code: WRITE_A_MOVE },
    Entry { test: "pipe", advice: "flush after each move", code: WRITE_A_MOVE },
    Entry { test: "format", advice: "write the move and nothing else on its line", code: WRITE_A_MOVE },
    Entry { test: "only-moves", advice: "send everything but moves to stderr", code: TALK_ON_STDERR },
    Entry { test: "one-move", advice: "after a move, read before you move again", code: LOOP },
    Entry { test: "waits", advice: "read a line before each move, except the first of all", code: LOOP },
    Entry { test: "reads", advice: "read one line for each move of the others", code: READ_A_MOVE },
    Entry {
        test: "runs-on",
        advice: "play in a loop until stdin ends, and look for the error that ends it",
        code: FIND_THE_CRASH,
    },
    Entry {
        test: "legal-moves",
        advice: "make every move on your board, your own and those that you read, and choose among those that the rules allow",
        code: MARK_A_MOVE,
    },
    Entry {
        test: "in-time",
        advice: "look at the clock while you search, and stop in time: ARBITRO_TIME is what you have for the whole game, in seconds",
        code: &[],
    },
    Entry {
        test: "memory",
        advice: "free what you keep from move to move, and bound your tables",
        code: &[],
    },
    Entry {
        test: "files",
        advice: "put what it reads beside the program and hand in the whole folder; open it by a relative path; write to stderr instead of a log file",
        code: &[],
    },
    Entry {
        test: "swapped",
        advice: "on ply 2, if the line that you read is your own first move, do not place a stone: only exchange the colours, and move",
        code: &[
            (
                C,
                &[
                    "if (ply == 2 && row == first_row && col == first_col)",
                    "    me = 'p';  /* the stone stays white, and is the opponent's */",
                ],
            ),
            (
                Cpp,
                &[
                    "if (ply == 2 && row == first_row && col == first_col)",
                    "    me = 'p';  // the stone stays white, and is the opponent's",
                ],
            ),
            (
                Python,
                &[
                    "if ply == 2 and (row, col) == first:",
                    "    me = 'p'  # the stone stays white, and is the opponent's",
                ],
            ),
            (
                Java,
                &[
                    "if (ply == 2 && row == firstRow && col == firstCol)",
                    "    me = 'p';  // the stone stays white, and is the opponent's",
                ],
            ),
            (
                JavaScript,
                &[
                    "if (ply === 2 && row === first.row && col === first.col)",
                    "    me = 'p';  // the stone stays white, and is the opponent's",
                ],
            ),
            (
                Rust,
                &[
                    "if ply == 2 && cell == first {",
                    "    me = 'p';  // the stone stays white, and is the opponent's",
                    "}",
                ],
            ),
            (
                Go,
                &[
                    "if ply == 2 && cell == first {",
                    "    me = 'p'  // the stone stays white, and is the opponent's",
                    "}",
                ],
            ),
        ],
    },
    Entry {
        test: "may-swap",
        advice: "once you have repeated the first move, you are white and that stone is yours: mark nothing, and wait for black's move",
        code: &[],
    },
    Entry {
        test: "goal",
        advice: "check which edges each colour joins, and that the row comes first wherever a move is read or written",
        code: &[],
    },
    Entry {
        test: "neighbours",
        advice: "walk over exactly these six steps",
        code: &[
            (C, &["int dr[6] = {-1, -1, 0, 0, 1, 1};", "int dc[6] = { 0,  1,-1, 1,-1, 0};"]),
            (Cpp, &["int dr[6] = {-1, -1, 0, 0, 1, 1};", "int dc[6] = { 0,  1,-1, 1,-1, 0};"]),
            (Python, &["STEPS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))"]),
            (Java, &["int[][] steps = {{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}};"]),
            (JavaScript, &["const steps = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0]];"]),
            (Rust, &["const STEPS: [(i32, i32); 6] = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];"]),
            (Go, &["var steps = [6][2]int{{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}}"]),
        ],
    },
    Entry {
        test: "board-file",
        advice: "read all numbers of the file, whatever lines they stand on, and count cells over all rows in turn; keep the number of rows \
                 apart from that of columns, and play on no wall",
        code: &[],
    },
    Entry {
        test: "several-seats",
        advice: "keep whose turn it is among all who play, and read a line for each move of each other",
        code: &[],
    },
    Entry {
        test: "others-leave",
        advice: "read the line that says who leaves, and go on with the next player in order",
        code: &[],
    },
    Entry {
        test: "exclusion",
        advice: "take a player that is excluded out of the order of turns; its cells are free again",
        code: &[],
    },
    Entry {
        test: "asks-again",
        advice: "read lines until one is a legal move, and complain on stderr only",
        code: &[],
    },
    Entry {
        test: "debug-board",
        advice: "change the board at every move, your own and those that you read, with all that a move changes: in RHEX the zone that is \
                 turned over, in Okupació the cells that are taken",
        code: &[],
    },
    Entry { test: "leaves", advice: "end when nothing more can be read", code: LOOP },
    Entry { test: "left-running", advice: "wait for what you start, or do not start it", code: &[] },
    Entry {
        test: "written-files",
        advice: "write to stderr: its beginning and its end are kept with the results, in logs/",
        code: TALK_ON_STDERR,
    },
];

/// What to do where a game is not like Hex: the game, the test, and the advice.
const SPECIAL: [(&str, &str, &str); 8] = [
    (
        "hex",
        "legal-moves",
        "mark every move on your board, your own and those that you read, and choose among free cells; rows come first, and both count \
         from 0",
    ),
    (
        "okupacio",
        "several-seats",
        "the second argument says how many play; keep whose turn it is among all of them, and read a line for each move of each other",
    ),
    (
        "okupacio",
        "others-leave",
        "take a player that leaves out of the order of turns; its cells are free again",
    ),
    (
        "xinez",
        "several-seats",
        "the second argument says which players there are: turn the board for the player that you are, keep whose turn it is among all of \
         them, and read a line for each move of each other",
    ),
    (
        "xinez",
        "others-leave",
        "let a player that has left pass for ever: a line such as '4 pass' comes each time that it would be its turn, and uses that turn up; \
         its pieces stay where they are",
    ),
    (
        "rhex",
        "legal-moves",
        "mark every token on your board, your own and those that you read, and choose among cells without one, whatever its colour; rows \
         come first, and both count from 0",
    ),
    (
        "okupacio",
        "legal-moves",
        "mark what every player does on your board, with the cells that it takes by that, and choose among free cells that are no walls; \
         the letter of the row comes first, and both begin with a",
    ),
    (
        "xinez",
        "legal-moves",
        "make every move on your board, your own and those that you read; name the cell where a piece of yours is and the one where it \
         goes, by their numbers",
    ),
];

/// How to mend what this test found in a program that lost like this.
pub fn remedy_for(test: &str, loss: &Loss, game: &str, language: Option<Language>) -> Option<Remedy> {
    if loss.causes.contains(&Cause::Obstacle(Obstacle::Session)) {
        let advice =
            "start other programs in the session of the bot, without setsid or start_new_session".to_owned();
        return Some(Remedy { advice, code: Vec::new(), language: None });
    }
    // There is no crash to be found in one that ends as if nothing were wrong.
    let has_left = matches!(loss.causes.first(), Some(Cause::LeftByItself { .. }));
    remedy(if test == "runs-on" && has_left { "leaves" } else { test }, game, language)
}

/// How to mend what this test found.
pub fn remedy(test: &str, game: &str, language: Option<Language>) -> Option<Remedy> {
    let entry = ENTRIES.iter().find(|entry| entry.test == test)?;
    let all = if matches!(game, "hex" | "rhex") { entry.code } else { elsewhere(entry.code) };
    let own = |language| all.iter().find(|(known, _)| *known == language).map(|(_, code)| *code);
    let code: Vec<String> = match language.and_then(own) {
        Some(code) => code.iter().map(|&line| line.to_owned()).collect(),
        None => {
            const USUAL: [Language; 3] = [C, Python, Java];
            let known = all.iter().filter(|(known, _)| USUAL.contains(known));
            known.map(|(known, code)| format!("{known}: {}", code.join(" "))).collect()
        }
    };
    let special = SPECIAL.iter().find(|(of, special, _)| (*of, *special) == (game, test));
    Some(Remedy {
        advice: special.map_or(entry.advice, |(.., advice)| advice).to_owned(),
        code,
        language: language.filter(|&language| own(language).is_some()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examination::catalogue;

    #[test]
    fn remedies_are_for_tests_that_there_are_and_in_all_languages_or_none() {
        for entry in ENTRIES {
            assert!(catalogue::find(entry.test).is_some(), "{}", entry.test);
            assert!([0, 7].contains(&entry.code.len()), "{}", entry.test);
        }
    }

    #[test]
    fn code_is_in_the_language_of_the_bot() {
        let code = |language| remedy("newline", "hex", language).unwrap().code;
        assert_eq!(code(Some(Language::C)), [r#"printf("%d %d\n", row, col);"#, "fflush(stdout);"]);
        assert_eq!(code(Some(Language::Python)), ["print(row, col, flush=True)"]);
        assert!(code(None)[0].starts_with("C: printf"), "{:?}", code(None));
        assert_eq!(remedy("games", "hex", None), None);
    }
}
