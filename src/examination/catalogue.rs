//! All tests: what each is called, what it expects of a bot, and why that matters. Their names are stable: people grade by them.

use crate::game::{Game, Setup};

/// What a failed test means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It loses games.
    Fault,
    /// It loses none with the referee, but somebody will mind.
    Advice,
}

/// A test.
#[derive(Debug)]
pub struct Test {
    /// Its name, for `--only`, for JSON and for the last line.
    pub name: &'static str,
    /// What the bot does that passes it, in words that follow "it".
    pub title: &'static str,
    /// What a failure means.
    pub level: Level,
    /// For which games it is.
    pub games: Games,
    /// Whether it can be tried with engines that speak HTP.
    pub for_engines: bool,
    /// What is expected, in a sentence.
    pub expected: &'static str,
    /// Why that matters, in a sentence.
    pub why: &'static str,
}

/// For which games a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Games {
    /// All of them.
    All,
    /// These.
    Only(&'static [&'static str]),
}

const fn fault(name: &'static str, title: &'static str, expected: &'static str, why: &'static str) -> Test {
    Test { name, title, level: Level::Fault, games: Games::All, for_engines: false, expected, why }
}

impl Test {
    const fn advice(mut self) -> Test {
        self.level = Level::Advice;
        self
    }

    const fn only(mut self, games: &'static [&'static str]) -> Test {
        self.games = Games::Only(games);
        self
    }

    const fn for_engines(mut self) -> Test {
        self.for_engines = true;
        self
    }

    /// Whether it is for a game.
    pub fn is_for(&self, game: &str) -> bool {
        match self.games {
            Games::All => true,
            Games::Only(games) => games.contains(&game),
        }
    }
}

const HEX: &[&str] = &["hex"];
const STONES: &[&str] = &["hex", "rhex"];
const MANY_SEATS: &[&str] = &["okupacio", "xinez"];

/// All tests, in the order in which they are reported.
pub static TESTS: &[Test] = &[
    fault(
        "starts",
        "can be started",
        "the program starts, and is still there when it is its turn",
        "a bot that does not start forfeits every game",
    )
    .for_engines(),
    fault(
        "files",
        "finds all that it needs",
        "everything that it reads is in its own folder; it needs no network, and no place of its own to write to",
        "in a championship it plays from a copy of its folder, and sees nothing else of this machine",
    )
    .for_engines(),
    fault(
        "begins",
        "moves first when it is the first",
        "as the first to move it writes its move without reading anything",
        "no line comes before the first move: a bot that waits for one waits until its clock has run out",
    ),
    fault(
        "on-stdout",
        "writes its moves to stdout",
        "moves go to stdout, everything else to stderr",
        "the referee reads moves from stdout only",
    ),
    fault(
        "newline",
        "ends each move with a newline",
        "each move is one line, with a newline at its end",
        "without a newline a move is not finished, and the referee waits for the rest of it until the clock has run out",
    ),
    fault(
        "flushes",
        "sends its moves at once",
        "a move leaves the program as soon as it is made",
        "what stays in a buffer of the program never reaches the referee",
    ),
    fault(
        "format",
        "writes moves in the right form",
        "a line that is a move, and nothing else, such as the documentation of the game has it",
        "a line in another form is passed over, and the clock runs on until there is a move",
    ),
    fault(
        "legal-moves",
        "makes legal moves only",
        "each move is one that the rules allow",
        "an illegal move loses the game at once",
    ),
    fault(
        "only-moves",
        "writes nothing but moves to stdout",
        "boards, prompts and debug output go to stderr",
        "after 100 lines that are no moves a game is lost, and under --strict after the first one",
    ),
    fault(
        "one-move",
        "makes one move a turn",
        "one line a turn; then it reads the answer",
        "a second move is thrown away, and from then on its board is not the true one",
    ),
    fault(
        "waits",
        "waits for its turn",
        "as a later player it reads the moves of those before it first, and after each move of its own it waits, however long the others take",
        "what it writes before its turn is thrown away, since it cannot answer a move that it has not seen",
    ),
    fault(
        "reads",
        "reads what it is sent, line by line",
        "it reads one line for each move of the others, accepts it, and answers when it is its turn",
        "a bot that reads too little, or waits for more than comes, stands still until its clock has run out",
    ),
    fault(
        "runs-on",
        "runs until the game is over",
        "it plays on until its stdin ends",
        "a program that ends or crashes in the middle of a game loses it",
    ),
    fault(
        "in-time",
        "moves in time",
        "it divides its time over all of its moves",
        "a bot whose clock has run out loses, however good its position is",
    )
    .for_engines(),
    fault(
        "memory",
        "stays within its memory",
        "it keeps below the limit (--memory) with all that it starts",
        "a bot that needs more is ended, and loses the game",
    )
    .for_engines(),
    fault(
        "swapped",
        "goes on rightly when it is swapped",
        "when its first move comes back to it, the colours are exchanged: it plays black from now on, and moves next",
        "a good first move is swapped by every good opponent, so that this happens in half of the games",
    )
    .only(HEX),
    fault(
        "may-swap",
        "answers rightly when it may swap",
        "as p it answers the first move with a stone of its own or repeats that move, which is the swap: it is white then, and waits",
        "on ply 2 the opponent's cell is a legal move, and nowhere else",
    )
    .only(HEX),
    fault(
        "goal",
        "plays for its own goal",
        "it joins its own edges: b (white) top and bottom, p (black) left and right; in Xinez it moves towards its own goal",
        "a bot that plays for other edges, or with rows and columns exchanged, loses to everybody",
    )
    .only(&["hex", "xinez"]),
    fault(
        "neighbours",
        "shows no wrong neighbours in its games",
        "the neighbours of (r, c) are (r, c±1), (r±1, c), (r+1, c−1) and (r−1, c+1)",
        "with other neighbours it builds chains that do not hold together, or does not see who has won",
    )
    .only(HEX),
    fault(
        "board-file",
        "plays on the board of its file",
        "it reads the file that its third argument names: the numbers of rows and columns, then how many cells are free, walls, free and so \
         on; such a stretch may go on in the next row, and cells behind the last stretch are free",
        "many boards have walls, and not all are square",
    )
    .only(&["okupacio"]),
    fault(
        "several-seats",
        "plays at a table of three",
        "at each seat of three it reads what every other player does, and moves when the next player in order is itself",
        "who plays decides whose turn it is and, in Xinez, where the home and the goal of each player are",
    )
    .only(MANY_SEATS),
    fault(
        "others-leave",
        "goes on when another player leaves",
        "when another leaves ('B 00' in Okupació, '4 pass' in Xinez) it plays on with those who are left",
        "whoever fails leaves the game, and the others play on",
    )
    .only(MANY_SEATS),
    fault(
        "exclusion",
        "goes on when another player is excluded",
        "'D --' comes right after the move that excludes D, and D has no turn any more",
        "a player that is too far behind is excluded by the rules, most of all towards the end",
    )
    .only(&["okupacio"]),
    fault(
        "games",
        "plays whole games without a fault",
        "ten games against @random and three against @greedy come to their end by the rules",
        "some flaws show only late in a game",
    )
    .for_engines(),
    fault(
        "asks-again",
        "asks again after a line that is no legal move",
        "it says so on stderr, reads another line, and goes on with the first one that is legal",
        "the referee never sends such a line, but people who play it by hand do; the hand-out asks for it",
    )
    .advice()
    .only(STONES),
    fault(
        "debug-board",
        "prints the true board with the argument d",
        "started with a last argument d, it prints the board to stderr after every move",
        "a board that differs from the game's shows where the program's own idea of it goes wrong",
    )
    .advice()
    .only(&["hex", "rhex", "okupacio"]),
    fault(
        "leaves",
        "leaves when its stdin ends",
        "the end of stdin is the end of the game: the program ends by itself, at once",
        "the referee kills what is still there, but by hand such a program has to be killed each time",
    )
    .advice(),
    fault(
        "left-running",
        "leaves nothing running",
        "when it ends, everything that it has started has ended",
        "what is left running takes time from other games, and is killed",
    )
    .advice(),
    fault(
        "written-files",
        "writes no files that will be missed",
        "nothing that it needs later is written into its working folder",
        "the working folder is empty at the start of each game and gone with its end (--keep-scratch of duel keeps it)",
    )
    .advice(),
    fault(
        "pipe",
        "sends its moves over a pipe too",
        "it flushes after each move",
        "games use a pseudo-terminal, on which lines are sent at once; with --pipes, and on other referees, they are not",
    )
    .advice(),
    fault(
        "same-seed",
        "plays the same game again with the same seed",
        "with the same ARBITRO_SEED and the same moves of the others it makes the same moves",
        "a game that can be repeated can be debugged",
    )
    .advice(),
];

/// The test of this name.
///
/// # Panics
/// If there is none.
pub fn test(name: &str) -> &'static Test {
    find(name).unwrap_or_else(|| panic!("there is a test '{name}'"))
}

/// The test of this name, if there is one.
pub fn find(name: &str) -> Option<&'static Test> {
    TESTS.iter().find(|test| test.name == name)
}

/// The tests of a game, for a program or for an engine that speaks HTP.
pub fn of(setup: &Setup, is_engine: bool) -> impl Iterator<Item = &'static Test> {
    let game = setup.name();
    TESTS.iter().filter(move |test| test.is_for(game) && (test.for_engines || !is_engine))
}

/// What a move of a game looks like.
pub fn form_of(game: &dyn Game) -> String {
    match game.check("") {
        Err(crate::game::Refusal::NotAMove(form)) => form.to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_no_two_are_the_same() {
        for (index, test) in TESTS.iter().enumerate() {
            let is_kebab = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            assert!(test.name.chars().all(is_kebab), "{}", test.name);
            assert!(TESTS[..index].iter().all(|other| other.name != test.name), "{}", test.name);
        }
    }
}
