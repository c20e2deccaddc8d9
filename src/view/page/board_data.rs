//! What a page is told of a board, and of what each ply changes on it.

use serde::Serialize;

use crate::game::picture::Mark;
use crate::game::{Game, Refusal, Seat};
use crate::record::Ply;
use crate::view::svg;

/// A board without anything on it.
#[derive(Clone, Debug, Serialize)]
pub struct BoardData {
    /// The drawing: see [`svg::template`].
    pub svg: String,
    /// The name of each cell, in order.
    pub names: Vec<String>,
    /// The letter of each side.
    pub letters: Vec<char>,
    /// The name of each side, in the order of their numbers.
    pub sides: Vec<&'static str>,
    /// The number of the side that each seat begins with.
    pub seats: Vec<u8>,
    /// What is on it when the game begins: cells and the sides whose stones are there.
    pub set: Vec<(usize, Option<u8>)>,
    /// The board in a word or two.
    pub name: String,
    /// What the letters mean and what wins.
    pub legend: &'static str,
}

/// What a ply changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyData {
    /// The seat that made it.
    pub seat: Seat,
    /// The move; nothing if the seat had to leave.
    pub text: Option<String>,
    /// The cells that have changed, each with the side whose stone is there now.
    pub set: Vec<(usize, Option<u8>)>,
    /// The cells of the move.
    pub last: Vec<usize>,
    /// Whether the seats have exchanged their sides with it.
    pub swap: bool,
    /// How long it took, in milliseconds.
    pub ms: f64,
    /// The processor time that it took, in milliseconds, where that was measured.
    pub cpu_ms: Option<f64>,
}

/// A game that is played again, ply by ply.
pub struct Stepper {
    game: Box<dyn Game>,
    marks: Vec<Mark>,
    /// Room for the marks after the next ply.
    next: Vec<Mark>,
}

impl Stepper {
    /// Begins with this position.
    pub fn new(game: Box<dyn Game>) -> Stepper {
        let mut marks = Vec::new();
        game.write_marks(&mut marks);
        Stepper { game, marks, next: Vec::new() }
    }

    /// The position.
    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// The board as it is now, for a page that comes in here.
    pub fn board(&self) -> BoardData {
        let layout = self.game.layout();
        let seats = || (0..self.game.seats() as u8).map(Seat);
        let mut sides: Vec<(u8, &str)> =
            seats().map(|seat| (self.game.side_number(seat), self.game.side(seat))).collect();
        sides.sort();
        BoardData {
            svg: svg::template(&layout),
            names: layout.spots.into_iter().map(|spot| spot.name).collect(),
            letters: layout.letters,
            sides: sides.into_iter().map(|(_, name)| name).collect(),
            seats: seats().map(|seat| self.game.side_number(seat)).collect(),
            set: changes(&vec![Mark::default(); self.marks.len()], &self.marks).0,
            name: self.game.board_name(),
            legend: layout.legend,
        }
    }

    /// Plays one ply, and says what has changed.
    ///
    /// # Errors
    /// If the rules forbid it.
    pub fn step(&mut self, ply: &Ply) -> Result<PlyData, Refusal> {
        let (seat, swapped) = (self.game.turn(), self.game.swapped());
        match ply.text() {
            Some(text) => self.game.play(text)?,
            None => self.game.withdraw(),
        }
        self.game.write_marks(&mut self.next);
        std::mem::swap(&mut self.marks, &mut self.next);
        let (set, last) = changes(&self.next, &self.marks);
        let milliseconds = |ns: u64| ns as f64 / 1e6;
        let work = if let Ply::Move { work, .. } = ply { *work } else { None };
        Ok(PlyData {
            seat,
            text: ply.text().map(str::to_owned),
            set,
            last,
            swap: self.game.swapped() != swapped,
            ms: milliseconds(ply.taken().as_nanos() as u64),
            cpu_ms: work.map(|work| milliseconds(work.cpu_ns)),
        })
    }

    /// The cells that are part of what won the game.
    pub fn winning(&self) -> Vec<usize> {
        (0..self.marks.len()).filter(|&cell| self.marks[cell].is_winning).collect()
    }
}

/// The cells that have changed, each with the side whose stone is there now, and the cells of the last move.
fn changes(before: &[Mark], after: &[Mark]) -> (Vec<(usize, Option<u8>)>, Vec<usize>) {
    /// Most cells stay as they are: so many are looked at together.
    const CELLS: usize = 32;
    let side = |mark: &Mark| mark.side.map_or(0, |side| u16::from(side) + 1);
    let (mut set, mut last) = (Vec::new(), Vec::new());
    for (from, (old, new)) in (0..).step_by(CELLS).zip(before.chunks(CELLS).zip(after.chunks(CELLS))) {
        let differs = |(old, new): (&Mark, &Mark)| (side(old) ^ side(new)) | u16::from(new.is_last);
        if old.iter().zip(new).map(differs).fold(0, |all, one| all | one) == 0 {
            continue;
        }
        for (cell, (old, new)) in (from..).zip(old.iter().zip(new)) {
            if old.side != new.side {
                set.push((cell, new.side));
            }
            if new.is_last {
                last.push(cell);
            }
        }
    }
    (set, last)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;
    use crate::game::{BoardOptions, GAMES, Setup};

    #[test]
    fn changes_lead_to_the_position_in_every_game() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for rules in GAMES {
            let game = || Setup::new(rules.name, BoardOptions::default()).unwrap().start();
            let (mut stepper, mut game) = (Stepper::new(game()), game());
            let mut stones: BTreeMap<usize, Option<u8>> = stepper.board().set.into_iter().collect();
            while let Some(choice) = rng.choice(game.choices()).filter(|_| stones.len() < 150) {
                game.play(&choice.text).unwrap();
                let ply = Ply::Move { text: choice.text, taken: Duration::from_millis(3), work: None };
                stones.extend(stepper.step(&ply).unwrap().set);
                let marks = game.picture().marks;
                let on_the_board = |index: usize| stones.get(&index).copied().flatten();
                assert!(
                    (0..marks.len()).all(|index| marks[index].side == on_the_board(index)),
                    "{}",
                    rules.name
                );
            }
        }
    }

    #[test]
    fn a_swap_is_told() {
        let mut stepper = Stepper::new(Setup::new("hex", BoardOptions::default()).unwrap().start());
        let ply = Ply::Move { text: "3 4".into(), taken: Duration::ZERO, work: None };
        let told: Vec<(bool, usize)> =
            (0..2).map(|_| stepper.step(&ply).unwrap()).map(|ply| (ply.swap, ply.set.len())).collect();
        assert_eq!(told, [(false, 1), (true, 0)]);
        assert_eq!(stepper.board().seats, [1, 0]);
        assert_eq!(stepper.board().sides, ["white", "black"]);
    }
}
