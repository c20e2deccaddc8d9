//! Columns that tables of bots have only where their games are of different kinds: versions of a bot, or clocks.

use crate::score::{Standing, Standings};

/// Which of these columns a table has.
#[derive(Clone, Copy)]
pub struct KindsColumns {
    versions: bool,
    clocks: bool,
}

impl KindsColumns {
    /// Those that are needed for these standings.
    pub fn of(standings: &Standings) -> KindsColumns {
        KindsColumns {
            versions: standings.rows.iter().any(|row| !row.versions.is_uniform()),
            clocks: !standings.clocks.is_uniform(),
        }
    }

    /// Their names.
    pub fn header(self) -> impl Iterator<Item = String> {
        let names = [self.versions.then_some("versions"), self.clocks.then_some("clocks")];
        names.into_iter().flatten().map(str::to_owned)
    }

    /// Their cells in the row of a bot.
    pub fn cells(self, row: &Standing) -> impl Iterator<Item = String> + use<> {
        let clocks = || row.clocks.named_counts();
        [self.versions.then(|| row.versions.counts()), self.clocks.then(clocks)].into_iter().flatten()
    }
}
