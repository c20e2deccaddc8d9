//! A position that somebody has set up, to be looked at or played on from.

use super::rules::Hex;
use super::side::Side;
use crate::game::grid::Cell;

/// Stones that stand on the board before the first move, and who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The stones, each on a cell of its own.
    pub stones: Vec<(Side, Cell)>,
    /// The side that moves first.
    pub to_move: Side,
}

impl Diagram {
    /// The game that begins here, on a board that has all these cells. A single white stone may be taken over by black, as after
    /// any first move.
    pub fn start(&self, size: u8) -> Hex {
        let is_first_move = matches!(self.stones[..], [(Side::White, _)]) && self.to_move == Side::Black;
        Hex::set_up(size, self.stones.iter().copied(), self.to_move, is_first_move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn diagram(white: &[(u8, u8)], black: &[(u8, u8)], to_move: Side) -> Diagram {
        let stones = |side, cells: &[(u8, u8)]| -> Vec<(Side, Cell)> {
            cells.iter().map(|&(row, column)| (side, Cell::new(row, column))).collect()
        };
        Diagram { stones: [stones(Side::White, white), stones(Side::Black, black)].concat(), to_move }
    }

    #[test]
    fn plies_count_from_the_position_that_was_set_up() {
        let mut game = diagram(&[(0, 0), (1, 0)], &[(0, 1), (0, 2), (2, 2)], Side::White).start(3);
        assert!(game.picture().marks.iter().all(|mark| !mark.is_last), "no stone was the last move");
        game.play("2 0").unwrap();
        assert_eq!(game.outcome().unwrap().sentence, "white connected top to bottom on ply 1");
        let over = diagram(&[], &[(1, 0), (1, 1), (1, 2)], Side::White).start(3);
        assert_eq!(
            over.outcome().unwrap().sentence,
            "black had connected left to right before the first ply"
        );
    }

    #[test]
    fn only_a_first_stone_can_be_taken_over() {
        for (white, black, to_move, may_swap) in [
            (&[(1, 1)][..], &[][..], Side::Black, true),
            (&[(1, 1)], &[], Side::White, false),
            (&[], &[(1, 1)], Side::White, false),
            (&[(1, 1)], &[(0, 0)], Side::Black, false),
        ] {
            let game = diagram(white, black, to_move).start(3);
            assert_eq!((game.side_to_move(), game.may_swap()), (to_move, may_swap));
        }
    }
}
