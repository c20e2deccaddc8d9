//! Reading games of Hex from SGF files, be they ours or others'.

use std::collections::BTreeMap;
use std::time::Duration;

use super::play::{FileMove, Play, error};
use super::tree::{self, Node, SgfError, Tree};
use crate::game::grid::{Cell, Grid};
use crate::game::hex::{self, Diagram, Hex, Move};
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

/// The games of a file, with all their variations.
#[derive(Debug)]
pub struct Collection {
    games: Vec<(Tree, Vec<usize>)>,
}

impl Collection {
    /// Reads the text of a file. Whether the moves can be played shows when a line is asked for.
    pub fn parse(text: &str) -> Result<Collection, SgfError> {
        let games = tree::games(text)?;
        if games.is_empty() {
            let what = "there is no game in it: an SGF file begins with '(;'".to_owned();
            return Err(SgfError { line: 1, what });
        }
        let with_leaves = |game: Tree| {
            let leaves = game.leaves();
            (game, leaves)
        };
        Ok(Collection { games: games.into_iter().map(with_leaves).collect() })
    }

    /// The main lines of all games, numbered as they say themselves or in order.
    pub fn main_lines(&self) -> Result<Vec<GameRecord>, SgfError> {
        let mut records = Vec::with_capacity(self.games.len());
        for (game, number) in (0..self.games.len()).zip(1..) {
            let record = self.line(game, 0)?;
            let own_number = record.number;
            records.push(GameRecord { number: if own_number == 0 { number } else { own_number }, ..record });
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

    /// How many lines of play a game has, with its main line; games are counted from 0.
    pub fn lines(&self, game: usize) -> usize {
        self.games.get(game).map_or(0, |(_, leaves)| leaves.len())
    }

    /// A line of a game, both counted from 0; the main line is the first. Its number is what the file says, or 0.
    pub fn line(&self, game: usize, line: usize) -> Result<GameRecord, SgfError> {
        let found = self.games.get(game).and_then(|(tree, leaves)| Some(tree.line(*leaves.get(line)?)));
        let missing = || SgfError { line: 1, what: "there is a game without a node".to_owned() };
        let nodes = found.ok_or_else(missing)?;
        Reading::begin(&nodes)?.record(&nodes)
    }
}

/// The main lines of all games in a file, numbered as they say themselves or in order.
pub fn read(text: &str) -> Result<Vec<GameRecord>, SgfError> {
    Collection::parse(text)?.main_lines()
}

/// A game that is being read.
struct Reading<'a> {
    moves: Vec<FileMove<'a>>,
    diagram: Option<Diagram>,
    game: Hex,
    /// Whether cells of the file are mirrored: where white begins on an empty board, and after a swap of pieces.
    mirrored: bool,
    /// The colour of the first seat before any swap.
    began: Colour,
    /// The colour that the program at the first seat has in the file at this moment.
    first: Colour,
}

impl<'a> Reading<'a> {
    fn begin(nodes: &[&'a Node]) -> Result<Reading<'a>, SgfError> {
        let Some(root) = nodes.first() else {
            return Err(SgfError { line: 1, what: "there is a game without a node".to_owned() });
        };
        if root.value("GM").unwrap_or(HEX).trim() != HEX {
            return Err(error(root, "this is not a game of Hex, which is GM[11]"));
        }
        let size = board_size(root)?;
        let Play { diagram, moves } = Play::of(nodes, Grid::new(size))?;
        // What was set up stays as it is: then the first seat is black's, whoever moves first.
        let first = moves.first().filter(|_| diagram.is_none()).map_or(Colour::Black, |first| first.colour);
        let game = diagram.as_ref().map_or_else(|| Hex::new(size), |diagram| diagram.start(size));
        Ok(Reading { moves, diagram, game, mirrored: first == Colour::White, began: first, first })
    }

    fn record(mut self, nodes: &[&Node]) -> Result<GameRecord, SgfError> {
        let root = nodes[0];
        let terms = Terms { time: time_control(root).unwrap_or(Terms::default().time), ..Terms::default() };
        let mut played = Vec::new();
        let mut clocks = [terms.time.base; 2];
        let mut used = [0; 2];
        let mut resigned = None;
        let (moves, diagram) = (std::mem::take(&mut self.moves), self.diagram.take());
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
            used[seat.index()] += taken.as_nanos() as u64;
            played.push(Ply::Move { text: cell.to_string(), taken, work: None });
        }
        let verdict = self.verdict(root, resigned, played.len() + 1);
        let seat = |seat: Seat| SeatRecord {
            bot: self.name_of(root, seat),
            command: String::new(),
            identity: None,
            used_ns: used[seat.index()],
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
            number: own_number.unwrap_or_default(),
            round: root.value("RO").and_then(|round| round.trim().parse().ok()).unwrap_or(1),
            leg: None,
            generation: 1,
            attempt: 1,
            game: hex::RULES.name.to_owned(),
            size: self.game.grid().size(),
            board: None,
            diagram,
            comments: comments(nodes, &moves, played.len()),
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
            // Not by the colours of the file, which are not those of the board here.
            Colour::Black => ("PB", "red"),
            Colour::White => ("PW", "blue"),
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

fn board_size(root: &Node) -> Result<u8, SgfError> {
    let size = root.value("SZ").unwrap_or(USUAL_SIZE);
    let (columns, rows) = size.split_once(':').unwrap_or((size, size));
    let size = columns.trim().parse().ok().filter(|_| columns.trim() == rows.trim());
    size.filter(|size| hex::RULES.sizes.contains(size)).ok_or_else(|| {
        let given = root.value("SZ").unwrap_or_default().escape_debug();
        error(root, format!("boards are square, of size 2 to 26; not SZ[{given}]"))
    })
}

/// The comments of a line, each with the ply that it stands behind, of so many.
fn comments(nodes: &[&Node], moves: &[FileMove], plies: usize) -> BTreeMap<usize, String> {
    let mut comments: BTreeMap<usize, String> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        for text in node.values("C").map(str::trim).filter(|text| !text.is_empty()) {
            let ply = moves.partition_point(|mv| mv.at <= at).min(plies);
            let comment = comments.entry(ply).or_default();
            if !comment.is_empty() {
                comment.push('\n');
            }
            comment.push_str(text);
        }
    }
    comments
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
