//! RHEX: a board as in Hex and two-faced tokens, `2n` in all. A token is placed showing the mover's colour; if the mover is
//! then in the minority among all tokens that hang together with it, all of them are turned over. White begins; there is no
//! swap. More than `n` tokens of one's colour right after one's move win.

use super::grid::{Cell, Grid, MAX_CELLS, MAX_SIZE, read_cell};
use super::hex::Side;
use super::moves::Moves;
use super::picture::{Choice, Layout, Mark};
use super::vertex::by_letter_and_number;
use super::{Ending, Game, OtherNotation, Outcome, Refusal, Rules, Seat, TAKEN};

/// RHEX in the table of games.
pub const RULES: Rules = Rules {
    name: "rhex",
    title: "RHEX",
    sizes: 2..=MAX_SIZE,
    default_size: 14,
    seats: 2..=2,
    default_seats: 2,
    start: |board| Ok(Box::new(Rhex::new(board.size))),
    board_texts: false,
    // No first move of RHEX is known to be better than another.
    fair_openings: |board| Grid::new(board.size).all().map(|cell| cell.to_string()).collect(),
};

/// A position of RHEX with all that is needed to go on.
#[derive(Clone)]
pub struct Rhex {
    grid: Grid,
    zones: Zones,
    totals: [u16; 2],
    last: Option<Cell>,
    winner: Option<Side>,
}

impl Rhex {
    /// The empty board.
    ///
    /// # Panics
    /// If the size is not one of a board.
    pub fn new(size: u8) -> Rhex {
        Rhex { grid: Grid::new(size), zones: Zones::new(), totals: [0; 2], last: None, winner: None }
    }

    /// The board's geometry.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The colour that the token on a cell shows.
    pub fn token(&self, cell: Cell) -> Option<Side> {
        self.zones.colour(self.grid.index(cell))
    }

    /// Tokens that are down.
    pub fn plies(&self) -> u16 {
        self.totals[0] + self.totals[1]
    }

    /// Tokens that show a colour.
    pub fn total(&self, side: Side) -> u16 {
        self.totals[side as usize]
    }

    /// The colour to move.
    pub fn side_to_move(&self) -> Side {
        if self.plies().is_multiple_of(2) { Side::White } else { Side::Black }
    }

    /// Who has won.
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.winner.is_some() || self.plies() == 2 * u16::from(self.grid.size())
    }

    /// Places a token on an empty cell, and says whether its zone was turned over.
    pub fn place(&mut self, cell: Cell) -> bool {
        let (grid, side) = (self.grid, self.side_to_move());
        let node = grid.index(cell);
        self.zones.place(node, side);
        for next in grid.neighbours(cell) {
            self.zones.join(node, grid.index(next));
        }
        let [own, other] = self.zones.counts(node, side);
        self.totals[side as usize] += 1;
        let turned = own < other;
        if turned {
            self.zones.turn_over(node);
            self.totals[side as usize] += other - own;
            self.totals[side.other() as usize] -= other - own;
        }
        self.last = Some(cell);
        if self.total(side) > u16::from(grid.size()) {
            self.winner = Some(side);
        }
        turned
    }

    fn read(&self, line: &str) -> Result<Cell, Refusal> {
        let cell = read_cell(line, self.grid)?;
        if self.is_over() {
            return Err(Refusal::Illegal("the game is over".to_owned()));
        }
        match self.token(cell) {
            None => Ok(cell),
            Some(_) if self.plies() == 1 => {
                Err(Refusal::Illegal(format!("{TAKEN}; there is no swap in this game")))
            }
            Some(_) => Err(Refusal::Illegal(TAKEN.to_owned())),
        }
    }
}

impl Game for Rhex {
    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Seat {
        Seat(self.side_to_move() as u8)
    }

    fn play(&mut self, line: &str) -> Result<(), Refusal> {
        let cell = self.read(line)?;
        self.place(cell);
        Ok(())
    }

    fn check(&self, line: &str) -> Result<(), Refusal> {
        self.read(line).map(drop)
    }

    fn other_notation(&self, line: &str) -> Option<OtherNotation> {
        by_letter_and_number(line, self.grid)
    }

    fn write_move(&self, out: &mut String) {
        if let Some(cell) = self.last {
            cell.push_to(out);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let plies = self.plies();
        if let Some(side) = self.winner {
            let sentence = format!("{} has {} tokens on ply {plies}", side.name(), self.total(side));
            return Some(Outcome::of_two(Some(Seat(side as u8)), Ending::Majority, sentence));
        }
        let sentence = format!("all tokens are down, {} each", self.grid.size());
        self.is_over().then(|| Outcome::of_two(None, Ending::Draw, sentence))
    }

    fn side(&self, seat: Seat) -> &'static str {
        side_of(seat).name()
    }

    fn arguments(&self, seat: Seat, _: &str) -> Vec<String> {
        vec![side_of(seat).letter().to_string()]
    }

    fn board_name(&self) -> String {
        self.grid.name()
    }

    fn layout(&self) -> Layout {
        let legend = "b (white) and p (black): more than half of all tokens, right after one's own move, win";
        self.grid.layout([Side::White, Side::Black].map(Side::letter), Vec::new(), legend)
    }

    fn write_marks(&self, marks: &mut Vec<Mark>) {
        let mark = |cell: Cell| {
            let token = self.token(cell);
            Mark {
                side: token.map(|side| side as u8),
                is_last: self.last == Some(cell),
                is_winning: token.is_some() && token == self.winner,
            }
        };
        marks.clear();
        marks.extend(self.grid.all().map(mark));
    }

    fn choices(&self) -> Vec<Choice> {
        let is_free = |cell: &Cell| !self.is_over() && self.token(*cell).is_none();
        self.grid.choices(self.grid.all().filter(is_free))
    }
}

fn side_of(seat: Seat) -> Side {
    if seat.0 == 0 { Side::White } else { Side::Black }
}

/// The zones of tokens that hang together: disjoint sets with the number of tokens of each colour at every root, and a bit
/// at every node that says whether all below it is turned over. So a whole zone is turned over at its root, and the colour
/// of any token is still known: as it was placed, turned over once for each such bit from the token up to the root.
#[derive(Clone)]
struct Zones {
    /// Minus the size of the set at a root, the parent at any other node, and [`EMPTY`] where no token is.
    links: [i16; MAX_CELLS],
    placed: [Side; MAX_CELLS],
    turned: [bool; MAX_CELLS],
    counts: [[u16; 2]; MAX_CELLS],
}

const EMPTY: i16 = i16::MIN;

impl Zones {
    fn new() -> Zones {
        Zones {
            links: [EMPTY; MAX_CELLS],
            placed: [Side::White; MAX_CELLS],
            turned: [false; MAX_CELLS],
            counts: [[0; 2]; MAX_CELLS],
        }
    }

    /// A token that is a zone of its own.
    fn place(&mut self, node: usize, side: Side) {
        self.links[node] = -1;
        self.placed[node] = side;
        self.counts[node][side as usize] = 1;
    }

    fn colour(&self, mut node: usize) -> Option<Side> {
        if self.links[node] == EMPTY {
            return None;
        }
        let placed = self.placed[node];
        let mut turned = self.turned[node];
        while self.links[node] >= 0 {
            node = self.links[node] as usize;
            turned ^= self.turned[node];
        }
        Some(if turned { placed.other() } else { placed })
    }

    /// The root of a token's zone. Halves the path on its way, handing bits down so that no token changes its colour.
    fn find(&mut self, mut node: usize) -> usize {
        while self.links[node] >= 0 {
            let parent = self.links[node] as usize;
            if self.links[parent] < 0 {
                return parent;
            }
            self.turned[node] ^= self.turned[parent];
            self.links[node] = self.links[parent];
            node = self.links[node] as usize;
        }
        node
    }

    /// Joins the zones of two cells, if there is a token on the other.
    fn join(&mut self, node: usize, other: usize) {
        if self.links[other] == EMPTY {
            return;
        }
        let (mut large, mut small) = (self.find(node), self.find(other));
        if large == small {
            return;
        }
        if self.links[large] > self.links[small] {
            std::mem::swap(&mut large, &mut small);
        }
        self.links[large] += self.links[small];
        self.links[small] = large as i16;
        // What is below now passes one more bit on its way up; the same bit here undoes it.
        self.turned[small] ^= self.turned[large];
        for side in 0..2 {
            self.counts[large][side] += self.counts[small][side];
        }
    }

    /// The tokens of a zone that show this colour, and the others.
    fn counts(&mut self, node: usize, side: Side) -> [u16; 2] {
        let counts = self.counts[self.find(node)];
        [counts[side as usize], counts[side.other() as usize]]
    }

    /// Turns every token of a zone over.
    fn turn_over(&mut self, node: usize) {
        let root = self.find(node);
        self.turned[root] ^= true;
        self.counts[root].swap(0, 1);
    }
}

impl Moves for Rhex {
    type Move = Cell;

    fn make_move(&mut self, mv: Cell) {
        self.place(mv);
    }

    fn plies(&self) -> usize {
        self.plies().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sequences of moves: how many there are of each length, how many of their last moves turned a zone over, and the
    /// games won by the first side, by the second, and drawn.
    #[derive(Default, Debug, PartialEq)]
    struct Census {
        sequences: Vec<u64>,
        flips: Vec<u64>,
        outcomes: [u64; 3],
    }

    fn census(game: &Rhex, depth: usize, census: &mut Census) {
        if game.is_over() {
            let index = game.winner().map_or(2, |side| side as usize);
            census.outcomes[index] += 1;
            return;
        }
        if census.sequences.len() == depth {
            census.sequences.push(0);
            census.flips.push(0);
        }
        for cell in game.grid().all().filter(|&cell| game.token(cell).is_none()) {
            let mut next = game.clone();
            census.sequences[depth] += 1;
            census.flips[depth] += u64::from(next.place(cell));
            self::census(&next, depth + 1, census);
        }
    }

    fn census_of(size: u8) -> Census {
        let mut all = Census::default();
        census(&Rhex::new(size), 0, &mut all);
        all
    }

    #[test]
    fn all_games_of_2_and_3_are_as_counted_by_others() {
        let of_2 = census_of(2);
        assert_eq!((of_2.sequences, of_2.flips), (vec![4, 12, 24, 24], vec![0; 4]));
        let of_3 = census_of(3);
        assert_eq!(of_3.sequences, [9, 72, 504, 3024, 15120, 59376]);
        assert_eq!(of_3.flips, [0, 0, 0, 264, 768, 2976]);
        assert_eq!(of_3.outcomes, [276, 6288, 53088]);
    }

    /// Takes about two minutes: `cargo test --release all_games_of_4 -- --ignored`.
    #[test]
    #[ignore = "half a billion positions"]
    fn all_games_of_4_are_as_counted_by_others() {
        let of_4 = census_of(4);
        assert_eq!(of_4.sequences, [16, 240, 3360, 43680, 524160, 5765760, 56635200, 469056960]);
        assert_eq!(of_4.flips, [0, 0, 0, 3156, 22572, 744960, 5349432, 58410696]);
        assert_eq!(of_4.outcomes, [4517760, 122780856, 346378344]);
    }

    /// The rules in the plainest way: colours in a list, the zone found by flooding.
    struct Plain {
        size: i32,
        colours: Vec<Option<Side>>,
    }

    impl Plain {
        fn place(&mut self, cell: Cell, side: Side) {
            let n = self.size;
            let at = |r: i32, c: i32| (r * n + c) as usize;
            let (r, c) = (i32::from(cell.row), i32::from(cell.column));
            self.colours[at(r, c)] = Some(side);
            let mut zone = vec![(r, c)];
            let mut reached = 0;
            while reached < zone.len() {
                let (r, c) = zone[reached];
                reached += 1;
                for (r, c) in [(r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c), (r + 1, c - 1), (r - 1, c + 1)]
                {
                    let inside = r >= 0 && c >= 0 && r < n && c < n;
                    if inside && self.colours[at(r, c)].is_some() && !zone.contains(&(r, c)) {
                        zone.push((r, c));
                    }
                }
            }
            let own = zone.iter().filter(|&&(r, c)| self.colours[at(r, c)] == Some(side)).count();
            if own < zone.len() - own {
                for (r, c) in zone {
                    self.colours[at(r, c)] = self.colours[at(r, c)].map(Side::other);
                }
            }
        }
    }

    #[test]
    fn colours_agree_with_flooding_at_every_ply_of_50_000_random_games() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for number in 0..50_000 {
            let size = 2 + (number % 25) as u8;
            let mut game = Rhex::new(size);
            let mut plain = Plain { size: i32::from(size), colours: vec![None; game.grid().cells()] };
            let mut order: Vec<Cell> = game.grid().all().collect();
            rng.shuffle(&mut order);
            for cell in order {
                if game.is_over() {
                    break;
                }
                let side = game.side_to_move();
                game.place(cell);
                plain.place(cell, side);
                let shown: Vec<Option<Side>> = game.grid().all().map(|cell| game.token(cell)).collect();
                assert_eq!(shown, plain.colours, "game {number} of size {size}");
                for side in [Side::White, Side::Black] {
                    let count = shown.iter().filter(|&&colour| colour == Some(side)).count();
                    assert_eq!(usize::from(game.total(side)), count);
                }
            }
            let [white, black] = [Side::White, Side::Black].map(|side| game.total(side));
            let most = u16::from(size);
            match game.winner() {
                Some(side) => assert!(game.total(side) > most && game.total(side.other()) <= most),
                None => assert_eq!((white, black), (most, most)),
            }
        }
    }

    #[test]
    fn a_minority_turns_its_whole_zone_over() {
        let mut game = Rhex::new(4);
        for mv in ["0 0", "3 3", "0 1", "3 0", "1 0"] {
            game.play(mv).unwrap();
        }
        // Black's token hangs together with three of white.
        game.play("1 1").unwrap();
        for (row, column, side) in
            [(0, 0, Side::Black), (0, 1, Side::Black), (1, 0, Side::Black), (1, 1, Side::White)]
        {
            assert_eq!(game.token(Cell::new(row, column)), Some(side));
        }
        assert_eq!((game.total(Side::White), game.total(Side::Black)), (1, 5));
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.winner, outcome.ending), (Some(Seat(1)), Ending::Majority));
        assert_eq!(outcome.sentence, "black has 5 tokens on ply 6");
    }

    /// A table of the page about algorithms, without the names of its columns.
    fn rows_of_the_page(kind: &str) -> impl Iterator<Item = Vec<&'static str>> {
        let page = include_str!("../../docs/algorithms.md");
        let table = page.split(&format!("```text {kind}\n")).nth(1).unwrap().split("```").next().unwrap();
        let columns = |line: &'static str| line.split("  ").map(str::trim).filter(|text| !text.is_empty());
        table.lines().skip(1).map(move |line| columns(line).collect())
    }

    #[test]
    fn the_page_about_algorithms_shows_zones_as_they_are() {
        let mut game = Rhex::new(4);
        let grid = game.grid();
        for (ply, row) in (1..).zip(rows_of_the_page("rhex 4")) {
            let side = game.side_to_move();
            let cell = read_cell(row[1].strip_prefix(side.letter()).unwrap(), grid).unwrap();
            let turned = game.place(cell);
            // Of a zone that was turned over, the mover has as many tokens as the opponent had.
            let [shown, hidden] = game.zones.counts(grid.index(cell), side);
            let (own, other) = if turned { (hidden, shown) } else { (shown, hidden) };
            let [white, black] = [Side::White, Side::Black].map(|side| game.total(side));
            let numbers = [0, 2, 3, 5, 6].map(|column| row[column].parse::<u16>().unwrap());
            assert_eq!(numbers, [ply, own, other, white, black]);
            assert_eq!(row[4], if turned { "yes" } else { "no" });
        }
        assert_eq!(game.winner(), Some(Side::Black));
        let Zones { links, placed, turned, .. } = &game.zones;
        let tokens = grid.all().filter_map(|cell| Some((cell, grid.index(cell), game.token(cell)?)));
        let forest = tokens.map(|(cell, node, shows)| {
            let parent = usize::try_from(links[node]).map(|parent| grid.cell(parent).to_string());
            let [placed, shows] = [placed[node], shows].map(|side| side.letter().to_string());
            let bit = u8::from(turned[node]).to_string();
            vec![cell.to_string(), placed, bit, parent.unwrap_or("-".to_owned()), shows]
        });
        assert!(rows_of_the_page("forest").eq(forest));
    }

    #[test]
    fn there_is_no_swap() {
        let mut game = Rhex::new(4);
        game.play("1 1").unwrap();
        assert!(matches!(game.play("1 1"), Err(Refusal::Illegal(_))));
        assert_eq!(game.other_notation("swap"), None);
        assert_eq!(game.other_notation("b3").unwrap().on_the_wire.as_deref(), Some("2 1"));
        assert!(matches!(game.play("x"), Err(Refusal::NotAMove(_))));
        assert!(matches!(game.play("4 0"), Err(Refusal::Illegal(_))));
    }
}
