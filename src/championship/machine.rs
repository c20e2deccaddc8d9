//! The machine that games are played on: what it is, and how quick.

use std::fs;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::cores;

/// A machine, as it is compared with others that play games of the same championship.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name in the network.
    pub host: String,
    /// The model of its processor.
    pub cpu: String,
    /// How many cores there are for us.
    pub cores: usize,
    /// How long a fixed piece of work takes on one core, in microseconds.
    pub calibration_us: u64,
}

impl Machine {
    /// This machine. To measure it takes some hundredths of a second.
    pub fn here() -> Machine {
        Machine {
            host: Machine::host(),
            cpu: cpu_model(),
            cores: cores::count(),
            calibration_us: calibrate().as_micros() as u64,
        }
    }

    /// The name of this machine.
    pub fn host() -> String {
        // A node of Slurm may have another name than its machine.
        let node = std::env::var("SLURMD_NODENAME").ok().filter(|name| !name.is_empty());
        node.unwrap_or_else(|| rustix::system::uname().nodename().to_string_lossy().into_owned())
    }
}

/// The model of the processor, in its maker's words.
fn cpu_model() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    // ARM has numbers instead of a name.
    let keys = ["model name", "Model", "CPU part", "cpu"];
    let value = |key: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|name| name.trim() == key))?;
        Some(line.split_once(':')?.1.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    keys.iter().find_map(|key| value(key)).unwrap_or_else(|| "unknown".to_owned())
}

/// How long a fixed piece of work takes: the shortest of several times, as other programs can only make it longer.
fn calibrate() -> Duration {
    const TIMES: usize = 7;
    let measure = || {
        let begun = Instant::now();
        std::hint::black_box(work(std::hint::black_box(1)));
        begun.elapsed()
    };
    (0..TIMES).map(|_| measure()).min().unwrap_or_default()
}

/// Arithmetic and look-ups in a table that fits into the first cache, as programs do that play games.
fn work(seed: u64) -> u64 {
    const STEPS: usize = 1 << 20;
    let mut table = [0_u32; 1 << 11];
    let mut state = seed;
    for _ in 0..STEPS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let place = state as usize % table.len();
        table[place] = table[place].wrapping_add(state as u32).rotate_left(5);
        if table[place] & 1 == 0 {
            state = state.wrapping_add(u64::from(table[place]));
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known() {
        let machine = Machine::here();
        assert!(!machine.host.is_empty() && !machine.cpu.is_empty() && machine.cores > 0);
        assert!(machine.calibration_us > 0);
    }
}
