//! Seeing whether the bots that were built play at all, as before a first game.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::championship::config::{BotConfig, Config};
use crate::championship::containment::Containment;
use crate::championship::copies::USUAL_LIMIT;
use crate::championship::cores;
use crate::championship::entrant::Entrant;
use crate::championship::settings::{BotSettings, Settings};
use crate::championship::smoke_test::{self, Tested};
use crate::cli::contest::{Stage, new_seed, take_files};
use crate::cli::exam_board::{self, ExamBoard};
use crate::cli::options::Workers;
use crate::cli::output::say;
use crate::examination::language::{self, Language};
use crate::game::Setup;
use crate::handins::built::{Built, Test, Workshop};
use crate::record::text::{counted, one_line};

/// Tests the bots that have not been tested on this board, with `check` examines them, too, and writes down what came of it.
pub fn test(
    workshop: &Workshop,
    setup: &Setup,
    config: &Config,
    containment: Option<Containment>,
    handins: &mut [Built],
    check: bool,
    quiet: bool,
) -> Result<()> {
    let board = setup.board();
    let game = format!("{} {} {}", setup.name(), board.size, board.seats);
    let untested: Vec<&mut Built> = handins
        .iter_mut()
        .filter(|built| built.command.is_some())
        .filter(|built| !built.test.as_ref().is_some_and(|test| test.is_enough(&game, check)))
        .collect();
    if untested.is_empty() {
        return Ok(());
    }
    if !quiet {
        say(&format!("testing {} …", counted(untested.len(), "bot")));
    }
    let (mut entrants, mut problems): (Vec<Entrant>, BTreeMap<String, String>) = Default::default();
    for built in &untested {
        let command = built.command.clone().unwrap_or_default();
        match BotConfig::in_folder(&built.name, &command, &workshop.bot(&built.name)).entrant() {
            Ok(entrant) => entrants.push(entrant),
            Err(problem) => drop(problems.insert(built.name.clone(), problem.to_string())),
        }
    }
    let languages: BTreeMap<String, Option<Language>> =
        entrants.iter().map(|entrant| (entrant.name.clone(), language::of(entrant))).collect();
    let folder_of_checks = check.then(|| workshop.folder().join(exam_board::FOLDER));
    // The copies that play here are of no use later.
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    problems.extend(take_files(folder.path(), &mut entrants, containment.as_ref(), USUAL_LIMIT)?);
    let bots = entrants.iter().map(BotSettings::new).collect();
    let mut settings = Settings::new(setup, config.terms.clone(), new_seed(), bots, None);
    let workers = Workers { jobs: (cores::count() / 2).max(1), pin: true };
    let stage = Stage::set(folder.path(), &mut settings, containment.clone(), workers)?;
    entrants.retain(|entrant| !problems.contains_key(&entrant.name));
    let Tested { failures, slow } =
        smoke_test::test(&stage.runner(&[]), &entrants, |_, _| ()).context("the referee is in trouble")?;
    let checks = folder_of_checks.map_or(Ok(BTreeMap::new()), |folder| {
        let language = |bot: &Entrant| languages.get(&bot.name).copied().flatten();
        let bots: Vec<_> = entrants.iter().map(|bot| (bot.clone(), language(bot))).collect();
        ExamBoard::new(setup, &config.terms, containment.as_ref())?.examine_all(&bots, &folder, quiet)
    });
    let mut checks = checks?;
    if stage.is_interrupted() {
        return Ok(());
    }
    let mut keep = workshop.keep()?;
    for built in untested {
        let failure = failures.get(&built.name).map(|failure| failure.sentence.clone());
        let failure =
            failure.or_else(|| problems.get(&built.name).cloned()).map(|failure| one_line(&failure));
        let check = checks.remove(&built.name);
        let is_slow = slow.contains(&built.name);
        built.test = Some(Test { game: game.clone(), failure, is_slow, check });
        keep.add(built)?;
    }
    Ok(())
}
