//! What has come of each test.

use std::collections::BTreeMap;

use serde::Serialize;

use super::catalogue::{self, Level};
use super::figures::Figures;
use super::remedies::Remedy;
use super::transcript::Line;

/// What an experiment has shown to be wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What was tried, in a sentence about arbitro.
    pub tried: String,
    /// The command that it was tried with.
    pub command: String,
    /// What the bot did, and why as far as that is known, in a sentence about "it".
    pub happened: String,
    /// What was expected.
    pub expected: String,
    /// Why it matters.
    pub why: String,
    /// How to mend it, in the bot's own language.
    pub fix: Option<Remedy>,
    /// What was sent and what came back.
    pub transcript: Vec<Line>,
    /// The last lines that it wrote to stderr.
    pub stderr: Vec<String>,
}

/// What has come of a test.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// All is well; perhaps something is worth a remark.
    Passed(Option<String>),
    /// Something is not.
    Found(Box<Finding>),
    /// Something else has to be mended first, or it was not asked for; says what.
    NotTried(String),
}

/// The outcomes of all tests up to now.
#[derive(Debug, Default)]
pub struct Book {
    outcomes: BTreeMap<&'static str, Outcome>,
    /// What whole games have shown of its time and memory.
    pub figures: Option<Figures>,
}

impl Book {
    /// What has come of a test.
    pub fn outcome(&self, name: &str) -> Option<&Outcome> {
        self.outcomes.get(name)
    }

    /// The bot has passed these tests, unless it has failed them before.
    pub fn pass(&mut self, names: &[&'static str]) {
        for name in names {
            self.outcomes.entry(name).or_insert(Outcome::Passed(None));
        }
    }

    /// The bot has passed a test, and something is to be said about it, unless it has failed before.
    pub fn pass_with(&mut self, name: &'static str, remark: String) {
        if !self.has_found(name) {
            self.outcomes.insert(name, Outcome::Passed(Some(remark)));
        }
    }

    /// A test has shown something. The first that it shows is kept.
    pub fn find(&mut self, name: &'static str, finding: Finding) {
        if !self.has_found(name) {
            self.outcomes.insert(name, Outcome::Found(Box::new(finding)));
        }
    }

    /// These tests cannot be tried any more, as far as nothing has come of them yet.
    pub fn leave_out(&mut self, names: impl Iterator<Item = &'static str>, why: &str) {
        for name in names {
            self.outcomes.entry(name).or_insert_with(|| Outcome::NotTried(why.to_owned()));
        }
    }

    /// What a test has shown is of no account, if it has shown something: something else has to be mended first.
    pub fn set_aside(&mut self, name: &'static str, why: &str) {
        if self.has_found(name) {
            self.outcomes.insert(name, Outcome::NotTried(why.to_owned()));
        }
    }

    /// Whether a test has shown something.
    pub fn has_found(&self, name: &str) -> bool {
        matches!(self.outcome(name), Some(Outcome::Found(_)))
    }

    /// Why something cannot be tried that needs these tests, if it cannot.
    pub fn obstacle(&self, names: impl Iterator<Item = &'static str> + Clone) -> Option<String> {
        let fails = |name: &&str| self.has_found(name) && catalogue::test(name).level == Level::Fault;
        let not_tried = |name: &str| match self.outcome(name) {
            Some(Outcome::NotTried(why)) => Some(why.clone()),
            _ => None,
        };
        names.clone().find(fails).map(first_mend).or_else(|| names.clone().find_map(not_tried))
    }
}

/// Why something is not tried that depends on a test which was failed.
pub fn first_mend(test: &str) -> String {
    format!("'{test}' has to be mended first")
}
