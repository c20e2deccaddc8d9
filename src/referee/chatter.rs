//! What a program writes that is no move: how much of it is let pass.

use crate::record::Fault;

/// Lines that are no moves which a program may write in a game.
pub const MOST_LINES: usize = 100;
/// Bytes that are no moves which a program may write in a game.
pub const MOST_BYTES: usize = 64 * 1024;

/// All that a program has written in a game that is no move.
#[derive(Default)]
pub struct Chatter {
    lines: usize,
    bytes: usize,
}

impl Chatter {
    /// Counts a line of this length.
    pub fn add(&mut self, length: usize) {
        self.lines += 1;
        self.bytes += length;
    }

    /// Counts a line of this length that is let pass, but for its length.
    pub fn add_filler(&mut self, length: usize) {
        self.bytes += length + 1;
    }

    /// The fault of a program that has written more than moves can explain; `begun` is what it has written of a line that has
    /// not ended.
    pub fn too_much(&self, begun: &[u8]) -> Option<Fault> {
        let (lines, bytes) = (self.lines, self.bytes + begun.len());
        let (most_lines, most_bytes) = (MOST_LINES, MOST_BYTES);
        let too_much = lines > MOST_LINES || bytes > MOST_BYTES;
        too_much.then_some(Fault::TooMuchOutput { lines, bytes, most_lines, most_bytes })
    }
}
