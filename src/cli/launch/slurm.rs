//! Shards as an array of jobs of Slurm.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::job::Job;
use crate::championship::shards::shard::FOLDER;
use crate::cli::exit::usage;
use crate::cli::output::{COMMAND, quoted, say, warn};

/// The highest index of an array, unless Slurm says otherwise: it calls one more its `MaxArraySize`.
const USUAL_HIGHEST: u32 = 1000;

/// How long we wait before a job is submitted again that Slurm had no time for, in seconds.
const PAUSES: [u64; 7] = [1, 2, 4, 8, 15, 30, 60];

/// What Slurm says when it has not taken a job and may well take it a moment later.
const BUSY: [&str; 3] =
    ["Unable to contact slurm controller", "temporarily unable", "Resource temporarily unavailable"];

/// What it says when nobody knows whether it has taken the job.
const TIMED_OUT: &str = "Socket timed out";

/// Options for sbatch, each as a line of a script has it.
pub fn options(given: &[String]) -> Result<Vec<String>> {
    given
        .iter()
        .map(|option| match option.trim() {
            option if option.starts_with('-') && !option.contains(char::is_control) => Ok(option.to_owned()),
            _ => Err(usage(anyhow!(
                "--sbatch '{option}': an option of sbatch begins with -, such as --partition=lab"
            ))),
        })
        .collect()
}

/// The job script.
pub fn script(job: &Job) -> Result<String> {
    let highest = highest_index();
    if let Some(last) = job.shards.last().filter(|&&last| last > highest) {
        return Err(usage(anyhow!(
            "an array of Slurm ends at {highest} here, and there are shards up to {last}; give --shards {highest}, or fewer"
        )));
    }
    let name = name(job);
    let output = job.folder.join(FOLDER).join("slurm-%A_%a.out");
    let output =
        output.to_string_lossy().replacen('%', "%%", output.to_string_lossy().matches('%').count() - 2);
    let options: String = job.launched.options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
    let (cores, memory, minutes) = (job.cores(), job.memory(), job.minutes());
    let (program, folder) = (quoted(&job.program), quoted(&job.folder));
    let (array, of, jobs) = (ranges(&job.shards), job.launched.shards, job.launched.jobs);
    Ok(format!(
        "#!/bin/sh
# A championship in shards, one task of this array each. What a task has finished stays finished: when a task or a machine was
# lost, or its time was up, 'arbitro merge' says with which command the rest is played.
#SBATCH --job-name={name}
#SBATCH --array={array}
#SBATCH --cpus-per-task={cores}
#SBATCH --mem={memory}M
#SBATCH --time={minutes}
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=\"{output}\"
{options}exec {program} championship --resume {folder} --shard \"$SLURM_ARRAY_TASK_ID/{of}\" --jobs {jobs} --quiet
"
    ))
}

/// What its jobs are called.
fn name(job: &Job) -> String {
    let title = job.settings.title.as_deref().unwrap_or(&job.settings.game);
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    format!("arbitro-{}", title.chars().map(plain).take(30).collect::<String>())
}

/// Hands the shards to Slurm, and behind them the job that joins them, whatever becomes of them.
pub fn submit(job: &Job, script: &Path) -> Result<ExitCode> {
    let name = name(job);
    let number = sbatch(&name, &[script.as_os_str()])?;
    say(&format!("submitted as job {number}"));
    let join = format!("exec {} merge {}", quoted(&job.program), quoted(&job.folder));
    let output = script.with_file_name("merge.out");
    let mut words = vec![
        format!("--dependency=afterany:{number}"),
        "--time=60".to_owned(),
        format!("--output={}", output.to_string_lossy().replace('%', "%%")),
    ];
    words.extend(job.launched.options.iter().cloned());
    words.push(format!("--wrap={join}"));
    let merge = sbatch(&format!("{name}-merge"), &words);
    let folder = quoted(&job.folder);
    match merge {
        Ok(merge) => say(&format!(
            "job {merge} joins what was played when all of it has ended; its result is in {}",
            quoted(&output)
        )),
        // The games are played all the same.
        Err(error) => warn(format!("{error:#}; join what was played by hand: arbitro merge {folder}")),
    }
    say(&format!("how far they are:\n{COMMAND}arbitro launch --status {folder}"));
    Ok(ExitCode::SUCCESS)
}

/// Submits a job, some times if Slurm is busy, and returns its number. Its name tells it from all others, so that a job is found whose
/// number was never told.
fn sbatch(name: &str, words: &[impl AsRef<OsStr>]) -> Result<String> {
    let name = format!("{name}-{}", jiff::Zoned::now().strftime("%Y%m%d-%H%M%S"));
    let mut pauses = PAUSES.iter();
    loop {
        let mut command = Command::new("sbatch");
        let run = command.args(["--parsable", "--job-name", &name]).args(words).output();
        let run = run.map_err(|error| {
            usage(anyhow!(
                "cannot run sbatch: {error}; launch from a machine that has Slurm (Debian's package is slurm-client)"
            ))
        })?;
        if run.status.success() {
            return Ok(number(&run.stdout));
        }
        let said = String::from_utf8_lossy(&run.stderr).trim().to_owned();
        let has = |words: &str| said.to_lowercase().contains(&words.to_lowercase());
        let is_lost = has(TIMED_OUT);
        if is_lost && let Some(number) = job_called(&name) {
            return Ok(number);
        }
        let Some(&pause) = pauses.next().filter(|_| is_lost || BUSY.iter().any(|words| has(words))) else {
            return Err(anyhow!("Slurm refused the job: {said}"));
        };
        warn(format!("Slurm is busy ({}); once more in {pause} s", said.lines().next().unwrap_or_default()));
        thread::sleep(Duration::from_secs(pause));
    }
}

/// The number of the job of this name, if Slurm has it.
fn job_called(name: &str) -> Option<String> {
    let found = Command::new("squeue").args(["--noheader", "--format=%F", "--name", name]).output().ok()?;
    Some(number(&found.stdout)).filter(|number| !number.is_empty())
}

/// The number of a job as Slurm prints it; the name of the cluster may follow.
fn number(printed: &[u8]) -> String {
    let printed = String::from_utf8_lossy(printed);
    printed.lines().next().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_owned()
}

/// The highest index that an array can have here.
fn highest_index() -> u32 {
    let config = Command::new("scontrol").args(["show", "config"]).output();
    let size = config.ok().and_then(|config| {
        let text = String::from_utf8_lossy(&config.stdout).into_owned();
        let line = text.lines().find(|line| line.trim_start().starts_with("MaxArraySize"))?;
        line.split('=').nth(1)?.trim().parse::<u32>().ok()
    });
    size.map_or(USUAL_HIGHEST, |size| size.saturating_sub(1))
}

/// Numbers as Slurm has them: `1-3,7`.
pub fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    runs.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_told_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(ranges(&[4]), "4");
    }

    #[test]
    fn options_begin_with_a_hyphen() {
        let given = |text: &str| options(&[text.to_owned()]);
        assert_eq!(given(" --partition=lab ").unwrap(), ["--partition=lab"]);
        assert!(given("lab").is_err());
        assert!(given("--a\nrm -r /").is_err(), "a line of its own would be a command");
    }
}
