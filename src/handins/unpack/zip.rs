//! Archives of zip: their table of contents is checked as a whole before anything is written.

use std::fs::File;
use std::io::{self, Read};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use flate2::read::DeflateDecoder;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rawzip::extra_fields::ExtraFieldId;
use rawzip::time::ZipDateTimeKind;
use rawzip::{
    CompressionMethod, ErrorKind, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord,
};

use super::limits::Budget;
use super::place::{Place, Unsafe};
use super::problem::Fault;
use super::tree::{About, Tree};

/// The kinds of entries, as the modes of Unix have them.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;
/// The longest text of a link that systems know.
const LONGEST_LINK: u64 = 4096;

/// An entry of the table of contents.
struct Entry {
    place: Place,
    is_folder: bool,
    mode: u32,
    method: CompressionMethod,
    is_locked: bool,
    /// Where its data begins at the earliest, and how long it is.
    begins: u64,
    packed: u64,
    length: u64,
    modified: Option<SystemTime>,
    at: ZipArchiveEntryWayfinder,
}

impl Entry {
    /// What the table says of an entry; nothing of what is left behind.
    fn read(header: &ZipFileHeaderRecord) -> Result<Option<Entry>, Fault> {
        let raw = header.file_path().as_bytes();
        let name = unicode_name(header, raw).unwrap_or(raw.to_vec());
        let mode = header.mode().value();
        let place = Place::read(&name).map_err(|(name, what)| Fault::Unsafe(name, what))?;
        Ok(place.map(|place| Entry {
            place,
            is_folder: mode & KIND == FOLDER || matches!(name.last(), Some(b'/' | b'\\')),
            mode,
            method: header.compression_method(),
            is_locked: header.flags().is_encrypted(),
            begins: header.local_header_offset(),
            packed: header.compressed_size_hint(),
            length: header.uncompressed_size_hint(),
            modified: modified(header.last_modified()),
            at: header.wayfinder(),
        }))
    }
}

/// The name in UTF-8 that some tools add to one that they cannot write so.
fn unicode_name(header: &ZipFileHeaderRecord, raw: &[u8]) -> Option<Vec<u8>> {
    let (_, field) = header.extra_fields().find(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH)?;
    let (checksum, name) = field.get(1..)?.split_at_checked(4)?;
    let is_of_this_name = checksum == rawzip::crc32(raw).to_le_bytes();
    (is_of_this_name && std::str::from_utf8(name).is_ok()).then(|| name.to_vec())
}

fn modified(time: ZipDateTimeKind) -> Option<SystemTime> {
    let seconds = match time {
        ZipDateTimeKind::Utc(time) => time.to_unix(),
        ZipDateTimeKind::Local(time) => {
            let small = |number: u8| i8::try_from(number).ok();
            let date = (i16::try_from(time.year()).ok()?, small(time.month())?, small(time.day())?);
            let clock = (small(time.hour())?, small(time.minute())?, small(time.second())?);
            let time = DateTime::new(date.0, date.1, date.2, clock.0, clock.1, clock.2, 0).ok()?;
            time.to_zoned(TimeZone::system()).ok()?.timestamp().as_second()
        }
    };
    Some(UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).ok()?))
}

impl From<rawzip::Error> for Fault {
    fn from(error: rawzip::Error) -> Fault {
        let words = match error.into_kind() {
            ErrorKind::IO(error) => return error.into(),
            ErrorKind::MissingEndOfCentralDirectory => {
                "its end is missing, as after an incomplete upload, or it is no zip archive"
            }
            ErrorKind::Eof => "it ends too early, as after an incomplete upload",
            ErrorKind::InvalidChecksum { .. } | ErrorKind::InvalidSize { .. } => {
                "a file in it is not what was packed"
            }
            _ => "its table of contents cannot be read",
        };
        Fault::Damaged(words.to_owned())
    }
}

/// Unpacks an archive.
pub fn open(file: File, tree: &mut Tree) -> Result<(), Fault> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer)?;
    let entries = table_of_contents(&archive, &mut buffer, tree.budget())?;
    check_overlaps(&entries)?;
    for entry in &entries {
        let place = &entry.place;
        if entry.is_folder {
            tree.folder(place)?;
            continue;
        }
        let opened = archive.get_entry(entry.at)?;
        let unpacked: Box<dyn Read> = match entry.method {
            CompressionMethod::STORE => Box::new(opened.reader()),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(opened.reader())),
            method => return Err(Fault::Unusual(method.name().unwrap_or("unknown").to_lowercase())),
        };
        let mut content = opened.verifying_reader(unpacked);
        let about = About {
            length: Some(entry.length),
            executable: entry.mode & 0o111 != 0,
            modified: entry.modified,
        };
        match entry.mode & KIND {
            LINK => {
                let mut text = Vec::new();
                (&mut content)
                    .take(LONGEST_LINK)
                    .read_to_end(&mut text)
                    .map_err(|error| of_content(error, place))?;
                tree.link(place, &text, false)?;
            }
            // Tools of rare systems say nothing of it.
            FILE | 0 => tree.file(place, about, &mut Content { content, place })?,
            _ => return Err(Fault::of(place, Unsafe::Device)),
        }
    }
    Ok(())
}

/// The entries of an archive, unless there are too many or too large ones, or one of them is not safe.
fn table_of_contents<R: rawzip::ReaderAt>(
    archive: &ZipArchive<R>,
    buffer: &mut [u8],
    budget: &Budget,
) -> Result<Vec<Entry>, Fault> {
    let mut entries = Vec::new();
    let mut table = archive.entries(buffer);
    let mut count = 0;
    while let Some(header) = table.next_entry()? {
        count += 1;
        budget.check_entries(count)?;
        entries.extend(Entry::read(&header)?);
    }
    if (count as u64) < archive.entries_hint() {
        return Err(Fault::Damaged("its table of contents ends too early".to_owned()));
    }
    if entries.iter().any(|entry| entry.is_locked) {
        return Err(Fault::Password);
    }
    budget.check_bytes(entries.iter().map(|entry| entry.length).fold(0, u64::saturating_add))?;
    Ok(entries)
}

/// Refuses archives whose entries share their data: bombs are made so.
fn check_overlaps(entries: &[Entry]) -> Result<(), Fault> {
    const SHORTEST_HEADER: u64 = 30;
    let mut ranges: Vec<(u64, u64)> = entries.iter().map(|entry| (entry.begins, entry.packed)).collect();
    ranges.sort_unstable();
    let end = |(begins, packed): (u64, u64)| begins.saturating_add(SHORTEST_HEADER).saturating_add(packed);
    if ranges.windows(2).any(|pair| end(pair[0]) > pair[1].0) {
        return Err(Fault::Damaged("its files lie in one another, as in a bomb".to_owned()));
    }
    Ok(())
}

/// The content of a file, which says whose it is when it is damaged.
struct Content<'a, R> {
    content: R,
    place: &'a Place,
}

impl<R: Read> Read for Content<'_, R> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        self.content.read(piece).map_err(|error| of_content(error, self.place))
    }
}

/// An error of the decoder in the words of people.
fn of_content(error: io::Error, place: &Place) -> io::Error {
    match error.raw_os_error() {
        Some(_) => error,
        None => io::Error::other(format!("'{}' in it cannot be unpacked", place.shown())),
    }
}
