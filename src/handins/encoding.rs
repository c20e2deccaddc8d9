//! Text of which nobody says how it is encoded: names in archives, tables that spreadsheets wrote.

/// The characters from 0x80 on of code page 850, which Windows writes into archives in Western Europe and Latin America. It has the
/// accents of code page 437 at the same places.
const CODE_PAGE_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤\
                             ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";
/// Those from 0x80 to 0x9f of Windows-1252, which is Latin-1 beyond them.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Letters that count as small ones, and that names have by misreading only.
const ODD_LETTERS: &str = "þðµıªºƒ";

/// The text of a name: UTF-8 if it can be, else the encoding of Windows archives or Latin-1, whichever makes more small letters of it.
pub fn name(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let (dos, windows) = (with(bytes, |byte| CODE_PAGE_850.chars().nth(byte - 0x80)), windows_1252(bytes));
    let is_small =
        |letter: &char| !letter.is_ascii() && letter.is_lowercase() && !ODD_LETTERS.contains(*letter);
    let small = |text: &str| text.chars().filter(is_small).count();
    if small(&windows) > small(&dos) { windows } else { dos }
}

/// The text of a table: UTF-8 or UTF-16 if it is that, else as Windows writes it in the countries of its people.
pub fn table(bytes: &[u8]) -> String {
    let words = |read: fn([u8; 2]) -> u16| -> String {
        let words: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&words)
    };
    match bytes {
        [0xff, 0xfe, ..] => words(u16::from_le_bytes),
        [0xfe, 0xff, ..] => words(u16::from_be_bytes),
        _ => {
            let text = std::str::from_utf8(bytes).map_or_else(|_| windows_1252(bytes), str::to_owned);
            text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned)
        }
    }
}

fn windows_1252(bytes: &[u8]) -> String {
    with(bytes, |byte| WINDOWS_1252.chars().nth(byte - 0x80))
}

/// Each byte as a character; those beyond ASCII as `upper` says, and else as in Latin-1.
fn with(bytes: &[u8], upper: impl Fn(usize) -> Option<char>) -> String {
    let letter = |&byte: &u8| match byte {
        ..0x80 => char::from(byte),
        _ => upper(usize::from(byte)).unwrap_or(char::from(byte)),
    };
    bytes.iter().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_however_they_are_written() {
        assert_eq!(CODE_PAGE_850.chars().count(), 128);
        assert_eq!(WINDOWS_1252.chars().count(), 32);
        for (bytes, text) in [
            ("ação.c".as_bytes(), "ação.c"),
            (b"a\x87\xc6o.c", "ação.c"),
            (b"a\xe7\xe3o.c", "ação.c"),
            (b"espa\xe7o.c", "espaço.c"),
            (b"espa\x87o.c", "espaço.c"),
            (b"Jos\x82 Mu\xa4oz", "José Muñoz"),
            (b"Jos\xe9 Mu\xf1oz", "José Muñoz"),
        ] {
            assert_eq!(name(bytes), text);
        }
        assert_eq!(table(b"\xef\xbb\xbfa;Jo\xc3\xa3o"), "a;João");
        assert_eq!(table(b"a;D\x92\xc1vila"), "a;D’Ávila");
        assert_eq!(table(b"\xff\xfea\0\t\0\xe9\0"), "a\té");
    }
}
