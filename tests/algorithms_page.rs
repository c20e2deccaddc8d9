//! The examples of the page about algorithms are what the code does, and its pictures are drawn from them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use arbitro::game::grid::{Cell, Grid, MAX_CELLS};
use arbitro::game::hex::{Hex, Move, Side};
use arbitro::game::okupacio::map::Map;
use arbitro::game::okupacio::{self, Action, Okupacio};
use arbitro::game::union_find::UnionFind;
use arbitro::game::xinez::cells::Cells;
use arbitro::game::xinez::star::{Coordinates, index};
use arbitro::game::xinez::{self, Player, Position, Star};
use arbitro::game::{Game, Seat};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What stands behind the kind of an example, and its lines.
fn block(kind: &str) -> (String, Vec<String>) {
    let page = std::fs::read_to_string(root().join("docs/algorithms.md")).unwrap();
    let after = page.split(&format!("```text {kind}")).nth(1).unwrap_or_else(|| panic!("no example {kind}"));
    let (first, rest) = after.split_once('\n').unwrap();
    let lines = rest.split("```").next().unwrap().lines().map(str::to_owned).collect();
    (first.trim().to_owned(), lines)
}

/// The cells of a line of a table. Two blanks or more stand between columns.
fn columns(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|text| !text.is_empty()).collect()
}

/// The rows of a table, without the names of its columns.
fn rows(lines: &[String]) -> Vec<Vec<&str>> {
    let rows: Vec<Vec<&str>> = lines[1..].iter().map(|line| columns(line)).collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == columns(&lines[0]).len()), "{lines:?}");
    rows
}

/// The elements of a list, of which `-` is the empty one.
fn list<'a>(text: &'a str, separator: &str) -> BTreeSet<&'a str> {
    text.split(separator).filter(|&word| word != "-").collect()
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn cell(text: &str) -> Cell {
    let [row, column] = numbers(text)[..] else { panic!("{text} is no cell") };
    Cell::new(row, column)
}

/// A node of the union-find: a cell, or an edge by its letter.
fn node(grid: Grid, name: &str) -> usize {
    match "TBLR".find(name) {
        Some(edge) => MAX_CELLS + edge,
        None => grid.index(cell(name)),
    }
}

#[test]
fn unions_of_hex() {
    let (size, lines) = block("hex");
    let mut game = Hex::new(size.parse().unwrap());
    let (grid, last) = (game.grid(), game.grid().size() - 1);
    let mut sets = UnionFind::<{ MAX_CELLS + 4 }>::new();
    let mut names: BTreeSet<String> = "TBLR".chars().map(String::from).collect();
    let rows = rows(&lines);
    for (ply, row) in (1..).zip(&rows) {
        let &[number, mv, joined, set] = &row[..] else { unreachable!() };
        assert_eq!(number, ply.to_string());
        let at = cell(&mv[2..]);
        let side = game.side_to_move();
        assert!(mv.starts_with(side.letter()), "{mv}");
        let (near, far, progress) = match side {
            Side::White => ("T", "B", at.row),
            Side::Black => ("L", "R", at.column),
        };
        let beside =
            grid.neighbours(at).filter(|&next| game.stone(next) == Some(side)).map(|next| next.to_string());
        let edges = [(near, 0), (far, last)].into_iter().filter(|&(_, edge)| edge == progress);
        let expected: BTreeSet<String> = beside.chain(edges.map(|(name, _)| name.to_owned())).collect();
        assert!(list(joined, ", ").into_iter().eq(&expected), "{mv}: {expected:?}");
        names.insert(at.to_string());
        expected.iter().for_each(|name| sets.union(grid.index(at), node(grid, name)));
        let in_set = |name: &&String| sets.clone().joined(grid.index(at), node(grid, name));
        let in_set: BTreeSet<&str> = names.iter().filter(in_set).map(String::as_str).collect();
        assert_eq!(list(set, ", "), in_set, "{mv}");
        game.make(Move::Stone(at));
        assert_eq!(game.winner().is_some(), ply == rows.len(), "{mv}");
        assert_eq!(game.winner().is_some(), sets.joined(node(grid, near), node(grid, far)), "{mv}");
    }
}

#[test]
fn captures_and_exclusions_of_okupacio() {
    let (board, lines) = block("okupacio");
    let mut game = Okupacio::new(board.parse().unwrap(), 4);
    let seats: Vec<Seat> = (0..4).map(Seat).collect();
    for (ply, row) in (1..).zip(rows(&lines)) {
        let &[number, mv, takes, cells, free, excluded] = &row[..] else { unreachable!() };
        assert_eq!(number, ply.to_string());
        let (letter, text) = mv.split_once(' ').unwrap();
        assert_eq!(letter, okupacio::letter(game.turn()).to_string(), "{mv}");
        let action = game.read(text).unwrap();
        let before: Vec<Option<Seat>> = game.map().all().map(|cell| game.owner(cell)).collect();
        let mover = game.turn();
        game.act(action);
        if let Action::Occupy(at) = action {
            let is_new = |cell: &okupacio::map::Cell| before[cell.index()] != Some(mover) && *cell != at;
            let taken = game.map().all().filter(|&cell| game.owner(cell) == Some(mover)).filter(is_new);
            let taken: BTreeSet<String> = taken.map(|cell| letters(game.map(), cell)).collect();
            assert!(list(takes, " ").into_iter().eq(&taken), "{mv}: {taken:?}");
        }
        let gone: String = std::iter::from_fn(|| game.exclude()).map(okupacio::letter).collect();
        assert_eq!(excluded.replace('-', ""), gone, "{mv}");
        let held: Vec<u16> = seats.iter().map(|&seat| game.player(seat).cells).collect();
        assert_eq!((numbers(cells), free), (held, game.free().to_string().as_str()), "{mv}");
    }
    assert!(game.is_over());
}

fn letters(map: &Map, cell: okupacio::map::Cell) -> String {
    let (row, column) = map.place(cell);
    [row, column].map(|number| char::from(b'a' + number)).iter().collect()
}

#[test]
fn the_looks_of_a_capture_of_okupacio() {
    let (board, moves) = block("okupacio");
    let (ply, lines) = block("captures ply");
    let mut game = Okupacio::new(board.parse().unwrap(), 4);
    let moves: Vec<&str> = rows(&moves).iter().map(|row| row[1].split_once(' ').unwrap().1).collect();
    let ply: usize = ply.parse().unwrap();
    moves[..ply - 1].iter().for_each(|mv| game.play(mv).unwrap());
    let Action::Occupy(at) = game.read(moves[ply - 1]).unwrap() else { panic!("ply {ply} takes nothing") };
    let (map, mover) = (game.map(), game.turn());
    let looks: Vec<[String; 5]> = map
        .neighbours(at)
        .map(|next| {
            let holder = game.owner(next).map_or('-', okupacio::letter);
            let is_own = |&beside: &okupacio::map::Cell| beside == at || game.owner(beside) == Some(mover);
            let (around, own) = (map.neighbours(next).count(), map.neighbours(next).filter(is_own).count());
            let takes = if game.takes(mover, at, next) { "yes" } else { "no" };
            [letters(map, next), holder.to_string(), around.to_string(), own.to_string(), takes.to_owned()]
        })
        .collect();
    assert_eq!(rows(&lines), looks);
}

#[test]
fn indices_of_xinez() {
    let (size, lines) = block("index");
    let size: u8 = size.parse().unwrap();
    let n = i32::from(size);
    let side = 2 * n + 1;
    for row in rows(&lines) {
        let [u, v] = [0, 1].map(|column| row[column].parse::<i8>().unwrap());
        let point: Vec<i32> = row[2..5].iter().filter_map(|text| text.parse().ok()).collect();
        // As the page has it.
        let formula = match point[..] {
            [t, k, m] => side * side + n * (n + 1) / 2 * t + (k - 1) * (n + 1) - k * (k - 1) / 2 + (m - k),
            _ => (i32::from(u) + n) + side * (i32::from(v) + n),
        };
        let cell = index(size, Coordinates { u, v }).unwrap();
        assert_eq!([formula.to_string(), cell.to_string()], [row[5]; 2], "{row:?}");
    }
}

#[test]
fn turns_of_xinez() {
    let (size, lines) = block("rotation");
    let star = Star::new(size.parse().unwrap());
    let named =
        |column: usize| columns(&lines[0])[column].split(' ').find_map(|word| word.parse().ok()).unwrap();
    let [turned, seen] = [1, 3].map(|column| star.coordinates(star.cell(named(column)).unwrap()));
    for row in rows(&lines) {
        let [turns, after, player, as_seen] = row[..] else { unreachable!() };
        let player = Player::new(player.parse().unwrap()).unwrap();
        let cells =
            [turned.rotated(turns.parse().unwrap()), player.sees(seen)].map(|at| star.at(at).unwrap());
        assert_eq!(cells.map(|cell| cell.to_string()), [after, as_seen], "{row:?}");
    }
}

#[test]
fn jumps_of_xinez() {
    let (size, lines) = block("jumps");
    let mut pieces = [Cells::EMPTY; 6];
    for line in &lines[..2] {
        let words: Vec<u8> = numbers(line.strip_prefix("player").unwrap());
        pieces[usize::from(words[0]) - 1] = words[1..].iter().copied().map(xinez::Cell).collect();
    }
    let position = Position::new(size.parse().unwrap(), pieces);
    let (star, player) = (position.star(), Player::ALL[0]);
    let (steps, jumps) = lines[2..].split_last().unwrap();
    let jumps = rows(jumps);
    let origin = xinez::Cell(jumps[0][0].parse().unwrap());
    let mut landed = vec![origin];
    for row in &jumps {
        let [from, over, to] = [0, 1, 2].map(|column| xinez::Cell(row[column].parse().unwrap()));
        assert!(landed.contains(&from) && over != origin && position.owner(over).is_some(), "{row:?}");
        let [start, middle, end] = [from, over, to].map(|cell| star.coordinates(cell));
        assert_eq!((start.u + end.u, start.v + end.v), (2 * middle.u, 2 * middle.v), "{row:?}");
        match row[3].starts_with("no") {
            true => assert!(!star.view(player).allowed.contains(to), "{row:?}"),
            false => landed.push(to),
        }
    }
    let steps = numbers(steps.strip_prefix("steps").unwrap()).into_iter().map(xinez::Cell);
    let shown: Cells = landed.into_iter().skip(1).chain(steps).collect();
    assert_eq!(shown, position.moves_of(origin));
}

#[test]
fn pictures_are_drawn_from_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let done = Command::new(root().join("scripts/diagrams")).arg(folder.path()).status().unwrap();
    assert!(done.success());
    let names: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 4);
    for name in names {
        let [drawn, kept] = [folder.path(), &root().join("docs/pictures")]
            .map(|folder| std::fs::read_to_string(folder.join(&name)).unwrap());
        assert!(drawn == kept, "{name}: draw it again with scripts/diagrams");
    }
}
