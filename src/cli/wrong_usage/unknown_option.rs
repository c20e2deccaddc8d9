//! Options that a subcommand does not have.

use clap::{Arg, Command};

use crate::game::nearest::nearest;

/// What to write instead of an option that another subcommand has.
const INSTEAD: [(&str, &str, &str); 9] = [
    ("duel", "--seats", "all bots that are named sit at one table"),
    ("duel", "--rounds", "--games says how many games are played"),
    ("duel", "--resume", "to go on with a duel, repeat its command with the same --out"),
    ("duel", "--config", "a duel is described by its options alone"),
    ("championship", "--games", "--rounds says how often bots meet"),
    ("championship", "--sprt", "to compare two versions of a bot, use duel"),
    ("okupacio", "--size", "the file of the board has its size in it: --board FILE"),
    ("okupacio", "--game", "it is the game already"),
    ("xinez", "--game", "it is the game already"),
];

/// What to say of an option that this command does not have.
pub fn sentence(option: &str, program: &Command, command: &Command) -> String {
    let option = option.split('=').next().unwrap_or_default();
    let name = command.get_name();
    if let Some(takers) = takers(option, program, command) {
        if name == program.get_name() {
            return format!("options stand behind a command; {takers}");
        }
        let instead = INSTEAD.iter().find(|(of, given, _)| (*of, *given) == (name, option));
        return match instead {
            Some((_, _, instead)) => format!("{name} does not take {option}: {instead}"),
            None => format!("{name} does not take {option}; {takers}"),
        };
    }
    let known: Vec<String> = options(command).filter(|arg| !arg.is_hide_set()).filter_map(long).collect();
    match nearest(option, known.iter().map(String::as_str)) {
        Some(near) => format!("there is no option {option}; did you mean {near}?"),
        None => format!("there is no option {option}"),
    }
}

fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_positional())
}

fn long(arg: &Arg) -> Option<String> {
    arg.get_long().map(|long| format!("--{long}"))
}

/// The subcommands that have an option, in words.
fn takers(option: &str, program: &Command, command: &Command) -> Option<String> {
    let has = |one: &&Command| {
        let short = |arg: &Arg| arg.get_short().map(|short| format!("-{short}"));
        options(one).any(|arg| long(arg).as_deref() == Some(option) || short(arg).as_deref() == Some(option))
    };
    let others =
        program.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != command.get_name());
    let names: Vec<&str> = others.filter(has).map(Command::get_name).collect();
    match &names[..] {
        [] => None,
        [only] => Some(format!("only {only} takes {option}")),
        [first @ .., last] => Some(format!("{} and {last} take {option}", first.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_leads_to_the_command_that_takes_it() {
        let option = |name: &'static str| Arg::new(name).long(name);
        let program = Command::new("program")
            .subcommand(Command::new("duel").arg(option("games").short('g')).arg(option("size")))
            .subcommand(
                Command::new("championship")
                    .arg(option("rounds"))
                    .arg(option("size"))
                    .arg(option("openings")),
            )
            .subcommand(Command::new("xinez"));
        for (command, option, words) in [
            ("duel", "--openings", "duel does not take --openings; only championship takes --openings"),
            ("duel", "--openings=3", "duel does not take --openings; only championship takes --openings"),
            ("duel", "--rounds", "duel does not take --rounds: --games says how many games are played"),
            ("xinez", "--size", "xinez does not take --size; duel and championship take --size"),
            ("xinez", "-g", "xinez does not take -g; only duel takes -g"),
            ("duel", "--gmaes", "there is no option --gmaes; did you mean --games?"),
            ("duel", "--colour", "there is no option --colour"),
        ] {
            let of = program.find_subcommand(command).unwrap();
            assert_eq!(sentence(option, &program, of), words);
        }
        let told = sentence("--rounds", &program, &program);
        assert_eq!(told, "options stand behind a command; only championship takes --rounds");
    }
}
