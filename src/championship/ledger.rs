//! The lines of a journal under the settings of a championship: which of them count, and what the schedule makes of them.

use std::collections::{HashMap, HashSet};

use super::formats::{Pairing, Plan, PlayedGame, SetAside};
use super::settings::Settings;
use crate::game::Seat;
use crate::record::text::counted;
use crate::record::{FixtureKey, Summary};
use crate::score::games_that_count::{counting, disturbed};

/// The games that are known to be next after these: the schedule without what was played.
pub fn to_play(plan: &Plan, games: &[Summary]) -> Vec<Pairing> {
    let played = played(plan, games);
    without(plan.pairings(&played), &played)
}

/// Pairings without the games that were played.
pub fn without(mut pairings: Vec<Pairing>, played: &[PlayedGame]) -> Vec<Pairing> {
    let played: HashSet<_> = played.iter().map(PlayedGame::place).collect();
    pairings.retain_mut(|pairing| {
        pairing.retain(|fixture| !played.contains(&fixture.place()));
        !pairing.is_empty()
    });
    pairings
}

/// Games as the schedule sees them: those of bots that it has.
pub fn played<'a>(plan: &Plan, games: impl IntoIterator<Item = &'a Summary>) -> Vec<PlayedGame> {
    let indices = indices(plan);
    let game = |game: &Summary| {
        let seats = seats(game, &indices)?;
        let half_points = (0..seats.len() as u8).map(|seat| game.verdict.half_points(Seat(seat))).collect();
        let leg = game.leg.unwrap_or_else(|| plan.leg_of(game.round, &seats));
        Some(PlayedGame { round: game.round, leg, seats, half_points })
    };
    games.into_iter().filter_map(game).collect()
}

/// The index of each bot of the schedule.
fn indices(plan: &Plan) -> HashMap<&str, usize> {
    plan.bots.iter().enumerate().map(|(index, bot)| (&*bot.name, index)).collect()
}

/// The bots of a game by seat, if the schedule has them all.
fn seats(game: &Summary, indices: &HashMap<&str, usize>) -> Option<Vec<usize>> {
    game.seats.iter().map(|seat| indices.get(seat.bot.as_str()).copied()).collect()
}

/// The lines that were set aside, as their indices: of games that have been declared to be played again since. The plan is told of
/// them.
fn set_aside(settings: &Settings, lines: &[Summary], plan: &mut Plan) -> Vec<usize> {
    if settings.bots.iter().all(|bot| bot.generation == 1) {
        return Vec::new();
    }
    let (mut found, mut games) = (Vec::new(), Vec::new());
    let indices = indices(plan);
    for (index, line) in lines.iter().enumerate() {
        let generation = settings.generation(line.seats.iter().map(|seat| seat.bot.as_str()));
        let is_aside = line.verdict.counts()
            && line.generation < generation
            && line.game.0 == Some(settings.game.as_str());
        if let Some((leg, seats)) = line.leg.filter(|_| is_aside).zip(seats(line, &indices)) {
            found.push(index);
            games.push(SetAside { round: line.round, leg, seats });
        }
    }
    plan.set_aside = games;
    found
}

/// The lines of a journal, told apart by whether they count under some settings.
pub struct Ledger {
    /// What the schedule depends on, with the games that were set aside.
    pub plan: Plan,
    /// The numbers of the games that were set aside: they do not count, since they are played again.
    pub set_aside: Vec<u32>,
    /// Those that count.
    pub games: Vec<Summary>,
    /// Those that would count had they not been disturbed: of fixtures that were played again, or are still to be.
    pub disturbed: Vec<Summary>,
    others: Vec<Summary>,
    /// The places, among all lines, of those that count and of those that were disturbed, in order.
    pub shown: Vec<usize>,
    /// The games that are known to be next: the schedule without what counts.
    pub open: Vec<Pairing>,
    /// How many games there will be in all, as far as that can be known.
    pub scheduled: usize,
}

impl Ledger {
    /// Tells the lines apart.
    pub fn read(settings: &Settings, mut lines: Vec<Summary>) -> Ledger {
        let mut plan = settings.plan();
        let indices = indices(&plan);
        for line in lines.iter_mut().filter(|line| line.leg.is_none()) {
            line.leg = seats(line, &indices).map(|seats| plan.leg_of(line.round, &seats));
        }
        let set_aside = set_aside(settings, &lines, &mut plan);
        let set_aside: Vec<u32> = set_aside.into_iter().map(|line| lines[line].number).collect();
        let accepted = settings.accepted();
        let is_this_game = |line: &usize| lines[*line].game.0 == Some(settings.game.as_str());
        let (mut counting, mut disturbed) = (counting(&lines, &accepted), disturbed(&lines, &accepted));
        counting.retain(is_this_game);
        disturbed.retain(is_this_game);
        let candidates = played(&plan, counting.iter().map(|&index| &lines[index]));
        let attempts = played(&plan, disturbed.iter().map(|&index| &lines[index]));
        // Other settings can have other schedules, and joining or editing journals can bring anything: only games of the
        // schedule count.
        let mut counts = vec![false; lines.len()];
        let line_of: HashMap<_, usize> = candidates.iter().map(PlayedGame::place).zip(counting).collect();
        let mut disturbed_at: HashMap<_, Vec<usize>> = HashMap::new();
        for (place, line) in attempts.iter().map(PlayedGame::place).zip(disturbed) {
            disturbed_at.entry(place).or_default().push(line);
        }
        let (mut disturbed, mut shown) = (Vec::new(), Vec::new());
        let scheduled = plan.games(&candidates);
        let mut open = plan.pairings(&candidates);
        open.retain_mut(|pairing| {
            pairing.retain(|fixture| {
                let attempts = disturbed_at.get(&fixture.place()).into_iter().flatten();
                for &line in attempts {
                    disturbed.push(lines[line].clone());
                    shown.push(line);
                }
                let Some(&line) = line_of.get(&fixture.place()) else { return true };
                counts[line] = true;
                shown.push(line);
                false
            });
            !pairing.is_empty()
        });
        shown.sort_unstable();
        // There may be very many that count, and there are hardly ever others.
        let others =
            lines.iter().zip(&counts).filter(|&(_, counts)| !counts).map(|(line, _)| line.clone()).collect();
        let mut counts = counts.into_iter();
        lines.retain(|_| counts.next() == Some(true));
        Ledger { plan, set_aside, games: lines, disturbed, others, shown, open, scheduled }
    }

    /// The last attempt, in the current generation, at each fixture whose lines do not count.
    pub fn attempts(&self, settings: &Settings) -> HashMap<FixtureKey, u32> {
        let mut attempts = HashMap::new();
        for (key, line) in self.others.iter().filter_map(|line| Some((line.key()?, line))) {
            if line.generation == settings.generation(key.bots.iter().map(|bot| &**bot)) {
                let last: &mut u32 = attempts.entry(key).or_default();
                *last = line.attempt.max(*last);
            }
        }
        attempts
    }

    /// Says how many games do not count, if there are such.
    pub fn warn_of_others(&self, mut warn: impl FnMut(String)) {
        let others = self.others.iter().filter(|line| line.verdict.counts()).count();
        let aside = others.saturating_sub(self.set_aside.len());
        if aside > 0 {
            let (games, are) = (counted(aside, "game"), if aside == 1 { "is" } else { "are" });
            warn(format!(
                "{games} in the journal {are} not counted: of other settings or versions, of bots that left, or played twice"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::championship::entrant::Entrant;
    use crate::championship::settings::BotSettings;
    use crate::game::{BoardOptions, Setup};
    use crate::record::summary::{KnownGame, Moment, MoveDigest, SeatSummary};
    use crate::record::{Identity, Reason, Terms, Verdict};

    fn settings() -> Settings {
        let setup = Setup::new("hex", BoardOptions::default()).unwrap();
        let bot = |name: &str| {
            let entrant = Entrant::parse(&format!("{name}=@random")).unwrap();
            let mut bot = BotSettings::new(&entrant);
            bot.identity = Some(Identity::of(name.as_bytes()));
            bot
        };
        Settings::new(&setup, Terms::default(), 1, vec![bot("ana"), bot("beto")], None)
    }

    fn line(number: u32, key: &FixtureKey, attempt: u32, reason: Reason) -> Summary {
        let seat = |bot: &Arc<str>| SeatSummary {
            bot: bot[..].into(),
            identity: Some(Identity::of(bot.as_bytes()).into()),
            ..SeatSummary::default()
        };
        Summary {
            format: 3,
            game: KnownGame::named("hex"),
            number,
            round: key.round,
            leg: Some(key.leg),
            generation: 1,
            attempt,
            seats: key.bots.iter().map(seat).collect(),
            clock: Terms::default().game_clock().into(),
            swapped: false,
            verdict: Verdict::without_winner(2, reason, String::new(), Vec::new()).into(),
            moves: MoveDigest { plies: 0, hash: 0 },
            warnings: Box::default(),
            started: Moment::UNKNOWN,
            took: None,
            linked: None,
        }
    }

    #[test]
    fn disturbed_games_are_kept_apart_and_their_fixtures_stay_open() {
        let settings = settings();
        let fixtures = settings.plan().pairings(&[]).concat();
        let [one, other] = &fixtures[..] else { panic!("a pair plays two games") };
        let unscheduled = FixtureKey { leg: 3, ..one.key.clone() };
        let lines = vec![
            line(1, &one.key, 1, Reason::Disturbed),
            line(2, &other.key, 1, Reason::Disturbed),
            line(3, &one.key, 2, Reason::Resigned),
            line(4, &other.key, 2, Reason::Disturbed),
            line(5, &unscheduled, 1, Reason::Disturbed),
        ];
        let ledger = Ledger::read(&settings, lines);
        let numbers = |lines: &[Summary]| lines.iter().map(|line| line.number).collect::<Vec<_>>();
        assert_eq!((numbers(&ledger.games), numbers(&ledger.disturbed)), (vec![3], vec![1, 2, 4]));
        assert_eq!(ledger.open, [[other.clone()]]);
        assert_eq!(ledger.attempts(&settings)[&other.key], 2);
    }
}
