//! Who has taken how much from whom.

use super::bradley_terry::Encounter;

/// Half points and games of each bot against each other, by index.
#[derive(Clone, Debug)]
pub struct CrossTable {
    bots: usize,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    half_points: u32,
    games: u32,
}

impl CrossTable {
    /// So many bots that have not met.
    pub fn new(bots: usize) -> CrossTable {
        CrossTable { bots, cells: vec![Cell::default(); bots * bots] }
    }

    /// How many bots there are.
    pub fn bots(&self) -> usize {
        self.bots
    }

    /// Adds what one bot took from another in a game.
    pub fn add(&mut self, one: usize, other: usize, half_points: u32) {
        let cell = &mut self.cells[one * self.bots + other];
        cell.half_points += half_points;
        cell.games += 1;
    }

    /// The half points of one bot against another.
    pub fn half_points(&self, one: usize, other: usize) -> u32 {
        self.cells[one * self.bots + other].half_points
    }

    /// The same, or nothing where they have not met.
    pub fn if_met(&self, one: usize, other: usize) -> Option<u32> {
        let cell = self.cells[one * self.bots + other];
        (cell.games > 0).then_some(cell.half_points)
    }

    /// What any two have taken from each other, for ratings.
    pub fn encounters(&self) -> Vec<Encounter> {
        let pairs = (0..self.bots).flat_map(|one| (one + 1..self.bots).map(move |other| (one, other)));
        let encounters = pairs.map(|(one, other)| Encounter {
            one,
            other,
            half_points: [self.half_points(one, other), self.half_points(other, one)],
        });
        // A game that neither could begin has no points at all, and says nothing of strength.
        encounters.filter(|encounter| encounter.half_points != [0, 0]).collect()
    }
}
