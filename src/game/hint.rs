//! What the moves of a program that lost show about how it misunderstood the rules.

use serde::{Deserialize, Serialize};

/// A misunderstanding of the rules that explains a program's moves where the rules do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hint {
    /// Hex: it played for its opponent's edges. That is also what exchanging rows and columns looks like, because a board of Hex
    /// that is mirrored in its long diagonal has the same neighbours.
    OtherEdges {
        /// The edges that were its own.
        own: Edges,
        /// The last row, which is also the last column.
        last: u8,
        /// How far it came with the other edges.
        reached: Reached,
    },
    /// Hex: after a swap it played for the edges of the colour that it had before.
    KeptColour {
        /// The edges that were its own.
        own: Edges,
        /// The last row, which is also the last column.
        last: u8,
        /// How far it came with the other edges.
        reached: Reached,
        /// Whether it had swapped, not its opponent.
        swapped_itself: bool,
    },
    /// Hex: it took cells for neighbours that are not.
    WrongNeighbours {
        /// Which cells it took for neighbours.
        neighbours: Neighbours,
        /// Two cells, each a row and a column, that have stones of one colour, and touch only if these were neighbours.
        pair: [[u8; 2]; 2],
        /// Whose edges would then have been joined, if anybody's.
        joined: Option<Joined>,
    },
    /// Xadrez Xinez: its pieces did not leave home.
    WrongWay {
        /// How many moves it made.
        moves: u16,
        /// How many of them led away from its goal.
        back: u16,
        /// The sum of w of its pieces where they begin.
        first_sum: i32,
        /// The sum of w of its pieces at the end.
        last_sum: i32,
    },
}

/// Two opposite edges of a board of Hex, and with them the colour that joins them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edges {
    /// White's.
    TopAndBottom,
    /// Black's.
    LeftAndRight,
}

impl Edges {
    /// The other pair.
    pub fn other(self) -> Edges {
        match self {
            Edges::TopAndBottom => Edges::LeftAndRight,
            Edges::LeftAndRight => Edges::TopAndBottom,
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Edges::TopAndBottom => "white",
            Edges::LeftAndRight => "black",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Edges::TopAndBottom => "top and bottom",
            Edges::LeftAndRight => "left and right",
        }
    }

    /// The edges with the numbers of their lines.
    fn lines(self, last: u8) -> String {
        match self {
            Edges::TopAndBottom => format!("top (row 0) and bottom (row {last})"),
            Edges::LeftAndRight => format!("left (column 0) and right (column {last})"),
        }
    }
}

/// How near stones came to joining two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reached {
    /// They joined them.
    Joined {
        /// On this ply.
        ply: u16,
    },
    /// They did not.
    Missing {
        /// So many stones were missing.
        stones: u16,
    },
}

impl Reached {
    fn of(self, edges: Edges) -> String {
        let edges = edges.name();
        match self {
            Reached::Joined { ply } => format!("joined {edges} on ply {ply}"),
            Reached::Missing { stones: 1 } => format!("was one stone short of joining {edges}"),
            Reached::Missing { stones } => format!("was {stones} stones short of joining {edges}"),
        }
    }
}

/// Cells that are taken for neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbours {
    /// Six, with the wrong two of the four diagonals: (row − 1, column − 1) and (row + 1, column + 1).
    Mirrored,
    /// All eight around a cell, as on a board of squares.
    Eight,
}

/// Edges that are joined only by wrong neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// On this ply.
    pub ply: u16,
    /// Whether by the opponent's stones.
    pub by_opponent: bool,
}

impl Hint {
    /// The hint in a few sentences for the people who wrote the program. The last one has no full stop.
    pub fn sentence(&self, bot: &str, opponent: &str) -> String {
        match *self {
            Hint::OtherEdges { own, last, reached } => {
                let (reached, colour) = (reached.of(own.other()), own.colour());
                format!(
                    "{bot} {reached}, but it was {colour}, which joins {}. It plays as if the edges of the two colours were \
                     exchanged, or rows and columns: check which edges each colour joins, and that moves are read and written \
                     with the row first",
                    own.lines(last)
                )
            }
            Hint::KeptColour { own, last, reached, swapped_itself } => {
                let (reached, colour) = (reached.of(own.other()), own.colour());
                let (swap, check) = if swapped_itself {
                    (
                        "it swapped",
                        format!(
                            "once it has repeated {opponent}'s first move, it is {colour}, and that stone is its own"
                        ),
                    )
                } else {
                    (
                        "it was swapped",
                        format!(
                            "once {opponent} repeats its first move, it is {colour}, and that stone is {opponent}'s"
                        ),
                    )
                };
                format!(
                    "{bot} {reached}, but {swap} on ply 2, and was {colour} from then on, which joins {}. It plays as if it had \
                     kept its old colour: check that {check}. If it plays like this without a swap too, it has the edges of the two \
                     colours exchanged, or rows and columns",
                    own.lines(last)
                )
            }
            Hint::WrongNeighbours { neighbours, pair: [one, two], joined } => {
                let [one, two] = [one, two].map(|[row, column]| format!("{row} {column}"));
                let cells = match neighbours {
                    Neighbours::Mirrored => "cells touched along the other diagonal",
                    Neighbours::Eight => "a cell touched all eight around it",
                };
                let joined = match joined {
                    Some(Joined { ply, by_opponent: false }) => format!(", so that it had won on ply {ply}"),
                    Some(Joined { ply, by_opponent: true }) => {
                        format!(", so that {opponent} had won on ply {ply}")
                    }
                    None => String::new(),
                };
                format!(
                    "{bot} plays as if {cells}, such as {one} and {two}{joined}. Check its neighbours: those of (row, column) are \
                     (row-1, column), (row-1, column+1), (row, column-1), (row, column+1), (row+1, column-1) and (row+1, column)"
                )
            }
            Hint::WrongWay { moves, back, first_sum, last_sum } => format!(
                "{bot}'s pieces stayed at home: it made {moves} moves, {back} of them away from its goal, and the sum of w of its \
                 pieces went from {first_sum} to {last_sum}. It plays as if its goal were where its pieces begin: check that it \
                 turns the board for the player that it is, and that more w, seen by that player, is better"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_named_with_their_lines() {
        let hint = |reached| Hint::OtherEdges { own: Edges::TopAndBottom, last: 13, reached };
        assert!(hint(Reached::Joined { ply: 27 }).sentence("ana", "beto").starts_with(
            "ana joined left and right on ply 27, but it was white, which joins top (row 0) and bottom (row 13). It plays as if "
        ));
        for (stones, words) in [(1, "ana was one stone short"), (2, "ana was 2 stones short")] {
            let sentence = hint(Reached::Missing { stones }).sentence("ana", "beto");
            assert!(sentence.starts_with(words), "{sentence}");
        }
    }

    #[test]
    fn a_swap_is_told_from_either_side() {
        let told = |swapped_itself| {
            let reached = Reached::Joined { ply: 21 };
            let hint = Hint::KeptColour { own: Edges::LeftAndRight, last: 10, reached, swapped_itself };
            hint.sentence("ana", "beto")
        };
        let start = "ana joined top and bottom on ply 21, but it";
        let end = "on ply 2, and was black from then on, which joins left (column 0) and right (column 10). ";
        assert!(told(true).starts_with(&format!("{start} swapped {end}")), "{}", told(true));
        assert!(
            told(true)
                .contains("once it has repeated beto's first move, it is black, and that stone is its own")
        );
        assert!(told(false).starts_with(&format!("{start} was swapped {end}")), "{}", told(false));
        assert!(
            told(false).contains("once beto repeats its first move, it is black, and that stone is beto's")
        );
    }

    #[test]
    fn wrong_neighbours_are_told_with_the_right_ones() {
        let told = |neighbours, joined| {
            Hint::WrongNeighbours { neighbours, pair: [[5, 5], [6, 6]], joined }.sentence("ana", "beto")
        };
        let mirrored = told(Neighbours::Mirrored, Some(Joined { ply: 23, by_opponent: false }));
        assert!(mirrored.contains("such as 5 5 and 6 6, so that it had won on ply 23. Check"), "{mirrored}");
        let eight = told(Neighbours::Eight, Some(Joined { ply: 24, by_opponent: true }));
        assert!(eight.contains("such as 5 5 and 6 6, so that beto had won on ply 24. Check"), "{eight}");
        assert!(told(Neighbours::Eight, None).contains("such as 5 5 and 6 6. Check"));
    }

    #[test]
    fn hints_are_kept_as_they_are() {
        let hints = [
            Hint::OtherEdges { own: Edges::TopAndBottom, last: 6, reached: Reached::Joined { ply: 13 } },
            Hint::KeptColour {
                own: Edges::LeftAndRight,
                last: 6,
                reached: Reached::Missing { stones: 1 },
                swapped_itself: true,
            },
            Hint::WrongNeighbours { neighbours: Neighbours::Mirrored, pair: [[0, 1], [1, 2]], joined: None },
            Hint::WrongWay { moves: 40, back: 20, first_sum: -60, last_sum: -58 },
        ];
        for hint in hints {
            let text = serde_json::to_string(&hint).unwrap();
            assert_eq!(serde_json::from_str::<Hint>(&text).unwrap(), hint, "{text}");
        }
    }
}
