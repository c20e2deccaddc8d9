//! RHEX as Monte Carlo tree search plays it: its playouts and its priors.

use super::position::{Position, Spot};
use crate::engine::proof::Proof;
use crate::engine::rave_mcts::{self, MctsParameters};

/// Moves that a playout looks at in each position, to make the one that gains most.
const GLANCES: usize = 3;
/// What a draw is worth to the side that thinks. Below a half: two who do not err draw, and a win takes some risk.
const DRAW: f32 = 0.3;

impl rave_mcts::Position for Position {
    const PARAMETERS: MctsParameters =
        MctsParameters { prior_visits: 1.0, exploration: 0.3, rave_equivalence: 300.0, expand_after: 2.0 };
    type Prover = ();

    fn free(&self) -> impl Iterator<Item = Spot> {
        self.free()
    }

    fn is_free(&self, spot: Spot) -> bool {
        self.is_free(spot)
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }

    fn place(&mut self, spot: Spot) {
        self.place(spot);
    }

    /// The more, the more a move gains.
    fn prior(&self, spot: Spot) -> f32 {
        let gain = self.gain(spot) as f32;
        0.5 + 0.5 * (gain - 1.0) / (gain + 3.0)
    }

    /// Either side looks at a few moves of those left and makes the one that gains most.
    fn playout(&mut self, free: &mut Vec<Spot>, moves: &mut Vec<Spot>, rng: &mut fastrand::Rng) {
        while !self.is_over() {
            let glance = |_| {
                let index = rng.usize(..free.len());
                (self.gain(free[index]), index)
            };
            let (_, index) = (0..GLANCES).map(glance).max().expect("it looks at some");
            let spot = free.swap_remove(index);
            self.place(spot);
            moves.push(spot);
        }
    }

    fn points(&self, root: &Position) -> f32 {
        match self.white_lead() * root.sign() {
            0 => DRAW,
            lead if lead > 0 => 1.0,
            _ => 0.0,
        }
    }

    /// That it is won can be seen; a draw is neither won nor lost.
    fn proof(&self, _: &mut ()) -> Proof {
        if self.is_won() { Proof::Won } else { Proof::Open }
    }
}
