//! How many games are of which kind: of which version of a bot, or with which clock.

use std::fmt;

use serde::Serialize;

/// How many games are of which kind, in the order in which the kinds came up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kinds<T>(Vec<(T, u32)>);

impl<T> Default for Kinds<T> {
    fn default() -> Kinds<T> {
        Kinds(Vec::new())
    }
}

impl<T: PartialEq> Kinds<T> {
    /// Counts a game.
    pub fn add(&mut self, kind: T) {
        match self.0.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, games)) => *games += 1,
            None => self.0.push((kind, 1)),
        }
    }

    /// Whether all games are of one kind, which need not be told.
    pub fn is_uniform(&self) -> bool {
        self.0.len() < 2
    }

    /// The kinds, and how many games are of each.
    pub fn iter(&self) -> impl Iterator<Item = (&T, u32)> {
        self.0.iter().map(|(kind, games)| (kind, *games))
    }

    /// How many kinds there are, and the games of each: `2: 14+6`. Nothing for one kind.
    pub fn counts(&self) -> String {
        let games: Vec<String> = self.0.iter().map(|(_, games)| games.to_string()).collect();
        if self.is_uniform() { String::new() } else { format!("{}: {}", games.len(), games.join("+")) }
    }
}

impl<T: PartialEq + fmt::Display> Kinds<T> {
    /// The kinds by name, and the games of each: `60: 12; 30: 18`. Nothing for one kind.
    pub fn named_counts(&self) -> String {
        let one = |(kind, games): &(T, u32)| format!("{kind}: {games}");
        let all: Vec<String> = self.0.iter().map(one).collect();
        if self.is_uniform() { String::new() } else { all.join("; ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_in_the_order_in_which_they_came_up() {
        let mut kinds = Kinds::default();
        assert_eq!((kinds.is_uniform(), kinds.counts()), (true, String::new()));
        [7, 3, 7, 7].into_iter().for_each(|kind| kinds.add(kind));
        assert_eq!((kinds.counts().as_str(), kinds.named_counts().as_str()), ("2: 3+1", "7: 3; 3: 1"));
    }
}
