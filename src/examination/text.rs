//! A report as text, at most 80 columns wide.

use super::book::Finding;
use super::report::{Mark, Report, TestReport};
use super::transcript::{Line, Voice};

/// The widest line.
const WIDTH: usize = 80;

/// The whole report, with its last line.
pub fn text(report: &Report) -> String {
    let language = report.language.map_or(String::new(), |language| format!(", {language}"));
    let mut text = wrapped(
        "",
        &format!("{} ({}{language}), {} on {}", report.bot, report.command, report.game, report.board),
    );
    text.push('\n');
    report.tests.iter().filter(|test| test.outcome != Mark::NotTried).for_each(|test| text += &row(test));
    text += &not_tried(report);
    for (test, finding) in report.findings() {
        text += &format!("\n{}", about(test, finding));
    }
    let times = report.times();
    if !times.is_empty() {
        text += &format!("\n{times}");
    }
    text + "\n" + &report.result + "\n"
}

/// One line for a test.
fn row(test: &TestReport) -> String {
    let mark = match test.outcome {
        Mark::Passed => "ok",
        Mark::Fault => "FAULT",
        Mark::Advice => "advice",
        Mark::NotTried => "-",
    };
    let note = test.note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
    wrapped(&format!("{mark:<7}{:<14} ", test.name), &format!("{}{note}", test.title))
}

/// The tests that were not tried, by the reason why not.
fn not_tried(report: &Report) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for test in report.tests.iter().filter(|test| test.outcome == Mark::NotTried) {
        let why = test.note.as_deref().unwrap_or("not asked for");
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(test.name),
            None => reasons.push((why, vec![test.name])),
        }
    }
    let line = |(why, names): (&str, Vec<&str>)| {
        wrapped("-      ", &format!("not tried, since {why}: {}", names.join(", ")))
    };
    reasons.into_iter().map(line).collect()
}

/// What a test has found.
fn about(test: &TestReport, finding: &Finding) -> String {
    let head = if test.outcome == Mark::Fault { "FAULT" } else { "advice" };
    let mut text = wrapped(&format!("{head}  {}: ", test.name), &format!("a sound bot {}", test.title));
    text += &labelled("tried", &format!("{}: {}", finding.tried, finding.command));
    if !finding.transcript.is_empty() {
        text += "  what was said (> to its stdin, < from its stdout, after milliseconds)\n";
        text += &finding.transcript.iter().map(said).collect::<String>();
    }
    if !finding.stderr.is_empty() {
        text += "  the end of its stderr\n";
        text += &finding.stderr.iter().map(|line| format!("      {line}\n")).collect::<String>();
    }
    // What people are to read comes last: on a small terminal the rest has gone by.
    let mut say = |label: &str, words: &str| text += &labelled(label, words);
    say("happened", &format!("it {}", finding.happened));
    say("expected", &finding.expected);
    say("why", &finding.why);
    if let Some(fix) = &finding.fix {
        say("fix", &fix.advice);
        text += &fix.code.iter().map(|line| format!("              {line}\n")).collect::<String>();
    }
    text
}

/// A part of a finding behind its name.
fn labelled(label: &str, words: &str) -> String {
    if words.is_empty() { String::new() } else { wrapped(&format!("  {label:<10}"), words) }
}

fn said(line: &Line) -> String {
    let ms = line.ms.map_or(String::new(), |ms| ms.to_string());
    let sign = match line.voice {
        Voice::Arbitro => ">",
        Voice::Bot => "<",
        Voice::Event => " ",
    };
    wrapped(&format!("  {ms:>6} {sign} "), &line.text)
}

/// A text behind a beginning, in lines that go on below its first letter.
fn wrapped(begin: &str, text: &str) -> String {
    let indent = begin.chars().count();
    let (mut lines, mut column) = (begin.to_owned(), indent);
    for (index, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > WIDTH {
            lines += &format!("\n{}", " ".repeat(indent));
            column = indent;
        } else if index > 0 {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += length;
    }
    lines.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_below_their_beginning() {
        let text = wrapped("  why       ", &"a bot that waits ".repeat(9));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.starts_with("            a") || line.starts_with("            "))
        );
        assert_eq!(wrapped("ok     starts ", ""), "ok     starts\n");
    }
}
