//! Tests of the rules of Hex.

use super::*;
use crate::game::hint::{Joined, Neighbours, Reached};

fn played(size: u8, moves: &[&str]) -> Hex {
    let mut game = Hex::new(size);
    for mv in moves {
        game.play(mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
    }
    game
}

#[test]
fn white_joins_top_and_bottom() {
    let game = played(3, &["0 1", "0 0", "1 1", "1 0", "2 1"]);
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.ending), (Some(Seat(0)), Ending::Connected));
    assert_eq!(outcome.sentence, "white connected top to bottom on ply 5");
    let chain: Vec<String> = game.winning_chain().iter().map(Cell::to_string).collect();
    assert_eq!(chain, ["2 1", "1 1", "0 1"]);
}

#[test]
fn a_swap_leaves_the_stone_and_exchanges_the_programs() {
    let mut game = played(3, &["1 1", "1 1"]);
    assert!(game.swapped());
    assert_eq!(game.stone(Cell::new(1, 1)), Some(Side::White));
    assert_eq!((game.turn(), game.side_to_move()), (Seat(0), Side::Black));
    let mut text = String::new();
    game.write_news(Seat(1), Seat(0), &mut text);
    assert_eq!(text, "1 1\n");
    for mv in ["1 0", "0 1", "2 0", "2 1"] {
        game.play(mv).unwrap();
    }
    assert_eq!(game.outcome().unwrap().winner, Some(Seat(1)), "the swapper plays white now");
    assert_eq!(game.stone(Cell::new(1, 0)), Some(Side::Black));
}

#[test]
fn the_first_move_is_repeated_on_ply_2_only() {
    let mut game = played(4, &["1 1", "2 2", "3 3"]);
    let refusal = game.play("1 1").unwrap_err();
    assert_eq!(refusal.to_string(), "the first move may be repeated, to swap, on ply 2 only");
    let mut game = played(4, &["1 1", "1 1"]);
    assert!(matches!(game.play("1 1"), Err(Refusal::Illegal(_))), "no swapping back");
}

#[test]
fn only_two_integers_have_the_form_of_a_move() {
    let mut game = Hex::new(14);
    for line in ["", "3", "3 4 5", "3,4", "a b", "3 x", "- 3", "3.0 4", "0x1 2", "\u{ff11} 2"] {
        assert!(matches!(game.play(line), Err(Refusal::NotAMove(_))), "{line:?}");
    }
    for line in ["14 0", "0 14", "-1 3", "1000000000000000000000000000000 0", "256 0", "+3 99999"] {
        assert!(matches!(game.play(line), Err(Refusal::Illegal(_))), "{line:?}");
    }
    for line in ["3 4", "  5\t 6 \r", "007 +8"] {
        game.play(line).unwrap_or_else(|refusal| panic!("{line:?}: {refusal}"));
    }
}

#[test]
fn a_position_can_be_set_up_for_either_side() {
    let cell = Cell::new(1, 1);
    for (stones, to_move, swap) in [
        (vec![], Side::White, false),
        (vec![], Side::Black, false),
        (vec![(Side::White, cell)], Side::Black, true),
        (vec![(Side::White, cell)], Side::Black, false),
        (vec![(Side::White, cell)], Side::White, false),
        (vec![(Side::Black, cell)], Side::Black, false),
        (vec![(Side::Black, cell)], Side::White, false),
    ] {
        let game = Hex::set_up(3, stones.clone(), to_move, swap);
        assert_eq!((game.side_to_move(), game.may_swap()), (to_move, swap), "{stones:?}");
        assert_eq!(game.stone(cell), stones.first().map(|&(side, _)| side));
    }
}

#[test]
fn nothing_is_played_after_the_end() {
    let mut game = played(2, &["0 0", "1 1", "1 0"]);
    assert!(matches!(game.play("0 1"), Err(Refusal::Illegal(_))));
}

#[test]
fn the_debug_board_is_the_hand_outs() {
    let game = played(3, &["0 1", "2 2"]);
    assert_eq!(game.debug_board(), "- b -\n- - -\n- - p\n");
}

/// Whether a side's stones join its edges, found by flooding: shares nothing with the game but the board.
fn flood(game: &Hex, side: Side) -> bool {
    let n = i32::from(game.grid().size());
    let own = |r: i32, c: i32| {
        r >= 0 && c >= 0 && r < n && c < n && game.stone(Cell::new(r as u8, c as u8)) == Some(side)
    };
    let mut seen = vec![false; (n * n) as usize];
    let mut stack: Vec<(i32, i32)> = (0..n)
        .map(|i| if side == Side::White { (0, i) } else { (i, 0) })
        .filter(|&(r, c)| own(r, c))
        .collect();
    while let Some((r, c)) = stack.pop() {
        if std::mem::replace(&mut seen[(r * n + c) as usize], true) {
            continue;
        }
        if (if side == Side::White { r } else { c }) == n - 1 {
            return true;
        }
        let around = [(r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c), (r + 1, c - 1), (r - 1, c + 1)];
        stack.extend(around.into_iter().filter(|&(r, c)| own(r, c)));
    }
    false
}

#[test]
fn wins_agree_with_flood_fill_over_100_000_random_games() {
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    for number in 0..100_000 {
        let size = 2 + (number % 25) as u8;
        let mut game = Hex::new(size);
        let mut order: Vec<Cell> = game.grid().all().collect();
        rng.shuffle(&mut order);
        let mut order = order.into_iter();
        let mut before = game.clone();
        while game.winner().is_none() {
            before.clone_from(&game);
            if game.may_swap() && rng.bool() {
                game.make(Move::Swap);
            }
            let cell = order.next().expect("Hex is never a draw");
            game.make(game.move_at(cell).expect("a fresh cell is free"));
        }
        // Stones never go away, so that who is not connected one ply earlier never was.
        let winner = game.winner().unwrap();
        assert!(flood(&game, winner), "game {number}: {winner:?} has won without a chain");
        assert!(!flood(&game, winner.other()), "game {number}: both are connected");
        assert!(!flood(&before, winner), "game {number}: the win was seen too late");
        let chain = game.winning_chain();
        assert!(
            chain.iter().all(|&cell| game.stone(cell) == Some(winner)) && chain.len() >= usize::from(size)
        );
    }
}

#[test]
fn a_line_can_be_checked_without_playing_it() {
    let game = played(4, &["1 1"]);
    assert_eq!((game.check("1 1"), game.check("2 2")), (Ok(()), Ok(())));
    assert!(matches!(game.check("4 0"), Err(Refusal::Illegal(_))));
    assert!(matches!(game.check("2,2"), Err(Refusal::NotAMove(_))));
    assert_eq!(game.plies(), 1, "nothing has changed");
}

#[test]
fn a_word_for_the_swap_is_the_first_cell_on_ply_2_only() {
    let word = |game: &Hex| game.other_notation("Swap").unwrap();
    let told = |on_the_wire: Option<&str>| OtherNotation {
        what: "a word for the swap",
        on_the_wire: on_the_wire.map(str::to_owned),
    };
    assert_eq!(word(&played(4, &[])), told(None));
    assert_eq!(word(&played(4, &["2 1"])), told(Some("2 1")));
    assert_eq!(word(&played(4, &["2 1", "2 1"])), told(None));
    assert_eq!(played(4, &[]).other_notation("b3").unwrap().on_the_wire.as_deref(), Some("2 1"));
    assert_eq!(played(4, &[]).other_notation("2 1"), None);
}

/// Two programs' own moves, one after the other.
fn in_turn(first: &[(u8, u8)], second: &[(u8, u8)]) -> Vec<String> {
    let text = |&(row, column): &(u8, u8)| Cell::new(row, column).to_string();
    let moves = (0..first.len().max(second.len())).flat_map(|turn| [first.get(turn), second.get(turn)]);
    moves.flatten().map(text).collect()
}

/// What is said of a seat after these moves.
fn hint(size: u8, seat: u8, moves: &[String]) -> Option<Hint> {
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let played_by: Vec<(Seat, &str)> = (0..2).map(Seat).cycle().zip(moves.iter().copied()).collect();
    played(size, &moves).hint(Seat(seat), &played_by)
}

fn row(row: u8, columns: std::ops::Range<u8>) -> Vec<(u8, u8)> {
    columns.map(|column| (row, column)).collect()
}

fn column(column: u8, rows: std::ops::Range<u8>) -> Vec<(u8, u8)> {
    rows.map(|row| (row, column)).collect()
}

fn reversed(mut cells: Vec<(u8, u8)>) -> Vec<(u8, u8)> {
    cells.reverse();
    cells
}

#[test]
fn stones_for_the_other_edges_are_noticed() {
    // The opponent comes from the far side, and so leaves every way open.
    let both_in_rows = in_turn(&row(2, 0..7), &reversed(row(5, 0..7)));
    let (own, last) = (Edges::TopAndBottom, 6);
    let joined = Hint::OtherEdges { own, last, reached: Reached::Joined { ply: 13 } };
    assert_eq!(hint(7, 0, &both_in_rows), Some(joined.clone()));
    assert_eq!(hint(7, 0, &both_in_rows[..13]), Some(joined), "it may have left as if it had won");
    let both_in_columns = in_turn(&reversed(column(5, 0..7)), &column(2, 0..6));
    let reached = Reached::Missing { stones: 1 };
    assert_eq!(hint(7, 1, &both_in_columns), Some(Hint::OtherEdges { own: own.other(), last, reached }));
}

#[test]
fn a_kept_colour_is_noticed_on_either_side_of_a_swap() {
    // The first program goes on from its first stone to the bottom, as white, and is black.
    let mut was_swapped: Vec<(u8, u8)> = column(3, 0..7);
    was_swapped.swap(0, 3);
    let white: Vec<(u8, u8)> = [(3, 3)].into_iter().chain(column(6, 0..7)).collect();
    let own = Edges::LeftAndRight;
    let reached = Reached::Joined { ply: 13 };
    let kept = Hint::KeptColour { own, last: 6, reached, swapped_itself: false };
    assert_eq!(hint(7, 0, &in_turn(&was_swapped, &white[..7])), Some(kept));
    // The second one takes over the stone and goes on to the right, as black, and is white.
    let black: Vec<(u8, u8)> = [(3, 3)].into_iter().chain(row(6, 0..7)).collect();
    let mut swapped: Vec<(u8, u8)> = row(3, 0..7);
    swapped.swap(0, 3);
    let kept = Hint::KeptColour {
        own: own.other(),
        last: 6,
        reached: Reached::Joined { ply: 14 },
        swapped_itself: true,
    };
    assert_eq!(hint(7, 1, &in_turn(&black, &swapped)), Some(kept));
}

#[test]
fn wrong_neighbours_are_noticed_where_the_opponent_goes_through() {
    let diagonal: Vec<(u8, u8)> = (0..9).map(|number| (number, number)).collect();
    let black: Vec<(u8, u8)> = row(5, 0..5).into_iter().chain(row(4, 5..9)).collect();
    let black = reversed(black);
    let through = in_turn(&diagonal, &black);
    let joined = Some(Joined { ply: 17, by_opponent: false });
    let wrong = |neighbours| Hint::WrongNeighbours { neighbours, pair: [[4, 4], [5, 5]], joined };
    assert_eq!(hint(9, 0, &through), Some(wrong(Neighbours::Mirrored)));
    // With a step along the right diagonal all eight must have been meant.
    let mut zigzag = diagonal.clone();
    zigzag.splice(6.., [(6, 5), (7, 4), (8, 3)]);
    assert_eq!(hint(9, 0, &in_turn(&zigzag, &black)), Some(wrong(Neighbours::Eight)));
}

#[test]
fn a_program_that_stops_when_it_seems_to_have_lost_has_wrong_neighbours() {
    let white: Vec<(u8, u8)> = (0..7).map(|number| (number, number)).collect();
    let black = [(5, 0), (5, 1), (5, 2), (5, 3), (5, 4), (6, 5)];
    let joined = Some(Joined { ply: 13, by_opponent: true });
    let told = hint(7, 1, &in_turn(&white, &black));
    assert!(matches!(&told, Some(Hint::WrongNeighbours { joined: told, .. }) if *told == joined), "{told:?}");
    assert_eq!(hint(7, 1, &in_turn(&white[..6], &black)), None, "a ply earlier nobody seems to have won");
}

#[test]
fn sound_or_aimless_play_gives_no_hint() {
    // The next free cell each time: it joins left and right, which is nobody's plan.
    assert_eq!(hint(7, 0, &in_turn(&row(0, 0..7), &row(5, 0..7))), None);
    // Boards where a handful of stones is all there is.
    for size in 2..7 {
        assert_eq!(hint(size, 0, &in_turn(&row(size - 2, 0..size), &row(size - 1, 0..size))), None);
    }
    for seat in [0, 1] {
        assert_eq!(hint(14, seat, &[]), None);
        assert_eq!(hint(14, seat, &in_turn(&[(3, 3)], &[(3, 3)])), None);
    }
}

#[test]
fn random_players_get_no_hints() {
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    for number in 0..4_000 {
        let mut game = Hex::new(7 + (number % 20) as u8);
        let mut order: Vec<Cell> = game.grid().all().collect();
        rng.shuffle(&mut order);
        let mut moves = Vec::new();
        for cell in order {
            let swap = game.may_swap() && rng.bool();
            for cell in game.first().filter(|_| swap).into_iter().chain([cell]) {
                if game.winner().is_none() {
                    moves.push((game.turn(), cell.to_string()));
                    game.play(&cell.to_string()).unwrap();
                }
            }
        }
        let moves: Vec<(Seat, &str)> = moves.iter().map(|(seat, text)| (*seat, text.as_str())).collect();
        for seat in [Seat(0), Seat(1)] {
            assert_eq!(game.hint(seat, &moves), None, "game {number}: {moves:?}");
        }
    }
}
