//! The page about one bot that has been examined. It needs no script.

use askama::Template;

use super::assets;
use super::tables::rendered;

/// What stands on the page.
#[derive(Clone, Debug, Default)]
pub struct CheckPage {
    /// The bot's name, and what this is.
    pub title: String,
    /// Whether it has no fault.
    pub is_sound: bool,
    /// Its faults, counted.
    pub faults: String,
    /// The command, the language, the game.
    pub about: String,
    /// What was found.
    pub findings: Vec<FindingBlock>,
    /// All tests.
    pub rows: Vec<TestRow>,
    /// The times of its moves, as a plot of text.
    pub times: String,
    /// The last line.
    pub result: String,
}

/// A finding.
#[derive(Clone, Debug, Default)]
pub struct FindingBlock {
    /// The test.
    pub name: String,
    /// What the bot does that passes it.
    pub title: String,
    /// How bad it is, in a word.
    pub level: String,
    /// What was tried.
    pub tried: String,
    /// With which command.
    pub command: String,
    /// What the bot did, in words that follow "it".
    pub happened: String,
    /// What was expected.
    pub expected: String,
    /// Why it matters.
    pub why: String,
    /// How to mend it.
    pub fix: String,
    /// The code that does.
    pub code: String,
    /// What was sent and what came back.
    pub said: Vec<SaidLine>,
    /// The last lines of its stderr.
    pub stderr: String,
}

/// A line of a conversation.
#[derive(Clone, Debug, Default)]
pub struct SaidLine {
    /// After how many milliseconds.
    pub ms: String,
    /// Who said it.
    pub who: String,
    /// What.
    pub text: String,
}

/// A test in the table.
#[derive(Clone, Debug, Default)]
pub struct TestRow {
    /// Its name.
    pub name: String,
    /// What the bot does that passes it.
    pub title: String,
    /// What came of it.
    pub outcome: String,
    /// Whether that is a fault.
    pub is_fault: bool,
    /// A remark.
    pub note: String,
}

#[derive(Template)]
#[template(path = "check.html")]
struct Filled<'a> {
    page: &'a CheckPage,
    policy: &'a str,
    style: &'a str,
}

/// The page, in one file.
pub fn html(page: &CheckPage) -> String {
    rendered(&Filled { page, policy: &assets::policy("", false), style: assets::STYLE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_bot_has_written_is_escaped() {
        let said = vec![SaidLine { text: "<script>alert(1)</script>".to_owned(), ..SaidLine::default() }];
        let block = FindingBlock { said, stderr: "<img src=x>".to_owned(), ..FindingBlock::default() };
        let page =
            html(&CheckPage { title: "<b>".to_owned(), findings: vec![block], ..CheckPage::default() });
        assert!(!page.contains("<script>") && !page.contains("<img") && !page.contains("<b>"), "{page}");
        assert!(page.contains("script-src &#39;sha256-"));
    }
}
