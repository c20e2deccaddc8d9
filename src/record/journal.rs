//! The journal: an append-only file with one line of JSON for each finished game.
//!
//! Every line begins with a checksum of the rest of it, so that damage is noticed, and is written in one piece.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::FlockOperation;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The journal's name in the folder of a match or championship.
pub const FILE_NAME: &str = "games.jsonl";

/// How late the disk may learn of a game.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Appends games to a journal, which nobody else can do meanwhile.
pub struct Journal {
    file: File,
    length: u64,
    unsynced_since: Option<Instant>,
}

/// Why a journal cannot be written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// Another process has it.
    #[error("another arbitro is writing to '{0}'; wait for it to end, or give another folder with --out")]
    Locked(PathBuf),
    /// The disk is full.
    #[error(
        "the disk is full: '{0}' takes no more. All games recorded so far are safe; \
         make room and repeat the command to go on"
    )]
    DiskFull(PathBuf),
    /// Anything else.
    #[error("cannot write '{0}': {1}")]
    Io(PathBuf, io::Error),
}

impl JournalError {
    /// What an error of writing to a file means.
    pub fn from_io(path: &Path, error: io::Error) -> JournalError {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                JournalError::DiskFull(path.to_owned())
            }
            _ => JournalError::Io(path.to_owned(), error),
        }
    }
}

impl Journal {
    /// Opens a journal for appending, a new one if there is none. A torn last line, left by a writer that was killed, is
    /// moved to a file beside it, whose path is returned too.
    pub fn open(path: &Path) -> Result<(Journal, Option<PathBuf>), JournalError> {
        let failed = |error| JournalError::from_io(path, error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(JournalError::Locked(path.to_owned())),
            Err(error) => return Err(failed(error.into())),
        }
        let torn = set_torn_line_aside(&mut file, path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok((Journal { file, length, unsynced_since: None }, torn))
    }

    /// Makes a new journal, of which there must not be another.
    pub fn create(path: &Path) -> Result<Journal, JournalError> {
        let failed = |error| JournalError::from_io(path, error);
        let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(failed)?;
        Ok(Journal { file, length: 0, unsynced_since: None })
    }

    /// Writes one game, which from then on outlives this process, and after the next [`Journal::sync_when_due`] the
    /// machine.
    pub fn append(&mut self, record: &impl Serialize) -> io::Result<()> {
        self.append_lines(line(record)?.as_bytes())
    }

    /// Writes whole lines that another journal had.
    pub fn append_lines(&mut self, lines: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(lines) {
            // Half a line is worse than none. If even this fails, the next reader sets the torn line aside.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += lines.len() as u64;
        self.unsynced_since.get_or_insert_with(Instant::now);
        Ok(())
    }

    /// Lets others see, by the time at which the file was changed, that its writer is alive.
    pub fn touch(&self) -> io::Result<()> {
        self.file.set_modified(std::time::SystemTime::now())
    }

    /// Has the disk take what was written, if that is some time ago.
    pub fn sync_when_due(&mut self) -> io::Result<()> {
        match self.unsynced_since {
            Some(since) if since.elapsed() >= SYNC_INTERVAL => self.sync(),
            _ => Ok(()),
        }
    }

    /// Has the disk take what was written.
    pub fn sync(&mut self) -> io::Result<()> {
        self.unsynced_since = None;
        self.file.sync_data()
    }
}

/// A process that was forked a moment ago has the file open too, until it begins its program: the lock does not wait for that.
impl Drop for Journal {
    fn drop(&mut self) {
        // What fails here is released when the last of them has closed the file.
        let _ = rustix::fs::flock(&self.file, FlockOperation::Unlock);
    }
}

fn set_torn_line_aside(file: &mut File, path: &Path) -> io::Result<Option<PathBuf>> {
    let mut text = Vec::new();
    let mut whole = 0;
    let mut reader = BufReader::new(&mut *file);
    reader.seek(SeekFrom::Start(0))?;
    loop {
        text.clear();
        let length = reader.read_until(b'\n', &mut text)?;
        if text.last() != Some(&b'\n') {
            break;
        }
        whole += length as u64;
    }
    if text.is_empty() {
        return Ok(None);
    }
    let aside = |number: u32| path.with_extension(format!("torn-{number}"));
    let aside = (1..).map(aside).find(|path| !path.exists()).expect("numbers do not run out");
    std::fs::write(&aside, &text)?;
    file.set_len(whole)?;
    Ok(Some(aside))
}

const PREFIX: &str = r#"{"crc32":""#;

/// A record as a line of the journal: its JSON with the checksum as first field.
fn line(record: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_string(record)?;
    let fields = &json[1..];
    Ok(format!("{PREFIX}{:08x}\",{fields}\n", crc32fast::hash(fields.as_bytes())))
}

/// The field that numbers a game. In a line that is sound, nothing before it holds a text of somebody else's.
const NUMBER: &[u8] = b"\"number\":";

/// The fields of a line before and behind the number of its game, if it is the line of a numbered game.
fn around_number(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, fields) = split_checksum(line.strip_suffix(b"\n")?)?;
    let place = fields.windows(NUMBER.len()).position(|bytes| bytes == NUMBER)? + NUMBER.len();
    let digits = fields[place..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    Some((&fields[..place], &fields[place + digits..]))
}

/// The same line with another number for its game, for a journal that several are joined in.
pub fn renumbered(line: &[u8], number: u32) -> Option<Vec<u8>> {
    let (before, behind) = around_number(line)?;
    let fields = [before, number.to_string().as_bytes(), behind].concat();
    let head = format!("{PREFIX}{:08x}\",", crc32fast::hash(&fields));
    Some([head.as_bytes(), &fields, b"\n"].concat())
}

/// What is the same in two lines only if they are copies of one, whatever number each gives its game.
pub fn fingerprint(line: &[u8]) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let (before, behind) = around_number(line)?;
    hasher.write(before);
    hasher.write(behind);
    Some(hasher.finish())
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
pub struct Entry<T> {
    /// The line's number in the file, from 1.
    pub line: usize,
    /// What it holds.
    pub content: Result<T, Damage>,
}

/// The lines of a journal as they are in the file, with their numbers.
pub fn raw_lines(path: &Path) -> io::Result<impl Iterator<Item = io::Result<(usize, Vec<u8>)>>> {
    let mut reader = BufReader::new(File::open(path)?);
    Ok((1..).map_while(move |line| {
        let mut bytes = Vec::new();
        match reader.read_until(b'\n', &mut bytes) {
            Ok(0) => None,
            Ok(_) => Some(Ok((line, bytes))),
            Err(error) => Some(Err(error)),
        }
    }))
}

/// The lines of a journal one by one, of each game as much as `T` wants to know. Damaged lines do not hide the others.
pub fn entries<T: DeserializeOwned>(path: &Path) -> io::Result<impl Iterator<Item = io::Result<Entry<T>>>> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut bytes = Vec::new();
    Ok((1..).map_while(move |line| {
        bytes.clear();
        match reader.read_until(b'\n', &mut bytes) {
            Ok(0) => None,
            Ok(_) => Some(Ok(Entry { line, content: parse(&bytes) })),
            Err(error) => Some(Err(error)),
        }
    }))
}

/// The games of a journal; damage is told to `warn` and passed over.
pub fn read<T: DeserializeOwned>(path: &Path, mut warn: impl FnMut(String)) -> io::Result<Vec<T>> {
    let mut games = Vec::new();
    for entry in entries(path)? {
        let Entry { line, content } = entry?;
        match content {
            Ok(game) => games.push(game),
            Err(damage) => warn(format!("{} line {line} is left out: {damage}", path.display())),
        }
    }
    Ok(games)
}

/// What a line of a journal holds.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Damage> {
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
    let checksum = digits.iter().try_fold(0, |checksum, &digit| Some(checksum << 4 | hex_value(digit)?))?;
    Some((checksum, rest.strip_prefix(b"\",")?))
}

/// The value of a digit as it is written here: a capital letter is a damaged small one.
fn hex_value(digit: u8) -> Option<u32> {
    (!digit.is_ascii_uppercase()).then(|| char::from(digit).to_digit(16))?
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::game::Seat;
    use crate::record::game_record::{FORMAT, GameRecord};
    use crate::record::{Identity, Ply, Reason, SeatRecord, Terms, Verdict};

    fn record(number: u32) -> GameRecord {
        let seat = |bot: &str| SeatRecord {
            bot: bot.into(),
            command: format!("./{bot}"),
            identity: Some(Identity::of(b"x")),
            used_ns: 5,
            startup_ns: None,
            out_of_turn_ns: 0,
            credited_ns: 0,
            cpu_ns: Some(4),
            peak: Some(3),
            wrote: Vec::new(),
            exit: None,
        };
        let ply = |mv: &str| Ply::Move { text: mv.into(), taken: Duration::from_nanos(1_234), work: None };
        GameRecord {
            format: FORMAT,
            number,
            round: 1,
            leg: Some(1),
            generation: 1,
            attempt: 1,
            game: "hex".into(),
            size: 2,
            board: None,
            diagram: None,
            comments: BTreeMap::new(),
            seats: vec![seat("ana"), seat("beto")],
            terms: Terms { time: "60+0.5".parse().unwrap(), ..Terms::default() },
            seed: Some(u64::MAX),
            started: Some(jiff::Timestamp::UNIX_EPOCH),
            ended: Some(jiff::Timestamp::UNIX_EPOCH),
            load: None,
            opening: None,
            plies: ["0 0", "1 1", "1 0"].map(ply).into(),
            swapped: false,
            verdict: Verdict {
                winner: Some(Seat(0)),
                places: vec![1, 2],
                reason: Reason::named("connected").unwrap(),
                sentence: "white connected top to bottom on ply 3".into(),
                losses: Vec::new(),
                hints: Vec::new(),
            },
            warnings: Vec::new(),
        }
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        for numbers in [1..=2, 3..=3] {
            let (mut journal, torn) = Journal::open(&path).unwrap();
            assert_eq!(torn, None);
            numbers.for_each(|number| journal.append(&record(number)).unwrap());
            assert!(matches!(Journal::open(&path), Err(JournalError::Locked(_))), "one writer at a time");
        }
        let read: Vec<GameRecord> = read(&path, |damage| panic!("{damage}")).unwrap();
        assert_eq!(read, [record(1), record(2), record(3)]);
        read.iter().for_each(|record| record.verify().unwrap());
    }

    #[test]
    fn damage_is_named_and_hides_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let whole = line(&record(1)).unwrap();
        let changed = line(&record(2)).unwrap().replace("ana", "eva");
        let torn = &whole[..whole.len() / 2];
        std::fs::write(&path, format!("{whole}{changed}\u{0}nonsense\n{whole}{torn}")).unwrap();
        let entries = entries::<GameRecord>(&path).unwrap().map(Result::unwrap);
        let found: Vec<_> = entries.map(|entry| (entry.line, entry.content)).collect();
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

    /// Once, a flipped bit that made a letter of the checksum a capital one passed unseen.
    #[test]
    fn every_flipped_bit_is_damage() {
        let whole = line(&record(1)).unwrap();
        assert!(parse::<GameRecord>(whole.as_bytes()).is_ok());
        for bit in 0..8 * whole.len() {
            let mut changed = whole.clone().into_bytes();
            changed[bit / 8] ^= 1 << (bit % 8);
            let read = parse::<GameRecord>(&changed);
            assert!(read.is_err(), "{}", String::from_utf8_lossy(&changed));
        }
    }

    #[test]
    fn a_closed_journal_can_be_opened_though_a_forked_process_has_it_open_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let (journal, _) = Journal::open(&path).unwrap();
        let inherited = journal.file.try_clone().unwrap();
        drop(journal);
        assert!(Journal::open(&path).is_ok());
        drop(inherited);
    }

    #[test]
    fn a_torn_line_is_set_aside_and_the_rest_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let whole = line(&record(1)).unwrap();
        std::fs::write(&path, format!("{whole}{}", &whole[..40])).unwrap();
        let (mut journal, torn) = Journal::open(&path).unwrap();
        assert_eq!(std::fs::read_to_string(torn.unwrap()).unwrap(), whole[..40]);
        journal.append(&record(2)).unwrap();
        let games: Vec<GameRecord> = read(&path, |damage| panic!("{damage}")).unwrap();
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_line_can_move_to_another_journal() {
        let lines: Vec<String> = [3, 70_000].map(|number| line(&record(number)).unwrap()).into();
        let moved = renumbered(lines[0].as_bytes(), 70_000).unwrap();
        assert_eq!(String::from_utf8(moved).unwrap(), lines[1]);
        let [one, other] = [&lines[0], &lines[1]].map(|line| fingerprint(line.as_bytes()));
        assert!(one.is_some() && one == other);
        let later = GameRecord { attempt: 2, ..record(3) };
        assert_ne!(fingerprint(line(&later).unwrap().as_bytes()), one);
        assert_eq!((renumbered(b"{}\n", 1), fingerprint(b"")), (None, None));
    }

    #[test]
    fn a_record_that_contradicts_its_moves_is_found_out() {
        let mut wrong = record(1);
        wrong.verdict.winner = Some(Seat(1));
        assert!(wrong.verify().is_err());
        let mut short = record(1);
        short.plies.pop();
        assert!(short.verify().is_err());
        let mut illegal = record(1);
        illegal.plies[2] = illegal.plies[0].clone();
        assert!(illegal.verify().unwrap_err().to_string().starts_with("ply 3, '0 0'"));
    }
}
