//! Matches and championships: who takes part, who meets whom, running the games, and keeping what comes of them.

pub mod admission;
pub mod bot_environment;
pub mod bot_files;
pub mod command_line;
pub mod config;
pub mod containment;
pub mod contest;
pub mod copies;
pub mod cores;
pub mod csv_tables;
pub mod entrant;
pub mod file_tree;
pub mod formats;
pub mod interpreter;
pub mod ledger;
pub mod missing_script;
pub mod openings;
pub mod quiet;
mod replays;
pub mod roster;
pub mod runner;
pub mod seating;
pub mod settings;
mod settings_keys;
pub mod shipped_bots;
pub mod smoke_test;
pub mod text_file;
