//! The header of a Linux program (ELF), as far as it tells whether this machine can run it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// What every such file begins with.
pub const MAGIC: &[u8] = b"\x7fELF";

/// What such a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elf {
    /// A program, and the loader that it needs on the machine, if it needs one.
    Program { loader: Option<PathBuf> },
    /// A program for another processor: for which one.
    OtherMachine(String),
    /// What a compiler leaves before the linker has run.
    Object,
    /// A library.
    Library,
    /// It ends before its own header says so.
    CutShort,
    /// Something else, such as what is left of a crash.
    Other,
}

const EXECUTABLE: u64 = 2;
const SHARED: u64 = 3;
const LOADER: u64 = 3;

/// Names of processors by their numbers in a header.
const MACHINES: [(u64, &str); 11] = [
    (3, "x86 (32-bit)"),
    (8, "MIPS"),
    (20, "PowerPC (32-bit)"),
    (21, "PowerPC"),
    (22, "IBM Z"),
    (40, "ARM (32-bit)"),
    (62, "x86-64"),
    (183, "ARM (aarch64)"),
    (243, "RISC-V"),
    (258, "LoongArch"),
    (43, "SPARC"),
];

/// The number of the processor that this program was built for; nothing for one that is not listed.
fn our_machine() -> Option<u64> {
    match std::env::consts::ARCH {
        "x86_64" => Some(62),
        "aarch64" => Some(183),
        "riscv64" => Some(243),
        "x86" => Some(3),
        "arm" => Some(40),
        "powerpc64" => Some(21),
        "s390x" => Some(22),
        _ => None,
    }
}

/// The processor of this machine.
pub fn this_machine() -> &'static str {
    our_machine().map_or(std::env::consts::ARCH, |ours| name_of(ours).unwrap_or(std::env::consts::ARCH))
}

fn name_of(machine: u64) -> Option<&'static str> {
    MACHINES.iter().find(|(number, _)| *number == machine).map(|(_, name)| *name)
}

/// Judges a file of this length by its beginning, which has the [`MAGIC`].
pub fn judge(start: &[u8], length: u64, is_called_library: bool) -> Elf {
    let Some(header) = Header::read(start) else { return Elf::CutShort };
    if our_machine().is_some_and(|ours| header.machine != ours)
        || header.is_64 != cfg!(target_pointer_width = "64")
    {
        let width = if header.is_64 { "64-bit" } else { "32-bit" };
        let unnamed = || format!("another processor (number {})", header.machine);
        let name = name_of(header.machine).map_or_else(unnamed, str::to_owned);
        let is_told = name.contains("-bit") || Some(header.machine) != our_machine();
        return Elf::OtherMachine(if is_told { name } else { format!("{name}, {width}") });
    }
    match header.kind {
        1 => Elf::Object,
        EXECUTABLE | SHARED if header.segments_end() > length => Elf::CutShort,
        EXECUTABLE | SHARED => {
            let loader = header.loader(start);
            // Programs that are linked statically may be built like libraries, but have somewhere to begin.
            let is_library =
                header.kind == SHARED && loader == Loader::None && (header.entry == 0 || is_called_library);
            match loader {
                _ if is_library => Elf::Library,
                Loader::Path(path) => Elf::Program { loader: Some(path) },
                Loader::None | Loader::Elsewhere => Elf::Program { loader: None },
            }
        }
        _ => Elf::Other,
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Loader {
    /// It needs none.
    None,
    /// Which one it needs is written further behind than was read.
    Elsewhere,
    Path(PathBuf),
}

struct Header {
    is_64: bool,
    is_big_endian: bool,
    kind: u64,
    machine: u64,
    entry: u64,
    segments: u64,
    segment_size: u64,
    segment_count: u64,
}

impl Header {
    fn read(start: &[u8]) -> Option<Header> {
        let is_64 = *start.get(4)? == 2;
        let is_big_endian = *start.get(5)? == 2;
        let number = |at: u64, size: usize| number(start, at, size, is_big_endian);
        let word = if is_64 { 8 } else { 4 };
        // From here on the two kinds of header differ by the width of three addresses.
        let behind = 24 + 3 * word as u64;
        Some(Header {
            is_64,
            is_big_endian,
            kind: number(16, 2)?,
            machine: number(18, 2)?,
            entry: number(24, word)?,
            segments: number(24 + word as u64, word)?,
            segment_size: number(behind + 6, 2)?,
            segment_count: number(behind + 8, 2)?,
        })
    }

    fn segments_end(&self) -> u64 {
        self.segments.saturating_add(self.segment_size.saturating_mul(self.segment_count))
    }

    /// The loader that a segment of the program names.
    fn loader(&self, start: &[u8]) -> Loader {
        let number = |at: u64, size: usize| number(start, at, size, self.is_big_endian);
        let (word, offset_at, size_at) = if self.is_64 { (8, 8, 32) } else { (4, 4, 16) };
        for index in 0..self.segment_count {
            let at = self.segments.saturating_add(index.saturating_mul(self.segment_size));
            let Some(kind) = number(at, 4) else { return Loader::Elsewhere };
            if kind != LOADER {
                continue;
            }
            let place =
                number(at.saturating_add(offset_at), word).zip(number(at.saturating_add(size_at), word));
            let text = place.and_then(|(offset, size)| piece(start, offset, size));
            return text.map_or(Loader::Elsewhere, |text| {
                let name = text.split(|&byte| byte == 0).next().unwrap_or_default();
                Loader::Path(PathBuf::from(OsStr::from_bytes(name)))
            });
        }
        Loader::None
    }
}

fn piece(start: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
    let from = usize::try_from(offset).ok()?;
    let to = from.checked_add(usize::try_from(size).ok()?)?;
    start.get(from..to)
}

fn number(start: &[u8], at: u64, size: usize, is_big_endian: bool) -> Option<u64> {
    let bytes = piece(start, at, size as u64)?.iter();
    let add = |sum: u64, &byte: &u8| sum << 8 | u64::from(byte);
    Some(if is_big_endian { bytes.fold(0, add) } else { bytes.rev().fold(0, add) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this_test() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    #[test]
    fn a_program_of_this_machine_is_known_with_its_loader() {
        let file = this_test();
        let Elf::Program { loader: Some(loader) } = judge(&file, file.len() as u64, false) else {
            panic!("{:?}", judge(&file, file.len() as u64, false));
        };
        assert!(loader.exists(), "{loader:?}");
    }

    #[test]
    fn other_processors_object_files_and_libraries_are_told_apart() {
        let changed = |changes: &[(usize, u8)]| {
            let mut file = this_test();
            changes.iter().for_each(|&(at, byte)| file[at] = byte);
            judge(&file, file.len() as u64, false)
        };
        let other = if our_machine() == Some(183) { (62, "x86-64") } else { (183, "ARM (aarch64)") };
        assert_eq!(changed(&[(18, other.0), (19, 0)]), Elf::OtherMachine(other.1.to_owned()));
        assert_eq!(changed(&[(18, 3), (19, 0)]), Elf::OtherMachine("x86 (32-bit)".to_owned()));
        assert_eq!(
            changed(&[(18, 255), (19, 255)]),
            Elf::OtherMachine("another processor (number 65535)".to_owned())
        );
        assert_eq!(changed(&[(4, 1)]), Elf::OtherMachine(format!("{}, 32-bit", this_machine())));
        assert_eq!(changed(&[(16, 1)]), Elf::Object);
        assert_eq!(changed(&[(16, 4)]), Elf::Other);
        // Without segments nothing names a loader, and without an entry it does not begin anywhere.
        assert_eq!(changed(&[(16, 3), (56, 0), (57, 0)]), Elf::Program { loader: None });
        let no_entry: Vec<(usize, u8)> =
            (24..32).map(|at| (at, 0)).chain([(16, 3), (56, 0), (57, 0)]).collect();
        assert_eq!(changed(&no_entry), Elf::Library);
    }

    #[test]
    fn no_header_is_too_short_or_too_wild() {
        let file = this_test();
        for length in 0..64 {
            assert_eq!(judge(&file[..length], length as u64, false), Elf::CutShort, "{length}");
        }
        assert_eq!(judge(&file[..80], 80, false), Elf::CutShort);
        // What is beyond the part that was read is not held against it.
        assert_eq!(judge(&file[..80], file.len() as u64, false), Elf::Program { loader: None });
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let mut wild = file[..1024].to_vec();
            (0..random.usize(1..64)).for_each(|_| wild[random.usize(4..1024)] = random.u8(..));
            judge(&wild, random.u64(..), random.bool());
        }
    }
}
