//! A recorded game, ply by ply: what there is to say and to see.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use crate::game::{Game, Seat};
use crate::record::text::counted;
use crate::record::{GameRecord, Ply};
use crate::view::fit::{left, right, shorten};
use crate::view::replay_screen::Scene;
use crate::view::terminal::{self, Canvas};

/// More than any name is wide.
const WHOLE: usize = usize::MAX;
/// The least that is left of a name.
const SHORTEST: usize = 4;

/// A game that can be looked at ply by ply.
pub struct Replay {
    /// The game.
    pub record: GameRecord,
    /// The seat and the side that made each ply.
    movers: Vec<(Seat, &'static str)>,
}

impl Replay {
    /// A game that breaks off is refused before anything of it is shown.
    pub fn new(record: GameRecord) -> Result<Replay> {
        let mut movers = Vec::with_capacity(record.plies.len());
        let cannot = || format!("game {} cannot be replayed", record.number);
        let see = |game: &dyn Game| movers.push((game.turn(), game.side(game.turn())));
        record.walk(record.plies.len(), see).with_context(cannot)?;
        Ok(Replay { record, movers })
    }

    /// The number of its last ply.
    pub fn last(&self) -> usize {
        self.record.plies.len()
    }

    /// The position after a ply.
    pub fn position(&self, ply: usize) -> Result<Box<dyn Game>> {
        let cannot = || format!("game {} cannot be replayed", self.record.number);
        self.record.position(ply).with_context(cannot)
    }

    /// The position after a ply as text, with what there is to say about it.
    pub fn frame(&self, ply: usize, colour: bool) -> Result<String> {
        let game = self.position(ply)?;
        let picture = game.picture();
        let mut text =
            format!("{}\n{}\n", self.header(game.as_ref(), WHOLE), self.caption(ply, game.as_ref(), WHOLE));
        if let Some(comment) = self.record.comments.get(&ply) {
            let _ = writeln!(text, "{comment}");
        }
        let _ = writeln!(text, "{}\n\n{}", picture.layout.legend, terminal::board(&picture, colour));
        text += &self.ending(ply);
        Ok(text)
    }

    /// The whole game to be read: the last position with what there is to say, and the list of moves.
    pub fn text(&self) -> Result<String> {
        let moves: String = self.moves(0).iter().skip(1).map(|line| format!("{line}\n")).collect();
        let end = self.frame(self.last(), false)?;
        Ok(if moves.is_empty() { end } else { format!("{end}\nMoves: ply, side, move, seconds\n{moves}") })
    }

    /// The same for a screen that is so many columns wide, of which some are kept free behind the header.
    pub fn scene(&self, ply: usize, columns: usize, free: usize) -> Result<Scene> {
        let game = self.position(ply)?;
        let picture = game.picture();
        Ok(Scene {
            header: self.short_header(game.as_ref(), columns.saturating_sub(free)),
            caption: self.short_caption(ply, game.as_ref(), columns),
            comment: self.record.comments.get(&ply).cloned().unwrap_or_default(),
            ending: self.ending(ply),
            legend: picture.layout.legend,
            canvas: Canvas::of(&picture),
            moves: self.moves(ply),
            ply,
        })
    }

    /// Which game it is, with names of at most so many columns.
    fn header(&self, game: &dyn Game, names: usize) -> String {
        let record = &self.record;
        let player =
            |(seat, name): (Seat, &String)| format!("{} ({})", shorten(name, names), game.side(seat));
        let players = (0..).map(Seat).zip(record.seats.iter().map(|seat| &seat.bot)).map(player);
        let (number, name, board) = (record.number, &record.game, game.board_name());
        format!("game {number}, {name} {board}: {}", players.collect::<Vec<_>>().join(" – "))
    }

    /// The same in so many columns: of what does not fit, first the ends of names go, then the board, then the sides.
    fn short_header(&self, game: &dyn Game, columns: usize) -> String {
        let number = self.record.number;
        let without_board = |names| match self.header(game, names).split_once(": ") {
            Some((_, players)) => format!("game {number}: {players}"),
            None => String::new(),
        };
        let only_names = |names| {
            let players: Vec<String> =
                self.record.seats.iter().map(|seat| shorten(&seat.bot, names)).collect();
            format!("game {number}: {}", players.join(" – "))
        };
        let whole = longest(columns, |names| self.header(game, names));
        let rest = || longest(columns, without_board).or_else(|| longest(columns, only_names));
        whole.or_else(rest).unwrap_or_else(|| only_names(SHORTEST))
    }

    /// The move that led here, in so many columns.
    fn short_caption(&self, ply: usize, now: &dyn Game, columns: usize) -> String {
        let whole = |names| self.caption(ply, now, names);
        longest(columns, whole).unwrap_or_else(|| {
            let before = ply
                .checked_sub(1)
                .and_then(|before| self.record.plies.get(before).zip(self.movers.get(before)));
            let Some((mv, (_, side))) = before else { return whole(SHORTEST) };
            let (text, seconds) = (mv.text().unwrap_or("left"), mv.taken().as_secs_f64());
            format!("ply {ply}/{}: {side} {text} {seconds:.3} s", self.last())
        })
    }

    /// The move that led here, with names of at most so many columns.
    fn caption(&self, ply: usize, now: &dyn Game, names: usize) -> String {
        let Some(mv) = ply.checked_sub(1).and_then(|before| self.record.plies.get(before)) else {
            return self.before_the_first(now);
        };
        let (seat, side) = self.movers[ply - 1];
        let bot = shorten(self.record.bot(seat), names);
        let what = match mv {
            Ply::Leave => format!("{bot} ({side}) had to leave"),
            Ply::Move { text, taken, .. } => {
                let seconds = taken.as_secs_f64();
                match now.side(seat) {
                    other if other != side => {
                        format!("{bot} swapped {text} and is {other} now, after {seconds:.3} s")
                    }
                    _ => format!("{bot} ({side}) played {text} in {seconds:.3} s"),
                }
            }
        };
        format!("ply {ply} of {}: {what}", self.last())
    }

    fn before_the_first(&self, start: &dyn Game) -> String {
        let plies = match self.last() {
            0 => "no ply was played".to_owned(),
            last => format!("before the first of {}", counted(last, "ply")),
        };
        match &self.record.diagram {
            Some(diagram) => {
                let (stones, side) = (counted(diagram.stones.len(), "stone"), start.side(start.turn()));
                let are = if diagram.stones.len() == 1 { "is" } else { "are" };
                format!("{plies}; {stones} {are} set up, {side} is to move")
            }
            None => plies,
        }
    }

    /// How the game ended, if it has with this ply.
    fn ending(&self, ply: usize) -> String {
        let record = &self.record;
        let mut text = String::new();
        if ply < self.last() {
            return text;
        }
        for warning in &record.warnings {
            let (bot, ply) = (record.bot(warning.seat), warning.ply);
            let _ = writeln!(text, "warning, ply {ply}: {bot} {warning}");
        }
        // In a game of two, the sentence of the verdict says it.
        for loss in record.verdict.losses.iter().filter(|_| record.seats.len() > 2) {
            let (bot, reason) = (record.bot(loss.seat), loss.reason);
            let ply = loss.ply.map_or(String::new(), |ply| format!(" on ply {ply}"));
            let _ = writeln!(text, "{bot} left{ply} ({reason}): it {}", record.what(loss));
        }
        let (result, reason) = (record.result(), record.verdict.reason);
        let _ = writeln!(text, "{result} ({reason}): {}", record.sentence());
        text
    }

    /// The list of moves, with a mark at this ply.
    fn moves(&self, now: usize) -> Vec<String> {
        let widths = self.movers.iter().map(|(_, side)| side.chars().count());
        let widest = widths.max().unwrap_or_default();
        let line = |(ply, (mv, (_, side))): (usize, (&Ply, &(Seat, &str)))| {
            let mark = if ply == now { '>' } else { ' ' };
            let comment = if self.record.comments.contains_key(&ply) { "*" } else { "" };
            let text = mv.text().unwrap_or("left");
            let time = format!("{:.3}", mv.taken().as_secs_f64());
            format!("{mark}{ply:>3} {} {} {}{comment}", left(side, widest), left(text, 8), right(&time, 8))
        };
        let first = format!("{}  0 {}", if now == 0 { '>' } else { ' ' }, "start");
        let moves = (1..).zip(self.record.plies.iter().zip(&self.movers)).map(line);
        std::iter::once(first).chain(moves).collect()
    }
}

/// A line with the longest names that fit into so many columns, if any do that are worth it.
fn longest(columns: usize, line: impl Fn(usize) -> String) -> Option<String> {
    let fits = |line: &String| console::measure_text_width(line) <= columns;
    [WHOLE, 40, 24, 16, 12, 8].into_iter().map(line).find(fits)
}
