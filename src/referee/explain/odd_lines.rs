//! What a program has written beside its moves, as far as it may explain a loss later.

/// How many lines of a turn are kept.
const KEPT: usize = 4;
/// How much of a line is kept, in bytes.
const LONGEST: usize = 240;

/// Lines of a program that were not its moves. They are kept as they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OddLines {
    /// The first lines since its last move that are no moves.
    pub in_turn: Vec<String>,
    /// The first line since its last move that came before its turn, and the ply that was being played.
    pub too_early: Option<(usize, String)>,
    /// The last illegal move since its last move that it was allowed to take back.
    pub taken_back: Option<String>,
    /// The first time that it wrote two moves in one turn.
    pub two_moves: Option<TwoMoves>,
    /// The move that it wrote before the first move of the game.
    pub moved_first: Option<String>,
    /// How many of its lines had the form of a move, and came out of turn.
    pub unasked_moves: usize,
    /// The first line of the game that was no move.
    pub first: Option<String>,
}

/// Two moves in one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoMoves {
    /// The ply of the one that counted.
    pub ply: usize,
    /// The one that counted.
    pub first: String,
    /// The one that did not.
    pub second: String,
}

/// A line that came out of turn.
pub struct TooEarly<'a> {
    /// The line.
    pub line: &'a str,
    /// Whether it has the form of a move.
    pub is_move: bool,
    /// The ply that is being played, from 1.
    pub ply: usize,
    /// The last move of the game, if the same program made it.
    pub own_last: Option<&'a str>,
}

impl OddLines {
    /// It has made its move: what it wrote before that explains nothing any more.
    pub fn moved(&mut self) {
        self.in_turn.clear();
        self.too_early = None;
        self.taken_back = None;
    }

    /// It has written a line that is no move.
    pub fn add(&mut self, line: &str) {
        self.first.get_or_insert_with(|| shortened(line));
        if self.in_turn.len() < KEPT {
            self.in_turn.push(shortened(line));
        }
    }

    /// It has to take back a move.
    pub fn take_back(&mut self, line: &str) {
        self.taken_back = Some(shortened(line));
    }

    /// It has written a line out of turn.
    pub fn add_too_early(&mut self, TooEarly { line, is_move, ply, own_last }: TooEarly) {
        self.too_early.get_or_insert_with(|| (ply, shortened(line)));
        if !is_move {
            self.first.get_or_insert_with(|| shortened(line));
            return;
        }
        self.unasked_moves += 1;
        match own_last {
            Some(first) if self.two_moves.is_none() => {
                let (ply, first, second) = (ply - 1, first.to_owned(), shortened(line));
                self.two_moves = Some(TwoMoves { ply, first, second });
            }
            None if ply == 1 => {
                self.moved_first.get_or_insert_with(|| shortened(line));
            }
            _ => {}
        }
    }
}

fn shortened(line: &str) -> String {
    let end = (0..=LONGEST.min(line.len())).rev().find(|&end| line.is_char_boundary(end));
    line[..end.unwrap_or_default()].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_before_a_move_is_forgotten_but_not_that_there_were_two() {
        let mut odd = OddLines::default();
        odd.add("hello");
        odd.take_back("0 0");
        let early = |line, ply, own_last| TooEarly { line, is_move: line != "hi", ply, own_last };
        odd.add_too_early(early("5 5", 2, Some("3 4")));
        odd.add_too_early(early("6 6", 4, Some("7 7")));
        odd.add_too_early(early("hi", 4, Some("7 7")));
        assert_eq!(odd.too_early, Some((2, "5 5".into())));
        odd.moved();
        let two_moves = Some(TwoMoves { ply: 1, first: "3 4".into(), second: "5 5".into() });
        assert_eq!(
            odd,
            OddLines { two_moves, unasked_moves: 2, first: Some("hello".into()), ..OddLines::default() }
        );
    }

    #[test]
    fn a_move_before_the_first_is_told_from_a_second_one() {
        let mut odd = OddLines::default();
        odd.add_too_early(TooEarly { line: "3 4", is_move: true, ply: 1, own_last: None });
        assert_eq!((odd.moved_first.as_deref(), odd.two_moves), (Some("3 4"), None));
    }

    #[test]
    fn little_is_kept_of_much() {
        let mut odd = OddLines::default();
        (0..100).for_each(|_| odd.add(&"é".repeat(1000)));
        assert_eq!((odd.in_turn.len(), odd.in_turn[0].len()), (KEPT, LONGEST));
    }
}
