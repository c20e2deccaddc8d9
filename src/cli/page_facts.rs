//! What a report says of a championship besides its games.

use std::fs;
use std::path::Path;

use jiff::tz::TimeZone;

use super::output::quoted;
use crate::championship::contest::Report;
use crate::championship::csv_tables;
use crate::championship::formats::Format;
use crate::championship::logs;
use crate::championship::settings::Settings;
use crate::game;
use crate::record::Summary;
use crate::record::terms::ClockKind;
use crate::record::text::{printable, visible};
use crate::view::page::facts::{Absent, Facts, GoOn};
use crate::view::page::publication::Publication;
use crate::view::{disturbances, set_aside};

/// The longest title that is shown.
const LONGEST_TITLE: usize = 300;

/// The facts; `names` are those that are shown, in the order of the standings. What bots wrote to stderr that failed their test is
/// read from `stderr`, the folder of the championship, if that is given.
pub fn facts(
    folder: &Path,
    report: &Report,
    publication: &Publication,
    names: &[String],
    stderr: Option<&Path>,
) -> Facts {
    let settings = &report.settings;
    let bots = report.standings.rows.iter().map(|row| settings.bot(&row.bot));
    let command = |bot: &crate::championship::settings::BotSettings| printable(bot.command.as_bytes(), 1000);
    let commands = match publication.with_commands {
        true => bots.map(|bot| bot.map_or(String::new(), command)).collect(),
        false => Vec::new(),
    };
    Facts {
        title: publication.text(&title(settings, names), &[]),
        parts: parts(settings),
        started: settings.started.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        game: settings.game.clone(),
        seats: settings.seats.into(),
        byes: settings.format == Format::Swiss,
        done: report.games.len(),
        scheduled: report.scheduled,
        go_on: go_on(folder, settings, publication),
        left_out: left_out(settings, publication, stderr),
        notes: notes(report, publication),
        commands,
    }
}

/// Those who take no part.
fn left_out(settings: &Settings, publication: &Publication, stderr: Option<&Path>) -> Vec<Absent> {
    let commands = commands(settings);
    let log = |bot: &str| {
        let bytes = fs::read(stderr?.join(logs::of_test(bot))).ok()?;
        Some(publication.text(&visible(&bytes), &commands))
    };
    let one = |(bot, reason): (&str, &str)| Absent {
        name: publication.name(bot),
        reason: publication.reason(bot, &visible(reason.as_bytes()), &commands),
        stderr: log(bot),
    };
    settings.unranked().into_iter().map(one).collect()
}

/// The commands of all bots, which are not to be told.
pub fn commands(settings: &Settings) -> Vec<String> {
    settings.bots.iter().map(|bot| bot.command.clone()).collect()
}

/// What it is called.
pub fn title(settings: &Settings, names: &[String]) -> String {
    let game = game::title(&settings.game);
    match (&settings.title, settings.format) {
        (Some(title), _) => printable(title.as_bytes(), LONGEST_TITLE),
        (None, Format::Duel) => format!("{game}: {}", names.join(" – ")),
        (None, _) => format!("{game} championship"),
    }
}

/// What it is, in parts.
pub fn parts(settings: &Settings) -> Vec<String> {
    let board = settings.setup().map(|setup| setup.start().board_name());
    let clock = match settings.terms.clock {
        ClockKind::Wall => "",
        ClockKind::Cpu => " of processor time",
    };
    let mut parts: Vec<String> = board.into_iter().collect();
    parts.push(format!("{} s{clock} a game", settings.terms.time));
    if settings.seats > 2 {
        parts.push(format!("{} at a table", settings.seats));
    }
    let rounds = if settings.rounds == 1 { String::new() } else { format!(", {} rounds", settings.rounds) };
    match settings.format {
        Format::Duel => {}
        format => parts.push(format!("{}{rounds}", format.to_string().replace('-', " "))),
    }
    parts
}

/// How to go on with it. The folder of the results is named only where paths may be told.
fn go_on(folder: &Path, settings: &Settings, publication: &Publication) -> GoOn {
    let shown = quoted(folder);
    let (words, command) = match (settings.format, publication.with_commands) {
        (Format::Duel, true) => ("Go on with the same command and".to_owned(), format!("--out {shown}")),
        (Format::Duel, false) => (
            "Go on with the same command, and the folder of the results behind".to_owned(),
            "--out".to_owned(),
        ),
        (_, true) => ("Go on with".to_owned(), format!("arbitro championship --resume {shown}")),
        (_, false) => (
            "Go on, in the folder of the results, with".to_owned(),
            "arbitro championship --resume .".to_owned(),
        ),
    };
    GoOn { words, command }
}

/// What else there is to say.
fn notes(report: &Report, publication: &Publication) -> Vec<String> {
    let Report { settings, games, disturbances, given_up, .. } = report;
    let commands = commands(settings);
    let told = |text: &str| publication.text(&visible(text.as_bytes()), &commands);
    let mut notes: Vec<String> = disturbances::text(disturbances).lines().map(told).collect();
    notes.extend(set_aside::text(&report.set_aside).lines().map(told));
    notes.extend(given_up.as_ref().map(|why| format!("some games could not be played: {}", told(why))));
    let mut in_order: Vec<&Summary> = games.iter().collect();
    in_order.sort_by_key(|game| game.number);
    match csv_tables::duplicates(&in_order).len() {
        0 => {}
        1 => notes.push("1 game repeats an earlier one move by move".to_owned()),
        many => notes.push(format!("{many} games repeat an earlier one move by move")),
    }
    notes
}
