//! Writing games of Hex as SGF files.

use std::time::Duration;

use thiserror::Error;

use super::tree::Node;
use crate::game::Seat;
use crate::game::hex::{self, Diagram, Hex, Side};
use crate::game::notation::{self, Colour, Vertex};
use crate::record::game_record::{GameRecord, ReplayError};
use crate::record::ply::Ply;
use crate::record::reason::Reason;
use crate::record::verdict::Verdict;

/// Why a game cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// It is another game.
    #[error("game {0} is {1}: only hex has SGF files and HexWorld links")]
    OtherGame(u32, String),
    /// It began from stones that were set up.
    #[error("game {0} begins from stones that were set up, which a HexWorld link cannot show; SGF files can")]
    SetUp(u32),
    /// It contradicts itself.
    #[error("game {0} cannot be replayed: {1}")]
    Broken(u32, ReplayError),
}

/// The moves of a game as the Hex world tells them.
pub fn vertices(record: &GameRecord) -> Result<Vec<Vertex>, WriteError> {
    if record.game != hex::RULES.name {
        return Err(WriteError::OtherGame(record.number, record.game.clone()));
    }
    // It must be possible to play it, on a board that there is.
    record.position(record.plies.len()).map_err(|error| WriteError::Broken(record.number, error))?;
    let texts = record.plies.iter().filter_map(Ply::text);
    let start = record.diagram.as_ref().map_or_else(|| Hex::new(record.size), |it| it.start(record.size));
    Ok(notation::retell(start, texts).expect("the moves have just been played"))
}

/// A game as the text of a file. Texts of several games after each other are a collection.
pub fn write(record: &GameRecord) -> Result<String, WriteError> {
    let mut nodes = vec![root(record)];
    let mut left = [record.terms.time.base; 2];
    let begins = record.diagram.as_ref().map_or(Colour::Black, |diagram| Colour::of_side(diagram.to_move));
    for (index, (vertex, ply)) in vertices(record)?.iter().zip(&record.plies).enumerate() {
        let colour = if index % 2 == 0 { begins } else { begins.other() };
        let left = &mut left[colour.seat().index()];
        *left = left.saturating_sub(ply.taken()) + record.terms.time.increment;
        let mut node = Node::default();
        node.add(&colour.letter().to_string(), vertex.to_string());
        node.add(&format!("{}L", colour.letter()), seconds(*left));
        comment(record, index + 1, &mut node);
        nodes.push(node);
    }
    if let (Reason::Resigned, Some(winner)) = (record.verdict.reason, record.verdict.winner) {
        let mut node = Node::default();
        node.add(&Colour::of_seat(winner).other().letter().to_string(), Vertex::Resign.to_string());
        nodes.push(node);
    }
    let mut text = String::from("(");
    for (index, node) in nodes.iter().enumerate() {
        node.write(&mut text);
        // Lines of a length that can be mailed.
        text.push_str(if index % 8 == 0 || index + 1 == nodes.len() { "\n" } else { "" });
    }
    Ok(text + ")\n")
}

fn root(record: &GameRecord) -> Node {
    let mut node = Node::default();
    let time = record.terms.time;
    let (resolution, details) = (result(&record.verdict), termination(record));
    for (name, value) in [
        ("FF", "4".to_owned()),
        ("GM", "11".to_owned()),
        ("CA", "UTF-8".to_owned()),
        ("AP", format!("arbitro:{}", env!("CARGO_PKG_VERSION"))),
        ("SZ", record.size.to_string()),
        ("GN", format!("game {}", record.number)),
        ("RO", record.round.to_string()),
        ("PB", record.bot(Seat(0)).to_owned()),
        ("PW", record.bot(Seat(1)).to_owned()),
        ("TM", seconds(time.base)),
        ("OT", format!("{} fischer", seconds(time.increment))),
        ("RE", resolution),
        ("GC", details),
    ] {
        node.add(name, value);
    }
    if let Some(started) = record.started {
        node.add("DT", started.strftime("%Y-%m-%d").to_string());
    }
    if let Some(diagram) = &record.diagram {
        set_up(diagram, &mut node);
    }
    comment(record, 0, &mut node);
    node
}

fn set_up(diagram: &Diagram, node: &mut Node) {
    for (name, side) in [("AB", Side::White), ("AW", Side::Black)] {
        let own = diagram.stones.iter().filter(|&&(own, _)| own == side);
        let cells: Vec<String> = own.map(|&(_, cell)| Vertex::Cell(cell).to_string()).collect();
        if !cells.is_empty() {
            node.add_all(name, cells);
        }
    }
    node.add("PL", Colour::of_side(diagram.to_move).letter().to_string());
}

fn comment(record: &GameRecord, ply: usize, node: &mut Node) {
    if let Some(text) = record.comments.get(&ply) {
        node.add("C", text);
    }
}

/// A number of seconds, exactly.
fn seconds(time: Duration) -> String {
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Who won, and in which way.
fn result(verdict: &Verdict) -> String {
    let Some(winner) = verdict.winner else { return "Void".to_owned() };
    let how = match verdict.reason {
        Reason::Rules(_) | Reason::Aborted => "",
        Reason::Resigned => "R",
        Reason::Timeout => "T",
        _ => "F",
    };
    format!("{}+{how}", Colour::of_seat(winner).letter())
}

/// Why the game ended. A sentence about a program begins with its name: the colours of the hand-out are not those of the file.
fn termination(record: &GameRecord) -> String {
    let Verdict { reason, sentence, losses, .. } = &record.verdict;
    match (reason, &losses[..]) {
        (Reason::Rules(_), _) => reason.to_string(),
        (_, [loss]) => format!("{reason}: {} {}", record.bot(loss.seat), record.what(loss)),
        _ => format!("{reason}: {sentence}"),
    }
}
