//! What every rule of Okupació means on the board, and random games against the rules in their plainest form.

use crate::game::okupacio::map::Map;
use crate::game::okupacio::{Action, Okupacio, Ties, letter};
use crate::game::{BoardOptions, Ending, Game, Refusal, Seat, Setup};

const A: Seat = Seat(0);
const B: Seat = Seat(1);
const C: Seat = Seat(2);
const D: Seat = Seat(3);

fn new(board: &str, seats: u8) -> Okupacio {
    Okupacio::new(board.parse().unwrap(), seats)
}

fn played(board: &str, seats: u8, moves: &str) -> Okupacio {
    let mut game = new(board, seats);
    for mv in moves.split_whitespace() {
        game.play(mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
    }
    game
}

/// A position: who holds what, in rows of letters with `-` for free cells and `#` for walls, and whose turn it is.
fn position(rows: &[&str], seats: u8, turn: Seat) -> Okupacio {
    let glyphs: Vec<char> = rows.concat().chars().collect();
    let stretches = glyphs.iter().map(|&glyph| if glyph == '#' { "0 1 " } else { "1 0 " });
    let mut game = new(&format!("{} {} {}", rows.len(), rows[0].len(), stretches.collect::<String>()), seats);
    for (cell, glyph) in game.map().all().zip(glyphs).filter(|(_, glyph)| glyph.is_ascii_uppercase()) {
        let seat = Seat(glyph as u8 - b'A');
        game.owners[cell.index()] = Some(seat);
        game.players[seat.index()].cells += 1;
        game.free -= 1;
    }
    game.turn = turn;
    game
}

fn rows(game: &Okupacio) -> Vec<String> {
    game.debug_board().lines().map(|line| line.replace(' ', "")).collect()
}

/// Plays one move in a position and shows the board after it.
#[track_caller]
fn becomes(before: &[&str], mv: &str, after: &[&str]) -> Okupacio {
    let mut game = position(before, 4, A);
    game.act(game.read(mv).unwrap());
    assert_eq!(rows(&game), after, "after {mv}");
    game
}

#[test]
fn a_neighbour_with_one_neighbour_is_always_taken() {
    becomes(&["-#", "-#"], "ba", &["A#", "A#"]);
    let game = becomes(&["B#", "-#"], "ba", &["A#", "A#"]);
    assert_eq!((game.player(A).taken, game.player(A).cells, game.player(B).cells), (1, 2, 0));
}

#[test]
fn a_neighbour_with_two_is_taken_if_both_are_ones_own() {
    becomes(&["A--#"], "ac", &["AAA#"]);
    becomes(&["AB-#"], "ac", &["AAA#"]);
    becomes(&["---#"], "ac", &["--A#"]);
    becomes(&["CB-#"], "ac", &["CBA#"]);
}

#[test]
fn a_neighbour_with_three_is_taken_with_three_or_if_free_with_two() {
    // The middle of the upper row.
    becomes(&["A--", "#-#"], "ac", &["AAA", "#-#"]);
    becomes(&["AB-", "#-#"], "ac", &["ABA", "#-#"]);
    becomes(&["AB-", "#C#"], "ac", &["ABA", "#C#"]);
    let game = becomes(&["AB-", "#A#"], "ac", &["AAA", "#A#"]);
    assert_eq!(game.player(A).taken, 1);
    becomes(&["---", "#-#"], "ac", &["--A", "#-#"]);
}

#[test]
fn a_neighbour_with_four_is_taken_with_four_or_with_three_unless_an_enemy_is_backed() {
    let around =
        |middle: &str, below: &str| position(&["#A#", &format!("A{middle}-"), &format!("#{below}#")], 4, A);
    for (middle, below, taken) in [
        ("B", "A", true),
        ("-", "A", true),
        ("-", "-", true),
        ("-", "B", true),
        ("B", "-", true),
        ("B", "C", true),
        ("B", "B", false),
    ] {
        let mut game = around(middle, below);
        game.act(game.read("bc").unwrap());
        let owner = game.owner(game.map().cell(1, 1).unwrap());
        assert_eq!(owner == Some(A), taken, "{middle} over {below}: {:?}", rows(&game));
        assert_eq!(game.player(A).taken, u16::from(taken && middle == "B"));
    }
    becomes(&["#A#", "-B-", "#-#"], "bc", &["#A#", "-BA", "#-#"]);
}

#[test]
fn nothing_is_taken_in_turn_nor_across_a_corner() {
    // Taking ab closes in bb, which stays free all the same.
    becomes(&["A--", "#-#"], "ac", &["AAA", "#-#"]);
    becomes(&["A-A", "-B-", "A-A"], "ab", &["AAA", "-B-", "A-A"]);
    becomes(&["B-", "-B"], "ab", &["BA", "-B"]);
}

#[test]
fn a_move_must_be_a_free_cell_and_says_why_it_is_not() {
    let mut game = played("4 4 2 1 1 1 3 2 5 1", 4, "ab");
    let illegal = |game: &mut Okupacio, line: &str| match game.play(line) {
        Err(Refusal::Illegal(why)) => why,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(illegal(&mut game, "aa"), "the cell is held by player A");
    assert_eq!(illegal(&mut game, "ba"), "there is a wall");
    assert_eq!(illegal(&mut game, "ae"), "it is off the board: rows go from a to d, columns from a to d");
    assert_eq!(illegal(&mut game, "BB"), "rows and columns are small letters: write 'bb'");
    for line in ["", "b", "bbb", "b b", "0", "000", "1 1", "b1", "-b", "çç", "--"] {
        assert!(matches!(game.play(line), Err(Refusal::NotAMove(_))), "{line}");
    }
    assert_eq!(game.turn(), B, "nothing has changed");
    game.play(" bb\r").unwrap();
    assert_eq!(game.turn(), C);
}

#[test]
fn cells_of_one_who_leaves_are_free_and_it_is_out_of_the_table() {
    let mut game = played("3 3", 3, "aa bb cc");
    game.play("00").unwrap();
    assert_eq!(rows(&game), ["---", "-B-", "--C"]);
    assert!(game.is_out(A) && !game.is_out(B));
    assert_eq!(game.ranking(Ties::Letter), [B, C]);
    assert_eq!(game.free(), 7);
    game.play("aa").unwrap();
    assert_eq!(game.turn(), C);
    game.play("ac").unwrap();
    assert_eq!(game.turn(), B, "A has no turn any more");
}

#[test]
fn one_who_cannot_catch_up_is_excluded_before_its_turn() {
    // B lacks three cells, and two are free once A has moved: not enough. C lacks two: just enough.
    let mut game = position(&["AA", "-#", "--", "B#", "CC", "##"], 3, A);
    game.players[0].cells += 1;
    game.act(game.read("ba").unwrap());
    assert_eq!((game.turn(), game.free(), game.player(A).cells), (B, 2, 4));
    assert_eq!(game.exclude(), Some(B));
    assert_eq!((game.turn(), game.free()), (C, 3), "its cell is free");
    assert_eq!(game.exclude(), None);
    assert!(!game.is_over());
}

#[test]
fn several_can_be_excluded_at_once_and_all_are_told_in_order() {
    let mut game = position(&["AAAAA#", "-#B#C#", "##D#-#"], 4, A);
    game.players[3].cells += 3;
    game.play("ba").unwrap();
    assert!(game.is_out(B) && game.is_out(C) && !game.is_out(D));
    assert_eq!(game.turn(), D);
    let news = |to: Seat| {
        let mut text = String::new();
        game.write_news(A, to, &mut text);
        text
    };
    assert_eq!(news(A), "B --\nC --\n");
    assert_eq!(news(D), "A ba\nB --\nC --\n");
}

#[test]
fn nobody_is_excluded_where_the_free_cells_are_just_enough() {
    let mut game = position(&["AA--", "####"], 2, B);
    game.turn = B;
    assert_eq!(game.exclude(), None, "two behind, two free");
    let mut game = position(&["AAA-", "####"], 2, B);
    assert_eq!(game.exclude(), Some(B));
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.ending), (Some(A), Ending::LastPlayer));
}

#[test]
fn the_table_is_by_cells_then_taken_then_mean_then_letter_or_waiting() {
    let mut game = new("5 5", 4);
    let set = |game: &mut Okupacio, seat: Seat, cells, taken, sum, turns, waiting| {
        let player = &mut game.players[seat.index()];
        (player.cells, player.taken, player.sum, player.turns) = (cells, taken, sum, turns);
        player.waiting = waiting;
    };
    set(&mut game, A, 3, 0, 9, 3, 0);
    set(&mut game, B, 4, 0, 1, 3, 1);
    set(&mut game, C, 3, 1, 1, 3, 2);
    set(&mut game, D, 3, 0, 6, 2, 3);
    assert_eq!(game.ranking(Ties::Letter), [B, C, A, D]);
    assert_eq!(game.ranking(Ties::Waiting), [B, C, D, A]);
    game.players[3].sum += 1;
    assert_eq!(game.ranking(Ties::Letter), [B, C, D, A]);
}

#[test]
fn the_mean_is_of_ones_cells_after_each_of_ones_own_turns() {
    let game = played("4 4 2 1 1 1 3 2 5 1", 4, "ab bb db dc bc");
    assert_eq!(game.player(A).mean(), 3.0, "(2 + 4) / 2");
    assert_eq!(game.player(B).mean(), 1.0, "what it has lost since counts with its next turn");
    assert_eq!(new("4 4", 2).player(A).mean(), 0.0);
}

#[test]
fn waiting_begins_as_if_all_had_moved_and_grows_with_every_action() {
    let waiting = |game: &Okupacio| [A, B, C, D].map(|seat| game.player(seat).waiting);
    let mut game = new("4 4 2 1 1 1 3 2 5 1", 4);
    assert_eq!(waiting(&game), [3, 2, 1, 0]);
    game.play("ab").unwrap();
    assert_eq!(waiting(&game), [0, 3, 2, 1]);
    for mv in ["bb", "db", "dc", "bc", "cc", "bd"] {
        game.play(mv).unwrap();
    }
    assert!(game.is_out(D));
    assert_eq!(waiting(&game)[..3], [2, 1, 0], "an exclusion changes nothing");
    game.play("00").unwrap();
    assert_eq!(waiting(&game)[1..3], [2, 1], "an abandonment counts");
}

#[test]
fn the_hand_outs_game_ends_as_it_says() {
    let game = played("4 4 2 1 1 1 3 2 5 1", 4, "ab bb db dc bc cc bd 00 ab dc bc cd");
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.ending), (Some(C), Ending::Occupied));
    assert_eq!(outcome.places, [3, 2, 1, 4], "A left after D");
    assert_eq!(outcome.sentence, "no cell is free, and the players hold C 6, B 5");
    assert_eq!(game.control(), Some((C, 3, 3)));
    assert!(matches!(game.clone().play("00"), Err(Refusal::Illegal(_))));
}

#[test]
fn it_ends_when_no_cell_is_free() {
    let game = played("1 2 1 1", 3, "aa");
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.ending), (Some(A), Ending::Occupied));
    assert_eq!(outcome.places, [1, 2, 3], "equals are told apart by their letters");
    assert_eq!(game.control(), Some((A, 0, 0)));
    let outcome = played("1 1", 2, "aa").outcome().unwrap();
    assert_eq!((outcome.winner, outcome.places), (Some(A), vec![1, 2]));
    assert_eq!(outcome.sentence, "no cell is free, and the players hold A 1, B 0");
}

#[test]
fn it_ends_when_one_is_left() {
    let outcome = played("3 3", 2, "bb 00").outcome().unwrap();
    assert_eq!((outcome.winner, outcome.ending), (Some(A), Ending::LastPlayer));
    assert_eq!(outcome.sentence, "player B left the game, and player A is the only one left");
    let mut game = played("3 3", 3, "bb 00");
    assert!(game.outcome().is_none());
    assert_eq!(game.turn(), C);
    game.withdraw();
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.places), (Some(A), vec![1, 3, 2]));
    game.withdraw();
    assert_eq!(game.outcome().unwrap().winner, Some(A), "the last one stays");
    let all = played("3 3", 3, "00 00").outcome().unwrap();
    assert_eq!((all.winner, all.places), (Some(C), vec![3, 2, 1]));
}

#[test]
fn equal_cells_say_what_has_decided() {
    let sentence = |rows: &[&str], taken, sum| {
        let mut game = position(rows, 2, A);
        game.players[1].taken = taken;
        game.players[1].sum = sum;
        game.players[1].turns = 1;
        game.outcome().unwrap().sentence
    };
    assert!(sentence(&["AB"], 1, 0).ends_with("hold B 1, A 1; B has taken more cells from others"));
    assert!(sentence(&["AB"], 0, 1).ends_with("hold B 1, A 1; B has held more cells on average"));
    assert!(sentence(&["AB"], 0, 0).ends_with("hold A 1, B 1; A comes first in the alphabet"));
}

#[test]
fn control_is_of_the_leftmost_column_and_then_the_topmost_row() {
    let control = |rows: &[&str]| position(rows, 4, A).control();
    assert_eq!(control(&["AB", "BA"]), None);
    assert_eq!(control(&["AA", "AB"]), Some((A, 0, 0)));
    // B holds the column on the left but no row; C the column on the right and two rows.
    assert_eq!(control(&["BCC", "BAC", "##C", "###"]), Some((C, 2, 2)));
    // Both hold a row and a column each: the column decides.
    assert_eq!(control(&["B##", "##A"]), Some((B, 0, 0)));
    assert_eq!(control(&["##B", "A##"]), Some((A, 1, 0)));
    // Of walls alone nobody holds anything.
    assert_eq!(control(&["#A", "#B"]), None);
    assert_eq!(control(&["A-", "A-"]), None, "a free cell is nobody's");
}

#[test]
fn news_are_heard_as_they_are_told() {
    let mut game = new("4 4 2 1 1 1 3 2 5 1", 4);
    let mut mirror = game.clone();
    for mv in ["ab", "bb", "db", "dc", "bc", "cc", "bd", "00", "ab", "dc", "bc", "cd"] {
        let mover = game.turn();
        game.play(mv).unwrap();
        let mut news = String::new();
        game.write_news(mover, B, &mut news);
        if mover == B {
            mirror.play(mv).unwrap();
        }
        news.lines().for_each(|line| mirror.hear(line).unwrap());
        assert_eq!(rows(&mirror), rows(&game));
    }
    let mut game = played("3 3", 3, "aa");
    let illegal = |game: &mut Okupacio, line: &str| match game.hear(line) {
        Err(Refusal::Illegal(why)) => why,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(illegal(&mut game, "C bb"), "it is the turn of player B");
    assert_eq!(illegal(&mut game, "D bb"), "there is no player D");
    assert_eq!(illegal(&mut game, "B --"), "player B is not excluded by the rules");
    assert_eq!(illegal(&mut game, "B aa"), "the cell is held by player A");
    for line in ["", "bb", "B", "b bb", "B bb bb", "BB bb", "B bbb", "Ñ bb"] {
        assert!(matches!(game.hear(line), Err(Refusal::NotAMove(_))), "{line}");
    }
    game.hear("B 00").unwrap();
    game.hear("B --").unwrap();
    assert_eq!(game.turn(), C);
}

#[test]
fn setups_take_a_text_or_a_size() {
    let setup = |text: &str, seats| {
        let options =
            BoardOptions { seats: Some(seats), text: Some(text.to_owned()), ..BoardOptions::default() };
        Setup::new("okupacio", options)
    };
    let game = setup("4\t4\r\n2 1 1 1 3\n2 5 1", 4).unwrap().start();
    assert_eq!(game.board_file().unwrap(), "4 4\n2 1 1 1 3 2 5 1\n");
    assert_eq!((game.board_name().as_str(), game.seats()), ("4×4", 4));
    assert_eq!(game.arguments(Seat(3), "/tmp/board.txt"), ["D", "4", "/tmp/board.txt"]);
    assert_eq!(game.side(Seat(9)), "player J");
    assert_eq!(setup("", 2).unwrap().start().board_file().unwrap(), "10 10\n100\n");
    assert_eq!(setup("4 4 2 1 1 1 3 2 5 1", 2).unwrap().fair_openings().len(), 11);
    let error = setup("4 4 99", 2).unwrap_err().to_string();
    assert!(error.starts_with("the board cannot be used: the stretch of 99 cells in place 3"), "{error}");
    assert!(setup("", 11).unwrap_err().to_string().contains("is for 2 to 10 players, not 11"));
}

/// The rules in the plainest way: letters in a grid, everything counted anew.
struct Plain {
    cells: Vec<Vec<char>>,
    out: Vec<usize>,
    taken: Vec<usize>,
    history: Vec<Vec<usize>>,
    waiting: Vec<usize>,
    turn: usize,
}

impl Plain {
    fn new(map: &Map, seats: usize) -> Plain {
        let glyph = |cell| if map.is_wall(cell) { '#' } else { '-' };
        let cells = (0..map.rows()).map(|row| map.row(row).map(glyph).collect()).collect();
        let waiting = (0..seats).rev().collect();
        Plain { cells, out: vec![], taken: vec![0; seats], history: vec![vec![]; seats], waiting, turn: 0 }
    }

    fn count(&self, glyph: char) -> usize {
        self.cells.iter().flatten().filter(|&&cell| cell == glyph).count()
    }

    fn held(&self, player: usize) -> usize {
        self.count(letter(Seat(player as u8)))
    }

    fn around(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        let near = [
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
        ];
        let inside = |&(r, c): &(usize, usize)| {
            self.cells.get(r).and_then(|row| row.get(c)).is_some_and(|&x| x != '#')
        };
        near.into_iter().filter(inside).collect()
    }

    fn over(&self) -> bool {
        self.count('-') == 0 || self.out.len() + 1 == self.taken.len()
    }

    fn leave(&mut self) {
        let me = letter(Seat(self.turn as u8));
        self.cells.iter_mut().flatten().filter(|cell| **cell == me).for_each(|cell| *cell = '-');
        self.out.push(self.turn);
    }

    fn act(&mut self, place: Option<(usize, usize)>) {
        let (mover, me) = (self.turn, letter(Seat(self.turn as u8)));
        if let Some((row, column)) = place {
            self.cells[row][column] = me;
            for (r, c) in self.around(row, column) {
                let x = self.cells[r][c];
                let near: Vec<char> = self.around(r, c).into_iter().map(|(r, c)| self.cells[r][c]).collect();
                let own = near.iter().filter(|&&cell| cell == me).count();
                let other = near.iter().find(|&&cell| cell != me).copied();
                let falls = match near.len() {
                    1 => true,
                    2 => own == 2,
                    3 => own == 3 || own == 2 && x == '-',
                    _ => own == 4 || own == 3 && (x == '-' || other != Some(x)),
                };
                if x != me && falls {
                    self.cells[r][c] = me;
                    self.taken[mover] += usize::from(x != '-');
                }
            }
            let held = self.held(mover);
            self.history[mover].push(held);
        } else {
            self.leave();
        }
        self.waiting.iter_mut().for_each(|waiting| *waiting += 1);
        self.waiting[mover] = 0;
        loop {
            let seats = self.taken.len();
            self.turn = (self.turn + 1) % seats;
            if self.out.contains(&self.turn) {
                continue;
            }
            let most = (0..seats).map(|player| self.held(player)).max().unwrap();
            if self.over() || most - self.held(self.turn) <= self.count('-') {
                return;
            }
            self.leave();
        }
    }

    fn ranking(&self) -> Vec<usize> {
        let mean = |player: usize| {
            let history = &self.history[player];
            history.iter().sum::<usize>() as f64 / history.len().max(1) as f64
        };
        let mut players: Vec<usize> =
            (0..self.taken.len()).filter(|player| !self.out.contains(player)).collect();
        players.sort_by(|&a, &b| {
            let key = |player: usize| (self.held(player), self.taken[player]);
            key(b).cmp(&key(a)).then(mean(b).total_cmp(&mean(a))).then(a.cmp(&b))
        });
        players
    }
}

/// Plays a random game on both, comparing everything after every action.
fn compare(map: Map, seats: u8, abandons: u32, rng: &mut fastrand::Rng) {
    let mut game = Okupacio::new(map.clone(), seats);
    let mut plain = Plain::new(&map, seats.into());
    let walls = map.all().filter(|&cell| map.is_wall(cell)).count();
    while !game.is_over() {
        let place =
            (rng.u32(..1000) >= abandons).then(|| rng.choice(game.free_cells().collect::<Vec<_>>()).unwrap());
        game.act_and_exclude(place.map_or(Action::Abandon, Action::Occupy));
        plain.act(place.map(|cell| map.place(cell)).map(|(row, column)| (row.into(), column.into())));
        let shown: Vec<String> = plain.cells.iter().map(|row| row.iter().collect()).collect();
        assert_eq!(rows(&game), shown);
        let held: usize = (0..seats).map(|seat| usize::from(game.player(Seat(seat)).cells)).sum();
        assert_eq!(held + usize::from(game.free()) + walls, map.all().count());
        for seat in game.playing() {
            let (player, index) = (game.player(seat), seat.index());
            let counts = [player.cells, player.taken, player.waiting].map(usize::from);
            assert_eq!(counts, [plain.held(index), plain.taken[index], plain.waiting[index]]);
        }
        let ranking: Vec<usize> = game.ranking(Ties::Letter).into_iter().map(Seat::index).collect();
        assert_eq!(ranking, plain.ranking());
        assert_eq!(game.is_over(), plain.over());
        assert!(game.is_over() || game.turn().index() == plain.turn);
    }
    let outcome = game.outcome().unwrap();
    let order: Vec<usize> = plain.ranking().into_iter().chain(plain.out.iter().rev().copied()).collect();
    assert_eq!(outcome.winner.map(Seat::index), Some(order[0]));
    let places =
        (1u8..).zip(&order).all(|(place, &player)| outcome.places.get(player).is_none_or(|&p| p == place));
    assert!(places, "{outcome:?} {order:?}");
}

#[test]
fn random_games_agree_with_the_plain_rules_after_every_action() {
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    for _ in 0..1000 {
        let (rows, columns) = (rng.usize(1..=8), rng.usize(1..=8));
        let mut text = format!("{rows} {columns}");
        let mut left = rows * columns;
        while left > 1 {
            let length = rng.usize(..=left.min(5) - 1);
            text += &format!(" {length}");
            left -= length.max(1);
        }
        let Ok(map) = text.parse::<Map>() else { continue };
        let abandons = rng.u32(..60);
        compare(map, rng.u8(2..=10), abandons, &mut rng);
    }
}

#[test]
fn ten_play_on_the_largest_board() {
    let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
    compare(Map::open(25), 10, 0, &mut rng);
    compare("25 25 30 7 100 12 9 3 200 20".parse().unwrap(), 10, 2, &mut rng);
}
