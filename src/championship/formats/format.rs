//! The names of the formats.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// How opponents are found. The variants give the names: `round-robin`, `gauntlet`, `swiss`, `duel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every bot meets every other
    RoundRobin,
    /// The first bot meets all others
    Gauntlet,
    /// Each round pairs bots with similar scores, none twice
    Swiss,
    /// A match between the bots of one game. It has a subcommand of its own, so nobody chooses it as a format.
    #[value(skip)]
    Duel,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A formatter is a serializer of bare names, so the settings and the messages agree.
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_has_one_name_everywhere() {
        for &format in Format::value_variants() {
            let name = format.to_possible_value().expect("it can be chosen").get_name().to_owned();
            assert_eq!(format.to_string(), name);
            assert_eq!(serde_json::to_string(&format).unwrap(), format!("{name:?}"));
            assert_eq!(<Format as ValueEnum>::from_str(&name, false), Ok(format));
        }
        assert_eq!(format!("{:>12}|", Format::RoundRobin), " round-robin|");
        assert_eq!(Format::value_variants(), [Format::RoundRobin, Format::Gauntlet, Format::Swiss]);
    }

    #[test]
    fn a_duel_is_stored_but_not_chosen() {
        assert_eq!(Format::Duel.to_string(), "duel");
        assert_eq!(serde_json::from_str::<Format>("\"duel\"").unwrap(), Format::Duel);
        assert!(<Format as ValueEnum>::from_str("duel", false).is_err());
    }
}
