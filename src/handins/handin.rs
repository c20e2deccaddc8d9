//! What one student or group handed in.

use std::path::PathBuf;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::layout::Layout;

/// What one student or group handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandIn {
    /// Whose it is, as the tables say it.
    pub name: String,
    /// The name that it claims: that of another hand-in, perhaps, from which a number tells it.
    pub claims: String,
    /// The files and folders that belong to it, in the folder of hand-ins.
    pub entries: Vec<PathBuf>,
    /// How the files in that folder are called, if a web site has called them.
    pub layout: Option<Layout>,
    /// What there is to say about its name.
    pub remarks: Vec<String>,
}

impl HandIn {
    /// The name that it claims, as somebody sees it who does not look closely.
    pub fn seen_as(&self) -> String {
        seen_as(&self.claims)
    }
}

/// Letters of Greek and Cyrillic, in small, and the Latin ones that they look like.
const TWINS: [(&str, &str); 2] = [("αεικνορτυχ", "aeikvoptux"), ("аеорсухѕіјһквмнт", "aeopcyxsijhkbmht")];

/// A name without accents and capitals, and with Latin letters for those that look like them.
fn seen_as(name: &str) -> String {
    let plain = name.nfkd().filter(|&letter| !is_combining_mark(letter)).flat_map(char::to_lowercase);
    let twin = |letter: char| {
        let mut pairs = TWINS.iter().flat_map(|(theirs, latin)| theirs.chars().zip(latin.chars()));
        pairs.find(|(theirs, _)| *theirs == letter).map_or(letter, |(_, latin)| latin)
    };
    plain.map(twin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_are_seen_as_one() {
        for (name, other) in
            [("Ana Silva", "ana SILVA"), ("Ana", "\u{410}n\u{430}"), ("João", "Joao"), ("Ｂeto", "Beto")]
        {
            assert_eq!(seen_as(name), seen_as(other), "{name} {other}");
        }
        assert_ne!(seen_as("Ana"), seen_as("Ane"));
        for (theirs, latin) in TWINS {
            assert_eq!(theirs.chars().count(), latin.len(), "{theirs}");
        }
    }
}
