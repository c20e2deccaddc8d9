//! Finding out, by doing it, how well programs can be contained on this machine.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;

use super::exit::Exit;
use super::keeper::{Keeper, Report};
use super::launch::{Confinement, Launch};
use super::sandbox::landlock;
use super::spec::{Limits, Tier};
use super::visible_files::VisibleFiles;

/// The hidden subcommand that looks around from inside.
pub const SUBCOMMAND: &str = "probe";

/// How long a probe may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The best tier that this machine can give, and why it is not a better one.
pub fn best_tier() -> (Tier, Vec<String>) {
    let mut obstacles = Vec::new();
    for tier in [Tier::A, Tier::B] {
        match try_out(tier) {
            Ok(()) => return (tier, obstacles),
            Err(error) => obstacles.push(format!("tier {tier}: {error}")),
        }
    }
    (Tier::C, obstacles)
}

/// Has this very program look around from inside.
fn try_out(tier: Tier) -> io::Result<()> {
    if tier == Tier::B && !landlock::available() {
        return Err(io::Error::other("this kernel has no Landlock"));
    }
    let own = std::env::current_exe()?;
    let visible_files = VisibleFiles { readable: vec![own.clone()], ..VisibleFiles::default() };
    let secret = Secret::new()?;
    let launch = Launch {
        program: own.display().to_string(),
        arguments: vec![SUBCOMMAND.to_owned(), tier.to_string(), secret.0.display().to_string()],
        environment: Vec::new(),
        confinement: Some(Confinement { tier, limits: Limits::default(), cpu_seconds: 60, visible_files }),
    };
    let nothing = || File::options().read(true).write(true).open("/dev/null");
    let (input, output, errors) = (nothing()?, nothing()?, nothing()?);
    let mut keeper = Keeper::spawn()?;
    keeper.start(launch, [input.as_fd(), output.as_fd(), errors.as_fd()])?;
    match keeper.report(PATIENCE)? {
        Report::Exited { exit: Exit::Code(0), .. } => Ok(()),
        Report::Exited { exit, .. } => Err(io::Error::other(format!("a program inside {exit}"))),
        Report::NotStarted(number) => Err(io::Error::from_raw_os_error(number)),
        Report::Trouble { what, .. } => Err(io::Error::other(what)),
        Report::Swept(_) => Err(io::Error::other("nothing was started")),
    }
}

/// A file of the user's that no program must be able to read. It is gone with this value.
struct Secret(PathBuf);

impl Secret {
    fn new() -> io::Result<Secret> {
        let name = format!("arbitro-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let path = std::env::temp_dir().join(name);
        File::options().write(true).create_new(true).mode(0o600).open(&path)?;
        Ok(Secret(path))
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        // A file that cannot be removed is no reason to end anything.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The view from inside: whether what the tier promises holds. It is told the tier and the path of a secret.
pub fn look_around() -> ExitCode {
    let mut arguments = std::env::args().skip(2);
    let tier = arguments.next().and_then(|name| Tier::from_str(&name, false).ok());
    let (Some(tier), Some(secret)) = (tier, arguments.next()) else { return ExitCode::from(2) };
    let hidden = File::open(&secret).is_err();
    let alone = std::process::id() < 100;
    // SAFETY: a plain system call.
    let socket = unsafe { libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0) };
    let offline = match tier {
        Tier::A => alone && interfaces() <= 1,
        _ => socket == -1,
    };
    let cannot_write = File::create("/usr/arbitro-probe").is_err();
    if hidden && offline && cannot_write { ExitCode::SUCCESS } else { ExitCode::from(3) }
}

/// How many networks there are, the loopback included.
fn interfaces() -> usize {
    let text = std::fs::read_to_string("/proc/net/dev").unwrap_or_default();
    text.lines().filter(|line| line.contains(':')).count()
}
