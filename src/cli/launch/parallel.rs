//! Shards as jobs of GNU parallel, on this machine or over ssh.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow};

use super::job::Job;
use crate::championship::shards::shard::FOLDER;
use crate::cli::exit::{self, usage};
use crate::cli::output::{COMMAND, quoted, say};

/// What parallel calls the machine it runs on.
const HERE: &str = ":";

/// The machines that were named: joined by commas, or in a file with one on each line.
pub fn hosts(given: &str) -> Result<Vec<String>> {
    let path = Path::new(given);
    let text = match path.is_file() {
        true => {
            std::fs::read_to_string(path).with_context(|| format!("cannot read '{given}'")).map_err(usage)?
        }
        false => given.replace(',', "\n"),
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let hosts: Vec<String> = lines.map(str::to_owned).collect();
    let is_odd = |host: &&String| {
        host.starts_with('-')
            || !host.chars().all(|letter| letter.is_alphanumeric() || ":.-_@[]".contains(letter))
    };
    match hosts.iter().find(is_odd) {
        Some(odd) => Err(usage(anyhow!(
            "--hosts: '{odd}' is no name of a machine, such as lab1 or ana@lab1.example.org"
        ))),
        None if hosts.is_empty() => Err(usage(anyhow!("--hosts: '{given}' names no machine"))),
        None => Ok(hosts),
    }
}

/// The job script.
pub fn script(job: &Job) -> Result<String> {
    let usual = [HERE.to_owned()];
    let hosts = if job.launched.hosts.is_empty() { &usual[..] } else { &job.launched.hosts };
    let hosts: Vec<String> = hosts.iter().map(|host| shell_words::quote(host).into_owned()).collect();
    let ssh = shell_words::quote(job.launched.ssh.as_deref().unwrap_or("ssh")).into_owned();
    let stamp = jiff::Zoned::now().strftime("%Y-%m-%d-%H%M%S");
    let log = job.folder.join(FOLDER).join(format!("parallel-{stamp}.joblog"));
    let shards: Vec<String> = job.shards.iter().map(u32::to_string).collect();
    let (of, jobs) = (job.launched.shards, job.launched.jobs);
    let (folder, program, log) = (quoted(&job.folder), quoted(&job.program), quoted(&log));
    // Where machines share nothing, each has its copy below the home directory that ssh leads to.
    let name = job.folder.file_name().unwrap_or_default().to_string_lossy();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let copy = format!("arbitro-shards/{}", name.chars().map(plain).collect::<String>());
    let (there, run, send, fetch) = match job.launched.copy {
        true => (copy.clone(), format!("{copy}/arbitro"), SEND, FETCH),
        false => (folder.clone(), program.clone(), "", ""),
    };
    let command = format!("exec {run} championship --resume {there} --shard {{}}/{of} --jobs {jobs} --quiet");
    if job.launched.copy
        && (job.launched.hosts.is_empty() || job.launched.hosts.iter().any(|host| host == HERE))
    {
        return Err(usage(anyhow!("--copy is for other machines: name them with --hosts, and not this one")));
    }
    Ok(format!(
        "#!/bin/sh
# A championship in shards, one job of GNU parallel each; every machine runs one at a time. Run again after it was broken off, it goes
# on: what was finished stays finished. In the end 'arbitro merge' says what is missing.
set -eu
folder={folder}
program={program}
ssh={ssh}
there={there}
keep='--keep-newer-files --warning=no-ignore-newer'
use=
reached=
for host in {hosts}; do
    if [ \"$host\" != : ] && ! $ssh \"$host\" true </dev/null; then
        echo \"the machine $host cannot be reached and plays no shards\" >&2
        continue
    fi
{send}    use=$use${{use:+,}}1/$host
    reached=\"$reached $host\"
done
if [ -z \"$use\" ]; then
    echo 'no machine can be reached' >&2
    exit 1
fi
# A job whose machine was lost is tried on others. One that fails is told by parallel, and again by merge; one that is told to end
# has half a minute to write down how far it is.
parallel --will-cite --ssh \"$ssh\" --sshlogin \"$use\" -j 1 --joblog {log} --resume-failed --retries 3 \\
    --termseq TERM,30000,KILL,1000 --line-buffer --tag \\
    {command} \\
    ::: {shards} </dev/null || true
{fetch}\"$program\" merge \"$folder\"
",
        hosts = hosts.join(" "),
        command = shell_words::quote(&command),
        shards = shards.join(" "),
    ))
}

/// Sends a machine what it needs: the program, the bots, and what was played. A file that is newer there is kept: a journal that others
/// may just be writing.
const SEND: &str = r#"    $ssh "$host" "mkdir -p $there/shards" </dev/null
    tar -C "$(dirname "$program")" -cf - "$(basename "$program")" | $ssh "$host" "tar -C $there --transform 's/.*/arbitro/' -xf -"
    tar -C "$folder" --exclude=./logs --exclude=./report.html -cf - . | $ssh "$host" "tar -C $there $keep -xf -"
"#;

/// Fetches what the machines have played.
const FETCH: &str = r#"for host in $reached; do
    $ssh "$host" "tar -C $there/shards -cf - ." </dev/null | tar -C "$folder/shards" $keep -xf - ||
        echo "what $host has played cannot be fetched; run this again" >&2
done
"#;

/// Runs the script, and what it says is seen as it says it.
pub fn run(job: &Job, script: &Path) -> Result<ExitCode> {
    let has_parallel =
        Command::new("parallel").arg("--version").output().is_ok_and(|run| run.status.success());
    if !has_parallel {
        return Err(usage(anyhow!("GNU parallel is not installed here; Debian's package is parallel")));
    }
    say(&format!("how far they are:\n{COMMAND}arbitro launch --status {}", quoted(&job.folder)));
    let status = Command::new("sh").arg(script).status().context("cannot run the script")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::INTERRUPTED);
    Ok(ExitCode::from(code))
}
