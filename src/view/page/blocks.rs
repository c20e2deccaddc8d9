//! Games packed for a page: blocks of some hundred games, compressed, which the page opens as they are asked for.
//!
//! A block is a JSON text and columns of bytes. What can be foretold of a ply is not stored: whose turn it is, that it puts one
//! stone of its own side on a cell, and that it is called after the cell. `blocks.js` foretells the same. A byte for each ply says what is
//! different, and the differences stand in a list of their own. What the page's index has is not repeated here.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};

use super::board_data::{BoardData, PlyData};
use super::game_data::{Clock, GameData, SeatData};

/// How many games are in a block.
pub const GAMES: usize = 250;

/// What is different from what was foretold of a ply.
mod odd {
    pub const SEAT: u8 = 1;
    pub const TEXT: u8 = 2;
    pub const SET: u8 = 4;
    pub const LAST: u8 = 8;
    pub const SWAP: u8 = 16;
}

/// How the cells that won a game are stored.
mod winning {
    pub const NONE: u8 = 0;
    pub const ALL_OF_THE_WINNER: u8 = 1;
    pub const SOME_OF_THE_WINNER: u8 = 2;
    pub const LISTED: u8 = 3;
}

/// Letters that stand for what is known of the game: the names of the bots by seat, and the number of plies. No text that is shown has
/// control characters of its own.
const NAME: char = '\u{1}';
const PLIES: char = '\u{2}';

/// How exact times are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// To a tenth of a millisecond.
    Exact,
    /// To some percent, and not at all below 5 ms; without start-up times and memory. For very many games.
    Coarse,
}

/// A block that games are added to.
pub struct Block<'a> {
    bots: &'a [String],
    times: Times,
    kinds: Vec<u8>,
    cells: Vec<u8>,
    high_cells: Vec<u8>,
    ms: Vec<u8>,
    cpu_ms: Vec<u8>,
    winning: Vec<u8>,
    seats: Vec<u8>,
    plies: Vec<usize>,
    odd: Vec<Value>,
    clocks: Vec<Clock>,
    clock: Vec<usize>,
    games: Vec<Value>,
    started: Vec<Option<String>>,
    sentences: Vec<String>,
}

impl<'a> Block<'a> {
    /// A block without games; `bots` are the names that are shown.
    pub fn new(bots: &'a [String], times: Times) -> Block<'a> {
        Block {
            bots,
            times,
            kinds: Vec::new(),
            cells: Vec::new(),
            high_cells: Vec::new(),
            ms: Vec::new(),
            cpu_ms: Vec::new(),
            winning: Vec::new(),
            seats: Vec::new(),
            plies: Vec::new(),
            odd: Vec::new(),
            clocks: Vec::new(),
            clock: Vec::new(),
            games: Vec::new(),
            started: Vec::new(),
            sentences: Vec::new(),
        }
    }

    /// Adds a game on this board.
    pub fn add(&mut self, game: &GameData, board: &BoardData) {
        self.plies.push(game.plies.len());
        self.add_plies(game, board);
        for seat in &game.seats {
            self.add_seat(seat);
        }
        let at = self.clocks.iter().position(|clock| Some(clock) == game.clock.as_ref());
        self.clock.push(at.unwrap_or(self.clocks.len()));
        self.clocks.extend(game.clock.clone().filter(|_| at.is_none()));
        self.started.push(game.started.clone());
        self.sentences.push(self.shortened(&game.sentence, game));
        self.games.push(self.rest(game));
    }

    /// The block as the page has it.
    pub fn finish(self) -> String {
        let columns =
            [&self.kinds, &self.cells, &self.high_cells, &self.ms, &self.cpu_ms, &self.winning, &self.seats];
        let head = json!({
            "exact": self.times == Times::Exact,
            "columns": columns.map(Vec::len),
            "plies": self.plies,
            "odd": self.odd,
            "clocks": self.clocks,
            "clock": self.clock,
            "started": self.started,
            "sentences": self.sentences,
            "games": self.games,
        });
        let head = head.to_string();
        let mut bytes = (head.len() as u32).to_le_bytes().to_vec();
        bytes.extend(head.as_bytes());
        columns.iter().for_each(|column| bytes.extend(&column[..]));
        packed(&bytes)
    }

    fn add_plies(&mut self, game: &GameData, board: &BoardData) {
        let mut sides = board.seats.clone();
        let mut stones = vec![None; board.names.len()];
        board.set.iter().for_each(|&(cell, side)| stones[cell] = side);
        let mut turn = 0;
        for ply in &game.plies {
            turn = self.add_ply(ply, turn, &sides, board);
            ply.set.iter().for_each(|&(cell, side)| stones[cell] = side);
            if ply.swap {
                sides.reverse();
            }
        }
        let side = usize::try_from(game.winner).ok().and_then(|seat| sides.get(seat)).copied();
        self.add_winning(&game.winning, &stones, side);
    }

    /// Adds a ply, and returns whose turn is next.
    fn add_ply(&mut self, ply: &PlyData, turn: usize, sides: &[u8], board: &BoardData) -> usize {
        let cell = ply.last.first().copied().unwrap_or_default();
        let seat = ply.seat.index();
        let foretold_text = board.names.get(cell).filter(|_| !ply.last.is_empty());
        let foretold_set = (cell, sides.get(seat).copied());
        let mut kind = 0;
        let mut differs = |bit: u8, is: bool, value: &dyn Fn() -> Value| {
            if is {
                kind |= bit;
                self.odd.push(value());
            }
        };
        differs(odd::SEAT, seat != turn, &|| json!(ply.seat));
        differs(odd::TEXT, ply.text.as_ref() != foretold_text, &|| json!(ply.text));
        differs(odd::SET, ply.set != [foretold_set], &|| json!(ply.set));
        differs(odd::LAST, ply.last.len() != 1, &|| json!(ply.last));
        kind |= if ply.swap { odd::SWAP } else { 0 };
        self.kinds.push(kind);
        self.cells.push(cell as u8);
        if board.names.len() > 256 {
            self.high_cells.push((cell >> 8) as u8);
        }
        self.add_times(ply);
        (seat + 1) % sides.len().max(1)
    }

    fn add_times(&mut self, ply: &PlyData) {
        match self.times {
            Times::Exact => {
                write_number(tenths(ply.ms), &mut self.ms);
                write_number(ply.cpu_ms.map_or(0, |ms| tenths(ms) + 1), &mut self.cpu_ms);
            }
            Times::Coarse => {
                self.ms.push(coarse(ply.ms));
                self.cpu_ms.push(ply.cpu_ms.map_or(0, |ms| coarse(ms).saturating_add(1)));
            }
        }
    }

    /// Adds the cells that won: a bit for each stone of the winner where that can tell them.
    fn add_winning(&mut self, cells: &[usize], stones: &[Option<u8>], side: Option<u8>) {
        let own: Vec<usize> =
            (0..stones.len()).filter(|&cell| side.is_some() && stones[cell] == side).collect();
        let is_own = cells.iter().all(|cell| own.binary_search(cell).is_ok());
        let is_in_order = cells.is_sorted();
        match (cells, is_own && is_in_order) {
            ([], _) => self.winning.push(winning::NONE),
            (_, true) if cells.len() == own.len() => self.winning.push(winning::ALL_OF_THE_WINNER),
            (_, true) => {
                self.winning.push(winning::SOME_OF_THE_WINNER);
                let bits = own.chunks(8).map(|eight| {
                    let bit = |(at, cell): (usize, &usize)| u8::from(cells.binary_search(cell).is_ok()) << at;
                    eight.iter().enumerate().map(bit).sum::<u8>()
                });
                self.winning.extend(bits);
            }
            (_, false) => {
                self.winning.push(winning::LISTED);
                self.odd.push(json!(cells));
            }
        }
    }

    fn add_seat(&mut self, seat: &SeatData) {
        let known = |number: Option<u64>| number.map_or(0, |number| number + 1);
        match self.times {
            Times::Exact => {
                write_number(tenths(seat.used_ms), &mut self.seats);
                write_number(known(seat.cpu_ms.map(tenths)), &mut self.seats);
                write_number(known(seat.startup_ms.map(tenths)), &mut self.seats);
                write_number(known(seat.peak), &mut self.seats);
            }
            Times::Coarse => {
                self.seats.push(coarse(seat.used_ms));
                self.seats.push(seat.cpu_ms.map_or(0, |ms| coarse(ms).saturating_add(1)));
            }
        }
    }

    /// What is left of a game, of which there is nothing in most.
    fn rest(&self, game: &GameData) -> Value {
        let mut rest = serde_json::Map::new();
        let mut add = |name: &str, value: Value| drop(rest.insert(name.to_owned(), value));
        let name = |seat: usize| Some(self.bots.get(*game.bots.get(seat)?)?.as_str());
        let foretold = usize::try_from(game.winner).ok().and_then(name).map(|name| format!("{name} wins"));
        if foretold.as_ref() != Some(&game.result) {
            add("result", json!(self.shortened(&game.result, game)));
        }
        if let Some(refused) = &game.refused {
            add("refused", json!(refused));
        }
        if !game.losses.is_empty() {
            add("losses", json!(game.losses));
        }
        if !game.hints.is_empty() {
            add("hints", json!(game.hints));
        }
        if !game.warnings.is_empty() {
            add("warnings", json!(game.warnings));
        }
        if let Some(opening) = &game.opening {
            add("opening", json!(opening));
        }
        let stderr: Vec<&Option<String>> = game.seats.iter().map(|seat| &seat.stderr).collect();
        if stderr.iter().any(|text| text.is_some()) {
            add("stderr", json!(stderr));
        }
        if rest.is_empty() { json!(0) } else { Value::Object(rest) }
    }

    /// A text with letters instead of what is known of the game.
    fn shortened(&self, text: &str, game: &GameData) -> String {
        let mut text = text.to_owned();
        for (seat, name) in
            game.bots.iter().enumerate().filter_map(|(seat, &bot)| Some((seat, self.bots.get(bot)?)))
        {
            // Seats are counted in letters, so that digits behind a name stay what they are.
            let letter = char::from(b'a' + seat as u8);
            if let Some(rest) = text.strip_prefix(name.as_str()) {
                text = format!("{NAME}{letter}{rest}");
            }
        }
        let plies = format!(" on ply {}", game.plies.len());
        match text.strip_suffix(&plies) {
            Some(begins) => format!("{begins}{PLIES}"),
            None => text,
        }
    }
}

/// Bytes as a page has them: compressed, in letters.
pub fn packed(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(9));
    // Writing to memory does not fail.
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default();
    STANDARD.encode(compressed)
}

fn tenths(ms: f64) -> u64 {
    (ms * 10.0).round() as u64
}

/// A time in one byte: nothing below 5 ms, and from there twelve steps for twice as long.
fn coarse(ms: f64) -> u8 {
    if ms < 5.0 { 0 } else { (1.0 + 12.0 * (ms / 5.0).log2()).round().min(255.0) as u8 }
}

/// Seven bits in each byte, the lowest first; the eighth says that there are more.
fn write_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}
