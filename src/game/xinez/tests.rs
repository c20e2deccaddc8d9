use super::*;
use crate::engine::xinez::greedy;
use crate::game::xinez::{Cell, Star};

fn game(size: u8, players: &str) -> Xinez {
    Xinez::new(size, players.parse().unwrap())
}

fn player(number: u8) -> Player {
    Player::new(number).unwrap()
}

/// How many sequences of moves of each length there are.
fn perft(game: &Xinez, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    count(game, &mut counts);
    counts
}

fn count(game: &Xinez, counts: &mut [u64]) {
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    if game.outcome().is_some() {
        return;
    }
    for mv in game.position().moves(game.player(game.turn())) {
        *here += 1;
        let mut next = game.clone();
        next.make(mv);
        count(&next, deeper);
    }
}

#[test]
fn sequences_of_moves_are_as_counted_by_others() {
    for (size, counts) in [(1, &[2, 4, 16][..]), (2, &[6, 36, 372]), (3, &[10, 100, 1720]), (4, &[14, 196])] {
        assert_eq!(perft(&game(size, "14"), counts.len()), counts, "two players on {size}");
    }
    for (size, counts) in [(2, [6, 36, 216]), (3, [10, 101, 1020])] {
        assert_eq!(perft(&game(size, "123456"), 3), counts, "six players on {size}");
    }
}

#[test]
fn sums_of_w_go_from_home_to_goal() {
    for (size, sum) in (1..=6).zip([2, 10, 28, 60, 110, 182]) {
        for number in 1..=6 {
            let mut position = Position::initial(size, "123456".parse().unwrap());
            assert_eq!(position.sum_of_w(player(number)), -sum);
            assert!(!position.is_home(player(number)));
            let alone = Players::of([player(number)]).unwrap();
            position = Position::initial(size, alone);
            let view = position.star().view(player(number));
            for (from, to) in view.home.iter().zip(view.goal.iter()) {
                assert!(!position.is_home(player(number)));
                position.make(player(number), Move { from, to });
            }
            assert_eq!(position.sum_of_w(player(number)), sum);
            assert!(position.is_home(player(number)));
        }
    }
}

#[test]
fn of_two_greedy_robots_the_first_is_home_in_the_known_round() {
    for (size, round) in (1..=4).zip([4, 13, 35, 66]) {
        let mut game = game(size, "14");
        while game.outcome().is_none() {
            game.make(greedy(&game));
        }
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.winner, outcome.ending), (Some(Seat(0)), Ending::Home), "on {size}");
        assert_eq!(game.round(), round, "on {size}");
        assert_eq!(outcome.sentence, format!("player 1 has all its pieces in its goal in round {round}"));
        assert_eq!(outcome.places, [1, 2]);
    }
}

/// The moves of a piece in the plainest way: coordinates in a list, chains of jumps by recursion.
mod naive {
    use super::*;

    type Point = (i32, i32, i32);

    const STEPS: [Point; 6] = [(1, 0, -1), (-1, 0, 1), (1, 1, 0), (-1, -1, 0), (0, 1, 1), (0, -1, -1)];

    fn point(star: &Star, cell: Cell) -> Point {
        let at = star.coordinates(cell);
        (at.u.into(), at.v.into(), at.w().into())
    }

    fn plus(a: Point, b: Point) -> Point {
        (a.0 + b.0, a.1 + b.1, a.2 + b.2)
    }

    fn allowed(n: i32, number: u8, mut at: Point) -> bool {
        for _ in 0..(7 - number) % 6 {
            at = (-at.2, at.0, at.1);
        }
        at.0.abs() <= n && at.1.abs() <= n
    }

    fn jumps(n: i32, number: u8, taken: &[Point], from: Point, found: &mut Vec<Point>) {
        for step in STEPS {
            let (over, to) = (plus(from, step), plus(plus(from, step), step));
            if taken.contains(&over) && !taken.contains(&to) && allowed(n, number, to) && !found.contains(&to)
            {
                found.push(to);
                jumps(n, number, taken, to, found);
            }
        }
    }

    pub fn moves_of(position: &Position, number: u8, from: Cell) -> Vec<Cell> {
        let star = position.star();
        let n = i32::from(star.size());
        let others = star.all().filter(|&cell| cell != from && position.owner(cell).is_some());
        let taken: Vec<Point> = others.map(|cell| point(star, cell)).collect();
        let origin = point(star, from);
        let mut found = vec![origin];
        jumps(n, number, &taken, origin, &mut found);
        found.extend(STEPS.map(|step| plus(origin, step)));
        let reached = |&cell: &Cell| {
            let at = point(star, cell);
            found.contains(&at) && at != origin && !taken.contains(&at) && allowed(n, number, at)
        };
        star.all().filter(reached).collect()
    }
}

#[test]
fn moves_agree_with_a_plain_generator_in_random_games() {
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    for number in 0..36 {
        let mut game = Xinez::new(1 + number % 6, Players::usual(1 + number / 6).unwrap());
        for _ in 0..60 {
            if game.outcome().is_some() {
                break;
            }
            for cell in game.position().star().all() {
                let plain = match game.position().owner(cell) {
                    Some(owner) => naive::moves_of(game.position(), owner.number(), cell),
                    None => Vec::new(),
                };
                assert_eq!(
                    game.position().moves_of(cell).iter().collect::<Vec<_>>(),
                    plain,
                    "{}",
                    game.board()
                );
            }
            let moves: Vec<Move> = game.position().moves(game.player(game.turn())).collect();
            game.make(rng.choice(moves).unwrap());
        }
    }
}

#[test]
fn every_way_to_break_the_rules_has_its_reason() {
    let position = Position::initial(2, "124".parse().unwrap());
    let check = |from, to| position.check(player(1), from, to);
    assert_eq!(check(3, 2), Ok(Move { from: Cell(3), to: Cell(2) }));
    assert_eq!(check(37, 2), Err(Fault::OffBoard { last: 36 }));
    assert_eq!(check(3, usize::MAX), Err(Fault::OffBoard { last: 36 }));
    assert_eq!(check(12, 13), Err(Fault::NoPiece(Cell(12))));
    assert_eq!(check(20, 14), Err(Fault::NotYours(Cell(20), player(4))));
    assert_eq!(check(3, 3), Err(Fault::NoMove));
    assert_eq!(check(3, 4), Err(Fault::Taken(Cell(4))));
    assert_eq!(check(3, 36), Err(Fault::Forbidden(Cell(36), player(1))));
    assert_eq!(check(3, 12), Err(Fault::Unreachable(Cell(3), Cell(12))));
}

#[test]
fn lines_are_read_as_everywhere() {
    let mut game = game(2, "14");
    for line in ["", "3", "3 2 1", "x y", "pass", "3,2", "4 pass"] {
        assert!(matches!(game.play(line), Err(Refusal::NotAMove(_))), "{line}");
    }
    for line in ["-3 2", "3 99999999999999999999999999", "0 1", "+3 12"] {
        assert!(matches!(game.play(line), Err(Refusal::Illegal(_))), "{line}");
    }
    game.play(" 03  2\r").unwrap();
    let mut text = String::new();
    game.write_move(&mut text);
    assert_eq!((text.as_str(), game.turn()), ("3 2", Seat(1)));
}

/// Pieces of players 1 and 4, everybody else being absent.
fn position_of(size: u8, first: Cells, fourth: Cells) -> Position {
    let mut pieces = [Cells::EMPTY; 6];
    (pieces[0], pieces[3]) = (first, fourth);
    Position::new(size, pieces)
}

/// The first move of the player whose turn it is that adds so much to its sum of w.
fn move_gaining(game: &Xinez, gain: i32) -> Move {
    let mover = game.player(game.turn());
    let sum_after = |mv| {
        let mut next = *game.position();
        next.make(mover, mv);
        next.sum_of_w(mover)
    };
    let before = game.position().sum_of_w(mover);
    game.position().moves(mover).find(|&mv| sum_after(mv) == before + gain).unwrap()
}

fn news(game: &Xinez, mover: Seat, to: Seat) -> String {
    let mut text = String::new();
    game.write_news(mover, to, &mut text);
    text
}

#[test]
fn who_cannot_move_passes_and_the_others_are_told() {
    let star = Star::new(2);
    let corner = Cell(4);
    let near = |cell: Cell| star.all().filter(move |next| star.around(cell).contains(next));
    let wall: Cells =
        near(corner).flat_map(near).chain(near(corner)).filter(|&cell| cell != corner).collect();
    let mut game = game(2, "14");
    game.position = position_of(2, [corner].into_iter().collect(), wall);
    assert!(!game.position().can_move(player(1)));
    game.turn = Seat(1);
    let keeps_it_in = |mv: &Move| {
        let mut next = *game.position();
        next.make(player(4), *mv);
        !next.can_move(player(1))
    };
    let away = game.position().moves(player(4)).find(keeps_it_in).unwrap();
    game.make(away);
    assert_eq!((game.passed(), game.turn(), game.round()), (&[Seat(0)][..], Seat(1), 2));
    assert_eq!(news(&game, Seat(1), Seat(1)), "1 pass\n");
    assert_eq!(news(&game, Seat(1), Seat(0)), format!("4 {away}\n"), "it knows that itself");
}

#[test]
fn where_nobody_can_move_the_game_comes_to_an_end() {
    let mut game = game(1, "14");
    let all = game.position().star().all();
    let (odd, even): (Vec<Cell>, Vec<Cell>) = all.partition(|cell| cell.0 % 2 == 1);
    game.position = position_of(1, odd.into_iter().collect(), even.into_iter().collect());
    game.advance();
    assert_eq!(game.outcome().unwrap().ending, Ending::Repetition);
}

#[test]
fn the_third_time_the_same_position_ends_it_by_the_sums_of_w() {
    for (ahead, winner) in [(1, None), (2, Some(Seat(0)))] {
        let mut game = game(2, "14");
        game.make(move_gaining(&game, ahead));
        game.make(move_gaining(&game, 1));
        // From now on they go to and fro.
        let there = move_gaining(&game, 1);
        game.make(there);
        let reply = move_gaining(&game, 1);
        game.make(reply);
        let back = |mv: Move| Move { from: mv.to, to: mv.from };
        for mv in [back(there), back(reply), there, reply, back(there)] {
            game.make(mv);
            assert!(game.outcome().is_none());
        }
        game.make(back(reply));
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.ending, outcome.winner), (Ending::Repetition, winner));
        assert!(
            outcome.sentence.starts_with("the same position has come up 3 times"),
            "{}",
            outcome.sentence
        );
    }
}

#[test]
fn after_500_rounds_the_highest_sum_of_w_wins_and_a_tie_is_a_draw() {
    for (gain, winner) in [(1, None), (2, Some(Seat(1)))] {
        let mut game = game(2, "14");
        game.round = ROUNDS;
        game.make(move_gaining(&game, 1));
        assert!(game.outcome().is_none(), "everybody has a turn in the last round");
        game.make(move_gaining(&game, gain));
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.ending, outcome.winner), (Ending::RoundLimit, winner));
        assert!(outcome.sentence.starts_with("nobody is home after 500 rounds"), "{}", outcome.sentence);
    }
}

#[test]
fn who_leaves_keeps_its_pieces_on_the_board_and_passes_for_ever() {
    let mut game = game(2, "135");
    game.make(greedy(&game));
    let pieces = game.position().pieces(player(3));
    game.withdraw();
    assert!(game.is_out(Seat(1)) && game.outcome().is_none());
    assert_eq!((game.turn(), game.position().pieces(player(3))), (Seat(2), pieces));
    assert_eq!(news(&game, Seat(1), Seat(0)), "3 pass\n");
    for _ in 0..3 {
        game.make(greedy(&game));
        assert_eq!((game.turn(), game.passed()), (Seat(0), &[][..]));
        let mv = greedy(&game);
        game.make(mv);
        assert_eq!((game.turn(), game.passed()), (Seat(2), &[Seat(1)][..]));
        assert_eq!(news(&game, Seat(0), Seat(2)), format!("1 {mv}\n3 pass\n"));
    }
    assert_eq!(game.position().pieces(player(3)), pieces);
    game.withdraw();
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.ending, outcome.winner), (Ending::LastPlayer, Some(Seat(0))));
    assert_eq!(outcome.places, [1, 3, 2], "who stayed longer comes first");
}

#[test]
fn who_hears_the_news_knows_the_game() {
    // With the first of these seeds a game once ended by repetition while passes were still to be heard.
    for seed in [344132482579070673, 1, 2, 3, 4] {
        hears_the_news_and_knows_the_game(seed);
    }
    let mut game = game(2, "14");
    for line in ["", "1", "x pass", "7 pass", "1 x", "1 3", "1 3 2 1"] {
        assert!(matches!(game.hear(line), Err(Refusal::NotAMove(_))), "{line}");
    }
    let illegal = |line| matches!(game.clone().hear(line), Err(Refusal::Illegal(_)));
    assert!(illegal("2 3 2") && illegal("4 15 10") && illegal("1 3 4") && illegal("4 pass"));
}

fn hears_the_news_and_knows_the_game(seed: u64) {
    println!("seed {seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut passes = 0;
    for number in 0..60 {
        let players = Players::usual(2 + number % 5).unwrap();
        let mut game = Xinez::new(1 + number % 3, players);
        let seats: Vec<Seat> = game.all_seats().collect();
        let mut mirrors: Vec<Xinez> =
            seats.iter().map(|&seat| Xinez::new(1 + number % 3, players).followed_by(seat)).collect();
        while game.outcome().is_none() && game.actions() < 100 {
            let mover = game.turn();
            let moves: Vec<Move> = game.position().moves(game.player(mover)).collect();
            match rng.choice(moves).filter(|_| players.count() == 2 || rng.u8(..50) > 0) {
                Some(mv) => {
                    game.make(mv);
                    mirrors[mover.index()].play(&mv.to_string()).unwrap();
                }
                None => game.withdraw(),
            }
            passes += game.passed().len();
            for &seat in seats.iter().filter(|&&seat| !game.is_out(seat)) {
                let mirror = &mut mirrors[seat.index()];
                for line in news(&game, mover, seat).lines() {
                    assert_ne!(mirror.turn(), seat, "it does not answer before it has heard everything");
                    mirror.hear(line).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
                }
                assert_eq!((mirror.board(), mirror.outcome()), (game.board(), game.outcome()));
                assert!(game.outcome().is_some() || mirror.turn() == game.turn());
            }
        }
    }
    assert!(passes > 0);
}
