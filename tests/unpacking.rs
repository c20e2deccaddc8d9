//! Hand-ins are found and unpacked, whatever was packed: nothing is written elsewhere, and nothing grows beyond its limits.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use arbitro::handins::find::{Found, find};
use arbitro::handins::handin::HandIn;
use arbitro::handins::layout::Layout;
use arbitro::handins::names::Names;
use arbitro::handins::unpack::outside_tools::{CONTENT, OutsideKind, OutsideTools, ToolProblem};
use arbitro::handins::unpack::{Problem, UnpackLimits, unpack};

/// Tools of this machine, without containment.
struct Plain;

impl OutsideTools for Plain {
    fn open(&self, archive: &Path, kind: OutsideKind, into: &Path, limit: u64) -> Result<(), ToolProblem> {
        let archive = archive.to_str().unwrap();
        let (package, words) = match kind {
            OutsideKind::Xz => ("xz-utils", vec!["xz", "-dc", archive]),
            OutsideKind::Bzip2 => ("bzip2", vec!["bzip2", "-dc", archive]),
            OutsideKind::Zstd => ("zstd", vec!["zstd", "-dc", archive]),
            OutsideKind::SevenZip => ("7zip", vec!["7z", "x", "-y", "-p", archive]),
            OutsideKind::Rar => ("unrar", vec!["unrar", "x", "-p-", archive]),
        };
        let out = match kind {
            OutsideKind::SevenZip | OutsideKind::Rar => Stdio::null(),
            _ => File::create(into.join(CONTENT)).unwrap().into(),
        };
        let ran = Command::new(words[0])
            .args(&words[1..])
            .current_dir(into)
            .stdin(Stdio::null())
            .stdout(out)
            .output();
        let ran = ran.map_err(|_| ToolProblem::Missing { package })?;
        assert!(limit > 0);
        let said = String::from_utf8_lossy(&ran.stderr);
        match ran.status.success() {
            true => Ok(()),
            false if said.contains("password") => Err(ToolProblem::Password),
            false => Err(ToolProblem::Damaged("the tool says so".to_owned())),
        }
    }
}

/// No tool is installed.
struct Nothing;

impl OutsideTools for Nothing {
    fn open(&self, _: &Path, _: OutsideKind, _: &Path, _: u64) -> Result<(), ToolProblem> {
        Err(ToolProblem::Missing { package: "7zip" })
    }
}

/// The folder of all archives that the script makes.
fn archives() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unpacking/hostile.py");
        let made = Command::new("python3").arg("-Wignore").arg(script).arg(folder.path()).status().unwrap();
        assert!(made.success());
        folder
    });
    folder.path()
}

fn handin(entries: &[PathBuf]) -> HandIn {
    let is_moodles = entries.iter().any(|path| path.to_string_lossy().contains("_assignsubmission_file_"));
    HandIn {
        name: "Ana".to_owned(),
        claims: "Ana".to_owned(),
        entries: entries.to_vec(),
        layout: is_moodles.then_some(Layout::Moodle),
        remarks: Vec::new(),
    }
}

/// A hand-in that was unpacked, or not.
struct Tried {
    all: tempfile::TempDir,
    result: Result<(PathBuf, Vec<String>), Problem>,
}

impl Tried {
    fn with(entries: &[PathBuf], limits: UnpackLimits, tools: &dyn OutsideTools) -> Tried {
        let all = tempfile::tempdir().unwrap();
        let sources = all.path().join("a/b/sources");
        let unpacked = unpack(&handin(entries), &sources, &limits, tools);
        let result = unpacked.map(|unpacked| (unpacked.folder, unpacked.remarks));
        // Nothing is left beside the folder that was given.
        for (folder, only) in [("", "a"), ("a", "b"), ("a/b", "sources")] {
            let inside: Vec<_> = fs::read_dir(all.path().join(folder))
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect();
            assert_eq!(inside, [only], "{entries:?}");
        }
        Tried { all, result }
    }

    fn archive(name: &str) -> Tried {
        Tried::with(&[archives().join(name)], UnpackLimits::default(), &Plain)
    }

    fn problem(&self) -> String {
        match &self.result {
            Ok(unpacked) => panic!("it was unpacked: {unpacked:?}"),
            Err(problem) => problem.to_string(),
        }
    }

    fn folder(&self) -> &Path {
        &self.result.as_ref().unwrap_or_else(|problem| panic!("{problem}")).0
    }

    /// All files in the folder that was found, in order, with their modes where they may be run.
    fn files(&self) -> Vec<String> {
        fn add(folder: &Path, root: &Path, files: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let data = path.symlink_metadata().unwrap();
                assert!(data.is_file() || data.is_dir(), "{}", path.display());
                assert_eq!(data.permissions().mode() & 0o7600, 0o600);
                if data.is_dir() {
                    add(&path, root, files);
                } else {
                    let run = if data.permissions().mode() & 0o100 == 0 { "" } else { "*" };
                    files.push(format!("{}{run}", path.strip_prefix(root).unwrap().display()));
                }
            }
        }
        let mut files = Vec::new();
        add(self.folder(), self.folder(), &mut files);
        files.sort();
        files
    }
}

#[test]
fn what_leads_out_or_is_no_file_is_refused_by_name() {
    for (name, words) in [
        ("parent.zip", "'../../evil' leads out of its folder with '..'"),
        ("absolute.zip", "'/tmp/arbitro-evil' is a path from the root"),
        ("drive.zip", "'C:\\evil' is a path from the root"),
        ("share.zip", "is a path from the root"),
        ("backslash.zip", "leads out of its folder with '..'"),
        ("hidden-parent.zip", "leads out of its folder with '..'"),
        ("link.zip", "'out' is a link that leads out, to '/etc'"),
        ("through.zip", "'out/evil' has the same place"),
        ("parent.tar", "'../../evil' leads out of its folder with '..'"),
        ("absolute.tar", "'/tmp/arbitro-evil' is a path from the root"),
        ("link.tar.gz", "'out' is a link that leads out, to '/tmp'"),
        ("parent-link.tar", "'a/out' is a link that leads out, to '../../..'"),
        ("hard-link.tar", "'x' is a link that leads out, to '/etc/passwd'"),
        ("parent-hard-link.tar", "'a/x' is a link that leads out"),
        ("through.tar", "'out/evil' has the same place"),
        ("device.tar", "'disk' is a device"),
        ("terminal.tar", "'tty' is a device"),
        ("pipe.tar", "'pipe' is a device, a pipe"),
        ("pipe.zip", "'pipe' is a device, a pipe"),
        ("control.zip", "'a\\u{1b}[2Jb.c' has a control character"),
        ("newline.tar", "'a\\nb.c' has a control character"),
        ("long.zip", "has too long a name"),
        ("deep.tar", "has too long a name"),
        ("accents.zip", "'ação.c' has the same place"),
        ("file-and-folder.zip", "'a/b' has the same place"),
        ("folder-and-file.tar", "'a' has the same place"),
    ] {
        let tried = Tried::archive(name);
        let problem = tried.problem();
        assert!(
            problem.starts_with(&format!("'{name}' is not safe: ")) && problem.contains(words),
            "{name}: {problem}"
        );
        assert!(!tried.result.unwrap_err().is_passing());
        assert!(!tried.all.path().join("evil").exists() && !tried.all.path().join("a/evil").exists());
    }
    assert!(!Path::new("/tmp/arbitro-evil").exists() && !Path::new("/etc/evil").exists());
}

#[test]
fn what_is_damaged_or_locked_is_said_in_words() {
    for (name, words) in [
        ("locked.zip", "is protected by a password"),
        ("cut.zip", "is damaged: its end is missing, as after an incomplete upload"),
        ("cut.tar.gz", "is damaged: it ends too early"),
        ("cut.tar", "is damaged: it ends too early"),
        ("corrupt.zip", "is damaged: 'main.c' in it cannot be unpacked"),
        ("empty.zip", "is damaged: it is empty"),
        ("page.zip", "it is no zip archive"),
        ("page.tar.gz", "is damaged: "),
        ("unusual.zip", "is packed in an unusual way (bzip2)"),
    ] {
        let problem = Tried::archive(name).problem();
        assert!(problem.starts_with(&format!("'{name}' ")) && problem.contains(words), "{name}: {problem}");
    }
}

/// What comes of unpacking an archive, and the time and memory (in kB) that a process of its own needs for it.
fn measured(name: &str) -> (String, Duration, u64) {
    let all = tempfile::tempdir().unwrap();
    let command = Command::new(std::env::current_exe().unwrap());
    let output = in_a_process_of_its_own(command, &archives().join(name), all.path());
    let mut words = output.splitn(3, ' ');
    let mut number =
        || words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{name}: {output}"));
    let (milliseconds, memory) = (number(), number());
    (words.next().unwrap().to_owned(), Duration::from_millis(milliseconds), memory)
}

fn in_a_process_of_its_own(mut command: Command, archive: &Path, all: &Path) -> String {
    command.args(["--ignored", "--exact", "one_archive_in_a_process_of_its_own", "--nocapture"]);
    command.env("HANDIN", archive).env("SOURCES", all.join("sources"));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| Some(line.split_once("RESULT ")?.1.to_owned()));
    line.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
#[ignore = "it is run by other tests"]
fn one_archive_in_a_process_of_its_own() {
    let Some(archive) = std::env::var_os("HANDIN") else { return };
    let sources = PathBuf::from(std::env::var_os("SOURCES").unwrap());
    let limits = UnpackLimits::default();
    let problem = match unpack(&handin(&[archive.into()]), &sources, &limits, &Plain) {
        Ok(_) => "none".to_owned(),
        Err(problem) => format!("{problem} ({})", if problem.is_passing() { "passing" } else { "for good" }),
    };
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    // Time of the processor: other tests run at the same time.
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let milliseconds = used.tv_sec * 1000 + used.tv_nsec / 1_000_000;
    println!("\nRESULT {milliseconds} {} {problem}", peak.trim().strip_suffix(" kB").unwrap());
}

#[test]
fn bombs_are_refused_soon_and_in_little_memory() {
    for (name, words) in [
        ("bomb.zip", "holds more than 512M; --unpack-limit allows more"),
        ("lying-bomb.zip", "is damaged: 'zeros' in it cannot be unpacked"),
        ("bomb.tar.gz", "holds more than 512M"),
        ("bomb.gz", "holds more than 512M"),
        ("bombs.zip", "holds more than 512M"),
        ("overlap.zip", "is damaged: its files lie in one another"),
        ("many.zip", "holds more than 10000 files"),
        ("many.tar.gz", "holds more than 10000 files"),
        ("nested.zip", "holds archives inside archives, more than 3 deep"),
        ("quine.zip", "holds archives inside archives, more than 3 deep"),
        ("huge.tar", "holds more than 512M"),
        ("huger.tar", "holds more than 512M"),
        ("sparse.tar", "holds more than 512M"),
        ("long-name.tar.gz", "is damaged: there is no end of what describes its files"),
        ("long-fields.tar.gz", "is damaged: there is no end of what describes its files"),
    ] {
        let (problem, took, memory) = measured(name);
        eprintln!("{name}: {took:?}, {} MB: {problem}", memory / 1024);
        assert!(problem.contains(words) && problem.ends_with("(for good)"), "{name}: {problem}");
        assert!(memory < 200 * 1024, "{name}: {memory} kB");
        assert!(took < Duration::from_secs(5), "{name}: {took:?}");
    }
}

#[test]
fn folders_count_as_files_do() {
    let limits = UnpackLimits { entries: 500, ..UnpackLimits::default() };
    let many = Tried::with(&[archives().join("many-folders.tar.gz")], limits, &Plain);
    assert!(many.problem().contains("holds more than 500 files and folders"), "{}", many.problem());
}

/// How many bytes this thread has read so far; nothing where the system does not count them.
fn bytes_read() -> Option<u64> {
    let counts = fs::read_to_string("/proc/thread-self/io").ok()?;
    counts.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse().ok())
}

#[test]
fn two_gigabytes_are_refused_without_being_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("Ana")).unwrap();
    for (name, subject) in [("big.zip", "big.zip"), ("big.c", "big.c"), ("Ana/data", "Ana")] {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(2 << 30).unwrap();
        let entry = if subject == "Ana" { folder.path().join("Ana") } else { path };
        let before = bytes_read();
        let problem = Tried::with(&[entry], UnpackLimits::default(), &Plain).problem();
        assert_eq!(problem, format!("'{subject}' holds more than 512M; --unpack-limit allows more"));
        if let (Some(before), Some(after)) = (before, bytes_read()) {
            assert!(after - before < 1 << 20, "{} bytes were read", after - before);
        }
    }
}

#[test]
fn odd_archives_that_are_good_are_unpacked() {
    for (name, folder, files) in [
        ("code-page.zip", "", &["ação.c", "leia-me.txt"][..]),
        ("mac.zip", "ep", &["ação.c"]),
        ("windows.zip", "ep", &["Makefile", "src/main.c"]),
        ("links.tar", "ep", &["again.c", "copy.c", "hard.c", "main.c", "sub/x.h", "tool.sh*"]),
        ("renamed.zip", "ep", &["main.c"]),
        ("twice.zip", "", &["main.c"]),
        ("inner.zip", "entrega/ep5", &["data.zip", "src/main.c"]),
        ("prefixed.zip", "", &["main.c"]),
        ("one.gz", "", &["one"]),
        ("leftovers.zip", "ep", &["main.c"]),
    ] {
        let tried = Tried::archive(name);
        assert_eq!(tried.files(), files, "{name}");
        assert_eq!(tried.folder(), tried.all.path().join("a/b/sources").join(folder), "{name}");
    }
    let text = |tried: &Tried, name: &str| fs::read_to_string(tried.folder().join(name)).unwrap();
    assert!(text(&Tried::archive("twice.zip"), "main.c").contains("return 0"));
    let links = Tried::archive("links.tar");
    assert_eq!(text(&links, "again.c"), text(&links, "main.c"));
    assert_eq!(text(&links, "hard.c"), text(&links, "main.c"));
    let remarks = &links.result.as_ref().unwrap().1;
    assert!(
        remarks.iter().any(|remark| remark == "'ep/lost' is a link to a file that is not there"),
        "{remarks:?}"
    );
    assert!(
        remarks.iter().any(|remark| remark == "'ep/folder' is a link to a folder, and was left out"),
        "{remarks:?}"
    );
    let inner = Tried::archive("inner.zip");
    assert_eq!(
        inner.result.unwrap().1,
        ["'entrega/ep5/data.zip' was not opened: there is a program beside it"]
    );
    let old = Tried::archive("code-page.zip").folder().join("ação.c");
    assert!(!old.exists(), "the temporary folder is gone");
    let kept = Tried::archive("twice.zip");
    let changed = fs::metadata(kept.folder().join("main.c")).unwrap().modified().unwrap();
    assert!(changed.elapsed().unwrap() > Duration::from_secs(3600), "the time of the last change is kept");
}

#[test]
fn what_tools_unpack_is_checked_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let shell = |script: &str| {
        assert!(
            Command::new("sh").args(["-ec", script]).current_dir(folder.path()).status().unwrap().success()
        )
    };
    shell(
        "mkdir ep && echo 'int main;' > ep/main.c && tar cJf a.tar.xz ep && tar cjf b.tbz2 ep && xz -k ep/main.c && mv ep/main.c.xz .",
    );
    let only = |name: &str| Tried::with(&[path(name)], UnpackLimits::default(), &Plain);
    assert_eq!(only("a.tar.xz").files(), ["main.c"]);
    assert_eq!(only("b.tbz2").files(), ["main.c"]);
    assert_eq!(only("main.c.xz").files(), ["main.c"]);
    let missing = Tried::with(&[path("a.tar.xz")], UnpackLimits::default(), &Nothing);
    assert_eq!(missing.problem(), "'a.tar.xz' needs a tool that is not installed: apt install 7zip");
    assert!(missing.result.unwrap_err().is_passing());
    shell("mkdir big && head -c 100000 /dev/zero > big/x.c && tar cJf big.tar.xz big");
    let small = UnpackLimits { bytes: 10_000, ..UnpackLimits::default() };
    assert!(Tried::with(&[path("big.tar.xz")], small, &Plain).problem().contains("holds more than 10000;"));
    fs::write(path("broken.tar.xz"), &fs::read(path("a.tar.xz")).unwrap()[..100]).unwrap();
    assert!(only("broken.tar.xz").problem().starts_with("'broken.tar.xz' is damaged: "));
    if Command::new("7z").stdout(Stdio::null()).status().is_ok() {
        shell(
            "chmod 000 ep/main.c && mkdir ep/sub && ln -s main.c ep/copy.c && 7z a -bd -snl good.7z ep >/dev/null && \
             ln -s /etc/passwd ep/out && 7z a -bd -snl out.7z ep >/dev/null && 7z a -bd -psecret -mhe locked.7z ep/main.c >/dev/null",
        );
        assert_eq!(only("good.7z").files(), ["copy.c", "main.c"]);
        let problem = only("out.7z").problem();
        // Some versions of the tool notice by themselves.
        assert!(
            problem.contains("'ep/out' is a link that leads out") || problem.contains("is damaged"),
            "{problem}"
        );
        let locked = only("locked.7z").problem();
        assert!(locked.contains("password") || locked.contains("damaged"), "{locked}");
    }
}

#[test]
fn a_folder_is_copied_without_what_is_not_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let ana = folder.path().join("Ana");
    fs::create_dir_all(ana.join("ep/.git")).unwrap();
    fs::write(ana.join("ep/main.c"), "int main;").unwrap();
    fs::write(ana.join("ep/.git/config"), "x").unwrap();
    symlink("main.c", ana.join("ep/same.c")).unwrap();
    let copy = || Tried::with(std::slice::from_ref(&ana), UnpackLimits::default(), &Plain);
    assert_eq!(copy().files(), ["main.c", "same.c"]);
    symlink("/etc/passwd", ana.join("ep/out")).unwrap();
    assert_eq!(copy().problem(), "'Ana' is not safe: 'ep/out' is a link that leads out, to '/etc/passwd'");
    fs::remove_file(ana.join("ep/out")).unwrap();
    assert!(Command::new("mkfifo").arg(ana.join("ep/pipe")).status().unwrap().success());
    assert_eq!(copy().problem(), "'Ana' is not safe: 'ep/pipe' is a device, a pipe or a socket");
    fs::remove_file(ana.join("ep/pipe")).unwrap();
    // Several files of one student keep the names that the student gave them.
    let flat = |name: &str| folder.path().join(format!("Ana_1_assignsubmission_file_{name}"));
    fs::write(flat("main.c"), "int main;").unwrap();
    fs::copy(archives().join("renamed.zip"), flat("rest.zip")).unwrap();
    let all = Tried::with(&[flat("main.c"), flat("rest.zip")], UnpackLimits::default(), &Plain);
    assert_eq!(all.files(), ["main.c", "rest/ep/main.c"]);
}

#[test]
fn a_full_disk_is_not_the_students_fault() {
    let all = tempfile::tempdir().unwrap();
    let archive = all.path().join("ana.zip");
    let made = Command::new("python3")
        .args([
            "-c",
            "import os, sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr('x.c', os.urandom(8 << 20))",
        ])
        .arg(&archive)
        .status();
    assert!(made.unwrap().success());
    fs::create_dir(all.path().join("small")).unwrap();
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", "mount -t tmpfs -o size=1m none \"$0\" && exec \"$@\""]);
    command.arg(all.path().join("small")).arg(std::env::current_exe().unwrap());
    if !Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: no small disk can be made here");
        return;
    }
    let result = in_a_process_of_its_own(command, &archive, &all.path().join("small"));
    assert!(
        result.ends_with("'ana.zip' cannot be unpacked here: no space left on device (passing)"),
        "{result}"
    );
}

#[test]
fn what_may_not_be_read_is_named() {
    let all = tempfile::tempdir().unwrap();
    fs::set_permissions(all.path(), Permissions::from_mode(0o777)).unwrap();
    let ana = all.path().join("Ana");
    fs::create_dir(&ana).unwrap();
    fs::write(ana.join("main.c"), "x").unwrap();
    fs::set_permissions(ana.join("main.c"), Permissions::from_mode(0o000)).unwrap();
    let tests = all.path().join("tests");
    fs::copy(std::env::current_exe().unwrap(), &tests).unwrap();
    let mut command = Command::new(&tests);
    if rustix::process::geteuid().is_root() {
        command.uid(65534).current_dir("/");
    }
    let result = in_a_process_of_its_own(command, &ana, all.path());
    let why = "permission denied (chmod -R u+rX lets you read it) (passing)";
    assert!(result.ends_with(&format!("'Ana' cannot be read: 'main.c': {why}")), "{result}");
    // Once, what was handed in itself was named twice, or as '.'; and an archive could not be unpacked "here".
    fs::write(all.path().join("beto.zip"), "PK").unwrap();
    fs::write(all.path().join("caio.c"), "x").unwrap();
    for name in ["Ana", "beto.zip", "caio.c"] {
        let path = all.path().join(name);
        fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
        let mut command = Command::new(&tests);
        if rustix::process::geteuid().is_root() {
            command.uid(65534).current_dir("/");
        }
        let result = in_a_process_of_its_own(command, &path, all.path());
        assert!(result.ends_with(&format!(" '{name}' cannot be read: {why}")), "{result}");
        fs::remove_dir_all(all.path().join("sources")).unwrap();
    }
    fs::set_permissions(&ana, Permissions::from_mode(0o700)).unwrap();
}

/// Once, that was called a fault of the machine, and tried again each time.
#[test]
fn the_longest_names_are_unpacked_and_longer_paths_refused() {
    let all = tempfile::tempdir().unwrap();
    let script = "import io, sys, zipfile\n\
                  def zipped(name, text):\n  made = io.BytesIO()\n  zipfile.ZipFile(made, 'w').writestr(name, text)\n  \
                  return made.getvalue()\n\
                  open(sys.argv[1] + '/name.zip', 'wb').write(zipped('x' * 255, zipped('main.c', b'x')))\n\
                  path = '/'.join(['p' * 240] * 4)\ninner = zipped(path + '/main.c', b'x')\n\
                  for _ in range(4): inner = zipped(path + '/q.zip', inner)\n\
                  open(sys.argv[1] + '/path.zip', 'wb').write(inner)";
    assert!(Command::new("python3").args(["-c", script]).arg(all.path()).status().unwrap().success());
    let tried = |name: &str| {
        let limits = UnpackLimits { nesting: 4, ..UnpackLimits::default() };
        Tried::with(&[all.path().join(name)], limits, &Plain)
    };
    assert_eq!(tried("name.zip").files(), ["main.c"]);
    let path = tried("path.zip");
    let problem = path.result.as_ref().unwrap_err();
    assert!(problem.to_string().contains("…' holds too long a path; use shorter names"), "{problem}");
    assert!(!problem.is_passing());
}

/// A folder of hand-ins.
struct Course(tempfile::TempDir);

impl Course {
    fn new(files: &[&str]) -> Course {
        let course = Course(tempfile::tempdir().unwrap());
        for file in files {
            course.file(file, "x");
        }
        course
    }

    fn file(&self, name: &str, text: &str) -> &Course {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn find(&self, names: &Names) -> Found {
        find(self.0.path(), names).unwrap()
    }

    /// The names with the files of each, and what was passed over.
    fn found(&self) -> (Vec<(String, Vec<String>)>, Vec<String>) {
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let Found { handins, passed_over, .. } = self.find(&Names::default());
        let found = handins.iter().map(|one| (one.name.clone(), one.entries.iter().map(name).collect()));
        (found.collect(), passed_over.iter().map(|(path, why)| format!("{} {why}", name(path))).collect())
    }

    fn names(&self) -> Vec<String> {
        self.found().0.into_iter().map(|(name, _)| name).collect()
    }
}

#[test]
fn whose_hand_ins_are_is_read_from_what_web_sites_write() {
    let moodle = Course::new(&[
        "Ana Silva_99999_assignsubmission_file_/ep5.zip",
        "Ana Silva_12345_assignsubmission_file_ep5.c",
        "Ana Silva_12345_assignsubmission_file_board.h",
        "Ana Silva_12345_assignsubmission_onlinetext_onlinetext.html",
        "João D'Ávila_7_assignsubmission_onlinetext_/onlinetext.html",
        "Participant_31_assignsubmission_file_/x.c",
        "Ana Silva_12345_assignfeedback_file_notes.pdf",
    ]);
    let (found, passed_over) = moodle.found();
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Ana Silva", "Ana Silva-2", "João D'Ávila", "Participant 31"]);
    assert_eq!(found[0].1.len(), 2, "{found:?}");
    assert_eq!(passed_over, ["Ana Silva_12345_assignfeedback_file_notes.pdf is what you have answered"]);
    let second = &moodle.find(&Names::default()).handins[1];
    assert_eq!(
        second.remarks,
        ["there are several hand-ins of 'Ana Silva'; this one is called 'Ana Silva-2'"]
    );

    let canvas = Course::new(&["silvaana_12_34_a.c", "silvaana_12_35_b.h", "reis_LATE_13_36_ep5.zip"]);
    assert_eq!(canvas.names(), ["reis", "silvaana"]);
    let blackboard = Course::new(&[
        "EP5_asilva_attempt_2026-11-01-10-00-00_ep5.zip",
        "EP5_asilva_attempt_2026-11-02-10-00-00_ep5.zip",
        "EP5_breis_attempt_2026-11-02-10-00-00_ep5.zip",
    ]);
    blackboard.file("EP5_asilva_attempt_2026-11-02-10-00-00.txt", "Nome: Ana Silva (asilva)\nx\n");
    blackboard.file("EP5_caio_attempt_2026-11-02-10-00-00.txt", "Nome: Caio (caio)\nx\n");
    let (found, passed_over) = blackboard.found();
    assert_eq!(
        found[0],
        ("Ana Silva".to_owned(), vec!["EP5_asilva_attempt_2026-11-02-10-00-00_ep5.zip".to_owned()])
    );
    assert_eq!(found[2].0, "breis");
    assert_eq!(found[1], ("Caio".to_owned(), vec!["EP5_caio_attempt_2026-11-02-10-00-00.txt".to_owned()]));
    assert_eq!(
        passed_over,
        ["EP5_asilva_attempt_2026-11-01-10-00-00_ep5.zip is an earlier attempt of asilva"]
    );

    let gradescope =
        Course::new(&["assignment_1_export/submission_1/x.c", "assignment_1_export/submission_2/x.c"]);
    gradescope.file(
        "assignment_1_export/submission_metadata.yml",
        "---\nsubmission_1:\n  :submitters:\n  - :name: Ana Silva\n  - :name: Beto\n",
    );
    assert_eq!(gradescope.names(), ["Ana Silva, Beto", "submission_2"]);
    let classroom = Course::new(&["Ana Silva - ep5.c", "Ana Silva - board.h", "Beto - ep5.c"]);
    assert_eq!(classroom.names(), ["Ana Silva", "Beto"]);
    let by_exercise = Course::new(&["EP5 - Ana Silva.zip", "EP5 - Beto.zip", "EP5 - Caio.zip"]);
    assert_eq!(by_exercise.names(), ["Ana Silva", "Beto", "Caio"]);
    let by_student = Course::new(&[
        "Ana Silva - Beto Reis.py",
        "Ana Silva - x.py",
        "Beto Reis - ep5_beto.py",
        "Caio - hex.py",
    ]);
    assert_eq!(by_student.names(), ["Ana Silva", "Beto Reis", "Caio"]);
    let plain = Course::new(&["Ana/x.c", "Ana.zip", "Ana.pdf", "v1.2.tar.gz", "=x.c", "b\u{202e}c.py"]);
    assert_eq!(plain.names(), ["Ana", "Ana-2", "_x", "bc", "v1.2"]);
}

/// On Canvas a student chooses how the name of a file ends, and everywhere what stands in it.
#[test]
fn nobody_hands_in_under_the_name_of_another() {
    let names = |course: &Course| course.names();
    let canvas = Course::new(&["betoreis_445_903_ep5.py", "silvaana_444_901_ep5.py"]);
    for (file, text) in [
        ("silvaana_444_902_x_betoreis_attempt_2026-11-02-23-59-59.txt", "Name: Ana Silva (betoreis)\n"),
        ("silvaana_444_903_x_silvaana_attempt_2026-11-02-23-59-59.txt", "Name: Beto Reis (silvaana)\n"),
        ("silvaana_444_904_x_betoreis_attempt_2026-11-02-23-59-59_ep5.py", "x"),
        ("silvaana_444_905_betoreis_1_assignsubmission_file_x.py", "x"),
    ] {
        canvas.file(file, text);
    }
    canvas.file("names.csv", "betoreis;Beto\n");
    let table = Names::read(&canvas.0.path().join("names.csv")).unwrap();
    let found = canvas.find(&table).handins;
    assert_eq!(found.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["Beto", "silvaana"]);
    assert_eq!((found[0].entries.len(), found[1].entries.len()), (1, 5));

    let plain = Course::new(&["betoreis/x.py", "silvaana/x.py"]);
    let metadata = "silvaana:\n  :submitters:\n  - :name: Beto\nbetoreis:\n  :submitters:\n  - :name: Ana\n";
    plain.file("submission_metadata.yml", metadata);
    assert_eq!(names(&plain), ["betoreis", "silvaana", "submission_metadata"]);
    let gradescope = Course::new(&["submission_1/x.py", "submission_2/x.py", "betoreis/x.py"]);
    gradescope.file(
        "submission_metadata.yml",
        &format!("{metadata}submission_1:\n  :submitters:\n  - :name: Eva\n"),
    );
    assert_eq!(names(&gradescope), ["Eva", "betoreis", "submission_2"]);

    let moodle = Course::new(&["Ana_1_assignsubmission_file_x.py", "Beto_2_assignsubmission_file_x.py"]);
    moodle.file("Ana_1_assignsubmission_comments_x.txt", "Name: Beto (Ana)\n");
    assert_eq!(names(&moodle), ["Ana", "Beto"]);
    let blackboard = Course::new(&["EP5_breis_attempt_2026-11-02-10-00-00_x.py", "asilva.py"]);
    blackboard.file("EP5_breis_attempt_2026-11-02-10-00-00.txt", "Name: Beto Reis (breis)\n");
    blackboard.file("EP5_asilva_attempt_2026-11-02-10-00-00.txt", "Name: Ana Silva (asilva)\n");
    assert_eq!(names(&blackboard), ["Ana Silva", "Beto Reis", "asilva"]);
}

/// Once, all files that were called alike but for the ending were one hand-in, of which one file was taken.
#[test]
fn files_of_one_name_are_one_hand_in_only_if_one_of_them_is_a_program() {
    let files = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let course = Course::new(&["ana.c", "ana.h", "ana.pdf", "ep5.c", "ep5.py", "ep5.zip", "zeca.js"]);
    let (found, _) = course.found();
    assert_eq!(
        found,
        [
            ("ana".to_owned(), files(&["ana.c", "ana.h", "ana.pdf"])),
            ("ep5".to_owned(), files(&["ep5.c"])),
            ("ep5-2".to_owned(), files(&["ep5.py"])),
            ("ep5-3".to_owned(), files(&["ep5.zip"])),
            ("zeca".to_owned(), files(&["zeca.js"])),
        ]
    );
    course.file("names.csv", "ep5.c;Beto\nep5.py;Caio\n");
    let names = Names::read(&course.0.path().join("names.csv")).unwrap();
    let named: Vec<String> = course.find(&names).handins.into_iter().map(|one| one.name).collect();
    assert_eq!(named, ["Beto", "Caio", "ana", "ep5", "zeca"]);
    // Where the web site says whose files are, they are one student's, whatever they are.
    let classroom = Course::new(&["Ana - ep5.c", "Ana - ep5.py", "Ana.c", "Beto - ep5.c"]);
    assert_eq!(classroom.names(), ["Ana", "Ana-2", "Beto"]);
    assert_eq!(classroom.found().0[0].1.len(), 2);
}

#[test]
fn nothing_in_the_folder_is_lost_without_a_word() {
    let course =
        Course::new(&["Ana.c", ".hidden", "__MACOSX/x", "Thumbs.db", "desktop.ini", "Ana.c~", ".git/config"]);
    let folder = course.0.path();
    symlink("/etc", folder.join("etc")).unwrap();
    symlink("nowhere", folder.join("lost")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    fs::write(folder.join(std::ffi::OsStr::from_bytes(b"Jo\xe3o.zip")), "x").unwrap();
    let all = "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as z:\n  for n in ('Ana_1', 'Beto_2'): \
               z.writestr(n + '_assignsubmission_file_/x.c', b'x')";
    assert!(
        Command::new("python3").args(["-c", all]).arg(folder.join("all.zip")).status().unwrap().success()
    );
    let (found, passed_over) = course.found();
    assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Ana", "João"]);
    assert_eq!(
        passed_over,
        [
            "all.zip holds the hand-ins of several students; unpack it into a folder, and give that folder",
            "etc is a link; put there what it leads to",
            "lost is a link; put there what it leads to",
            "pipe is a device, a pipe or a socket",
        ]
    );
    let joao = &course.find(&Names::default()).handins[1];
    assert_eq!(joao.remarks, ["the file name 'Jo\\xe3o.zip' is not UTF-8, and was read as 'João.zip'"]);
    let nothing = find(&folder.join("none"), &Names::default()).unwrap_err().to_string();
    assert!(
        nothing.starts_with("cannot read the folder") && nothing.ends_with("no such file or directory"),
        "{nothing}"
    );
}

#[test]
fn a_table_says_whose_hand_ins_are() {
    let course = Course::new(&[
        "submission_2001/x.c",
        "ana.zip",
        "Beto_12_assignsubmission_file_/x.c",
        "Caio.c",
        "Beto.d/x",
    ]);
    course.file(
        "names.csv",
        "arquivo;nome\nsubmission_2001;Ana Silva\nana.zip;Ana Silva\n12;Beto Reis\n99999;Ninguém\nCaio;D'Ávila, Caio\n",
    );
    let names = Names::read(&course.0.path().join("names.csv")).unwrap();
    assert_eq!(course.find(&names).unused_lines, [(5, "99999".to_owned())]);
    let found: Vec<String> = course.find(&names).handins.into_iter().map(|one| one.name).collect();
    assert_eq!(found, ["Ana Silva", "Ana Silva-2", "Beto Reis", "Beto.d", "D'Ávila, Caio"]);
    let other = Course::new(&["x.zip"]);
    let problem = find(other.0.path(), &names).unwrap_err().to_string();
    assert!(
        problem.contains("no line of the table of names") && problem.ends_with("as for example 'x.zip'"),
        "{problem}"
    );
}

#[test]
fn of_forty_hand_ins_all_are_found_and_those_that_should_be_are_refused() {
    let course = tempfile::tempdir().unwrap();
    let folder = course.path().join("handins");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/handins/make.py");
    let made = Command::new("python3").arg(script).arg(&folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let expected: BTreeMap<String, (String, String)> = serde_json::from_slice(&made.stdout).unwrap();
    let handins = find(&folder, &Names::default()).unwrap().handins;
    let names: Vec<&String> = handins.iter().map(|handin| &handin.name).collect();
    assert_eq!(names, expected.keys().collect::<Vec<_>>());
    for handin in &handins {
        let (kind, words) = &expected[&handin.name];
        let tried = Tried::with(&handin.entries, UnpackLimits::default(), &Plain);
        match tried.result {
            Ok(_) => assert_ne!(kind, "refused", "{}", handin.name),
            Err(problem) => {
                assert_eq!(kind, "refused", "{problem}");
                assert!(problem.to_string().contains(words.as_str()), "{problem}");
            }
        }
    }
}
