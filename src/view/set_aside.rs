//! Which games do not count since they are played again, as text.

use crate::record::text::counted;

/// How many games are named.
const SHOWN: usize = 12;

/// A line that names the games with these numbers, or nothing.
pub fn text(numbers: &[u32]) -> String {
    if numbers.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = numbers.iter().take(SHOWN).map(u32::to_string).collect();
    let more = numbers.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (games, they) = match numbers.len() {
        1 => ("1 game does".to_owned(), "it is"),
        many => (format!("{} do", counted(many, "game")), "they are"),
    };
    format!("{games} not count, since {they} played again: {}{more}\n", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_games_are_not_all_named() {
        assert_eq!(text(&[]), "");
        assert_eq!(text(&[7]), "1 game does not count, since it is played again: 7\n");
        let many: Vec<u32> = (1..=14).collect();
        assert!(
            text(&many)
                .ends_with("they are played again: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more\n")
        );
    }
}
