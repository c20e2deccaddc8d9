//! Finding out, by doing it, how well programs can be contained on this machine.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;

use super::keeper::{Keeper, Report};
use super::launch::{Confinement, Launch, Purpose};
use super::sandbox::landlock;
use super::spec::Exit;
use super::spec::{Limits, Tier};
use super::visible_files::VisibleFiles;

/// The hidden subcommand that looks around from inside.
pub const SUBCOMMAND: &str = "probe";

/// How long a probe may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many milliseconds we wait before we try again, each time that something fails which may pass.
const PAUSES: [u64; 5] = [100, 200, 400, 800, 1500];

/// The errors by which a kernel says that it cannot do something, or not for this user. Any other may pass.
const DEFINITE: [i32; 8] = [
    libc::EPERM,
    libc::EACCES,
    libc::ENOSYS,
    libc::EINVAL,
    libc::EOPNOTSUPP,
    libc::ENODEV,
    libc::ENOENT,
    libc::EROFS,
];

/// What came of trying a tier.
#[derive(Debug, PartialEq, Eq)]
enum Attempt {
    /// Programs can be contained so.
    Contained,
    /// This machine cannot do it: why.
    Impossible(String),
    /// Something failed that says nothing about the machine.
    Undecided(String),
}

/// The best tier that this machine can give, and why it is not a better one.
///
/// # Errors
/// If a tier could not be tried. It is not known then that it is impossible, and a lower one must not be taken for the best.
pub fn best_tier() -> io::Result<(Tier, Vec<String>)> {
    let mut obstacles = Vec::new();
    for tier in [Tier::A, Tier::B] {
        match decide(tier)? {
            None => return Ok((tier, obstacles)),
            Some(obstacle) => obstacles.push(format!("tier {tier}: {obstacle}")),
        }
    }
    Ok((Tier::C, obstacles))
}

/// Why a tier is impossible, unless it is possible. Tries again while nothing is known.
fn decide(tier: Tier) -> io::Result<Option<String>> {
    let mut pauses = PAUSES.iter();
    loop {
        match try_out(tier).unwrap_or_else(|error| Attempt::Undecided(error.to_string())) {
            Attempt::Contained => return Ok(None),
            Attempt::Impossible(why) => return Ok(Some(why)),
            Attempt::Undecided(why) => match pauses.next() {
                Some(&pause) => std::thread::sleep(Duration::from_millis(pause)),
                None => {
                    return Err(io::Error::other(format!(
                        "cannot find out how well programs can be contained: {why}; try again when the machine is quieter"
                    )));
                }
            },
        }
    }
}

/// Has this very program look around from inside.
fn try_out(tier: Tier) -> io::Result<Attempt> {
    if tier == Tier::B && !landlock::available() {
        return Ok(Attempt::Impossible("this kernel has no Landlock".to_owned()));
    }
    let own = std::env::current_exe()?;
    let visible_files = VisibleFiles { readable: vec![own.clone()], ..VisibleFiles::default() };
    let launch = Launch {
        program: own.display().to_string(),
        arguments: vec![SUBCOMMAND.to_owned(), tier.to_string()],
        environment: Vec::new(),
        core: None,
        is_held: false,
        confinement: Some(Confinement {
            tier,
            purpose: Purpose::Play,
            limits: Limits::default(),
            cpu_seconds: 60,
            visible_files,
            keep_scratch: None,
        }),
    };
    let nothing = || File::options().read(true).write(true).open("/dev/null");
    let (input, output, errors) = (nothing()?, nothing()?, nothing()?);
    let mut keeper = Keeper::spawn()?;
    keeper.start(launch, Duration::MAX, [input.as_fd(), output.as_fd(), errors.as_fd()])?;
    loop {
        match keeper.report(PATIENCE)? {
            Report::Up => {}
            report => return Ok(judge(tier, report)),
        }
    }
}

fn judge(tier: Tier, report: Report) -> Attempt {
    match report {
        Report::Exited { exit: Exit::Code(0), .. } => Attempt::Contained,
        // Killed by somebody else, for want of memory perhaps.
        Report::Exited { exit: exit @ (Exit::Signal(libc::SIGKILL) | Exit::Unwatched), .. } => {
            Attempt::Undecided(format!("a program inside {exit}"))
        }
        Report::Exited { exit: Exit::Code(SEES_TOO_MUCH), .. } => {
            Attempt::Impossible("a program inside can see or do what it should not".to_owned())
        }
        Report::Exited { exit, .. } => Attempt::Impossible(format!("a program inside {exit}")),
        Report::NotStarted(number) => Attempt::Impossible(io::Error::from_raw_os_error(number).to_string()),
        Report::Trouble { what, error } if error.is_some_and(is_definite) => {
            let reason = forbidding_setting().filter(|_| tier == Tier::A);
            Attempt::Impossible(what + &reason.unwrap_or_default())
        }
        Report::Trouble { what, .. } => Attempt::Undecided(what),
        Report::Swept { .. }
        | Report::Up
        | Report::Continued { .. }
        | Report::Measured { .. }
        | Report::Seen(_)
        | Report::Held(_) => Attempt::Undecided("nothing was started".to_owned()),
    }
}

/// Whether an error says that the machine cannot do something. Where the namespaces are used up, others may leave some; where none is
/// allowed, they cannot.
fn is_definite(error: i32) -> bool {
    DEFINITE.contains(&error) || error == libc::ENOSPC && setting(NO_NAMESPACES).as_deref() == Some("0")
}

/// How many user namespaces there may be.
const NO_NAMESPACES: &str = "user.max_user_namespaces";

/// Settings of the system that keep users from making namespaces, and the values by which they do.
const FORBIDDING: [(&str, &str); 3] = [
    (NO_NAMESPACES, "0"),
    // Debian's kernels.
    ("kernel.unprivileged_userns_clone", "0"),
    // Ubuntu since 24.04: namespaces can be made then, but nothing can be done in them.
    ("kernel.apparmor_restrict_unprivileged_userns", "1"),
];

/// What to tell about the setting that is the reason, if one is.
fn forbidding_setting() -> Option<String> {
    let (name, value) = FORBIDDING.iter().find(|(name, value)| setting(name).as_deref() == Some(*value))?;
    Some(format!(" (the system's setting {name} is {value}, which forbids it: see docs/security.md)"))
}

/// A setting of the kernel (sysctl); nothing if this kernel does not have it.
fn setting(name: &str) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/sys/{}", name.replace('.', "/"))).ok()?;
    Some(text.trim().to_owned())
}

/// How [`look_around`] ends if what the tier promises does not hold.
const SEES_TOO_MUCH: i32 = 3;

/// The view from inside: whether what the tier promises holds. It is told the tier.
pub fn look_around() -> ExitCode {
    let tier = std::env::args().nth(2).and_then(|name| Tier::from_str(&name, false).ok());
    let Some(tier) = tier else { return ExitCode::from(2) };
    // Either it cannot be opened, or it is not the machine's: that has more users.
    let hidden = fs::read_to_string("/etc/passwd")
        .map_or(true, |users| users.lines().all(|user| user.starts_with("bot:")));
    let alone = std::process::id() < 100;
    // SAFETY: a plain system call.
    let socket = unsafe { libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0) };
    let offline = match tier {
        Tier::A => alone && interfaces() <= 1,
        _ => socket == -1,
    };
    let cannot_write = File::create("/usr/arbitro-probe").is_err();
    if hidden && offline && cannot_write { ExitCode::SUCCESS } else { ExitCode::from(SEES_TOO_MUCH as u8) }
}

/// How many networks there are, the loopback included.
fn interfaces() -> usize {
    let text = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    text.lines().filter(|line| line.contains(':')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine that was short of memory for a moment was once taken for one that cannot contain anything.
    #[test]
    fn only_what_a_machine_cannot_do_lowers_the_tier() {
        let trouble = |error| judge(Tier::A, Report::Trouble { what: "no namespaces".to_owned(), error });
        for passing in [libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE, libc::ETOOMANYREFS] {
            assert!(matches!(trouble(Some(passing)), Attempt::Undecided(_)), "{passing}");
        }
        assert!(matches!(trouble(None), Attempt::Undecided(_)));
        for definite in [libc::EPERM, libc::EACCES, libc::ENOSYS, libc::EINVAL] {
            assert!(matches!(trouble(Some(definite)), Attempt::Impossible(_)), "{definite}");
        }
        let exited = |exit| {
            judge(
                Tier::A,
                Report::Exited {
                    exit,
                    alone: true,
                    clean: true,
                    usage: Default::default(),
                    written: Default::default(),
                },
            )
        };
        assert_eq!(exited(Exit::Code(0)), Attempt::Contained);
        assert!(matches!(exited(Exit::Code(SEES_TOO_MUCH)), Attempt::Impossible(_)));
        assert!(matches!(exited(Exit::Signal(libc::SIGKILL)), Attempt::Undecided(_)));
    }
}
