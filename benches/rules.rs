//! What a move costs by the rules of each game, and how many times as long a plain way takes, which searches, counts or computes the
//! board anew. All ways play the same games and must come to the same results. They are measured in turn, by the processor time of
//! the thread, and the best of some rounds counts. `docs/algorithms.md` explains what is compared, and has the figures.

use std::rc::Rc;
use std::time::Duration;

use arbitro::game::grid::{Cell, Grid};
use arbitro::game::hex::{Hex, Move, Side};
use arbitro::game::okupacio::map::Map;
use arbitro::game::okupacio::{Action, Okupacio};
use arbitro::game::rhex::Rhex;
use arbitro::game::xinez::star::{Coordinates, cells, coordinates, index};
use arbitro::game::xinez::{self, Player, Players, Xinez};
use arbitro::game::{Game, Seat};
use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 15;
/// Moves of a round, at least.
const MOVES: usize = 10_000;

/// Plays all games of a round in one way. Returns how many moves they had, and a checksum of their results.
type Way = Box<dyn Fn() -> (usize, usize)>;

/// The way that plays each game by this function, which returns the number of moves and the result.
fn way<G: 'static>(games: &Rc<[G]>, play: impl Fn(&G) -> (usize, usize) + 'static) -> Way {
    let games = games.clone();
    Box::new(move || {
        games
            .iter()
            .map(&play)
            .fold((0, 0), |(moves, sum), (more, result)| (moves + more, 31 * sum % 1_000_003 + result))
    })
}

/// Draws the games of a round. Each comes with the number of its moves, roughly.
fn draw<G>(mut game: impl FnMut() -> (usize, G)) -> Rc<[G]> {
    let (mut games, mut moves) = (Vec::new(), 0);
    while moves < MOVES {
        let (length, drawn) = game();
        games.push(drawn);
        moves += length;
    }
    games.into()
}

/// The processor time of this thread: other programs are none of its business.
fn now() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("time is never negative")
}

/// The least nanoseconds per move in each way.
fn best_times(mut ways: impl FnMut() -> Vec<Way>) -> Vec<f64> {
    let round = |_| -> Vec<f64> {
        let mut first = None;
        let time = |way: Way| {
            let begun = now();
            let result = way();
            let time = now() - begun;
            assert_eq!(*first.get_or_insert(result), result, "all ways play by the same rules");
            time.as_secs_f64() * 1e9 / result.0 as f64
        };
        ways().into_iter().map(time).collect()
    };
    let rounds: Vec<Vec<f64>> = (0..ROUNDS).map(round).collect();
    let least = |way| rounds.iter().map(|times| times[way]).fold(f64::INFINITY, f64::min);
    (0..rounds[0].len()).map(least).collect()
}

/// Prints what a move costs in the first way on boards of these sizes, and how many times as long it takes in the others.
fn compare(title: &str, names: &[&str], sizes: &[u8], ways: fn(u8, &mut fastrand::Rng) -> Vec<Way>) {
    let mut rng = fastrand::Rng::with_seed(1);
    let columns: Vec<Vec<f64>> = sizes.iter().map(|&size| best_times(|| ways(size, &mut rng))).collect();
    let row = |name: &str, text: &dyn Fn(usize) -> String| {
        let cells: String = (0..sizes.len()).map(|column| format!("{:>9}", text(column))).collect();
        println!("{name:32}{cells}");
    };
    row(title, &|column| sizes[column].to_string());
    row(names[0], &|column| format!("{:.0} ns", columns[column][0]));
    for (way, name) in names.iter().enumerate().skip(1) {
        row(name, &|column| format!("× {:.1}", columns[column][way] / columns[column][0]));
    }
    println!();
}

fn shuffled(grid: Grid, rng: &mut fastrand::Rng) -> Vec<Cell> {
    let mut cells: Vec<Cell> = grid.all().collect();
    rng.shuffle(&mut cells);
    cells
}

fn side_to_move(ply: usize) -> Side {
    if ply.is_multiple_of(2) { Side::White } else { Side::Black }
}

/// Stones on a board of hexagons, with what it takes to search it from one of them.
struct Flood {
    grid: Grid,
    stones: Vec<Option<Side>>,
    ply: usize,
    /// The ply in which a cell was reached last, so that nothing has to be wiped before a search.
    reached_in: Vec<usize>,
    reached: Vec<Cell>,
}

impl Flood {
    fn new(size: u8) -> Flood {
        let grid = Grid::new(size);
        let (stones, reached_in) = (vec![None; grid.cells()], vec![0; grid.cells()]);
        Flood { grid, stones, ply: 0, reached_in, reached: Vec::new() }
    }

    /// Places a stone and returns its colour.
    fn place(&mut self, cell: Cell) -> Side {
        let side = side_to_move(self.ply);
        self.stones[self.grid.index(cell)] = Some(side);
        self.ply += 1;
        side
    }

    /// Finds all stones of the right colours that are connected to the one on a cell.
    fn search(&mut self, from: Cell, is_right: impl Fn(Side) -> bool) {
        let Flood { grid, stones, ply, reached_in, reached } = self;
        reached.clear();
        let mut reach = |cell: Cell, reached: &mut Vec<Cell>| {
            let node = grid.index(cell);
            if stones[node].is_some_and(&is_right) && reached_in[node] < *ply {
                reached_in[node] = *ply;
                reached.push(cell);
            }
        };
        reach(from, reached);
        let mut next = 0;
        while let Some(&cell) = reached.get(next) {
            grid.neighbours(cell).for_each(|cell| reach(cell, reached));
            next += 1;
        }
    }
}

/// Random games of Hex until somebody has won.
fn hex_at_random(size: u8, rng: &mut fastrand::Rng) -> Vec<Way> {
    hex(size, || shuffled(Grid::new(size), rng))
}

/// Each side fills its half of the board row by row, so that its stones are one group, and black leaves out a column, so that nobody wins.
fn hex_in_two_groups(size: u8, _: &mut fastrand::Rng) -> Vec<Way> {
    let (upper, lower): (Vec<Cell>, Vec<Cell>) = Grid::new(size).all().partition(|cell| cell.row < size / 2);
    let lower = lower.into_iter().filter(|cell| cell.column < size - 1);
    let cells: Vec<Cell> = upper.into_iter().zip(lower).flat_map(|(white, black)| [white, black]).collect();
    hex(size, || cells.clone())
}

/// How many of these moves it takes until one wins, or all of them.
fn plies_to_win(cells: &[Cell], mut wins: impl FnMut(Cell) -> bool) -> (usize, usize) {
    let winning = cells.iter().position(|&cell| wins(cell));
    (winning.map_or(cells.len(), |before| before + 1), 0)
}

fn hex(size: u8, mut order: impl FnMut() -> Vec<Cell>) -> Vec<Way> {
    let games = draw(|| {
        let cells = order();
        (cells.len() / 2, cells)
    });
    let union_find = way(&games, move |cells| {
        let mut game = Hex::new(size);
        plies_to_win(cells, |cell| {
            game.make(Move::Stone(cell));
            game.winner().is_some()
        })
    });
    let flood_fill = way(&games, move |cells| {
        let mut board = Flood::new(size);
        plies_to_win(cells, |cell| {
            let side = board.place(cell);
            board.search(cell, |other| other == side);
            let progress = |cell: &Cell| if side == Side::White { cell.row } else { cell.column };
            let touches = |edge| board.reached.iter().any(|cell| progress(cell) == edge);
            touches(0) && touches(size - 1)
        })
    });
    vec![union_find, flood_fill]
}

/// Random games of RHEX anywhere on the board: on a large one few tokens meet.
fn rhex_at_random(size: u8, rng: &mut fastrand::Rng) -> Vec<Way> {
    rhex(size, || shuffled(Grid::new(size), rng))
}

/// Random games of RHEX in which each token is placed beside another, so that there is one zone.
fn rhex_in_one_zone(size: u8, rng: &mut fastrand::Rng) -> Vec<Way> {
    let grid = Grid::new(size);
    rhex(size, || {
        let mut cells = vec![grid.cell(rng.usize(..grid.cells()))];
        while cells.len() < 2 * usize::from(size) {
            let beside = cells[rng.usize(..cells.len())];
            let next =
                rng.choice(grid.neighbours(beside).collect::<Vec<_>>()).expect("a cell has neighbours");
            if !cells.contains(&next) {
                cells.push(next);
            }
        }
        cells
    })
}

fn rhex(size: u8, mut order: impl FnMut() -> Vec<Cell>) -> Vec<Way> {
    let (half, all) = (usize::from(size), 2 * usize::from(size));
    let games = draw(|| (all, order()));
    let parity = way(&games, move |cells| {
        let mut game = Rhex::new(size);
        let mut cells = cells.iter();
        while !game.is_over() {
            game.place(*cells.next().expect("there are more cells than tokens"));
        }
        (game.plies().into(), game.total(Side::White).into())
    });
    let repainting = way(&games, move |cells| {
        let mut board = Flood::new(size);
        let mut totals = [0; 2];
        let mut cells = cells.iter();
        while board.ply < all && totals.iter().all(|&total| total <= half) {
            let cell = *cells.next().expect("there are more cells than tokens");
            let side = board.place(cell);
            totals[side as usize] += 1;
            board.search(cell, |_| true);
            let (stones, grid) = (&mut board.stones, board.grid);
            let zone = board.reached.iter().map(|&cell| grid.index(cell));
            let own = zone.clone().filter(|&node| stones[node] == Some(side)).count();
            let other = zone.len() - own;
            if own < other {
                zone.for_each(|node| stones[node] = stones[node].map(Side::other));
                totals[side as usize] += other - own;
                totals[side.other() as usize] -= other - own;
            }
        }
        (board.ply, totals[0])
    });
    vec![parity, repainting]
}

/// How many play Okupació.
const PLAYERS: usize = 4;
/// Who holds a free cell.
const NOBODY: usize = PLAYERS;

/// Random games of Okupació on boards without walls.
fn okupacio(size: u8, rng: &mut fastrand::Rng) -> Vec<Way> {
    let start = Okupacio::new(Map::open(size), PLAYERS as u8);
    let games = draw(|| {
        let (mut game, mut moves) = (start.clone(), Vec::new());
        while !game.is_over() {
            let cell = rng.choice(game.free_cells().collect::<Vec<_>>()).expect("a cell is free");
            moves.push(cell);
            game.act_and_exclude(Action::Occupy(cell));
        }
        (moves.len(), moves)
    });
    let result = |held: &[usize]| held.iter().fold(0, |sum, held| 1000 * sum + held);
    let counters = way(&games, move |moves| {
        let mut game = start.clone();
        moves.iter().for_each(|&cell| game.act_and_exclude(Action::Occupy(cell)));
        let held: [usize; PLAYERS] =
            std::array::from_fn(|player| game.player(Seat(player as u8)).cells.into());
        (moves.len(), result(&held))
    });
    let counting = way(&games, move |moves| {
        let mut board = Counted::new(size.into());
        moves.iter().for_each(|&cell| board.occupy(cell.index()));
        (moves.len(), result(&board.count()[..PLAYERS]))
    });
    vec![counters, counting]
}

/// A board of Okupació that knows nothing but who holds each cell, and who is out.
struct Counted {
    side: usize,
    holders: Vec<usize>,
    out: [bool; PLAYERS],
    turn: usize,
}

impl Counted {
    fn new(side: usize) -> Counted {
        Counted { side, holders: vec![NOBODY; side * side], out: [false; PLAYERS], turn: 0 }
    }

    /// The cells beside a cell, by rows and columns.
    fn beside(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (side, row, column) = (self.side, cell / self.side, cell % self.side);
        let places = [
            (row.wrapping_sub(1), column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
            (row + 1, column),
        ];
        let is_inside = move |&(row, column): &(usize, usize)| row < side && column < side;
        places.into_iter().filter(is_inside).map(move |(row, column)| row * side + column)
    }

    /// The cells of each player, and behind them those of nobody.
    fn count(&self) -> [usize; PLAYERS + 1] {
        let mut held = [0; PLAYERS + 1];
        self.holders.iter().for_each(|&holder| held[holder] += 1);
        held
    }

    fn takes(&self, cell: usize) -> bool {
        let holder = self.holders[cell];
        let (mut around, mut own, mut backed) = (0, 0, false);
        for other in self.beside(cell).map(|next| self.holders[next]) {
            around += 1;
            own += usize::from(other == self.turn);
            backed |= other == holder;
        }
        match around {
            _ if holder == self.turn => false,
            1 => true,
            2 => own == 2,
            3 => own == 3 || own == 2 && holder == NOBODY,
            _ => own == 4 || own == 3 && (holder == NOBODY || !backed),
        }
    }

    fn occupy(&mut self, cell: usize) {
        self.holders[cell] = self.turn;
        for next in self.beside(cell) {
            if self.takes(next) {
                self.holders[next] = self.turn;
            }
        }
        loop {
            self.turn = (self.turn + 1) % PLAYERS;
            if self.out[self.turn] {
                continue;
            }
            let held = self.count();
            let (most, free) = (held[..PLAYERS].iter().max().expect("there are players"), held[NOBODY]);
            let is_last = self.out.iter().filter(|&&out| !out).count() == 1;
            if free == 0 || is_last || most - held[self.turn] <= free {
                return;
            }
            self.out[self.turn] = true;
            let own = self.holders.iter_mut().filter(|holder| **holder == self.turn);
            own.for_each(|holder| *holder = NOBODY);
        }
    }
}

/// All moves of the player whose turn it is, in the positions of random games of two.
fn xinez(size: u8, rng: &mut fastrand::Rng) -> Vec<Way> {
    const PLIES: usize = 100;
    let games = draw(|| {
        let mut game = Xinez::new(size, Players::usual(2).expect("two can play"));
        for _ in 0..rng.usize(..PLIES) {
            let moves: Vec<xinez::Move> = game.position().moves(game.player(game.turn())).collect();
            if game.outcome().is_none() {
                game.make(rng.choice(moves).expect("a player whose turn it is can move"));
            }
        }
        let (player, position) = (game.player(game.turn()), *game.position());
        let owners: Vec<Option<Player>> = position.star().all().map(|cell| position.owner(cell)).collect();
        (position.moves(player).count(), (player, position, owners))
    });
    let number = |from: usize, to: usize| 256 * from + to;
    let tables = way(&games, move |(player, position, _)| {
        let moves = position.moves(*player).map(|mv| number(mv.from.index(), mv.to.index()));
        moves.fold((0, 0), |(count, sum), number| (count + 1, sum + number))
    });
    let on_the_fly = way(&games, move |(player, _, owners)| {
        let mut result = (0, 0);
        for from in (0..cells(size)).filter(|&from| owners[from] == Some(*player)) {
            let board = Computed { size, player: *player, owners, from };
            let mut reached = [false; xinez::star::MAX_CELLS];
            board.chain(from, &mut reached);
            board.around(from).filter(|&(to, _)| board.may_land(to)).for_each(|(to, _)| reached[to] = true);
            reached[from] = false;
            for to in (0..owners.len()).filter(|&to| reached[to]) {
                result = (result.0 + 1, result.1 + number(from, to));
            }
        }
        result
    });
    vec![tables, on_the_fly]
}

/// A board of Xadrez Xinez on which all is computed from coordinates when it is needed.
struct Computed<'a> {
    size: u8,
    player: Player,
    owners: &'a [Option<Player>],
    /// The cell of the piece that moves, which counts as empty.
    from: usize,
}

impl Computed<'_> {
    const STEPS: [(i8, i8); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

    /// The neighbours of a cell, each with the cell right behind it, which is beyond the last index if it is off the board.
    fn around(&self, cell: usize) -> impl Iterator<Item = (usize, usize)> {
        let at = coordinates(self.size, cell).expect("it is on the board");
        Self::STEPS.into_iter().filter_map(move |(u, v)| {
            let [near, behind] = [1, 2].map(|far| {
                index(self.size, Coordinates { u: at.u + far * u, v: at.v + far * v }).map(xinez::Cell::index)
            });
            Some((near?, behind.unwrap_or(self.owners.len())))
        })
    }

    fn is_occupied(&self, cell: usize) -> bool {
        cell != self.from && self.owners[cell].is_some()
    }

    fn may_land(&self, cell: usize) -> bool {
        let Some(at) = coordinates(self.size, cell) else { return false };
        let seen = self.player.sees(at);
        !self.is_occupied(cell) && seen.u.unsigned_abs() <= self.size && seen.v.unsigned_abs() <= self.size
    }

    /// Marks all cells where a chain of jumps from a cell can lead.
    fn chain(&self, cell: usize, reached: &mut [bool]) {
        reached[cell] = true;
        for (over, landing) in self.around(cell) {
            if self.is_occupied(over) && self.may_land(landing) && !reached[landing] {
                self.chain(landing, reached);
            }
        }
    }
}

fn main() {
    println!(
        "the cost of a move, set-up included, and how many times as long it takes otherwise; best of {ROUNDS} rounds\n"
    );
    let grids = [5, 7, 11, 14, 19, 26];
    let floods = ["union-find", "flood fill"];
    compare("Hex at random, n =", &floods, &grids, hex_at_random);
    compare("Hex in two groups, n =", &floods, &grids, hex_in_two_groups);
    let paints = ["zones with parity bits", "flood fill and repainting"];
    compare("RHEX at random, n =", &paints, &grids, rhex_at_random);
    compare("RHEX in one zone, n =", &paints, &grids, rhex_in_one_zone);
    let counts = ["counters", "counting the board anew"];
    compare("Okupació of 4, n =", &counts, &[4, 6, 8, 12, 18, 25], okupacio);
    let tables = ["tables and sets of bits", "coordinates on the fly"];
    compare("Xinez, each legal move, N =", &tables, &[1, 2, 3, 4, 5, 6], xinez);
}
