//! What became of disturbed games as text.

use crate::record::text::counted;
use crate::score::disturbances::{Disturbances, Unscored};

/// How many games are named before the reader is sent to the table of all.
const SHOWN: usize = 12;

/// Which games were disturbed and played again, and which have no result: a line each, or nothing.
pub fn text(disturbances: &Disturbances) -> String {
    let mut text = String::new();
    let replayed = disturbances.replayed();
    if !replayed.is_empty() {
        let (games, were) =
            (counted(replayed.len(), "game"), if replayed.len() == 1 { "was" } else { "were" });
        let numbers = list(replayed.iter());
        text += &format!(
            "{games} {were} disturbed by other work on this machine and {were} played again: {numbers}\n"
        );
    }
    let unscored = &disturbances.unscored;
    if !unscored.is_empty() {
        let (games, are, were) = match unscored.len() {
            1 => ("1 game".to_owned(), "is", "it was"),
            many => (counted(many, "game"), "are", "they were"),
        };
        let names = list(unscored.iter().map(name));
        text += &format!("{games} {are} unscored, since {were} disturbed each time: {names}\n");
    }
    text
}

/// A game that has no result, and the numbers under which the attempts at it can be looked at.
fn name(game: &Unscored) -> String {
    let noun = if game.attempts.len() == 1 { "game" } else { "games" };
    let (bots, round, attempts) = (game.bots.join(" – "), game.round, list(game.attempts.iter()));
    format!("{bots} (round {round}; {noun} {attempts})")
}

/// The first of many.
fn list(things: impl ExactSizeIterator<Item = impl ToString>) -> String {
    let more = things.len().saturating_sub(SHOWN);
    let shown: Vec<String> = things.take(SHOWN).map(|thing| thing.to_string()).collect();
    let rest = if more > 0 { format!(" and {more} more, see games.csv") } else { String::new() };
    shown.join(", ") + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_were_played_again_and_games_without_a_result_are_told_apart() {
        assert_eq!(text(&Disturbances::default()), "");
        let many = Disturbances { disturbed: (1..=30).collect(), unscored: Vec::new() };
        assert!(
            text(&many)
                .ends_with(" again: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 18 more, see games.csv\n")
        );
        let mut disturbances = Disturbances { disturbed: vec![17, 23], unscored: Vec::new() };
        assert_eq!(
            text(&disturbances),
            "2 games were disturbed by other work on this machine and were played again: 17, 23\n"
        );
        disturbances.unscored.push(Unscored {
            round: 1,
            leg: 2,
            bots: vec!["ana".into(), "beto".into()],
            attempts: vec![23],
        });
        assert_eq!(
            text(&disturbances),
            "1 game was disturbed by other work on this machine and was played again: 17\n\
             1 game is unscored, since it was disturbed each time: ana – beto (round 1; game 23)\n"
        );
    }
}
