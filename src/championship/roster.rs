//! Everybody who takes part, with names that tell them apart.

use super::bot_name::with_ending;
use super::entrant::{Entrant, RosterError};
use crate::game::Setup;

/// Gives a number to every name that is not the first of its kind.
pub fn make_names_unique(entrants: &mut [Entrant]) {
    let names = unique_names(entrants.iter().map(|entrant| entrant.name.as_str()));
    entrants.iter_mut().zip(names).for_each(|(entrant, name)| entrant.name = name);
}

/// The names, each that is not the first of its kind with a number.
pub fn unique_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for wanted in names {
        let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered(wanted));
        unique.extend(candidates.find(|name| !unique.contains(name)));
    }
    unique
}

/// The name with a number behind it, from 2.
fn numbered(name: &str) -> impl Iterator<Item = String> {
    (2..).map(move |number| with_ending(name, &format!("-{number}")))
}

/// Gives bots that nobody has named other names than those that somebody else has: `greedy.py` may stand beside `@greedy`, and
/// what is handed in with the name of another bot does not stop everybody.
pub fn rename_unnamed(entrants: &mut [Entrant], mut warn: impl FnMut(String)) {
    // Names that were given stay, and then those of built-ins.
    let rank = |entrant: &Entrant| (!entrant.is_named, !entrant.is_built_in());
    let mut in_order: Vec<usize> = (0..entrants.len()).collect();
    in_order.sort_by_key(|&index| rank(&entrants[index]));
    for (at, &index) in in_order.iter().enumerate() {
        let name = entrants[index].name.clone();
        let is_taken = in_order[..at].iter().any(|&before| entrants[before].name == name);
        if entrants[index].is_named || !is_taken {
            continue;
        }
        let is_free = |name: &String| entrants.iter().all(|other| other.name != *name);
        let unique = numbered(&name).find(is_free).unwrap_or_default();
        warn(format!("'{}' is called '{unique}', since there is another '{name}'", entrants[index].command));
        entrants[index].name = unique;
    }
}

/// Makes sure that names tell everybody apart.
pub fn check_names(entrants: &[Entrant]) -> Result<(), RosterError> {
    for (index, entrant) in entrants.iter().enumerate() {
        if let Some(other) = entrants[..index].iter().find(|other| other.name == entrant.name) {
            let (first, second) = (other.command.clone(), entrant.command.clone());
            return Err(RosterError::SameName { name: entrant.name.clone(), first, second });
        }
    }
    Ok(())
}

/// Makes sure that everybody can play this game.
pub fn check_game(entrants: &[Entrant], setup: &Setup) -> Result<(), RosterError> {
    entrants.iter().try_for_each(|entrant| entrant.check(setup.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_given_stays() {
        let entrant = |text: &str| Entrant::parse(text).unwrap();
        let found = |name: &str| Entrant { is_named: false, ..Entrant::new(Some(name), "sh").unwrap() };
        let mut entrants = [
            found("greedy"),
            found("ana"),
            entrant("@greedy"),
            entrant("ana=true"),
            found("ana"),
            entrant("@greedy"),
        ];
        let mut told = Vec::new();
        rename_unnamed(&mut entrants, |line| told.push(line));
        let names = entrants.map(|entrant| entrant.name);
        assert_eq!(names, ["greedy-3", "ana-2", "greedy", "ana", "ana-3", "greedy-2"]);
        assert_eq!(told[0], "'@greedy' is called 'greedy-2', since there is another 'greedy'");
        let mut twins = ["a=sh", "a=true"].map(entrant);
        rename_unnamed(&mut twins, |_| ());
        assert!(check_names(&twins).is_err());
    }

    #[test]
    fn names_must_tell_bots_apart_and_fit_into_file_names() {
        let twins = ["a=sh", "a=true"].map(|text| Entrant::parse(text).unwrap());
        assert!(
            check_names(&twins).unwrap_err().to_string().contains("two bots are called 'a': sh and true")
        );
        assert!(matches!(Entrant::new(Some("../x"), "sh"), Err(RosterError::Name(_))));
        assert!(matches!(Entrant::new(Some("-x"), "sh"), Err(RosterError::Name(_))));
    }

    #[test]
    fn a_bot_may_meet_itself() {
        let mut entrants =
            ["@random", "@random", "random-2=@greedy", "@random"].map(|text| Entrant::parse(text).unwrap());
        make_names_unique(&mut entrants);
        assert_eq!(entrants.map(|entrant| entrant.name), ["random", "random-2", "random-2-2", "random-3"]);
    }
}
