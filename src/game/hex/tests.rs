//! Tests of the rules of Hex.

use super::*;

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
