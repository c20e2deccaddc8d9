//! From records of games to all that a report holds of them: blocks, rows and figures.

use std::collections::HashMap;

use super::blocks::{Block, Times};
use super::board_data::{BoardData, Stepper};
use super::figures::Figures;
use super::game_data::GameData;
use super::publication::Publication;
use super::row::Row;
use crate::record::GameRecord;

/// What is the same for all games of a report.
pub struct Packing {
    /// The indices of the bots by their true names.
    pub bots: HashMap<String, usize>,
    /// The names that are shown.
    pub names: Vec<String>,
    /// What may be read.
    pub publication: Publication,
    /// How exact times are; nothing if games are not to be replayed.
    pub times: Option<Times>,
}

/// A game to be packed.
pub struct Recorded {
    /// Its record.
    pub record: GameRecord,
    /// What each seat wrote to stderr, where that is to be shown.
    pub stderr: Vec<Option<Vec<u8>>>,
}

/// What a game is played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardKey {
    /// The game.
    pub game: String,
    /// The size of its board.
    pub size: u8,
    /// How many play.
    pub seats: usize,
    /// The text of its board, if it has one of its own.
    pub text: Option<String>,
    /// Whether games begin from a position that was set up.
    pub is_set_up: bool,
}

/// Games that are packed.
pub struct Packed {
    /// What tells each apart; boards are counted as in `boards`.
    pub rows: Vec<Row>,
    /// The boards.
    pub boards: Vec<(BoardKey, BoardData)>,
    /// The figures of each bot.
    pub figures: Vec<Figures>,
    /// The games themselves, unless they are not to be replayed.
    pub block: Option<String>,
}

impl Packing {
    /// Packs games. Those that no game can be made of are left out.
    pub fn pack(&self, games: Vec<Recorded>) -> Packed {
        let mut block = self.times.map(|times| Block::new(&self.names, times));
        let mut packed = Packed {
            rows: Vec::with_capacity(games.len()),
            boards: Vec::new(),
            figures: vec![Figures::default(); self.names.len()],
            block: None,
        };
        for Recorded { record, stderr } in games {
            let Some(at) = packed.board(&record) else { continue };
            let mut row = Row::of(&record, &self.bots);
            row.board = at;
            let board = &packed.boards[at].1;
            let Ok(mut game) = GameData::of(record, &board.names, &self.bots, &self.publication, &stderr)
            else {
                continue;
            };
            game.board = at;
            row.plies = game.plies.len() as u32;
            if let Some(block) = &mut block {
                block.add(&game, board);
            }
            for (seat, &bot) in row.bots.iter().enumerate() {
                if let Some(figures) = packed.figures.get_mut(bot) {
                    figures.add(&game, &row, seat);
                }
            }
            packed.rows.push(row);
        }
        packed.block = block.map(Block::finish);
        packed
    }
}

impl Packed {
    /// The index of a game's board, which is made if it is new.
    fn board(&mut self, record: &GameRecord) -> Option<usize> {
        let is_it = |key: &BoardKey| {
            key.game == record.game
                && key.size == record.size
                && key.seats == record.seats.len()
                && key.text == record.board
        };
        if let Some(at) = self.boards.iter().position(|(key, _)| is_it(key)) {
            return Some(at);
        }
        let (game, size, text) = (record.game.clone(), record.size, record.board.clone());
        let key =
            BoardKey { game, size, seats: record.seats.len(), text, is_set_up: record.diagram.is_some() };
        self.boards.push((key, Stepper::new(record.start().ok()?).board()));
        Some(self.boards.len() - 1)
    }
}
