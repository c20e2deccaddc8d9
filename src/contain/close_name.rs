//! Names that somebody may have meant who has written another one.

use std::path::{Path, PathBuf};

/// How many entries of a folder are compared.
const MOST: usize = 10_000;

/// A file that is there and is called nearly like one that is not, written as the other one was. `from` is the folder that relative
/// paths are counted from.
pub fn close_file(missing: &str, from: &Path) -> Option<String> {
    let path = Path::new(missing);
    let wanted = path.file_name()?.to_str()?;
    let parent = path.parent().unwrap_or(Path::new(""));
    let entries = from.join(parent).read_dir().into_iter().flatten().flatten().take(MOST);
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let close = closest(wanted, names.iter().map(String::as_str))?;
    // As it was typed: `./` is kept, which joining paths would keep too, but not for a name alone.
    let found: PathBuf = parent.join(close);
    found.to_str().filter(|text| !text.contains(char::is_control)).map(str::to_owned)
}

/// The name that is closest to the one that was wanted, if any is close.
pub fn closest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (wanted.chars().count() / 3).clamp(1, 2);
    let near = names.map(|name| (distance(wanted, name), name)).filter(|(steps, _)| *steps <= allowed);
    near.min().map(|(_, name)| name)
}

/// How many slips of the pen, such as two letters exchanged, make one word of another (the optimal string alignment distance), not
/// counting capitals.
fn distance(one: &str, other: &str) -> usize {
    strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_close_and_other_names_are_not() {
        assert_eq!(["ana", "aan", "an", "anna", "bna"].map(|name| distance("ana", name)), [0, 1, 1, 1, 1]);
        assert_eq!(distance("Bot.PY", "bot.py"), 0);
        let names = ["nade.py", "beto.py", "x"];
        assert_eq!(closest("nada.py", names.into_iter()), Some("nade.py"));
        assert_eq!(closest("caio.py", names.into_iter()), None);
        assert_eq!(closest("y", names.into_iter()), Some("x"));
    }

    #[test]
    fn a_close_file_is_written_as_the_missing_one_was() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("ana")).unwrap();
        std::fs::write(folder.path().join("ana/bot.py"), "").unwrap();
        let close = |missing: &str| close_file(missing, folder.path());
        assert_eq!(close("ana/bto.py").as_deref(), Some("ana/bot.py"));
        assert_eq!(close("./anna").as_deref(), Some("./ana"));
        assert_eq!(close("anna").as_deref(), Some("ana"));
        assert_eq!((close("beto/bot.py"), close(""), close("..")), (None, None, None));
    }
}
