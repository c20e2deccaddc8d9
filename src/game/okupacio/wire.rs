//! Okupació as the referee knows it: moves and news as text, the result, the picture.

use super::map::{Cell, MAX_SIDE, Map, MapError};
use super::rules::{Action, MAX_PLAYERS, Okupacio, Ties};
use crate::game::moves::Moves;
use crate::game::picture::{CellShape, Choice, Label, Layout, Mark, Spot};
use crate::game::{Board, Ending, Game, Outcome, Refusal, Rules, Seat};

/// How the reason begins for which a cell in capitals is refused.
pub const CAPITALS: &str = "rows and columns are small letters";

/// Okupació in the table of games.
pub const RULES: Rules = Rules {
    name: "okupacio",
    title: "Okupació",
    sizes: 1..=MAX_SIDE,
    default_size: 10,
    seats: 2..=MAX_PLAYERS,
    default_seats: 2,
    start: |board| match map_of(board) {
        Ok(map) => Ok(Box::new(Okupacio::new(map, board.seats))),
        Err(error) => Err(error.to_string()),
    },
    board_texts: true,
    // No first move is known to be better than another.
    fair_openings: |board| {
        let map = map_of(board).expect("the board was tried when it was set up");
        map.all().filter(|&cell| !map.is_wall(cell)).map(|cell| name_of(&map, cell)).collect()
    },
};

/// The board with its own walls, or else an open one.
fn map_of(board: &Board) -> Result<Map, MapError> {
    if board.text.is_empty() { Ok(Map::open(board.size)) } else { board.text.parse() }
}

/// What a line must look like to be a move.
const FORM: &str = "the letters of a row and a column, such as 'ab', or '00' to leave the game";
/// What news must look like.
const NEWS_FORM: &str = "a player's letter and its move, such as 'B ab', or 'B --' where it is excluded";

/// The letter of a player.
pub fn letter(seat: Seat) -> char {
    char::from(b'A' + seat.0)
}

/// A player in words.
fn name(seat: Seat) -> &'static str {
    const NAMES: [&str; MAX_PLAYERS as usize] = [
        "player A", "player B", "player C", "player D", "player E", "player F", "player G", "player H",
        "player I", "player J",
    ];
    NAMES.get(seat.index()).copied().unwrap_or("nobody")
}

/// A cell as the wire has it.
fn name_of(map: &Map, cell: Cell) -> String {
    let (row, column) = map.place(cell);
    [row, column].map(|number| char::from(b'a' + number)).iter().collect()
}

impl Game for Okupacio {
    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn seats(&self) -> usize {
        self.seats.into()
    }

    fn turn(&self) -> Seat {
        self.turn
    }

    fn play(&mut self, line: &str) -> Result<(), Refusal> {
        let action = self.read(line)?;
        self.act_and_exclude(action);
        Ok(())
    }

    fn check(&self, line: &str) -> Result<(), Refusal> {
        self.read(line).map(drop)
    }

    fn hear(&mut self, line: &str) -> Result<(), Refusal> {
        let mut words = line.split_ascii_whitespace();
        let (Some(who), Some(what), None) = (words.next(), words.next(), words.next()) else {
            return Err(Refusal::NotAMove(NEWS_FORM));
        };
        let &[letter @ b'A'..=b'Z'] = who.as_bytes() else { return Err(Refusal::NotAMove(NEWS_FORM)) };
        let seat = Seat(letter - b'A');
        let illegal = |why: String| Err(Refusal::Illegal(why));
        if seat.0 >= self.seats {
            return illegal(format!("there is no player {who}"));
        }
        match what {
            // The rules have excluded it already, here as everywhere.
            "--" if self.is_out(seat) => Ok(()),
            "--" => illegal(format!("{} is not excluded by the rules", name(seat))),
            _ if seat == self.turn => self.play(what),
            _ => illegal(format!("it is the turn of {}", name(self.turn))),
        }
    }

    fn withdraw(&mut self) {
        if !self.is_over() {
            self.act_and_exclude(Action::Abandon);
        }
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.player(seat).out
    }

    fn write_move(&self, out: &mut String) {
        match self.last {
            Some((_, Action::Occupy(cell))) => out.push_str(&name_of(&self.map, cell)),
            Some((_, Action::Abandon)) => out.push_str("00"),
            None => {}
        }
    }

    fn write_news(&self, mover: Seat, to: Seat, out: &mut String) {
        if to != mover {
            out.extend([letter(mover), ' ']);
            self.write_move(out);
            out.push('\n');
        }
        for &seat in &self.gone[self.gone_by_then..] {
            out.push(letter(seat));
            out.push_str(" --\n");
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let ranking = self.ranking(Ties::Letter);
        let (ending, sentence) = match ranking[..] {
            [only] => (Ending::LastPlayer, self.last_departure(only)),
            _ => (Ending::Occupied, self.result(&ranking)),
        };
        let winner = ranking.first().copied();
        let mut places = vec![0; self.seats.into()];
        for (place, seat) in (1..).zip(ranking.into_iter().chain(self.gone.iter().rev().copied())) {
            places[seat.index()] = place;
        }
        Some(Outcome { winner, places, ending, sentence })
    }

    fn side(&self, seat: Seat) -> &'static str {
        name(seat)
    }

    fn board_file(&self) -> Option<String> {
        Some(self.map.to_string())
    }

    fn arguments(&self, seat: Seat, board_file: &str) -> Vec<String> {
        vec![letter(seat).to_string(), self.seats.to_string(), board_file.to_owned()]
    }

    fn board_name(&self) -> String {
        self.map.name()
    }

    fn layout(&self) -> Layout {
        let spot = |cell: Cell| {
            let (row, column) = self.map.place(cell);
            Spot {
                x: 2 * i16::from(column),
                y: row.into(),
                name: name_of(&self.map, cell),
                is_wall: self.map.is_wall(cell),
                home: None,
            }
        };
        Layout {
            shape: CellShape::Square,
            spots: self.map.all().map(spot).collect(),
            letters: (0..self.seats).map(|seat| letter(Seat(seat))).collect(),
            empty: '-',
            labels: labels(&self.map, 3),
            axes: labels(&self.map, 2),
            edges: Vec::new(),
            legend: "the players' letters, # a wall: the most cells win",
        }
    }

    fn write_marks(&self, marks: &mut Vec<Mark>) {
        let winner = self.outcome().and_then(|outcome| outcome.winner);
        let mark = |cell: Cell| {
            let owner = self.owner(cell);
            Mark {
                side: owner.map(|seat| seat.0),
                is_last: self.last.is_some_and(|(_, action)| action == Action::Occupy(cell)),
                is_winning: owner.is_some() && owner == winner,
            }
        };
        marks.clear();
        marks.extend(self.map.all().map(mark));
    }

    fn choices(&self) -> Vec<Choice> {
        if self.is_over() {
            return Vec::new();
        }
        let occupy =
            |cell: Cell| Choice { text: name_of(&self.map, cell), spots: vec![cell.index()], word: None };
        let abandon = Choice { text: "00".to_owned(), spots: Vec::new(), word: Some("leave the game") };
        self.free_cells().map(occupy).chain([abandon]).collect()
    }
}

impl Moves for Okupacio {
    type Move = Action;

    fn make_move(&mut self, mv: Action) {
        self.act_and_exclude(mv);
    }

    fn plies(&self) -> usize {
        self.plies().into()
    }
}

impl Okupacio {
    /// Reads a line as an action that the rules allow now.
    pub fn read(&self, line: &str) -> Result<Action, Refusal> {
        let illegal = |why: String| Err(Refusal::Illegal(why));
        let word = line.trim_ascii();
        let action = match word.as_bytes() {
            b"00" => Action::Abandon,
            &[row, column] if row.is_ascii_alphabetic() && column.is_ascii_alphabetic() => {
                let letters = [row, column].map(|letter| letter.wrapping_sub(b'a'));
                match self.map.cell(letters[0], letters[1]) {
                    Some(cell) => Action::Occupy(cell),
                    None => return illegal(self.off_the_board(word)),
                }
            }
            _ => return Err(Refusal::NotAMove(FORM)),
        };
        match action {
            _ if self.is_over() => illegal("the game is over".to_owned()),
            Action::Occupy(cell) if self.map.is_wall(cell) => illegal("there is a wall".to_owned()),
            Action::Occupy(cell) => match self.owner(cell) {
                Some(holder) => illegal(format!("the cell is held by {}", name(holder))),
                None => Ok(action),
            },
            Action::Abandon => Ok(action),
        }
    }

    fn off_the_board(&self, word: &str) -> String {
        let small = word.to_ascii_lowercase();
        if small != word {
            return format!("{CAPITALS}: write '{small}'");
        }
        let last = |count: u8| char::from(b'a' + count - 1);
        let (row, column) = (last(self.map.rows()), last(self.map.columns()));
        format!("it is off the board: rows go from a to {row}, columns from a to {column}")
    }

    /// The cells of all who are left, and what has decided between the first two where they have equally many.
    fn result(&self, ranking: &[Seat]) -> String {
        let count = |seat: &Seat| format!("{} {}", letter(*seat), self.player(*seat).cells);
        let counts: Vec<String> = ranking.iter().map(count).collect();
        let [first, second] = [ranking[0], ranking[1]].map(|seat| self.player(seat));
        let decided = if first.cells > second.cells {
            String::new()
        } else {
            let how = if first.taken > second.taken {
                "has taken more cells from others"
            } else if first.mean() > second.mean() {
                "has held more cells on average"
            } else {
                "comes first in the alphabet"
            };
            format!("; {} {how}", letter(ranking[0]))
        };
        format!("no cell is free, and the players hold {}{decided}", counts.join(", "))
    }

    /// How it came that only one is left.
    fn last_departure(&self, only: Seat) -> String {
        let departed = self.gone.last().map_or("nobody", |&seat| name(seat));
        let excluded = self.gone.len() > self.gone_by_then;
        let how = if excluded { "could not catch up any more and was excluded" } else { "left the game" };
        format!("{departed} {how}, and {} is the only one left", name(only))
    }
}

/// The letters around the board, those of rows so many half cells to the left of it.
fn labels(map: &Map, gap: i16) -> Vec<Label> {
    let (rows, columns) = (i16::from(map.rows()), i16::from(map.columns()));
    let text = |number: i16| char::from(b'a' + number as u8).to_string();
    let above_and_below =
        (0..columns).flat_map(|column| [-1, rows].map(|y| Label { x: 2 * column, y, text: text(column) }));
    let beside =
        (0..rows).flat_map(|row| [-gap, 2 * columns - 2 + gap].map(|x| Label { x, y: row, text: text(row) }));
    above_and_below.chain(beside).collect()
}
