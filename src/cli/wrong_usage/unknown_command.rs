//! Words in the place of a command that are none.

use std::path::Path;

use crate::cli::output::quoted;
use crate::game::GAMES;
use crate::game::nearest::nearest;

/// What people call commands, and how those are written.
const MEANT: [(&[&str], &str); 11] = [
    (
        &[
            "tournament",
            "cup",
            "league",
            "torneo",
            "torneio",
            "torneig",
            "campeonato",
            "campionat",
            "swiss",
            "round-robin",
            "gauntlet",
        ],
        "for a tournament: arbitro championship bots/ @greedy",
    ),
    (&["resume", "continue"], "to go on with a championship: arbitro championship --resume results/2026"),
    (
        &[
            "match", "run", "game", "games", "start", "fight", "versus", "vs", "battle", "compare", "bench",
            "partida",
        ],
        "for a match: arbitro duel ./mybot @greedy",
    ),
    (
        &["test", "try", "verify", "validate", "examine", "inspect", "grade"],
        "to see what is wrong with a bot: arbitro check ./mybot",
    ),
    (
        &["create", "init", "begin", "starter", "template", "skeleton", "example", "novo", "nou"],
        "to begin a bot: arbitro new python mybot",
    ),
    (
        &["debug", "debugger", "gdb", "pdb", "crash", "reproduce", "repeat", "again"],
        "to have a game once more, under a debugger if wanted: arbitro rerun results/2026 3 --bot NAME",
    ),
    (&["human", "person", "jogar", "jugar"], "to play yourself: arbitro play human @easy"),
    (
        &["view", "show", "watch", "look", "step", "list", "ls", "log", "logs", "open"],
        "to look at games: arbitro replay results/2026",
    ),
    (
        &["standings", "table", "tables", "result", "results", "ranking", "stats", "elo"],
        "for the tables: arbitro report results/2026",
    ),
    (&["sgf", "save", "write", "hexworld"], "for SGF files: arbitro export results/2026"),
    (
        &["analyse", "analyze", "solve", "engine", "ref", "htp", "hint"],
        "the reference engine is a program of its own: arbitro-ref --help",
    ),
];

/// What to say of a word that is no command; `commands` are all there are.
pub fn sentence(word: &str, commands: &[&str]) -> String {
    let advice = of_a_file(word)
        .or_else(|| of_a_game(word))
        .or_else(|| of_another_word(word))
        .or_else(|| {
            nearest(word, commands.iter().copied()).map(|near| format!("did you mean arbitro {near}?"))
        })
        .unwrap_or_else(|| format!("the commands are: {}", commands.join(", ")));
    format!("there is no command '{word}'; {advice}")
}

/// What can be done with a file, a folder or a bot.
fn of_a_file(word: &str) -> Option<String> {
    let path = Path::new(word);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_bot = word.starts_with('@') || word.contains(['/', '=', ' ']) || path.is_file();
    let whole = quoted(path);
    // A single dot is the current folder.
    if path.is_dir() {
        return Some(format!("to play all bots in that folder: arbitro championship {whole}"));
    }
    Some(match extension {
        "jsonl" | "sgf" => format!("to look at its games: arbitro replay {whole}"),
        "toml" => format!("to play with these settings: arbitro championship --config {whole}"),
        "py" => format!("to match it: arbitro duel 'python3 {word}' @greedy"),
        "js" => format!("to match it: arbitro duel 'node {word}' @greedy"),
        "jar" => format!("to match it: arbitro duel 'java -jar {word}' @greedy"),
        "c" | "cpp" | "cc" | "rs" | "java" | "go" => {
            "to match a program, compile it first: arbitro duel ./mybot @greedy".to_owned()
        }
        _ if word.starts_with('@') => format!("to match a bot against it: arbitro duel ./mybot {word}"),
        _ if !is_bot => return None,
        _ if word.contains([' ', '/', '=']) => format!("to match it: arbitro duel {whole} @greedy"),
        _ => format!("to match it: arbitro duel ./{word} @greedy"),
    })
}

/// How a game is played.
fn of_a_game(word: &str) -> Option<String> {
    let plain = word.to_lowercase();
    let chinese =
        ["xadrez", "chinese", "checkers", "chinese-checkers"].contains(&plain.as_str()).then_some("xinez");
    let game = chinese.or_else(|| nearest(&plain, GAMES.iter().map(|rules| rules.name)))?;
    let duel = format!("arbitro duel ./mybot @greedy --game {game}");
    Some(match game {
        "okupacio" | "xinez" => format!("to play {game} yourself: arbitro {game}; to match a bot: {duel}"),
        _ => format!("{game} is a game; to match a bot in it: {duel}"),
    })
}

fn of_another_word(word: &str) -> Option<String> {
    let plain = word.to_lowercase();
    let plain = plain.trim_start_matches('-');
    MEANT.iter().find(|(words, _)| words.contains(&plain)).map(|(_, advice)| (*advice).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_words_lead_to_a_command() {
        for (word, advice) in [
            ("hex", "hex is a game; to match a bot in it: arbitro duel ./mybot @greedy --game hex"),
            ("rhx", "--game rhex"),
            ("okupació", "to play okupacio yourself: arbitro okupacio;"),
            ("Xinez", "to play xinez yourself: arbitro xinez;"),
            ("./mybot", "to match it: arbitro duel ./mybot @greedy"),
            ("mybot.py", "to match it: arbitro duel 'python3 mybot.py' @greedy"),
            ("bot.c", "compile it first"),
            ("@hard", "arbitro duel ./mybot @hard"),
            ("class.toml", "arbitro championship --config class.toml"),
            ("games.jsonl", "arbitro replay games.jsonl"),
            (".", "arbitro championship ."),
            ("tournament", "arbitro championship bots/"),
            ("match", "arbitro duel ./mybot"),
            ("duell", "did you mean arbitro duel?"),
            ("wxyz", "the commands are: championship, duel"),
        ] {
            let told = sentence(word, &["championship", "duel"]);
            assert!(told.contains(advice), "{told}");
        }
    }
}
