//! Bots that play alike: whose games against the same opponents are the same, move by move.
//!
//! Two games are compared in which two bots sat at the same seat, with the same opponents at the others and the same opening. As long as the
//! moves are the same, both bots were in the same situations and gave the same answers. Where an opponent was the first to play
//! otherwise, such as one that throws dice, the games say no more about the two; where they were, they differ. Each opponent,
//! seat and opening counts once, however often it was repeated. Honest programs part ways in almost every game, so that pairs are only looked at
//! closely that have whole games in common, which a hash finds.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use crate::game::Seat;
use crate::record::{GameRecord, Ply, Summary};

/// Pairs are listed that have so many equal games at least.
pub const LEAST_EQUAL: u32 = 4;
/// And of the games that tell, at least this share.
const LISTED: f64 = 0.8;
/// Games of fewer plies are equal by chance, above all where somebody failed at once.
const LEAST_PLIES: u32 = 6;

/// How alike two bots have played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EqualPlay {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// Games against the same opponents that are the same from the first move to the last.
    pub equal: u32,
    /// Games in which the two were the first to play differently.
    pub different: u32,
    /// Games in which an opponent was: they tell nothing.
    pub untold: u32,
    /// What is known of the two besides their games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinship: Option<Kinship>,
}

/// Why two bots may well play alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kinship {
    /// They consist of the same files.
    SameFiles,
    /// This one is built in.
    BuiltIn(String),
    /// Both are built in.
    BothBuiltIn,
}

impl EqualPlay {
    /// Two bots whose games have not been compared.
    pub fn new(one: &str, other: &str) -> EqualPlay {
        let (one, other) = if one <= other { (one, other) } else { (other, one) };
        let (one, other) = (one.to_owned(), other.to_owned());
        EqualPlay { one, other, equal: 0, different: 0, untold: 0, kinship: None }
    }

    /// The same with other names for bots.
    pub fn renamed(mut self, name: impl Fn(&str) -> String) -> EqualPlay {
        let kin = match &mut self.kinship {
            Some(Kinship::BuiltIn(bot)) => Some(bot),
            _ => None,
        };
        for bot in [&mut self.one, &mut self.other].into_iter().chain(kin) {
            *bot = name(bot);
        }
        self
    }

    /// Whether they play so much alike that people should look.
    pub fn is_listed(&self) -> bool {
        self.equal >= LEAST_EQUAL && f64::from(self.equal) >= LISTED * f64::from(self.equal + self.different)
    }
}

impl fmt::Display for EqualPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EqualPlay { one, other, equal, different, untold, .. } = self;
        let telling = equal + different;
        write!(f, "{one} and {other}: ")?;
        match telling {
            0 => f.write_str("no games that could be compared")?,
            1 => write!(f, "{equal} of 1 game against the same opponents is equal, move by move")?,
            _ => write!(f, "{equal} of {telling} games against the same opponents are equal, move by move")?,
        }
        if *untold > 0 {
            write!(f, " (in {untold} more, an opponent was the first to play differently)")?;
        }
        match &self.kinship {
            None => Ok(()),
            Some(Kinship::SameFiles) => f.write_str("; same files"),
            Some(Kinship::BuiltIn(bot)) => write!(f, "; {bot} is built in"),
            Some(Kinship::BothBuiltIn) => f.write_str("; both are built in"),
        }
    }
}

/// The pairs of bots with so many equal games that their play is worth comparing: pairs of names, in order.
pub fn candidates(games: &[Summary]) -> Vec<(String, String)> {
    // Who has played this game, which has a hash, at this seat against these opponents.
    let mut players: HashMap<(u8, Vec<&str>, u64), HashSet<&str>> = HashMap::new();
    for game in games.iter().filter(|game| game.moves.plies >= LEAST_PLIES) {
        for (seat, own) in (0..).zip(&game.seats) {
            let others = others(game.seats.iter().map(|seat| seat.bot.as_str()), seat);
            players.entry((seat, others, game.moves.hash)).or_default().insert(&own.bot);
        }
    }
    let mut equal: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for bots in players.values().filter(|bots| bots.len() > 1) {
        let mut bots: Vec<&str> = bots.iter().copied().collect();
        bots.sort_unstable();
        for (index, &one) in bots.iter().enumerate() {
            bots[index + 1..].iter().for_each(|&other| *equal.entry((one, other)).or_default() += 1);
        }
    }
    let enough = equal.into_iter().filter(|&(_, games)| games >= LEAST_EQUAL);
    enough.map(|((one, other), _)| (one.to_owned(), other.to_owned())).collect()
}

/// Who sat at the other seats.
fn others<'a>(bots: impl Iterator<Item = &'a str>, seat: u8) -> Vec<&'a str> {
    bots.enumerate().filter(|&(index, _)| index != usize::from(seat)).map(|(_, bot)| bot).collect()
}

/// The course of a game, as far as it has to be compared.
pub struct Course {
    bots: Vec<String>,
    opening: Option<String>,
    /// A hash of each ply, and who made it.
    plies: Vec<(u64, Seat)>,
    /// Who had to move when the game ended.
    last: Seat,
}

impl Course {
    /// That of a recorded game; nothing if it cannot be replayed.
    pub fn of(record: &GameRecord) -> Option<Course> {
        let mut movers = Vec::with_capacity(record.plies.len());
        let last = record.walk(record.plies.len(), |game| movers.push(game.turn())).ok()?.turn();
        let hash = |ply: &Ply| {
            let mut hasher = DefaultHasher::new();
            ply.text().hash(&mut hasher);
            hasher.finish()
        };
        let bots = record.seats.iter().map(|seat| seat.bot.clone()).collect();
        let plies = record.plies.iter().map(hash).zip(movers).collect();
        Some(Course { bots, opening: record.opening.clone(), plies, last })
    }

    /// Who is to make the ply of this index.
    fn mover(&self, ply: usize) -> Seat {
        self.plies.get(ply).map_or(self.last, |&(_, mover)| mover)
    }
}

/// Where a game stands among those of a bot: its seat, who sat at the others, and the opening.
type Place<'a> = (u8, Vec<&'a str>, Option<&'a str>);

/// Compares the games of these pairs. The courses are those of all their games that count, in order.
pub fn compare(pairs: &[(String, String)], courses: &[Course]) -> Vec<EqualPlay> {
    let mut games: HashMap<&str, HashMap<Place, &Course>> = HashMap::new();
    for course in courses {
        for (seat, bot) in (0..).zip(&course.bots) {
            let place =
                (seat, others(course.bots.iter().map(String::as_str), seat), course.opening.as_deref());
            games.entry(bot).or_default().entry(place).or_insert(course);
        }
    }
    let none = HashMap::new();
    let of = |bot: &str| games.get(bot).unwrap_or(&none);
    let compared = pairs.iter().map(|(one, other)| {
        let mut found = EqualPlay::new(one, other);
        for (place, course) in of(one) {
            let Some(same) = of(other).get(place) else { continue };
            match first_to_differ(course, same) {
                None if course.plies.len() < LEAST_PLIES as usize => {}
                None => found.equal += 1,
                Some(Seat(seat)) if seat == place.0 => found.different += 1,
                Some(_) => found.untold += 1,
            }
        }
        found
    });
    compared.collect()
}

/// Who was the first to play differently in one of two games; nobody in games that are equal.
fn first_to_differ(one: &Course, other: &Course) -> Option<Seat> {
    let common = one.plies.iter().zip(&other.plies).take_while(|(one, other)| one == other).count();
    let is_equal = common == one.plies.len() && common == other.plies.len();
    // Of two that have the same moves so far, one may be over: then whoever is to move in the other has failed to in this.
    let goes_on = if one.plies.len() > common { one } else { other };
    (!is_equal).then(|| goes_on.mover(common))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of two on plies that are letters; those of the first seat have an even index.
    fn course(bots: [&str; 2], opening: Option<&str>, plies: &str) -> Course {
        let mover = |index: usize| Seat((index % 2) as u8);
        Course {
            bots: bots.map(str::to_owned).into(),
            opening: opening.map(str::to_owned),
            plies: plies.bytes().enumerate().map(|(index, ply)| (ply.into(), mover(index))).collect(),
            last: mover(plies.len()),
        }
    }

    fn compared(courses: &[Course]) -> [u32; 3] {
        let EqualPlay { equal, different, untold, .. } =
            compare(&[("ana".to_owned(), "beto".to_owned())], courses).remove(0);
        [equal, different, untold]
    }

    #[test]
    fn whoever_is_the_first_to_play_differently_makes_the_difference() {
        let against = |ana: &str, beto: &str| {
            compared(&[course(["ana", "zoe"], None, ana), course(["beto", "zoe"], None, beto)])
        };
        assert_eq!(against("abcdefg", "abcdefg"), [1, 0, 0]);
        assert_eq!(against("abcdefg", "abXdefg"), [0, 1, 0], "the third ply is their own");
        assert_eq!(against("abcdefg", "abcXefg"), [0, 0, 1], "zoe has made the fourth");
        assert_eq!(against("abcdef", "abcdefg"), [0, 1, 0], "ana made no seventh ply");
        assert_eq!(against("abcdefg", "abcdefgh"), [0, 0, 1], "zoe made no eighth");
        assert_eq!(against("abcd", "abcd"), [0, 0, 0], "both failed at once");
    }

    #[test]
    fn only_games_in_the_same_place_are_compared_and_each_place_once() {
        let plies = "abcdefgh";
        let game = |bots, opening| course(bots, opening, plies);
        assert_eq!(
            compared(&[game(["ana", "zoe"], None), game(["zoe", "beto"], None)]),
            [0; 3],
            "other seats"
        );
        assert_eq!(compared(&[game(["ana", "zoe"], None), game(["beto", "rui"], None)]), [0; 3]);
        assert_eq!(compared(&[game(["ana", "zoe"], Some("a")), game(["beto", "zoe"], Some("b"))]), [0; 3]);
        assert_eq!(compared(&[game(["ana", "beto"], None), game(["beto", "ana"], None)]), [0; 3]);
        let again = || [game(["ana", "zoe"], None), game(["beto", "zoe"], None)];
        assert_eq!(compared(&again().into_iter().chain(again()).collect::<Vec<_>>()), [1, 0, 0]);
    }

    #[test]
    fn pairs_are_listed_by_their_share_and_by_enough_games() {
        let pair =
            |equal, different, untold| EqualPlay { equal, different, untold, ..EqualPlay::new("b", "a") };
        assert!(pair(4, 1, 30).is_listed() && !pair(3, 0, 0).is_listed() && !pair(10, 3, 0).is_listed());
        let text = EqualPlay { kinship: Some(Kinship::SameFiles), ..pair(4, 1, 2) }.to_string();
        assert_eq!(
            text,
            "a and b: 4 of 5 games against the same opponents are equal, move by move (in 2 more, an opponent was the first to play \
             differently); same files"
        );
        assert!(pair(0, 0, 0).to_string().ends_with("no games that could be compared"));
    }
}
