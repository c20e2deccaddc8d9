//! The command line: one file for each subcommand, with its options and what it prints. No policy.

mod build;
mod championship;
mod changes;
mod check;
mod commands;
mod console;
mod contest;
mod dry_run;
mod duel;
mod exam_board;
mod exit;
mod export;
mod file_settings;
mod full_screen;
mod live;
mod new;
mod numbers;
mod okupacio;
mod options;
mod output;
mod page_facts;
mod play;
mod progress;
mod pseudonyms;
mod recorded;
mod reference;
mod replay;
mod report;
mod report_page;
mod rerun;
mod what_next;
mod wrong_usage;
mod xinez;

pub use commands::{main, reference_main};
