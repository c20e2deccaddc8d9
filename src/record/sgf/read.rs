//! Reading games of Hex from SGF files, be they ours or others'.

use std::time::Duration;

use super::tree::{self, Node, SgfError};
use crate::game::grid::Cell;
use crate::game::hex::{self, Hex, Move};
use crate::game::notation::{Colour, Vertex, mirror};
use crate::game::{Game, Seat};
use crate::record::fault::Fault;
use crate::record::game_record::{FORMAT, GameRecord, SeatRecord};
use crate::record::ply::Ply;
use crate::record::reason::Reason;
use crate::record::terms::Terms;
use crate::record::time_control::TimeControl;
use crate::record::verdict::{Loss, Verdict};

/// The number by which SGF knows Hex.
const HEX: &str = "11";
/// The size of the board where none is given.
const USUAL_SIZE: &str = "11";
/// More seconds than any clock has.
const LONGEST: f64 = 1e9;

/// The main lines of all games in a file, numbered as they say themselves or in order.
pub fn read(text: &str) -> Result<Vec<GameRecord>, SgfError> {
    let games = tree::main_lines(text)?;
    if games.is_empty() {
        return Err(SgfError {
            line: 1,
            what: "there is no game in it: an SGF file begins with '(;'".to_owned(),
        });
    }
    let mut records = Vec::with_capacity(games.len());
    for (nodes, number) in games.iter().zip(1..) {
        records.push(Reading::begin(nodes)?.record(nodes, number)?);
    }
    // Numbers tell games apart.
    let mut numbers: Vec<u32> = records.iter().map(|record| record.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() < records.len() {
        (1..).zip(&mut records).for_each(|(number, record)| record.number = number);
    }
    Ok(records)
}

/// A move as the file has it.
struct FileMove<'a> {
    node: &'a Node,
    colour: Colour,
    vertex: Vertex,
}

/// A game that is being read.
struct Reading<'a> {
    moves: Vec<FileMove<'a>>,
    game: Hex,
    /// Whether cells of the file are mirrored: where white begins, and after a swap of pieces.
    mirrored: bool,
    /// The colour that begins.
    began: Colour,
    /// The colour that the program at the first seat has in the file at this moment.
    first: Colour,
}

fn error(node: &Node, what: impl Into<String>) -> SgfError {
    SgfError { line: node.line, what: what.into() }
}

impl<'a> Reading<'a> {
    fn begin(nodes: &'a [Node]) -> Result<Reading<'a>, SgfError> {
        let Some(root) = nodes.first() else {
            return Err(SgfError { line: 1, what: "there is a game without a node".to_owned() });
        };
        if root.value("GM").unwrap_or(HEX).trim() != HEX {
            return Err(error(root, "this is not a game of Hex, which is GM[11]"));
        }
        let size = root.value("SZ").unwrap_or(USUAL_SIZE);
        let (columns, rows) = size.split_once(':').unwrap_or((size, size));
        let size = columns.trim().parse().ok().filter(|_| columns.trim() == rows.trim());
        let size = size.filter(|size| hex::RULES.sizes.contains(size)).ok_or_else(|| {
            let given = root.value("SZ").unwrap_or_default().escape_debug();
            error(root, format!("boards are square, of size 2 to 26; not SZ[{given}]"))
        })?;
        let mut moves = Vec::new();
        for node in nodes {
            if let Some(name) = ["AB", "AW", "AE"].into_iter().find(|name| node.value(name).is_some()) {
                return Err(error(
                    node,
                    format!("stones that are set up ({name}) cannot be replayed as moves"),
                ));
            }
            for (name, colour) in [("B", Colour::Black), ("W", Colour::White)] {
                if let Some(text) = node.value(name) {
                    let vertex = read_vertex(text).ok_or_else(|| {
                        error(node, format!("'{}' is not a move of Hex", text.escape_debug()))
                    })?;
                    moves.push(FileMove { node, colour, vertex });
                }
            }
        }
        let first = moves.first().map_or(Colour::Black, |first| first.colour);
        Ok(Reading { moves, game: Hex::new(size), mirrored: first == Colour::White, began: first, first })
    }

    fn record(mut self, nodes: &[Node], number: u32) -> Result<GameRecord, SgfError> {
        let root = &nodes[0];
        let terms = Terms { time: time_control(root).unwrap_or(Terms::default().time), ..Terms::default() };
        let mut played = Vec::new();
        let mut clocks = [terms.time.base; 2];
        let mut resigned = None;
        let moves = std::mem::take(&mut self.moves);
        for (index, mv) in moves.iter().enumerate() {
            if mv.vertex == Vertex::Resign {
                resigned = Some(self.seat_of(mv.colour));
                break;
            }
            let seat = self.game.turn();
            if self.seat_of(mv.colour) != seat {
                return Err(error(mv.node, format!("{} moves twice in a row", mv.colour)));
            }
            let next = moves.get(index + 1).map(|next| next.colour);
            let cell = self.play(mv, next).map_err(|why| error(mv.node, format!("{}: {why}", mv.vertex)))?;
            let taken = time_taken(mv, &mut clocks[seat.index()], terms.time.increment);
            played.push(Ply::Move { text: cell.to_string(), taken, work: None });
        }
        let verdict = self.verdict(root, resigned, played.len() + 1);
        let seat = |seat: Seat| SeatRecord {
            bot: self.name_of(root, seat),
            command: String::new(),
            identity: None,
            used_ns: played
                .iter()
                .skip(seat.index())
                .step_by(2)
                .map(|ply| ply.taken().as_nanos() as u64)
                .sum(),
            startup_ns: None,
            out_of_turn_ns: 0,
            credited_ns: 0,
            wrote: Vec::new(),
            exit: None,
            cpu_ns: None,
            peak: None,
        };
        let started = root.value("DT").and_then(|date| date.get(..10)?.parse::<jiff::civil::Date>().ok());
        let started = started.and_then(|date| Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp()));
        let own_number = root.value("GN").and_then(|name| name.strip_prefix("game ")?.parse().ok());
        Ok(GameRecord {
            format: FORMAT,
            number: own_number.unwrap_or(number),
            round: root.value("RO").and_then(|round| round.trim().parse().ok()).unwrap_or(1),
            leg: None,
            generation: 1,
            attempt: 1,
            game: hex::RULES.name.to_owned(),
            size: self.game.grid().size(),
            board: None,
            seats: vec![seat(Seat(0)), seat(Seat(1))],
            terms,
            seed: None,
            started,
            ended: None,
            load: None,
            opening: None,
            swapped: self.game.swapped(),
            verdict,
            plies: played,
            warnings: Vec::new(),
        })
    }

    /// The seat that a colour of the file means at this moment.
    fn seat_of(&self, colour: Colour) -> Seat {
        Seat(u8::from(colour != self.first))
    }

    /// Makes a move of the file, and returns its cell as we write it.
    fn play(&mut self, mv: &FileMove, next: Option<Colour>) -> Result<Cell, String> {
        let cell = match mv.vertex {
            Vertex::Cell(cell) if !self.game.grid().has(cell) => {
                return Err(format!("it is off the board, which is {}", self.game.board_name()));
            }
            Vertex::Cell(cell) => {
                if self.mirrored {
                    mirror(cell)
                } else {
                    cell
                }
            }
            _ => return self.swap(mv, next),
        };
        if self.game.stone(cell).is_some() {
            return Err("the cell is already taken".to_owned());
        }
        let legal = self.game.move_at(cell).ok_or("the game is over before that")?;
        self.game.make(legal);
        Ok(cell)
    }

    /// Swaps. Programs have mixed up the two words, but who moves next shows what they mean: after a swap of pieces it is
    /// the other colour, after one of sides the same again.
    fn swap(&mut self, mv: &FileMove, next: Option<Colour>) -> Result<Cell, String> {
        let first = self.game.first().filter(|_| self.game.may_swap());
        let first = first.ok_or("a swap is possible as the second move only")?;
        let pieces = next.map_or(mv.vertex == Vertex::SwapPieces, |next| next != mv.colour);
        if pieces {
            self.mirrored = !self.mirrored;
        } else {
            self.first = self.first.other();
        }
        self.game.make(Move::Swap);
        Ok(first)
    }

    /// The name of the program at a seat. The names in a file are of those who had the colours at first.
    fn name_of(&self, root: &Node, seat: Seat) -> String {
        let colour = if seat == Seat(0) { self.began } else { self.began.other() };
        let (name, otherwise) = match colour {
            Colour::Black => ("PB", "black"),
            Colour::White => ("PW", "white"),
        };
        root.value(name).map(str::trim).filter(|name| !name.is_empty()).unwrap_or(otherwise).to_owned()
    }

    /// How the game ended: by the rules if they say so, otherwise as the file says. It would have gone on with this ply.
    fn verdict(&self, root: &Node, resigned: Option<Seat>, ply: usize) -> Verdict {
        if let Some(outcome) = self.game.outcome() {
            return Verdict::by_rules(outcome, Vec::new());
        }
        let result = root.value("RE").unwrap_or_default().trim();
        let (colour, how) = result.split_once('+').unwrap_or((result, ""));
        let winner = resigned.map(|seat| Seat(1 - seat.0));
        let winner = winner.or_else(|| colour.parse().ok().map(|colour| self.seat_of(colour)));
        let told = root.value("GC").and_then(|text| text.split_once(": "));
        let told =
            told.and_then(|(reason, sentence)| Some((Reason::named(reason).ok()?, sentence.to_owned())));
        let told = told.filter(|(reason, _)| !matches!(reason, Reason::Rules(_)));
        let Some(winner) = winner else {
            let (reason, sentence) =
                told.unwrap_or((Reason::Aborted, "the record ends before the game does".to_owned()));
            return Verdict::without_winner(2, reason, sentence, Vec::new());
        };
        let seat = Seat(1 - winner.0);
        let loser = self.name_of(root, seat);
        let (reason, what) = match (told, how.chars().next().map(|letter| letter.to_ascii_lowercase())) {
            (Some((reason, sentence)), _) => {
                let rest = sentence.strip_prefix(&format!("{loser} ")).map(str::to_owned);
                (reason, rest.unwrap_or(sentence))
            }
            (None, Some('t')) => (Reason::Timeout, "lost on time".to_owned()),
            (None, _) => (Reason::Resigned, "gave up".to_owned()),
        };
        let sentence = format!("{loser} {what}");
        let loss = Loss::new(seat, Some(ply), Fault::Told { what, reason });
        Verdict { sentence, ..Verdict::by_loss(loss) }
    }
}

/// A move in either notation: `c2`, or as in Go `cb`.
fn read_vertex(text: &str) -> Option<Vertex> {
    let text = text.trim();
    if let Ok(vertex) = text.parse() {
        return Some(vertex);
    }
    match text.to_ascii_lowercase().as_bytes() {
        // Who leaves has given up, whatever the reason.
        b"forfeit" => Some(Vertex::Resign),
        &[column @ b'a'..=b'z', row @ b'a'..=b'z'] => {
            Some(Vertex::Cell(Cell::new(row - b'a', column - b'a')))
        }
        _ => None,
    }
}

fn time_control(root: &Node) -> Option<TimeControl> {
    let base = root.value("TM")?.trim();
    let increment =
        root.value("OT").and_then(|text| text.trim().strip_suffix("fischer")).unwrap_or("0").trim();
    format!("{base}+{increment}").parse().ok()
}

/// How long a move took, if the file says what was left on the clock after it.
fn time_taken(mv: &FileMove, clock: &mut Duration, increment: Duration) -> Duration {
    let left =
        mv.node.value(&format!("{}L", mv.colour.letter())).and_then(|text| text.trim().parse::<f64>().ok());
    let Some(left) = left.filter(|left| (0.0..LONGEST).contains(left)) else { return Duration::ZERO };
    let left = Duration::from_secs_f64(left);
    let before = std::mem::replace(clock, left) + increment;
    before.saturating_sub(left)
}
