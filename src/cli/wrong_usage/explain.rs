//! From the parser's error to a sentence.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

use super::{conflict, unknown_command, unknown_option};
use crate::game::nearest::nearest;

/// What is wrong with a command line, and how the program is used; `words` are those behind the program's name.
pub fn explain(error: &Error, program: &Command, words: &[String]) -> String {
    let mut program = program.clone();
    program.build();
    let first = words.first().map(String::as_str);
    let subcommand = first.and_then(|first| program.find_subcommand(first));
    let command = subcommand.unwrap_or(&program);
    let what = sentence(error, &program, command, words);
    let usage = command.clone().render_usage().to_string();
    let help = match subcommand {
        Some(command) => format!("{} {} --help", program.get_name(), command.get_name()),
        None => format!("{} --help", program.get_name()),
    };
    format!("error: {what}\n\n{usage}\n\nFor more information, try '{help}'.")
}

fn sentence(error: &Error, program: &Command, command: &Command, words: &[String]) -> String {
    let argument = text(error, ContextKind::InvalidArg);
    let name = short(&argument);
    let value = text(error, ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let subcommands: Vec<&str> =
                program.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name).collect();
            unknown_command::sentence(&text(error, ContextKind::InvalidSubcommand), &subcommands)
        }
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            unknown_option::sentence(&argument, program, command)
        }
        ErrorKind::UnknownArgument => too_many_words(&argument, command, words),
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("{name} needs a value{}", purpose(&argument, command))
        }
        ErrorKind::InvalidValue => wrong_choice(name, &value, &list(error, ContextKind::ValidValue)),
        ErrorKind::ValueValidation => {
            let why = error.source().map_or_else(|| format!("'{value}' cannot be used"), ToString::to_string);
            format!("{name}: {why}")
        }
        ErrorKind::TooManyValues => format!("{name} takes no value; write it alone, without '{value}'"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues | ErrorKind::MissingRequiredArgument => {
            missing(command, &list(error, ContextKind::InvalidArg), words)
        }
        ErrorKind::ArgumentConflict => {
            let prior = list(error, ContextKind::PriorArg);
            conflict::sentence(name, prior.first().map_or("", |prior| short(prior)))
        }
        ErrorKind::InvalidUtf8 => "an argument is not text (UTF-8); rename the file that it names".to_owned(),
        _ => "this cannot be understood".to_owned(),
    }
}

/// A text that the parser has found.
fn text(error: &Error, kind: ContextKind) -> String {
    list(error, kind).join(" ")
}

fn list(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// The name of an argument without the value it takes: `--games` for `--games <N>`, `GAME` for `[GAME]`.
fn short(argument: &str) -> &str {
    let name = argument.split([' ', '=']).next().unwrap_or_default();
    name.trim_matches(['<', '>', '[', ']', '.'])
}

/// What an option is for, from its help, without what follows in brackets.
fn purpose(argument: &str, command: &Command) -> String {
    let is_it = |arg: &&Arg| arg.to_string() == argument;
    let help = command.get_arguments().find(is_it).and_then(Arg::get_help).map(ToString::to_string);
    let help = help.unwrap_or_default();
    let what = help.split(" [").next().unwrap_or_default();
    let mut letters = what.chars();
    match letters.next() {
        Some(first) => format!(": {}{}", first.to_lowercase(), letters.as_str()),
        None => String::new(),
    }
}

fn wrong_choice(name: &str, value: &str, choices: &[String]) -> String {
    let all = either(choices.iter().map(String::as_str).collect());
    match nearest(value, choices.iter().map(String::as_str)) {
        Some(near) => format!("{name} takes {all}, not '{value}'; did you mean {near}?"),
        None => format!("{name} takes {all}, not '{value}'"),
    }
}

/// Names with `or` before the last.
fn either(names: Vec<&str>) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// A word that no place is left for.
fn too_many_words(word: &str, command: &Command, words: &[String]) -> String {
    let name = command.get_name();
    // Of the programs that play at the keyboard, people expect what a duel takes.
    if matches!(name, "okupacio" | "xinez") && words.get(1).is_some_and(|first| first == word) {
        return format!(
            "'{word}' is one word too many; to play against it: arbitro {name} --seats human,{}{word}",
            if name == "xinez" { "-,-," } else { "" }
        );
    }
    if let ("check", Some(bot)) = (name, first_bot(command, words)) {
        if word.starts_with('@') {
            return format!(
                "'{word}' is one word too many: check has opponents of its own; to play against it: arbitro duel {bot} {word}"
            );
        }
        if matches!(word, "b" | "p" | "d") {
            return format!(
                "'{word}' is one word too many: arbitro gives the bot this argument itself; leave it out"
            );
        }
        return format!(
            "'{word}' is one word too many; a command of several words stands in quotation marks: '{bot} {word}'"
        );
    }
    format!("'{word}' is one word too many; a name with blanks in it stands in quotation marks")
}

/// The first word that is neither an option nor the value of one.
fn first_bot<'a>(command: &Command, words: &'a [String]) -> Option<&'a str> {
    let takes_value = |word: &str| {
        command.get_arguments().filter(|arg| arg.get_action().takes_values()).any(|arg| {
            let long = arg.get_long().map(|long| format!("--{long}"));
            let short = arg.get_short().map(|short| format!("-{short}"));
            long.as_deref() == Some(word) || short.as_deref() == Some(word)
        })
    };
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        match word {
            option if takes_value(option) => drop(rest.next()),
            word if !word.starts_with('-') => return Some(word),
            _ => {}
        }
    }
    None
}

/// What has to be named, and is not.
fn missing(command: &Command, names: &[String], words: &[String]) -> String {
    match command.get_name() {
        "duel" => match first_bot(command, words) {
            Some(bot) => {
                let example =
                    if bot.contains(char::is_whitespace) { format!("'{bot}'") } else { bot.to_owned() };
                let opponent = if bot == "@greedy" { "@random" } else { "@greedy" };
                format!(
                    "a duel needs two bots, and there is only '{bot}'; write for example: arbitro duel {example} {opponent}"
                )
            }
            None => "a duel needs two bots; write for example: arbitro duel ./mybot @greedy".to_owned(),
        },
        "check" => "say which bot; write for example: arbitro check ./mybot".to_owned(),
        "new" => "say which language, and which folder is to be made; write for example: arbitro new c mybot".to_owned(),
        "rerun" => "say where the games are, and the number of one; write for example: arbitro rerun results/2026 17 --bot ana".to_owned(),
        "export" => "say where the games are; write for example: arbitro export results/2026".to_owned(),
        "play" => "say who plays, human or a bot, at two seats at least; write for example: arbitro play human @easy".to_owned(),
        "launch" => "say what runs the jobs, and which championship; write for example: arbitro launch slurm hex.toml".to_owned(),
        "merge" => "say where the championship is; write for example: arbitro merge shared/hex".to_owned(),
        "report" => "say which championship; write for example: arbitro report results/2026".to_owned(),
        "arbitro-ref" | "reference" if !names.iter().any(|name| name.starts_with("--")) => {
            "say which side it plays: 'arbitro-ref b' plays white and begins, 'arbitro-ref p' plays black"
                .to_owned()
        }
        _ => format!("{} is missing", either(names.iter().map(|name| short(name)).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Command {
        let games =
            Arg::new("games").long("games").short('g').value_name("N").help("Number of games [default: 10]");
        let clock = Arg::new("clock").long("clock").value_parser(["wall", "cpu"]);
        let json = Arg::new("json").long("json").action(clap::ArgAction::SetTrue);
        let bots = Arg::new("bots").value_name("BOT").num_args(2..).required(true);
        Command::new("arbitro")
            .subcommand(Command::new("duel").arg(bots).arg(games).arg(clock).arg(json))
            .subcommand(Command::new("report").arg(Arg::new("folder").value_name("FOLDER").required(true)))
    }

    fn told(line: &str) -> String {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let error =
            program().try_get_matches_from([&["arbitro".to_owned()][..], &words].concat()).unwrap_err();
        explain(&error, &program(), &words)
    }

    #[test]
    fn every_kind_of_error_is_a_sentence() {
        for (line, words) in [
            ("duel a b --games", "--games needs a value: number of games\n"),
            ("duel a b --clock sun", "--clock takes wall or cpu, not 'sun'\n"),
            ("duel a b --clock wal", "--clock takes wall or cpu, not 'wal'; did you mean wall?\n"),
            ("duel a b --json=1", "--json takes no value; write it alone, without '1'\n"),
            ("duel a b --games 1 --games 2", "--games is given twice; give it once\n"),
            ("duel a b --none", "there is no option --none\n"),
            ("duel", "a duel needs two bots; write for example: arbitro duel ./mybot @greedy\n"),
            ("duel -g 3 --json ./x", "there is only './x'; write for example: arbitro duel ./x @greedy\n"),
            ("report", "say which championship; write for example: arbitro report results/2026\n"),
            ("report a b", "'b' is one word too many; a name with blanks in it stands in quotation marks\n"),
            ("dule", "there is no command 'dule'; did you mean arbitro duel?\n"),
        ] {
            assert!(told(line).contains(words), "{line}: {}", told(line));
        }
    }

    #[test]
    fn it_ends_with_how_the_command_is_used() {
        let words =
            "\n\nUsage: arbitro report <FOLDER>\n\nFor more information, try 'arbitro report --help'.";
        assert!(told("report a b").ends_with(words), "{}", told("report a b"));
    }
}
