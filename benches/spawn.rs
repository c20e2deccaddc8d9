//! From the wish to start a program to its first byte, plain and contained: medians, and what containment adds.

use std::io;
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use arbitro::contain::keeper::{self, Keeper, Report};
use arbitro::contain::launch::{Confinement, Launch, Purpose};
use arbitro::contain::spec::{Limits, Tier};
use arbitro::contain::visible_files::VisibleFiles;
use rustix::pipe::{PipeFlags, pipe_with};

const ROUNDS: usize = 300;
const PATIENCE: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    // Keepers are this program too.
    if std::env::args().nth(1).is_some_and(|argument| argument == keeper::SUBCOMMAND) {
        return keeper::run();
    }
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> io::Result<()> {
    let tiers = [None, Some(Tier::C), Some(Tier::B), Some(Tier::A)];
    let mut keepers = tiers.iter().map(|_| Keeper::spawn()).collect::<io::Result<Vec<_>>>()?;
    let mut times = vec![Vec::with_capacity(ROUNDS); tiers.len()];
    // Round by round, so that whatever disturbs the machine disturbs all alike.
    for _ in 0..ROUNDS {
        for ((tier, keeper), times) in tiers.iter().zip(&mut keepers).zip(&mut times) {
            times.push(first_byte(keeper, *tier)?);
        }
    }
    println!("from the wish to the first byte of /bin/echo, median of {ROUNDS} starts\n");
    println!("{:14}{:>8}{:>12}{:>8}", "", "ms", "more by ms", "ratio");
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    for (tier, time) in tiers.iter().zip(&medians) {
        let name = tier.map_or("plain".to_owned(), |tier| format!("tier {tier}"));
        println!("{name:14}{time:8.2}{:12.2}{:8.2}", time - medians[0], time / medians[0]);
    }
    Ok(())
}

/// One start, which is swept away before the next.
fn first_byte(keeper: &mut Keeper, tier: Option<Tier>) -> io::Result<Duration> {
    let confinement = |tier| Confinement {
        tier,
        purpose: Purpose::Play,
        limits: Limits::default(),
        cpu_seconds: 60,
        visible_files: VisibleFiles::default(),
        keep_scratch: None,
    };
    let launch = Launch {
        program: "/bin/echo".to_owned(),
        arguments: Vec::new(),
        environment: Vec::new(),
        core: None,
        is_held: false,
        confinement: tier.map(confinement),
    };
    let (output, theirs) = pipe_with(PipeFlags::CLOEXEC)?;
    let nothing = std::fs::File::options().read(true).write(true).open("/dev/null")?;
    let begun = Instant::now();
    keeper.start(launch, std::time::Duration::MAX, [nothing.as_fd(), theirs.as_fd(), nothing.as_fd()])?;
    drop(theirs);
    let length = rustix::io::read(&output, &mut [0; 8])?;
    let time = begun.elapsed();
    match keeper.report(PATIENCE)? {
        Report::Exited { alone: true, .. } if length > 0 => Ok(time),
        other => Err(io::Error::other(format!("{length} bytes came, and then {other:?}"))),
    }
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
