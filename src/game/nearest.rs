//! The name that somebody may have meant.

/// The one of these names that a mistyped word is nearest to, if it is near to any: a letter in three may be wrong, and the beginning
/// of a name will do.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    let distance = |name: &str| {
        let name = name.to_lowercase();
        let distance = strsim::osa_distance(&word, &name);
        let is_beginning = word.chars().count() >= 3 && name.starts_with(&word);
        if is_beginning { distance.min(1) } else { distance }
    };
    let near = names.into_iter().map(|name| (distance(name), name)).filter(|(distance, name)| {
        // A name of which nothing is left is not meant.
        *distance <= allowed && *distance < name.chars().count()
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_understood_and_another_word_is_not() {
        let of = |word: &str| nearest(word, ["hex", "rhex", "okupacio", "xinez", "championship"]);
        for (word, name) in [
            ("hx", "hex"),
            ("Hex", "hex"),
            ("hxe", "hex"),
            ("rhex", "rhex"),
            ("rhx", "rhex"),
            ("okupació", "okupacio"),
            ("ocupacio", "okupacio"),
            ("champ", "championship"),
            ("chanpionshp", "championship"),
        ] {
            assert_eq!(of(word), Some(name), "{word}");
        }
        for word in ["", "x", "go", "chess", "play", "./mybot"] {
            assert_eq!(of(word), None, "{word}");
        }
    }
}
