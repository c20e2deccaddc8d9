//! Opening an archive of any kind.

use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::folder::{self, Leftovers};
use super::kind::{self, Kind};
use super::outside_tools::{CONTENT, OutsideKind, OutsideTools, ToolProblem};
use super::place::Place;
use super::problem::Fault;
use super::tree::{About, Tree};
use super::{tar, zip};
use crate::championship::file_tree::open_file;
use crate::record::replace_file::UNFINISHED;

/// Unpacks the archive of this kind and name into a tree. What tools need goes into a folder beside it.
pub fn open(
    path: &Path,
    name: &str,
    kind: Kind,
    tree: &mut Tree,
    tools: &dyn OutsideTools,
) -> Result<(), Fault> {
    let file = open_file(path).map_err(|error| Fault::unreadable(Path::new(""), &error))?;
    let length = file.metadata()?.len();
    if length == 0 {
        return Err(Fault::Damaged("it is empty".to_owned()));
    }
    // What is larger than all that it may hold is not even looked at.
    tree.budget().check_bytes(length)?;
    match kind {
        Kind::Zip => zip::open(file, tree),
        Kind::Tar => tar::open(BufReader::new(file), tree),
        Kind::Gzip => unpacked(MultiGzDecoder::new(BufReader::new(file)), name, tree),
        Kind::Outside(kind) => by_tool(path, name, kind, tree, tools),
    }
}

/// Goes on with what was packed by gzip and the like: an archive of tar, or a single file.
fn unpacked(mut content: impl Read, name: &str, tree: &mut Tree) -> Result<(), Fault> {
    let head = kind::head(&mut content)?;
    let mut whole = head.chain(&mut content);
    if kind::is_tar(whole.get_ref().0) {
        return tar::open(whole, tree);
    }
    let place = Place::read(kind::stem(name).as_bytes()).map_err(|(name, what)| Fault::Unsafe(name, what))?;
    match place {
        Some(place) => tree.file(&place, About::default(), &mut whole),
        None => tree.pass_over(0, &mut whole),
    }
}

/// Has a tool of the system open the archive in a folder of its own, and copies what is there then.
fn by_tool(
    path: &Path,
    name: &str,
    kind: OutsideKind,
    tree: &mut Tree,
    tools: &dyn OutsideTools,
) -> Result<(), Fault> {
    let beside = tree.root().parent().unwrap_or(Path::new("."));
    let scratch = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(beside)?;
    let limit = tree.budget().bytes_left();
    let opened = tools.open(path, kind, scratch.path(), limit);
    folder::make_readable(scratch.path())?;
    opened.map_err(|problem| match problem {
        ToolProblem::TooLarge => tree.budget().too_large(),
        problem => problem.into(),
    })?;
    match kind {
        OutsideKind::SevenZip | OutsideKind::Rar => folder::copy(scratch.path(), Leftovers::Count, tree),
        OutsideKind::Xz | OutsideKind::Bzip2 | OutsideKind::Zstd => {
            unpacked(BufReader::new(open_file(&scratch.path().join(CONTENT))?), name, tree)
        }
    }
}
