//! RHEX as the search sees it. Which token shows which colour does not matter to how a game goes on: only how many more
//! tokens of a zone show one colour than the other, its *lead*. A move joins all zones that it touches, and leaves them
//! with the lead `|1 + sum of their leads|`, as the mover counts.

/// A cell by its number on a board with a rim of cells that are never taken, so that every cell has six neighbours.
pub use crate::engine::rave_mcts::Spot;
use crate::game::grid::{Cell, Grid, MAX_SIZE};
use crate::game::hex::Side;
use crate::game::rhex::Rhex;

const MAX_STRIDE: usize = MAX_SIZE as usize + 2;
/// Spots of the largest board.
const MAX_SPOTS: usize = MAX_STRIDE * MAX_STRIDE;

/// Tokens are numbered by their ply, from 1, so that a set of them fits into a word.
const MAX_TOKENS: usize = 64;
const _: () = assert!(2 * (MAX_SIZE as usize) < MAX_TOKENS);

/// A position: small, quick to copy, and played on in a few nanoseconds.
#[derive(Clone)]
pub struct Position {
    grid: Grid,
    /// The token on each spot; 0, which is in a zone without a lead, where there is none.
    tokens: [u8; MAX_SPOTS],
    /// Where each token is.
    spots: [Spot; MAX_TOKENS],
    zones: Zones,
}

/// All that a move changes, apart from the taken spot. A search keeps a copy, to take the move back.
#[derive(Clone, Copy)]
pub struct Zones {
    /// The zone of each token, called after its last token.
    zone: [u8; MAX_TOKENS],
    /// White's lead in each zone.
    lead: [i8; MAX_TOKENS],
    /// White's lead on the whole board.
    total: i8,
    plies: u8,
}

impl Position {
    /// The position of a game.
    pub fn new(game: &Rhex) -> Position {
        let zones = Zones { zone: [0; MAX_TOKENS], lead: [0; MAX_TOKENS], total: 0, plies: 0 };
        let (tokens, spots) = ([0; MAX_SPOTS], [0; MAX_TOKENS]);
        let mut position = Position { grid: game.grid(), tokens, spots, zones };
        let taken = |cell: &Cell| game.token(*cell).is_some();
        for cell in game.grid().all().filter(taken) {
            let lead = if game.token(cell) == Some(Side::White) { 1 } else { -1 };
            let spot = position.spot(cell);
            let around = position.around(spot);
            let together = position.lead_of(around) + lead;
            position.put(spot, around, together);
            position.zones.total += lead as i8;
        }
        position
    }

    /// The spot of a cell.
    pub fn spot(&self, cell: Cell) -> Spot {
        (Spot::from(cell.row) + 1) * self.stride() + Spot::from(cell.column) + 1
    }

    /// The cell of a spot.
    pub fn cell(&self, spot: Spot) -> Cell {
        Cell::new((spot / self.stride() - 1) as u8, (spot % self.stride() - 1) as u8)
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    fn stride(&self) -> Spot {
        Spot::from(self.grid.size()) + 2
    }

    /// All spots that are not taken, row by row.
    pub fn free(&self) -> impl Iterator<Item = Spot> {
        self.grid.all().map(|cell| self.spot(cell)).filter(|&spot| self.is_free(spot))
    }

    /// Whether no token is on a spot.
    pub fn is_free(&self, spot: Spot) -> bool {
        self.tokens[usize::from(spot)] == 0
    }

    /// Every token's cell, with white's lead in its zone.
    pub fn leads(&self) -> impl Iterator<Item = (Cell, i8)> {
        (1..=usize::from(self.zones.plies))
            .map(|token| (self.cell(self.spots[token]), self.zones.lead[usize::from(self.zones.zone[token])]))
    }

    /// Tokens that are still to be placed.
    pub fn left(&self) -> i32 {
        2 * i32::from(self.grid.size()) - i32::from(self.zones.plies)
    }

    /// By how many tokens the side to move is ahead.
    pub fn ahead(&self) -> i32 {
        self.sign() * i32::from(self.zones.total)
    }

    /// 1 if white is to move, -1 if black is.
    pub fn sign(&self) -> i32 {
        1 - 2 * i32::from(self.zones.plies & 1)
    }

    /// By how many tokens white is ahead.
    pub fn white_lead(&self) -> i32 {
        i32::from(self.zones.total)
    }

    /// Whether the side that has just moved has won: it is further ahead than there are tokens left.
    pub fn is_won(&self) -> bool {
        -self.ahead() > self.left()
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.left() == 0 || self.is_won()
    }

    /// By how much a move on a spot puts the side to move further ahead.
    pub fn gain(&self, spot: Spot) -> i32 {
        let lead = self.sign() * self.lead_of(self.around(spot));
        (1 + lead).abs() - lead
    }

    /// By how much a move on a spot must put the side to move further ahead to win at once.
    pub fn winning_gain(&self) -> i32 {
        self.left() - self.ahead()
    }

    /// Places a token of the side to move on a free spot.
    pub fn place(&mut self, spot: Spot) {
        let (around, sign) = (self.around(spot), self.sign());
        let before = self.lead_of(around);
        let lead = sign * (1 + sign * before).abs();
        self.put(spot, around, lead);
        self.zones.total += (lead - before) as i8;
    }

    /// All that [`Position::take_back`] needs.
    pub fn zones(&self) -> Zones {
        self.zones
    }

    /// Takes the move on a spot back, before which the zones were these.
    pub fn take_back(&mut self, spot: Spot, zones: Zones) {
        self.tokens[usize::from(spot)] = 0;
        self.zones = zones;
    }

    /// The zones that touch a spot, as a set of bits.
    fn around(&self, spot: Spot) -> u64 {
        let (spot, stride) = (usize::from(spot), usize::from(self.stride()));
        let bit = |spot: usize| 1 << self.zones.zone[usize::from(self.tokens[spot])];
        let all = bit(spot - stride)
            | bit(spot - stride + 1)
            | bit(spot + 1)
            | bit(spot + stride)
            | bit(spot + stride - 1)
            | bit(spot - 1);
        // Bit 0 stands for no token.
        all & !1
    }

    fn lead_of(&self, mut zones: u64) -> i32 {
        let mut lead = 0;
        while zones != 0 {
            lead += i32::from(self.zones.lead[zones.trailing_zeros() as usize]);
            zones &= zones - 1;
        }
        lead
    }

    /// Puts a token on a spot that joins the zones around it to one with this lead.
    fn put(&mut self, spot: Spot, mut around: u64, lead: i32) {
        let zones = &mut self.zones;
        zones.plies += 1;
        let token = zones.plies;
        self.tokens[usize::from(spot)] = token;
        self.spots[usize::from(token)] = spot;
        zones.zone[usize::from(token)] = token;
        zones.lead[usize::from(token)] = lead as i8;
        while around != 0 {
            let old = around.trailing_zeros() as u8;
            around &= around - 1;
            // Over all tokens there can be: without a branch the compiler does sixteen at once.
            for zone in &mut zones.zone {
                *zone = if *zone == old { token } else { *zone };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_with_the_rules_through_random_games_and_back() {
        let mut rng = fastrand::Rng::with_seed(crate::test_seed::seed());
        for number in 0..2_000 {
            let mut game = Rhex::new(2 + (number % 25) as u8);
            let mut position = Position::new(&game);
            while !game.is_over() {
                let spots: Vec<Spot> = position.free().collect();
                let spot = rng.choice(spots).unwrap();
                let (before, zones, gain) = (position.clone(), position.zones(), position.gain(spot));
                let wins = gain >= position.winning_gain();
                let ahead = position.ahead();
                position.place(spot);
                game.place(position.cell(spot));
                assert_eq!(-position.ahead(), ahead + gain);
                assert_eq!(wins, position.is_won());
                agrees(&position, &game);
                agrees(&Position::new(&game), &game);
                let mut back = position.clone();
                back.take_back(spot, zones);
                assert!(back.tokens == before.tokens && back.leads().eq(before.leads()));
            }
        }
    }

    fn agrees(position: &Position, game: &Rhex) {
        let lead = i32::from(game.total(Side::White)) - i32::from(game.total(Side::Black));
        assert_eq!(position.white_lead(), lead);
        assert_eq!((position.is_over(), position.is_won()), (game.is_over(), game.winner().is_some()));
        assert_eq!(position.left(), 2 * i32::from(game.grid().size()) - i32::from(game.plies()));
        let free = |cell: &Cell| game.token(*cell).is_none();
        assert!(position.free().map(|spot| position.cell(spot)).eq(game.grid().all().filter(free)));
    }
}
