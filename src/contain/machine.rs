//! What the machine tells about how busy it is.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::thread::sched_getaffinity;

/// How many tasks ran or wanted to run, on average over the last minute.
pub fn load() -> Option<f32> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// How many cores this thread may use, and so all that it starts.
pub fn cores() -> u32 {
    sched_getaffinity(None).map_or(1, |cores| cores.count().max(1))
}

/// What a thread has done with its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnTime {
    /// How long it ran.
    pub ran: Duration,
    /// How long it had to wait for a processor although it was ready to run.
    pub waited: Duration,
}

impl OwnTime {
    /// What was done since an earlier moment.
    pub fn since(self, earlier: OwnTime) -> OwnTime {
        let (ran, waited) =
            (self.ran.saturating_sub(earlier.ran), self.waited.saturating_sub(earlier.waited));
        OwnTime { ran, waited }
    }
}

/// Tells what the calling thread has done with its time.
pub struct OwnTimes(Option<File>);

impl OwnTimes {
    /// Of the calling thread.
    pub fn of_this_thread() -> OwnTimes {
        OwnTimes(File::open("/proc/thread-self/schedstat").ok())
    }

    /// All of it up to now; nothing where the kernel does not count that.
    pub fn up_to_now(&self) -> OwnTime {
        let mut text = [0; 128];
        let length = self.0.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or_default();
        own_time(&String::from_utf8_lossy(&text[..length])).unwrap_or_default()
    }
}

/// The first two numbers of `schedstat`, in nanoseconds.
fn own_time(text: &str) -> Option<OwnTime> {
    let mut numbers = text.split_whitespace().map(|word| word.parse().ok().map(Duration::from_nanos));
    Some(OwnTime { ran: numbers.next()??, waited: numbers.next()?? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_run_and_waited() {
        let (ran, waited) = (Duration::from_nanos(2_060_711), Duration::from_nanos(2551));
        assert_eq!(own_time("2060711 2551 4\n"), Some(OwnTime { ran, waited }));
        assert_eq!((own_time(""), own_time("7")), (None, None));
    }

    #[test]
    fn a_machine_that_runs_this_has_a_load() {
        assert!(load().is_some_and(|load| load >= 0.0));
    }
}
