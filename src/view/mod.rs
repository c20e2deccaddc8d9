//! What people look at, pure: boards, tables and results as text, as drawings and as pages.

pub mod disturbances;
pub mod equal_play;
pub mod fit;
mod game_line;
pub mod kinds;
pub mod live_table;
pub mod match_result;
pub mod okupacio;
pub mod page;
pub mod replay_screen;
pub mod set_aside;
pub mod standings;
pub mod svg;
pub mod terminal;

pub use game_line::game_line;
