//! Finding out how a hand-in is built, and what was made.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::build_files;
use super::choose::{Source, program, sources};
use super::listing::{Listing, name, stem};
use super::plain;
use super::plan::{Nothing, Recipe, Starts, Step, taken};
use super::ready::{self, Ready};
use crate::contain::language::shown;
use crate::handins::choice::Choice;
use crate::handins::toolbox::Toolbox;

/// How the hand-in in a folder is built and started.
pub fn recipe(folder: &Path, choice: &Choice, toolbox: &Toolbox) -> Result<Recipe, Nothing> {
    let listing = Listing::read(folder);
    let sources = sources(&listing);
    let nothing_to_do = |how: &str| Recipe {
        how: how.to_owned(),
        step: Step::Nothing,
        starts: Starts::WhatIsMade(Vec::new()),
        remarks: Vec::new(),
        toolbox: toolbox.clone(),
    };
    let found = match (&choice.build, &choice.main) {
        (Some(line), main) => {
            let name = main.as_deref().map(|main| stem(main).to_owned());
            let starts = Starts::WhatIsMade(name.into_iter().collect());
            Ok(Recipe { step: Step::Build(line.clone()), starts, ..nothing_to_do(line) })
        }
        (None, Some(main)) => chosen(&listing, &sources, main, toolbox),
        (None, None) => by_files(&listing, &sources, toolbox),
    };
    match (&choice.command, found) {
        (Some(command), Ok(recipe)) => {
            Ok(Recipe { starts: Starts::With(command.clone()), remarks: Vec::new(), ..recipe })
        }
        (Some(command), Err(Nothing::NoProgram(_))) => {
            Ok(Recipe { starts: Starts::With(command.clone()), ..nothing_to_do("nothing to build") })
        }
        (_, found) => found,
    }
}

/// The program that the professor has chosen.
fn chosen(listing: &Listing, sources: &[Source], main: &Path, toolbox: &Toolbox) -> Result<Recipe, Nothing> {
    let plain_path: PathBuf = main.components().filter(|part| *part != Component::CurDir).collect();
    let by_name = || listing.files().find(|path| name(path) == name(&plain_path));
    let path = listing.files().find(|path| *path == plain_path).or_else(by_name);
    let Some(path) = path else {
        return Err(Nothing::NotChosen(format!(
            "there is no '{}' in it, which was chosen as main",
            shown(main)
        )));
    };
    if let Some(source) = sources.iter().find(|source| source.path == path) {
        return plain::recipe(listing, sources, source, toolbox);
    }
    let ready = ready::programs(listing, &[]).into_iter().find(|ready| ready.path == path);
    let ready = ready.ok_or_else(|| {
        Nothing::NotChosen(format!("'{}', which was chosen as main, is no program", shown(main)))
    })?;
    Ok(as_it_is(ready, Vec::new(), toolbox))
}

fn by_files(listing: &Listing, sources: &[Source], toolbox: &Toolbox) -> Result<Recipe, Nothing> {
    if let Some(file) = build_files::find(listing, sources) {
        return build_files::recipe(&file, listing, sources, toolbox);
    }
    if let Some((source, remarks)) = program(listing, sources) {
        let recipe = plain::recipe(listing, sources, source, toolbox)?;
        return Ok(Recipe { remarks, ..recipe });
    }
    let (first, remarks) = likeliest(ready::programs(listing, &[])).ok_or_else(|| {
        let names: Vec<String> = sources.iter().take(3).map(|source| shown(&source.path)).collect();
        Nothing::NoProgram(match names.is_empty() {
            true => ready::instead(listing),
            false => format!("no source has a main: {}", names.join(", ")),
        })
    })?;
    Ok(as_it_is(first, remarks, toolbox))
}

/// A program that was handed in built.
fn as_it_is(ready: Ready, remarks: Vec<String>, toolbox: &Toolbox) -> Recipe {
    Recipe {
        how: "built already".to_owned(),
        step: Step::Nothing,
        starts: Starts::With(ready.command),
        remarks,
        toolbox: toolbox.clone(),
    }
}

/// The first of some programs, and what there is to say about the others.
fn likeliest(programs: Vec<Ready>) -> Option<(Ready, Vec<String>)> {
    let (first, others) = programs.split_first()?;
    let others: Vec<&Path> =
        others.iter().filter(|other| other.is_like(first)).map(|other| other.path.as_path()).collect();
    let remarks = if others.is_empty() { Vec::new() } else { vec![taken(&first.path, &others)] };
    Some((first.clone(), remarks))
}

/// How what was made is started, and what there is to say about that: what is new since `before` comes first. Where nothing was made,
/// a program may run as it is.
pub fn made(
    folder: &Path,
    before: &Path,
    names: &[String],
    toolbox: &Toolbox,
) -> Option<(String, Vec<String>)> {
    let listing = Listing::read(folder);
    let (programs, earlier) = (ready::programs(&listing, names), Listing::read(before));
    let (new, old): (Vec<Ready>, Vec<Ready>) =
        programs.into_iter().partition(|ready| is_new(&listing, &earlier, &ready.path));
    let old = || {
        let sources = sources(&listing);
        let script = program(&listing, &sources).and_then(|(source, remarks)| {
            let recipe = plain::recipe(&listing, &sources, source, toolbox).ok()?;
            match (recipe.step, recipe.starts) {
                (Step::Build(_), _) | (_, Starts::WhatIsMade(_)) => None,
                (_, Starts::With(command)) => Some((command, remarks)),
            }
        });
        likeliest(old).map(|(ready, remarks)| (ready.command, remarks)).or(script)
    };
    likeliest(new).map(|(ready, remarks)| (ready.command, remarks)).or_else(old)
}

/// Whether a file was not there before, or was another.
fn is_new(now: &Listing, before: &Listing, path: &Path) -> bool {
    let length = |listing: &Listing| fs::metadata(listing.place(path)).map(|data| data.len()).ok();
    length(now) != length(before) || now.bytes(path) != before.bytes(path)
}
