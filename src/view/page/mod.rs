//! Pages for browsers. A page knows no rules: games are played here, and it is told what changes on the board with each ply.

pub mod assets;
pub mod blocks;
pub mod board_data;
pub mod check;
mod exports;
pub mod facts;
pub mod figures;
pub mod game_data;
pub mod pack;
mod parts;
pub mod publication;
mod reasons;
pub mod report;
pub mod row;
pub mod shells;
pub mod single_game;
pub mod tables;
