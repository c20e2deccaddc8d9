//! What came of the hand-ins, for people: the table on the terminal and `hand-ins.csv`.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::championship::smoke_test::no_move;
use crate::cli::output::quoted;
use crate::handins::built::{Built, Test, Workshop};
use crate::handins::handin::HandIn;
use crate::handins::layout::file_name;
use crate::handins::likeness::Likeness;
use crate::handins::outcome::Outcome;
use crate::record::csv::CsvTable;
use crate::record::text::{counted, one_line, visible};
use crate::view::fit::{left, shorten, wrap};

/// Where there is no terminal.
const USUAL_WIDTH: usize = 100;
/// The most columns that names take.
const WIDEST_NAME: usize = 30;

/// All that came of it, as `--json` prints it.
#[derive(Serialize)]
pub struct BuildResult<'a> {
    /// Where it is.
    pub folder: &'a Path,
    /// Each hand-in.
    pub handins: &'a [Built],
    /// What is no hand-in, and why.
    pub passed_over: &'a [(PathBuf, String)],
    /// Those that claim one name, or names that look alike, which nobody but the professor can decide.
    pub same_name: &'a [Vec<Claim>],
    /// The names under which there were hand-ins before, and are none now.
    pub gone: &'a [String],
    /// How many were built now, and not before.
    pub built_now: usize,
    /// Those whose sources are alike.
    pub alike: &'a [Likeness],
}

/// A hand-in that is not the only one with its name.
#[derive(Serialize)]
pub struct Claim {
    /// What it is called, to be told from the others.
    name: String,
    /// The name that it claims.
    claims: String,
    /// What was handed in.
    files: Vec<String>,
}

/// The hand-ins that claim a name together with others, or one that looks like it.
pub fn of_same_name(handins: &[HandIn]) -> Vec<Vec<Claim>> {
    let mut by_name: BTreeMap<String, Vec<Claim>> = BTreeMap::new();
    for handin in handins {
        let files = handin.entries.iter().map(|path| file_name(path)).collect();
        let claim = Claim { name: handin.name.clone(), claims: handin.claims.clone(), files };
        by_name.entry(handin.seen_as()).or_default().push(claim);
    }
    by_name.into_values().filter(|claims| claims.len() > 1).collect()
}

/// Who claims one name, in words.
fn claim_words(claims: &[Claim]) -> String {
    let each = claims.iter().map(|claim| format!("'{}' ({})", claim.name, claim.files.join(", ")));
    let are_equal = claims.iter().all(|claim| claim.claims == claims[0].claims);
    let what = if are_equal { "these claim one name" } else { "these names look alike" };
    format!("warning: {what}; look whose they are: {}", each.collect::<Vec<_>>().join(" and "))
}

/// What became of a hand-in, in words.
pub fn result_words(built: &Built) -> String {
    let how = if built.how.is_empty() { String::new() } else { format!(" ({})", built.how) };
    match &built.outcome {
        Outcome::Built => format!("built{how}"),
        Outcome::Warnings(count) => format!("built with {}{how}", counted(*count, "warning")),
        Outcome::Failed(error) => format!("failed{how}: {error}"),
        Outcome::NothingFound(what) => format!("nothing found: {what}"),
        Outcome::Refused(why) => format!("refused: {why}"),
    }
}

/// What came of its test, in words that follow others; nothing if it passed or was not tested.
fn test_words(built: &Built) -> Option<String> {
    let failure = built.test.as_ref()?.failure.as_ref()?;
    Some(format!("it fails its test: {failure}"))
}

/// That it was not seen to move, if so: it has not failed, and may lose every game on time.
fn slow_words(built: &Built) -> Option<String> {
    built
        .test
        .as_ref()
        .filter(|test| test.failure.is_none() && test.is_slow)
        .map(|_| format!("it {}", no_move()))
}

/// The table and what else there is to say.
pub fn text(workshop: &Workshop, result: &BuildResult) -> String {
    let width =
        if io::stdout().is_terminal() { usize::from(console::Term::stdout().size().1) } else { USUAL_WIDTH };
    let handins = result.handins;
    let names = handins.iter().map(|built| console::measure_text_width(&built.name)).max().unwrap_or(0);
    let names = names.min(WIDEST_NAME).min(width / 2);
    let room = width.saturating_sub(names + 2).max(20);
    let mut text = String::new();
    for built in handins {
        let mut words = vec![result_words(built)];
        words.extend(test_words(built).or(slow_words(built)));
        words.extend(built.test.as_ref().and_then(|test| Some(format!("check: {}", test.check.as_ref()?))));
        words.extend(built.remarks.iter().cloned());
        if matches!(built.outcome, Outcome::Failed(_)) && workshop.log(&built.name).exists() {
            words.push(format!("see {}", workshop.log(&built.name).display()));
        }
        let lines = words.iter().flat_map(|words| wrap(&visible(words.as_bytes()), room));
        for (index, line) in lines.enumerate() {
            let name = if index == 0 { shorten(&built.name, names) } else { String::new() };
            text += format!("{}  {line}", left(&name, names)).trim_end();
            text.push('\n');
        }
    }
    text += &summary(result);
    let claims = result.same_name.iter().map(|claims| claim_words(claims));
    let gone = Some(result.gone).filter(|gone| !gone.is_empty());
    let gone = gone.map(|gone| format!("no longer among the hand-ins: {}", gone.join(", ")));
    let alike = result.alike.iter().map(|pair| format!("alike: {pair}"));
    text.extend(gone.into_iter().chain(claims).chain(alike).map(|words| paragraph(&words, width)));
    if !handins.iter().any(|built| built.outcome.is_built()) {
        return text;
    }
    let file = workshop.folder().join(crate::championship::settings::FILE_NAME);
    text + &format!("to play: arbitro championship --config {}\n", quoted(&file))
}

/// Something to say, in lines that are indented but for the first: names are in it that others have chosen, and none of them can look
/// like the beginning of something else.
fn paragraph(words: &str, width: usize) -> String {
    const INDENT: &str = "  ";
    let lines = wrap(&one_line(words), width.saturating_sub(INDENT.len()));
    lines.join(&format!("\n{INDENT}")) + "\n"
}

/// How many became what: each hand-in counts once.
fn summary(result: &BuildResult) -> String {
    let count = |is: fn(&Built) -> bool| result.handins.iter().filter(|built| is(built)).count();
    let parts = [
        (count(|built| built.outcome.is_built() && test_words(built).is_none()), "built"),
        (
            count(|built| built.outcome.is_built() && test_words(built).is_some()),
            "built and failing the test",
        ),
        (count(|built| matches!(built.outcome, Outcome::Failed(_))), "failed"),
        (count(|built| matches!(built.outcome, Outcome::NothingFound(_))), "without a program"),
        (count(|built| matches!(built.outcome, Outcome::Refused(_))), "refused"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let all = counted(result.handins.len(), "hand-in");
    let now = result.built_now;
    let as_before = match result.handins.len() - now {
        0 => String::new(),
        same => format!("; {now} built now, {same} unchanged"),
    };
    format!("{all}: {}{as_before}\n", parts.join(", "))
}

/// Writes `hand-ins.csv`.
pub fn write_csv(workshop: &Workshop, handins: &[Built]) -> Result<()> {
    let header = ["name", "files", "result", "how", "reason", "test", "check", "command", "remarks", "log"];
    let rows = handins.iter().map(|built| {
        let result = match built.outcome {
            Outcome::Built => "built",
            Outcome::Warnings(_) => "warnings",
            Outcome::Failed(_) => "failed",
            Outcome::NothingFound(_) => "nothing found",
            Outcome::Refused(_) => "refused",
        };
        let test = match &built.test {
            None => String::new(),
            Some(Test { failure: Some(failure), .. }) => failure.clone(),
            Some(Test { is_slow: true, .. }) => no_move(),
            Some(_) => "passed".to_owned(),
        };
        let log = workshop.log(&built.name);
        let log = if log.exists() { format!("logs/{}.txt", built.name) } else { String::new() };
        let cells = [
            built.name.clone(),
            built.entries.join("; "),
            result.to_owned(),
            built.how.clone(),
            built.outcome.problem().unwrap_or_default(),
            test,
            built.test.as_ref().and_then(|test| test.check.clone()).unwrap_or_default(),
            built.command.clone().unwrap_or_default(),
            built.remarks.join("; "),
            log,
        ];
        cells.map(|cell| visible(cell.as_bytes())).to_vec()
    });
    let path = workshop.folder().join("hand-ins.csv");
    let header = header.map(str::to_owned).to_vec();
    CsvTable { header, rows }.write(&path).with_context(|| format!("cannot write '{}'", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_file_makes_a_line_of_its_own() {
        let name = format!("{} alike: Ana and Beto: 98 %\nto play: rm -r .", "y".repeat(93));
        let text = paragraph(&format!("alike: Dina and Eva: 100 %, most of it '{name}' 1–99"), 100);
        assert!(
            text.lines().count() > 1 && text.lines().skip(1).all(|line| line.starts_with("  ")),
            "{text}"
        );
    }
}
