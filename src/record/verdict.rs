//! How a game ended, apart from who won it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::cause::Cause;
use super::fault::Fault;
use super::reason::Reason;
use crate::contain::spec::Work;
use crate::game::hint::Hint;
use crate::game::{Outcome, Seat};

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "AnyVersion")]
pub struct Verdict {
    /// The winning seat; nobody in a draw, or if nobody could play.
    pub winner: Option<Seat>,
    /// The place of each seat, from 1; seats that share a place have the same number.
    pub places: Vec<u8>,
    /// Why it ended.
    pub reason: Reason,
    /// The same for people, as it was told when the game ended. What is known of [`Verdict::losses`] is told anew when it is shown:
    /// see [`GameRecord::sentence`](super::GameRecord::sentence).
    pub sentence: String,
    /// The seats that did not lose on the board: by a fault, or because they gave up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
    /// What the moves of seats that lost show about how they misunderstood the rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<SeatHint>,
}

/// A misunderstanding of the rules that the moves of a seat show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatHint {
    /// The seat.
    pub seat: Seat,
    /// The misunderstanding.
    pub hint: Hint,
}

/// Why a seat lost other than on the board. Where more than two play, the game may have gone on without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "AnyLoss")]
pub struct Loss {
    /// The seat.
    pub seat: Seat,
    /// The ply on which it lost, from 1. Journals of version 1 do not say so for games of two.
    pub ply: Option<usize>,
    /// Why.
    pub reason: Reason,
    /// What it did.
    pub fault: Fault,
    /// Why it did that, as far as the evidence tells; the surest comes first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
    /// What it did in the turn in which it lost, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<Work>,
}

impl Loss {
    /// A loss by a fault, of which no more is known.
    pub fn new(seat: Seat, ply: Option<usize>, fault: Fault) -> Loss {
        Loss { seat, ply, reason: fault.reason(), fault, causes: Vec::new(), work: None }
    }
}

/// A loss as any version of the journal's format has it. Before version 4, it was told in words.
#[derive(Deserialize)]
struct AnyLoss {
    seat: Seat,
    ply: Option<usize>,
    reason: Reason,
    #[serde(default)]
    what: String,
    fault: Option<Fault>,
    #[serde(default)]
    causes: Vec<Cause>,
    #[serde(default)]
    work: Option<Work>,
}

impl From<AnyLoss> for Loss {
    fn from(line: AnyLoss) -> Loss {
        let AnyLoss { seat, ply, reason, what, fault, causes, work } = line;
        let fault = fault.unwrap_or(Fault::Told { what, reason });
        Loss { seat, ply, reason, fault, causes, work }
    }
}

/// What a game was for one who played in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// It came first, alone.
    Won,
    /// It shared the first place.
    Drawn,
    /// It came in behind others.
    Lost,
}

impl Verdict {
    /// The end that the rules brought, after these losses.
    pub fn by_rules(outcome: Outcome, losses: Vec<Loss>) -> Verdict {
        let Outcome { winner, places, ending, sentence } = outcome;
        Verdict { winner, places, reason: Reason::Rules(ending), sentence, losses, hints: Vec::new() }
    }

    /// The end of a game of two that one of them has lost other than on the board.
    pub fn by_loss(loss: Loss) -> Verdict {
        let winner = Seat(1 - loss.seat.0);
        Verdict {
            winner: Some(winner),
            places: places_of_two(Some(winner)),
            reason: loss.reason,
            sentence: String::new(),
            losses: vec![loss],
            hints: Vec::new(),
        }
    }

    /// An end that no seat has won, or deserved to lose more than another.
    pub fn without_winner(seats: usize, reason: Reason, sentence: String, losses: Vec<Loss>) -> Verdict {
        Verdict { winner: None, places: vec![1; seats], reason, sentence, losses, hints: Vec::new() }
    }

    /// Why a seat lost other than on the board, if it did.
    pub fn loss(&self, seat: Seat) -> Option<&Loss> {
        self.losses.iter().find(|loss| loss.seat == seat)
    }

    /// The fault for which a seat lost, if it did not lose on the board.
    pub fn forfeit(&self, seat: Seat) -> Option<Reason> {
        self.loss(seat).map(|loss| loss.reason).filter(|reason| reason.is_forfeit())
    }

    /// Whether the game is part of the score.
    pub fn counts(&self) -> bool {
        self.reason.counts()
    }

    /// Whether anybody lost by a fault.
    pub fn has_forfeit(&self) -> bool {
        self.losses.iter().any(|loss| loss.reason.is_forfeit())
    }

    /// Whether the result says anything of strength: games that nobody could play do not.
    pub fn is_contest(&self) -> bool {
        self.places.iter().any(|&place| place != 1) || !self.has_forfeit()
    }

    /// What the game was for a seat.
    pub fn result(&self, seat: Seat) -> GameResult {
        match self.winner {
            Some(winner) if winner == seat => GameResult::Won,
            None if self.place(seat) == Some(1) && self.half_points(seat) > 0 => GameResult::Drawn,
            _ => GameResult::Lost,
        }
    }

    /// The place of a seat.
    pub fn place(&self, seat: Seat) -> Option<u8> {
        self.places.get(seat.index()).copied()
    }

    /// The half points of a seat: 2 for each seat that it has beaten, 1 for each that it shares its place with. Where two
    /// play, that is 2 for a win and 1 for a draw.
    pub fn half_points(&self, seat: Seat) -> u32 {
        let seats = (0..self.places.len() as u8).map(Seat);
        seats.filter(|&other| other != seat).map(|other| self.against(seat, other)).sum()
    }

    /// The half points of a seat against one other.
    pub fn against(&self, seat: Seat, other: Seat) -> u32 {
        match self.place(seat).cmp(&self.place(other)) {
            _ if !self.counts() => 0,
            Ordering::Less => 2,
            // Seats that lost by a fault have earned nothing by doing so together.
            Ordering::Equal => u32::from(self.loss(seat).is_none()),
            Ordering::Greater => 0,
        }
    }
}

fn places_of_two(winner: Option<Seat>) -> Vec<u8> {
    [Seat(0), Seat(1)].map(|seat| if winner.is_none_or(|winner| winner == seat) { 1 } else { 2 }).into()
}

/// A verdict as any version of the journal's format has it. Version 1 had places and faults only where more than two play,
/// and each sentence began with the side.
#[derive(Deserialize)]
struct AnyVersion {
    winner: Option<Seat>,
    #[serde(default)]
    places: Vec<u8>,
    reason: Reason,
    sentence: String,
    #[serde(default)]
    losses: Vec<Loss>,
    #[serde(default)]
    faults: Vec<FaultV1>,
    #[serde(default)]
    hints: Vec<SeatHint>,
}

#[derive(Deserialize)]
struct FaultV1 {
    seat: Seat,
    ply: usize,
    reason: Reason,
    sentence: String,
}

impl From<AnyVersion> for Verdict {
    fn from(line: AnyVersion) -> Verdict {
        let AnyVersion { winner, places, reason, sentence, mut losses, faults, hints } = line;
        losses.extend(faults.into_iter().map(|fault| {
            let what = without_side(&fault.sentence).to_owned();
            Loss::new(fault.seat, Some(fault.ply), Fault::Told { what, reason: fault.reason })
        }));
        if !places.is_empty() {
            return Verdict { winner, places, reason, sentence, losses, hints };
        }
        if reason.is_forfeit() || reason == Reason::Resigned {
            let lost = [Seat(0), Seat(1)].into_iter().filter(|&seat| winner != Some(seat));
            let what = without_side(&sentence).to_owned();
            losses.extend(lost.map(|seat| Loss::new(seat, None, Fault::Told { what: what.clone(), reason })));
        }
        Verdict { winner, places: places_of_two(winner), reason, sentence, losses, hints }
    }
}

/// A sentence of version 1 without the side that it begins with.
fn without_side(sentence: &str) -> &str {
    let colour = ["white ", "black "].iter().find_map(|side| sentence.strip_prefix(side));
    let player =
        || sentence.strip_prefix("player ").and_then(|rest| rest.split_once(' ')).map(|(_, rest)| rest);
    colour.or_else(player).unwrap_or(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ending;

    fn told(what: &str, reason: Reason) -> Fault {
        Fault::Told { what: what.into(), reason }
    }

    fn loss(seat: u8) -> Loss {
        Loss::new(Seat(seat), Some(1), told("made no move", Reason::Timeout))
    }

    #[test]
    fn places_give_points_and_leaving_together_gives_none() {
        let ended = |places: &[u8]| Verdict {
            places: places.into(),
            ..Verdict::without_winner(4, Reason::Rules(Ending::RoundLimit), String::new(), Vec::new())
        };
        let points =
            |verdict: &Verdict| (0..4).map(|seat| verdict.half_points(Seat(seat))).collect::<Vec<_>>();
        let verdict = Verdict { winner: Some(Seat(2)), ..ended(&[2, 4, 1, 3]) };
        assert_eq!(points(&verdict), [4, 0, 6, 2]);
        assert_eq!(verdict.result(Seat(2)), GameResult::Won);
        assert_eq!(verdict.result(Seat(0)), GameResult::Lost);
        let verdict = ended(&[1, 1, 3, 4]);
        assert_eq!(points(&verdict), [5, 5, 2, 0]);
        assert_eq!([0, 1, 2].map(|seat| verdict.result(Seat(seat))), {
            [GameResult::Drawn, GameResult::Drawn, GameResult::Lost]
        });
        let verdict = Verdict { losses: (0..4).map(loss).collect(), ..ended(&[1; 4]) };
        assert_eq!(points(&verdict), [0; 4]);
        assert_eq!(
            (verdict.result(Seat(0)), verdict.forfeit(Seat(0))),
            (GameResult::Lost, Some(Reason::Timeout))
        );
    }

    #[test]
    fn a_loss_of_one_of_two_is_the_others_win() {
        let verdict = Verdict::by_loss(loss(0));
        assert_eq!((verdict.winner, &verdict.places[..]), (Some(Seat(1)), &[2, 1][..]));
        assert_eq!([0, 1].map(|seat| verdict.half_points(Seat(seat))), [0, 2]);
    }

    #[test]
    fn verdicts_of_version_1_are_understood() {
        let read = |text: &str| serde_json::from_str::<Verdict>(text).unwrap();
        let won =
            read(r#"{"winner":1,"reason":"connected","sentence":"black connected left to right on ply 7"}"#);
        assert_eq!((&won.places[..], won.losses.len()), (&[2, 1][..], 0));
        let lost = read(r#"{"winner":1,"reason":"timeout","sentence":"white made no move on ply 1"}"#);
        let expected = Loss::new(Seat(0), None, told("made no move on ply 1", Reason::Timeout));
        assert_eq!(lost.losses, [expected]);
        let neither = read(r#"{"winner":null,"reason":"failed-to-start","sentence":"x; y"}"#);
        assert_eq!((neither.half_points(Seat(0)), neither.losses.len()), (0, 2));
        let three = read(
            r#"{"winner":1,"places":[2,1,3],"reason":"home","sentence":"s",
                "faults":[{"seat":2,"ply":3,"reason":"crashed","sentence":"player 5 exited with code 3"}]}"#,
        );
        assert_eq!(three.losses[0].ply, Some(3));
        assert_eq!(three.losses[0].fault, told("exited with code 3", Reason::Crashed));
        let drawn = read(r#"{"winner":null,"reason":"draw","sentence":"s"}"#);
        assert_eq!(drawn.result(Seat(1)), GameResult::Drawn);
        let again = read(&serde_json::to_string(&three).unwrap());
        assert_eq!(again, three);
    }
}
