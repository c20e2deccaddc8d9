//! Where the animals are kept: what they may reach for, and what is left when they are gone.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, Once};

use rustix::process::{getpid, set_child_subreaper};
use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};

use crate::common::{Duel, Played, READY, compile, program, runs};

/// Children of this process that are known. Any other one is an orphan of some program, given to this process.
static KNOWN: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Starts a process of the tests' own.
pub fn start(command: &mut Command) -> Child {
    static ADOPT: Once = Once::new();
    ADOPT.call_once(|| set_child_subreaper(Some(getpid())).unwrap());
    // Held until it is known: it must not be taken for an orphan meanwhile.
    let mut known = KNOWN.lock().unwrap();
    let child = command.spawn().unwrap();
    known.push(child.id());
    child
}

/// Runs arbitro with these arguments in a folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program());
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    start(command.stdout(Stdio::piped()).stderr(Stdio::piped())).wait_with_output().unwrap()
}

/// Takes those for known who will be orphans for a moment.
pub fn adopt(processes: &[(u32, String)]) {
    KNOWN.lock().unwrap().extend(processes.iter().map(|(pid, _)| pid));
}

/// Plays a match, and asserts that it has left nothing behind.
pub fn play(duel: Duel) -> Played {
    let temporary = duel.folder().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let mounts = mounts();
    let duel = duel.env("TMPDIR", temporary.display().to_string()).env("ZOO_SECRET", "do not tell");
    let child = start(duel.command().stdout(Stdio::piped()).stderr(Stdio::piped()));
    let output = child.wait_with_output().unwrap();
    let played = duel.played(output);
    assert_eq!(orphans(), Vec::<String>::new(), "processes are left: {}", played.game()["verdict"]);
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "temporary files are left");
    assert_eq!(self::mounts(), mounts, "mounts are left");
    played
}

/// What this process sees mounted.
pub fn mounts() -> usize {
    fs::read_to_string("/proc/self/mountinfo").unwrap().lines().count()
}

/// Every process that was given to this one because those who started it are gone.
pub fn orphans() -> Vec<String> {
    let known = KNOWN.lock().unwrap();
    let strange = children_of(std::process::id()).into_iter().filter(|pid| !known.contains(pid));
    let running = strange.filter(|&pid| runs(pid as i32));
    running
        .map(|pid| format!("{pid} {}", fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default()))
        .collect()
}

pub fn children_of(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>())
        .collect()
}

/// Everybody below a process, each with the moment of its start, which tells it from a later one of the same number.
pub fn descendants(pid: u32) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut open = vec![pid];
    while let Some(parent) = open.pop() {
        let children = children_of(parent);
        found.extend(children.iter().map(|&child| (child, started(child))));
        open.extend(children);
    }
    found
}

/// When a process began, if it still runs.
pub fn started(pid: u32) -> String {
    let fields = fields_of(&format!("/proc/{pid}/stat"));
    match fields.first().map(String::as_str) {
        None | Some("Z" | "X") => String::new(),
        Some(_) => fields[19].clone(),
    }
}

/// What a `stat` file tells behind the name, from the state on.
fn fields_of(stat: &str) -> Vec<String> {
    let text = fs::read_to_string(stat).unwrap_or_default();
    text.rsplit(") ").next().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// The processor time of each thread of a process, if it has this name.
pub fn ticks_of(pid: u32, name: &str) -> Vec<u64> {
    if fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim() != name {
        return Vec::new();
    }
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let fields = threads.map(|thread| fields_of(&thread.path().join("stat").display().to_string()));
    let ticks = |fields: Vec<String>| fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    fields.filter(|fields| !fields.is_empty()).map(ticks).collect()
}

/// A match of a snoop against its prey, with everything there that a snoop reaches for.
pub struct Hunt {
    duel: Option<Duel>,
    victim: Child,
    tcp: TcpListener,
    udp: UdpSocket,
    memory: i32,
    outside: Vec<PathBuf>,
    /// Held open as long as the hunt lasts.
    _open: (UnixListener, UnixListener, OwnedFd),
}

impl Hunt {
    /// The snoop is a program of the zoo in a folder of its own, started as `command` says, and white. The prey is an
    /// honest program; `None` has the snoop meet another of its kind.
    pub fn new(tier: &str, snoop: &str, arguments: &str, prey: Option<&str>) -> Hunt {
        let token = format!("prey-{}-{:08x}", std::process::id(), fastrand::u32(..));
        let key = fastrand::i32(1 << 20..1 << 30);
        let outside = [format!("/tmp/{token}-tmp"), format!("/dev/shm/{token}-shm")].map(PathBuf::from);
        outside.iter().for_each(|path| fs::write(path, "for nobody's eyes").unwrap());
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&token).unwrap()).unwrap();
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        unlockpt(&terminal).unwrap();
        let victim = start(Command::new("sleep").arg("1000").stdin(Stdio::null()));
        // SAFETY: a plain system call.
        let memory = unsafe { libc::shmget(key, 4096, libc::IPC_CREAT | 0o600) };
        assert!(memory != -1, "no System V memory here");

        let duel = Duel::between("", "");
        let folder = duel.folder().canonicalize().unwrap();
        let made = |name: &str| {
            fs::create_dir(folder.join(name)).unwrap();
            folder.join(name)
        };
        let (own, home, nest) = (made("own"), made("home"), made(&token));
        let program = own.join(snoop);
        copy(&resident(snoop), &program);
        copy(&resident("misfit"), &nest.join("prey"));
        fs::write(nest.join("prey.c"), "int main(void) {}").unwrap();
        fs::write(home.join("secret"), "for nobody's eyes").unwrap();
        let in_a_file = UnixListener::bind(folder.join("socket")).unwrap();
        let out = duel.out();
        let targets: Vec<(&str, String)> = vec![
            ("tier", tier.to_owned()),
            ("token", token),
            ("opponent", nest.join("prey").display().to_string()),
            ("source", nest.join("prey.c").display().to_string()),
            ("journal", out.join("games.jsonl").display().to_string()),
            ("results", out.join("zoo-was-here").display().to_string()),
            ("home", home.display().to_string()),
            ("secret", home.join("secret").display().to_string()),
            ("victim", victim.id().to_string()),
            ("tcp", tcp.local_addr().unwrap().port().to_string()),
            ("udp", udp.local_addr().unwrap().port().to_string()),
            ("socket", folder.join("socket").display().to_string()),
            ("terminal", ptsname(&terminal, Vec::new()).unwrap().to_string_lossy().into_owned()),
            ("key", key.to_string()),
            ("tmp", outside[0].display().to_string()),
            ("shm", outside[1].display().to_string()),
        ];
        let lines: Vec<String> = targets.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        fs::write(own.join("targets"), lines.concat()).unwrap();
        let one = format!("snoop={} {arguments}", program.display());
        let other = match prey {
            Some(kind) => format!("prey={} {kind}", nest.join("prey").display()),
            None => format!("mate={} {arguments}", program.display()),
        };
        Hunt {
            duel: Some(duel.bots(one.trim(), &other).contained(tier).env("HOME", home.display().to_string())),
            victim,
            tcp,
            udp,
            memory,
            outside: outside.into(),
            _open: (hidden, in_a_file, terminal),
        }
    }

    /// Plays it, once; what came of each attempt, as the programs tell it.
    pub fn play(&mut self) -> (Played, Vec<Attempt>) {
        let played = play(self.duel.take().expect("it is played once"));
        let logs = fs::read_dir(played.duel.out().join("logs")).into_iter().flatten().flatten();
        let text: String = logs.map(|log| fs::read_to_string(log.path()).unwrap()).collect();
        let told = text.lines().filter_map(Attempt::told_in).collect();
        (played, told)
    }

    /// Whether anybody came through to the outside.
    pub fn was_reached(&mut self) -> bool {
        self.tcp.set_nonblocking(true).unwrap();
        self.udp.set_nonblocking(true).unwrap();
        self.tcp.accept().is_ok()
            || self.udp.recv(&mut [0; 8]).is_ok()
            || self.victim.try_wait().unwrap().is_some()
    }
}

impl Drop for Hunt {
    fn drop(&mut self) {
        // Whatever is gone already need not be taken away.
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        for path in &self.outside {
            let _ = fs::remove_file(path);
        }
        // SAFETY: a plain system call.
        unsafe { libc::shmctl(self.memory, libc::IPC_RMID, std::ptr::null_mut()) };
    }
}

/// Something that a snoop has tried.
#[derive(Debug, PartialEq, Eq)]
pub struct Attempt {
    pub what: String,
    pub succeeded: bool,
}

impl Attempt {
    /// `refused: WHAT (WHY)` or `succeeded: WHAT`.
    fn told_in(line: &str) -> Option<Attempt> {
        let (outcome, rest) = line.split_once(": ")?;
        let succeeded = match outcome {
            "succeeded" => true,
            "refused" => false,
            _ => return None,
        };
        Some(Attempt { what: rest.split(" (").next().unwrap_or(rest).to_owned(), succeeded })
    }
}

/// A program of the zoo, or one of the honest, built when it is first asked for.
pub fn resident(name: &str) -> PathBuf {
    static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let source = match name {
        "misfit" => "tests/bots/misfit.c".to_owned(),
        "path" | "random" => format!("bots/hex/{name}.c"),
        _ => format!("tests/zoo/{name}.c"),
    };
    let build = || match std::env::var_os(READY) {
        Some(ready) => Path::new(&ready).join(name),
        None if name.ends_with(".py") => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/zoo").join(name),
        None => {
            // A compiler must not be taken for an orphan.
            let _known = KNOWN.lock().unwrap();
            compile(&source, name)
        }
    };
    BUILT.lock().unwrap().entry(name.to_owned()).or_insert_with(build).clone()
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap_or_else(|error| panic!("{from:?} cannot be copied: {error}"));
}
