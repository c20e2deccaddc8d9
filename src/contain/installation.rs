//! Where interpreters are installed: what a program has to see so that they run, wherever the user has put them.
//!
//! Only what the user has put on the `PATH`, or has typed, counts as installed. What a program's own files say shows it nothing.

use std::path::{Path, PathBuf};

use super::executable;
use super::visible_files::is_system;

/// Folders of programs in an installation: what it consists of is beside them.
const PROGRAMS: [&str; 2] = ["bin", "shims"];
/// What an installation has beside its programs, and a folder of bots has not.
const SIGNS: [&str; 4] = ["lib", "lib64", "libexec", "pyvenv.cfg"];
/// What can be shown of a folder that holds more than an installation, such as `~/.local` with the user's own data.
const PARTS: [&str; 4] = ["bin", "lib", "lib64", "libexec"];
/// Folders of this kind in a home directory that hold an installation and nothing private.
const MANAGERS: [&str; 9] =
    [".pyenv", ".rbenv", ".nvm", ".sdkman", ".jenv", ".asdf", ".deno", ".bun", ".nodenv"];

/// What is to be shown so that this executable runs, both under its name and where links lead: nothing for one of the system.
pub fn of_executable(program: &Path) -> Vec<PathBuf> {
    let leads_to = program.canonicalize().ok();
    let mut shown = Vec::new();
    for path in leads_to.iter().map(PathBuf::as_path).chain([program]).filter(|path| !is_system(path)) {
        shown.push(path.to_owned());
        shown.extend(path.parent().map(around).unwrap_or_default());
    }
    shown
}

/// The same for the interpreter that a script's first line names, if that is a command that the user has on the `PATH`. A line that
/// names any other file shows nothing: the author of the script wrote it.
pub fn of_interpreter(script: &Path) -> Vec<PathBuf> {
    let Some(interpreter) = executable::interpreter_of(script) else { return Vec::new() };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_command = std::env::split_paths(&path)
        .any(|folder| folder.is_absolute() && interpreter.parent() == Some(folder.as_path()));
    if is_command { of_executable(&interpreter) } else { Vec::new() }
}

/// The folder that an executable was installed in, if it is part of an installation.
pub fn root_of(program: &Path) -> Option<PathBuf> {
    is_installed(program).then(|| program.parent().and_then(Path::parent).map(Path::to_owned)).flatten()
}

/// Whether an executable is part of an installation, and not a program by itself.
pub fn is_installed(program: &Path) -> bool {
    program.parent().is_some_and(|folder| !around(folder).is_empty())
}

/// Whether a file is one of the user's own commands, or installed together with them.
pub fn is_on_path(file: &Path) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.any(|folder| {
        file.parent() == Some(&folder) || around(&folder).iter().any(|root| file.starts_with(root))
    })
}

/// What was installed together with the programs in this folder.
fn around(folder: &Path) -> Vec<PathBuf> {
    let is_programs = folder.file_name().is_some_and(|name| PROGRAMS.iter().any(|known| name == *known));
    let Some(root) = folder.parent().filter(|_| is_programs) else { return Vec::new() };
    if is_home(root) || !SIGNS.iter().any(|sign| root.join(sign).exists()) {
        return Vec::new();
    }
    let name = root.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_private = name.starts_with('.') && root.parent().is_some_and(is_home) && !MANAGERS.contains(&name);
    if !is_private {
        return vec![root.to_owned()];
    }
    PARTS.iter().map(|part| root.join(part)).filter(|part| part.exists()).collect()
}

/// Whether this is a home directory, holds home directories or is open to everybody: nothing that belongs to one program.
pub fn is_home(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let homes = home.iter().map(PathBuf::as_path).chain([
        Path::new("/root"),
        Path::new("/tmp"),
        Path::new("/var/tmp"),
        Path::new("/home/x"),
    ]);
    homes.into_iter().any(|home| home.starts_with(folder))
        || folder.parent().is_some_and(|parent| parent == Path::new("/home"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(root: &Path, files: &[&str]) {
        for file in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
    }

    #[test]
    fn an_installation_is_shown_whole_and_a_folder_of_bots_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        made(&root, &["jdk/bin/java", "jdk/lib/modules", "bots/bin/ana", "bots/secret"]);
        assert!(of_executable(&root.join("jdk/bin/java")).contains(&root.join("jdk")));
        let bot = root.join("bots/bin/ana");
        assert_eq!(of_executable(&bot), [bot.clone(), bot.clone()]);
        assert!(is_installed(&root.join("jdk/bin/java")) && !is_installed(&bot));
        assert!(of_executable(Path::new("/usr/bin/env")).is_empty());
    }

    /// Once, the first line of a program's own file made whole folders of the user's readable to it.
    #[test]
    fn the_first_line_of_a_file_shows_nothing_but_commands() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        made(folder.path(), &["secret/bin/x", "secret/lib/y", "bots/z"]);
        let lines = [
            format!("#!{}", path("secret/bin/x").display()),
            format!("#!{}", path("bots/../secret/bin/x").display()),
            "#!secret/bin/x".to_owned(),
            format!("#!/usr/bin/env {}", path("secret/bin/x").display()),
            "#!/usr/bin/env ../secret/bin/x".to_owned(),
        ];
        for line in lines {
            std::fs::write(path("bots/spy.py"), format!("{line}\n")).unwrap();
            assert_eq!(of_interpreter(&path("bots/spy.py")), [] as [PathBuf; 0], "{line}");
        }
    }
}
