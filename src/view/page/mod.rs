//! Pages for browsers. A page knows no rules: games are played here, and it is told what changes on the board with each ply.

pub mod board_data;
