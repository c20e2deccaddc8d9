//! A compiled class of Java's: what it is called, and whether a program begins with it.

/// The name of a class, with its package, and whether it has a `public static void main(String[])`; nothing if it is none.
pub fn read(bytes: &[u8]) -> Option<(String, bool)> {
    let mut reader = Reader { rest: bytes };
    if reader.number(4)? != 0xcafe_babe {
        return None;
    }
    reader.skip(4)?;
    let count = reader.number(2)?;
    let (mut texts, mut classes) = (vec![None; count], vec![0; count]);
    let mut index = 1;
    while index < count {
        match reader.number(1)? {
            1 => {
                let length = reader.number(2)?;
                texts[index] = std::str::from_utf8(reader.take(length)?).ok();
            }
            7 => classes[index] = reader.number(2)?,
            8 | 16 | 19 | 20 => reader.skip(2)?,
            15 => reader.skip(3)?,
            3 | 4 | 9..=12 | 17 | 18 => reader.skip(4)?,
            // These take two places.
            5 | 6 => {
                reader.skip(8)?;
                index += 1;
            }
            _ => return None,
        }
        index += 1;
    }
    reader.skip(2)?;
    let this = reader.number(2)?;
    let name = texts.get(*classes.get(this)?).copied().flatten()?.replace('/', ".");
    reader.skip(2)?;
    let interfaces = reader.number(2)?;
    reader.skip(2 * interfaces)?;
    reader.members(&mut |_, _, _| {})?;
    let mut has_main = false;
    reader.members(&mut |access, name, kind| {
        const PUBLIC_STATIC: usize = 0x9;
        let text = |index: usize| texts.get(index).copied().flatten();
        has_main |= access & PUBLIC_STATIC == PUBLIC_STATIC
            && text(name) == Some("main")
            && text(kind) == Some("([Ljava/lang/String;)V");
    })?;
    Some((name, has_main))
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn skip(&mut self, length: usize) -> Option<()> {
        self.take(length).map(drop)
    }

    fn number(&mut self, length: usize) -> Option<usize> {
        Some(self.take(length)?.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    /// Fields or methods: their access, and the places of their names and types.
    fn members(&mut self, tell: &mut dyn FnMut(usize, usize, usize)) -> Option<()> {
        for _ in 0..self.number(2)? {
            let (access, name, kind) = (self.number(2)?, self.number(2)?, self.number(2)?);
            tell(access, name, kind);
            for _ in 0..self.number(2)? {
                self.skip(2)?;
                let length = self.number(4)?;
                self.skip(length)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class with a main, in a package, and nothing else.
    fn class() -> Vec<u8> {
        let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        let pool = [
            text("br/usp/Bot"),
            vec![7, 0, 1],
            text("main"),
            text("([Ljava/lang/String;)V"),
            // A long takes two places.
            vec![5, 0, 0, 0, 0, 0, 0, 0, 7],
        ];
        let pool = [vec![0, 7], pool.concat()].concat();
        let methods = vec![0, 1, 0, 9, 0, 3, 0, 4, 0, 0];
        [vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61], pool, vec![0, 1, 0, 2, 0, 0, 0, 0, 0, 0], methods]
            .concat()
    }

    #[test]
    fn a_class_says_its_name_and_whether_it_has_a_main() {
        assert_eq!(read(&class()), Some(("br.usp.Bot".to_owned(), true)));
        let without = [&class()[..class().len() - 10], &[0, 0]].concat();
        assert_eq!(read(&without), Some(("br.usp.Bot".to_owned(), false)));
    }

    #[test]
    fn what_is_torn_is_no_class() {
        let class = class();
        for length in 0..class.len() {
            assert_eq!(read(&class[..length]), None, "{length}");
        }
    }
}
