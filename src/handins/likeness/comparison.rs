//! Which hand-ins are alike, and where.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::source_files::source_files;
use super::tokens::tokens;
use super::winnowing::{Fingerprint, fingerprints, runs};
use crate::record::text::printable;

/// Pairs are listed from this share on. Of the honest programs in `tests/data/handins` the likest pair shares 3 %; two programs with
/// the same code for input and output share 26 %, and a disguised copy 82 %.
const LISTED: f64 = 0.4;
/// And if they have so many fingerprints in common: some 15 lines. Less is alike by chance.
const LEAST_COMMON: usize = 20;
/// What at least so many hand-ins have in common, and more than a third of all, everybody was given or has read.
const MANY: usize = 5;
/// How many passages are named.
const PLACES: usize = 2;
/// Fingerprints of one passage may be so many lines apart.
const GAP: u32 = 6;

/// A passage of a file: lines, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, in the hand-in.
    pub file: PathBuf,
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
}

/// Two hand-ins that are alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Likeness {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// The share of the smaller program's fingerprints that the other has too.
    pub share: f64,
    /// How many fingerprints they have in common.
    pub common: usize,
    /// The longest passages that they have in common, the longest first.
    pub places: Vec<(Place, Place)>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;
        let file = printable(self.file.as_os_str().as_bytes(), LONGEST);
        write!(f, "'{file}' {}–{}", self.first, self.last)
    }
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Likeness { one, other, share, places, .. } = self;
        let percent = (100.0 * share).floor();
        write!(f, "{one} and {other}: {percent} % of the smaller program's code is alike")?;
        for (index, (own, others)) in places.iter().enumerate() {
            let word = if index == 0 { ", most of it" } else { ";" };
            write!(f, "{word} {own} and {others}")?;
        }
        Ok(())
    }
}

/// A fingerprint in a file of a hand-in.
#[derive(Clone, Copy)]
struct Mark {
    file: u32,
    print: Fingerprint,
}

/// A hand-in as it is compared.
struct Program<'a> {
    name: &'a str,
    files: Vec<PathBuf>,
    marks: Vec<Mark>,
    hashes: HashSet<u64>,
}

/// Finds the hand-ins that are alike, the likest first: each with its name and the folder of its sources. What is in the template
/// was given to everybody, and does not count.
pub fn compare(handins: &[(String, PathBuf)], template: Option<&Path>) -> Vec<Likeness> {
    let given = template.map(given).unwrap_or_default();
    let mut programs: Vec<Program> =
        handins.iter().map(|(name, folder)| Program::read(name, folder, &given)).collect();
    let mut owners: HashMap<u64, Vec<u32>> = HashMap::new();
    for (index, program) in (0..).zip(&programs) {
        program.hashes.iter().for_each(|&hash| owners.entry(hash).or_default().push(index));
    }
    let is_common = |owners: &[u32]| owners.len() >= MANY && 3 * owners.len() > handins.len();
    for program in &mut programs {
        program.hashes.retain(|hash| !is_common(&owners[hash]));
        let Program { marks, hashes, .. } = program;
        marks.retain(|mark| hashes.contains(&mark.print.hash));
    }
    let mut shared: HashMap<(u32, u32), usize> = HashMap::new();
    for owners in owners.values().filter(|owners| !is_common(owners)) {
        for (index, &one) in owners.iter().enumerate() {
            owners[index + 1..].iter().for_each(|&other| *shared.entry((one, other)).or_default() += 1);
        }
    }
    let mut found: Vec<Likeness> = Vec::new();
    for ((one, other), common) in shared {
        let (one, other) = (&programs[one as usize], &programs[other as usize]);
        let share = common as f64 / one.hashes.len().min(other.hashes.len()) as f64;
        if share >= LISTED && common >= LEAST_COMMON {
            let (one_name, other_name) = (one.name.to_owned(), other.name.to_owned());
            let places = places(one, other);
            found.push(Likeness { one: one_name, other: other_name, share, common, places });
        }
    }
    let names = |likeness: &Likeness| (likeness.one.clone(), likeness.other.clone());
    found.sort_by(|one, other| other.share.total_cmp(&one.share).then_with(|| names(one).cmp(&names(other))));
    found
}

/// The hashes of all that everybody was given.
fn given(template: &Path) -> HashSet<u64> {
    let hashes = |file: super::source_files::SourceFile| {
        let tokens = tokens(&file.text, file.syntax);
        runs(&tokens, file.syntax.family).map(|run| run.hash).collect::<Vec<_>>()
    };
    source_files(template).into_iter().flat_map(hashes).collect()
}

impl Program<'_> {
    fn read<'a>(name: &'a str, folder: &Path, given: &HashSet<u64>) -> Program<'a> {
        let (mut files, mut marks) = (Vec::new(), Vec::new());
        for (file, source) in (0..).zip(source_files(folder)) {
            let prints = fingerprints(&tokens(&source.text, source.syntax), source.syntax.family);
            let own = prints.into_iter().filter(|print| !given.contains(&print.hash));
            marks.extend(own.map(|print| Mark { file, print }));
            files.push(source.name);
        }
        let hashes = marks.iter().map(|mark| mark.print.hash).collect();
        Program { name, files, marks, hashes }
    }

    fn place(&self, from: &Mark, last: u32) -> Place {
        Place { file: self.files[from.file as usize].clone(), first: from.print.first, last }
    }
}

/// A passage that two programs share, while it grows.
struct Passage {
    own: Mark,
    own_last: u32,
    others: Mark,
    others_last: u32,
}

impl Passage {
    fn new(own: Mark, others: Mark) -> Passage {
        Passage { own, own_last: own.print.last, others, others_last: others.print.last }
    }

    /// Whether these marks, which are alike, go on with it.
    fn goes_on(&self, own: &Mark, others: &Mark) -> bool {
        let follows = |begin: &Mark, last: u32, mark: &Mark| {
            mark.file == begin.file && mark.print.first >= begin.print.first && mark.print.first <= last + GAP
        };
        follows(&self.own, self.own_last, own) && follows(&self.others, self.others_last, others)
    }

    fn lines(&self) -> u32 {
        self.own_last - self.own.print.first
    }
}

/// The longest passages that two programs share.
fn places(one: &Program, other: &Program) -> Vec<(Place, Place)> {
    let mut where_in_other: HashMap<u64, Vec<Mark>> = HashMap::new();
    for &mark in &other.marks {
        let marks = where_in_other.entry(mark.print.hash).or_default();
        // What repeats itself without end is found by its first places, too.
        if marks.len() < 16 {
            marks.push(mark);
        }
    }
    let mut passages: Vec<Passage> = Vec::new();
    for &own in &one.marks {
        let Some(candidates) = where_in_other.get(&own.print.hash) else { continue };
        let next = passages.last_mut().and_then(|passage| {
            let others = candidates.iter().find(|others| passage.goes_on(&own, others))?;
            Some((passage, others))
        });
        match next {
            Some((passage, others)) => {
                passage.own_last = passage.own_last.max(own.print.last);
                passage.others_last = passage.others_last.max(others.print.last);
            }
            None => passages.push(Passage::new(own, candidates[0])),
        }
    }
    passages.sort_by_key(|passage| std::cmp::Reverse(passage.lines()));
    let shown = passages.iter().take(PLACES);
    shown
        .map(|passage| {
            (one.place(&passage.own, passage.own_last), other.place(&passage.others, passage.others_last))
        })
        .collect()
}
