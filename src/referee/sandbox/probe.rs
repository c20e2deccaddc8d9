//! Finding out, by doing it, how well programs can be contained on this machine.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::view::View;
use super::{Confinement, Limits, Tier, rules};
use crate::referee::bot::{Exit, Launch};
use crate::referee::keeper::{Keeper, Report};

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
    if tier == Tier::B && !rules::available() {
        return Err(io::Error::other("this kernel has no Landlock"));
    }
    let own = std::env::current_exe()?;
    let view = View { readable: vec![own.clone()], ..View::default() };
    let home = std::env::var("HOME").unwrap_or("/root".to_owned());
    let launch = Launch {
        program: own.display().to_string(),
        arguments: vec![SUBCOMMAND.to_owned(), tier.to_string(), home],
        environment: Vec::new(),
        confinement: Some(Confinement { tier, limits: Limits::default(), cpu_seconds: 60, view }),
    };
    let nothing = || std::fs::File::options().read(true).write(true).open("/dev/null");
    let (input, output, errors) = (nothing()?, nothing()?, nothing()?);
    let mut keeper = Keeper::spawn()?;
    keeper.start(launch, [input.as_fd(), output.as_fd(), errors.as_fd()])?;
    match keeper.report(PATIENCE)? {
        Report::Exited { exit: Exit::Code(0), .. } => Ok(()),
        Report::Exited { exit, .. } => Err(io::Error::other(format!("a program inside {exit}"))),
        Report::NotStarted(number) => Err(io::Error::from_raw_os_error(number)),
        Report::Trouble(why) => Err(io::Error::other(why)),
        Report::Swept(_) => Err(io::Error::other("nothing was started")),
    }
}

/// The view from inside: whether what the tier promises holds. It is told the tier and the user's home directory.
pub fn look_around() -> ExitCode {
    let mut arguments = std::env::args().skip(2);
    let (Some(tier), Some(home)) = (arguments.next(), arguments.next()) else { return ExitCode::from(2) };
    let hidden = Path::new(&home).read_dir().is_err();
    let alone = std::process::id() < 100;
    // SAFETY: a plain system call.
    let socket = unsafe { libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0) };
    let offline = match tier.as_str() {
        "A" => alone && interfaces() <= 1,
        _ => socket == -1,
    };
    let cannot_write = std::fs::File::create("/usr/arbitro-probe").is_err();
    if hidden && offline && cannot_write { ExitCode::SUCCESS } else { ExitCode::from(3) }
}

/// How many networks there are, the loopback included.
fn interfaces() -> usize {
    let text = std::fs::read_to_string("/proc/net/dev").unwrap_or_default();
    text.lines().filter(|line| line.contains(':')).count()
}
