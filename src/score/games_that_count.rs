//! Which lines of a journal count: for each fixture at most one.

use std::collections::HashMap;

use crate::record::{Identity, Reason, Summary};

/// What is accepted of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Its name.
    pub bot: String,
    /// How often its games have been declared to be played again, from 1.
    pub generation: u32,
    /// The identities of the versions whose games count.
    pub identities: Vec<Identity>,
}

/// The bots whose games are accepted, by name.
fn by_name(bots: &[Accepted]) -> HashMap<&str, &Accepted> {
    bots.iter().map(|bot| (bot.bot.as_str(), bot)).collect()
}

/// The indices of the lines that count, in order. Of the lines of a fixture these are candidates: those of the current
/// generation, played by accepted versions of the bots, and neither aborted nor disturbed. Of the candidates the earliest attempt counts,
/// whatever its outcome; of attempts of the same number, such as those of several machines, the one that began first. So the order of
/// the lines decides only where it is not known when they began.
///
/// Lines whose leg is unknown, and lines with bots that are not listed, do not count.
pub fn counting(lines: &[Summary], bots: &[Accepted]) -> Vec<usize> {
    let bots = by_name(bots);
    let mut best: HashMap<(u32, u32, Vec<&str>), usize> = HashMap::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        let Some(leg) = line.leg.filter(|_| line.verdict.counts() && is_accepted(line, &bots)) else {
            continue;
        };
        let names = line.seats.iter().map(|seat| seat.bot.as_str()).collect();
        let chosen = best.entry((line.round, leg, names)).or_insert(index);
        if line.earliness() < lines[*chosen].earliness() {
            *chosen = index;
        }
    }
    let mut indices: Vec<usize> = best.into_values().collect();
    indices.sort_unstable();
    indices
}

/// The indices of the lines that would be candidates had they not been disturbed, in order.
pub fn disturbed(lines: &[Summary], bots: &[Accepted]) -> Vec<usize> {
    let bots = by_name(bots);
    let is_disturbed = |line: &Summary| line.verdict.reason == Reason::Disturbed && line.leg.is_some();
    (0..lines.len()).filter(|&at| is_disturbed(&lines[at]) && is_accepted(&lines[at], &bots)).collect()
}

/// Whether a line is of the current generation and was played by accepted versions of the bots.
fn is_accepted(line: &Summary, bots: &HashMap<&str, &Accepted>) -> bool {
    let mut generation = 1;
    for seat in &*line.seats {
        let Some(bot) = bots.get(seat.bot.as_str()) else { return false };
        generation = generation.max(bot.generation);
        // Lines of version 1 have no identities; their games counted whatever had changed.
        let accepted = match seat.identity.as_deref() {
            Some(identity) => bot.identities.contains(identity),
            None => line.format == 1,
        };
        if !accepted {
            return false;
        }
    }
    let sound = line.verdict.places.len() == line.seats.len();
    sound && line.generation == generation
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::Seat;
    use crate::record::summary::{KnownGame, Moment, MoveDigest, SeatSummary};
    use crate::record::{Fault, Loss, Terms, Verdict};

    fn line(round: u32, generation: u32, attempt: u32, identity: &str) -> Summary {
        let seat = |bot: &str, identity: &str| SeatSummary {
            bot: bot.into(),
            identity: Some(Arc::new(Identity::of(identity.as_bytes()))),
            ..SeatSummary::default()
        };
        let loss = Loss::new(Seat(0), None, Fault::Resigned);
        Summary {
            format: 2,
            game: KnownGame::named("hex"),
            number: 1,
            round,
            leg: Some(1),
            generation,
            attempt,
            seats: [seat("ana", identity), seat("beto", "b1")].into(),
            clock: Terms::default().game_clock().into(),
            swapped: false,
            verdict: Verdict::by_loss(loss).into(),
            moves: MoveDigest { plies: 0, hash: 0 },
            warnings: Box::default(),
            started: Moment::UNKNOWN,
            took: None,
            linked: None,
        }
    }

    fn accepted(bot: &str, generation: u32, identities: &[&str]) -> Accepted {
        let identities = identities.iter().map(|identity| Identity::of(identity.as_bytes())).collect();
        Accepted { bot: bot.into(), generation, identities }
    }

    #[test]
    fn of_several_lines_the_earliest_attempt_counts() {
        let bots = [accepted("ana", 1, &["a1"]), accepted("beto", 1, &["b1"])];
        let lines = [line(1, 1, 2, "a1"), line(2, 1, 1, "a1"), line(1, 1, 1, "a1"), line(1, 1, 3, "a1")];
        assert_eq!(counting(&lines, &bots), [1, 2]);
    }

    #[test]
    fn which_of_equal_attempts_counts_does_not_depend_on_the_order_of_the_lines() {
        let bots = [accepted("ana", 1, &["a1"]), accepted("beto", 1, &["b1"])];
        let began = |second: i64| Moment::from(jiff::Timestamp::from_second(second).ok());
        let attempt = |number: u32, attempt: u32, started: Moment| Summary {
            number,
            started,
            ..line(1 + number % 3, 1, attempt, "a1")
        };
        // Of three rounds; those without a moment come last, and only among themselves does their order matter.
        let mut lines = vec![
            attempt(1, 2, began(5)),
            attempt(4, 1, began(9)),
            attempt(7, 1, began(8)),
            attempt(10, 1, Moment::UNKNOWN),
            attempt(2, 1, Moment::UNKNOWN),
            attempt(5, 1, began(7)),
            attempt(3, 2, Moment::UNKNOWN),
            attempt(6, 2, began(1)),
            attempt(9, 3, began(-1)),
        ];
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for _ in 0..200 {
            rng.shuffle(&mut lines);
            let counting = counting(&lines, &bots);
            assert!(counting.is_sorted());
            let mut numbers: Vec<u32> = counting.iter().map(|&index| lines[index].number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, [5, 6, 7]);
        }
        let unknown = [attempt(3, 1, Moment::UNKNOWN), attempt(6, 1, Moment::UNKNOWN)];
        assert_eq!(counting(&unknown, &bots), [0]);
    }

    #[test]
    fn other_generations_identities_and_bots_do_not_count() {
        let lines = [line(1, 1, 1, "a1"), line(1, 1, 2, "a2"), line(1, 2, 1, "a1")];
        let beto = || accepted("beto", 1, &["b1"]);
        assert_eq!(counting(&lines, &[accepted("ana", 1, &["a1", "a2"]), beto()]), [0]);
        assert_eq!(counting(&lines, &[accepted("ana", 1, &["a2"]), beto()]), [1]);
        assert_eq!(counting(&lines, &[accepted("ana", 2, &["a1"]), beto()]), [2]);
        assert_eq!(counting(&lines, &[accepted("ana", 1, &["a1"])]), [0usize; 0]);
    }

    #[test]
    fn aborted_games_do_not_count_and_old_lines_have_no_identity() {
        let bots = [accepted("ana", 1, &["a2"]), accepted("beto", 1, &["b2"])];
        let mut aborted = line(1, 1, 1, "a2");
        aborted.seats[1].identity = None;
        Arc::make_mut(&mut aborted.verdict).reason = Reason::Aborted;
        let mut old = line(1, 1, 2, "a1");
        old.seats.iter_mut().for_each(|seat| seat.identity = None);
        assert_eq!(counting(&[aborted.clone(), old.clone()], &bots), [0usize; 0], "only old lines have none");
        old.format = 1;
        assert_eq!(counting(&[aborted, old.clone()], &bots), [1]);
        let verdict = Verdict { places: vec![1; 9], ..Verdict::clone(&old.verdict) };
        let unsound = Summary { verdict: verdict.into(), ..old.clone() };
        assert_eq!(counting(&[unsound], &bots), [0usize; 0]);
        old.leg = None;
        assert_eq!(counting(&[old], &bots), [0usize; 0]);
    }

    #[test]
    fn disturbed_games_are_told_apart_and_do_not_count() {
        let bots = [accepted("ana", 1, &["a1"]), accepted("beto", 1, &["b1"])];
        let is_disturbed = |mut line: Summary| {
            let busy = "the machine was busy".to_owned();
            line.verdict = Verdict::without_winner(2, Reason::Disturbed, busy, Vec::new()).into();
            line
        };
        let lines = [
            is_disturbed(line(1, 1, 1, "a1")),
            is_disturbed(line(1, 1, 2, "a1")),
            line(1, 1, 3, "a1"),
            is_disturbed(line(2, 1, 1, "a2")),
            is_disturbed(line(2, 2, 1, "a1")),
        ];
        assert_eq!(counting(&lines, &bots), [2]);
        assert_eq!(disturbed(&lines, &bots), [0, 1], "other versions and generations are nobody's business");
    }
}
