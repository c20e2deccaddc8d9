//! The rows of the zoo.

use super::bots::{self, Language::*};
use super::flaw::{Flaw, Opponent, flaw};

/// How a game ends that a bot loses because it never makes a move.
const NO_MOVE: &str = "timeout|malformed";
const GREEDY: Opponent = Opponent::BuiltIn("@greedy");
/// What is wrong to say of a bot that does not wait for anything.
const WAITS: &[&str] = &["does it wait for more", "wait for input"];

/// All flaws.
pub fn table() -> Vec<Flaw> {
    [
        illegal_moves(),
        formats(),
        line_ends(),
        turns(),
        swaps(),
        board(),
        time_and_memory(),
        exits(),
        crashes(),
        files(),
        programs(),
        other_games(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn illegal_moves() -> Vec<Flaw> {
    vec![
        flaw(Python, "counts-from-1", "illegal-move", &["off the board", "from 0"]),
        flaw(Python, "rows-from-1", "illegal-move", &["off the board", "from 0"]),
        flaw(C, "minus-one", "illegal-move", &["off the board", "from 0"]),
        flaw(Java, "off-by-one", "illegal-move", &["off the board", "from 0 to 6"]),
        flaw(C, "not-initialised", "illegal-move", &["off the board"]),
        flaw(Python, "size-is-always-14", "illegal-move", &["off the board", "arbitro_size|7×7|7x7|0 to 6"]),
        flaw(Python, "prints-column-first", "illegal-move", &["taken", "row comes first"]).black(),
        flaw(Python, "reads-column-first", "illegal-move", &["taken", "opponent|white"]).black(),
        flaw(C, "hidden-stones", "illegal-move", &["taken", "opponent"]).black(),
        flaw(JavaScript, "repeats-itself", "illegal-move", &["taken", "own|itself|its last move"]),
        flaw(Python, "echoes-the-opponent", "illegal-move", &["taken", "opponent", "just|last|repeat|echo"]),
        flaw(Python, "swaps-late", "illegal-move", &["taken", "swap"]).black(),
        flaw(Python, "swaps-as-white", "illegal-move", &["taken", "swap"]),
        flaw(Java, "one-digit", "illegal-move", &["taken", "opponent"]).black().with("--size 14 --time 5"),
        flaw(C, "getchar", "illegal-move|timeout|crashed", &["taken|read"]),
        flaw(C, "scanf-comma", "illegal-move|timeout", &["taken|read"]).black(),
    ]
}

fn formats() -> Vec<Flaw> {
    let form: &[&str] = &["not a move", "two whole numbers|two numbers|row and column|row column"];
    vec![
        flaw(
            Python,
            "prints-a-tuple",
            NO_MOVE,
            &["(6, 3)", "bracket|parenthes|comma|two whole numbers|two numbers|'6 3'"],
        ),
        flaw(C, "comma", NO_MOVE, &["6,3", "comma|blank|two whole numbers|two numbers|'6 3'"]),
        flaw(JavaScript, "semicolon", NO_MOVE, &["6;3", "blank|two whole numbers|two numbers|'6 3'"]),
        flaw(
            Cpp,
            "words-before-the-move",
            NO_MOVE,
            &["jogada: 6 3", "only|nothing else|two whole numbers|two numbers|'6 3'"],
        ),
        flaw(
            JavaScript,
            "prints-an-array",
            NO_MOVE,
            &["[ 6, 3 ]", "bracket|comma|two whole numbers|two numbers|'6 3'"],
        ),
        flaw(JavaScript, "prints-json", NO_MOVE, form),
        flaw(JavaScript, "adds-the-numbers", NO_MOVE, &["'9'", "two|row and column|only one"]),
        flaw(JavaScript, "undefined", NO_MOVE, &["undefined", "not a move"]),
        flaw(Python, "prints-floats", NO_MOVE, &["6.0 3.0", "whole"]),
        flaw(Python, "prints-none", NO_MOVE, &["none none", "not a move"]),
        flaw(Python, "prints-bytes", NO_MOVE, form),
        flaw(Python, "prints-one-number", NO_MOVE, &["'45'", "two|row and column|only one"]),
        flaw(Python, "prints-the-score-too", NO_MOVE, &["6 3 0.73", "two|only|nothing else"]),
        flaw(
            Python,
            "prints-a-wide-blank",
            NO_MOVE,
            &["blank|space", "u+00a0|non-breaking|no-break|ordinary|ascii"],
        ),
        flaw(Python, "prints-wide-digits", NO_MOVE, &["digits|0 to 9|ascii"]),
        flaw(
            Java,
            "letters-and-numbers",
            NO_MOVE,
            &["d7", "two whole numbers|two numbers|row and column|'6 3'"],
        ),
        flaw(Java, "adds-a-char", NO_MOVE, &["'41'", "two|row and column|only one"]),
        flaw(Java, "array", NO_MOVE, form),
        flaw(C, "hexadecimal", NO_MOVE, &["'d 7'", "hexadecimal|decimal|whole numbers|two numbers"])
            .with("--size 14"),
        flaw(C, "digits-by-hand", NO_MOVE, &["'= 7'", "whole numbers|two numbers|digits"]).with("--size 14"),
        flaw(Cpp, "no-blank", NO_MOVE, &["'63'", "two|blank|only one"]),
        flaw(Cpp, "clears-the-screen", NO_MOVE, &["clear|escape|control|colour", "6 3"]),
        flaw(Cpp, "coloured", NO_MOVE, &["colour|escape|control", "6 3"]),
        flaw(Python, "prints-swap-as-a-word", NO_MOVE, &["swap", "repeat"]).black(),
        flaw(Python, "prints-two-lines", NO_MOVE, &["one line|same line|two lines"]),
        flaw(Java, "empty-line-first", "malformed", &["empty line"]).with("--strict"),
        flaw(C, "board-on-stdout", "output-limit", &["stderr"]).with("--size 14 --time 5"),
        flaw(C, "shows-the-board-first", "output-limit", &["stderr"]).with("--size 14 --time 5"),
        flaw(Python, "leaves-debug-prints-in", "output-limit", &["stderr", "depth"]),
        flaw(Python, "shouts-invalid", "output-limit", &["invalida", "has to accept that move"]),
    ]
}

fn line_ends() -> Vec<Flaw> {
    vec![
        flaw(C, "no-newline", "timeout", &["newline", "flush|buffer"]),
        flaw(Python, "ends-with-a-blank", "timeout", &["newline"]),
        flaw(Cpp, "no-newline", "timeout", &["6 3", "newline"]),
        flaw(Java, "no-newline", "timeout", &["6 3", "newline"]),
        flaw(JavaScript, "no-newline", "timeout", &["6 3", "newline"]),
        flaw(Bash, "no-newline", "timeout", &["6 3", "newline"]),
        flaw(C, "literal-backslash-n", NO_MOVE, &["\\n", "newline"]),
        flaw(C, "no-flush", "timeout", &["flush"]).with("--pipes"),
        flaw(C, "flush-at-exit", "timeout", &["flush"]),
        flaw(C, "vitb", NO_MOVE, &["vitb = 0", "newline|before|own line|stderr"]),
        flaw(Python, "input-with-a-prompt", NO_MOVE, &["jogada do adversario:", "prompt|before"]).black(),
        flaw(Java, "on-stderr", "timeout", &["6 3", "stderr", "stdout"]),
    ]
}

fn turns() -> Vec<Flaw> {
    vec![
        flaw(Java, "reads-first", "timeout", &["first|begin", "wait|read"]),
        flaw(C, "reads-first-and-goes-on", "timeout", &["first to move", "wait|read"]),
        flaw(Python, "reads-first-and-goes-on", "timeout", &["first to move", "wait|read"]),
        flaw(C, "wrong-argument", "timeout", &["first|begin", "wait|read"]),
        flaw(Cpp, "letters-exchanged", "timeout", &["first|begin", "wait|read"]),
        flaw(Python, "waits-for-a-greeting", "timeout", &["first|begin", "wait|read"]),
        flaw(Python, "reads-to-the-end", "timeout", &["wait|read", "end of|line"]).black(),
        flaw(Python, "reads-all-lines", "timeout", &["wait|read", "end of|line|more than"]),
        flaw(JavaScript, "waits-for-the-end", "timeout", &["wait|read", "end of|line|more than"]),
        flaw(C, "scanf-newline", "timeout", &["more than", "scanf|\\n|opponent's move"]),
        flaw(C, "waits-for-ok", "timeout", &["more than|wait"]),
        flaw(Python, "forgets-whose-turn-it-is", "timeout", &["more than|wait|turn"]).black(),
        flaw(Python, "never-reads", "output-limit", &["read|wait"]).never(&["not a move"]).with("--size 14"),
        flaw(
            C,
            "moves-twice",
            "timeout|illegal-move",
            &["two moves|twice|more than one move|second move|not its turn"],
        ),
        flaw(
            C,
            "two-first-moves",
            "timeout|illegal-move",
            &["two moves|twice|more than one move|second move|not its turn"],
        ),
        flaw(
            Python,
            "two-first-moves-and-a-late-end",
            "timeout",
            &["on ply 21", "on ply 1 it wrote two moves in one turn"],
        )
        .with("--size 14"),
        flaw(
            Python,
            "prompts-from-its-eleventh-move-on",
            "timeout",
            &["on ply 21", "'sua vez:' stands before"],
        )
        .with("--size 14"),
        flaw(
            Python,
            "never-reads-but-takes-its-time",
            "illegal-move",
            &["on ply 27", "it has not read the last"],
        )
        .with("--size 14 --time 5"),
        flaw(C, "black-moves-first", "timeout|illegal-move", &["before", "turn|opponent|read"])
            .black()
            .against(Opponent::Python),
    ]
}

fn swaps() -> Vec<Flaw> {
    vec![
        flaw(Python, "takes-the-swap-for-invalid", "timeout", &["swap"]).against(Opponent::Swapper),
        flaw(C, "asserts-when-swapped", "crashed", &["swap", "flawed.c", "assert"])
            .against(Opponent::Swapper),
        flaw(Python, "exits-when-swapped", "crashed", &["swap", "my stone is gone"])
            .against(Opponent::Swapper),
        flaw(
            JavaScript,
            "plays-twice-when-swapped",
            "crashed|timeout|illegal-move",
            &["two moves|twice|second|mine|it has not read"],
        )
        .against(Opponent::Swapper),
        flaw(Python, "ignores-the-swap", "connected", &["swap"]).against(GREEDY),
        flaw(Python, "swaps-and-keeps-its-colour", "connected", &["swap"]).black().against(GREEDY),
    ]
}

fn board() -> Vec<Flaw> {
    vec![
        flaw(C, "sides-exchanged", "connected", &["top (row 0) and bottom"]),
        flaw(Python, "wrong-neighbours", "connected", &["neighbour|touch|connected group"]),
    ]
}

fn time_and_memory() -> Vec<Flaw> {
    let computes: &[&str] = &["comput|processor|cpu"];
    vec![
        flaw(C, "computes-for-ever", "timeout", computes).never(WAITS),
        flaw(Python, "two-seconds-a-move", "timeout", computes).never(WAITS).with("--time 3 --clock cpu"),
        flaw(Python, "searches-too-deep", "timeout", computes).never(WAITS).with("--clock cpu"),
        flaw(Cpp, "draws-for-ever", "timeout", computes).never(WAITS).with("--size 3 --clock cpu"),
        flaw(Cpp, "expects-a-comma", "timeout", &["more than this one line"]),
        flaw(Python, "sleeps-a-second", "timeout", &["sleep|idle|without computing|did not compute|hardly"])
            .never(WAITS)
            .with("--time 2"),
        flaw(Bash, "sleeps", "timeout", &["sleep|idle|wait|nothing"]),
        flaw(Python, "starts-slowly", "timeout", &["sleep|idle|start|nothing"]).with("--startup 1"),
        flaw(Python, "deadlock", "timeout", &["idle|sleep|wait|lock"]),
        flaw(C, "leaks", "memory-limit", &["memory", "--memory|leak|free"]).with("--memory 100M"),
        flaw(C, "waits-for-memory", "timeout|memory-limit", &["memory"])
            .with("--memory 100M --time 3 --clock cpu"),
        flaw(Python, "keeps-every-board", "memory-limit|crashed", &["memory"]).with("--memory 200M --time 5"),
    ]
}

fn exits() -> Vec<Flaw> {
    vec![
        flaw(
            Python,
            "exits-after-each-move",
            "crashed",
            &["exit|ended", "each move|one move|after its move|loop|whole game|keep"],
        ),
        flaw(
            JavaScript,
            "thinks-it-has-won",
            "crashed",
            &["exit|ended", "not over|still|won|whole game|keep"],
        ),
        flaw(
            Python,
            "swallows-its-error",
            "crashed",
            &["exit|ended", "not over|still|whole game|keep|error"],
        ),
        flaw(C, "closes-stdin", "crashed", &["exit|ended", "not over|still|whole game|keep|stdin"]),
        flaw(Python, "closes-stdout", "crashed", &["closed", "flawed.py"]),
        flaw(
            Python,
            "moves-from-a-child",
            "crashed",
            &["exit|ended", "child|background|started|not over|still|whole game|keep"],
        ),
        flaw(Python, "begins-a-session", "crashed", &["sandbox", "session", "start_new_session"]),
        flaw(
            C,
            "daemon",
            "crashed",
            &["exit|ended", "child|background|started|not over|still|whole game|keep"],
        ),
        flaw(C, "exit-code", "crashed", &["code 2", "usage: flawed b"]).black(),
        flaw(Bash, "starts-a-crashing-program", "crashed", &["139|segmentation|sigsegv"]),
    ]
}

fn crashes() -> Vec<Flaw> {
    vec![
        flaw(Python, "index-error", "crashed", &["indexerror: list index out of range", "flawed.py", "line"]),
        flaw(
            Python,
            "int-of-the-whole-line",
            "crashed",
            &["valueerror: invalid literal", "flawed.py", "line"],
        ),
        flaw(Python, "endless-recursion", "crashed", &["recursionerror", "flawed.py", "line"]),
        flaw(Python, "needs-another-argument", "crashed", &["indexerror", "flawed.py", "line"]),
        flaw(Python, "needs-a-module", "crashed", &["numpy_of_mine", "install|module", "flawed.py|line"]),
        flaw(Made(bots::syntax_error), "syntax-error", "crashed", &["syntaxerror", "syntax.py", "line 1|:1"]),
        flaw(Java, "null-pointer", "crashed", &["nullpointerexception", "flawed.java", "line|:"]).black(),
        flaw(Java, "stack-overflow", "crashed", &["stackoverflowerror", "flawed.java"]),
        flaw(Java, "parses-the-line", "crashed", &["numberformatexception", "flawed.java"]),
        flaw(JavaScript, "type-error", "crashed", &["typeerror", "flawed.js", "line|:"]),
        flaw(JavaScript, "needs-a-package", "crashed", &["lodash", "install|node_modules|package|module"]),
        flaw(Bash, "missing-command", "crashed", &["pyton3", "not found", "flawed.sh"]),
        flaw(Bash, "octal", "timeout|crashed", &["value too great for base|octal", "flawed.sh"])
            .with("--size 10"),
        flaw(
            C,
            "segfault",
            "crashed",
            &["sigsegv|segmentation", "pointer|array|memory", "-fsanitize|-g|gdb"],
        ),
        flaw(C, "index-overflow", "crashed", &["sigsegv|segmentation", "pointer|array|memory"]),
        flaw(C, "stack-overflow", "crashed", &["sigsegv|segmentation", "recursion|pointer|array|memory"]),
        flaw(C, "divides-by-zero", "crashed", &["sigfpe", "divi|zero"]),
        flaw(C, "double-free", "crashed", &["double free"]),
        flaw(C, "smashes-the-stack", "crashed", &["stack smashing|sigsegv|segmentation|sigabrt"]),
        flaw(C, "assertion", "crashed", &["assertion", "flawed.c", "line|:"]),
        flaw(C, "alarm", "crashed", &["sigalrm", "alarm|timer"]).with("--time 3"),
        flaw(Sanitized, "use-after-free", "crashed", &["heap-use-after-free", "flawed.c"])
            .with("--no-sandbox --memory 1000000G"),
        flaw(Sanitized, "segfault", "crashed", &["sanitizer|-fsanitize", "--memory|without"]),
        flaw(Cpp, "vector-at", "crashed", &["out_of_range|vector", "range"]),
        flaw(Cpp, "optional-is-empty", "crashed", &["an exception that nobody caught: std::string"]),
        flaw(Cpp, "thread-not-joined", "crashed", &["terminate called|thread", "exception|join"]),
    ]
}

fn files() -> Vec<Flaw> {
    vec![
        flaw(
            Python,
            "logs-beside-itself",
            "crashed",
            &[
                "game.log",
                "read-only|cannot be written|not writable|cannot write",
                "to stderr instead|write to stderr|log to stderr|working folder|current folder",
            ],
        ),
        flaw(Python, "logs-in-home", "crashed", &["/home/aluno/hex/game.log", "own folder|sees"]),
        flaw(
            Made(bots::reads_a_file_elsewhere),
            "reads-a-file-elsewhere",
            "crashed",
            &["book.txt", "own folder|--allow-read|sees"],
        ),
        flaw(Python, "needs-a-book", "crashed", &["book.txt", "own folder|beside|hand in|files"]),
        flaw(Python, "asks-the-network", "crashed", &["network"]),
    ]
}

fn programs() -> Vec<Flaw> {
    let start = "crashed|failed-to-start|refused";
    vec![
        flaw(Made(bots::no_such_script), "no-such-script", start, &["there is no 'nada.py'"]),
        flaw(Made(bots::java_not_compiled), "java-not-compiled", start, &["flawed", "javac|compile"]),
        flaw(
            Made(bots::java_without_its_helper),
            "java-without-its-helper",
            start,
            &["helper", "class", "own folder|-cp|sees"],
        ),
        flaw(
            Made(bots::java_source_as_class),
            "java-source-with-an-error",
            start,
            &["bot.java", "';' expected"],
        ),
        flaw(
            Made(bots::script_without_interpreter),
            "script-without-interpreter",
            start,
            &["start it as 'python3 ./bot.py'"],
        ),
        flaw(
            Made(bots::script_with_a_mark),
            "script-with-a-byte-order-mark",
            start,
            &["byte order mark|bom"],
        ),
        flaw(Made(bots::c_source), "c-source", start, &["compile|source"]),
        flaw(Made(bots::java_source), "java-source", start, &["compile|source"]),
        flaw(Made(bots::object_file), "object-file", start, &["object file|link|-c"]),
        flaw(Made(bots::windows_program), "windows-program", start, &["windows"]),
        flaw(Made(bots::mac_program), "mac-program", start, &["mac"]),
        flaw(
            Made(bots::arm_program),
            "program-for-another-processor",
            start,
            &["arm|aarch64|x86|processor|machine"],
        ),
        flaw(Made(bots::wrong_interpreter), "wrong-interpreter", start, &["pyhton3", "#!|first line"]),
        flaw(
            Made(bots::windows_lines),
            "windows-lines",
            start,
            &["windows|crlf|carriage", "dos2unix|sed|line end"],
        ),
        flaw(Made(bots::not_runnable), "not-runnable", start, &["chmod +x"]),
        flaw(Made(bots::wrong_path), "wrong-path", start, &["bots/mybot", "no |not |path"]),
        flaw(Made(bots::empty_file), "empty-file", start, &["empty"]),
        flaw(Made(bots::missing_library), "missing-library", start, &["libhexeval.so", "library|libraries"]),
    ]
}

fn other_games() -> Vec<Flaw> {
    const RANDOM: Opponent = Opponent::BuiltIn("@random");
    let okupacio = |name, reason, says| {
        flaw(Okupacio, name, reason, says).against(RANDOM).with("--game okupacio --size 5")
    };
    let xinez =
        |name, reason, says| flaw(Xinez, name, reason, says).against(RANDOM).with("--game xinez --size 2");
    let rhex =
        |name, reason, says| flaw(Python, name, reason, says).against(RANDOM).with("--game rhex --size 5");
    vec![
        rhex("swaps-at-once", "illegal-move", &["no swap|without swap|not swap|taken"]).black(),
        rhex("counts-from-1", "illegal-move", &["off the board", "from 0"]),
        rhex("turned-tokens-are-free", "illegal-move", &["taken"]),
        rhex("prints-a-tuple", NO_MOVE, &["(4, 2)", "two whole numbers|two numbers|'4 2'"]),
        okupacio("numbers", NO_MOVE, &["0 0", "letters"]),
        okupacio("capitals", "illegal-move|malformed", &["aa", "small|lower"]),
        okupacio("blank-between", NO_MOVE, &["a a", "letters|blank|'aa'"]),
        okupacio("own-letter-first", NO_MOVE, &["a aa", "letter"]),
        okupacio("column-first", "illegal-move", &["off the board|rows", "row"])
            .with("--game okupacio --board wide.txt"),
        okupacio("ignores-walls", "illegal-move", &["wall"]).with("--game okupacio --board walls.txt"),
        okupacio("leaves", "last-player|resigned", &["left|leave|00"]),
        okupacio("forgets-the-others", "illegal-move", &["taken|free|occupied|held"]).black(),
        okupacio("waits-for-its-own-move", "timeout", &["wait|more than", "its own|own move|never|other"]),
        okupacio("expects-hex-arguments", "crashed", &["keyerror: 'a'", "flawed_okupacio.py", "line"]),
        okupacio(
            "wrong-board-argument",
            "crashed",
            &["filenotfounderror|no such file", "flawed_okupacio.py"],
        ),
        xinez("coordinates", NO_MOVE, &["-1 -2 -1 -1", "two|origin"]),
        xinez("own-number-first", NO_MOVE, &["1 3 2", "two|origin"]),
        xinez("pass", NO_MOVE, &["pass", "origin|two|not a move"]),
        xinez("arrow", NO_MOVE, &["3->2", "two|origin"]),
        xinez("one-cell", NO_MOVE, &["'2'", "two|origin"]),
        xinez("goes-too-far", "illegal-move", &["3 12", "step|jump|reach"]),
        xinez("onto-a-piece", "illegal-move", &["4 3", "taken|piece|occupied|empty"]),
        xinez("moves-the-opponent", "illegal-move", &["15", "piece"]),
        xinez("from-an-empty-cell", "illegal-move", &["12", "piece|empty"]),
        xinez("off-the-board", "illegal-move", &["99", "board|cell"]),
        xinez("does-not-move", "illegal-move", &["3 3", "same|origin|move|stay"]),
        xinez("does-not-turn-the-board", "illegal-move", &["3", "piece"]).black(),
    ]
}
