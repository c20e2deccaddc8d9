//! The journal: an append-only file with one line of JSON for each finished game.
//!
//! Every line begins with a checksum of the rest of it, so that damage is noticed, and is written in one piece.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use thiserror::Error;

use super::GameRecord;

/// The journal's name in the folder of a match or championship.
pub const FILE_NAME: &str = "games.jsonl";

/// Appends games to a journal.
pub struct Journal {
    file: File,
}

impl Journal {
    /// A new journal in a file that must not exist yet.
    pub fn create(path: &Path) -> io::Result<Journal> {
        Ok(Journal { file: OpenOptions::new().append(true).create_new(true).open(path)? })
    }

    /// Writes one game, which from then on outlives this process, and with the next [`Journal::sync`] the machine.
    pub fn append(&mut self, record: &GameRecord) -> io::Result<()> {
        self.file.write_all(line(record)?.as_bytes())
    }

    /// Has the disk take what was written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

const PREFIX: &str = r#"{"crc32":""#;

/// A record as a line of the journal: its JSON with the checksum as first field.
fn line(record: &GameRecord) -> io::Result<String> {
    let json = serde_json::to_string(record)?;
    let fields = &json[1..];
    Ok(format!("{PREFIX}{:08x}\",{fields}\n", crc32fast::hash(fields.as_bytes())))
}

/// What is wrong with a line of a journal.
#[derive(Debug, Error)]
pub enum Damage {
    /// The line does not begin as the journal's lines do.
    #[error("it is not a line of a journal")]
    NotAJournal,
    /// The file ends before the line does.
    #[error("it breaks off in the middle (the writer was killed, or the disk was full)")]
    Torn,
    /// The text has changed since it was written.
    #[error("its checksum is {found:08x} where {written:08x} is written: the line was changed or damaged")]
    Checksum {
        /// The checksum of the line as it is.
        found: u32,
        /// The checksum that it carries.
        written: u32,
    },
    /// The line is whole but says something unknown.
    #[error("it cannot be understood: {0}")]
    Content(#[from] serde_json::Error),
}

/// A line of a journal: a game, or what is wrong with it.
pub struct Entry {
    /// The line's number in the file, from 1.
    pub line: usize,
    /// What it holds.
    pub content: Result<GameRecord, Damage>,
}

/// Reads a whole journal. Damaged lines do not hide the others.
pub fn read(path: &Path) -> io::Result<Vec<Entry>> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut entries = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        entries.push(Entry { line, content: parse(&bytes) });
    }
    Ok(entries)
}

fn parse(bytes: &[u8]) -> Result<GameRecord, Damage> {
    let Some(line) = bytes.strip_suffix(b"\n") else { return Err(Damage::Torn) };
    let (checksum, fields) = split_checksum(line).ok_or(Damage::NotAJournal)?;
    let found = crc32fast::hash(fields);
    if found != checksum {
        return Err(Damage::Checksum { found, written: checksum });
    }
    Ok(serde_json::from_slice(line)?)
}

fn split_checksum(line: &[u8]) -> Option<(u32, &[u8])> {
    let rest = line.strip_prefix(PREFIX.as_bytes())?;
    let (digits, rest) = rest.split_at_checked(8)?;
    let checksum = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((checksum, rest.strip_prefix(b"\",")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;
    use crate::record::SeatRecord;
    use crate::referee::verdict::Verdict;
    use crate::referee::{PlayedMove, Terms};

    fn record(id: u32) -> GameRecord {
        let seat = |bot: &str| SeatRecord { bot: bot.into(), command: format!("./{bot}"), used_ns: 5 };
        GameRecord {
            id,
            round: 1,
            game: "hex".into(),
            size: 2,
            seats: vec![seat("ana"), seat("beto")],
            terms: Terms {
                time: "60+0.5".parse().unwrap(),
                move_time: None,
                startup: std::time::Duration::from_secs(5),
                output: crate::referee::bot::Output::Terminal,
                strict: false,
                retries: 0,
                debug_bots: false,
            },
            seed: u64::MAX,
            started: jiff::Timestamp::UNIX_EPOCH,
            ended: jiff::Timestamp::UNIX_EPOCH,
            moves: ["0 0", "1 1", "1 0"].map(|mv| PlayedMove(mv.into(), 1_234)).into(),
            swapped: false,
            verdict: Verdict {
                winner: Some(Seat(0)),
                reason: "connected".parse().unwrap(),
                sentence: "white connected top to bottom on ply 3".into(),
            },
            warnings: Vec::new(),
        }
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let mut journal = Journal::create(&path).unwrap();
        for id in 1..=3 {
            journal.append(&record(id)).unwrap();
        }
        let read: Vec<GameRecord> =
            read(&path).unwrap().into_iter().map(|entry| entry.content.unwrap()).collect();
        assert_eq!(read, [record(1), record(2), record(3)]);
        read.iter().for_each(|record| record.verify().unwrap());
        assert!(Journal::create(&path).is_err(), "a journal is never begun over another");
    }

    #[test]
    fn damage_is_named_and_hides_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let whole = line(&record(1)).unwrap();
        let changed = line(&record(2)).unwrap().replace("ana", "eva");
        let torn = &whole[..whole.len() / 2];
        std::fs::write(&path, format!("{whole}{changed}\u{0}nonsense\n{whole}{torn}")).unwrap();
        let found: Vec<_> =
            read(&path).unwrap().into_iter().map(|entry| (entry.line, entry.content)).collect();
        assert!(matches!(
            &found[..],
            [
                (1, Ok(_)),
                (2, Err(Damage::Checksum { .. })),
                (3, Err(Damage::NotAJournal)),
                (4, Ok(_)),
                (5, Err(Damage::Torn))
            ]
        ));
    }

    #[test]
    fn a_record_that_contradicts_its_moves_is_found_out() {
        let mut wrong = record(1);
        wrong.verdict.winner = Some(Seat(1));
        assert!(wrong.verify().is_err());
        let mut short = record(1);
        short.moves.pop();
        assert!(short.verify().is_err());
        let mut illegal = record(1);
        illegal.moves[2].0 = "0 0".into();
        assert!(illegal.verify().unwrap_err().to_string().starts_with("ply 3, '0 0'"));
    }
}
