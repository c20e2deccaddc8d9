//! Plain sources in Java.

use std::path::{Path, PathBuf};

use super::choose::Source;
use super::listing::{Listing, folder_of, is_test, name};
use super::mains::{Main, java_package};
use super::plan::{Nothing, Recipe, Starts, Step, word, words};
use crate::contain::language::{Compiled, Language};
use crate::handins::toolbox::{Tool, Toolbox};

/// Builds the class that has the program, together with all others.
pub fn recipe(
    listing: &Listing,
    sources: &[Source],
    main: &Source,
    toolbox: &Toolbox,
) -> Result<Recipe, Nothing> {
    let javac = toolbox.command(Tool::Javac)?;
    toolbox.command(Tool::Java)?;
    let Some(Main::Class(class)) = &main.main else {
        let file = main.path.display();
        return Err(Nothing::NotChosen(format!("'{file}' has no public static void main(String[])")));
    };
    let root = root_of(listing, &main.path);
    let files = together(listing, sources, main, &root);
    let libraries: Vec<PathBuf> =
        listing.files().filter(|path| name(path).ends_with(".jar")).map(Path::to_owned).collect();
    let root_word = if root.as_os_str().is_empty() { ".".to_owned() } else { root.display().to_string() };
    let class_path =
        std::iter::once(root_word.clone()).chain(libraries.iter().map(|jar| jar.display().to_string()));
    let class_path = shell_words::quote(&class_path.collect::<Vec<_>>().join(":")).into_owned();
    // A file that is no UTF-8 was written on an old Windows, whose letters are nearly those of Latin-1.
    let is_utf8 = files.iter().all(|path| std::str::from_utf8(&listing.bytes(path)).is_ok());
    let encoding = if is_utf8 { "UTF-8" } else { "ISO-8859-1" };
    let marked: Vec<PathBuf> =
        files.iter().filter(|path| listing.bytes(path).starts_with(b"\xef\xbb\xbf")).cloned().collect();
    // The compiler takes the mark that some editors put before a text for a letter.
    let unmark = match marked.is_empty() {
        true => String::new(),
        false => format!("sed -i '1s/^\\xEF\\xBB\\xBF//' {}\n", words(&marked)),
    };
    let script = format!(
        "{unmark}{javac} -encoding {encoding} -cp {class_path} -d {} {}",
        word(Path::new(&root_word)),
        words(&files)
    );
    Ok(Recipe {
        how: format!("javac {}", name(&main.path)),
        step: Step::Build(script),
        starts: Starts::With(format!("java -cp {class_path} {}", shell_words::quote(class))),
        remarks: Vec::new(),
        toolbox: toolbox.clone(),
    })
}

/// The folder that the packages of a source are counted from.
fn root_of(listing: &Listing, path: &Path) -> PathBuf {
    let package = java_package(&listing.text(path));
    let folder = folder_of(path);
    let parts: PathBuf = package.split('.').filter(|part| !part.is_empty()).collect();
    if !package.is_empty() && folder.ends_with(&parts) {
        let up = parts.components().count();
        return folder.ancestors().nth(up).unwrap_or(folder).to_owned();
    }
    folder.to_owned()
}

/// The sources that belong to the program: no tests, and each class once.
fn together(listing: &Listing, sources: &[Source], main: &Source, root: &Path) -> Vec<PathBuf> {
    let java = |source: &&Source| source.language == Language::Compiled(Compiled::Java);
    let mut files: Vec<PathBuf> = vec![main.path.clone()];
    let mut classes = vec![(java_package(&listing.text(&main.path)), name(&main.path).to_owned())];
    let (mut near, mut far): (Vec<&Source>, Vec<&Source>) =
        sources.iter().filter(java).partition(|source| root_of(listing, &source.path) == root);
    // Other programs have their own classes.
    far.retain(|source| source.main.is_none() && source.path.starts_with(root));
    near.append(&mut far);
    for source in near {
        let text = listing.text(&source.path);
        let class = (java_package(&text), name(&source.path).to_owned());
        if !is_test(&source.path) && !text.contains("import org.junit") && !classes.contains(&class) {
            classes.push(class);
            files.push(source.path.clone());
        }
    }
    files
}
